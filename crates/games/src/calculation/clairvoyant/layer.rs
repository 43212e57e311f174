//! The positions after one more card of the stock.

use std::collections::BTreeSet;

use crate::calculation::evaluations::disorder;
use crate::calculation::hints::EqualPiles;
use crate::calculation::{Calculation, Move, MoveKind, Position, Rank};
use crate::game::{Follow, Game, GameExt, Outcome, Player, Turn};

/// A position of a layer, with the moves that led to it and its disorder.
pub(super) struct Entry {
    pub(super) position: Position,
    /// The entry of the previous layer, and the moves since.
    pub(super) parent: u32,
    pub(super) moves: Vec<Move>,
    disorder: u32,
}

/// The positions after the same number of cards, each once.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) entries: Vec<Entry>,
    /// Whether positions were dropped.
    pub(super) cut: bool,
}

/// The key of a position in a layer: the heights of the foundations, and the piles in any order.
type Key = [u8; 72];

fn key(game: &Calculation, position: &Position) -> Key {
    let mut key = [0; 72];
    key[..4].copy_from_slice(&position.heights());
    key[4] = position.hand().map_or(0, Rank::number);
    let mut piles: Vec<Vec<u8>> =
        (1..=game.piles()).map(|pile| position.pile(pile).map(Rank::number).collect()).collect();
    piles.sort_unstable();
    let cards = piles.iter().flat_map(|pile| pile.iter().copied().chain([0]));
    key[5..].iter_mut().zip(cards).for_each(|(byte, card)| *byte = card);
    key
}

impl Layer {
    pub(super) fn root(position: Position) -> Self {
        Self { entries: vec![Entry { position, parent: 0, moves: Vec::new(), disorder: 0 }], cut: false }
    }

    /// The next layer: turns `card`, if there is one, in every position, and tries everything until the hand is empty and
    /// no move is left before the next card. Keeps at most `width` positions, and adds the positions it made to `nodes`.
    pub(super) fn next(&self, game: &Calculation, card: Option<Rank>, width: usize, nodes: &mut u64) -> Self {
        let mut seen: BTreeSet<Key> = BTreeSet::new();
        let mut next = Self { entries: Vec::new(), cut: self.cut };
        for (parent, entry) in (0..).zip(&self.entries) {
            let mut position = entry.position;
            let mut moves = Vec::new();
            if let Some(rank) = card {
                let turned = Move::new(MoveKind::Turned(rank));
                game.apply(&mut position, turned);
                moves.push(turned);
            }
            let mut open = vec![(position, moves)];
            while let Some((position, moves)) = open.pop() {
                *nodes += 1;
                if !seen.insert(key(game, &position)) {
                    continue;
                }
                let go_on = |mv| {
                    let mut moves = moves.clone();
                    moves.push(mv);
                    (game.after(&position, mv), moves)
                };
                let is_players_turn = matches!(game.turn(&position), Turn::Player(_));
                if is_players_turn && let Some(mv) = EqualPiles.only_move(game, &position) {
                    open.push(go_on(mv));
                    continue;
                }
                // With an empty hand, cards that can go up can wait until the next card is in hand.
                if position.hand().is_some() || position.stock_len() == 0 {
                    open.extend(game.moves(&position).map(go_on));
                }
                if position.hand().is_none() {
                    let disorder = disorder(&position, game.piles());
                    next.entries.push(Entry { position, parent, moves, disorder });
                }
            }
        }
        if next.entries.len() > width {
            next.cut = true;
            next.entries.sort_by_key(|entry| entry.disorder);
            next.entries.truncate(width);
        }
        next
    }

    /// A position in which the game is won.
    pub(super) fn won(&self, game: &Calculation) -> Option<usize> {
        self.entries.iter().position(|entry| game.outcome(&entry.position, Player::FIRST) == Outcome::Win)
    }
}
