//! `shikou init`: a starter manifest with comments, for any registered game.
//!
//! The players fit every game and search little, so that the first run takes seconds. The text is read as a manifest
//! before it is written.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::commands::program;
use super::error::CommandError;
use super::output::print;
use crate::experiment::{Manifest, Plan};
use crate::players::{AnyGame, Registry};
use crate::words::shell_path;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou init                     tic-tac-toe.toml
  shikou init othello calculation --out two-games.toml

An existing file is never overwritten.")]
pub(super) struct InitArguments {
    /// The games [default: the first that `shikou games` lists]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The file [default: GAME.toml, or games.toml for several]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn init(registry: &Registry, arguments: &InitArguments) -> Result<(), CommandError> {
    let names: Vec<&str> = match &arguments.games[..] {
        [] => registry.names().take(1).collect(),
        games => games.iter().map(String::as_str).collect(),
    };
    let games = names.iter().map(|name| registry.game(name, &[])).collect::<Result<Vec<_>, _>>()?;
    let path = arguments.out.clone().unwrap_or_else(|| match names[..] {
        [name] => format!("{name}.toml").into(),
        _ => "games.toml".into(),
    });
    let text = starter_manifest(&path, &games.iter().map(|game| &**game).collect::<Vec<_>>());
    Plan::new(&Manifest::parse(&path, &text, registry)?)?;
    let written = OpenOptions::new().write(true).create_new(true).open(&path);
    written.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => CommandError::Usage(format!(
            "{} exists already and is not overwritten; name another file with --out",
            path.display()
        )),
        _ => CommandError::at(path.display(), &error),
    })?;
    print(format!("wrote {}; run it with `{} run {}`", path.display(), program(), shell_path(&path)))
}

/// A manifest with comments that compares three players at each of these games. `path` is the file that it names in
/// examples of commands.
pub fn starter_manifest(path: &Path, games: &[&dyn AnyGame]) -> String {
    let (file, program) = (shell_path(path), program());
    let results = shell_path(&Path::new("results").join(path.file_stem().unwrap_or_default()));
    let mut text = format!(
        "\
# A starter manifest. Change it, and run it again: only what is new is played.
#
#   {program} plan {file} --pilot    the trials, and about how long they take
#   {program} run {file}             play them; the same command resumes a run
#   {program} report {results}       show the report again
#   {program} trial {results}        list the games, to replay one
#
# `{program} games GAME` and `{program} searchers NAME` list the options.
schema = 1
question = \"Does searching pay, and does a tree pay more?\"
# All randomness follows from the seed.
seed = 1
"
    );
    for game in games {
        let _ = write!(text, "\n{}", experiment(*game));
    }
    text
}

/// The experiment of a game.
fn experiment(game: &dyn AnyGame) -> String {
    let (name, facts) = (game.spec().name, game.facts());
    let longest = facts.max_plies.unwrap_or(u32::MAX);
    let (trials, openings) = match facts.players {
        1 => ("# How many deals each player plays. All players play the same deals.", String::new()),
        _ => (
            "# How many pairs of games every two players play. The two games of a pair have the\n\
             # same opening, and the players swap seats.",
            match longest {
                0..=2 => String::new(),
                3..=9 => "openings = { random-plies = 1 }\n".into(),
                _ => "openings = { random-plies = 2 }\n".into(),
            },
        ),
    };
    format!(
        "\
[[experiment]]
game = \"{name}\"
{trials}
trials = 32
{openings}# The players, as on a command line: searcher(option=value)@playouts for each move.
player = [
  \"random\",
  \"flat(playouts-per-move=10)\",
  \"uct@100\",
  # A sweep is several players, one for each value:
  # {{ search.uct = {{ exploration = {{ each = [0.5, 1.0] }}, playouts = 100 }} }},
]
# The comparison that the question is about; the others are corrected for their number.
primary = [[\"uct@100\", \"flat(playouts-per-move=10)\"]]
"
    )
}
