//! Summaries, compared with a slow recomputation, and reports as snapshots.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use shikou::experiment::{
    Difference, ExperimentSummary, GameRecord, InstanceResults, Meeting, MoveTimes, Plan, Record, Reference,
    RunFacts, SeatRecord, Sides, Stopper, Summary, SummaryFold, Warning, WarningKind,
};
use shikou::game::Outcome;
use shikou::report::{Extent, answer_report, cautions, figure_csv, figure_svg, run_csv, run_report, verdict};
use shikou::rng::{Rng, Stream};
use shikou::search::Spent;
use shikou::stats::{
    Confidence, MatchCounts, Method, Moments, PairedCounts, PairedMoments, clustered_rate_of_counts, holm,
    mcnemar_asymptotic, mean_interval, score_interval, tango, wilson,
};

use crate::support::manifest;

const SOLO: &str = r#"
schema = 1
question = "Which policy solves more?"
[[experiment]]
game = "calculation"
trials = 60
player = [
  { name = "random", search = "random" },
  { name = "foundation", search.policy = { policy = "foundation-first" } },
  { name = "flat", search.flat = { playouts-per-move = 4 } },
]
"#;

const ROUND_ROBIN: &str = r#"
schema = 1
[[experiment]]
name = "noughts"
game = "tic-tac-toe"
trials = 40
openings = { random-plies = 1 }
player = [
  { name = "random", search = "random" },
  { name = "flat 5", search.flat = { playouts-per-move = 5 } },
  { name = "flat 50", search.flat = { playouts-per-move = 50 } },
  { name = "minimax", search.minimax = { depth = "full" } },
]
"#;

const GAUNTLET: &str = r#"
schema = 1
[[experiment]]
game.othello = { size = 4 }
trials = 50
openings = { random-plies = 2 }
design.gauntlet = { against = ["random"] }
player = [
  { name = "random", search = "random" },
  { name = "discs", search.minimax = { depth = 2, evaluation = "discs" } },
  { name = "flat", search.flat = { playouts-per-move = 10 } },
  { name = "uniform", search.policy = { policy = "uniform" } },
]
"#;

const PRIMARY: &str = r#"
schema = 1
[[experiment]]
game.othello = { size = 6 }
trials = 40
openings = { random-plies = 4 }
primary = [["flat 30", "flat 3"]]
player = [
  { name = "flat 3", search.flat = { playouts-per-move = 3 } },
  { name = "flat 30", search.flat = { playouts-per-move = 30 } },
  { name = "random", search = "random" },
]
"#;

const ALIKE: &str = r#"
schema = 1
[[experiment]]
name = "deals"
game = "calculation"
trials = 50
player = [
  { name = "a", search.policy = { policy = "waste-first" } },
  { name = "b", search.policy = { policy = "waste-first" }, stream = "b" },
]
[[experiment]]
name = "boards"
game.othello = { size = 6 }
design = "match"
trials = 50
openings = { random-plies = 4 }
player = [{ name = "a", search = "random" }, { name = "b", search = "random", stream = "b" }]
"#;

fn played(plan: &Plan) -> Vec<Record> {
    plan.canonical().map(|trial| shikou::experiment::play(plan, trial)).collect()
}

/// Synthetic records: random results, and occasionally a failure.
fn made_up(plan: &Plan, failing: bool, rng: &mut Rng) -> Vec<Record> {
    let outcomes = [Outcome::Loss, Outcome::Draw, Outcome::Win];
    plan.canonical()
        .map(|trial| {
            let cell = &plan.cells(trial.experiment)[trial.cell];
            let paired = cell.players.len() == 2;
            let game = |seating: Vec<usize>, rng: &mut Rng| {
                // Later players in the list are better.
                let lean = 2 * seating[0] as u64;
                let outcome = match (paired, rng.below(9) < 3 + lean) {
                    (true, false) => outcomes[rng.below(3) as usize],
                    (false, false) => Outcome::Loss,
                    (_, true) => Outcome::Win,
                };
                let failed = failing && rng.below(20) == 0;
                let score = rng.below(40) as i32 - 20 + lean as i32;
                let result =
                    if failed { Err(format!("reason {}", rng.below(2))) } else { Ok((outcome, score)) };
                let seat = |player: usize, rng: &mut Rng| SeatRecord {
                    player,
                    moves: rng.below(30) as u32,
                    spent: Spent { playouts: rng.below(99), plies: rng.below(999), nodes: rng.below(99) },
                    wall_ns: rng.below(1000),
                };
                GameRecord {
                    result,
                    forfeit: None,
                    plies: 5,
                    game_hash: rng.below(200),
                    seats: seating.into_iter().map(|player| seat(player, rng)).collect(),
                }
            };
            let games = cell.seatings().iter().map(|seating| game(seating.clone(), rng)).collect();
            Record { trial, games, cpu_ns: rng.below(4000) }
        })
        .collect()
}

