//! Laws of positions as values: no hidden state, nothing shared between copies.

use super::laws;
use super::subject::{Case, End, Subject, Verdict, catch, examine, require};
use crate::game::{GameObject, Turn, Value};
use crate::rng::{PlayoutKey, Rng};

laws! {
    LAWS;
    /// each legal move can be made, and from equal positions gives equal positions
    "apply", apply;
    /// moves in a copy of a position leave the position as it was
    "copies", copies, unfinished;
    /// the same moves from the start give the same positions: there is no hidden randomness
    "replay", replay;
    /// equal positions have the same turn, moves, outcomes and payoffs
    "equality", equality;
    /// a random position depends on the draws only, its game is not over, and its text is read back
    "random-position", random_positions;
}

/// The visible state of a position.
#[derive(Debug, PartialEq)]
struct View {
    turn: Turn,
    moves: Vec<Value>,
    outcomes: Vec<(Value, u32)>,
    payoffs: Vec<i32>,
}

fn view(subject: &Subject<'_>, position: &Value) -> View {
    let turn = subject.game.turn(position);
    let players = subject.players().filter(|_| turn == Turn::Over);
    View {
        turn,
        moves: subject.moves(position),
        outcomes: subject.outcomes(position),
        payoffs: players.map(|player| subject.game.payoff(position, player)).collect(),
    }
}

/// The difference between two things that should be the same, if there is one.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Verdict {
    require!(one == other, "{what}:\n{one:?}\n{other:?}")
}

fn apply(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    for line in &subject.lines {
        if let End::Panicked(panic) = &line.end {
            *count += 1;
            let place = subject.place_of(&line.moves, line.last.as_ref());
            return Err(format!("a random game {panic}\n{place}"));
        }
    }
    let mut made = 0;
    let verdict = subject.each(subject.unfinished(), &mut 0, |case| {
        for mv in subject.legal(&case.position) {
            made += 1;
            let step = || subject.game.after(&case.position, &mv);
            let (one, other) =
                catch(|| (step(), step())).map_err(|panic| format!("making {mv:?} {panic}"))?;
            same(&format!("{mv:?} made twice gives two positions"), &one, &other)?;
            let views = (view(subject, &one), view(subject, &other));
            same(&format!("{mv:?} made twice gives two positions that look different"), &views.0, &views.1)?;
        }
        Ok(())
    });
    *count += made;
    verdict
}

fn copies(subject: &Subject<'_>, case: &Case) -> Verdict {
    const PLIES: u32 = 100;
    // A new position, because earlier copies of the sample's positions may have changed shared state.
    let mut original = subject.game.start();
    for mv in subject.path(case) {
        original = subject.game.after(&original, mv);
    }
    let before = (format!("{original:?}"), view(subject, &original));
    let mut copy = subject.game.copy_of(&original);
    let mut rng = Rng::from_key(subject.key("copies", case));
    for _ in 0..PLIES {
        let turn = subject.game.turn(&copy);
        let Some(mv) = subject.step(&copy, turn, &mut rng) else { break };
        copy = subject.game.after(&copy, &mv);
    }
    let after = (format!("{original:?}"), view(subject, &original));
    same("moves in a copy changed the position", &before, &after)
}

fn replay(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    for line in &subject.lines {
        *count += 1;
        // The law `apply` reports the move that panicked.
        let panicked = usize::from(matches!(line.end, End::Panicked(_)));
        let moves = &line.moves[..line.moves.len().saturating_sub(panicked)];
        let mut first = Vec::with_capacity(moves.len() + 1);
        follow(subject, subject.game, moves, |position, seen| {
            first.push((position.clone(), seen));
            Ok(())
        })?;
        let mut before = first.iter();
        follow(subject, &*subject.game.copy(), moves, |position, seen| {
            let (other, other_seen) = before.next().expect("as many plies as before");
            same("two starts with the same moves give two positions", other, position)?;
            same("two starts with the same moves give positions that look different", other_seen, &seen)
        })?;
        let reached = first.last().map(|(position, _)| position);
        let same_end = !matches!(line.end, End::Over) || reached == line.last.as_ref();
        require!(
            same_end,
            "the same moves played again lead to another position: {reached:?}\n{}",
            subject.place_of(moves, line.last.as_ref())
        )?;
    }
    Ok(())
}

/// Makes moves from the start and shows each position, including the first and the last, with its text and its visible
/// state.
fn follow(
    subject: &Subject<'_>,
    game: &dyn GameObject,
    moves: &[Value],
    mut show: impl FnMut(&Value, (String, View)) -> Verdict,
) -> Verdict {
    let mut position = game.start();
    for ply in 0..=moves.len() {
        let step = || {
            show(&position, (format!("{position:?}"), view(subject, &position)))?;
            if let Some(mv) = moves.get(ply) {
                position = game.after(&position, mv);
            }
            Ok(())
        };
        examine(step)
            .map_err(|what| format!("{what}\n{}", subject.place_of(&moves[..ply], Some(&position))))?;
    }
    Ok(())
}

fn equality(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let mut seen: Vec<(Value, View)> = Vec::new();
    subject.each(&subject.cases, count, |case| {
        let view = view(subject, &case.position);
        if let Some((_, before)) = seen.iter().find(|(position, _)| *position == case.position) {
            return same("two equal positions look different", before, &view);
        }
        seen.push((case.position.clone(), view));
        Ok(())
    })
}

fn random_positions(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    for number in 0..subject.effort.games {
        let key = PlayoutKey::new(subject.effort.seed).child(number.into());
        let draw = |game: &dyn GameObject| game.random_position(&mut Rng::from_key(key));
        let Some(position) = draw(subject.game) else { return Ok(()) };
        *count += 1;
        same("equal draws give two positions", &Some(&position), &draw(&*subject.game.copy()).as_ref())?;
        require!(subject.game.turn(&position) != Turn::Over, "the game is over in {position:?}")?;
        if let Some(text) = subject.game.position_text(&position) {
            let read = subject.game.parse_position(&text);
            require!(
                read.as_ref() == Ok(&position),
                "the text {text:?} of {position:?} is read as {read:?}"
            )?;
        }
    }
    Ok(())
}
