//! Searchers: position, budget and randomness in, a decision out. No searcher knows a particular game.
//!
//! | file | holds |
//! |---|---|
//! | `searcher` | the trait |
//! | `ask_tell` | decisions whose playouts and evaluations the caller computes, in batches |
//! | `batch_values` | values of several positions by one evaluation, in one call |
//! | `budget` | the most that a player may spend on a move |
//! | `candidates` | the moves between which a search decides at its root |
//! | `decision` | the result of a search, its randomness, the choice among equals, and the errors of a search |
//! | `search_tree` | the tree of a finished search, for people to read |
//! | `meter` | the only place that counts work, reads clocks and enforces limits |
//! | `policy_player` | a policy as a player; `random` is one |
//! | `root` | bandits at the root: flat Monte Carlo, UCB1, halving, Thompson, Gumbel |
//! | `full_width` | every line to a fixed depth, with leaves valued in batches: minimax, the simple tree, the greedy player |
//! | `alpha_beta` | alpha-beta with its additions |
//! | `solve` | exact values, best moves and principal variations of whole games, on several threads |
//! | `table` | the transposition table of `alpha_beta` and `solve` |
//! | `expectimax` | expectimax with Star1 and Star2 |
//! | `exact_end` | the last turns of chance of a solitaire, played exactly |
//! | `tree` | the core of the tree searchers: arena, descent, backup |
//! | `board` | the game's side of a tree: its moves and positions, and tree searches as searchers |
//! | `uct` | UCT and its family |
//! | `ensemble` | several searches of a position, added up at the root |
//! | `open_loop` | UCT without chance nodes |
//! | `boltzmann` | trees that sample moves by their values: BTS, DENTS |
//! | `unbounded_minimax` | best-first minimax |
//! | `solitaire_line` | storing and following a line to the end of a solitaire |
//! | `nested` | nested Monte Carlo search |
//! | `nrpa` | nested rollout policy adaptation |
//! | `sp_mcts` | single-player Monte Carlo tree search |
//! | `restarts` | several single-player searches of a position |
//! | `nested_rollout` | nested rollouts |
//! | `rollouts` | lines of moves that race by playouts with common random numbers |
//! | `determinization` | one sampled future of a game of chance |
//! | `hindsight` | hindsight optimisation |

mod alpha_beta;
mod ask_tell;
mod batch_values;
mod board;
mod boltzmann;
mod budget;
mod candidates;
mod decision;
mod determinization;
mod ensemble;
mod exact_end;
mod expectimax;
mod full_width;
mod hindsight;
mod meter;
mod nested;
mod nested_rollout;
mod nrpa;
mod open_loop;
mod policy_player;
mod restarts;
mod rollouts;
mod root;
mod search_tree;
mod searcher;
mod solitaire_line;
mod solve;
mod sp_mcts;
mod table;
mod tree;
mod uct;
mod unbounded_minimax;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, OrderingHeuristic, RootValues};
pub use ask_tell::{Answer, AnswerBuffer, Ask, AskTell, Opened};
pub use board::TreeSearch;
pub use boltzmann::BoltzmannSettings;
pub use budget::{Budget, Limit};
pub use decision::{
    Decided, Decision, Distribution, MoveEstimate, MoveStream, SearchError, Stop, Ties, Weighted, ties,
};
pub use ensemble::Ensemble;
pub use exact_end::ExactEnd;
pub use expectimax::{Expectimax, Star};
pub use full_width::FullWidth;
pub use hindsight::{Foresight, Hindsight};
pub use meter::{
    Clock, Limits, Meter, ProcessClock, Spent, ThreadClock, abandon_searches, searches_are_abandoned,
};
pub use nested::NestedMonteCarlo;
pub use nested_rollout::{NestedRollout, Pruning, pruning};
pub use nrpa::Nrpa;
pub use policy_player::PolicyPlayer;
pub use restarts::Restarts;
pub use rollouts::{Race, Rollouts};
pub use root::{FlatMonteCarlo, Gumbel, RootBandit, RoundLength, Sharing};
pub use search_tree::{Branch, Branches, NoTree, TreeExtent};
pub use searcher::Searcher;
pub use solve::{BestMoves, OrderBy, Solution, SolveSettings, solve};
pub use uct::{
    Backup, Decisive, Expansion, FinalChoice, FirstPlay, Memory, Parallel, Playouts, Prior, Recycling,
    RootRule, Selection, Sight, Solver, Uct, UctOptions, UctSettings,
};
pub use unbounded_minimax::BestFirstSettings;
