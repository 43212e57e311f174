//! Laws of crossover.

use shikou::optimise::genetic::{Crossover, Extent, Pairs, Settings};
use shikou::optimise::{Gene, Space, Start};

use super::support::{Law, broken, fits, holds, rng, uniform};

const WIDE: f64 = f64::INFINITY;

fn unbounded(genes: usize) -> Space {
    let start = vec![Start::Normal { centre: 0.0, sd: 10.0 }; genes];
    Space { start, ..Space::reals(genes, -WIDE, WIDE) }
}

fn blx(alpha: f64, extent: Extent) -> Crossover {
    Crossover::Blx { alpha, children: 2, pairs: Pairs::Random, extent }
}

/// The children of one pair of parents.
fn children(crossover: Crossover, parents: [&[f64]; 2], count: usize) -> Vec<Vec<f64>> {
    let space = unbounded(parents[0].len());
    crossover.children(&parents, count, &space, &mut rng("children"))
}

/// In every dimension a child is uniform between the parents, widened by α times their distance on both sides.
fn blends(crossover: Crossover, alpha: f64) -> Law {
    let (first, second) = ([3.0, -20.0, 100.0, 0.0, 7.5], [5.0, 40.0, -60.0, 0.25, 7.0]);
    let born = children(crossover, [&first, &second], 20_000);
    for gene in 0..first.len() {
        let (low, high) = (first[gene].min(second[gene]), first[gene].max(second[gene]));
        let wider = alpha * (high - low);
        let mut counts = [0; 20];
        for child in &born {
            let place = (child[gene] - (low - wider)) / (high - low + 2.0 * wider) * 20.0;
            if !(-1e-9..=20.0 + 1e-9).contains(&place) {
                return Err(format!("gene {gene}: {} is outside the box", child[gene]));
            }
            counts[(place as usize).min(19)] += 1;
        }
        uniform(&format!("gene {gene} in its box"), &counts)?;
    }
    Ok(())
}

#[test]
fn blx_is_uniform_within_its_box_in_every_dimension() {
    for alpha in [0.0, 0.3, 0.5, 2.0] {
        holds(blends(blx(alpha, Extent::Proper), alpha));
    }
    broken(blends(blx(0.5, Extent::Proper), 0.3), "outside the box");
    broken(blends(blx(0.0, Extent::Proper), 0.3), "χ²");
}

#[test]
fn the_box_of_the_extremes_breaks_the_law_of_blx() {
    broken(blends(blx(0.3, Extent::Extremes), 0.3), "outside the box");
}

/// How a child of the extremes is drawn is known as well: for all genes alike between the least gene of the second parent
/// and the largest of the first.
#[test]
fn the_box_of_the_extremes_is_the_published_one() {
    let born = children(blx(0.3, Extent::Extremes), [&[1.0, 5.0, 2.0], &[-5.0, 4.0, 0.0]], 3000);
    let (least, largest) = (-5.0 - 3.0, 5.0 + 3.0);
    for gene in 0..3 {
        let values = || born.iter().map(|child| child[gene]);
        assert!(values().all(|value| (least..=largest).contains(&value)));
        assert!(values().any(|value| value < least + 0.1) && values().any(|value| value > largest - 0.1));
    }
}

/// Each of the 64 genes comes from either parent equally often, and any two genes come together half of the time.
fn mixes(crossover: Crossover) -> Law {
    let born = children(crossover, [&[0.0; 64], &[1.0; 64]], 4000);
    let halves = |what: &str, count: usize| uniform(what, &[count as u32, 4000 - count as u32]);
    for gene in 0..64 {
        halves(&format!("gene {gene}"), born.iter().filter(|child| child[gene] == 1.0).count())?;
        for other in gene + 1..64 {
            let equal = born.iter().filter(|child| child[gene] == child[other]).count();
            halves(&format!("genes {gene} and {other}"), equal)?;
        }
    }
    Ok(())
}

#[test]
fn a_mask_mixes_all_64_genes() {
    holds(mixes(Crossover::Mask { bits: 64 }));
    holds(mixes(Crossover::Uniform { chance: 0.5 }));
    broken(mixes(Crossover::Mask { bits: 62 }), "genes 31 and 63");
    for crossover in [
        Crossover::Uniform { chance: 0.8 },
        Crossover::OnePoint {},
        Crossover::TwoPoint {},
        Crossover::Copy {},
    ] {
        broken(mixes(crossover), "genes 0 and 1");
    }
}

