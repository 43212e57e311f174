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
//! # Example: a whole game, searched
//!
//! Nim: three heaps; a move takes any number from one heap; the player who takes the last one wins. The player to move
//! can win exactly if the exclusive or of the heaps is not 0 (Bouton 1901, "Nim, a game with a complete mathematical
//! theory").
//!
//! ```
//! use std::sync::Arc;
//!
//! use shikou::game::conformance::check_rules;
//! use shikou::game::{Facts, Game, GameExt, Player, Turn, Uniform};
//! use shikou::rng::PlayoutKey;
//! use shikou::search::{FlatMonteCarlo, Limits, Meter, Minimax, MoveStream, Searcher, Ties};
//!
//! /// The rules: the sizes of the heaps at the start.
//! #[derive(Clone)]
//! struct Nim([u8; 3]);
//!
//! impl Game for Nim {
//!     type Position = ([u8; 3], Player);
//!     type Move = (usize, u8); // the heap, and the number taken
//!
//!     fn facts(&self) -> Facts {
//!         Facts::two_player().with_max_plies(self.0.iter().map(|&heap| u32::from(heap)).sum())
//!     }
//!     fn start(&self) -> Self::Position {
//!         (self.0, Player::FIRST)
//!     }
//!     fn turn(&self, &(heaps, player): &Self::Position) -> Turn {
//!         if heaps == [0; 3] { Turn::Over } else { Turn::Player(player) }
//!     }
//!     fn moves(&self, &(heaps, _): &Self::Position) -> impl Iterator<Item = Self::Move> {
//!         (0..3).flat_map(move |heap| (1..=heaps[heap]).map(move |count| (heap, count)))
//!     }
//!     fn apply(&self, (heaps, player): &mut Self::Position, (heap, count): Self::Move) {
//!         heaps[heap] -= count;
//!         *player = player.other();
//!     }
//!     fn payoff(&self, &(_, to_move): &Self::Position, player: Player) -> i32 {
//!         if player == to_move { -1 } else { 1 } // the opponent took the last one
//!     }
//!     fn notation(&self, _: &Self::Position, (heap, count): Self::Move) -> String {
//!         format!("{}{count}", ["a", "b", "c"][heap])
//!     }
//!     fn drawing(&self, (heaps, player): &Self::Position) -> String {
//!         format!("{heaps:?}, {player} to move")
//!     }
//! }
//!
//! let game = Nim([3, 4, 5]);
//! assert!(check_rules(&game).is_ok()); // every law that searchers rely on
//!
//! let mut meter = Meter::new(Limits::default());
//! let stream = MoveStream::new(PlayoutKey::new(1));
//! let start = game.start();
//!
//! // 3 xor 4 xor 5 is 2: taking 2 from the first heap is the only winning move.
//! let decision = Minimax::full(Ties::First).choose(&game, &start, stream, &mut meter).unwrap();
//! assert_eq!(game.notation(&start, decision.chosen), "a2");
//! assert_eq!(decision.moves.iter().filter(|estimate| estimate.value == 1.0).count(), 1);
//!
//! // Later the heaps are 0, 1 and 5, and playouts show that leaving two heaps of 1 always wins.
//! let later = game.follow("a3 b3").unwrap();
//! let mut flat = FlatMonteCarlo::new(1000, Arc::new(Uniform), Ties::First);
//! let decision = flat.choose(&game, &later, stream, &mut meter).unwrap();
//! assert_eq!(game.notation(&later, decision.chosen), "c4");
//! assert!(decision.moves.iter().all(|estimate| estimate.visits == 1000));
//! ```
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
//! | [`games`] | one room for each game: tic-tac-toe, Othello, Calculation, random trees, left-moves | searchers |
//! | [`search`] | searchers, the tree core, decisions, the meter that counts their work | any particular game |
//! | [`engine`] | other programs that play: their processes, lines and verdicts | games |
//! | [`players`] | specs as data, machines, the registry, games in progress | experiments |
//! | [`serve`] | searchers served to other programs, games against them, their examination | experiments |
//! | [`exact`] | exact results of small games: fractions, expected results, best responses, proofs | experiments |
//! | [`experiment`] | from a manifest to a summary: manifest, plan, trial, store, training, optimisation, stopping, summary, explore | how results look |
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
pub use shikou_lab::{experiment, report};
pub use shikou_learn::{learn, optimise};
pub use shikou_players::{engine, exact, players};
pub use shikou_stats as stats;

// Searchers for other programs.
pub mod serve;
// The speed of playouts and searchers on this machine.
pub mod profile;
// Published figures, derived again.
pub mod validate;
// The command line.
pub mod cli;

/// The examples of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
pub struct Guide;
