//! The search of a tree: iterations of selection, expansion, simulation and backup.
//!
//! The loop in [`Select::run`] is the only descent. Searches differ in their [`Method`]: which child is selected, how
//! a result is backed up, and which move is played.

use super::Board;
use super::arena::Arena;
use super::backup::Sample;
use super::method::{Descent, Iteration, Leaf, Method, Root};
use super::node::{Bounds, Kind, ROOT, Step};
use super::scale::Scale;
use crate::game::{Batch, EvaluationBuffer, Evaluations, Kernel, Player, Turn, accelerate, sort_values};
use crate::rng::PlayoutRng;
use crate::search::uct::Plain;
use crate::search::{Branch, Branches, Limit, Meter, MoveStream, Stop, TreeExtent};

/// The visits of a root that end its search as complete. What the leaves of a call can add to them fits into 32 bits as well.
const MOST_VISITS: u32 = 1 << 31;

/// The nodes of a search whose positions and moves are on a [`Board`], and its progress.
pub(crate) struct Tree {
    pub(crate) options: Plain,
    pub(crate) arena: Arena,
    pub(super) path: Vec<Step>,
    /// The search that was begun last.
    pub(crate) root: Option<Root>,
    /// The randomness of a descent that waits for a prior.
    waiting: Option<PlayoutRng>,
}

/// The next need of a search.
pub(crate) enum Request {
    /// Playouts from the present position of the board.
    Playouts(Batch),
    /// The evaluations that the board holds.
    Evaluations,
}

struct Select<'s, M> {
    method: &'s mut M,
    /// Whether the descent begins at the root, instead of continuing.
    begins: bool,
    descent: Descent<'s>,
}

impl<M: Method> Kernel for Select<'_, M> {
    type Output = Leaf;

    /// Selection and expansion.
    #[inline(always)]
    fn run(self) -> Leaf {
        let Self { method, begins, mut descent } = self;
        if begins {
            method.start(&mut descent);
        }
        loop {
            let node = descent.path.last().expect("a path begins at the root").node;
            let kind = descent.arena.nodes[node].kind;
            if kind == Kind::Unseen {
                let (kind, payoff) = method.arrive(&mut descent);
                descent.arena.nodes[node].kind = kind;
                let payoff = Some(payoff).filter(|_| kind == Kind::Over);
                method.evaluate(&mut descent, node, payoff);
                return payoff.map_or(Leaf::Playouts, Leaf::Known);
            }
            if kind == Kind::Over {
                return Leaf::Known(method.arrive(&mut descent).1);
            }
            if let Some(payoff) = method.proved(descent.arena, node) {
                return Leaf::Known(payoff);
            }
            if !descent.arena.is_expanded(node) {
                method.arrive(&mut descent);
                if let Some(leaf) = method.expand(&mut descent, node) {
                    return leaf;
                }
            }
            if descent.meter.nodes_left() == 0 {
                return Leaf::Abandoned;
            }
            let Some(child) = method.select(&mut descent, node, kind) else {
                method.arrive(&mut descent);
                return Leaf::Playouts;
            };
            if method.counts_nodes() {
                descent.meter.count_node();
            }
            descent.path.push(Step { node: child, parent: kind });
        }
    }
}

impl Tree {
    /// No nodes. `row` and `family` are the bytes of a node and of a family in the board's columns.
    pub(crate) fn new(options: Plain, method: &dyn Method, row: usize, family: usize) -> Self {
        let mut arena = Arena::new(row, family);
        method.set_columns(&mut arena);
        Self { options, arena, path: Vec::new(), root: None, waiting: None }
    }

    /// Begins the search for a move, in the tree as it is.
    pub(crate) fn begin(&mut self, (range, scale): (Bounds, Scale), stream: MoveStream) {
        let key = stream.playouts();
        let (playouts, in_tree) = (key.child(0), key.child(1));
        let scale = scale.explored(self.options.scale);
        self.waiting = None;
        self.root = Some(Root { scale, range, stream, playouts, in_tree, iteration: 0, pending: 0 });
    }

