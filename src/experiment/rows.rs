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

/// Fields as a line of CSV without its end.
pub(super) fn csv_line<S: AsRef<[u8]>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(fields).expect("writing to memory cannot fail");
    let mut line = writer.into_inner().expect("writing to memory cannot fail");
    line.pop();
    line
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A row with its check.
pub(super) fn checked_row<S: AsRef<[u8]>>(fields: impl IntoIterator<Item = S>) -> Vec<u8> {
    let mut row = csv_line(fields);
    let check = check_of(&row);
    row.extend(format!(",{check}\n").into_bytes());
    row
}

fn check_of(row: &[u8]) -> String {
    sha256_hex(row)[..8].into()
}

/// The row without its check, where the check agrees.
pub(super) fn checked(line: &[u8]) -> Option<&[u8]> {
    let comma = line.iter().rposition(|&byte| byte == b',')?;
    let (row, check) = (&line[..comma], &line[comma + 1..]);
    (check == check_of(row).as_bytes()).then_some(row)
}
