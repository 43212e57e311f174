//! Optimisations in a manifest: the same bytes however they are played, and errors at their places.

use std::fs;
use std::path::Path;

use shikou::experiment::{EvaluationLog, KnownRuns, Plan, Purpose, Workers, replay, write_derived};
use shikou::rng::Stream;

use crate::optimisations::{assert_mistake, folder, play, play_all};
use crate::resume::{assert_kills_change_nothing, finish, ok, shikou, start};
use crate::support::{self, with_manifest};

/// One optimisation of each kind of fitness, and experiments that play the results.
const MANIFEST: &str = r#"
schema = 1
seed = 5

[[optimisation]]
name = "squares"
game.othello = { size = 4 }
generations = 4
genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }
player.search.greedy = { evaluation.linear = { features = "square-kinds", weights = { gene = "w" } } }
method.genetic.population = 6
method.genetic.parents = { each = [2, 3] }
fitness = { against = ["random"], pairs = 3, luck = { each = ["fresh", "common"] } }
judge = { against = ["greedy(evaluation=mobility)"], pairs = 5, every = 2 }

[[optimisation]]
name = "knockout"
game.othello = { size = 4 }
generations = 3
genes.w = { count = 3, start.normal = 10.0, normalise = { centre = true, largest = 100.0 }, unit = 0.001 }
player.search.minimax = { depth = 2, evaluation.linear = { features = "square-kinds", weights = { gene = "w" } } }
method.genetic.population = 8
method.genetic.parents = 2
method.genetic.elites = 2
method.genetic.selection = "knockout"
method.genetic.crossover.blx = { alpha = 0.3 }

[[optimisation]]
name = "uct"
game = "tic-tac-toe"
generations = 3
genes.c = { within = [0.0, 3.0], start = 1.0 }
player = { search.uct.selection.ucb1.exploration = { gene = "c" }, budget = { playouts = 20 } }
method.cma-es.population = 4
fitness = { against = "random", pairs = 4 }

[[optimisation]]
name = "words"
game.othello = { size = 4 }
generations = 6
genes.ties = { words = ["first", "random"] }
genes.depth = { whole = [1, 2] }
player.search.minimax = { depth = { gene = "depth" }, ties = { gene = "ties" }, evaluation = "weights" }
method = "ntbea"
fitness = { against = "random", pairs = 2, of = "margin" }

[[experiment]]
name = "test"
game.othello = { size = 4 }
trials = 5
player = [{ evolved = "squares parents=3 luck=common" }, { name = "k", evolved = "knockout" }, "random"]

[[experiment]]
name = "deals"
game = "tic-tac-toe"
trials = 5
player = [{ evolved = "uct" }, "random"]
"#;

/// The canonical logs of all optimisations.
fn played(name: &str, workers: Workers) -> Vec<Vec<u8>> {
    let (manifest, folder) = (support::manifest(MANIFEST), folder(name));
    let logs = manifest.optimisations().map(|optimisation| {
        let runs = play(&manifest, optimisation, &folder.join(&optimisation.name), workers);
        runs.iter().flat_map(|run| run.canonical.clone()).collect()
    });
    logs.collect()
}

#[test]
fn any_number_of_threads_and_any_order_give_the_same_bytes() {
    let alone = played("alone", Workers::from(1));
    assert_eq!(alone.len(), 4);
    assert_eq!(played("two", Workers::from(2)), alone);
    assert_eq!(played("eight", Workers::from(8)), alone);
    for seed in 0..3 {
        let workers = Workers { threads: 4, shuffle: Some(seed) };
        assert_eq!(played("shuffled", workers), alone, "shuffled by {seed}");
    }
}

/// Telling a log again gives what the run found, and any part of a log can be continued.
#[test]
fn a_log_is_a_saved_state() {
    let (manifest, folder) = (support::manifest(MANIFEST), folder("saved"));
    for optimisation in manifest.optimisations() {
        let play = |folder: &Path| play(&manifest, optimisation, folder, 2.into());
        let whole = folder.join(&optimisation.name);
        let runs = play(&whole);
        let again = replay(optimisation, EvaluationLog::read(&whole).unwrap()).unwrap();
        for (run, again) in runs.iter().zip(&again) {
            assert_eq!(again.canonical, run.canonical);
            assert_eq!((&again.outcome.best, again.outcome.games), (&run.outcome.best, run.outcome.games));
        }
        // Any lines of the log, in any order, then half a line.
        let text = fs::read_to_string(whole.join("evaluations.csv")).unwrap();
        let mut rng = Stream::new(7).rng();
        for part in 0..3 {
            let part = folder.join(format!("{} {part}", optimisation.name));
            fs::create_dir_all(&part).unwrap();
            let (head, rows) = text.split_once('\n').unwrap();
            let mut kept: Vec<&str> = rows.lines().filter(|_| rng.below(2) == 0).collect();
            kept.reverse();
            let torn = &rows[..20];
            fs::write(part.join("evaluations.csv"), format!("{head}\n{}\n{torn}", kept.join("\n"))).unwrap();
            fs::copy(whole.join("log.toml"), part.join("log.toml")).unwrap();
            let runs_again = play(&part);
            assert!(runs.iter().zip(&runs_again).all(|(a, b)| a.canonical == b.canonical));
        }
    }
}

