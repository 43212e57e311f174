//! Networks of bags as evaluations of a solitaire.
//!
//! The key decision: an evaluation may look through a few turns of chance before it asks the network, and then compares whole lines
//! of moves with one another. Rejected: a search that counts plies, which stops before one card on a line of three moves and
//! after it on a line of one.

use std::sync::Arc;

use super::deep_sets::DeepSets;
use super::deep_sets_values::DeepSetsValues;
use super::environment::points;
use crate::game::{
    Bags, ChildValues, Evaluation, EvaluationFacts, Found, Game, GameExt, LineValues, Lines, Player, Turn,
    sort_indices,
};

/// The expected points by a network of bags, rounded to multiples of a unit; a win is 1, a loss 0.
///
/// The network knows positions before chance. A position at the player's turn is worth the best that its lines of moves reach:
/// a position before chance, or an end of the game, which counts as what it is. So a search may stop at any position.
///
/// # Cost
/// A pass of the network for each position before chance; at the player's turn there are several, and some allocation. Each turn
/// of chance that is looked through multiplies that by its outcomes, and by the positions that are looked through.
pub struct DeepSetsEvaluation<G: Game> {
    network: Arc<DeepSets>,
    bags: Bags<G>,
    unit: f64,
    ahead: LookAhead,
}

/// How an evaluation looks through turns of chance: expectimax over the player's lines of moves, of which it follows the most
/// promising only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// The turns of chance. Without any, the network values positions at once.
    pub turns: u32,
    /// How many positions before chance it looks through, of those that a player's moves reach, at least 1.
    pub width: usize,
    /// How many points less than the best such a position may have.
    pub margin: f64,
}

impl LookAhead {
    /// None.
    pub const NONE: Self = Self { turns: 0, width: 1, margin: 0.0 };
}

impl<G: Game> DeepSetsEvaluation<G> {
    /// The evaluation by a network.
    ///
    /// # Panics
    /// If the network is for another number of things, the game is no solitaire, or the unit is not above 0.
    pub fn new(game: &G, network: Arc<DeepSets>, bags: Bags<G>, unit: f64) -> Self {
        assert_eq!(network.kinds(), bags.kinds, "the network knows these things");
        assert_eq!(game.facts().players, 1, "a network of bags values a solitaire");
        assert!(unit > 0.0, "a unit is above 0");
        Self { network, bags, unit, ahead: LookAhead::NONE }
    }

    /// The evaluation with a look ahead.
    ///
    /// # Panics
    /// If its width is 0.
    #[must_use]
    pub fn with_look_ahead(self, ahead: LookAhead) -> Self {
        assert!(ahead.width > 0, "at least one position is looked through");
        Self { ahead, ..self }
    }

    fn rounded(&self, points: f64) -> i64 {
        (points / self.unit).round() as i64
    }

    fn looking<'v>(&'v self, game: &'v G) -> Looking<'v, G> {
        let new = || DeepSetsValues::new(game, &self.bags, &self.network);
        let values = std::iter::repeat_with(new).take(self.ahead.turns as usize + 1).collect();
        Looking { game, ahead: self.ahead, values, known: Vec::new(), through: Vec::new() }
    }
}

/// A look at positions, one after the other.
struct Looking<'v, G: Game> {
    game: &'v G,
    ahead: LookAhead,
    /// For the network, and for each turn that is looked through.
    values: Vec<DeepSetsValues<'v, G>>,
    /// The positions before chance from which all turns were looked through, with their points.
    known: Vec<(G::Position, f64)>,
    /// The values of the last look through turns of chance.
    through: Vec<f64>,
}

