//! Fingerprints: which changes stop a log from being continued.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use shikou::experiment::{Fingerprints, Log, LogError, LogWriter, Manifest, Plan};
use shikou::game::options::{OptionDecl, Options, Settings};
use shikou::game::{NamedGame, Uniform};
use shikou::players::{Catalogue, Fitted, NamedSearcher, Recipe, Registry};
use shikou::search::{FlatMonteCarlo, Ties};

use crate::log::write_log;
use crate::support::folder;

/// A commit that changes one of these numbers changes results: it says so in the changelog, under *Results changed*.
#[test]
fn this_build_behaves_as_it_did() {
    let registry = shikou::registry();
    let mut text = String::new();
    for name in registry.names() {
        let game = registry.game(name, &[]).unwrap();
        for (name, number) in game.fingerprints(&[]) {
            writeln!(text, "{name} {number}").unwrap();
        }
    }
    for searcher in registry.searchers() {
        writeln!(text, "searcher {} {}", searcher.name, searcher.fingerprint()).unwrap();
    }
    let searcher = registry.read_searcher("uct(playouts=cut(evaluation=mobility),policy=uniform)").unwrap();
    let othello = registry.game("othello", &[]).unwrap();
    text.extend(othello.fingerprints(&[&searcher]).iter().map(|(name, number)| format!("{name} {number}\n")));
    insta::assert_snapshot!(text);
}

/// Flat Monte Carlo. Two of these have the same name and differ in their playouts.
struct Mine<const PLAYOUTS: u64>;

impl<const PLAYOUTS: u64> Settings for Mine<PLAYOUTS> {
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    fn read(_: &Options) -> Self {
        Self
    }
}

impl<const PLAYOUTS: u64> NamedSearcher for Mine<PLAYOUTS> {
    const NAME: &'static str = "mine";
    const ABOUT: &'static str = "flat Monte Carlo";

    fn recipe<G: NamedGame>(self, _: &Catalogue<'_, G>) -> Fitted<G> {
        Ok(Recipe::new(FlatMonteCarlo::new(PLAYOUTS, Arc::new(Uniform), Ties::Random)))
    }
}

/// A manifest of tic-tac-toe with these players.
fn manifest(players: &str, registry: &Registry) -> Manifest {
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 3\ndesign = \"round-robin\"\nplayer = [{players}]\n"
    );
    Manifest::parse("test.toml".as_ref(), &text, registry).unwrap()
}

const PLAIN: &str = "{ search = \"random\" }, { search.flat = { playouts-per-move = 2 } }";
const WITH_MINE: &str =
    "{ search = \"random\" }, { search.flat = { playouts-per-move = 2 } }, { search = \"mine\" }";

#[test]
fn a_changed_searcher_stops_the_logs_that_use_it_and_no_others() {
    let (old, new) =
        (shikou::registry().with_searcher::<Mine<1>>(), shikou::registry().with_searcher::<Mine<9>>());
    let folder = folder("fingerprints/changed-searcher");
    for (name, players, stops) in [("plain", PLAIN, false), ("mine", WITH_MINE, true)] {
        let path = folder.join(name).join("trials.csv");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let (then, now) = (manifest(players, &old), manifest(players, &new));
        let (then, now) = (Plan::new(&then).unwrap(), Plan::new(&now).unwrap());
        write_log(&then, &path);
        let before = fs::read(&path).unwrap();
        match LogWriter::open(&path, &now, &Fingerprints::of(&now)) {
            Ok(_) => assert!(!stops, "{name}"),
            Err(LogError::OtherBuild { differing, .. }) => {
                assert!(stops && differing.name == "searcher mine", "{differing:?}");
            }
            Err(error) => panic!("{error}"),
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

/// A larger plan adds new fingerprints, and a change of these also stops the log.
#[test]
fn a_larger_plan_continues_a_log_and_adds_its_fingerprints() {
    let (old, new) =
        (shikou::registry().with_searcher::<Mine<1>>(), shikou::registry().with_searcher::<Mine<9>>());
    let path = folder("fingerprints/larger-plan").join("trials.csv");
    let small = manifest(PLAIN, &old);
    let written = write_log(&Plan::new(&small).unwrap(), &path);
    let (large, changed) = (manifest(WITH_MINE, &old), manifest(WITH_MINE, &new));
    let (large, changed) = (Plan::new(&large).unwrap(), Plan::new(&changed).unwrap());
    drop(LogWriter::open(&path, &large, &Fingerprints::of(&large)).unwrap());
    assert_eq!(Log::read(&path, &large).unwrap().len(), written.len() as u64);
    let error = LogWriter::open(&path, &changed, &Fingerprints::of(&changed)).err().unwrap().to_string();
    assert!(error.contains("searcher mine behaves otherwise"), "{error}");
}
