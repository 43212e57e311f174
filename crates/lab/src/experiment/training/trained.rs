//! The state of a training, weights and learning curves, and the checkpoint that holds it.
//!
//! A checkpoint is a line of text, a row for each judgement, and the numbers of the learner.
//!
//! ```text
//! # shikou-training=1 id=0123abcd games=4000 rows=1 numbers=2511 check=89abcdef
//! 2000,0,1900,20,80,…
//! (the numbers, eight bytes each, little endian)
//! ```
//!
//! With a method that learns from samples (`dense`, `least-squares`) `games` are epochs. A further word, `errors=27`,
//! says how many of the numbers, the first, are the errors of the epochs and of the weights that are kept. With a judge the
//! word `judge=89abcdef` names it: rows of another one, or of one that is not named, are not believed.
//!
//! The checkpoint before is kept beside it, for [`recover_training`](super::recover_training).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{CHECKPOINT_MARK, Race, TrainingError, failed, field, read_sealed, write_sealed};
use crate::experiment::line::{csv_line, sha256_hex};
use crate::experiment::store::CHECKPOINTS;
use crate::experiment::trial::Tally;
use crate::game::Counts;
use crate::game::tuples::SquareEffects;
use crate::learn::{Epoch, Errors};
use crate::manifest::Training;
use crate::players::{Form, KeptErrors};
use crate::stats::Confidence;

