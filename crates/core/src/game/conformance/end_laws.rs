//! Laws of facts, payoffs and outcomes.

use super::laws;
use super::subject::{Case, End, Subject, Verdict, require};
use crate::game::{Counts, LARGEST_PAYOFF, Player};

laws! {
    FACTS;
    /// the facts are consistent: one or two players, zero-sum and points for two only, payoffs below 2¹⁶
    "facts", sense;
}

// The other laws need play.
laws! {
    LAWS;
    /// chance has turns in the random games if and only if the facts say so
    "chance", chance;
    /// every game ends, within the length that the facts state
    "length", length;
    /// payoffs lie in the range of the facts and are repeatable
    "payoff", payoff, finished;
    /// if the facts say zero-sum, the two payoffs add up to 0
    "zero-sum", zero_sums;
    /// outcomes and scores are repeatable; in a zero-sum game one player wins if the other loses
    "outcome", outcome, finished;
}

fn sense(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    *count += 1;
    let facts = &subject.facts;
    require!((1..=2).contains(&facts.players), "{} players are neither 1 nor 2", facts.players)?;
    require!(!facts.zero_sum || facts.players == 2, "a game for one cannot be zero-sum")?;
    require!(
        (facts.counts == Counts::Points) == (facts.players == 2),
        "points count in a game for two, and in a solitaire success or the score, but the facts say {} players and {:?}",
        facts.players,
        facts.counts
    )?;
    require!(subject.game.is_of_type(), "`Game::ALWAYS` has other players or another chance than the facts")?;
    let (min, max) = (facts.min_payoff, facts.max_payoff);
    require!(min <= max, "the payoffs range from {min} to {max}, which is no range")?;
    for bound in [min, max] {
        require!(bound.unsigned_abs() <= LARGEST_PAYOFF, "a payoff of {bound} is not below 2¹⁶")?;
    }
    require!(!facts.score_unit.is_empty(), "the score has no unit")?;
    require!(*facts == subject.game.copy().facts(), "a second call gives other facts")
}

fn chance(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    *count += subject.lines.len() as u64;
    match (subject.facts.chance, subject.chance) {
        (false, Some((line, ply))) => {
            let place = subject.place_of(&subject.lines[line].moves[..ply], None);
            Err(format!("the facts say that chance has no turn, but it has one\n{place}"))
        }
        (true, None) => {
            let games = subject.lines.len();
            Err(format!("the facts say that chance has turns, but it had none in {games} random games"))
        }
        _ => Ok(()),
    }
}

fn length(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    for line in &subject.lines {
        *count += 1;
        let plies = line.moves.len();
        let bound = subject.facts.max_plies.filter(|&bound| plies > bound as usize);
        let what = match (bound, &line.end) {
            (Some(bound), _) => {
                format!("the facts say at most {bound} plies, but a game took {plies} or more")
            }
            (None, End::TooLong) => format!("a random game is not over after {plies} plies"),
            _ => continue,
        };
        return Err(format!("{what}\n{}", subject.place_of(&line.moves, line.last.as_ref())));
    }
    Ok(())
}

fn payoff(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (min, max) = (subject.facts.min_payoff, subject.facts.max_payoff);
    for player in subject.players() {
        let payoff = subject.game.payoff(&case.position, player);
        require!(
            (min..=max).contains(&payoff),
            "the payoff of {player} is {payoff}, but the facts say {min} to {max}"
        )?;
        require!(
            payoff.unsigned_abs() <= LARGEST_PAYOFF,
            "the payoff of {player} is {payoff}, which is not below 2¹⁶"
        )?;
        let score = subject.game.score(&case.position, player);
        let is_known = subject.facts.score_range.is_none_or(|[least, most]| (least..=most).contains(&score));
        require!(
            is_known,
            "the score of {player} is {score}, but the facts say {:?}; declare it with `with_scores`",
            subject.facts.score_range.unwrap_or_default()
        )?;
        let again = subject.game.payoff(&case.position, player);
        require!(payoff == again, "the payoff of {player} is {payoff}, and then {again}")?;
    }
    Ok(())
}

fn zero_sums(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    subject.each(subject.finished().filter(|_| subject.facts.zero_sum), count, |case| {
        let payoff = |player| i64::from(subject.game.payoff(&case.position, player));
        let (first, second) = (payoff(Player::FIRST), payoff(Player::SECOND));
        require!(first + second == 0, "the payoffs are {first} and {second}, which do not add up to 0")
    })
}

fn outcome(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    for player in subject.players() {
        let end = || (game.outcome(position, player), game.score(position, player));
        let (one, other) = (end(), end());
        require!(one == other, "for {player} the game ended {one:?}, and then {other:?}")?;
    }
    if !subject.facts.zero_sum {
        return Ok(());
    }
    let [first, second] = [Player::FIRST, Player::SECOND].map(|player| game.outcome(position, player));
    require!(first == second.reversed(), "it is a {first} for the first player and a {second} for the second")
}
