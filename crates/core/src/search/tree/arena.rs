//! The arena: the part of a tree that does not depend on the game, in flat columns with `u32` links.
//!
//! Selection reads one column, and only backup writes another. A column that a search does not need is empty. The
//! children of a node, its family, are adjacent. A node gets children when one of them is to be visited, so most nodes
//! take only their own row.

use std::ops::Range;

use super::column::{Column, Rows};
use super::node::{Amaf, AmafTable, Bounds, Kind, NONE, Node, ROOT, Score, Step, Totals, Value};
use super::transposition::Index;
use crate::game::{sort_indices, sort_values};
use crate::search::Meter;

/// The children of a node.
#[derive(Clone, Copy, Debug)]
struct Family {
    first: u32,
    count: u16,
}

/// The nodes of a tree. A method gives the optional columns that it uses a default.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub(crate) struct Arena {
    pub(crate) nodes: Column<Node>,
    pub(crate) totals: Column<Totals>,
    pub(crate) bounds: Column<Bounds>,
    /// The expected value or probability of a move before its first visit.
    pub(crate) priors: Column<f64>,
    /// The weight of an outcome of chance.
    pub(crate) weights: Column<f64>,
    /// The number of times that a chance outcome was sampled (sparse UCT).
    pub(crate) samples: Column<u32>,
    /// The number of the move that leads to a node.
    pub(crate) numbers: Column<u16>,
    pub(crate) amaf: Column<Amaf>,
    /// The minimax value in `[0, 1]` for the player at the root, backed up from evaluations or from the means of
    /// leaves.
    pub(crate) minimax: Column<f64>,
    /// The entropy of the choices from a node onwards.
    pub(crate) entropies: Column<f64>,
    /// The number of visits of the parent at which the move was legal (open loop).
    pub(crate) available: Column<u32>,
    /// Minimax values of evaluations, in the evaluation's unit.
    pub(crate) values: Column<Value>,
    /// Whether the backup has searched for proofs from a node.
    pub(crate) probed: Column<bool>,
    /// The iteration that last visited a node, if the nodes that were not visited for longest are recycled.
    pub(crate) stamps: Column<u32>,
    /// The number of the last iteration.
    clock: u32,
    /// The families, in the order of their children, and the most of them; 0: as many as memory allows.
    families: Vec<Family>,
    pub(crate) most_families: usize,
    /// One table per family, if it has tables.
    pub(crate) has_tables: bool,
    pub(crate) tables: Vec<AmafTable>,
    /// The families of equal positions, if equal positions share one.
    pub(crate) has_index: bool,
    pub(crate) index: Index,
    /// The bytes of a node and of a family in the game's columns.
    game_row: usize,
    game_family: usize,
    /// The bytes of a node in all columns.
    node_bytes: u64,
    /// The numbers of nodes and of families with reserved memory.
    pub(crate) room: usize,
    pub(crate) family_room: usize,
    /// The bytes reserved for tables, and those in use.
    table_room: usize,
    table_bytes: u64,
    /// Whether memory ran out for the children of a node.
    pub(crate) is_full: bool,
    /// Whether a position had more moves than a node holds.
    pub(crate) is_too_wide: bool,
}

/// The largest number of children of a node.
pub(crate) const MOST_CHILDREN: usize = u16::MAX as usize;

const MOST_NODES: u64 = u32::MAX as u64 - 1;

/// The first capacity in nodes.
const FIRST_ROOM: u64 = 1024;

/// The smallest growth of nodes or families.
const LEAST_ROOM: u64 = 8;

/// Recycling treats larger numbers of visits as equal.
const MOST_VISITS: usize = 1 << 16;

impl Arena {
    /// An arena without nodes. `game_row` and `game_family` are the bytes of a node and of a family in the game's
    /// columns.
    pub(crate) fn new(game_row: usize, game_family: usize) -> Self {
        let mut arena = Self { game_row, game_family, ..Self::default() };
        arena.nodes.default = Some(Node::unseen(Score::UNUSED));
        arena.totals.default = Some(Totals::default());
        arena
    }

    const fn family_bytes(&self) -> u64 {
        // Recycling needs two lists of families.
        (self.game_family + size_of::<Family>() + 2 * size_of::<u32>()) as u64
            + if self.has_tables { size_of::<AmafTable>() as u64 } else { 0 }
            + if self.has_index { Index::BYTES } else { 0 }
    }

    /// All columns of nodes.
    fn all(&mut self) -> [&mut dyn Rows; 14] {
        [
            &mut self.nodes,
            &mut self.totals,
            &mut self.bounds,
            &mut self.priors,
            &mut self.weights,
            &mut self.samples,
            &mut self.numbers,
            &mut self.amaf,
            &mut self.minimax,
            &mut self.entropies,
            &mut self.available,
            &mut self.values,
            &mut self.stamps,
            &mut self.probed,
        ]
    }