/// The state of a training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The unit of the count: `game` or `epoch`.
    pub(super) unit: &'static str,
    /// The games that were learned, or the epochs.
    pub done: u64,
    /// The learning curve: a judgement of the start, now and then, and at the end.
    pub curve: Vec<Judgement>,
    /// The errors on the samples, epoch by epoch, with a method that learns from samples (`dense`, `least-squares`).
    pub epochs: Vec<Epoch>,
    /// The errors of the weights that are kept, once all epochs are done.
    pub kept: Option<KeptErrors>,
    /// The race that found the settings, if some were left out and it was run.
    pub race: Option<Race>,
    /// The folder of the checkpoint that this run could not go on from, because another judge was part of it.
    pub aside: Option<PathBuf>,
    /// The numbers that the rest of the training depends on; the weights are the first of them.
    pub(super) state: Vec<f64>,
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
    /// The state in the checkpoint of a folder; nothing learned if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of another training.
    pub fn read(training: &Training, folder: &Path) -> Result<Self, TrainingError> {
        let race = Race::read(training, folder)?;
        let chosen = race.as_ref().map(|race| training.by(race.winner()));
        let mut trained = Self { race, ..Self::nothing(chosen.as_ref().unwrap_or(training))? };
        read_checkpoint(training, folder, &mut trained)?;
        Ok(trained)
    }

    pub(super) fn nothing(training: &Training) -> Result<Self, TrainingError> {
        let form = training.form().map_err(|error| failed(training, 0, error))?;
        let (unit, curve, state) = (training.source().unit(), Vec::new(), Vec::new());
        Ok(Self {
            unit,
            done: 0,
            curve,
            epochs: Vec::new(),
            kept: None,
            race: None,
            aside: None,
            state,
            form,
        })
    }

    /// Whether all was learned and judged.
    pub fn is_whole(&self, training: &Training) -> bool {
        self.done == training.length() && (training.judge.is_none() || self.judgement().is_some())
    }

    /// The judgement of the weights as they are, if it was made.
    pub fn judgement(&self) -> Option<&Judgement> {
        self.curve.last().filter(|last| last.done == self.done)
    }

    /// The form of the weights; after a race that of the settings that it found.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The content of the file of weights.
    pub fn weights(&self) -> Vec<u8> {
        self.form.content(&self.state)
    }

    /// The value of a disc on each square, by weights of tuples.
    pub fn squares(&self) -> Option<SquareEffects> {
        self.form.squares(&self.state)
    }

    /// The learning curve as CSV: a row for each opponent of each judgement.
    pub(super) fn curve_csv(&self, training: &Training) -> Vec<u8> {
        let mut csv = format!("{}s,against,wins,draws,losses,points,low,high\n", self.unit).into_bytes();
        let names = training.judge.iter().flat_map(|judge| &judge.against).map(|player| &player.name);
        for Judgement { done, against } in &self.curve {
            for (name, tally) in names.clone().zip(against) {
                let points = tally.result_interval(Counts::Points, Confidence::default_level());
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
        // The start is not learned, and was not always judged.
        for Judgement { done, against } in self.curve.iter().filter(|judged| judged.done > 0) {
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

pub(super) fn write_checkpoint(training: &Training, folder: &Path, trained: &Trained) -> io::Result<()> {
    let (mut rows, mut count) = (String::new(), 0);
    for Judgement { done, against } in &trained.curve {
        for (opponent, tally) in against.iter().enumerate() {
            writeln!(rows, "{done},{opponent},{}", tally.fields()).expect("a string takes every text");
            count += 1;
        }
    }
    let errors = numbers(trained);
    let numbers = errors.iter().chain(&trained.state).flat_map(|number| number.to_le_bytes());
    let body: Vec<u8> = rows.into_bytes().into_iter().chain(numbers).collect();
    let mut facts = format!(
        "{CHECKPOINT_MARK} id={:08x} games={} rows={count} numbers={}",
        training.id(),
        trained.done,
        errors.len() + trained.state.len()
    );
    if !errors.is_empty() {
        write!(facts, " errors={}", errors.len()).expect("a string takes every text");
    }
    if let Some(judge) = training.judge_id() {
        write!(facts, " judge={judge:08x}").expect("a string takes every text");
    }
    let [path, before] = CHECKPOINTS.map(|file| folder.join(file));
    match fs::rename(&path, before) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => write_sealed(&path, &facts, &body),
    }
}

pub(super) fn read_checkpoint(
    training: &Training,
    folder: &Path,
    trained: &mut Trained,
) -> Result<(), TrainingError> {
    let [path, before] = CHECKPOINTS.map(|file| folder.join(file));
    // A run may have been killed between the two.
    let path = if path.exists() { path } else { before };
    let read = |facts: &str, body: &[u8]| -> Option<()> {
        let count = |name: &str| field(facts, name).and_then(|text| text.parse::<u64>().ok());
        let (done, rows, numbers) = (count("games")?, count("rows")?, count("numbers")?);
        let mut rest = body;
        let mut curve: Vec<Judgement> = Vec::new();
        for _ in 0..rows {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let (done, opponent, tally) = row(std::str::from_utf8(&rest[..end]).ok()?)?;
            if opponent == 0 {
                curve.push(Judgement { done, against: Vec::new() });
            }
            curve.last_mut()?.against.push(tally);
            rest = &rest[end + 1..];
        }
        let (words, left) = rest.as_chunks::<8>();
        let all: Vec<f64> = words.iter().map(|&word| f64::from_le_bytes(word)).collect();
        let is_whole = left.is_empty() && all.len() as u64 == numbers && all.iter().all(|n| n.is_finite());
        let (of_epochs, state) = all.split_at_checked(count("errors").unwrap_or(0) as usize)?;
        (trained.epochs, trained.kept) = of_numbers(of_epochs)?;
        // Another judge judges again: it is no part of what is learned.
        if field(facts, "judge").map(Into::into) != training.judge_id().map(|judge| format!("{judge:08x}")) {
            curve.clear();
        }
        (trained.done, trained.curve, trained.state) = (done, curve, state.to_vec());
        is_whole.then_some(())
    };
    read_sealed(training, &path, CHECKPOINT_MARK, read).map(|_| ())
}

/// A row: the games or epochs, the number of the opponent, and the result.
fn row(text: &str) -> Option<(u64, u64, Tally)> {
    let mut fields = text.split(',');
    let (done, opponent) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((done, opponent, Tally::read(fields)?))
}

/// The numbers of a set: its samples, and three errors. An empty set has four zeros.
const OF_SET: usize = 4;

/// The numbers of an epoch: which it is, and two sets.
const OF_EPOCH: usize = 1 + 2 * OF_SET;

/// The numbers of what is kept: the epoch, two counts of games, four sets.
const OF_KEPT: usize = 3 + 4 * OF_SET;

fn of_set(errors: Option<Errors>) -> [f64; OF_SET] {
    errors.map_or_else(Default::default, |Errors { samples, loss, squared, absolute }| {
        [samples as f64, loss, squared, absolute]
    })
}

fn set(numbers: &[f64]) -> Option<Errors> {
    let &[samples, loss, squared, absolute] = numbers else { return None };
    (samples > 0.0).then_some(Errors { samples: samples as usize, loss, squared, absolute })
}

/// The errors of all epochs, then of the network that is kept. Whether there is one is seen by the count.
pub(super) fn numbers(trained: &Trained) -> Vec<f64> {
    let epoch = |Epoch { number, train, validate }: &Epoch| {
        [vec![f64::from(*number)], of_set(Some(*train)).into(), of_set(*validate).into()].concat()
    };
    let mut numbers: Vec<f64> = trained.epochs.iter().flat_map(epoch).collect();
    if let Some(KeptErrors { epoch, games, skipped, train, validate, test, mean }) = trained.kept {
        numbers.extend([f64::from(epoch), games as f64, skipped as f64]);
        numbers.extend([Some(train), validate, test, mean].into_iter().flat_map(of_set));
    }
    numbers
}

/// The errors of these numbers; `None` if they are none.
pub(super) fn of_numbers(numbers: &[f64]) -> Option<(Vec<Epoch>, Option<KeptErrors>)> {
    let count = if numbers.len() % OF_EPOCH == OF_KEPT % OF_EPOCH { OF_KEPT } else { 0 };
    let (epochs, kept) = numbers.split_at_checked(numbers.len().checked_sub(count)?)?;
    let epoch = |numbers: &[f64]| {
        let (train, validate) = numbers[1..].split_at(OF_SET);
        Some(Epoch { number: numbers[0] as u32, train: set(train)?, validate: set(validate) })
    };
    let epochs =
        epochs.chunks(OF_EPOCH).map(|numbers| epoch(numbers.get(..OF_EPOCH)?)).collect::<Option<_>>()?;
    let kept = match kept {
        &[epoch, games, skipped, ref sets @ ..] => {
            let mut sets = sets.chunks(OF_SET).map(set);
            Some(KeptErrors {
                epoch: epoch as u32,
                games: games as u64,
                skipped: skipped as u64,
                train: sets.next()??,
                validate: sets.next()?,
                test: sets.next()?,
                mean: sets.next()?,
            })
        }
        _ => None,
    };
    Some((epochs, kept))
}
