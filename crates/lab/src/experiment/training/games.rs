//! The files that a training goes on from: a first line of facts with a check of the whole, and a body; their recovery; and one of
//! them, the games whose samples are learned: recorded ones, or new ones, which are kept in the folder of the training.
//!
//! ```text
//! # shikou-games=1 id=0123abcd games=2 check=89abcdef
//! f5d6c3…
//! f5f6e6…
//! ```
//!
//! The first line is a comment to `shikou samples`, which takes the file as one of recorded games.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

use rayon::prelude::*;

use super::{BETWEEN, CHECKPOINT_MARK, TrainingError, TrainingProgress, failed};
use crate::experiment::line::crc_hex;
use crate::experiment::manifest::Training;
use crate::experiment::store::{CHECKPOINTS, new_aside, write_synced};
use crate::game::{Player, Turn};
use crate::learn::Problem;
use crate::players::{PlayError, Tables, playing};
use crate::rng::Stream;
use crate::search::{Clock, Limits, MoveStream};

/// The first word of the file, with the version of its format.
const MARK: &str = "# shikou-games=1";

const FILE: &str = "games.txt";

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

    /// The games of the files that the manifest names.
    fn recorded(training: &Training) -> Result<Self, TrainingError> {
        let mut transcripts = Vec::new();
        for file in &training.recorded {
            let problem = |reason| Problem::new("files", format!("{}: {reason}", file.name));
            let games = file.games(&*training.game).map_err(problem);
            transcripts.extend(games.map_err(|problem| failed(training, 0, problem))?);
        }
        Ok(Self { transcripts })
    }

    /// The games that were played before.
    fn read(training: &Training, folder: &Path) -> Result<Self, TrainingError> {
        let lines =
            |_: &str, body: &[u8]| Some(std::str::from_utf8(body).ok()?.lines().map(Into::into).collect());
        let transcripts = read_sealed(training, &folder.join(FILE), MARK, lines)?.unwrap_or_default();
        Ok(Self { transcripts })
    }

    /// Writes the games: whole, or not at all.
    fn write(&self, training: &Training, folder: &Path) -> Result<(), TrainingError> {
        let body: String = self.transcripts.iter().flat_map(|game| [game, "\n"]).collect();
        let facts = format!("{MARK} id={:08x} games={}", training.id(), self.transcripts.len());
        let path = folder.join(FILE);
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

/// Writes a file: whole, or not at all.
pub(super) fn write_sealed(path: &Path, facts: &str, body: &[u8]) -> io::Result<()> {
    let check = crc_hex(&[facts.as_bytes(), body].concat());
    write_synced(path, &[format!("{facts} check={check}\n").as_bytes(), body].concat())
}

/// The first line without its check, and what follows it. The line begins with a mark.
///
/// # Errors
/// If the check does not agree, and why.
fn sound<'b>(bytes: &'b [u8], mark: &str) -> Result<(&'b str, &'b [u8]), &'static str> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("it is torn")?;
    let (line, body) = (std::str::from_utf8(&bytes[..end]).unwrap_or_default(), &bytes[end + 1..]);
    if !line.starts_with(mark) {
        return Err("it is no file of this format");
    }
    let (facts, check) = line.rsplit_once(" check=").ok_or("it is torn")?;
    if check != crc_hex(&[facts.as_bytes(), body].concat()) {
        return Err("its check does not agree");
    }
    Ok((facts, body))
}

/// Reads a file with `read`, which takes its first line and what follows it; `None` if there is none.
pub(super) fn read_sealed<T>(
    training: &Training,
    path: &Path,
    mark: &str,
    read: impl FnOnce(&str, &[u8]) -> Option<T>,
) -> Result<Option<T>, TrainingError> {
    let damaged = |reason: &'static str| TrainingError::Damaged { path: path.into(), reason };
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|source| TrainingError::Io { path: path.into(), source })?,
    };
    let (facts, body) = sound(&bytes, mark).map_err(damaged)?;
    if field(facts, "id") != Some(format!("{:08x}", training.id()).as_str()) {
        return Err(TrainingError::Other { path: path.into() });
    }
    read(facts, body).map(Some).ok_or_else(|| damaged("what it holds cannot be read"))
}

/// A fact of the first line.
pub(super) fn field<'f>(facts: &'f str, name: &str) -> Option<&'f str> {
    facts.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
}

/// Moves the damaged files of a training into a new folder in its own, and puts the checkpoint before in the place of a damaged
/// one. Returns their names and that folder; none if nothing is damaged.
///
/// # Errors
/// If the system fails.
pub fn recover_training(folder: &Path) -> io::Result<Option<(Vec<&'static str>, PathBuf)>> {
    let mut damaged = Vec::new();
    for file in CHECKPOINTS.into_iter().chain([FILE]) {
        match fs::read(folder.join(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            bytes => {
                let mark = if file == FILE { MARK } else { CHECKPOINT_MARK };
                damaged.extend(sound(&bytes?, mark).is_err().then_some(file));
            }
        }
    }
    if damaged.is_empty() {
        return Ok(None);
    }
    let aside = new_aside(folder)?;
    for file in &damaged {
        fs::rename(folder.join(file), aside.join(file))?;
    }
    let [checkpoint, before] = CHECKPOINTS.map(|file| folder.join(file));
    if !checkpoint.exists() && before.exists() {
        fs::rename(before, checkpoint)?;
    }
    Ok(Some((damaged, aside)))
}
