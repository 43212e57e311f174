//! Experiments: the same bytes for any number of threads, the log as primary data, failures as rows.

use std::fs;
use std::io;
use std::sync::atomic::AtomicBool;

use shikou::experiment::{
    Comparison, Digests, Finished, Manifest, ManifestError, Plan, Record, Shard, Sink, Summary,
    canonical_log, play, run,
};
use shikou::game::options::{OptionError, Options};
use shikou::game::{Entries, Facts, Game, NamedGame, NamedPolicy, Player, Policy, Turn};
use shikou::rng::{PlayoutRng, Rng};
use shikou::stats::{Confidence, Method, wilson};

use crate::log::{read, write_log};
use crate::support::folder;

pub(crate) const MANIFEST: &str = r#"
schema = 1
seed = 11

[[experiment]]
name = "noughts"
game = "tic-tac-toe"
trials = 40
openings = { random-plies = 1 }
player = [
  { name = "a", search = "random" },
  { name = "b", search.flat = { playouts-per-move = 10 } },
  { name = "c", search.minimax = { depth = "full" } },
]

[[experiment]]
game = "calculation"
trials = 60
player = [
  { search = "random" },
  { search.simple-tree = { level = 2, playouts = 2, policy = "waste-first" } },
]
"#;

pub(crate) fn manifest(text: &str) -> Manifest {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let manifest = Manifest::parse("test.toml".as_ref(), text, &shikou::registry().with_game::<Takeaway>())?;
    Plan::new(&manifest).map(|_| manifest)
}

/// Collects records in order of completion.
#[derive(Default)]
pub(crate) struct Keep(pub(crate) Vec<Record>);

impl Sink for Keep {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.0.extend_from_slice(&finished.records);
        Ok(())
    }
}

pub(crate) fn records(plan: &Plan, threads: usize) -> Vec<Record> {
    let mut keep = Keep::default();
    run(plan, threads, &|_| true, &AtomicBool::new(false), None, &mut [&mut keep]).unwrap();
    keep.0.sort_by_key(|record| record.trial);
    keep.0
}

/// The canonical log with its digests.
pub(crate) fn canonical(text: &str, threads: usize) -> (Vec<u8>, Digests) {
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    canonical_log(&plan, &records(&plan, threads))
}

/// The rows of the canonical log, without the header.
fn rows((csv, _): &(Vec<u8>, Digests)) -> Vec<String> {
    String::from_utf8(csv.clone()).unwrap().lines().skip(1).map(Into::into).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let one = canonical(MANIFEST, 1);
    assert_eq!(rows(&one).len(), 40 * 3 * 2 + 60 * 2);
    for threads in [2, 8] {
        assert_eq!(canonical(MANIFEST, threads), one);
    }
}

#[test]
fn the_seed_matters() {
    assert_ne!(
        canonical(&MANIFEST.replace("seed = 11", "seed = 12"), 2).1.digest(),
        canonical(MANIFEST, 2).1.digest()
    );
}

#[test]
fn adding_a_player_changes_no_other_trial() {
    let more = MANIFEST
        .replace(
            r#"{ name = "a""#,
            r#"{ name = "new", search.flat = { playouts-per-move = 3 } }, { name = "a""#,
        )
        .replace(
            r#"{ search = "random" }"#,
            r#"{ search.policy = { policy = "waste-first" } }, { search = "random" }"#,
        );
    let (before, after) = (rows(&canonical(MANIFEST, 2)), rows(&canonical(&more, 2)));
    assert!(after.len() > before.len());
    assert!(before.iter().all(|row| after.contains(row)));
}

