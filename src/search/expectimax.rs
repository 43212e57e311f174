//! Expectimax with Star1 and Star2: games of chance by alpha-beta.

use std::sync::Arc;

use super::searcher::{chances_of_equals, decide};
use super::{Decision, Fault, Limit, Meter, MoveEstimate, MoveStream, Searcher, Ties, Weighted};
use crate::game::{Evaluation, Game, GameExt, Player, Turn};

/// Expectimax (Michie 1966, "Game-playing and game-learning automata"): the largest value where the player at the
/// root decides, the smallest where the opponent does, the mean by weight at chance's turns. With cuts: alpha-beta
/// at decisions, and at chance's turns Star1 and Star2 (Ballard 1983, "The *-minimax search procedure for trees
/// containing chance nodes"; Hauk, Buro, Schaeffer 2004, "Rediscovering *-minimax search").
///
/// To a depth, which counts decisions and chance alike, an evaluation stands in; without a depth every game is
/// played to its end, and values are payoffs. Moves are searched, and probed, in the order of the game's hint. The
/// values of all moves at the root are found. A forced move is
/// played without search. A budget of nodes or time ends it without a decision.
///
/// # Cost
/// Without cuts all positions to the depth. What cuts save depends on how narrow the range of values is that the
/// game or the evaluation states: Star1 and Star2 reckon with its ends.
///
/// # Example
/// ```
/// use shikou::game::Game;
/// use shikou::games::random_tree::{RandomTree, Settings};
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Expectimax, Limits, Meter, MoveStream, Searcher, Star, Ties};
///
/// let game = RandomTree::new(Settings { depth: 6, chance_every: 3, ..Settings::default() }).unwrap();
/// let mut meter = Meter::new(Limits::default());
/// let stream = MoveStream::new(PlayoutKey::new(1));
/// let decision =
///     Expectimax::full(Star::Two, Ties::First).choose(&game, &game.start(), stream, &mut meter).unwrap();
/// let best = decision.moves.iter().map(|estimate| estimate.value).fold(f64::MIN, f64::max);
/// assert!((best - game.expectimax(&game.start())).abs() < 1e-9);
/// ```
#[derive(Clone)]
pub struct Expectimax<G> {
    horizon: Option<(u32, Arc<dyn Evaluation<G>>)>,
    star: Star,
    ties: Ties,
}

/// How much is cut at chance's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Star {
    /// Nothing, and nothing at decisions either: plain expectimax.
    Off,
    /// Star1: the outcomes that were searched, and the ends of the range for the others, may settle the window.
    One,
    /// Star2: before, one move behind each outcome is searched, which bounds what the outcome is worth.
    Two,
}

impl<G: Game> Expectimax<G> {
    /// To the end of every game.
    pub const fn full(star: Star, ties: Ties) -> Self {
        Self { horizon: None, star, ties }
    }

    /// To `depth` plies, where the evaluation stands in.
    ///
    /// # Panics
    /// Where the depth is 0.
    pub fn to_depth(depth: u32, evaluation: Arc<dyn Evaluation<G>>, star: Star, ties: Ties) -> Self {
        assert!(depth > 0, "expectimax looks at least one ply ahead");
        Self { horizon: Some((depth, evaluation)), star, ties }
    }

    /// The range of all values.
    fn range(&self, game: &G) -> (f64, f64) {
        let facts = game.facts();
        match &self.horizon {
            None => (f64::from(facts.min_payoff), f64::from(facts.max_payoff)),
            Some((_, evaluation)) => {
                let (low, high) = evaluation.range(game);
                (low as f64, high as f64)
            }
        }
    }
}

/// One move's search: what all its nodes share.
struct Search<'a, G: Game> {
    game: &'a G,
    settings: &'a Expectimax<G>,
    player: Player,
    /// The range of all values.
    low: f64,
    high: f64,
    /// By so much windows are opened, so that rounding never cuts what lies on their edge.
    slack: f64,
    meter: &'a mut Meter,
    /// The outcomes of all turns of chance from the root to the node at hand.
    outcomes: Vec<Outcome<G>>,
}

/// An outcome of chance and what is known of it.
struct Outcome<G: Game> {
    position: G::Position,
    weight: f64,
    /// Its value lies between these.
    low: f64,
    high: f64,
}

