//! The trials of the rows of a log, and the stretches of the file that hold them.
//!
//! A bit a trial where a page of them is incomplete, and for each stretch the range of its trials: so memory hardly grows
//! with the log. What exactly a stretch holds, its rows say.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use arrayvec::ArrayVec;

use super::{COLUMNS, TIMES_AT, with_fields};
use crate::experiment::plan::{Plan, Trial, TrialId};
use crate::experiment::trial::{GameRecord, Record, SeatRecord};
use crate::game::Outcome;
use crate::manifest::{Experiment, Openings};
use crate::search::Spent;

/// The cells of a plan by the names in their rows: of the experiment and of the players in seat order.
pub(super) struct Finder<'p> {
    plan: &'p Plan,
    by_names: BTreeMap<Vec<u8>, (usize, usize)>,
    /// The trials at listed positions and in listed games, whose instances change with the list.
    listed: OnceLock<BTreeMap<TrialId, Trial>>,
}

impl<'p> Finder<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let mut by_names = BTreeMap::new();
        for (index, experiment) in plan.experiments().enumerate() {
            for (number, cell) in plan.cells(index).iter().enumerate() {
                let name = |seat: usize| {
                    cell.players.get(seat).map_or("", |&player| &*experiment.players[player].name)
                };
                let key = [&*experiment.name, name(0), name(1)].join("\n");
                by_names.insert(key.into_bytes(), (index, number));
            }
        }
        Self { plan, by_names, listed: OnceLock::new() }
    }

    fn listed(&self, id: TrialId) -> Option<Trial> {
        let is_listed =
            |of: &Experiment| matches!(of.openings, Openings::Positions { .. } | Openings::Games(_));
        let all = self.listed.get_or_init(|| {
            let trials = self.plan.experiments().any(is_listed).then(|| self.plan.canonical());
            let listed = |trial: &Trial| is_listed(self.plan.experiment(trial.experiment));
            let listed = trials.into_iter().flatten().filter(listed);
            listed.map(|trial| (self.plan.id(&trial), trial)).collect()
        });
        all.get(&id).copied()
    }

    /// The trial of this instance with this name, if it is of the plan. The names in its row suggest one: of the experiment, and
    /// of the first and second player. They may have changed since.
    fn find(&self, names: [&[u8]; 3], instance: u64, id: TrialId) -> Option<Trial> {
        let guess = self.by_names.get(&names.join(&b'\n'));
        let guess = guess.map(|&(experiment, cell)| Trial { experiment, instance, cell });
        let guess = guess.filter(|trial| instance < self.plan.experiment(trial.experiment).trials);
        let guess = guess.filter(|trial| self.plan.id(trial) == id);
        guess.or_else(|| self.plan.trial_named(id, instance)).or_else(|| self.listed(id))
    }
}

/// Puts rows together to trials.
pub(super) struct Index<'p> {
    finder: &'p Finder<'p>,
    current: Option<Current>,
    /// The rows so far that are of no trial of the plan.
    pub(super) others: u64,
}

/// A trial of which some rows were read.
struct Current {
    id: TrialId,
    /// A hash of the experiment's name.
    label: u32,
    place: u64,
    /// The number of its games so far. Without its first game it is never complete.
    games: usize,
    /// None if it is not of the plan.
    record: Option<Record>,
}

impl<'p> Index<'p> {
    pub(super) fn new(finder: &'p Finder<'p>) -> Self {
        Self { finder, current: None, others: 0 }
    }

