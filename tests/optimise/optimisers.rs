//! The methods on test functions: smaller versions of the cases of `shikou validate`.

use shikou::optimise::cma_es::{self, CmaEs, Matrix};
use shikou::optimise::functions::{ellipsoid, evaluations_to, minimise_under_noise, rosenbrock, sphere};
use shikou::optimise::genetic::{self, Genetic};
use shikou::optimise::ntbea::{self, Ntbea};
use shikou::optimise::spsa::{self, Spsa};
use shikou::optimise::{Gene, Method, Space, Start, Told};
use shikou::rng::Stream;

fn unbounded(genes: usize, start: f64) -> Space {
    let space = Space::reals(genes, f64::NEG_INFINITY, f64::INFINITY);
    Space { start: vec![Start::At(start); genes], ..space }
}

/// The median number of evaluations of CMA-ES in dimension 10 over 5 runs.
fn median(function: fn(&[f64]) -> f64, start: f64, settings: &cma_es::Settings) -> u64 {
    let run = |run| {
        let mut method = CmaEs::new(unbounded(10, start), *settings, Stream::new(1) / run);
        evaluations_to(&mut method, function, 1e-9, 50_000).unwrap_or(u64::MAX)
    };
    let mut found: Vec<u64> = (0..5).map(run).collect();
    found.sort_unstable();
    found[2]
}

/// The reference implementation of the author needs 1750, 6210 and 6200 evaluations; it has no negative weights.
#[test]
fn cma_es_needs_as_many_evaluations_as_the_reference() {
    let settings = |sigma| cma_es::Settings { sigma, active: false, ..cma_es::Settings::default() };
    for (function, start, sigma, reference) in [
        (sphere as fn(&[f64]) -> f64, 3.0, 2.0, 1750),
        (ellipsoid, 3.0, 2.0, 6210),
        (rosenbrock, 0.0, 0.5, 6200),
    ] {
        let found = median(function, start, &settings(sigma));
        assert!(found.abs_diff(reference) * 100 < reference * 15, "{found}, not {reference}");
    }
}

#[test]
fn negative_weights_save_evaluations_where_axes_differ() {
    let settings = |active| cma_es::Settings { sigma: 2.0, active, ..cma_es::Settings::default() };
    let (with, without) = (median(ellipsoid, 3.0, &settings(true)), median(ellipsoid, 3.0, &settings(false)));
    assert!(with * 5 < without * 4, "{with} {without}");
}

#[test]
fn a_diagonal_matrix_is_faster_on_axes_and_fails_in_a_valley() {
    let settings = |sigma, covariance| cma_es::Settings { sigma, covariance, ..cma_es::Settings::default() };
    let on_axes = |covariance| median(ellipsoid, 3.0, &settings(2.0, covariance));
    assert!(on_axes(Matrix::Diagonal) * 4 < on_axes(Matrix::Full) * 3);
    let in_a_valley = |covariance| median(rosenbrock, 0.0, &settings(0.5, covariance));
    assert!(in_a_valley(Matrix::Diagonal) > 4 * in_a_valley(Matrix::Full));
}

/// Above 300 genes the matrix is diagonal: a full one would need n² numbers.
#[test]
fn many_genes_are_possible() {
    let settings = cma_es::Settings { sigma: 1.0, ..cma_es::Settings::default() };
    let mut method = CmaEs::new(unbounded(1000, 1.0), settings, Stream::new(3));
    for _ in 0..300 {
        let told: Vec<Told> = method.ask().iter().map(|genes| Told::of(-sphere(genes))).collect();
        method.tell(&told);
    }
    assert!(sphere(&method.best()) < 700.0, "{}", sphere(&method.best()));
}

/// The best point within the bounds is a corner of the box, and genes have different units.
#[test]
fn cma_es_finds_the_best_point_at_the_bounds() {
    let genes = vec![
        Gene::Real { low: 1.0, high: 5.0 },
        Gene::Real { low: -300.0, high: -0.5 },
        Gene::Real { low: -1.0, high: 1.0 },
        Gene::Whole { low: -20, high: 20 },
    ];
    let space = Space { genes, start: vec![Start::Uniform; 4], normalise: Vec::new() };
    let fitness =
        |x: &[f64]| -x[0] * x[0] - x[1] * x[1] - (x[2] - 0.25) * (x[2] - 0.25) - (x[3] - 7.0) * (x[3] - 7.0);
    let mut method = CmaEs::new(space, cma_es::Settings::default(), Stream::new(1));
    for _ in 0..150 {
        let asked = method.ask();
        assert!(asked.iter().all(|x| x[0] >= 1.0 && x[1] <= -0.5 && x[3].fract() == 0.0), "{asked:?}");
        method.tell(&asked.iter().map(|x| Told::of(fitness(x))).collect::<Vec<_>>());
    }
    let best = method.best();
    assert!((best[0] - 1.0).abs() < 1e-3 && (best[1] + 0.5).abs() < 1e-2, "{best:?}");
    assert!((best[2] - 0.25).abs() < 1e-3 && best[3] == 7.0, "{best:?}");
}

