//! Searchers: position, budget and randomness in, a decision out. No searcher knows a particular game.
//!
//! | file | holds |
//! |---|---|
//! | `searcher` | the trait, the randomness of one move, and why a search can fail |
//! | `budget` | what a player may spend on a move |
//! | `conversation` | decisions that let somebody else play their playouts |
//! | `decision` | what a search returns: the move, and what it thinks of each |
//! | `meter` | counting work, reading clocks, keeping limits: the only place that does |
//! | `ties` | choosing among equals |
//! | `policy_player` | a policy that sits down as a player; `random` is one |
//! | `flat` | flat Monte Carlo |
//! | `minimax` | plain minimax |
//! | `alpha_beta` | alpha-beta with all that is added to it; solving |
//! | `expectimax` | expectimax with Star1 and Star2 |
//! | `greedy` | the best mean of an evaluation, and random moves between |
//! | `simple_tree` | expectimax of fixed depth with playouts at the leaves |
//! | `leaf_buffer` | values of a tree whose leaves are played out many at a time |
//! | `root` | bandits at the root: UCB1, halving, Thompson, Gumbel |
//! | `line` | a way to the end of a solitaire that was found, and following it |
//! | `nested` | nested Monte Carlo search |
//! | `nrpa` | nested rollout policy adaptation |
//! | `sp_mcts` | single-player Monte Carlo tree search |
//! | `nested_rollout` | nested rollouts |
//! | `determined` | a game whose luck is known: one sampled future |
//! | `hindsight` | hindsight optimisation |
//! | `uct` | UCT and its family |
//! | `ensemble` | several searches of a position, joined at the root |
//! | `open_loop` | UCT whose tree knows no chance |
//! | `boltzmann` | trees whose moves are sampled by their values: BTS, DENTS |
//! | `unbounded_minimax` | best-first minimax |

mod alpha_beta;
mod boltzmann;
mod budget;
mod conversation;
mod decision;
mod determined;
mod ensemble;
mod expectimax;
mod flat;
mod greedy;
mod hindsight;
mod leaf_buffer;
mod line;
mod meter;
mod minimax;
mod nested;
mod nested_rollout;
mod nrpa;
mod open_loop;
mod policy_player;
mod root;
mod searcher;
mod simple_tree;
mod sp_mcts;
mod ties;
mod uct;
mod unbounded_minimax;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, Cue, RootValues, Solution, solve};
pub use boltzmann::{BoltzmannSettings, BoltzmannTree};
pub use budget::{Budget, Limit};
pub use conversation::{Ask, Converse};
pub use decision::{Decision, MoveEstimate, Stop};
pub use ensemble::Ensemble;
pub use expectimax::{Expectimax, Star};
pub use flat::FlatMonteCarlo;
pub use greedy::Greedy;
pub use hindsight::{Foresight, Hindsight};
pub use meter::{Clock, Limits, Meter, Spent, ThreadClock};
pub use minimax::Minimax;
pub use nested::NestedMonteCarlo;
pub use nested_rollout::NestedRollout;
pub use nrpa::Nrpa;
pub use open_loop::OpenLoopUct;
pub use policy_player::PolicyPlayer;
pub use root::{Gumbel, RootBandit, Sharing};
pub use searcher::{Fault, MoveStream, Searcher, Weighted};
pub use simple_tree::SimpleTree;
pub use sp_mcts::SpMcts;
pub use ties::Ties;
pub use uct::{
    Conversation, Cutoff, Decisive, Evaluated, Expansion, FinalChoice, FirstPlay, Implicit, Leaf, Learning,
    Prior, Rule, Sample, Selection, Uct, UctSettings, Widening,
};
pub use unbounded_minimax::UnboundedMinimax;