/// With the fault these two genes are always of the second parent: a mask of ones is not possible.
#[test]
fn the_fault_of_the_mask_concerns_two_genes_of_64() {
    let alone = |bits| {
        let born = children(Crossover::Mask { bits }, [&[0.0; 64], &[1.0; 64]], 500);
        (0..63).filter(|&gene| born.iter().all(|child| child[gene] == child[63])).collect::<Vec<_>>()
    };
    assert_eq!((alone(64), alone(62)), (vec![], vec![31]));
}

/// The genes of the second parent are `cut..` or `a..b`, with every cut equally likely.
#[test]
fn cuts_are_uniform() {
    let parents: [&[f64]; 2] = [&[0.0; 8], &[1.0; 8]];
    let from_second = |child: &[f64]| (0..8).filter(|&gene| child[gene] == 1.0).collect::<Vec<_>>();
    let mut one = [0; 9];
    let mut two = [[0; 8]; 8];
    for child in children(Crossover::OnePoint {}, parents, 16_000) {
        // Either parent may be the first of the pair.
        let (first, changes) = (child[0], child.windows(2).filter(|two| two[0] != two[1]).count());
        assert!(changes <= 1, "{child:?}");
        one[child.iter().take_while(|&&gene| gene == first).count()] += 1;
    }
    // A cut at 0 gives the other parent whole.
    holds(fits("one cut", &one[1..], &[0.125; 8]));
    for child in children(Crossover::TwoPoint {}, parents, 28_000) {
        // The last gene is always of the first parent.
        let child: Vec<f64> = child.iter().map(|gene| f64::from(u8::from(*gene != child[7]))).collect();
        let genes = from_second(&child);
        let (a, b) = (genes[0], genes[genes.len() - 1] + 1);
        assert_eq!(genes.len(), b - a, "{child:?}");
        two[a][b] += 1;
    }
    let counts: Vec<u32> =
        (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).map(|(a, b)| two[a][b]).collect();
    holds(uniform("two cuts", &counts));
}

#[test]
fn any_parent_gives_each_gene_from_each_parent_alike() {
    let parents: Vec<Vec<f64>> = (0..16).map(|parent| vec![f64::from(parent); 3]).collect();
    let parents: Vec<&[f64]> = parents.iter().map(Vec::as_slice).collect();
    let born = Crossover::AnyParent {}.children(&parents, 16_000, &unbounded(3), &mut rng("any"));
    for gene in 0..3 {
        let mut counts = [0; 16];
        for child in &born {
            counts[child[gene] as usize] += 1;
        }
        holds(uniform("parents", &counts));
    }
    assert!(born.iter().any(|child| child[0] != child[1] && child[1] != child[2]));
}

#[test]
fn every_pair_of_parents_has_its_children_in_order() {
    let parents: Vec<[f64; 2]> = (0..8).map(|parent| [f64::from(parent) * 100.0, 0.0]).collect();
    let parents: Vec<&[f64]> = parents.iter().map(<[f64; 2]>::as_slice).collect();
    let crossover = Crossover::Blx { alpha: 0.0, children: 2, pairs: Pairs::All, extent: Extent::Proper };
    let born = crossover.children(&parents, 56, &unbounded(2), &mut rng("pairs"));
    let pairs = (0..8).flat_map(|i| (i + 1..8).map(move |j| (i, j)));
    for ((i, j), two) in pairs.zip(born.chunks(2)) {
        for child in two {
            assert!((parents[i][0]..=parents[j][0]).contains(&child[0]), "{i} {j} {child:?}");
        }
    }
}

#[test]
fn a_population_that_the_pairs_do_not_fill_is_refused() {
    let crossover = Crossover::Blx { alpha: 0.3, children: 2, pairs: Pairs::All, extent: Extent::Proper };
    let settings =
        |population| Settings { population, parents: 8, elites: 8, crossover, ..Settings::default() };
    assert_eq!(settings(64).check(&unbounded(10)), Ok(()));
    assert_eq!(
        settings(60).check(&unbounded(10)).unwrap_err().to_string(),
        "`population`: 8 kept candidates and 2 children of each of 28 pairs are 64, not 60; set it to 64"
    );
}

#[test]
fn words_and_whole_numbers_stay_what_they_are() {
    let genes =
        vec![Gene::Word { count: 5 }, Gene::Whole { low: -3, high: 9 }, Gene::Real { low: 0.0, high: 1.0 }];
    let space = Space { start: vec![Start::Uniform; 3], genes, normalise: Vec::new() };
    let (first, second) = ([0.0, -3.0, 0.1], [4.0, 9.0, 0.9]);
    for crossover in [blx(0.5, Extent::Proper), spx(2, None)] {
        let born = crossover.children(&[&first, &second], 2000, &space, &mut rng("kinds"));
        for child in &born {
            assert!(child[0] == 0.0 || child[0] == 4.0, "{child:?}");
            assert!(child[1].fract() == 0.0 && (-3.0..=9.0).contains(&child[1]), "{child:?}");
            assert!((0.0..=1.0).contains(&child[2]), "{child:?}");
        }
        assert!(born.iter().any(|child| child[1] == -1.0) && born.iter().any(|child| child[2] == 1.0));
        assert!(born.iter().any(|child| child[0] != born[0][0]));
    }
}

