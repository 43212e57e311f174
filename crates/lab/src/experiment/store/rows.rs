//! The rows of a log: the columns of a game, written and split; and the canonical log, equal to the byte for two runs of the
//! same manifest.
//!
//! The canonical log is derived from the log: the rows of the plan's trials, by experiment, instance and cell, in their
//! deterministic columns. Its SHA-256 is the digest of the run, which `sha256sum canonical.csv` gives too.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::LogForm;
use crate::experiment::line::{DIGITS, csv_line, fields_of, hex, push_check, push_field, written};
use crate::experiment::plan::Plan;
use crate::experiment::trial::{Record, SeatRecord};
use crate::search::Spent;

/// The columns that are functions of the manifest, in order, as in the canonical log: it calls the margin `score`.
pub(super) const DETERMINISTIC: &str = "experiment,instance,trial,game,first,second,outcome,score,plies,course,\
    first_playouts,first_plies,first_nodes,second_playouts,second_plies,second_nodes,failure";

/// The columns that differ from run to run: how many moves each player made and the wall time of them; the processor
/// time of the trial, in the row of its last game.
const TIMES: &str = "first_moves,second_moves,first_wall_ns,second_wall_ns,trial_cpu_ns";

/// The index of the first column of times, and the number of columns of a row of the log before its check.
pub(super) const TIMES_AT: usize = 17;
pub(super) const COLUMNS: usize = TIMES_AT + 5;

/// The columns of a log before its check, with commas.
pub(super) fn columns() -> String {
    format!("{},{TIMES}", DETERMINISTIC.replace("score", "margin"))
}

pub(super) struct Rows {
    plan: Plan,
    labels: Vec<Labels>,
}

/// Names as they are in rows: in quotes if they must be.
struct Labels {
    /// With the comma after it.
    experiment: Vec<u8>,
    players: Vec<Vec<u8>>,
}

impl Rows {
    pub(super) fn new(plan: &Plan) -> Self {
        let label = |name: &str| csv_line([name]);
        let labels = plan.experiments().map(|experiment| Labels {
            experiment: [label(&experiment.name), b",".into()].concat(),
            players: experiment.players.iter().map(|player| label(&player.name)).collect(),
        });
        Self { plan: plan.clone(), labels: labels.collect() }
    }

    /// How the rows of an experiment begin.
    pub(super) fn label(&self, experiment: usize) -> &[u8] {
        &self.labels[experiment].experiment
    }

    /// Adds the rows of a trial in a log of this form. Plain ones have their checks.
    pub(super) fn push_log(&self, record: &Record, form: LogForm, out: &mut Vec<u8>) {
        let id = self.plan.id(&record.trial).digits();
        for (index, game) in record.games.iter().enumerate() {
            let start = out.len();
            self.push_deterministic(record, &id, index, out);
            for field in [|seat: &SeatRecord| u64::from(seat.moves), |seat: &SeatRecord| seat.wall_ns] {
                for seat in 0..2 {
                    out.push(b',');
                    if let Some(seat) = game.seats.get(seat) {
                        push_number(out, field(seat));
                    }
                }
            }
            out.push(b',');
            if index + 1 == record.games.len() {
                push_number(out, record.cpu_ns);
            }
            match form {
                LogForm::Csv => push_check(out, start),
                LogForm::Gzip => out.push(b'\n'),
            }
        }
    }

    /// Adds the rows of a trial in the canonical log, if it is part of that.
    pub(super) fn push_canonical(&self, record: &Record, out: &mut Vec<u8>) {
        if self.plan.has_engine(&record.trial) {
            return;
        }
        let id = self.plan.id(&record.trial).digits();
        for index in 0..record.games.len() {
            self.push_deterministic(record, &id, index, out);
            out.push(b'\n');
        }
    }