impl<G: Game> Search<'_, G> {
    /// The value of a position for the player at the root; outside the window a bound on the same side.
    fn value(&mut self, position: &G::Position, window: (f64, f64), left: u32) -> Result<f64, Limit> {
        if let Some(limit) = self.meter.limit() {
            return Err(limit);
        }
        self.meter.count_node();
        match (self.game.turn(position), &self.settings.horizon) {
            (Turn::Over, None) => Ok(f64::from(self.game.payoff(position, self.player))),
            (Turn::Over, Some((_, evaluation))) => {
                Ok(evaluation.finished(self.game, position, self.player) as f64)
            }
            (_, Some((_, evaluation))) if left == 0 => {
                Ok(evaluation.evaluate(self.game, position, self.player) as f64)
            }
            (Turn::Player(mover), _) => self.decision(position, mover, window, left, usize::MAX),
            (Turn::Chance, _) => self.chance(position, window, left),
        }
    }

    /// A player's turn, of which only so many moves are searched.
    fn decision(
        &mut self,
        position: &G::Position,
        mover: Player,
        (mut alpha, mut beta): (f64, f64),
        left: u32,
        moves: usize,
    ) -> Result<f64, Limit> {
        let game = self.game;
        let mut best: Option<f64> = None;
        let hint = |(mv, child): (G::Move, G::Position)| (game.order_hint(position, mv, &child), child);
        let mut children: Vec<_> = game.children(position).map(hint).collect();
        if self.settings.star != Star::Off {
            children.sort_by_key(|&(hint, _)| std::cmp::Reverse(hint));
        }
        for (_, child) in children.into_iter().take(moves) {
            let value = self.value(&child, (alpha, beta), left.saturating_sub(1))?;
            if mover == self.player {
                best = Some(best.map_or(value, |best| best.max(value)));
                alpha = alpha.max(value);
            } else {
                best = Some(best.map_or(value, |best| best.min(value)));
                beta = beta.min(value);
            }
            if self.settings.star != Star::Off && alpha >= beta {
                break;
            }
        }
        Ok(best.expect("a player's turn has a move"))
    }

    fn chance(&mut self, position: &G::Position, window: (f64, f64), left: u32) -> Result<f64, Limit> {
        let begin = self.outcomes.len();
        for (mv, weight) in self.game.outcomes(position) {
            let mut child = *position;
            self.game.apply(&mut child, mv);
            let (low, high) = (self.low, self.high);
            self.outcomes.push(Outcome { position: child, weight: f64::from(weight), low, high });
        }
        let value = self.mean(begin, window, left.saturating_sub(1));
        self.outcomes.truncate(begin);
        value
    }

    /// The mean of the outcomes from `begin` on.
    fn mean(&mut self, begin: usize, (alpha, beta): (f64, f64), left: u32) -> Result<f64, Limit> {
        let weights: f64 = self.outcomes[begin..].iter().map(|outcome| outcome.weight).sum();
        // In units of the weights, so that nothing is divided before the end.
        let (alpha, beta) = (alpha * weights, beta * weights);
        let slack = self.slack * weights;
        if self.settings.star == Star::Two {
            for at in begin..self.outcomes.len() {
                self.probe(begin, at, (alpha - slack, beta + slack), left)?;
                let (low, high) = self.bounds(begin);
                if low >= beta + slack {
                    return Ok(low / weights);
                }
                if high <= alpha - slack {
                    return Ok(high / weights);
                }
            }
        }
        let mut sum = 0.0;
        for at in begin..self.outcomes.len() {
            let (rest_low, rest_high) = self.bounds(at + 1);
            let Outcome { position, weight, low, high } = self.outcomes[at];
            let window = if self.settings.star == Star::Off {
                (f64::NEG_INFINITY, f64::INFINITY)
            } else {
                // Ballard 1983: what this outcome must be worth for the mean to leave the window.
                let least = (alpha - sum - rest_high - slack) / weight;
                let most = (beta - sum - rest_low + slack) / weight;
                (least.max(low - self.slack), most.min(high + self.slack))
            };
            let value = self.value(&position, window, left)?;
            sum += weight * value;
            if self.settings.star != Star::Off {
                if sum + rest_low >= beta + slack {
                    return Ok((sum + rest_low) / weights);
                }
                if sum + rest_high <= alpha - slack {
                    return Ok((sum + rest_high) / weights);
                }
            }
        }
        Ok(sum / weights)
    }

    /// Searches one move behind an outcome: a bound on what the outcome is worth, as far as it matters to a window in
    /// units of the weights.
    fn probe(&mut self, begin: usize, at: usize, window: (f64, f64), left: u32) -> Result<(), Limit> {
        let position = self.outcomes[at].position;
        let Turn::Player(mover) = self.game.turn(&position) else { return Ok(()) };
        if self.settings.horizon.is_some() && left == 0 {
            return Ok(());
        }
        let (low, high) = self.bounds(begin);
        let Outcome { weight, low: least, high: most, .. } = self.outcomes[at];
        if mover == self.player {
            // With this value the mean would reach beta, whatever the others are worth.
            let enough = (window.1 - (low - weight * least)) / weight;
            let value = self.decision(&position, mover, (least, most.min(enough)), left, 1)?;
            self.outcomes[at].low = least.max(value);
        } else {
            let enough = (window.0 - (high - weight * most)) / weight;
            let value = self.decision(&position, mover, (least.max(enough), most), left, 1)?;
            self.outcomes[at].high = most.min(value);
        }
        Ok(())
    }

    /// What the outcomes from `begin` on are worth together, at least and at most, in units of the weights.
    fn bounds(&self, begin: usize) -> (f64, f64) {
        let add = |(low, high): (f64, f64), outcome: &Outcome<G>| {
            (low + outcome.weight * outcome.low, high + outcome.weight * outcome.high)
        };
        self.outcomes[begin..].iter().fold((0.0, 0.0), add)
    }
}

impl<G: Game> Expectimax<G> {
    /// The values of all moves of `player`, whose turn it is.
    pub(super) fn estimates(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        meter: &mut Meter,
    ) -> Result<Vec<MoveEstimate<G::Move>>, Fault> {
        let depth = self.horizon.as_ref().map_or(u32::MAX, |(depth, _)| *depth);
        let (low, high) = self.range(game);
        let slack = (high - low) * 1e-9;
        let mut search =
            Search { game, settings: self, player, low, high, slack, meter, outcomes: Vec::new() };
        let estimate = |(mv, child)| {
            let before = search.meter.spent().nodes;
            let window = (f64::NEG_INFINITY, f64::INFINITY);
            let value = search.value(&child, window, depth - 1).map_err(|limit| Fault::Budget { limit })?;
            Ok(MoveEstimate { mv, visits: search.meter.spent().nodes - before, value, spread: 0.0 })
        };
        game.children(position).map(estimate).collect()
    }
}

impl<G: Game> Searcher<G> for Expectimax<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        decide(game, position, stream, meter, self.ties, |player, meter| {
            self.estimates(game, position, player, meter)
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
        meter: &mut Meter,
    ) -> Result<Option<Weighted<G::Move>>, Fault> {
        chances_of_equals(self, self.ties, game, position, meter).map(Some)
    }
}
