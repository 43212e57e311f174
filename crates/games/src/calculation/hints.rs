//! The hints of Calculation for exact search: dead and sure positions, cards that may go up at once, equal piles.

use super::evaluations::disorder;
use super::moves::WASTE;
use super::open_stock::{Outlook, outlook};
use super::policies::ups;
use super::{Calculation, FoundationRule, Move, MoveKind, Position, Rank};
use crate::game::{Bits, Follow, SearchHints, Window};

pub(super) struct Hints;

impl SearchHints<Calculation> for Hints {
    /// The disorder of the piles, negated.
    #[inline]
    fn estimate(&self, game: &Calculation, position: &Position) -> Option<i32> {
        Some(-(disorder(position, game.piles()) as i32))
    }

    /// Bounds of dead positions and of sure ones. To be sure needs the freedom to hold a card while another of its rank is
    /// buried. If none is, it might as well go up.
    fn payoff_bounds(&self, game: &Calculation, position: &Position, _window: Window) -> Option<(i32, i32)> {
        let all = usize::from(game.deck.cards());
        let payoff = |cards: usize| i32::from(game.payoffs[cards]);
        let holds = !matches!(game.foundation, FoundationRule::Automatic | FoundationRule::First);
        match outlook(position, game.deck, game.piles) {
            Outlook::Lost => Some((payoff(position.cards_up().into()), payoff(all - 1))),
            Outlook::Won if holds => Some((payoff(all), payoff(all))),
            Outlook::Won | Outlook::Open => None,
        }
    }

    #[inline]
    fn lines(&self) -> impl Follow<Calculation, Key = Option<u128>> {
        EqualPiles
    }
}

/// Every order of the piles counts as one.
pub(super) struct EqualPiles;

impl Follow<Calculation> for EqualPiles {
    type Key = Option<u128>;

    const WAITS: bool = true;

    fn key(&self, _game: &Calculation, position: &Position) -> Option<u128> {
        Some(position.key_of_piles())
    }

    fn is_same(&self, _key: Option<u128>, _one: &Position, _other: &Position) -> bool {
        true
    }

    /// A move that loses nothing, with the last card of its rank: only one foundation still takes it, and going up there opens moves and closes none.
    #[inline]
    fn only_move(&self, game: &Calculation, position: &Position) -> Option<Move> {
        let suits = game.deck.suits();
        let is_last = |rank: Rank| position.cards_up_of(rank) + 1 == suits;
        Bits::new(ups(position)).map(Move::from_code).find(|mv| {
            let rank = match mv.code().checked_sub(WASTE) {
                None => position.hand(),
                Some(code) => position.pile(code / 4 + 1).next(),
            };
            rank.is_some_and(is_last)
        })
    }

    /// A card of a pile may stay there until the next card is in hand, unless the pile or the foundation is needed now.
    #[inline]
    fn may_wait(&self, _game: &Calculation, first: Move, then: Move) -> bool {
        let MoveKind::WasteUp { pile, foundation } = first.kind() else { return false };
        match then.kind() {
            MoveKind::HandDown { pile: other } => other != pile,
            MoveKind::HandUp { foundation: other } => other != foundation,
            MoveKind::WasteUp { .. } | MoveKind::Turned(_) => false,
        }
    }
}
