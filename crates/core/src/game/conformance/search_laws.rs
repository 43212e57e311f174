//! Laws for searches: keys, move numbers, hints, bounds, exact ends.

use std::collections::BTreeMap;

use super::laws;
use super::subject::{Case, End, Subject, Verdict, require};
use crate::game::{Player, Solved, Turn, Value, Window};

/// The largest number of positions of a search for the exact payoff.
const MOST_NODES: u32 = 5_000;

/// The number of plies before the end of a game from which positions are searched.
const LAST_PLIES: usize = 7;

laws! {
    LAWS;
    /// `move_number` numbers all moves of players or none, each differently, and `move_code` codes those with a number
    "move-numbers", numbers;
    /// positions with equal keys have the same moves in the same order
    "key", keys;
    /// `order`, `plies_left` and `estimate` are repeatable
    "order-hint", hint, decisions;
    /// `each_child` shows all moves in order, with the positions after them, and `best_estimates` their estimates
    "each-child", children, decisions;
    /// `payoff_bounds` hold, by full search of the last plies
    "payoff-bounds", payoff_bounds;
    /// `solve_tail` is exact, by full search of the last plies
    "solve-tail", solve_tail;
    /// in a solitaire of chance, `payoff_bounds` hold, and of `lines` the only move is legal and loses nothing, and equal keys are worth the same, by full search of the last plies
    "chance-end", chance_ends;
}

fn keys(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let mut seen: BTreeMap<u128, &Case> = BTreeMap::new();
    subject.each(subject.unfinished(), count, |case| {
        let game = subject.game;
        let Some(key) = game.key(&case.position) else { return Ok(()) };
        require!(game.key(&case.position) == Some(key), "a second call gives another key")?;
        let Some(other) = seen.insert(key, case).filter(|other| other.position != case.position) else {
            return Ok(());
        };
        let same = subject.legal(&case.position) == subject.legal(&other.position);
        require!(same, "the key is that of another position with other moves, {}", subject.place(other))
    })
}

fn numbers(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let mut named: BTreeMap<u16, Value> = BTreeMap::new();
    let mut all = None;
    subject.each(subject.decisions(), count, |case| {
        let game = subject.game;
        for mv in game.moves(&case.position) {
            let number = game.move_number(&mv);
            let numbered = *all.get_or_insert(number.is_some());
            require!(
                numbered == number.is_some(),
                "{mv:?} has the number {number:?}, but other moves differ in having one"
            )?;
            let code = game.move_code(&case.position, &mv);
            require!(
                code.is_some() == numbered && code == game.move_code(&case.position, &mv),
                "{mv:?} has the number {number:?} and the code {code:?}, or another code in a second call"
            )?;
            let Some(number) = number else { continue };
            let known = named.entry(number).or_insert_with(|| mv.clone());
            require!(*known == mv, "{mv:?} and {known:?} have the same number {number}")?;
            require!(game.move_number(&mv) == Some(number), "a second call gives {mv:?} another number")?;
        }
        Ok(())
    })
}

fn hint(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    for mv in subject.moves(position) {
        let child = game.after(position, &mv);
        let hint = || game.order(position, &mv, &child);
        let (one, other) = (hint(), hint());
        require!(one == other, "the hint for {mv:?} is {one:?}, then {other:?}")?;
    }
    let about = || (game.plies_left(position), game.estimate(position));
    let (one, other) = (about(), about());
    require!(one == other, "the plies left and the estimate are {one:?}, then {other:?}")
}

fn children(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let (shown, again) = (game.children(position), game.children(position));
    require!(shown == again, "`each_child` shows {shown:?}, then {again:?}")?;
    let shown: Vec<_> = shown.into_iter().map(|(mv, child, _)| (mv, child)).collect();
    let with_child = |mv: Value| {
        let child = game.after(position, &mv);
        (mv, child)
    };
    let expected: Vec<_> = game.moves(position).into_iter().take(shown.len() + 1).map(with_child).collect();
    require!(shown == expected, "`each_child` shows {shown:?}, and the moves are {expected:?}")?;
    // All children at once, and the position alone.
    let open = expected.iter().map(|(_, child)| child).filter(|child| game.turn(child) != Turn::Over);
    for positions in [open.cloned().collect(), vec![position.clone()]] {
        let has_estimate =
            |position| matches!(game.turn(position), Turn::Player(_)) && game.estimate(position).is_some();
        if !positions.iter().all(has_estimate) {
            continue;
        }
        let shown = game.best_estimates(&positions);
        let expected: Vec<_> = positions.iter().map(|position| game.plain_best_estimate(position)).collect();
        require!(shown == expected, "`best_estimates` shows {shown:?}, and made are {expected:?}")?;
    }
    Ok(())
}

