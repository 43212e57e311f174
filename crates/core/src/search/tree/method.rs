//! The steps in which tree searches differ.

use super::Board;
use super::arena::Arena;
use super::backup::Sample;
use super::node::{Bounds, Kind, ROOT, Score, Step, Totals};
use super::scale::Scale;
use super::search::{Request, Tree};
use crate::game::Batch;
use crate::rng::{PlayoutKey, PlayoutRng, Rng};
use crate::search::{Decision, Meter, MoveEstimate, MoveStream, SearchError, Stop};

/// The search for one move: the root, and the progress of the search. All values are for the player to move.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) scale: Scale,
    pub(crate) range: Bounds,
    pub(crate) stream: MoveStream,
    pub(crate) playouts: PlayoutKey,
    /// Playout *i* of this key is the randomness of descent *i*.
    pub(crate) in_tree: PlayoutKey,
    pub(super) iteration: u64,
    /// The number of requested batches without an answer.
    pub(crate) pending: u32,
}

impl Root {
    /// The randomness of this iteration's first playout.
    pub(crate) const fn playout(&self) -> PlayoutRng {
        self.playouts.playout(self.iteration)
    }
}

/// One descent: from the root to a leaf.
pub(crate) struct Descent<'d> {
    pub(crate) board: &'d mut dyn Board,
    pub(crate) root: &'d Root,
    pub(crate) arena: &'d mut Arena,
    pub(crate) path: &'d mut Vec<Step>,
    pub(crate) draws: PlayoutRng,
    pub(crate) meter: &'d mut Meter,
}

impl Descent<'_> {
    pub(crate) fn start(&mut self) {
        self.path.clear();
        self.path.push(Step { node: ROOT, parent: Kind::Unseen });
    }

    /// Goes to the position at the end of the path. Returns who decides there, and the payoff at the end of the game.
    #[inline(always)]
    pub(crate) fn go(&mut self) -> (Kind, f64) {
        let to = match &self.path[..] {
            [.., parent, last] => Some((self.arena.nodes[parent.node].family, last.node)),
            _ => None,
        };
        self.board.go(to)
    }

    /// Gives a node its legal moves, shuffled or not, or outcomes as children. Returns whether there was enough memory.
    pub(crate) fn expand(&mut self, node: u32, row: (Score, usize), is_shuffled: bool) -> bool {
        let draws = is_shuffled.then_some(&mut self.draws);
        self.board.expand(self.arena, node, row, draws, self.meter)
    }

    /// Draws an outcome at a chance node, and returns its child.
    pub(crate) fn sample_outcome(&mut self, node: u32) -> u32 {
        self.board.draw(self.arena, node, &mut self.draws)
    }
}

/// The end of a descent.
pub(crate) enum Leaf {
    /// The present position of the board, to play out.
    Playouts,
    /// A position whose payoff is known.
    Known(f64),
    /// A node whose children are valued. The iteration ends without playouts.
    Valued,
    /// A node with children that the requested evaluations will value.
    Requested,
    /// A node with requested priors, which gets children when they arrive. Then the descent continues with this randomness.
    Waiting(PlayoutRng),
    /// The budget or the memory does not allow it.
    Abandoned,
}

/// An iteration whose result is backed up.
pub(crate) struct Iteration<'i> {
    pub(crate) board: &'i mut dyn Board,
    pub(crate) root: &'i Root,
    pub(crate) arena: &'i mut Arena,
    pub(crate) path: &'i [Step],
}

/// The steps in which tree searches differ.
pub(crate) trait Method: Send + Sync {
    /// A copy; see [`object`].
    fn copy(&self) -> Box<dyn Method>;

    /// Descends until playouts or evaluations are needed; see [`object`]. An error is the reason why the search is over.
    fn next_request(
        &mut self,
        tree: &mut Tree,
        board: &mut dyn Board,
        meter: &mut Meter,
    ) -> Result<Request, Stop>;

    /// Iterates until the search is over; see [`object`].
    fn iterate(&mut self, tree: &mut Tree, board: &mut dyn Board, meter: &mut Meter) -> Stop;

    /// Sets the defaults of the columns that it uses.
    fn set_columns(&self, _arena: &mut Arena) {}

    /// Whether the meter counts each node of a descent.
    fn counts_nodes(&self) -> bool {
        true
    }

    /// Whether the caller can answer its requests; see [`Searcher::ask_tell`](crate::search::Searcher::ask_tell).
    fn can_ask(&self) -> bool {
        true
    }

    fn begin(&mut self, _board: &mut dyn Board) {}

    /// Whether it refers to nodes between iterations, which forbids recycling.
    fn holds_nodes(&self) -> bool {
        false
    }

    fn start(&mut self, descent: &mut Descent<'_>) {
        descent.start();
    }

    /// Goes to the position at the end of the path. Returns who decides there, and the payoff at the end of the game.
    #[inline(always)]
    fn arrive(&self, descent: &mut Descent<'_>) -> (Kind, f64) {
        descent.go()
    }

