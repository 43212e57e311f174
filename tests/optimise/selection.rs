//! Laws of selection.

use shikou::optimise::genetic::{Beyond, Draw, Groups, Seating, Selection, Settings, TieTo};
use shikou::optimise::{Space, Told};

use super::support::{Law, broken, fits, holds, rng, told, uniform};

const fn roulette(draws: bool) -> Selection {
    Selection::Roulette { shift: 5.0, draws }
}

const fn tournament(groups: Groups, ties: TieTo) -> Selection {
    Selection::Tournament { size: 2, groups, ties }
}

const fn knockout(games: u32) -> Selection {
    Selection::Knockout { seating: Seating::Shuffled, games, draw: Draw::Fair }
}

/// Two of four candidates are drawn one after the other, each with a chance proportional to its shifted fitness among
/// those that are left.
fn is_proportional(selection: Selection) -> Law {
    let told = told([-5.0, 0.0, 10.0, 30.0]);
    let worths = [5.0, 10.0, 20.0, 40.0];
    let total: f64 = worths.iter().sum();
    let mut rng = rng("roulette");
    let mut counts = [0; 16];
    for _ in 0..30_000 {
        let two = selection.select(&told, 2, &mut rng);
        counts[4 * two[0] + two[1]] += 1;
    }
    let chance = |(a, b): (usize, usize)| {
        if a == b { 0.0 } else { worths[a] / total * worths[b] / (total - worths[a]) }
    };
    let chances: Vec<f64> = (0..16).map(|pair| chance((pair / 4, pair % 4))).collect();
    fits("ordered pairs", &counts, &chances)
}

#[test]
fn roulette_is_proportional_without_replacement() {
    holds(is_proportional(roulette(true)));
    broken(is_proportional(roulette(false)), "χ²");
    broken(is_proportional(Selection::Roulette { shift: 20.0, draws: true }), "χ²");
    broken(is_proportional(tournament(Groups::Drawn, TieTo::Random)), "cannot happen");
}

/// Worked out by hand from the description: worths 45, 5, 75, 35; the sum reaches 100 at index 2 (45 + 5 + 75), which is
/// set to 0; then 35 + 45 + 5 + 0 + 35 = 120 at index 3; then 45 + 5 + 45 + 5 = 100 at index 1; then 45 + 45 + 45.
#[test]
fn the_fixed_roulette_is_the_published_one() {
    let told = told([10.0, -30.0, 40.0, 0.0]);
    assert_eq!(roulette(false).select(&told, 4, &mut rng("fixed")), [2, 3, 1, 0]);
}

/// A candidate that is looked at first is accepted with the chance of its rank.
fn falls_with_rank(selection: Selection) -> Law {
    let table = [99, 89, 81, 74, 67, 61, 55, 50, 46, 41, 38, 34, 31, 28, 26, 23];
    let mut rng = rng("ranking");
    for rank in 1..=32_u32 {
        let first = f64::from(32 - rank) + 0.5;
        let others = (0..31).map(|other| f64::from(other) + f64::from(u8::from(other >= 32 - rank)));
        let told = told([first].into_iter().chain(others));
        let mut counts = [0, 0];
        for _ in 0..4000 {
            counts[usize::from(selection.select(&told, 1, &mut rng)[0] == 0)] += 1;
        }
        let beyond = 0.23 * (23.0_f64 / 99.0).powf((f64::from(rank) - 16.0) / 15.0);
        let chance = table.get(rank as usize - 1).map_or(beyond, |&percent| f64::from(percent) / 100.0);
        fits(&format!("rank {rank}"), &counts, &[1.0 - chance, chance])?;
    }
    Ok(())
}

#[test]
fn ranking_accepts_with_the_chance_of_the_rank() {
    holds(falls_with_rank(Selection::Ranking { beyond: Beyond::Falling }));
    broken(falls_with_rank(Selection::Ranking { beyond: Beyond::Never }), "rank 17");
    broken(falls_with_rank(Selection::Best {}), "rank");
}

/// Equal candidates share a rank: if all are equal, the first is accepted with chance .99.
#[test]
fn equal_candidates_share_a_rank() {
    let (told, mut rng) = (told([1.0; 20]), rng("equal ranks"));
    let ranking = Selection::Ranking { beyond: Beyond::Falling };
    let first = (0..4000).filter(|_| ranking.select(&told, 1, &mut rng) == [0]).count() as u32;
    holds(fits("the first", &[first, 4000 - first], &[0.99, 0.01]));
}

