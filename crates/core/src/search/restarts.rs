use super::{
    Branches, Budget, Decided, Decision, Meter, MoveStream, NoTree, SearchError, Searcher, TreeExtent,
    TreeSearch,
};
use crate::game::Game;

/// Several single-player searches of each position ([`TreeSearch::sp_mcts`]), one after the other, each with an equal part of the budget and
/// its own randomness; the best line of all is followed. One long search may go deep where its first playouts were lucky.
///
/// # References
/// Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008, "Single-player Monte-Carlo tree search", CG: randomised restarts.
///
/// # Cost
/// The cost of its searches. The values of a decision are those of the search that found the line.
#[derive(Clone)]
pub struct Restarts<G: Game> {
    searches: u32,
    /// The search that found the best line.
    search: TreeSearch<G>,
}

impl<G: Game> Restarts<G> {
    /// This number of searches of each position.
    ///
    /// # Panics
    /// If the number is 0.
    pub fn new(search: TreeSearch<G>, searches: u32) -> Self {
        assert!(searches > 0, "there is at least one search");
        Self { searches, search }
    }
}

impl<G: Game> Searcher<G> for Restarts<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let parts: Vec<_> = meter.parts(self.searches as usize).collect();
        let (key, before) = (stream.playouts(), self.search.board.plan.take());
        let (mut best, mut refusal): (Option<Decision<G::Move>>, _) = (None, None);
        for (number, (limits, budget)) in (0..).zip(parts) {
            let Budget { time, cpu_time, .. } = meter.times_left(self.searches - number);
            let mut part = meter.part(limits, Budget { time, cpu_time, ..budget });
            let mut search = self.search.clone();
            search.board.plan.clone_from(&before);
            let found = search.choose(game, at, MoveStream::new(key.child(number.into())), &mut part);
            meter.count(&part);
            let decision = match found {
                // The part was too small to visit a move.
                Err(error @ SearchError::Budget { .. }) => {
                    refusal = Some(error);
                    continue;
                }
                found => found?,
            };
            let payoff = |search: &TreeSearch<G>| search.board.plan.as_ref().map(|plan| plan.line.payoff);
            if best.is_none() || payoff(&search) > payoff(&self.search) {
                (best, self.search) = (Some(decision), search);
            }
        }
        best.ok_or_else(|| {
            self.search.board.plan = before;
            refusal.expect("a search decides, or its budget is too small")
        })
    }

    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        self.search.principal_variation(game, at, decision)
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        self.search.tree(game, position, decision, extent)
    }
}
