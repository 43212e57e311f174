//! A thread's copy of the top of the tree.
//!
//! All threads pass through the top of the tree in most iterations. If each wrote its results there at once, each would wait for the
//! others' writes most of the time. So a thread reads these nodes once for some iterations, works on the copy, and adds all results
//! together.

use std::ops::Range;

use super::super::super::tree::{Kind, ROOT, Score};
use super::super::selection::best_of;
use super::nodes::{Link, Nodes, Packed};

/// The copy. The first row is the root; there is none before the root has children.
#[derive(Clone, Debug, Default)]
pub(super) struct Top {
    rows: Vec<Row>,
    scores: Vec<Score>,
    /// The squares of the payoffs of the root's children, which are the first rows after it.
    pub(super) squares: Vec<u64>,
    /// The least visits of a node whose children are copied.
    enough: u32,
    /// The number of iterations for which it is used.
    pub(super) iterations: u32,
}

#[derive(Clone, Debug)]
struct Row {
    results: Packed,
    /// The results that the tree does not have yet.
    change: Packed,
    link: Link,
    node: u32,
    /// The row of the first child; 0 before the children are copied, [`NEVER`] if they are not.
    first: u32,
    /// The kind of the node that decides to visit this one.
    parent: Kind,
}

/// The children are not copied.
const NEVER: u32 = u32::MAX;

/// All threads together hold back at most this part of the playouts so far, except when they have made few.
const PART: u64 = 16;

/// The most iterations for which a copy is used. The results are written after them, and a limit of time waits for that.
const MOST_ITERATIONS: u64 = 2048;

/// The children of a node are copied if at least this number of descents through it is expected.
const LEAST_USES: u32 = 2;

impl Top {
    /// Copies the root, for at least `least` iterations. `pace` is the number of playouts if each thread makes one iteration. The children of a
    /// node are copied at the first descent through it, if at least [`LEAST_USES`] descents are expected.
    pub(super) fn read(&mut self, nodes: &Nodes, least: u32, pace: u64) {
        self.clear();
        let visits = nodes.results(ROOT).visits;
        let wanted = (u64::from(visits) / (PART * pace)).min(MOST_ITERATIONS) as u32;
        self.iterations = wanted.max(least);
        self.enough = (u64::from(visits) * u64::from(LEAST_USES)).div_ceil(self.iterations.into()) as u32;
        if visits >= least && nodes.link(ROOT).children().is_some() {
            self.copy(nodes, ROOT, Kind::Unseen);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn copy(&mut self, nodes: &Nodes, node: u32, parent: Kind) {
        let (results, score, link) = nodes.read(node);
        // Decided now, so that the losses of a path are not divided between the copy and the tree.
        let is_copied = nodes.packing.unpacked(results).visits >= self.enough && link.kind().is_player();
        let first = if is_copied && link.children().is_some() { 0 } else { NEVER };
        self.rows.push(Row { results, change: Packed::default(), link, node, first, parent });
        self.scores.push(score);
    }

    /// The child of a row with the largest bound, and who decides there. `factor` is the weight of the width for a number of visits.
    /// `None` if the children are not copied.
    #[inline(always)]
    pub(super) fn best_child(
        &mut self,
        row: u32,
        nodes: &Nodes,
        factor: impl FnOnce(u32) -> f64,
    ) -> Option<(u32, Kind)> {
        let Row { link, results, first, .. } = self.rows[row as usize];
        let first = match first {
            NEVER => return None,
            0 => self.copy_children(row, nodes)?,
            first => first,
        };
        let factor = factor(nodes.packing.unpacked(results).visits);
        let scores = self.scores[first as usize..first as usize + link.count()].iter();
        let best = first + best_of(scores.map(|score| score.value + factor * score.width));
        Some((best, link.kind()))
    }

    #[inline(never)]
    fn copy_children(&mut self, row: u32, nodes: &Nodes) -> Option<u32> {
        let link = self.rows[row as usize].link;
        let (children, first): (Range<u32>, usize) = (link.children()?, self.rows.len());
        children.for_each(|child| self.copy(nodes, child, link.kind()));
        if row == 0 {
            self.squares.resize(link.count(), 0);
        }
        self.rows[row as usize].first = first as u32;
        Some(first as u32)
    }

    #[inline(always)]
    pub(super) fn node(&self, row: u32) -> u32 {
        self.rows[row as usize].node
    }

    /// The results of a row: those of the tree, and what it does not have yet.
    #[inline(always)]
    pub(super) fn results(&self, row: u32) -> Packed {
        self.rows[row as usize].results
    }

    /// Adds results to the copy of a node.
    #[inline(always)]
    pub(super) fn add(&mut self, row: u32, nodes: &Nodes, added: Packed) {
        let Row { results, parent, .. } = &mut self.rows[row as usize];
        *results = results.plus(added);
        self.scores[row as usize] = nodes.score_of(*results, *parent);
    }

    /// Notes what is to be added to a node of the tree.
    #[inline(always)]
    pub(super) fn note(&mut self, row: u32, added: Packed) {
        let Row { change, .. } = &mut self.rows[row as usize];
        *change = change.plus(added);
    }

    /// Adds to the tree what was noted, and forgets the copy.
    pub(super) fn write(&mut self, nodes: &Nodes) {
        for row in self.rows.iter().filter(|row| row.change != Packed::default()) {
            nodes.add(row.node, row.parent, row.change);
        }
        for (row, squares) in self.rows.iter().skip(1).zip(&self.squares) {
            nodes.add_squares(row.node, *squares);
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.scores.clear();
        self.squares.clear();
    }
}
