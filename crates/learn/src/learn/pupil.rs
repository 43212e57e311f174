//! A player at one ply that plays the games that a learner learns from.

use super::episode::{Episode, Step, points};
use super::td::{Target, promise};
use crate::game::{Game, GameExt, Player, Turn};
use crate::rng::{Rng, Stream};

/// Values closer than this are ties, of which one is chosen at random.
const TIE: f64 = 1e-9;

/// The moves of a player at the other seat, or in place of a pupil that learns from its games; an error if it has none.
pub(super) type Choose<'o, G, E> = dyn FnMut(&<G as Game>::Position) -> Result<<G as Game>::Move, E> + 'o;

/// Why a game could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonError<E> {
    /// The game is longer than it may be.
    #[error("the game did not end within {0} plies")]
    Endless(u32),
    /// The opponent has no move.
    #[error(transparent)]
    Opponent(E),
}

/// Plays a game: `chance` draws outcomes, and `play` makes the moves of the players. Returns the end.
///
/// # Errors
/// If `play` fails, or the game does not end.
pub(super) fn play_to_end<G: Game, E>(
    game: &G,
    longest: u32,
    mut chance: impl FnMut(&G::Position) -> G::Move,
    mut play: impl FnMut(&mut G::Position, Player) -> Result<(), E>,
) -> Result<G::Position, LessonError<E>> {
    let mut position = game.start();
    for _ in 0..=longest {
        match game.turn(&position) {
            Turn::Over => return Ok(position),
            Turn::Chance => {
                let outcome = chance(&position);
                game.apply(&mut position, outcome);
            }
            Turn::Player(player) => play(&mut position, player).map_err(LessonError::Opponent)?,
        }
    }
    Err(LessonError::Endless(longest))
}

/// What values the positions after moves.
pub trait Values<G: Game> {
    /// A number of what is seen of a position.
    type Seen;

    /// Appends the value for `player` of the position after each move of that player, in order: the logit of the points
    /// that it promises.
    fn after_all(&mut self, game: &G, position: &G::Position, player: Player, values: &mut Vec<f64>);

    /// The value after one move.
    fn after(&mut self, game: &G, position: &G::Position, player: Player, mv: G::Move) -> f64;

    /// Appends what was seen after a move of the last call: its number there, 0 of a single move.
    fn keep(&self, number: usize, seen: &mut Vec<Self::Seen>);
}

/// A player that makes the move with the best value after it, or a random one. It does not know the end of the game: a
/// finished position is valued like any other.
pub struct Pupil<'p, G: Game, V> {
    game: &'p G,
    values: V,
    /// The chance of a random move, and what is learned then.
    random: (f64, Target),
    /// The longest game.
    longest: u32,
    /// The values after the moves of a position.
    after: Vec<f64>,
}

/// A move that a pupil chose.
struct Chosen<M> {
    mv: M,
    /// Its number in what was valued last.
    number: usize,
    expected: f64,
    strayed: bool,
}

impl<'p, G: Game, V: Values<G>> Pupil<'p, G, V> {
    /// A pupil that plays by values, and makes a random move with a given chance. A game has at most `longest` plies.
    pub fn new(game: &'p G, values: V, random: (f64, Target), longest: u32) -> Self {
        Self { game, values, random, longest, after: Vec::new() }
    }

