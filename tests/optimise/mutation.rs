//! Laws of mutation, of normalisation and of what is kept.

use shikou::optimise::genetic::{
    Crossover, Draw, First, Genetic, Mutation, Seating, Selection, Settings, To,
};
use shikou::optimise::{Gene, Genes, Method, Normalise, Space, Start, Told};
use shikou::rng::Stream;

use super::support::{Law, broken, fits, holds, rng, told, uniform};

fn unbounded(genes: usize) -> Space {
    let start = vec![Start::Normal { centre: 0.0, sd: 10.0 }; genes];
    Space { start, ..Space::reals(genes, f64::NEG_INFINITY, f64::INFINITY) }
}

const ONE_OF: Mutation = Mutation::OneOf { chance: 0.2, add_normal: 20.0, flip_sign: true, swap: true };

/// The candidate 1, 2, …, changed many times.
fn changed(mutation: Mutation, space: &Space, times: usize) -> Vec<Genes> {
    let mut rng = rng("mutation");
    let from: Genes = (0..space.len()).map(|gene| gene as f64 + 1.0).collect();
    let change = |mut genes: Genes| {
        mutation.apply(space, &mut genes, &mut rng);
        genes
    };
    std::iter::repeat_n(from, times).map(change).collect()
}

/// Each gene is drawn anew with a chance of its own, uniformly within its bounds.
fn redraws(mutation: Mutation, chance: f64) -> Law {
    let space = Space::reals(4, -50.0, 50.0);
    let born = changed(mutation, &space, 20_000);
    for gene in 0..4 {
        let new: Vec<f64> =
            born.iter().map(|genes| genes[gene]).filter(|&value| value != gene as f64 + 1.0).collect();
        let count = new.len() as u32;
        fits(&format!("gene {gene}"), &[count, 20_000 - count], &[chance, 1.0 - chance])?;
        let mut counts = [0; 10];
        for value in &new {
            counts[((value + 50.0) / 10.0) as usize] += 1;
        }
        uniform(&format!("values of gene {gene}"), &counts)?;
    }
    let both = born.iter().filter(|genes| genes[0] != 1.0 && genes[1] != 2.0).count() as u32;
    fits("two genes", &[both, 20_000 - both], &[chance * chance, 1.0 - chance * chance])
}

#[test]
fn redraw_draws_each_gene_anew() {
    holds(redraws(Mutation::Redraw { chance: 0.1 }, 0.1));
    broken(redraws(Mutation::Redraw { chance: 0.05 }, 0.1), "gene 0");
    let narrow = Mutation::AddNormal { chance: 0.1, sd: 1.0, to: To::EachGene };
    broken(redraws(narrow, 0.1), "values of gene 0");
    assert!(
        changed(Mutation::Redraw { chance: 0.0 }, &unbounded(3), 1000)
            .iter()
            .all(|genes| genes[..] == [1.0, 2.0, 3.0])
    );
}

/// Every gene has its own normal number, with the standard deviation asked for.
fn adds_to_each(mutation: Mutation) -> Law {
    let born = changed(mutation, &unbounded(2), 20_000);
    let mean = |of: fn(f64, f64) -> f64| {
        born.iter().map(|genes| of(genes[0] - 1.0, genes[1] - 2.0)).sum::<f64>() / born.len() as f64
    };
    for (what, found, expected, error) in [
        ("mean", mean(|a, _| a), 0.0, 0.071),
        ("variance", mean(|a, _| a * a), 100.0, 1.0),
        ("variance", mean(|_, b| b * b), 100.0, 1.0),
        ("covariance", mean(|a, b| a * b), 0.0, 0.71),
    ] {
        if (found - expected).abs() > 5.0 * error {
            return Err(format!("the {what} is {found}, not {expected}"));
        }
    }
    Ok(())
}

#[test]
fn a_normal_number_is_added_to_each_gene() {
    holds(adds_to_each(Mutation::AddNormal { chance: 1.0, sd: 10.0, to: To::EachGene }));
    broken(adds_to_each(Mutation::AddNormal { chance: 1.0, sd: 9.0, to: To::EachGene }), "variance");
    // Run 1 of source B: all genes move alike, so the covariance is the variance.
    broken(adds_to_each(Mutation::AddNormal { chance: 1.0, sd: 10.0, to: To::AllAlike }), "covariance");
}

#[test]
fn one_number_is_added_to_all_genes_alike() {
    let born =
        changed(Mutation::AddNormal { chance: 0.1, sd: 10.0, to: To::AllAlike }, &unbounded(10), 10_000);
    let moved: Vec<&Genes> = born.iter().filter(|genes| genes[0] != 1.0).collect();
    holds(fits("changed", &[moved.len() as u32, 10_000 - moved.len() as u32], &[0.1, 0.9]));
    for genes in moved {
        let step = genes[0] - 1.0;
        assert!(
            genes.iter().enumerate().all(|(gene, value)| (value - gene as f64 - 1.0 - step).abs() < 1e-9)
        );
    }
}

/// With chance 0.2 one of the three changes, each as likely.
#[test]
fn one_of_three_changes_happens() {
    let mut counts = [0; 4];
    for genes in changed(ONE_OF, &unbounded(5), 30_000) {
        let moved: Vec<usize> = (0..5).filter(|&gene| genes[gene] != gene as f64 + 1.0).collect();
        counts[match moved[..] {
            [] => 0,
            [gene] if genes[gene] == -(gene as f64 + 1.0) => 2,
            [_] => 1,
            [a, b] if genes[a] == b as f64 + 1.0 && genes[b] == a as f64 + 1.0 => 3,
            _ => panic!("{genes:?}"),
        }] += 1;
    }
    let third = 0.2 / 3.0;
    holds(fits("changes", &counts, &[0.8, third, third, third]));
}

