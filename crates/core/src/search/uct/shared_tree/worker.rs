//! A thread of several that grow a shared tree.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::super::super::tree::{Board, Kind, Logarithms, ROOT, Root, Sample, Step, leaves_at_once, worst};
use super::super::settings::Plain;
use super::nodes::{Nodes, Results, Taken};
use super::top::Top;
use crate::game::{Batch, Call, accelerate};
use crate::rng::PlayoutRng;
use crate::search::{Limit, Meter, Stop, Ties};

pub(super) struct Shared<'s> {
    pub(super) root: &'s Root,
    pub(super) options: Plain,
    pub(super) nodes: &'s Nodes,
    /// The number of iterations that threads have taken.
    pub(super) iterations: &'s AtomicU64,
    /// The playouts that end the search, and the reason.
    pub(super) playouts: u64,
    pub(super) over: Stop,
    pub(super) threads: usize,
    /// Whether all threads stop when the tree is full, so that it can grow.
    pub(super) grows: bool,
}

impl Shared<'_> {
    fn batch(&self) -> u64 {
        self.options.playouts.batch().into()
    }

    /// The number of iterations that are taken at a time, and the least number between two readings of the top of the tree.
    fn period(&self) -> u32 {
        TAKEN_ITERATIONS.max(self.options.parallel.leaves())
    }
}

pub(super) struct Worker {
    /// The budget of this thread, without the playouts, and the work done.
    pub(super) meter: Meter,
    pub(super) stop: Option<Stop>,
    logarithms: Logarithms,
    taken: Taken,
    /// The iterations that it has taken and not begun.
    iterations: Range<u64>,
    top: Top,
    /// The iterations since the top was read.
    since_read: u32,
    path: Path,
    /// The paths to the leaves that wait for playouts.
    paths: Vec<Path>,
    /// The number of leaves to take before they are played out; 0 after that.
    most: usize,
    /// The numbers of playouts of these leaves.
    counts: Vec<u64>,
    samples: Vec<Sample>,
}

#[derive(Clone, Debug, Default)]
struct Path {
    steps: Vec<Step>,
    /// The rows of the first nodes in the thread's copy of the top, if they are there.
    rows: Vec<u32>,
}

/// The least number of iterations that a thread takes at a time, because all threads take them from one counter.
const TAKEN_ITERATIONS: u32 = 16;

enum Leaf {
    /// The present position of the board, to play out.
    Playouts,
    /// The payoff of a finished game.
    Known(f64),
    /// The tree is full, and will grow.
    Full,
    /// The budget allows no further node.
    Abandoned,
}

impl Worker {
    pub(super) fn new(leaves: usize, meter: Meter) -> Self {
        Self {
            meter,
            stop: None,
            logarithms: Logarithms::new(),
            taken: Taken::default(),
            iterations: 0..0,
            top: Top::default(),
            since_read: 0,
            path: Path::default(),
            paths: vec![Path::default(); leaves],
            most: 0,
            counts: Vec::with_capacity(leaves),
            samples: Vec::with_capacity(leaves),
        }
    }

    /// Iterates until the search is over, or until the tree is full and can grow.
    pub(super) fn run(&mut self, board: &mut dyn Board, shared: &Shared<'_>) {
        let pace = shared.batch() * shared.threads as u64;
        while self.stop.is_none() && !(shared.grows && shared.nodes.is_full()) {
            if self.since_read == 0 {
                self.top.read(shared.nodes, shared.period(), pace);
            }
            if !self.take_leaves(board, shared) {
                break;
            }
            self.play_out(board, shared);
            if self.since_read >= self.top.iterations || self.stop.is_some() {
                self.top.write(shared.nodes);
                self.since_read = 0;
            }
        }
    }

