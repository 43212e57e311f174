//! `shikou trial`: one trial again, alone, with every decision; or the list of trials to choose from.

mod candidate;
mod list;

use std::path::{Path, PathBuf};

use clap::Args;

use self::candidate::candidate;
use self::list::{Filter, list};
use super::error::CommandError;
use super::estimates::estimates;
use super::optimise::read_optimisations;
use super::output::print;
use crate::experiment::{EVALUATIONS, Experiment, Manifest, Plan, Results, Trial, Watch, play_watched};
use crate::game::Player;
use crate::players::{Registry, Table};
use crate::report::counted;
use crate::search::ThreadClock;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou trial results/tour                              the games of the run
  shikou trial results/tour --player flat --result loss   those that a player lost
  shikou trial results/tour --longest --most 5
  shikou trial results/tour 58c1                         one trial again, move by move
  shikou trial results/tune/uct 12 3 1                    generation 12, candidate 3, game 1 of an optimisation

The beginning of a trial's name is enough.")]
pub(super) struct TrialArguments {
    /// A folder that a run wrote, or a manifest
    source: PathBuf,
    /// The name of the trial, or its beginning [default: list the trials]; in the folder of an optimisation the run, the
    /// generation, the candidate and the game
    #[arg(value_name = "NAME")]
    id: Vec<String>,
    #[command(flatten)]
    filter: Filter,
}

pub(super) fn trial(registry: &Registry, arguments: &TrialArguments) -> Result<(), CommandError> {
    let path = &arguments.source;
    if path.join(EVALUATIONS).is_file() {
        return candidate(registry, path, &arguments.id);
    }
    let manifest = if path.is_dir() {
        let manifest = Results::open(path).map_err(CommandError::because)?.read_manifest(registry)?;
        read_optimisations(manifest, path)?.0
    } else {
        Manifest::read(path, registry)?
    };
    let plan = Plan::new(&manifest)?;
    match &arguments.id[..] {
        [id] => again(&plan, id, path),
        [_, more, ..] => {
            Err(CommandError::Usage(format!("{more:?} is one word too many: a trial has one name")))
        }
        [] if path.is_dir() => {
            list(&Results::open(path).map_err(CommandError::because)?, &plan, &arguments.filter)
        }
        [] => Err(CommandError::Usage(format!(
            "{} is a manifest; name the folder of its results to list their trials",
            path.display()
        ))),
    }
}

/// Plays a trial again.
fn again(plan: &Plan, id: &str, path: &Path) -> Result<(), CommandError> {
    let prefix = id.to_lowercase();
    // Trials of the same content have the same name.
    let begins = |trial: &Trial| plan.id(trial).to_string().starts_with(&prefix) && !plan.is_repeated(trial);
    let found: Vec<Trial> = plan.canonical().filter(begins).take(2).collect();
    let trial = match found[..] {
        [trial] => trial,
        [] => {
            return Err(CommandError::Usage(format!(
                "no trial of {} has a name that begins with {}",
                path.display(),
                id
            )));
        }
        _ => {
            return Err(CommandError::Usage(format!(
                "several trials have names that begin with {id}; type more of the name"
            )));
        }
    };
    let experiment = plan.experiment(trial.experiment);
    print(format!("trial {} of {}, instance {}", plan.id(&trial), experiment.name, trial.instance))?;
    let mut show = Show { experiment, printed: Ok(()) };
    let record = play_watched(plan, trial, &mut ThreadClock::start(), &mut show);
    show.printed?;
    for (game, number) in record.games.iter().zip(1..) {
        let result = match &game.result {
            Ok((outcome, score)) => {
                format!("{outcome} for the first player, {score} {}", experiment.game.facts().score_unit)
            }
            Err(failure) => format!("failed: {failure}"),
        };
        print(format!("\ngame {number}: {result}, {}", counted(game.plies.into(), "ply")))?;
    }
    Ok(())
}

/// Prints every position and decision of a trial.
struct Show<'e> {
    experiment: &'e Experiment,
    printed: Result<(), CommandError>,
}

impl Watch for Show<'_> {
    fn position(&mut self, table: &dyn Table, seating: &[usize]) {
        if self.printed.is_err() {
            return;
        }
        let name = |player: usize| self.experiment.players[player].name.as_str();
        let mut text = String::new();
        if table.plies() == 0 {
            let names: Vec<&str> = seating.iter().map(|&player| name(player)).collect();
            text = format!("\n{}\n", names.join(" – "));
        }
        text += &last_ply(table, |seat| name(seating[seat.index()]).into());
        self.printed = print(format!("{text}{}", table.drawing()));
    }

    fn moved(&mut self, _player: usize, _ns: u64) {}
}

/// The last ply on a table, with the estimates of its player; `name` gives the name of a seat. Empty at the start.
fn last_ply(table: &dyn Table, name: impl Fn(Player) -> String) -> String {
    match (table.last_move(), table.last_decision()) {
        (Some(mv), Some((seat, view))) => {
            format!("\nply {}: {mv}\n{}\n", table.plies(), estimates(&name(seat), "plays", &view))
        }
        (Some(mv), None) => format!("\nply {}: {mv} (chance or the opening)\n", table.plies()),
        (None, _) => String::new(),
    }
}
