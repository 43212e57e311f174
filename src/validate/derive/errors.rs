//! The frequency of errors of a searcher on random trees with known best moves, with a small and a larger budget on the
//! same trees.

use std::path::Path;

use rayon::prelude::*;

use super::{Context, Derivation, Derive, Derived, Yields, count, word};
use crate::experiment::document::{PlacedError, Section, Value as Written, array, integer};
use crate::game::divided;
use crate::players::{Registry, SearcherSpec, SolveMethod};
use crate::rng::Stream;
use crate::search::{Limits, MoveStream};
use crate::stats::PairedCounts;
use crate::validate::Found;

const TABLE_BYTES: u64 = 1 << 16;

struct Errors {
    options: Vec<String>,
    trees: u64,
    /// The searcher with the small budget, and with the large one.
    searchers: [SearcherSpec; 2],
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let branching: u64 = section.get("branching", &count(1_000))?;
    let depth: u64 = section.get("depth", &count(100))?;
    let trees = section.get("trees", &count(1 << 32))?;
    let search = section.get("search", &word("uct"))?;
    let budgets = section.require("playouts", "playouts = [16, 1024]")?;
    let span = section.span.clone();
    section.finish()?;
    let [small, large] = array("playouts", budgets)? else {
        return Err(PlacedError::new(
            budgets.span(),
            "`playouts` must be a list of two budgets, such as [16, 1024]",
        ));
    };
    let options = vec![format!("branching={branching}"), format!("depth={depth}")];
    let wrong = |message: String| PlacedError::new(span.clone(), message);
    let game = registry.game("random-tree", &options).map_err(|invalid| wrong(invalid.to_string()))?;
    let searcher = |budget: &Written<'_>| {
        let playouts = integer("playouts", budget, 1..=1 << 40)?;
        let spec = game
            .read_searcher(&format!("{search}@playouts={playouts}"))
            .map_err(|error| wrong(error.to_string()))?;
        game.fits(&spec).map_err(|misfit| wrong(misfit.to_string()))?;
        Ok(spec)
    };
    Ok(Box::new(Errors { options, trees, searchers: [searcher(small)?, searcher(large)?] }))
}

impl Derive for Errors {
    fn yields(&self) -> Yields {
        Yields::Paired
    }

    fn derive(&self, context: &Context<'_>) -> Derived {
        let of_tree = |tree: u64| -> Derived<[bool; 2]> {
            let mut options = self.options.clone();
            options.push(format!("tree={tree}"));
            let game = context.registry.game("random-tree", &options)?;
            let best = game.solve("", &SolveMethod::new(TABLE_BYTES))?.best;
            let stream = MoveStream::new((Stream::new(tree) / "validate" / "errors").playout_key());
            let errs = |searcher: &SearcherSpec| {
                let seats = vec![Some(searcher.clone()); usize::from(game.facts().players)];
                let mut table = game.table(&seats)?;
                table.decide(stream, Limits::default())?;
                let (_, decision) = table.last_decision().ok_or("a machine made no decision")?;
                Derived::Ok(!best.contains(&decision.chosen))
            };
            Ok([errs(&self.searchers[0])?, errs(&self.searchers[1])?])
        };
        let errors: Derived<Vec<[bool; 2]>> =
            divided(|| (0..self.trees).into_par_iter().map(of_tree).collect());
        let mut counts = PairedCounts::default();
        errors?.into_iter().for_each(|[small, large]| counts.push(small, large));
        Ok(Found::Paired(counts))
    }
}
