//! Racing: candidates that leave their generation early.

use std::fs;

use shikou::experiment::{EvaluationLog, Key, Purpose, Run, Workers, find_game, replay};

use crate::optimisations::{assert_mistake, folder, play};
use crate::resume::shikou;
use crate::support::{self, with_results};

/// Weights of either sign against a fixed opponent: half of them are clearly bad.
const MANIFEST: &str = r#"
schema = 1
seed = 9

[[optimisation]]
name = "race"
game.othello.size = 4
generations = 3
genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }
player.search.greedy.evaluation.linear = { features = "square-kinds", weights = { gene = "w" } }
method.genetic = { population = 6, parents = 3 }
fitness = { against = ["random", "greedy(evaluation=discs)"], pairs = 40, luck = "common", racing = { level = 0.2, every = 4 } }
"#;

fn played(text: &str, name: &str, workers: Workers) -> Run {
    let manifest = support::manifest(text);
    let optimisation = manifest.optimisations().next().unwrap();
    play(&manifest, optimisation, &folder(name), workers).swap_remove(0)
}

#[test]
fn any_number_of_threads_and_any_order_race_alike() {
    let alone = played(MANIFEST, "race-alone", 1.into());
    let left: usize = alone.outcome.generations.iter().map(|generation| generation.left).sum();
    assert!(left > 0 && alone.outcome.games < 3 * 6 * 160, "{left} left, {} games", alone.outcome.games);
    for threads in [2, 8] {
        assert_eq!(played(MANIFEST, "race-threads", threads.into()).canonical, alone.canonical);
    }
    for seed in 0..3 {
        let workers = Workers { threads: 4, shuffle: Some(seed) };
        assert_eq!(played(MANIFEST, "race-shuffled", workers).canonical, alone.canonical);
    }
}

/// Telling the log again gives the state, and any part of it can be continued.
#[test]
fn the_log_of_a_race_is_its_state() {
    let (manifest, folder) = (support::manifest(MANIFEST), folder("race-log"));
    let optimisation = manifest.optimisations().next().unwrap();
    let whole = play(&manifest, optimisation, &folder, 2.into()).swap_remove(0);
    let again = replay(optimisation, EvaluationLog::read(&folder).unwrap()).unwrap().swap_remove(0);
    assert_eq!((again.canonical, again.outcome.best), (whole.canonical.clone(), whole.outcome.best));
    let path = folder.join("evaluations.csv");
    let text = fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> =
        text.lines().enumerate().filter(|(line, _)| line % 3 == 0).map(|(_, row)| row).collect();
    fs::write(&path, kept.join("\n") + "\n").unwrap();
    assert_eq!(play(&manifest, optimisation, &folder, 2.into())[0].canonical, whole.canonical);
}

/// At a tiny level nobody leaves, and all games are played. One that left is told no more than its mean.
#[test]
fn nobody_leaves_at_a_tiny_level() {
    let never = played(&MANIFEST.replace("level = 0.2", "level = 1e-300"), "race-never", 2.into()).outcome;
    assert!(never.generations.iter().all(|generation| generation.left == 0));
    assert_eq!(never.games, 3 * 6 * 160);
    let one = MANIFEST.replace("generations = 3", "generations = 1");
    let raced = played(&one, "race-some", 2.into()).outcome;
    assert!(raced.generations[0].left > 0);
    for (_, fitness, tally) in &raced.population {
        assert!(*fitness <= tally.points() + 1e-12);
        assert!(tally.games() <= 160 && tally.games().is_multiple_of(4 * 4), "{}", tally.games());
    }
    let most = raced.population.iter().map(|(_, _, tally)| tally.games()).max();
    assert!(raced.population.iter().any(|(_, _, tally)| Some(tally.games()) < most));
}

/// Every row of a race can be played again.
#[test]
fn a_unit_of_a_race_is_that_of_the_log() {
    let (manifest, folder) = (support::manifest(MANIFEST), folder("race-units"));
    let optimisation = manifest.optimisations().next().unwrap();
    play(&manifest, optimisation, &folder, 2.into());
    let run = &optimisation.runs[0];
    let rows = EvaluationLog::read(&folder).unwrap().remove(&run.id()).unwrap();
    let key = Key { generation: 1, purpose: Purpose::Unit(3), index: 2 };
    let mut outcomes = [0; 3];
    for game in 0..4 {
        let game = find_game(run, rows.clone(), key, game).unwrap().unwrap();
        let (outcome, _) = game.watch(&mut |_| ()).unwrap();
        outcomes[2 - outcome.half_points() as usize] += 1;
    }
    assert_eq!(outcomes, rows[&key].1.outcomes);
    assert!(find_game(run, rows, key, 4).unwrap().is_none());
}

#[test]
fn a_report_says_what_a_race_saved() {
    let folder = with_results("optimisation/race-report", MANIFEST, &["--out", "r"]);
    let (code, text, error) = shikou(&folder, &["report", "r"]);
    let text = text.replace('\n', " ");
    assert!(
        code == 0 && text.contains("Racing: ") && text.contains("of the games. The fitness"),
        "{text}{error}"
    );
    let (code, game, error) = shikou(&folder, &["trial", "r/race", "1", "2", "13"]);
    assert!(code == 0 && game.contains("generation 1, candidate 2, game 13"), "{game}{error}");
}

#[test]
fn what_cannot_race_is_refused() {
    let method = "method.genetic = { population = 6, parents = 3 }";
    let cases = [
        ("luck = \"common\"", "luck = \"fresh\"", "so that they have the same luck"),
        ("luck = \"common\"", "luck = \"common\", of = \"margin\"", "it compares points"),
        ("[\"random\", \"greedy(evaluation=discs)\"]", "\"population\"", "must meet the same opponents"),
        (method, "method.spsa = {}", "learns from how large a difference is"),
        (method, "method.cma-es.re-evaluate = \"as-noise-asks\"", "play with different luck"),
        ("level = 0.2", "level = 1.0", "`level` is 1.0, but takes a number between 0 and 1"),
        ("level = 0.2", "level = 0", "`level` is 0.0, but takes a number between 0 and 1"),
        ("every = 4", "every = 0", "`every` is 0, but takes a whole number from 1"),
        ("every = 4", "evry = 4", "did you mean `every`?"),
    ];
    for (from, to, words) in cases {
        assert!(MANIFEST.contains(from), "{from}");
        let place = if words.contains("`level`") { to.rsplit(' ').next().unwrap() } else { "" };
        assert_mistake(&MANIFEST.replacen(from, to, 1), words, place);
    }
}