    /// The node of the kept tree for a position: below the moves played, after any number of other turns. `look` says whose turn it is
    /// after a move of a family, and whether that is the position.
    pub(crate) fn find(&self, player: Player, look: &dyn Fn(u32, u32) -> (Turn, bool)) -> Option<u32> {
        let arena = &self.arena;
        let is_kept = self.options.memory.keep() && self.root.is_some();
        let mut open = if is_kept { vec![ROOT] } else { Vec::new() };
        while let Some(node) = open.pop() {
            for child in arena.visited(node) {
                let (turn, is_found) = look(arena.nodes[node].family, child);
                if is_found {
                    // A proved value does not show which move achieves it, nor do bounds found beside the tree.
                    let is_open = arena.proved(child).is_none() && arena.shows_its_bounds(child);
                    let serves = arena.is_expanded(child) && is_open;
                    return serves.then_some(child);
                }
                if !matches!(turn, Turn::Over) && turn != Turn::Player(player) {
                    open.push(child);
                }
            }
        }
        None
    }

    /// A child of the root, and then the child that the method names at each node, down to a node without visits. `turn` says whose
    /// turn it is after a move of a family, and `in_order` lists children in the game's order.
    pub(crate) fn line(
        &self,
        method: &dyn Method,
        chosen: u32,
        turn: &dyn Fn(u32, u32) -> Turn,
        in_order: &dyn Fn(u32) -> Vec<u32>,
    ) -> Vec<u32> {
        let arena = &self.arena;
        let (mut line, mut parent, mut next) = (vec![chosen], ROOT, Some(chosen));
        while let Some(node) = next
            && let Turn::Player(_) = turn(arena.nodes[parent].family, node)
        {
            next = method.principal(arena, node, &in_order(node));
            line.extend(next);
            parent = node;
        }
        line
    }

    /// The children of a node at which it is this turn, which are `extent.plies` plies of the tree, with their values as the method sees
    /// them. `turn` says whose turn it is after a move of a family.
    pub(crate) fn branches(
        &self,
        method: &dyn Method,
        (node, at): (u32, Turn),
        extent: TreeExtent,
        turn: &dyn Fn(u32, u32) -> Turn,
    ) -> Branches<u32> {
        let (arena, root) = (&self.arena, self.root());
        let (kind, family) = (arena.nodes[node].kind, arena.nodes[node].family);
        // Below an outcome of chance that is no node of the tree, the positions differ from visit to visit.
        let is_elsewhere = kind.is_player() && !matches!(at, Turn::Player(_));
        if extent.plies == 0 || is_elsewhere || !arena.is_expanded(node) {
            return Branches::default();
        }
        let visits = |child: u32| u64::from(arena.nodes[child].visits);
        let mut children: Vec<u32> = arena.children(node).collect();
        sort_values(&mut children, &|&one, &other| visits(other).cmp(&visits(one)));
        let rest = children.split_off(extent.children.min(children.len()));
        let deeper = TreeExtent { plies: extent.plies - 1, ..extent };
        let branch = |child: u32| Branch {
            mv: child,
            visits: visits(child),
            value: method.value(arena, root, child, kind),
            is_proved: arena.is_proved(child),
            below: self.branches(method, (child, turn(family, child)), deeper, turn),
        };
        Branches {
            omitted: rest.len(),
            omitted_visits: rest.into_iter().map(visits).sum(),
            shown: children.into_iter().map(branch).collect(),
        }
    }

    pub(crate) fn root(&self) -> &Root {
        self.root.as_ref().expect("a search was begun")
    }

    pub(super) fn root_mut(&mut self) -> &mut Root {
        self.root.as_mut().expect("a search was begun")
    }

    /// Whether it waits for a prior, and not for values.
    pub(crate) const fn waits_for_prior(&self) -> bool {
        self.waiting.is_some()
    }

