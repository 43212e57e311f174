//! The number of deals of Calculation that can be won with knowledge of the stock's order. Deals that the search cannot
//! decide count as lost, so the rate is a lower bound.

use std::path::Path;

use rayon::prelude::*;

use super::{Context, Derivation, Derive, Yields, count, game, seed};
use crate::experiment::document::{PlacedError, Section};
use crate::game::{Game, NamedGame, divided};
use crate::games::calculation::{Calculation, Clairvoyant as Solver, Verdict};
use crate::players::Registry;
use crate::rng::Stream;
use crate::validate::Found;

struct Clairvoyant {
    calculation: Calculation,
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
    if game.spec().name != Calculation::NAME {
        let message = format!("the clairvoyant bound exists for {} only", Calculation::NAME);
        return Err(PlacedError::new(span, message));
    }
    let calculation = Calculation::with_options(&game.spec().options)
        .map_err(|invalid| PlacedError::new(span, invalid.to_string()))?;
    let deal = Stream::new(seed) / "deal" / &*game.spec().to_string();
    Ok(Box::new(Clairvoyant { calculation, deal, deals, nodes }))
}

impl Derive for Clairvoyant {
    fn yields(&self) -> Yields {
        Yields::Rate
    }

    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let is_won = |&instance: &u64| {
            let order = self.calculation.deal(&mut (self.deal / instance).rng());
            let solution =
                Solver::new(&self.calculation, self.nodes).solve(&self.calculation.start(), &order);
            matches!(solution.verdict, Verdict::Won(_))
        };
        let won = divided(|| (0..self.deals).into_par_iter().filter(is_won).count());
        Ok(Found::Rate { successes: won as u64, trials: self.deals })
    }
}
