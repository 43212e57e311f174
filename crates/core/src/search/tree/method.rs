//! The steps in which tree searches differ.

use std::sync::Arc;

use super::arena::{Arena, Columns};
use super::game_tree::GameTree;
use super::node::{Bounds, Kind, ROOT, Score, Step, Totals};
use super::sample::Sample;
use super::scale::Scale;
use crate::game::{Evaluation, EvaluationRequest, Game, Player, PlayoutRequest, Policy, PolicyExt};
use crate::rng::{PlayoutKey, PlayoutRng, Rng};
use crate::search::{Decision, Meter, MoveEstimate, SearchError, Stop};

/// The tree of a game.
pub(crate) type TreeOf<G> = GameTree<<G as Game>::Position, <G as Game>::Move>;

/// The search for one move: the root, and the progress of the search.
#[derive(Clone, Debug)]
pub(crate) struct Root<P> {
    pub(crate) position: P,
    /// The player to move. All values are for this player.
    pub(crate) player: Player,
    pub(crate) scale: Scale,
    /// The bounds of all payoffs.
    pub(crate) range: Bounds,
    pub(crate) playouts: PlayoutKey,
    /// Playout *i* of this key is the randomness of descent *i*.
    pub(crate) in_tree: PlayoutKey,
    pub(super) iteration: u64,
    /// The number of requested batches without an answer.
    pub(crate) pending: u32,
}

impl<P> Root<P> {
    /// The randomness of this iteration's first playout.
    pub(crate) const fn playout(&self) -> PlayoutRng {
        self.playouts.playout(self.iteration)
    }
}

/// One descent: from the root to a leaf.
pub(crate) struct Descent<'d, G: Game> {
    pub(crate) game: &'d G,
    pub(crate) root: &'d Root<G::Position>,
    pub(crate) tree: &'d mut TreeOf<G>,
    pub(crate) path: &'d mut Vec<Step>,
    pub(crate) draws: PlayoutRng,
    pub(crate) meter: &'d mut Meter,
    /// The positions whose evaluations are needed before the result can be backed up.
    pub(crate) evaluations: &'d mut Vec<EvaluationRequest<G::Position>>,
}

impl<G: Game> Descent<'_, G> {
    /// Begins a descent at the root.
    pub(crate) fn start(&mut self) {
        self.path.clear();
        self.path.push(Step { node: ROOT, parent: Kind::Unseen });
    }

    /// The position at the end of the path, one move after that of the previous node.
    #[inline(always)]
    pub(crate) fn position(&self) -> G::Position {
        let [.., parent, last] = &self.path[..] else { return self.root.position };
        let mut position = self.tree.position_of(parent.node);
        self.game.apply(&mut position, self.tree.mv(last.node));
        position
    }

    /// Gives a node its legal moves or outcomes as children. Returns whether there was enough memory.
    pub(crate) fn expand(&mut self, node: u32, position: &G::Position, score: Score, numbers: usize) -> bool {
        let Self { game, tree, meter, .. } = self;
        if tree.arena.nodes[node].kind == Kind::Chance {
            let outcomes = game.outcomes(position).map(|(outcome, _)| outcome);
            tree.expand(node, *position, outcomes, score, numbers, meter)
        } else {
            tree.expand(node, *position, game.moves(position), score, numbers, meter)
        }
    }

    /// Shuffles the children of a node that was just expanded.
    pub(crate) fn shuffle(&mut self, node: u32) {
        shuffle(self.tree.moves_of(node), &mut self.draws);
    }

    /// Draws an outcome at a chance node, and returns its child.
    #[inline(always)]
    pub(crate) fn sample_outcome(&mut self, node: u32) -> u32 {
        let outcome = self.game.random_outcome(&self.tree.position_of(node), &mut self.draws);
        self.tree.child_by(node, outcome).expect("chance chooses among its outcomes")
    }
}