/// The sphere in dimension 10 from 1, …, 1, with noise of standard deviation 1: its mean at the end of 10 runs.
fn under_noise(re_evaluate: bool) -> f64 {
    let run = |run: u64| {
        let settings =
            cma_es::Settings { sigma: 0.5, re_evaluate, most_effort: 100.0, ..cma_es::Settings::default() };
        let mut method = CmaEs::new(unbounded(10, 1.0), settings, Stream::new(1) / run);
        minimise_under_noise(&mut method, sphere, 1.0, 40_000, &mut (Stream::new(2) / run).rng());
        sphere(&method.best())
    };
    (0..10).map(run).sum::<f64>() / 10.0
}

/// Without it the step size falls although noise decides, and the search stands still.
#[test]
fn re_evaluation_helps_under_noise() {
    let (never, more_games) = (under_noise(false), under_noise(true));
    assert!(more_games * 2.0 < never, "{never} {more_games}");
}

#[test]
fn cma_es_ends_when_it_has_converged() {
    let settings = cma_es::Settings { sigma: 1.0, ..cma_es::Settings::default() };
    let mut method = CmaEs::new(unbounded(3, 1.0), settings, Stream::new(1));
    while method.finished().is_none() {
        let told: Vec<Told> = method.ask().iter().map(|genes| Told::of(-sphere(genes))).collect();
        method.tell(&told);
    }
    assert_eq!(method.finished().unwrap(), "the steps are 10^-12 of the first ones");
    let mut flat = CmaEs::new(unbounded(3, 1.0), settings, Stream::new(1));
    while flat.finished().is_none() {
        let told = vec![Told::of(0.5); flat.ask().len()];
        flat.tell(&told);
    }
    assert_eq!(flat.finished().unwrap(), "all candidates of 22 generations had the same fitness");
}

#[test]
fn a_genetic_algorithm_finds_the_best_of_a_noiseless_function() {
    let settings = genetic::Settings {
        population: 40,
        parents: 20,
        elites: 2,
        crossover: genetic::Crossover::Blx {
            alpha: 0.5,
            children: 1,
            pairs: genetic::Pairs::Random,
            extent: genetic::Extent::Proper,
        },
        mutation: genetic::Mutation::None {},
        ..genetic::Settings::default()
    };
    let mut method = Genetic::new(Space::reals(5, -5.0, 5.0), settings, Stream::new(1));
    for _ in 0..100 {
        let told: Vec<Told> = method.ask().iter().map(|genes| Told::of(-sphere(genes))).collect();
        method.tell(&told);
    }
    assert!(sphere(&method.best()) < 1e-4, "{}", sphere(&method.best()));
}

/// Ten bits, the number of ones, and noise of standard deviation 1: the ones that are found in 20 runs, of 200.
fn one_max(settings: &ntbea::Settings, evaluations: u64) -> f64 {
    let bits = vec![Gene::Word { count: 2 }; 10];
    let space = Space { genes: bits, start: vec![Start::Uniform; 10], normalise: Vec::new() };
    let zeros = |bits: &[f64]| 10.0 - bits.iter().sum::<f64>();
    let run = |run: u64| {
        let mut method = Ntbea::new(space.clone(), settings.clone(), Stream::new(1) / run);
        minimise_under_noise(&mut method, zeros, 1.0, evaluations, &mut (Stream::new(2) / run).rng());
        10.0 - zeros(&method.best())
    };
    (0..20).map(run).sum()
}

/// A tenth of the evaluations of all 1024 candidates is enough; without exploration, or with the noise believed, it is not.
#[test]
fn ntbea_solves_one_max_under_noise() {
    let default = ntbea::Settings::default;
    assert!(one_max(&default(), 200) >= 198.0);
    assert!(one_max(&default(), 100) >= 190.0);
    assert!(one_max(&ntbea::Settings { triples: true, ..default() }, 60) >= 180.0);
    assert!(one_max(&ntbea::Settings { population: 10, ..default() }, 200) >= 190.0);
    assert!(one_max(&ntbea::Settings { exploration: 0.0, ..default() }, 100) < 190.0);
    assert!(one_max(&ntbea::Settings { neighbours: 1, ..default() }, 100) < 190.0);
}

/// The sphere in dimension 10 from 1, …, 1 with noise of standard deviation 1: its mean after 2000 evaluations.
fn noisy_quadratic(settings: &spsa::Settings) -> f64 {
    let run = |run: u64| {
        let mut method = Spsa::new(unbounded(10, 1.0), settings.clone(), Stream::new(1) / run);
        minimise_under_noise(&mut method, sphere, 1.0, 2000, &mut (Stream::new(2) / run).rng());
        sphere(&method.best())
    };
    (0..10).map(run).sum::<f64>() / 10.0
}

/// It begins at 10. The distance should be about the standard deviation of the noise (Spall 1998); a tenth of that is too
/// little.
#[test]
fn spsa_finds_the_best_point_of_a_noisy_quadratic() {
    let settings = |a, c| spsa::Settings { a, c, stability: 100.0, ..spsa::Settings::default() };
    assert!(noisy_quadratic(&settings(0.1, 1.0)) < 0.03);
    assert!(noisy_quadratic(&settings(0.1, 0.1)) > 0.3);
}
