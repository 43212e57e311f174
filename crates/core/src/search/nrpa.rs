use std::sync::Arc;

use super::candidates::{forced_move, unvisited};
use super::solitaire_line::{Line, Plan, goes_on};
use super::{Decided, Decision, Limit, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop};
use crate::game::{Game, Player, Policy, Tally};
use crate::rng::Rng;

/// Nested rollout policy adaptation (Rosin 2011, "Nested rollout policy adaptation for Monte Carlo tree search",
/// IJCAI), for solitaires without chance.
///
/// A search of level 0 is a playout by a policy that gives move *m* at ply *p* the weight exp *w*(*p*, *m*), all
/// *w* being 0 at first. A search of level *n* runs `iterations` searches of level *n* − 1, each with its own copy of
/// the policy, and after each adapts the policy to the best line so far: *w* of each of its moves grows by
/// `alpha`, and *w* of every move that was legal there shrinks by `alpha` times its probability. A line that
/// pays as much as the best one replaces it.
///
/// [Codes](Self::with_codes) may tell moves apart instead of plies, and [a policy](Self::with_prior) may say how often moves are played
/// before the search learns.
///
/// The first decision searches and finds a whole game; later decisions follow it. The value of a move is the best payoff
/// of the playouts that began with it, or the game's smallest payoff if none did.
///
/// # Cost
/// `iterations`^`level` playouts, once per game. A playout computes one exponential per legal move at each turn.
#[derive(Clone)]
pub struct Nrpa<G: Game> {
    level: u32,
    iterations: u64,
    alpha: f64,
    by_codes: bool,
    prior: Option<Arc<dyn Policy<G>>>,
    plan: Option<Plan<G>>,
}

impl<G: Game> Nrpa<G> {
    /// A search of this level. The paper's values are 100 iterations and an `alpha` of 1.
    ///
    /// # Panics
    /// If the level or the number of iterations is 0.
    pub const fn new(level: u32, iterations: u64, alpha: f64) -> Self {
        assert!(level > 0 && iterations > 0, "a search has at least level 1 and one iteration");
        Self { level, iterations, alpha, by_codes: false, prior: None, plan: None }
    }

    /// Sets whether weights belong to the [codes](Game::move_code) of moves, at whatever ply they are made. The game must code its moves.
    #[must_use]
    pub fn with_codes(self, by_codes: bool) -> Self {
        Self { by_codes, ..self }
    }

    /// Multiplies the weight of each move by that of a policy: the search begins with this policy, and never plays what it does not. In
    /// the words of the paper, a move has the bias ln of its probability.
    ///
    /// # References
    /// Cazenave 2020, "Generalized nested rollout policy adaptation", Monte Carlo Search; 2016, "Nested rollout policy adaptation with
    /// selective policies", Computer Games: moves that are never played.
    #[must_use]
    pub fn with_prior(self, prior: Option<Arc<dyn Policy<G>>>) -> Self {
        Self { prior, ..self }
    }
}

/// A move, for its weight: its ply and itself, or its code alone.
type Name<M> = (usize, Option<M>);

/// For each ply or code, the logarithms of the weights of the moves seen there.
#[derive(Clone)]
struct Weights<M>(Vec<Vec<(Option<M>, f64)>>);

impl<M: Copy + Eq> Weights<M> {
    fn of(&self, (place, mv): Name<M>) -> f64 {
        let known = self.0.get(place).and_then(|moves| moves.iter().find(|(known, _)| *known == mv));
        known.map_or(0.0, |&(_, weight)| weight)
    }

    #[inline(never)]
    fn add(&mut self, (place, mv): Name<M>, difference: f64) {
        if self.0.len() <= place {
            self.0.resize(place + 1, Vec::new());
        }
        match self.0[place].iter_mut().find(|(known, _)| *known == mv) {
            Some((_, weight)) => *weight += difference,
            None => self.0[place].push((mv, difference)),
        }
    }
}

struct Search<'a, G: Game> {
    game: &'a G,
    start: G::Position,
    iterations: u64,
    alpha: f64,
    by_codes: bool,
    prior: Option<&'a dyn Policy<G>>,
    rng: Rng,
    meter: &'a mut Meter,
    /// For each first move, the number of its playouts and their best payoff.
    first: Vec<MoveEstimate<G::Move>>,
    /// The moves at a turn with their probabilities, kept to save allocations.
    options: Vec<(G::Move, f64)>,
}