/// Shuffles the moves of a node.
pub(crate) fn shuffle<M>(moves: &mut [M], draws: &mut PlayoutRng) {
    for last in (1..moves.len()).rev() {
        moves.swap(last, draws.below(last as u32 + 1) as usize);
    }
}

/// The result of an expansion.
pub(crate) enum Expansion {
    /// The node has children: selection continues.
    Children,
    /// It stays a leaf.
    Leaf,
    /// The priors of its moves are requested; the node is expanded when they arrive.
    Waiting,
    /// Its payoff is proved.
    Known(f64),
    /// The children are valued, or the requested evaluations will value them. The iteration ends without playouts.
    Valued,
    /// The budget or the memory does not allow it.
    Abandoned,
}

/// An iteration whose result is backed up.
pub(crate) struct Iteration<'i, G: Game> {
    pub(crate) game: &'i G,
    pub(crate) root: &'i Root<G::Position>,
    pub(crate) tree: &'i mut TreeOf<G>,
    pub(crate) path: &'i [Step],
}

/// The steps in which tree searches differ.
pub(crate) trait Method<G: Game>: Clone + Send + Sync {
    /// Whether the meter counts each node of a descent.
    const COUNTS_NODES: bool = true;

    /// The columns of its tree.
    fn columns(&self) -> Columns;

    /// How playouts choose their moves.
    fn policy(&self) -> &Arc<dyn Policy<G>> {
        unreachable!("this search asks for no playouts")
    }

    /// The playouts of a leaf.
    fn batch(&self) -> u64 {
        1
    }

    /// Whether the caller can answer its requests; see [`Searcher::ask_tell`](crate::search::Searcher::ask_tell).
    fn can_ask(&self) -> bool {
        true
    }

    /// The number of leaves that are taken from the tree before they are played out.
    fn leaves(&self) -> u32 {
        1
    }

    /// Whether the tree below the moves played is kept for the next move.
    fn keeps_tree(&self) -> bool {
        false
    }

    /// Begins the search for a move.
    fn begin(&mut self, game: &G, position: &G::Position) {
        let _ = (game, position);
    }

    /// Plays a forced move, without a search.
    fn forced(&mut self, game: &G, position: &G::Position) {
        let _ = (game, position);
    }

    /// Whether it refers to nodes between iterations, which forbids recycling.
    fn holds_nodes(&self) -> bool {
        false
    }

    /// Begins a descent.
    fn start(&mut self, descent: &mut Descent<'_, G>) {
        descent.start();
    }

    /// The position at the end of the path.
    #[inline(always)]
    fn position(&self, descent: &Descent<'_, G>) -> G::Position {
        descent.position()
    }

    /// Values a node at its first visit. A finished game has a payoff.
    fn evaluate(&self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position, payoff: Option<f64>) {
        let _ = (descent, node, position, payoff);
    }

    /// The payoff of a node that need not be searched further.
    fn proved(&mut self, arena: &Arena, node: u32) -> Option<f64> {
        let _ = (arena, node);
        None
    }

    /// Expansion: gives a node children, if it is due.
    fn expand(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion;

    /// Selection: the child to visit next. `None` if there was no memory for it, so that the node is a leaf.
    fn select(&mut self, descent: &mut Descent<'_, G>, node: u32, kind: Kind) -> Option<u32>;

    /// The evaluation whose batches it asks for.
    fn evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        None
    }

    /// Simulation up to the positions to evaluate, if playouts are cut off and evaluated in batches. Returns whether
    /// they are.
    fn cut_off(
        &mut self,
        game: &G,
        request: &PlayoutRequest<G::Position>,
        evaluations: &mut Vec<EvaluationRequest<G::Position>>,
    ) -> bool {
        let _ = (game, request, evaluations);
        false
    }

    /// The evaluation that gives priors in batches.
    fn prior_evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        None
    }

    /// Takes the requested prior over the moves, in the game's order, for an expansion.
    fn take_prior(&mut self, prior: &[f32]) {
        let _ = prior;
        unreachable!("this search asks for no priors")
    }