/// The records of one experiment by instance.
fn by_instance(records: &[Record], experiment: usize) -> BTreeMap<u64, Vec<&Record>> {
    let mut instances: BTreeMap<u64, Vec<&Record>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.trial.experiment == experiment) {
        instances.entry(record.trial.instance).or_default().push(record);
    }
    instances
}

fn check_players(summary: &ExperimentSummary, records: &[Record], index: usize) {
    let confidence = Confidence::default_level();
    for (number, player) in summary.players.iter().enumerate() {
        let of_player = || records.iter().filter(|record| record.trial.experiment == index);
        let results = of_player().filter_map(|record| record.result_of(number)).count();
        assert_eq!(player.trials, results as u64);
        let instances = by_instance(records, index);
        let means: Vec<(f64, f64)> = instances
            .values()
            .filter_map(|records| {
                let results: Vec<_> = records.iter().filter_map(|record| record.result_of(number)).collect();
                let n = results.len() as f64;
                let mean = |part: fn(&(f64, f64)) -> f64| results.iter().map(part).sum::<f64>() / n;
                (!results.is_empty()).then(|| (mean(|r| r.0), mean(|r| r.1)))
            })
            .collect();
        let scores: Moments = means.iter().map(|mean| mean.1).collect();
        assert_eq!((player.instances, player.margin.value), (scores.count(), scores.mean()));
        let seats =
            || of_player().flat_map(|r| &r.games).flat_map(|g| &g.seats).filter(|s| s.player == number);
        assert_eq!(player.plies, seats().map(|seat| seat.spent.plies).sum::<u64>());
        assert_eq!(player.nodes, seats().map(|seat| seat.spent.nodes).sum::<u64>());
        assert_eq!(player.moves, seats().map(|seat| u64::from(seat.moves)).sum::<u64>());
        if summary.paired {
            let shares: Moments = means.iter().map(|mean| mean.0).collect();
            assert!((player.result().value - shares.mean()).abs() < 1e-12);
            let met = summary.meetings.iter().filter(|meeting| meeting.players.contains(&number)).count();
            if met > 1 {
                assert_eq!(
                    player.result(),
                    score_interval(&shares, player.trials as f64 / player.instances as f64, confidence)
                );
            }
        } else {
            assert_eq!(player.result(), wilson(player.wins_draws_losses[0], player.trials, confidence));
        }
    }
    // The CPU time of all trials, divided among the players.
    let cpu: u64 = records.iter().filter(|r| r.trial.experiment == index).map(|r| r.cpu_ns).sum();
    let shared: f64 = summary.players.iter().map(|player| player.cpu_ns).sum();
    assert!((shared - cpu as f64).abs() < 1e-6 * cpu as f64);
}

fn check_difference(difference: &Difference, records: &[Record], index: usize) {
    let confidence = Confidence::default_level();
    let (mut counts, mut scores) = (PairedCounts::default(), PairedMoments::default());
    for records in by_instance(records, index).values() {
        let [first, second] =
            difference.players.map(|player| records.iter().find_map(|record| record.result_of(player)));
        if let (Some(first), Some(second)) = (first, second) {
            counts.push(first.0 == 1.0, second.0 == 1.0);
            scores.push(first.1, second.1);
        }
    }
    assert_eq!(difference.counts, Some(counts));
    assert_eq!(difference.success, Some(tango(counts, confidence)));
    assert_eq!(difference.margin_correlation, scores.correlation());
    assert_eq!(difference.margin_variance_reduction, scores.variance_reduction());
    // The bootstrap's interval is near the normal one.
    let normal = scores.difference(confidence);
    let width = normal.high - normal.low;
    assert!((difference.margin.value - normal.value).abs() < 1e-9);
    assert!((difference.margin.low - normal.low).abs() < 0.15 * width, "{difference:?} {normal:?}");
    assert!((difference.margin.high - normal.high).abs() < 0.15 * width);
}

