//! GRAVE: a node with few visits reads the AMAF statistics (all moves as first) of an ancestor.
//!
//! RAVE keeps its second mean with each child. In GRAVE a node also serves descendants, whose moves may differ from its
//! own, so each family keeps a table of all moves made below it, by both players.

use std::ops::Range;

use super::super::tree::{Amaf, Arena, Node, Step};
use super::learning::{Made, Statistics};

/// The weight of the AMAF mean: β = *p̃* / (*p̃* + *p* + bias · *p̃* · *p*), where *p* and *p̃* are the playouts of the
/// own mean and of the AMAF mean (Cazenave 2015, "Generalized rapid action value estimation", algorithm 1).
pub(super) fn beta(own: u32, amaf: u32, bias: f64) -> f64 {
    let (own, amaf) = (f64::from(own), f64::from(amaf));
    amaf / (amaf + own + bias * amaf * own)
}

/// The bounds of the children of a node: (1 − β) · mean + β · AMAF mean, plus `factor` times the width of UCB1 (0 as published). The
/// table is that of a family above or directly below the node.
#[inline(always)]
pub(super) fn bounds_by_table(
    arena: &Arena,
    (node, children, reference): (u32, Range<u32>, u32),
    factor: f64,
    bias: f64,
) -> impl Iterator<Item = f64> {
    let table = &arena.tables[reference as usize];
    let kind = arena.nodes[node].kind;
    children.map(move |child| {
        let node = &arena.nodes[child];
        if node.is_cut {
            return f64::NEG_INFINITY;
        }
        let (score, amaf) = (node.score, table.of(kind, arena.numbers[child]));
        if amaf.visits == 0 {
            return score.value + factor * score.width;
        }
        if node.visits == 0 {
            return amaf.mean() + factor;
        }
        let beta = beta(node.visits, amaf.visits, bias);
        (1.0 - beta) * score.value + beta * amaf.mean() + factor * score.width
    })
}

/// The AMAF results of a child of a node, from the child's own column or from the table of the node's family.
pub(super) fn amaf_of(arena: &Arena, (node, child): (u32, u32)) -> Amaf {
    if arena.amaf.is_used() {
        return arena.amaf[child];
    }
    let Node { family, kind, .. } = arena.nodes[node];
    arena.tables[family as usize].of(kind, arena.numbers[child])
}

/// Adds a result to the tables on a path: each move made below counts once, at its last place.
pub(super) fn back_up_tables(arena: &mut Arena, path: &[Step], statistics: &Statistics, value: f64) {
    let mut before = 0;
    for step in path {
        before += usize::from(step.parent.is_player());
        let node = arena.nodes[step.node];
        if node.count == 0 {
            continue;
        }
        let table = &mut arena.tables[node.family as usize];
        for (index, &Made { kind, number }) in statistics.made.iter().enumerate().skip(before) {
            if statistics.is_last(kind, number, index) {
                table.add(kind, number, kind.view(value));
            }
        }
    }
}

/// Adds a result to the children of a node whose moves the player there made at the node or later, after `before` moves.
pub(super) fn back_up_amaf(arena: &mut Arena, node: u32, before: usize, statistics: &Statistics, value: f64) {
    let kind = arena.nodes[node].kind;
    if !kind.is_player() {
        return;
    }
    for child in arena.children(node) {
        if statistics.was_made(kind, arena.numbers[child], before) {
            arena.amaf[child].add(kind.view(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_without_playouts_is_worth_what_it_was_elsewhere_and_own_playouts_count_more_with_time() {
        assert_eq!(beta(0, 5, 0.1), 1.0);
        assert_eq!(beta(5, 5, 0.0), 0.5);
        // 10 / (10 + 5 + 0.1 · 10 · 5)
        assert_eq!(beta(5, 10, 0.1), 0.5);
        assert!(beta(1000, 10_000, 0.1) < 0.01 && beta(1000, 10_000, 0.0) > 0.9);
    }
}
