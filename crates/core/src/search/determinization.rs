//! Determinization: one future of a game of chance, sampled in advance.

use std::sync::Arc;

use crate::game::{Facts, Game, Outcome, Player, Policy, Turn};
use crate::rng::{PlayoutKey, PlayoutRng};

/// One future of a game of chance: draw *i* under a key decides the *i*-th chance turn, which leaves a game without
/// chance. If outcomes do not depend on the player's moves, as with cards turned from a stock, all lines of play see
/// the same outcomes.
///
/// The future is *sampled*. It is not the actual future of the trial, which cannot be known from a position.
#[derive(Clone)]
pub(super) struct Determinization<G: Game> {
    game: G,
    start: DeterminizedPosition<G>,
    key: PlayoutKey,
}

/// A position in a future: the position in the game, and the number of chance turns since the future began.
pub(super) struct DeterminizedPosition<G: Game> {
    pub(super) position: G::Position,
    turns: u32,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "derived, they would ask for a game that is `Copy`")]
impl<G: Game> Clone for DeterminizedPosition<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for DeterminizedPosition<G> {}

impl<G: Game> PartialEq for DeterminizedPosition<G> {
    fn eq(&self, other: &Self) -> bool {
        self.turns == other.turns && self.position == other.position
    }
}

impl<G: Game> Eq for DeterminizedPosition<G> {}

impl<G: Game> std::fmt::Debug for DeterminizedPosition<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} after {} chance turns", self.position, self.turns)
    }
}

impl<G: Game> Determinization<G> {
    /// The future of the game from this position under a key.
    pub(super) fn new(game: G, from: G::Position, key: PlayoutKey) -> Self {
        let mut future = Self { game, start: DeterminizedPosition { position: from, turns: 0 }, key };
        let mut start = future.start;
        future.let_chance_choose(&mut start);
        future.start = start;
        future
    }

    fn let_chance_choose(&self, at: &mut DeterminizedPosition<G>) {
        while self.game.turn(&at.position) == Turn::Chance {
            let mut draws = self.key.playout(at.turns.into());
            let outcome = self.game.random_outcome(&at.position, &mut draws);
            self.game.apply(&mut at.position, outcome);
            at.turns += 1;
        }
    }
}

impl<G: Game> Game for Determinization<G> {
    type Position = DeterminizedPosition<G>;
    type Move = G::Move;

    fn facts(&self) -> Facts {
        Facts { chance: false, ..self.game.facts() }
    }

    fn start(&self) -> Self::Position {
        self.start
    }

    fn turn(&self, at: &Self::Position) -> Turn {
        self.game.turn(&at.position)
    }

    fn moves(&self, at: &Self::Position) -> impl Iterator<Item = G::Move> {
        self.game.moves(&at.position)
    }

    fn apply(&self, at: &mut Self::Position, mv: G::Move) {
        self.game.apply(&mut at.position, mv);
        self.let_chance_choose(at);
    }

    fn payoff(&self, at: &Self::Position, player: Player) -> i32 {
        self.game.payoff(&at.position, player)
    }

    fn outcome(&self, at: &Self::Position, player: Player) -> Outcome {
        self.game.outcome(&at.position, player)
    }

    fn notation(&self, at: &Self::Position, mv: G::Move) -> String {
        self.game.notation(&at.position, mv)
    }

    fn drawing(&self, at: &Self::Position) -> String {
        self.game.drawing(&at.position)
    }
}

/// A policy of the game, applied in a future that it does not see.
pub(super) struct Blind<G>(pub(super) Arc<dyn Policy<G>>);

impl<G: Game> Policy<Determinization<G>> for Blind<G> {
    fn choose(
        &self,
        game: &Determinization<G>,
        at: &DeterminizedPosition<G>,
        draws: &mut PlayoutRng,
    ) -> G::Move {
        self.0.choose(&game.game, &at.position, draws)
    }

    fn distribution(&self, game: &Determinization<G>, at: &DeterminizedPosition<G>) -> Vec<(G::Move, u32)> {
        self.0.distribution(&game.game, &at.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance::check_rules;

    /// An urn with two a's, two b's and two c's. Each drawn letter is kept or thrown away; each letter may be kept
    /// once.
    #[derive(Clone)]
    struct Urn;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Drawn {
        left: [u8; 3],
        hand: Option<usize>,
        kept: [bool; 3],
        order: [usize; 6],
    }

    impl Game for Urn {
        type Position = Drawn;
        type Move = usize;

        fn facts(&self) -> Facts {
            Facts::solitaire().with_chance().with_payoffs(0, 3).with_max_plies(12)
        }
        fn start(&self) -> Drawn {
            Drawn { left: [2; 3], hand: None, kept: [false; 3], order: [9; 6] }
        }
        fn turn(&self, drawn: &Drawn) -> Turn {
            match drawn.hand {
                Some(_) => Turn::Player(Player::FIRST),
                None if drawn.left == [0; 3] => Turn::Over,
                None => Turn::Chance,
            }
        }
        /// 3 throws away, 4 keeps.
        fn moves(&self, drawn: &Drawn) -> impl Iterator<Item = usize> {
            let keep = drawn.hand.is_some_and(|letter| !drawn.kept[letter]);
            drawn.hand.map(|_| 3).into_iter().chain(keep.then_some(4))
        }
        fn outcomes(&self, drawn: &Drawn) -> impl Iterator<Item = (usize, u32)> {
            let (left, chance) = (drawn.left, drawn.hand.is_none());
            (0..3).map(move |letter| (letter, left[letter].into())).filter(move |&(_, n)| chance && n > 0)
        }
        fn apply(&self, drawn: &mut Drawn, mv: usize) {
            if mv < 3 {
                drawn.order[6 - usize::from(drawn.left.iter().sum::<u8>())] = mv;
                drawn.left[mv] -= 1;
                drawn.hand = Some(mv);
            } else if let Some(letter) = drawn.hand.take() {
                drawn.kept[letter] |= mv == 4;
            }
        }
        fn payoff(&self, drawn: &Drawn, _: Player) -> i32 {
            drawn.kept.iter().map(|&kept| i32::from(kept)).sum()
        }
        fn notation(&self, _: &Drawn, mv: usize) -> String {
            mv.to_string()
        }
        fn drawing(&self, drawn: &Drawn) -> String {
            format!("{drawn:?}")
        }
    }

    fn future(key: u64) -> Determinization<Urn> {
        Determinization::new(Urn, Urn.start(), PlayoutKey::new(key))
    }

    #[test]
    fn all_lines_of_play_meet_the_same_outcomes() {
        let order = |future: &Determinization<Urn>, policy| {
            let mut draws = PlayoutKey::new(policy).playout(0);
            let mut at = future.start();
            while future.turn(&at) != Turn::Over {
                let mv = future.random_move(&at, &mut draws);
                future.apply(&mut at, mv);
            }
            at.position.order
        };
        let mut orders = Vec::new();
        for key in 0..100 {
            let met = order(&future(key), 0);
            assert!((1..20).all(|policy| order(&future(key), policy) == met));
            orders.push(met);
        }
        // There are 90 orders, and each future has its own.
        orders.sort_unstable();
        orders.dedup();
        assert!(orders.len() > 40, "{}", orders.len());
    }

    #[test]
    fn a_future_is_a_game_without_chance() {
        let report = check_rules(&future(1));
        assert!(report.is_ok(), "{report}");
    }
}