fn check_meeting(meeting: &Meeting, records: &[Record], index: usize) {
    let confidence = Confidence::default_level();
    let [first, second] = meeting.players;
    let results: Vec<(f64, f64)> = records
        .iter()
        .filter(|record| record.trial.experiment == index)
        .filter(|record| record.games[0].seats.iter().any(|seat| seat.player == second))
        .filter_map(|record| record.result_of(first))
        .collect();
    let mut pentanomial = [0; 5];
    for (share, _) in &results {
        pentanomial[(4.0 * share) as usize] += 1;
    }
    assert_eq!(meeting.pentanomial, pentanomial);
    assert_eq!(meeting.pairs, results.len() as u64);
    let counts = MatchCounts::pairs(pentanomial);
    assert_eq!(meeting.points, counts.score_interval(confidence));
    assert_eq!(meeting.superiority, counts.superiority());
    let margins: Moments = results.iter().map(|(_, margin)| *margin).collect();
    assert!((meeting.margin.value - margins.mean()).abs() < 1e-9);
    let superiority = meeting.superiority.unwrap();
    let p = 2.0 * superiority.min(1.0 - superiority);
    assert!((meeting.tested.unwrap().p - p).abs() < 1e-12);
    if let Some(sides) = &meeting.sides {
        check_sides(sides, meeting, records, index);
    }
    let [wins, draws, _] = meeting.wins_draws_losses.map(|games| games as f64);
    assert!((meeting.points.value - (wins + draws / 2.0) / (2 * meeting.pairs) as f64).abs() < 1e-12);
}

/// The sides of a meeting, counted game by game.
fn check_sides(sides: &Sides, meeting: &Meeting, records: &[Record], index: usize) {
    let confidence = Confidence::default_level();
    let of_match = |record: &&Record| record.trial.experiment == index && record.result_of_first().is_some();
    let pairs: Vec<&Record> = records.iter().filter(of_match).collect();
    let games: Vec<_> = pairs.iter().flat_map(|record| &record.games).collect();
    for (seat, side) in [&sides.first, &sides.second].into_iter().enumerate() {
        let own: Vec<_> = games.iter().filter(|game| game.seats[seat].player == meeting.players[0]).collect();
        let count = |wanted: Outcome| {
            let outcome = if seat == 0 { wanted } else { wanted.reversed() };
            own.iter().filter(|game| game.result.as_ref().unwrap().0 == outcome).count() as u64
        };
        let expected = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count);
        assert_eq!((side.games, side.wins_draws_losses), (own.len() as u64, expected));
        assert_eq!(side.drawn, wilson(expected[1], side.games, confidence));
        let plies: Moments = own.iter().map(|game| f64::from(game.plies)).collect();
        assert_eq!(side.plies, mean_interval(&plies, confidence));
    }
    assert_eq!(sides.total.wins_draws_losses, meeting.wins_draws_losses);
    let drawn = |game: &GameRecord| u64::from(game.result.as_ref().unwrap().0 == Outcome::Draw);
    let clusters: Vec<_> =
        pairs.iter().map(|record| ((record.games.iter().map(drawn).sum(), 2), 1)).collect();
    let expected = clustered_rate_of_counts(&clusters, confidence);
    assert!((sides.total.drawn.low - expected.low).abs() < 1e-12, "{:?} {expected:?}", sides.total.drawn);
    assert!((sides.total.drawn.high - expected.high).abs() < 1e-12);
}

