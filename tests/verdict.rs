//! The sentences that answer a run: they agree with their intervals, and say how many trials would be enough.

use shikou::experiment::{GameRecord, Plan, Record, SeatRecord, Summary};
use shikou::game::Outcome;
use shikou::report::verdict;
use shikou::search::Spent;
use shikou::stats::Method;

/// A summary with these results: for each player, or each two players that meet, its results for the first in the manifest's
/// order, as characters: `w`, `d`, `l` of a game.
fn summary(game: &str, players: &str, results: &[&[&str]]) -> Summary {
    summary_of_games(game, players, results, &|_, instance| instance)
}

/// The same, with the hash of each game by its cell and instance.
fn summary_of_games(
    game: &str,
    players: &str,
    results: &[&[&str]],
    hash: &dyn Fn(usize, u64) -> u64,
) -> Summary {
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"{game}\"\ntrials = {}\nplayer = [{players}]",
        results[0].len()
    );
    let plan = Plan::new(&crate::support::manifest(&text)).unwrap();
    let record = |trial: shikou::experiment::Trial| {
        let cell = &plan.cells(trial.experiment)[trial.cell];
        let results = results[trial.cell][trial.instance as usize].chars();
        let games = cell.seatings().iter().zip(results).map(|(seating, result)| {
            let outcome = match result {
                'w' => Outcome::Win,
                'd' => Outcome::Draw,
                _ => Outcome::Loss,
            };
            let outcome =
                if Some(&seating[0]) == cell.players.iter().min() { outcome } else { outcome.reversed() };
            let seat = |player| SeatRecord { player, moves: 1, spent: Spent::default(), wall_ns: 1 };
            let seats = seating.iter().map(|&player| seat(player)).collect();
            GameRecord {
                result: Ok((outcome, 0)),
                forfeit: None,
                plies: 5,
                game_hash: hash(trial.cell, trial.instance),
                seats,
            }
        });
        Record { trial, games: games.collect(), cpu_ns: 1 }
    };
    let records: Vec<Record> = plan.canonical().map(record).collect();
    Summary::new(&plan, &records)
}

const TWO: &str =
    "{ name = \"a\", search = \"random\" }, { name = \"b\", search.flat = { playouts-per-move = 2 } }";

/// The first sentence on pairs of games of `a` against `b`.
fn of_pairs(pairs: &[&str]) -> String {
    verdict(&summary("tic-tac-toe", TWO, &[pairs]).experiments[0])[0].clone()
}

#[test]
fn ten_losses_of_ten_are_no_contradiction() {
    assert_eq!(
        of_pairs(&["ll"; 5]),
        "No significant difference between a and b: points a game of the first 0.000 [0.000, 0.522] (p = 0.062). No \
         outcome of 5 pairs could be significant, not even one side winning them all; at least 6 pairs are needed."
    );
    assert_eq!(of_pairs(&["ll"; 6]), "b is ahead of a with 1.000 [0.541, 1.000] points a game (p = 0.031).");
}

/// The same game from either seat, again and again, is no evidence, in any figure.
#[test]
fn games_that_repeat_are_no_evidence() {
    let three = format!("{TWO}, {{ name = \"c\", search.flat = {{ playouts = 3 }} }}");
    let won: &[&str] = &["ww"; 40];
    let of = |hash: &dyn Fn(usize, u64) -> u64| summary_of_games("tic-tac-toe", &three, &[won; 3], hash);
    let repeated = of(&|cell, _| cell as u64);
    let experiment = &repeated.experiments[0];
    assert_eq!(
        verdict(experiment),
        ["No estimates: in each meeting the same game was played 40 times from either seat."]
    );
    assert!(experiment.ratings.is_none() && experiment.family == 0);
    let untested = |meeting: &shikou::experiment::Meeting| {
        meeting.repeated && meeting.tested.is_none() && meeting.points.method == Method::None
    };
    assert!(experiment.meetings.iter().all(untested));
    assert!(experiment.players.iter().all(|player| player.result().method == Method::None));
    // The last meeting, of b and c, has different games.
    let mixed = of(&|cell, instance| if cell == 2 { instance } else { 0 });
    let [first, second, third] = &mixed.experiments[0].meetings[..] else { panic!("three meetings") };
    assert!(untested(first) && untested(second) && !third.repeated && third.tested.is_some());
    assert_eq!(mixed.experiments[0].family, 1);
}

/// The smallest corrected p is one that was corrected, not that of a primary comparison.
#[test]
fn the_smallest_corrected_p_is_of_no_primary_comparison() {
    let three =
        format!("{TWO}, {{ name = \"c\", search.flat = {{ playouts = 3 }} }}]\nprimary = [[\"a\", \"b\"]");
    let [nearly, even] = [["ww", "ww", "ww", "ww", "ww", "dd"], ["ww", "ll", "ww", "ll", "ww", "dd"]];
    let sentences = verdict(&summary("tic-tac-toe", &three, &[&nearly, &even, &even]).experiments[0]);
    let found =
        sentences.iter().find(|sentence| sentence.starts_with("No significant difference between any"));
    let words = "(smallest Holm-corrected p of 2 comparisons: 1.000; primary comparisons are not corrected)";
    assert!(found.is_some_and(|sentence| sentence.contains(words)), "{sentences:?}");
}

