//! What the laws share. A law is a function that gives the reason why an operator breaks it, so that each is shown to
//! reject a broken operator.

use shikou::optimise::Told;
use shikou::rng::{Rng, Stream};

/// The verdict of a law.
pub(crate) type Law = Result<(), String>;

/// A stream of its own for each law.
pub(crate) fn rng(name: &str) -> Rng {
    (Stream::new(2026) / "laws" / name).rng()
}

pub(crate) fn told(fitness: impl IntoIterator<Item = f64>) -> Vec<Told> {
    fitness.into_iter().map(Told::of).collect()
}

/// Pearson's χ² of counts with these probabilities. The bound is about the quantile of 4.5 standard deviations (Wilson,
/// Hilferty).
pub(crate) fn fits(what: &str, counts: &[u32], chances: &[f64]) -> Law {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let mut squares = 0.0;
    for (&count, &chance) in counts.iter().zip(chances) {
        let expected = total * chance;
        if expected == 0.0 {
            if count > 0 {
                return Err(format!("{what}: what cannot happen happened {count} times"));
            }
            continue;
        }
        squares += (f64::from(count) - expected) * (f64::from(count) - expected) / expected;
    }
    let freedom = counts.len() as f64 - 1.0;
    let bound = 1.0 - 2.0 / (9.0 * freedom) + 4.5 * (2.0 / (9.0 * freedom)).sqrt();
    if squares < freedom * bound * bound * bound {
        Ok(())
    } else {
        Err(format!("{what}: χ² is {squares:.1} with {freedom} degrees of freedom: {counts:?}"))
    }
}

/// The counts are uniform.
pub(crate) fn uniform(what: &str, counts: &[u32]) -> Law {
    fits(what, counts, &vec![1.0 / counts.len() as f64; counts.len()])
}

/// The law holds.
#[track_caller]
pub(crate) fn holds(law: Law) {
    law.unwrap_or_else(|reason| panic!("{reason}"));
}

/// The law is broken, for a reason that has these words.
#[track_caller]
pub(crate) fn broken(law: Law, words: &str) {
    let reason = law.expect_err("the law must reject this operator");
    assert!(reason.contains(words), "{reason}");
}

#[test]
fn the_test_of_counts_rejects_what_is_not_uniform() {
    holds(uniform("fair", &[1010, 990, 1003, 997]));
    broken(uniform("unfair", &[1200, 800, 1000, 1000]), "χ²");
    broken(fits("impossible", &[10, 1], &[1.0, 0.0]), "cannot happen");
}
