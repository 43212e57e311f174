//! **Shikou** (思考 to think, 試行 to try): a research harness for Monte Carlo search.
//!
//! A question such as "does this search play better than that one, and by how much?" is written as a *manifest*. Shikou
//! plays its *trials* and answers with estimates, each with an interval and the name of the interval's method. Games
//! have one or two players, with or without chance; the searchers know no game by name. The results are a function of
//! the manifest alone: any number of threads gives the same bytes, and their digest can be compared with a committed
//! reference.
//!
//! The crate can be used in two ways. The command `shikou` runs manifests, counts game trees, checks games and plays at
//! the terminal; a program of your own gets the same commands, with your own games, from [`cli`]. As a library, it is
//! built from the bottom up: a [game](game::Game), a [searcher](search::Searcher), an
//! [experiment](experiment::Manifest).
//!
//! The page of `shikou-core` has a whole game, searched.
//!
//! # The rooms
//!
//! The top-level modules are called rooms, lowest first. A room imports only from the rooms in its row of the table in
//! `docs/design.md`. Only [`cli`] prints.
//!
//! | room | holds | does not know |
//! |---|---|---|
//! | `words` | words of messages: numbers, nouns that agree, words of a shell | anything else |
//! | [`device`] | the launch of kernels on a GPU | anything else |
//! | [`rng`] | named random streams, and the counter generator of playouts | anything else |
//! | [`stats`] | intervals, paired and sequential tests, ratings, planning: numbers in, numbers out | games |
//! | [`optimise`] | methods that look for the best numbers, by ask and tell: genetic, CMA-ES, NTBEA, SPSA | games |
//! | [`game`] | the traits of games, policies and evaluations; options, perft, the conformance kit | any particular game |
//! | [`learn`] | dense networks, their training and files; weights of n-tuples, networks and policies from games | any particular game |
//! | [`games`] | a file or a folder for each game | searchers |
//! | [`search`] | searchers, the tree core, decisions, the meter that counts their work | any particular game |
//! | [`engine`] | other programs that play: their processes, lines and verdicts | games |
//! | [`players`] | specs as data, machines, the registry, games in progress | experiments |
//! | [`serve`] | searchers served to other programs, games against them, their examination | experiments |
//! | [`exact`] | exact results of small games: fractions, expected results, best responses, proofs | experiments |
//! | `manifest` | the questions of a file, as data; reading them | how they are answered |
//! | [`experiment`] | from a manifest to a summary: plan, trial, store, training, optimisation, stopping, summary, explore | how results look |
//! | [`report`] | results as documents, tables and figures; the formats | searchers, games |
//! | [`profile`] | the speed of playouts and searchers, and the parts of their time | |
//! | [`validate`] | published figures as cases, derived again and compared | |
//! | [`cli`] | one file for each command; the only room that prints | |
//!
//! `docs/design.md` explains the design, `docs/glossary.md` defines the words, and `docs/adding-a-game.md` shows how to
//! add your own game.

// The lanes are x86-64's; the plain loop, which gives the same bytes, needs less.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, unused_variables, reason = "only the lanes of x86-64 use them")
)]

// The rooms of the crates below, in import order, and the rooms of the commands.

pub use shikou_base::rng;
use shikou_base::words;
pub use shikou_core::{device, game, search};
pub use shikou_games as games;
pub use shikou_lab::experiment;
pub use shikou_learn::{learn, optimise};
pub use shikou_players::{engine, exact, players};
pub use shikou_report::{profile, report};
pub use shikou_stats as stats;

use players::{Classics, GameList, OpenRegistry, Registry, SearcherList, TestBeds};

pub mod cli;
pub mod serve;
pub mod validate;

/// The built-in games and searchers. [`OpenRegistry::with_game`] and [`OpenRegistry::with_searcher`] add a user's own.
/// Without the feature `games`, which is on by default, the games are tic-tac-toe, Othello, Calculation and the test beds.
///
/// # Example
/// ```
/// assert!(shikou::registry().names().any(|name| name == "othello"));
/// ```
pub fn registry() -> OpenRegistry<impl GameList, impl SearcherList> {
    let registry = OpenRegistry::of_searchers().with_list::<Classics>(Registry::add_classics);
    #[cfg(feature = "games")]
    let registry = registry
        .with_list::<shikou_boards::Games>(shikou_boards::add)
        .with_list::<shikou_puzzles::Games>(shikou_puzzles::add);
    registry.with_list::<TestBeds>(Registry::add_test_beds)
}

/// The examples of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
pub struct Guide;
