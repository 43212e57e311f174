//! The search of a tree: iterations of selection, expansion, simulation and backup.
//!
//! The loop in [`Select::run`] is the only descent. Searches differ in their [`Method`]: which child is selected, how
//! a result is backed up, and which move is played.

use super::arena::Arena;
use super::board::Board;
use super::method::{Descent, Iteration, Leaf, Method, Root};
use super::node::{Bounds, Kind, ROOT, Step};
use super::sample::Sample;
use super::scale::Scale;
use crate::game::{Batch, EvaluationBuffer, Evaluations, Kernel, Player, accelerate};
use crate::rng::PlayoutRng;
use crate::search::{Limit, Meter, MoveStream, Stop};

/// The visits of a root that end its search as complete. What the leaves of a call can add to them fits into 32 bits as well.
const MOST_VISITS: u32 = 1 << 31;

/// A search of a tree whose positions and moves are on a [`Board`].
#[derive(Clone)]
pub(crate) struct Search<M> {
    pub(crate) method: M,
    pub(crate) arena: Arena,
    pub(crate) path: Vec<Step>,
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

/// A descent in progress.
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
            if M::COUNTS_NODES {
                descent.meter.count_node();
            }
            descent.path.push(Step { node: child, parent: kind });
        }
    }
}

impl<M: Method> Search<M> {
    /// A search without a tree. `row` and `family` are the bytes of a node and of a family in the board's columns.
    pub(crate) fn new(method: M, row: usize, family: usize) -> Self {
        let arena = Arena::new(method.columns(), row, family);
        Self { method, arena, path: Vec::new(), root: None, waiting: None }
    }

    /// Begins the search for a move of this player, in the tree as it is.
    pub(crate) fn begin(
        &mut self,
        board: &mut dyn Board,
        player: Player,
        (range, scale): (Bounds, Scale),
        stream: MoveStream,
    ) {
        self.method.begin(board);
        let key = stream.playouts();
        let (playouts, in_tree) = (key.child(0), key.child(1));
        self.waiting = None;
        self.root = Some(Root { player, scale, range, playouts, in_tree, iteration: 0, pending: 0 });
    }

    /// The search that was begun last.
    pub(crate) fn root(&self) -> &Root {
        self.root.as_ref().expect("a search was begun")
    }

    pub(crate) fn root_mut(&mut self) -> &mut Root {
        self.root.as_mut().expect("a search was begun")
    }

    /// Whether it waits for a prior, and not for values.
    pub(crate) const fn waits_for_prior(&self) -> bool {
        self.waiting.is_some()
    }

    /// Descends until playouts or evaluations are needed. A leaf that needs none is backed up at once.
    ///
    /// # Errors
    /// The reason why the search is over.
    pub(crate) fn next_request(&mut self, board: &mut dyn Board, meter: &mut Meter) -> Result<Request, Stop> {
        loop {
            let waiting = self.waiting.take();
            if waiting.is_none() {
                if let Some(limit) = meter.limit() {
                    return Err(Stop::Limit(limit));
                }
                if self.method.proved(&self.arena, ROOT).is_some() {
                    return Err(Stop::Proved);
                }
                if self.arena.nodes[ROOT].visits >= MOST_VISITS {
                    return Err(Stop::Complete);
                }
                if self.arena.is_full && self.root().pending == 0 && !self.method.holds_nodes() {
                    self.arena.recycle(board.columns());
                }
            }
            let root = self.root.as_ref().expect("a search was begun");
            let begins = waiting.is_none();
            let draws = waiting.unwrap_or_else(|| root.in_tree.playout(root.iteration));
            let (arena, path) = (&mut self.arena, &mut self.path);
            let descent = Descent { board: &mut *board, root, arena, path, draws, meter };
            let leaf = accelerate(Select { method: &mut self.method, begins, descent });
            let batch = self.method.batch();
            let count = batch.min(meter.playouts_left());
            let sample = match leaf {
                Leaf::Playouts => {
                    let batch = Batch { key: root.playouts, first: root.iteration * batch, count };
                    match self.method.cut_off(board, batch) {
                        None => return Ok(Request::Playouts(batch)),
                        Some(1..) => return Ok(Request::Evaluations),
                        Some(0) => self.method.take_evaluations(board, &mut self.arena, &[], meter),
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
            self.back_up(board, &sample);
        }
    }

    /// Backup: adds a result to the nodes of the path. The next iteration begins.
    pub(crate) fn back_up(&mut self, board: &mut dyn Board, sample: &Sample) {
        self.add(board, sample);
        self.root_mut().iteration += 1;
    }

    /// Adds a result to the nodes of the path.
    pub(super) fn add(&mut self, board: &mut dyn Board, sample: &Sample) {
        let root = self.root.as_ref().expect("a search was begun");
        let iteration = Iteration { board, root, arena: &mut self.arena, path: &self.path };
        self.method.back_up(iteration, sample);
    }

    /// Takes the answer to the evaluations that were requested.
    pub(crate) fn tell(&mut self, board: &mut dyn Board, answers: Evaluations<'_>, meter: &mut Meter) {
        if self.waiting.is_some() {
            return self.method.take_prior(answers.prior(0));
        }
        let sample = self.method.take_evaluations(board, &mut self.arena, answers.values(), meter);
        self.back_up(board, &sample);
    }

    /// Iterates until the search is over.
    pub(crate) fn iterate(&mut self, board: &mut dyn Board, meter: &mut Meter) -> Stop {
        let mut answers = EvaluationBuffer::default();
        loop {
            match self.next_request(board, meter) {
                Ok(Request::Playouts(batch)) => {
                    let sample = self.method.simulate(board, batch);
                    meter.count_playouts(&sample.work());
                    self.back_up(board, &sample);
                }
                Ok(Request::Evaluations) => {
                    answers.clear();
                    board.answer(self.waits_for_prior(), &mut answers);
                    self.tell(board, answers.all(), meter);
                }
                Err(stop) => return stop,
            }
        }
    }
}
