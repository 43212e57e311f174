//! The core of all tree searchers. It knows numbers of nodes only: the positions and moves of a game are on its [`Board`],
//! so it is compiled once for all games.

mod arena;
mod backup;
mod column;
mod leaves;
mod logarithms;
mod method;
mod node;
mod scale;
mod search;
mod transposition;

pub(crate) use super::board::Board;
pub(crate) use arena::{Arena, MOST_CHILDREN};
pub(crate) use backup::{Sample, back_up, mean, score_mean, set_score};
pub(crate) use column::{Column, Rows};
pub(crate) use leaves::{leaves_at_once, worst};
pub(crate) use logarithms::Logarithms;
pub(crate) use method::{Descent, Found, Iteration, Leaf, Method, Root, most_visited, object};
pub(crate) use node::{Amaf, AmafTable, Bounds, Kind, Node, ROOT, Score, Step, Totals, Value, entry, side};
pub(crate) use scale::{Scale, payoffs};
pub(crate) use search::{Request, Tree};
pub(crate) use transposition::Index;
