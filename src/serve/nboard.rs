//! NBoard, versions 1 and 2: lines both ways, and unknown ones are ignored.
//!
//! `go` is answered by `=== MOVE/VALUE/SECONDS`, and the move is not made. The value is left out unless it is in discs.

use std::io::{self, Write};

use super::session::Session;
use super::{Served, plain};
use crate::engine::{GgfGame, Line, read_move, written_move};
use crate::game::Turn;

pub(super) fn obey(session: &mut Session<'_>, line: &Line, output: &mut impl Write) -> io::Result<Served> {
    let text = match plain(line) {
        Ok(text) => text,
        Err(reason) => {
            writeln!(output, "status {reason}")?;
            return Ok(Served::Next);
        }
    };
    let (command, argument) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let argument = argument.trim();
    match command {
        "nboard" => writeln!(output, "set myname Shikou")?,
        "ping" => writeln!(output, "pong {argument}")?,
        "set" => set(session, argument, output)?,
        "move" => {
            let mv = read_move(argument);
            if !session.play(&mv) {
                writeln!(output, "status `{mv}` is not a legal move here")?;
            }
        }
        "go" => go(session, output)?,
        "hint" => hint(session, output)?,
        "learn" => writeln!(output, "learned")?,
        "quit" => return Ok(Served::Quit),
        _ => {}
    }
    Ok(Served::Next)
}

/// `set game GGF` sets the game; the depth and the rest are ignored: the searcher has its own budget.
fn set(session: &mut Session<'_>, argument: &str, output: &mut impl Write) -> io::Result<()> {
    let ("game", text) = argument.split_once(' ').unwrap_or((argument, "")) else { return Ok(()) };
    let game = match GgfGame::read(text) {
        Ok(game) => game,
        Err(error) => return writeln!(output, "status the game cannot be read: {error}"),
    };
    match session.set_game(&game.position, &game.moves) {
        Ok(legal) if legal == game.moves.len() => Ok(()),
        Ok(legal) => {
            let (ply, mv) = (legal + 1, &game.moves[legal]);
            writeln!(output, "status move {ply} of the game, `{mv}`, is not legal")
        }
        Err(error) => writeln!(output, "status the board cannot be read: {error}"),
    }
}

fn go(session: &mut Session<'_>, output: &mut impl Write) -> io::Result<()> {
    if session.turn() == Turn::Over {
        return writeln!(output, "status the game is over");
    }
    writeln!(output, "status thinking")?;
    output.flush()?;
    match session.decide() {
        Ok(answer) => {
            let facts = session.game.facts();
            // A value between loss and win is no number of discs.
            let in_discs = answer.value.filter(|_| facts.max_payoff > 1);
            let value = in_discs.map(|value| format!("{value:.2}")).unwrap_or_default();
            writeln!(output, "=== {}/{value}/{:.3}", written_move(&answer.mv), answer.time.as_secs_f64())?;
            writeln!(output, "status")
        }
        Err(error) => writeln!(output, "status {error}"),
    }
}

fn hint(session: &mut Session<'_>, output: &mut impl Write) -> io::Result<()> {
    if session.turn() == Turn::Over {
        return writeln!(output, "status the game is over");
    }
    match session.decide() {
        Ok(answer) => {
            writeln!(output, "search {} {:.3} 0 1", written_move(&answer.mv), answer.value.unwrap_or(0.0))
        }
        Err(error) => writeln!(output, "status {error}"),
    }
}
