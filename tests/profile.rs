//! Profiles: measurements, computed figures, and files. Times are only expected to be
//! positive.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path as File;

use shikou::game::{Batch, Game, Path, Stage, Tally, Turn};
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::{FitError, SearcherSpec, Searches, Workload};
use shikou::profile::{
    Comparison, Incomparable, Lap, Lengths, PathRow, PlayoutsProfile, Profile, ProfileError, Sample,
    SearchersProfile, Settings, Spread, compared_document, document, parse, written,
};
use shikou::report::Page;
use shikou::rng::PlayoutKey;
use shikou::stats::Method;

use crate::support::searcher;

use crate::connect_four::game::ConnectFour;

/// As short as can be.
const TINY: Settings = Settings { seconds: 0.002, repeats: 2 };

/// A profile that was saved by a release build, with one row less.
const SAVED: &str = include_str!("data/profile.json");

fn saved() -> Profile {
    parse("profile.json".as_ref(), SAVED).unwrap()
}

/// A profile of some playouts, measured now.
fn measured(game: &str, options: &[&str], policy: &str, position: &str) -> Profile {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let game = shikou::registry().with_game::<ConnectFour>().game(game, &options).unwrap();
    let workload = game.workload(policy, position).unwrap();
    let mut profile = Profile::begin(&*game, policy, &*workload, TINY);
    profile.playouts = Some(PlayoutsProfile::measure(&*workload, &[], &[1, 20], &[1, 2], &TINY).unwrap());
    profile
}

fn spread_is_sound(spread: &Spread) -> bool {
    let Spread { min, q1, median, q3, max, .. } = *spread;
    min > 0.0 && max.is_finite() && [min, q1, median, q3, max].is_sorted()
}

/// A game with options, a policy, a position, and the parts that are expected.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str, &'static [&'static str]);

/// The built-in games and a user's game, with policies of every kind.
#[test]
fn every_game_has_a_profile_of_positive_finite_numbers() {
    let cases: [Case; 6] = [
        ("othello", &[], "uniform", "", &["turn", "choice", "draws", "apply"]),
        ("othello", &["size=6"], "softmax(temperature=2)", "", &["turn", "choice", "draws", "apply"]),
        ("tic-tac-toe", &[], "uniform", "xo------- x", &["turn", "choice", "draws", "apply"]),
        ("calculation", &[], "foundation-first", "", &["turn", "choice", "chance", "draws", "apply"]),
        ("connect-four", &[], "uniform", "4 4", &["turn", "choice", "draws", "apply"]),
        ("left-moves", &[], "uniform", "", &["turn", "choice", "draws", "apply"]),
    ];
    for (game, options, policy, position, expected) in cases {
        let profile = measured(game, options, policy, position);
        let playouts = profile.playouts.as_ref().unwrap();
        for row in &playouts.paths {
            assert_eq!(row.samples.len(), 2, "{game}");
            for spread in [&row.playouts_per_s, &row.plies_per_s, &row.ns_per_ply] {
                assert!(spread_is_sound(spread), "{game}: {spread:?}");
            }
            assert!(row.samples.iter().all(|sample| sample.playouts.is_multiple_of(row.batch)));
        }
        // Every row but the first is compared with it, and all paths are there with both sizes of batches.
        assert_eq!(playouts.paths.iter().filter(|row| row.ratio.is_none()).count(), 1, "{game}");
        assert_eq!(playouts.paths.len() % 2, 0, "{game}");
        assert_eq!(playouts.threads.iter().map(|row| row.threads).collect::<Vec<_>>(), [1, 2], "{game}");
        assert!(playouts.threads.iter().all(|row| spread_is_sound(&row.playouts_per_s)), "{game}");
        let parts = &playouts.parts;
        assert_eq!(parts.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), expected);
        assert!(parts.parts.iter().all(|part| spread_is_sound(&part.ns_per_ply)), "{game}: {parts:?}");
        assert!(parts.parts.iter().all(|part| spread_is_sound(&part.share)), "{game}: {parts:?}");
        let known: f64 =
            parts.parts.iter().filter(|part| part.name != "draws").map(|part| part.share.median).sum();
        assert!((parts.rest + known - 1.0).abs() < 1e-12, "{game}: {parts:?}");
        assert!(playouts.memory.position_bytes > 0 && playouts.memory.move_bytes > 0);
        let text = document(&profile).to_string();
        assert!(text.starts_with(&format!("{}: {policy} playouts from ", profile.game)), "{text}");
        assert_eq!(parse("x".as_ref(), &written(&profile)).as_ref(), Ok(&profile), "{game}");
    }
}

