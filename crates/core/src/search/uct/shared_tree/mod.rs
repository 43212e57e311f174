//! One tree that several threads grow.

mod nodes;
mod top;
mod worker;

use std::iter::Zip;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::thread;

use super::super::tree::{Arena, Kind, Node, ROOT, Score};
use super::{Uct, UctSettings};
use crate::game::Game;
use crate::search::{
    AskTell as _, Branches, Budget, Decided, Decision, Limit, Limits, Meter, MoveStream, NoTree, SearchError,
    Searcher, Stop, ThreadClock, TreeExtent,
};
use nodes::Nodes;
use worker::{Shared, Worker};

/// Tree parallelisation: UCT whose tree several threads grow without locks (Enzenberger, Müller 2009, "A lock-free multithreaded
/// Monte-Carlo tree search algorithm"; Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo tree search").
///
/// Each thread takes leaves from the tree, counts their playouts as lost so that other descents select other paths, plays them out in
/// one call and adds the results. With one thread it decides as [`Uct`] does. With more, a decision depends on which thread comes
/// first: **it is not repeatable**. A budget of playouts is kept exactly, and nodes are divided among the threads. A budget of plies is spent by
/// one thread. A search is complete at the latest when its root has 2²² visits with payoffs up to 2¹⁵ in size, 2³⁰ with ±1.
///
/// Supported are UCB1, mean values, playouts to the end of the game and one child a visit, with any first play, threshold, batch and
/// final choice. When the memory is full, nodes are no longer expanded.
///
/// # Cost
/// With *n* threads up to *n* times as fast as [`Uct`], less the time in which they wait for each other's writes; two threads took .59 to
/// .77 of the time of one at Othello. With 64 playouts a move two threads took .09 ms and one .07 ms.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::othello::Othello;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Limits, Meter, MoveStream, Parallel, Searcher, SharedTree, UctSettings};
///
/// let game = Othello::default();
/// let parallel = Parallel::Tree { leaves: 16, threads: 2 };
/// let mut search = SharedTree::new(UctSettings { parallel, ..UctSettings::new(Arc::new(Uniform)) });
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
        let uct = Uct::of((*self.uct.board.settings).clone(), self.uct.search.method.clone());
        Self { uct, nodes: Nodes::new(), threads: self.threads }
    }
}

impl<G: Game> SharedTree<G> {
    /// A searcher with these settings, on the threads of [`Parallel::Tree`](super::Parallel::Tree), or one.
    ///
    /// # Panics
    /// If there are no threads, or if the threads do not support a part of the settings.
    pub fn new(settings: UctSettings<G>) -> Self {
        let threads = settings.parallel.threads();
        assert!(threads > 0, "a search has at least one thread");
        assert_eq!(settings.unshared(), None, "a shared tree is plain UCT");
        Self { uct: Uct::new(settings), nodes: Nodes::new(), threads }
    }

    /// Grows the tree until all threads are done. Returns the reason why the first one was.
    ///
    /// # Errors
    /// If the system does not start the threads.
    fn grow(&mut self, game: &G, position: &G::Position, meter: &mut Meter) -> Result<Stop, SearchError> {
        let settings = &self.uct.board.settings;
        let leaves = settings.parallel.leaves() as usize;
        let worker = |(limits, budget): (Limits, Budget)| {
            let budget = Budget { playouts: None, time: meter.time_left(), ..budget };
            Worker::new(leaves, meter.part(limits, budget))
        };
        // A thread may exceed its part of the plies by its last playouts.
        let threads = if meter.limits_plies() { 1 } else { self.threads };
        let mut workers: Vec<Worker<G>> = meter.parts(threads).map(worker).collect();
        let most = self.nodes.most_visits();
        let (playouts, over) = match meter.playouts_left() {
            left if left <= most => (left, Stop::Limit(Limit::Playouts)),
            _ => (most, Stop::Complete),
        };
        let iterations = AtomicU64::new(0);
        let mut grows = true;
        loop {
            let (root, nodes, iterations) = (self.uct.search.root(), &self.nodes, &iterations);
            let shared =
                Shared { game, root, position, settings, nodes, iterations, playouts, over, threads, grows };
            run(&mut workers, &shared)?;
            if workers.iter().all(|worker| worker.stop.is_some()) {
                break;
            }
            grows = !self.nodes.is_full() || self.nodes.grow(meter);
        }
        for worker in &workers {
            meter.count(&worker.meter);
        }
        ThreadClock::add(workers.iter().map(|worker| worker.helped).sum());
        Ok(workers[0].stop.expect("each thread has stopped"))
    }

