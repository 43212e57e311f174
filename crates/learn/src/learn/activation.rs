//! Activations of layers.

use crate::game::{Kernel, accelerate};
use crate::words::Problem;

words! {
    /// The function that a layer applies to each of its sums.
    pub enum Activation {
        Tanh = "the hyperbolic tangent",
        Relu = "the sum, or 0 if it is negative",
        ClippedRelu = "the sum, at least 0 and at most 1",
        Linear = "the sum itself",
    }
}

impl Activation {
    /// All of them, with their names in manifests and files.
    pub const ALL: [(&'static str, Self); 4] = [
        ("linear", Self::Linear),
        ("tanh", Self::Tanh),
        ("relu", Self::Relu),
        ("clipped-relu", Self::ClippedRelu),
    ];

    /// The name in manifests and files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, activation)| *activation == self).expect("all are listed").0
    }

    /// The activations of some layers, by their names with commas between.
    ///
    /// # Errors
    /// If a name is unknown, or there are not as many as layers.
    pub fn list(names: &str, layers: usize) -> Result<Vec<Self>, Problem> {
        let named = |name: &str| {
            let found = Self::ALL.iter().find(|(known, _)| *known == name.trim());
            let known = Self::ALL.map(|(known, _)| known).join(", ");
            let reason = || {
                Problem::new("activations", format!("no activation is called {name:?}; there are {known}"))
            };
            found.map(|(_, activation)| *activation).ok_or_else(reason)
        };
        let found: Vec<Self> = names.split(',').map(named).collect::<Result<_, _>>()?;
        if found.len() != layers {
            let reason = format!("there are {layers} layers and {} activations", found.len());
            return Err(Problem::new("activations", reason));
        }
        Ok(found)
    }

    /// Applies the function to each number. The bits do not depend on the processor.
    pub fn apply(self, numbers: &mut [f32]) {
        accelerate(Apply(self, numbers));
    }

    /// Multiplies each number by the derivative, at the sum whose activation is given beside it. At a corner it is 0.
    pub(super) fn times_derivative(self, numbers: &mut [f32], activations: &[f32]) {
        accelerate(TimesDerivative(self, numbers, activations));
    }
}

struct Apply<'a>(Activation, &'a mut [f32]);

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(activation, numbers) = self;
        match activation {
            Activation::Linear => {}
            Activation::Tanh => numbers.iter_mut().for_each(|number| *number = tanh(*number)),
            Activation::Relu => numbers.iter_mut().for_each(|number| *number = number.max(0.0)),
            Activation::ClippedRelu => {
                for number in numbers {
                    *number = number.clamp(0.0, 1.0);
                }
            }
        }
    }
}

struct TimesDerivative<'a>(Activation, &'a mut [f32], &'a [f32]);

impl Kernel for TimesDerivative<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(activation, numbers, activations) = self;
        let pairs = numbers.iter_mut().zip(activations);
        match activation {
            Activation::Linear => {}
            Activation::Tanh => pairs.for_each(|(number, y)| *number *= 1.0 - y * y),
            Activation::Relu => pairs.for_each(|(number, &y)| *number *= f32::from(y > 0.0)),
            Activation::ClippedRelu => {
                pairs.for_each(|(number, &y)| *number *= f32::from(y > 0.0 && y < 1.0));
            }
        }
    }
}

/// The sum beyond which the hyperbolic tangent is 1 in single precision.
const SATURATED: f32 = 7.905_311;

/// The hyperbolic tangent by the ratio of two polynomials, with the coefficients of Eigen's `ptanh`: within 5e-7. It
/// needs no more than products, sums and a quotient, so that it has the same bits everywhere and lanes can share it.
/// Rejected: `libm::tanhf`, because it takes longer than all products of a network of 192 wide layers.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    // The coefficients of x¹³ … x, and of x⁶ … 1, each for the next two powers.
    const ODD: [f32; 7] = [
        -2.760_768_5e-16,
        2.000_188e-13,
        -8.604_672e-11,
        5.122_297e-8,
        1.485_722_4e-5,
        6.372_619_3e-4,
        4.893_524_6e-3,
    ];
    const EVEN: [f32; 4] = [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3];
    let x = x.clamp(-SATURATED, SATURATED);
    let square = x * x;
    let odd = ODD.iter().fold(0.0, |sum, coefficient| sum * square + coefficient);
    let even = EVEN.iter().fold(0.0, |sum, coefficient| sum * square + coefficient);
    x * odd / even
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hyperbolic_tangent_is_near_that_of_libm() {
        let mut worst = 0.0_f64;
        for number in -120_000..=120_000 {
            let x = number as f32 / 10_000.0;
            let exact = libm::tanh(f64::from(x));
            worst = worst.max((f64::from(tanh(x)) - exact).abs());
        }
        assert!(worst < 5e-7, "{worst:e}");
        assert_eq!((tanh(0.0), tanh(1e30)), (0.0, tanh(SATURATED)));
        assert!(tanh(f32::NAN).is_nan());
    }

    #[test]
    fn derivatives_agree_with_finite_differences() {
        for (name, activation) in Activation::ALL {
            for x in [-2.5_f32, -0.3, 0.2, 0.9, 1.7] {
                let of = |x: f32| {
                    let mut number = [x];
                    activation.apply(&mut number);
                    number[0]
                };
                let step = 1e-2;
                let difference = (of(x + step) - of(x - step)) / (2.0 * step);
                let mut slope = [1.0];
                activation.times_derivative(&mut slope, &[of(x)]);
                assert!((slope[0] - difference).abs() < 1e-3, "{name} at {x}: {slope:?}, {difference}");
            }
        }
    }
}