    /// Takes the row at this place. Returns the trial that is complete by it, if one is, and its place, or why the row is damaged.
    pub(super) fn row(&mut self, row: &[u8], place: u64) -> Result<Option<(Record, u64)>, &'static str> {
        let read = with_fields(row, |fields| Some(self.fields(fields, place)));
        read.ok_or("it has other columns than the first line")?
    }

    fn fields(
        &mut self,
        fields: &[&[u8]; COLUMNS],
        place: u64,
    ) -> Result<Option<(Record, u64)>, &'static str> {
        let id = TrialId::from_digits(fields[2]).ok_or("it names no trial")?;
        let unreadable = "a field cannot be read";
        let number_of_game = number(fields[3]).ok_or(unreadable)? as usize;
        let label = crc32fast::hash(fields[0]);
        let goes_on =
            |current: &Current| (current.id, current.label, current.games + 1) == (id, label, number_of_game);
        let mut current = if let Some(current) = self.current.take().filter(goes_on) {
            Current { games: number_of_game, ..current }
        } else {
            let instance = number(fields[1]).ok_or(unreadable)?;
            let trial = self.finder.find([fields[0], fields[4], fields[5]], instance, id);
            let record = trial.map(|trial| Record { trial, games: ArrayVec::new(), cpu_ns: 0 });
            let games = if number_of_game == 1 { 1 } else { usize::MAX - 1 };
            Current { id, label, place, games, record }
        };
        let Some(record) = &mut current.record else {
            self.current = Some(current);
            self.others += 1;
            return Ok(None);
        };
        let seatings = self.finder.plan.cells(record.trial.experiment)[record.trial.cell].seatings();
        let seating = seatings.get(number_of_game.wrapping_sub(1));
        // A row with a right check that is no game of its trial is not damaged. Its trial is played again.
        let Some(game) = seating.and_then(|seating| game_record(seating, fields)) else {
            self.others += 1;
            return Ok(None);
        };
        record.games.push(game);
        record.cpu_ns += number(fields[TIMES_AT + 4]).unwrap_or(0);
        if current.games == seatings.len() {
            return Ok(current.record.map(|record| (record, current.place)));
        }
        self.current = Some(current);
        Ok(None)
    }
}

/// Whether a row is that of a game, of whatever trial.
pub(super) fn is_game(row: &[u8]) -> bool {
    let game = with_fields(row, |fields| {
        let seating: &[usize] = if fields[5].is_empty() { &[0] } else { &[0, 1] };
        TrialId::from_digits(fields[2])?;
        number(fields[1])?;
        number(fields[3])?;
        game_record(seating, fields)
    });
    game.is_some()
}

/// The game of a row with these players. `None` if it is that of others.
fn game_record(seating: &[usize], fields: &[&[u8]; COLUMNS]) -> Option<GameRecord> {
    let is_empty = |seat: usize| fields[10 + 3 * seat..13 + 3 * seat].iter().all(|field| field.is_empty());
    if !(seating.len()..2).all(is_empty) {
        return None;
    }
    let text = |field: &[u8]| std::str::from_utf8(field).ok().map(ToString::to_string);
    let result = match fields[6] {
        b"" => Err(text(fields[16])?),
        outcome => {
            let outcome = Outcome::from_bytes(outcome)?;
            Ok((outcome, std::str::from_utf8(fields[7]).ok()?.parse().ok()?))
        }
    };
    let seat = |(seat, &player): (usize, &usize)| {
        let spent = Spent {
            playouts: number(fields[10 + 3 * seat])?,
            plies: number(fields[11 + 3 * seat])?,
            nodes: number(fields[12 + 3 * seat])?,
        };
        let moves = number(fields[TIMES_AT + seat])? as u32;
        Some(SeatRecord { player, moves, spent, wall_ns: number(fields[TIMES_AT + 2 + seat])? })
    };
    let forfeit = if result.is_ok() && !fields[16].is_empty() { Some(text(fields[16])?) } else { None };
    Some(GameRecord {
        result,
        forfeit,
        plies: number(fields[8])? as u32,
        game_hash: hexadecimal(fields[9])?,
        seats: seating.iter().enumerate().map(seat).collect::<Option<_>>()?,
    })
}

fn number(field: &[u8]) -> Option<u64> {
    let digit = |number: u64, &byte: &u8| {
        number.checked_mul(10)?.checked_add(u64::from(byte.checked_sub(b'0').filter(|&digit| digit < 10)?))
    };
    if field.is_empty() { None } else { field.iter().try_fold(0, digit) }
}

fn hexadecimal(field: &[u8]) -> Option<u64> {
    let digit = |number: u64, &byte: &u8| Some(number << 4 | u64::from(char::from(byte).to_digit(16)?));
    if field.len() == 16 { field.iter().try_fold(0, digit) } else { None }
}

/// The number of slots of a page.
const PAGE: u64 = 4096;

/// The slots that a stretch holds, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) bytes: Range<u64>,
}

/// A page of slots: which of them are held.
#[derive(Clone, Debug)]
enum Page {
    Empty,
    Part(Box<[u64; PAGE as usize / 64]>),
    Full,
}