#[test]
fn experiments_play_the_results() {
    let manifest = support::manifest(MANIFEST);
    let error = Plan::new(&manifest).unwrap_err().to_string();
    assert!(error.contains("waits for the optimisation `squares parents=3 luck=common`"), "{error}");
    let optimised = play_all(&manifest, &folder("evolved"));
    let (optimisation, runs) = &optimised.results()[0];
    let best = optimisation.runs[3].genes.rounded(&runs[3].outcome.best);
    let manifest = optimised.finish(manifest);
    assert!(manifest.waiting.is_empty());
    let player = &manifest.experiments()[0].players[0];
    assert_eq!(player.name, "squares parents=3 luck=common");
    let weights = best.iter().map(|weight| format!("{weight:?}")).collect::<Vec<_>>().join(",");
    assert!(player.searcher.to_string().contains(&format!("weights=[{weights}]")), "{}", player.searcher);
    let plan = Plan::new(&manifest).unwrap();
    let first = plan.canonical().next().unwrap();
    assert!(shikou::experiment::play(&plan, first).games.iter().all(|game| game.result.is_ok()));
}

/// The names of runs must never change: logs are continued, and references compared, by them.
#[test]
fn runs_keep_their_names() {
    let ids = support::manifest(MANIFEST)
        .optimisations()
        .map(|of| of.runs.iter().map(|run| run.id()).collect())
        .collect::<Vec<Vec<_>>>();
    let grid = vec![3_602_013_263, 2_379_863_550, 923_633_686, 63_472_409];
    assert_eq!(ids, [grid, vec![1_186_389_935], vec![596_179_149], vec![1_274_087_628]]);
}

/// Kills at any moment lose nothing; a report, the state and a candidate's game can be read from the folder.
#[test]
fn a_killed_run_goes_on() {
    let folder = folder("killed");
    assert_kills_change_nothing(&folder, MANIFEST, &[5, 10, 20, 30, 50]);
    for optimisation in ["squares", "knockout", "uct", "words"] {
        let file = |run: &str, name: &str| fs::read(folder.join(run).join(optimisation).join(name)).unwrap();
        for name in ["canonical.csv", "runs.csv", "curve.csv", "population.csv", "best.csv"] {
            assert!(file("whole", name) == file("killed", name), "{optimisation}/{name}");
        }
    }
    let (code, report, _) = shikou(&folder, &["report", "killed"]);
    assert_eq!(code, 0);
    for words in [
        "squares · othello(size=4) · optimisation · 4 runs",
        "against the judge, an opponent not used in the fitness",
        "there is no `judge`",
        "won its meetings in the knockout of the last generation",
        "│ Time: ",
    ] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
    assert!(!report.contains("best fitness (survival)"), "{report}");
    // Programs that guess the types of cells must not take a run or a check for a number, as they do `437804e9`.
    let log = fs::read_to_string(folder.join("whole/uct/evaluations.csv")).unwrap();
    let best = fs::read_to_string(folder.join("whole/uct/best.csv")).unwrap();
    let runs = log.lines().chain(best.lines()).filter_map(|line| line.split(',').next());
    let checks = log.lines().filter_map(|line| line.rsplit(',').next());
    for cell in runs.chain(checks) {
        assert!(cell.starts_with(|letter: char| letter.is_ascii_lowercase()) && cell.len() >= 3, "{cell}");
        assert!(
            cell.strip_prefix('r').is_some() || !cell.contains(|letter: char| letter.is_ascii_digit()),
            "{cell}"
        );
    }
    // The canonical log is part of digests, and names the run without the letter.
    let canonical = fs::read_to_string(folder.join("whole/uct/canonical.csv")).unwrap();
    let run = best.lines().nth(1).unwrap().split(',').next().unwrap();
    assert!(canonical.lines().nth(1).unwrap().starts_with(&run[1..]), "{run}");
    let (code, game, error) = shikou(&folder, &["trial", "killed/uct", run, "1", "2", "3"]);
    assert!(code == 0 && game.contains("for the candidate"), "{game}{error}");
    let (code, status, _) = shikou(&folder, &["status", "killed"]);
    assert!(code == 0 && status.contains("4 of 4"), "{status}");
    let (code, game, error) = shikou(&folder, &["trial", "killed/uct", "1", "2", "3"]);
    assert!(code == 0 && game.contains("for the candidate"), "{game}{error}");
    let (code, _, error) = shikou(&folder, &["trial", "killed/squares", "1", "2"]);
    assert!(code == 2 && error.contains("name a run, such as"), "{error}");
}

