//! The Go Text Protocol, version 2, of any game for two: `[id] command arguments`, answered by `=[id] text` or `?[id] text`
//! and an empty line.
//!
//! Black is the first player. `genmove` makes its move, `reg_genmove` does not. Private commands begin with `shikou-`.

use std::io::{self, Write};
use std::time::Duration;

use super::session::{Session, TimeLeft};
use super::{Served, plain};
use crate::engine::Line;
use crate::game::options::OptionValue;
use crate::game::{Outcome, Player, Turn};
use crate::words::is_pass;

/// The commands of every game. A game with an option `size` has `boardsize` too.
const COMMANDS: [&str; 20] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "set_game",
    "list_games",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "shikou-position",
    "shikou-moves",
];

/// An answer: the text after `=`, or the reason after `?`.
type Reply = Result<String, String>;

/// Obeys a line.
pub(super) fn obey(session: &mut Session<'_>, line: &Line, output: &mut impl Write) -> io::Result<Served> {
    let text = match plain(line) {
        Ok(text) => text,
        Err(reason) => {
            write!(output, "? {reason}\n\n")?;
            return Ok(Served::Next);
        }
    };
    let text = text.split('#').next().unwrap_or_default().trim();
    let (id, text) = match text.split_once(' ').unwrap_or((text, "")) {
        (id, rest) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => (id, rest.trim()),
        _ => ("", text),
    };
    if text.is_empty() && id.is_empty() {
        return Ok(Served::Next);
    }
    let (command, argument) = text.split_once(' ').unwrap_or((text, ""));
    let (sign, answer) = match answer(session, command, argument.trim()) {
        Ok(answer) => ('=', answer),
        Err(reason) => ('?', reason),
    };
    let space = if answer.is_empty() { "" } else { " " };
    // An answer ends at an empty line, so it must hold none.
    let answer: Vec<&str> = answer.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    write!(output, "{sign}{id}{space}{}\n\n", answer.join("\n"))?;
    Ok(if command == "quit" { Served::Quit } else { Served::Next })
}

fn answer(session: &mut Session<'_>, command: &str, argument: &str) -> Reply {
    let done = || Ok(String::new());
    match command {
        "protocol_version" => Ok("2".into()),
        "name" => Ok("Shikou".into()),
        "version" => Ok(env!("CARGO_PKG_VERSION").into()),
        "known_command" => Ok(commands(session).contains(&argument).to_string()),
        "list_commands" => Ok(commands(session).join("\n")),
        "quit" | "komi" => done(),
        "list_games" => Ok(session.game.spec().name.into()),
        "set_game" if argument.eq_ignore_ascii_case(session.game.spec().name) => done(),
        "set_game" => Err(format!("unsupported game; this is {}", session.game.spec().name)),
        "boardsize" => match size(session) {
            Some(size) if argument == size.to_string() => done(),
            Some(size) => Err(format!("unacceptable size; the board has {size}")),
            None => Err("unknown command".into()),
        },
        "clear_board" => {
            session.clear();
            done()
        }
        "play" => play(session, argument),
        "genmove" => generate(session, argument).inspect(|_| session.commit()),
        "reg_genmove" => generate(session, argument),
        "undo" => {
            if session.undo() {
                done()
            } else {
                Err("cannot undo".into())
            }
        }
        "time_settings" => time_settings(session, argument),
        "time_left" => time_left(session, argument),
        "showboard" => Ok(format!("\n{}", session.table().drawing())),
        "final_score" => final_score(session),
        "shikou-position" if argument.is_empty() => {
            session.table().position_text().ok_or_else(|| "the game has no text of positions".into())
        }
        "shikou-position" => {
            session.begin_at(argument).map_or_else(|error| Err(error.to_string()), |()| done())
        }
        "shikou-moves" => Ok(session.table().legal_moves().join(" ")),
        _ => Err("unknown command".into()),
    }
}

/// The commands that this game knows.
fn commands(session: &Session<'_>) -> Vec<&'static str> {
    size(session).map(|_| "boardsize").into_iter().chain(COMMANDS).collect()
}

/// The option `size` of the game, if it has one.
fn size(session: &Session<'_>) -> Option<i64> {
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
        return Ok(String::new());
    }
    let is_legal = if give_turn(session, player)? { session.make_or_take_back(mv) } else { session.make(mv) };
    if is_legal { Ok(String::new()) } else { Err(format!("illegal move: {mv}")) }
}

/// Lets the searcher decide for a colour.
fn generate(session: &mut Session<'_>, argument: &str) -> Reply {
    let player = colour(session, argument)?;
    give_turn(session, player)?;
    session.decide().map(|answer| answer.mv).map_err(|error| error.to_string())
}

/// A number of seconds.
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
    Ok(String::new())
}

/// `time_left colour time moves`.
fn time_left(session: &mut Session<'_>, argument: &str) -> Reply {
    let mut words = argument.split_whitespace();
    let player = colour(session, words.next().unwrap_or_default())?;
    let left = TimeLeft { time: seconds(words.next())?, moves: count(words.next())? };
    session.set_time_left(player, Some(left));
    Ok(String::new())
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
