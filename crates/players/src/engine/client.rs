//! An engine at a table: asked for moves, judged by its clock.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::ggf::raw_move;
use super::process::{Missing, Process};
use super::{Failure, GgfGame, Verdict, read_move};
use crate::search::Clock;

/// The protocol of an engine, and of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol, version 2.
    Gtp,
    /// NBoard, version 1, of Othello only.
    NBoard,
}

/// How an engine is started, and what it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The protocol.
    pub speech: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The level that NBoard tells it.
    pub level: Option<u32>,
    /// The most time for a move; `None` if its level or its clock says how long it thinks.
    pub time: Option<Duration>,
    /// The time for the game, without `time`.
    pub clock: Option<GameClock>,
    /// How much later than that an answer may come, which costs nothing.
    pub margin: Duration,
    /// How long it may take to answer anything but a request for a move.
    pub patience: Duration,
    /// The size of the board that GTP tells it, if the board is square.
    pub size: Option<usize>,
}

/// The time for all moves of a game, and what each move adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// The time at the start, in whole seconds.
    pub main: Duration,
    /// The increment after each move, in whole seconds.
    pub increment: Duration,
}

/// For each command the latencies of its engines that have ended, one a game.
static LATENCIES: Mutex<BTreeMap<Vec<String>, Vec<Duration>>> = Mutex::new(BTreeMap::new());

/// The longest time for a move of an engine without a clock.
const LONGEST: Duration = Duration::from_mins(10);

/// A game so far, as an engine is told it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSoFar {
    /// The position at the start for NBoard: the squares, and the side to move.
    pub board: String,
    /// The moves from there in the game's notation, and whether the first player made each.
    pub moves: Vec<(bool, String)>,
    /// Whether the first player is to move.
    pub first_to_move: bool,
}

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move, in lower case.
    pub mv: String,
    /// The move as it was written.
    pub raw: String,
    /// The wall time from the request to the answer.
    pub time: Duration,
}

/// A running engine at one table.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    settings: EngineSettings,
    name: String,
    commands: Vec<String>,
    /// The moves that it was told, by GTP.
    known: Vec<(bool, String)>,
    pings: u64,
    /// The time that is left of its clock.
    left: Option<Duration>,
    /// The time that each of its moves took, by the number of moves before it.
    took: BTreeMap<usize, Duration>,
    /// The times from a `ping`, or a command that takes no thought, to its answer.
    latencies: Vec<Duration>,
}

impl Engine {
    /// Starts an engine and greets it.
    ///
    /// # Errors
    /// If it does not start, ends, or does not answer as its protocol says.
    pub fn start(settings: &EngineSettings) -> Result<Self, Failure> {
        let mut engine = Self {
            process: Process::start(&settings.command)?,
            settings: settings.clone(),
            name: String::new(),
            commands: Vec::new(),
            known: Vec::new(),
            pings: 0,
            left: settings.clock.map(|clock| clock.main),
            took: BTreeMap::new(),
            latencies: Vec::new(),
        };
        match settings.speech {
            Protocol::NBoard => engine.greet_nboard()?,
            Protocol::Gtp => engine.greet_gtp()?,
        }
        Ok(engine)
    }

    /// The name that it gives itself, with its version; empty if it gives none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The commands that it lists, by GTP.
    pub fn commands(&self) -> &[String] {
        &self.commands
    }

    /// The median time to an answer that takes no thought.
    pub fn latency(&self) -> Option<Duration> {
        median(&self.latencies)
    }

    /// Asks for the move of the player to move, who must have a choice.
    ///
    /// # Errors
    /// If it fails, with the verdict. A move is not checked here; see [`Engine::illegal`].
    pub fn ask(&mut self, game: &GameSoFar) -> Result<EngineMove, Failure> {
        match self.settings.speech {
            Protocol::NBoard => self.ask_nboard(game),
            Protocol::Gtp => self.ask_gtp(game),
        }
    }

    /// The failure of an answer that is not a legal move.
    pub fn illegal(&self, mv: &str) -> Failure {
        self.process.failure(Verdict::Illegal, format!("`{mv}` is not a legal move"))
    }

    /// The median over the games of this process, for engines of this command, of [their latency](Self::latency).
    pub fn latency_of(command: &[String]) -> Option<Duration> {
        let latencies = LATENCIES.lock().unwrap_or_else(PoisonError::into_inner);
        latencies.get(command).and_then(|latencies| median(latencies))
    }

    /// Says goodbye and ends the process. Returns whether it ended by itself.
    pub fn quit(mut self) -> bool {
        self.process.quit()
    }

