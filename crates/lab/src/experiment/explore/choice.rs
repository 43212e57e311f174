//! Which games say most.

use super::Reason;
use super::known::KnownGame;
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::game::Outcome;
use crate::words::counted;

/// Why a game is there that is nothing special.
const ANY: &str = "one of the first games";

/// A game that was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) trial: Trial,
    /// Its index in the trial.
    pub(super) game: usize,
    pub(super) why: Vec<Reason>,
}

impl Pick {
    /// All games of some trials, at most as many as this.
    pub(super) fn all_of(plan: &Plan, trials: &[Trial], most: usize) -> Vec<Self> {
        let games = |&trial: &Trial| {
            let games = plan.cells(trial.experiment)[trial.cell].seatings().len();
            (0..games).map(move |game| Self { trial, game, why: vec![Reason::new("named")] })
        };
        trials.iter().flat_map(games).take(most).collect()
    }
}

/// The games of an experiment to choose from.
pub(super) struct Choice {
    experiment: usize,
    is_for_two: bool,
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
        let is_for_two = plan.experiment(experiment).game.facts().players > 1;
        Self {
            experiment,
            is_for_two,
            is_sample,
            count: 0,
            first: Vec::new(),
            most,
            shortest: None,
            longest: None,
            closest: None,
            parting: None,
        }
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
        let is_close = self.is_for_two || game.outcome == Outcome::Loss;
        if is_close && self.closest.is_none_or(|known| self.distance(&game) < self.distance(&known)) {
            self.closest = Some(game);
        }
    }

    /// How far a game is from the other result: by its margin, or in a solitaire that was not solved by what it lacks.
    fn distance(&self, game: &KnownGame) -> i64 {
        let margin = i64::from(game.margin);
        if self.is_for_two { margin.abs() } else { -margin }
    }

    /// What to look at first, in this order; the same game may be there for several reasons.
    fn wanted(&self, plan: &Plan) -> Vec<Pick> {
        let first = if self.is_sample { "the first " } else { "" };
        let of = format!("{first}{}", counted(self.count, "game"));
        let closest = if self.is_for_two { "closest" } else { "closest to success" };
        let pick = |game: Option<&KnownGame>, words: String| {
            game.map(|game| Pick { trial: game.trial, game: game.game, why: vec![Reason::new(words)] })
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
            picks.extend(first.map(|trial| Pick {
                trial,
                game: 0,
                why: vec![Reason::new("the first game")],
            }));
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
                    Some(same) if why[0] != Reason::new(ANY) => picks[same].why.extend(why),
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
