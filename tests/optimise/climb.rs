//! Laws of local search.

use shikou::optimise::climb::{Best, Climb, Compare, Keep, Pairing, Settings};
use shikou::optimise::{Genes, Method, Space, Start, Told};
use shikou::rng::Stream;

use super::support::{Law, broken, fits, holds};

/// Source N: two genes from [0, 1] without bounds.
fn space() -> Space {
    let start = vec![Start::Between { low: 0.0, high: 1.0 }; 2];
    Space { start, ..Space::reals(2, f64::NEG_INFINITY, f64::INFINITY) }
}

/// Some generations: what was asked, the fitness, and what is asked next.
fn generations(keep: Keep, count: usize) -> Vec<(Vec<Genes>, Vec<f64>, Vec<Genes>)> {
    let mut method = Climb::new(space(), Settings { keep, ..Settings::default() }, Stream::new(1));
    let mut rng = Stream::new(2).rng();
    let mut generation = || {
        let asked = method.ask();
        let fitness: Vec<f64> = asked.iter().map(|_| rng.unit()).collect();
        method.tell(&fitness.iter().map(|&fitness| Told::of(fitness)).collect::<Vec<_>>());
        (asked, fitness, method.ask())
    };
    (0..count).map(|_| generation()).collect()
}

fn is_near(child: &Genes, parent: &Genes) -> bool {
    child.iter().zip(parent).all(|(child, parent)| (child - parent).abs() <= 0.1)
}

fn order(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    order
}

/// Children are near the parent that this function names, but for those drawn anew: 3 %, of which some are near by chance.
fn descends(keep: Keep, parent: impl Fn(&[f64], usize) -> usize) -> Law {
    let (mut near, mut far) = (0, 0);
    for (asked, fitness, next) in generations(keep, 400) {
        for (index, child) in next.iter().enumerate() {
            *if is_near(child, &asked[parent(&fitness, index)]) { &mut near } else { &mut far } += 1;
        }
    }
    if (60..180).contains(&far) {
        Ok(())
    } else {
        Err(format!("{far} of {} are far from their parent", near + far))
    }
}

#[test]
fn all_are_children_of_the_best() {
    let best = |fitness: &[f64], _| order(fitness)[0];
    holds(descends(Keep::Best { of: Best::All }, best));
    broken(descends(Keep::Best { of: Best::Previous }, best), "far from their parent");
    let previous =
        |fitness: &[f64], _| (1..10).rev().find(|&index| fitness[index] > fitness[index - 1]).unwrap_or(0);
    holds(descends(Keep::Best { of: Best::Previous }, previous));
}

#[test]
fn each_half_are_children_of_one_of_the_best_two() {
    holds(descends(Keep::BestTwo {}, |fitness, index| order(fitness)[index / 5]));
    broken(descends(Keep::BestTwo {}, |fitness, _| order(fitness)[0]), "far from their parent");
}

/// Of every two that meet, the better stays as it is. With random pairs it is not known who met, but the best always stays.
fn keeps_the_better(keep: Keep) -> Law {
    for (asked, fitness, next) in generations(keep, 200) {
        let stayed: Vec<usize> = (0..10).filter(|&index| next[index] == asked[index]).collect();
        if stayed.len() != 5 || !stayed.contains(&order(&fitness)[0]) || stayed.contains(&order(&fitness)[9])
        {
            return Err(format!("{stayed:?} stayed, with {fitness:?}"));
        }
        let Keep::Pairs { pairing: Pairing::Fixed, .. } = keep else { continue };
        for pair in 0..5 {
            let better = if fitness[2 * pair] > fitness[2 * pair + 1] { 2 * pair } else { 2 * pair + 1 };
            if !stayed.contains(&better) {
                return Err(format!("the better of pair {pair} left"));
            }
        }
    }
    Ok(())
}

#[test]
fn the_better_of_each_pair_stays() {
    let pairs = |pairing, compare| Keep::Pairs { pairing, compare };
    holds(keeps_the_better(pairs(Pairing::Fixed, Compare::Candidates)));
    holds(keeps_the_better(pairs(Pairing::Random, Compare::Candidates)));
    broken(keeps_the_better(pairs(Pairing::Random, Compare::Places)), "stayed");
}

#[test]
fn random_pairs_are_random_and_fixed_ones_are_not() {
    // With one candidate better than all others, its partner is the one that becomes its child.
    let partners = |pairing| {
        let mut counts = [0; 10];
        for run in 0..2000 {
            let keep = Keep::Pairs { pairing, compare: Compare::Candidates };
            let mut method = Climb::new(
                space(),
                Settings { keep, redraw: 0.0, step: 1e-9, ..Settings::default() },
                Stream::new(run),
            );
            let asked = method.ask();
            method.tell(&(0..10).map(|index| Told::of(f64::from(u8::from(index == 3)))).collect::<Vec<_>>());
            let is_child = |child: &Genes| (child[0] - asked[3][0]).abs() < 1e-8;
            let partner =
                method.ask().iter().enumerate().position(|(index, child)| index != 3 && is_child(child));
            counts[partner.expect("one became a child")] += 1;
        }
        counts
    };
    assert_eq!(partners(Pairing::Fixed)[2], 2000);
    let ninth = 1.0 / 9.0;
    let mut chances = [ninth; 10];
    chances[3] = 0.0;
    holds(fits("partners", &partners(Pairing::Random), &chances));
}