    /// Lets it think about a move, and measures how long it takes to answer a `ping` meanwhile, by NBoard.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn ping_while_thinking(&mut self, game: &GameSoFar) -> Result<Duration, Failure> {
        self.set_game(game)?;
        let clock = Clock::start();
        self.write("go")?;
        self.ping()?;
        Ok(clock.elapsed())
    }

    /// Judges the time of an answer, and takes it off the clock: a deficit within the margin counts as nothing left, and the
    /// increment comes after the move.
    fn in_time(&mut self, game: &GameSoFar, raw: String, time: Duration) -> Result<EngineMove, Failure> {
        let mv = read_move(&raw);
        if let Some(limit) = self.limit().filter(|&limit| time > limit + self.settings.margin) {
            let words = format!("{mv} took {:.3} s of {:.3} s", time.as_secs_f64(), limit.as_secs_f64());
            return self.failed(Verdict::Timeout, words);
        }
        if self.settings.speech == Protocol::Gtp && mv == "resign" {
            return self.failed(Verdict::Resigned, "it gave the game up");
        }
        if let (Some(left), Some(clock)) = (&mut self.left, self.settings.clock) {
            *left = left.saturating_sub(time) + clock.increment;
            self.took.insert(game.moves.len(), time);
        }
        Ok(EngineMove { mv, raw, time })
    }

    /// The most time for the next move.
    fn limit(&self) -> Option<Duration> {
        self.left.or(self.settings.time)
    }

    /// The time until which a move is waited for.
    fn until(&self) -> Duration {
        self.limit().map_or(LONGEST, |time| time + self.settings.margin)
    }

    fn failed<T>(&self, verdict: Verdict, reason: impl Into<String>) -> Result<T, Failure> {
        Err(self.process.failure(verdict, reason))
    }

    fn gone(&self) -> Failure {
        self.process.failure(Verdict::Crash, "the engine ended")
    }

    fn missing(&self, missing: Missing, what: &str) -> Failure {
        match missing {
            Missing::Gone => self.gone(),
            Missing::Late => {
                let patience = self.settings.patience.as_secs_f64();
                self.process.failure(Verdict::Stall, format!("no answer to {what} within {patience} s"))
            }
        }
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        self.process.write(line).map_err(|_| self.gone())
    }

    // NBoard.

    fn greet_nboard(&mut self) -> Result<(), Failure> {
        // The first version has no clock. An engine that knows no other version complains and goes on.
        self.write(if self.left.is_some() { "nboard 2" } else { "nboard 1" })?;
        if let Some(level) = self.settings.level {
            self.write(&format!("set depth {level}"))?;
        }
        self.ping()
    }

    /// Waits until the engine has read everything. What it says before is dropped, but its name.
    fn ping(&mut self) -> Result<(), Failure> {
        self.pings += 1;
        let clock = Clock::start();
        self.write(&format!("ping {}", self.pings))?;
        let (pong, name) = (format!("pong {}", self.pings), &mut self.name);
        let found = self.process.read(self.settings.patience, |line| {
            if let Some(of_engine) = line.trim().strip_prefix("set myname ") {
                *name = of_engine.trim().into();
            }
            (line.trim() == pong).then_some(())
        });
        found.map_err(|missing| self.missing(missing, "a ping"))?;
        self.latencies.push(clock.elapsed());
        Ok(())
    }

    /// Sends a game, and waits until it was read.
    fn set_game(&mut self, game: &GameSoFar) -> Result<(), Failure> {
        let timed = |(number, (_, mv)): (usize, &(bool, String))| match self.took.get(&number) {
            Some(took) => format!("{mv}//{:.2}", took.as_secs_f64()),
            None => mv.clone(),
        };
        let moves = game.moves.iter().enumerate().map(timed).collect();
        let clock = self.settings.clock.map_or_else(|| "0".into(), GameClock::in_ggf);
        let first_began = game.moves.first().map_or(game.first_to_move, |(first, _)| *first);
        let text = GgfGame { position: game.board.clone(), moves }.write(first_began, &clock);
        self.write(&format!("set game {text}"))?;
        self.ping()
    }

    fn ask_nboard(&mut self, game: &GameSoFar) -> Result<EngineMove, Failure> {
        self.set_game(game)?;
        let clock = Clock::start();
        self.write("go")?;
        let answer: Result<String, _> = self
            .process
            .read(self.until(), |line| line.trim().strip_prefix("===").map(|mv| raw_move(mv).into()));
        let time = clock.elapsed();
        match answer {
            Ok(mv) if mv.is_empty() => self.failed(Verdict::Protocol, "`===` without a move"),
            Ok(mv) => self.in_time(game, mv, time),
            Err(Missing::Gone) => Err(self.gone()),
            // An engine that still answers a ping is only late.
            Err(Missing::Late) => self.ping().and_then(|()| self.late()),
        }
    }

    fn late<T>(&self) -> Result<T, Failure> {
        let Some(time) = self.limit() else {
            return self.failed(Verdict::Stall, "no move within ten minutes");
        };
        let words =
            if self.left.is_some() { "no move before the clock ran out, within" } else { "no move within" };
        self.failed(Verdict::Timeout, format!("{words} {:.3} s", time.as_secs_f64()))
    }

    // GTP.

    fn greet_gtp(&mut self) -> Result<(), Failure> {
        let listed = self.command("list_commands")?.unwrap_or_default();
        // An old engine writes the sign of an answer before each line.
        let command = |line: &str| line.trim_start_matches('=').trim().to_owned();
        self.commands = listed.lines().map(command).filter(|command| !command.is_empty()).collect();
        let part = |answer: Result<String, String>| answer.unwrap_or_default().trim().to_owned();
        let name = self.command("name").map(part)?;
        let version = self.command("version").map(part)?;
        self.name = format!("{name} {version}").trim().into();
        if let (Some(size), true) = (self.settings.size, self.knows("boardsize"))
            && let Err(reason) = self.command(&format!("boardsize {size}"))?
        {
            return self.failed(Verdict::Protocol, format!("it refuses a board of {size}: {reason}"));
        }
        // GTP has no increments: `time_left` tells what they add.
        let settings = match (self.settings.time, self.settings.clock) {
            (Some(time), _) => Some(format!("time_settings 0 {} 1", time.as_secs())),
            (None, clock) => clock.map(|clock| format!("time_settings {} 0 0", clock.main.as_secs())),
        };
        if let (Some(settings), true) = (settings, self.knows("time_settings")) {
            // An engine that refuses it is judged by the clock all the same.
            let _ = self.command(&settings)?;
        }
        self.clear()
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn clear(&mut self) -> Result<(), Failure> {
        self.known.clear();
        let cleared = self.command("clear_board")?;
        let words = |reason| format!("it refuses `clear_board`: {reason}");
        cleared.map(drop).or_else(|reason| self.failed(Verdict::Protocol, words(reason)))
    }

    /// A command that takes no thought, and its answer: the text, or the reason of a refusal.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn command(&mut self, command: &str) -> Result<Result<String, String>, Failure> {
        let clock = Clock::start();
        self.write(command)?;
        let answer = self.answer(self.settings.patience);
        let answer = answer.map_err(|missing| self.missing(missing, &format!("`{command}`")))?;
        self.latencies.push(clock.elapsed());
        Ok(answer)
    }

    /// Reads an answer: from a line that begins with its sign to an empty line. Other lines before it are dropped.
    fn answer(&self, longest: Duration) -> Result<Result<String, String>, Missing> {
        let mut begun: Option<(bool, String)> = None;
        self.process.read(longest, |line| {
            let line = line.trim_end();
            match &mut begun {
                None => {
                    let is_done = line.starts_with('=');
                    if is_done || line.starts_with('?') {
                        let text = line[1..].trim_start_matches(|digit: char| digit.is_ascii_digit());
                        begun = Some((is_done, text.trim().into()));
                    }
                    None
                }
                Some((is_done, text)) if line.is_empty() => {
                    let text = std::mem::take(text);
                    Some(if *is_done { Ok(text) } else { Err(text) })
                }
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(line);
                    None
                }
            }
        })
    }

    /// Tells a move. A pass that is refused is one that the engine makes by itself.
    fn tell(&mut self, first: bool, mv: &str) -> Result<(), Failure> {
        let told = self.command(&format!("play {} {mv}", colour(first)))?;
        self.known.push((first, mv.into()));
        match told {
            Err(reason) if mv != "pass" => {
                self.failed(Verdict::Protocol, format!("it refuses the legal move {mv}: {reason}"))
            }
            _ => Ok(()),
        }
    }

    fn ask_gtp(&mut self, game: &GameSoFar) -> Result<EngineMove, Failure> {
        if !game.moves.starts_with(&self.known) {
            self.clear()?;
        }
        for (first, mv) in game.moves[self.known.len()..].iter().cloned() {
            self.tell(first, &mv)?;
        }
        let colour = colour(game.first_to_move);
        if let (Some(time), true) = (self.limit(), self.knows("time_left")) {
            // The number of moves is 0 if the time is for the rest of the game.
            let moves = u8::from(self.left.is_none());
            let _ = self.command(&format!("time_left {colour} {} {moves}", time.as_secs()))?;
        }
        let clock = Clock::start();
        self.write(&format!("genmove {colour}"))?;
        let answer = self.answer(self.until());
        let time = clock.elapsed();
        match answer {
            Ok(Ok(mv)) if mv.is_empty() => {
                self.failed(Verdict::Protocol, "an answer to `genmove` without a move")
            }
            Ok(Ok(mv)) => {
                let answer = self.in_time(game, mv, time)?;
                self.known.push((game.first_to_move, answer.mv.clone()));
                Ok(answer)
            }
            Ok(Err(reason)) => self.failed(Verdict::Protocol, format!("it refuses `genmove`: {reason}")),
            Err(Missing::Gone) => Err(self.gone()),
            Err(Missing::Late) => self.late(),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(latency) = self.latency() {
            let mut latencies = LATENCIES.lock().unwrap_or_else(PoisonError::into_inner);
            latencies.entry(self.settings.command.clone()).or_default().push(latency);
        }
        self.process.quit();
    }
}

fn median(times: &[Duration]) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied()
}

impl GameClock {
    /// As the Generic Game Format writes a clock: the time at the start, the increment, and no overtime.
    fn in_ggf(self) -> String {
        let time = |time: Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        format!("{}/{}/00:00", time(self.main), time(self.increment))
    }
}

fn colour(first: bool) -> char {
    if first { 'b' } else { 'w' }
}
