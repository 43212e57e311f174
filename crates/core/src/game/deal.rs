//! Deals with a known hidden order.

/// Whether a deal can be won with its hidden order known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealVerdict {
    /// It can be won.
    Won,
    /// It cannot be won.
    Lost,
    /// The search did not decide within its limit.
    Undecided,
}

/// The verdict on a deal and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealSolution {
    /// The verdict.
    pub verdict: DealVerdict,
    /// The number of positions that the search examined.
    pub nodes: u64,
}