/// A damaged row is lost alone, and played again.
#[test]
fn a_damaged_log_is_recovered() {
    let folder = with_manifest("optimisation/damaged", MANIFEST);
    let (_, whole, _) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    let log = folder.join("r/uct/evaluations.csv");
    let text = fs::read_to_string(&log).unwrap();
    let damaged: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(number, line)| if number == 5 { line.replace(',', ";") } else { line.into() })
        .collect();
    fs::write(&log, damaged.join("\n") + "\n").unwrap();
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    assert!(
        code == 2 && error.contains("evaluations.csv:6") && error.contains("shikou recover r/uct"),
        "{code} {error}"
    );
    let (code, recovered, _) = shikou(&folder, &["recover", "r/uct"]);
    assert!(code == 0 && recovered.contains("1 damaged line lost"), "{recovered}");
    let (code, again, error) = shikou(&folder, &["run", "m.toml", "--quiet", "--out", "r"]);
    assert_eq!((code, again), (0, whole), "{error}");
}

/// A unit that is played again gives the row of the log.
#[test]
fn a_game_of_a_candidate_is_that_of_the_log() {
    use shikou::experiment::{Key, Purpose, find_game};
    use shikou::game::Outcome;
    let (manifest, folder) = (support::manifest(MANIFEST), folder("games"));
    let uct = manifest.optimisations().nth(2).unwrap();
    play(&manifest, uct, &folder, 2.into());
    let rows: KnownRuns = EvaluationLog::read(&folder).unwrap();
    let rows = &rows[&uct.runs[0].id()];
    let key = Key { generation: 2, purpose: Purpose::Fitness, index: 1 };
    let mut outcomes = [0; 3];
    for game in 0..8 {
        let game = find_game(&uct.runs[0], rows.clone(), key, game).unwrap().unwrap();
        let (outcome, _) = game.watch(&mut |_| ()).unwrap();
        outcomes[match outcome {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
    }
    assert_eq!(outcomes, rows[&key].1.outcomes);
    assert!(find_game(&uct.runs[0], rows.clone(), key, 8).unwrap().is_none());
}

#[test]
fn mistakes_are_named_at_their_places() {
    let cases = [
        (
            "weights = { gene = \"w\" } } }",
            "weights = [1, 2, 3] } }",
            "no value of the player is this gene",
            "w =",
        ),
        (
            "weights = { gene = \"w\" }",
            "weights = { gene = \"v\" }",
            "unknown gene `v`; did you mean `w`?",
            "",
        ),
        (
            "within = [-1.0, 1.0]",
            "within = [1.0, -1.0]",
            "the bounds are the wrong way round: 1 is not less than -1",
            "[1.0, -1.0]",
        ),
        (
            "depth = { gene = \"depth\" }, ties = { gene = \"ties\" }",
            "depth = { gene = \"ties\" }, ties = { gene = \"depth\" }",
            "the gene `ties` does not fit its place",
            "\"ties\"",
        ),
        (
            "method.genetic.population = 6",
            "method.genetic.population = 2",
            "3 parents cannot be selected from 2 candidates",
            "",
        ),
        (
            "method.genetic.crossover.blx = { alpha = 0.3 }",
            "method.genetic.crossover.blx = { alpha = 0.3, pairs = \"all\" }",
            "2 kept candidates and 2 children of each of 1 pairs are 4, not 8",
            "",
        ),
        (
            "{ evolved = \"squares parents=3 luck=common\" }",
            "{ evolved = \"squars\" }",
            "unknown optimisation `squars`",
            "\"squars\"",
        ),
        (
            "{ evolved = \"squares parents=3 luck=common\" }",
            "{ evolved = \"squares\" }",
            "has several runs; name one of them",
            "",
        ),
        (
            "{ evolved = \"uct\" }",
            "{ evolved = \"knockout\" }",
            "`knockout` plays othello(size=4), not tic-tac-toe",
            "",
        ),
        (
            "against = \"random\", pairs = 4",
            "against = \"uct\", pairs = 4",
            "nobody can meet its own result",
            "\"uct\"",
        ),
        (
            "judge = { against = [\"greedy(evaluation=mobility)\"]",
            "judge = { against = [\"random\"]",
            "is an opponent of the fitness already",
            "",
        ),
        ("budget = { playouts = 20 }", "budget = { time = \"20ms\" }", "has a budget of time", ""),
        (
            "against = [\"random\"], pairs = 3",
            "against = [\"random\"], games = 3",
            "a candidate plays both seats: write `pairs`",
            "3",
        ),
        ("generations = 4", "", "`generations` is missing; write for example `generations = 100`", ""),
        ("start = 1.0", "start = 5.0", "5 is no value of the gene", ""),
    ];
    for (from, to, message, place) in cases {
        assert!(MANIFEST.contains(from), "{from}");
        assert_mistake(&MANIFEST.replacen(from, to, 1), message, place);
    }
    let gene = "[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{ search.greedy.depth = { gene = \"w\" } }, \"random\"]";
    let words = "only the player of an `[[optimisation]]` has genes";
    assert_mistake(&format!("schema = 1\n{gene}"), words, "\"w\"");
}

/// A log whose rows are of other genes is refused, and nothing is lost.
#[test]
fn a_log_of_other_genes_is_refused() {
    let (manifest, folder) = (support::manifest(MANIFEST), folder("other"));
    let uct = manifest.optimisations().nth(2).unwrap();
    play(&manifest, uct, &folder, 2.into());
    let mut rows = EvaluationLog::read(&folder).unwrap();
    rows.values_mut().flat_map(|known| known.values_mut()).for_each(|(genes, _)| *genes ^= 1);
    let error = replay(uct, rows).unwrap_err().to_string();
    assert!(error.contains("generation 0 has other genes in the log than this build asks for"), "{error}");
}

/// The columns of a curve by name, of its first run.
fn column(curve: &str, name: &str) -> Vec<String> {
    let mut lines = curve.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let place = head.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name}: {head:?}"));
    let rows: Vec<_> = lines.collect();
    rows.iter().filter(|row| row[0] == rows[0][0]).map(|row| row[place].into()).collect()
}

/// `curve.csv` has the mean of each gene over the selected, and its average over up to five generations; a knockout has no fitness.
#[test]
fn a_curve_follows_the_selected() {
    let text = MANIFEST.replace("generations = 3", "generations = 8");
    let (manifest, folder) = (support::manifest(&text), folder("selected"));
    let knockout = manifest.optimisations().find(|of| of.name == "knockout").unwrap();
    let runs = play(&manifest, knockout, &folder, 2.into());
    write_derived(&folder, knockout, &runs).unwrap();
    let curve = fs::read_to_string(folder.join("curve.csv")).unwrap();
    let numbers =
        |name: &str| -> Vec<f64> { column(&curve, name).iter().map(|cell| cell.parse().unwrap()).collect() };
    let (selected, average) = (numbers("selected:w[1]"), numbers("selected_5:w[1]"));
    for (generation, average) in average.iter().enumerate() {
        let several = &selected[generation.saturating_sub(4)..=generation];
        let mean = several.iter().sum::<f64>() / several.len() as f64;
        assert!((average - mean).abs() < 2e-5, "{generation}: {average} {mean}");
    }
    assert!(selected.len() == 8 && selected != average);
    assert!(
        column(&curve, "best_fitness").iter().chain(&column(&curve, "mean_fitness")).all(String::is_empty)
    );
}

/// Times are beside the log: without their file, as in the folder of an older build, all results are the same.
#[test]
fn times_add_up_and_are_in_no_result() {
    let folder = folder("times");
    let manifest = MANIFEST.split("[[experiment]]").next().unwrap();
    fs::write(folder.join("m.toml"), manifest).unwrap();
    let (code, _, error) = shikou(&folder, &["run", "m.toml", "--out", "r", "--threads", "2"]);
    assert_eq!(code, 0, "{error}");
    let digests = || fs::read(folder.join("r/digests.csv")).unwrap();
    let summary = || -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.join("r/summary.json")).unwrap()).unwrap()
    };
    let (before, timed) = (digests(), summary());
    let squares = &timed["optimisations"][0];
    let number = |of: &serde_json::Value, name: &str| of["took"][name].as_u64().unwrap();
    let runs = squares["runs"].as_array().unwrap();
    let games: u64 = runs.iter().map(|run| number(run, "count")).sum();
    // Four runs: 6 candidates in 4 generations, 3 pairs; the judge, twice 5 pairs; and 100 pairs again.
    assert_eq!((games, number(squares, "count")), (4 * (4 * 6 * 6 + 2 * 10 + 200), games));
    let longest = runs[0]["longest"]["wall_ns"].as_u64().unwrap();
    assert!(longest > 0 && longest < number(&runs[0], "wall_ns") && number(squares, "cpu_ns") > 0);
    let (_, csv, _) = shikou(&folder, &["report", "r", "--format", "csv"]);
    assert!(csv.contains("optimisations,squares,,,processor ns,"), "{csv}");
    // A second sitting has nothing to play, and adds nothing.
    shikou(&folder, &["run", "m.toml", "--out", "r"]);
    assert_eq!(summary()["optimisations"], timed["optimisations"]);
    for optimisation in ["squares", "knockout", "uct", "words"] {
        fs::remove_file(folder.join("r").join(optimisation).join("times.csv")).unwrap();
    }
    let (code, report, _) = shikou(&folder, &["report", "r", "--full"]);
    assert!(code == 0 && report.contains("│ Time: –.") && digests() == before, "{report}");
    assert!(summary()["optimisations"][0]["took"].is_null());
}

