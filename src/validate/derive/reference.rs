//! A figure read from the committed results, because playing it again would take too long.

use serde::Deserialize;

use super::{Context, Derive, Derived, Yields, derivation, measures, word};
use crate::stats::Confidence;
use crate::validate::{Found, Sample};

measures! { Success, Points, Margin, }

derivation! { read(section, _path, _registry) -> Reference {
    results: String = section.get("results", &word("calculation-simple-tree"))?,
    experiment: String = section.get("experiment", &word("6"))?,
    player: String = section.get("player", &word("6×20"))?,
    measure: Measure = Measure::read(section)?,
} }

/// The fields that are read from a summary; see [`crate::experiment::Summary`].
#[derive(Deserialize)]
struct Summary {
    confidence: f64,
    experiments: Vec<Experiment>,
}

#[derive(Deserialize)]
struct Experiment {
    name: String,
    paired: bool,
    players: Vec<Player>,
}

#[derive(Deserialize)]
struct Player {
    name: String,
    trials: u64,
    instances: u64,
    wins_draws_losses: [u64; 3],
    margin: Margin,
}

#[derive(Deserialize)]
struct Margin {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
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
        let path = context.references.join(&self.results).join("summary.json");
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let words = format!(
                    "{} not found; run this in the repository's folder, or run `shikou run experiments/{}.toml` first",
                    path.display(),
                    self.results
                );
                return Ok(Found::Missing(words));
            }
            read => read.map_err(|error| format!("{}: {error}", path.display()))?,
        };
        let summary: Summary =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let experiment = summary.experiments.iter().find(|experiment| experiment.name == self.experiment);
        let experiment = experiment
            .ok_or_else(|| format!("{}: there is no experiment `{}`", path.display(), self.experiment))?;
        let player = experiment.players.iter().find(|player| player.name == self.player);
        let player =
            player.ok_or_else(|| format!("{}: there is no player `{}`", path.display(), self.player))?;
        if player.trials == 0 {
            return Ok(Found::Missing(format!("no trial of `{}` has been played", self.player)));
        }
        match (self.measure, player.margin.low.zip(player.margin.high)) {
            (Measure::Success, _) if experiment.paired => {
                Err("a two-player game has no success rate; use `points` or `margin`".into())
            }
            // Games count each for itself, as sources count them; two drawn games are one point.
            (Measure::Points, _) => {
                let [wins, draws, losses] = player.wins_draws_losses;
                Ok(Found::Rate { successes: wins + draws / 2, trials: wins + draws + losses })
            }
            (Measure::Success, _) => {
                Ok(Found::Rate { successes: player.wins_draws_losses[0], trials: player.trials })
            }
            (Measure::Margin, Some((low, high))) => {
                let error = (high - low) / (2.0 * Confidence::new(summary.confidence).z());
                let variance = error * error * player.instances as f64;
                let sample = Sample { count: player.instances, mean: player.margin.value, variance };
                Ok(Found::Mean(sample))
            }
            (Measure::Margin, None) => {
                Ok(Found::Missing("these results have no interval for the margin".into()))
            }
        }
    }
}
