//! Permutation statistics: the results of all playouts that contain a move and all moves that led to a node, in whatever order (MCPS:
//! Cazenave 2025, "Monte Carlo permutation search", arXiv 2510.06381).
//!
//! A table is made once, when its node is first read, of the last playouts; that of the root is kept up to date.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::super::tree::{AmafTable, Arena, Kind, side};

/// The number of a move, with the kind of the turn and with the index of the player.
pub(super) type Move = (Kind, u16);
type Name = (usize, u16);

const fn name((kind, number): Move) -> Name {
    (side(kind), number)
}

/// The moves of a playout, each once and in the order of their names, and its result for the player at the root.
#[derive(Clone, Debug)]
struct Played {
    moves: Vec<Move>,
    value: f64,
}

impl Played {
    fn contains(&self, moves: &[Name]) -> bool {
        moves.iter().all(|mv| self.moves.binary_search_by_key(mv, |&made| name(made)).is_ok())
    }

    fn add_to(&self, table: &mut AmafTable) {
        for &(kind, number) in &self.moves {
            table.add(kind, number, kind.view(self.value));
        }
    }
}

/// The last playouts, and the tables made of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Permutations {
    last: VecDeque<Played>,
    root: AmafTable,
    /// The tables of other nodes, and which belongs to the moves that lead to a node.
    tables: Vec<AmafTable>,
    places: BTreeMap<Vec<Name>, usize>,
    /// The table to read; `None`: that of the root.
    reference: Option<usize>,
}

impl Permutations {
    /// Reads the table of the node after these moves from now on.
    pub(super) fn refer(&mut self, made: impl Iterator<Item = Move>) {
        self.reference = None;
        let moves: Vec<Name> = made.map(name).collect();
        if moves.is_empty() {
            return;
        }
        let place = self.places.get(&moves).copied().unwrap_or_else(|| {
            let mut table = AmafTable::default();
            let containing = self.last.iter().filter(|played| played.contains(&moves));
            containing.for_each(|played| played.add_to(&mut table));
            self.tables.push(table);
            self.places.insert(moves, self.tables.len() - 1);
            self.tables.len() - 1
        });
        self.reference = Some(place);
    }

    pub(super) fn table(&self) -> &AmafTable {
        self.reference.map_or(&self.root, |place| &self.tables[place])
    }

    /// Adds a playout with its value for the player at the root, and drops the first of more than `window`.
    pub(super) fn add(&mut self, made: impl Iterator<Item = Move>, value: f64, window: u32) {
        let mut moves: Vec<Move> = made.collect();
        moves.sort_unstable_by_key(|&made| name(made));
        moves.dedup_by_key(|made| name(*made));
        let played = Played { moves, value };
        played.add_to(&mut self.root);
        self.last.push_back(played);
        if self.last.len() > window as usize
            && let Some(Played { moves, value }) = self.last.pop_front()
        {
            for (kind, number) in moves {
                self.root.remove(kind, number, kind.view(value));
            }
        }
    }
}

/// The bounds of the children of a node: the mean over three sets of playouts, each with the weight of their number, plus `factor` times
/// the width of UCB1 (0 as published). They are those of the child, those below a family that contain its move, and those of a table.
#[inline(always)]
pub(super) fn bounds_by_permutations(
    arena: &Arena,
    (node, children, reference): (u32, Range<u32>, u32),
    permuted: &AmafTable,
    factor: f64,
) -> impl Iterator<Item = f64> {
    let below = &arena.tables[reference as usize];
    let kind = arena.nodes[node].kind;
    children.map(move |child| {
        let node = &arena.nodes[child];
        if node.is_cut {
            return f64::NEG_INFINITY;
        }
        let number = arena.numbers[child];
        let (below, permuted) = (below.of(kind, number), permuted.of(kind, number));
        let others = below.visits + permuted.visits;
        if others == 0 {
            return node.score.value + factor * node.score.width;
        }
        if node.visits == 0 {
            return (below.sum + permuted.sum) / f64::from(others) + factor;
        }
        let own = f64::from(node.visits);
        (own * node.score.value + below.sum + permuted.sum) / (own + f64::from(others))
            + factor * node.score.width
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_the_playouts_with_all_moves_in_any_order() {
        let made = |moves: &[u16]| {
            let kinds = [Kind::Max, Kind::Min].into_iter().cycle();
            kinds.zip(moves.to_vec())
        };
        let mut all = Permutations::default();
        for (moves, value) in
            [([1, 2, 3, 4], 1.0), ([3, 2, 1, 5], 0.0), ([1, 4, 3, 6], 1.0), ([1, 2, 6, 4], 0.0)]
        {
            all.add(made(&moves), value, 3);
        }
        let seen = |all: &Permutations, kind, number| {
            let found = all.table().of(kind, number);
            (found.sum, found.visits)
        };
        all.refer(made(&[]));
        // The first playout was dropped.
        assert_eq!((seen(&all, Kind::Max, 1), seen(&all, Kind::Min, 4)), ((1.0, 3), (1.0, 2)));
        all.refer(made(&[3, 2]));
        assert_eq!((seen(&all, Kind::Max, 1), seen(&all, Kind::Max, 6)), ((0.0, 1), (0.0, 0)));
        all.refer(made(&[1]));
        assert_eq!((seen(&all, Kind::Max, 3), seen(&all, Kind::Min, 2)), ((1.0, 2), (2.0, 2)));
        all.add(made(&[1, 2, 3, 4]), 1.0, 3);
        assert_eq!(seen(&all, Kind::Max, 3), (1.0, 2), "a table is made once");
    }
}