/// A report writes nothing while an optimisation is played, and the files that it writes between two sittings are no obstacle.
#[test]
fn a_report_never_stops_an_optimisation() {
    let folder = folder("reports");
    let manifest = MANIFEST.split("[[optimisation]]").take(2).collect::<Vec<_>>().join("[[optimisation]]");
    fs::write(folder.join("m.toml"), &manifest).unwrap();
    ok(&folder, &["run", "m.toml", "--out", "r"]);
    let (digests, rows) = (folder.join("r/digests.csv"), folder.join("r/squares/evaluations.csv"));
    let (whole, log) = (fs::read(&digests).unwrap(), fs::read_to_string(&rows).unwrap());
    let half: String = log.split_inclusive('\n').take(log.lines().count() / 2).collect();
    fs::write(&rows, half).unwrap();
    fs::remove_file(&digests).unwrap();
    ok(&folder, &["report", "r"]);
    assert!(fs::read(&digests).unwrap() != whole);
    ok(&folder, &["run", "m.toml", "--out", "r"]);
    assert!(fs::read(&digests).unwrap() == whole);

    fs::write(folder.join("m.toml"), manifest.replace("generations = 4", "generations = 1000000")).unwrap();
    let mut child = start(&folder, &["run", "m.toml", "--quiet", "--out", "long"]);
    let rows = folder.join("long/squares/evaluations.csv");
    while !fs::read_to_string(&rows).is_ok_and(|rows| rows.lines().count() > 1) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let report = ok(&folder, &["report", "long"]);
    child.kill().unwrap();
    finish(child);
    assert!(report.contains("where a run is writing: nothing was written"), "{report}");
    assert!(!folder.join("long/digests.csv").exists());
}

