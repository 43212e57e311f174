//! `shikou profile`: the speed of playouts and searchers, and where the time goes.

use std::io;
use std::path::{Path as File, PathBuf};

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::groups::{GameArguments, OutputArguments, WarningArguments, granted_threads};
use super::output::{note_warnings, tell};
use crate::experiment::{HostFacts, WarningKind, read_whole};
use crate::game::Path;
use crate::game::options::OptionError;
use crate::players::Registry;
use crate::profile::{
    COMMAND, Comparison, PlayoutsProfile, Profile, ProfileError, SearchersProfile, Settings,
    compared_document, document, parse, written,
};
use crate::report::{object, optional};
use crate::words::text_of;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou profile othello                           every path of this processor; one thread, and all
  shikou profile othello --path portable,avx512 --batch 1,16,1000
  shikou profile othello --searchers               decisions of every searcher that fits
  shikou profile othello --save before.json        then, with another build:
  shikou profile othello --compare before.json

The rows of a table are timed in turn, round by round, by the CPU time of the thread, and compared
with the first row. Cycles and the shares of parts are marked as estimates. docs/profiling.md
explains a profile line by line. Exit code 1 if a path plays other games than the plain loop.")]
pub(super) struct ProfileArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The position in the game's notation, or the moves that lead to it [default: the start]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// The policy of the playouts, with its options in brackets; `shikou games NAME` lists them
    #[arg(long, default_value = "uniform")]
    policy: String,
    /// The paths: portable, avx2, avx512, cuda [default: all that the game and this machine have]
    #[arg(long, value_name = "PATHS", value_delimiter = ',', conflicts_with = "searchers")]
    path: Vec<String>,
    /// The number of playouts per batch; several sizes are compared
    #[arg(
        long,
        value_name = "SIZES",
        value_delimiter = ',',
        default_value = "1000",
        conflicts_with = "searchers",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    batch: Vec<u64>,
    /// The numbers of threads, on the last path [default: 1 and all that are granted]
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        conflicts_with = "searchers",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    threads: Vec<u32>,
    /// Measure the searchers that fit the game, with their default options
    #[arg(long)]
    searchers: bool,
    /// The budget of a searcher per move: playouts, or nodes if it makes no playouts
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 10_000,
        requires = "searchers",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    budget: u64,
    /// The time for each row, all its rounds together
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// The number of rounds; intervals need six
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,
    /// Write the profile to a file, for --compare
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with a saved profile
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    _warnings: WarningArguments,
}

pub(super) fn profile(registry: &Registry, arguments: &ProfileArguments) -> Result {
    let game = arguments.game.read(registry)?;
    let paths = arguments.path.iter().map(|name| Path::named(name.trim()));
    let paths = paths.collect::<Result<Vec<Path>, OptionError>>()?;
    let position = arguments.position.as_deref().unwrap_or_default();
    let workload = game.workload(&arguments.policy, position).map_err(CommandError::usage)?;
    let settings = Settings { seconds: arguments.seconds, repeats: arguments.repeats };
    let mut profile = Profile::begin(&*game, arguments.policy.trim(), &*workload, settings);
    let then = arguments.compare.as_deref().map(|file| read(file, &profile)).transpose()?;
    PlayoutsProfile::check(&*workload, &paths).map_err(|reason| refused(&reason))?;
    if let Some(file) = &arguments.save {
        check_folder(file)?;
    }
    if cfg!(debug_assertions) || !HostFacts::is_optimised() {
        return Err(usage!(
            "this build has assertions, so its times are meaningless; use a release build: `cargo run --release -- profile …`"
        ));
    }
    if arguments.searchers {
        let (kinds, policy) = (registry.searchers(), profile.policy.as_str());
        let found = SearchersProfile::measure(&*workload, kinds, policy, arguments.budget, &settings)?;
        profile.searchers = Some(found);
    } else {
        let threads = if arguments.threads.is_empty() { one_and_all() } else { arguments.threads.clone() };
        let found = PlayoutsProfile::measure(&*workload, &paths, &arguments.batch, &threads, &settings);
        profile.playouts = Some(found.map_err(|reason| refused(&reason))?);
    }
    let comparison = then.as_ref().map(|then| Comparison::new(then, &profile)).transpose();
    let comparison = comparison.map_err(CommandError::usage)?;
    let mut document = document(&profile);
    if let (Some(comparison), Some(file)) = (&comparison, &arguments.compare) {
        document.0.extend(compared_document(comparison, &file.display().to_string()).0);
    }
    note_warnings(profile.is_busy().then_some(WarningKind::BusyMachine));
    note_warnings(
        comparison.iter().filter(|of| of.is_another_machine).map(|_| WarningKind::DifferingMachines),
    );
    let comparison = optional("comparison", comparison);
    let content = object! { profile: &profile, #[serde(flatten)] comparison };
    arguments.output.show(COMMAND, content, document)?;
    match &arguments.save {
        Some(file) => std::fs::write(file, written(&profile) + "\n")
            .map_err(|error| CommandError::at(file.display(), &error)),
        None => Ok(()),
    }
}

fn one_and_all() -> Vec<u32> {
    let all = granted_threads() as u32;
    if all == 1 { vec![1] } else { vec![1, all] }
}

/// A saved profile, checked to be of the same workload.
fn read(file: &File, now: &Profile) -> Result<Profile> {
    let not_text = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let read = read_whole(file).and_then(|bytes| text_of(&bytes).map(String::from).map_err(not_text));
    let text = read.map_err(|error| {
        let next = "`shikou profile GAME --save FILE` writes a profile";
        let message = format!("{}: {error}; {next}", file.display());
        CommandError::because(io::Error::new(error.kind(), message))
    })?;
    let then = parse(file, &text).map_err(CommandError::usage)?;
    Comparison::check(&then, now).map_err(CommandError::usage)?;
    Ok(then)
}

/// Checks the folder of a file before anything is measured.
fn check_folder(file: &File) -> Result {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    folder.map_or(Ok(()), |folder| {
        Err(usage!("{} is not a folder; create it, or save elsewhere", folder.display()))
    })
}

fn refused(reason: &ProfileError) -> CommandError {
    match reason {
        ProfileError::Differs { .. } => {
            tell(reason);
            CommandError::Check
        }
        ProfileError::NoPath { .. } => CommandError::Usage(reason.to_string()),
        ProfileError::Threads { .. } => CommandError::System(reason.to_string()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.001 to 86400".into()),
    }
}
