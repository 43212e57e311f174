//! A solitaire player that learns the values of positions before chance, by a network of bags.

use super::deep_sets::DeepSets;
use super::deep_sets_learner::keep;
use super::deep_sets_values::DeepSetsValues;
use super::environment::{Choose, Environment as _, EpisodeError, GameEnvironment, play_to_end};
use super::episode::{Episode, Step};
use super::td::Target;
use crate::game::{Bags, Game, Turn};
use crate::rng::Stream;

/// A player that makes the line of moves with the largest value of a network, or sometimes a random one. An end of the game
/// counts as what it is.
pub struct DeepSetsActor<'p, G: Game> {
    game: &'p G,
    bags: &'p Bags<G>,
    network: &'p DeepSets,
    /// The chance of a random line, and what is learned then.
    random: (f64, Target),
    longest: u32,
}

impl<'p, G: Game> DeepSetsActor<'p, G> {
    /// An actor that plays by a network. A game has at most `longest` plies.
    ///
    /// # Panics
    /// If the network is for another number of things.
    pub fn new(
        game: &'p G,
        bags: &'p Bags<G>,
        network: &'p DeepSets,
        random: (f64, Target),
        longest: u32,
    ) -> Self {
        assert_eq!(network.kinds(), bags.kinds, "the network knows these things");
        Self { game, bags, network, random, longest }
    }

    /// Plays a game. Its steps are the positions before chance.
    ///
    /// # Errors
    /// If the game does not end.
    pub fn play<E>(&self, luck: Stream) -> Result<Episode, EpisodeError<E>> {
        let (random, target) = self.random;
        let mut draws = (luck / "pupil").rng();
        self.game(luck, |values, position| {
            let found = values.look(position);
            let mut best = 0;
            for (number, &value) in found.iter().enumerate() {
                best = if value > found[best] { number } else { best };
            }
            let explores = random > 0.0 && draws.unit() < random;
            let chosen = if explores { draws.below(found.len() as u64) as usize } else { best };
            let (expected, is_random) = match target {
                Target::Best => (found[best], explores),
                Target::Played => (found[chosen], false),
            };
            *position = *values.lines().end(chosen);
            Ok(Some((expected, is_random)))
        })
    }

    /// Plays a game by another player's moves, which the actor learns from: its steps are the positions before chance that the
    /// player reaches. The chance of a random line does not matter.
    ///
    /// # Errors
    /// If the player has no move, or the game does not end.
    pub fn watch<E>(&self, player: &mut Choose<'_, G, E>, luck: Stream) -> Result<Episode, EpisodeError<E>> {
        self.game(luck, |_, position| {
            let mv = player(position)?;
            self.game.apply(position, mv);
            Ok(None)
        })
    }

    /// Plays a game in which `play` makes the moves, and returns the points expected after them and whether they are random; `None`
    /// if that is to be looked up.
    fn game<E>(
        &self,
        luck: Stream,
        mut play: impl FnMut(&mut DeepSetsValues<'p, G>, &mut G::Position) -> Result<Option<(f64, bool)>, E>,
    ) -> Result<Episode, EpisodeError<E>> {
        let mut deal = (luck / "deal").playout_key().playout(0);
        let mut values = DeepSetsValues::new(self.game, self.bags, self.network);
        let mut episode = Episode::default();
        let mut environment = GameEnvironment::new(self.game, None);
        let mut play = |environment: &mut GameEnvironment<'_, G, E>, player| {
            let position = &mut environment.position;
            let known = play(&mut values, position)?;
            if self.game.turn(position) == Turn::Chance {
                let (expected, is_random) = known.unwrap_or_else(|| (values.before_chance(position), false));
                keep(values.bags(position), &mut episode.seen);
                episode.steps.push(Step { player, expected, is_random });
            }
            Ok(())
        };
        play_to_end(&mut environment, self.longest, &mut |sum| deal.below(sum as u32).into(), &mut play)?;
        episode.points = environment.points();
        Ok(episode)
    }
}
