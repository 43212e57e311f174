//! `shikou` at a terminal: keys that edit a line, the width of errors, and the progress of trainings.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support;

/// A program gets as long to print what is expected of it.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program at a terminal of 60 columns.
struct Terminal {
    keyboard: File,
    program: Child,
    printed: Receiver<u8>,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        tcsetwinsize(&controller, Winsize { ws_row: 40, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let side = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
        let program = Command::new(env!("CARGO_BIN_EXE_shikou"))
            .args(arguments)
            .env_remove("COLUMNS")
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        let keyboard = File::from(controller);
        let (mut screen, (sender, printed)) = (keyboard.try_clone().unwrap(), channel());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // After the program the terminal has an end, or an error.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if bytes[..count].iter().any(|&byte| sender.send(byte).is_err()) {
                    return;
                }
            }
        });
        Self { keyboard, program, printed }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// The output up to these words, without them.
    fn until(&self, words: &str) -> String {
        let mut text = Vec::new();
        while !text.ends_with(words.as_bytes()) {
            match self.printed.recv_timeout(PATIENCE) {
                Ok(byte) => text.push(byte),
                Err(error) => {
                    panic!("{words:?} does not come ({error}) after\n{}", String::from_utf8_lossy(&text))
                }
            }
        }
        String::from_utf8_lossy(&text[..text.len() - words.len()]).into_owned()
    }

    /// The output up to the end of the program, and its exit code.
    fn end(mut self) -> (String, Option<i32>) {
        let mut text = Vec::new();
        // The terminal is closed when the program ends.
        loop {
            match self.printed.recv_timeout(PATIENCE) {
                Ok(byte) => text.push(byte),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("the program does not end after\n{}", String::from_utf8_lossy(&text))
                }
            }
        }
        (String::from_utf8_lossy(&text).into_owned(), self.program.wait().unwrap().code())
    }
}

/// Keys count as such once the prompt is there: before it the terminal edits lines by its own rules.
const PROMPT: &str = "player 1> ";

#[test]
fn keys_edit_a_line() {
    let mut terminal = Terminal::start(&["play", "tic-tac-toe", "--against", "flat(playouts-per-move=2)"]);
    terminal.until(PROMPT);
    // `2`, and `a` before it.
    terminal.type_keys("2\x1b[Da\r");
    terminal.until("plays");
    terminal.until(PROMPT);
    // The line before comes back: its move is no longer legal.
    terminal.type_keys("\x1b[A\r");
    terminal.until("`a2` is not a legal move here");
    terminal.until(PROMPT);
    // Ctrl-C drops what was typed, and the game goes on.
    terminal.type_keys("quit\x03");
    terminal.until("Ctrl-C again, Ctrl-D or quit ends the game");
    terminal.until(PROMPT);
    terminal.type_keys("show\r");
    terminal.until(" a b c");
    terminal.until(PROMPT);
    // Ctrl-D ends it.
    terminal.type_keys("\x04");
    assert_eq!(terminal.end().1, Some(0));
}

/// Lines that are pasted are typed one after the other.
#[test]
fn pasted_lines_are_all_read() {
    let mut terminal = Terminal::start(&["play", "tic-tac-toe", "--against", "random", "--second"]);
    terminal.until("plays");
    terminal.until("> ");
    terminal.type_keys("moves\rnonsense\rquit\r");
    terminal.until("`nonsense` is not a legal move here");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn errors_fit_the_terminal() {
    let (text, code) = Terminal::start(&["match", "othello", "foo", "random"]).end();
    assert_eq!(code, Some(2));
    let text = text.replace('\r', "");
    assert!(text.lines().count() > 4 && text.lines().all(|line| line.chars().count() <= 60), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("error: no player is called `foo`; known: uniform, fewest-replies,"), "{text}");
}

/// A training shows a bar with the time left, and nothing where no progress is asked for.
#[test]
fn trainings_show_progress_where_it_is_asked_for() {
    let folder = support::with_manifest(
        "terminal-training",
        r#"
        schema = 1

        [[training]]
        name = "taught"
        game.othello = { size = 4 }
        evaluation.tuples.shapes = "2x2"
        method = "td"
        against = "itself"
        games = 5000
    "#,
    );
    let path = folder.join("m.toml");
    for (progress, shown) in [("auto", true), ("none", false)] {
        let out = folder.join(progress);
        let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
        let (text, code) = Terminal::start(&["run", path, "--out", out, "--progress", progress]).end();
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(text.contains("elapsed, about"), shown, "{progress}: {text}");
    }
}
