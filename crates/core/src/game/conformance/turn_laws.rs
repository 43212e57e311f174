//! Laws of turns: moves and outcomes.

use super::Decl;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::{Game, Turn};

/// The laws of this file.
pub(super) fn laws<G: Game>() -> [Decl<G>; 4] {
    [
        Decl {
            name: "turns",
            about: "a player has moves, chance has outcomes, and a finished game has neither",
            check: |subject, count| subject.each(&subject.cases, count, |case| turns(subject, case)),
        },
        Decl {
            name: "moves",
            about: "each move is listed once, in an order that depends on the position only",
            check: |subject, count| subject.each(&subject.cases, count, |case| moves(subject, case)),
        },
        Decl {
            name: "move-count",
            about: "`move_count` is the number of moves",
            check: |subject, count| subject.each(&subject.cases, count, |case| move_count(subject, case)),
        },
        Decl {
            name: "chance-outcomes",
            about: "each outcome is listed once in a fixed order, with positive weights that sum below 2³²",
            check: |subject, count| subject.each(subject.chances(), count, |case| outcomes(subject, case)),
        },
    ]
}

fn turns<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let turn = game.turn(position);
    require(turn == case.turn, || format!("the turn was {:?}, and {turn:?} in a second call", case.turn))?;
    let (moves, outcomes) = (game.moves(position).count(), game.outcomes(position).count());
    match turn {
        Turn::Player(player) => {
            let players = subject.facts.players;
            require(player.index() < usize::from(players), || {
                format!("it is the turn of {player}, but the facts say {players} players")
            })?;
            require(moves > 0, || format!("it is the turn of {player}, but there is no move"))?;
            require(outcomes == 0, || {
                format!("it is the turn of {player}, but chance has {outcomes} outcomes")
            })
        }
        Turn::Chance => {
            require(outcomes > 0, || "it is a chance turn without an outcome".into())?;
            require(moves == 0, || format!("it is a chance turn, but players have {moves} moves"))
        }
        Turn::Over => require(moves + outcomes == 0, || {
            format!("the game is over, but there are {moves} moves and {outcomes} outcomes")
        }),
    }
}

fn moves<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let copy = case.position;
    let listed = subject.moves(&case.position);
    for (again, how) in [
        (subject.moves(&case.position), "in a second call"),
        (subject.moves(&copy), "of a copy"),
        (subject.moves(&case.position), "in a third call"),
    ] {
        require(again == listed, || format!("{how} the moves are {again:?}, before {listed:?}"))?;
    }
    no_repeats(&listed)
}

fn move_count<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let (said, listed) =
        (subject.game.move_count(&case.position), subject.game.moves(&case.position).count());
    require(said as usize == listed, || format!("`move_count` is {said}, but {listed} moves are listed"))
}

fn outcomes<G: Game>(subject: &Subject<'_, G>, case: &Case<G>) -> Verdict {
    let listed = subject.outcomes(&case.position);
    let again = subject.outcomes(&case.position);
    require(again == listed, || format!("in a second call the outcomes are {again:?}, before {listed:?}"))?;
    let mut sum = 0_u64;
    for (mv, weight) in subject.game.outcomes(&case.position) {
        require(weight > 0, || format!("the outcome {mv:?} has the weight 0"))?;
        sum += u64::from(weight);
    }
    require(sum < 1 << 32, || format!("the weights sum to {sum}, which is not below 2³²"))?;
    no_repeats(&listed.iter().map(|&(mv, _)| mv).collect::<Vec<_>>())
}

fn no_repeats<M: PartialEq + std::fmt::Debug>(moves: &[M]) -> Verdict {
    match (1..moves.len()).find(|&i| moves[..i].contains(&moves[i])) {
        Some(i) => Err(format!("{:?} is listed twice in {moves:?}", moves[i])),
        None => Ok(()),
    }
}
