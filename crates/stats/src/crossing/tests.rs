//! Crossings against curves whose crossing is known.

use super::*;

/// Budgets 10, 100 and 1000, for each of two curves.
fn curves() -> [Curve; 2] {
    let curve = |first: usize| (0..3).map(|at| ([10.0, 100.0, 1000.0][at], first + at)).collect();
    [curve(0), curve(3)]
}

fn found(rows: &[(Vec<f64>, u64)], resamples: usize, seed: u64) -> Crossings {
    let stream = Stream::new(seed) / "test";
    crossings(rows, &[curves()], resamples, stream, Confidence::new(0.95)).remove(0).unwrap()
}

/// Instances on which the players succeed with these rates. On a share of the instances all have the same random numbers.
fn drawn(rates: [f64; 6], instances: usize, seed: u64) -> Vec<(Vec<f64>, u64)> {
    let mut rng = (Stream::new(seed) / "rows").rng();
    let row = |_| {
        let (shared, is_shared) = (rng.unit(), rng.unit() < 0.5);
        let mut success =
            |rate: &f64| f64::from(u8::from((if is_shared { shared } else { rng.unit() }) < *rate));
        (rates.iter().map(&mut success).collect(), 1)
    };
    (0..instances).map(row).collect()
}

/// The means 0.2 0.4 0.6 and 0.3 0.4 + x …, as rows of ten instances each.
fn exact(means: [u64; 6]) -> Vec<(Vec<f64>, u64)> {
    let row = |instance: u64| (means.iter().map(|&mean| f64::from(u8::from(instance < mean))).collect(), 1);
    (0..10).map(row).collect()
}

#[test]
fn a_crossing_is_on_a_line_over_the_logarithm() {
    // −0.2 at 10 and 0.2 at 100: half of the way, √1000.
    let crossing = found(&exact([4, 5, 6, 2, 7, 9]), 100, 1);
    assert_eq!((crossing.ahead, crossing.at.len()), (Some(0), 1));
    assert!((crossing.at[0].budget.value - 1000.0_f64.sqrt()).abs() < 1e-9, "{crossing:?}");
    assert!((crossing.at[0].result - 0.45).abs() < 1e-12);
    assert_eq!(crossing.range, [10.0, 1000.0]);
    // At a measured budget, and in the middle of several at which the curves are equal.
    let at = |means| found(&exact(means), 100, 1).at[0].budget.value;
    assert!((at([4, 5, 6, 2, 5, 9]) - 100.0).abs() < 1e-9);
    // Two crossings, and none.
    let crossing = found(&exact([4, 5, 6, 2, 7, 2]), 100, 1);
    assert_eq!((crossing.ahead, crossing.at.len()), (Some(0), 2));
    assert!(crossing.at[0].budget.value < 100.0 && crossing.at[1].budget.value > 100.0);
    let crossing = found(&exact([4, 5, 6, 5, 5, 6]), 100, 1);
    assert_eq!((crossing.ahead, crossing.at.len()), (Some(1), 0));
    let crossing = found(&exact([4, 5, 6, 4, 5, 6]), 100, 1);
    assert_eq!((crossing.ahead, crossing.at.len(), crossing.same_order), (None, 0, Some(1.0)));
}

#[test]
fn curves_meet_only_where_both_are_known() {
    let rows = exact([4, 5, 6, 2, 7, 9]);
    let of = |first: &[(f64, usize)], second: &[(f64, usize)]| {
        let pair = [first.to_vec(), second.to_vec()];
        crossings(&rows, &[pair], 10, Stream::new(1), Confidence::new(0.95)).remove(0)
    };
    assert_eq!(of(&[(1.0, 0), (10.0, 1)], &[(10.0, 3), (100.0, 4)]), None);
    // From 10 to 100 the first curve is between its means at 1 and 100: 0.45 at 10. The second goes from 0.2 to 0.7.
    let crossing = of(&[(1.0, 0), (100.0, 1)], &[(10.0, 3), (1000.0, 4)]).unwrap();
    assert!(crossing.range[1] == 100.0 && crossing.ahead == Some(0), "{crossing:?}");
    assert!(crossing.at.is_empty());
}

/// The interval of a crossing covers the truth about as often as it says. The standard error of 95 % of 300 is 1.3 %, so a
/// correct program fails less than once in a thousand times. It is conservative: it has both the first and the last change.
#[test]
fn intervals_cover_a_known_crossing() {
    // 0.30 − 0.15 at 10 and 0.45 − 0.55 at 100: the crossing is 0.6 of the way, 10^1.6.
    let rates = [0.30, 0.45, 0.60, 0.15, 0.55, 0.85];
    let truth = 10.0_f64.powf(1.6);
    let (mut covered, mut closed) = (0, 0);
    for seed in 0..300 {
        let crossing = found(&drawn(rates, 300, seed), 400, seed);
        let [at] = crossing.at[..] else { continue };
        covered += u32::from(at.budget.low <= truth && truth <= at.budget.high);
        closed += u32::from(at.budget.low.is_finite() && at.budget.high.is_finite());
        assert!(at.budget.low <= at.budget.value && at.budget.value <= at.budget.high);
    }
    assert!((273..=299).contains(&covered), "{covered}");
    assert!(closed > 280, "{closed}");
}

/// Of equal players neither is ahead: an interval with two ends is as rare as its level says.
#[test]
fn the_order_of_equal_curves_is_not_settled() {
    let (mut closed, mut settled) = (0, 0);
    for seed in 0..200 {
        let crossing = found(&drawn([0.4, 0.5, 0.6, 0.4, 0.5, 0.6], 200, 1000 + seed), 400, seed);
        closed +=
            u32::from(crossing.at.iter().any(|at| at.budget.low.is_finite() && at.budget.high.is_finite()));
        settled += u32::from(crossing.at.is_empty() && crossing.same_order.unwrap() > 0.975);
    }
    // Either order must be settled on both sides of a crossing: less than 1 in 20.
    assert!(closed <= 12 && settled <= 12, "{closed} {settled}");
}

#[test]
fn the_stream_fixes_the_bytes() {
    let rows = drawn([0.30, 0.45, 0.60, 0.15, 0.55, 0.85], 200, 7);
    let (again, other) = (found(&rows, 500, 3), found(&rows, 500, 4));
    assert_eq!(again, found(&rows, 500, 3));
    assert_ne!(again.at[0].budget, other.at[0].budget);
    // Rows of single instances give the same as rows with counts, but for the resamples.
    let none = found(&[(vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 50)], 10, 1);
    assert_eq!((none.at.len(), none.same_order), (0, None));
}