    /// Descends until playouts or evaluations are needed. A leaf that needs none is backed up at once.
    pub(crate) fn next_request(
        &mut self,
        method: &mut impl Method,
        board: &mut dyn Board,
        meter: &mut Meter,
    ) -> Result<Request, Stop> {
        loop {
            let waiting = self.waiting.take();
            if waiting.is_none() {
                meter.check().map_err(Stop::Limit)?;
                if method.proved(&self.arena, ROOT).is_some() {
                    return Err(Stop::Proved);
                }
                if self.arena.nodes[ROOT].visits >= MOST_VISITS {
                    return Err(Stop::Complete);
                }
                if self.arena.is_full && self.root().pending == 0 && !method.holds_nodes() {
                    self.arena.recycle(board.columns());
                }
            }
            let root = self.root.as_ref().expect("a search was begun");
            let begins = waiting.is_none();
            let draws = waiting.unwrap_or_else(|| root.in_tree.playout(root.iteration));
            let (arena, path) = (&mut self.arena, &mut self.path);
            let descent = Descent { board: &mut *board, root, arena, path, draws, meter };
            let leaf = accelerate(Select { method, begins, descent });
            let batch = u64::from(self.options.playouts.batch());
            let count = batch.min(meter.playouts_left());
            let sample = match leaf {
                Leaf::Playouts => {
                    let batch = Batch { key: root.playouts, first: root.iteration * batch, count };
                    match method.cut_off(board, batch) {
                        None => return Ok(Request::Playouts(batch)),
                        Some(1..) => return Ok(Request::Evaluations),
                        Some(0) => method.take_evaluations(board, &mut self.arena, &[], meter),
                    }
                }
                Leaf::Requested => return Ok(Request::Evaluations),
                Leaf::Known(payoff) => {
                    let sample = Sample::exactly(payoff, count);
                    meter.count_playouts(&sample.work());
                    sample
                }
                Leaf::Valued => Sample::VISIT,
                Leaf::Waiting(draws) => {
                    self.waiting = Some(draws);
                    return Ok(Request::Evaluations);
                }
                Leaf::Abandoned => return Err(Stop::Limit(Limit::Nodes)),
            };
            self.back_up(method, board, &sample);
        }
    }

    /// Backup: adds a result to the nodes of the path. The next iteration begins.
    pub(crate) fn back_up(
        &mut self,
        method: &mut (impl Method + ?Sized),
        board: &mut dyn Board,
        sample: &Sample,
    ) {
        self.add(method, board, sample);
        self.root_mut().iteration += 1;
    }

    /// Adds a result to the nodes of the path.
    pub(super) fn add(
        &mut self,
        method: &mut (impl Method + ?Sized),
        board: &mut dyn Board,
        sample: &Sample,
    ) {
        let root = self.root.as_ref().expect("a search was begun");
        method.back_up(Iteration { board, root, arena: &mut self.arena, path: &self.path }, sample);
    }

    /// Takes the answer to the evaluations that were requested.
    pub(crate) fn tell(
        &mut self,
        method: &mut (impl Method + ?Sized),
        board: &mut dyn Board,
        answers: Evaluations<'_>,
        meter: &mut Meter,
    ) {
        if self.waiting.is_some() {
            return method.take_prior(answers.prior(0));
        }
        let sample = method.take_evaluations(board, &mut self.arena, answers.values(), meter);
        self.back_up(method, board, &sample);
    }

    /// Iterates until the search is over.
    pub(crate) fn iterate(
        &mut self,
        method: &mut impl Method,
        board: &mut dyn Board,
        meter: &mut Meter,
    ) -> Stop {
        if self.options.parallel.leaves() > 1 {
            return self.iterate_by_leaves(method, board, meter);
        }
        let mut answers = EvaluationBuffer::default();
        loop {
            match self.next_request(method, board, meter) {
                Ok(Request::Playouts(batch)) => {
                    let sample = method.simulate(board, batch);
                    meter.count_playouts(&sample.work());
                    self.back_up(method, board, &sample);
                }
                Ok(Request::Evaluations) => {
                    answers.clear();
                    board.answer(self.waits_for_prior(), &mut answers);
                    self.tell(method, board, answers.all(), meter);
                }
                Err(stop) => return stop,
            }
        }
    }
}
