//! Laws of turns: moves and outcomes.

use super::laws;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::{Turn, Value};

laws! {
    LAWS;
    /// a player has moves, chance has outcomes, and a finished game has neither
    "turns", turns, all;
    /// each move is listed once, in an order that depends on the position only
    "moves", moves, all;
    /// `move_count` is the number of moves
    "move-count", move_count, all;
    /// each outcome is listed once in a fixed order, with positive weights that sum below 2³²
    "chance-outcomes", outcomes, chances;
}

fn turns(subject: &Subject<'_>, case: &Case) -> Verdict {
    let (game, position) = (subject.game, &case.position);
    let turn = game.turn(position);
    require!(turn == case.turn, "the turn was {:?}, and {turn:?} in a second call", case.turn)?;
    let [moves, outcomes] = game.listed(position);
    match turn {
        Turn::Player(player) => {
            let players = subject.facts.players;
            require!(
                player.index() < usize::from(players),
                "it is the turn of {player}, but the facts say {players} players"
            )?;
            require!(moves > 0, "it is the turn of {player}, but there is no move")?;
            require!(outcomes == 0, "it is the turn of {player}, but chance has {outcomes} outcomes")
        }
        Turn::Chance => {
            require!(outcomes > 0, "it is a chance turn without an outcome")?;
            require!(moves == 0, "it is a chance turn, but players have {moves} moves")
        }
        Turn::Over => require!(
            moves + outcomes == 0,
            "the game is over, but there are {moves} moves and {outcomes} outcomes"
        ),
    }
}

fn moves(subject: &Subject<'_>, case: &Case) -> Verdict {
    let position = &case.position;
    let listed = subject.moves(position);
    for (again, how) in [
        (subject.moves(position), "in a second call"),
        (subject.moves(&subject.game.copy_of(position)), "of a copy"),
        (subject.moves(position), "in a third call"),
    ] {
        require!(again == listed, "{how} the moves are {again:?}, before {listed:?}")?;
    }
    no_repeats(&listed)
}

fn move_count(subject: &Subject<'_>, case: &Case) -> Verdict {
    let game = subject.game;
    let (said, [listed, _]) = (game.move_count(&case.position), game.listed(&case.position));
    require!(said as usize == listed, "`move_count` is {said}, but {listed} moves are listed")
}

fn outcomes(subject: &Subject<'_>, case: &Case) -> Verdict {
    let listed = subject.outcomes(&case.position);
    let again = subject.outcomes(&case.position);
    require!(again == listed, "in a second call the outcomes are {again:?}, before {listed:?}")?;
    let mut sum = 0_u64;
    for (mv, weight) in subject.game.outcomes(&case.position) {
        require!(weight > 0, "the outcome {mv:?} has the weight 0")?;
        sum += u64::from(weight);
    }
    require!(sum < 1 << 32, "the weights sum to {sum}, which is not below 2³²")?;
    no_repeats(&listed.into_iter().map(|(mv, _)| mv).collect::<Vec<_>>())
}

fn no_repeats(moves: &[Value]) -> Verdict {
    match (1..moves.len()).find(|&i| moves[..i].contains(&moves[i])) {
        Some(i) => Err(format!("{:?} is listed twice in {moves:?}", moves[i])),
        None => Ok(()),
    }
}
