//! Trials in lock-step: each is identical to the trial played alone, whatever the other trials do.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shikou::experiment::{Ended, Finished, Pace, Plan, Record, Sink, canonical_log, play, run};
use shikou::game::Uniform;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::search::{BoltzmannSettings, Searcher, Ties, TreeSearch, Uct, UctSettings};

use crate::experiment::{Keep, manifest};
use crate::resume::ok;
use crate::uct::VARIANTS;

/// A searcher, or a part of one, as manifests write it.
fn toml(text: &str) -> String {
    let Some((name, options)) = text.split_once('(') else {
        let literal = text.parse::<f64>().is_ok() || text.parse::<bool>().is_ok();
        return if literal { text.into() } else { format!("\"{text}\"") };
    };
    let mut depth = 0;
    let apart = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let options = options.strip_suffix(')').unwrap().split(apart).map(|option| {
        let (key, value) = option.split_once('=').unwrap();
        format!("{key} = {}", toml(value))
    });
    format!("{{ {name} = {{ {} }} }}", options.collect::<Vec<_>>().join(", "))
}

/// Players with a given number of playouts per move.
fn players(searchers: &[&str], playouts: u32) -> String {
    let line = |searcher: &&str| {
        format!("  {{ search = {}, budget = {{ playouts = {playouts} }} }},\n", toml(searcher))
    };
    searchers.iter().map(line).collect()
}

/// Ask/tell searchers, and others at the same table; various games, budgets, openings, kept trees.
fn text() -> String {
    format!(
        r#"
schema = 1
seed = 5

[[experiment]]
name = "variants"
game.othello = {{ size = 6 }}
openings = {{ random-plies = 2 }}
design.gauntlet = {{ against = ["flat"] }}
trials = 3
player = [
  {{ name = "flat", search.flat = {{ playouts = 5 }} }},
{}]

[[experiment]]
name = "bandits"
game = "tic-tac-toe"
openings = {{ random-plies = 2 }}
trials = 30
player = [
  {{ search = "random" }},
  {{ search.uct = {{ solver = "bounds" }}, budget = {{ playouts = 200, nodes = 300 }} }},
  {{ search.minimax = {{ depth = "full" }} }},
{}]

[[experiment]]
name = "solitaire"
game = "calculation"
trials = 9
player = [
  {{ search = "random" }},
  {{ search.simple-tree = {{ level = 1, playouts = 2 }} }},
{}]

[[experiment]]
name = "one player without chance"
game.random-tree = {{ players = 1, branching = 4, depth = 12, reward = "score" }}
trials = 9
player = [
  {{ search = "random" }},
{}]

[[experiment]]
name = "several games"
game.random-tree = {{ players = 1, branching = 4, reward = "score" }}
openings = {{ options = {{ depth = [8, 12], tree = [1, 2] }} }}
trials = 9
player = [
  {{ search = "random" }},
{}]

[[experiment]]
name = "positions"
game = "tic-tac-toe"
openings = {{ positions = ["x---o---- x", "xo-x----- o", "a1 b1"] }}
trials = 3
player = [
  {{ search = "random" }},
{}]
"#,
        players(&VARIANTS, 40),
        players(&["flat-ucb", "thompson", "sequential-halving", "bts", "dents"], 77),
        players(&["uct(policy=foundation-first)", "anytime-halving(policy=waste-first)", "dents"], 30),
        players(&["sp-mcts", "sp-mcts(ties=first)", "open-loop-uct"], 50),
        players(&["sp-mcts", "open-loop-uct"], 50),
        players(&["thompson", "uct"], 50),
    )
}

fn in_lock_step(plan: &Plan, pace: Pace) -> Vec<Record> {
    let mut keep = Keep::default();
    let ended = run(plan, pace, &|_| true, &AtomicBool::new(false), None, &mut [&mut keep]).unwrap();
    assert_eq!(ended, Ended::Complete);
    keep.0.sort_by_key(|record| record.trial);
    keep.0
}

/// Every searcher that asks for single playouts can be played by ask and tell.
#[test]
fn every_tree_searcher_asks() {
    fn asks(mut searcher: impl Searcher<TicTacToe>) -> bool {
        searcher.ask_tell().is_some()
    }
    let policy = || Arc::new(Uniform);
    let (temperature, epsilon, entropy, ties) = (0.1, 1.0, 0.0, Ties::First);
    let settings = BoltzmannSettings { temperature, epsilon, entropy, ties };
    assert!(asks(Uct::new(UctSettings::new(policy()))));
    assert!(asks(TreeSearch::boltzmann(policy(), settings)));
    assert!(asks(TreeSearch::open_loop(policy(), 1.0, ties)));
    assert!(asks(TreeSearch::sp_mcts(policy(), (0.5, 0.01), 1, ties)));
}

#[test]
fn each_trial_goes_as_it_goes_alone() {
    let manifest = manifest(&text());
    let plan = Plan::new(&manifest).unwrap();
    let alone: Vec<Record> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    for pace in [Pace { threads: 1, lock_step: 48 }, Pace { threads: 3, lock_step: 5 }] {
        let together = in_lock_step(&plan, pace);
        assert_eq!(together.len(), alone.len());
        for (together, alone) in together.iter().zip(&alone) {
            assert!(together.went_as(alone), "{pace:?}: {together:?} is not {alone:?}");
        }
        assert_eq!(canonical_log(&plan, &together), canonical_log(&plan, &alone));
    }
}

