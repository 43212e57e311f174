//! Learning evaluations: dense networks from samples, and weights of n-tuples, of networks and of policies from games. This room knows no searcher and no
//! file system.
//!
//! # Dense networks
//!
//! [`Samples`] are numbers with a target each. A [`Trainer`] makes the [`Loss`] of a [`Network`] on them small, epoch by
//! epoch, in single precision. Everything that it does follows from its settings and its stream: sums have one order, nothing
//! is fused, and a batch is split into the same parts for any number of threads. So the same bytes come from every processor.
//!
//! Rejected: a framework. Of those looked at in November 2026, none gives the same bytes on two processors or seeds its
//! generator on a CPU (`docs/design.md`). A larger network can be trained elsewhere and read from a file.
//!
//! # Learning from games
//!
//! An [`Actor`] plays games by the values of a [`Learner`] of n-tuples or of a [`NetworkLearner`], which then learns from each
//! [`Episode`] by temporal differences. Both are a [`BatchLearner`], and so is a [`PolicyLearner`]. They see a game as an [`Environment`].
//!
//! In a solitaire a [`DeepSetsActor`] plays by a [`DeepSets`], whose values are of positions before chance.

mod activation;
mod actor;
mod batch_learner;
mod deep_sets;
mod deep_sets_actor;
mod deep_sets_evaluation;
mod deep_sets_file;
mod deep_sets_learner;
mod deep_sets_values;
mod descent;
mod environment;
mod episode;
mod evaluation;
mod file;
mod gradient;
mod input;
mod least_squares;
mod loss;
mod network;
mod network_learner;
mod optimiser;
mod policy_gradient;
mod product;
mod samples;
mod td;
mod trainer;
mod tuple_sum;
mod values;

pub use crate::words::Problem;
pub use activation::Activation;
pub use actor::Actor;
pub use batch_learner::{BatchLearner, Diverged, Epoch, Errors, Fit, Keep, Set};
pub use deep_sets::DeepSets;
pub use deep_sets_actor::DeepSetsActor;
pub use deep_sets_evaluation::{DeepSetsEvaluation, LookAhead};
pub use deep_sets_file::{read_deep_sets, write_deep_sets};
pub use deep_sets_learner::DeepSetsLearner;
pub use environment::{At, Environment, EpisodeError, GameEnvironment, Sight};
pub use episode::{Episode, Step};
pub use evaluation::NetworkEvaluation;
pub use file::{FileError, NetworkFile, read_network, write_network};
pub use input::{Input, Inputs, Squares};
pub use least_squares::LeastSquares;
pub use loss::Loss;
pub use network::{Layer, Network, Scratch};
pub use network_learner::NetworkLearner;
pub use optimiser::Optimiser;
pub use policy_gradient::{PolicyGame, PolicyLearner, PolicySettings, play_by_policy};
pub use samples::{Samples, Split, Unit};
pub use td::{Learner, Target, TdSettings};
pub use trainer::{Settings, Trainer};
pub use tuple_sum::TupleSum;
