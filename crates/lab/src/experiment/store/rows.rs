//! The rows of a log: the columns of a game, written and split.

use super::line::{csv_line, push_check, push_field};
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::trial::record::{Record, SeatRecord};
use crate::search::Spent;

/// The columns that are functions of the manifest, in order.
pub(crate) const DETERMINISTIC: [&str; 17] = [
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
pub(crate) const TIMES: [&str; 5] =
    ["first_moves", "second_moves", "first_wall_ns", "second_wall_ns", "trial_cpu_ns"];

/// The columns of a log before its check. The canonical log calls the margin `score`.
pub(super) fn columns() -> impl Iterator<Item = &'static str> {
    DETERMINISTIC.into_iter().map(|name| if name == "score" { "margin" } else { name }).chain(TIMES)
}

/// The first line of a log: the columns.
pub(crate) fn header() -> Vec<u8> {
    [csv_line(columns().chain(["check"])), b"\n".into()].concat()
}

/// How many columns a row of the log has before its check.
pub(crate) const COLUMNS: usize = DETERMINISTIC.len() + TIMES.len();

/// Writes the rows of a plan's trials.
pub(super) struct Rows {
    plan: Plan,
    labels: Vec<Labels>,
}

/// Names as they are in rows: in quotes if they must be.
struct Labels {
    experiment: Vec<u8>,
    players: Vec<Vec<u8>>,
}

impl Rows {
    pub(super) fn new(plan: &Plan) -> Self {
        let label = |name: &str| csv_line([name]);
        let labels = plan.experiments().map(|experiment| Labels {
            experiment: label(&experiment.name),
            players: experiment.players.iter().map(|player| label(&player.name)).collect(),
        });
        Self { plan: plan.clone(), labels: labels.collect() }
    }

    /// Adds the rows of a trial in the log, each with its check.
    pub(super) fn push_log(&self, record: &Record, out: &mut Vec<u8>) {
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
            push_check(out, start);
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

    /// Adds the columns up to and including the players: of game `number` of the trial with this name. `players` are its
    /// players in seat order.
    pub(super) fn push_names(
        &self,
        trial: &Trial,
        id: &[u8],
        number: usize,
        mut players: impl Iterator<Item = usize>,
        out: &mut Vec<u8>,
    ) {
        let labels = &self.labels[trial.experiment];
        out.extend(&labels.experiment);
        out.push(b',');
        push_number(out, trial.instance);
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
    fn push_deterministic(&self, record: &Record, id: &[u8], index: usize, out: &mut Vec<u8>) {
        let game = &record.games[index];
        let players = game.seats.iter().map(|seat| seat.player);
        self.push_names(&record.trial, id, index + 1, players, out);
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
        push_hex(out, game.game_hash);
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

fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend(itoa::Buffer::new().format(number).bytes());
}

fn push_hex(out: &mut Vec<u8>, number: u64) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend((0..16).map(|place| DIGITS[(number >> (60 - 4 * place)) as usize & 15]));
}

/// Passes the fields of a row to `read`, if it has as many columns as a row of the log.
pub(crate) fn with_fields<T>(row: &[u8], read: impl FnOnce(&[&[u8]; COLUMNS]) -> Option<T>) -> Option<T> {
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
pub(crate) fn split(row: &[u8]) -> Option<([&[u8]; COLUMNS], &[u8])> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::store::line::{checked, checked_row};

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
}