impl<G: Game> Looking<'_, G> {
    /// The expected points of a position after a number of turns of chance.
    fn points(&mut self, position: &G::Position, turns: usize) -> f64 {
        match self.game.turn(position) {
            Turn::Over => points(self.game, position),
            Turn::Chance if turns == 0 => self.values[0].before_chance(position),
            Turn::Chance if turns == self.ahead.turns as usize => {
                if let Some((_, points)) = self.known.iter().find(|(known, _)| known == position) {
                    return *points;
                }
                let points = self.mean(position, turns);
                self.known.push((*position, points));
                points
            }
            Turn::Chance => self.mean(position, turns),
            Turn::Player(_) => self.best(position, turns),
        }
    }

    fn mean(&mut self, position: &G::Position, turns: usize) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (outcome, weight) in self.game.outcomes(position) {
            let mut child = *position;
            self.game.apply(&mut child, outcome);
            sum += f64::from(weight) * self.points(&child, turns - 1);
            weights += f64::from(weight);
        }
        sum / weights
    }

    fn best(&mut self, position: &G::Position, turns: usize) -> f64 {
        if turns == 0 {
            return self.values[0].look(position).iter().copied().fold(0.0, f64::max);
        }
        let mut best = 0.0;
        self.look_through(position, turns, |_, points| best = f64::max(best, points));
        best
    }

    /// Looks through the turns of chance after the most promising ends of the player's moves, and shows each end's number and points.
    fn look_through(&mut self, position: &G::Position, turns: usize, mut show: impl FnMut(usize, f64)) {
        let (own, LookAhead { width, margin, .. }) = (&mut self.values[turns], self.ahead);
        let found = own.look(position);
        let best = found.iter().copied().fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..found.len()).collect();
        sort_indices(&mut order, &|one, other| found[other].total_cmp(&found[one]));
        let followed = order.into_iter().take(width).take_while(|&number| found[number] >= best - margin);
        let followed: Vec<usize> = followed.collect();
        let ends: Vec<_> = followed.into_iter().map(|number| (number, *own.lines().end(number))).collect();
        for (number, end) in ends {
            show(number, self.points(&end, turns));
        }
    }

    /// The lines of the last look.
    fn lines(&self) -> &Lines<G> {
        self.values[self.ahead.turns as usize].lines()
    }
}

impl<G: Game> LineValues<G> for Looking<'_, G> {
    fn look(&mut self, position: &G::Position) -> &[f64] {
        let turns = self.ahead.turns as usize;
        if turns == 0 {
            return self.values[0].look(position);
        }
        self.known.clear();
        let mut through = Vec::new();
        self.look_through(position, turns, |number, points| through.push((number, points)));
        self.through.clear();
        self.through.resize(self.lines().count(), f64::NEG_INFINITY);
        for (number, points) in through {
            self.through[number] = points;
        }
        &self.through
    }

    /// Behind a first move other ends are among the most promising, so ends that were not looked through count as left out.
    fn is_whole(&self) -> bool {
        let all = self.ahead.turns == 0 || self.through.iter().all(|value| value.is_finite());
        all && self.lines().is_whole()
    }

    fn end(&self, number: usize) -> &G::Position {
        self.lines().end(number)
    }

    fn count_moves(&self, number: usize) -> u32 {
        self.lines().backwards(number).count() as u32
    }

    fn moves(&self, number: usize) -> Vec<G::Move> {
        let mut moves: Vec<G::Move> = self.lines().backwards(number).collect();
        moves.reverse();
        moves
    }
}

impl<G: Game> Evaluation<G> for DeepSetsEvaluation<G> {
    fn evaluate(&self, game: &G, position: &G::Position, _player: Player) -> i64 {
        self.rounded(self.looking(game).points(position, self.ahead.turns as usize))
    }

    /// Positions that several moves reach are looked at once.
    fn each_child(&self, game: &G, position: &G::Position, _wanted: ChildValues, found: Found<'_>) {
        let mut looking = self.looking(game);
        let value = |(_, child)| self.rounded(looking.points(&child, self.ahead.turns as usize));
        let _ = game.children(position).map(value).try_for_each(found);
    }

    fn lines<'v>(&'v self, game: &'v G) -> Option<Box<dyn LineValues<G> + 'v>> {
        Some(Box::new(self.looking(game)))
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts {
            unit: self.unit,
            largest: self.rounded(1.0),
            is_points: true,
            ..EvaluationFacts::default()
        }
    }

    fn finished(&self, game: &G, position: &G::Position, _player: Player) -> i64 {
        self.rounded(points(game, position))
    }

    fn range(&self, _game: &G) -> (i64, i64) {
        (0, self.rounded(1.0))
    }
}