    /// Takes leaves from the tree. Their playouts count as lost until they are made. Returns whether they are all taken; if not, the tree
    /// must grow first.
    fn take_leaves(&mut self, board: &mut dyn Board, shared: &Shared<'_>) -> bool {
        let Shared { root, .. } = shared;
        let batch = shared.batch();
        if self.most == 0 {
            self.take_iterations(shared);
            self.most = leaves_at_once(shared.options.parallel.leaves(), self.iterations.start);
        }
        while self.counts.len() < self.most {
            // Finished games are no leaves to play out, so the copy may be due before there are enough.
            if self.counts.is_empty() && self.since_read >= self.top.iterations {
                break;
            }
            let iteration = match self.next_iteration(shared) {
                Ok(iteration) => iteration,
                Err(stop) => {
                    self.stop = Some(stop);
                    break;
                }
            };
            let first = iteration * batch;
            let count = batch.min(shared.playouts - first);
            let leaf = accelerate(Call(descend, (&mut *self, &mut *board, shared, iteration)));
            if !matches!(leaf, Leaf::Full) {
                self.since_read += 1;
                self.meter.count_nodes(self.path.steps.len() as u64 - 1);
            }
            match leaf {
                Leaf::Playouts => {
                    self.lose(shared, count);
                    // Counted at once, so that all leaves together keep the budget.
                    self.meter.begin_playouts(count);
                    mem::swap(&mut self.path, &mut self.paths[self.counts.len()]);
                    board.keep(Batch { key: root.playouts, first, count });
                    self.counts.push(count);
                }
                Leaf::Known(payoff) => {
                    let sample = Sample::exactly(payoff, count);
                    self.meter.count_playouts(&sample.work());
                    back_up(shared, &mut self.top, &self.path, &sample, false);
                }
                Leaf::Full => {
                    self.iterations.start = iteration;
                    return false;
                }
                Leaf::Abandoned => {
                    self.stop = Some(Stop::Limit(Limit::Nodes));
                    break;
                }
            }
        }
        true
    }

    /// Takes some of the next iterations, if it has none.
    fn take_iterations(&mut self, shared: &Shared<'_>) {
        if self.iterations.is_empty() {
            let taken = shared.period().into();
            let first = shared.iterations.fetch_add(taken, Ordering::Relaxed);
            self.iterations = first..first + taken;
        }
    }

    /// The next iteration, or the reason why there is none.
    fn next_iteration(&mut self, shared: &Shared<'_>) -> Result<u64, Stop> {
        self.meter.check().map_err(Stop::Limit)?;
        self.take_iterations(shared);
        let iteration = self.iterations.start;
        if iteration.saturating_mul(shared.batch()) >= shared.playouts {
            return Err(shared.over);
        }
        self.iterations.start += 1;
        Ok(iteration)
    }

    /// Counts the playouts of the leaf at the end of the path as lost.
    fn lose(&mut self, shared: &Shared<'_>, playouts: u64) {
        let (nodes, playouts) = (shared.nodes, playouts as i64);
        for (index, step) in self.path.steps.iter().enumerate() {
            let Some(worst) = worst(step.parent, shared.root.range) else { continue };
            let lost = nodes.packing.packed(playouts, worst as i64 * playouts);
            match self.path.rows.get(index) {
                Some(&row) => self.top.add(row, nodes, lost),
                None => nodes.add(step.node, step.parent, lost),
            }
        }
    }

    /// Makes the playouts of the leaves, and adds their results in place of the losses.
    fn play_out(&mut self, board: &mut dyn Board, shared: &Shared<'_>) {
        if self.counts.is_empty() {
            return;
        }
        self.most = 0;
        board.play_kept(&mut self.samples);
        self.meter.end_batch();
        for ((path, count), sample) in self.paths.iter().zip(self.counts.drain(..)).zip(&self.samples) {
            self.meter.end_playouts(count, sample.plies);
            back_up(shared, &mut self.top, path, sample, true);
        }
    }

    /// Gives the node at which the board is children, if another thread does not. `None` if it stays a leaf.
    #[inline(never)]
    fn expand(
        &mut self,
        board: &mut dyn Board,
        shared: &Shared<'_>,
        (node, kind, results): (u32, Kind, Results),
        draws: &mut PlayoutRng,
    ) -> Option<Range<u32>> {
        let Shared { root, nodes, options, .. } = shared;
        let is_shuffled = kind != Kind::Chance && options.ties == Ties::Random;
        let count = board.list(kind, is_shuffled.then_some(draws));
        let score = options.first_play.score(options.selection, || {
            kind.view(root.scale.value(results.sum as f64 / f64::from(results.visits.max(1))))
        });
        let write = |family, first| board.share(family, first);
        nodes.expand((node, kind), count, score, &mut self.taken, write)
    }
}