    fn push_deterministic(&self, record: &Record, id: &[u8], index: usize, out: &mut Vec<u8>) {
        let (game, labels) = (&record.games[index], &self.labels[record.trial.experiment]);
        out.extend(&labels.experiment);
        push_number(out, record.trial.instance);
        out.push(b',');
        out.extend(id);
        out.push(b',');
        push_number(out, index as u64 + 1);
        for seat in 0..2 {
            out.push(b',');
            if let Some(seat) = game.seats.get(seat) {
                out.extend(&labels.players[seat.player]);
            }
        }
        out.push(b',');
        match &game.result {
            Ok((outcome, score)) => {
                out.extend(outcome.to_str().bytes());
                out.push(b',');
                out.extend(itoa::Buffer::new().format(*score).bytes());
            }
            Err(_) => out.push(b','),
        }
        out.push(b',');
        push_number(out, u64::from(game.plies));
        out.push(b',');
        out.extend(written::<16>(game.game_hash, DIGITS));
        for seat in 0..2 {
            for field in
                [|spent: &Spent| spent.playouts, |spent: &Spent| spent.plies, |spent: &Spent| spent.nodes]
            {
                out.push(b',');
                if let Some(seat) = game.seats.get(seat) {
                    push_number(out, field(&seat.spent));
                }
            }
        }
        out.push(b',');
        if let Some(failure) = game.failure() {
            push_field(out, failure);
        }
    }
}

/// The values of sweeps, as columns behind those of a log: a value of the experiment or of a player under the name of its axis, and in
/// games for two a player's with `first_` or `second_` before it.
pub(super) struct Swept {
    plan: Plan,
    /// The name, the seat and the axis of each column.
    columns: Vec<(String, usize, String)>,
}

impl Swept {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut found: Vec<(String, usize, String)> = Vec::new();
        let others = columns();
        let mut add = |before: &str, seat: usize, axis: &String| {
            let name = format!("{before}{axis}");
            let is_taken = others.split(',').any(|other| other == name);
            let name = if is_taken { format!("swept_{name}") } else { name };
            if found.iter().all(|(known, ..)| *known != name) {
                found.push((name, seat, axis.clone()));
            }
        };
        for experiment in plan.experiments() {
            experiment.swept.iter().for_each(|(axis, _)| add("", 0, axis));
            let seats: &[&str] =
                if experiment.game.facts().players == 1 { &[""] } else { &["first_", "second_"] };
            for (axis, _) in experiment.players.iter().flat_map(|player| &player.swept) {
                seats.iter().enumerate().for_each(|(seat, before)| add(before, seat, axis));
            }
        }
        Self { plan: plan.clone(), columns: found }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, ..)| name.as_str())
    }

    /// Adds the rows of a trial, which have no checks, with its values, and with checks in a plain log.
    pub(super) fn push(&self, record: &Record, rows: &[u8], form: LogForm, out: &mut Vec<u8>) {
        let experiment = self.plan.experiment(record.trial.experiment);
        for (game, row) in record.games.iter().zip(rows.split_inclusive(|byte| *byte == b'\n')) {
            let start = out.len();
            out.extend(&row[..row.len() - 1]);
            for (_, seat, axis) in &self.columns {
                let player = game.seats.get(*seat).map(|seat| &experiment.players[seat.player].swept);
                let values = || experiment.swept.iter().chain(player.into_iter().flatten());
                let value = values().find(|(other, _)| other == axis);
                out.push(b',');
                push_field(out, value.map_or("", |(_, value)| value));
            }
            match form {
                LogForm::Csv => push_check(out, start),
                LogForm::Gzip => out.push(b'\n'),
            }
        }
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend(itoa::Buffer::new().format(number).bytes());
}

