//! The search of a tree: iterations of selection, expansion, simulation and backup.
//!
//! The loop in [`Select::run`] is the only descent. Searchers differ in their [`Method`]: which child is selected, how
//! a result is backed up, and which move is played.

use std::sync::Arc;

use super::game_tree::GameTree;
use super::method::{Descent, Expansion, Iteration, Method, Root, TreeOf};
use super::node::{Kind, ROOT, Step};
use super::sample::Sample;
use super::scale::{Scale, payoffs};
use crate::game::{
    Batch, Evaluation, EvaluationBuffer, EvaluationRequest, Evaluations, Game, Kernel, Player,
    PlayoutRequest, Turn, accelerate,
};
use crate::rng::PlayoutRng;
use crate::search::{Limit, Meter, MoveStream, SearchError, Stop};

/// The visits of a root that end its search as complete. What the leaves of a call can add to them fits into 32 bits as well.
const MOST_VISITS: u32 = 1 << 31;

/// A searcher on a tree, named by its method: [`Uct`](crate::search::Uct) and others. A search is complete at the latest when its
/// root has 2³¹ visits.
#[derive(Clone)]
pub struct TreeSearch<G: Game, M> {
    pub(crate) method: M,
    pub(crate) tree: TreeOf<G>,
    pub(crate) path: Vec<Step>,
    /// The position at the root of a tree that is kept.
    pub(super) kept: Option<G::Position>,
    /// The search that was begun last.
    pub(crate) root: Option<Root<G::Position>>,
    /// The playouts, or else the evaluations, that were asked for last.
    pub(super) request: Option<PlayoutRequest<G::Position>>,
    pub(super) evaluations: Vec<EvaluationRequest<G::Position>>,
    /// The randomness of a descent that waits for a prior.
    waiting: Option<PlayoutRng>,
}

/// What a search needs next.
pub(crate) enum Request<P> {
    Playouts(PlayoutRequest<P>),
    /// The evaluations that it holds.
    Evaluations,
}

/// The end of a descent.
pub(crate) enum Leaf<P> {
    /// A position to play out.
    Playouts(P),
    /// A position whose payoff is known.
    Known(f64),
    /// An expanded node with valued children, or children that the requested evaluations will value.
    Valued,
    /// A node with a requested prior. Afterwards the descent continues with this randomness.
    Waiting(PlayoutRng),
    /// The budget allows no further node.
    Abandoned,
}

/// A descent in progress.
struct Select<'s, G: Game, M> {
    method: &'s mut M,
    /// Whether the descent begins at the root, instead of continuing.
    begins: bool,
    descent: Descent<'s, G>,
}

impl<G: Game, M: Method<G>> Kernel for Select<'_, G, M> {
    type Output = Leaf<G::Position>;

    /// Selection and expansion.
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { method, begins, mut descent } = self;
        if begins {
            method.start(&mut descent);
        }
        loop {
            let node = descent.path.last().expect("a path begins at the root").node;
            let kind = descent.tree.arena.nodes[node].kind;
            if kind == Kind::Unseen {
                let position = method.position(&descent);
                let kind = Kind::of(descent.game.turn(&position), descent.root.player);
                descent.tree.arena.nodes[node].kind = kind;
                let over = kind == Kind::Over;
                let payoff = over.then(|| f64::from(descent.game.payoff(&position, descent.root.player)));
                method.evaluate(&mut descent, node, &position, payoff);
                return payoff.map_or(Leaf::Playouts(position), Leaf::Known);
            }
            if kind == Kind::Over {
                let position = method.position(&descent);
                return Leaf::Known(descent.game.payoff(&position, descent.root.player).into());
            }
            if let Some(payoff) = method.proved(&descent.tree.arena, node) {
                return Leaf::Known(payoff);
            }
            if !descent.tree.is_expanded(node) {
                let position = method.position(&descent);
                match method.expand(&mut descent, node, &position) {
                    Expansion::Children => {}
                    Expansion::Leaf => return Leaf::Playouts(position),
                    Expansion::Waiting => return Leaf::Waiting(descent.draws),
                    Expansion::Known(payoff) => return Leaf::Known(payoff),
                    Expansion::Valued => return Leaf::Valued,
                    Expansion::Abandoned => return Leaf::Abandoned,
                }
            }
            if descent.meter.nodes_left() == 0 {
                return Leaf::Abandoned;
            }
            let Some(child) = method.select(&mut descent, node, kind) else {
                return Leaf::Playouts(method.position(&descent));
            };
            if M::COUNTS_NODES {
                descent.meter.count_node();
            }
            descent.path.push(Step { node: child, parent: kind });
        }
    }
}

#[expect(private_bounds, reason = "the methods of tree search are this crate's own")]
impl<G: Game, M: Method<G>> TreeSearch<G, M> {
    pub(crate) fn of(method: M) -> Self {
        let tree = GameTree::new(method.columns());
        Self {
            method,
            tree,
            path: Vec::new(),
            kept: None,
            root: None,
            request: None,
            evaluations: Vec::new(),
            waiting: None,
        }
    }

    /// Begins the search for a move at a player's turn.
    ///
    /// # Errors
    /// If the kept tree takes more memory than the meter allows.
    pub(super) fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<(), SearchError> {
        let Turn::Player(player) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        meter.reserve(self.tree.arena.bytes())?;
        let kept = self.kept.take().and_then(|root| self.find(game, root, position, player));
        let range = payoffs(game);
        if let Some(root) = kept {
            self.tree.advance(root);
        } else {
            let mv = game.moves(position).next().expect("a player's turn has a move");
            self.tree.clear(*position, mv, Kind::Max, range);
        }
        self.kept = self.method.keeps_tree().then_some(*position);
        self.method.begin(game, position);
        let key = stream.playouts();
        let (playouts, in_tree, scale) = (key.child(0), key.child(1), Scale::of(game));
        let position = *position;
        let (iteration, pending) = (0, 0);
        self.waiting = None;
        self.root = Some(Root { position, player, scale, range, playouts, in_tree, iteration, pending });
        Ok(())
    }

