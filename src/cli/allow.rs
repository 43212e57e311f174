//! The permission to start engines: other programs that play.

use std::collections::BTreeMap;

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::output::tell;
use crate::engine::{Verdict, allow_engines};
use crate::experiment::{EngineFacts, Plan};
use crate::players::{Program, SearcherSpec};

/// Whether engines may be started.
#[derive(Args)]
pub(super) struct AllowArguments {
    /// Allow players of the searcher `engine` to start their programs
    #[arg(long)]
    allow_engines: bool,
}

impl AllowArguments {
    /// Of a command whose only purpose is to start one.
    pub(super) const ASKED_FOR: Self = Self { allow_engines: true };

    /// Whether engines may be started.
    pub(super) const fn is_given(&self) -> bool {
        self.allow_engines
    }
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
