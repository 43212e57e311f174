//! Laws of policies, patterns and lists of rules.

use super::choice_laws::{batches, playouts_of_many, tally};
use super::evaluation_laws::{check_names, each_entry};
use super::laws;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::{Batch, Path, Player, PolicyObject, Tally};

// Positions with more moves than the effort's width are skipped, because distributions list every move.
laws! {
    LAWS;
    /// each policy chooses legal moves by its draws alone, within its stated distribution
    "policies", policies;
    /// each policy chooses with its stated probabilities (χ²; a correct one fails once in 10⁶ checks)
    "policy-distribution", |subject, count| at_spots(subject, count, distribution);
    /// each policy's batches give the tally of single playouts, however they are cut or combined
    "policy-playouts", |subject, count| at_spots(subject, count, playouts);
    /// each policy's batches give the tally of single playouts on every path of this processor
    "paths", |subject, count| each_policy(subject, &subject.spots(), count, paths);
    /// each pattern has a name that rules can use, and its counts are repeatable
    "patterns", patterns;
    /// each list of rules can be read, and plays legal moves only
    "rule-lists", rule_lists;
}

fn narrow_decisions<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = &'s Case> {
    let width = subject.effort.width as usize;
    subject.decisions().filter(move |case| subject.game.listed(&case.position)[0] <= width)
}

type Check = fn(&Subject<'_>, &Case, &Named<'_>) -> Verdict;

type Named<'a> = (&'static str, Box<dyn PolicyObject + 'a>);

/// Checks each policy at each case and names it in the violation.
fn each_policy<'s>(subject: &'s Subject<'_>, cases: &[&'s Case], count: &mut u64, check: Check) -> Verdict {
    let policies = subject.game.policies();
    let names: Vec<_> = policies.iter().map(|policy| policy.0).collect();
    each_entry("policy", &names, |place| {
        subject.each(cases.iter().copied(), count, |case| check(subject, case, &policies[place]))
    })
}

fn at_spots(subject: &Subject<'_>, count: &mut u64, check: Check) -> Verdict {
    each_policy(subject, &subject.spots_of(narrow_decisions(subject)), count, check)
}

fn policies(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let names: Vec<_> = subject.game.policies().iter().map(|policy| policy.0).collect();
    check_names("policy", &names)?;
    require!(names.first() == Some(&"uniform"), "the first policy is not `uniform`: {names:?}")?;
    let cases: Vec<_> = narrow_decisions(subject).collect();
    each_policy(subject, &cases, count, choices)
}

fn choices(subject: &Subject<'_>, case: &Case, (name, policy): &Named<'_>) -> Verdict {
    let position = &case.position;
    let legal = subject.game.moves(position);
    let stated = policy.distribution(position);
    for (i, (mv, _)) in stated.iter().enumerate() {
        require!(legal.contains(mv), "the distribution holds {mv:?}, which is not legal")?;
        require!(!stated[..i].iter().any(|(other, _)| other == mv), "the distribution holds {mv:?} twice")?;
    }
    require!(stated.iter().any(|&(_, weight)| weight > 0), "the distribution has no positive weight")?;
    require!(stated == policy.distribution(position), "a second call gives another distribution")?;
    if *name == "uniform" {
        let equal = stated.iter().all(|&(_, weight)| weight == stated[0].1);
        require!(stated.len() == legal.len() && equal, "{stated:?} is not uniform")?;
    }
    let key = subject.key("policies", case);
    for index in 0..u64::from(subject.effort.draws) {
        let (mut one, mut other) = (key.playout(index), key.playout(index));
        let (mv, again) = (policy.choose(position, &mut one), policy.choose(position, &mut other));
        require!(legal.contains(&mv), "it chose {mv:?}, which is not legal")?;
        require!(mv == again && one == other, "with the same draws it chose {mv:?}, and then {again:?}")?;
        require!(
            stated.iter().any(|(other, weight)| *other == mv && *weight > 0),
            "it chose {mv:?}, which has no weight in its distribution {stated:?}"
        )?;
    }
    Ok(())
}

fn distribution(subject: &Subject<'_>, case: &Case, (_, policy): &Named<'_>) -> Verdict {
    let position = &case.position;
    let stated = policy.distribution(position);
    let total: u64 = stated.iter().map(|(_, weight)| u64::from(*weight)).sum();
    let key = subject.key("policy-distribution", case);
    let mut counts = vec![0_u32; stated.len()];
    for index in 0..u64::from(subject.effort.choices) {
        let mv = policy.choose(position, &mut key.playout(index));
        let found = stated.iter().position(|(other, weight)| *other == mv && *weight > 0);
        counts[found.ok_or_else(|| format!("it chose {mv:?}, which has no weight in {stated:?}"))?] += 1;
    }
    let cells = stated.iter().zip(&counts).map(|(&(_, weight), &count)| {
        (f64::from(weight) / total as f64 * f64::from(subject.effort.choices), f64::from(count))
    });
    let (chi, bound) = chi_square(cells);
    require!(
        chi <= bound,
        "χ² is {chi:.1}, above {bound:.1}: it states {stated:?}, and chose {counts:?} times"
    )
}

