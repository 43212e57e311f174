//! The stages of an Othello playout, each run alone.

use std::hint::black_box;
use std::rc::Rc;

use super::board::{flips, legal_moves_among};
use super::vector::{LanePart, run_part};
use super::{Move, Othello, Position};
use crate::game::{Kernel, Path, Ply, Stage, accelerate, nth_set_bit};
use crate::rng::PlayoutKey;

/// The stages of a path; empty if this processor does not have it, and for the GPU.
pub(super) fn stages<'p>(game: &'p Othello, path: Path, plies: &'p [Ply<Position, Move>]) -> Vec<Stage<'p>> {
    if path == Path::Portable {
        let run = move |part| move || accelerate(PartLoop { playable: game.playable(), plies, part });
        return vec![
            Stage::new("moves", "finding the legal moves", run(LanePart::Moves)),
            Stage::new("choice", "a draw, and the bit of its rank", run(LanePart::Choice)),
            Stage::new("flips", "finding the discs that turn over", run(LanePart::Flips)),
        ];
    }
    if path == Path::Cuda || !path.is_available() {
        return Vec::new();
    }
    // Spread over all plies, so that all phases of the game are included.
    let boards: Rc<[(u64, u64)]> = plies
        .iter()
        .step_by(plies.len().div_ceil(BOARDS).max(1))
        .map(|Ply { position, .. }| (position.mine, position.theirs))
        .collect();
    let run = |part| {
        let boards = boards.clone();
        move || run_part(path, part, game.playable(), &boards, plies.len())
    };
    vec![
        Stage::new("moves", "finding the legal moves and the runs that they turn over", run(LanePart::Moves)),
        Stage::new("choice", "the draws, and the bits of their ranks", run(LanePart::Choice)),
        Stage::new("flips", "turning the discs over", run(LanePart::Flips)),
    ]
}

/// The number of boards that the stages in lanes process repeatedly.
const BOARDS: usize = 128;

struct PartLoop<'p> {
    playable: u64,
    plies: &'p [Ply<Position, Move>],
    part: LanePart,
}

impl Kernel for PartLoop<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.part {
            LanePart::Moves => {
                for Ply { position, .. } in self.plies {
                    black_box(legal_moves_among(self.playable, position.mine, position.theirs));
                }
            }
            LanePart::Choice => {
                let mut draws = PlayoutKey::new(self.plies.len() as u64).playout(0);
                for Ply { position, .. } in self.plies {
                    let pick = draws.below(position.moves.count_ones());
                    black_box(nth_set_bit(position.moves, pick));
                }
            }
            LanePart::Flips => {
                for Ply { position, mv } in self.plies {
                    if let Some(square) = mv.square() {
                        black_box(flips(position.mine, position.theirs, square));
                    }
                }
            }
        }
    }
}