    /// Values a node at its first visit. A finished game has a payoff.
    fn evaluate(&self, _descent: &mut Descent<'_>, _node: u32, _payoff: Option<f64>) {}

    /// The payoff of a node that need not be searched further.
    fn proved(&mut self, _arena: &Arena, _node: u32) -> Option<f64> {
        None
    }

    /// Expansion: gives a node children, if it is due; if not, the descent ends. The board is at its position.
    fn expand(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        (!descent.expand(node, (Score::UNUSED, 0), false)).then_some(Leaf::Playouts)
    }

    /// Selection: the child to visit next. `None` if there was no memory for it, so that the node is a leaf.
    fn select(&mut self, descent: &mut Descent<'_>, node: u32, kind: Kind) -> Option<u32>;

    /// Simulation up to the positions to evaluate, if playouts are cut off and evaluated in batches. Returns the number of these
    /// positions.
    fn cut_off(&mut self, _board: &mut dyn Board, _batch: Batch) -> Option<usize> {
        None
    }

    /// Takes the requested prior over the moves, in the game's order, for an expansion.
    fn take_prior(&mut self, _prior: &[f32]) {
        unreachable!("this search asks for no priors")
    }

    /// The result of the evaluations that were requested.
    fn take_evaluations(
        &mut self,
        _board: &mut dyn Board,
        _arena: &mut Arena,
        _values: &[i64],
        _meter: &mut Meter,
    ) -> Sample {
        unreachable!("this search asks for no evaluations")
    }

    /// Simulation: plays out the leaf at which the board is.
    fn simulate(&mut self, board: &mut dyn Board, batch: Batch) -> Sample {
        board.play(batch, None)
    }

    /// Backup: adds a result to all nodes of the path.
    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample);

    /// Decides: by which child of the root the game goes on. It fails if the budget or the memory was too small for a decision.
    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError>;

    /// The value of a child of a node of kind `parent`, for the player at the root and in the unit of the estimates; `None`
    /// before it is known.
    fn value(&self, arena: &Arena, root: &Root, child: u32, parent: Kind) -> Option<f64>;

    /// The next node of the principal variation, if any. `children` are those of the node in the game's order.
    fn principal(&self, _arena: &Arena, _node: u32, _children: &[u32]) -> Option<u32> {
        None
    }
}

/// The steps of a [`Method`] that make it an object: a copy of it, and the loops of [`Tree`], compiled for it alone.
macro_rules! object {
    () => {
        fn copy(&self) -> Box<dyn $crate::search::tree::Method> {
            Box::new(self.clone())
        }

        fn next_request(
            &mut self,
            tree: &mut $crate::search::tree::Tree,
            board: &mut dyn $crate::search::tree::Board,
            meter: &mut $crate::search::Meter,
        ) -> Result<$crate::search::tree::Request, $crate::search::Stop> {
            tree.next_request(self, board, meter)
        }

        fn iterate(
            &mut self,
            tree: &mut $crate::search::tree::Tree,
            board: &mut dyn $crate::search::tree::Board,
            meter: &mut $crate::search::Meter,
        ) -> $crate::search::Stop {
            tree.iterate(self, board, meter)
        }
    };
}
pub(crate) use object;

pub(crate) struct Found<'f> {
    pub(crate) board: &'f mut dyn Board,
    pub(crate) root: &'f Root,
    pub(crate) arena: &'f Arena,
    /// The children of the root in the game's order.
    pub(crate) children: &'f [u32],
    pub(crate) stop: Stop,
    pub(crate) meter: &'f Meter,
}

impl Found<'_> {
    /// Checks that the root has children. It fails if the budget or the memory was too small for them.
    pub(crate) fn require_children(&self) -> Result<(), SearchError> {
        match self.stop {
            _ if self.arena.is_expanded(ROOT) => Ok(()),
            Stop::Limit(limit) if self.arena.nodes[ROOT].visits == 0 => Err(SearchError::Budget { limit }),
            _ => Err(self.meter.out_of_memory(1)),
        }
    }

    /// The estimate of a child, from its value and the standard error of its payoffs.
    pub(crate) fn estimate(
        &self,
        child: u32,
        value: f64,
        standard_error: impl FnOnce(Totals, u32) -> f64,
    ) -> MoveEstimate<u32> {
        let (totals, visits) = (self.arena.totals[child], self.arena.nodes[child].visits);
        let standard_error = standard_error(totals, visits);
        MoveEstimate { mv: child, visits: visits.into(), value, standard_error }
    }
}

/// The most visited of some children, the first among equals; `None` if no child was visited.
pub(crate) fn most_visited(arena: &Arena, children: &[u32]) -> Option<u32> {
    let visits = |child: u32| arena.nodes[child].visits;
    let most = children.iter().copied();
    most.reduce(|most, other| if visits(other) > visits(most) { other } else { most })
        .filter(|&child| visits(child) > 0)
}