/// The lengths of 20 000 random games by the test's own loop, and the fractions from counting all orders of the nine
/// squares: of 9! orders 34 560, 31 968, 95 904, 72 576 and 127 872 end after 5, 6, 7, 8 and 9 marks.
#[test]
fn lengths_are_those_of_a_hand_count() {
    let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
    let lengths = Lengths::of(&*game.workload("uniform", "").unwrap(), 20_000);
    let mut counts = BTreeMap::new();
    for index in 0..20_000 {
        let (mut position, mut plies) = (TicTacToe.start(), 0_u64);
        let mut draws = PlayoutKey::new(2026).playout(index);
        while TicTacToe.turn(&position) != Turn::Over {
            let mv = TicTacToe.random_move(&position, &mut draws);
            TicTacToe.apply(&mut position, mv);
            plies += 1;
        }
        *counts.entry(plies).or_insert(0) += 1;
    }
    assert_eq!(lengths.counts, counts.clone().into_iter().collect::<Vec<_>>());
    let mean = counts.iter().map(|(plies, count)| plies * count).sum::<u64>() as f64 / 20_000.0;
    assert!((lengths.mean - mean).abs() < 1e-12);
    let exact = [34_560.0, 31_968.0, 95_904.0, 72_576.0, 127_872.0].map(|orders: f64| orders / 362_880.0);
    for (share, count) in exact.iter().zip(counts.values()) {
        // Five standard deviations: a correct program fails once in a million times.
        let deviation = (20_000.0 * share * (1.0 - share)).sqrt();
        assert!((*count as f64 - 20_000.0 * share).abs() < 5.0 * deviation, "{counts:?}");
    }
    // The quantiles of the histogram match the counts.
    for &(share, plies) in &lengths.quantiles {
        let up_to =
            |most: u64| counts.iter().filter(|(plies, _)| **plies <= most).map(|(_, c)| c).sum::<u64>();
        assert!(up_to(plies) as f64 >= share * 20_000.0 && (up_to(plies - 1) as f64) < share * 20_000.0);
    }
}

/// Tic-tac-toe with an artificial path.
struct Fake<'g> {
    inner: Box<dyn Workload + 'g>,
    /// The plies that the path adds to those of the plain loop.
    surplus: u64,
}

impl Workload for Fake<'_> {
    fn position(&self) -> &str {
        self.inner.position()
    }
    fn playouts(&self, batch: Batch) -> Tally {
        self.inner.playouts(batch)
    }
    fn playouts_on(&self, path: Path, batch: Batch) -> Option<Tally> {
        let tally = self.inner.playouts_on(Path::Portable, batch)?;
        match path {
            Path::Portable => Some(tally),
            Path::Avx2 => Some(Tally { plies: tally.plies + self.surplus, ..tally }),
            Path::Avx512 | Path::Cuda => None,
        }
    }
    fn plain_playouts(&self, batch: Batch) -> Tally {
        self.inner.plain_playouts(batch)
    }
    fn lengths(&self, batch: Batch) -> Vec<u32> {
        self.inner.lengths(batch)
    }
    fn record(&self, batch: Batch) -> Box<dyn Fn(Stage) -> u64 + '_> {
        self.inner.record(batch)
    }
    fn sizes(&self) -> (usize, usize) {
        self.inner.sizes()
    }
    fn searches(&self, searcher: &SearcherSpec) -> Result<Searches<'_>, FitError> {
        self.inner.searches(searcher)
    }
}

