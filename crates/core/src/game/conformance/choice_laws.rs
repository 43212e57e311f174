//! Laws of random choices: a choice is a given function of its draws.
//!
//! Uniformity follows: the choices are exactly those of [`PlayoutRng::below`] or of [`PlayoutRng::digit`], whose bias is
//! at most 2⁻³² per move; `rng` tests both.

use super::laws;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::{Batch, Path, Player, PolicyObject, Tally, Value};
use crate::rng::PlayoutRng;

laws! {
    LAWS;
    /// `random_move` takes one draw and picks move number `below(move_count)`, or always `digit(move_count)`
    "random-move", random_moves;
    /// `random_outcome` takes one draw and chooses by cumulative weight
    "random-outcome", random_outcome, chances;
    /// uniform playouts in batches give the tally of single playouts, however the batch is cut
    "playouts", uniform_playouts, spots;
    /// each of many requests in one call gets the tally that it gets alone
    "playouts-of-many", uniform_playouts_of_many, spots;
}

/// Compares choices at a case with a reference: the same move, and the same draws used.
fn follows_rule(
    subject: &Subject<'_>,
    case: &Case,
    name: &str,
    choose: impl Fn(&mut PlayoutRng) -> Value,
    rule: impl Fn(&mut PlayoutRng) -> Option<Value>,
) -> Verdict {
    let key = subject.key(name, case);
    for index in 0..u64::from(subject.effort.draws) {
        let (mut one, mut other) = (key.playout(index), key.playout(index));
        let (chosen, expected) = (choose(&mut one), rule(&mut other));
        let text = |mv| subject.game.notation(&case.position, mv);
        require!(
            Some(&chosen) == expected.as_ref(),
            "`{name}` is {}, but one draw picks {}",
            text(&chosen),
            expected.as_ref().map_or_else(|| "nothing".into(), text)
        )?;
        require!(one == other, "`{name}` does not take exactly one draw")?;
    }
    Ok(())
}

type Pick = fn(&mut PlayoutRng, u32) -> u32;

/// Every case must follow one of two rules, the same for all. If a game breaks both, the violation is that of the rule
/// it follows for longer.
fn random_moves(subject: &Subject<'_>, count: &mut u64) -> Verdict {
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

fn random_move(subject: &Subject<'_>, case: &Case, pick: Pick) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let count = game.listed(position)[0] as u32;
    let rule = |draws: &mut PlayoutRng| game.move_at(position, pick(draws, count) as usize);
    follows_rule(subject, case, "random_move", |draws| game.random_move(position, draws), rule)
}

fn random_outcome(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let all = || game.outcomes(position).into_iter();
    let sum: u64 = all().map(|(_, weight)| u64::from(weight)).sum();
    require!(sum > 0, "there is no outcome to choose")?;
    let rule = |draws: &mut PlayoutRng| {
        let pick = u64::from(draws.below(u32::try_from(sum).unwrap_or(u32::MAX)));
        let mut end = 0;
        all().find_map(|(mv, weight)| {
            end += u64::from(weight);
            (pick < end).then_some(mv)
        })
    };
    follows_rule(subject, case, "random_outcome", |draws| game.random_outcome(position, draws), rule)
}

fn uniform_playouts(subject: &Subject<'_>, case: &Case) -> Verdict {
    let uniform = subject.game.uniform();
    batches(subject, case, &*uniform, |player, batch| tally(&*uniform, case, player, batch))
}

fn uniform_playouts_of_many(subject: &Subject<'_>, case: &Case) -> Verdict {
    playouts_of_many(subject, case, &*subject.game.uniform())
}

/// Requests from a case, of several lengths, some without a playout, for all players in turn, in one call.
pub(super) fn playouts_of_many(subject: &Subject<'_>, case: &Case, policy: &dyn PolicyObject) -> Verdict {
    let key = subject.key("playouts-of-many", case);
    let mut requests = Vec::new();
    let mut expected = Vec::new();
    for index in 0..12 {
        for player in subject.players() {
            let batch = Batch::new(key.child(index), index * 3 % 5);
            // First, because it stops at endless games.
            expected.push(policy.singles(&case.position, player, batch, subject.longest())?);
            requests.push((player, batch));
        }
    }
    // The previous values must not matter.
    let mut tallies = vec![Tally { playouts: 7, ..Tally::default() }; requests.len()];
    policy.play(Path::best(), &case.position, &requests, &mut tallies);
    for (number, (got, expected)) in (1..).zip(tallies.iter().zip(&expected)) {
        require!(
            got == expected,
            "of {} requests number {number} gives {got:?}, alone {expected:?}",
            requests.len()
        )?;
    }
    Ok(())
}

/// Compares batches of playouts from a case, whole and cut, with single playouts of a policy.
pub(super) fn batches(
    subject: &Subject<'_>,
    case: &Case,
    policy: &dyn PolicyObject,
    playouts: impl Fn(Player, Batch) -> Tally,
) -> Verdict {
    let count = u64::from(subject.effort.playouts);
    let whole = Batch::new(subject.key("playouts", case), count);
    for player in subject.players() {
        // First, because it stops at endless games.
        let expected = policy.singles(&case.position, player, whole, subject.longest())?;
        let got = playouts(player, whole);
        require!(got == expected, "for {player}, {count} playouts give {got:?}, single ones {expected:?}")?;
        let cut = count / 3;
        let parts = [(cut, count - cut), (0, cut), (0, 0)];
        let mut sum = Tally::default();
        for (first, count) in parts {
            sum += playouts(player, Batch { first, count, ..whole });
        }
        require!(
            sum == expected,
            "for {player}, {count} playouts cut in two give {sum:?}, in one {expected:?}"
        )?;
    }
    Ok(())
}

/// The tally of a batch from a case, on the fastest path.
pub(super) fn tally(policy: &dyn PolicyObject, case: &Case, player: Player, batch: Batch) -> Tally {
    let mut tally = [Tally::default()];
    policy.play(Path::best(), &case.position, &[(player, batch)], &mut tally);
    tally[0]
}