    /// The result of the evaluations that were requested.
    fn take_evaluations(
        &mut self,
        arena: &mut Arena,
        scale: Scale,
        values: &[i64],
        meter: &mut Meter,
    ) -> Sample {
        let _ = (arena, scale, values, meter);
        unreachable!("this search asks for no evaluations")
    }

    /// Simulation: plays out a leaf.
    fn simulate(&mut self, game: &G, request: &PlayoutRequest<G::Position>) -> Sample {
        let PlayoutRequest { from, player, batch } = request;
        self.policy().playouts(game, from, *player, *batch).into()
    }

    /// Simulation of many leaves in one call: the samples of [`Method::simulate`].
    fn simulate_many(
        &mut self,
        game: &G,
        requests: &[PlayoutRequest<G::Position>],
        samples: &mut Vec<Sample>,
    ) {
        samples.clear();
        samples.extend(requests.iter().map(|request| self.simulate(game, request)));
    }

    /// Backup: adds a result to all nodes of the path.
    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample);

    /// Decides: which move is played.
    ///
    /// # Errors
    /// If the budget or the memory was too small for a decision.
    fn decide(&mut self, found: &Found<'_, G>, rng: &mut Rng) -> Result<Decision<G::Move>, SearchError>;

    /// The value of a child of a node of kind `parent`, for the player at the root and in the unit of the estimates; `None`
    /// before it is known.
    fn value(&self, arena: &Arena, root: &Root<G::Position>, child: u32, parent: Kind) -> Option<f64>;

    /// The next node of the principal variation, if any.
    fn principal(&self, game: &G, tree: &TreeOf<G>, node: u32, at: &G::Position) -> Option<u32> {
        let _ = (game, tree, node, at);
        None
    }
}

/// The results of a finished search.
pub(crate) struct Found<'f, G: Game> {
    pub(crate) game: &'f G,
    pub(crate) root: &'f Root<G::Position>,
    pub(crate) tree: &'f TreeOf<G>,
    pub(crate) stop: Stop,
    pub(crate) meter: &'f Meter,
}

impl<G: Game> Found<'_, G> {
    /// Checks that the root has children.
    ///
    /// # Errors
    /// If the budget or the memory was too small for them.
    pub(crate) fn require_children(&self) -> Result<(), SearchError> {
        match self.stop {
            _ if self.tree.is_expanded(ROOT) => Ok(()),
            Stop::Limit(limit) if self.tree.arena.nodes[ROOT].visits == 0 => {
                Err(SearchError::Budget { limit })
            }
            _ => Err(self.meter.out_of_memory(1)),
        }
    }

    /// The children of the root in the game's order.
    pub(crate) fn children(&self) -> Vec<u32> {
        self.game.moves(&self.root.position).filter_map(|mv| self.tree.child_by(ROOT, mv)).collect()
    }

    /// The estimate of a child, from its value and the standard error of its payoffs.
    pub(crate) fn estimate(
        &self,
        child: u32,
        value: f64,
        standard_error: impl FnOnce(Totals, u32) -> f64,
    ) -> MoveEstimate<G::Move> {
        let (totals, visits) = (self.tree.arena.totals[child], self.tree.arena.nodes[child].visits);
        let standard_error = standard_error(totals, visits);
        MoveEstimate { mv: self.tree.mv(child), visits: visits.into(), value, standard_error }
    }
}

/// The most visited child of a node, the first in the game's order among equals; `None` if no child was visited.
pub(crate) fn most_visited<G: Game>(game: &G, tree: &TreeOf<G>, node: u32, at: &G::Position) -> Option<u32> {
    let visits = |child: u32| tree.arena.nodes[child].visits;
    let children = game.moves(at).filter_map(|mv| tree.child_by(node, mv));
    children
        .reduce(|most, other| if visits(other) > visits(most) { other } else { most })
        .filter(|&child| visits(child) > 0)
}
