//! Laws of the knockout.

use std::collections::BTreeMap;

use shikou::optimise::genetic::{Bracket, Draw, Knockout, Meeting, Seating};
use shikou::rng::Stream;

use super::support::{Law, broken, holds, uniform};

const FAIR: Knockout = Knockout { seating: Seating::Shuffled, games: 2, draw: Draw::Fair };

fn stream(number: u64) -> Stream {
    Stream::new(9) / "knockout" / number
}

/// Plays a bracket to its end: the candidate with the larger strength wins each meeting.
fn played(mut bracket: Bracket, strength: impl Fn(usize) -> f64) -> (Vec<Vec<Meeting>>, Bracket) {
    let mut rounds = Vec::new();
    while let Some(round) = bracket.round() {
        let margins: Vec<f64> =
            round.iter().map(|meeting| strength(meeting.first) - strength(meeting.second)).collect();
        bracket.tell(&margins);
        rounds.push(round);
    }
    (rounds, bracket)
}

#[test]
fn rounds_halve_the_candidates() {
    let once = Knockout { games: 1, ..FAIR };
    let of = |population, survivors| {
        let (rounds, bracket) =
            played(once.bracket(population, survivors, stream(1)), |candidate| candidate as f64);
        assert_eq!(bracket.places().iter().flatten().count(), survivors);
        rounds.iter().map(Vec::len).collect::<Vec<_>>()
    };
    assert_eq!(of(32, 16), [16]);
    assert_eq!(of(64, 32), [32]);
    assert_eq!(of(64, 8), [32, 16, 8]);
    assert_eq!(of(64, 8).iter().sum::<usize>(), 56);
    // Not a power of two: the queue goes on with the winners.
    assert_eq!(of(7, 2), [3, 2]);
}

/// The queue as published, one meeting after the other, gives the same survivors in the same order.
#[test]
fn rounds_are_the_queue_of_the_source() {
    for (population, survivors) in [(64, 8), (32, 16), (9, 4), (7, 1), (13, 3)] {
        let strength = |candidate: usize| (candidate * 29 % 64) as f64;
        let mut queue: Vec<usize> = (0..population).collect();
        while queue.len() > survivors {
            let (first, second) = (queue.remove(0), queue.remove(0));
            queue.push(if strength(first) > strength(second) { first } else { second });
        }
        let knockout = Knockout { seating: Seating::Queue, ..FAIR };
        let (_, bracket) = played(knockout.bracket(population, survivors, stream(2)), strength);
        let mut places: Vec<(u32, usize)> = bracket
            .places()
            .iter()
            .enumerate()
            .filter_map(|(index, place)| Some(((*place)?, index)))
            .collect();
        places.sort_unstable();
        assert_eq!(places.into_iter().map(|(_, index)| index).collect::<Vec<_>>(), queue);
    }
}

/// Every candidate moves first in half of its games.
fn is_balanced(knockout: Knockout) -> Law {
    let (rounds, _) = played(knockout.bracket(64, 8, stream(3)), |candidate| (candidate * 29 % 64) as f64);
    let mut seats: BTreeMap<usize, i32> = BTreeMap::new();
    for meeting in rounds.iter().flatten() {
        for game in 0..meeting.games {
            let [first, second] = meeting.seats(game);
            *seats.entry(first).or_default() += 1;
            *seats.entry(second).or_default() -= 1;
        }
    }
    match seats.iter().find(|(_, surplus)| **surplus != 0) {
        Some((candidate, surplus)) => {
            Err(format!("candidate {candidate} moved first {surplus} times too often"))
        }
        None => Ok(()),
    }
}

#[test]
fn every_candidate_has_both_seats_equally_often() {
    holds(is_balanced(FAIR));
    holds(is_balanced(Knockout { games: 20, ..FAIR }));
    broken(is_balanced(Knockout { games: 1, ..FAIR }), "too often");
}

/// Neighbours in the population meet no more often than others: the first 8 of 64, kept from the last generation, lose no
/// more of their number in the first round than 8 others. Pairs inside the group: 28 of 2016, 32 meetings.
fn parts_neighbours(knockout: Knockout) -> Law {
    let meetings = |number| knockout.bracket(64, 8, stream(number)).round().expect("64 are more than 8");
    let among = |meeting: &Meeting| meeting.first < 8 && meeting.second < 8;
    let count: usize =
        (0..1000).map(|number| meetings(number).iter().filter(|meeting| among(meeting)).count()).sum();
    // The mean is 444, the standard deviation about 20.
    if (344..544).contains(&count) {
        Ok(())
    } else {
        Err(format!("the kept met each other {count} times, not 444"))
    }
}

#[test]
fn kept_candidates_do_not_meet_each_other_more_often() {
    holds(parts_neighbours(FAIR));
    broken(parts_neighbours(Knockout { seating: Seating::Queue, ..FAIR }), "4000 times");
}

/// After a draw either stays, and every place in the queue survives as often.
fn is_fair_at_draws(knockout: Knockout) -> Law {
    let mut counts = [0; 8];
    for number in 0..4000 {
        let (_, bracket) = played(knockout.bracket(8, 1, stream(number)), |_| 0.0);
        counts[bracket.places().iter().position(Option::is_some).expect("one survives")] += 1;
    }
    uniform("survivors of draws", &counts)
}

#[test]
fn draws_favour_nobody() {
    holds(is_fair_at_draws(FAIR));
    holds(is_fair_at_draws(Knockout { seating: Seating::Queue, ..FAIR }));
    broken(
        is_fair_at_draws(Knockout { seating: Seating::Queue, draw: Draw::Second, ..FAIR }),
        "[0, 0, 0, 0, 0, 0, 0, 4000]",
    );
}
