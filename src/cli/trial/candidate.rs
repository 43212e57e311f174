//! A game of a candidate of an optimisation, played again.

use std::path::Path;

use super::again::last_ply;
use crate::cli::error::{Result, usage};
use crate::cli::output::print;
use crate::experiment::{
    EvaluationLog, Key, Optimisation, Optimised, Purpose, Results, find_game, folder_of,
};
use crate::players::{Registry, Table};

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
            printed = show(table);
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

fn show(table: &dyn Table) -> Result {
    print(format!("{}{}", last_ply(table, |seat| (seat.to_string(), None)), table.drawing()))
}
