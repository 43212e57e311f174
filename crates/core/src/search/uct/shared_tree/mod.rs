//! One tree that several threads grow.

mod nodes;
mod top;
mod worker;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use super::super::board::{Family, GameBoard, Seat};
use super::super::tree::{Arena, Board, Kind, MOST_CHILDREN, Node, ROOT, Score, Tree};
use super::UctSettings;
use crate::game::Game;
use crate::search::{Budget, Limit, Limits, Meter, SearchError, Stop, ThreadClock, TreeSearch};
use nodes::Nodes;
use worker::{Shared, Worker};

/// The nodes of a tree that several threads grow, and their positions and moves. A search begins with an empty tree.
pub(in crate::search) struct SharedTree<G: Game> {
    nodes: Nodes,
    families: Vec<Family<G>>,
}

impl<G: Game> Default for SharedTree<G> {
    fn default() -> Self {
        Self { nodes: Nodes::new(size_of::<G::Move>(), size_of::<Family<G>>()), families: Vec::new() }
    }
}

impl<G: Game> TreeSearch<G> {
    /// Tree parallelisation: UCT whose tree several threads grow without locks (Enzenberger, Müller 2009, "A lock-free multithreaded
    /// Monte-Carlo tree search algorithm"; Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo tree search").
    ///
    /// Each of the threads of [`Parallel::Tree`](super::Parallel::Tree), or one, takes leaves from the tree, counts their playouts as
    /// lost so that other descents select other paths, plays them out in one call and adds the results. With one thread it decides as
    /// plain UCT does. With more, a decision depends on which thread comes first: **it is not repeatable**. A budget of playouts is
    /// kept exactly, and nodes are divided among the threads. A budget of plies is spent by one thread. A search is complete at the
    /// latest when its root has 2²² visits with payoffs up to 2¹⁶ in size, 2³⁰ with ±1.
    ///
    /// Supported are UCB1, mean values, playouts to the end of the game and one child a visit, with any first play, threshold, batch
    /// and final choice. When the memory is full, nodes are no longer expanded.
    ///
    /// # Panics
    /// If there are no threads, or if the threads do not support a part of the settings.
    ///
    /// # Cost
    /// With *n* threads up to *n* times as fast as plain UCT, less the time in which they wait for each other's writes; two threads
    /// took .59 to .77 of the time of one at Othello. With 64 playouts a move two threads took .09 ms and one .07 ms.
    ///
    /// # Example
    /// ```
    /// use std::sync::Arc;
    /// use shikou::game::{Game, Uniform};
    /// use shikou::games::othello::Othello;
    /// use shikou::rng::PlayoutKey;
    /// use shikou::search::{Budget, Limits, Meter, MoveStream, Parallel, Searcher, Uct, UctSettings};
    ///
    /// let game = Othello::default();
    /// let parallel = Parallel::Tree { leaves: 16, threads: 2 };
    /// let mut search = Uct::shared(UctSettings { parallel, ..UctSettings::new(Arc::new(Uniform)) });
    /// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(1000));
    /// let decision = search.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
    /// assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), 1000);
    /// ```
    pub fn shared(settings: UctSettings<G>) -> Self {
        let uct = Self::new(settings);
        assert!(uct.tree.options.parallel.threads() > 0, "a search has at least one thread");
        assert_eq!(uct.tree.options.unshared(), None, "a shared tree is plain UCT");
        Self { shared: Some(SharedTree::default()), ..uct }
    }

    /// The tree that several threads grew as that of a plain search; see [`copy`]. `None` for a plain search.
    pub(in crate::search) fn copied(
        &self,
        (game, at): (&G, &G::Position),
        plies: u32,
        follows: &dyn Fn(u32, u32) -> bool,
    ) -> Option<Self> {
        let SharedTree { nodes, families } = self.shared.as_ref()?;
        let mut uct = Self { board: self.board.beside(), shared: None, ..self.clone() };
        uct.board.clear(game, *at);
        uct.tree.root.clone_from(&self.tree.root);
        let mut meter = Meter::new(Limits { memory_bytes: u64::MAX, time: None });
        let board = &mut Seat { game, board: &mut uct.board, families };
        copy(nodes, (&mut uct.tree, board), plies, follows, &mut meter);
        Some(uct)
    }
}

impl<G: Game> SharedTree<G> {
    /// Searches, and copies the children of the root. Returns the reason why the search ended. It fails if the budget or the
    /// memory is too small, or if the system does not start the threads.
    pub(in crate::search) fn search(
        &mut self,
        (tree, board): (&mut Tree, &mut GameBoard<G>),
        (game, at): (&G, &G::Position),
        meter: &mut Meter,
    ) -> Result<Stop, SearchError> {
        let Self { nodes, families } = self;
        let threads = tree.options.parallel.threads();
        let mut boards: Vec<GameBoard<G>> = (0..threads).map(|_| board.beside()).collect();
        families[..nodes.families()].iter_mut().for_each(|family| drop(family.take()));
        let run = &mut |workers: &mut [Worker], shared: &Shared<'_>| {
            families.reserve_exact(shared.nodes.family_room - families.len());
            families.resize_with(shared.nodes.family_room, OnceLock::new);
            let seat = |board| Seat { game, board, families };
            let mut seats: Vec<Seat<'_, G>> = boards.iter_mut().map(seat).collect();
            run(workers, seats.iter_mut().map(|seat| seat as &mut dyn Board).collect(), shared)
        };
        let stop = search((tree, &mut Seat { game, board, families: &[] }), nodes, run, meter)?;
        board.clear(game, *at);
        let seat = &mut Seat { game, board, families };
        copy(nodes, (tree, seat), 1, &|_, _| true, meter);
        tree.arena.is_too_wide |= nodes.is_too_wide();
        Ok(stop)
    }
}

