//! `shikou engine`: another program that plays; and the permission to start such programs.

use std::collections::BTreeMap;

use clap::{ArgGroup, Args, Subcommand};

use super::error::{CommandError, Result, usage};
use super::groups::OutputArguments;
use super::output::tell;
use crate::engine::{EngineSettings, Verdict, allow_engines};
use crate::experiment::{EngineFacts, Plan};
use crate::game::options::Wording;
use crate::players::{Program, Registry, SearcherSpec};
use crate::report::{Block, Document, Table, object};
use crate::serve::{Finding, Mark, examine};

#[derive(Args)]
pub(super) struct EngineArguments {
    #[command(subcommand)]
    command: EngineCommand,
}

#[derive(Subcommand)]
enum EngineCommand {
    /// Examine an engine of Othello: its first move, passes, the end of a game, illegal moves, and twenty games
    Check(CheckArguments),
}

#[derive(Args)]
#[command(group(ArgGroup::new("protocol").required(true).args(["gtp", "nboard"])), after_help = "Examples:
  shikou engine check --nboard 'edax -nboard' --level 1
  shikou engine check --gtp 'edax -gtp -l 1' --json

Each question is asked of a new process. A quirk is an answer that the protocol does not have and
that a match can live with; with a fault a match would be lost. Exit code 1 says that there is one.
The command starts the program that it names.")]
struct CheckArguments {
    /// The command of an engine that speaks GTP
    #[arg(long, value_name = "COMMAND")]
    gtp: Option<String>,
    /// The command of an engine that speaks NBoard
    #[arg(long, value_name = "COMMAND")]
    nboard: Option<String>,
    /// The level that NBoard tells it
    #[arg(long, value_name = "N", conflicts_with = "gtp")]
    level: Option<u32>,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn engine(registry: &Registry, arguments: &EngineArguments) -> Result {
    let EngineCommand::Check(arguments) = &arguments.command;
    check(registry, arguments)
}

fn check(registry: &Registry, arguments: &CheckArguments) -> Result {
    let game = registry.game("othello", &[])?;
    let random = registry.read_searcher("random")?;
    let (protocol, command) = match (&arguments.gtp, &arguments.nboard) {
        (Some(command), _) => ("gtp", command),
        (None, command) => ("nboard", command.as_ref().expect("one of them is given")),
    };
    let level = arguments.level.map(|level| format!(",level={level}")).unwrap_or_default();
    let engine =
        registry.read_searcher(&format!("engine({protocol}=\"{}\"{level})", command.replace('"', "\"\"")))?;
    game.fits(&engine).map_err(CommandError::usage)?;
    allow([&engine], &AllowArguments::ASKED_FOR)?;
    let Program { settings, .. } = Program::of(&engine).expect("it fits");
    let findings = examine(&*game, &EngineSettings { size: Some(8), ..settings }, &random);
    let mut table = Table::new(&["<asked", "<", "<found"]);
    for Finding { asked, mark, found } in &findings {
        let mark = match mark {
            Mark::Good => "ok",
            Mark::Quirk => "quirk",
            Mark::Fault => "FAULT",
        };
        table.row([*asked, mark, found]);
    }
    let has_fault = findings.iter().any(|finding| finding.mark == Mark::Fault);
    let document = Document(vec![Block::Heading(engine.text(Wording::Name)), table.into()]);
    arguments.output.show("engine-check", object! { command, findings }, document)?;
    if has_fault { Err(CommandError::Check) } else { Ok(()) }
}

/// Whether engines may be started.
#[derive(Args)]
pub(super) struct AllowArguments {
    /// Allow players of the searcher `engine` to start their programs
    #[arg(long)]
    pub(super) allow_engines: bool,
}

impl AllowArguments {
    /// Of a command whose only purpose is to start one.
    pub(super) const ASKED_FOR: Self = Self { allow_engines: true };
}

/// Prints the commands of the engines among some players, and lets them start if that is allowed.
pub(super) fn allow<'s>(
    players: impl IntoIterator<Item = &'s SearcherSpec>,
    arguments: &AllowArguments,
) -> Result {
    let mut commands: Vec<String> = players
        .into_iter()
        .filter_map(Program::of)
        .map(|program| format!("{:?}", program.settings.command))
        .collect();
    commands.dedup();
    if commands.is_empty() {
        return Ok(());
    }
    if !arguments.allow_engines {
        return Err(usage!(
            "an engine is a program that runs with your rights: {}; let it start with --allow-engines",
            commands.join(", ")
        ));
    }
    for command in &commands {
        tell(format!("starts {command}"));
    }
    allow_engines();
    Ok(())
}

/// Lets the engines of a plan start, if that is allowed, and asks for the name of each.
pub(super) fn meet_engines(plan: &Plan, arguments: &AllowArguments) -> Result<BTreeMap<String, EngineFacts>> {
    let players = plan.experiments().flat_map(|experiment| &experiment.players);
    allow(players.map(|player| &player.searcher), arguments)?;
    EngineFacts::of_all(plan).map_err(|(player, failure)| {
        let words: Vec<String> = failure.last_words.iter().map(|line| format!("; it said: {line}")).collect();
        let message = format!("{player} does not begin: {failure}{}", words.concat());
        match failure.verdict {
            Verdict::System => CommandError::System(message),
            _ => CommandError::Usage(message),
        }
    })
}
