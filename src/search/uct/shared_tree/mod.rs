//! One tree that several threads grow.
//!
//! | file | holds |
//! |---|---|
//! | `nodes` | the tree: atomics, and families that are written once |
//! | `top` | a thread's copy of the top of the tree |
//! | `worker` | a thread: it takes leaves from the tree, plays them out and adds their results |

mod nodes;
mod top;
mod worker;

use std::iter::Zip;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::thread;

use super::super::tree::{GameTree, Node, ROOT, Score};
use super::{Uct, UctSettings};
use crate::game::Game;
use crate::search::{
    AskTell as _, Branches, Budget, Decision, Limits, Meter, MoveStream, NoTree, SearchError, Searcher, Stop,
    ThreadClock, TreeExtent,
};
use nodes::Nodes;
use worker::{Shared, Worker};

/// Tree parallelisation: UCT whose tree several threads grow without locks (Enzenberger, Müller 2009, "A lock-free multithreaded
/// Monte-Carlo tree search algorithm"; Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo tree search").
///
/// Each thread takes leaves from the tree, counts their playouts as lost so that other descents select other paths, plays them out in
/// one call and adds the results. With one thread it decides as [`Uct`] does. With more, a decision depends on which thread comes
/// first: **it is not repeatable**. A budget of playouts is kept exactly, and nodes and plies are divided among the threads.
///
/// Supported are UCB1, mean values, playouts to the end of the game and one child a visit, with any first play, threshold, batch and
/// final choice. When the memory is full, nodes are no longer expanded.
///
/// # Cost
/// That of [`Uct`], divided by the threads as far as they do not wait for each other's writes. A move takes about .1 ms more to start
/// each thread.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::othello::Othello;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Limits, Meter, MoveStream, Searcher, SharedTree, UctSettings};
///
/// let game = Othello::default();
/// let settings = UctSettings { leaves: 16, ..UctSettings::new(Arc::new(Uniform)) };
/// let mut search = SharedTree::new(settings, 2);
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(1000));
/// let decision = search.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
/// assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), 1000);
/// ```
pub struct SharedTree<G: Game> {
    /// The settings, the root, and after a search a copy of the root's children.
    uct: Uct<G>,
    nodes: Nodes<G::Position, G::Move>,
    threads: usize,
}

impl<G: Game> Clone for SharedTree<G> {
    /// A searcher with the same settings, without a tree.
    fn clone(&self) -> Self {
        Self { uct: self.uct.clone(), nodes: Nodes::new(), threads: self.threads }
    }
}

impl<G: Game> SharedTree<G> {
    /// A searcher with these settings.
    ///
    /// # Panics
    /// If `threads` is 0, or if [so many cannot share](UctSettings::can_share) a tree by these settings.
    pub fn new(settings: UctSettings<G>, threads: usize) -> Self {
        assert!(threads > 0, "a search has at least one thread");
        assert!(settings.can_share(threads), "a shared tree is plain UCT");
        Self { uct: Uct::new(settings), nodes: Nodes::new(), threads }
    }

    /// Grows the tree until all threads are done. Returns the reason why the first one was.
    ///
    /// # Errors
    /// If the system does not start the threads.
    fn grow(&mut self, game: &G, meter: &mut Meter) -> Result<Stop, SearchError> {
        let worker = |(limits, budget): (Limits, Budget)| {
            let budget = Budget { playouts: None, time: meter.time_left(), ..budget };
            Worker::new(self.uct.method.clone(), Meter::new(limits).with_budget(budget))
        };
        let mut workers: Vec<Worker<G>> = meter.parts(self.threads).map(worker).collect();
        let (iterations, playouts) = (AtomicU64::new(0), meter.playouts_left());
        let mut grows = true;
        while workers.iter().any(|worker| worker.stop.is_none()) {
            let (root, nodes) = (self.uct.root(), &self.nodes);
            let shared = Shared { game, root, nodes, iterations: &iterations, playouts, grows };
            run(&mut workers, &shared)?;
            grows = !self.nodes.is_full() || self.nodes.grow(meter);
        }
        for worker in &workers {
            meter.count(&worker.meter);
        }
        ThreadClock::add(workers.iter().skip(1).map(|worker| worker.cpu).sum());
        Ok(workers[0].stop.expect("the loop ends when each thread has stopped"))
    }

