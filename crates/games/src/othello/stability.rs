//! Stable discs, which can never turn over again, and the bound on the payoff that follows from them.

/// The squares next to an edge: those in the first and last file, and in the first and last row.
pub(super) type Edges = (u64, u64);

/// For the sizes 4, 6 and 8.
pub(super) const EDGES: [Edges; 3] = [edges(4), edges(6), edges(8)];

const fn edges(size: u32) -> (u64, u64) {
    let (mut files, mut rows, mut n) = (0, 0, 0);
    while n < size {
        files |= 1 << (8 * n) | 1 << (8 * n + size - 1);
        rows |= 1 << n | 1 << (8 * (size - 1) + n);
        n += 1;
    }
    (files, rows)
}

/// Every file except a; except a and b; except a to d. A shift down a diagonal puts nothing into the excepted files.
pub(super) const NOT_LEFT_FILES: [u64; 3] =
    [0xfefe_fefe_fefe_fefe, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0];
/// The same masks, mirrored.
pub(super) const NOT_RIGHT_FILES: [u64; 3] =
    [0x7f7f_7f7f_7f7f_7f7f, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f];

/// All squares that share a diagonal with one of these. A neighbour down the diagonal is `step` squares on, and `kept` has
/// the files that remain by one, two and four steps down and up.
#[inline(always)]
const fn along_diagonals(squares: u64, step: u32, kept: [[u64; 3]; 2]) -> u64 {
    let [kept_down, kept_up] = kept;
    let (mut down, mut up) = (squares, squares);
    down |= down << step & kept_down[0];
    down |= down << (2 * step) & kept_down[1];
    down |= down << (4 * step) & kept_down[2];
    up |= up >> step & kept_up[0];
    up |= up >> (2 * step) & kept_up[1];
    up |= up >> (4 * step) & kept_up[2];
    down | up
}

/// All squares that share a row with one of these.
#[inline(always)]
const fn along_rows(squares: u64) -> u64 {
    // A row is 0 if and only if adding all ones carries nothing into its highest bit.
    let [low, ..] = NOT_RIGHT_FILES;
    let some = (((squares & low) + low) | squares) & !low;
    (some >> 7) * 0xff
}

/// All squares that share a file with one of these.
#[inline(always)]
const fn along_files(mut squares: u64) -> u64 {
    squares |= squares.rotate_left(8);
    squares |= squares.rotate_left(16);
    squares | squares.rotate_left(32)
}

/// The certainly stable discs among `discs`, which are all of one side. `empty` are the empty squares of a board with
/// `size` squares along an edge.
///
/// A disc is stable if it cannot be flanked along any of the four lines through it: the line is full, or it ends next to
/// the disc, or a stable disc of the same side is next to it. It misses discs that are stable for subtler reasons.
#[inline(always)]
pub(super) fn stable(discs: u64, empty: u64, size: u8) -> u64 {
    let (files, rows) = EDGES[usize::from(size / 2 - 2)];
    let edge = files | rows;
    let row = !along_rows(empty) | files;
    let file = !along_files(empty) | rows;
    let falling = !along_diagonals(empty, 9, [NOT_LEFT_FILES, NOT_RIGHT_FILES]) | edge;
    let rising = !along_diagonals(empty, 7, [NOT_RIGHT_FILES, NOT_LEFT_FILES]) | edge;
    let mut stable = discs & row & file & falling & rising;
    loop {
        let next = discs
            & (row | stable << 1 | stable >> 1)
            & (file | stable << 8 | stable >> 8)
            & (falling | stable << 9 | stable >> 9)
            & (rising | stable << 7 | stable >> 7);
        // A shift that leaves the board wraps to squares next to an edge, which need no neighbour there.
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// The most discs by which the player to move can win, by the stable discs of the other; `None` if that is above `alpha`
/// for any number of them.
#[inline(always)]
pub(super) fn most_discs(theirs: u64, empty: u64, size: u8, alpha: i32) -> Option<i32> {
    let squares = i32::from(size).pow(2);
    if squares - 2 * theirs.count_ones() as i32 > alpha {
        return None;
    }
    Some(squares - 2 * stable(theirs, empty, size).count_ones() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameExt, Player};
    use crate::othello::{Othello, Position};
    use crate::rng::PlayoutKey;
    use crate::testing::random_game;

    /// Random games to the end never turn a stable disc.
    #[test]
    fn stable_discs_stay() {
        for size in [4, 6, 8] {
            let game = Othello::new(size);
            let mut found = 0;
            for index in 0..300 {
                let positions = random_game(&game, PlayoutKey::new(1).playout(index));
                let mut held = [0_u64; 2];
                for position in &positions {
                    for player in [Player::FIRST, Player::SECOND] {
                        let held = &mut held[player.index()];
                        assert_eq!(*held & !position.discs(player), 0, "{}", game.drawing(position));
                        let now = stable_of(&game, position, player);
                        assert_eq!(*held & !now, 0, "stable discs stay");
                        *held = now;
                        found += now.count_ones();
                    }
                }
                // On a full board all discs are stable.
                let last = &positions[positions.len() - 1];
                let is_full = last.mine | last.theirs == game.playable();
                assert!(!is_full || held[0] | held[1] == game.playable());
            }
            assert!(found > 1000);
        }
    }

    fn stable_of(game: &Othello, position: &Position, player: Player) -> u64 {
        stable(position.discs(player), game.playable() & !(position.mine | position.theirs), game.size())
    }

    #[test]
    fn corners_edges_and_full_lines_hold() {
        let game = Othello::default();
        let text = format!("XXXO{}{} X", "-".repeat(4), "-".repeat(56));
        let position = game.parse_board(&text).unwrap();
        assert_eq!(stable_of(&game, &position, Player::FIRST), 0b111);
        assert_eq!(stable_of(&game, &position, Player::SECOND), 0);
        // A full edge is stable for either side.
        let position = game.parse_board(&format!("OXXOOXXO{} X", "-".repeat(56))).unwrap();
        assert_eq!(stable_of(&game, &position, Player::FIRST), 0b0110_0110);
        assert!(GameExt::follow(&game, "f5").is_ok_and(|start| stable_of(&game, &start, Player::FIRST) == 0));
    }
}
