//! `shikou match`: two players from both seats, or a player of a solitaire, without a manifest and without a file.
//!
//! It is an experiment all the same: the trials, their names and their randomness are those of a manifest with this
//! game, these players and this seed, and so is every figure.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use serde::Serialize;

use super::arguments::GameArguments;
use super::failure::Failure;
use super::field::Field;
use super::output::{print, print_json};
use super::progress::{Form, Progress};
use super::run::SilentPanics;
use crate::experiment::{
    Design, Experiment, ExperimentSummary, Finished, Live, Log, Manifest, Openings, Plan, PlayerSpec, Record,
    Share, Sink, Summary, SummaryFold, run as run_plan,
};
use crate::players::{NamedPlayer, Registry};
use crate::report::{match_report, verdict, without_repetitions};
use crate::search::Limits;
use crate::stats::InOrder;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou match tic-tac-toe ai12s random
  shikou match tic-tac-toe random 'flat(playouts=20)'
  shikou match othello 'minimax(depth=2)' 'uct@playouts=100' --option size=6 --games 100
  shikou match calculation 'flat(playouts=20,policy=foundation-first)' --games 500

Each player has either seat in so many games. The first row has the games in which the first player
moved first, with the game's own name for that seat: x at tic-tac-toe, where other programs may let
o begin. The interval of the score takes the pair as its unit: game n with one seating, and game n
with the other. At a solitaire one player, or two, meet the same deals.

All games begin at the start; for openings, more players, and results that are kept, write a
manifest, and see `shikou run`. The same seed gives the same table on any number of threads.")]
pub(super) struct MatchArguments {
    #[command(flatten)]
    game: GameArguments,
    /// A player: a searcher with its options in brackets and its budget behind an @, the name of one of the game's lists
    /// of rules or policies, or one of the manifest that stands for the game
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The other player
    #[arg(value_name = "OTHER")]
    second: Option<String>,
    /// How many games each player has from each seat, or how many deals of a solitaire
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// How many threads play; 0 means all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// How to show how far the match is
    #[arg(long, value_enum, default_value_t = Form::Auto, value_name = "FORM")]
    progress: Form,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Content<'s> {
    seed: u64,
    /// What it says, in sentences.
    verdict: Vec<String>,
    #[serde(flatten)]
    experiment: &'s ExperimentSummary,
}

pub(super) fn run(registry: &Registry, arguments: &MatchArguments) -> Result<(), Failure> {
    let manifest = manifest(registry, arguments)?;
    let summary = without_repetitions(&played(&Plan::new(&manifest), arguments)?);
    let [experiment] = &summary.experiments[..] else { unreachable!("the manifest has one experiment") };
    if arguments.json {
        print_json(
            "match",
            SCHEMA,
            Content { seed: arguments.seed, verdict: verdict(experiment), experiment },
        )?;
    } else {
        print(match_report(&summary))?;
    }
    if summary.failed_games() > 0 { Err(Failure::Trials(Vec::new())) } else { Ok(()) }
}

/// The match as a manifest would ask for it.
fn manifest(registry: &Registry, arguments: &MatchArguments) -> Result<Manifest, Failure> {
    let field = Field::new(registry, &arguments.game)?;
    let game = Arc::clone(&field.game);
    let two_player = game.facts().players == 2;
    if two_player && arguments.second.is_none() {
        let message = format!(
            "{} is a game for two, and here is one player; write for example shikou match {} '{}' random",
            game.spec(),
            arguments.game.game,
            arguments.first
        );
        return Err(Failure::Usage(message));
    }
    Ok(Manifest::of_one(Experiment {
        name: game.spec().to_string(),
        players: players(&field, [Some(&arguments.first), arguments.second.as_ref()])?,
        design: if two_player { Design::Match } else { Design::Solo },
        trials: arguments.games,
        stopping: None,
        openings: Openings::START,
        primary: Vec::new(),
        seed: arguments.seed,
        limits: Limits::default(),
        game,
    }))
}

/// The players that were typed. One that meets itself has a stream of its own.
fn players(field: &Field, texts: [Option<&String>; 2]) -> Result<Vec<PlayerSpec>, Failure> {
    let mut players: Vec<PlayerSpec> = Vec::new();
    for text in texts.into_iter().flatten() {
        let NamedPlayer { name, searcher } = field.player(text)?;
        let again = players.iter().any(|other| other.searcher == searcher);
        let name = if again { format!("{name} again") } else { name };
        players.push(PlayerSpec { name, searcher, stream: again.then(|| "again".into()) });
    }
    Ok(players)
}

/// Plays all trials and folds them.
fn played(plan: &Plan<'_>, arguments: &MatchArguments) -> Result<Summary, Failure> {
    let system = |error: &dyn std::fmt::Display| Failure::System(error.to_string());
    let log = Log::empty(plan);
    let live = Live::new(plan, Share::WHOLE, &log).map_err(|error| system(&error))?;
    let wanted = live.wanted(&log);
    let form =
        if arguments.json && arguments.progress == Form::Auto { Form::None } else { arguments.progress };
    let mut progress = Progress::new(plan, live, form);
    let mut folding = Folding { plan, fold: SummaryFold::new(plan), waiting: InOrder::new() };
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let ended = {
        let _quiet = SilentPanics::begin();
        let mut sinks: [&mut dyn Sink; 2] = [&mut folding, &mut progress];
        run_plan(plan, threads, &wanted, &AtomicBool::new(false), &mut sinks)
    };
    progress.finish();
    ended.map_err(|error| system(&error))?;
    Ok(folding.fold.finish())
}

/// Folds trials in the order of the plan, whichever finishes first.
struct Folding<'p> {
    plan: &'p Plan<'p>,
    fold: SummaryFold<'p>,
    waiting: InOrder<Record>,
}

impl Sink for Folding<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        for record in &finished.records {
            let trial = record.trial;
            let cells = self.plan.cells[trial.experiment].len() as u64;
            self.waiting.push(trial.instance * cells + trial.cell as u64, record.clone());
        }
        while let Some(record) = self.waiting.pop() {
            self.fold.push(&record);
        }
        Ok(())
    }
}
