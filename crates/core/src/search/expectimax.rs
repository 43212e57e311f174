use std::sync::Arc;

use super::batch_values::BatchValues;
use super::candidates::{Candidates, Estimated, decide};
use super::searcher::chances_of_equals;
use super::{
    Decided, Distribution, Meter, MoveEstimate, MoveStream, NoTree, SearchError, Searcher, Stop, Ties,
};
use crate::game::{Evaluation, Game, GameExt, Player, SearchHints, Turn, sort_values, with_stack};

/// Expectimax (Michie 1966, "Game-playing and game-learning automata"): the largest value at the nodes of the player at
/// the root, the smallest at the opponent's, the weighted mean at chance nodes. Cuts are alpha-beta at player nodes,
/// and Star1 and Star2 at chance nodes (Ballard 1983, "The *-minimax search procedure for trees containing chance
/// nodes"; Hauk, Buro, Schaeffer 2004, "Rediscovering *-minimax search").
///
/// The depth counts players' and chance turns alike. At the depth an evaluation values positions; one that prefers
/// batches values all children of a node in one call. Without a depth, games are searched to their end and values are
/// payoffs. Moves are searched, and probed, in the order of the game's hint. The search finds the value of every move
/// at the root. A forced move is played without search.
///
/// With a budget of nodes or time and an evaluation, the search goes to depth 1, 2, 3 … up to its depth (Slate, Atkin
/// 1977), and the last finished depth decides. Without an evaluation, there is no decision if the budget runs out.
///
/// # Cost
/// Without cuts, every position to the depth. Star1 and Star2 use the ends of the range of values that the game or the
/// evaluation states, so a narrow range allows more cuts.
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

/// The cuts at chance nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Star {
    /// No cuts, also not at player nodes: plain expectimax.
    Off,
    /// Star1: bounds the mean by the searched outcomes, and the ends of the range for the others.
    One,
    /// Star2: first searches one move after each outcome, which bounds the outcome's value.
    Two,
}

impl<G: Game> Expectimax<G> {
    /// To the end of every game.
    pub const fn full(star: Star, ties: Ties) -> Self {
        Self { horizon: None, star, ties }
    }

    /// To `depth` plies, at which the evaluation values positions.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn to_depth(depth: u32, evaluation: Arc<dyn Evaluation<G>>, star: Star, ties: Ties) -> Self {
        assert!(depth > 0, "expectimax looks at least one ply ahead");
        Self { horizon: Some((depth, evaluation)), star, ties }
    }

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

/// The state that all nodes of a move's search share.
struct Search<'a, G: Game> {
    game: &'a G,
    settings: &'a Expectimax<G>,
    player: Player,
    /// The plies from the root to the horizon, or more than any.
    depth: u32,
    low: f64,
    high: f64,
    /// Windows are widened by this much, so that rounding never cuts a value on the edge.
    slack: f64,
    meter: &'a mut Meter,
    /// The outcomes of all chance nodes from the root to the current node.
    outcomes: Vec<ChanceOutcome<G>>,
    /// The evaluation, if it prefers batches. Then one batch values all children at the horizon.
    batched: Option<&'a dyn Evaluation<G>>,
    /// The values of the current node's children, and the place of the child that is searched.
    found: BatchValues<G::Position>,
    child: usize,
    /// Whether some line was cut at the depth.
    cut: bool,
}

struct ChanceOutcome<G: Game> {
    position: G::Position,
    weight: f64,
    low: f64,
    high: f64,
}

