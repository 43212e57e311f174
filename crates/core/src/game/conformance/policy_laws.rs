//! Laws of policies.

use super::choice_laws::{batches, playouts_of_many};
use super::subject::{Case, Subject, Verdict, require};
use super::{Decl, evaluation_laws::check_names};
use crate::game::{Batch, NamedGame, NamedPolicy, Path, Player, PolicyExt};

/// The laws of this file.
///
/// Positions with more moves than the effort's width are skipped, because distributions list every move.
pub(super) fn laws<G: NamedGame>() -> [Decl<G>; 4] {
    [
        Decl {
            name: "policies",
            about: "each policy chooses legal moves by its draws alone, within its stated distribution",
            check: policies,
        },
        Decl {
            name: "policy-distribution",
            about: "each policy chooses with its stated probabilities (χ²; a correct one fails once in 10⁶ checks)",
            check: |subject, count| at_spots(subject, count, distribution),
        },
        Decl {
            name: "policy-playouts",
            about: "each policy's batches give the tally of single playouts, however they are cut or combined",
            check: |subject, count| at_spots(subject, count, playouts),
        },
        Decl {
            name: "paths",
            about: "each policy's batches give the tally of single playouts on every path of this processor",
            check: |subject, count| each_policy(subject, &subject.spots(subject.cases.iter()), count, paths),
        },
    ]
}

fn narrow_decisions<'s, G: NamedGame>(subject: &'s Subject<'_, G>) -> impl Iterator<Item = &'s Case<G>> {
    let width = subject.effort.width as usize;
    subject.decisions().filter(move |case| subject.game.moves(&case.position).count() <= width)
}

/// Checks each policy at each case and names it in the violation.
fn each_policy<'s, G: NamedGame>(
    subject: &'s Subject<'_, G>,
    cases: &[&'s Case<G>],
    count: &mut u64,
    check: fn(&Subject<'_, G>, &Case<G>, &NamedPolicy<G>) -> Verdict,
) -> Verdict {
    for policy in subject.game.policies() {
        subject
            .each(cases.iter().copied(), count, |case| check(subject, case, &policy))
            .map_err(|what| format!("policy `{}`: {what}", policy.name))?;
    }
    Ok(())
}

fn at_spots<G: NamedGame>(
    subject: &Subject<'_, G>,
    count: &mut u64,
    check: fn(&Subject<'_, G>, &Case<G>, &NamedPolicy<G>) -> Verdict,
) -> Verdict {
    each_policy(subject, &subject.spots(narrow_decisions(subject)), count, check)
}

fn policies<G: NamedGame>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let names: Vec<_> = subject.game.policies().iter().map(|policy| policy.name).collect();
    check_names("policy", &names)?;
    require(names.first() == Some(&"uniform"), || format!("the first policy is not `uniform`: {names:?}"))?;
    let cases: Vec<_> = narrow_decisions(subject).collect();
    each_policy(subject, &cases, count, choices)
}

fn choices<G: NamedGame>(subject: &Subject<'_, G>, case: &Case<G>, named: &NamedPolicy<G>) -> Verdict {
    let (game, position, policy) = (subject.game, &case.position, &named.policy);
    let legal: Vec<G::Move> = game.moves(position).collect();
    let stated = policy.distribution(game, position);
    for (i, (mv, _)) in stated.iter().enumerate() {
        require(legal.contains(mv), || format!("the distribution holds {mv:?}, which is not legal"))?;
        require(!stated[..i].iter().any(|(other, _)| other == mv), || {
            format!("the distribution holds {mv:?} twice")
        })?;
    }
    require(stated.iter().any(|&(_, weight)| weight > 0), || {
        "the distribution has no positive weight".into()
    })?;
    require(stated == policy.distribution(game, position), || {
        "a second call gives another distribution".into()
    })?;
    if named.name == "uniform" {
        let equal = stated.iter().all(|&(_, weight)| weight == stated[0].1);
        require(stated.len() == legal.len() && equal, || format!("{stated:?} is not uniform"))?;
    }
    let key = subject.key("policies", case);
    for index in 0..u64::from(subject.effort.draws) {
        let (mut one, mut other) = (key.playout(index), key.playout(index));
        let (mv, again) =
            (policy.choose(game, position, &mut one), policy.choose(game, position, &mut other));
        require(legal.contains(&mv), || format!("it chose {mv:?}, which is not legal"))?;
        require(mv == again && one == other, || {
            format!("with the same draws it chose {mv:?}, and then {again:?}")
        })?;
        require(stated.iter().any(|&(other, weight)| other == mv && weight > 0), || {
            format!("it chose {mv:?}, which has no weight in its distribution {stated:?}")
        })?;
    }
    Ok(())
}

fn distribution<G: NamedGame>(subject: &Subject<'_, G>, case: &Case<G>, named: &NamedPolicy<G>) -> Verdict {
    let (game, position, policy) = (subject.game, &case.position, &named.policy);
    let stated = policy.distribution(game, position);
    let total: u64 = stated.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let key = subject.key("policy-distribution", case);
    let mut counts = vec![0_u32; stated.len()];
    for index in 0..u64::from(subject.effort.choices) {
        let mv = policy.choose(game, position, &mut key.playout(index));
        let found = stated.iter().position(|&(other, weight)| other == mv && weight > 0);
        counts[found.ok_or_else(|| format!("it chose {mv:?}, which has no weight in {stated:?}"))?] += 1;
    }
    let cells = stated.iter().zip(&counts).map(|(&(_, weight), &count)| {
        (f64::from(weight) / total as f64 * f64::from(subject.effort.choices), f64::from(count))
    });
    let (chi, bound) = chi_square(cells);
    require(chi <= bound, || {
        format!("χ² is {chi:.1}, above {bound:.1}: it states {stated:?}, and chose {counts:?} times")
    })
}

fn playouts<G: NamedGame>(subject: &Subject<'_, G>, case: &Case<G>, named: &NamedPolicy<G>) -> Verdict {
    let policy = &*named.policy;
    batches(subject, case, policy, |player, batch| {
        policy.playouts(subject.game, &case.position, player, batch)
    })?;
    playouts_of_many(subject, case, policy)
}

fn paths<G: NamedGame>(subject: &Subject<'_, G>, case: &Case<G>, named: &NamedPolicy<G>) -> Verdict {
    let policy = &*named.policy;
    let on = |path, player, batch| policy.playouts_on(path, subject.game, &case.position, player, batch);
    for path in Path::ALL {
        let nothing = Batch::new(subject.key("paths", case), 0);
        if on(path, Player::FIRST, nothing).is_some() {
            let playouts = |player, batch| on(path, player, batch).unwrap_or_default();
            batches(subject, case, policy, playouts).map_err(|what| format!("path {path}: {what}"))?;
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