    /// The reserved bytes.
    pub(crate) const fn bytes(&self) -> u64 {
        self.room as u64 * self.node_bytes
            + self.family_room as u64 * self.family_bytes()
            + self.table_room as u64
    }

    /// Resets the tree to a root. All payoffs are within the range.
    pub(crate) fn clear(&mut self, kind: Kind, range: Bounds) {
        self.bounds.default = self.bounds.default.map(|_| range);
        let row = self.all().iter().map(|column| column.bytes()).sum::<usize>();
        self.node_bytes = (self.game_row + row) as u64;
        self.all().into_iter().for_each(|column| column.resize(0));
        self.families.clear();
        self.tables.clear();
        self.table_bytes = 0;
        self.index.clear();
        self.clock = 0;
        self.is_full = false;
        self.is_too_wide = false;
        self.all().into_iter().for_each(|column| column.resize(1));
        self.nodes[ROOT].kind = kind;
    }

    /// Reserves the next capacity minus the current one: double, capped at half of the remaining memory, which nodes
    /// and families share. An item takes `bytes`.
    fn more(room: usize, first: u64, bytes: u64, meter: &mut Meter) -> Option<usize> {
        let room = room as u64;
        let affordable = meter.memory_left() / bytes / 2;
        let more = room.max(first).min(affordable).min(MOST_NODES - room);
        (more >= LEAST_ROOM && meter.reserve(more * bytes).is_ok()).then_some(more as usize)
    }

    /// Reserves memory for a family with a table of `numbers` move numbers. Returns whether it succeeded.
    pub(crate) fn make_room_for_family(&mut self, numbers: usize, meter: &mut Meter) -> bool {
        let grows = self.families.len() >= self.family_room;
        let is_capped = self.most_families > 0 && self.families.len() >= self.most_families;
        let is_short = is_capped
            || grows && !self.grow_families(meter)
            || self.has_tables && !self.make_room_for_table(numbers, meter);
        self.is_full |= is_short;
        !is_short
    }

    fn grow_families(&mut self, meter: &mut Meter) -> bool {
        let more = Self::more(self.family_room, FIRST_ROOM / 8, self.family_bytes(), meter);
        let Some(more) = more else { return false };
        self.family_room += more;
        self.families.reserve_exact(self.family_room - self.families.len());
        true
    }

    fn make_room_for_table(&mut self, numbers: usize, meter: &mut Meter) -> bool {
        let bytes = AmafTable::bytes(numbers);
        if self.table_bytes + bytes > self.table_room as u64 {
            let Some(more) = Self::more(self.table_room, FIRST_ROOM.max(bytes), 1, meter) else {
                return false;
            };
            self.table_room += more;
        }
        self.table_bytes += bytes;
        self.table_bytes <= self.table_room as u64
    }

    /// Reserves memory for more nodes. Returns whether it succeeded.
    pub(crate) fn grow(&mut self, meter: &mut Meter) -> bool {
        let Some(more) = Self::more(self.room, FIRST_ROOM, self.node_bytes, meter) else {
            self.is_full = true;
            return false;
        };
        self.room += more;
        let room = self.room;
        self.all().into_iter().for_each(|column| column.reserve(room));
        true
    }

    /// Gives a node children by growing the columns to a length. The memory must be reserved.
    pub(crate) fn adopt(&mut self, node: u32, length: usize, score: Score, numbers: usize) {
        let first = self.nodes.len();
        self.nodes.default = Some(Node::unseen(score));
        self.all().into_iter().for_each(|column| column.resize(length));
        let count = (length - first).try_into().expect("a node was not given more");
        let family = self.families.len() as u32;
        self.families.push(Family { first: first as u32, count });
        if self.has_tables {
            self.tables.push(AmafTable::new(numbers));
        }
        let parent = &mut self.nodes[node];
        (parent.first, parent.count, parent.family) = (first as u32, count, family);
    }

    /// Copies rows to the end of the columns, as the beginning of a new family.
    pub(crate) fn copy_family(&mut self, from: Range<u32>, to: u32) {
        for column in self.all() {
            column.copy(from.start as usize, from.len(), to as usize);
        }
    }

    /// Gives a node the children of another node with the same position.
    pub(crate) fn link(&mut self, node: u32, family: u32) {
        let Family { first, count } = self.families[family as usize];
        let parent = &mut self.nodes[node];
        (parent.first, parent.count, parent.family) = (first, count, family);
        self.index.visits[family as usize] += parent.visits;
    }

