//! `shikou serve`: a searcher for another program, by GTP or NBoard, over standard input and output.

use std::io;

use clap::{ArgGroup, Args};

use super::error::{CommandError, Result, usage};
use super::field::tell_advice;
use super::groups::{GameArguments, USUAL_SEARCHER};
use super::output::tell;
use crate::players::{NamedPlayer, Registry};
use crate::search::Limit;
use crate::serve::{Protocol, ServeError, serve as serve_lines};

#[derive(Args)]
#[command(group(ArgGroup::new("protocol").required(true).args(["gtp", "nboard"])), after_help = "Examples:
  shikou serve --nboard othello 'alpha-beta(depth=6)'   for the board NBoard, or one like it
  shikou serve --gtp othello uct@2s                     for a program that speaks GTP
  shikou serve --gtp 'othello(size=6)' uct@1000

The other program starts this command and talks to it over standard input and output. The searcher
answers within its own budget. By GTP it also keeps a clock that the other program sets, if it keeps
limits of time at all; else a line on standard error says that it does not. The same seed and the
same game give the same move. Read docs/engines.md.")]
pub(super) struct ServeArguments {
    /// The game, perhaps with options in brackets, such as othello(size=6); without a game, a player of Othello
    #[arg(value_name = "GAME")]
    first: String,
    /// The player: a searcher with its options in brackets and its budget after an @, or the name of a rule list or a
    /// policy of the game
    player: Option<String>,
    /// Speak the Go Text Protocol, version 2; any game for two without chance
    #[arg(long)]
    gtp: bool,
    /// Speak NBoard; Othello only
    #[arg(long)]
    nboard: bool,
    /// The game, as it was given before it had its place before the player
    #[arg(long, hide = true, conflicts_with = "player")]
    game: Option<String>,
    /// An option of the game, such as size=6; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The seed of the searcher
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn serve(registry: &Registry, arguments: &ServeArguments) -> Result {
    let ServeArguments { first, player, game, options, .. } = arguments;
    let is_game = || registry.game(first, options).is_ok();
    let (game, player) = match (game, player) {
        (Some(game), _) => (game.as_str(), first),
        (None, Some(player)) => (first.as_str(), player),
        (None, None) if is_game() => {
            return Err(usage!(
                "a player follows the game, such as `shikou serve --gtp {first} {USUAL_SEARCHER}`"
            ));
        }
        (None, None) => ("othello", first),
    };
    let game = GameArguments { game: game.into(), options: options.clone() }.read(registry)?;
    let NamedPlayer { searcher, .. } = NamedPlayer::read(&*game, &[], player).inspect(tell_advice)?;
    let protocol = if arguments.nboard { Protocol::NBoard } else { Protocol::Gtp };
    if protocol == Protocol::Gtp && !searcher.searcher.keeps.contains(&Limit::Time) {
        tell(format!("{searcher} keeps no limit of time; clocks of the other program are ignored"));
    }
    let served =
        serve_lines(protocol, &*game, &searcher, arguments.seed, io::stdin().lock(), io::stdout().lock());
    served.map_err(|error| match error {
        ServeError::Io(error) => CommandError::of_output(&error),
        other => CommandError::usage(other),
    })
}
