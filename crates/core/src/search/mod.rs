//! Searchers: position, budget and randomness in, a decision out. No searcher knows a particular game.

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
pub use meter::{Clock, Limits, Meter, Spent, ThreadClock, abandon_searches, searches_are_abandoned};
pub use nested::NestedMonteCarlo;
pub use nested_rollout::NestedRollout;
pub use nrpa::Nrpa;
pub use policy_player::PolicyPlayer;
pub use rollouts::{Race, Rollouts};
pub use root::{FlatMonteCarlo, Gumbel, RootBandit, Sharing};
pub use search_tree::{Branch, Branches, NoTree, TreeExtent};
pub use searcher::Searcher;
pub use solve::{BestMoves, OrderBy, Solution, SolveSettings, solve};
pub use uct::{
    Backup, Decisive, Expansion, FinalChoice, FirstPlay, Memory, Parallel, Playouts, Prior, Selection, Sight,
    Solver, Uct, UctOptions, UctSettings,
};