    /// Records the priors of children, the largest first; those of a distribution add up to 1. Returns their former places.
    pub(crate) fn set_priors(
        &mut self,
        children: Range<u32>,
        priors: &[f64],
        is_distribution: bool,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..priors.len()).collect();
        sort_indices(&mut order, &|one, other| priors[other].total_cmp(&priors[one]));
        let sorted = order.iter().map(|&place| priors[place]);
        let whole = if is_distribution { sorted.clone().sum() } else { 1.0 };
        for (child, prior) in children.zip(sorted) {
            self.priors[child] = prior / whole;
        }
        order
    }

    /// The visits of the position at a node, along every path.
    #[inline(always)]
    pub(crate) fn visits(&self, node: u32) -> u32 {
        let node = &self.nodes[node];
        if self.has_index && node.first != NONE {
            self.index.visits[node.family as usize]
        } else {
            node.visits
        }
    }

    #[inline(always)]
    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.nodes[node].first != NONE
    }

    #[inline(always)]
    pub(crate) fn children(&self, node: u32) -> Range<u32> {
        let node = &self.nodes[node];
        if node.first == NONE { 0..0 } else { node.first..node.first + u32::from(node.count) }
    }

    pub(crate) fn visited(&self, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        self.children(node).filter(|&child| self.nodes[child].visits > 0)
    }

    /// The payoff of a node under best play, if it is proved.
    #[inline(always)]
    pub(crate) fn proved(&self, node: u32) -> Option<f64> {
        if self.bounds.is_used() { self.bounds[node].proved() } else { None }
    }

    /// Whether a child of a node is known to be as good as the node for the player who decides. It is not if a search beside the tree
    /// found the bounds of the node: that does not show by which move.
    pub(crate) fn shows_its_bounds(&self, node: u32) -> bool {
        if !self.bounds.is_used() {
            return true;
        }
        let (own, mut children) = (self.bounds[node], self.bounds[self.children(node)].iter());
        match self.nodes[node].kind {
            Kind::Max => children.any(|child| child.low >= own.low),
            Kind::Min => children.any(|child| child.high <= own.high),
            Kind::Chance | Kind::Over | Kind::Unseen => true,
        }
    }

    pub(crate) fn is_proved(&self, node: u32) -> bool {
        self.proved(node).is_some() || self.values.is_used() && self.values[node].is_proved()
    }

    /// Makes a node the root, and drops all nodes that are not below it, also from the board's columns.
    pub(crate) fn advance(&mut self, root: u32, columns: [&mut dyn Rows; 2]) {
        self.prune(root, 1, columns);
    }

    /// Notes that an iteration visited the nodes of a path.
    pub(crate) fn stamp(&mut self, path: &[Step]) {
        self.clock += 1;
        for step in path {
            self.stamps[step.node] = self.clock;
        }
    }

    /// Frees half of the nodes: the least visited nodes lose their children. With stamps it frees an eighth, and those lose theirs that
    /// were not visited for longest (Powley, Cowling, Whitehouse 2017, "Memory bounded Monte Carlo tree search", recycle one at a time).
    pub(crate) fn recycle(&mut self, columns: [&mut dyn Rows; 2]) {
        let least = if self.stamps.is_used() { self.oldest_to_stay() } else { self.least_visits_to_stay() };
        self.prune(ROOT, least, columns);
        self.is_full = false;
    }

    /// Removes the children of nodes with fewer than `least` visits, or an older stamp, and drops all nodes that are then not below
    /// `root`, which becomes the root. Prunes the board's columns alike.
    fn prune(&mut self, root: u32, least: u32, [moves, positions]: [&mut dyn Rows; 2]) {
        let mut moved = self.reachable(root, least);
        if self.has_index {
            self.index.keep(&moved);
        }
        self.copy(root as usize, 1, ROOT as usize, moves);
        // In their order, so that none is overwritten before it moves.
        let (mut next, mut families) = (1, 0);
        for (old, moved) in moved.iter_mut().enumerate().filter(|(_, moved)| **moved != NONE) {
            let Family { first, count } = self.families[old];
            self.copy(first as usize, count.into(), next, moves);
            positions.copy(old, 1, families);
            self.families[families] = Family { first: next as u32, count };
            if self.has_tables {
                self.tables.swap(families, old);
            }
            *moved = families as u32;
            families += 1;
            next += usize::from(count);
        }
        self.families.truncate(families);
        positions.resize(families);
        if self.has_tables && families > 0 {
            self.table_bytes = self.table_bytes / self.tables.len() as u64 * families as u64;
        }
        self.tables.truncate(families);
        self.all().into_iter().for_each(|column| column.resize(next));
        moves.resize(next);
        for node in self.nodes.iter_mut().filter(|node| node.first != NONE) {
            node.family = moved[node.family as usize];
            node.first = self.families[node.family as usize].first;
        }
    }

    /// For each family [`ROOT`] if it stays, else [`NONE`]. Nodes with fewer than `least` visits, or an older stamp, lose their
    /// children.
    fn reachable(&mut self, root: u32, least: u32) -> Vec<u32> {
        let mut stays = vec![NONE; self.families.len()];
        let mut open = Vec::with_capacity(self.families.len());
        if self.nodes[root].first != NONE {
            open.push(self.nodes[root].family);
            stays[self.nodes[root].family as usize] = ROOT;
        }
        while let Some(family) = open.pop() {
            let Family { first, count } = self.families[family as usize];
            for child in first..first + u32::from(count) {
                let stamp = self.stamps.is_used().then(|| self.stamps[child]);
                let node = &mut self.nodes[child];
                if stamp.unwrap_or(node.visits) < least {
                    (node.first, node.count) = (NONE, 0);
                } else if node.first != NONE && stays[node.family as usize] == NONE {
                    open.push(node.family);
                    stays[node.family as usize] = ROOT;
                }
            }
        }
        stays
    }

    fn copy(&mut self, from: usize, count: usize, to: usize, moves: &mut dyn Rows) {
        self.all().into_iter().for_each(|column| column.copy(from, count, to));
        moves.copy(from, count, to);
    }

    /// The oldest stamp with which a node keeps its children, such that at least an eighth of the nodes are dropped.
    fn oldest_to_stay(&self) -> u32 {
        let nodes = (ROOT..self.nodes.len() as u32).filter(|&node| self.is_expanded(node));
        let mut ages: Vec<(u32, usize)> =
            nodes.map(|node| (self.stamps[node], self.nodes[node].count.into())).collect();
        sort_values(&mut ages, &|one, other| one.cmp(other));
        let mut dropped = 0;
        let last = ages.into_iter().find(|&(_, count)| {
            dropped += count;
            8 * dropped >= self.nodes.len()
        });
        last.map_or(u32::MAX, |(stamp, _)| stamp + 1)
    }

    /// The least number of visits for a node to keep its children such that half of the nodes are dropped.
    fn least_visits_to_stay(&self) -> u32 {
        let half = self.nodes.len() as u64 / 2;
        // The children of nodes with each number of visits.
        let mut children = vec![0_u64; MOST_VISITS + 1];
        for node in self.nodes.iter().filter(|node| node.first != NONE) {
            children[(node.visits as usize).min(MOST_VISITS)] += u64::from(node.count);
        }
        let mut kept = 0;
        let mut least = MOST_VISITS;
        while least > 1 && kept + children[least] <= half {
            kept += children[least];
            least -= 1;
        }
        least as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_search_beside_the_tree_show_no_move() {
        let mut arena = Arena::new(0, 0);
        arena.bounds.default = Some(Bounds::default());
        let range = Bounds { low: -1.0, high: 1.0 };
        arena.clear(Kind::Max, range);
        arena.adopt(ROOT, 3, Score::UNUSED, 0);
        for child in arena.children(ROOT) {
            arena.bounds[child] = range;
        }
        assert!(arena.shows_its_bounds(ROOT));
        arena.bounds[ROOT].low = 0.0;
        assert!(!arena.shows_its_bounds(ROOT));
        arena.bounds[2].low = 0.0;
        assert!(arena.shows_its_bounds(ROOT));
        // For the other player a child must be as low.
        arena.nodes[ROOT].kind = Kind::Min;
        arena.bounds[ROOT] = Bounds { low: -1.0, high: 0.0 };
        assert!(!arena.shows_its_bounds(ROOT));
        arena.bounds[1] = Bounds::exactly(0.0);
        assert!(arena.shows_its_bounds(ROOT));
    }

    /// The node that was not visited for longest loses its children, however often it was visited; a path keeps all of its own.
    #[test]
    fn the_oldest_children_are_recycled() {
        let mut arena = Arena::new(0, 0);
        arena.stamps.default = Some(0);
        arena.clear(Kind::Max, Bounds { low: 0.0, high: 1.0 });
        arena.adopt(ROOT, 4, Score::UNUSED, 0);
        for child in 1..4 {
            arena.adopt(child, 4 + 2 * child as usize, Score::UNUSED, 0);
            arena.nodes[child].visits = 10 - child;
        }
        let step = |node| Step { node, parent: Kind::Max };
        for child in [1, 3, 2, 3] {
            arena.stamp(&[step(ROOT), step(child)]);
        }
        let [mut moves, mut positions] = [(), ()].map(|()| {
            let mut column = Column::default();
            column.default = Some(0_u8);
            column
        });
        moves.resize(10);
        positions.resize(4);
        // Two of ten nodes are more than an eighth.
        arena.recycle([&mut moves, &mut positions]);
        let kept: Vec<bool> = (1..4).map(|child| arena.is_expanded(child)).collect();
        assert_eq!((kept, arena.nodes.len()), (vec![false, true, true], 8));
    }
}