/// Passes the fields of a row to `read`, if it has as many columns as a row of the log.
pub(super) fn with_fields<T>(row: &[u8], read: impl FnOnce(&[&[u8]; COLUMNS]) -> Option<T>) -> Option<T> {
    if !row.contains(&b'"') {
        let mut fields: [&[u8]; COLUMNS] = [&[]; COLUMNS];
        let mut parts = row.split(|&byte| byte == b',');
        for field in &mut fields {
            *field = parts.next()?;
        }
        return read(&fields);
    }
    let record = fields_of(row)?;
    let fields: Vec<&[u8]> = record.iter().take(COLUMNS).collect();
    read(fields.as_array()?)
}

/// The number of trials of a block, which has a digest of its own.
const BLOCK: u64 = 1000;

/// The digest of a block. As bytes: texts would be many small allocations between large ones.
type Block = [u8; 32];

/// Writes a canonical log, trial by trial, and keeps its digests.
pub struct CanonicalWriter<W> {
    out: W,
    whole: Sha256,
    block: Sha256,
    blocks: Vec<Block>,
    trials: u64,
}

impl<W: Write> CanonicalWriter<W> {
    /// Begins a canonical log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W) -> io::Result<Self> {
        Self::after(Sha256::new(), out)
    }

    /// Begins the canonical log of a plan. Its digest covers the logs of the manifest's optimisations before it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of(plan: &Plan, out: W) -> io::Result<Self> {
        Self::after(plan.manifest().preceding.clone(), out)
    }

    fn after(whole: Sha256, out: W) -> io::Result<Self> {
        let block = Sha256::new();
        let mut writer = Self { out, whole, block, blocks: Vec::new(), trials: 0 };
        let header = format!("{DETERMINISTIC}\n");
        writer.whole.update(&header);
        writer.out.write_all(header.as_bytes())?;
        Ok(writer)
    }

    /// Adds the rows of some trials, the next in canonical order; `ends` are the ends of each trial's rows.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, rows: &[u8], ends: &[usize]) -> io::Result<()> {
        let Some(&last) = ends.last() else { return Ok(()) };
        self.whole.update(&rows[..last]);
        self.out.write_all(&rows[..last])?;
        let mut begin = 0;
        let mut ends = ends;
        while !ends.is_empty() {
            let of_block = ends.len().min((BLOCK - self.trials % BLOCK) as usize);
            let end = ends[of_block - 1];
            self.block.update(&rows[begin..end]);
            self.trials += of_block as u64;
            if self.trials.is_multiple_of(BLOCK) {
                self.blocks.push(self.block.finalize_reset().into());
            }
            (begin, ends) = (end, &ends[of_block..]);
        }
        Ok(())
    }

    /// Finishes the log. Returns the digests and the writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<(Digests, W)> {
        self.out.flush()?;
        if !self.trials.is_multiple_of(BLOCK) {
            self.blocks.push(self.block.finalize().into());
        }
        Ok((
            Digests { whole: hex(&self.whole.finalize()), blocks: self.blocks, trials: self.trials },
            self.out,
        ))
    }
}

/// The canonical log of these records, which must be in canonical order, as a text, and its digests.
pub fn canonical_log(plan: &Plan, records: &[Record]) -> (Vec<u8>, Digests) {
    let (rows, mut text) = (Rows::new(plan), Vec::new());
    let written = CanonicalWriter::of(plan, Vec::new()).and_then(|mut writer| {
        for record in records {
            text.clear();
            rows.push_canonical(record, &mut text);
            writer.push(&text, &[text.len()])?;
        }
        writer.finish()
    });
    let (digests, text) = written.expect("memory can be written to");
    (text, digests)
}

/// The digests of a canonical log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    whole: String,
    blocks: Vec<Block>,
    trials: u64,
}

/// The result of comparing a run with its reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every byte is the same.
    Reproduces,
    /// Something differs, first in this range of trials in canonical order.
    Differs {
        /// The first trial of the block, counted from 1.
        from: u64,
        /// The last trial of the block.
        to: u64,
    },
    /// No reference.
    NoReference,
}

