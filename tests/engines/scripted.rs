//! An engine of Othello with a fault: a served random player whose output is spoiled. It is this test program itself.

use std::io::{self, Write};
use std::thread::sleep;
use std::time::Duration;

use shikou::serve::{Protocol, serve};

use super::Speech;

/// The move of an engine that is spoiled.
pub(super) const SPOILED: usize = 3;

/// The output of a served player, with a fault.
struct Spoiled {
    fault: String,
    output: io::Stdout,
    line: Vec<u8>,
    moves: usize,
    /// A move that is said after the next `pong`.
    held: Option<String>,
}

impl Spoiled {
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Writes a line, or what the fault makes of it.
    fn line(&mut self, line: &str) -> io::Result<()> {
        if line.starts_with("pong")
            && let Some(held) = self.held.take()
        {
            return self.say(&format!("{line}\n{held}\n"));
        }
        let is_move = line.starts_with("=== ") || line.starts_with("= ") && line.len() == 4;
        self.moves += usize::from(is_move);
        let at_turn = is_move && self.moves == SPOILED;
        let sign = if line.starts_with("===") { "===" } else { "=" };
        match &*self.fault.clone() {
            "slow" if at_turn => sleep(Duration::from_millis(1500)),
            "late" if at_turn => sleep(Duration::from_secs(8)),
            "silent" if at_turn => sleep(Duration::from_hours(1)),
            "mute" => sleep(Duration::from_hours(1)),
            "chatty" if is_move => {
                (0..3000).try_for_each(|number| self.say(&format!("nodestats {number} -nan\n")))?;
            }
            "steady" if is_move => sleep(Duration::from_millis(150)),
            "late-after-stop" if at_turn => {
                self.held = Some(line.into());
                return Ok(());
            }
            "dies" if at_turn => {
                eprintln!("out of cheese\n\u{1b}[31mredo from start");
                std::process::exit(3);
            }
            "illegal" if at_turn => return self.say(&format!("{sign} a9\n")),
            "wrong-pass" if at_turn => {
                return self.say(&format!("{sign} {}\n", if sign == "=" { "pass" } else { "PA" }));
            }
            "empty" if at_turn => return self.say(&format!("{sign}\n")),
            "refuses" if at_turn => return self.say("? no idea\n"),
            "crlf" => return self.say(&format!("{line}\r\n")),
            "half" => {
                let (first, second) = line.split_at(line.len() / 2);
                self.say(first)?;
                sleep(Duration::from_millis(2));
                return self.say(&format!("{second}\n"));
            }
            "long" if is_move => self.say(&("x".repeat(1 << 20) + "\n"))?,
            // The rows from below.
            "mirrored" if is_move => {
                let turned: String = line
                    .chars()
                    .enumerate()
                    .map(|(at, letter)| match letter.to_digit(10) {
                        Some(row @ 1..=8) if at < 7 => char::from_digit(9 - row, 10).unwrap(),
                        _ => letter,
                    })
                    .collect();
                return self.say(&format!("{turned}\n"));
            }
            _ => {}
        }
        self.say(&format!("{line}\n"))
    }
}

impl Write for Spoiled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.line(&String::from_utf8(line).unwrap())?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Not a test: the scripted engine.
#[test]
fn as_engine() {
    let Ok(fault) = std::env::var("SHIKOU_SCRIPTED_ENGINE") else { return };
    let (protocol, fault) = fault.split_once(' ').unwrap();
    let protocol = if protocol == "gtp" { Protocol::Gtp } else { Protocol::NBoard };
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let player = registry.read_searcher("random").unwrap();
    let output =
        Spoiled { fault: fault.into(), output: io::stdout(), line: Vec::new(), moves: 0, held: None };
    serve(protocol, &*game, &player, 1, io::stdin().lock(), output).unwrap();
    std::process::exit(0);
}

/// A scripted engine with this fault, as the options of a player: with a short patience, unless `more` says another one.
pub(super) fn scripted(speech: Speech, fault: &str, more: &str) -> String {
    let protocol = speech.name();
    let program = std::env::current_exe().unwrap().to_string_lossy().into_owned();
    let variable = format!("SHIKOU_SCRIPTED_ENGINE={protocol} {fault}");
    let command = ["env", &variable, &program, "--exact", "engines::scripted::as_engine", "--nocapture"];
    let patience = if more.contains("patience") { "" } else { "patience = \"2s\", " };
    format!("{{ {protocol} = {command:?}, {patience}{more} }}")
}
