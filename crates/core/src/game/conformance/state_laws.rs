//! Laws of positions as values: no hidden state, nothing shared between copies.

use super::Decl;
use super::subject::{Case, End, Subject, Verdict, catch, require};
use crate::game::{Game, Turn};
use crate::rng::Rng;

/// The laws of this file.
pub(super) fn laws<G: Game>() -> [Decl<G>; 4] {
    [
        Decl {
            name: "apply",
            about: "each legal move can be made, and from equal positions gives equal positions",
            check: apply,
        },
        Decl {
            name: "copies",
            about: "moves in a copy of a position leave the position as it was",
            check: |subject, count| subject.each(subject.unfinished(), count, |case| copies(subject, case)),
        },
        Decl {
            name: "replay",
            about: "the same moves from the start give the same positions: there is no hidden randomness",
            check: replay,
        },
        Decl {
            name: "equality",
            about: "equal positions have the same turn, moves, outcomes and payoffs",
            check: equality,
        },
    ]
}

/// The visible state of a position.
#[derive(Debug, PartialEq)]
struct View<M> {
    turn: Turn,
    moves: Vec<M>,
    outcomes: Vec<(M, u32)>,
    payoffs: Vec<i32>,
}

fn view<G: Game>(subject: &Subject<'_, G>, position: &G::Position) -> View<G::Move> {
    let turn = subject.game.turn(position);
    let over = turn == Turn::Over;
    View {
        turn,
        moves: subject.moves(position),
        outcomes: subject.outcomes(position),
        payoffs: subject
            .players()
            .filter(|_| over)
            .map(|player| subject.game.payoff(position, player))
            .collect(),
    }
}

/// The difference between two things that should be the same, if there is one.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Verdict {
    require(one == other, || format!("{what}:\n{one:?}\n{other:?}"))
}

fn apply<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
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
            let step = || {
                let mut position = case.position;
                subject.game.apply(&mut position, mv);
                position
            };
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

fn copies<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    const PLIES: u32 = 100;
    // A new position, because earlier copies of the sample's positions may have changed shared state.
    let mut original = subject.game.start();
    for &mv in subject.path(case) {
        subject.game.apply(&mut original, mv);
    }
    let before = (format!("{original:?}"), view(subject, &original));
    let mut copy = original;
    let mut rng = Rng::from_key(subject.key("copies", case));
    for _ in 0..PLIES {
        let turn = subject.game.turn(&copy);
        let Some(mv) = subject.random_step(&copy, turn, &mut rng) else { break };
        subject.game.apply(&mut copy, mv);
    }
    let after = (format!("{original:?}"), view(subject, &original));
    same("moves in a copy changed the position", &before, &after)
}

fn replay<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    for line in &subject.lines {
        *count += 1;
        // The law `apply` reports the move that panicked.
        let panicked = usize::from(matches!(line.end, End::Panicked(_)));
        let moves = &line.moves[..line.moves.len().saturating_sub(panicked)];
        let mut first = Vec::with_capacity(moves.len() + 1);
        follow(subject, subject.game, moves, |position, seen| {
            first.push((*position, seen));
            Ok(())
        })?;
        let mut before = first.iter();
        follow(subject, &subject.game.clone(), moves, |position, seen| {
            let (other, other_seen) = before.next().expect("as many plies as before");
            same("two starts with the same moves give two positions", other, position)?;
            same("two starts with the same moves give positions that look different", other_seen, &seen)
        })?;
        let reached = first.last().map(|(position, _)| *position);
        let same_end = !matches!(line.end, End::Over) || reached == line.last;
        require(same_end, || {
            let place = subject.place_of(moves, line.last.as_ref());
            format!("the same moves played again lead to another position: {reached:?}\n{place}")
        })?;
    }
    Ok(())
}

/// Makes moves from the start and shows each position, including the first and the last, with its text and its visible
/// state.
fn follow<G: Game>(
    subject: &Subject<'_, G>,
    game: &G,
    moves: &[G::Move],
    mut show: impl FnMut(&G::Position, (String, View<G::Move>)) -> Verdict,
) -> Verdict {
    let mut position = game.start();
    for ply in 0..=moves.len() {
        let step = || {
            show(&position, (format!("{position:?}"), view(subject, &position)))?;
            if let Some(&mv) = moves.get(ply) {
                game.apply(&mut position, mv);
            }
            Ok(())
        };
        catch(step)
            .and_then(|verdict| verdict)
            .map_err(|what| format!("{what}\n{}", subject.place_of(&moves[..ply], Some(&position))))?;
    }
    Ok(())
}

fn equality<G: Game>(subject: &Subject<'_, G>, count: &mut u64) -> Verdict {
    let mut seen: Vec<(G::Position, View<G::Move>)> = Vec::new();
    subject.each(&subject.cases, count, |case| {
        let view = view(subject, &case.position);
        if let Some((_, before)) = seen.iter().find(|(position, _)| *position == case.position) {
            return same("two equal positions look different", before, &view);
        }
        seen.push((case.position, view));
        Ok(())
    })
}