#[test]
fn a_path_with_different_games_or_a_missing_path_is_an_error() {
    let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
    let fake = |surplus| Fake { inner: game.workload("uniform", "").unwrap(), surplus };
    let found = PlayoutsProfile::measure(&fake(0), &[], &[10], &[1], &TINY).unwrap();
    assert_eq!(found.paths.iter().map(|row| row.path.as_str()).collect::<Vec<_>>(), ["portable", "avx2"]);
    let error = PlayoutsProfile::check(&fake(1), &[]).unwrap_err();
    assert!(matches!(error, ProfileError::Differs { path: Path::Avx2, .. }), "{error}");
    assert!(
        error.to_string().starts_with("path avx2 plays different games than the plain loop: found Tally"),
        "{error}"
    );
    let error = PlayoutsProfile::check(&fake(0), &[Path::Avx512]).unwrap_err();
    assert!(error.to_string().ends_with("; available: portable, avx2"), "{error}");
}

#[test]
fn searchers_are_measured_or_a_reason_is_given() {
    let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
    let workload = game.workload("uniform", "").unwrap();
    let kinds =
        ["flat", "uct", "alpha-beta", "random"].map(|name| shikou::registry().searcher(name).unwrap());
    let found = SearchersProfile::measure(&*workload, &kinds, "uniform", 50, &TINY).unwrap();
    let row = |name: &str| found.rows.iter().find(|row| row.searcher.starts_with(name)).unwrap();
    // 100 playouts after each of nine moves, all in one batch.
    let flat = row("flat");
    assert_eq!((flat.playouts, flat.batches, flat.nodes), (900, 1, 0));
    let uct = row("uct");
    assert_eq!((uct.searcher.as_str(), uct.playouts, uct.batches), ("uct@playouts=50", 50, 50));
    for row in [flat, uct] {
        assert!(spread_is_sound(&row.playouts_per_s.unwrap()), "{row:?}");
        assert!(row.own_share.unwrap().max < 1.0, "{row:?}");
    }
    let random = row("random");
    assert_eq!((random.playouts, random.playouts_per_s, random.own_share), (0, None, None));
    assert_eq!(found.rows.last().unwrap().searcher, "random", "the slowest in playouts and nodes comes last");
    let unfit: Vec<_> = found.unfit.iter().map(|unfit| unfit.searcher.as_str()).collect();
    assert_eq!(unfit, ["alpha-beta"]);
    let mut profile = Profile::begin(&*game, "uniform", &*workload, TINY);
    profile.searchers = Some(found);
    let text = document(&profile).to_string();
    assert!(text.contains("\nNot measured:\nalpha-beta: "), "{text}");
    assert_eq!(parse("x".as_ref(), &written(&profile)), Ok(profile));
}

/// At a chance turn, or if a move is forced, a search is measured a few plies later.
#[test]
fn searchers_are_measured_at_a_decision() {
    let forced = (0..).find_map(|index| {
        let (othello, mut draws) = (Othello::default(), PlayoutKey::new(1).playout(index));
        let mut position = othello.start();
        // In the middle of the game, so that there is something to decide later on.
        for _ in 0..30 {
            if matches!(othello.turn(&position), Turn::Player(_)) && othello.move_count(&position) == 1 {
                return othello.position_text(&position);
            }
            if othello.turn(&position) == Turn::Over {
                return None;
            }
            let mv = othello.random_move(&position, &mut draws);
            othello.apply(&mut position, mv);
        }
        None
    });
    for (game, position) in [("calculation", ""), ("othello", &forced.unwrap())] {
        let game = shikou::registry().game(game, &[]).unwrap();
        let workload = game.workload("uniform", position).unwrap();
        let searches = workload.searches(&searcher("flat(playouts=3)")).unwrap();
        let searched = searches.decide(PlayoutKey::new(1)).unwrap();
        assert!(searched.batches == 1 && searched.spent.playouts >= 6, "{searched:?}");
    }
}

/// A row with rounds of the given nanoseconds per ply, at one nanosecond per cycle.
fn row(path: &str, ns_per_ply: &[f64]) -> PathRow {
    let sample = |&ns: &f64| Sample {
        playouts: 10,
        plies: 100,
        lap: Lap { cpu_ns: 100.0 * ns, wall_ns: 100.0 * ns, cycle_ns: Some(0.5) },
    };
    let samples: Vec<Sample> = ns_per_ply.iter().map(sample).collect();
    let spread = |figure: fn(&Sample) -> f64| Spread::of(samples.iter().map(figure).collect());
    PathRow {
        path: path.into(),
        batch: 10,
        playouts_per_s: spread(Sample::playouts_per_s),
        plies_per_s: spread(|sample| 1e9 / sample.ns_per_ply()),
        ns_per_ply: spread(Sample::ns_per_ply),
        cycles_per_ply: Some(spread(|sample| sample.cycles_per_ply().unwrap())),
        ratio: None,
        samples,
    }
}