#[test]
fn the_fold_agrees_with_slow_recomputation() {
    let mut rng = (Stream::new(9) / "made up").rng();
    for text in [SOLO, ROUND_ROBIN, GAUNTLET, PRIMARY, ALIKE] {
        let manifest = manifest(text);
        let plan = Plan::new(&manifest).unwrap();
        for failing in [false, true] {
            let records = made_up(&plan, failing, &mut rng);
            let summary = Summary::new(&plan, &records);
            for (index, experiment) in summary.experiments.iter().enumerate() {
                check_players(experiment, &records, index);
                experiment
                    .differences
                    .iter()
                    .for_each(|difference| check_difference(difference, &records, index));
                experiment.meetings.iter().for_each(|meeting| check_meeting(meeting, &records, index));
                let games: Vec<(Vec<usize>, u64)> = records
                    .iter()
                    .filter(|record| record.trial.experiment == index)
                    .flat_map(|record| &record.games)
                    .filter(|game| game.result.is_ok())
                    .map(|game| (game.seats.iter().map(|seat| seat.player).collect(), game.game_hash))
                    .collect();
                let distinct: BTreeSet<_> = games.iter().collect();
                assert_eq!(experiment.games, games.len() as u64);
                assert_eq!(experiment.distinct_games, distinct.len() as u64);
                let failed = experiment.failures.iter().map(|(_, count)| count).sum::<u64>();
                let all = records
                    .iter()
                    .filter(|r| r.trial.experiment == index)
                    .map(|r| r.games.len())
                    .sum::<usize>();
                assert_eq!(failed + experiment.games, all as u64);
                assert_eq!(failing, experiment.warnings.contains(&Warning::Failures { games: failed }));
            }
        }
    }
}

#[test]
fn comparisons_that_are_not_primary_are_corrected_together() {
    let text = SOLO.replace("player = [", "primary = [[\"flat\", \"random\"]]\nplayer = [");
    let manifest = manifest(&text);
    let plan = Plan::new(&manifest).unwrap();
    let mut rng = (Stream::new(10) / "made up").rng();
    let summary = Summary::new(&plan, &made_up(&plan, false, &mut rng));
    let experiment = &summary.experiments[0];
    assert_eq!(experiment.family, 2);
    let p = |difference: &Difference| {
        let counts = difference.counts.unwrap();
        mcnemar_asymptotic(counts.only_first, counts.only_second)
    };
    let (primary, others): (Vec<_>, Vec<_>) =
        experiment.differences.iter().partition(|difference| difference.tested.unwrap().primary);
    assert_eq!((primary[0].first.as_str(), primary[0].second.as_str()), ("flat", "random"));
    assert_eq!(primary[0].tested.unwrap().corrected_p, p(primary[0]));
    let corrected: Vec<f64> =
        others.iter().map(|difference| difference.tested.unwrap().corrected_p).collect();
    assert_eq!(corrected, holm(&others.iter().map(|difference| p(difference)).collect::<Vec<_>>()));
}

#[test]
fn a_search_that_is_limited_by_time_is_said() {
    let text = ROUND_ROBIN.replace("\"full\" } }", "\"full\" }, budget = { time = \"1s\" } }");
    let manifest = manifest(&text);
    let plan = Plan::new(&manifest).unwrap();
    let summary = Summary::new(&plan, &[]);
    assert_eq!(summary.experiments[0].warnings, [Warning::TimeLimited { player: "minimax".into() }]);
}

/// One warning for all players whose time others used, and none of those that the clock does not limit, nor of threads that may
/// have waited for each other.
#[test]
fn a_busy_machine_is_said_once() {
    let share = |players: &str, share: f64| {
        let text = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 40
design = "round-robin"
openings.random-plies = 1
"#;
        let plan = Plan::new(&manifest(&format!("{text}player = [{players}]\n"))).unwrap();
        let mut records = made_up(&plan, false, &mut (Stream::new(11) / "made up").rng());
        for record in &mut records {
            for seat in record.games.iter_mut().flat_map(|game| &mut game.seats) {
                (seat.moves, seat.wall_ns) = (1, 1_000_000);
            }
            let wall = 1e6 * record.games.iter().map(|game| game.seats.len()).sum::<usize>() as f64;
            record.cpu_ns = (share * wall) as u64;
        }
        let found = cautions(&Summary::new(&plan, &records), &RunFacts::default(), true, true);
        let found = found.into_iter().filter(|caution| caution.kind == WarningKind::BusyMachine);
        found.map(|caution| caution.words).collect::<Vec<_>>()
    };
    let players = r#""uct(time=2ms)", "anytime-halving(time=2ms)", "uct(cpu-time=2ms)", "uct@100""#;
    assert_eq!(share(players, 0.92), [""; 0]);
    let threads = r#""uct(time=2ms,parallel=tree(threads=2))", "uct(time=2ms)""#;
    assert_eq!(share(threads, 0.4), [""; 0]);
    let names = "uct(time=2ms) and anytime-halving(time=2ms)";
    assert_eq!(
        share(players, 0.4),
        [format!(
            "the machine was busy: the searches of {names} had a processor for as little as 40 % of their time, so a move found \
             less than on an idle machine; limit cpu-time in place of time, or use fewer threads."
        )]
    );
}

