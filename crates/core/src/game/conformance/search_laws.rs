//! Laws for searches: keys, move numbers, lines of two plies, hints, bounds, exact ends.

use std::collections::BTreeMap;

use super::Decl;
use super::subject::{Case, End, Subject, Verdict, require};
use crate::game::{
    FinishedGames, Game, Player, SearchHints, Solved, Turn, Window, plain_best_promise,
    plain_lines_of_two_plies,
};

/// The largest number of positions of a search for the exact payoff.
const MOST_NODES: u32 = 5_000;

/// The number of plies before the end of a game from which positions are searched.
const LAST_PLIES: usize = 7;

/// The laws of this file.
pub(super) fn laws<G: Game>() -> [Decl<G>; 8] {
    [
        Decl {
            name: "move-numbers",
            about: "`move_number` numbers all moves of players or none, each differently",
            check: numbers,
        },
        Decl {
            name: "key",
            about: "positions with equal keys have the same moves in the same order",
            check: keys,
        },
        Decl {
            name: "two-plies",
            about: "`lines_of_two_plies` is the number of lines made, with and without finished games",
            check: |subject, count| subject.each(subject.decisions(), count, |case| two_plies(subject, case)),
        },
        Decl {
            name: "order-hint",
            about: "`order`, `rank`, `plies_left` and `promise` are repeatable",
            check: |subject, count| subject.each(subject.decisions(), count, |case| hint(subject, case)),
        },
        Decl {
            name: "each-child",
            about: "`each_child` shows all moves in order, with the positions after them and their hints",
            check: |subject, count| subject.each(subject.decisions(), count, |case| children(subject, case)),
        },
        Decl {
            name: "payoff-bounds",
            about: "`payoff_bounds` hold, by full search of the last plies",
            check: |subject, count| {
                each_end(subject, count, |position, window, exact| {
                    let Some((low, high)) =
                        subject.game.hints().payoff_bounds(subject.game, position, window)
                    else {
                        return Ok(());
                    };
                    require((low..=high).contains(&exact), || {
                        format!("the payoff is {exact}, but the bounds for {window:?} are {low} and {high}")
                    })
                })
            },
        },
        Decl {
            name: "solve-tail",
            about: "`solve_tail` and `solve_end` are exact, by full search of the last plies",
            check: |subject, count| {
                each_end(subject, count, |position, window, exact| {
                    let (game, hints) = (subject.game, subject.game.hints());
                    let solved =
                        [hints.solve_tail(game, position, window), hints.solve_end(game, position, window)];
                    for Solved { payoff, .. } in solved.into_iter().flatten() {
                        require(window.admits(payoff, exact), || {
                            format!("the payoff is {exact}, but the answer to {window:?} is {payoff}")
                        })?;
                    }
                    Ok(())
                })
            },
        },
        Decl {
            name: "chance-end",
            about: "in a solitaire of chance, `payoff_bounds` hold, a `safe_move` is legal and loses nothing, and positions \
                    with equal `value_key`s are worth the same, by full search of the last plies",
            check: chance_ends,
        },
    ]
}

fn keys<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let mut seen: BTreeMap<u128, &Case<G>> = BTreeMap::new();
    subject.each(subject.unfinished(), count, |case| {
        let game = subject.game;
        let Some(key) = game.key(&case.position) else { return Ok(()) };
        require(game.key(&case.position) == Some(key), || "a second call gives another key".into())?;
        let Some(other) = seen.insert(key, case).filter(|other| other.position != case.position) else {
            return Ok(());
        };
        let same = subject.legal(&case.position) == subject.legal(&other.position);
        require(same, || {
            format!("the key is that of another position with other moves, {}", subject.place(other))
        })
    })
}

fn numbers<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let mut named: BTreeMap<u16, G::Move> = BTreeMap::new();
    let mut all = None;
    subject.each(subject.decisions(), count, |case| {
        let game = subject.game;
        for mv in game.moves(&case.position) {
            let number = game.move_number(mv);
            let numbered = *all.get_or_insert(number.is_some());
            require(numbered == number.is_some(), || {
                format!("{mv:?} has the number {number:?}, but other moves differ in having one")
            })?;
            let Some(number) = number else { continue };
            let known = *named.entry(number).or_insert(mv);
            require(known == mv, || format!("{mv:?} and {known:?} have the same number {number}"))?;
            require(game.move_number(mv) == Some(number), || {
                format!("a second call gives {mv:?} another number")
            })?;
        }
        Ok(())
    })
}