/// Of two equal neighbours each wins as often.
fn splits_ties(selection: Selection) -> Law {
    let (told, mut rng) = (told([1.0, 1.0, 2.0, 0.0]), rng("ties"));
    let mut counts = [0, 0];
    for _ in 0..4000 {
        match selection.select(&told, 2, &mut rng)[..] {
            [equal, 2] => counts[equal] += 1,
            ref other => return Err(format!("the better of two lost: {other:?}")),
        }
    }
    uniform("ties", &counts)
}

#[test]
fn ties_in_tournaments_go_to_either() {
    holds(splits_ties(tournament(Groups::Neighbours, TieTo::Random)));
    broken(splits_ties(tournament(Groups::Neighbours, TieTo::Last)), "ties");
}

/// The winner of two of n has rank r with chance (n − r) / (n (n − 1) / 2).
#[test]
fn drawn_groups_prefer_the_better_as_much_as_they_should() {
    let (told, mut rng) = (told((0..10).map(f64::from)), rng("groups"));
    let mut counts = [0; 10];
    for _ in 0..2000 {
        for winner in tournament(Groups::Drawn, TieTo::Random).select(&told, 5, &mut rng) {
            counts[winner] += 1;
        }
    }
    let chances: Vec<f64> = (0..10).map(|worse| f64::from(worse) / 45.0).collect();
    holds(fits("winners", &counts, &chances));
}

#[test]
fn winners_come_first_and_the_front_fills_up() {
    let told = told([-1.0, 3.0, -2.0, 1.0, 2.0]);
    let select = |parents| Selection::WinnersFirst {}.select(&told, parents, &mut rng("winners"));
    assert_eq!(select(2), [1, 3]);
    assert_eq!(select(3), [1, 3, 4]);
    assert_eq!(select(5), [1, 3, 4, 0, 1]);
}

#[test]
fn the_best_are_the_best_and_a_fitness_that_is_no_number_is_the_worst() {
    let told = told([1.0, f64::NAN, 3.0, 3.0, f64::INFINITY]);
    assert_eq!(Selection::Best {}.select(&told, 5, &mut rng("best")), [2, 3, 0, 1, 4]);
    for selection in [roulette(true), roulette(false), tournament(Groups::Drawn, TieTo::Random)] {
        assert_eq!(selection.select(&told, 4, &mut rng("not finite")).len(), 4);
    }
}

/// Every selection finds 16 parents of 32, and those without replacement find different ones.
#[test]
fn sixteen_parents_of_thirty_two() {
    let mut told = told((0..32).map(|index| f64::from(index * 7 % 32) - 20.0));
    for (place, index) in (0..16).rev().enumerate() {
        told[2 * index] = Told { place: Some(place as u32), ..told[2 * index] };
    }
    let different = [
        Selection::Best {},
        Selection::Ranking { beyond: Beyond::Falling },
        Selection::Ranking { beyond: Beyond::Never },
        tournament(Groups::Neighbours, TieTo::Random),
        roulette(true),
        roulette(false),
        knockout(2),
    ];
    for selection in different {
        let mut parents = selection.select(&told, 16, &mut rng("sixteen"));
        if selection.knockout().is_some() {
            assert_eq!(parents, (0..16).rev().map(|index| 2 * index).collect::<Vec<_>>());
        }
        parents.sort_unstable();
        parents.dedup();
        assert_eq!(parents.len(), 16, "{selection:?}");
    }
    assert_eq!(Selection::WinnersFirst {}.select(&told, 16, &mut rng("sixteen")).len(), 16);
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let space = Space::reals(64, -1.0, 1.0);
    let refused = |settings: Settings| settings.check(&space).unwrap_err().to_string();
    let default = Settings::default;
    assert_eq!(
        refused(Settings { parents: 33, ..default() }),
        "`parents`: 33 parents cannot be selected from 32 candidates"
    );
    assert_eq!(
        refused(Settings { elites: 17, ..default() }),
        "`elites`: 17 candidates cannot be kept, because only 16 are selected"
    );
    let selection = tournament(Groups::Neighbours, TieTo::Random);
    assert_eq!(
        refused(Settings { parents: 15, selection, ..default() }),
        "`groups`: 15 groups of 2 neighbours need a population of 30, not 32"
    );
    let selection = knockout(3);
    assert_eq!(
        refused(Settings { selection, ..default() }),
        "`games`: 3 games give one candidate the first move more often; use an even number"
    );
}
