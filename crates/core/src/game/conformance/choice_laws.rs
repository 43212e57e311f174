//! Laws of random choices: a choice is a given function of its draws.
//!
//! Uniformity follows: the choices are exactly those of [`PlayoutRng::below`] or of [`PlayoutRng::digit`], whose bias is
//! at most 2⁻³² per move; `rng` tests both.

use super::Decl;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::{Batch, Game, Player, PlayoutRequest, Policy, PolicyExt, Tally, Turn, Uniform};
use crate::rng::PlayoutRng;

/// The laws of this file.
pub(super) fn laws<G: Game>() -> [Decl<G>; 4] {
    [
        Decl {
            name: "random-move",
            about: "`random_move` takes one draw and picks move number `below(move_count)`, or always `digit(move_count)`",
            check: random_moves,
        },
        Decl {
            name: "random-outcome",
            about: "`random_outcome` takes one draw and chooses by cumulative weight",
            check: |subject, count| {
                subject.each(subject.chances(), count, |case| random_outcome(subject, case))
            },
        },
        Decl {
            name: "playouts",
            about: "uniform playouts in batches give the tally of single playouts, however the batch is cut",
            check: |subject, count| {
                let spots = subject.spots(subject.cases.iter());
                subject.each(spots, count, |case| uniform_playouts(subject, case))
            },
        },
        Decl {
            name: "playouts-of-many",
            about: "each of many requests in one call gets the tally that it gets alone",
            check: |subject, count| {
                let spots = subject.spots(subject.cases.iter());
                subject.each(spots, count, |case| playouts_of_many(subject, case, &Uniform))
            },
        },
    ]
}

/// Compares choices at a case with a reference: the same move, and the same draws used.
fn follows_rule<G: Game>(
    subject: &Subject<'_, G>,
    case: &Case<G>,
    name: &str,
    choose: impl Fn(&mut PlayoutRng) -> G::Move,
    rule: impl Fn(&mut PlayoutRng) -> Option<G::Move>,
) -> Verdict {
    let key = subject.key(name, case);
    for index in 0..u64::from(subject.effort.draws) {
        let (mut one, mut other) = (key.playout(index), key.playout(index));
        let (chosen, expected) = (choose(&mut one), rule(&mut other));
        require(Some(chosen) == expected, || {
            let text = |mv| subject.game.notation(&case.position, mv);
            let expected = expected.map_or_else(|| "nothing".into(), text);
            format!("`{name}` is {}, but one draw picks {expected}", text(chosen))
        })?;
        require(one == other, || format!("`{name}` does not take exactly one draw"))?;
    }
    Ok(())
}

/// A pick among a number of moves.
type Pick = fn(&mut PlayoutRng, u32) -> u32;

/// Every case must follow one of two rules, the same for all. If a game breaks both, the violation is that of the rule
/// it follows for longer.
fn random_moves<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let hold = |pick: Pick| {
        let mut cases = 0;
        let verdict = subject.each(subject.decisions(), &mut cases, |case| random_move(subject, case, pick));
        (cases, verdict)
    };
    let (cases, below) = hold(PlayoutRng::below);
    *count = cases;
    if below.is_ok() {
        return below;
    }
    let (cases, share) = hold(PlayoutRng::digit);
    if share.is_err() && cases <= *count {
        return below;
    }
    *count = cases;
    share
}

fn random_move<G: Game>(subject: &Subject<'_, G>, case: &Case<G>, pick: Pick) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let count = game.moves(position).count() as u32;
    let rule = |draws: &mut PlayoutRng| game.moves(position).nth(pick(draws, count) as usize);
    follows_rule(subject, case, "random_move", |draws| game.random_move(position, draws), rule)
}

