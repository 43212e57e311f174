//! The core of all tree searchers. It knows numbers of nodes only: the positions and moves of a game are on its [`board`](super::board),
//! so it is compiled once for all games.
//!
//! | file | holds |
//! |---|---|
//! | `node` | the rows of a tree: links, statistics, bounds, proved values |
//! | `column` | optional flat vectors, one row per node |
//! | `amaf_table` | results of all moves made below a position |
//! | `transposition` | the families of equal positions |
//! | `arena` | the nodes in columns, growth and recycling under the memory limit |
//! | `sample` | results of playouts |
//! | `scale` | reward normalisation |
//! | `logarithms` | ln of visits |
//! | `backup` | a result added to every node of a path |
//! | `board` | the game's side, as the search sees it |
//! | `method` | the steps in which searches differ |
//! | `search` | the iteration: selection, expansion, simulation, backup |
//! | `leaves` | many leaves at once, with virtual loss |
//!
//! Each file imports only files above it.

mod amaf_table;
mod arena;
mod backup;
mod board;
mod column;
mod leaves;
mod logarithms;
mod method;
mod node;
mod sample;
mod scale;
mod search;
mod transposition;

pub(crate) use amaf_table::{entry, side};
pub(crate) use arena::{Arena, Columns, MOST_CHILDREN};
pub(crate) use backup::{back_up, mean, score_mean, set_score};
pub(crate) use board::Board;
pub(crate) use column::{Column, Rows};
pub(crate) use leaves::{leaves_at_once, worst};
pub(crate) use logarithms::Logarithms;
pub(crate) use method::{Descent, Found, Iteration, Leaf, Method, Root, most_visited};
pub(crate) use node::{Amaf, Bounds, Kind, Node, ROOT, Score, Step, Totals, Value};
pub(crate) use sample::Sample;
pub(crate) use scale::{Scale, payoffs};
pub(crate) use search::{Request, Search};
pub(crate) use transposition::Index;