/// Once drawn, random opponents are the same in every generation; drawn anew they are not. A kept candidate shows it: its games have
/// no luck, so its result changes only with the opponents.
#[test]
fn random_opponents_may_be_drawn_anew() {
    let results = |anew: &str| {
        let text = format!(
            r#"
schema = 1
[[optimisation]]
name = "o"
game.othello = {{ size = 4 }}
generations = 6
genes.w = {{ count = 3, within = [-1.0, 1.0] }}
player.search.greedy = {{ ties = "first", evaluation.linear = {{ features = "square-kinds", weights = {{ gene = "w" }} }} }}
method.genetic = {{ population = 4, parents = 2, elites = 1, selection = "best", mutation = "none", crossover = "copy" }}
fitness = {{ against.random-genes = {{ count = 3, seed = 1{anew} }}, luck = "one-stream" }}
"#
        );
        let (manifest, folder) = (support::manifest(&text), folder(&format!("anew{}", anew.len())));
        let optimisation = manifest.optimisations().next().unwrap();
        play(&manifest, optimisation, &folder, 2.into());
        let known = EvaluationLog::read(&folder).unwrap().remove(&optimisation.runs[0].id()).unwrap();
        let fitness = known.into_iter().filter(|(key, _)| key.purpose == Purpose::Fitness);
        fitness.map(|(_, row)| row).collect::<Vec<_>>()
    };
    let is_same =
        |rows: &[(u64, _)]| rows.iter().all(|(genes, of)| rows.iter().all(|(g, o)| g != genes || o == of));
    assert!(is_same(&results("")) && !is_same(&results(", anew = true")));
}
