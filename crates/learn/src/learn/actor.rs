//! A player at one ply that plays the games that a learner learns from.

use super::environment::{Environment, EpisodeError, play_to_end};
use super::episode::{Episode, Step};
use super::network_learner::NetworkLearner;
use super::td::{Learner, Target, expected_points};
use super::values::Values;
use crate::game::Player;
use crate::rng::{Rng, Stream};

/// Values closer than this are ties, of which one is chosen at random.
const TIE: f64 = 1e-9;

/// A player that makes the move with the best value after it, or a random one. It does not know the end of the game: a
/// finished position is valued like any other.
pub struct Actor<'l> {
    values: Values<'l>,
    /// The chance of a random move, and what is learned then.
    random: (f64, Target),
    longest: u32,
    /// The values after the moves of a position.
    after: Vec<f64>,
}

impl<'l> Actor<'l> {
    /// An actor that plays by the weights that a learner has so far, and at random as its settings say. A game has at most `longest`
    /// plies.
    pub fn of_tuples(learner: &'l Learner, longest: u32) -> Self {
        let (values, random) = (Values::of_tuples(learner), learner.settings().of_random());
        Self { values, random, longest, after: Vec::new() }
    }

    /// An actor that plays by a network in the same way.
    pub fn of_network(learner: &'l NetworkLearner, longest: u32) -> Self {
        let (values, random) = (Values::of_network(learner), learner.settings.of_random());
        Self { values, random, longest, after: Vec::new() }
    }

    /// Plays a game: against another player at the seat that is named, or against itself.
    ///
    /// # Errors
    /// If the other player has no move, or the game does not end.
    ///
    /// # Cost
    /// Nothing is allocated for a ply, once what a game needs has its size.
    pub fn play<E>(
        mut self,
        environment: &mut dyn Environment<E>,
        other: Option<Player>,
        luck: Stream,
    ) -> Result<Episode, EpisodeError<E>> {
        let (mut moves, mut deal) = ((luck / "pupil").rng(), (luck / "deal").rng());
        let (longest, mut episode) = (self.longest, Episode::default());
        let mut play = |environment: &mut (dyn Environment<E> + '_), player| {
            if other == Some(player) {
                return environment.let_other_move();
            }
            let mv = self.choose(environment, player, &mut moves, &mut episode);
            environment.make(mv);
            Ok(())
        };
        play_to_end(environment, longest, &mut |sum| deal.below(sum), &mut play)?;
        episode.points = environment.points();
        Ok(episode)
    }

