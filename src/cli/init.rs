//! `shikou init`: a starter manifest with comments, for any registered game; or a crate with a game of one's own.
//!
//! The players fit every game and search little, so that the first run takes seconds. The text is read as a manifest
//! before it is written.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use minijinja::context;

use super::error::{CommandError, Result, usage};
use super::new_game::write_crate;
use super::output::{filled, print, program};
use crate::experiment::{Manifest, Plan};
use crate::players::{AnyGame, Registry};
use crate::words::shell_path;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou init                     tic-tac-toe.toml
  shikou init othello calculation --out two-games.toml
  shikou init 'othello(size=6)'   othello.toml
  shikou init --game my-game      a crate in the folder my-game: rules to change, a test, a manifest

An existing file is never overwritten.")]
pub(super) struct InitArguments {
    /// The games [default: the first that `shikou games` lists]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Write a crate with a game of your own of this name, in place of a manifest
    #[arg(long, value_name = "NAME", conflicts_with = "games")]
    game: Option<String>,
    /// The folder with the source of shikou, for --game [default: where this program was built]
    #[arg(long, value_name = "DIR", requires = "game")]
    source: Option<PathBuf>,
    /// The file [default: GAME.toml, or games.toml for several], or the folder of a crate [default: its name]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn init(registry: &Registry, arguments: &InitArguments) -> Result {
    if let Some(name) = &arguments.game {
        let folder = arguments.out.clone().unwrap_or_else(|| name.into());
        return write_crate(registry, name, &folder, arguments.source.as_deref());
    }
    let names: Vec<&str> = match &arguments.games[..] {
        [] => registry.names().take(1).collect(),
        games => games.iter().map(String::as_str).collect(),
    };
    let games = names.iter().map(|name| registry.game(name, &[])).collect::<Result<Vec<_>, _>>()?;
    let path = arguments.out.clone().unwrap_or_else(|| match &games[..] {
        [game] => format!("{}.toml", game.spec().name).into(),
        _ => "games.toml".into(),
    });
    let text = starter_manifest(&path, &games.iter().map(|game| &**game).collect::<Vec<_>>());
    Plan::new(&Manifest::parse(&path, &text, registry)?)?;
    let written = OpenOptions::new().write(true).create_new(true).open(&path);
    written.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            usage!("{} exists already and is not overwritten; name another file with --out", path.display())
        }
        _ => CommandError::at(path.display(), &error),
    })?;
    print(format!("wrote {}; run it with `{} run {}`", path.display(), program(), shell_path(&path)))
}

/// A manifest with comments that compares three players at each of these games. `path` is the file that it names in
/// examples of commands.
pub fn starter_manifest(path: &Path, games: &[&dyn AnyGame]) -> String {
    let game = |game: &&dyn AnyGame| {
        let facts = game.facts();
        let openings = match (facts.players, facts.max_plies.unwrap_or(u32::MAX)) {
            (1, _) | (_, 0..=2) => 0,
            (_, 3..=9) => 1,
            _ => 2,
        };
        let name = toml::Value::from(game.spec().to_string()).to_string();
        context! { name, players => facts.players, openings }
    };
    let values = context! {
        file => shell_path(path), program => program(),
        results => shell_path(&Path::new("results").join(path.file_stem().unwrap_or_default())),
        games => games.iter().map(game).collect::<Vec<_>>(),
    };
    filled(include_str!("starter.toml.j2"), &values)
}