fn playouts(subject: &Subject<'_>, case: &Case, (_, policy): &Named<'_>) -> Verdict {
    batches(subject, case, &**policy, |player, batch| tally(&**policy, case, player, batch))?;
    playouts_of_many(subject, case, &**policy)
}

fn paths(subject: &Subject<'_>, case: &Case, (_, policy): &Named<'_>) -> Verdict {
    let on = |path, player, batch| {
        let mut tally = [Tally::default()];
        let taken = policy.play(path, &case.position, &[(player, batch)], &mut tally);
        (taken == path).then_some(tally[0])
    };
    for path in Path::ALL {
        let nothing = Batch::new(subject.key("paths", case), 0);
        if on(path, Player::FIRST, nothing).is_some() {
            let playouts = |player, batch| on(path, player, batch).unwrap_or_default();
            batches(subject, case, &**policy, playouts).map_err(|what| format!("path {path}: {what}"))?;
        }
    }
    Ok(())
}

/// χ² of (expected, observed) cells, and the bound that a correct distribution exceeds less than once in 10⁹ (Wilson and
/// Hilferty 1931, z = 6.5). Cells with an expectation below 25 are merged, so that the bound also holds for counts, whose
/// tails are longer than those of the normal distribution.
fn chi_square(cells: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    const Z: f64 = 6.5;
    let term = |expected: f64, observed: f64| (observed - expected).powi(2) / expected;
    let (mut sum, mut used, mut rest) = (0.0, 0_u32, (0.0, 0.0));
    for (expected, observed) in cells {
        if expected >= 25.0 {
            sum += term(expected, observed);
            used += 1;
        } else {
            rest = (rest.0 + expected, rest.1 + observed);
        }
    }
    if rest.0 >= 25.0 {
        sum += term(rest.0, rest.1);
        used += 1;
    }
    let df = f64::from(used.saturating_sub(1).max(1));
    let spread = 2.0 / (9.0 * df);
    (sum, df * (1.0 - spread + Z * spread.sqrt()).powi(3))
}

fn patterns(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let patterns = game.patterns();
    check_names("pattern", &patterns)?;
    each_entry("pattern", &patterns, |place| {
        let can_be_named = game.rules(&format!("{}: 1", patterns[place])).is_ok();
        require!(can_be_named, "a rule cannot name it")?;
        subject.each(subject.decisions(), count, |case| {
            for mv in game.moves(&case.position) {
                let after = game.after(&case.position, &mv);
                let ask = || game.pattern(place, &case.position, &mv, &after);
                let (one, other) = (ask(), ask());
                require!(one == other, "it counts {one} for {mv:?}, then {other}")?;
            }
            Ok(())
        })
    })
}

fn rule_lists(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let lists = game.rule_lists();
    let names: Vec<_> = lists.iter().map(|list| list.name).collect();
    check_names("list of rules", &names)?;
    each_entry("list of rules", &names, |place| {
        let rules = game.rules(lists[place].text).map_err(|error| error.to_string())?;
        subject.each(subject.decisions(), count, |case| {
            let reasons = rules.reasons(&case.position).unwrap_or_default();
            let scores: Vec<_> = reasons.into_iter().map(|reason| (reason.mv, reason.points)).collect();
            let legal = game.moves(&case.position);
            require!(scores.iter().map(|(mv, _)| mv).eq(&legal), "it scores {scores:?}")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::chi_square;

    #[test]
    fn chi_square_tells_a_die_from_a_loaded_one() {
        let (fair, bound) =
            chi_square([333.0, 350.0, 310.0, 340.0, 335.0, 332.0].map(|n| (333.3, n)).into_iter());
        assert!(fair < 5.0 && (50.0..70.0).contains(&bound), "{fair} {bound}");
        let (loaded, _) =
            chi_square([500.0, 300.0, 300.0, 300.0, 300.0, 300.0].map(|n| (333.3, n)).into_iter());
        assert!(loaded > bound, "{loaded} {bound}");
    }

    #[test]
    fn rare_cells_are_put_together() {
        let (chi, _) = chi_square([(970.0, 970.0), (10.0, 0.0), (10.0, 20.0), (10.0, 10.0)].into_iter());
        assert!(chi.abs() < 1e-9, "{chi}");
    }
}
