//! The questions that tests ask the lanes: the legal moves, the board after a move, and the move that a draw chooses.

use super::super::probe::Board;
use super::group::{make_moves, moves, nothing, pick};
use super::play::{load_all, store_all};
use super::words::GAMES;

for_this_path! {
    /// Finds the moves of boards, and makes the chosen ones.
    pub(in super::super) fn make(playable: u64, boards: &mut [Board]) {
        for boards in boards.chunks_mut(GAMES) {
            let mut group = nothing();
            let (mut mine, mut theirs) = ([0; GAMES], [0; GAMES]);
            for (lane, board) in boards.iter().enumerate() {
                (mine[lane], theirs[lane], group.chosen.0[lane]) = (board.mine, board.theirs, board.chosen);
                group.squares.0[lane] = board.chosen.trailing_zeros().into();
            }
            (group.mine, group.theirs) = (load_all(&mine), load_all(&theirs));
            let mut found = [0; GAMES];
            store_all(&mut found, moves(&mut group, playable));
            make_moves(&mut group);
            store_all(&mut mine, group.mine);
            store_all(&mut theirs, group.theirs);
            for (lane, board) in boards.iter_mut().enumerate() {
                board.moves = found[lane];
                (board.mine, board.theirs) = (mine[lane], theirs[lane]);
            }
        }
    }

    /// The moves that draws, below 2³², choose among masks of moves.
    pub(in super::super) fn choose(masks: &[u64], draws: &[u64], chosen: &mut [u64]) {
        for ((chosen, &moves), &draw) in chosen.iter_mut().zip(masks).zip(draws) {
            *chosen = pick(moves, draw);
        }
    }
}
