//! Players: specs as data, and the one place where a spec and a game become a machine.
//!
//! Rooms above this one do not know the types of games and searchers. A [`Registry`] holds both by name; a game with its options
//! is an [`AnyGame`]; a game in progress with its machines is a [`Table`]. Erasing the type costs one virtual call per
//! move, and none per ply.
//!
//! The files stand in an order in which each imports only those above it.
//!
//! | module | file | holds |
//! |---|---|---|
//! | spec: data | `choices` | settings that many searchers share, such as the exact end |
//! |  | `play_error` | the reasons why a game could not continue |
//! |  | `recipe` | a factory for machines of one searcher and one game, or the reason why they do not fit |
//! |  | `decl` | a searcher's declarations, as data |
//! |  | `spec` | a game with its options, and a searcher with its options and its budget: data |
//! |  | `files` | the places of files that options name |
//! |  | `weights_file` | files of weights |
//! |  | `network_file` | files of networks |
//! | build: a spec and a game | `foreign` | policies, evaluations and searchers of the program that runs |
//! |  | `catalogue` | a game with its policies, evaluations and searchers, which turns a spec into a recipe |
//! |  | `evaluations` | evaluations that every game has |
//! |  | `named_searcher` | a searcher as the registry takes it, and lists of them |
//! | searchers | `searchers` | the searchers of the crate |
//! |  | `fingerprint` | checksums of behaviour |
//! | erased: games of any type | `machine` | the searcher at a seat, with its budget |
//! |  | `solution` | the value of a position, in words |
//! |  | `table` | a game in progress: position, machines, last decision |
//! |  | `lock_step` | games in lock-step, with requests computed in common batches |
//! |  | `tables` | players resolved for a game, from which tables are made |
//! |  | `learners` | learners: their options, their games or samples, their files |
//! |  | `any_game` | a game of any type |
//! |  | `sampler` | samples of finished games |
//! |  | `explored` | all positions of a small game |
//! |  | `workload` | playouts and searches from one position, to be timed |
//! |  | `typed_searcher` | a searcher as it is typed, before it is checked |
//! |  | `named_player` | a player as it is typed on a command line |
//! |  | `registry` | games and searchers by name |
//! | games for a purpose | `same_luck` | two players in the same seat with the same luck |
//! |  | `conformance` | checks of the laws of searchers |

mod any_game;
mod catalogue;
pub mod choices;
pub mod conformance;
mod decl;
mod evaluations;
mod explored;
pub mod files;
mod fingerprint;
mod foreign;
mod learners;
mod lock_step;
mod machine;
mod named_player;
mod named_searcher;
mod network_file;
mod play_error;
mod recipe;
mod registry;
mod same_luck;
mod sampler;
mod searchers;
mod solution;
mod spec;
mod table;
mod tables;
mod typed_searcher;
mod weights_file;
mod workload;

pub use any_game::{AnyGame, Lists, Named, PerftLine};
pub use catalogue::{Catalogue, Horizon};
pub use choices::END;
pub use decl::{Claims, Others, SearcherDecl};
pub use explored::{ExploreError, Explored};
pub use foreign::{ChooseMove, Foreign, MakeSearcher, ValuePositions, WeighMoves};
pub use learners::{
    Form, GameSample, KeptErrors, LearnError, Learnable, Learning, LearningRun, Place, Source,
    learner_options, no_random_moves, source_of,
};
pub use lock_step::LockStep;
pub use machine::AnyMachine;
pub use named_player::{NamedPlayer, PlayerError};
pub use named_searcher::{NamedSearcher, SearcherList};
pub use network_file::NetworkForm;
pub use play_error::{PlayError, Playing, caught, is_playing, longest, playing};
pub use recipe::{FitError, Fitted, Recipe, SpecPart};
pub use registry::{Both, Classics, GameList, OpenRegistry, Registry, TestBeds};
pub use same_luck::{PairedGames, Played, Ply, SameLuck};
pub use sampler::Sampler;
pub use searchers::build;
pub use searchers::engine::Program;
pub use solution::{SolutionView, SolveError, SolveMethod, Solver, Value, Viewpoint};
pub use spec::{GameSpec, SearcherSpec};
pub use table::{DecisionView, Table};
pub use tables::{Tables, UnfitPlayer};
pub use typed_searcher::{PlacedSearcher, Renamed, SearcherPlaces, TypedSearcher};
pub use weights_file::{WeightsError, WeightsForm, write_weights};
pub use workload::{Searched, Searches, Workload, WorkloadError};

/// Whether searchers and games are optimised in this build, so that its times can be reported.
pub const IS_OPTIMISED: bool = !matches!(env!("SHIKOU_OPT_LEVEL").as_bytes(), b"0");
