//! Data of the tests, and decisions of searchers: also for the tests of the whole program.

use std::path::{Path, PathBuf};

use shikou::game::{Game, NamedGame};
use shikou::players::{SearcherSpec, build};
use shikou::rng::PlayoutKey;
use shikou::search::{Budget, Decision, Limits, Meter, MoveStream, Searcher, Spent};

/// A file or folder of the large data set, if it is there: in `$SHIKOU_DATA`, else in `../shared/data`.
/// Reports on standard error that a test is skipped.
pub(crate) fn large_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SHIKOU_DATA")
        .map_or_else(|| Path::new(crate::ROOT).join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!(
            "skipped: {} is not there (set SHIKOU_DATA to the folder that holds {name})",
            path.display()
        );
        return None;
    }
    Some(path)
}

/// A file of the sample that is committed in `tests/data`.
pub(crate) fn sample_data(name: &str) -> PathBuf {
    Path::new(crate::ROOT).join("tests/data").join(name)
}

/// The decision of a searcher within a budget, and its costs.
pub(crate) fn ask_within<G: Game>(
    searcher: &mut (impl Searcher<G> + ?Sized),
    game: &G,
    at: &G::Position,
    budget: Budget,
    seed: u64,
) -> (Decision<G::Move>, Spent) {
    let mut meter = Meter::new(Limits::default()).with_budget(budget);
    let decision = searcher.choose(game, at, MoveStream::new(PlayoutKey::new(seed)), &mut meter).unwrap();
    (decision, meter.spent())
}

/// The decision of a searcher without a budget, and its costs.
pub(crate) fn ask<G: Game>(
    searcher: &mut (impl Searcher<G> + ?Sized),
    game: &G,
    at: &G::Position,
    seed: u64,
) -> (Decision<G::Move>, Spent) {
    ask_within(searcher, game, at, Budget::UNLIMITED, seed)
}

/// Reads a searcher of the crate from text.
#[track_caller]
pub(crate) fn searcher(text: &str) -> SearcherSpec {
    shikou::registry().read_searcher(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The decision of the searcher of a text, and its costs.
pub(crate) fn decide<G: NamedGame>(
    text: &str,
    game: &G,
    at: &G::Position,
    seed: u64,
) -> (Decision<G::Move>, Spent) {
    let recipe = build(game, &searcher(text)).unwrap_or_else(|misfit| panic!("{text}: {misfit}"));
    ask_within(&mut *recipe.machine(), game, at, recipe.budget(), seed)
}
