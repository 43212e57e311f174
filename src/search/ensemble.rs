//! Root parallelisation: several trees of one position, added up at the root.

use super::searcher::forced_move;
use super::{Decision, Meter, MoveEstimate, MoveStream, NoTree, SearchError, Searcher, Stop, Ties};
use crate::game::Game;
use crate::rng::PlayoutKey;

/// Root parallelisation (Cazenave, Jouandeau 2007, "On the parallelization of UCT"; Chaslot, Winands, van den Herik 2008):
/// several searches of the same position, each with an equal part of the budget and its own randomness. The visits of
/// each move are added up, and its values are averaged by visits. The most visited move is played; the larger value
/// breaks ties.
///
/// The searches run one after the other, so that the result is the same on any machine. The gain is not speed: several
/// small trees have less variance than one large tree (Fern, Lewis 2011, "Ensemble Monte-Carlo planning"). For games of
/// chance it is ensemble-UCT (Bjarnason, Fern, Tadepalli 2009, "Lower bounding Klondike solitaire with Monte-Carlo
/// planning").
///
/// # Cost
/// That of its searches; the memory is that of the largest of them.
#[derive(Clone)]
pub struct Ensemble<S> {
    searcher: S,
    trees: u32,
    ties: Ties,
}

impl<S: Clone> Ensemble<S> {
    /// An ensemble of copies of a searcher.
    ///
    /// # Panics
    /// If `trees` is 0.
    pub fn new(searcher: S, trees: u32, ties: Ties) -> Self {
        assert!(trees > 0, "an ensemble has at least one tree");
        Self { searcher, trees, ties }
    }
}

impl<G: Game, S: Searcher<G> + Clone> Searcher<G> for Ensemble<S> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, SearchError> {
        if let Some(forced) = forced_move(game, position) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        let key: PlayoutKey = stream.playouts();
        let mut moves: Vec<MoveEstimate<G::Move>> = Vec::new();
        let mut stop = Stop::Complete;
        for tree in 0..self.trees {
            // The remaining budget is divided equally among the remaining trees.
            let mut part = meter.part(self.trees - tree);
            let mut searcher = self.searcher.clone();
            let decision =
                searcher.choose(game, position, MoveStream::new(key.child(tree.into())), &mut part);
            meter.count(&part);
            let decision = match decision {
                // The part was too small to visit a move.
                Err(SearchError::Budget { .. }) if tree > 0 => continue,
                decision => decision?,
            };
            stop = decision.stop;
            if moves.is_empty() {
                moves = decision.moves;
            } else {
                moves.iter_mut().zip(&decision.moves).for_each(|(sum, found)| add(sum, found));
            }
        }
        let ranks = moves.iter().map(|estimate| (estimate.visits, estimate.value));
        let best = self.ties.best(ranks, &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop })
    }

    /// No: each search uses a fresh copy of the searcher.
    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Several
    }
}

/// Merges an estimate of a move into another: the mean weighted by visits, with the standard error of independent
/// means.
fn add<M>(sum: &mut MoveEstimate<M>, found: &MoveEstimate<M>) {
    let (a, b) = (sum.visits as f64, found.visits as f64);
    if a + b > 0.0 {
        sum.value = (a * sum.value + b * found.value) / (a + b);
        let (s, t) = (a * sum.standard_error, b * found.standard_error);
        sum.standard_error = (s * s + t * t).sqrt() / (a + b);
    }
    sum.visits += found.visits;
}