/// The saved profile with other rows of paths, and nothing else that could be compared.
fn with_rows(paths: Vec<PathRow>) -> Profile {
    let mut profile = saved();
    let playouts = profile.playouts.as_mut().unwrap();
    (playouts.paths, playouts.threads) = (paths, Vec::new());
    profile
}

#[test]
fn profiles_are_compared_row_by_row() {
    let then = with_rows(vec![row("portable", &[40.0; 9]), row("avx2", &[8.0; 9])]);
    let mut now = with_rows(vec![row("portable", &[9.0, 10.0, 11.0, 9.5, 10.0, 10.5, 10.0, 9.8, 10.2])]);
    now.playouts.as_mut().unwrap().paths[0].samples.iter_mut().for_each(|s| s.lap.cycle_ns = Some(0.25));
    let found = Comparison::new(&then, &now).unwrap();
    assert_eq!(found.rows.len(), 1, "a row that only one has is left out");
    let portable = &found.rows[0];
    assert_eq!(portable.what, "portable, batches of 10");
    // 10 playouts took 4000 ns, and take 1000.
    assert_eq!((portable.then_per_s, portable.now_per_s), (2.5e6, 1e7));
    // Of nine values the lowest and the highest enclose the median at 97.5 % (2 of 512 ways miss it).
    let ratio = portable.ratio;
    assert_eq!((ratio.value, ratio.method), (4.0, Method::OrderStatistics));
    assert!((ratio.low - 40.0 / 11.0).abs() < 1e-12 && (ratio.high - 40.0 / 9.0).abs() < 1e-12, "{ratio:?}");
    // Twice the frequency is half of it.
    assert_eq!(portable.ratio_in_cycles.unwrap().value, 2.0);
    assert!(!found.is_another_machine && found.differing.is_empty());
}

#[test]
fn incomparable_profiles_are_errors() {
    let then = saved();
    let other = Profile { game: "calculation".into(), ..then.clone() };
    let error = Comparison::new(&then, &other).unwrap_err();
    assert!(matches!(error, Incomparable::Other { what: "game", .. }), "{error}");
    let none = with_rows(vec![row("none such", &[1.0])]);
    let error = Comparison::new(&then, &none).unwrap_err();
    assert!(error.to_string().contains("no row in common: none such, batches of 10;"), "{error}");
}

#[test]
fn another_machine_or_build_is_reported() {
    let then = saved();
    let mut now = then.clone();
    now.host.commit = "abc".into();
    let found = Comparison::new(&then, &now).unwrap();
    assert_eq!(found.differing, [("commit", then.host.commit.clone(), "abc".into())]);
    assert!(!found.is_another_machine);
    assert!(!compared_document(&found, "old.json").to_string().contains("warning"));
    now.host.cpu = "another".into();
    let found = Comparison::new(&then, &now).unwrap();
    assert!(found.is_another_machine);
    let text = compared_document(&found, "old.json").to_string();
    assert!(text.starts_with("compared with old.json\n\nwarning: the machines differ, "), "{text}");
    // A profile against itself: every ratio is 1, within its interval.
    for row in &found.rows {
        assert_eq!(row.ratio.value, 1.0);
        assert!(row.ratio.low <= 1.0 && row.ratio.high >= 1.0, "{row:?}");
    }
    insta::assert_snapshot!(text);
}

/// The schema of saved files: a file of schema 1 is read, written unchanged, and shown.
#[test]
fn a_saved_profile_is_read_written_and_shown() {
    let profile = saved();
    assert_eq!(written(&profile) + "\n", SAVED);
    insta::assert_snapshot!(document(&profile));
}

