//! The tree: flat columns, `u32` links, the children of a node side by side.
//!
//! What selection reads for every child, a value and a width, stands in a column of its own; what is touched once an
//! iteration in another. Columns that only some parts need are empty for the others. A node is given its children
//! when they are to be visited, not before, so that most nodes take no more than their own line.

use super::selection::Log;
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

/// What happened at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The payoffs of its playouts for the player at the root, added up, and their squares.
    pub(super) sum: f64,
    pub(super) squares: f64,
    /// How many playouts.
    pub(super) visits: u32,
    /// The first of its children, which stand side by side; none before it is expanded.
    pub(super) first: u32,
    pub(super) parent: u32,
    pub(super) count: u16,
    pub(super) kind: Kind,
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
}

/// What the playouts gave in which a child's move was made at once or later, for who decides at its parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amaf {
    pub(super) sum: f64,
    pub(super) visits: u32,
}

/// A tree of moves.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<Node>,
    pub(super) scores: Vec<Score>,
    /// The move that leads to each node but the root: that of node *n* stands at *n* − 1.
    moves: Vec<M>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) priors: Vec<f64>,
    pub(super) amaf: Vec<Amaf>,
    /// Shares for the player at the root.
    pub(super) heuristics: Vec<f64>,
    pub(super) columns: Columns,
    /// How many nodes there is memory for.
    room: usize,
    /// Whether there was no room for the children of a node.
    pub(super) full: bool,
    pub(super) log: Log,
}

/// What no tree has more of.
const MOST_NODES: u64 = u32::MAX as u64 - 1;

/// For how many nodes memory is taken at first.
const FIRST_ROOM: u64 = 1024;

impl<M: Copy + Eq> Tree<M> {
    pub(super) fn new(columns: Columns) -> Self {
        Self {
            nodes: Vec::new(),
            scores: Vec::new(),
            moves: Vec::new(),
            bounds: Vec::new(),
            priors: Vec::new(),
            amaf: Vec::new(),
            heuristics: Vec::new(),
            columns,
            room: 0,
            full: false,
            log: Log::new(),
        }
    }

    /// The bytes that a node takes, those of the list that recycling needs included.
    const fn node_bytes(&self) -> u64 {
        let always = size_of::<Node>() + size_of::<Score>() + size_of::<M>() + size_of::<u32>();
        let bounds = if self.columns.bounds { size_of::<Bounds>() } else { 0 };
        let priors = if self.columns.priors { size_of::<f64>() } else { 0 };
        let amaf = if self.columns.amaf { size_of::<Amaf>() } else { 0 };
        let heuristics = if self.columns.heuristics { size_of::<f64>() } else { 0 };
        (always + bounds + priors + amaf + heuristics) as u64
    }

    /// How many bytes the tree holds.
    pub(super) const fn bytes(&self) -> u64 {
        self.room as u64 * self.node_bytes()
    }

    /// A tree with nothing but a root.
    pub(super) fn clear(&mut self, kind: Kind, bounds: Bounds) {
        self.truncate(0);
        self.full = false;
        self.nodes.push(Node { kind, ..Self::unseen(NONE) });
        self.scores.push(Score { value: 0.0, width: 0.0 });
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

    const fn unseen(parent: u32) -> Node {
        Node { sum: 0.0, squares: 0.0, visits: 0, first: NONE, parent, count: 0, kind: Kind::Unseen }
    }

    /// Takes memory for more nodes, twice as many where the meter allows it. Returns whether there are more.
    pub(super) fn grow(&mut self, meter: &mut Meter) -> bool {
        let room = self.room as u64;
        let affordable = meter.memory_left() / self.node_bytes();
        let more = room.max(FIRST_ROOM).min(affordable).min(MOST_NODES - room);
        if more == 0 || meter.reserve(more * self.node_bytes()).is_err() {
            return false;
        }
        self.room += more as usize;
        let more = self.room - self.nodes.len();
        self.nodes.reserve_exact(more);
        self.scores.reserve_exact(more);
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
        moves: impl Iterator<Item = M>,
        score: Score,
        bounds: Bounds,
        meter: &mut Meter,
    ) -> bool {
        let first = self.nodes.len();
        for mv in moves {
            if self.nodes.len() >= self.room && !self.grow(meter) {
                self.truncate(first);
                self.full = true;
                return false;
            }
            self.nodes.push(Self::unseen(node));
            self.scores.push(score);
            self.moves.push(mv);
            self.push_columns(bounds);
        }
        let count = self.nodes.len() - first;
        let parent = &mut self.nodes[node as usize];
        parent.first = first as u32;
        parent.count = count.try_into().expect("a position has fewer than 65 536 moves");
        true
    }

    fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
        self.scores.truncate(length);
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
        // Children stand behind their parents, so that one pass in order moves everything down.
        let mut moved = vec![NONE; self.nodes.len()];
        let mut next = 0;
        for old in root as usize..self.nodes.len() {
            let node = self.nodes[old];
            let parent = if old == root as usize { NONE } else { moved[node.parent as usize] };
            if old != root as usize {
                // Its parent is gone, or has lost its children.
                if parent == NONE || self.nodes[parent as usize].first == NONE {
                    continue;
                }
                self.moves[next - 1] = self.moves[old - 1];
                let parent = &mut self.nodes[parent as usize];
                // The links of those that stay lead to where the first child stood.
                if parent.first == old as u32 {
                    parent.first = next as u32;
                }
            }
            moved[old] = next as u32;
            let keeps = node.visits >= least || old == root as usize;
            self.nodes[next] =
                if keeps { Node { parent, ..node } } else { Node { parent, first: NONE, count: 0, ..node } };
            self.scores[next] = self.scores[old];
            if self.columns.bounds {
                self.bounds[next] = self.bounds[old];
            }
            if self.columns.priors {
                self.priors[next] = self.priors[old];
            }
            if self.columns.amaf {
                self.amaf[next] = self.amaf[old];
            }
            if self.columns.heuristics {
                self.heuristics[next] = self.heuristics[old];
            }
            next += 1;
        }
        self.truncate(next);
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
