//! A figure read from the committed results, because playing it again would take too long.

use std::path::Path;

use super::{Context, Derive, Derived, Yields, derivation, measures, word};
use crate::experiment::Summary;
use crate::stats::{Confidence, Estimate};
use crate::validate::{Found, Published, Sample};

measures! { Success, Points, Margin, }

derivation! { read(section, _path, _registry) -> Reference {
    results: String = section.get("results", &word("calculation-simple-tree"))?,
    experiment: String = section.get("experiment", &word("6"))?,
    player: String = section.get("player", &word("6×20"))?,
    measure: Measure = Measure::read(section)?,
} }

/// A published figure of committed results that counts successes: the experiment, the player, the figure, and its derivation.
pub(in crate::validate) type Counted = (String, String, Published, Box<dyn Derive>);

/// The published figures of committed results that count successes, in the order of the manifest.
pub(in crate::validate) fn counted(results: &str, summary: &Summary) -> Vec<Counted> {
    let mut all: Vec<Counted> = Vec::new();
    for experiment in &summary.experiments {
        for (player, claim) in &experiment.published {
            let Some([successes, trials]) = claim.counts else { continue };
            let derivation = Reference {
                results: results.into(),
                experiment: experiment.name.clone(),
                player: player.clone(),
                measure: if experiment.paired { Measure::Points } else { Measure::Success },
            };
            let published = Published::Rate { successes, trials };
            all.push((experiment.name.clone(), player.clone(), published, Box::new(derivation)));
        }
    }
    all
}

/// The summary of committed results. The error is in words, and `None` if there are none.
pub(in crate::validate) fn summary_of(references: &Path, results: &str) -> Result<Option<Summary>, String> {
    let path = references.join(results).join("summary.json");
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("{}: {error}", path.display()))?,
    };
    Summary::from_json(&text).map(Some).map_err(|error| format!("{}: {error}", path.display()))
}

/// The sentence on results that are not there.
pub(in crate::validate) fn missing(references: &Path, results: &str) -> String {
    let path = references.join(results).join("summary.json");
    format!(
        "{} not found; run this in the repository's folder, or run `shikou run experiments/{results}.toml` first",
        path.display()
    )
}

impl Derive for Reference {
    fn yields(&self) -> Yields {
        match self.measure {
            Measure::Success | Measure::Points => Yields::Rate,
            Measure::Margin => Yields::Mean,
        }
    }

    fn is_read(&self) -> bool {
        true
    }

    fn derive(&self, context: &Context<'_>) -> Derived {
        let path = context.references.join(&self.results);
        let Some(summary) = summary_of(&context.references, &self.results)? else {
            return Ok(Found::Missing(missing(&context.references, &self.results)));
        };
        let experiment = summary.experiments.iter().find(|experiment| experiment.name == self.experiment);
        let experiment = experiment
            .ok_or_else(|| format!("{}: there is no experiment `{}`", path.display(), self.experiment))?;
        let player = experiment.players.iter().find(|player| player.name == self.player);
        let player =
            player.ok_or_else(|| format!("{}: there is no player `{}`", path.display(), self.player))?;
        if player.trials == 0 {
            return Ok(Found::Missing(format!("no trial of `{}` has been played", self.player)));
        }
        let Estimate { value, low, high, .. } = player.margin;
        match self.measure {
            Measure::Success if experiment.paired => {
                Err("a two-player game has no success rate; use `points` or `margin`".into())
            }
            // Games count each for itself, as sources count them; two drawn games are one point.
            Measure::Points => {
                let [wins, draws, losses] = player.wins_draws_losses;
                Ok(Found::Rate { successes: wins + draws / 2, trials: wins + draws + losses })
            }
            Measure::Success => {
                Ok(Found::Rate { successes: player.wins_draws_losses[0], trials: player.trials })
            }
            Measure::Margin if low.is_finite() && high.is_finite() => {
                let error = (high - low) / (2.0 * Confidence::new(summary.confidence).z());
                let variance = error * error * player.instances as f64;
                let sample = Sample { count: player.instances, mean: value, variance };
                Ok(Found::Mean(sample))
            }
            Measure::Margin => Ok(Found::Missing("these results have no interval for the margin".into())),
        }
    }
}