fn random_outcome<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let sum: u64 = game.outcomes(position).map(|(_, weight)| u64::from(weight)).sum();
    require(sum > 0, || "there is no outcome to choose".into())?;
    let rule = |draws: &mut PlayoutRng| {
        let pick = u64::from(draws.below(u32::try_from(sum).unwrap_or(u32::MAX)));
        let mut end = 0;
        game.outcomes(position).find_map(|(mv, weight)| {
            end += u64::from(weight);
            (pick < end).then_some(mv)
        })
    };
    follows_rule(subject, case, "random_outcome", |draws| game.random_outcome(position, draws), rule)
}

fn uniform_playouts<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    batches(subject, case, &Uniform, |player, batch| {
        Uniform.playouts(subject.game, &case.position, player, batch)
    })
}

/// Requests from a case, of several lengths, some without a playout, for all players in turn, in one call.
pub(super) fn playouts_of_many<G: Game>(
    subject: &Subject<'_, G>,
    case: &Case<G>,
    policy: &dyn Policy<G>,
) -> Verdict {
    let key = subject.key("playouts-of-many", case);
    let mut requests = Vec::new();
    let mut expected = Vec::new();
    for index in 0..12 {
        for player in subject.players() {
            let batch = Batch::new(key.child(index), index * 3 % 5);
            // First, because it stops at endless games.
            expected.push(single_playouts(subject, case, policy, player, batch)?);
            requests.push(PlayoutRequest { from: case.position, player, batch });
        }
    }
    // The previous values must not matter.
    let mut tallies = vec![Tally { playouts: 7, ..Tally::default() }; requests.len()];
    policy.playouts_of_many(subject.game, &requests, &mut tallies);
    for (number, (got, expected)) in (1..).zip(tallies.iter().zip(&expected)) {
        require(got == expected, || {
            format!("of {} requests number {number} gives {got:?}, alone {expected:?}", requests.len())
        })?;
    }
    Ok(())
}

/// Compares batches of playouts from a case, whole and cut, with single playouts of a policy.
pub(super) fn batches<G: Game>(
    subject: &Subject<'_, G>,
    case: &Case<G>,
    policy: &dyn Policy<G>,
    playouts: impl Fn(Player, Batch) -> Tally,
) -> Verdict {
    let count = u64::from(subject.effort.playouts);
    let whole = Batch::new(subject.key("playouts", case), count);
    for player in subject.players() {
        // First, because it stops at endless games.
        let expected = single_playouts(subject, case, policy, player, whole)?;
        let got = playouts(player, whole);
        require(got == expected, || {
            format!("for {player}, {count} playouts give {got:?}, single ones {expected:?}")
        })?;
        let cut = count / 3;
        let parts = [(cut, count - cut), (0, cut), (0, 0)];
        let mut sum = Tally::default();
        for (first, count) in parts {
            sum += playouts(player, Batch { first, count, ..whole });
        }
        require(sum == expected, || {
            format!("for {player}, {count} playouts cut in two give {sum:?}, in one {expected:?}")
        })?;
    }
    Ok(())
}

/// The tally of single playouts, as in [`run_playouts`](crate::game::run_playouts).
fn single_playouts<G: Game>(
    subject: &Subject<'_, G>,
    case: &Case<G>,
    policy: &dyn Policy<G>,
    player: Player,
    batch: Batch,
) -> Result<Tally, String> {
    let game = subject.game;
    let mut tally = Tally::default();
    for index in 0..batch.count {
        let (mut position, mut draws) = (case.position, batch.key.playout(index));
        let mut plies = 0;
        loop {
            let mv = match game.turn(&position) {
                Turn::Player(_) => policy.choose(game, &position, &mut draws),
                Turn::Chance => game.random_outcome(&position, &mut draws),
                Turn::Over => break,
            };
            require(plies < subject.longest(), || format!("a playout is not over after {plies} plies"))?;
            game.apply(&mut position, mv);
            plies += 1;
        }
        tally.record(game.payoff(&position, player), plies as u32);
    }
    Ok(tally)
}
