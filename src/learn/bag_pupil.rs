//! A solitaire player that learns the values of positions before chance, by a network of bags.

use super::bag_learner::keep;
use super::bag_network::BagNetwork;
use super::episode::{Episode, Step};
use super::lines::Lines;
use super::pupil::LessonError;
use super::td::{Target, promise};
use crate::game::{BagList, Bags, Game, Outcome, Player, Turn};
use crate::rng::Stream;

/// The points of a finished game.
pub(super) fn points<G: Game>(game: &G, position: &G::Position) -> f64 {
    match game.outcome(position, Player::FIRST) {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    }
}

/// A player that makes the line of moves behind which a network promises most, or sometimes a random one. An end of the game
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
        let (mut lines, mut list) = (Lines::<G>::new(), BagList::default());
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
                    lines.look(self.game, &position);
                    let mut values = lines.ends().map(|end| self.value(end, &mut list)).enumerate();
                    let first = values.next().expect("a player's moves end somewhere");
                    let best = values.fold(first, |best, next| if next.1 > best.1 { next } else { best });
                    let strays = random > 0.0 && draws.unit() < random;
                    let ends = lines.ends().len() as u64;
                    let chosen = if strays { draws.below(ends) as usize } else { best.0 };
                    position = *lines.ends().nth(chosen).expect("it is one of them");
                    let expected = match target {
                        Target::Best => best.1,
                        Target::Played => self.value(&position, &mut list),
                    };
                    if self.game.turn(&position) == Turn::Chance {
                        list.clear();
                        self.bags.fill(self.game, &position, Player::FIRST, &mut list);
                        keep(&list, &mut episode.seen);
                        let strayed = strays && target == Target::Best;
                        episode.steps.push(Step { player: Player::FIRST, expected, strayed });
                    }
                }
            }
        }
        Err(LessonError::Endless(self.longest))
    }

    /// The points that a position before chance promises, or those of a finished game.
    fn value(&self, position: &G::Position, list: &mut BagList) -> f64 {
        if self.game.turn(position) == Turn::Over {
            return points(self.game, position);
        }
        list.clear();
        self.bags.fill(self.game, position, Player::FIRST, list);
        promise(f64::from(self.network.value(list)))
    }
}
