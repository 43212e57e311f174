//! `shikou samples`: positions of games with their outcomes, for training in other programs.

use std::fmt::Display;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::error::{CommandError, Result, usage};
use super::field::Field;
use super::folder::read_input;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use crate::experiment::{Recorded, play_for_samples};
use crate::game::Player;
use crate::players::{GameSample, NetworkForm, Registry, Sampler, Tables};
use crate::report::{Document, object};
use crate::rng::Stream;
use crate::search::Limits;
use crate::words::counted;

/// The games in memory.
const CHUNK: usize = 256;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou samples othello 'greedy(epsilon=0.1)' --games 1000 --out samples.csv
  shikou samples othello uct@100 alpha-beta --games 200 --out samples.safetensors
  shikou samples othello WTH_*.wtb --option reward=score --input bits --out wthor.safetensors

A sample is the position after a move, seen by the player who made it, with the payoff of the game
for this player, the number of the game and the ply. Split samples by game: neighbours in a game
are almost the same. One player plays itself; two swap seats after each game. A file is replaced
only when all samples are written.")]
pub(super) struct SamplesArguments {
    #[command(flatten)]
    game: GameArguments,
    /// One or two players, as for `shikou match`; or files of recorded games, - is standard input
    #[arg(value_name = "PLAYER|FILE")]
    given: Vec<String>,
    /// A player, as it was given before it had its place after the game
    #[arg(long = "player", value_name = "PLAYER", conflicts_with = "given", hide = true)]
    players: Vec<String>,
    /// The number of games to play
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Random plies at the beginning of each game; their positions are no samples
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    random_plies: u32,
    /// What the numbers are: one-hot or bits for the squares of a board, or the name of features
    #[arg(long, default_value = "one-hot")]
    input: String,
    /// How a position is seen: by the player who moved, or always by the first player
    #[arg(long, default_value = "inversion", value_parser = ["inversion", "negation"])]
    seen: String,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write, .csv or .safetensors
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn samples(registry: &Registry, arguments: &SamplesArguments) -> Result {
    let field = Field::new(registry, &arguments.game)?;
    let game = &field.game;
    // A word that is neither is a player, unless it is written as a file.
    let is_file = |text: &str| text == "-" || Field::name_of(text).contains(['.', '/', '\\']);
    let is_player = |text: &&String| !Path::new(text).exists() && (field.is_player(text) || !is_file(text));
    let (mut players, files): (Vec<&String>, Vec<&String>) = arguments.given.iter().partition(is_player);
    players.extend(&arguments.players);
    let sampler = Sampler::new(&**game, &arguments.input, &arguments.seen)?;
    let extension = arguments.out.extension().and_then(|extension| extension.to_str());
    let mut writer: Box<dyn SampleWriter> = match extension {
        Some("csv") => Box::new(Csv::new(&arguments.out, sampler.form.inputs)?),
        Some("safetensors") => Box::new(Tensors::new(&arguments.out, sampler.form.clone())?),
        _ => {
            let out = arguments.out.display();
            let message =
                format!("{out} is no name of samples; write a name that ends in .csv or .safetensors");
            return Err(CommandError::Usage(message));
        }
    };
    let mut content = object! {
        game: game.spec().to_string(), file: &arguments.out, input: &arguments.input,
        inputs: sampler.form.inputs,
        games: 0_u64, skipped: 0_u64, samples: 0_u64,
    };
    let mut first_skipped = None;
    let mut add = |number: u64, samples: Result<Vec<GameSample>, String>| {
        let samples = match samples {
            Ok(samples) => samples,
            Err(reason) => {
                content.skipped += 1;
                first_skipped.get_or_insert((number, reason));
                return Ok(());
            }
        };
        content.games += 1;
        content.samples += samples.len() as u64;
        writer.game(number, &samples)
    };
    match (&files[..], &players[..]) {
        ([], []) => {
            let message = "no games; a player follows the game, such as uct@100, or files of recorded games";
            return Err(CommandError::Usage(message.into()));
        }
        ([], players) if players.len() <= 2 => {
            let games = Games::new(&field, players, arguments)?;
            let pool = arguments.threads.pool()?;
            for first in (0..arguments.games).step_by(CHUNK) {
                let numbers = first..arguments.games.min(first + CHUNK as u64);
                let played: Result<Vec<_>> = pool.install(|| {
                    numbers
                        .into_par_iter()
                        .map(|number| Ok((number, games.play(number, &sampler)?)))
                        .collect()
                });
                played?.into_iter().try_for_each(|(number, samples)| add(number, Ok(samples)))?;
            }
        }
        ([], _) => return Err(CommandError::Usage("a game has at most two players; omit one".into())),
        (files, [_, ..]) => {
            return Err(usage!("games are played or read, not both; omit the players, or {}", files[0]));
        }
        (files, []) => {
            let mut number = 0;
            for file in files {
                let of = Recorded { name: (*file).clone(), content: read_input(Path::new(file))?.into() };
                let games = of.games(&**game);
                for transcript in games.map_err(|why| CommandError::Usage(format!("{}: {why}", of.name)))? {
                    add(number, sampler.samples(&transcript))?;
                    number += 1;
                }
            }
        }
    }
    let skipped = first_skipped.map_or_else(String::new, |(number, reason)| {
        format!("; {} skipped, the first is game {}: {reason}", counted(content.skipped, "game"), number + 1)
    });
    if content.samples == 0 {
        let games = counted(content.games, "usable game");
        return Err(CommandError::Usage(format!("no samples from {games}; nothing was written{skipped}")));
    }
    writer.finish()?;
    let line = format!(
        "{}: {} of {} inputs from {}{skipped}",
        content.file.display(),
        counted(content.samples, "sample"),
        content.inputs,
        counted(content.games, "game"),
    );
    arguments.output.show("samples", content, Document(vec![line.into()]))
}

struct Games {
    tables: Box<dyn Tables>,
    settings: (u32, Limits),
    players: usize,
    seats: usize,
    stream: Stream,
}

impl Games {
    fn new(field: &Field, players: &[&String], arguments: &SamplesArguments) -> Result<Self> {
        let (game, read) = (&field.game, |text: &&String| field.player(text).map(|player| player.searcher));
        let players = players.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let tables = game.prepare(&players);
        Ok(Self {
            tables: tables.map_err(|unfit| CommandError::Usage(unfit.to_string()))?,
            settings: (arguments.random_plies, Limits::default()),
            players: players.len(),
            seats: usize::from(game.facts().players),
            stream: Stream::new(arguments.seed) / "samples" / &*game.spec().to_string(),
        })
    }

