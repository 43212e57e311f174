//! `shikou trial`: one trial again, alone, with every decision.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::error::CommandError;
use super::estimates::estimates;
use super::output::print;
use crate::experiment::{Experiment, Manifest, Plan, Trial, Watch, play_watched};
use crate::players::{Registry, Table};
use crate::search::ThreadClock;

#[derive(Args)]
#[command(after_help = "Example:
  shikou trial results/tour 58c1

The log, results/tour/trials.csv, has the names of the trials; the beginning of a name is enough.")]
pub(super) struct TrialArguments {
    /// A folder that a run wrote, or a manifest
    source: PathBuf,
    /// The name of the trial, or its beginning
    id: String,
}

pub(super) fn trial(registry: &Registry, arguments: &TrialArguments) -> Result<(), CommandError> {
    let path = &arguments.source;
    let path = if path.is_dir() { path.join("manifest.toml") } else { path.clone() };
    let manifest = Manifest::read(&path, registry)?;
    let plan = Plan::new(&manifest)?;
    let prefix = arguments.id.to_lowercase();
    // Trials of the same content have the same name.
    let begins = |trial: &Trial| plan.id(trial).to_string().starts_with(&prefix) && !plan.is_repeated(trial);
    let found: Vec<Trial> = plan.canonical().filter(begins).take(2).collect();
    let trial = match found[..] {
        [trial] => trial,
        [] => {
            return Err(CommandError::Usage(format!(
                "no trial of {} has a name that begins with {}",
                path.display(),
                arguments.id
            )));
        }
        _ => {
            return Err(CommandError::Usage(format!(
                "several trials have names that begin with {}; type more of the name",
                arguments.id
            )));
        }
    };
    let experiment = plan.experiment(trial.experiment);
    print(format!("trial {} of {}, instance {}", plan.id(&trial), experiment.name, trial.instance))?;
    let mut show = Show { experiment, printed: Ok(()) };
    let record = play_watched(&plan, trial, &mut ThreadClock::start(), &mut show);
    show.printed?;
    for (game, number) in record.games.iter().zip(1..) {
        let result = match &game.result {
            Ok((outcome, score)) => {
                format!("{outcome} for the first player, {score} {}", experiment.game.facts().score_unit)
            }
            Err(failure) => format!("failed: {failure}"),
        };
        print(format!("\ngame {number}: {result}, {} plies", game.plies))?;
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
        match (table.last_move(), table.last_decision()) {
            (Some(mv), Some((seat, view))) => {
                let player = name(seating[seat.index()]);
                let _ =
                    writeln!(text, "\nply {}: {mv}\n{}", table.plies(), estimates(player, "plays", &view));
            }
            (Some(mv), None) => {
                let _ = writeln!(text, "\nply {}: {mv} (chance or the opening)", table.plies());
            }
            (None, _) => {}
        }
        self.printed = print(format!("{text}{}", table.drawing()));
    }

    fn moved(&mut self, _player: usize, _ns: u64) {}
}
