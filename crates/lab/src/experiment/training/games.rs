//! The games whose samples are learned: recorded ones, or new ones, which are kept in the folder of the training.
//!
//! ```text
//! # shikou-games=1 id=0123abcd games=2 check=89abcdef
//! f5d6c3…
//! f5f6e6…
//! ```
//!
//! The first line is a comment to `shikou samples`, which takes the file as one of recorded games.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::{GAMES, GAMES_MARK, TrainingError, failed, read_sealed, write_sealed};
use crate::game::{Player, Turn};
use crate::learn::Problem;
use crate::manifest::Training;
use crate::players::{PlayError, Tables, playing};
use crate::rng::Stream;
use crate::search::{Clock, Limits, MoveStream};

/// The time between two checkpoints.
pub(super) const BETWEEN: Duration = Duration::from_secs(5);

/// How far a training is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingProgress {
    /// The unit of the count: `game`, `raced game`, `sampled game`, `deal` or `epoch`.
    pub unit: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are.
    pub of: u64,
}

/// The games that a thread plays between two looks at the clock.
const CHUNK: usize = 16;

/// The games whose samples are made at once.
const SAMPLED: usize = 256;

#[derive(Default)]
pub(super) struct Games {
    transcripts: Vec<String>,
}

impl Games {
    /// Reads the games of a training, and plays what is missing; `None` if it was stopped.
    pub(super) fn read_or_play(
        training: &Training,
        folder: &Path,
        pool: &rayon::ThreadPool,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(TrainingProgress),
    ) -> Result<Option<Self>, TrainingError> {
        if !training.recorded.is_empty() {
            return Self::recorded(training).map(Some);
        }
        let mut games = Self::read(training, folder)?;
        let of = training.games;
        let players = training.game.prepare(&training.searchers());
        let players = players.map_err(|unfit| failed(training, 0, unfit.error))?;
        let clock = Clock::start();
        let (mut saved, mut kept) = (Duration::ZERO, games.transcripts.len());
        while (games.transcripts.len() as u64) < of {
            let first = games.transcripts.len();
            progress(TrainingProgress { unit: "game", done: first as u64, of });
            if stop.load(Ordering::Relaxed) {
                games.write(training, folder)?;
                return Ok(None);
            }
            let end = of.min((first + CHUNK * pool.current_num_threads()) as u64);
            let played: Result<Vec<String>, PlayError> = pool.install(|| {
                (first as u64..end).into_par_iter().map(|number| play(training, &*players, number)).collect()
            });
            match played {
                Err(error) if error.is_stop() => {
                    games.write(training, folder)?;
                    return Ok(None);
                }
                Err(error) => return Err(failed(training, first as u64, error)),
                Ok(played) => games.transcripts.extend(played),
            }
            // The whole file is written: after a quarter more games, so that a long training does not write all the time.
            if clock.elapsed() > saved + BETWEEN && games.transcripts.len() > kept + kept / 4 {
                (saved, kept) = (clock.elapsed(), games.transcripts.len());
                games.write(training, folder)?;
            }
        }
        games.write(training, folder)?;
        Ok(Some(games))
    }

    /// The games, some at a time, until `stop` is set.
    pub(super) fn parts<'g>(
        &'g self,
        stop: &'g AtomicBool,
        progress: &'g mut dyn FnMut(TrainingProgress),
    ) -> Box<dyn Iterator<Item = &'g [String]> + 'g> {
        let of = self.transcripts.len() as u64;
        let parts = (0..).step_by(SAMPLED).zip(self.transcripts.chunks(SAMPLED));
        Box::new(parts.map_while(move |(done, part)| {
            progress(TrainingProgress { unit: "sampled game", done, of });
            (!stop.load(Ordering::Relaxed)).then_some(part)
        }))
    }

    fn recorded(training: &Training) -> Result<Self, TrainingError> {
        let mut transcripts = Vec::new();
        for file in &training.recorded {
            let problem = |reason| Problem::new("files", format!("{}: {reason}", file.name));
            let games = file.games(&*training.game).map_err(problem);
            transcripts.extend(games.map_err(|problem| failed(training, 0, problem))?);
        }
        Ok(Self { transcripts })
    }

    fn read(training: &Training, folder: &Path) -> Result<Self, TrainingError> {
        let lines =
            |_: &str, body: &[u8]| Some(std::str::from_utf8(body).ok()?.lines().map(Into::into).collect());
        let transcripts = read_sealed(training, &folder.join(GAMES), GAMES_MARK, lines)?.unwrap_or_default();
        Ok(Self { transcripts })
    }

    fn write(&self, training: &Training, folder: &Path) -> Result<(), TrainingError> {
        let body: String = self.transcripts.iter().flat_map(|game| [game, "\n"]).collect();
        let facts = format!("{GAMES_MARK} id={:08x} games={}", training.id(), self.transcripts.len());
        let path = folder.join(GAMES);
        write_sealed(&path, &facts, body.as_bytes()).map_err(|source| TrainingError::Io { path, source })
    }
}

/// Plays a game. Every combination of players at the seats has its turn, the last seat changing fastest.
fn play(training: &Training, players: &dyn Tables, number: u64) -> Result<String, PlayError> {
    let (count, seats) = (training.players.len() as u64, u32::from(training.game.facts().players));
    let at_seat = |seat: u32| (number / count.pow(seats - 1 - seat) % count) as usize;
    let luck = Stream::new(training.seed) / "training" / "games" / number;
    let seats: Vec<usize> = (0..seats).map(at_seat).collect();
    let settings = (training.random_plies, training.limits);
    playing(|| play_for_samples(players, &seats, settings, luck)).map(|(transcript, _)| transcript)
}

/// Plays a game for samples, with a player at each seat, given by its number, and with random plies at the beginning. Returns the
/// transcript, and the plies of its opening, the random one.
///
/// # Errors
/// If the game cannot be played to its end.
pub fn play_for_samples(
    tables: &dyn Tables,
    seats: &[usize],
    (random_plies, limits): (u32, Limits),
    luck: Stream,
) -> Result<(String, u32), PlayError> {
    let mut table = tables.table(seats);
    let (mut chance, mut random) = ((luck / "chance").rng(), (luck / "random").rng());
    let (mut moves, mut opening) = (0, 0);
    loop {
        match table.turn() {
            Turn::Over => return Ok((table.transcript(), opening)),
            Turn::Chance => table.let_chance_choose(&mut chance),
            Turn::Player(_) if moves < random_plies => {
                table.make_random_move(&mut random);
                moves += 1;
                opening = table.plies();
            }
            Turn::Player(player) => {
                let seat = u64::from(player != Player::FIRST);
                let key = (luck / "player" / seat / u64::from(table.plies())).playout_key();
                table.decide(MoveStream::new(key), limits)?;
            }
        }
    }
}