    fn play(&self, number: u64, sampler: &Sampler) -> Result<Vec<GameSample>> {
        let failed = |error: &dyn Display| CommandError::Trials(vec![format!("game {number}: {error}")]);
        let seats: Vec<usize> = (0..self.seats).map(|seat| (seat + number as usize) % self.players).collect();
        let played = play_for_samples(&*self.tables, &seats, self.settings, self.stream / number);
        let (transcript, opening) = played.map_err(|error| failed(&error))?;
        let mut samples = sampler.samples(&transcript).map_err(|error| failed(&error))?;
        samples.retain(|sample| sample.ply > opening);
        Ok(samples)
    }
}

trait SampleWriter {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result;

    /// Moves the file to its place.
    fn finish(self: Box<Self>) -> Result;
}

fn beside(path: &Path) -> Result<BufWriter<NamedTempFile>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".samples-").tempfile_in(folder);
    file.map(BufWriter::new).map_err(|error| failed(path, &error))
}

/// An error with the state of the file and the next step.
fn failed(path: &Path, error: &io::Error) -> CommandError {
    let next = match error.kind() {
        io::ErrorKind::NotFound => "name a folder that exists",
        io::ErrorKind::StorageFull => "free some space or write fewer games",
        _ => "try again, or name another file",
    };
    let kept = if path.exists() { "the file that was there is as before" } else { "nothing is there" };
    CommandError::because(io::Error::new(
        error.kind(),
        format!("{}: {error}; {kept}; {next}", path.display()),
    ))
}

