//! Laws of patterns and of lists of rules.

use super::Decl;
use super::evaluation_laws::check_names;
use super::subject::{Subject, Verdict, require};
use crate::game::{GameExt, NamedGame, RuleList};

/// The laws of this file.
pub(super) fn laws<G: NamedGame>() -> [Decl<G>; 2] {
    [
        Decl {
            name: "patterns",
            about: "each pattern has a name that rules can use, and its counts are repeatable",
            check: patterns,
        },
        Decl {
            name: "rule-lists",
            about: "each list of rules can be read, and plays legal moves only",
            check: rule_lists,
        },
    ]
}

fn patterns<G: NamedGame>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let named = game.patterns();
    check_names("pattern", &named.iter().map(|named| named.name.as_str()).collect::<Vec<_>>())?;
    for named in &named {
        let in_name = |what: String| format!("pattern `{}`: {what}", named.name);
        require(RuleList::parse(game, &format!("{}: 1", named.name)).is_ok(), || {
            in_name("a rule cannot name it".into())
        })?;
        subject
            .each(subject.decisions(), count, |case| {
                for (mv, after) in game.children(&case.position) {
                    let ask = || named.pattern.count(game, &case.position, mv, &after);
                    let (one, other) = (ask(), ask());
                    require(one == other, || format!("it counts {one} for {mv:?}, then {other}"))?;
                }
                Ok(())
            })
            .map_err(in_name)?;
    }
    Ok(())
}

fn rule_lists<G: NamedGame>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let lists = game.rule_lists();
    check_names("list of rules", &lists.iter().map(|list| list.name).collect::<Vec<_>>())?;
    for list in lists {
        let in_name = |what: String| format!("list of rules `{}`: {what}", list.name);
        let rules = RuleList::parse(game, list.text).map_err(|error| in_name(error.to_string()))?;
        subject
            .each(subject.decisions(), count, |case| {
                let scores = rules.scores(game, &case.position);
                let legal = game.moves(&case.position);
                require(scores.iter().map(|&(mv, _)| mv).eq(legal), || format!("it scores {scores:?}"))
            })
            .map_err(in_name)?;
    }
    Ok(())
}
