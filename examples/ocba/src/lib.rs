//! Optimal computing budget allocation, as an example of adding your own searcher.
//!
//! A search divides a number of playouts among the moves. It gives the next playout to the move for which it most
//! raises the probability that the best mean belongs to the best move: a move with a mean close to the best, or with a
//! large variance (Chen, Lin, Yücesan, Chick 2000, "Simulation budget allocation for further enhancing the efficiency
//! of ordinal optimization", theorem 1).

use std::sync::Arc;

use shikou::game::options::{integer, settings};
use shikou::game::{Batch, Game, GameExt, NamedGame, Policy, PolicyExt, Tally, Turn};
use shikou::players::choices::{PolicyChoice, policy, ties};
use shikou::players::{Catalogue, Fitted, NamedSearcher, Recipe};
use shikou::search::{Decided, Decision, Limit, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};

/// The search, which is copied for every game.
#[derive(Clone)]
struct Search<G> {
    policy: Arc<dyn Policy<G>>,
    /// Playouts of each move before the first allocation.
    initial: u64,
    ties: Ties,
}

/// A move, the position after it, and the payoffs of its playouts.
struct Arm<G: Game> {
    mv: G::Move,
    child: G::Position,
    tally: Tally,
}

impl<G: Game> Arm<G> {
    /// The variance of a payoff. It is never 0, so that equal payoffs of a few playouts do not end the search of a move.
    fn variance(&self) -> f64 {
        self.tally.variance() + 1.0 / self.tally.playouts as f64
    }
}

impl<G: Game> Search<G> {
    /// The move that gets the next playout: the one with the smallest fraction of its share.
    fn next(&self, arms: &[Arm<G>]) -> usize {
        let least = arms.iter().enumerate().min_by_key(|(_, arm)| arm.tally.playouts);
        let (least, arm) = least.expect("a turn has a move");
        if arm.tally.playouts < self.initial {
            return least;
        }
        let of_best = |best: usize, other: usize| arms[best].tally.mean() < arms[other].tally.mean();
        let best = (1..arms.len()).fold(0, |best, other| if of_best(best, other) { other } else { best });
        // Equation 4: N_i in proportion to (σ_i / (mean_b − mean_i))², for every move but the best.
        let share = |arm: &Arm<G>| {
            let gap = (arms[best].tally.mean() - arm.tally.mean()).max(1e-3);
            arm.variance() / (gap * gap)
        };
        // Equation 5: N_b = σ_b √(Σ N_i² / σ_i²).
        let others = arms.iter().enumerate().filter(|&(index, _)| index != best);
        let sum: f64 = others.map(|(_, arm)| share(arm) * share(arm) / arm.variance()).sum();
        let wanted = |index: usize| {
            if index == best { (arms[best].variance() * sum).sqrt() } else { share(&arms[index]) }
        };
        let part = |index: usize| arms[index].tally.playouts as f64 / wanted(index);
        (1..arms.len()).fold(0, |least, other| if part(other) < part(least) { other } else { least })
    }
}

impl<G: Game> Searcher<G> for Search<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let Turn::Player(player) = game.turn(at) else { panic!("it is no player's turn") };
        let children = game.children(at);
        let mut arms: Vec<Arm<G>> =
            children.map(|(mv, child)| Arm { mv, child, tally: Tally::default() }).collect();
        if let [only] = &arms[..] {
            return Ok(Decision::unsearched(only.mv, Stop::Forced));
        }
        meter.reserve((arms.len() * size_of::<Arm<G>>()) as u64)?;
        let limit = loop {
            if let Some(limit) = meter.limit() {
                break limit;
            }
            let arm = self.next(&arms);
            let batch = Batch { key: stream.playouts(), first: meter.spent().playouts, count: 1 };
            let tally = self.policy.playouts(game, &arms[arm].child, player, batch);
            meter.count_playouts(&tally);
            arms[arm].tally += tally;
        };
        let value = |arm: &Arm<G>| if arm.tally.playouts > 0 { arm.tally.mean() } else { f64::NEG_INFINITY };
        let best = self.ties.best(arms.iter().map(value), &mut stream.rng());
        let estimate = |arm: &Arm<G>| MoveEstimate {
            mv: arm.mv,
            visits: arm.tally.playouts,
            value: arm.tally.mean(),
            standard_error: (arm.tally.variance() / arm.tally.playouts.max(1) as f64).sqrt(),
        };
        let moves = arms.iter().map(estimate).collect();
        Ok(Decision { chosen: arms[best].mv, moves, stop: Stop::Limit(limit) })
    }

    fn remembers(&self) -> bool {
        false
    }
}

settings! {
    /// The options of `ocba`; its name makes it usable in manifests.
    pub struct Ocba {
        /// playouts of each move before the first allocation
        initial: u64 = integer(1..=1_000_000, 5),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Ocba {
    const NAME: &'static str = "ocba";
    const ABOUT: &'static str = "playouts where they most raise the probability of finding the best move";
    const PAPER: &'static str = "Chen, Lin, Yücesan, Chick 2000";
    const KEEPS: &'static [Limit] = &[Limit::Playouts, Limit::Time];
    const NEEDS_BUDGET: bool = true;

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { initial, policy, ties } = self;
        Ok(Recipe::new(Search { policy: catalogue.policy(&policy)?, initial, ties }))
    }
}
