//! One of the threads that grow a shared tree.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::super::super::board::shuffle;
use super::super::super::tree::{Kind, Logarithms, ROOT, Root, Sample, Step, leaves_at_once, worst};
use super::super::settings::UctSettings;
use super::nodes::{Nodes, Results, Taken};
use super::top::Top;
use crate::game::{Batch, Game, Kernel, PlayoutRequest, PolicyExt as _, Tally, accelerate};
use crate::rng::PlayoutRng;
use crate::search::{Limit, Meter, Stop, Ties};

/// What all threads share.
pub(super) struct Shared<'s, G: Game> {
    pub(super) game: &'s G,
    pub(super) root: &'s Root,
    pub(super) position: &'s G::Position,
    pub(super) settings: &'s UctSettings<G>,
    pub(super) nodes: &'s Nodes<G::Position, G::Move>,
    /// The number of iterations that threads have taken.
    pub(super) iterations: &'s AtomicU64,
    /// The playouts that end the search, and the reason.
    pub(super) playouts: u64,
    pub(super) over: Stop,
    pub(super) threads: usize,
    /// Whether all threads stop when the tree is full, so that it can grow.
    pub(super) grows: bool,
}

impl<G: Game> Shared<'_, G> {
    /// The playouts of a leaf.
    fn batch(&self) -> u64 {
        self.settings.playouts.batch().into()
    }

    /// The number of iterations that are taken at a time, and the least number between two readings of the top of the tree.
    fn period(&self) -> u32 {
        TAKEN_ITERATIONS.max(self.settings.parallel.leaves())
    }
}

/// A thread's part of the search.
pub(super) struct Worker<G: Game> {
    /// What this thread may spend, without the playouts, and what it has spent.
    pub(super) meter: Meter,
    /// The reason why its search ended.
    pub(super) stop: Option<Stop>,
    /// The processor time that it took on a thread of its own.
    pub(super) helped: Duration,
    logarithms: Logarithms,
    taken: Taken,
    /// The iterations that it has taken and not begun.
    iterations: Range<u64>,
    top: Top,
    /// The iterations since the top was read.
    since_read: u32,
    path: Path,
    /// The moves of the position that gets children.
    moves: Vec<G::Move>,
    /// The paths to the leaves that wait for playouts.
    paths: Vec<Path>,
    /// The number of leaves to take before they are played out; 0 after that.
    most: usize,
    requests: Vec<PlayoutRequest<G::Position>>,
    tallies: Vec<Tally>,
}

/// The nodes of a descent.
#[derive(Clone, Debug, Default)]
struct Path {
    steps: Vec<Step>,
    /// The rows of the first nodes in the thread's copy of the top, if they are there.
    rows: Vec<u32>,
}

/// The least number of iterations that a thread takes at a time, because all threads take them from one counter.
const TAKEN_ITERATIONS: u32 = 16;

/// The end of a descent.
enum Leaf<P> {
    /// A position to play out.
    Playouts(P),
    /// The payoff of a finished game.
    Known(f64),
    /// The tree is full, and will grow.
    Full,
    /// The budget allows no further node.
    Abandoned,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(leaves: usize, meter: Meter) -> Self {
        Self {
            meter,
            stop: None,
            helped: Duration::ZERO,
            logarithms: Logarithms::new(),
            taken: Taken::default(),
            iterations: 0..0,
            top: Top::default(),
            since_read: 0,
            path: Path::default(),
            moves: Vec::new(),
            paths: vec![Path::default(); leaves],
            most: 0,
            requests: Vec::with_capacity(leaves),
            tallies: Vec::with_capacity(leaves),
        }
    }

    /// Iterates until the search is over, or until the tree is full and can grow.
    pub(super) fn run(&mut self, shared: &Shared<'_, G>) {
        let pace = shared.batch() * shared.threads as u64;
        while self.stop.is_none() && !(shared.grows && shared.nodes.is_full()) {
            if self.since_read == 0 {
                self.top.read(shared.nodes, shared.period(), pace);
            }
            if !self.take_leaves(shared) {
                break;
            }
            self.play_out(shared);
            if self.since_read >= self.top.iterations() || self.stop.is_some() {
                self.top.write(shared.nodes);
                self.since_read = 0;
            }
        }
    }

