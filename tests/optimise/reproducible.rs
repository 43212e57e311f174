//! What a method asks for follows from its settings, its stream and what it was told.

use shikou::optimise::climb::{self, Climb};
use shikou::optimise::cma_es::{self, CmaEs, Matrix};
use shikou::optimise::genetic::{
    Beyond, Crossover, Draw, Extent, First, Genetic, Groups, Mutation, Pairs, Seating, Selection, Settings,
    TieTo, To,
};
use shikou::optimise::ntbea::{self, Ntbea};
use shikou::optimise::spsa::{self, Spsa};
use shikou::optimise::{Gene, Method, Normalise, Space, Start, Told};
use shikou::rng::Stream;

/// All kinds of genes and of first values.
fn space() -> Space {
    let genes = vec![
        Gene::Real { low: -5.0, high: 5.0 },
        Gene::Real { low: f64::NEG_INFINITY, high: f64::INFINITY },
        Gene::Whole { low: -10, high: 10 },
        Gene::Real { low: 0.0, high: 1.0 },
    ];
    let start = vec![
        Start::Uniform,
        Start::Normal { centre: 1.0, sd: 3.0 },
        Start::At(2.0),
        Start::Between { low: 0.2, high: 0.4 },
    ];
    Space { genes, start, normalise: Vec::new() }
}

/// A fitness without any function of the system: it depends on the genes only.
fn fitness(genes: &[f64]) -> f64 {
    let at = |gene: usize| genes.get(gene).copied().unwrap_or_default();
    -(at(0) - 1.0) * (at(0) - 1.0) - (at(1) + 2.0) * (at(1) + 2.0) - (at(2) - 3.0).abs() + at(3) * at(0)
}

/// The results of a generation; with places if the selection needs them: of candidates 2i and 2i + 1 the better survives.
fn told(asked: &[Vec<f64>], survivors: usize) -> Vec<Told> {
    let mut told: Vec<Told> = asked.iter().map(|genes| Told::of(fitness(genes))).collect();
    for pair in 0..survivors {
        let better =
            if told[2 * pair].fitness > told[2 * pair + 1].fitness { 2 * pair } else { 2 * pair + 1 };
        told[better].place = Some(pair as u32);
    }
    told
}