/// `--deny-warnings` counts the warnings that are printed, of every reference.
#[test]
fn the_warnings_of_a_report_are_those_that_it_prints() {
    let all = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference")).unwrap();
    let mut most = 0;
    for path in all.map(|entry| entry.unwrap().path()) {
        let Some(Reference { summary, facts, .. }) = Reference::of_summary(&path).unwrap() else { continue };
        for (timed, whole) in [(false, false), (true, false), (false, true)] {
            let printed = if whole {
                run_report(&summary, None, &facts, Extent::Short)
            } else {
                answer_report(&summary, timed.then_some(&facts))
            };
            let found = cautions(&summary, &facts, timed, whole);
            let place = path.display();
            let count = printed.to_string().matches("Warning: ").count();
            assert_eq!(count, found.len(), "{place} {timed} {whole}: {found:?}");
            most = most.max(count);
        }
    }
    assert!(most > 0);
}

/// Players with the same budget that do not do the same work; a budget of time means equal time.
#[test]
fn players_that_were_meant_to_be_equal_and_are_not_are_said() {
    let said = |players: &str| {
        let text = format!(
            "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 2\ndesign = \"round-robin\"\n\
             openings.random-plies = 2\nplayer = [{players}]\n"
        );
        let plan = Plan::new(&manifest(&text)).unwrap();
        let summary = Summary::new(&plan, &played(&plan));
        let words = verdict(&summary.experiments[0]);
        words.into_iter().find(|sentence| sentence.starts_with("With the same budget"))
    };
    let cut = "\"uct@20\", \"uct(playouts=cut(plies=4))@20\", \"uct@40\"";
    let found = said(cut).unwrap();
    let (begin, end) =
        ("With the same budget, playouts=20, uct@20 looked at ", " times as many positions a move as ");
    assert!(found.starts_with(begin) && found.contains(end), "{found}");
    assert_eq!(said("\"uct@20\", \"uct(exploration=0.5)@40\""), None);
    assert_eq!(said("\"uct@time=1ms\", \"uct(exploration=0.5)@time=1ms\""), None);
}

/// Each warning has its line in the guide, and a name; no report writes one without.
#[test]
fn the_guide_lists_every_warning() {
    let guide = include_str!("../docs/guide.md");
    for kind in WarningKind::ALL {
        let row = format!("| `{}` | {} |", kind.name(), kind.about());
        assert!(guide.contains(&row), "{row}");
    }
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/report/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if !entry.ends_with("caution.rs") && !entry.ends_with("page.rs") {
                let text = std::fs::read_to_string(&entry).unwrap_or_default();
                assert!(!text.contains("\"Warning: "), "{}", entry.display());
            }
        }
    }
}

/// The report as text, without the lines that depend on this machine.
fn report(summary: &Summary, plan: &Plan, extent: Extent) -> String {
    let times = MoveTimes::read(Path::new("nowhere"), plan);
    let report = run_report(summary, Some(&times), &RunFacts::default(), extent).to_string();
    report.lines().filter(|line| !line.starts_with('│')).collect::<Vec<_>>().join("\n")
}

/// A report from `summary.json` is the report from the log, without the lines of this machine.
#[test]
fn a_report_from_the_json_of_a_summary_is_that_from_the_log() {
    for text in [SOLO, ROUND_ROBIN, GAUNTLET, PRIMARY, ALIKE] {
        let manifest = manifest(text);
        let plan = Plan::new(&manifest).unwrap();
        let summary = Summary::new(&plan, &played(&plan));
        let read = Summary::from_json(&serde_json::to_string_pretty(&summary).unwrap()).unwrap();
        for extent in [Extent::Short, Extent::Full] {
            let rendered = run_report(&read, None, &RunFacts::default(), extent).to_string();
            let (of_this_run, rest): (Vec<&str>, Vec<&str>) =
                rendered.lines().partition(|line| line.starts_with('│'));
            assert_eq!(
                of_this_run,
                ["│ Rendered from summary.json: times of moves and of trials are only in the log of a run."]
            );
            let without_gaps = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.is_empty()).map(Into::into).collect()
            };
            assert_eq!(without_gaps(&rest.join("\n")), without_gaps(&report(&summary, &plan, extent)));
        }
    }
}

