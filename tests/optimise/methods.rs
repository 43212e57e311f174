//! What methods refuse, and details of how they ask.

use shikou::optimise::climb::{self, Best, Children, Compare, Keep, Pairing, Redrawn, Tied};
use shikou::optimise::cma_es::{self, CmaEs};
use shikou::optimise::genetic::{
    self, Beyond, Crossover, Draw, Extent, Groups, Pairs, Seating, Selection, TieTo,
};
use shikou::optimise::ntbea::{self, Ntbea};
use shikou::optimise::spsa::{self, Spsa};
use shikou::optimise::{Gene, Method, Problem, Space, Start, Told};
use shikou::rng::Stream;

fn words() -> Space {
    let genes = vec![Gene::Word { count: 3 }, Gene::Whole { low: -4, high: 4 }];
    Space { genes, start: vec![Start::Uniform; 2], normalise: Vec::new() }
}

fn refused(problem: Result<(), Problem>) -> String {
    problem.unwrap_err().to_string()
}

#[test]
fn a_method_refuses_genes_that_it_cannot_use() {
    let reals = Space::reals(2, 0.0, 1.0);
    assert_eq!(
        refused(cma_es::Settings::default().check(&words())),
        "`cma-es`: a word has no order, so no step can be made; use `ntbea` or `genetic`, or remove the words"
    );
    assert_eq!(
        refused(spsa::Settings::default().check(&words())),
        "`spsa`: a word has no slope; use `ntbea` or `genetic`, or remove the words"
    );
    assert_eq!(
        refused(ntbea::Settings::default().check(&reals)),
        "`ntbea`: a real gene has too many values; make it a whole number or words, or use `cma-es`"
    );
    let many = Space {
        genes: vec![Gene::Word { count: 2 }; 200],
        start: vec![Start::Uniform; 200],
        normalise: Vec::new(),
    };
    assert_eq!(
        refused(ntbea::Settings::default().check(&many)),
        "`genes`: 200 genes have 20101 tuples, more than 20000; use fewer genes"
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    let reals = Space::reals(2, 0.0, 1.0);
    let cma = cma_es::Settings::default;
    assert_eq!(
        refused(cma_es::Settings { sigma: 0.0, ..cma() }.check(&reals)),
        "`sigma`: it must be above 0, not 0"
    );
    let few = cma_es::Settings { population: Some(3), ..cma() };
    assert_eq!(refused(few.check(&reals)), "`population`: it must be at least 4");
    let less = cma_es::Settings { re_evaluate: true, most_effort: 0.5, ..cma() };
    assert_eq!(refused(less.check(&reals)), "`most-effort`: it must be at least 1, not 0.5");
    let spsa = spsa::Settings { gamma: 2.0, ..spsa::Settings::default() };
    assert_eq!(refused(spsa.check(&reals)), "`gamma`: it must be in [0, 1], not 2");
    let ntbea = ntbea::Settings { epsilon: 0.0, ..ntbea::Settings::default() };
    assert_eq!(refused(ntbea.check(&words())), "`epsilon`: it must be above 0, not 0");
    let odd = climb::Settings {
        population: 5,
        keep: Keep::BestTwo { children: Children::Copied },
        ..climb::Settings::default()
    };
    assert_eq!(refused(odd.check(&reals)), "`population`: it must be an even number of at least 2, not 5");
}

/// The two candidates of a pair are on both sides of θ, at the same distance in every gene.
#[test]
fn spsa_asks_on_both_sides_of_its_point() {
    let space = Space { start: vec![Start::At(2.0); 5], ..Space::reals(5, 0.0, 10.0) };
    let mut method =
        Spsa::new(space, spsa::Settings { pairs: 2, ..spsa::Settings::default() }, Stream::new(1));
    let asked = method.ask();
    assert_eq!(asked.len(), 4);
    for two in asked.chunks(2) {
        for (plus, minus) in two[0].iter().zip(&two[1]) {
            assert!(
                (plus + minus - 4.0).abs() < 1e-12 && ((plus - minus).abs() - 1.0).abs() < 1e-12,
                "{asked:?}"
            );
        }
    }
    assert_eq!(method.best(), [2.0; 5]);
    // Told that more is better in the first gene, it climbs to the bound, and stays inside.
    for _ in 0..200 {
        let told: Vec<Told> = method.ask().iter().map(|genes| Told::of(genes[0])).collect();
        assert!(method.ask().iter().flatten().all(|gene| (0.0..=10.0).contains(gene)));
        method.tell(&told);
    }
    assert_eq!(method.best()[0], 10.0);
}

/// A tenth of the candidates, and two at least, are asked for again at the end.
#[test]
fn re_evaluated_candidates_are_the_first_ones() {
    for (population, repeated) in [(10, 2), (40, 4), (41, 5)] {
        let settings = cma_es::Settings {
            population: Some(population),
            re_evaluate: true,
            ..cma_es::Settings::default()
        };
        let mut method = CmaEs::new(Space::reals(3, 0.0, 1.0), settings, Stream::new(1));
        let asked = method.ask();
        assert_eq!((asked.len(), method.repeated()), (population + repeated, repeated));
        assert_eq!(asked[population..], asked[..repeated]);
    }
}

/// The next candidate is a neighbour of the last one, never the same, and every value is tried.
#[test]
fn ntbea_asks_for_neighbours() {
    let mut method = Ntbea::new(words(), ntbea::Settings::default(), Stream::new(1));
    let mut seen = Vec::new();
    let mut last = method.ask();
    for _ in 0..200 {
        method.tell(&[Told::of(0.0)]);
        let next = method.ask();
        assert_ne!(next, last);
        seen.extend(next.clone());
        last = next;
    }
    for value in 0..3 {
        assert!(seen.iter().any(|genes| genes[0] == f64::from(value)));
    }
    for value in -4..=4 {
        assert!(seen.iter().any(|genes| genes[1] == f64::from(value)));
    }
}

/// Source G and source B as published, and the searches of source N: each fault of an operator that is used, and no other
/// change.
#[test]
fn as_published_sets_the_faults_of_the_operators_that_are_used() {
    let (seating, draw) = (Seating::Queue, Draw::Second);
    let published = |selection, crossover| {
        let settings =
            genetic::Settings { selection, crossover, ..genetic::Settings::default() }.as_published();
        assert!(settings.mutate_elites);
        (settings.selection, settings.crossover)
    };
    let blx = |extent| Crossover::Blx { alpha: 0.3, children: 2, pairs: Pairs::All, extent };
    assert_eq!(
        published(
            Selection::Knockout { seating: Seating::Shuffled, games: 2, draw: Draw::Fair },
            blx(Extent::Proper)
        ),
        (Selection::Knockout { seating, games: 1, draw }, blx(Extent::Extremes))
    );
    let roulette = |draws| Selection::Roulette { shift: 5.0, draws };
    assert_eq!(
        published(roulette(true), Crossover::Mask { bits: 64 }),
        (roulette(false), Crossover::Mask { bits: 62 })
    );
    let (size, groups) = (2, Groups::Neighbours);
    let tournament = |ties| Selection::Tournament { size, groups, ties };
    assert_eq!(
        published(tournament(TieTo::Random), Crossover::OnePoint {}),
        (tournament(TieTo::Last), Crossover::OnePoint {})
    );
    let ranking = |beyond| Selection::Ranking { beyond };
    assert_eq!(
        published(ranking(Beyond::Falling), Crossover::Copy {}),
        (ranking(Beyond::Never), Crossover::Copy {})
    );
    assert_eq!(
        published(Selection::Best {}, Crossover::TwoPoint {}),
        (Selection::Best {}, Crossover::TwoPoint {})
    );

    let climb = climb::Settings::default();
    let published = |keep| climb::Settings { keep, as_published: true, ..climb.clone() }.with_faults().keep;
    let printed = |keep| climb::Settings { keep, as_printed: true, ..climb.clone() }.with_faults().keep;
    let best = |of, children| Keep::Best { of, children };
    let pairs = |pairing, compare, ties, redrawn| Keep::Pairs { pairing, compare, ties, redrawn };
    let (copied, in_place) = (Children::Copied, Children::InPlace);
    assert_eq!(climb.clone().with_faults().keep, best(Best::All, copied));
    assert_eq!(published(best(Best::All, copied)), best(Best::Previous, copied));
    assert_eq!(printed(best(Best::All, copied)), best(Best::Previous, in_place));
    assert_eq!(published(Keep::BestTwo { children: copied }), Keep::BestTwo { children: copied });
    assert_eq!(printed(Keep::BestTwo { children: copied }), Keep::BestTwo { children: in_place });
    let correct = |pairing| pairs(pairing, Compare::Candidates, Tied::Random, Redrawn::Loser);
    let (fixed, random) = (Pairing::Fixed, Pairing::Random);
    assert_eq!(published(correct(fixed)), correct(fixed));
    assert_eq!(published(correct(random)), pairs(random, Compare::Places, Tied::Random, Redrawn::Loser));
    assert_eq!(printed(correct(fixed)), pairs(fixed, Compare::Candidates, Tied::First, Redrawn::Both));
    assert_eq!(printed(correct(random)), pairs(random, Compare::Index, Tied::Second, Redrawn::Both));
}
