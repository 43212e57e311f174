//! The settings of a training.

use crate::learn::{Loss, Optimiser, Problem, Split};

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What is made small; a gradient is the mean over a batch.
    pub loss: Loss,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The factor of the sign of each weight, added to its slope (not to those of biases); 0: none.
    pub l1: f32,
    /// The factor of each weight, added to its slope (not to those of biases); 0: none.
    pub l2: f32,
    /// The samples of a batch; the last of an epoch may be smaller.
    pub batch: usize,
    /// How the samples are split.
    pub split: Split,
}

impl Settings {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self) -> Result<(), Problem> {
        let positive = |setting, number: f32| {
            let reason = format!("{number} is not above 0; write a positive number");
            if number > 0.0 && number.is_finite() { Ok(()) } else { Err(Problem::new(setting, reason)) }
        };
        let share = |setting, number: f32| {
            let reason = format!("{number} is not in 0 to 1; write for example 0.9");
            if (0.0..1.0).contains(&number) { Ok(()) } else { Err(Problem::new(setting, reason)) }
        };
        if let Loss::Huber { corner } = self.loss {
            positive("corner", corner as f32)?;
        }
        match self.optimiser {
            Optimiser::Sgd { rate } => positive("rate", rate)?,
            Optimiser::Momentum { rate, momentum } => {
                positive("rate", rate)?;
                share("momentum", momentum)?;
            }
            Optimiser::Adam(moments) | Optimiser::AmsGrad(moments) | Optimiser::AmsBound { moments, .. } => {
                positive("rate", moments.rate)?;
                share("beta1", moments.beta1)?;
                share("beta2", moments.beta2)?;
                positive("epsilon", moments.epsilon)?;
            }
        }
        if let Optimiser::AmsBound { final_rate, gamma, .. } = self.optimiser {
            positive("final-rate", final_rate)?;
            positive("gamma", gamma)?;
        }
        for (setting, factor) in [("l1", self.l1), ("l2", self.l2)] {
            if !(factor >= 0.0 && factor.is_finite()) {
                let reason = format!("{factor} is no factor; write 0 or a positive number");
                return Err(Problem::new(setting, reason));
            }
        }
        if self.batch == 0 {
            return Err(Problem::new("batch", "a batch of 0 samples trains nothing; write for example 200"));
        }
        Ok(())
    }
}
