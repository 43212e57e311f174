//! Games, searchers and what holds for any of them: a [game](game::Game) of one's own, and a [searcher](search::Searcher) for
//! it, need this crate alone.
//!
//! The feature `rayon` runs perft on all processors, and `serde` makes results data; both are on unless
//! `default-features = false`. `examples/just-search` is a program. Random streams are in [`rng`]; the crate
//! `shikou` adds games, experiments and the command.
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
//! use shikou_core::game::conformance::check_rules;
//! use shikou_core::game::{Facts, Game, GameExt, Player, Turn, Uniform};
//! use shikou_core::rng::PlayoutKey;
//! use shikou_core::search::{FullWidth, Limits, Meter, MoveStream, FlatMonteCarlo, Searcher, Ties};
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
//! let decision = FullWidth::minimax(None, Ties::First).choose(&game, &start, stream, &mut meter).unwrap();
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

// The lanes are x86-64's; the plain loop, which gives the same bytes, needs less.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, unused_variables, reason = "only the lanes of x86-64 use them")
)]

pub use shikou_base::rng;
use shikou_base::words;

pub mod device;
pub mod game;
pub mod search;