#[test]
fn every_player_meets_the_same_deals_and_openings() {
    // A player that differs only in a stream that it does not use plays the same games.
    let text = r#"
        schema = 1
        [[experiment]]
        game.othello = { size = 4 }
        trials = 10
        openings = { random-plies = 2 }
        player = [
          { name = "m", search.minimax = { depth = 2, ties = "first" } },
          { name = "a", search.minimax = { depth = 1, ties = "first" } },
          { name = "b", search.minimax = { depth = 1, ties = "first" }, stream = "b" },
        ]
    "#;
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let records = records(&plan, 2);
    let hashes = |a: usize, b: usize| -> Vec<Vec<u64>> {
        let of_cell = records.iter().filter(|record| {
            let players = &plan.cells(0)[record.trial.cell].players;
            players.contains(&a) && players.contains(&b)
        });
        let mut hashes: Vec<Vec<u64>> =
            of_cell.map(|r| r.games.iter().map(|game| game.game_hash).collect()).collect();
        for pair in &mut hashes {
            pair.sort_unstable();
        }
        hashes
    };
    assert_eq!(hashes(0, 1), hashes(0, 2));
    let distinct: std::collections::BTreeSet<_> = hashes(0, 1).into_iter().collect();
    assert!(distinct.len() > 1, "openings differ from instance to instance");
}

/// Two experiments whose instances are scheduled alternately.
const IN_STEP: &str = r#"
schema = 1
[[experiment]]
name = "a"
game = "tic-tac-toe"
trials = 3
player = [{ search = "random" }, { search = "flat" }, { search.minimax = { depth = "full" } }]
[[experiment]]
name = "b"
game = "calculation"
trials = 6
player = [{ search = "random" }]
"#;

#[test]
fn the_schedule_keeps_experiments_in_step_and_instances_together() {
    let manifest = manifest(IN_STEP);
    let plan = Plan::new(&manifest).unwrap();
    let order: Vec<_> = plan.schedule().map(|t| (t.experiment, t.instance, t.cell)).collect();
    assert_eq!(order.len() as u64, plan.len());
    assert_eq!(order[..6], [(1, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 1, 0), (1, 2, 0)]);
    let mut sorted: Vec<_> = plan.schedule().collect();
    sorted.sort();
    assert_eq!(sorted, plan.canonical().collect::<Vec<_>>());
}

#[test]
fn moving_a_player_in_the_list_moves_no_pair() {
    let moved = IN_STEP.replace(
        r#"{ search = "random" }, { search = "flat" }"#,
        r#"{ search = "flat" }, { search = "random" }"#,
    );
    let ids = |text: &str| {
        let manifest = manifest(text);
        let plan = Plan::new(&manifest).unwrap();
        let mut ids: Vec<String> = plan.canonical().map(|trial| plan.id(&trial).to_string()).collect();
        ids.sort();
        ids
    };
    assert_ne!(IN_STEP, moved);
    assert_eq!(ids(IN_STEP), ids(&moved));
}

#[test]
fn one_trial_can_be_played_again_alone() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let records = records(&plan, 2);
    for record in records.iter().step_by(17) {
        let again = play(&plan, record.trial);
        let facts = |record: &Record| -> Vec<_> {
            record.games.iter().map(|game| (game.result.clone(), game.plies, game.game_hash)).collect()
        };
        assert_eq!(facts(&again), facts(record));
    }
}

#[test]
fn shards_cover_the_plan_without_overlap() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let shares: Vec<Shard> = (1..=5).map(|index| format!("{index}/5").parse().unwrap()).collect();
    for trial in plan.canonical() {
        assert_eq!(shares.iter().filter(|share| share.holds(&trial)).count(), 1);
        assert!(Shard::WHOLE.holds(&trial));
    }
}

#[test]
fn results_that_are_not_complete_have_no_intervals() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let mut records = records(&plan, 2);
    records.pop();
    let summary = Summary::new(&plan, &records);
    assert!(summary.experiments[0].complete && !summary.experiments[1].complete);
    assert_eq!(summary.experiments[1].players[0].result().method, Method::None);
    assert_eq!(summary.experiments[1].players[0].result().high, f64::INFINITY);
}

