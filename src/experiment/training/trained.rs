//! What was learned so far: weights and learning curve.

use std::fmt::Write as _;
use std::path::Path;

use super::checkpoint;
use super::run::TrainingError;
use crate::experiment::manifest::training::Training;
use crate::experiment::store::line::csv_line;
use crate::experiment::store::line::sha256_hex;
use crate::experiment::trial::tally::Tally;
use crate::players::{WeightsForm, write_weights};
use crate::stats::Confidence;

/// The name of the file of weights in the folder of a training.
pub(super) const WEIGHTS: &str = "weights.txt";

/// What a training learned so far.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The games that were learned.
    pub games: u64,
    /// The learning curve: a judgement now and then, and one at the end.
    pub curve: Vec<Judgement>,
    /// The numbers that the rest of the training depends on; the weights are the first of them.
    pub(super) state: Vec<f64>,
    /// What the weights are for.
    pub(super) form: WeightsForm,
}

/// How good the weights were after some games.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The games that were learned.
    pub games: u64,
    /// The result against each opponent of the judge.
    pub against: Vec<Tally>,
}

impl Trained {
    /// What the checkpoint in a folder says; nothing learned if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of another training.
    pub fn read(training: &Training, folder: &Path) -> Result<Self, TrainingError> {
        let (curve, state) = (Vec::new(), Vec::new());
        let mut trained = Self { games: 0, curve, state, form: training.form()? };
        checkpoint::read(training, folder, &mut trained)?;
        Ok(trained)
    }

    /// Whether all games were learned and judged.
    pub fn is_whole(&self, training: &Training) -> bool {
        self.games == training.games && (training.judge.is_none() || self.judgement().is_some())
    }

    /// The judgement after the games so far, if it was made.
    pub fn judgement(&self) -> Option<&Judgement> {
        self.curve.last().filter(|last| last.games == self.games)
    }

    /// The text of the file of weights, rounded to multiples of the unit.
    pub fn weights(&self) -> String {
        let reciprocal = libm::round(1.0 / self.form.unit);
        let rounded = |&weight: &f64| {
            let steps = libm::round(weight / self.form.unit);
            let rounded =
                if 1.0 / reciprocal == self.form.unit { steps / reciprocal } else { steps * self.form.unit };
            // No weight is −0.
            rounded + 0.0
        };
        let weights: Vec<f64> = self.state.iter().take(self.form.names.len()).map(rounded).collect();
        if weights.is_empty() {
            return write_weights(&self.form, &vec![0.0; self.form.names.len()]);
        }
        write_weights(&self.form, &weights)
    }

    /// The learning curve as CSV: a row for each opponent of each judgement.
    pub(super) fn curve_csv(&self, training: &Training) -> Vec<u8> {
        let mut csv = b"games,against,wins,draws,losses,points,low,high\n".to_vec();
        let names = training.judge.iter().flat_map(|judge| &judge.against).map(|player| &player.name);
        for Judgement { games, against } in &self.curve {
            for (name, tally) in names.clone().zip(against) {
                let points = tally.points_interval(true, Confidence::default_level());
                let [wins, draws, losses] = tally.outcomes.map(|count| count.to_string());
                let [value, low, high] =
                    [points.value, points.low, points.high].map(|number| number.to_string());
                csv.extend(csv_line([&games.to_string(), name, &wins, &draws, &losses, &value, &low, &high]));
                csv.push(b'\n');
            }
        }
        csv
    }

    /// The text that the digest of a run depends on: the games, the curve, and the hash of the weights.
    pub(crate) fn canonical(&self) -> String {
        let mut text = format!("shikou training 1\n{}\n", self.games);
        for Judgement { games, against } in &self.curve {
            for tally in against {
                let Tally { outcomes, units, margin, margin_squares } = tally;
                writeln!(text, "{games},{outcomes:?},{units:?},{margin},{margin_squares}")
                    .expect("a string takes every text");
            }
        }
        text + &sha256_hex(self.weights().as_bytes()) + "\n"
    }
}
