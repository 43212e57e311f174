//! The choice of the games that say most, among those that are known.

use std::path::Path;

use crate::experiment::plan::{Plan, Trial, TrialId};
use crate::experiment::store::Log;
use crate::experiment::trial::{Record, play, unrepeatable};
use crate::game::{Counts, Outcome};
use crate::words::counted;

/// Where the results of games are known from.
#[derive(Clone, Copy)]
pub enum Source<'s> {
    /// The log of a run.
    Log(&'s Log),
    /// The folder of a reference, which may have a canonical log.
    Reference(&'s Path),
}

/// Why a game was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// In words: `the shortest of 600 games`.
    pub words: String,
    /// The ply that it is about, from 1.
    pub ply: Option<u32>,
}

/// Why a game is there that is nothing special.
const ANY: &str = "one of the first games";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) trial: Trial,
    /// The index in the trial.
    pub(super) game: usize,
    pub(super) why: Vec<Reason>,
}

impl Pick {
    fn new(trial: Trial, game: usize, words: impl Into<String>) -> Self {
        Self { trial, game, why: vec![Reason { words: words.into(), ply: None }] }
    }

    pub(super) fn all_of(plan: &Plan, trials: &[Trial], most: usize) -> Vec<Self> {
        let games = |&trial: &Trial| {
            let games = plan.cells(trial.experiment)[trial.cell].seatings().len();
            (0..games).map(move |game| Self::new(trial, game, "named"))
        };
        trials.iter().flat_map(games).take(most).collect()
    }
}

#[derive(Default)]
pub(super) struct Choice {
    experiment: usize,
    counts: Counts,
    /// Whether only the first games are known.
    is_sample: bool,
    /// How many games are known that were finished.
    count: u64,
    first: Vec<KnownGame>,
    most: usize,
    shortest: Option<KnownGame>,
    longest: Option<KnownGame>,
    closest: Option<KnownGame>,
    /// The game in which the best two players part earliest.
    pub(super) parting: Option<Pick>,
}

impl Choice {
    pub(super) fn new(plan: &Plan, experiment: usize, most: usize, is_sample: bool) -> Self {
        let counts = plan.experiment(experiment).facts().counts;
        Self { experiment, counts, is_sample, most, ..Self::default() }
    }

    /// Takes the next game, in canonical order.
    pub(super) fn take(&mut self, game: KnownGame) {
        if self.first.len() < self.most {
            self.first.push(game);
        }
        if game.is_forfeit {
            return;
        }
        self.count += 1;
        // Of equal games the first is kept.
        if self.shortest.is_none_or(|known| game.plies < known.plies) {
            self.shortest = Some(game);
        }
        if self.longest.is_none_or(|known| game.plies > known.plies) {
            self.longest = Some(game);
        }
        let is_close = self.counts != Counts::Success || game.outcome == Outcome::Loss;
        if is_close && self.closest.is_none_or(|known| self.distance(&game) < self.distance(&known)) {
            self.closest = Some(game);
        }
    }

    /// How far a game is from the other result: by its margin, or in a solitaire that was not solved by what it lacks. Where
    /// the score counts, the highest is the closest.
    fn distance(&self, game: &KnownGame) -> i64 {
        let margin = i64::from(game.margin);
        if self.counts == Counts::Points { margin.abs() } else { -margin }
    }

    /// The picks to look at first, in this order; the same game may be there for several reasons.
    fn wanted(&self, plan: &Plan) -> Vec<Pick> {
        let first = if self.is_sample { "the first " } else { "" };
        let of = format!("{first}{}", counted(self.count, "game"));
        let closest = match self.counts {
            Counts::Points => "closest",
            Counts::Success => "closest to success",
            Counts::Score => "best",
        };
        let pick = |game: Option<&KnownGame>, words: String| {
            game.map(|game| Pick::new(game.trial, game.game, words))
        };
        let wanted = [
            pick(self.first.first(), "the first game".into()),
            pick(self.closest.as_ref(), format!("the {closest} of {of}")),
            self.parting.clone(),
            pick(self.longest.as_ref(), format!("the longest of {of}")),
            pick(self.shortest.as_ref(), format!("the shortest of {of}")),
        ];
        let others = self.first.iter().filter_map(|game| pick(Some(game), ANY.into()));
        let mut picks: Vec<Pick> = wanted.into_iter().flatten().chain(others).collect();
        if self.first.is_empty() {
            // Nothing is known of any game, and the first can be played all the same.
            let first = plan.canonical().find(|trial| trial.experiment == self.experiment);
            picks.extend(first.map(|trial| Pick::new(trial, 0, "the first game")));
        }
        picks
    }
}