fn payoff_bounds(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    each_end(subject, count, |position, window, exact| {
        let Some((low, high)) = subject.game.payoff_bounds(position, window) else { return Ok(()) };
        let hold = (low..=high).contains(&exact);
        require!(hold, "the payoff is {exact}, but the bounds for {window:?} are {low} and {high}")
    })
}

fn solve_tail(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    each_end(subject, count, |position, window, exact| {
        for Solved { payoff, .. } in subject.game.solved(position, window).into_iter().flatten() {
            let is_right = window.admits(payoff, exact);
            require!(is_right, "the payoff is {exact}, but the answer to {window:?} is {payoff}")?;
        }
        Ok(())
    })
}

/// Examines the last decisions of games without chance, with their payoff for the player to move, in several
/// windows.
fn each_end(
    subject: &Subject<'_>,
    count: &mut u64,
    mut check: impl FnMut(&Value, Window, i32) -> Verdict,
) -> Verdict {
    if subject.facts.chance || subject.facts.players > 1 && !subject.facts.zero_sum {
        return Ok(());
    }
    each_late(subject, |position, place| {
        let Some(exact) = subject.game.exact(position, MOST_NODES) else { return Ok(()) };
        let is_second = subject.game.turn(position) == Turn::Player(Player::SECOND);
        let exact = if is_second { -exact } else { exact } as i32;
        for window in windows(subject, exact) {
            *count += 1;
            check(position, window, exact).map_err(|what| format!("{what}\n{}", place()))?;
        }
        Ok(())
    })
}

/// Examines the positions of the last plies of finished games.
fn each_late(
    subject: &Subject<'_>,
    mut check: impl FnMut(&Value, &dyn Fn() -> String) -> Verdict,
) -> Verdict {
    let game = subject.game;
    let ended: Vec<_> = subject.lines.iter().filter(|line| matches!(line.end, End::Over)).collect();
    let stride = ended.len().div_ceil(subject.effort.spots.max(1) as usize).max(1);
    for line in ended.into_iter().step_by(stride) {
        let mut position = game.start();
        let first = line.moves.len().saturating_sub(LAST_PLIES);
        for (ply, mv) in line.moves.iter().enumerate() {
            if ply >= first {
                check(&position, &|| subject.place_of(&line.moves[..ply], Some(&position)))?;
            }
            position = game.after(&position, mv);
        }
    }
    Ok(())
}

fn chance_ends(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    if !subject.facts.chance || subject.facts.players > 1 {
        return Ok(());
    }
    let game = subject.game;
    let mut known: BTreeMap<u128, f64> = BTreeMap::new();
    let differ = |one: f64, other: f64| (one - other).abs() > 1e-9;
    each_late(subject, |position, place| {
        let Some(exact) = game.exact(position, MOST_NODES) else { return Ok(()) };
        *count += 1;
        let about = |what: String| format!("the position is worth {exact}, but {what}\n{}", place());
        if let Some((low, high)) = game.payoff_bounds(position, Window::FULL) {
            let holds = f64::from(low) - 1e-9 <= exact && exact <= f64::from(high) + 1e-9;
            require!(holds, "{}", about(format!("its bounds are {low} and {high}")))?;
        }
        if let Some(key) = game.value_key(position) {
            let other = *known.entry(key).or_insert(exact);
            require!(!differ(other, exact), "{}", about(format!("another with its key {other}")))?;
        }
        if !matches!(game.turn(position), Turn::Player(_)) {
            return Ok(());
        }
        let Some(safe) = game.only_move(position) else { return Ok(()) };
        require!(
            game.moves(position).contains(&safe),
            "{}",
            about(format!("its only move {safe:?} is not legal"))
        )?;
        match game.exact(&game.after(position, &safe), MOST_NODES) {
            Some(found) if differ(found, exact) => Err(about(format!("its only move {safe:?} {found}"))),
            _ => Ok(()),
        }
    })
}

/// The full window, and null windows around the payoff and at the ends of the range.
fn windows(subject: &Subject<'_>, exact: i32) -> impl Iterator<Item = Window> + use<> {
    let (least, most) = (subject.facts.min_payoff, subject.facts.max_payoff);
    let around = [least - 1, least, exact - 2, exact - 1, exact, exact + 1, most - 1, most];
    let null = around.into_iter().map(|alpha| Window { alpha, beta: alpha + 1 });
    [Window::FULL, Window { alpha: exact - 1, beta: exact + 1 }].into_iter().chain(null)
}
