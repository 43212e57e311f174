//! What a game is: the rules as a trait, and all that can be said of any game without knowing which.
//!
//! The key decision: a *game* (rules and options, one value for a whole experiment) is apart from a
//! *position* (small, `Copy`, no randomness and no hidden truth in it). A position after a shuffle holds
//! what is left in the stock, not its order: turning a card is chance's turn, so a searcher that peeks
//! cannot be written. Rejected: a position that carries its rules (options would be copied each ply), and a
//! random state inside the position (copies would share their luck).
//!
//! | file | holds |
//! |---|---|
//! | `rules` | the trait [`Game`] and what nobody may redefine ([`GameExt`]) |
//! | `turn` | whose turn it is; players |
//! | `outcome` | win, draw, loss |
//! | `facts` | what is true of a game: players, chance, ranges, length |
//! | `options` | declared options of games and searchers, and their values |
//! | `policy`, `playout` | distributions over moves, and playing games out with them |
//! | `tally` | exact sums over playouts |
//! | `stages` | the parts of a playout, each run alone |
//! | `records` | formats of files of games |
//! | `features` | positions in numbers, and evaluations that weigh them |
//! | `evaluation` | heuristic values of unfinished positions |
//! | `generic_policies` | policies by an evaluation: ε-greedy, softmax |
//! | `pattern`, `rule_list` | what can be counted of a move, and policies that are lists of rules about it |
//! | `window` | what a search may ask only a game that knows it: bounds, and exact ends |
//! | `bits` | the set bits of a mask, one after the other |
//! | `select` | the n-th of them at once |
//! | `accelerate` | the faster instructions of the machine, chosen at run time |
//! | `path` | which vector instructions the machine has, for games that play many games at a time |
//! | `graph` | all positions of a small game |
//! | `perft` | counting the game tree |
//! | `conformance` | the laws, checked |

mod accelerate;
mod bits;
pub mod conformance;
mod evaluation;
mod facts;
mod features;
mod generic_policies;
mod graph;
pub mod options;
mod outcome;
mod path;
mod pattern;
mod perft;
mod playout;
mod policy;
mod records;
mod rule_list;
mod rules;
mod select;
mod stages;
mod tally;
mod turn;
mod window;

pub use accelerate::{Kernel, Machine, accelerate};
pub use bits::Bits;
pub use evaluation::{Evaluation, NamedEvaluation};
pub use facts::Facts;
pub use features::{Features, Linear, NamedFeatures};
pub use generic_policies::{EpsilonGreedy, Softmax};
pub use graph::{Edge, End, GameGraph, Graph, NoGraph, Node};
pub use outcome::Outcome;
pub use path::Path;
pub use pattern::{NamedPattern, NamedRules, Pattern};
pub use perft::{FinishedGames, divide, perft, plain_lines_of_two_plies};
pub use playout::{Batch, PlayoutRequest, play_out, run_playouts};
pub use policy::{NamedPolicy, Policy, Uniform};
pub use records::{RecordFormat, RecordedGames};
pub use rule_list::{MoveReasons, NoPoints, Points, Reason, RuleError, RuleList, plain_rules};
pub use rules::{Followed, Game, GameExt, IllegalMove, NamedGame, PositionError, TranscriptError};
pub use select::nth_set_bit;
pub use stages::{PlainStage, Ply, PlyOf, Stage, record_plies, run_stage};
pub use tally::Tally;
pub use turn::{Player, Turn};
pub use window::{Solved, Window};