/// Every move is reported once, and the times of a player's moves add up to those of the records.
#[test]
fn times_are_shares_that_add_up() {
    struct Told(u64, u64, u64, u64);
    impl Sink for Told {
        fn take(&mut self, finished: &Finished) -> io::Result<()> {
            let seats = || finished.records.iter().flat_map(|r| &r.games).flat_map(|game| &game.seats);
            self.0 += finished.move_times.len() as u64;
            self.1 += finished.move_times.iter().map(|time| time.ns).sum::<u64>();
            self.2 += seats().map(|seat| u64::from(seat.moves)).sum::<u64>();
            self.3 += seats().map(|seat| seat.wall_ns).sum::<u64>();
            Ok(())
        }
    }
    let manifest = manifest(&text());
    let plan = Plan::new(&manifest).unwrap();
    let mut told = Told(0, 0, 0, 0);
    run(&plan, Pace { threads: 2, lock_step: 7 }, &|_| true, &AtomicBool::new(false), None, &mut [&mut told])
        .unwrap();
    assert!(told.0 > 10_000, "{} moves", told.0);
    assert_eq!((told.0, told.1), (told.2, told.3));
}

/// A fault in one game, in its playouts or its moves, makes only that game fail.
#[test]
fn a_game_that_fails_takes_no_other_with_it() {
    let text = r#"
        schema = 1
        [[experiment]]
        game = "takeaway"
        openings = { random-plies = 1 }
        trials = 60
        player = [
          { name = "random", search = "random" },
          { name = "tree", search = "uct", budget.playouts = 9 },
          { name = "panics", search.uct = { policy = "panic" }, budget.playouts = 2 },
          { name = "cheats", search.policy = { policy = "cheat" } },
        ]
        [[experiment]]
        game.random-tree = { branching = 100000, depth = 1 }
        trials = 2
        memory-mib = 1
        player = [{ search = "random" }, { search = "flat-ucb", budget.playouts = 3 }]
    "#;
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let alone: Vec<Record> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    let failed = |record: &&Record| record.games.iter().any(|game| game.result.is_err());
    let text = format!("{alone:?}");
    assert!(
        ["panic: four", "illegal move", "memory cap"].iter().all(|reason| text.contains(reason)),
        "{text}"
    );
    let failures = alone.iter().filter(failed).count();
    assert!((40..alone.len() - 40).contains(&failures), "{failures} of {}", alone.len());
    let together = in_lock_step(&plan, Pace { threads: 2, lock_step: 25 });
    assert_eq!(together.len(), alone.len());
    for (together, alone) in together.iter().zip(&alone) {
        assert!(together.went_as(alone), "{together:?} is not {alone:?}");
    }
}

/// When stopped, it drops unfinished trials and reports that trials are left.
#[test]
fn interrupted_trials_remain_to_be_played() {
    struct StopAt<'s>(&'s AtomicBool, Vec<Record>);
    impl Sink for StopAt<'_> {
        fn take(&mut self, finished: &Finished) -> io::Result<()> {
            self.1.extend_from_slice(&finished.records);
            self.0.store(true, Ordering::Relaxed);
            Ok(())
        }
    }
    let manifest = manifest(&text());
    let plan = Plan::new(&manifest).unwrap();
    let stop = AtomicBool::new(false);
    let mut sink = StopAt(&stop, Vec::new());
    let pace = Pace { threads: 2, lock_step: 7 };
    assert_eq!(run(&plan, pace, &|_| true, &stop, None, &mut [&mut sink]).unwrap(), Ended::Stopped);
    assert!((sink.1.len() as u64) < plan.len());
    let begun = sink.1;
    let mut keep = Keep::default();
    let wanted = |trial: &_| begun.iter().all(|record| record.trial != *trial);
    run(&plan, pace, &wanted, &AtomicBool::new(false), None, &mut [&mut keep]).unwrap();
    let mut all = [begun.clone(), keep.0].concat();
    all.sort_by_key(|record| record.trial);
    let alone: Vec<Record> = plan.canonical().map(|trial| play(&plan, trial)).collect();
    assert_eq!(canonical_log(&plan, &all), canonical_log(&plan, &alone));
}

#[test]
fn the_command_writes_the_same_bytes_and_says_what_times_mean() {
    let folder = crate::support::folder("lock-step/run");
    fs::write(folder.join("m.toml"), text()).unwrap();
    let alone = ok(&folder, &["run", "m.toml", "--out", "alone"]);
    let together = ok(&folder, &["run", "m.toml", "--out", "together", "--lock-step"]);
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(read("alone/canonical.csv"), read("together/canonical.csv"));
    let warning = "16 games shared a thread, so the time of a move is a share of its time";
    let warns = |text: &str| text.replace("\n│ ", " ").contains(warning);
    assert!(warns(&together) && !warns(&alone), "{together}");
}
