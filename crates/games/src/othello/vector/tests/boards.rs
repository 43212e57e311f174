//! Moves and flips on every path against the portable functions, board by board and move by move.

use std::path::{Path as File, PathBuf};

use super::super::super::board::flips;
use super::super::super::{Move, Othello, Position, wthor};
use super::super::probe::{Board, Way};
#[cfg(target_arch = "x86_64")]
use super::super::{Instructions, Wide};
use crate::game::{Bits, Game};
use crate::rng::PlayoutKey;
use crate::testing::random_game;

/// Boards with each of their legal moves, or the pass if there is none, gathered until the lanes are full.
struct Examined {
    playable: u64,
    asked: Vec<Board>,
    boards: u64,
    moves: u64,
}

impl Examined {
    fn new(game: &Othello) -> Self {
        Self { playable: game.playable(), asked: Vec::new(), boards: 0, moves: 0 }
    }

    fn examine(&mut self, position: &Position) {
        let Position { mine, theirs, moves, .. } = *position;
        self.boards += 1;
        let mut ask = |chosen| {
            self.moves += 1;
            self.asked.push(Board { mine, theirs, chosen, moves });
        };
        if moves == 0 {
            ask(0);
        }
        Bits::new(moves).for_each(|square| ask(1 << square));
        // Two registers of AVX-512, sometimes not full, so that a move can be in any lane.
        while self.asked.len() >= 16 {
            self.hold(16 - self.asked.len() % 3);
        }
    }

    /// Compares the answers for the first few with the portable functions.
    fn hold(&mut self, count: usize) {
        let asked: Vec<Board> = self.asked.drain(..count).collect();
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Wide::detect() {
            for &Board { mine, theirs, chosen, moves } in &asked {
                assert_eq!(wide.moves(mine, theirs) & self.playable, moves, "{mine:#x} {theirs:#x}");
                for square in Bits::new(chosen) {
                    let expected = flips(mine, theirs, square);
                    assert_eq!(wide.flips(mine, theirs, square), expected, "{mine:#x} {theirs:#x} {square}");
                }
            }
        }
        for way in Way::all() {
            let mut answered: Vec<_> = asked.iter().map(|board| Board { moves: 0, ..*board }).collect();
            way.make(self.playable, &mut answered);
            for (asked, answered) in asked.iter().zip(&answered) {
                let Board { mine, theirs, chosen, moves } = *asked;
                let flipped =
                    if chosen == 0 { 0 } else { flips(mine, theirs, chosen.trailing_zeros() as u8) };
                let expected =
                    Board { mine: theirs & !flipped, theirs: mine | flipped | chosen, chosen, moves };
                assert_eq!(*answered, expected, "{way:?}: {asked:?}");
            }
        }
    }

    /// Plays games at random and examines every position of them.
    fn examine_random_games(&mut self, game: &Othello, games: u64) {
        for index in 0..games {
            let positions = random_game(game, PlayoutKey::new(78).playout(index));
            for position in &positions {
                self.examine(position);
            }
        }
    }

    /// Plays the games of a file and examines every position of them.
    fn examine_games_of(&mut self, file: &File) {
        let game = Othello::default();
        let bytes = std::fs::read(file).unwrap();
        for record in wthor::read(&bytes).unwrap().records() {
            let mut position = game.start();
            self.examine(&position);
            for mv in record.moves() {
                if position.must_pass() {
                    game.apply(&mut position, Move::PASS);
                    self.examine(&position);
                }
                game.apply(&mut position, mv);
                self.examine(&position);
            }
        }
    }

    /// Examines the rest. Returns the number of boards, and of moves and passes.
    fn end(mut self) -> (u64, u64) {
        self.hold(self.asked.len());
        (self.boards, self.moves)
    }
}

/// Few enough for Miri.
#[test]
fn a_few_moves_and_flips_are_the_portable_ones() {
    for size in [4, 8] {
        let game = Othello::new(size);
        let mut examined = Examined::new(&game);
        examined.examine_random_games(&game, 1);
        let (boards, moves) = examined.end();
        assert!(moves >= boards && boards > 9, "{size}×{size}: {boards} boards, {moves} moves");
    }
}

#[test]
fn moves_and_flips_in_random_games_are_the_portable_ones() {
    for (size, games, least) in [(8, 17_000, 1_000_000), (6, 4_000, 120_000), (4, 4_000, 40_000)] {
        let game = Othello::new(size);
        let mut examined = Examined::new(&game);
        examined.examine_random_games(&game, games);
        let (boards, moves) = examined.end();
        assert!(boards > least && moves > 2 * boards, "{size}×{size}: {boards} boards, {moves} moves");
    }
}

#[test]
fn moves_and_flips_in_real_games_are_the_portable_ones() {
    let mut examined = Examined::new(&Othello::default());
    examined.examine_games_of(&File::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/WTH_1978.wtb"));
    let (boards, moves) = examined.end();
    assert!(boards > 500 && moves > 3_000, "{boards} boards, {moves} moves");
}

/// All games of the large data, if present: six million boards, fifty million moves.
#[test]
#[ignore = "long, and needs the large data: a folder `wthor` in the folder that SHIKOU_DATA names, else in ../shared/data"]
fn moves_and_flips_in_all_real_games_are_the_portable_ones() {
    let data = std::env::var_os("SHIKOU_DATA")
        .map_or_else(|| File::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let Ok(files) = std::fs::read_dir(data.join("wthor")) else { return };
    let mut examined = Examined::new(&Othello::default());
    for file in files.map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            examined.examine_games_of(&file);
        }
    }
    let (boards, moves) = examined.end();
    assert!(boards > 1_000_000, "{boards} boards, {moves} moves");
}
