//! Losses: what a training makes small.

use crate::game::options::{parts, real};

parts! {
    /// The loss of a prediction, given its target.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Loss {
        /// the square of the error
        Squared {},
        /// half the square of the error, and linear beyond a corner (Huber 1964)
        Huber {
            /// the error from which on it is linear
            corner: f64 = real(1e-6..=1e6, 1.0),
        },
        /// the cross-entropy of a chance of winning; needs targets from 0 to 1
        Logistic {},
    }
}

impl Loss {
    /// The loss.
    pub fn loss(self, prediction: f32, target: f32) -> f64 {
        let (p, t) = (f64::from(prediction), f64::from(target));
        match self {
            Self::Squared {} => (p - t) * (p - t),
            Self::Huber { corner } => {
                let (error, corner) = ((p - t).abs(), f64::from(corner as f32));
                if error <= corner { 0.5 * error * error } else { corner * (error - 0.5 * corner) }
            }
            // ln(1 + eᵖ) − t·p, without overflow.
            Self::Logistic {} => p.max(0.0) + libm::log1p(libm::exp(-p.abs())) - t * p,
        }
    }

    /// The derivative of the loss by the prediction.
    pub fn slope(self, prediction: f32, target: f32) -> f32 {
        let error = prediction - target;
        match self {
            Self::Squared {} => 2.0 * error,
            Self::Huber { corner } => error.clamp(-corner as f32, corner as f32),
            Self::Logistic {} => logistic(prediction) - target,
        }
    }

    /// The value that a prediction means, in the unit of the targets.
    pub fn value(self, prediction: f32) -> f32 {
        if matches!(self, Self::Logistic {}) { logistic(prediction) } else { prediction }
    }

    /// The prediction that means a value, at most 30 if that is a logit.
    pub(super) fn prediction(self, value: f64) -> f32 {
        let logit = || (libm::log(value) - libm::log1p(-value)).clamp(-30.0, 30.0);
        (if matches!(self, Self::Logistic {}) { logit() } else { value }) as f32
    }
}

/// 1 / (1 + e⁻ˣ).
fn logistic(x: f32) -> f32 {
    (1.0 / (1.0 + libm::exp(-f64::from(x)))) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_agree_with_finite_differences() {
        for loss in [Loss::Squared {}, Loss::Huber { corner: 1.5 }, Loss::Logistic {}] {
            for prediction in [-30.0_f32, -2.0, -0.25, 0.0, 0.5, 3.0, 30.0] {
                for target in [0.0, 0.5, 1.0] {
                    let step = 1.0 / 1024.0; // exact in binary
                    let difference = (loss.loss(prediction + step, target)
                        - loss.loss(prediction - step, target))
                        / f64::from(2.0 * step);
                    let slope = f64::from(loss.slope(prediction, target));
                    assert!((slope - difference).abs() < 1e-3, "{loss:?} {prediction} {target}: {slope}");
                }
            }
        }
    }

    /// Values by hand.
    #[test]
    fn losses_have_the_values_of_their_definitions() {
        assert_eq!(Loss::Squared {}.loss(3.0, 1.0), 4.0);
        let huber = Loss::Huber { corner: 1.0 };
        assert_eq!([huber.loss(0.5, 0.0), huber.loss(3.0, 0.0)], [0.125, 2.5]);
        assert!((Loss::Logistic {}.loss(0.0, 1.0) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!((Loss::Logistic {}.loss(100.0, 0.0) - 100.0).abs() < 1e-12);
        assert_eq!(Loss::Logistic {}.value(0.0), 0.5);
        assert!((Loss::Logistic {}.value(Loss::Logistic {}.prediction(0.25)) - 0.25).abs() < 1e-6);
        assert_eq!([0.0, 1.0].map(|value| Loss::Logistic {}.prediction(value)), [-30.0, 30.0]);
    }
}
