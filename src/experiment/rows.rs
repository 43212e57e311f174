//! The rows of a log as text: the columns of a game, lines of CSV, and their checks.
//!
//! Written by hand into one buffer, because a writer of the csv library for each line costs ten times the line.

use sha2::{Digest, Sha256};

use super::{Plan, Record, SeatRecord};
use crate::search::Spent;

/// The columns that are functions of the manifest, in order.
pub(super) const DETERMINISTIC: [&str; 17] = [
    "experiment",
    "instance",
    "trial",
    "game",
    "first",
    "second",
    "outcome",
    "score",
    "plies",
    "course",
    "first_playouts",
    "first_plies",
    "first_nodes",
    "second_playouts",
    "second_plies",
    "second_nodes",
    "failure",
];

/// The columns that differ from run to run: how many moves each player made and the wall time of them; the processor
/// time of the trial, in the row of its last game.
pub(super) const TIMES: [&str; 5] =
    ["first_moves", "second_moves", "first_wall_ns", "second_wall_ns", "trial_cpu_ns"];

/// How many columns a row of the log has before its check.
pub(super) const COLUMNS: usize = DETERMINISTIC.len() + TIMES.len();

/// How many bytes the check of a row has, with the comma before it.
pub(super) const CHECK: usize = 9;

/// Names as they stand in rows: quoted where they must be.
pub(super) struct Labels {
    /// The name of the experiment.
    pub(super) experiment: Vec<u8>,
    /// The names of its players.
    pub(super) players: Vec<Vec<u8>>,
}

impl Labels {
    pub(super) fn new(experiment: &super::Experiment) -> Self {
        let label = |name: &str| csv_line([name]);
        Self {
            experiment: label(&experiment.name),
            players: experiment.players.iter().map(|player| label(&player.name)).collect(),
        }
    }
}

/// Adds the rows of a trial as they stand in the log, each with its check.
pub(super) fn push_log_rows(plan: &Plan<'_>, record: &Record, out: &mut Vec<u8>) {
    let id = plan.id(&record.trial).digits();
    for (index, game) in record.games.iter().enumerate() {
        let start = out.len();
        push_deterministic(plan, record, &id, index, out);
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
        push_check(out, start);
    }
}

/// Adds the rows of a trial as they stand in the canonical log.
pub(super) fn push_canonical_rows(plan: &Plan<'_>, record: &Record, out: &mut Vec<u8>) {
    let id = plan.id(&record.trial).digits();
    for index in 0..record.games.len() {
        push_deterministic(plan, record, &id, index, out);
        out.push(b'\n');
    }
}

/// Adds the columns of a game up to and including its players: of the trial with this instance and name the game with
/// this number.
pub(super) fn push_names(
    labels: &Labels,
    trial: (u64, &[u8]),
    number: usize,
    mut players: impl Iterator<Item = usize>,
    out: &mut Vec<u8>,
) {
    let (instance, id) = trial;
    out.extend(&labels.experiment);
    out.push(b',');
    push_number(out, instance);
    out.push(b',');
    out.extend(id);
    out.push(b',');
    push_number(out, number as u64);
    for _ in 0..2 {
        out.push(b',');
        if let Some(player) = players.next() {
            out.extend(&labels.players[player]);
        }
    }
    out.push(b',');
}

/// Adds the deterministic columns of a game.
fn push_deterministic(plan: &Plan<'_>, record: &Record, id: &[u8], index: usize, out: &mut Vec<u8>) {
    let game = &record.games[index];
    let labels = &plan.labels[record.trial.experiment];
    let players = game.seats.iter().map(|seat| seat.player);
    push_names(labels, (record.trial.instance, id), index + 1, players, out);
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
    push_hex(out, game.course);
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
    if let Err(failure) = &game.result {
        push_field(out, failure);
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend(itoa::Buffer::new().format(number).bytes());
}

fn push_hex(out: &mut Vec<u8>, number: u64) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend((0..16).map(|place| DIGITS[(number >> (60 - 4 * place)) as usize & 15]));
}