/// The error of the system behind that of a table.
fn of_system(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn persist(file: BufWriter<NamedTempFile>, path: &Path) -> Result {
    let file = file.into_inner().map_err(|error| failed(path, error.error()))?;
    file.as_file().sync_all().map_err(|error| failed(path, &error))?;
    file.persist(path).map(|_| ()).map_err(|error| failed(path, &error.error))
}

/// The seat of a player, from 1.
fn seat(player: Player) -> u8 {
    if player == Player::FIRST { 1 } else { 2 }
}

/// A table: game, ply, player, outcome and the inputs `x1`, `x2` ….
struct Csv {
    path: PathBuf,
    file: csv::Writer<BufWriter<NamedTempFile>>,
}

impl Csv {
    pub(super) fn new(path: &Path, inputs: usize) -> Result<Self> {
        let mut file = csv::Writer::from_writer(beside(path)?);
        let names = ["game", "ply", "player", "outcome"].map(String::from).into_iter();
        let names = names.chain((1..=inputs).map(|number| format!("x{number}")));
        file.write_record(names).map_err(|error| failed(path, &of_system(error)))?;
        Ok(Self { path: path.into(), file })
    }
}

impl SampleWriter for Csv {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result {
        for GameSample { ply, player, input, outcome } in samples {
            let first = [number.to_string(), ply.to_string(), seat(*player).to_string(), outcome.to_string()];
            let cells = first.into_iter().chain(input.iter().map(ToString::to_string));
            let written = self.file.write_record(cells);
            written.map_err(|error| failed(&self.path, &of_system(error)))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result {
        let Self { path, file } = *self;
        let file = file.into_inner().map_err(|error| failed(&path, error.error()))?;
        persist(file, &path)
    }
}

/// Tensors: `input` (samples, inputs) and `outcome` in F32, `game` in I64, `ply` and `player` in I32.
struct Tensors {
    path: PathBuf,
    form: NetworkForm,
    samples: u64,
    /// The numbers of each tensor, in the order of [`TENSORS`].
    files: Vec<BufWriter<NamedTempFile>>,
}

/// The tensors with their types and the bytes of a number.
const TENSORS: [(&str, &str, u64); 5] =
    [("game", "I64", 8), ("input", "F32", 4), ("outcome", "F32", 4), ("player", "I32", 4), ("ply", "I32", 4)];

impl Tensors {
    pub(super) fn new(path: &Path, form: NetworkForm) -> Result<Self> {
        let files = TENSORS.iter().map(|_| beside(path)).collect::<Result<_, _>>()?;
        Ok(Self { path: path.into(), form, samples: 0, files })
    }

    fn write(&mut self, number: u64, sample: &GameSample) -> io::Result<()> {
        let [game, input, outcome, player, ply] = &mut self.files[..] else { unreachable!("five tensors") };
        game.write_all(&(number as i64).to_le_bytes())?;
        sample.input.iter().try_for_each(|number| input.write_all(&number.to_le_bytes()))?;
        outcome.write_all(&(sample.outcome as f32).to_le_bytes())?;
        player.write_all(&i32::from(seat(sample.player)).to_le_bytes())?;
        ply.write_all(&(sample.ply as i32).to_le_bytes())
    }

    /// The header of the file, filled up to a multiple of 8 bytes.
    fn header(&self) -> String {
        let mut header = serde_json::Map::new();
        header.insert("__metadata__".into(), serde_json::json!(self.form.metadata()));
        let mut begin = 0;
        for (name, dtype, bytes) in TENSORS {
            let (count, shape) = match name {
                "input" => {
                    let inputs = self.form.inputs as u64;
                    (self.samples * inputs, vec![self.samples, inputs])
                }
                _ => (self.samples, vec![self.samples]),
            };
            let end = begin + bytes * count;
            let tensor = serde_json::json!({ "dtype": dtype, "shape": shape, "data_offsets": [begin, end] });
            header.insert(name.into(), tensor);
            begin = end;
        }
        let header = serde_json::to_string(&header).expect("a map has a text");
        let length = header.len().next_multiple_of(8);
        format!("{header:<length$}")
    }

    fn assemble(self, whole: &mut impl Write) -> io::Result<()> {
        let header = self.header();
        whole.write_all(&(header.len() as u64).to_le_bytes())?;
        whole.write_all(header.as_bytes())?;
        self.files.into_iter().try_for_each(|file| {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            io::copy(&mut BufReader::new(file), whole).map(|_| ())
        })
    }
}

impl SampleWriter for Tensors {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result {
        self.samples += samples.len() as u64;
        let path = self.path.clone();
        samples
            .iter()
            .try_for_each(|sample| self.write(number, sample))
            .map_err(|error| failed(&path, &error))
    }

    fn finish(self: Box<Self>) -> Result {
        let path = self.path.clone();
        let mut whole = beside(&path)?;
        self.assemble(&mut whole).map_err(|error| failed(&path, &error))?;
        persist(whole, &path)
    }
}