/// Adds a result to all nodes of a path. If its playouts were counted as lost, it takes the place of the losses.
fn back_up(shared: &Shared<'_>, top: &mut Top, path: &Path, sample: &Sample, was_lost: bool) {
    let nodes = shared.nodes;
    let (playouts, sum, squares) = (sample.playouts as i64, sample.sum as i64, sample.squares as u64);
    for (index, step) in path.steps.iter().enumerate().rev() {
        let added = match worst(step.parent, shared.root.range).filter(|_| was_lost) {
            Some(worst) => nodes.packing.packed(0, sum - worst as i64 * playouts),
            None => nodes.packing.packed(playouts, sum),
        };
        let squares = if index == 1 { squares } else { 0 };
        if let Some(&row) = path.rows.get(index) {
            top.add(row, nodes, added);
            // The tree does not know of losses in the copy.
            top.note(row, nodes.packing.packed(playouts, sum));
            if squares > 0 {
                top.squares[row as usize - 1] += squares;
            }
        } else {
            nodes.add(step.node, step.parent, added);
            if squares > 0 {
                nodes.add_squares(step.node, squares);
            }
        }
    }
}

/// A descent from the root to a leaf: selection and expansion.
#[inline(always)]
fn descend(
    (worker, board, shared, iteration): (&mut Worker, &mut (dyn Board + '_), &Shared<'_>, u64),
) -> Leaf {
    let Shared { root, nodes, options, .. } = *shared;
    let exploration = options.selection.exploration() * root.scale.exploration;
    let threshold = options.expansion.threshold();
    let mut draws = root.in_tree.playout(iteration);
    let nodes_left = worker.meter.nodes_left();
    let mut node = ROOT;
    let Path { steps, rows } = &mut worker.path;
    steps.clear();
    rows.clear();
    steps.push(Step { node, parent: Kind::Unseen });
    if !worker.top.is_empty() {
        rows.push(0);
        let factor = |visits| exploration * worker.logarithms.root(visits);
        while let Some((row, kind)) = worker.top.best_child(rows[rows.len() - 1], nodes, factor) {
            if steps.len() as u64 > nodes_left {
                return Leaf::Abandoned;
            }
            node = worker.top.node(row);
            steps.push(Step { node, parent: kind });
            rows.push(row);
        }
    }
    // The tree does not have all results of a node in the copy.
    let mut copied = worker.path.rows.last().map(|&row| nodes.packing.unpacked(worker.top.results(row)));
    loop {
        let link = nodes.link(node);
        let kind = link.kind();
        if matches!(kind, Kind::Unseen | Kind::Over) {
            let (kind, payoff) = go(board, nodes, node);
            nodes.see(node, kind);
            return if kind == Kind::Over { Leaf::Known(payoff) } else { Leaf::Playouts };
        }
        let results = copied.unwrap_or_else(|| nodes.results(node));
        let children = if let Some(children) = link.children() {
            children
        } else {
            go(board, nodes, node);
            let is_ripe = node == ROOT || results.visits >= threshold;
            if !is_ripe || node != ROOT && !shared.grows && nodes.is_full() {
                return Leaf::Playouts;
            }
            let expanded = worker.expand(board, shared, (node, kind, results), &mut draws);
            // Read once: another thread may give the node children meanwhile.
            let link = nodes.link(node);
            match expanded {
                Some(children) => children,
                // Another thread was first.
                None if link.children().is_some() => continue,
                None if node == ROOT && link.is_pending() => {
                    // Each playout belongs to a move of the root.
                    thread::yield_now();
                    continue;
                }
                None if shared.grows && nodes.is_full() => return Leaf::Full,
                None => return Leaf::Playouts,
            }
        };
        if worker.path.steps.len() as u64 > nodes_left {
            return Leaf::Abandoned;
        }
        let child = if kind == Kind::Chance {
            board.draw_shared(nodes.family_of(children.start), &mut draws)
        } else {
            nodes.best_child(children, exploration * worker.logarithms.root(results.visits))
        };
        worker.path.steps.push(Step { node: child, parent: kind });
        (node, copied) = (child, None);
    }
}

/// Goes to the position at a node; see [`Board::go`].
#[inline(always)]
fn go(board: &mut dyn Board, nodes: &Nodes, node: u32) -> (Kind, f64) {
    if node == ROOT { board.go(None) } else { board.go_shared(nodes.family_of(node), node) }
}
