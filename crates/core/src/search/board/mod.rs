//! The game's side of a tree search: its positions and moves, policies and evaluations.
//!
//! The search itself knows numbers of nodes only; see [`tree`](super::tree). The position of each node with children is kept, once per
//! family, so a descent makes no moves until it leaves the tree.

mod heuristic;
mod leaf;
mod searcher;
mod seat;

use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;

use super::solitaire_line::{Line, Plan};
use super::tree::{Arena, Column, MOST_CHILDREN, Rows, Scale, Score};
use super::{Meter, UctSettings};
use crate::game::{EvaluationBuffer, EvaluationRequest, Game, GameExt, Player, PlayoutRequest, SimdLevel};
use leaf::Cut;
pub use searcher::TreeSearch;
pub(crate) use seat::Board;
pub(super) use seat::Seat;

/// The positions and moves of a tree, and all that values them.
pub(super) struct GameBoard<G: Game> {
    pub(crate) settings: Arc<UctSettings<G>>,
    /// The move that leads to each node; arbitrary for the root.
    moves: Column<G::Move>,
    /// The position of each family.
    positions: Column<G::Position>,
    level: SimdLevel,
    /// The search that was begun last.
    root: Option<Start<G::Position>>,
    /// The present position.
    at: Option<G::Position>,
    /// The playouts and evaluations that were asked for last.
    requests: Vec<PlayoutRequest<G::Position>>,
    evaluations: Vec<EvaluationRequest<G::Position>>,
    /// The memory for their answers.
    answers: EvaluationBuffer,
    /// The playouts with last positions under evaluation.
    cuts: Vec<Cut>,
    /// Moves that are to get nodes.
    listed: Vec<G::Move>,
    /// The best known line from the root, and the plan that follows it.
    best: Option<Line<G::Move>>,
    pub(super) plan: Option<Plan<G>>,
}

/// The root of a search.
#[derive(Clone, Copy)]
struct Start<P> {
    position: P,
    player: Player,
    scale: Scale,
}

impl<G: Game> GameBoard<G> {
    fn new(settings: Arc<UctSettings<G>>) -> Self {
        Self {
            settings,
            moves: Column::default(),
            positions: Column::default(),
            level: SimdLevel::detect(),
            root: None,
            at: None,
            requests: Vec::new(),
            evaluations: Vec::new(),
            answers: EvaluationBuffer::default(),
            cuts: Vec::new(),
            listed: Vec::new(),
            best: None,
            plan: None,
        }
    }

    /// A board with the same settings and root, without a tree.
    pub(super) fn beside(&self) -> Self {
        Self { root: self.root, level: self.level, ..Self::new(Arc::clone(&self.settings)) }
    }

    fn root(&self) -> &Start<G::Position> {
        self.root.as_ref().expect("a search was begun")
    }

    #[inline(always)]
    fn at(&self) -> &G::Position {
        self.at.as_ref().expect("a descent was begun")
    }

    /// Drops all nodes but the root.
    pub(super) fn clear(&mut self, game: &G, position: G::Position) {
        let mv = game.moves(&position).next().expect("a player's turn has a move");
        (self.positions.default, self.moves.default) = (Some(position), Some(mv));
        self.positions.truncate(0);
        self.moves.truncate(0);
        self.moves.push(mv);
    }

    /// Gives a node children, each with this score. Returns whether there was enough memory; if not, nothing is
    /// changed.
    #[inline(always)]
    fn expand(
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
            if self.moves.len() >= arena.room {
                if !arena.grow(meter) {
                    self.moves.truncate(first);
                    return false;
                }
                self.moves.reserve(arena.room);
            }
            self.moves.push(mv);
        }
        arena.adopt(node, self.moves.len(), score, numbers);
        self.positions.reserve(arena.family_room);
        self.positions.push(position);
        true
    }

    /// Gives a node these children; see [`GameBoard::expand`].
    #[inline(never)]
    fn adopt(
        &mut self,
        node: (&mut Arena, u32),
        position: G::Position,
        moves: &[G::Move],
        row: (Score, usize),
        meter: &mut Meter,
    ) -> bool {
        self.expand(node, position, moves.iter().copied(), row, meter)
    }

    #[inline(always)]
    fn child_by(&self, arena: &Arena, node: u32, mv: G::Move) -> Option<u32> {
        arena.children(node).find(|&child| self.moves[child] == mv)
    }

    /// The children of a node in the game's order.
    fn in_order(&self, game: &G, arena: &Arena, node: u32) -> Vec<u32> {
        if !arena.is_expanded(node) {
            return Vec::new();
        }
        let at = self.positions[arena.nodes[node].family];
        game.moves(&at).filter_map(|mv| self.child_by(arena, node, mv)).collect()
    }

    fn after(&self, game: &G, family: u32, child: u32) -> G::Position {
        game.after(&self.positions[family], self.moves[child])
    }
}

/// The children of a node: its position, and the moves that lead to them.
pub(super) struct Siblings<P, M> {
    position: P,
    first: u32,
    moves: ArrayVec<M, 16>,
    /// The moves after these, if any.
    more: Box<[M]>,
}

/// A family of a game. It is written once, by the thread that took its number.
pub(super) type Family<G> = OnceLock<Siblings<<G as Game>::Position, <G as Game>::Move>>;

impl<P, M: Copy + Eq> Siblings<P, M> {
    fn new(position: P, first: u32, moves: &[M]) -> Self {
        let (near, more) = moves.split_at(moves.len().min(16));
        Self { position, first, moves: near.iter().copied().collect(), more: more.into() }
    }

    /// The move that leads to a child.
    #[inline(always)]
    fn mv(&self, child: u32) -> M {
        let index = (child - self.first) as usize;
        self.moves.get(index).copied().unwrap_or_else(|| self.more[index - self.moves.len()])
    }

    fn moves(&self) -> Vec<M> {
        self.moves.iter().chain(&self.more).copied().collect()
    }

    fn child_by(&self, mv: M) -> u32 {
        let place = self.moves.iter().chain(&self.more).position(|other| *other == mv);
        self.first + place.expect("the move leads to a child") as u32
    }
}
