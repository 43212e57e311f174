use std::sync::Arc;

use super::{Decided, Decision, Distribution, Meter, MoveStream, NoTree, Searcher, Stop};
use crate::game::{Game, MoveReasons, Policy};

/// Plays by a policy, without search. With the uniform policy it is the player `random`.
///
/// # Cost
/// One choice of the policy per move, without allocation.
#[derive(Clone)]
pub struct PolicyPlayer<G> {
    policy: Arc<dyn Policy<G>>,
}

impl<G: Game> PolicyPlayer<G> {
    /// A player that follows this policy.
    pub fn new(policy: Arc<dyn Policy<G>>) -> Self {
        Self { policy }
    }
}

impl<G: Game> Searcher<G> for PolicyPlayer<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, _meter: &mut Meter) -> Decided<G> {
        let mut draws = stream.playouts().playout(0);
        Ok(Decision::unsearched(self.policy.choose(game, at, &mut draws), Stop::Complete))
    }

    fn remembers(&self) -> bool {
        false
    }

    fn distribution(&mut self, game: &G, at: &G::Position, _meter: &mut Meter) -> Distribution<G> {
        let weights = self.policy.distribution(game, at);
        Ok(Some(weights.into_iter().map(|(mv, weight)| (mv, weight.into())).collect()))
    }

    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        self.policy.reasons(game, position)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Unsearched
    }
}
