use super::*;
use crate::rng::Stream;

fn level() -> Confidence {
    Confidence::default_level()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1e-3), "{found}, not {expected}");
}

/// The life of batteries, by material and temperature: Montgomery, table 5.1.
const BATTERIES: [[f64; 4]; 9] = [
    [130.0, 155.0, 74.0, 180.0],
    [34.0, 40.0, 80.0, 75.0],
    [20.0, 70.0, 82.0, 58.0],
    [150.0, 188.0, 159.0, 126.0],
    [136.0, 122.0, 106.0, 115.0],
    [25.0, 70.0, 58.0, 45.0],
    [138.0, 110.0, 168.0, 160.0],
    [174.0, 120.0, 150.0, 139.0],
    [96.0, 104.0, 82.0, 60.0],
];

/// Table 5.5 of Montgomery; the digits beyond it and the intervals are from statsmodels (`anova_lm`, sum contrasts).
#[test]
fn a_textbook_example_comes_out() {
    let found = Factorial::new(&[3, 3], BATTERIES.as_flattened(), level()).unwrap();
    assert_eq!((found.responses, found.degrees, found.interactions_are_residual), (36, 27, false));
    near(found.variance, 18230.75 / 27.0);
    let [material, temperature] = &found.factors[..] else { panic!() };
    let [both] = &found.pairs[..] else { panic!() };
    let golden = [
        (material.test, 2, 10683.722222, 7.911372, 1.976083e-3, 3.952166e-3),
        (temperature.test, 2, 39118.722222, 28.967692, 1.908596e-7, 5.725788e-7),
        (both.test, 4, 9613.777778, 3.559535, 1.861117e-2, 1.861117e-2),
    ];
    for (test, degrees, squares, f, p, corrected) in golden {
        assert_eq!(test.degrees, degrees);
        near(test.squares, squares);
        near(test.share, squares / 77646.972222);
        near(test.f.unwrap(), f);
        near(test.p.unwrap(), p);
        near(test.corrected.unwrap(), corrected);
    }
    let ends = |estimate: Estimate, value, low, high| {
        near(estimate.value, value);
        near(estimate.low, low);
        near(estimate.high, high);
        assert_eq!(estimate.method, Method::StudentT);
    };
    ends(material.levels[0].effect, -22.361111, -34.927938, -9.794285);
    ends(temperature.levels[0].effect, 39.305556, 26.738729, 51.872382);
    ends(both.cells[0][0].effect, 12.277778, -5.494399, 30.049954);
    ends(both.cells[0][0].mean, 134.75, 108.09173537, 161.40826463);
    near(material.levels[2].mean.value, 125.083333);
}

/// From statsmodels: an additive model, because two factors with one response each leave nothing else.
#[test]
fn without_repetitions_the_interaction_of_two_factors_is_the_residual() {
    let found = Factorial::new(&[2, 3], &[1.0, 2.0, 4.0, 3.0, 5.0, 9.0], level()).unwrap();
    assert!(found.interactions_are_residual && found.degrees == 2);
    near(found.factors[0].test.f.unwrap(), 14.285714285);
    near(found.factors[0].test.p.unwrap(), 0.0634141884);
    near(found.factors[1].test.corrected.unwrap(), 0.1268283768);
    near(found.factors[1].test.p.unwrap(), 0.1);
    assert_eq!((found.pairs[0].test.f, found.pairs[0].test.corrected), (None, None));
}