/// The children of these parents have their mean and their covariance: all parents are the simplex, or some of them that are drawn for
/// each child. With 40 000 children the standard error of a variance is below 1 %, and of a mean below .005 standard deviations.
fn keeps_the_covariance(crossover: Crossover) -> Law {
    let parents: [[f64; 3]; 4] = [[3.0, -20.0, 1.0], [5.0, 40.0, -6.0], [-2.0, 10.0, 2.5], [9.0, -10.0, 0.0]];
    let parents = parents.each_ref().map(<[f64; 3]>::as_slice);
    let born = crossover.children(&parents, 40_000, &unbounded(3), &mut rng("simplex"));
    let born: Vec<&[f64]> = born.iter().map(Vec::as_slice).collect();
    let mean = |of: &[&[f64]], gene: usize| of.iter().map(|genes| genes[gene]).sum::<f64>() / of.len() as f64;
    let covariance = |of: &[&[f64]], a: usize, b: usize| {
        let (mean_a, mean_b) = (mean(of, a), mean(of, b));
        of.iter().map(|genes| (genes[a] - mean_a) * (genes[b] - mean_b)).sum::<f64>() / of.len() as f64
    };
    for a in 0..3 {
        let sd = |gene| covariance(&parents, gene, gene).sqrt();
        if (mean(&born, a) - mean(&parents, a)).abs() > 0.03 * sd(a) {
            return Err(format!("the mean of gene {a} is {}", mean(&born, a)));
        }
        for b in 0..=a {
            let [of_parents, of_born] = [&parents[..], &born].map(|of| covariance(of, a, b) / sd(a) / sd(b));
            if (of_parents - of_born).abs() > 0.04 {
                return Err(format!("the covariance of {a} and {b} is {of_born} in place of {of_parents}"));
            }
        }
    }
    Ok(())
}

fn spx(vertices: usize, epsilon: Option<f64>) -> Crossover {
    Crossover::Spx { vertices: Some(vertices), epsilon }
}

/// Tsutsui, Yamamura, Higuchi 1999: with ε = √(n + 2). With fewer vertices too, over the draws of the parents.
#[test]
fn spx_keeps_mean_and_covariance() {
    for vertices in 2..=4 {
        holds(keeps_the_covariance(spx(vertices, None)));
    }
    holds(keeps_the_covariance(Crossover::Spx { vertices: None, epsilon: Some(5_f64.sqrt()) }));
    broken(keeps_the_covariance(spx(4, Some(1.0))), "covariance");
    broken(keeps_the_covariance(spx(2, Some(2.0))), "covariance");
    broken(keeps_the_covariance(blx(0.5, Extent::Proper)), "covariance");
}

/// A child is uniform in a triangle: the share λ of each vertex has the distribution 1 − (1 − λ)², and none is negative.
#[test]
fn spx_is_uniform_in_its_simplex() {
    let parents: [&[f64]; 3] = [&[0.0, 0.0], &[6.0, 0.0], &[3.0, 9.0]];
    let born = spx(3, Some(1.0)).children(&parents, 20_000, &unbounded(2), &mut rng("triangle"));
    let mut counts = [[0; 20]; 3];
    for child in &born {
        let third = child[1] / 9.0;
        let second = (child[0] - 3.0 * third) / 6.0;
        for (counts, share) in counts.iter_mut().zip([1.0 - second - third, second, third]) {
            assert!((-1e-9..=1.0).contains(&share), "{child:?}");
            let place = 1.0 - (1.0 - share.max(0.0)).powi(2);
            counts[((place * 20.0) as usize).min(19)] += 1;
        }
    }
    for counts in counts {
        holds(uniform("share of a vertex", &counts));
    }
}

#[test]
fn a_simplex_of_more_vertices_than_parents_is_refused() {
    let check = |crossover| {
        Settings { population: 64, parents: 8, crossover, ..Settings::default() }.check(&unbounded(10))
    };
    assert_eq!(check(spx(8, None)), Ok(()));
    assert_eq!(
        check(Crossover::Spx { vertices: None, epsilon: None }).unwrap_err().to_string(),
        "`vertices`: a child in a simplex of 11 vertices needs as many different parents, and 8 are selected; write at most 8, or \
         select more `parents`"
    );
}