#[test]
fn a_run_is_compared_with_its_reference() {
    let folder = folder("experiment/reference");
    let one = canonical(MANIFEST, 2);
    assert_eq!(one.1.compare(&folder), Comparison::NoReference);
    fs::write(folder.join("digests.csv"), one.1.to_csv()).unwrap();
    assert_eq!(one.1.compare(&folder), Comparison::Reproduces);
    let many = MANIFEST.replace("trials = 60", "trials = 1000");
    fs::write(folder.join("digests.csv"), canonical(&many, 2).1.to_csv()).unwrap();
    // Every trial of one player of the second experiment differs; the first is in the first block.
    let other = many
        .replace("level = 2", "level = 1")
        .replace(r#""waste-first""#, r#""waste-first", ties = "first""#);
    let comparison = canonical(&other, 2).1.compare(&folder);
    assert_eq!(comparison, Comparison::Differs { from: 1, to: 1000 });
    assert_eq!(comparison.words(), "differs from the reference (first in trials 1–1000)");
}

#[test]
fn the_digest_is_the_sha256_of_the_canonical_log() {
    use sha2::{Digest, Sha256};
    let canonical = canonical(MANIFEST, 1);
    let hex = |text: String, byte: &u8| text + &format!("{byte:02x}");
    let expected = Sha256::digest(&canonical.0).iter().fold(String::new(), hex);
    assert_eq!(canonical.1.digest(), expected);
}

#[test]
fn a_summary_folds_pairs_by_opening() {
    let manifest = manifest(MANIFEST);
    let plan = Plan::new(&manifest).unwrap();
    let records = records(&plan, 2);
    let summary = Summary::new(&plan, &records);
    let noughts = &summary.experiments[0];
    let total: f64 = noughts.players.iter().map(|player| player.result().value).sum();
    assert!((total - 1.5).abs() < 1e-12, "the mean points of a round robin is a half");
    for player in &noughts.players {
        assert_eq!(player.trials, 80);
        assert_eq!(player.wins_draws_losses.iter().sum::<u64>(), 160);
        assert_eq!(player.result().method, Method::StudentPlusTwo);
        let points = player.wins_draws_losses[0] as f64 + player.wins_draws_losses[1] as f64 / 2.0;
        assert!((points / 160.0 - player.result().value).abs() < 1e-12);
        assert!(player.result().low < player.result().value && player.result().value < player.result().high);
    }
    assert_eq!(noughts.players[2].wins_draws_losses[2], 0, "full minimax does not lose from one random ply");
    assert_eq!(summary.experiments[1].players[0].result().method, Method::Wilson);
    assert_eq!(summary.failed_games(), 0);
}

/// Take one or two of ten; taking the last wins. Its policies panic or play illegally.
#[derive(Clone)]
struct Takeaway;

impl Game for Takeaway {
    type Position = (u8, bool);
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(23)
    }
    fn start(&self) -> (u8, bool) {
        (10, false)
    }
    fn random_position(&self, rng: &mut Rng) -> Option<(u8, bool)> {
        Some((4 + rng.below(20) as u8, rng.below(2) == 1))
    }
    fn turn(&self, &(left, second): &(u8, bool)) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(Player::new(u8::from(second))) }
    }
    fn moves(&self, &(left, _): &(u8, bool)) -> impl Iterator<Item = u8> {
        1..=left.min(2)
    }
    fn apply(&self, position: &mut (u8, bool), taken: u8) {
        *position = (position.0 - taken, !position.1);
    }
    fn payoff(&self, &(_, second): &(u8, bool), player: Player) -> i32 {
        // The player to move has not taken the last.
        if player == Player::new(u8::from(second)) { -1 } else { 1 }
    }
    fn notation(&self, _: &(u8, bool), taken: u8) -> String {
        taken.to_string()
    }
    fn drawing(&self, &(left, _): &(u8, bool)) -> String {
        format!("{left} left")
    }
}

impl NamedGame for Takeaway {
    const NAME: &'static str = "takeaway";
    const ABOUT: &'static str = "a test";
    fn with_options(_: &Options) -> Result<Self, OptionError> {
        Ok(Self)
    }
    fn entries(&self) -> Entries<Self> {
        let policies = vec![
            NamedPolicy::uniform(),
            NamedPolicy::new("cheat", "takes three when four are left", Cheat),
            NamedPolicy::new("panic", "panics when four are left", Panic),
        ];
        Entries { policies, ..Entries::default() }
    }
}

