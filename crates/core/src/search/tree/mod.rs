//! The core of all tree searchers.
//!
//! | file | holds |
//! |---|---|
//! | `node` | the rows of a tree: links, statistics, bounds, proved values |
//! | `column` | optional flat vectors, one row per node |
//! | `amaf_table` | results of all moves made below a position |
//! | `transposition` | the families of equal positions |
//! | `arena` | the nodes in columns, growth and recycling under the memory limit |
//! | `game_tree` | the arena with a game's moves and positions |
//! | `sample` | results of playouts |
//! | `scale` | reward normalisation |
//! | `logarithms` | ln of visits |
//! | `backup` | a result added to every node of a path |
//! | `method` | the steps in which searches differ |
//! | `search` | the iteration: selection, expansion, simulation, backup |
//! | `leaves` | many leaves at once, with virtual loss |
//! | `searcher` | tree searches as searchers, alone and by ask and tell |
//!
//! Each file imports only files above it.

mod amaf_table;
mod arena;
mod backup;
mod column;
mod game_tree;
mod leaves;
mod logarithms;
mod method;
mod node;
mod sample;
mod scale;
mod search;
mod searcher;
mod transposition;

pub(crate) use amaf_table::{entry, side};
pub(crate) use arena::{Arena, Columns};
pub(crate) use backup::{back_up, mean, score_mean, set_score};
pub(crate) use game_tree::GameTree;
pub(crate) use leaves::{leaves_at_once, worst};
pub(crate) use logarithms::Logarithms;
pub(crate) use method::{Descent, Expansion, Found, Iteration, Method, Root, TreeOf, most_visited, shuffle};
pub(crate) use node::{Amaf, Bounds, Kind, Node, ROOT, Score, Step, Totals, Value};
pub(crate) use sample::Sample;
pub(crate) use scale::Scale;
pub use search::TreeSearch;
pub(crate) use transposition::Index;