/// The results that the code computes by groups, from the definitions: a fit by repeated subtraction of means.
#[test]
fn four_factors_agree_with_the_definitions() {
    let (levels, repetitions) = ([2, 3, 4, 2], 2);
    let mut rng = (Stream::new(7) / "factorial").rng();
    let count = levels.iter().product::<usize>() * repetitions;
    let responses: Vec<f64> = (0..count).map(|_| rng.below(1000) as f64 / 10.0).collect();
    // The levels of each response, counted like the digits of a clock.
    let mut choices = vec![[0_usize; 4]];
    for _ in 1..count / repetitions {
        let mut next = *choices.last().unwrap();
        for (digit, most) in next.iter_mut().zip(levels).rev() {
            *digit += 1;
            if *digit < most {
                break;
            }
            *digit = 0;
        }
        choices.push(next);
    }
    let choice = |response: usize| choices[response / repetitions];
    let mean_where = |keep: &dyn Fn([usize; 4]) -> bool| {
        let kept: Vec<f64> = (0..count).filter(|&i| keep(choice(i))).map(|i| responses[i]).collect();
        kept.iter().sum::<f64>() / kept.len() as f64
    };
    let mean = mean_where(&|_| true);
    let found = Factorial::new(&levels, &responses, level()).unwrap();
    let mut left: Vec<f64> = responses.iter().map(|response| response - mean).collect();
    let (mut degrees, mut tests) = (count as u64 - 1, Vec::new());
    for (factor, of) in found.factors.iter().enumerate() {
        for (number, effect) in of.levels.iter().enumerate() {
            let of_level = mean_where(&|choice| choice[factor] == number);
            near(effect.mean.value, of_level);
            near(effect.effect.value, of_level - mean);
        }
        for (index, left) in left.iter_mut().enumerate() {
            *left -= of.levels[choice(index)[factor]].effect.value;
        }
        degrees -= of.test.degrees;
        tests.push(of.test);
    }
    for pair in &found.pairs {
        let [a, b] = pair.factors;
        for (i, row) in pair.cells.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                let of_cell = mean_where(&|choice| choice[a] == i && choice[b] == j);
                near(cell.mean.value, of_cell);
                let main = found.factors[a].levels[i].effect.value + found.factors[b].levels[j].effect.value;
                near(cell.effect.value, of_cell - main - mean);
            }
        }
        for (index, left) in left.iter_mut().enumerate() {
            *left -= pair.cells[choice(index)[a]][choice(index)[b]].effect.value;
        }
        degrees -= pair.test.degrees;
        tests.push(pair.test);
    }
    let residual: f64 = left.iter().map(|left| left * left).sum();
    let total: f64 = responses.iter().map(|response| (response - mean).powi(2)).sum();
    assert_eq!(found.degrees, degrees);
    near(found.variance, residual / degrees as f64);
    near(tests.iter().map(|test| test.share).sum::<f64>() + residual / total, 1.0);
    let values: Vec<f64> = tests.iter().map(|test| test.p.unwrap()).collect();
    assert_eq!(tests.iter().map(|test| test.corrected.unwrap()).collect::<Vec<_>>(), holm(&values));
}

/// Under no effect a test rejects as often as its level says.
#[test]
fn luck_alone_is_rejected_at_the_level() {
    let mut rng = (Stream::new(3) / "factorial").rng();
    let mut rejected = [0_u32; 2];
    let rounds = 4000;
    for _ in 0..rounds {
        let responses: Vec<f64> = (0..24).map(|_| (0..12).map(|_| rng.below(1 << 20) as f64).sum()).collect();
        let found = Factorial::new(&[2, 3, 4], &responses, level()).unwrap();
        rejected[0] += u32::from(found.factors[1].test.p.unwrap() < 0.05);
        rejected[1] += u32::from(found.pairs[2].test.p.unwrap() < 0.05);
    }
    // 200 expected, with a standard deviation of 14.
    assert!(rejected.iter().all(|&count| (150..=250).contains(&count)), "{rejected:?}");
}

#[test]
fn what_does_not_vary_has_no_test() {
    let found = Factorial::new(&[2, 2], &[0.1; 12], level()).unwrap();
    let test = found.factors[0].test;
    assert_eq!((test.share, test.f, test.corrected), (0.0, None, None));
    assert_eq!(found.factors[0].levels[0].effect.method, Method::None);
}

#[test]
fn no_grid_has_no_analysis() {
    let refused = |levels: &[usize], count| Factorial::new(levels, &vec![1.0; count], level()).is_none();
    assert!(refused(&[4], 4) && refused(&[1, 4], 4) && refused(&[2, 2], 5) && refused(&[2, 2], 0));
    assert!(Factorial::new(&[2, 2], &[1.0, f64::NAN, 1.0, 1.0], level()).is_none());
}

/// From scipy.
#[test]
fn quantiles_of_student_are_those_of_the_tables() {
    for (degrees, t) in [(1, 12.706204736), (3, 3.182446305), (27, 2.051830516), (68, 1.995468931)] {
        near(student_quantile(degrees, level()), t);
    }
}
