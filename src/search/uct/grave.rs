//! GRAVE: where a node was hardly visited, all moves as first are asked of an ancestor.
//!
//! RAVE keeps what it needs beside each child. Here a node answers for its descendants too, whose moves may be none of
//! its own; so each family keeps a table of all moves made below it, by both.

use super::conversation::Conversation;
use super::learning::{Made, side};
use super::selection::{Selection, best_of};
use super::tree::{Amaf, Kind};
use crate::game::Game;

/// What all moves made below a position gave, for who made them.
#[derive(Clone, Debug, Default)]
pub(super) struct AmafTable([Vec<Amaf>; 2]);

impl AmafTable {
    /// What a table takes where moves have numbers below this.
    pub(super) const fn bytes(numbers: usize) -> u64 {
        (2 * numbers * size_of::<Amaf>()) as u64
    }

    /// A table for moves with numbers below this.
    pub(super) fn new(numbers: usize) -> Self {
        Self([vec![Amaf::default(); numbers], vec![Amaf::default(); numbers]])
    }

    fn of(&self, kind: Kind, number: u16) -> Amaf {
        self.0[side(kind)].get(usize::from(number)).copied().unwrap_or_default()
    }

    fn add(&mut self, kind: Kind, number: u16, share: f64) {
        let table = &mut self.0[side(kind)];
        if table.len() <= usize::from(number) {
            table.resize(usize::from(number) + 1, Amaf::default());
        }
        let amaf = &mut table[usize::from(number)];
        amaf.sum += share;
        amaf.visits += 1;
    }
}

/// The weight of all moves as first beside a mean: β = *p̃* / (*p̃* + *p* + bias · *p̃* · *p*), where *p* and *p̃* count the
/// playouts of either (Cazenave 2015, "Generalized rapid action value estimation", algorithm 1).
pub(super) fn beta(own: u32, amaf: u32, bias: f64) -> f64 {
    let (own, amaf) = (f64::from(own), f64::from(amaf));
    amaf / (amaf + own + bias * amaf * own)
}

impl<G: Game> Conversation<'_, G> {
    /// The child of a node with the largest (1 − β) · mean + β · all moves as first, the latter from the table of a family
    /// that the node descends from or is parent to; as published nothing is added for exploration, else as in UCB1.
    pub(super) fn choose_by_table(&self, node: u32, kind: Kind, limit: u32, reference: u32) -> u32 {
        let table = &self.tree.tables[reference as usize];
        let Selection { parameter: bias, exploration, .. } = self.settings.selection;
        let factor = exploration * self.tree.log.root(self.tree.visits(node));
        let children = self.tree.children(node);
        let first = children.start;
        let bound = |child: u32| {
            let (score, visits) = (self.tree.node(child).score, self.tree.node(child).visits);
            let number = self.game.move_number(self.tree.mv(child)).expect("the game numbers its moves");
            let amaf = table.of(kind, number);
            if amaf.visits == 0 || score.value == f64::NEG_INFINITY {
                return score.value + factor * score.width;
            }
            let mean = amaf.sum / f64::from(amaf.visits);
            if visits == 0 {
                return mean + factor;
            }
            let beta = beta(visits, amaf.visits, bias);
            (1.0 - beta) * score.value + beta * mean + factor * score.width
        };
        first + best_of(children.take(limit as usize).map(bound))
    }

    /// Tells the tables on the path of the moves that were made below them: each move once, at its last place.
    pub(super) fn back_up_tables(&mut self, share: f64) {
        for step in &*self.path {
            let node = *self.tree.node(step.node);
            if node.count == 0 {
                continue;
            }
            let table = &mut self.tree.tables[node.family as usize];
            for (index, &Made { kind, number, .. }) in self.learned.made.iter().enumerate().skip(step.made) {
                if self.learned.is_last(kind, number, index) {
                    table.add(kind, number, if kind == Kind::Other { 1.0 - share } else { share });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_without_playouts_is_what_it_was_elsewhere_and_own_playouts_weigh_more_with_time() {
        assert_eq!(beta(0, 5, 0.1), 1.0);
        assert_eq!(beta(5, 5, 0.0), 0.5);
        // 10 / (10 + 5 + 0.1 · 10 · 5)
        assert_eq!(beta(5, 10, 0.1), 0.5);
        assert!(beta(1000, 10_000, 0.1) < 0.01 && beta(1000, 10_000, 0.0) > 0.9);
    }

    #[test]
    fn a_table_knows_who_made_a_move() {
        let mut table = AmafTable::new(1);
        table.add(Kind::Own, 3, 1.0);
        table.add(Kind::Own, 3, 0.5);
        table.add(Kind::Other, 0, 0.25);
        let found = |kind, number| (table.of(kind, number).sum, table.of(kind, number).visits);
        assert_eq!(found(Kind::Own, 3), (1.5, 2));
        assert_eq!((found(Kind::Other, 3), found(Kind::Other, 0)), ((0.0, 0), (0.25, 1)));
    }
}