/// Adds a field, in quotes where it must be. Control characters become spaces: a line is a line.
fn push_field(out: &mut Vec<u8>, field: &str) {
    if field.contains(|c: char| c == ',' || c == '"' || c.is_control()) {
        out.push(b'"');
        out.extend(one_line(field).replace('"', "\"\"").bytes());
        out.push(b'"');
    } else {
        out.extend(field.bytes());
    }
}

/// Fields as a line of CSV without its end.
pub(super) fn csv_line<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut line = Vec::new();
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        push_field(&mut line, field.as_ref());
    }
    line
}

/// Passes the fields of a row to `read`, if it has as many columns as a row of the log.
pub(super) fn with_fields<T>(row: &[u8], read: impl FnOnce(&[&[u8]; COLUMNS]) -> Option<T>) -> Option<T> {
    if !row.contains(&b'"') {
        return read(&split(row)?.0);
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
    let record = reader.byte_records().next()?.ok()?;
    let fields: Vec<&[u8]> = record.iter().collect();
    read(fields.as_array()?)
}

/// The fields of a row without quotes, and the part of it that is deterministic, if it has as many columns as a row of
/// the log.
pub(super) fn split(row: &[u8]) -> Option<([&[u8]; COLUMNS], &[u8])> {
    let mut fields: [&[u8]; COLUMNS] = [&[]; COLUMNS];
    let (mut count, mut begin, mut deterministic) = (0, 0, 0);
    for (at, &byte) in row.iter().enumerate() {
        match byte {
            b',' => {
                *fields.get_mut(count)? = &row[begin..at];
                (count, begin) = (count + 1, at + 1);
                if count == DETERMINISTIC.len() {
                    deterministic = at;
                }
            }
            b'"' => return None,
            _ => {}
        }
    }
    *fields.get_mut(count)? = &row[begin..];
    (count + 1 == COLUMNS).then_some((fields, &row[..deterministic]))
}

/// A text without control characters, which could break a line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes).as_slice())
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// A row with its check.
pub(super) fn checked_row<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut row = csv_line(fields);
    push_check(&mut row, 0);
    row
}

/// Ends the row that begins at `start` with its check.
fn push_check(out: &mut Vec<u8>, start: usize) {
    let check = check_of(&out[start..]);
    out.push(b',');
    out.extend(check);
    out.push(b'\n');
}

/// The CRC-32 of a row, in eight hexadecimal digits.
fn check_of(row: &[u8]) -> [u8; 8] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let crc = crc32fast::hash(row);
    std::array::from_fn(|place| DIGITS[(crc >> (28 - 4 * place)) as usize & 15])
}

/// The row without its check, where the check agrees.
pub(super) fn checked(line: &[u8]) -> Option<&[u8]> {
    let (row, check) = line.split_at_checked(line.len().checked_sub(CHECK)?)?;
    (check[0] == b',' && check[1..] == check_of(row)).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for count in [0, 1, COLUMNS - 1, COLUMNS + 1] {
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

    /// Every single changed byte is noticed, and a short line is no row.
    #[test]
    fn damage_is_noticed() {
        let row = checked_row(["tic-tac-toe", "17", "0123456789abcdef"]);
        let line = &row[..row.len() - 1];
        assert!(checked(line).is_some());
        for place in 0..line.len() {
            let mut damaged = line.to_vec();
            damaged[place] ^= 1;
            assert_eq!(checked(&damaged), None);
        }
        assert_eq!((checked(b""), checked(b",")), (None, None));
    }

    #[test]
    fn the_digest_is_that_of_other_programs() {
        // printf abc | sha256sum
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        // printf 123456789 | crc32
        assert_eq!(check_of(b"123456789"), *b"cbf43926");
    }
}
