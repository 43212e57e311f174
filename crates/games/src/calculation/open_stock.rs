//! Whether a position could be won if all cards of the stock lay open, each free to go up at any time.
//!
//! The key decision: a position that cannot be won even so is lost in every order of the stock. Cards that can go up without a
//! loss go up at once, which leaves few choices; where they are many, the answer is that nothing is known. Rejected: to let
//! each card go up that any foundation might take some day, without counting copies, which finds fewer dead positions.

use super::{Deck, Position, Rank};

/// The most positions with a choice that are looked at.
const MOST: usize = 128;

/// The outlook of a position with an open stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// The position is lost in every order of the stock.
    Lost,
    /// The position is won in every order of the stock by a player who may hold cards: there is an empty pile for each card but the last, if
    /// need be after all cards of the piles went up that can.
    Won,
    /// Neither is found out soon.
    Open,
}

/// The outlook of a position of a game with this number of piles.
pub(super) fn outlook(position: &Position, deck: Deck, piles: u8) -> Outlook {
    let mut cards = [0; 64];
    let mut end = 0;
    let mut state = State { wanted: [0; 4], tops: [0; 8], free: [0; 14], left: [0; 14] };
    for pile in 1..=8 {
        state.tops[usize::from(pile) - 1] = end as u8;
        for rank in position.pile(pile) {
            cards[end] = rank.number();
            state.left[usize::from(rank.number())] += 1;
            end += 1;
        }
        // No card below the last.
        end += 1;
    }
    for rank in Rank::all() {
        state.free[usize::from(rank.number())] = position.stock(rank);
    }
    if let Some(rank) = position.hand() {
        state.free[usize::from(rank.number())] += 1;
    }
    for (left, free) in state.left.iter_mut().zip(state.free) {
        *left += free;
    }
    for foundation in 0..deck.suits() {
        let wanted = position.wanted(foundation + 1);
        state.wanted[usize::from(foundation)] = wanted.map_or(0, Rank::number);
    }
    let mut search = Search { cards: &cards, ranks: deck.ranks(), seen: [0; MOST], count: 0 };
    match search.wins(state) {
        None => return Outlook::Open,
        Some(false) => return Outlook::Lost,
        Some(true) => {}
    }
    let in_order: u8 = state.free.iter().sum();
    let finds_room = |state: &State| {
        let is_empty = |&&top: &&u8| cards[usize::from(top)] == 0;
        let empty = state.tops[..usize::from(piles)].iter().filter(is_empty).count();
        usize::from(in_order) <= empty + 1
    };
    if finds_room(&state) {
        return Outlook::Won;
    }
    search.put_piles_up(&mut state);
    if finds_room(&state) {
        search.count = 0;
        if search.wins(state) == Some(true) {
            return Outlook::Won;
        }
    }
    Outlook::Open
}

/// The cards that are not up. Rank 0 is no card.
#[derive(Clone, Copy)]
struct State {
    /// The rank that each foundation takes next.
    wanted: [u8; 4],
    /// The places of the tops of the piles.
    tops: [u8; 8],
    /// The open cards of each rank.
    free: [u8; 14],
    /// The cards of each rank that are not up.
    left: [u8; 14],
}

struct Search<'c> {
    /// The piles, each from top to bottom and with a 0 after it.
    cards: &'c [u8; 64],
    ranks: u8,
    /// The positions with a choice that were looked at, as keys.
    seen: [u64; MOST],
    count: usize,
}

impl Search<'_> {
    /// The piles, as bits, with a rank on top.
    fn piles(&self, state: &State, rank: u8) -> u8 {
        let is_top = |pile: usize| self.cards[usize::from(state.tops[pile])] == rank;
        (0..8).map(|pile| u8::from(is_top(pile)) << pile).sum()
    }

    /// Puts a card up, from one of these piles or else a free one.
    fn put_up(&self, state: &mut State, foundation: usize, piles: u8) {
        let rank = state.wanted[foundation];
        state.left[usize::from(rank)] -= 1;
        if piles == 0 {
            state.free[usize::from(rank)] -= 1;
        } else {
            state.tops[piles.trailing_zeros() as usize] += 1;
        }
        let next = rank + foundation as u8 + 1;
        state.wanted[foundation] = match rank {
            _ if rank == self.ranks => 0,
            _ if next > self.ranks => next - self.ranks,
            _ => next,
        };
    }

    /// Puts up all cards that can go up without a loss. A card of a pile goes before a free one. If no card of its rank is
    /// buried, a card has no other use, but several piles may compete.
    fn settle(&self, state: &mut State) {
        let mut foundation = 0;
        let mut idle = 0;
        while idle < 4 {
            let rank = state.wanted[foundation];
            let piles = if rank == 0 { 0 } else { self.piles(state, rank) };
            let (on_top, rank) = (piles.count_ones() as usize, usize::from(rank));
            let open = on_top as u8 + state.free[rank];
            let wanting = || state.wanted.iter().filter(|&&other| usize::from(other) == rank).count();
            if rank != 0 && open > 0 && open == state.left[rank] && (on_top < 2 || on_top <= wanting()) {
                self.put_up(state, foundation, piles);
                idle = 0;
            } else {
                foundation = (foundation + 1) % 4;
                idle += 1;
            }
        }
    }

    /// Puts up all cards of the piles that can go up.
    fn put_piles_up(&self, state: &mut State) {
        let ready = |state: &State| {
            let piles = |foundation| match state.wanted[foundation] {
                0 => 0,
                rank => self.piles(state, rank),
            };
            (0..4).map(|foundation| (foundation, piles(foundation))).find(|(_, piles)| *piles != 0)
        };
        while let Some((foundation, piles)) = ready(state) {
            self.put_up(state, foundation, piles);
        }
    }

    /// Whether all cards can go up.
    fn wins(&mut self, mut state: State) -> Option<bool> {
        self.settle(&mut state);
        if state.wanted == [0; 4] {
            return Some(true);
        }
        let digits = state.wanted.iter().fold(0, |key, &rank| key << 4 | u64::from(rank));
        let key = state.tops.iter().fold(digits, |key, &top| key << 6 | u64::from(top));
        if self.seen[..self.count].contains(&key) {
            return Some(false);
        }
        if self.count == MOST {
            return None;
        }
        self.seen[self.count] = key;
        self.count += 1;
        for foundation in 0..4 {
            let rank = state.wanted[foundation];
            if rank == 0 {
                continue;
            }
            let mut piles = self.piles(&state, rank);
            if piles == 0 && state.free[usize::from(rank)] == 0 {
                continue;
            }
            loop {
                let mut next = state;
                self.put_up(&mut next, foundation, piles);
                let found = self.wins(next);
                if found != Some(false) {
                    return found;
                }
                piles &= piles.wrapping_sub(1);
                if piles == 0 {
                    break;
                }
            }
        }
        Some(false)
    }
}
