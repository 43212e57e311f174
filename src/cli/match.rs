//! `shikou match`: two players from both seats, or a player of a solitaire, without a manifest and without a file.
//!
//! It is an experiment all the same: the trials, their names and their randomness are those of a manifest with this
//! game, these players and this seed, and so is every figure.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::field::Field;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use super::progress::{Form, Progress};
use super::run::SilentPanics;
use crate::experiment::{
    Design, Experiment, ExperimentSummary, Finished, Live, Log, Manifest, Openings, Plan, PlayerSpec, Record,
    RunFacts, Shard, Sink, Summary, SummaryFold, run as run_plan,
};
use crate::players::{NamedPlayer, Registry};
use crate::report::{Document, Extent, Report, match_report, to_json, verdict, without_repetitions};
use crate::search::Limits;
use crate::stats::InOrder;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou match tic-tac-toe ai12s random
  shikou match tic-tac-toe random 'flat(playouts=20)'
  shikou match othello 'minimax(depth=2)' 'uct@playouts=100' --option size=6 --games 100
  shikou match calculation 'flat(playouts=20,policy=foundation-first)' --games 500

Each player plays N games from each seat. The first row counts the games in which the first player
moves first, with the game's own name for that seat. The interval of the points takes the pair as its
unit: game n with one seating, and game n with the other. In a solitaire one or two players play the
same deals.

All games begin at the start. For openings, more players, or stored results, write a manifest and
use `shikou run`. The same seed gives the same table for any number of threads.")]
pub(super) struct MatchArguments {
    #[command(flatten)]
    game: GameArguments,
    /// A player: a searcher with its options in brackets and its budget after an @, the name of a rule list or a policy of
    /// the game, or a player of the manifest that is given instead of the game
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The second player
    #[arg(value_name = "OTHER")]
    second: Option<String>,
    /// The number of games from each seat, or of deals of a solitaire
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArguments,
    /// How to show progress
    #[arg(long, value_enum, default_value_t = Form::Auto, value_name = "FORM")]
    progress: Form,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content<'s> {
    seed: u64,
    /// The verdict, in sentences.
    verdict: Vec<String>,
    #[serde(flatten)]
    experiment: &'s ExperimentSummary,
}

/// The report of a match.
struct Match<'s> {
    summary: &'s Summary,
    content: Content<'s>,
}

impl Report for Match<'_> {
    fn document(&self, _extent: Extent) -> Document {
        match_report(self.summary)
    }

    fn json(&self) -> String {
        to_json("match", SCHEMA, &self.content)
    }

    fn run(&self) -> Option<(&Summary, Option<&RunFacts>)> {
        Some((self.summary, None))
    }
}

pub(super) fn run(registry: &Registry, arguments: &MatchArguments) -> Result<(), CommandError> {
    let manifest = manifest(registry, arguments)?;
    let summary = without_repetitions(&played(&Plan::new(&manifest)?, arguments)?);
    let [experiment] = &summary.experiments[..] else { unreachable!("the manifest has one experiment") };
    let content = Content { seed: arguments.seed, verdict: verdict(experiment), experiment };
    arguments.output.print(&Match { summary: &summary, content })?;
    if summary.failed_games() > 0 { Err(CommandError::Trials(Vec::new())) } else { Ok(()) }
}

/// The manifest of the match.
fn manifest(registry: &Registry, arguments: &MatchArguments) -> Result<Manifest, CommandError> {
    let field = Field::new(registry, &arguments.game)?;
    let game = Arc::clone(&field.game);
    let two_player = game.facts().players == 2;
    if two_player && arguments.second.is_none() {
        let message = format!(
            "{} needs two players, but one is given; for example: shikou match {} '{}' random",
            game.spec(),
            arguments.game.game,
            arguments.first
        );
        return Err(CommandError::Usage(message));
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

/// The players by their texts. A player that plays itself gets a stream of its own.
fn players(field: &Field, texts: [Option<&String>; 2]) -> Result<Vec<PlayerSpec>, CommandError> {
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
fn played(plan: &Plan, arguments: &MatchArguments) -> Result<Summary, CommandError> {
    let log = Log::empty(plan);
    let live = Live::new(plan, Shard::WHOLE, &log)?;
    let wanted = live.wanted(&log);
    let form = if !arguments.output.is_text() && arguments.progress == Form::Auto {
        Form::None
    } else {
        arguments.progress
    };
    let mut progress = Progress::new(plan, live, form);
    let mut folding = Folding { plan, fold: SummaryFold::new(plan), waiting: InOrder::new() };
    let ended = {
        let _quiet = SilentPanics::begin();
        let mut sinks: [&mut dyn Sink; 2] = [&mut folding, &mut progress];
        run_plan(plan, arguments.threads.count(), &wanted, &AtomicBool::new(false), &mut sinks)
    };
    progress.finish();
    ended.map_err(CommandError::because)?;
    Ok(folding.fold.finish())
}

/// Folds trials in the order of the plan, whichever finishes first.
struct Folding<'p> {
    plan: &'p Plan,
    fold: SummaryFold,
    waiting: InOrder<Record>,
}

impl Sink for Folding<'_> {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        for record in &finished.records {
            let trial = record.trial;
            let cells = self.plan.cells(trial.experiment).len() as u64;
            self.waiting.push(trial.instance * cells + trial.cell as u64, record.clone());
        }
        while let Some(record) = self.waiting.pop() {
            self.fold.push(&record);
        }
        Ok(())
    }
}