    /// The whole tree, as that of a plain search.
    fn whole(&self) -> Uct<G> {
        let mut uct = self.uct.clone();
        let mut meter = Meter::new(Limits { memory_bytes: u64::MAX, time: None });
        let roots = self.nodes.root_children().into_iter().flatten();
        let mut open: Vec<(u32, u32)> = roots.zip(uct.tree.arena.children(ROOT)).collect();
        while let Some(pair) = open.pop() {
            open.extend(copy_children(&self.nodes, pair, &mut uct.tree, &mut meter).into_iter().flatten());
        }
        uct
    }
}

/// Copies the children of a node to a plain tree. Returns them with their copies; `None` if there are none, or if there is not
/// enough memory.
fn copy_children<P: Copy + Eq, M: Copy + Eq>(
    nodes: &Nodes<P, M>,
    (from, to): (u32, u32),
    tree: &mut GameTree<P, M>,
    meter: &mut Meter,
) -> Option<Zip<Range<u32>, Range<u32>>> {
    let children = nodes.link(from).children()?;
    let (position, moves) = nodes.position_and_moves(&children);
    let score = Score { value: 0.0, width: 0.0 };
    if !tree.expand(to, position, moves.into_iter(), score, 0, meter) {
        return None;
    }
    let pairs = children.zip(tree.arena.children(to));
    pairs.clone().for_each(|pair| copy_node(nodes, pair, tree));
    Some(pairs)
}

fn copy_node<P: Copy + Eq, M: Copy + Eq>(
    nodes: &Nodes<P, M>,
    (from, to): (u32, u32),
    tree: &mut GameTree<P, M>,
) {
    let arena = &mut tree.arena;
    let (kind, visits) = (nodes.link(from).kind(), nodes.results(from).visits);
    arena.nodes[to] = Node { visits, kind, score: nodes.score(from), ..arena.nodes[to] };
    arena.totals[to] = nodes.totals(from);
}

/// Runs those that have not stopped, each on a thread. The first runs on this one.
///
/// # Errors
/// If the system does not start the threads.
fn run<G: Game>(workers: &mut [Worker<G>], shared: &Shared<'_, G>) -> Result<(), SearchError> {
    let threads = workers.len();
    thread::scope(|scope| {
        let mut waiting = workers.iter_mut().filter(|worker| worker.stop.is_none());
        let mine = waiting.next();
        for worker in waiting {
            thread::Builder::new()
                .spawn_scoped(scope, move || worker.run(shared))
                .map_err(|error| SearchError::no_threads(threads, &error))?;
        }
        if let Some(worker) = mine {
            worker.run(shared);
        }
        Ok(())
    })
}

impl<G: Game> Searcher<G> for SharedTree<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, SearchError> {
        if let Some(forced) = self.uct.open(game, position, stream, meter)? {
            return Ok(forced);
        }
        meter.reserve(self.nodes.bytes())?;
        let (range, scale) = (self.uct.root().range, self.uct.root().scale);
        let children = game.move_count(position) as usize;
        if !self.nodes.clear((range, scale), children, meter) {
            return Err(meter.out_of_memory(1));
        }
        let stop = self.grow(game, meter)?;
        copy_node(&self.nodes, (ROOT, ROOT), &mut self.uct.tree);
        let _ = copy_children(&self.nodes, (ROOT, ROOT), &mut self.uct.tree, meter);
        self.uct.tree.arena.is_too_wide |= self.nodes.is_too_wide();
        self.uct.close(game, stream, stop, meter)
    }

    /// No: each search begins with an empty tree.
    fn remembers(&self) -> bool {
        false
    }

    fn principal_variation(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        self.whole().principal_variation(game, position, decision)
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        self.whole().tree(game, position, decision, extent)
    }
}