struct Cheat;

impl Policy<Takeaway> for Cheat {
    fn choose(&self, game: &Takeaway, position: &(u8, bool), draws: &mut PlayoutRng) -> u8 {
        if position.0 == 4 { 3 } else { game.random_move(position, draws) }
    }
    fn distribution(&self, _: &Takeaway, _: &(u8, bool)) -> Vec<(u8, u32)> {
        vec![(1, 1)]
    }
}

struct Panic;

impl Policy<Takeaway> for Panic {
    fn choose(&self, game: &Takeaway, position: &(u8, bool), draws: &mut PlayoutRng) -> u8 {
        assert!(position.0 != 4, "four\nare, as \"said\", left");
        game.random_move(position, draws)
    }
    fn distribution(&self, _: &Takeaway, _: &(u8, bool)) -> Vec<(u8, u32)> {
        vec![(1, 1)]
    }
}

#[test]
fn a_failed_trial_is_a_row_and_the_run_continues() {
    let text = r#"
        schema = 1
        [[experiment]]
        game = "takeaway"
        trials = 50
        player = [
          { name = "random", search = "random" },
          { name = "cheat", search.policy = { policy = "cheat" } },
          { name = "panic", search.policy = { policy = "panic" } },
        ]
        [[experiment]]
        game.random-tree = { branching = 100000, depth = 1 }
        trials = 2
        memory-mib = 1
        player = [{ search = "random" }, { search.flat = { playouts-per-move = 1 } }]
    "#;
    let path = folder("experiment/failures").join("trials.csv");
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let written = write_log(&plan, &path);
    assert_eq!(written.len() as u64, plan.len());
    assert_eq!(read(&path, &plan), written);
    let summary = Summary::new(&plan, &written);
    let reasons: Vec<&str> =
        summary.experiments[0].failures.iter().map(|(reason, _)| reason.as_str()).collect();
    assert!(reasons.contains(&"panic: four are, as \"said\", left"), "{reasons:?}");
    assert!(reasons.iter().any(|reason| reason.starts_with("illegal move: 3 by player ")), "{reasons:?}");
    let (memory, games) = &summary.experiments[1].failures[0];
    assert_eq!(memory, "memory cap: the search needs 3200000 bytes, and a search may hold 1048576");
    // In one game of each pair `flat` makes the single move, in the other `random`.
    assert_eq!(*games, 2);
    // Failed trials are counted nowhere else.
    let random_games: u64 = summary.experiments[0].players[0].wins_draws_losses.iter().sum();
    assert_eq!(random_games, 2 * summary.experiments[0].players[0].trials);
    let random = &summary.experiments[0].players[0];
    let finished = written.iter().filter(|r| r.trial.experiment == 0 && r.result_of(0).is_some()).count();
    assert_eq!(random.trials, finished as u64);
    assert!(random.trials < 100);
    assert_eq!(canonical_log(&plan, &written), canonical(text, 8));
}

/// The source: 60 of 100 deals solved. An independent check found 43 of 80.
#[test]
#[ignore = "long: 60 deals of a simple tree of level 4 with 20 playouts, about five minutes of one core"]
fn a_simple_tree_solves_calculation_as_often_as_published() {
    let text = r#"
        schema = 1
        seed = 2015
        [[experiment]]
        game = "calculation"
        trials = 60
        player = [{ search.simple-tree = { level = 4, playouts = 20, policy = "foundation-first" } }]
    "#;
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let summary = Summary::new(&plan, &records(&plan, threads));
    let player = &summary.experiments[0].players[0];
    let rate = wilson(player.wins_draws_losses[0], player.trials, Confidence::new(0.999));
    eprintln!(
        "{} of {} solved, 99.9 % Wilson interval [{:.3}, {:.3}]",
        player.wins_draws_losses[0], player.trials, rate.low, rate.high
    );
    eprintln!("{:.2} million playouts a game", player.playouts as f64 / 60e6);
    assert!(rate.low <= 0.60 && 0.60 <= rate.high, "{rate:?}");
}
