//! Trials as columns of integers: the content of a block of a compact log.
//!
//! All that is in the rows of CSV, names included, so that a block can be read without its manifest. The columns, in order:
//!
//! | of | columns |
//! |---|---|
//! | the block | the number of trials; the number of casts, and for each cast the name of its experiment, its number of players and their names |
//! | each trial | cast, difference to the instance before, number of games, processor time; the trial's name (8 bytes) |
//! | each game | result (0 to 2 half points, 3 failed, 4 to 6 half points and 4 if an engine forfeited), margin, plies; the hash of the game (8 bytes) |
//! | each player of a game, in seat order | playouts, plies, nodes, moves, wall time |
//! | each game that failed or was forfeited | the reason |
//!
//! Rejected: a library that compresses. Most of the bytes are names, hashes and times, which are as good as random.

use arrayvec::ArrayVec;

use super::column::{Column, Numbers, push_number, take_bytes, take_number};
use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::plan::identity::TrialId;
use crate::experiment::trial::record::{GameRecord, Record, SeatRecord};
use crate::game::Outcome;
use crate::search::Spent;

/// The names in the rows of a cell: its experiment, and its players in the seat order of the first game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cast {
    pub(super) experiment: String,
    pub(super) players: Vec<String>,
}

impl Cast {
    /// The names as a row has them: of the experiment, and of the first and second player.
    pub(super) fn names(&self) -> [&[u8]; 3] {
        let player = |seat: usize| self.players.get(seat).map_or(&b""[..], |name| name.as_bytes());
        [self.experiment.as_bytes(), player(0), player(1)]
    }
}

/// A trial as a block holds it. The players of its games are numbered in the order of its cast.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackedTrial {
    /// The index of its cast.
    pub(super) cast: usize,
    pub(super) instance: u64,
    pub(super) id: TrialId,
    pub(super) games: ArrayVec<GameRecord, 2>,
    pub(super) cpu_ns: u64,
}

/// How a game failed, in the column of results.
const FAILED: u64 = 3;

/// What is added to the result of a game that an engine forfeited.
const FORFEITED: u64 = 4;

/// The columns of integers.
#[derive(Default)]
struct Columns {
    trials: [Column; 4],
    games: [Column; 3],
    seats: [Column; 5],
}

/// Some trials as the content of a block.
pub(super) fn pack<'r>(plan: &Plan, records: impl ExactSizeIterator<Item = &'r Record>) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 * records.len() + 64);
    push_number(&mut out, records.len() as u64);
    let mut casts: Vec<(usize, usize)> = Vec::new();
    let mut columns = Columns::default();
    let (mut ids, mut hashes, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = 0;
    for record in records {
        let Record { trial, games, cpu_ns } = record;
        let cell = (trial.experiment, trial.cell);
        let cast = casts.iter().position(|&known| known == cell).unwrap_or_else(|| {
            casts.push(cell);
            casts.len() - 1
        });
        let [of_casts, instances, counts, cpu] = &mut columns.trials;
        of_casts.push(cast as u64);
        instances.push_signed(trial.instance.wrapping_sub(before) as i64);
        before = trial.instance;
        counts.push(games.len() as u64);
        cpu.push(*cpu_ns);
        ids.extend(plan.id(trial).to_u64().to_le_bytes());
        for game in games {
            let GameRecord { result, forfeit, plies, game_hash, seats } = game;
            let [results, margins, of_plies] = &mut columns.games;
            match result {
                Ok((outcome, margin)) => {
                    let forfeited = if forfeit.is_some() { FORFEITED } else { 0 };
                    results.push(u64::from(outcome.half_points()) + forfeited);
                    margins.push_signed(i64::from(*margin));
                }
                Err(reason) => {
                    results.push(FAILED);
                    margins.push_signed(0);
                    push_text(&mut failures, reason);
                }
            }
            if let (Ok(_), Some(reason)) = (result, forfeit) {
                push_text(&mut failures, reason);
            }
            of_plies.push(u64::from(*plies));
            hashes.extend(game_hash.to_le_bytes());
            for seat in seats {
                let SeatRecord { player: _, moves, spent, wall_ns } = seat;
                let Spent { playouts, plies, nodes } = spent;
                let numbers = [*playouts, *plies, *nodes, u64::from(*moves), *wall_ns];
                columns.seats.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            }
        }
    }
    push_number(&mut out, casts.len() as u64);
    for (experiment, cell) in casts {
        let (of, players) = (plan.experiment(experiment), &plan.cells(experiment)[cell].players);
        push_text(&mut out, &of.name);
        push_number(&mut out, players.len() as u64);
        for &player in players {
            push_text(&mut out, &of.players[player].name);
        }
    }
    columns.trials.iter().for_each(|column| column.write(&mut out));
    out.extend(ids);
    columns.games.iter().for_each(|column| column.write(&mut out));
    out.extend(hashes);
    columns.seats.iter().for_each(|column| column.write(&mut out));
    out.extend(failures);
    out
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    push_number(out, text.len() as u64);
    out.extend(text.bytes());
}

fn take_text(bytes: &mut &[u8]) -> Option<String> {
    let length = take_number(bytes)?;
    String::from_utf8(take_bytes(bytes, length)?.into()).ok()
}

