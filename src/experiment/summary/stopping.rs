//! How a stopping rule ended an experiment.

use serde::Serialize;

use crate::stats::Estimate;

/// What a stopping rule did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingSummary {
    /// The rule in words.
    pub rule: String,
    /// What it decided, in words; `None` while it has decided nothing.
    pub verdict: Option<String>,
    /// How many instances the decision came from: those up to it, in their order.
    pub instances: u64,
    /// How many instances there would have been at most.
    pub planned: u64,
    /// The estimate that goes with the rule and holds although the number of trials was not fixed; its method says
    /// why it does.
    pub estimate: Option<Estimate>,
}
