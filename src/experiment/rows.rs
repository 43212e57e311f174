//! The rows of a log as text: the deterministic columns of a game, lines of CSV, and their digests.

use sha2::{Digest, Sha256};

use super::{Plan, Record};
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

/// The columns that differ from run to run: wall time of each player's moves, processor time of the game, and how
/// many moves the times are of.
pub(super) const TIMES: [&str; 5] =
    ["first_moves", "second_moves", "first_wall_ns", "second_wall_ns", "game_cpu_ns"];

/// The deterministic fields of a game.
pub(super) fn deterministic_fields(plan: &Plan<'_>, record: &Record, index: usize) -> [String; 17] {
    let experiment = &plan.manifest.experiments[record.trial.experiment];
    let game = &record.games[index];
    let name = |seat: usize| {
        game.seats.get(seat).map_or_else(String::new, |seat| experiment.players[seat.player].name.clone())
    };
    let spent = |seat: usize, field: fn(&Spent) -> u64| {
        game.seats.get(seat).map_or_else(String::new, |seat| field(&seat.spent).to_string())
    };
    let (outcome, score, failure) = match &game.result {
        Ok((outcome, score)) => (outcome.to_string(), score.to_string(), String::new()),
        Err(failure) => (String::new(), String::new(), failure.clone()),
    };
    [
        experiment.name.clone(),
        record.trial.instance.to_string(),
        plan.id(&record.trial).to_string(),
        (index + 1).to_string(),
        name(0),
        name(1),
        outcome,
        score,
        game.plies.to_string(),
        format!("{:016x}", game.course),
        spent(0, |spent| spent.playouts),
        spent(0, |spent| spent.plies),
        spent(0, |spent| spent.nodes),
        spent(1, |spent| spent.playouts),
        spent(1, |spent| spent.plies),
        spent(1, |spent| spent.nodes),
        failure,
    ]
}

/// Fields as a line of CSV without its end. Control characters become spaces: a line is a line.
///
/// By hand, because a writer of the csv library for each line costs ten times the line.
pub(super) fn csv_line<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut line = String::new();
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        let field = field.as_ref();
        if field.contains(|c: char| c == ',' || c == '"' || c.is_control()) {
            line.push('"');
            line.push_str(&one_line(field).replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(field);
        }
    }
    line.into_bytes()
}

/// The fields of a line of CSV.
pub(super) fn csv_fields(line: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(line).ok()?;
    if !text.contains('"') {
        return Some(text.split(',').map(Into::into).collect());
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(Into::into).collect())
}

/// A text without control characters, which could break a line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// A row with its check.
pub(super) fn checked_row<S: AsRef<str>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut row = csv_line(fields);
    let check = check_of(&row);
    row.push(b',');
    row.extend(check);
    row.push(b'\n');
    row
}

/// The first eight hexadecimal digits of the SHA-256 of a row.
fn check_of(row: &[u8]) -> Vec<u8> {
    let mut hex = sha256_hex(row).into_bytes();
    hex.truncate(8);
    hex
}

/// The row without its check, where the check agrees.
pub(super) fn checked(line: &[u8]) -> Option<&[u8]> {
    let comma = line.iter().rposition(|&byte| byte == b',')?;
    let (row, check) = (&line[..comma], &line[comma + 1..]);
    (check == check_of(row)).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_whatever_they_hold() {
        let fields = ["plain", "", "with, comma", "with \"quotes\"", "ünï 思考", "\"", ","];
        let line = csv_line(fields);
        assert_eq!(csv_fields(&line).unwrap(), fields);
        let row = checked_row(fields);
        assert_eq!(checked(&row[..row.len() - 1]).unwrap(), line);
    }

    #[test]
    fn a_line_is_a_line() {
        let line = csv_line(["two\nlines", "and\ta tab"]);
        assert_eq!(csv_fields(&line).unwrap(), ["two lines", "and a tab"]);
    }

    #[test]
    fn the_digest_is_that_of_other_programs() {
        // printf abc | sha256sum
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
