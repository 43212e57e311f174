//! The tree: flat columns, `u32` links, the children of a node side by side.
//!
//! What the way down reads stands in a column of its own, so that what follows from a choice lies beside what was chosen by;
//! what only the way up touches stands in another. Columns that only some parts need are empty for the others. A node is given its children
//! when they are to be visited, not before, so that most nodes take no more than their own line. With them the position
//! is kept, once for all of them: a way down makes no moves until it leaves the tree.

use super::grave::AmafTable;
use super::selection::Log;
use super::transposition::Index;
use crate::game::{Player, Turn};
use crate::search::Meter;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// The root.
pub(super) const ROOT: u32 = 0;

/// Who decides at a node, seen from the player at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nobody has been there.
    Unseen,
    /// The player at the root: the largest value counts.
    Own,
    /// The opponent: the smallest value counts.
    Other,
    /// Chance.
    Chance,
    /// The game is over.
    Over,
}

impl Kind {
    pub(super) fn of(turn: Turn, player: Player) -> Self {
        match turn {
            Turn::Player(mover) if mover == player => Self::Own,
            Turn::Player(_) => Self::Other,
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }
}

/// What the way down reads of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) score: Score,
    /// How many playouts.
    pub(super) visits: u32,
    /// The first of its children, which stand side by side; none before it is expanded.
    pub(super) first: u32,
    /// The family that its children are, if it has any.
    pub(super) family: u32,
    pub(super) count: u16,
    pub(super) kind: Kind,
}

/// What the way up adds up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// The payoffs of a node's playouts for the player at the root, and their squares.
    pub(super) sum: f64,
    pub(super) squares: f64,
}

/// The children of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family<P> {
    pub(super) position: P,
    first: u32,
    count: u16,
}

/// What selection reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    /// The value in `[0, 1]` for who decides at the parent. +∞: to be visited first. −∞: never again.
    pub(super) value: f64,
    /// 1/√visits; 0 where there was none.
    pub(super) width: f64,
}

/// What the payoff under best play of both is known to lie between, for the player at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Bounds {
    pub(super) fn is_exact(self) -> bool {
        self.low >= self.high
    }
}

/// The columns that not every search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each column is there or not, whatever the others")]
pub(super) struct Columns {
    /// Bounds of nodes.
    pub(super) bounds: bool,
    /// A number that is known of a child when it is made: its prior, or its weight where chance moves.
    pub(super) priors: bool,
    /// What all moves as first gave.
    pub(super) amaf: bool,
    /// Evaluations, backed up.
    pub(super) heuristics: bool,
    /// What all moves made below a position gave.
    pub(super) tables: bool,
    /// Which positions are the same.
    pub(super) index: bool,
}

/// What the playouts gave in which a child's move was made at once or later, for who decides at its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amaf {
    pub(super) sum: f64,
    pub(super) visits: u32,
}

/// A tree of moves.
#[derive(Clone, Debug)]
pub(super) struct Tree<P, M> {
    pub(super) nodes: Vec<Node>,
    pub(super) totals: Vec<Totals>,
    /// In the order of their children.
    pub(super) families: Vec<Family<P>>,
    /// Of each family.
    pub(super) tables: Vec<AmafTable>,
    pub(super) index: Index,
    /// The move that leads to each node but the root: that of node *n* stands at *n* − 1.
    moves: Vec<M>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) priors: Vec<f64>,
    pub(super) amaf: Vec<Amaf>,
    /// Shares for the player at the root.
    pub(super) heuristics: Vec<f64>,
    pub(super) columns: Columns,
    /// How many nodes there is memory for, and how many families.
    room: usize,
    family_room: usize,
    /// What tables there is memory for, in bytes, and what they take.
    table_room: usize,
    table_bytes: u64,
    /// Whether there was no room for the children of a node.
    pub(super) full: bool,
    pub(super) log: Log,
}

/// What no tree has more of.
const MOST_NODES: u64 = u32::MAX as u64 - 1;

/// For how many nodes memory is taken at first.
const FIRST_ROOM: u64 = 1024;

