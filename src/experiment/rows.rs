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
