//! Players: specs as data, and the one place where a spec and a game become a machine.
//!
//! Rooms above this one do not know the types of games and searchers. A [`Registry`] holds both by name; a game with its options
//! is an [`AnyGame`]; a game in progress with its machines is a [`Table`]. Erasing the type costs one virtual call per
//! move, and none per ply.

mod any_game;
mod catalogue;
pub mod choices;
pub mod conformance;
mod decl;
mod evaluations;
mod explored;
pub mod files;
mod fingerprint;
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
pub use registry::{GameList, OpenRegistry, Registry};
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