/// A hash of all bits of what is asked in some generations (FNV-1a), after checking the laws of asking.
fn hash(make: &dyn Fn() -> Box<dyn Method>, generations: usize, survivors: usize) -> u64 {
    let (mut method, mut hash) = (make(), 0xcbf2_9ce4_8422_2325_u64);
    let mut log: Vec<Vec<Told>> = Vec::new();
    for _ in 0..generations {
        let asked = method.ask();
        assert_eq!(method.ask(), asked, "asking twice changes nothing");
        for byte in asked.iter().flatten().flat_map(|gene| gene.to_bits().to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let told = told(&asked, survivors);
        method.tell(&told);
        log.push(told);
    }
    // A second machine that is told the log stands where the first one does.
    let mut again = make();
    for told in &log {
        again.ask();
        again.tell(told);
    }
    assert_eq!((again.ask(), again.best()), (method.ask(), method.best()));
    hash
}

fn genetic(settings: &Settings) -> u64 {
    let survivors = if settings.selection.knockout().is_some() { settings.parents } else { 0 };
    let stream = Stream::new(7) / "golden";
    hash(&|| Box::new(Genetic::new(space(), settings.clone(), stream)), 20, survivors)
}

/// Frozen: a log can only be told again if these stay. They are the same on every machine.
#[test]
fn what_the_genetic_operators_ask_for_is_frozen() {
    let base = || Settings { population: 16, parents: 8, elites: 2, ..Settings::default() };
    let selections = [
        Selection::Best {},
        Selection::WinnersFirst {},
        Selection::Ranking { beyond: Beyond::Falling },
        Selection::Tournament { size: 3, groups: Groups::Drawn, ties: TieTo::Random },
        Selection::Roulette { shift: 5.0, draws: true },
        Selection::Roulette { shift: 5.0, draws: false },
        Selection::Knockout { seating: Seating::Shuffled, games: 2, draw: Draw::Fair },
    ];
    let hashes = selections.map(|selection| genetic(&Settings { selection, ..base() }));
    insta::assert_debug_snapshot!("selections", hashes.map(|hash| format!("{hash:016x}")));
    let blx = |extent| Crossover::Blx { alpha: 0.3, children: 2, pairs: Pairs::Random, extent };
    let crossovers = [
        Crossover::Copy {},
        Crossover::AnyParent {},
        Crossover::OnePoint {},
        Crossover::TwoPoint {},
        Crossover::Mask { bits: 64 },
        Crossover::Uniform { chance: 0.3 },
        blx(Extent::Proper),
        blx(Extent::Extremes),
    ];
    let hashes = crossovers.map(|crossover| genetic(&Settings { crossover, ..base() }));
    insta::assert_debug_snapshot!("crossovers", hashes.map(|hash| format!("{hash:016x}")));
    let mutations = [
        Mutation::None {},
        Mutation::Redraw { chance: 0.2 },
        Mutation::AddNormal { chance: 0.5, sd: 0.5, to: To::EachGene },
        Mutation::AddNormal { chance: 0.5, sd: 0.5, to: To::AllAlike },
        Mutation::OneOf { chance: 0.5, add_normal: 1.0, flip_sign: true, swap: true },
    ];
    let hashes = mutations.map(|mutation| genetic(&Settings { mutation, ..base() }));
    insta::assert_debug_snapshot!("mutations", hashes.map(|hash| format!("{hash:016x}")));
}

fn cma_es(settings: &cma_es::Settings) -> u64 {
    hash(&|| Box::new(CmaEs::new(space(), *settings, Stream::new(7) / "golden")), 30, 0)
}

fn climb(keep: climb::Keep) -> u64 {
    let settings = climb::Settings { keep, step: 0.5, ..climb::Settings::default() };
    hash(&|| Box::new(Climb::new(space(), settings.clone(), Stream::new(7) / "golden")), 20, 0)
}

fn ntbea(settings: &ntbea::Settings) -> u64 {
    let genes =
        vec![Gene::Word { count: 3 }, Gene::Whole { low: -2, high: 4 }, Gene::Whole { low: 0, high: 9 }];
    let space = Space { genes, start: vec![Start::Uniform; 3], normalise: Vec::new() };
    hash(&|| Box::new(Ntbea::new(space.clone(), settings.clone(), Stream::new(7) / "golden")), 60, 0)
}

fn spsa(settings: &spsa::Settings) -> u64 {
    hash(&|| Box::new(Spsa::new(space(), settings.clone(), Stream::new(7) / "golden")), 50, 0)
}

/// Frozen, as above.
#[test]
fn what_the_other_methods_ask_for_is_frozen() {
    let cma = cma_es::Settings::default;
    let hashes = [
        cma_es(&cma()),
        cma_es(&cma_es::Settings { active: false, ..cma() }),
        cma_es(&cma_es::Settings { covariance: Matrix::Diagonal, ..cma() }),
        cma_es(&cma_es::Settings { population: Some(20), re_evaluate: true, ..cma() }),
    ];
    insta::assert_debug_snapshot!("cma-es", hashes.map(|hash| format!("{hash:016x}")));
    let pairs = |pairing| climb::Keep::Pairs {
        pairing,
        compare: climb::Compare::Candidates,
        ties: climb::Tied::Random,
        redrawn: climb::Redrawn::Loser,
    };
    let hashes = [
        climb(climb::Keep::Best { of: climb::Best::All, children: climb::Children::Copied }),
        climb(climb::Keep::BestTwo { children: climb::Children::Copied }),
        climb(pairs(climb::Pairing::Fixed)),
        climb(pairs(climb::Pairing::Random)),
    ];
    insta::assert_debug_snapshot!("climb", hashes.map(|hash| format!("{hash:016x}")));
    let default = ntbea::Settings::default;
    let hashes = [
        ntbea(&default()),
        ntbea(&ntbea::Settings { population: 4, ..default() }),
        ntbea(&ntbea::Settings { triples: true, ..default() }),
    ];
    insta::assert_debug_snapshot!("ntbea", hashes.map(|hash| format!("{hash:016x}")));
    let default = || spsa::Settings { a: 0.1, ..spsa::Settings::default() };
    let hashes = [spsa(&default()), spsa(&spsa::Settings { pairs: 3, ..default() })];
    insta::assert_debug_snapshot!("spsa", hashes.map(|hash| format!("{hash:016x}")));
}

/// The first population depends on the stream, not on the operators: settings can be compared from one beginning.
#[test]
fn all_settings_begin_with_the_same_population() {
    let first = |settings: Settings| Genetic::new(space(), settings, Stream::new(1)).ask();
    let other =
        Settings { crossover: Crossover::TwoPoint {}, mutation: Mutation::None {}, ..Settings::default() };
    assert_eq!(first(Settings::default()), first(other));
    let elsewhere = Genetic::new(space(), Settings::default(), Stream::new(2)).ask();
    assert_ne!(first(Settings::default()), elsewhere);
}

/// Source G: what it draws for candidate i and gene j is gene i of candidate j; genes beyond the candidates stay 0.
#[test]
fn a_transposed_population_has_its_indices_exchanged() {
    let first = |first: First, population| {
        Genetic::new(
            Space::reals(6, -1.0, 1.0),
            Settings { first, population, parents: 2, ..Settings::default() },
            Stream::new(1),
        )
        .ask()
    };
    for population in [4, 9] {
        let (drawn, transposed) = (first(First::Drawn, population), first(First::Transposed, population));
        for (j, genes) in transposed.iter().enumerate() {
            for (i, &gene) in genes.iter().enumerate() {
                let of_drawn = if i < population && j < 6 { drawn[i][j] } else { 0.0 };
                assert_eq!(gene, of_drawn, "candidate {j}, gene {i} of {population}");
            }
        }
    }
}

#[test]
fn a_space_with_an_error_is_refused() {
    let refused = |change: &dyn Fn(&mut Space)| {
        let mut space = space();
        change(&mut space);
        space.check().unwrap_err().to_string()
    };
    assert_eq!(space().check(), Ok(()));
    let reason = refused(&|space| space.genes[0] = Gene::Real { low: 1.0, high: -1.0 });
    assert_eq!(reason, "`within`: the bounds must be two numbers in rising order, not 1 and -1");
    let reason = refused(&|space| space.start[1] = Start::Uniform);
    assert_eq!(reason, "`start`: without bounds no uniform value can be drawn; add bounds or a first value");
    let reason = refused(&|space| space.start[2] = Start::At(2.5));
    assert_eq!(reason, "`start`: 2.5 is no value of the gene, which is within -10 and 10");
    let reason = refused(&|space| space.genes[0] = Gene::Word { count: 1 });
    assert_eq!(reason, "`words`: there must be at least two words");
    let reason = refused(&|space| space.normalise = vec![(0..5, Normalise { centre: true, largest: None })]);
    assert_eq!(reason, "`normalise`: the vector must be part of the genes");
}
