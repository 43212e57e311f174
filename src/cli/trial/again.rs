//! A trial played again: move by move, or all its decisions as data and as tables; and a game of a candidate of an optimisation.

use std::path::Path;

use crate::cli::error::{Result, usage};
use crate::cli::estimates::{estimates, standard_error};
use crate::cli::groups::OutputArguments;
use crate::cli::output::print;
use crate::experiment::{
    ChosenBy, EvaluationLog, Experiment, Key, Log, Optimisation, Optimised, Plan, Purpose, Results, Trial,
    Watch, WatchedGame, WatchedPly, WatchedTrial, find_game, folder_of, play_watched,
};
use crate::game::{Counts, Player};
use crate::players::{Registry, SearcherSpec, Table as GameTable};
use crate::report::{Block, Cell, Document, Table, column, columns, counted, decimals, with_thousands};
use crate::search::ThreadClock;

/// Plays a trial again, and prints each position.
pub(super) fn again(plan: &Plan, trial: Trial) -> Result {
    let experiment = plan.experiment(trial.experiment);
    print(format!("trial {} of {}, instance {}", plan.id(&trial), experiment.name, trial.instance))?;
    if let Some(reason) = WatchedTrial::of_record(plan, trial, None).unrepeatable {
        if plan.has_engine(&trial) {
            return print(format!(
                "not played again, because {reason}; `shikou trial FOLDER` lists its result"
            ));
        }
        print(format!("this is another game than that of the run: {reason}"))?;
    }
    let mut show = Show { experiment, games: 0, last: None, printed: Ok(()) };
    let record = play_watched(plan, trial, &mut ThreadClock::start(), &mut show);
    show.printed?;
    for (game, number) in record.games.iter().zip(1..) {
        let result = match &game.result {
            Ok((outcome, score)) => {
                let facts = experiment.facts();
                match facts.counts {
                    Counts::Score => format!("{score}{}", facts.unit()),
                    _ => format!("{outcome} for the first player, margin {score} ({})", facts.score_unit),
                }
            }
            Err(failure) => format!("failed: {failure}"),
        };
        print(format!("\ngame {number}: {result}, {}", counted(game.plies.into(), "ply")))?;
    }
    Ok(())
}

struct Show<'e> {
    experiment: &'e Experiment,
    games: usize,
    /// The plies of the position before.
    last: Option<u32>,
    printed: Result,
}

impl Watch for Show<'_> {
    fn position(&mut self, table: &dyn GameTable, seating: &[usize]) {
        if self.printed.is_err() {
            return;
        }
        let name = |player: usize| self.experiment.players[player].name.as_str();
        let mut text = String::new();
        // A game may begin with the plies of an opening.
        if self.last.replace(table.plies()).is_none_or(|last| table.plies() <= last) {
            let names: Vec<&str> = seating.iter().map(|&player| name(player)).collect();
            self.games += 1;
            text = format!("\ngame {}: {}\n", self.games, names.join(" – "));
        }
        text += &last_ply(table, |seat| {
            let player = &self.experiment.players[seating[seat.index()]];
            (player.name.clone(), Some(&player.searcher))
        });
        self.printed = print(format!("{text}{}", table.drawing()));
    }
}

/// The last ply on a table, with the estimates of its player; `player` gives the name of a seat, and its searcher if it is
/// known. Empty at the start.
pub(super) fn last_ply<'s>(
    table: &dyn GameTable,
    player: impl Fn(Player) -> (String, Option<&'s SearcherSpec>),
) -> String {
    match (table.last_move(), table.last_decision()) {
        (Some(mv), Some((seat, view))) => {
            let (name, searcher) = player(seat);
            format!("\nply {}: {mv}\n{}\n", table.plies(), estimates(&name, searcher, "plays", &view))
        }
        (Some(mv), None) => format!("\nply {}: {mv} (chance or the opening)\n", table.plies()),
        (None, _) => String::new(),
    }
}

/// Plays a trial again, and prints all decisions in a format. What is not repeatable is not played: then the log of the
/// folder has the results.
pub(super) fn decisions(plan: &Plan, trial: Trial, folder: &Path, output: &OutputArguments) -> Result {
    let mut watched = WatchedTrial::play(plan, trial);
    if watched.unrepeatable.is_some()
        && let Ok(results) = Results::open(folder)
    {
        let log = Log::read(&results.log(), plan)?;
        watched = WatchedTrial::of_record(plan, trial, log.record(&trial)?.as_ref());
    }
    let document = document(&watched);
    output.show("trial", watched, document)
}

fn document(watched: &WatchedTrial) -> Document {
    let WatchedTrial { trial, experiment, instance, unit, unrepeatable, games, .. } = watched;
    let mut document =
        Document(vec![Block::Heading(format!("trial {trial} of {experiment}, instance {instance}"))]);
    if let Some(reason) = unrepeatable {
        document.0.push(format!("It cannot be played again: {reason}.").into());
    }
    for game in games {
        if !game.plies.is_empty() {
            document.0.push(table(game).into());
        }
        document.0.push(Block::Notes(vec![format!("game {}: {}", game.number, result(game, unit))]));
    }
    document
}