/// Nothing is lost on the way through the JSON, and every committed reference can be rendered.
#[test]
fn every_committed_summary_is_read_and_written_back_to_the_byte() {
    let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let mut read = 0;
    for reference in std::fs::read_dir(references).unwrap() {
        let path = reference.unwrap().path().join("summary.json");
        let text = std::fs::read_to_string(&path).unwrap();
        let summary = Summary::from_json(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // A large summary is committed on one line.
        let written =
            if text.lines().count() == 1 { serde_json::to_string } else { serde_json::to_string_pretty };
        assert_eq!(written(&summary).unwrap() + "\n", text, "{}", path.display());
        assert!(!run_report(&summary, None, &RunFacts::default(), Extent::Short).to_string().is_empty());
        read += 1;
    }
    assert!(read > 10, "{read} references");
}

#[test]
fn a_summary_that_is_not_one_is_an_error() {
    let reason = |text: &str| Summary::from_json(text).unwrap_err().to_string();
    assert!(reason("{}").contains("missing field"), "{}", reason("{}"));
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/tour/summary.json"),
    )
    .unwrap();
    let other = text.replacen("\"schema\": 3", "\"schema\": 4", 1);
    assert_eq!(reason(&other), "schema 4, but this build reads 3");
    let unmeasured = text.replacen("\"points\": {", "\"pointz\": {", 1);
    assert_eq!(
        reason(&unmeasured),
        "a player must have one of `success`, `points` and `score`, the one that counts"
    );
    let unknown = text.replacen("\"first\": \"random\"", "\"first\": \"nobody\"", 1);
    assert!(reason(&unknown).contains("`nobody` is no player of tic-tac-toe"), "{}", reason(&unknown));
}

fn report_of(text: &str) -> String {
    let manifest = manifest(text);
    let plan = Plan::new(&manifest).unwrap();
    report(&Summary::new(&plan, &played(&plan)), &plan, Extent::Short)
}

macro_rules! snapshot {
    ($name:ident, $text:expr) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(report_of($text));
        }
    };
}

snapshot!(solo, SOLO);
snapshot!(round_robin, ROUND_ROBIN);
snapshot!(gauntlet, GAUNTLET);
snapshot!(primary, PRIMARY);
snapshot!(alike, ALIKE);

#[test]
fn incomplete_and_failed() {
    let manifest = manifest(ROUND_ROBIN);
    let plan = Plan::new(&manifest).unwrap();
    let mut rng = (Stream::new(11) / "made up").rng();
    let mut records = made_up(&plan, true, &mut rng);
    insta::assert_snapshot!("failed", report(&Summary::new(&plan, &records), &plan, Extent::Short));
    records.pop();
    let summary = Summary::new(&plan, &records);
    assert!(summary.experiments[0].meetings.iter().all(|meeting| meeting.tested.is_none()));
    insta::assert_snapshot!("incomplete", report(&summary, &plan, Extent::Short));
    assert!(!report(&Summary::new(&plan, &[]), &plan, Extent::Full).is_empty());
}

/// If a rule stops an experiment, its verdict replaces all others, and intervals are valid at any time.
#[test]
fn stopped() {
    let text = ROUND_ROBIN.replace("trials = 40", "trials = 400\nstopping.half-width = { at-most = 0.1 }");
    let manifest = manifest(&text);
    let plan = Plan::new(&manifest).unwrap();
    let mut rng = (Stream::new(12) / "made up").rng();
    let records = made_up(&plan, false, &mut rng);
    let mut fold = SummaryFold::new(&plan);
    let mut stopper = Stopper::new(&plan, 0).unwrap();
    for records in records.chunks(plan.cells(0).len()) {
        stopper.push(&InstanceResults::new(plan.cells(0), records));
        for record in records {
            fold.push(record);
        }
        if stopper.decision().is_some() {
            break;
        }
    }
    fold.stop(0, stopper.summary(manifest.experiments()[0]).unwrap());
    let summary = fold.finish();
    let experiment = &summary.experiments[0];
    assert!(experiment.complete && experiment.ratings.is_none());
    assert!(experiment.meetings.iter().all(|meeting| meeting.tested.is_none()));
    for player in &experiment.players {
        assert_eq!(player.result().method, Method::Betting);
        assert!(player.result().high - player.result().low <= 0.2);
    }
    insta::assert_snapshot!(report(&summary, &plan, Extent::Full));
}

