//! What is learned of moves wherever they are played: by playouts for playouts, and for RAVE in the tree.
//!
//! Moves are known by their [numbers](crate::game::Game::move_number). All is forgotten with the move that was searched for.

use super::tree::Kind;
use crate::game::{Game, Policy};
use crate::rng::Draws;

/// How playouts learn from those before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Learning {
    /// They do not.
    #[default]
    Nothing,
    /// MAST (Finnsson, Björnsson 2008, "Simulation-based approach to general game playing"): the move with the best mean
    /// payoff over all playouts in which its player made it. With chance `random` the playout policy chooses instead
    /// (ε-greedy: Tak, Winands, Björnsson 2012).
    Mast {
        /// In `[0, 1]`.
        random: f64,
    },
    /// NST (Tak, Winands, Björnsson 2012, "N-grams and the last-good-reply policy applied in general game playing"): the same
    /// with the mean over pairs of a move and the one before it, averaged with that of the move alone where the pair was
    /// seen often enough.
    Nst {
        /// In `[0, 1]`.
        random: f64,
    },
    /// The last good reply (Drake 2009, "The last-good-reply policy for Monte-Carlo Go"): the answer that last won after the
    /// same move of the opponent, if it is legal; it is forgotten when it loses (Baier, Drake 2010, "The power of
    /// forgetting").
    LastGoodReply,
}

/// How often a pair of moves must have been seen to count.
const ENOUGH: u32 = 7;

/// A sum of shares of the best payoff.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: f64,
    visits: u32,
}

impl Mean {
    fn add(&mut self, share: f64) {
        self.sum += share;
        self.visits += 1;
    }

    /// The mean; everything where there was nothing.
    fn value(self) -> f64 {
        if self.visits == 0 { 1.0 } else { self.sum / f64::from(self.visits) }
    }
}

/// A move of a player on the way of one playout, tree and playout alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<M> {
    pub(super) kind: Kind,
    pub(super) number: u16,
    pub(super) mv: M,
}

/// What was learned, and the moves of the playout in hand.
#[derive(Clone, Debug)]
pub(super) struct Learned<M> {
    pub(super) made: Vec<Made<M>>,
    /// For each player and number.
    moves: [Vec<Mean>; 2],
    /// For each player, number before and number.
    pairs: [Vec<Vec<Mean>>; 2],
    replies: [Vec<Option<M>>; 2],
    /// In which playout, and where in it, a player made a move last.
    last: [Vec<(u64, usize)>; 2],
    playout: u64,
}

pub(super) const fn side(kind: Kind) -> usize {
    if matches!(kind, Kind::Other) { 1 } else { 0 }
}

/// The entry with this number, made if it is not there.
fn entry<T: Clone>(table: &mut Vec<T>, number: u16, new: T) -> &mut T {
    let number = usize::from(number);
    if table.len() <= number {
        table.resize(number + 1, new);
    }
    &mut table[number]
}

