//! All playouts of the work, in two groups that alternate: one exchanges its tops while the other takes its turn.

use std::array::from_fn;

use super::super::start::Tables;
use super::super::work::{Run, Work};
use super::bytes::GAMES;
use super::draws::{begin, counters};
use super::group::{Group, nothing, results, set, turn};
use super::piles::exchange;
use super::rules::{Rules, rules};

/// The number of finished games in a group at which new games replace them. A smaller number would start games too
/// often; a larger one would idle lanes.
const ENOUGH: u32 = GAMES as u32 / 8;

/// A group and its playouts.
struct Table<const BANKS: usize> {
    group: Group<BANKS>,
    /// The places that hold a playout, as bits.
    playing: u64,
    /// The request of each playout.
    requests: [usize; GAMES],
}

for_this_path! {
    /// Plays all the work, and passes the request, the cards up and the plies of each playout to `record`.
    pub(in super::super) fn play<const BANKS: usize>(
        tables: &Tables,
        work: &mut Work<'_>,
        mut record: impl FnMut(usize, u8, u8),
    ) {
        let rules = rules(tables);
        let [one, other] =
            &mut from_fn(|_| Table::<BANKS> { group: nothing(), playing: 0, requests: [0; GAMES] });
        seat(one, work, !0 >> (64 - GAMES));
        seat(other, work, !0 >> (64 - GAMES));
        while one.playing | other.playing != 0 {
            go_on(one, other, &rules, work, &mut record);
            go_on(other, one, &rules, work, &mut record);
        }
    }

    /// Takes a turn while making the other group's exchanges. If enough games are over, new ones replace them.
    fn go_on<const BANKS: usize>(
        table: &mut Table<BANKS>,
        other: &mut Table<BANKS>,
        rules: &Rules,
        work: &mut Work<'_>,
        record: &mut impl FnMut(usize, u8, u8),
    ) {
        let meanwhile = |eighth| exchange(&mut other.group.piles, eighth);
        if table.playing == 0 {
            return (0..8).for_each(meanwhile);
        }
        let over = turn(&mut table.group, rules, meanwhile) & table.playing;
        if over != table.playing && (work.is_done() || over.count_ones() < ENOUGH) {
            return;
        }
        let [up, plies] = results(&table.group);
        let mut left = over;
        while left != 0 {
            let game = left.trailing_zeros() as usize;
            record(table.requests[game], up[game], plies[game]);
            left &= left - 1;
        }
        table.playing &= !over;
        seat(table, work, over);
    }

    /// Puts the next playouts into these places.
    fn seat<const BANKS: usize>(table: &mut Table<BANKS>, work: &mut Work<'_>, places: u64) {
        if work.is_done() {
            return;
        }
        let Table { group, playing, requests } = table;
        let mut counters = counters(&group.draws);
        let mut left = places;
        while left != 0
            && let Some(Run { request, batch, start }) = work.take(left.count_ones().into())
        {
            let before = left;
            for number in (0..batch.count).map(|index| batch.first.wrapping_add(index)) {
                let game = left.trailing_zeros() as usize;
                requests[game] = request;
                *counters.of(game) = batch.key.counter(number);
                left &= left - 1;
            }
            set(group, start, before & !left);
        }
        let seated = places & !left;
        begin(&mut group.draws, seated, &counters);
        *playing |= seated;
    }
}