impl<G: Game> Search<'_, G> {
    fn search(&mut self, level: u32, weights: &Weights<G::Move>) -> Result<Line<G::Move>, Limit> {
        if level == 0 {
            return self.playout(weights);
        }
        let mut weights = weights.clone();
        let mut best: Option<Line<G::Move>> = None;
        for _ in 0..self.iterations {
            let line = match self.search(level - 1, &weights) {
                Ok(line) => line,
                Err(limit) => return best.ok_or(limit),
            };
            if best.as_ref().is_none_or(|best| line.payoff >= best.payoff) {
                best = Some(line);
            }
            let best = best.as_ref().expect("there is at least this line");
            self.adapt(&mut weights, best);
        }
        Ok(best.expect("there is at least one iteration"))
    }

    fn name(&self, position: &G::Position, ply: usize, mv: G::Move) -> Name<G::Move> {
        if !self.by_codes {
            return (ply, Some(mv));
        }
        (self.game.move_code(position, mv).expect("the game codes its moves").into(), None)
    }

    /// Sets `options` to the moves with their probabilities under the weights: in proportion to exp *w*, times the weight of the prior.
    fn weigh(&mut self, position: &G::Position, ply: usize, weights: &Weights<G::Move>) {
        let mut options = std::mem::take(&mut self.options);
        options.clear();
        let weight = |mv| libm::exp(weights.of(self.name(position, ply, mv)));
        match self.prior {
            None => options.extend(self.game.moves(position).map(|mv| (mv, weight(mv)))),
            Some(prior) => {
                let known = prior.distribution(self.game, position).into_iter();
                options.extend(known.map(|(mv, known)| (mv, f64::from(known) * weight(mv))));
            }
        }
        self.options = options;
        let sum: f64 = self.options.iter().map(|&(_, weight)| weight).sum();
        self.options.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }

    #[inline(never)]
    fn playout(&mut self, weights: &Weights<G::Move>) -> Result<Line<G::Move>, Limit> {
        self.meter.check()?;
        let mut position = self.start;
        let mut moves = Vec::new();
        while goes_on(self.game, &position) {
            self.weigh(&position, moves.len(), weights);
            let mut pick = self.rng.unit();
            let falls_on = |&&(_, probability): &&(G::Move, f64)| {
                pick -= probability;
                pick < 0.0
            };
            // Rounding may leave the sum a little below 1.
            let chosen = self.options.iter().find(falls_on).or(self.options.last());
            let (mv, _) = *chosen.expect("a player's turn has a move");
            moves.push(mv);
            self.game.apply(&mut position, mv);
        }
        let payoff = self.game.payoff(&position, Player::FIRST);
        self.meter.count_playouts(&Tally { playouts: 1, plies: moves.len() as u64, ..Tally::default() });
        for estimate in self.first.iter_mut().filter(|estimate| Some(&estimate.mv) == moves.first()) {
            estimate.visits += 1;
            estimate.value = estimate.value.max(payoff.into());
        }
        Ok(Line::new(payoff, moves))
    }

    /// Adapts the weights to a line. All probabilities are those before the change.
    fn adapt(&mut self, weights: &mut Weights<G::Move>, line: &Line<G::Move>) {
        let (mut position, mut changes) = (self.start, Vec::new());
        for (ply, &mv) in line.reversed.iter().rev().enumerate() {
            self.weigh(&position, ply, weights);
            for &(option, probability) in &self.options {
                changes.push((self.name(&position, ply, option), -self.alpha * probability));
            }
            changes.push((self.name(&position, ply, mv), self.alpha));
            self.game.apply(&mut position, mv);
        }
        for (name, difference) in changes {
            weights.add(name, difference);
        }
    }
}

impl<G: Game> Searcher<G> for Nrpa<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let known = self.plan.take().and_then(|plan| plan.at(at));
        let (line, moves, stop) = if let Some(line) = known {
            (line, Vec::new(), Stop::Complete)
        } else if let Some(forced) = forced_move(game, at) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        } else {
            let first = unvisited(game, at, game.facts().min_payoff.into(), meter)?;
            let mut search = Search {
                game,
                start: *at,
                iterations: self.iterations,
                alpha: self.alpha,
                by_codes: self.by_codes,
                prior: self.prior.as_deref(),
                rng: stream.rng(),
                meter,
                first,
                options: Vec::new(),
            };
            let line = search.search(self.level, &Weights(Vec::new()))?;
            let moves = search.first;
            (line, moves, meter.limit().map_or(Stop::Complete, Stop::Limit))
        };
        let chosen = Plan::follow(&mut self.plan, game, at, line).expect("the game goes on");
        Ok(Decision { chosen, moves, stop })
    }

    /// The best known line to the end of the game.
    fn principal_variation(&self, _: &G, _: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        Plan::variation(self.plan.as_ref(), decision.chosen)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
