//! Laws of evaluations.

use super::Decl;
use super::subject::{Subject, Verdict, require};
use crate::game::{Game, NamedFeatures, Player, Turn};

/// The laws of this file.
pub(super) fn laws<G: Game>() -> [Decl<G>; 3] {
    [
        Decl {
            name: "evaluations",
            about: "each evaluation repeats itself and keeps its range, below 2²⁰ where finished games count payoffs",
            check: evaluations,
        },
        Decl {
            name: "evaluation-zero-sum",
            about: "in a zero-sum game each evaluation's values for the two players add up to 0",
            check: zero_sum,
        },
        Decl {
            name: "features",
            about: "features have names, repeat themselves, add up as weighed, and in a zero-sum game change sign with the player",
            check: features,
        },
    ]
}

/// Names as they may stand in a manifest: kebab case, each once.
pub(super) fn check_names(what: &str, names: &[&str]) -> Verdict {
    for (i, name) in names.iter().enumerate() {
        let kebab = name.split('-').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        });
        require(kebab, || format!("the {what} name {name:?} is not in kebab case"))?;
        require(!names[..i].contains(name), || format!("two {what} names are {name:?}"))?;
    }
    Ok(())
}

fn evaluations<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let all = game.evaluations();
    check_names("evaluation", &all.iter().map(|named| named.name).collect::<Vec<_>>())?;
    for named in all {
        let evaluation = &named.evaluation;
        let in_name = |what: String| format!("evaluation `{}`: {what}", named.name);
        let (low, high) = evaluation.range(game);
        let within = |value: i64| {
            require((low..=high).contains(&value), || format!("{value} is not within {low} to {high}"))
        };
        let mut counts_payoff = true;
        subject
            .each(subject.finished(), count, |case| {
                for player in subject.players() {
                    let value = || evaluation.finished(game, &case.position, player);
                    let (one, other) = (value(), value());
                    require(one == other, || {
                        format!("the finished game is {one}, then {other} for {player}")
                    })?;
                    within(one)?;
                    counts_payoff &= one == i64::from(game.payoff(&case.position, player)) << 20;
                }
                Ok(())
            })
            .map_err(in_name)?;
        subject
            .each(subject.unfinished(), count, |case| {
                for player in subject.players() {
                    let value = || evaluation.evaluate(game, &case.position, player);
                    let (one, other) = (value(), value());
                    require(one == other, || format!("the value is {one}, then {other} for {player}"))?;
                    within(one)?;
                    require(!counts_payoff || one.unsigned_abs() < 1 << 20, || {
                        format!("the value {one} for {player} is not below 2²⁰, and may outweigh a sure win")
                    })?;
                }
                Ok(())
            })
            .map_err(in_name)?;
    }
    Ok(())
}

fn zero_sum<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let game = subject.game;
    for named in game.evaluations().iter().filter(|_| subject.facts.zero_sum) {
        subject
            .each(&subject.cases, count, |case| {
                let value = |player| match case.turn {
                    Turn::Over => named.evaluation.finished(game, &case.position, player),
                    _ => named.evaluation.evaluate(game, &case.position, player),
                };
                let (first, second) = (value(Player::FIRST), value(Player::SECOND));
                require(first.checked_add(second) == Some(0), || {
                    format!("the values are {first} and {second}, which do not add up to 0")
                })
            })
            .map_err(|what| format!("evaluation `{}`: {what}", named.name))?;
    }
    Ok(())
}

fn features<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let all = game.features();
    check_names("features", &all.iter().map(|named| named.name).collect::<Vec<_>>())?;
    for NamedFeatures { name, features, .. } in all {
        let names = features.names(game);
        // Weights that tell each feature from the others.
        let weights: Vec<i64> = (1..=names.len() as i64).map(|place| place * place - 3).collect();
        let values = |position: &G::Position, player| {
            let mut values = vec![0; names.len()];
            features.values(game, position, player, &mut values);
            values
        };
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let laws =
            require(sorted.len() == names.len(), || "two of them have one name".into()).and_then(|()| {
                subject.each(subject.unfinished(), count, |case| {
                    for player in subject.players() {
                        let (one, other) = (values(&case.position, player), values(&case.position, player));
                        require(one == other, || format!("they are {one:?}, then {other:?} for {player}"))?;
                        let sum: i64 =
                            one.iter().zip(&weights).map(|(&value, weight)| i64::from(value) * weight).sum();
                        let weighted = features.weighted(game, &case.position, player, &weights);
                        require(weighted == sum, || {
                            format!("weighed by {weights:?} they are {weighted}, not {sum}")
                        })?;
                        if subject.facts.zero_sum {
                            let theirs = values(&case.position, player.other());
                            let opposite = one
                                .iter()
                                .zip(&theirs)
                                .all(|(&one, &other)| one.checked_add(other) == Some(0));
                            require(opposite, || {
                                format!("they are {one:?} for {player} and {theirs:?} for the other")
                            })?;
                        }
                    }
                    Ok(())
                })
            });
        laws.map_err(|what| format!("features `{name}`: {what}"))?;
    }
    Ok(())
}
