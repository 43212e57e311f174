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
pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
pub(super) const NOT_ABCD: u64 = 0xf0f0_f0f0_f0f0_f0f0;
/// The same masks, mirrored.
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
pub(super) const NOT_EFGH: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// All squares that share a diagonal in the direction a1–h8 with one of these.
#[inline(always)]
const fn along_falling(mut squares: u64) -> u64 {
    let mut up = squares;
    squares |= squares << 9 & NOT_A;
    squares |= squares << 18 & NOT_AB;
    squares |= squares << 36 & NOT_ABCD;
    up |= up >> 9 & NOT_H;
    up |= up >> 18 & NOT_GH;
    up |= up >> 36 & NOT_EFGH;
    squares | up
}

/// All squares that share a diagonal in the direction h1–a8 with one of these.
#[inline(always)]
const fn along_rising(mut squares: u64) -> u64 {
    let mut up = squares;
    squares |= squares << 7 & NOT_H;
    squares |= squares << 14 & NOT_GH;
    squares |= squares << 28 & NOT_EFGH;
    up |= up >> 7 & NOT_A;
    up |= up >> 14 & NOT_AB;
    up |= up >> 28 & NOT_ABCD;
    squares | up
}

/// All squares that share a row with one of these.
#[inline(always)]
const fn along_rows(squares: u64) -> u64 {
    // A row is 0 if and only if adding all ones carries nothing into its highest bit.
    let some = (((squares & NOT_H) + NOT_H) | squares) & !NOT_H;
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
    let falling = !along_falling(empty) | edge;
    let rising = !along_rising(empty) | edge;
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
    use crate::game::{Game, GameExt, Player, Turn};
    use crate::othello::{Othello, Position};
    use crate::rng::Stream;

    /// Random games to the end never turn a stable disc.
    #[test]
    fn stable_discs_stay() {
        let mut rng = (Stream::new(1) / "stable discs").rng();
        for size in [4, 6, 8] {
            let game = Othello::new(size);
            let mut found = 0;
            for _ in 0..300 {
                let mut position = game.start();
                let mut held = [0_u64; 2];
                while game.turn(&position) != Turn::Over {
                    let mv =
                        game.moves(&position).nth(rng.below(u64::from(game.move_count(&position))) as usize);
                    game.apply(&mut position, mv.unwrap());
                    for player in [Player::FIRST, Player::SECOND] {
                        let held = &mut held[player.index()];
                        assert_eq!(*held & !position.discs(player), 0, "{}", game.drawing(&position));
                        let now = stable_of(&game, &position, player);
                        assert_eq!(*held & !now, 0, "stable discs stay");
                        *held = now;
                        found += now.count_ones();
                    }
                }
                assert_eq!(held[0] | held[1], stable_at_the_end(&game, &position, held));
            }
            assert!(found > 1000);
        }
    }

    fn stable_of(game: &Othello, position: &Position, player: Player) -> u64 {
        let discs = [Player::FIRST, Player::SECOND].map(|player| position.discs(player));
        stable(position.discs(player), game.playable() & !(discs[0] | discs[1]), game.size())
    }

    /// On a full board all discs are stable.
    fn stable_at_the_end(game: &Othello, position: &Position, held: [u64; 2]) -> u64 {
        let all = position.discs(Player::FIRST) | position.discs(Player::SECOND);
        if all == game.playable() { all } else { held[0] | held[1] }
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