    /// Takes leaves from the tree. Their playouts count as lost until they are made. Returns whether they are all taken; if not, the tree
    /// must grow first.
    fn take_leaves(&mut self, shared: &Shared<'_, G>) -> bool {
        let Shared { root, .. } = shared;
        let batch = shared.batch();
        if self.most == 0 {
            self.take_iterations(shared);
            self.most = leaves_at_once(shared.settings.parallel.leaves(), self.iterations.start);
        }
        while self.requests.len() < self.most {
            // Finished games are no leaves to play out, so the copy may be due before there are enough.
            if self.requests.is_empty() && self.since_read >= self.top.iterations() {
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
            let leaf = accelerate(Descend { worker: self, shared, iteration });
            if !matches!(leaf, Leaf::Full) {
                self.since_read += 1;
                self.meter.count_nodes(self.path.steps.len() as u64 - 1);
            }
            match leaf {
                Leaf::Playouts(from) => {
                    self.lose(shared, count);
                    // Counted at once, so that all leaves together keep the budget.
                    self.meter.begin_playouts(count);
                    mem::swap(&mut self.path, &mut self.paths[self.requests.len()]);
                    let batch = Batch { key: root.playouts, first, count };
                    self.requests.push(PlayoutRequest { from, player: root.player, batch });
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
    fn take_iterations(&mut self, shared: &Shared<'_, G>) {
        if self.iterations.is_empty() {
            let taken = shared.period().into();
            let first = shared.iterations.fetch_add(taken, Ordering::Relaxed);
            self.iterations = first..first + taken;
        }
    }

    /// The next iteration.
    ///
    /// # Errors
    /// The reason why its search is over.
    fn next_iteration(&mut self, shared: &Shared<'_, G>) -> Result<u64, Stop> {
        if let Some(limit) = self.meter.limit() {
            return Err(Stop::Limit(limit));
        }
        self.take_iterations(shared);
        let iteration = self.iterations.start;
        if iteration.saturating_mul(shared.batch()) >= shared.playouts {
            return Err(shared.over);
        }
        self.iterations.start += 1;
        Ok(iteration)
    }

    /// Counts the playouts of the leaf at the end of the path as lost.
    fn lose(&mut self, shared: &Shared<'_, G>, playouts: u64) {
        let (nodes, playouts) = (shared.nodes, playouts as i64);
        for (index, step) in self.path.steps.iter().enumerate() {
            let Some(worst) = worst(step.parent, shared.root.range) else { continue };
            let lost = nodes.packed(playouts, worst as i64 * playouts);
            match self.path.rows.get(index) {
                Some(&row) => self.top.add(row, nodes, lost),
                None => nodes.add(step.node, step.parent, lost),
            }
        }
    }

    /// Makes the playouts of the leaves, and adds their results in place of the losses.
    fn play_out(&mut self, shared: &Shared<'_, G>) {
        if self.requests.is_empty() {
            return;
        }
        self.most = 0;
        self.tallies.clear();
        self.tallies.resize(self.requests.len(), Tally::default());
        shared.settings.policy.playouts_of_many(shared.game, &self.requests, &mut self.tallies);
        self.meter.end_batch();
        for ((path, request), tally) in self.paths.iter().zip(self.requests.drain(..)).zip(&self.tallies) {
            self.meter.end_playouts(request.batch.count, tally.plies);
            back_up(shared, &mut self.top, path, &(*tally).into(), true);
        }
    }

    /// Gives a node children, if another thread does not. `None` if it stays a leaf.
    #[inline(never)]
    fn expand(
        &mut self,
        shared: &Shared<'_, G>,
        (node, kind, results): (u32, Kind, Results),
        position: &G::Position,
        draws: &mut PlayoutRng,
    ) -> Option<Range<u32>> {
        let Shared { game, root, nodes, settings, .. } = shared;
        self.moves.clear();
        if kind == Kind::Chance {
            self.moves.extend(game.outcomes(position).map(|(outcome, _)| outcome));
        } else {
            self.moves.extend(game.moves(position));
        }
        if kind != Kind::Chance && settings.ties == Ties::Random {
            shuffle(&mut self.moves, draws);
        }
        let score = settings.first_play.score(settings.selection, || {
            kind.view(root.scale.value(results.sum as f64 / f64::from(results.visits.max(1))))
        });
        nodes.expand((node, kind), *position, &self.moves, score, &mut self.taken)
    }
}

/// Adds a result to all nodes of a path. If its playouts were counted as lost, it takes the place of the losses.
fn back_up<G: Game>(shared: &Shared<'_, G>, top: &mut Top, path: &Path, sample: &Sample, was_lost: bool) {
    let nodes = shared.nodes;
    let (playouts, sum, squares) = (sample.playouts as i64, sample.sum as i64, sample.squares as u64);
    for (index, step) in path.steps.iter().enumerate().rev() {
        let added = match worst(step.parent, shared.root.range).filter(|_| was_lost) {
            Some(worst) => nodes.packed(0, sum - worst as i64 * playouts),
            None => nodes.packed(playouts, sum),
        };
        let squares = if index == 1 { squares } else { 0 };
        if let Some(&row) = path.rows.get(index) {
            top.add(row, nodes, added);
            // The tree does not know of losses in the copy.
            top.note(row, nodes.packed(playouts, sum));
            if squares > 0 {
                top.note_squares(row, squares);
            }
        } else {
            nodes.add(step.node, step.parent, added);
            if squares > 0 {
                nodes.add_squares(step.node, squares);
            }
        }
    }
}

/// A descent from the root to a leaf.
struct Descend<'d, 's, G: Game> {
    worker: &'d mut Worker<G>,
    shared: &'d Shared<'s, G>,
    iteration: u64,
}

impl<G: Game> Kernel for Descend<'_, '_, G> {
    type Output = Leaf<G::Position>;

    /// Selection and expansion.
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { worker, shared, iteration } = self;
        let Shared { game, root, nodes, settings, .. } = *shared;
        let (exploration, threshold) = (settings.selection.exploration(), settings.expansion.threshold());
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
        let mut copied = worker.path.rows.last().map(|&row| nodes.unpacked(worker.top.results(row)));
        loop {
            let link = nodes.link(node);
            let kind = link.kind();
            if matches!(kind, Kind::Unseen | Kind::Over) {
                let position = position(shared, node);
                let kind = Kind::of(game.turn(&position), root.player);
                nodes.see(node, kind);
                return match kind {
                    Kind::Over => Leaf::Known(game.payoff(&position, root.player).into()),
                    _ => Leaf::Playouts(position),
                };
            }
            let results = copied.unwrap_or_else(|| nodes.results(node));
            let children = if let Some(children) = link.children() {
                children
            } else {
                let position = position(shared, node);
                let is_ripe = node == ROOT || results.visits >= threshold;
                if !is_ripe || node != ROOT && !shared.grows && nodes.is_full() {
                    return Leaf::Playouts(position);
                }
                let expanded = worker.expand(shared, (node, kind, results), &position, &mut draws);
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
                    None => return Leaf::Playouts(position),
                }
            };
            if worker.path.steps.len() as u64 > nodes_left {
                return Leaf::Abandoned;
            }
            let child = if kind == Kind::Chance {
                nodes.child_by(&children, |position| game.random_outcome(position, &mut draws))
            } else {
                nodes.best_child(children, exploration * worker.logarithms.root(results.visits))
            };
            worker.path.steps.push(Step { node: child, parent: kind });
            (node, copied) = (child, None);
        }
    }
}

#[inline(always)]
fn position<G: Game>(shared: &Shared<'_, G>, node: u32) -> G::Position {
    if node == ROOT {
        return *shared.position;
    }
    let (mut position, mv) = shared.nodes.made(node);
    shared.game.apply(&mut position, mv);
    position
}
