//! The file that a training goes on from: a line of text, a row for each judgement, and the numbers of the learner.
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
use std::fs;
use std::io;
use std::path::Path;

use super::run::TrainingError;
use super::sealed::field;
use super::trained::{Judgement, Trained};
use super::{errors, sealed};
use crate::experiment::manifest::training::Training;
use crate::experiment::store::results::CHECKPOINTS;
use crate::experiment::trial::tally::Tally;

/// The first word of the file, with the version of its format.
pub(super) const MARK: &str = "# shikou-training=1";

/// Writes the checkpoint: whole, or not at all.
pub(super) fn write(training: &Training, folder: &Path, trained: &Trained) -> io::Result<()> {
    let (mut rows, mut count) = (String::new(), 0);
    for Judgement { done, against } in &trained.curve {
        for (opponent, tally) in against.iter().enumerate() {
            writeln!(rows, "{done},{opponent},{}", tally.fields()).expect("a string takes every text");
            count += 1;
        }
    }
    let errors = errors::numbers(trained);
    let numbers = errors.iter().chain(&trained.state).flat_map(|number| number.to_le_bytes());
    let body: Vec<u8> = rows.into_bytes().into_iter().chain(numbers).collect();
    let mut facts = format!(
        "{MARK} id={:08x} games={} rows={count} numbers={}",
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
        _ => sealed::write(&path, &facts, &body),
    }
}

/// Reads the checkpoint, if there is one.
pub(super) fn read(training: &Training, folder: &Path, trained: &mut Trained) -> Result<(), TrainingError> {
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
        (trained.epochs, trained.kept) = errors::of_numbers(of_epochs)?;
        // Another judge judges again: it is no part of what is learned.
        if field(facts, "judge").map(Into::into) != training.judge_id().map(|judge| format!("{judge:08x}")) {
            curve.clear();
        }
        (trained.done, trained.curve, trained.state) = (done, curve, state.to_vec());
        is_whole.then_some(())
    };
    sealed::read(training, &path, MARK, read).map(|_| ())
}

/// A row: the games or epochs, the number of the opponent, and the result.
fn row(text: &str) -> Option<(u64, u64, Tally)> {
    let mut fields = text.split(',');
    let (done, opponent) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((done, opponent, Tally::read(fields)?))
}
