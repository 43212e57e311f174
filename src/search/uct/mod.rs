//! UCT and its family, composed of small parts.
//!
//! One iteration: go down the tree by *selection* to a position at its edge, value that by *playouts*, and take the
//! result *up* again. Each part stands in a file of its own and is exchanged in [`UctSettings`]; what is matched once a
//! node is an enum, what runs for every ply of a playout is static in game and policy. Values are kept for the player
//! at the root; an opponent is taken to want the smallest, as in minimax.
//!
//! | file | holds |
//! |---|---|
//! | `settings` | the composition; first-play urgency, expansion |
//! | `searcher` | the searcher: one conversation a move, held in a loop |
//! | `conversation` | the way down: names the position that is to be played out |
//! | `parallel` | several threads in one tree, with virtual loss |
//! | `backup` | the way up: mean, maximum, a mixture, implicit minimax, all moves as first |
//! | `selection` | UCB1, UCB1-Tuned, Bayes-UCT, PUCT, progressive bias, RAVE |
//! | `grave` | GRAVE: all moves as first, asked of an ancestor |
//! | `transposition` | positions that are the same |
//! | `heuristic` | priors, evaluations as shares, widening, the shallow minimax of MCTS-MS |
//! | `learning` | what playouts learn: MAST, NST, the last good reply |
//! | `decisive` | decisive and anti-decisive moves in playouts |
//! | `leaf` | playouts, to the end or cut off and evaluated |
//! | `bounds` | what is proved: MCTS-Solver with score bounds |
//! | `final_choice` | which move of the root is played |
//! | `tree` | the nodes in flat columns, and how they are recycled |

mod backup;
mod bounds;
mod conversation;
mod decisive;
mod final_choice;
mod grave;
mod heuristic;
mod leaf;
mod learning;
mod parallel;
mod searcher;
mod selection;
mod settings;
mod transposition;
mod tree;

pub use conversation::Conversation;
pub use decisive::Decisive;
pub use final_choice::FinalChoice;
pub use heuristic::{Evaluated, Implicit, Prior, Widening};
pub use leaf::{Cutoff, Leaf, Sample};
pub use learning::Learning;
pub use searcher::Uct;
pub use selection::{Rule, Selection};
pub use settings::{Expansion, FirstPlay, UctSettings};