fn table(game: &WatchedGame) -> Table {
    Table::of(
        &game.plies,
        [
            column(">ply", &|ply| ply.ply),
            column("<player", &|ply| player(game, ply)),
            column("<move", &|ply| ply.mv.clone()),
            columns([">value", ">± std. error", ">visits"], &|ply| {
                let decision = ply.decision.as_ref()?;
                let own = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen)?;
                let error = standard_error(own.standard_error);
                Some([decimals(own.value, 3), error, with_thousands(own.visits)].map(Cell::from))
            }),
            column("<expected line", &|ply| ply.line.join(" ")),
        ],
    )
}

fn player(game: &WatchedGame, ply: &WatchedPly) -> String {
    match (ply.by, ply.seat) {
        (ChosenBy::Player, Some(seat)) => game.seats[usize::from(seat) - 1].player.clone(),
        (ChosenBy::Opening, _) => "(opening)".into(),
        _ => "(chance)".into(),
    }
}

fn result(game: &WatchedGame, unit: &str) -> String {
    let names: Vec<&str> = game.seats.iter().map(|seat| seat.player.as_str()).collect();
    let result = match (game.outcome, game.margin, &game.failure) {
        (Some(outcome), Some(margin), failure) => {
            let by = failure.iter().map(|reason| format!(", by {reason}"));
            format!("{outcome} for the first player, {margin} {unit}{}", by.collect::<String>())
        }
        (_, _, Some(failure)) => format!("failed: {failure}"),
        _ => "the log does not have it".into(),
    };
    let plies = if game.plies.is_empty() {
        String::new()
    } else {
        format!(", {}", counted(game.plies.len() as u64, "ply"))
    };
    format!("{}: {result}{plies}", names.join(" – "))
}

const FORM: &str = "write `shikou trial FOLDER [RUN] GENERATION CANDIDATE [GAME]`, such as `shikou trial results/b/run 3 0 1`; \
                    generations and candidates count from 0, games from 1";

/// Plays a game of a candidate again, move by move. `folder` is that of an optimisation.
pub(super) fn candidate(registry: &Registry, folder: &Path, words: &[String]) -> Result {
    let refused = |message: String| usage!("{message}; {FORM}");
    let parent = folder.parent().unwrap_or(Path::new(""));
    let manifest = Results::open(parent).map(|results| results.read_manifest(registry));
    let manifest = manifest??;
    let optimised = Optimised::read(&manifest, parent)?;
    let found = optimised.results().iter().find(|(known, _)| folder_of(parent, known) == folder);
    let (optimisation, _) =
        found.ok_or_else(|| refused(format!("{} is the folder of no optimisation", folder.display())))?;
    let numbers = words.len().min(3);
    let (run, rest) = match words {
        [run, rest @ ..] if words.len() == 4 || (words.len() == 3 && run.parse::<u64>().is_err()) => {
            (run_of(optimisation, run).ok_or_else(|| refused(format!("there is no run {run:?}")))?, rest)
        }
        rest if numbers >= 2 && optimisation.runs.len() == 1 => (0, rest),
        _ if optimisation.runs.len() > 1 => {
            let names: Vec<String> = optimisation
                .runs
                .iter()
                .take(3)
                .map(|run| format!("{} ({})", run.label(), run.name))
                .collect();
            return Err(refused(format!("name a run, such as {}", names.join(", "))));
        }
        _ => return Err(refused("name a generation and a candidate".into())),
    };
    let number = |word: &String| word.parse::<u32>().map_err(|_| refused(format!("{word:?} is no number")));
    let generation = number(&rest[0])?.into();
    let index = number(rest.get(1).ok_or_else(|| refused("name a candidate".into()))?)?;
    let game = rest.get(2).map_or(Ok(1), number)?;
    let game = u64::from(game.checked_sub(1).ok_or_else(|| refused("games are counted from 1".into()))?);
    let run = &optimisation.runs[run];
    let known = EvaluationLog::read(folder)?.remove(&run.id()).unwrap_or_default();
    let has = |purpose| known.contains_key(&Key { generation, purpose, index });
    // In a race each unit is a row of its own.
    let a_unit = run.games_a_unit() * run.opponents(0);
    let rows =
        [(Purpose::Fitness, game), (Purpose::Round(1), game), (Purpose::Unit(game / a_unit), game % a_unit)];
    let found = rows.into_iter().find(|&(purpose, _)| has(purpose));
    let (purpose, game_of_row) = found
        .ok_or_else(|| refused(format!("the log has no candidate {index} in generation {generation}")))?;
    let found = find_game(run, known, Key { generation, purpose, index }, game_of_row)?;
    let Some(found) = found else {
        return Err(refused(format!("the candidate has no game {}", game + 1)));
    };
    print(format!("{}, generation {generation}, candidate {index}, game {}", run.name, game + 1))?;
    print(format!("the candidate is {}, with these genes:", found.seat_of))?;
    let values: Vec<String> =
        run.genes.texts(&found.genes).iter().map(|(gene, value)| format!("{gene}={value}")).collect();
    print(values.join(" "))?;
    let mut printed = Ok(());
    let result = found.watch(&mut |table| {
        if printed.is_ok() {
            let last = last_ply(table, |seat| (seat.to_string(), None));
            printed = print(format!("{last}{}", table.drawing()));
        }
    });
    printed?;
    let (outcome, margin) = result?;
    let unit = run.game.facts().score_unit;
    print(format!("\n{outcome} for the candidate, {margin} {unit}"))
}

fn run_of(optimisation: &Optimisation, word: &str) -> Option<usize> {
    optimisation.runs.iter().position(|run| {
        let label = run.label();
        // `canonical.csv` has the id without its letter.
        run.name == word || label == word || label[1..] == *word
    })
}
