//! Laws of patterns and of lists of rules.

use super::evaluation_laws::check_names;
use super::laws;
use super::subject::{Subject, Verdict, require};

laws! {
    LAWS;
    /// each pattern has a name that rules can use, and its counts are repeatable
    "patterns", patterns;
    /// each list of rules can be read, and plays legal moves only
    "rule-lists", rule_lists;
}

fn patterns(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let Some(game) = subject.catalogue else { return Ok(()) };
    let patterns = game.patterns();
    check_names("pattern", &patterns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>())?;
    for (name, pattern) in &patterns {
        let in_name = |what: String| format!("pattern `{name}`: {what}");
        let can_be_named = game.rules(&format!("{name}: 1")).is_ok();
        require!(can_be_named, "pattern `{name}`: a rule cannot name it")?;
        subject
            .each(subject.decisions(), count, |case| {
                for mv in game.moves(&case.position, usize::MAX) {
                    let after = game.after(&case.position, &mv);
                    let ask = || pattern(&case.position, &mv, &after);
                    let (one, other) = (ask(), ask());
                    require!(one == other, "it counts {one} for {mv:?}, then {other}")?;
                }
                Ok(())
            })
            .map_err(in_name)?;
    }
    Ok(())
}

fn rule_lists(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let Some(game) = subject.catalogue else { return Ok(()) };
    let lists = game.rule_lists();
    check_names("list of rules", &lists.iter().map(|list| list.name).collect::<Vec<_>>())?;
    for list in lists {
        let in_name = |what: String| format!("list of rules `{}`: {what}", list.name);
        let scores = game.rules(list.text).map_err(|error| in_name(error.to_string()))?;
        subject
            .each(subject.decisions(), count, |case| {
                let scores = scores(&case.position);
                let legal = game.moves(&case.position, usize::MAX);
                require!(scores.iter().map(|(mv, _)| mv).eq(&legal), "it scores {scores:?}")
            })
            .map_err(in_name)?;
    }
    Ok(())
}
