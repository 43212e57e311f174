//! The protocols.
//!
//! The Go Text Protocol, version 2, of any game for two: `[id] command arguments`, answered by `=[id] text` or `?[id] text` and an empty
//! line. Black is the first player. `genmove` makes its move, `reg_genmove` does not. Private commands begin with `shikou-`.
//!
//! NBoard, versions 1 and 2: lines both ways, and unknown ones are ignored. `go` is answered by `=== MOVE/VALUE/SECONDS`, and the move is
//! not made. The value is left out unless it is in discs.

use std::io::{self, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

use super::session::{Session, TimeLeft};
use crate::engine::{GgfGame, read_move, written_move};
use crate::game::options::OptionValue;
use crate::game::{Outcome, Player, Turn};
use crate::words::is_pass;

/// An answer: the text after `=`, or the reason after `?`.
type Reply = Result<String, String>;

type Command = (&'static str, fn(&mut Session<'_>, &str) -> Reply);

/// The commands, in the order in which they are listed. Only a game with an option `size` has the first.
const COMMANDS: [Command; 21] = [
    ("boardsize", |session, size| match board_size(session) {
        Some(own) if size == own.to_string() => DONE,
        own => Err(format!("unacceptable size; the board has {}", own.unwrap_or_default())),
    }),
    ("protocol_version", |_, _| Ok("2".into())),
    ("name", |_, _| Ok("Shikou".into())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
    ("known_command", |session, name| Ok(commands(session).any(|(known, _)| known == name).to_string())),
    ("list_commands", |session, _| {
        Ok(commands(session).map(|(name, _)| name).collect::<Vec<_>>().join("\n"))
    }),
    ("quit", |_, _| DONE),
    ("set_game", |session, name| match session.game.spec().name {
        own if name.eq_ignore_ascii_case(own) => DONE,
        own => Err(format!("unsupported game; this is {own}")),
    }),
    ("list_games", |session, _| Ok(session.game.spec().name.into())),
    ("clear_board", |session, _| {
        session.begin_at("").expect("the empty text is the start");
        DONE
    }),
    ("komi", |_, _| DONE),
    ("play", play),
    ("genmove", |session, who| generate(session, who).inspect(|_| session.commit())),
    ("reg_genmove", generate),
    ("undo", |session, _| if session.undo() { DONE } else { Err("cannot undo".into()) }),
    ("time_settings", time_settings),
    ("time_left", time_left),
    ("showboard", |session, _| Ok(format!("\n{}", session.table().drawing()))),
    ("final_score", |session, _| final_score(session)),
    ("shikou-position", |session, position| match position {
        "" => session.table().position_text().ok_or_else(|| "the game has no text of positions".into()),
        _ => session.begin_at(position).map_err(|error| error.to_string()).and(DONE),
    }),
    ("shikou-moves", |session, _| Ok(session.table().legal_moves().join(" "))),
];

/// The answer of a command that has nothing to say.
const DONE: Reply = Ok(String::new());

/// Answers a line; a break ends the conversation.
pub(super) fn obey_gtp(
    session: &mut Session<'_>,
    text: &str,
    output: &mut impl Write,
) -> io::Result<ControlFlow<()>> {
    let text = text.split('#').next().unwrap_or_default().trim();
    let (id, text) = match text.split_once(' ').unwrap_or((text, "")) {
        (id, rest) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => (id, rest.trim()),
        _ => ("", text),
    };
    if text.is_empty() && id.is_empty() {
        return Ok(Continue(()));
    }
    let (command, argument) = text.split_once(' ').unwrap_or((text, ""));
    let known = commands(session).find(|(name, _)| *name == command);
    let answer = known.map(|(_, obey)| obey(session, argument.trim()));
    let (sign, answer) = match answer.unwrap_or_else(|| Err("unknown command".into())) {
        Ok(answer) => ('=', answer),
        Err(reason) => ('?', reason),
    };
    let space = if answer.is_empty() { "" } else { " " };
    // An answer ends at an empty line, so it must hold none.
    let answer: Vec<&str> = answer.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    write!(output, "{sign}{id}{space}{}\n\n", answer.join("\n"))?;
    Ok(if command == "quit" { Break(()) } else { Continue(()) })
}

fn commands(session: &Session<'_>) -> impl Iterator<Item = Command> + use<> {
    COMMANDS.into_iter().skip(usize::from(board_size(session).is_none()))
}

fn board_size(session: &Session<'_>) -> Option<i64> {
    let option = session.game.spec().options.iter().find(|(decl, _)| decl.name == "size");
    match option {
        Some((_, OptionValue::Integer(size))) => Some(*size),
        _ => None,
    }
}

/// The player of a colour: black is the first, and so is the game's own name of the first seat.
fn colour(session: &Session<'_>, text: &str) -> Result<Player, String> {
    let of_game = session.game.lists().seats.unwrap_or(["black", "white"]);
    let is = |player: Player, names: [&str; 2]| {
        let names = [names[0], names[1], of_game[player.index()]];
        names.iter().any(|name| text.eq_ignore_ascii_case(name)).then_some(player)
    };
    is(Player::FIRST, ["b", "black"])
        .or_else(|| is(Player::SECOND, ["w", "white"]))
        .ok_or_else(|| format!("`{text}` is not a colour; b or w"))
}

/// Checks that a player is to move. If the other one must pass, its pass is made; returns whether it was.
fn give_turn(session: &mut Session<'_>, player: Player) -> Result<bool, String> {
    let has_passed = session.turn() == Turn::Player(player.other()) && session.pass_if_forced();
    match session.turn() {
        Turn::Player(to_move) if to_move == player => Ok(has_passed),
        Turn::Over => Err("the game is over".into()),
        _ => Err("it is the other player's turn".into()),
    }
}

fn play(session: &mut Session<'_>, argument: &str) -> Reply {
    let (who, mv) = argument.split_once(' ').ok_or("expected a colour and a move")?;
    let (player, mv) = (colour(session, who)?, mv.trim());
    // Some programs say every pass, even after the end, and others none.
    if is_pass(mv) && session.turn() == Turn::Over {
        return DONE;
    }
    let is_legal = if give_turn(session, player)? { session.make_or_take_back(mv) } else { session.make(mv) };
    if is_legal { DONE } else { Err(format!("illegal move: {mv}")) }
}

fn generate(session: &mut Session<'_>, argument: &str) -> Reply {
    let player = colour(session, argument)?;
    give_turn(session, player)?;
    session.decide().map(|answer| answer.mv).map_err(|error| error.to_string())
}

fn seconds(text: Option<&str>) -> Result<Duration, String> {
    let seconds = text.and_then(|text| text.parse().ok());
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds".into())
}

fn count(text: Option<&str>) -> Result<u32, String> {
    text.map_or(Ok(0), |text| text.parse().map_err(|_| "expected a number of moves".into()))
}

/// `time_settings main byo-yomi moves`: byo-yomi without moves is no clock.
fn time_settings(session: &mut Session<'_>, argument: &str) -> Reply {
    let mut words = argument.split_whitespace();
    let (main, overtime, moves) = (seconds(words.next())?, seconds(words.next())?, count(words.next())?);
    let left = match (main.is_zero(), overtime.is_zero(), moves) {
        (_, false, 0) => None,
        (true, _, _) => Some(TimeLeft { time: overtime, moves }),
        (false, _, _) => Some(TimeLeft { time: main, moves: 0 }),
    };
    for player in [Player::FIRST, Player::SECOND] {
        session.set_time_left(player, left);
    }
    DONE
}

/// `time_left colour time moves`.
fn time_left(session: &mut Session<'_>, argument: &str) -> Reply {
    let mut words = argument.split_whitespace();
    let player = colour(session, words.next().unwrap_or_default())?;
    let left = TimeLeft { time: seconds(words.next())?, moves: count(words.next())? };
    session.set_time_left(player, Some(left));
    DONE
}

fn final_score(session: &mut Session<'_>) -> Reply {
    if session.turn() != Turn::Over {
        return Err("the game is not over".into());
    }
    let table = session.table();
    let difference = table.score(Player::FIRST).abs();
    Ok(match table.outcome(Player::FIRST) {
        Outcome::Win => format!("B+{difference}"),
        Outcome::Draw => "0".into(),
        Outcome::Loss => format!("W+{difference}"),
    })
}

/// Obeys a line; a break ends the conversation.
pub(super) fn obey_nboard(
    session: &mut Session<'_>,
    text: &str,
    output: &mut impl Write,
) -> io::Result<ControlFlow<()>> {
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
        "go" | "hint" => answer(session, command == "hint", output)?,
        "learn" => writeln!(output, "learned")?,
        "quit" => return Ok(Break(())),
        _ => {}
    }
    Ok(Continue(()))
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

/// Answers `go`, or `hint`.
fn answer(session: &mut Session<'_>, is_hint: bool, output: &mut impl Write) -> io::Result<()> {
    if session.turn() == Turn::Over {
        return writeln!(output, "status the game is over");
    }
    if !is_hint {
        writeln!(output, "status thinking")?;
        output.flush()?;
    }
    match session.decide() {
        Ok(answer) if is_hint => {
            writeln!(output, "search {} {:.3} 0 1", written_move(&answer.mv), answer.value.unwrap_or(0.0))
        }
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
