//! Statistics: numbers in, numbers out. This room knows no game.
//!
//! Intervals are for a number of trials that was fixed before the first one was played; looking at them while
//! trials run, and stopping at a look, breaks their promise. Those that say *anytime* hold at all looks together.
//! Everything is folded in the order of the trials.

mod after_sprt;
mod beta;
mod beta_binomial;
mod betting;
mod bradley_terry;
mod clustered;
mod correlation;
mod e_process;
mod elo;
mod estimate;
mod in_order;
mod llr;
mod match_counts;
mod mcnemar;
mod mean;
mod multiplicity;
mod normal;
mod operating;
mod paired;
mod rate;
mod root;
mod sprt;
mod two_rates;

pub use after_sprt::estimate_after_sprt;
pub use beta_binomial::{RunningIntersection, beta_binomial_sequence};
pub use betting::BettingSequence;
pub use bradley_terry::{Ratings, bradley_terry, is_strongly_connected};
pub use clustered::{ClusteredRate, clustered_rate};
pub use correlation::PairedMoments;
pub use e_process::{PairedEProcess, paired_ln_e};
pub use elo::{EloInterval, elo_of_score, score_of_elo};
pub use estimate::{Confidence, Estimate, Method};
pub use in_order::InOrder;
pub use llr::{EloModel, Hypotheses, InvalidTest, log_likelihood_ratio};
pub use match_counts::{MatchCounts, Unit};
pub use mcnemar::{mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p};
pub use mean::{Moments, mean_interval, pair_score_interval};
pub use multiplicity::{benjamini_hochberg, e_bh, e_holm, holm};
pub use normal::{normal_cdf, normal_quantile};
pub use operating::{Operating, operating};
pub use paired::{PairedCounts, bonett_price, newcombe_paired, tango};
pub use rate::{clopper_pearson, jeffreys, wilson};
pub use sprt::{Bounds, Sprt, Verdict};
pub use two_rates::newcombe;