    /// The tree as that of a plain search: `plies` plies of it, and of each node only the children that `follows` accepts by their visits
    /// and the most visits of a sibling.
    fn copied(&self, plies: u32, follows: impl Fn(u32, u32) -> bool) -> Uct<G> {
        let mut uct = self.uct.clone();
        let mut meter = Meter::new(Limits { memory_bytes: u64::MAX, time: None });
        let roots = self.nodes.root_children().into_iter().flatten().zip(uct.search.arena.children(ROOT));
        let mut open: Vec<(u32, (u32, u32))> = roots.map(|pair| (1, pair)).collect();
        while let Some((depth, pair)) = open.pop() {
            if depth >= plies {
                continue;
            }
            let Some(below) = copy_children(&self.nodes, pair, &mut uct, &mut meter) else { continue };
            let visits = |&(from, _): &(u32, u32)| self.nodes.results(from).visits;
            let most = below.clone().map(|pair| visits(&pair)).max().unwrap_or(0);
            open.extend(below.filter(|pair| follows(visits(pair), most)).map(|pair| (depth + 1, pair)));
        }
        uct
    }
}

/// Copies the children of a node to a plain tree. Returns them with their copies; `None` if there are none, or if there is not
/// enough memory.
fn copy_children<G: Game>(
    nodes: &Nodes<G::Position, G::Move>,
    (from, to): (u32, u32),
    uct: &mut Uct<G>,
    meter: &mut Meter,
) -> Option<Zip<Range<u32>, Range<u32>>> {
    let children = nodes.link(from).children()?;
    let (position, moves) = nodes.position_and_moves(&children);
    let (row, arena) = ((Score { value: 0.0, width: 0.0 }, 0), &mut uct.search.arena);
    if !uct.board.expand((&mut *arena, to), position, moves.into_iter(), row, meter) {
        return None;
    }
    let pairs = children.zip(arena.children(to));
    pairs.clone().for_each(|pair| copy_node(nodes, pair, nodes.link(from).kind(), arena));
    Some(pairs)
}

/// Copies a node that `parent` decides to visit.
fn copy_node<P: Copy + Eq, M: Copy + Eq>(
    nodes: &Nodes<P, M>,
    (from, to): (u32, u32),
    parent: Kind,
    arena: &mut Arena,
) {
    let (results, score, link) = nodes.read(from);
    let (kind, visits) = (link.kind(), nodes.unpacked(results).visits);
    // The score may lack the last results.
    let score = if visits > 0 { nodes.score_of(results, parent) } else { score };
    arena.nodes[to] = Node { score, visits, kind, ..arena.nodes[to] };
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
            let help = move || {
                let clock = ThreadClock::start();
                worker.run(shared);
                worker.helped += clock.elapsed();
            };
            thread::Builder::new()
                .spawn_scoped(scope, help)
                .map_err(|error| SearchError::no_threads(threads, &error))?;
        }
        if let Some(worker) = mine {
            worker.run(shared);
        }
        Ok(())
    })
}

impl<G: Game> Searcher<G> for SharedTree<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if let Some(forced) = self.uct.open(game, at, stream, meter)? {
            return Ok(forced);
        }
        meter.reserve(self.nodes.bytes())?;
        // The copy of the root's children has its memory before the tree takes the rest.
        let unseen = Score { value: 0.0, width: 0.0 };
        let Uct { board, search } = &mut self.uct;
        let (moves, row) = (game.moves(at), (unseen, 0));
        if !board.expand((&mut search.arena, ROOT), *at, moves, row, meter) {
            return self.uct.close(game, stream, Stop::Complete, meter);
        }
        let (range, scale) = (search.root().range, search.root().scale);
        let children = search.arena.children(ROOT);
        if !self.nodes.clear((range, scale), children.len(), meter) {
            return Err(meter.out_of_memory(1));
        }
        let stop = self.grow(game, at, meter)?;
        if let (Stop::Limit(limit), 0) = (stop, self.nodes.results(ROOT).visits) {
            return Err(limit.into());
        }
        let Some(found) = self.nodes.root_children() else { return Err(meter.out_of_memory(1)) };
        let (_, moves) = self.nodes.position_and_moves(&found);
        self.uct.board.set_moves(children.clone(), &moves);
        let arena = &mut self.uct.search.arena;
        copy_node(&self.nodes, (ROOT, ROOT), Kind::Unseen, arena);
        for pair in found.zip(children) {
            copy_node(&self.nodes, pair, Kind::Max, arena);
        }
        arena.is_too_wide |= self.nodes.is_too_wide();
        self.uct.close(game, stream, stop, meter)
    }

    /// No: each search begins with an empty tree.
    fn remembers(&self) -> bool {
        false
    }

    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        if decision.moves.is_empty() {
            return vec![decision.chosen];
        }
        self.copied(u32::MAX, |visits, most| visits == most).principal_variation(game, at, decision)
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        if decision.moves.is_empty() {
            return Err(NoTree::Unsearched);
        }
        self.copied(extent.plies, |_, _| true).tree(game, position, decision, extent)
    }
}
