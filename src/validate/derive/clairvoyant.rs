//! The number of deals of Calculation that can be won with knowledge of the stock's order. Deals that the search cannot
//! decide count as lost, so the rate is a lower bound.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Context, Derivation, Derive, Yields, count, game, seed};
use crate::experiment::document::{PlacedError, Section};
use crate::game::{DealVerdict, divided};
use crate::players::{AnyGame, Registry};
use crate::rng::Stream;
use crate::validate::Found;

struct Clairvoyant {
    game: Arc<dyn AnyGame>,
    /// The deal stream of an experiment with the same game and seed.
    deal: Stream,
    deals: u64,
    nodes: u64,
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let game = game(section, registry)?;
    let deals = section.get("deals", &count(1_000_000))?;
    let nodes = section.get("nodes", &count(1 << 40))?;
    let seed = section.get("seed", &seed())?;
    let span = section.span.clone();
    section.finish()?;
    let deal = Stream::new(seed) / "deal" / &*game.spec().to_string();
    if game.rules().solve_deal(deal / 0, 1).is_none() {
        return Err(PlacedError::new(span, "the clairvoyant bound exists for calculation only"));
    }
    Ok(Box::new(Clairvoyant { game, deal, deals, nodes }))
}

impl Derive for Clairvoyant {
    fn yields(&self) -> Yields {
        Yields::Rate
    }

    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let is_won = |&instance: &u64| {
            let solution = self.game.rules().solve_deal(self.deal / instance, self.nodes);
            solution.is_some_and(|solution| solution.verdict == DealVerdict::Won)
        };
        let won = divided(|| (0..self.deals).into_par_iter().filter(is_won).count());
        Ok(Found::Rate { successes: won as u64, trials: self.deals })
    }
}