impl Comparison {
    /// The last words of a run.
    pub fn words(&self) -> String {
        match self {
            Self::Reproduces => "reproduces the reference".into(),
            Self::Differs { from, to } => format!("differs from the reference (first in trials {from}–{to})"),
            Self::NoReference => "has no reference yet".into(),
        }
    }
}

impl Digests {
    /// The digest: the SHA-256 of the canonical log, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.whole
    }

    /// The digests as a file: the whole, then each block of 1000 trials.
    pub fn to_csv(&self) -> String {
        let mut text = format!("trials,sha256\nall,{}\n", self.whole);
        for (index, block) in (0..).zip(&self.blocks) {
            let (from, to) = self.block(index);
            let _ = writeln!(text, "{from}-{to},{}", hex(block));
        }
        text
    }

    pub(crate) fn committed(folder: &Path) -> Option<String> {
        rows_of(folder)?.into_iter().find(|(trials, _)| trials == "all").map(|(_, digest)| digest)
    }

    /// Compares with the reference in a folder, by its `digests.csv`.
    pub fn compare(&self, reference: &Path) -> Comparison {
        let Some(rows) = rows_of(reference) else { return Comparison::NoReference };
        let mut digests = rows.iter().map(|(trials, digest)| (trials.as_str(), digest.as_str()));
        if digests.next() == Some(("all", self.whole.as_str())) {
            return Comparison::Reproduces;
        }
        let theirs: Vec<&str> = digests.map(|(_, digest)| digest).collect();
        let same =
            self.blocks.iter().zip(&theirs).take_while(|(ours, theirs)| hex(*ours) == **theirs).count();
        let (from, to) = self.block(same as u64);
        Comparison::Differs { from, to }
    }

    /// The first and the last trial of a block, counted from 1.
    fn block(&self, index: u64) -> (u64, u64) {
        (index * BLOCK + 1, ((index + 1) * BLOCK).min(self.trials).max(index * BLOCK + 1))
    }
}

fn rows_of(folder: &Path) -> Option<Vec<(String, String)>> {
    let text = std::fs::read_to_string(folder.join("digests.csv")).ok()?;
    let rows = text.lines().skip(1).filter_map(|line| line.split_once(','));
    Some(rows.map(|(trials, digest)| (trials.into(), digest.into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::line::{checked, checked_row};

    fn fields_of(row: &[u8]) -> Option<Vec<String>> {
        with_fields(row, |fields| {
            Some(fields.iter().map(|field| String::from_utf8(field.to_vec()).unwrap()).collect())
        })
    }

    #[test]
    fn fields_come_back_whatever_they_hold() {
        let mut fields = vec!["plain", "", "with, comma", "with \"quotes\"", "ünï 思考", "\"", ","];
        fields.resize(COLUMNS, "7");
        let line = csv_line(&fields);
        assert_eq!(fields_of(&line).unwrap(), fields);
        let plain = vec!["0"; COLUMNS];
        assert_eq!(fields_of(&csv_line(&plain)).unwrap(), plain);
        let row = checked_row(fields);
        assert_eq!(checked(&row[..row.len() - 1]).unwrap(), line);
    }

    #[test]
    fn a_row_has_all_columns() {
        assert_eq!(DETERMINISTIC.split(',').count(), TIMES_AT);
        assert_eq!(columns().split(',').count(), COLUMNS);
        // Behind them are values of sweeps.
        assert_eq!(fields_of(&csv_line(vec!["1"; COLUMNS + 1])).unwrap().len(), COLUMNS);
        for count in [0, 1, COLUMNS - 1] {
            assert_eq!(fields_of(&csv_line(vec!["1"; count])), None);
            assert_eq!(fields_of(&csv_line(vec!["a \" b"; count])), None);
        }
    }

    #[test]
    fn a_line_is_a_line() {
        let mut fields = vec!["two\nlines", "and\ta tab"];
        fields.resize(COLUMNS, "");
        assert_eq!(fields_of(&csv_line(fields)).unwrap()[..2], ["two lines", "and a tab"]);
    }
}
