//! `shikou serve`: a searcher for another program, by GTP or NBoard, over standard input and output.

use std::io;

use clap::{ArgGroup, Args};

use super::error::{CommandError, Result};
use super::field::tell_advice;
use super::groups::GameArguments;
use super::output::tell;
use crate::players::{NamedPlayer, Registry};
use crate::search::Limit;
use crate::serve::{Protocol, ServeError, serve as serve_lines};

#[derive(Args)]
#[command(group(ArgGroup::new("protocol").required(true).args(["gtp", "nboard"])), after_help = "Examples:
  shikou serve --nboard 'alpha-beta(depth=6)'        for the board NBoard, or one like it
  shikou serve --gtp 'uct@time=2s'                   for a program that speaks GTP
  shikou serve --gtp uct@1000 --game othello --option size=6

The other program starts this command and talks to it over standard input and output. The searcher
answers within its own budget. By GTP it also keeps a clock that the other program sets, if it keeps
limits of time at all; else a line on standard error says that it does not. The same seed and the
same game give the same move. Read docs/engines.md.")]
pub(super) struct ServeArguments {
    /// The searcher with its options in brackets and its budget after an @, or the name of a rule list or a policy of the
    /// game
    #[arg(value_name = "SEARCHER")]
    searcher: String,
    /// Speak the Go Text Protocol, version 2; any game for two without chance
    #[arg(long)]
    gtp: bool,
    /// Speak NBoard; Othello only
    #[arg(long)]
    nboard: bool,
    /// The game; `shikou games` lists them
    #[arg(long, default_value = "othello")]
    game: String,
    /// An option of the game, such as size=6; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The seed of the searcher
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn serve(registry: &Registry, arguments: &ServeArguments) -> Result {
    let ServeArguments { game, options, .. } = arguments;
    let game = GameArguments { game: game.clone(), options: options.clone() }.read(registry)?;
    let NamedPlayer { searcher, .. } =
        NamedPlayer::read(&*game, &[], &arguments.searcher).inspect(tell_advice)?;
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