    /// The node of the kept tree for a position: below the moves played, after any number of other turns.
    fn find(&self, game: &G, root: G::Position, position: &G::Position, player: Player) -> Option<u32> {
        let mut open = vec![(ROOT, root)];
        while let Some((node, at)) = open.pop() {
            for child in self.tree.arena.visited(node) {
                let mut next = at;
                game.apply(&mut next, self.tree.mv(child));
                if next == *position {
                    // A proved value does not show which move achieves it.
                    let serves = self.tree.is_expanded(child) && self.tree.arena.proved(child).is_none();
                    return serves.then_some(child);
                }
                if !matches!(game.turn(&next), Turn::Over) && game.turn(&next) != Turn::Player(player) {
                    open.push((child, next));
                }
            }
        }
        None
    }

    /// The search that was begun last.
    pub(crate) fn root(&self) -> &Root<G::Position> {
        self.root.as_ref().expect("a search was begun")
    }

    pub(crate) fn root_mut(&mut self) -> &mut Root<G::Position> {
        self.root.as_mut().expect("a search was begun")
    }

    /// Descends until playouts or evaluations are needed. A leaf that needs none is backed up at once.
    ///
    /// # Errors
    /// The reason why the search is over.
    pub(crate) fn next_request(&mut self, game: &G, meter: &mut Meter) -> Result<Request<G::Position>, Stop> {
        loop {
            let waiting = self.waiting.take();
            if waiting.is_none() {
                if let Some(limit) = meter.limit() {
                    return Err(Stop::Limit(limit));
                }
                if self.method.proved(&self.tree.arena, ROOT).is_some() {
                    return Err(Stop::Proved);
                }
                if self.tree.arena.nodes[ROOT].visits >= MOST_VISITS {
                    return Err(Stop::Complete);
                }
                let pending = self.root().pending;
                if self.tree.arena.is_full && pending == 0 && !self.method.holds_nodes() {
                    self.tree.recycle();
                }
            }
            let root = self.root.as_ref().expect("a search was begun");
            let begins = waiting.is_none();
            let draws = waiting.unwrap_or_else(|| root.in_tree.playout(root.iteration));
            self.evaluations.clear();
            let (tree, path, evaluations) = (&mut self.tree, &mut self.path, &mut self.evaluations);
            let descent = Descent { game, root, tree, path, draws, meter, evaluations };
            let leaf = accelerate(Select { method: &mut self.method, begins, descent });
            let batch = self.method.batch();
            let count = batch.min(meter.playouts_left());
            let sample = match leaf {
                Leaf::Playouts(from) => {
                    let batch = Batch { key: root.playouts, first: root.iteration * batch, count };
                    let request = PlayoutRequest { from, player: root.player, batch };
                    if !self.method.cut_off(game, &request, &mut self.evaluations) {
                        return Ok(Request::Playouts(request));
                    }
                    if !self.evaluations.is_empty() {
                        return Ok(Request::Evaluations);
                    }
                    self.method.take_evaluations(&mut self.tree.arena, root.scale, &[], meter)
                }
                Leaf::Valued if !self.evaluations.is_empty() => return Ok(Request::Evaluations),
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
            self.back_up(game, &sample);
            self.begin_next();
        }
    }

    /// Backup: adds a result to the nodes of the path.
    pub(crate) fn back_up(&mut self, game: &G, sample: &Sample) {
        let root = self.root.as_ref().expect("a search was begun");
        let iteration = Iteration { game, root, tree: &mut self.tree, path: &self.path };
        self.method.back_up(iteration, sample);
    }

    /// Begins the next iteration.
    pub(crate) fn begin_next(&mut self) {
        self.root_mut().iteration += 1;
    }

    /// Takes the answer to the evaluations that were requested.
    pub(super) fn tell_evaluations(&mut self, game: &G, answers: Evaluations<'_>, meter: &mut Meter) {
        self.evaluations.clear();
        if self.waiting.is_some() {
            return self.method.take_prior(answers.prior(0));
        }
        let scale = self.root().scale;
        let sample = self.method.take_evaluations(&mut self.tree.arena, scale, answers.values(), meter);
        self.back_up(game, &sample);
        self.begin_next();
    }

    /// The evaluation of the last request.
    pub(super) fn evaluation(&self) -> &Arc<dyn Evaluation<G>> {
        let evaluation =
            if self.waiting.is_some() { self.method.prior_evaluation() } else { self.method.evaluation() };
        evaluation.expect("a search that asks for evaluations names one")
    }

    /// Iterates until the search is over.
    pub(crate) fn iterate(&mut self, game: &G, meter: &mut Meter) -> Stop {
        let mut answers = EvaluationBuffer::default();
        loop {
            match self.next_request(game, meter) {
                Ok(Request::Playouts(request)) => {
                    let sample = self.method.simulate(game, &request);
                    meter.count_playouts(&sample.work());
                    self.back_up(game, &sample);
                    self.begin_next();
                }
                Ok(Request::Evaluations) => {
                    answers.clear();
                    self.evaluation().evaluate_many(game, &self.evaluations, &mut answers);
                    self.tell_evaluations(game, answers.all(), meter);
                }
                Err(stop) => return stop,
            }
        }
    }
}