/// With few pairs a plain t test would take a small variance for near certainty.
#[test]
fn few_pairs_are_tested_exactly() {
    assert_eq!(
        of_pairs(&["ll", "ll", "ll", "ll", "ld", "ld", "ld"]),
        "b is ahead of a with 0.893 [0.505, 1.000] points a game (p = 0.048)."
    );
}

#[test]
fn a_family_needs_more_pairs() {
    let three = format!("{TWO}, {{ name = \"c\", search.flat = {{ playouts = 3 }} }}");
    let results: &[&str] = &["ww"; 6];
    let sentences = verdict(&summary("tic-tac-toe", &three, &[results, results, results]).experiments[0]);
    let sentence = &sentences[0];
    assert!(
        sentence.ends_with("not even one side winning them all; at least 7 pairs are needed."),
        "{sentence}"
    );
}

/// Few pairs are planned by the test that they have, not by another one, and not with 30 at least.
#[test]
fn what_would_decide_with_few_pairs_is_said() {
    let sentence = of_pairs(&["ww"; 4]);
    assert!(sentence.ends_with("at least 6 pairs are needed."), "{sentence}");
    let sentence = of_pairs(&["ww", "ww", "ww", "ww", "ww", "wd", "wd", "ll"]);
    assert!(sentence.contains("about 8 pairs more would show it"), "{sentence}");
}

/// Of two players with the same result neither has the highest.
#[test]
fn equal_success_is_no_highest() {
    let three = format!("{TWO}, {{ name = \"c\", search.flat = {{ playouts = 3 }} }}");
    let (all, some): (&[&str], &[&str]) = (&["w"; 20], &["l"; 20]);
    let sentences = verdict(&summary("calculation", &three, &[some, all, all]).experiments[0]);
    assert!(
        sentences[0].starts_with("b and c have equally the highest success rate; b is ahead of a;"),
        "{sentences:?}"
    );
}

#[test]
fn what_would_decide_is_said() {
    let mut pairs = ["wl"; 40];
    pairs[..6].fill("ww");
    pairs[6..8].fill("ll");
    let sentence = of_pairs(&pairs);
    assert!(sentence.contains("0.550 [0.470, 0.625]"), "{sentence}");
    // (1.960 + 0.842)²·v/0.05² = 149.1 with v = 8/40·¼ − 0.05² = 0.0475, and Student's t with two pairs more.
    assert!(
        sentence.ends_with(
            "If the true difference is the measured one, about 124 pairs more would show it (power 0.8)."
        ),
        "{sentence}"
    );
    let even = of_pairs(&["wl"; 40]);
    assert!(
        even.ends_with("Both did equally well, so no number of trials can be named that would decide."),
        "{even}"
    );
}

#[test]
fn deals_have_their_own_numbers() {
    let of_deals = |first: &[&str], second: &[&str]| {
        verdict(&summary("calculation", TWO, &[first, second]).experiments[0])[0].clone()
    };
    let few = of_deals(&["l"; 3], &["w"; 3]);
    assert!(
        few.ends_with(
            "No outcome of 3 deals could be significant, not even one side solving them all alone; at least 4 deals are needed."
        ),
        "{few}"
    );
    assert!(of_deals(&["l"; 5], &["w"; 5]).starts_with("b is ahead of a"));
    // A tenth of the deals is solved by `b` alone: 77 deals by Connor's formula with ψ = δ = 0.1.
    let mut second = ["l"; 20];
    second[..2].fill("w");
    let more = of_deals(&["l"; 20], &second);
    assert!(more.contains("about 57 deals more would show it"), "{more}");
}

#[test]
fn a_best_value_at_the_edge_of_its_sweep_is_said_to_be_there() {
    let swept = "{ name = \"flat\", search.flat = { playouts = { each = [1, 2, 4] } } }";
    let last = |solved: [usize; 3]| {
        let results = solved.map(|solved| {
            let mut results = ["l"; 20];
            results[..solved].fill("w");
            results
        });
        let results: Vec<&[&str]> = results.iter().map(|results| &results[..]).collect();
        verdict(&summary("calculation", swept, &results).experiments[0]).pop().unwrap()
    };
    assert_eq!(
        last([2, 3, 9]),
        "The best value is at the edge of its sweep, and a better one may lie beyond: playouts=4 of flat (from 1 to 4)."
    );
    assert!(last([9, 3, 2]).contains("playouts=1 of flat"));
    assert!(!last([2, 9, 3]).contains("edge") && !last([3, 3, 3]).contains("edge"));
}