fn two_plies<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    if game.moves(position).count() > subject.effort.width as usize {
        return Ok(());
    }
    for finished in [FinishedGames::Count, FinishedGames::Skip] {
        let made = plain_lines_of_two_plies(game, position, finished);
        let told = game.hints().lines_of_two_plies(game, position, finished);
        require(told == made, || {
            format!("{made} lines of two plies are made, but `lines_of_two_plies` is {told} ({finished:?})")
        })?;
    }
    Ok(())
}

fn hint<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    for mv in subject.moves(&case.position) {
        let mut child = case.position;
        subject.game.apply(&mut child, mv);
        let (game, hints, position) = (subject.game, subject.game.hints(), &case.position);
        let hint = || (hints.order(game, position, mv, &child), hints.rank(game, position, mv, &child));
        let (one, other) = (hint(), hint());
        require(one == other, || format!("the hint for {mv:?} is {one:?}, then {other:?}"))?;
    }
    let (game, position) = (subject.game, &case.position);
    let about = || (game.hints().plies_left(game, position), game.hints().promise(game, position));
    let (one, other) = (about(), about());
    require(one == other, || format!("the plies left and the promise are {one:?}, then {other:?}"))
}

fn children<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let mut shown = Vec::new();
    game.hints().each_child(game, position, &mut |mv, child, hint| shown.push((mv, child, hint)));
    let mut expected = Vec::new();
    for mv in game.moves(position).take(shown.len() + 1) {
        let mut child = *position;
        game.apply(&mut child, mv);
        expected.push((mv, child, game.hints().rank(game, position, mv, &child)));
    }
    require(shown == expected, || format!("`each_child` shows {shown:?}, and the moves are {expected:?}"))?;
    // All children at once, and the position alone.
    let open = expected.iter().map(|(_, child, _)| *child).filter(|child| game.turn(child) != Turn::Over);
    for positions in [open.collect(), vec![*position]] {
        let has_promise = |position| {
            matches!(game.turn(position), Turn::Player(_)) && game.hints().promise(game, position).is_some()
        };
        if !positions.iter().all(has_promise) {
            continue;
        }
        let mut shown = Vec::new();
        game.hints().best_promises(game, positions.iter().copied(), &mut |promise| shown.push(Some(promise)));
        let expected: Vec<_> = positions.iter().map(|position| plain_best_promise(game, position)).collect();
        require(shown == expected, || format!("`best_promises` shows {shown:?}, and made are {expected:?}"))?;
    }
    Ok(())
}

/// Examines the last decisions of games without chance, with their payoff for the player to move, in several
/// windows.
fn each_end<G: Game>(
    subject: &Subject<'_, G>,
    count: &mut u64,
    mut check: impl FnMut(&G::Position, Window, i32) -> Verdict,
) -> Verdict {
    if subject.facts.chance || subject.facts.players > 1 && !subject.facts.zero_sum {
        return Ok(());
    }
    each_late(subject, |position, place| {
        let Some(exact) = payoff(subject.game, position, &mut { MOST_NODES }) else { return Ok(()) };
        for window in windows(subject, exact) {
            *count += 1;
            check(position, window, exact).map_err(|what| format!("{what}\n{}", place()))?;
        }
        Ok(())
    })
}

/// Examines the positions of the last plies of finished games.
fn each_late<G: Game>(
    subject: &Subject<'_, G>,
    mut check: impl FnMut(&G::Position, &dyn Fn() -> String) -> Verdict,
) -> Verdict {
    let game = subject.game;
    let ended: Vec<_> = subject.lines.iter().filter(|line| matches!(line.end, End::Over)).collect();
    let stride = ended.len().div_ceil(subject.effort.spots.max(1) as usize).max(1);
    for line in ended.into_iter().step_by(stride) {
        let mut position = game.start();
        let first = line.moves.len().saturating_sub(LAST_PLIES);
        for (ply, &mv) in line.moves.iter().enumerate() {
            if ply >= first {
                check(&position, &|| subject.place_of(&line.moves[..ply], Some(&position)))?;
            }
            game.apply(&mut position, mv);
        }
    }
    Ok(())
}

