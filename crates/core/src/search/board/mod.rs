//! The game's side of a tree search: its positions and moves, policies and evaluations.
//!
//! The search itself knows numbers of nodes only; see [`tree`](super::tree). The position of each node with children is kept, once per
//! family, so a descent makes no moves until it leaves the tree.

mod heuristic;
mod leaf;
mod probe;
mod searcher;
mod seat;

use std::ops::Range;
use std::sync::Arc;

use super::solitaire_line::{Line, Plan};
use super::tree::{Arena, Column, MOST_CHILDREN, Rows, Scale, Score};
use super::{Meter, UctSettings};
use crate::game::{EvaluationRequest, Game, Player, PlayoutRequest, SimdLevel};
use leaf::Cut;
pub use searcher::TreeSearch;
use seat::Seat;
pub(crate) use seat::shuffle;

/// The positions and moves of a tree, and all that values them.
#[derive(Clone)]
pub(crate) struct GameBoard<G: Game> {
    pub(crate) settings: Arc<UctSettings<G>>,
    /// The move that leads to each node; arbitrary for the root.
    moves: Column<G::Move>,
    /// The position of each family.
    positions: Column<G::Position>,
    /// The instructions of this processor.
    level: SimdLevel,
    /// The search that was begun last.
    root: Option<Start<G::Position>>,
    /// The position at the root of a tree that is kept.
    kept: Option<G::Position>,
    /// The present position.
    at: Option<G::Position>,
    /// The playouts and evaluations that were asked for last.
    requests: Vec<PlayoutRequest<G::Position>>,
    evaluations: Vec<EvaluationRequest<G::Position>>,
    /// The playouts with last positions under evaluation.
    cuts: Vec<Cut>,
    /// The legal moves without a child in the node, in open loop.
    newcomers: Vec<G::Move>,
    /// The best known line from the root, and the plan that follows it.
    best: Option<Line<G::Move>>,
    plan: Option<Plan<G>>,
}

/// The root of a search.
#[derive(Clone, Copy)]
struct Start<P> {
    position: P,
    /// The player to move.
    player: Player,
    scale: Scale,
}

impl<G: Game> GameBoard<G> {
    /// A board without a tree.
    fn new(settings: UctSettings<G>) -> Self {
        Self {
            settings: Arc::new(settings),
            moves: Column::pushed(),
            positions: Column::pushed(),
            level: SimdLevel::detect(),
            root: None,
            kept: None,
            at: None,
            requests: Vec::new(),
            evaluations: Vec::new(),
            cuts: Vec::new(),
            newcomers: Vec::new(),
            best: None,
            plan: None,
        }
    }

    fn root(&self) -> &Start<G::Position> {
        self.root.as_ref().expect("a search was begun")
    }

    /// The present position.
    #[inline(always)]
    fn at(&self) -> &G::Position {
        self.at.as_ref().expect("a descent was begun")
    }

    /// Drops all nodes but the root.
    fn clear(&mut self, position: G::Position, mv: G::Move) {
        (self.positions.default, self.moves.default) = (Some(position), Some(mv));
        self.positions.truncate(0);
        self.moves.truncate(0);
        self.moves.push(mv);
    }

    /// Gives a node children, each with this score. Returns whether there was enough memory; if not, nothing is
    /// changed.
    #[inline(always)]
    pub(crate) fn expand(
        &mut self,
        (arena, node): (&mut Arena, u32),
        position: G::Position,
        moves: impl Iterator<Item = G::Move>,
        (score, numbers): (Score, usize),
        meter: &mut Meter,
    ) -> bool {
        if !arena.make_room_for_family(numbers, meter) {
            return false;
        }
        let first = self.moves.len();
        for mv in moves {
            if self.moves.len() - first == MOST_CHILDREN {
                arena.is_too_wide = true;
                self.moves.truncate(first);
                return false;
            }
            if self.moves.len() >= arena.room() {
                if !arena.grow(meter) {
                    self.moves.truncate(first);
                    return false;
                }
                self.moves.reserve(arena.room());
            }
            self.moves.push(mv);
        }
        arena.adopt(node, self.moves.len(), score, numbers);
        self.positions.reserve(arena.family_room());
        self.positions.push(position);
        true
    }

    /// Sets the moves that lead to children.
    pub(crate) fn set_moves(&mut self, children: Range<u32>, moves: &[G::Move]) {
        self.moves[children].copy_from_slice(moves);
    }

    #[inline(always)]
    pub(crate) fn child_by(&self, arena: &Arena, node: u32, mv: G::Move) -> Option<u32> {
        arena.children(node).find(|&child| self.moves[child] == mv)
    }

    /// The children of a node in the game's order.
    fn in_order(&self, game: &G, arena: &Arena, node: u32, at: &G::Position) -> Vec<u32> {
        game.moves(at).filter_map(|mv| self.child_by(arena, node, mv)).collect()
    }
}