    /// Plays a game: against an opponent at the seat that is named, or against itself.
    ///
    /// # Errors
    /// If the opponent has no move, or the game does not end.
    ///
    /// # Cost
    /// Nothing is allocated for a ply, once what a game needs has its size.
    pub fn play<E>(
        &mut self,
        mut opponent: Option<(Player, &mut Choose<'_, G, E>)>,
        luck: Stream,
    ) -> Result<Episode<V::Seen>, LessonError<E>> {
        let (mut moves, mut deal) = ((luck / "pupil").rng(), (luck / "deal").rng());
        let (game, mut episode) = (self.game, Episode::default());
        let chance = |position: &_| game.outcome_by(position, |sum| deal.below(sum)).1;
        let end = play_to_end(game, self.longest, chance, |position, player| {
            let mv = match &mut opponent {
                Some((seat, choose)) if *seat == player => choose(position)?,
                _ => {
                    let Chosen { mv, number, expected, strayed } = self.choose(position, player, &mut moves);
                    self.values.keep(number, &mut episode.seen);
                    episode.steps.push(Step { player, expected, strayed });
                    mv
                }
            };
            game.apply(position, mv);
            Ok(())
        })?;
        episode.points = points(game, &end);
        Ok(episode)
    }

    fn choose(&mut self, position: &G::Position, player: Player, draws: &mut Rng) -> Chosen<G::Move> {
        let (random, target) = self.random;
        let is_random = random > 0.0 && draws.unit() < random;
        let pick = is_random.then(|| draws.below(u64::from(self.game.move_count(position))) as usize);
        let numbered = |number| self.game.moves(position).nth(number).expect("a player's turn has a move");
        if let (Some(pick), Target::Played) = (pick, target) {
            let mv = numbered(pick);
            let expected = promise(self.values.after(self.game, position, player, mv));
            return Chosen { mv, number: 0, expected, strayed: false };
        }
        self.after.clear();
        self.values.after_all(self.game, position, player, &mut self.after);
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
        let number = pick.unwrap_or(best);
        Chosen { mv: numbered(number), number, expected: promise(most), strayed: is_random }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Facts;
    use crate::game::tuples::{Board, Seen, TupleTable};
    use crate::learn::td::sign;
    use crate::learn::{Learner, TdSettings, TupleSum, TupleValues};

    /// Three squares in a row. The players take a square each in turn; the owner of the middle one wins.
    #[derive(Clone)]
    pub(in crate::learn) struct Middle;

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

    pub(in crate::learn) struct Row;

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

    fn pupil(learner: &Learner, longest: u32) -> Pupil<'_, Middle, TupleValues<'_, Middle>> {
        Pupil::new(&Middle, TupleValues::new(&Row, learner), learner.settings().of_random(), longest)
    }

    fn train(learner: &mut Learner, games: u64, against: bool) {
        for game in 0..games {
            let seat = Player::new((game % 2) as u8);
            let mut first = |position: &_| Middle.moves(position).next().ok_or(());
            let opponent = against.then_some((seat, &mut first as &mut Choose<'_, Middle, ()>));
            let luck = Stream::new(5) / game;
            let episode = pupil(learner, 3).play(opponent, luck).unwrap();
            learner.learn(&episode, game as f64 / games as f64);
        }
    }

    /// What the learner promises `player` after these owners, as the player sees them.
    fn promised(learner: &Learner, player: Player, owners: [u8; 3]) -> f64 {
        let owners = if learner.seen() == Seen::Negation && player == Player::SECOND {
            owners.map(|owner| 2 - owner)
        } else {
            owners
        };
        let sign = sign(learner.seen(), player);
        promise(sign * TupleSum::sum(learner.weights(), &learner.sum().indices(&owners)))
    }

    #[test]
    fn promises_of_random_play_are_its_exact_values() {
        for (seen, lambda) in [(Seen::Inversion, 0.0), (Seen::Inversion, 0.7), (Seen::Negation, 0.0)] {
            let mut learner = learner(seen, TdSettings { lambda, ..SETTINGS });
            train(&mut learner, 20_000, false);
            let promised = |player, owners| promised(&learner, player, owners);
            let (first, second) = (Player::FIRST, Player::SECOND);
            // An edge is taken: the second player takes the middle with chance ½, and otherwise the first one does.
            let edge = promised(first, [2, 1, 1]);
            assert!((edge - 0.5).abs() < 0.05, "{seen:?}, λ = {lambda}: {edge}");
            assert!(promised(first, [1, 2, 1]) > 0.97);
            assert!(promised(second, [0, 2, 1]) > 0.97);
            assert!(promised(second, [0, 1, 2]) < 0.03);
        }
    }

    #[test]
    fn the_best_moves_are_learned_from_random_ones() {
        let mut learner = learner(Seen::Inversion, TdSettings { target: Target::Best, ..SETTINGS });
        train(&mut learner, 20_000, false);
        // Best play of the second player takes the middle.
        assert!(promised(&learner, Player::FIRST, [2, 1, 1]) < 0.05);
    }

    #[test]
    fn an_opponent_is_learned_as_it_plays() {
        let mut learner = learner(Seen::Inversion, SETTINGS);
        train(&mut learner, 20_000, true);
        // After the right edge it takes the left one, and the middle is left; after the left one it takes the middle.
        assert!(promised(&learner, Player::FIRST, [1, 1, 2]) > 0.95);
        assert!(promised(&learner, Player::FIRST, [2, 1, 1]) < 0.05);
        assert!(promised(&learner, Player::SECOND, [0, 2, 1]) > 0.95);
    }

    #[test]
    fn a_game_that_is_too_long_is_an_error() {
        let learner = learner(Seen::Inversion, SETTINGS);
        let error = pupil(&learner, 2).play::<std::convert::Infallible>(None, Stream::new(1)).unwrap_err();
        assert_eq!(error, LessonError::Endless(2));
        assert_eq!(error.to_string(), "the game did not end within 2 plies");
    }
}