#[test]
fn the_terminal_report_is_shortened_and_other_formats_complete() {
    let each =
        (1..=9).map(|n| format!("{{ search.flat = {{ playouts = {n} }} }}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 40\nplayer = [{each}]\n\
         primary = [[\"flat(playouts=2)\", \"flat(playouts=1)\"]]"
    );
    let manifest = manifest(&text);
    let plan = Plan::new(&manifest).unwrap();
    let mut rng = (Stream::new(13) / "made up").rng();
    let summary = Summary::new(&plan, &made_up(&plan, false, &mut rng));
    let short = report(&summary, &plan, Extent::Short);
    assert!(short.contains("21 comparisons left out here: summary.json has all"), "{short}");
    let full = report(&summary, &plan, Extent::Full);
    assert!(!full.contains("left out here") && full.len() > short.len());
    let csv = run_csv(&summary, true);
    let scores =
        csv.lines().filter(|line| line.starts_with("meetings,") && line.contains(",points,")).count();
    assert_eq!(scores, 36);
    assert!(csv.lines().all(|line| line.matches(',').count() >= 8));
}

/// The long table has a match by seats too: a count, a fraction and the plies for each seat and in total.
#[test]
fn a_match_by_seats_is_in_every_form() {
    let manifest = manifest(ALIKE);
    let plan = Plan::new(&manifest).unwrap();
    let summary = Summary::new(&plan, &played(&plan));
    let sides = summary.experiments[1].meetings[0].sides.as_ref().unwrap();
    let csv = run_csv(&summary, true);
    let rows: Vec<&str> = csv.lines().filter(|line| line.starts_with("sides,boards,a,b,")).collect();
    assert_eq!(rows.len(), 3 * 7);
    let won = sides.first.wins_draws_losses[0];
    assert!(rows.contains(&&*format!("sides,boards,a,b,as first (black): won,{won},,,")), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("sides,boards,a,b,total: share lost,0.")), "{rows:#?}");
    let times = MoveTimes::read(Path::new("nowhere"), &plan);
    let markdown = run_report(&summary, Some(&times), &RunFacts::default(), Extent::Full).markdown();
    assert!(markdown.contains("| as second (white) | 50 |"), "{markdown}");
    // Other designs have no table by seats.
    assert!(summary.experiments[0].meetings.is_empty() && !csv.contains("sides,deals"));
}

const LADDER: &str = r#"
schema = 1
[[experiment]]
name = "ladder"
game = "calculation"
trials = 12
player = [
  { name = "random", search = "random" },
  { name = "flat", search.flat = { playouts = { each = [1, 2, 4, 8, 16] } } },
  { name = "tree", search.simple-tree = { level = 2, playouts = 1 } },
]
[[experiment]]
name = "pairs"
game.othello = { size = 4 }
trials = 9
player = [{ search = "random" }, { search.flat = { playouts-per-move = 2 } }]
"#;