/// Runs those that have not stopped, once the boards have room for the families.
type Run<'r> = &'r mut dyn FnMut(&mut [Worker], &Shared<'_>) -> Result<(), SearchError>;

/// Searches until all threads are done. Returns the reason why the first one was.
fn search(
    (tree, board): (&mut Tree, &mut dyn Board),
    nodes: &mut Nodes,
    run: Run<'_>,
    meter: &mut Meter,
) -> Result<Stop, SearchError> {
    let options = tree.options;
    meter.reserve(nodes.bytes())?;
    // The copy of the root's children has its memory before the tree takes the rest.
    board.go(None);
    if !board.expand(&mut tree.arena, ROOT, (Score::UNUSED, 0), None, meter) {
        let most = MOST_CHILDREN;
        let is_too_wide = tree.arena.is_too_wide;
        return Err(if is_too_wide { SearchError::Moves { most } } else { meter.out_of_memory(1) });
    }
    let root = tree.root();
    if !nodes.clear((root.range, root.scale), tree.arena.children(ROOT).len(), meter) {
        return Err(meter.out_of_memory(1));
    }
    let leaves = options.parallel.leaves() as usize;
    let worker = |(limits, budget): (Limits, Budget)| {
        let Budget { time, cpu_time, .. } = meter.times_left(1);
        let budget = Budget { playouts: None, time, cpu_time, ..budget };
        Worker::new(leaves, meter.part(limits, budget))
    };
    // A thread may exceed its part of the plies by its last playouts.
    let threads = if meter.limits_plies() { 1 } else { options.parallel.threads() };
    meter.check_threads(threads)?;
    let mut workers: Vec<Worker> = meter.parts(threads).map(worker).collect();
    let most = nodes.packing.most_visits();
    let (playouts, over) = match meter.playouts_left() {
        left if left <= most => (left, Stop::Limit(Limit::Playouts)),
        _ => (most, Stop::Complete),
    };
    let iterations = AtomicU64::new(0);
    let mut grows = true;
    loop {
        let shared =
            Shared { root, options, nodes: &*nodes, iterations: &iterations, playouts, over, threads, grows };
        run(&mut workers, &shared)?;
        if workers.iter().all(|worker| worker.stop.is_some()) {
            break;
        }
        grows = !nodes.is_full() || nodes.grow(meter);
    }
    for worker in &workers {
        meter.count(&worker.meter);
    }
    let stop = workers[0].stop.expect("each thread has stopped");
    match stop {
        Stop::Limit(limit) if nodes.results(ROOT).visits == 0 => Err(limit.into()),
        _ if nodes.link(ROOT).children().is_none() => Err(meter.out_of_memory(1)),
        _ => Ok(stop),
    }
}

/// Runs those that have not stopped, each on a thread with a board.
fn run(workers: &mut [Worker], boards: Vec<&mut dyn Board>, shared: &Shared<'_>) -> Result<(), SearchError> {
    let waiting = workers.iter_mut().zip(boards).filter(|(worker, _)| worker.stop.is_none());
    let work = |(worker, board): (&mut Worker, &mut dyn Board)| worker.run(board, shared);
    ThreadClock::at_once(waiting.collect(), &work)
}

/// Copies the tree to one of a plain search: `plies` plies of it, and of each node below the root only the children that `follows`
/// accepts by their visits and the most visits of a sibling. Nodes for which there is not enough memory get no children.
fn copy(
    nodes: &Nodes,
    (tree, board): (&mut Tree, &mut dyn Board),
    plies: u32,
    follows: &dyn Fn(u32, u32) -> bool,
    meter: &mut Meter,
) {
    let range = tree.root().range;
    let arena = &mut tree.arena;
    arena.clear(Kind::Max, range);
    copy_node(nodes, (ROOT, ROOT), Kind::Unseen, arena);
    let mut open = vec![(0, (ROOT, ROOT))];
    while let Some((depth, (from, to))) = open.pop() {
        let link = nodes.link(from);
        let Some(children) = link.children().filter(|_| depth < plies) else { continue };
        if !board.copy_shared(arena, to, nodes.family_of(children.start), (Score::UNUSED, 0), meter) {
            continue;
        }
        let pairs = children.zip(arena.children(to));
        pairs.clone().for_each(|pair| copy_node(nodes, pair, link.kind(), arena));
        let visits = |&(from, _): &(u32, u32)| nodes.results(from).visits;
        let most = pairs.clone().map(|pair| visits(&pair)).max().unwrap_or(0);
        let followed = pairs.filter(|pair| depth == 0 || follows(visits(pair), most));
        open.extend(followed.map(|pair| (depth + 1, pair)));
    }
}

/// Copies a node that `parent` decides to visit.
fn copy_node(nodes: &Nodes, (from, to): (u32, u32), parent: Kind, arena: &mut Arena) {
    let (results, score, link) = nodes.read(from);
    let (kind, visits) = (link.kind(), nodes.packing.unpacked(results).visits);
    // The score may lack the last results.
    let score = if visits > 0 { nodes.score_of(results, parent) } else { score };
    arena.nodes[to] = Node { score, visits, kind, ..arena.nodes[to] };
    arena.totals[to] = nodes.totals(from);
}
