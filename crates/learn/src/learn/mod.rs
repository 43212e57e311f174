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
//! [`Episode`] by temporal differences. Both are a [`Student`], and so is a [`PolicyLearner`]. They see a game as a [`Course`].
//!
//! In a solitaire a [`BagActor`] plays by a [`BagNetwork`], whose values are of positions before chance.

mod activation;
mod actor;
mod bag_actor;
mod bag_evaluation;
mod bag_file;
mod bag_learner;
mod bag_network;
mod bag_values;
mod course;
mod descent;
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
mod student;
mod td;
mod trainer;
mod tuple_sum;
mod values;

pub use crate::words::Problem;
pub use activation::Activation;
pub use actor::Actor;
pub use bag_actor::BagActor;
pub use bag_evaluation::{BagEvaluation, LookAhead};
pub use bag_file::{read_bag_network, write_bag_network};
pub use bag_learner::BagLearner;
pub use bag_network::BagNetwork;
pub use course::{At, Course, EpisodeError, GameCourse, Sight};
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
pub use student::{Diverged, Epoch, Errors, Fit, Keep, Set, Student};
pub use td::{Learner, Target, TdSettings};
pub use trainer::{Settings, Trainer};
pub use tuple_sum::TupleSum;