/// Compares the hints of a solitaire of chance with the exact values.
fn chance_ends<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    if !subject.facts.chance || subject.facts.players > 1 {
        return Ok(());
    }
    let (game, hints) = (subject.game, subject.game.hints());
    let mut known: BTreeMap<u128, f64> = BTreeMap::new();
    let differ = |one: f64, other: f64| (one - other).abs() > 1e-9;
    each_late(subject, |position, place| {
        let value = |position: &G::Position| mean(game, position, &mut { MOST_NODES });
        let Some(exact) = value(position) else { return Ok(()) };
        *count += 1;
        let about = |what: String| format!("the position is worth {exact}, but {what}\n{}", place());
        if let Some((low, high)) = hints.payoff_bounds(game, position, Window::FULL) {
            let holds = f64::from(low) - 1e-9 <= exact && exact <= f64::from(high) + 1e-9;
            require(holds, || about(format!("its bounds are {low} and {high}")))?;
        }
        if let Some(key) = hints.value_key(game, position) {
            let other = *known.entry(key).or_insert(exact);
            require(!differ(other, exact), || about(format!("another with its `value_key` {other}")))?;
        }
        if !matches!(game.turn(position), Turn::Player(_)) {
            return Ok(());
        }
        let Some(safe) = hints.safe_move(game, position) else { return Ok(()) };
        require(game.moves(position).any(|mv| mv == safe), || {
            about(format!("its safe move {safe:?} is not legal"))
        })?;
        let mut child = *position;
        game.apply(&mut child, safe);
        match value(&child) {
            Some(found) if differ(found, exact) => Err(about(format!("its safe move {safe:?} {found}"))),
            _ => Ok(()),
        }
    })
}

/// The full window, and null windows around the payoff and at the ends of the range.
fn windows<G: Game>(subject: &Subject<'_, G>, exact: i32) -> impl Iterator<Item = Window> + use<G> {
    let (least, most) = (subject.facts.min_payoff, subject.facts.max_payoff);
    let around = [least - 1, least, exact - 2, exact - 1, exact, exact + 1, most - 1, most];
    let null = around.into_iter().map(|alpha| Window { alpha, beta: alpha + 1 });
    [Window::FULL, Window { alpha: exact - 1, beta: exact + 1 }].into_iter().chain(null)
}

/// The payoff of the player to move under best play; `None` if that takes too many nodes.
fn payoff<G: Game>(game: &G, position: &G::Position, nodes: &mut u32) -> Option<i32> {
    let Turn::Player(mover) = game.turn(position) else { return None };
    let mut best = i32::MIN;
    for mv in game.moves(position) {
        *nodes = nodes.checked_sub(1)?;
        let mut child = *position;
        game.apply(&mut child, mv);
        let value = match game.turn(&child) {
            Turn::Over => game.payoff(&child, mover),
            Turn::Player(next) if next == mover => payoff(game, &child, nodes)?,
            _ => -payoff(game, &child, nodes)?,
        };
        best = best.max(value);
    }
    Some(best)
}

/// The expected payoff of a solitaire of chance under best play; `None` if that takes too many nodes.
fn mean<G: Game>(game: &G, position: &G::Position, nodes: &mut u32) -> Option<f64> {
    *nodes = nodes.checked_sub(1)?;
    let mut value = |mv| {
        let mut child = *position;
        game.apply(&mut child, mv);
        mean(game, &child, nodes)
    };
    match game.turn(position) {
        Turn::Over => Some(game.payoff(position, Player::FIRST).into()),
        Turn::Player(_) => {
            game.moves(position).try_fold(f64::NEG_INFINITY, |best, mv| Some(best.max(value(mv)?)))
        }
        Turn::Chance => {
            let mut weights = 0.0;
            let sum = game.outcomes(position).try_fold(0.0, |sum, (mv, weight)| {
                weights += f64::from(weight);
                Some(sum + f64::from(weight) * value(mv)?)
            })?;
            Some(sum / weights)
        }
    }
}
