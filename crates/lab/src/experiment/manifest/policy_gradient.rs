//! The options of the method `policy-gradient`.

use crate::game::options::{integer, real, settings};
use crate::learn::{Moments, Optimiser, PolicySettings};

settings! {
    /// The options of the method `policy-gradient`.
    #[derive(Clone, Debug)]
    pub(crate) struct PolicyGradientOptions {
        /// games of each deal; their mean reward is what each is compared with
        group: u64 = integer(2..=1_000_000, 8),
        /// deals that are played with the same weights, and then learned in one step
        batch: u64 = integer(1..=1_000_000, 16),
        /// the rate of the first steps of Adam
        rate: f64 = real(1e-9..=1e3, 0.02),
        /// the rate of the last steps as a share of the first; linear between
        last: f64 = real(0.0..=1.0, 0.1),
        /// what a point of the score adds to the reward of the first games, in payoffs from 0 to 1
        shaping: f64 = real(0.0..=1e6, 0.0),
        /// the share of the training after which it adds nothing; linear before
        shaped: f64 = real(1e-9..=1.0, 0.5),
    }
}

impl PolicyGradientOptions {
    /// The settings of the learner.
    pub(crate) fn settings(&self) -> PolicySettings {
        let &Self { rate, last, shaping, shaped, .. } = self;
        let optimiser = Optimiser::Adam(Moments { rate: rate as f32, ..Moments::default() });
        PolicySettings { optimiser, last, shaping, shaped }
    }
}
