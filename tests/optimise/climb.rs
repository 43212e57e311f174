//! Laws of local search.

use shikou::optimise::climb::{Best, Children, Climb, Compare, Keep, Pairing, Redrawn, Settings, Tied};
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

/// Children are near the parent that this function names, but for those drawn anew: 3 %, of which some are near by chance. In
/// place, those after the parent are near what replaced it.
fn descends(keep: Keep, children: Children, parent: impl Fn(&[f64], usize) -> usize) -> Law {
    let (mut near, mut far) = (0, 0);
    for (asked, fitness, next) in generations(keep, 400) {
        for (index, child) in next.iter().enumerate() {
            let parent = parent(&fitness, index);
            let is_replaced = children == Children::InPlace && parent < index;
            let parent = if is_replaced { &next[parent] } else { &asked[parent] };
            *if is_near(child, parent) { &mut near } else { &mut far } += 1;
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
    let previous =
        |fitness: &[f64], _| (1..10).rev().find(|&index| fitness[index] > fitness[index - 1]).unwrap_or(0);
    for (children, other) in [(Children::Copied, Children::InPlace), (Children::InPlace, Children::Copied)] {
        holds(descends(Keep::Best { of: Best::All, children }, children, best));
        broken(descends(Keep::Best { of: Best::All, children }, other, best), "far from their parent");
        broken(
            descends(Keep::Best { of: Best::Previous, children }, children, best),
            "far from their parent",
        );
        holds(descends(Keep::Best { of: Best::Previous, children }, children, previous));
    }
}

#[test]
fn each_half_are_children_of_one_of_the_best_two() {
    let two = |fitness: &[f64], index: usize| order(fitness)[index / 5];
    for (children, other) in [(Children::Copied, Children::InPlace), (Children::InPlace, Children::Copied)] {
        let keep = Keep::BestTwo { children };
        holds(descends(keep, children, two));
        broken(descends(keep, other, two), "far from their parent");
        broken(descends(keep, children, |fitness, _| order(fitness)[0]), "far from their parent");
    }
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
    let pairs = |pairing, compare| pairs(pairing, compare, Tied::Random, Redrawn::Loser);
    holds(keeps_the_better(pairs(Pairing::Fixed, Compare::Candidates)));
    holds(keeps_the_better(pairs(Pairing::Random, Compare::Candidates)));
    broken(keeps_the_better(pairs(Pairing::Random, Compare::Places)), "stayed");
    broken(keeps_the_better(pairs(Pairing::Random, Compare::Index)), "stayed");
}

fn pairs(pairing: Pairing, compare: Compare, ties: Tied, redrawn: Redrawn) -> Keep {
    Keep::Pairs { pairing, compare, ties, redrawn }
}

/// With neighbours as pairs, the i-th drawn is candidate i: the line of the source reads `score[i] > score[2 * i + 1]`.
#[test]
fn the_wrong_index_compares_another_candidate_with_the_second_of_a_pair() {
    let keep = pairs(Pairing::Fixed, Compare::Index, Tied::Random, Redrawn::Loser);
    for (asked, fitness, next) in generations(keep, 200) {
        for pair in 0..5 {
            let first_stays = pair != 2 * pair + 1 && fitness[pair] > fitness[2 * pair + 1];
            let winner = if first_stays { 2 * pair } else { 2 * pair + 1 };
            assert_eq!(next[winner], asked[winner], "pair {pair} of {fitness:?}");
        }
    }
}

/// How many of 2000 pairs that tie keep their first, their second, and neither.
fn kept_at_ties(ties: Tied, redrawn: Redrawn) -> [u32; 3] {
    let keep = pairs(Pairing::Fixed, Compare::Candidates, ties, redrawn);
    let mut method = Climb::new(space(), Settings { keep, ..Settings::default() }, Stream::new(1));
    let mut counts = [0; 3];
    for _ in 0..400 {
        let asked = method.ask();
        method.tell(&[Told::of(1.0); 10]);
        for (before, after) in asked.chunks(2).zip(method.ask().chunks(2)) {
            let kept = (0..2).find(|&place| before[place] == after[place]);
            counts[kept.unwrap_or(2)] += 1;
        }
    }
    counts
}

#[test]
fn ties_and_draws_anew_are_as_their_settings_say() {
    assert_eq!(kept_at_ties(Tied::First, Redrawn::Loser), [2000, 0, 0]);
    assert_eq!(kept_at_ties(Tied::Second, Redrawn::Loser), [0, 2000, 0]);
    // At random: within four standard deviations, of 22.
    let [first, second, neither] = kept_at_ties(Tied::Random, Redrawn::Loser);
    assert!((910..=1090).contains(&first) && first + second == 2000 && neither == 0);
    // 3 % of 2000 pairs are lost as a whole; the standard deviation is 7.6.
    let [first, second, neither] = kept_at_ties(Tied::First, Redrawn::Both);
    assert!((30..=90).contains(&neither) && second == 0 && first + neither == 2000, "{neither}");
}

#[test]
fn random_pairs_are_random_and_fixed_ones_are_not() {
    // With one candidate better than all others, its partner is the one that becomes its child.
    let partners = |pairing| {
        let mut counts = [0; 10];
        for run in 0..2000 {
            let keep = pairs(pairing, Compare::Candidates, Tied::Random, Redrawn::Loser);
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
