//! All playouts of a batch, in two groups that take turns: one exchanges its tops while the other has its turn.

use std::array::from_fn;

use super::super::start::Start;
use super::bytes::GAMES;
use super::group::{Group, begin, nothing, results, turn};
use super::piles::exchange;
use super::rules::{Rules, rules};
use crate::game::Batch;

/// So many games of a group are over before others begin in their places: fewer would make more of the work of beginning,
/// more would idle.
const ENOUGH: u32 = GAMES as u32 / 8;

/// A group, and which playouts are in it.
struct Table<const BANKS: usize> {
    group: Group<BANKS>,
    /// The places that hold a playout, as bits.
    playing: u64,
    /// The number of the playout in each.
    playouts: [u64; GAMES],
}

for_this_path! {
    /// Plays a batch out and tells of each playout its number, the cards up and the plies.
    pub(in super::super) fn play<const BANKS: usize>(
        start: &Start,
        mut batch: Batch,
        mut record: impl FnMut(u64, u8, u8),
    ) {
        let rules = rules(start);
        let [one, other] =
            &mut from_fn(|_| Table::<BANKS> { group: nothing(), playing: 0, playouts: [0; GAMES] });
        seat(one, start, &mut batch, !0 >> (64 - GAMES));
        seat(other, start, &mut batch, !0 >> (64 - GAMES));
        while one.playing | other.playing != 0 {
            go_on(one, other, start, &rules, &mut batch, &mut record);
            go_on(other, one, start, &rules, &mut batch, &mut record);
        }
    }

    /// A turn, while the other group's exchanges are made; and where enough games are over, others in their places.
    fn go_on<const BANKS: usize>(
        table: &mut Table<BANKS>,
        other: &mut Table<BANKS>,
        start: &Start,
        rules: &Rules,
        batch: &mut Batch,
        record: &mut impl FnMut(u64, u8, u8),
    ) {
        let meanwhile = |eighth| exchange(&mut other.group.piles, eighth);
        if table.playing == 0 {
            return (0..8).for_each(meanwhile);
        }
        let over = turn(&mut table.group, rules, meanwhile) & table.playing;
        if over != table.playing && (batch.count == 0 || over.count_ones() < ENOUGH) {
            return;
        }
        let [up, plies] = results(&table.group);
        let mut left = over;
        while left != 0 {
            let game = left.trailing_zeros() as usize;
            record(table.playouts[game], up[game], plies[game]);
            left &= left - 1;
        }
        table.playing &= !over;
        seat(table, start, batch, over);
    }

    /// Puts the next playouts into these places, as many as there are.
    fn seat<const BANKS: usize>(table: &mut Table<BANKS>, start: &Start, batch: &mut Batch, mut places: u64) {
        while u64::from(places.count_ones()) > batch.count {
            places &= places - 1;
        }
        if places == 0 {
            return;
        }
        let Table { group, playing, playouts } = table;
        *playing |= places;
        begin(group, start, places, |game| {
            playouts[game] = batch.first;
            let counter = batch.key.counter(batch.first);
            batch.first = batch.first.wrapping_add(1);
            batch.count -= 1;
            counter
        });
    }
}
