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
//! | a total over fixed strata | [`total_interval`] | |
//! | where two curves cross | [`crossings()`] | |
//! | a match | [`MatchCounts`]: [`score_interval()`] with its test [`score_test`] | [`Sprt`], then [`estimate_after_sprt`]; [`BettingSequence`] |
//! | more than two players | [`bradley_terry`] | |
//! | several factors, each combination of their levels | [`Factorial`] | |
//! | a trend | [`slope()`] | |
//! | a median | [`median()`]; of two unpaired series [`ratio_of_medians`] | |
//! | a published figure, and ours | [`difference_of`], [`Claim::verdict`] | |
//! | several comparisons | [`holm`], [`benjamini_hochberg`] | |
//! | how many trials | [`trials_for_half_width`], [`trials_for_two_rates`], [`instances_for_paired_rates`] | [`operating`] |
//!
//! Logarithms, exponentials and powers come from `libm`, so that the printed digits and the verdicts are the same on
//! every machine.

use shikou_base::rng;

mod after_sprt;
mod anytime;
mod bootstrap;
mod bradley_terry;
mod claim;
mod crossing;
mod distribution;
pub mod draw;
mod elo;
mod estimate;
mod factorial;
mod llr;
mod match_counts;
mod mean;
mod median;
mod multiplicity;
mod paired;
mod planning;
mod rate;
mod slope;
mod sprt;
mod strata;

pub use after_sprt::estimate_after_sprt;
pub use anytime::{
    BettingSequence, MeanEProcess, PairedEProcess, beta_binomial_sequence, mean_ln_e, paired_ln_e,
};
pub use bootstrap::{MOST_INSTANCES, RESAMPLES, Statistic, bootstrap};
pub use bradley_terry::{Ratings, bradley_terry};
pub use claim::{Claim, ClaimVerdict, Sign};
pub use crossing::{Crossing, Crossings, Curve, crossings};
pub use distribution::{normal_cdf, normal_quantile};
pub use elo::{EloInterval, elo_of_score, score_of_elo};
pub use estimate::{Confidence, Estimate, Method};
pub use factorial::{Effect, EffectTest, Factor, Factorial, Interaction, student_quantile};
pub use llr::{EloModel, Hypotheses, TestError, log_likelihood_ratio};
pub use match_counts::{MatchCounts, Unit, named_pairs};
pub use mean::{Moments, PairedMoments, mean_interval, score_interval, score_test};
pub use median::{geometric_mean_ratio, median, median_rank, ratio_of_medians};
pub use multiplicity::{benjamini_hochberg, holm};
pub use paired::{
    PairedCounts, bonett_price, mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p, newcombe_paired, tango,
};
pub use planning::{
    detectable_mean_difference, detectable_paired_difference, instances_for_mean_difference,
    instances_for_paired_rates, least_instances, least_pairs, pair_variance, pairs_for_scores,
    trials_for_half_width, trials_for_two_rates, units_to_show,
};
pub use rate::{clopper_pearson, clustered_rate_of_counts, difference_of, jeffreys, newcombe, wilson};
pub use slope::{Slope, slope};
pub use sprt::{Bounds, Operating, Sprt, Verdict, operating};
pub use strata::total_interval;