    /// Chooses a move, by its number, and adds it to the episode.
    fn choose<E>(
        &mut self,
        environment: &dyn Environment<E>,
        player: Player,
        draws: &mut Rng,
        episode: &mut Episode,
    ) -> usize {
        let (random, target) = self.random;
        let is_random = random > 0.0 && draws.unit() < random;
        let pick = is_random.then(|| draws.below(u64::from(environment.count_moves())) as usize);
        let alone = pick.filter(|_| target == Target::Played);
        self.after.clear();
        self.values.after(environment, player, alone, &mut self.after);
        let (mut best, mut most, mut ties) = (0, f64::NEG_INFINITY, 0);
        for (number, &value) in self.after.iter().enumerate() {
            if value > most + TIE {
                (best, most, ties) = (number, value, 1);
            } else if value > most - TIE {
                ties += 1;
                if draws.below(ties) == 0 {
                    best = number;
                }
            }
        }
        let number = if alone.is_some() { best } else { pick.unwrap_or(best) };
        self.values.keep(number, &mut episode.seen);
        let is_random = is_random && alone.is_none();
        episode.steps.push(Step { player, expected: expected_points(most), is_random });
        alone.unwrap_or(number)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::*;
    use crate::game::tuples::{Board, Seen, TupleTable};
    use crate::game::{Facts, Game, Turn};
    use crate::learn::environment::{Choose, GameEnvironment};
    use crate::learn::input::{Input, Squares};
    use crate::learn::td::TdSettings;
    use crate::learn::tuple_sum::TupleSum;

    /// Three squares in a row. The players take a square each in turn; the owner of the middle one wins.
    #[derive(Clone)]
    pub(crate) struct Middle;

    impl Game for Middle {
        type Position = ([u8; 3], u8);
        type Move = usize;

        fn facts(&self) -> Facts {
            Facts::two_player().with_max_plies(3)
        }

        fn start(&self) -> Self::Position {
            ([2; 3], 0)
        }

        fn turn(&self, &(_, plies): &Self::Position) -> Turn {
            if plies == 3 { Turn::Over } else { Turn::Player(Player::new(plies % 2)) }
        }

        fn moves(&self, &(squares, plies): &Self::Position) -> impl Iterator<Item = usize> {
            (0..3).filter(move |&square| plies < 3 && squares[square] == 2)
        }

        fn apply(&self, (squares, plies): &mut Self::Position, square: usize) {
            squares[square] = *plies % 2;
            *plies += 1;
        }

        fn payoff(&self, &(squares, _): &Self::Position, player: Player) -> i32 {
            if usize::from(squares[1]) == player.index() { 1 } else { -1 }
        }

        fn notation(&self, _: &Self::Position, square: usize) -> String {
            square.to_string()
        }

        fn drawing(&self, position: &Self::Position) -> String {
            format!("{position:?}")
        }
    }

    pub(crate) struct Row;

    impl Board<Middle> for Row {
        fn size(&self, _: &Middle) -> (usize, usize) {
            (1, 3)
        }

        fn owners(&self, _: &Middle, &(squares, _): &([u8; 3], u8), player: Player, owners: &mut [u8]) {
            for (owner, square) in owners.iter_mut().zip(squares) {
                *owner = if square == 2 {
                    1
                } else if usize::from(square) == player.index() {
                    2
                } else {
                    0
                };
            }
        }

        fn symmetries(&self, _: &Middle) -> Vec<Vec<usize>> {
            vec![vec![0, 1, 2]]
        }
    }

    const SETTINGS: TdSettings =
        TdSettings { lambda: 0.0, step: [1.0, 0.01], random: 1.0, target: Target::Played };

    fn learner(seen: Seen, settings: TdSettings) -> Learner {
        let sum = TupleSum::new(3, &[TupleTable { length: 3, places: vec![vec![0, 1, 2]] }]);
        Learner::new(sum, seen, settings, false)
    }

    /// A game of the learner, against another player at a seat or against itself.
    pub(crate) fn play<E>(
        actor: Actor<'_>,
        other: Option<(Player, Box<Choose<'_, Middle, E>>)>,
        luck: Stream,
    ) -> Result<Episode, EpisodeError<E>> {
        let input = Input::squares(&Middle, Arc::new(Row), Squares::OneHot);
        let mut environment = GameEnvironment::new(&Middle, Some(&input));
        let (seat, other) = other.unzip();
        if let Some(other) = other {
            environment = environment.with_other(other);
        }
        actor.play(&mut environment, seat, luck)
    }

    fn train(learner: &mut Learner, games: u64, against: bool) {
        for game in 0..games {
            let first = |position: &_| Middle.moves(position).next().ok_or(());
            let other = against.then(|| (Player::new((game % 2) as u8), Box::new(first) as Box<_>));
            let episode = play(Actor::of_tuples(learner, 3), other, Stream::new(5) / game).unwrap();
            learner.learn(&episode, game as f64 / games as f64);
        }
    }

    /// The points that the learner expects for `player` after these owners, as the player sees them.
    fn expected(learner: &Learner, player: Player, owners: [u8; 3]) -> f64 {
        let owners = if learner.seen().by(player).1 { owners.map(|owner| 2 - owner) } else { owners };
        let sum = TupleSum::sum(learner.weights(), &learner.sum().indices(&owners));
        expected_points(if learner.seen().by(player).1 { -sum } else { sum })
    }

    #[test]
    fn values_of_random_play_are_exact() {
        for (seen, lambda) in [(Seen::Inversion, 0.0), (Seen::Inversion, 0.7), (Seen::Negation, 0.0)] {
            let mut learner = learner(seen, TdSettings { lambda, ..SETTINGS });
            train(&mut learner, 20_000, false);
            let expected = |player, owners| expected(&learner, player, owners);
            let (first, second) = (Player::FIRST, Player::SECOND);
            // An edge is taken: the second player takes the middle with chance ½, and otherwise the first one does.
            let edge = expected(first, [2, 1, 1]);
            assert!((edge - 0.5).abs() < 0.05, "{seen:?}, λ = {lambda}: {edge}");
            assert!(expected(first, [1, 2, 1]) > 0.97);
            assert!(expected(second, [0, 2, 1]) > 0.97);
            assert!(expected(second, [0, 1, 2]) < 0.03);
        }
    }

    #[test]
    fn the_best_moves_are_learned_from_random_ones() {
        let mut learner = learner(Seen::Inversion, TdSettings { target: Target::Best, ..SETTINGS });
        train(&mut learner, 20_000, false);
        // Best play of the second player takes the middle.
        assert!(expected(&learner, Player::FIRST, [2, 1, 1]) < 0.05);
    }

    #[test]
    fn an_opponent_is_learned_as_it_plays() {
        let mut learner = learner(Seen::Inversion, SETTINGS);
        train(&mut learner, 20_000, true);
        // After the right edge it takes the left one, and the middle is left; after the left one it takes the middle.
        assert!(expected(&learner, Player::FIRST, [1, 1, 2]) > 0.95);
        assert!(expected(&learner, Player::FIRST, [2, 1, 1]) < 0.05);
        assert!(expected(&learner, Player::SECOND, [0, 2, 1]) > 0.95);
    }

    #[test]
    fn a_game_that_is_too_long_is_an_error() {
        let learner = learner(Seen::Inversion, SETTINGS);
        let error = play::<Infallible>(Actor::of_tuples(&learner, 2), None, Stream::new(1)).unwrap_err();
        assert_eq!(error, EpisodeError::Endless(2));
        assert_eq!(error.to_string(), "the game did not end within 2 plies");
    }
}
