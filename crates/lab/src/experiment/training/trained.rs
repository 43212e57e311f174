//! What was learned so far: weights and learning curves.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::checkpoint;
use super::run::{TrainingError, failed};
use crate::experiment::line::{csv_line, sha256_hex};
use crate::experiment::manifest::training::Training;
use crate::experiment::trial::tally::Tally;
use crate::game::tuples::SquareEffects;
use crate::learn::{Epoch, Errors};
use crate::players::{Form, KeptErrors};
use crate::stats::Confidence;

/// What a training learned so far.
#[derive(Clone, Debug)]
pub struct Trained {
    /// What is counted: `game` or `epoch`.
    pub(super) unit: &'static str,
    /// The games that were learned, or the epochs.
    pub done: u64,
    /// The learning curve: a judgement now and then, and one at the end.
    pub curve: Vec<Judgement>,
    /// The errors on the samples, epoch by epoch, with a method that learns from samples (`dense`, `least-squares`).
    pub epochs: Vec<Epoch>,
    /// The errors of the weights that are kept, once all epochs are done.
    pub kept: Option<KeptErrors>,
    /// The folder of the checkpoint that this run could not go on from, because another judge was part of it.
    pub aside: Option<PathBuf>,
    /// The numbers that the rest of the training depends on; the weights are the first of them.
    pub(super) state: Vec<f64>,
    /// What the weights are for.
    pub(super) form: Form,
}

/// How good the weights were after some games or epochs.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The games that were learned, or the epochs.
    pub done: u64,
    /// The result against each opponent of the judge.
    pub against: Vec<Tally>,
}

impl Trained {
    /// What the checkpoint in a folder says; nothing learned if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of another training.
    pub fn read(training: &Training, folder: &Path) -> Result<Self, TrainingError> {
        let mut trained = Self::nothing(training)?;
        checkpoint::read(training, folder, &mut trained)?;
        Ok(trained)
    }

    /// Nothing learned.
    pub(super) fn nothing(training: &Training) -> Result<Self, TrainingError> {
        let form = training.form().map_err(|error| failed(training, 0, error))?;
        let (unit, curve, state) = (training.source().unit(), Vec::new(), Vec::new());
        Ok(Self { unit, done: 0, curve, epochs: Vec::new(), kept: None, aside: None, state, form })
    }

    /// Whether all was learned and judged.
    pub fn is_whole(&self, training: &Training) -> bool {
        self.done == training.length() && (training.judge.is_none() || self.judgement().is_some())
    }

    /// The judgement of the weights as they are, if it was made.
    pub fn judgement(&self) -> Option<&Judgement> {
        self.curve.last().filter(|last| last.done == self.done)
    }

    /// The content of the file of weights.
    pub fn weights(&self) -> Vec<u8> {
        self.form.content(&self.state)
    }

    /// What a disc on each square counts for, by weights of tuples.
    pub fn squares(&self) -> Option<SquareEffects> {
        self.form.squares(&self.state)
    }

    /// The learning curve as CSV: a row for each opponent of each judgement.
    pub(super) fn curve_csv(&self, training: &Training) -> Vec<u8> {
        let mut csv = format!("{}s,against,wins,draws,losses,points,low,high\n", self.unit).into_bytes();
        let names = training.judge.iter().flat_map(|judge| &judge.against).map(|player| &player.name);
        for Judgement { done, against } in &self.curve {
            for (name, tally) in names.clone().zip(against) {
                let points = tally.points_interval(true, Confidence::default_level());
                let [wins, draws, losses] = tally.outcomes.map(|count| count.to_string());
                let [value, low, high] =
                    [points.value, points.low, points.high].map(|number| number.to_string());
                csv.extend(csv_line([&done.to_string(), name, &wins, &draws, &losses, &value, &low, &high]));
                csv.push(b'\n');
            }
        }
        csv
    }

    /// The errors of each epoch as CSV; `None` if there are none.
    pub(super) fn errors_csv(&self) -> Option<String> {
        let columns = ["loss", "squared", "absolute"];
        let head = ["train", "validate"].map(|set| columns.map(|column| format!("{set}_{column}")).join(","));
        let mut csv = format!("epoch,{}\n", head.join(","));
        for Epoch { number, train, validate } in &self.epochs {
            let numbers = |errors: &Errors| {
                [errors.loss, errors.squared, errors.absolute].map(|number| number.to_string()).join(",")
            };
            let validate = validate.as_ref().map_or_else(|| ",,".into(), numbers);
            writeln!(csv, "{number},{},{validate}", numbers(train)).expect("a string takes every text");
        }
        (self.unit == "epoch").then_some(csv)
    }

    /// The text that the digest of a run depends on: the length, the curves, and the hash of the weights.
    pub(crate) fn canonical(&self) -> String {
        let mut text = format!("shikou training 1\n{}\n", self.done);
        for Judgement { done, against } in &self.curve {
            for tally in against {
                let Tally { outcomes, units, margin, margin_squares } = tally;
                writeln!(text, "{done},{outcomes:?},{units:?},{margin},{margin_squares}")
                    .expect("a string takes every text");
            }
        }
        let errors = self.errors_csv().unwrap_or_default();
        text + &errors + &sha256_hex(&self.weights()) + "\n"
    }
}
