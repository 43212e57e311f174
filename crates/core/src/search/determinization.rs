use crate::game::{Game, Turn};
use crate::rng::PlayoutKey;

/// One future of a game of chance: draw *i* under a key decides the *i*-th chance turn, which leaves a game without
/// chance. If outcomes do not depend on the player's moves, as with cards turned from a stock, all lines of play see
/// the same outcomes.
///
/// The future is *sampled*. It is not the actual future of the trial, which cannot be known from a position.
pub(super) struct Determinization<'a, G> {
    pub(super) game: &'a G,
    /// No key leaves chance as it is: for games without.
    pub(super) key: Option<PlayoutKey>,
}

/// A position in a future: the position in the game, and the number of chance turns since the future began.
#[derive(Clone, Copy)]
pub(super) struct Foreseen<P> {
    pub(super) position: P,
    turns: u32,
}

impl<G: Game> Determinization<'_, G> {
    /// The beginning of the future from a position.
    pub(super) fn start(&self, from: G::Position) -> Foreseen<G::Position> {
        let mut start = Foreseen { position: from, turns: 0 };
        self.let_chance_choose(&mut start);
        start
    }

    /// Makes a move, and those of chance that follow it.
    pub(super) fn apply(&self, at: &mut Foreseen<G::Position>, mv: G::Move) {
        self.game.apply(&mut at.position, mv);
        self.let_chance_choose(at);
    }

    fn let_chance_choose(&self, at: &mut Foreseen<G::Position>) {
        let Some(key) = self.key else { return };
        while self.game.turn(&at.position) == Turn::Chance {
            let mut draws = key.playout(at.turns.into());
            let outcome = self.game.random_outcome(&at.position, &mut draws);
            self.game.apply(&mut at.position, outcome);
            at.turns += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Facts, Player};

    /// An urn with two a's, two b's and two c's. The player answers each drawn letter by 3 or 4.
    #[derive(Clone)]
    struct Urn;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Drawn {
        left: [u8; 3],
        is_chance: bool,
        order: [usize; 6],
    }

    impl Game for Urn {
        type Position = Drawn;
        type Move = usize;

        fn facts(&self) -> Facts {
            Facts::solitaire().with_chance().with_max_plies(12)
        }
        fn start(&self) -> Drawn {
            Drawn { left: [2; 3], is_chance: true, order: [9; 6] }
        }
        fn turn(&self, drawn: &Drawn) -> Turn {
            match drawn.is_chance {
                false => Turn::Player(Player::FIRST),
                true if drawn.left == [0; 3] => Turn::Over,
                true => Turn::Chance,
            }
        }
        fn moves(&self, drawn: &Drawn) -> impl Iterator<Item = usize> {
            3..if drawn.is_chance { 3 } else { 5 }
        }
        fn outcomes(&self, drawn: &Drawn) -> impl Iterator<Item = (usize, u32)> {
            let Drawn { left, is_chance, .. } = *drawn;
            (0..3).map(move |letter| (letter, left[letter].into())).filter(move |&(_, n)| is_chance && n > 0)
        }
        fn apply(&self, drawn: &mut Drawn, mv: usize) {
            drawn.is_chance = mv >= 3;
            if mv < 3 {
                drawn.order[6 - usize::from(drawn.left.iter().sum::<u8>())] = mv;
                drawn.left[mv] -= 1;
            }
        }
        fn payoff(&self, _: &Drawn, _: Player) -> i32 {
            0
        }
        fn notation(&self, _: &Drawn, mv: usize) -> String {
            mv.to_string()
        }
        fn drawing(&self, drawn: &Drawn) -> String {
            format!("{drawn:?}")
        }
    }

    #[test]
    fn all_lines_of_play_meet_the_same_outcomes() {
        let order = |key, policy| {
            let future = Determinization { game: &Urn, key: Some(PlayoutKey::new(key)) };
            let mut draws = PlayoutKey::new(policy).playout(0);
            let mut at = future.start(Urn.start());
            while Urn.turn(&at.position) != Turn::Over {
                // Chance has no turn in a determinization.
                let mv = Urn.random_move(&at.position, &mut draws);
                future.apply(&mut at, mv);
            }
            at.position.order
        };
        let mut orders = Vec::new();
        for key in 0..100 {
            let met = order(key, 0);
            assert!((1..20).all(|policy| order(key, policy) == met));
            orders.push(met);
        }
        // There are 90 orders, and each future has its own.
        orders.sort_unstable();
        orders.dedup();
        assert!(orders.len() > 40, "{}", orders.len());
    }
}