impl<M: Copy + Eq> Learned<M> {
    pub(super) const fn new() -> Self {
        Self {
            made: Vec::new(),
            moves: [Vec::new(), Vec::new()],
            pairs: [Vec::new(), Vec::new()],
            replies: [Vec::new(), Vec::new()],
            last: [Vec::new(), Vec::new()],
            playout: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// A move of a playout.
    pub(super) fn choose<G: Game<Move = M>>(
        &self,
        learning: Learning,
        game: &G,
        policy: &dyn Policy<G>,
        position: &G::Position,
        kind: Kind,
        draws: &mut Draws,
    ) -> M {
        let random = match learning {
            Learning::Nothing => return policy.choose(game, position, draws),
            Learning::LastGoodReply => {
                let known = self.made.last().and_then(|before| {
                    self.replies[side(kind)].get(usize::from(before.number)).copied().flatten()
                });
                let legal = known.filter(|&reply| game.moves(position).any(|mv| mv == reply));
                return legal.unwrap_or_else(|| policy.choose(game, position, draws));
            }
            Learning::Mast { random } | Learning::Nst { random } => random,
        };
        if f64::from(draws.next_u32()) < random * 4_294_967_296.0 {
            return policy.choose(game, position, draws);
        }
        let side = side(kind);
        let before = self.made.last().filter(|_| matches!(learning, Learning::Nst { .. }));
        let pairs = before.and_then(|before| self.pairs[side].get(usize::from(before.number)));
        let mut best = None;
        let (mut largest, mut equals) = (f64::NEG_INFINITY, 0);
        for mv in game.moves(position) {
            let number = usize::from(game.move_number(mv).expect("the game numbers its moves"));
            let mut value = self.moves[side].get(number).copied().unwrap_or_default().value();
            if let Some(pair) = pairs.and_then(|pairs| pairs.get(number)).filter(|pair| pair.visits >= ENOUGH)
            {
                value = f64::midpoint(value, pair.value());
            }
            if value > largest {
                (best, largest, equals) = (Some(mv), value, 1);
            } else if value == largest {
                equals += 1;
                if draws.below(equals) == 0 {
                    best = Some(mv);
                }
            }
        }
        best.expect("a player's turn has a move")
    }

    /// Notes a move of the playout in hand.
    pub(super) fn note<G: Game<Move = M>>(&mut self, game: &G, kind: Kind, mv: M) {
        let number = game.move_number(mv).expect("the game numbers its moves");
        let at = self.made.len();
        *entry(&mut self.last[side(kind)], number, (0, 0)) = (self.playout + 1, at);
        self.made.push(Made { kind, number, mv });
    }

    /// Whether a player made a move at or after a place of the playout in hand.
    pub(super) fn was_made(&self, kind: Kind, number: u16, at: usize) -> bool {
        self.last[side(kind)]
            .get(usize::from(number))
            .is_some_and(|&(playout, last)| playout == self.playout + 1 && last >= at)
    }

    /// Whether a move of the playout in hand is the last of its player with this number.
    pub(super) fn is_last(&self, kind: Kind, number: u16, at: usize) -> bool {
        self.last[side(kind)].get(usize::from(number)) == Some(&(self.playout + 1, at))
    }

    /// One more than the largest number of a move that was seen.
    pub(super) fn numbers(&self) -> usize {
        self.last[0].len().max(self.last[1].len())
    }

    /// Learns from the playout in hand, which gave the player at the root this share, and begins another.
    pub(super) fn learn(&mut self, learning: Learning, share: f64) {
        for index in 0..self.made.len() {
            let Made { kind, number, mv } = self.made[index];
            let (side, share) = (side(kind), if kind == Kind::Other { 1.0 - share } else { share });
            let before = index.checked_sub(1).map(|before| self.made[before].number);
            match (learning, before) {
                (Learning::Nothing, _) | (Learning::LastGoodReply, None) => {}
                (Learning::LastGoodReply, Some(before)) => {
                    let reply = entry(&mut self.replies[side], before, None);
                    if share > 0.5 {
                        *reply = Some(mv);
                    } else if share < 0.5 && *reply == Some(mv) {
                        *reply = None;
                    }
                }
                (Learning::Mast { .. } | Learning::Nst { .. }, before) => {
                    entry(&mut self.moves[side], number, Mean::default()).add(share);
                    if let (Learning::Nst { .. }, Some(before)) = (learning, before) {
                        let pairs = entry(&mut self.pairs[side], before, Vec::new());
                        entry(pairs, number, Mean::default()).add(share);
                    }
                }
            }
        }
        self.playout += 1;
        self.made.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Facts, Player, Turn, Uniform};
    use crate::rng::PlayoutKey;

    /// Nine squares that are taken in turn, and nothing to win.
    #[derive(Clone)]
    struct Squares;

    impl Game for Squares {
        type Position = u16;
        type Move = u8;

        fn facts(&self) -> Facts {
            Facts::two_player()
        }

        fn start(&self) -> u16 {
            0
        }

        fn turn(&self, taken: &u16) -> Turn {
            if *taken == 0o777 {
                Turn::Over
            } else {
                Turn::Player(Player::new((taken.count_ones() % 2) as u8))
            }
        }

        fn moves(&self, taken: &u16) -> impl Iterator<Item = u8> {
            (0..9).filter(move |square| taken >> square & 1 == 0)
        }

        fn apply(&self, taken: &mut u16, square: u8) {
            *taken |= 1 << square;
        }

        fn payoff(&self, _: &u16, _: Player) -> i32 {
            0
        }

        fn move_number(&self, square: u8) -> Option<u16> {
            Some(square.into())
        }

        fn notation(&self, _: &u16, square: u8) -> String {
            square.to_string()
        }

        fn drawing(&self, taken: &u16) -> String {
            format!("{taken:09b}")
        }
    }

    /// Tells of a playout: the players take turns, and the first got this share.
    fn tell(learned: &mut Learned<u8>, learning: Learning, moves: &[u8], share: f64) {
        for (index, &mv) in moves.iter().enumerate() {
            learned.note(&Squares, if index % 2 == 0 { Kind::Own } else { Kind::Other }, mv);
        }
        learned.learn(learning, share);
    }

    fn choose(learned: &Learned<u8>, learning: Learning, position: u16, kind: Kind) -> Vec<u8> {
        let mut chosen: Vec<u8> = (0..200)
            .map(|index| {
                let draws = &mut PlayoutKey::new(3).playout(index);
                learned.choose(learning, &Squares, &Uniform, &position, kind, draws)
            })
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    #[test]
    fn mast_plays_what_paid() {
        let mast = Learning::Mast { random: 0.0 };
        let mut learned = Learned::new();
        // Each square once for each player: the first won with 4, and the second with 8 and without all others.
        for square in 0..9 {
            let share = if square == 4 { 1.0 } else { 0.0 };
            tell(&mut learned, mast, &[square], share);
            learned.note(&Squares, Kind::Other, square);
            learned.learn(mast, if square == 8 { 0.0 } else { 1.0 });
        }
        assert_eq!(choose(&learned, mast, 0, Kind::Own), [4]);
        assert_eq!(choose(&learned, mast, 1, Kind::Other), [8]);
        assert_eq!(choose(&learned, Learning::Mast { random: 1.0 }, 0, Kind::Own).len(), 9);
    }

    #[test]
    fn nst_knows_what_came_before() {
        let nst = Learning::Nst { random: 0.0 };
        let mut learned = Learned::new();
        for _ in 0..10 {
            // As an answer to 0, 4 wins and the rest loses; as an answer to 1 it is the other way round.
            for square in 2..9 {
                tell(&mut learned, nst, &[0, square], if square == 4 { 0.0 } else { 1.0 });
                tell(&mut learned, nst, &[1, square], if square == 4 { 1.0 } else { 0.0 });
            }
            tell(&mut learned, nst, &[0, 1], 1.0);
            tell(&mut learned, nst, &[1, 0], 1.0);
        }
        learned.note(&Squares, Kind::Own, 0);
        assert_eq!(choose(&learned, nst, 1, Kind::Other), [4]);
        learned.made.clear();
        learned.note(&Squares, Kind::Own, 1);
        assert!(!choose(&learned, nst, 2, Kind::Other).contains(&4));
    }

    #[test]
    fn a_good_reply_is_remembered_and_forgotten() {
        let mut learned = Learned::new();
        let reply = Learning::LastGoodReply;
        tell(&mut learned, reply, &[0, 4, 1, 2], 0.0);
        learned.note(&Squares, Kind::Own, 0);
        assert_eq!(choose(&learned, reply, 1, Kind::Other), [4]);
        learned.made.clear();
        tell(&mut learned, reply, &[0, 4, 1, 2], 1.0);
        learned.note(&Squares, Kind::Own, 0);
        assert_eq!(choose(&learned, reply, 1, Kind::Other).len(), 8);
    }

    /// What RAVE asks: whether a move was made by this player from here on, in this playout.
    #[test]
    fn moves_of_the_playout_in_hand_are_known() {
        let mut learned = Learned::new();
        tell(&mut learned, Learning::Nothing, &[5], 1.0);
        for (kind, square) in [(Kind::Own, 0), (Kind::Other, 1), (Kind::Own, 2)] {
            learned.note(&Squares, kind, square);
        }
        let made = |kind, number, at| learned.was_made(kind, number, at);
        assert!(made(Kind::Own, 0, 0) && !made(Kind::Own, 0, 1) && made(Kind::Own, 2, 1));
        assert!(made(Kind::Other, 1, 1) && !made(Kind::Own, 1, 0) && !made(Kind::Own, 5, 0));
    }
}