impl<G: Game> Search<'_, G> {
    /// The value of a position for the player at the root. Outside the window it is a bound on the same side.
    fn value(&mut self, position: &G::Position, window: (f64, f64), left: u32) -> Result<f64, SearchError> {
        self.meter.check()?;
        let ply = self.depth - left;
        SearchError::check_depth(ply)?;
        self.meter.count_node();
        match (self.game.turn(position), &self.settings.horizon) {
            (Turn::Over, None) => Ok(f64::from(self.game.payoff(position, self.player))),
            (Turn::Over, Some((_, evaluation))) => {
                Ok(evaluation.finished(self.game, position, self.player) as f64)
            }
            (_, Some((_, evaluation))) if left == 0 => {
                self.cut = true;
                if self.batched.is_some() {
                    return Ok(self.found.get(self.child) as f64);
                }
                Ok(evaluation.evaluate(self.game, position, self.player) as f64)
            }
            (Turn::Player(mover), _) => {
                with_stack(ply, || self.decision(position, mover, window, left, usize::MAX))
            }
            (Turn::Chance, _) => with_stack(ply, || self.chance(position, window, left)),
        }
    }

    /// Values positions in one batch if they are at the horizon and the evaluation prefers batches.
    fn value_leaves(&mut self, left: u32, positions: &mut dyn Iterator<Item = G::Position>) {
        if let (0, Some(evaluation)) = (left, self.batched) {
            let player = self.player;
            self.found.find(self.game, evaluation, &mut positions.map(|position| (position, player)));
        }
    }

    /// The value of a player node, from its first `moves` moves only.
    fn decision(
        &mut self,
        position: &G::Position,
        mover: Player,
        (mut alpha, mut beta): (f64, f64),
        left: u32,
        moves: usize,
    ) -> Result<f64, SearchError> {
        let game = self.game;
        let mut best: Option<f64> = None;
        let hint = |(mv, child)| (game.hints().order(game, position, mv, &child), child);
        let mut children: Vec<_> = game.children(position).map(hint).collect();
        if self.settings.star != Star::Off {
            sort_values(&mut children, &|(one, _), (other, _)| other.cmp(one));
        }
        children.truncate(moves);
        let left = left.saturating_sub(1);
        self.value_leaves(left, &mut children.iter().map(|&(_, child)| child));
        for (place, (_, child)) in children.into_iter().enumerate() {
            self.child = place;
            let value = self.value(&child, (alpha, beta), left)?;
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

    fn chance(&mut self, position: &G::Position, window: (f64, f64), left: u32) -> Result<f64, SearchError> {
        let begin = self.outcomes.len();
        for (mv, weight) in self.game.outcomes(position) {
            let (low, high, position) = (self.low, self.high, self.game.after(position, mv));
            self.outcomes.push(ChanceOutcome { position, weight: f64::from(weight), low, high });
        }
        let value = self.mean(begin, window, left.saturating_sub(1));
        self.outcomes.truncate(begin);
        value
    }

    /// The mean of the outcomes from `begin` on.
    fn mean(&mut self, begin: usize, (alpha, beta): (f64, f64), left: u32) -> Result<f64, SearchError> {
        let weights: f64 = self.outcomes[begin..].iter().map(|outcome| outcome.weight).sum();
        // Scaled by the weights, so that only the result is divided.
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
        let outcomes = std::mem::take(&mut self.outcomes);
        self.value_leaves(left, &mut outcomes[begin..].iter().map(|outcome| outcome.position));
        self.outcomes = outcomes;
        for at in begin..self.outcomes.len() {
            self.child = at - begin;
            let (rest_low, rest_high) = self.bounds(at + 1);
            let ChanceOutcome { position, weight, low, high } = self.outcomes[at];
            let window = if self.settings.star == Star::Off {
                (f64::NEG_INFINITY, f64::INFINITY)
            } else {
                // Ballard 1983: the values of this outcome at which the mean leaves the window.
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

    /// Searches one move after an outcome, which bounds the value of the outcome. The window is scaled by the weights.
    fn probe(&mut self, begin: usize, at: usize, window: (f64, f64), left: u32) -> Result<(), SearchError> {
        let position = self.outcomes[at].position;
        let Turn::Player(mover) = self.game.turn(&position) else { return Ok(()) };
        if self.settings.horizon.is_some() && left == 0 {
            return Ok(());
        }
        let ply = self.depth - left;
        SearchError::check_depth(ply)?;
        let (low, high) = self.bounds(begin);
        let ChanceOutcome { weight, low: least, high: most, .. } = self.outcomes[at];
        // With this value the mean reaches beta, or alpha, whatever the other values are.
        let window = if mover == self.player {
            (least, most.min((window.1 - (low - weight * least)) / weight))
        } else {
            (least.max((window.0 - (high - weight * most)) / weight), most)
        };
        let value = with_stack(ply, || self.decision(&position, mover, window, left, 1))?;
        let outcome = &mut self.outcomes[at];
        if mover == self.player {
            outcome.low = least.max(value);
        } else {
            outcome.high = most.min(value);
        }
        Ok(())
    }

    /// The bounds of the weighted sum of the outcomes from `begin` on.
    fn bounds(&self, begin: usize) -> (f64, f64) {
        let add = |(low, high): (f64, f64), outcome: &ChanceOutcome<G>| {
            (low + outcome.weight * outcome.low, high + outcome.weight * outcome.high)
        };
        self.outcomes[begin..].iter().fold((0.0, 0.0), add)
    }
}

impl<G: Game> Expectimax<G> {
    /// The values of all candidates, and the reason why the search ended.
    pub(super) fn estimates(&self, game: &G, candidates: &Candidates<G>, meter: &mut Meter) -> Estimated {
        let depth = self.horizon.as_ref().map(|&(depth, _)| depth);
        iterations(depth, &mut |depth, meter| self.iterate(game, candidates, depth, meter), meter)
    }

    /// The values of all candidates by a search to a depth, and whether some line was cut there.
    fn iterate(&self, game: &G, candidates: &Candidates<G>, depth: u32, meter: &mut Meter) -> Iterated {
        let (low, high) = self.range(game);
        let slack = (high - low) * 1e-9;
        let evaluation = self.horizon.as_ref().map(|(_, evaluation)| &**evaluation);
        let mut search = Search {
            game,
            settings: self,
            player: candidates.player,
            depth,
            low,
            high,
            slack,
            meter,
            outcomes: Vec::new(),
            batched: evaluation.filter(|evaluation| evaluation.facts().prefers_batches),
            found: BatchValues::new(),
            child: 0,
            cut: false,
        };
        search.value_leaves(depth - 1, &mut candidates.children.iter().copied());
        let mut moves = Vec::with_capacity(candidates.moves.len());
        for (mv, child) in candidates.children.iter().enumerate() {
            search.child = mv;
            let before = search.meter.spent().nodes;
            let value = search.value(child, (f64::NEG_INFINITY, f64::INFINITY), depth - 1)?;
            let visits = search.meter.spent().nodes - before;
            moves.push(MoveEstimate::exact(mv, visits, value));
        }
        Ok((moves, search.cut))
    }
}

/// The values of all moves by a search to a depth, and whether some line was cut there.
type Iterated = Result<(Vec<MoveEstimate<usize>>, bool), SearchError>;

/// The values of the last finished iteration to a depth, and the reason why the search ended: without a budget, or without a depth,
/// that of one iteration.
fn iterations(
    depth: Option<u32>,
    iterate: &mut dyn FnMut(u32, &mut Meter) -> Iterated,
    meter: &mut Meter,
) -> Estimated {
    let Some(most) = depth.filter(|_| meter.limits_a_tree()) else {
        return Ok((iterate(depth.unwrap_or(u32::MAX), meter)?.0, Stop::Complete));
    };
    let mut last = None;
    for depth in 1..=most {
        // The first iteration ignores the clock, so that there is a decision.
        meter.set_ignores_time(depth == 1);
        let found = iterate(depth, meter);
        meter.set_ignores_time(false);
        match (found, last) {
            (Ok((moves, false)), _) => return Ok((moves, Stop::Complete)),
            (Ok((moves, true)), _) => last = Some(moves),
            (Err(SearchError::Budget { limit }), Some(moves)) => return Ok((moves, Stop::Limit(limit))),
            (Err(error), _) => return Err(error),
        }
    }
    Ok((last.expect("the depth is at least a ply"), Stop::Complete))
}

impl<G: Game> Searcher<G> for Expectimax<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let mut estimates = |moves: &Candidates<G>, meter: &mut Meter| self.estimates(game, moves, meter);
        decide(game, at, stream, meter, self.ties, &mut estimates)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        let ties = self.ties;
        chances_of_equals(self, ties, game, at, meter).map(Some)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::EveryLine
    }
}