fn take_columns<'b, const N: usize>(bytes: &mut &'b [u8]) -> Option<[Numbers<'b>; N]> {
    let columns: ArrayVec<Numbers<'b>, N> = (0..N).map_while(|_| Numbers::take(bytes)).collect();
    columns.into_inner().ok()
}

/// Words of eight bytes.
fn take_words<'b>(bytes: &mut &'b [u8], count: usize) -> Option<impl Iterator<Item = u64> + use<'b>> {
    let (words, _) = take_bytes(bytes, 8_u64.checked_mul(count as u64)?)?.as_chunks();
    Some(words.iter().map(|word| u64::from_le_bytes(*word)))
}

/// The casts and the trials of a block. `None` if it is not the content of one.
pub(super) fn unpack(mut bytes: &[u8]) -> Option<(Vec<Cast>, Vec<PackedTrial>)> {
    let bytes = &mut bytes;
    let count = take_number(bytes)? as usize;
    // The name of a trial alone takes eight bytes: no memory is taken for trials that are not there.
    if count > bytes.len() / 8 {
        return None;
    }
    let casts = take_number(bytes)?;
    let cast = |bytes: &mut &[u8]| {
        let experiment = take_text(bytes)?;
        let players = take_number(bytes)?;
        let players = (0..players).map(|_| take_text(bytes)).collect::<Option<Vec<_>>>()?;
        (1..=2).contains(&players.len()).then_some(Cast { experiment, players })
    };
    let casts = (0..casts).map(|_| cast(bytes)).collect::<Option<Vec<_>>>()?;
    let [mut of_casts, mut instances, mut counts, mut cpu] = take_columns(bytes)?;
    let mut ids = take_words(bytes, count)?;
    let mut before = 0_u64;
    let mut trial = || {
        let cast = of_casts.next()? as usize;
        before = before.wrapping_add(instances.next_signed()? as u64);
        let games = counts.next().filter(|games| (1..=2).contains(games))?;
        let id = TrialId::from_u64(ids.next()?);
        let trial = PackedTrial { cast, instance: before, id, games: ArrayVec::new(), cpu_ns: cpu.next()? };
        casts.get(cast).map(|_| (trial, games))
    };
    let mut all = 0;
    let mut trials = Vec::with_capacity(count);
    for _ in 0..count {
        let (trial, games) = trial()?;
        trials.push((trial, games));
        all += games as usize;
    }
    let [mut results, mut margins, mut of_plies] = take_columns(bytes)?;
    let mut hashes = take_words(bytes, all)?;
    let mut seats: [Numbers<'_>; 5] = take_columns(bytes)?;
    let mut game = |number: u64, players: usize| {
        let margin = margins.next_signed()?;
        let (result, forfeit) = match results.next()? {
            FAILED => (Err(take_text(bytes)?), None),
            result => {
                let is_forfeit = result >= FORFEITED;
                let outcome = outcome_of(if is_forfeit { result - FORFEITED } else { result })?;
                let forfeit = if is_forfeit { Some(take_text(bytes)?) } else { None };
                (Ok((outcome, i32::try_from(margin).ok()?)), forfeit)
            }
        };
        let seat = |seat: usize| {
            let [playouts, plies, nodes, moves, wall_ns] = &mut seats;
            let spent = Spent { playouts: playouts.next()?, plies: plies.next()?, nodes: nodes.next()? };
            // The second game of a pair has the seats swapped.
            let player = if number == 1 { players - 1 - seat } else { seat };
            let moves = u32::try_from(moves.next()?).ok()?;
            Some(SeatRecord { player, moves, spent, wall_ns: wall_ns.next()? })
        };
        Some(GameRecord {
            result,
            forfeit,
            plies: u32::try_from(of_plies.next()?).ok()?,
            game_hash: hashes.next()?,
            seats: (0..players).map(seat).collect::<Option<_>>()?,
        })
    };
    let trials = trials.into_iter().map(|(mut trial, games)| {
        for number in 0..games {
            trial.games.push(game(number, casts[trial.cast].players.len())?);
        }
        Some(trial)
    });
    let trials = trials.collect::<Option<Vec<_>>>()?;
    bytes.is_empty().then_some((casts, trials))
}

fn outcome_of(half_points: u64) -> Option<Outcome> {
    [Outcome::Loss, Outcome::Draw, Outcome::Win].get(usize::try_from(half_points).ok()?).copied()
}

impl PackedTrial {
    /// Its record as a trial of a plan. `None` if the trial has other games there.
    pub(super) fn into_record(self, plan: &Plan, trial: Trial) -> Option<Record> {
        let seatings = plan.cells(trial.experiment)[trial.cell].seatings();
        let mut games = self.games;
        if games.len() != seatings.len() {
            return None;
        }
        for (game, seating) in games.iter_mut().zip(seatings) {
            if game.seats.len() != seating.len() {
                return None;
            }
            game.seats.iter_mut().zip(seating).for_each(|(seat, &player)| seat.player = player);
        }
        Some(Record { trial, games, cpu_ns: self.cpu_ns })
    }
}
