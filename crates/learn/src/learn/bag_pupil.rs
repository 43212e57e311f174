//! A solitaire player that learns the values of positions before chance, by a network of bags.

use super::bag_learner::keep;
use super::bag_network::BagNetwork;
use super::bag_values::{BagValues, points};
use super::episode::{Episode, Step};
use super::pupil::{LessonError, Opponent};
use super::td::Target;
use crate::game::{Bags, Game, Player, Turn};
use crate::rng::Stream;

/// A player that makes the line of moves after which a network promises most, or sometimes a random one. An end of the game
/// counts as what it is.
pub struct BagPupil<'p, G: Game> {
    game: &'p G,
    bags: &'p dyn Bags<G>,
    network: &'p BagNetwork,
    /// The chance of a random line, and what is learned then.
    random: (f64, Target),
    /// The longest game.
    longest: u32,
}

impl<'p, G: Game> BagPupil<'p, G> {
    /// A pupil that plays by a network. A game has at most `longest` plies.
    ///
    /// # Panics
    /// If the network is for another number of things.
    pub fn new(
        game: &'p G,
        bags: &'p dyn Bags<G>,
        network: &'p BagNetwork,
        random: (f64, Target),
        longest: u32,
    ) -> Self {
        assert_eq!(network.kinds(), bags.kinds(game), "the network knows these things");
        Self { game, bags, network, random, longest }
    }

    /// Plays a game. Its steps are the positions before chance.
    ///
    /// # Errors
    /// If the game does not end.
    pub fn play<E>(&self, luck: Stream) -> Result<Episode, LessonError<E>> {
        let (random, target) = self.random;
        let (mut draws, mut deal) = ((luck / "pupil").rng(), (luck / "deal").playout_key().playout(0));
        let (mut episode, mut position) = (Episode::default(), self.game.start());
        let mut values = BagValues::new(self.game, self.bags, self.network);
        for _ in 0..=self.longest {
            match self.game.turn(&position) {
                Turn::Over => {
                    episode.points = points(self.game, &position);
                    return Ok(episode);
                }
                Turn::Chance => {
                    let outcome = self.game.random_outcome(&position, &mut deal);
                    self.game.apply(&mut position, outcome);
                }
                Turn::Player(_) => {
                    let found = values.look(&position);
                    let mut best = 0;
                    for (number, &value) in found.iter().enumerate() {
                        best = if value > found[best] { number } else { best };
                    }
                    let strays = random > 0.0 && draws.unit() < random;
                    let chosen = if strays { draws.below(found.len() as u64) as usize } else { best };
                    let expected = match target {
                        Target::Best => found[best],
                        Target::Played => found[chosen],
                    };
                    position = *values.lines().end(chosen);
                    if self.game.turn(&position) == Turn::Chance {
                        keep(values.bags(&position), &mut episode.seen);
                        let strayed = strays && target == Target::Best;
                        episode.steps.push(Step { player: Player::FIRST, expected, strayed });
                    }
                }
            }
        }
        Err(LessonError::Endless(self.longest))
    }

    /// Plays a game by another player's moves, which the pupil learns from: its steps are the positions before chance that the
    /// player reaches. The chance of a random line does not matter.
    ///
    /// # Errors
    /// If the player has no move, or the game does not end.
    pub fn watch<O: Opponent<G>>(
        &self,
        player: &mut O,
        luck: Stream,
    ) -> Result<Episode, LessonError<O::Error>> {
        let mut deal = (luck / "deal").playout_key().playout(0);
        let (mut episode, mut position) = (Episode::default(), self.game.start());
        let mut values = BagValues::new(self.game, self.bags, self.network);
        for _ in 0..=self.longest {
            let mv = match self.game.turn(&position) {
                Turn::Over => {
                    episode.points = points(self.game, &position);
                    return Ok(episode);
                }
                Turn::Chance => self.game.random_outcome(&position, &mut deal),
                Turn::Player(_) => player.choose(self.game, &position).map_err(LessonError::Opponent)?,
            };
            let is_by_player = self.game.turn(&position) != Turn::Chance;
            self.game.apply(&mut position, mv);
            if is_by_player && self.game.turn(&position) == Turn::Chance {
                let expected = values.before_chance(&position);
                keep(values.bags(&position), &mut episode.seen);
                episode.steps.push(Step { player: Player::FIRST, expected, strayed: false });
            }
        }
        Err(LessonError::Endless(self.longest))
    }
}
