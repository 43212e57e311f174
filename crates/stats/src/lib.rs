//! Statistics: numbers in, numbers out. This room knows no game.
//!
//! Three rules hold throughout.
//!
//! 1. **Trials are folded in the order of their indices**, never in order of completion. Short games finish first, and
//!    the error rate of a sequential test fed in that order is unbounded.
//! 2. **An interval for a fixed number of trials holds at that number only.** While trials run, use the confidence
//!    sequences and e-processes, which hold at all looks together. Every [`Estimate`] names its [`Method`].
//! 3. **n games are not n samples** if openings are shared or deals repeated: the units are pairs of games and clusters
//!    of trials.
//!
//! | question | at a fixed number | at any time |
//! |---|---|---|
//! | one rate | [`wilson`], [`clopper_pearson`], [`jeffreys`], [`clustered_rate_of_counts`] | [`beta_binomial_sequence`] |
//! | two independent rates | [`newcombe`] | |
//! | two rates on the same instances | [`tango`] with its test [`mcnemar_asymptotic`], [`newcombe_paired`], [`bonett_price`], [`mcnemar_mid_p`] | [`PairedEProcess`] |
//! | two means on the same instances | [`PairedMoments`], [`bootstrap()`], [`geometric_mean_ratio`] | [`BettingSequence`] and [`mean_ln_e`] for bounded values |
//! | where two curves cross | [`crossings()`] | |
//! | a match | [`MatchCounts`]: [`score_interval()`] with its test [`score_test`] | [`Sprt`], then [`estimate_after_sprt`]; [`BettingSequence`] |
//! | more than two players | [`bradley_terry`] | |
//! | several factors, each combination of their levels | [`Factorial`] | |
//! | a median | [`median()`]; of two unpaired series [`ratio_of_medians`] | |
//! | several comparisons | [`holm`], [`benjamini_hochberg`] | |
//! | how many trials | [`trials_for_half_width`], [`trials_for_two_rates`], [`instances_for_paired_rates`] | [`operating`] |
//!
//! Logarithms, exponentials and powers come from `libm`, so that the printed digits and the verdicts are the same on
//! every machine.

use shikou_base::rng;

mod after_sprt;
mod beta;
mod beta_binomial;
mod betting;
mod bootstrap;
mod bradley_terry;
mod clustered;
mod correlation;
mod crossing;
pub mod draw;
mod e_process;
mod elo;
mod estimate;
mod factorial;
mod llr;
mod match_counts;
mod mcnemar;
mod mean;
mod mean_e_process;
mod median;
mod multiplicity;
mod normal;
mod normalized;
mod operating;
mod paired;
mod planning;
mod rate;
mod ratio;
mod resample;
mod root;
mod sprt;
mod two_rates;

pub use after_sprt::estimate_after_sprt;
pub use beta_binomial::beta_binomial_sequence;
pub use betting::BettingSequence;
pub use bootstrap::{MOST_INSTANCES, RESAMPLES, Statistic, bootstrap};
pub use bradley_terry::{Ratings, bradley_terry};
pub use clustered::clustered_rate_of_counts;
pub use correlation::PairedMoments;
pub use crossing::{Crossing, Crossings, Curve, crossings};
pub use e_process::{PairedEProcess, paired_ln_e};
pub use elo::{EloInterval, elo_of_score, score_of_elo};
pub use estimate::{Confidence, Estimate, Method};
pub use factorial::{Effect, EffectTest, Factor, Factorial, Interaction};
pub use llr::{EloModel, Hypotheses, TestError, log_likelihood_ratio};
pub use match_counts::{MatchCounts, Unit};
pub use mcnemar::{mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p};
pub use mean::{Moments, mean_interval, score_interval, score_test};
pub use mean_e_process::mean_ln_e;
pub use median::{median, median_rank};
pub use multiplicity::{benjamini_hochberg, holm};
pub use normal::{normal_cdf, normal_quantile};
pub use normalized::named_pairs;
pub use operating::{Operating, operating};
pub use paired::{PairedCounts, bonett_price, newcombe_paired, tango};
pub use planning::{
    detectable_paired_difference, instances_for_paired_rates, least_instances, least_pairs,
    trials_for_half_width, trials_for_two_rates, units_to_show,
};
pub use rate::{clopper_pearson, jeffreys, wilson};
pub use ratio::{geometric_mean_ratio, ratio_of_medians};
pub use sprt::{Bounds, Sprt, Verdict};
pub use two_rates::{difference_of, newcombe};