/// The rows of a figure, by experiment and player, with values by column name.
fn rows_of(figure: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(figure.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// Every exported figure, computed independently from the records.
#[test]
fn a_figure_has_a_row_for_each_player() {
    let manifest = manifest(LADDER);
    let plan = Plan::new(&manifest).unwrap();
    let records = played(&plan);
    let summary = Summary::new(&plan, &records);
    let rows = rows_of(&figure_csv(&summary, &RunFacts::default(), true));
    assert_eq!(rows.len(), 7 + 2);
    let players = summary.experiments.iter().enumerate().flat_map(|(index, experiment)| {
        experiment.players.iter().enumerate().map(move |(number, player)| (index, experiment, number, player))
    });
    for ((index, experiment, number, player), row) in players.zip(&rows) {
        let number_in = |column: &str| row[column].parse::<f64>().unwrap();
        assert_eq!([&row["experiment"], &row["player"]], [&experiment.name, &player.name]);
        assert_eq!(
            (row["game"].as_str(), row["n"].as_str()),
            (&*experiment.game, &*player.trials.to_string())
        );
        assert_eq!(number_in("value"), player.result().value);
        assert_eq!([number_in("low"), number_in("high")], [player.result().low, player.result().high]);
        let own: Vec<_> = records
            .iter()
            .filter(|record| record.trial.experiment == index)
            .flat_map(|record| &record.games)
            .flat_map(|game| &game.seats)
            .filter(|seat| seat.player == number)
            .collect();
        let sum = |part: fn(&Spent) -> u64| own.iter().map(|seat| part(&seat.spent)).sum::<u64>() as f64;
        let moves = own.iter().map(|seat| u64::from(seat.moves)).sum::<u64>() as f64;
        assert_eq!(number_in("playouts_per_move"), sum(|spent| spent.playouts) / moves);
        assert_eq!(number_in("plies_per_move"), sum(|spent| spent.plies) / moves);
        assert_eq!(number_in("nodes_per_move"), sum(|spent| spent.nodes) / moves);
        let positions = sum(|spent| spent.plies + spent.nodes) / own.len() as f64;
        assert!((number_in("positions_per_game") - positions).abs() <= 1e-9 * positions);
        assert_eq!(row["front_by_positions"], player.front.name());
        let swept = player.name.strip_prefix("flat playouts=").unwrap_or("");
        assert_eq!(row["playouts"], swept, "{}", player.name);
        if !experiment.paired {
            let cpu: Moments = records
                .iter()
                .filter(|record| record.trial.experiment == index && record.trial.cell == number)
                .map(|record| record.cpu_ns as f64 / 1e6)
                .collect();
            let cpu = mean_interval(&cpu, Confidence::default_level());
            assert_eq!(row["cpu_method"], "Student's t");
            for (column, expected) in
                [("cpu_ms_per_game", cpu.value), ("cpu_low", cpu.low), ("cpu_high", cpu.high)]
            {
                assert!((number_in(column) - expected).abs() < 1e-6 * cpu.value.max(1e-3), "{column}");
            }
        }
    }
    let best =
        rows.iter().filter(|row| row["experiment"] == "pairs" && row["front_by_cpu"] == "optimal").count();
    assert!(best >= 1);
}

/// Before all trials are done there are no intervals, and their fields are empty.
#[test]
fn a_figure_of_half_a_run_has_no_intervals() {
    let manifest = manifest(LADDER);
    let plan = Plan::new(&manifest).unwrap();
    let mut records = played(&plan);
    records.retain(|record| record.trial.instance < 5);
    let rows = rows_of(&figure_csv(&Summary::new(&plan, &records), &RunFacts::default(), true));
    for row in &rows {
        assert_eq!([&row["low"], &row["high"], &row["cpu_low"]], ["", "", ""]);
        assert_eq!((row["n"].as_str(), row["method"].as_str()), ("5", "none"));
    }
    let none = rows_of(&figure_csv(&Summary::new(&plan, &[]), &RunFacts::default(), true));
    assert!(none.iter().all(|row| row["value"].is_empty() && row["cpu_ms_per_game"].is_empty()));
}

snapshot!(ladder, LADDER);

/// Without times the cost is that of positions, and a cost of nothing has a place of its own. Names are text, not markup.
#[test]
fn a_picture_is_drawn_of_any_run() {
    let text = r#"
schema = 1
[[experiment]]
game = "tic-tac-toe"
trials = 10
design = "round-robin"
openings.random-plies = 1
player = [
  { name = "chance <&\"", search = "random" },
  { name = "flat", search.flat = { playouts.each = [1, 10] } },
]
"#;
    let plan = Plan::new(&manifest(text)).unwrap();
    let summary = Summary::new(&plan, &played(&plan));
    assert!(figure_svg(&summary, &RunFacts::default()).contains("processor time a game"));
    // Times are not in the JSON.
    let summary = Summary::from_json(&serde_json::to_string(&summary).unwrap()).unwrap();
    let picture = figure_svg(&summary, &RunFacts::default());
    for part in [
        "positions a game",
        "points a game",
        "chance &lt;&amp;&quot;: 0.",
        "flat playouts=10: 0.",
        ">0</text>",
    ] {
        assert!(picture.contains(part), "{part} is not in {picture}");
    }
    // Two players of the sweep are one line; three points have an interval each.
    assert_eq!(picture.matches(r#"stroke-width="2""#).count(), 1, "{picture}");
    assert_eq!(picture.matches("<g><title>").count(), 3, "{picture}");
    assert!(!picture.contains("NaN") && !picture.contains("<&"), "{picture}");
    assert_eq!(figure_svg(&Summary::new(&plan, &[]), &RunFacts::default()), "");
}