/// So few nodes more, or families, are no room.
const LEAST_ROOM: u64 = 8;

impl<P: Copy + Eq, M: Copy + Eq> Tree<P, M> {
    pub(super) fn new(columns: Columns) -> Self {
        Self {
            nodes: Vec::new(),
            totals: Vec::new(),
            families: Vec::new(),
            tables: Vec::new(),
            index: Index::default(),
            moves: Vec::new(),
            bounds: Vec::new(),
            priors: Vec::new(),
            amaf: Vec::new(),
            heuristics: Vec::new(),
            columns,
            room: 0,
            family_room: 0,
            table_room: 0,
            table_bytes: 0,
            full: false,
            log: Log::new(),
        }
    }

    /// The bytes that a family takes, those of the two lists that recycling needs included.
    const fn family_bytes(&self) -> u64 {
        let always = size_of::<Family<P>>() + 2 * size_of::<u32>();
        let table = if self.columns.tables { size_of::<AmafTable>() } else { 0 };
        let index = if self.columns.index { Index::BYTES } else { 0 };
        (always + table) as u64 + index
    }

    /// The bytes that a node takes.
    const fn node_bytes(&self) -> u64 {
        let always = size_of::<Node>() + size_of::<Totals>() + size_of::<M>();
        let bounds = if self.columns.bounds { size_of::<Bounds>() } else { 0 };
        let priors = if self.columns.priors { size_of::<f64>() } else { 0 };
        let amaf = if self.columns.amaf { size_of::<Amaf>() } else { 0 };
        let heuristics = if self.columns.heuristics { size_of::<f64>() } else { 0 };
        (always + bounds + priors + amaf + heuristics) as u64
    }

    /// How many bytes the tree holds.
    pub(super) const fn bytes(&self) -> u64 {
        self.room as u64 * self.node_bytes()
            + self.family_room as u64 * self.family_bytes()
            + self.table_room as u64
    }

    /// A tree with nothing but a root.
    pub(super) fn clear(&mut self, kind: Kind, bounds: Bounds) {
        self.truncate(0);
        self.families.clear();
        self.tables.clear();
        self.table_bytes = 0;
        self.index.clear();
        self.full = false;
        self.nodes.push(Node { kind, ..Self::unseen(Score { value: 0.0, width: 0.0 }) });
        self.totals.push(Totals::default());
        self.push_columns(bounds);
    }

    /// A line of the columns that not every search needs.
    #[inline(always)]
    fn push_columns(&mut self, bounds: Bounds) {
        if self.columns.bounds {
            self.bounds.push(bounds);
        }
        if self.columns.priors {
            self.priors.push(0.0);
        }
        if self.columns.amaf {
            self.amaf.push(Amaf::default());
        }
        if self.columns.heuristics {
            self.heuristics.push(0.5);
        }
    }

    const fn unseen(score: Score) -> Node {
        Node { score, visits: 0, first: NONE, family: NONE, count: 0, kind: Kind::Unseen }
    }

    /// How many more there can be of what there are so many and take so many bytes each: twice as many, but no more than
    /// half of the memory that is left, for nodes and families share it. Reserves it.
    fn more(room: usize, first: u64, bytes: u64, meter: &mut Meter) -> Option<usize> {
        let room = room as u64;
        let affordable = meter.memory_left() / bytes / 2;
        let more = room.max(first).min(affordable).min(MOST_NODES - room);
        (more >= LEAST_ROOM && meter.reserve(more * bytes).is_ok()).then_some(more as usize)
    }

    /// Takes memory for more families. Returns whether there are more.
    fn grow_families(&mut self, meter: &mut Meter) -> bool {
        let more = Self::more(self.family_room, FIRST_ROOM / 8, self.family_bytes(), meter);
        let Some(more) = more else { return false };
        self.family_room += more;
        self.families.reserve_exact(self.family_room - self.families.len());
        true
    }