/// The games to look at, at most as many as this: the experiments have their turns, and each game is there once.
pub(super) fn picks(plan: &Plan, choices: &[Choice], most: usize) -> Vec<Pick> {
    let mut wanted: Vec<std::vec::IntoIter<Pick>> =
        choices.iter().map(|choice| choice.wanted(plan).into_iter()).collect();
    let mut picks: Vec<Pick> = Vec::new();
    loop {
        let mut is_over = true;
        for wanted in &mut wanted {
            // The next that is not there yet; one that is has another reason, if it is one.
            for Pick { trial, game, why } in wanted.by_ref() {
                let same = picks.iter().position(|pick| (pick.trial, pick.game) == (trial, game));
                match same {
                    Some(same) if why[0].words != ANY => picks[same].why.extend(why),
                    None if picks.len() < most => {
                        picks.push(Pick { trial, game, why });
                        is_over = false;
                        break;
                    }
                    _ => {}
                }
            }
        }
        if is_over {
            // In the order of the plan.
            picks.sort_by_key(|pick| pick.trial.experiment);
            return picks;
        }
    }
}

/// The most trials of an experiment that are played to choose from.
const SAMPLE: usize = 60;

/// A game that ended, and may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownGame {
    pub(super) trial: Trial,
    pub(super) game: usize,
    /// For the first seat.
    pub(super) outcome: Outcome,
    pub(super) margin: i32,
    pub(super) plies: u32,
    /// Whether an engine lost it without finishing it: its margin and its length say nothing.
    pub(super) is_forfeit: bool,
}

/// Whether there is no log, so that the first trials are all that is known.
pub(super) fn is_sample(source: Source<'_>) -> bool {
    matches!(source, Source::Reference(folder) if !folder.join("canonical.csv").is_file())
}

/// Tells all games of an experiment that a log or a canonical log has. Without either the first trials are played, until it
/// is `enough`.
pub(super) fn known_games(
    plan: &Plan,
    experiment: usize,
    source: Source<'_>,
    enough: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(KnownGame),
) -> Result<(), String> {
    match source {
        Source::Log(log) => {
            for record in log.records(experiment) {
                of_record(&record.map_err(|error| error.to_string())?, tell);
            }
        }
        Source::Reference(folder) if !is_sample(source) => {
            let path = folder.join("canonical.csv");
            canonical(plan, experiment, &path, tell)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Source::Reference(_) => {
            let trials = plan.canonical().filter(|trial| trial.experiment == experiment).take(SAMPLE);
            let trials = trials.filter(|trial| unrepeatable(plan, *trial).is_none());
            for trial in trials.take_while(|_| !enough()) {
                of_record(&play(plan, trial), tell);
            }
        }
    }
    Ok(())
}

fn of_record(record: &Record, tell: &mut dyn FnMut(KnownGame)) {
    for (game, of_game) in record.games.iter().enumerate() {
        if let Ok((outcome, margin)) = of_game.result {
            let (trial, plies, is_forfeit) = (record.trial, of_game.plies, of_game.forfeit.is_some());
            tell(KnownGame { trial, game, outcome, margin, plies, is_forfeit });
        }
    }
}

/// The games of a canonical log. Failed games and rows of other trials are left out.
fn canonical(
    plan: &Plan,
    experiment: usize,
    path: &Path,
    tell: &mut dyn FnMut(KnownGame),
) -> Result<(), csv::Error> {
    let mut reader = csv::Reader::from_path(path)?;
    let columns = reader.headers()?.clone();
    let column = |name: &str| columns.iter().position(|column| column == name).unwrap_or(usize::MAX);
    let [name, instance, trial, game, outcome, margin, plies, failure] =
        ["experiment", "instance", "trial", "game", "outcome", "score", "plies", "failure"].map(column);
    for row in reader.records() {
        let row = row?;
        let field = |column: usize| row.get(column).unwrap_or_default();
        if field(name) != plan.experiment(experiment).name {
            continue;
        }
        let read = || {
            let id = TrialId::from_digits(field(trial).as_bytes())?;
            let named = plan.trial_named(id, field(instance).parse().ok()?)?;
            // Experiments may share trials.
            let trial = std::iter::once(named)
                .chain(plan.same_as(named))
                .find(|trial| trial.experiment == experiment)?;
            Some(KnownGame {
                trial,
                game: field(game).parse::<usize>().ok()?.checked_sub(1)?,
                outcome: Outcome::from_bytes(field(outcome).as_bytes())?,
                margin: field(margin).parse().ok()?,
                plies: field(plies).parse().ok()?,
                is_forfeit: !field(failure).is_empty(),
            })
        };
        if let Some(known) = read() {
            tell(known);
        }
    }
    Ok(())
}
