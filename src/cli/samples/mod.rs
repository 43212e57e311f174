//! `shikou samples`: positions of games with their outcomes, for training in other programs.

mod write;

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use self::write::{Csv, SampleWriter, Tensors};
use super::error::{CommandError, Result};
use super::field::tell_advice;
use super::folder::read_input;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use crate::players::{AnyGame, GameSample, NamedPlayer, Registry, SampledGames, Sampler, recorded_games};
use crate::report::{Document, object};
use crate::rng::Stream;
use crate::search::Limits;
use crate::words::counted;

/// The games in memory.
const CHUNK: usize = 256;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou samples othello --player 'greedy(epsilon=0.1)' --games 1000 --out samples.csv
  shikou samples othello --player uct@100 --player alpha-beta --games 200 --out samples.safetensors
  shikou samples othello WTH_*.wtb --option reward=score --input bits --out wthor.safetensors

A sample is the position after a move, seen by the player who made it, with the payoff of the game
for this player, the number of the game and the ply. Split samples by game: neighbours in a game
are almost the same. One player plays itself; two swap seats after each game. A file is replaced
only when all samples are written.")]
pub(super) struct SamplesArguments {
    #[command(flatten)]
    game: GameArguments,
    /// Files of recorded games, in place of players; - is standard input
    files: Vec<PathBuf>,
    /// A player, as for `shikou match`; once or twice
    #[arg(long = "player", value_name = "PLAYER", conflicts_with = "files")]
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
    let game = arguments.game.read(registry)?;
    let sampler = game.learning().sampler(&arguments.input, &arguments.seen)?;
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
    match (&arguments.files[..], &arguments.players[..]) {
        ([], []) => {
            let message = "no games; name files of recorded games, or a player with --player";
            return Err(CommandError::Usage(message.into()));
        }
        ([], players) if players.len() <= 2 => {
            let games = Games::new(&*game, arguments)?;
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
        (files, _) => {
            let mut number = 0;
            for file in files {
                for transcript in transcripts(&*game, file)? {
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

fn transcripts(game: &dyn AnyGame, file: &std::path::Path) -> Result<Vec<String>> {
    let games = recorded_games(game, file, &read_input(file)?);
    games.map_err(|reason| CommandError::Usage(format!("{}: {reason}", file.display())))
}

struct Games {
    sampled: SampledGames,
    players: usize,
    seats: usize,
    stream: Stream,
}

impl Games {
    fn new(game: &dyn AnyGame, arguments: &SamplesArguments) -> Result<Self> {
        let read = |text: &String| {
            NamedPlayer::read(game, &[], text).inspect(tell_advice).map(|player| player.searcher)
        };
        let players = arguments.players.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let games = SampledGames::new(game, &players, arguments.random_plies, Limits::default());
        Ok(Self {
            sampled: games.map_err(|unfit| CommandError::Usage(unfit.to_string()))?,
            players: players.len(),
            seats: usize::from(game.facts().players),
            stream: Stream::new(arguments.seed) / "samples" / &*game.spec().to_string(),
        })
    }

    fn play(&self, number: u64, sampler: &Sampler) -> Result<Vec<GameSample>> {
        let failed = |error: &dyn Display| CommandError::Trials(vec![format!("game {number}: {error}")]);
        let seats: Vec<usize> = (0..self.seats).map(|seat| (seat + number as usize) % self.players).collect();
        let (transcript, opening) =
            self.sampled.play(&seats, self.stream / number).map_err(|error| failed(&error))?;
        let mut samples = sampler.samples(&transcript).map_err(|error| failed(&error))?;
        samples.retain(|sample| sample.ply > opening);
        Ok(samples)
    }
}