/// For each slot whether it is held, and for each stretch its span.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pages: Vec<Page>,
    count: u64,
    stretches: Vec<Span>,
    /// How the rows of its trials begin: experiments that were renamed, or share trials, have several.
    labels: Vec<Vec<u8>>,
}

impl Spans {
    pub(super) fn holds(&self, slot: u64) -> bool {
        match self.pages.get((slot / PAGE) as usize) {
            None | Some(Page::Empty) => false,
            Some(Page::Part(bits)) => bits[(slot % PAGE / 64) as usize] >> (slot % 64) & 1 == 1,
            Some(Page::Full) => true,
        }
    }

    /// Records that these bytes hold a slot, in rows with this beginning. A slot stays with its first stretch. Bytes that begin less
    /// than `most` after the last stretch does are part of it.
    pub(super) fn set(&mut self, slot: u64, bytes: &Range<u64>, most: u64, label: &[u8]) {
        if self.holds(slot) {
            return;
        }
        let number = (slot / PAGE) as usize;
        if self.pages.len() <= number {
            self.pages.resize(number + 1, Page::Empty);
        }
        let page = &mut self.pages[number];
        if let Page::Empty = page {
            *page = Page::Part(Box::new([0; PAGE as usize / 64]));
        }
        if let Page::Part(bits) = page {
            let word = (slot % PAGE / 64) as usize;
            bits[word] |= 1 << (slot % 64);
            if bits[word] == u64::MAX && bits.iter().all(|&word| word == u64::MAX) {
                *page = Page::Full;
            }
        }
        self.count += 1;
        if !self.labels.iter().any(|known| known == label) {
            self.labels.push(label.into());
        }
        match self.stretches.last_mut() {
            Some(span) if (span.bytes.start..span.bytes.start + most).contains(&bytes.start) => {
                (span.first, span.last) = (span.first.min(slot), span.last.max(slot));
                span.bytes.end = span.bytes.end.max(bytes.end);
            }
            _ => self.stretches.push(Span { first: slot, last: slot, bytes: bytes.clone() }),
        }
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// Whether a row may be of a trial of these.
    pub(super) fn may_hold(&self, row: &[u8]) -> bool {
        self.labels.iter().any(|label| row.starts_with(label))
    }

    /// The spans by their first slots.
    pub(super) fn in_order(&self) -> Vec<Span> {
        let mut spans = self.stretches.clone();
        spans.sort_unstable_by_key(|span| (span.first, span.last, span.bytes.start));
        spans
    }

    /// The spans that may hold a slot, in the order of the file.
    pub(super) fn around(&self, slot: u64) -> impl Iterator<Item = &Span> {
        self.stretches.iter().filter(move |span| (span.first..=span.last).contains(&slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_stay_with_their_first_stretch() {
        let mut spans = Spans::default();
        for (slot, place) in [(9, 16), (8, 16), (8, 70), (1_000_000, 70), (9, 80), (4096, 90), (7, 93)] {
            spans.set(slot, &(place..place + 5), 4, b"a,");
        }
        assert_eq!(spans.count(), 5);
        assert!([7, 8, 9, 4096, 1_000_000].into_iter().all(|slot| spans.holds(slot)));
        assert!([0, 6, 10, 4095, 1 << 40].into_iter().all(|slot| !spans.holds(slot)));
        let span = |first, last, bytes| Span { first, last, bytes };
        let order = [span(7, 4096, 90..98), span(8, 9, 16..21), span(1_000_000, 1_000_000, 70..75)];
        assert_eq!(spans.in_order(), order);
        assert_eq!(spans.around(9).collect::<Vec<_>>(), [&order[1], &order[0]]);
        assert!(spans.may_hold(b"a,1") && !spans.may_hold(b"ab,1"));
    }

    #[test]
    fn a_full_page_holds_its_slots_and_no_others() {
        let mut spans = Spans::default();
        for slot in (PAGE..2 * PAGE).rev().chain(PAGE..PAGE + 10) {
            spans.set(slot, &(1..2), 1, b"");
        }
        assert!(matches!(spans.pages[1], Page::Full));
        assert_eq!(spans.count(), PAGE);
        assert!((PAGE..2 * PAGE).all(|slot| spans.holds(slot)));
        assert!(!spans.holds(PAGE - 1) && !spans.holds(2 * PAGE));
    }
}
