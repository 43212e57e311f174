//! Optimisations in tests: read, played in this process, and mistakes at their places.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use shikou::experiment::{EvaluationLog, Manifest, Optimisation, Optimised, Run, Workers, optimise};

use crate::support;

/// A new folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    support::folder(&format!("optimisation/{name}"))
}

/// Plays what the log in a folder lacks.
pub(crate) fn play(
    manifest: &Manifest,
    optimisation: &Optimisation,
    folder: &Path,
    workers: Workers,
) -> Vec<Run> {
    let (mut log, known) = EvaluationLog::open(folder, manifest, optimisation).unwrap();
    let runs =
        optimise(optimisation, (&mut log, known), workers, &AtomicBool::new(false), &mut |_| ()).unwrap();
    assert!(runs.iter().all(|run| run.outcome.ended.is_some()), "{}", optimisation.name);
    runs
}

/// All optimisations of a manifest, each with the results of those before it.
pub(crate) fn play_all(manifest: &Manifest, folder: &Path) -> Optimised {
    let mut optimised = Optimised::default();
    for optimisation in manifest.optimisations() {
        let optimisation = optimised.fill(optimisation);
        let runs = play(manifest, &optimisation, &folder.join(&optimisation.name), 2.into());
        optimised.take(&optimisation, runs);
    }
    optimised
}

/// Asserts that a manifest is refused with these words, and that what begins with `place` is marked.
pub(crate) fn assert_mistake(text: &str, words: &str, place: &str) {
    let error = support::refusal(text);
    assert!(error.contains(words), "{words} is not in\n{error}");
    // The place is `m.toml:line:column`.
    let at: Vec<usize> = error.split(':').skip(1).take(2).map(|number| number.parse().unwrap()).collect();
    let marked = &text.lines().nth(at[0] - 1).unwrap()[at[1] - 1..];
    assert!(marked.starts_with(place), "{marked:?} is marked\n{error}");
}
