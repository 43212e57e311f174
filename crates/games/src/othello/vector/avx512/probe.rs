//! The questions that tests ask the lanes: the legal moves, the board after a move, and the move that a draw chooses.

use super::super::probe::Board;
use super::group::{make_moves, moves, nothing, pick};
use super::play::{Memory, load_all, store_all};
use super::single::{flipped, reach, union};
use super::words::{GAMES, all};

for_this_path! {
    /// Finds the moves of boards, and makes the chosen ones.
    pub(in super::super) fn make(playable: u64, boards: &mut [Board]) {
        for boards in boards.chunks_mut(GAMES) {
            let mut group = nothing();
            let (mut mine, mut theirs) = ([0; GAMES], [0; GAMES]);
            for (lane, board) in boards.iter().enumerate() {
                (mine[lane], theirs[lane], group.chosen.0[lane]) = (board.mine, board.theirs, board.chosen);
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

    /// Like [`make`], by the functions that play single games.
    pub(in super::super) fn make_single(playable: u64, boards: &mut [Board]) {
        for board in boards {
            let (runs, reached) = reach(all(board.mine), all(board.theirs));
            let flipped = union(flipped(runs, all(board.chosen)));
            board.moves = reached & playable;
            (board.mine, board.theirs) = (board.theirs & !flipped, board.mine | flipped | board.chosen);
        }
    }

    /// The moves that draws, below 2³², choose among masks of moves.
    pub(in super::super) fn choose(masks: &[u64], draws: &[u64], chosen: &mut [u64]) {
        for ((masks, draws), chosen) in
            masks.chunks(GAMES).zip(draws.chunks(GAMES)).zip(chosen.chunks_mut(GAMES))
        {
            let (mut among, mut by) = ([0; GAMES], [0; GAMES]);
            among[..masks.len()].copy_from_slice(masks);
            by[..draws.len()].copy_from_slice(draws);
            let mut memory = Memory([0; GAMES]);
            pick(&mut memory, load_all(&among), load_all(&by));
            chosen.copy_from_slice(&memory.0[..chosen.len()]);
        }
    }
}
