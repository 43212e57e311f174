//! The game's side of a tree search, as the search sees it: positions and moves behind the numbers of nodes.
//!
//! The search holds numbers only, so it is compiled once for all games. It asks its board a few times an iteration, never for a ply.
//! Methods that only some searches use are for those alone.

use std::ops::Range;

use super::arena::Arena;
use super::column::Rows;
use super::node::{Bounds, Kind, Score, Step, Value};
use super::sample::Sample;
use crate::game::{Batch, EvaluationBuffer};
use crate::rng::PlayoutRng;
use crate::search::Meter;
use crate::search::uct::{Playouts, Statistics};

/// The positions and moves of a tree, and a present position among them.
pub(crate) trait Board: Send {
    /// Goes to a position, one move after that of a family, by the move that leads to a node; `None` is the root. Returns who decides
    /// there, and the payoff at the end of the game, which is 0 elsewhere.
    fn go(&mut self, to: Option<(u32, u32)>) -> (Kind, f64);

    /// Gives a node its legal moves, or outcomes with their weights, at the present position as children, with this score. Moves are
    /// shuffled if there are draws. Returns whether there was enough memory.
    fn expand(
        &mut self,
        arena: &mut Arena,
        node: u32,
        row: (Score, usize),
        shuffled: Option<&mut PlayoutRng>,
        meter: &mut Meter,
    ) -> bool;

    /// Draws an outcome at a chance node, and returns its child.
    fn draw(&self, arena: &Arena, node: u32, draws: &mut PlayoutRng) -> u32;

    /// As [`Board::go`], by a move of a family of a tree that several threads grow.
    fn go_shared(&mut self, family: u32, node: u32) -> (Kind, f64);

    /// Lists the legal moves, or the outcomes, at the present position, where `kind` decides. Moves are shuffled if there are draws.
    /// Returns their number.
    fn list(&mut self, kind: Kind, shuffled: Option<&mut PlayoutRng>) -> usize;

    /// Makes the listed moves a family of a tree that several threads grow. The first leads to this node.
    fn share(&mut self, family: u32, first: u32);

    /// As [`Board::draw`], at the position of a family of a tree that several threads grow.
    fn draw_shared(&self, family: u32, draws: &mut PlayoutRng) -> u32;

    /// As [`Board::expand`], with the children of a family of a tree that several threads grow.
    fn copy_shared(
        &mut self,
        arena: &mut Arena,
        node: u32,
        family: u32,
        row: (Score, usize),
        meter: &mut Meter,
    ) -> bool;

    /// The columns of moves and of positions.
    fn columns(&mut self) -> [&mut dyn Rows; 2];

    /// Playouts from the present position. Statistics, if used, choose and record every move.
    fn play(&mut self, batch: Batch, statistics: Option<(Playouts<()>, &mut Statistics)>) -> Sample;

    /// Keeps the present position for playouts in one call with others.
    fn keep(&mut self, batch: Batch);

    /// The playouts of all kept positions, which are then dropped.
    fn play_kept(&mut self, samples: &mut Vec<Sample>);

    /// Requests the value of the present position, or a prior over its moves.
    fn request(&mut self, prior: bool);

    /// Answers all requests.
    fn answer(&mut self, prior: bool, answers: &mut EvaluationBuffer);

    /// Playouts that are cut off. Requests the values of their last positions, and returns how many.
    fn cut_off(&mut self, batch: Batch) -> usize;

    /// The result of [`Board::cut_off`] with these values.
    fn cut_sample(&self, values: &[i64]) -> Sample;

    /// The heuristic value of the present position in `[0, 1]`, for the player at the root.
    fn heuristic(&self) -> f64;

    /// The bounds of the present position that plain minimax to a few plies proves.
    fn probe(&self, range: Bounds, depth: u32) -> Bounds;

    /// The key of the present position, and the family that has it, if there is one.
    fn known(&self, arena: &Arena) -> (Option<u128>, Option<u32>);

    /// Sorts children of the present position by their priors, and records these. `told` is a requested prior.
    fn order_by_priors(&mut self, arena: &mut Arena, node: u32, told: Option<Vec<f32>>);

    /// Records the numbers of the moves that lead to children.
    fn number(&self, arena: &mut Arena, children: Range<u32>);

    /// The number of legal moves at the present position.
    fn move_count(&self) -> u64;

    /// The smallest and the largest evaluation, or payoff if there is no evaluation.
    fn values(&self) -> (i64, i64);

    /// The evaluation of the present position, for the player at the root. `None` if it must be requested.
    fn value(&self) -> Option<Value>;

    /// Whether the legal moves at the present position are those of the children of a node, in their order. If not, their places among
    /// the children are listed. Moves without a child have places after all children.
    fn has_places(&mut self, arena: &Arena, node: u32, places: &mut Vec<u32>) -> bool;

    /// Adds the moves without a child, if there are any, in the order of their places. Without enough memory nothing is changed.
    fn add_places(&mut self, arena: &mut Arena, node: u32, score: Score, meter: &mut Meter);

    /// Makes the move that leads to a node. With draws, chance then decides until a player's turn or the end. Returns as
    /// [`Board::go`].
    fn make(&mut self, node: u32, draws: Option<&mut PlayoutRng>) -> (Kind, f64);

    /// The payoff of the best line, if one leads on from the root.
    fn take_up_line(&mut self) -> Option<f64>;

    /// Makes the moves of a path and of the playout after it the best line. Returns its payoff.
    fn keep_line(&mut self, path: &[Step], draws: PlayoutRng) -> f64;

    /// The child of the root by which the best line goes. The rest of it is kept for the next turn.
    fn follow_line(&mut self, arena: &Arena) -> u32;
}
