//! **Shikou** (思考 to think, 試行 to try): a research harness for Monte Carlo search.
//!
//! A question such as "does this way of searching play better than that one, and by how much?" is written down as a
//! *manifest*. Shikou plays the *trials* that it asks for and answers with estimates, each with an interval and the
//! name of its method. The games are for one player or two, with or without turns of chance; the searchers know
//! none of them by name. What is counted is a function of the manifest alone: the same bytes come out for any
//! number of threads, and their digest can be held against a committed reference.
//!
//! Two ways lead in. The command `shikou` runs manifests, counts game trees, checks games and plays at the
//! terminal; its room is [`cli`], and a program of your own can call it with a game of your own. The other way is
//! this library, from the bottom up: a [game](game::Game), a [searcher](search::Searcher), an
//! [experiment](experiment::Manifest).
//!
//! # Example: a whole game, searched
//!
//! Nim: three heaps; a turn takes any number from one heap; who takes the last one wins. The player to move can win
//! exactly where the exclusive or of the heaps is not 0 (Bouton 1901, "Nim, a game with a complete mathematical
//! theory").
//!
//! ```
//! use std::sync::Arc;
//!
//! use shikou::game::conformance::assert_conforms;
//! use shikou::game::{Facts, Game, GameExt, Player, Turn, Uniform};
//! use shikou::rng::PlayoutKey;
//! use shikou::search::{FlatMonteCarlo, Limits, Meter, Minimax, MoveStream, Searcher, Ties};
//!
//! /// The rules: how large the heaps are at the beginning.
//! #[derive(Clone)]
//! struct Nim([u8; 3]);
//!
//! impl Game for Nim {
//!     type Position = ([u8; 3], Player);
//!     type Move = (usize, u8); // from which heap, how many
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
//!         if player == to_move { -1 } else { 1 } // the other one took the last
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
//! assert_conforms(&game); // every law that searchers rely on
//!
//! let mut meter = Meter::new(Limits::default());
//! let stream = MoveStream::new(PlayoutKey::new(1));
//! let start = game.start();
//!
//! // 3 xor 4 xor 5 is 2: taking 2 from the first heap is the one move that wins.
//! let decision = Minimax::full(Ties::First).choose(&game, &start, stream, &mut meter).unwrap();
//! assert_eq!(game.notation(&start, decision.chosen), "a2");
//! assert_eq!(decision.moves.iter().filter(|estimate| estimate.value == 1.0).count(), 1);
//!
//! // Later the heaps are 0, 1 and 5, and playouts find that leaving two heaps of 1 always wins.
//! let later = game.follow("a3 b3").unwrap();
//! let mut flat = FlatMonteCarlo::new(1000, Arc::new(Uniform), Ties::First);
//! let decision = flat.choose(&game, &later, stream, &mut meter).unwrap();
//! assert_eq!(game.notation(&later, decision.chosen), "c4");
//! assert!(decision.moves.iter().all(|estimate| estimate.visits == 1000));
//! ```
//!
//! # The rooms
//!
//! The crate is a house of rooms, lowest first; a room imports only what stands above it in this table. Only
//! [`cli`] prints.
//!
//! | room | holds | does not know |
//! |---|---|---|
//! | [`rng`] | named random streams, and the counter generator of playouts | anything else |
//! | [`stats`] | intervals, paired and sequential tests, ratings, planning: numbers in, numbers out | games |
//! | [`game`] | what a game, a policy and an evaluation are; the conformance kit, perft | any particular game |
//! | [`games`] | Tic-tac-toe, Othello, Calculation, random trees: rules, notation, evaluations | searchers |
//! | [`search`] | the searchers, what they decide, and the meter that counts their work | any particular game |
//! | [`players`] | specs as data; the one place where a spec and a game become a machine | experiments |
//! | [`experiment`] | manifest, plan, play, log, canonical log, summary | how things look |
//! | [`report`] | tables and numbers as text | searchers, games |
//! | [`profile`] | how fast playouts and searches are, and where their time goes | |
//! | [`validate`] | published figures, derived again and compared | |
//! | [`cli`] | one file for each command | |
//!
//! `docs/design.md` says why it is as it is, `docs/glossary.md` what each word means, and `docs/adding-a-game.md`
//! how to bring a game of your own.

// The rooms in the order in which they may import one another; each has its own page.

// Randomness: named streams, and the counter generator of playouts.
pub mod rng;
// Estimates with intervals that name their method, and tests.
pub mod stats;
// What a game is, and what can be said of any game.
pub mod game;
// The games of the house.
pub mod games;
// The searchers.
pub mod search;
// Specs and machines, and the registry of games.
pub mod players;
// What comes out exactly, where a game can be enumerated.
pub mod exact;
// From a manifest to a summary.
pub mod experiment;
// How results look, as text.
pub mod report;
// How fast playouts and searches are on this machine.
pub mod profile;
// Published figures, derived again.
pub mod validate;
// The command line.
pub mod cli;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