#[test]
fn damaged_files_are_refused_at_their_place() {
    let refused = |text: &str| parse("old.json".as_ref(), text).unwrap_err().to_string();
    let line = SAVED.lines().position(|line| line.contains("\"game\"")).unwrap() + 1;
    let words = refused(&SAVED.replacen("\"game\"", "\"gmae\"", 1));
    assert!(
        words.starts_with(&format!("old.json:{line}:")) && words.contains("unknown field `gmae`"),
        "{words}"
    );
    let words = refused(&SAVED[..SAVED.len() / 2]);
    assert!(words.starts_with("old.json:") && words.contains("EOF"), "{words}");
    assert!(words.ends_with("; `shikou profile GAME --save FILE` writes a new profile"), "{words}");
    assert!(refused("").starts_with("old.json:1:0: EOF"), "{}", refused(""));
    let words = refused(&SAVED.replacen("\"schema\": 2", "\"schema\": 7", 1));
    assert!(
        words.starts_with("old.json: found `profile` version 7, expected `profile` version 2;"),
        "{words}"
    );
    let words = refused("{ \"command\": \"perft\", \"schema\": 1, \"leaves\": [4] }");
    assert!(words.starts_with("old.json: found `perft` version 1"), "{words}");
}

/// The lines of a report that do not depend on the machine: titles, heads of tables and notes, with # for numbers.
fn structure(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = Vec::new();
    let mut is_in_table = false;
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with('─') {
            is_in_table = true;
            continue;
        }
        let is_head = lines.get(index + 1).is_some_and(|next| next.starts_with('─'));
        // A note is a sentence; a row is not.
        is_in_table = is_in_table && !line.is_empty() && !line.ends_with(['.', ':']);
        if is_in_table && !is_head || line.contains(" build ") || line.starts_with("warning") {
            continue;
        }
        let mut words: String = line.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
        for (from, to) in [("# #", "##"), ("##", "#"), ("#.#", "#"), ("##", "#")] {
            while words.contains(from) {
                words = words.replace(from, to);
            }
        }
        // Which path is the last depends on the processor.
        let words = words.replace("avx#", "portable");
        kept.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    kept.retain(|line| !line.is_empty() && line != "…");
    kept
}

/// A page on which nothing wraps: the structure is that of the lines.
const WIDE: Page = Page { width: 1000, ..Page::PLAIN };

/// The output in docs/profiling.md has the structure of the real one, if the system reports everything.
#[test]
#[cfg(target_os = "linux")]
fn the_document_matches_a_profile() {
    let text = fs::read_to_string(File::new(env!("CARGO_MANIFEST_DIR")).join("docs/profiling.md")).unwrap();
    let block = |command: &str| {
        let (_, behind) = text.split_once(&format!("```text\n$ {command}\n")).expect("the document shows it");
        structure(behind.split_once("\n```").unwrap().0)
    };
    let game = shikou::registry().game("othello", &[]).unwrap();
    let workload = game.workload("uniform", "").unwrap();
    let settings = Settings { seconds: 0.05, repeats: 7 };
    let mut profile = Profile::begin(&*game, "uniform", &*workload, settings);
    // On a machine with one path there is no table of ratios: then two sizes of batches make one.
    profile.playouts =
        Some(PlayoutsProfile::measure(&*workload, &[], &[1000, 100], &[1, 2], &settings).unwrap());
    assert_eq!(block("shikou profile othello"), structure(&document(&profile).text(WIDE)));
    let comparison = structure(
        &compared_document(&Comparison::new(&profile, &profile).unwrap(), "before.json").text(WIDE),
    );
    assert_eq!(block("shikou profile othello --compare before.json"), comparison);
    profile.playouts = None;
    let kinds = ["flat", "nested"].map(|name| shikou::registry().searcher(name).unwrap());
    let searchers = SearchersProfile::measure(&*workload, &kinds, "uniform", 100, &TINY).unwrap();
    profile.searchers = Some(searchers);
    let mut expected = structure(&document(&profile).text(WIDE));
    // Which searchers do not fit is a list of its own.
    let of_list = |line: &String| line == "Not measured:";
    let end = expected.iter().position(of_list).expect("nested search is for solitaires");
    expected.truncate(end);
    let mut shown = block("shikou profile othello --searchers");
    shown.truncate(shown.iter().position(of_list).unwrap());
    assert_eq!(shown, expected);
}
