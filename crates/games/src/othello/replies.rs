use super::board::{flips, legal_moves};
use super::{Move, Othello, Position};
use crate::game::{Bits, Game, Player, Policy};
use crate::rng::PlayoutRng;

/// Leaves the opponent the fewest moves; one of several at random. The end of the game counts as no moves.
///
/// # Cost
/// A search for moves after every move.
///
/// # Example: each of the four first moves leaves three replies
/// ```
/// use shikou::game::{Game, Policy};
/// use shikou::games::othello::{FewestReplies, Othello};
/// let game = Othello::default();
/// assert_eq!(FewestReplies::default().distribution(&game, &game.start()).len(), 4);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FewestReplies {
    /// How replies are counted.
    pub counted: Counted,
}

/// How [`FewestReplies`] counts the moves of the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// The legal ones.
    #[default]
    Legal,
    /// As the engine of source N: in the lower half of the board (rows 5 to 8) it looks for black discs in the position
    /// before the move. A black disc that was just put or turned there counts as empty, so some moves do not exist.
    Misread,
}

impl FewestReplies {
    fn replies(self, game: &Othello, position: &Position, mv: Move) -> u32 {
        let (mine, theirs) = match mv.square() {
            Some(square) => {
                let turned = flips(position.mine, position.theirs, square);
                (position.mine | turned | 1 << square, position.theirs & !turned)
            }
            None => (position.mine, position.theirs),
        };
        match self.counted {
            Counted::Legal => (legal_moves(theirs, mine) & game.playable()).count_ones(),
            Counted::Misread => {
                let upper_rows = !0 >> (8 * (8 - game.size() / 2));
                let (white, black, seen) = if position.to_move() == Player::FIRST {
                    (theirs, mine, position.mine)
                } else {
                    (mine, theirs, position.theirs)
                };
                let occupied = white | (black & upper_rows) | (seen & !upper_rows);
                let empty = game.playable() & !occupied;
                Bits::new(empty).filter(|&square| flips(theirs, mine, square) != 0).count() as u32
            }
        }
    }

    /// Gives the moves that leave the fewest replies so far, in order, and whether each leaves fewer than all before it.
    fn best(self, game: &Othello, position: &Position, mut give: impl FnMut(Move, bool)) {
        let mut fewest = u32::MAX;
        for mv in game.moves(position) {
            let replies = self.replies(game, position, mv);
            if replies <= fewest {
                give(mv, replies < fewest);
                fewest = replies;
            }
        }
    }
}

impl Policy<Othello> for FewestReplies {
    fn choose(&self, game: &Othello, position: &Position, draws: &mut PlayoutRng) -> Move {
        let (mut best, mut count) = ([Move::PASS; 64], 0);
        self.best(game, position, |mv, is_better| {
            count = if is_better { 0 } else { count };
            best[count] = mv;
            count += 1;
        });
        best[draws.below(count as u32) as usize]
    }

    fn distribution(&self, game: &Othello, position: &Position) -> Vec<(Move, u32)> {
        let mut best = Vec::new();
        self.best(game, position, |mv, is_better| {
            if is_better {
                best.clear();
            }
            best.push((mv, 1));
        });
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameExt;
    use crate::rng::PlayoutKey;
    use crate::testing::random_game;

    #[test]
    fn misread_replies_are_those_of_a_slow_count() {
        let game = Othello::default();
        let misread = FewestReplies { counted: Counted::Misread };
        let mut differ = 0;
        for index in 0..20 {
            for position in random_game(&game, PlayoutKey::new(23).playout(index)) {
                for mv in game.moves(&position) {
                    let replies = misread.replies(&game, &position, mv);
                    assert_eq!(replies, slowly(&game, &position, mv), "{mv} in\n{}", game.drawing(&position));
                    differ += u32::from(replies != FewestReplies::default().replies(&game, &position, mv));
                }
            }
        }
        assert!(differ > 100, "{differ}");
    }

    /// Square by square and direction by direction, as the engine does it.
    fn slowly(game: &Othello, before: &Position, mv: Move) -> u32 {
        let after = game.after(before, mv);
        let mover = before.to_move();
        let owner = |position: &Position, x: i32, y: i32| {
            let square = 1_u64 << (8 * y + x);
            [Player::FIRST, Player::SECOND].into_iter().find(|&player| position.discs(player) & square != 0)
        };
        let is_empty = |x: i32, y: i32| match owner(&after, x, y) {
            None => y < 4 || owner(before, x, y) != Some(Player::FIRST),
            Some(Player::FIRST) => y >= 4 && owner(before, x, y) != Some(Player::FIRST),
            Some(_) => false,
        };
        let turns_some = |x: i32, y: i32| {
            (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).any(|(dx, dy)| {
                let mut between = 0;
                for step in 1..8 {
                    let (x, y) = (x + step * dx, y + step * dy);
                    if !(0..8).contains(&x) || !(0..8).contains(&y) {
                        return false;
                    }
                    match owner(&after, x, y) {
                        Some(player) if player == mover => between += 1,
                        Some(_) => return between > 0,
                        None => return false,
                    }
                }
                false
            })
        };
        (0..64)
            .filter(|square| is_empty(square % 8, square / 8) && turns_some(square % 8, square / 8))
            .count() as u32
    }
}