#[test]
fn words_and_whole_numbers_are_changed_within_their_bounds() {
    let genes =
        vec![Gene::Word { count: 3 }, Gene::Whole { low: 0, high: 4 }, Gene::Real { low: 0.0, high: 9.0 }];
    let space = Space { start: vec![Start::Uniform; 3], genes, normalise: Vec::new() };
    let mutations = [
        Mutation::Redraw { chance: 0.5 },
        Mutation::AddNormal { chance: 0.5, sd: 5.0, to: To::EachGene },
        Mutation::AddNormal { chance: 0.5, sd: 5.0, to: To::AllAlike },
        Mutation::OneOf { chance: 1.0, add_normal: 9.0, flip_sign: true, swap: true },
    ];
    for mutation in mutations {
        let born = changed(mutation, &space, 500);
        for genes in &born {
            assert!(
                genes.iter().zip(&space.genes).all(|(value, gene)| gene.nearest(*value) == *value),
                "{genes:?}"
            );
        }
        assert!(
            born.iter().any(|genes| genes[0] == 2.0)
                && born.iter().any(|genes| genes[2] == 0.0 || genes[2] > 3.0)
        );
    }
}

/// Centred, and then the largest absolute value is exactly 100.
fn normalises(normalise: impl Fn(&mut [f64])) -> Law {
    let mut rng = rng("normalise");
    for length in 1..30 {
        let mut vector: Vec<f64> = (0..length).map(|_| 50.0 * rng.unit() - 5.0).collect();
        let before = vector.clone();
        normalise(&mut vector);
        let largest = vector.iter().fold(0.0_f64, |largest, gene| largest.max(gene.abs()));
        let mean = vector.iter().sum::<f64>() / f64::from(length);
        if mean.abs() > 1e-9 {
            return Err(format!("the mean is {mean}"));
        }
        if length > 1 && largest != 100.0 {
            return Err(format!("the largest is {largest}"));
        }
        let order = |list: &[f64]| {
            let mut order: Vec<usize> = (0..list.len()).collect();
            order.sort_by(|&a, &b| list[a].total_cmp(&list[b]));
            order
        };
        if order(&before) != order(&vector) {
            return Err("the order of the genes changed".into());
        }
    }
    Ok(())
}

#[test]
fn normalisation_centres_and_then_scales() {
    let whole = Normalise { centre: true, largest: Some(100.0) };
    holds(normalises(|vector| whole.apply(vector)));
    let centre = Normalise { largest: None, ..whole };
    let scale = Normalise { centre: false, ..whole };
    broken(normalises(|vector| centre.apply(vector)), "the largest");
    broken(normalises(|vector| scale.apply(vector)), "the mean");
    broken(
        normalises(|vector| {
            scale.apply(vector);
            centre.apply(vector);
        }),
        "the largest",
    );
    let mut zeros = [0.0; 3];
    whole.apply(&mut zeros);
    assert_eq!(zeros, [0.0; 3]);
}

/// The best two are in the next generation, unchanged, and everything is normalised.
fn keeps_elites(mutate_elites: bool, chance: f64) -> Law {
    let normalise = Normalise { centre: true, largest: Some(100.0) };
    let space = Space { normalise: vec![(0..6, normalise)], ..unbounded(6) };
    let settings = Settings {
        first: First::Drawn,
        population: 12,
        parents: 6,
        elites: 2,
        mutate_elites,
        selection: Selection::Roulette { shift: 5.0, draws: true },
        crossover: Crossover::OnePoint {},
        mutation: Mutation::AddNormal { chance, sd: 20.0, to: To::EachGene },
        as_published: false,
    };
    let mut method = Genetic::new(space, settings, Stream::new(4));
    for generation in 0..20 {
        let asked = method.ask();
        let fitness: Vec<f64> = (0..12).map(|index| f64::from((index * 5 + generation) % 12)).collect();
        method.tell(&told(fitness.iter().copied()));
        let next = method.ask();
        for (kept, fitness_of_kept) in next.iter().zip([11.0, 10.0]) {
            let index = fitness.iter().position(|&fitness| fitness == fitness_of_kept).expect("all occur");
            if *kept != asked[index] {
                return Err(format!("generation {generation}: a kept candidate changed"));
            }
        }
        for genes in &next {
            let largest = genes.iter().fold(0.0_f64, |largest, gene| largest.max(gene.abs()));
            assert!((largest - 100.0).abs() < 1e-9 && genes.iter().sum::<f64>().abs() < 1e-9, "{genes:?}");
        }
    }
    Ok(())
}

#[test]
fn elites_are_untouched() {
    holds(keeps_elites(false, 0.5));
    broken(keeps_elites(true, 0.5), "a kept candidate changed");
    // What may mutate and does not stays the same to the last bit.
    holds(keeps_elites(true, 0.0));
}

/// With a knockout its survivors are kept, in their order, whatever their fitness.
#[test]
fn survivors_of_a_knockout_are_kept_in_their_order() {
    let settings = Settings {
        population: 8,
        parents: 4,
        elites: 4,
        selection: Selection::Knockout { seating: Seating::Shuffled, games: 2, draw: Draw::Fair },
        ..Settings::default()
    };
    let mut method = Genetic::new(unbounded(3), settings, Stream::new(5));
    let asked = method.ask();
    let place = |index: usize| [None, Some(2), None, Some(0), None, Some(1), Some(3), None][index];
    let told: Vec<Told> =
        (0..8).map(|index| Told { place: place(index), ..Told::of(-(index as f64)) }).collect();
    method.tell(&told);
    assert_eq!(method.best(), asked[3]);
    assert_eq!(method.ask()[..4], [3, 5, 1, 6].map(|index: usize| asked[index].clone()));
}