    /// Takes memory for a table of moves with numbers below this. Returns whether there is some.
    fn has_room_for_table(&mut self, numbers: usize, meter: &mut Meter) -> bool {
        let bytes = AmafTable::bytes(numbers);
        if self.table_bytes + bytes > self.table_room as u64 {
            let first = FIRST_ROOM.max(bytes);
            let Some(more) = Self::more(self.table_room, first, 1, meter) else { return false };
            self.table_room += more;
        }
        self.table_bytes += bytes;
        self.table_bytes <= self.table_room as u64
    }

    /// Takes memory for more nodes. Returns whether there are more.
    fn grow(&mut self, meter: &mut Meter) -> bool {
        let Some(more) = Self::more(self.room, FIRST_ROOM, self.node_bytes(), meter) else { return false };
        self.room += more;
        let more = self.room - self.nodes.len();
        self.nodes.reserve_exact(more);
        self.totals.reserve_exact(more);
        self.moves.reserve_exact(more);
        if self.columns.bounds {
            self.bounds.reserve_exact(more);
        }
        if self.columns.priors {
            self.priors.reserve_exact(more);
        }
        if self.columns.amaf {
            self.amaf.reserve_exact(more);
        }
        if self.columns.heuristics {
            self.heuristics.reserve_exact(more);
        }
        true
    }

    /// Gives a node its children, each with this score. Returns whether there was room; else nothing has changed.
    pub(super) fn expand(
        &mut self,
        node: u32,
        position: P,
        moves: impl Iterator<Item = M>,
        (score, bounds): (Score, Bounds),
        numbers: usize,
        meter: &mut Meter,
    ) -> bool {
        let grows = self.families.len() >= self.family_room;
        if grows && !self.grow_families(meter)
            || self.columns.tables && !self.has_room_for_table(numbers, meter)
        {
            self.full = true;
            return false;
        }
        let first = self.nodes.len();
        for mv in moves {
            if self.nodes.len() >= self.room && !self.grow(meter) {
                self.truncate(first);
                self.full = true;
                return false;
            }
            self.nodes.push(Self::unseen(score));
            self.totals.push(Totals::default());
            self.moves.push(mv);
            self.push_columns(bounds);
        }
        let count = self.nodes.len() - first;
        let count = count.try_into().expect("a position has fewer than 65 536 moves");
        let family = self.families.len() as u32;
        self.families.push(Family { position, first: first as u32, count });
        if self.columns.tables {
            self.tables.push(AmafTable::new(numbers));
        }
        let parent = &mut self.nodes[node as usize];
        (parent.first, parent.count, parent.family) = (first as u32, count, family);
        true
    }

    /// The family of a position with this key, if it has one.
    pub(super) fn family_of(&self, key: u128, position: &P) -> Option<u32> {
        self.index.families(key).find(|&family| self.families[family as usize].position == *position)
    }

    /// Gives a node the children of another way to its position.
    pub(super) fn link(&mut self, node: u32, family: u32) {
        let Family { first, count, .. } = self.families[family as usize];
        let parent = &mut self.nodes[node as usize];
        (parent.first, parent.count, parent.family) = (first, count, family);
        self.index.visits[family as usize] += parent.visits;
    }

    /// How often the position at a node was visited, by whichever way.
    #[inline(always)]
    pub(super) fn visits(&self, node: u32) -> u32 {
        let node = self.node(node);
        if self.columns.index && node.first != NONE {
            self.index.visits[node.family as usize]
        } else {
            node.visits
        }
    }

    fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
        self.totals.truncate(length);
        self.moves.truncate(length.saturating_sub(1));
        self.bounds.truncate(length);
        self.priors.truncate(length);
        self.amaf.truncate(length);
        self.heuristics.truncate(length);
    }

    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The children of a node, as a range of nodes.
    #[inline(always)]
    pub(super) fn children(&self, node: u32) -> std::ops::Range<u32> {
        let node = self.node(node);
        if node.first == NONE { 0..0 } else { node.first..node.first + u32::from(node.count) }
    }

    /// The move that leads to a node.
    #[inline(always)]
    pub(super) fn mv(&self, node: u32) -> M {
        self.moves[node as usize - 1]
    }

    /// The position at a node that has children.
    #[inline(always)]
    pub(super) fn position_of(&self, node: u32) -> P {
        self.families[self.node(node).family as usize].position
    }

    /// The moves that lead to the children of a node.
    pub(super) fn moves_of(&mut self, node: u32) -> &mut [M] {
        let children = self.children(node);
        &mut self.moves[children.start as usize - 1..children.end as usize - 1]
    }

    /// The child of a node by this move.
    #[inline(always)]
    pub(super) fn child_by(&self, node: u32, mv: M) -> Option<u32> {
        self.children(node).find(|&child| self.mv(child) == mv)
    }

    /// Makes room: nodes with fewer than `least` visits lose their children, and all that is then not below
    /// `root`, which becomes the root.
    pub(super) fn prune(&mut self, root: u32, least: u32) {
        let mut moved = vec![NONE; self.families.len()];
        let mut open = Vec::with_capacity(self.families.len());
        // Which families stay.
        if self.node(root).first != NONE {
            open.push(self.node(root).family);
            moved[self.node(root).family as usize] = ROOT;
        }
        while let Some(family) = open.pop() {
            let Family { first, count, .. } = self.families[family as usize];
            for node in &mut self.nodes[first as usize..first as usize + usize::from(count)] {
                if node.visits < least {
                    (node.first, node.count) = (NONE, 0);
                } else if node.first != NONE && moved[node.family as usize] == NONE {
                    open.push(node.family);
                    moved[node.family as usize] = ROOT;
                }
            }
        }
        if self.columns.index {
            self.index.keep(&moved);
        }
        self.copy_nodes(root as usize, 1, ROOT as usize);
        // They move down in their order, so that none is written over before it has moved.
        let (mut next, mut families) = (1, 0);
        for (old, moved) in moved.iter_mut().enumerate().filter(|(_, moved)| **moved != NONE) {
            let family = self.families[old];
            let (first, count) = (family.first as usize, usize::from(family.count));
            self.copy_nodes(first, count, next);
            self.moves.copy_within(first - 1..first - 1 + count, next - 1);
            self.families[families] = Family { first: next as u32, ..family };
            if self.columns.tables {
                self.tables.swap(families, old);
            }
            *moved = families as u32;
            families += 1;
            next += count;
        }
        self.families.truncate(families);
        if self.columns.tables && families > 0 {
            self.table_bytes = self.table_bytes / self.tables.len() as u64 * families as u64;
        }
        self.tables.truncate(families);
        self.truncate(next);
        for node in self.nodes.iter_mut().filter(|node| node.first != NONE) {
            node.family = moved[node.family as usize];
            node.first = self.families[node.family as usize].first;
        }
    }

    /// Copies all of some nodes but the moves that lead to them.
    fn copy_nodes(&mut self, from: usize, count: usize, to: usize) {
        let range = from..from + count;
        self.nodes.copy_within(range.clone(), to);
        self.totals.copy_within(range.clone(), to);
        if self.columns.bounds {
            self.bounds.copy_within(range.clone(), to);
        }
        if self.columns.priors {
            self.priors.copy_within(range.clone(), to);
        }
        if self.columns.amaf {
            self.amaf.copy_within(range.clone(), to);
        }
        if self.columns.heuristics {
            self.heuristics.copy_within(range, to);
        }
    }

    /// Makes room for half as many nodes as there are: those with the fewest visits lose their children.
    pub(super) fn recycle(&mut self) {
        const MOST: usize = 1 << 16;
        let half = self.nodes.len() as u64 / 2;
        // How many children hang on nodes with so many visits, up to where it does not matter any more.
        let mut hang = vec![0_u64; MOST + 1];
        for node in self.nodes.iter().filter(|node| node.first != NONE) {
            hang[(node.visits as usize).min(MOST)] += u64::from(node.count);
        }
        let mut kept = 0;
        let mut least = MOST;
        while least > 1 && kept + hang[least] <= half {
            kept += hang[least];
            least -= 1;
        }
        self.prune(ROOT, least as u32 + 1);
        self.full = false;
    }
}
