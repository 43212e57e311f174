//! Games that are played again: all decisions of a trial as JSON, and the explorer of the page, which is a view of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shikou::experiment::{Manifest, Plan, Watch, play, play_watched};
use shikou::players::Table;
use shikou::search::ThreadClock;

use crate::page::{between, is_safe};
use crate::resume::{ok, shikou};
use crate::support::with_results;

const MANIFEST: &str = r#"
schema = 1
seed = 11
[[experiment]]
name = "noughts"
game = "tic-tac-toe"
trials = 4
openings.random-plies = 1
player = [
  { name = "flat", search.flat = { playouts-per-move = 30 } },
  { name = "deep", search.minimax = { depth = "full" } },
  { name = "chance", search = "random" },
]
[[experiment]]
name = "cards"
game.calculation = { ranks = 7 }
trials = 3
player = [
  { name = "rule", search.policy = { policy = "foundation-first" } },
  { name = "tree", search.uct = { policy = "foundation-first" }, budget.playouts = 50 },
]
[[experiment]]
name = "hurried"
game = "tic-tac-toe"
trials = 1
player = [{ name = "clock", search = "uct", budget.time = "1ms" }, { name = "chance", search = "random" }]
[[experiment]]
name = "late"
game = "tic-tac-toe"
trials = 1
player = [
  { name = "timer", search = "flat-ucb", budget.time = "1ms" },
  { name = "chance", search = "random" },
]
"#;

/// The results of the manifest, and its plan.
fn results(name: &str) -> (PathBuf, Plan) {
    let folder = with_results(&format!("explorer/{name}"), MANIFEST, &[]);
    let manifest = Manifest::read(&folder.join("m.toml"), &shikou::registry()).unwrap();
    (folder, Plan::new(&manifest).unwrap())
}

/// A trial as JSON.
#[track_caller]
fn trial_json(folder: &Path, source: &str, id: &str) -> Value {
    let out = ok(folder, &["trial", source, id, "--json"]);
    serde_json::from_str(&out).unwrap()
}

/// The moves, the lines and the estimates that a watcher sees.
#[derive(Default)]
struct Seen(Vec<SeenPosition>);

/// The last move with its decision and line, and the drawing.
type SeenPosition = (Option<String>, Option<Value>, Vec<String>, String);

impl Watch for Seen {
    fn position(&mut self, table: &dyn Table, _: &[usize]) {
        let decision = table.last_decision().map(|(_, view)| serde_json::to_value(view).unwrap());
        self.0.push((table.last_move(), decision, table.last_line(), table.drawing()));
    }
}

/// Every ply of the JSON is a ply that a watcher of the trial sees, and the results are those of the log.
#[test]
fn the_json_of_a_trial_has_every_decision() {
    let (folder, plan) = results("json");
    let (mut decisions, mut lines) = (0, 0);
    for trial in plan.canonical().filter(|trial| trial.experiment < 2) {
        let json = trial_json(&folder, "results/m", &plan.id(&trial).to_string());
        assert_eq!((&json["command"], &json["schema"]), (&"trial".into(), &1.into()));
        assert!(json["unrepeatable"].is_null());
        let mut seen = Seen::default();
        let record = play_watched(&plan, trial, &mut ThreadClock::start(), &mut seen);
        assert!(record.went_as(&play(&plan, trial)));
        let mut seen = seen.0.into_iter();
        let games = json["games"].as_array().unwrap();
        assert_eq!(games.len(), record.games.len());
        for (game, record) in games.iter().zip(&record.games) {
            let (outcome, margin) = record.result.clone().unwrap();
            assert_eq!(game["outcome"], outcome.to_str());
            assert_eq!(game["margin"], margin);
            let plies = game["plies"].as_array().unwrap();
            assert_eq!(plies.len(), record.plies as usize);
            let opening = plies.iter().take_while(|ply| ply["by"] == "opening").count();
            assert_eq!(opening, usize::from(trial.experiment == 0));
            let (mut last, _, _, mut drawing) = seen.next().unwrap();
            assert_eq!(
                last.take().map(Value::from),
                opening.checked_sub(1).map(|ply| plies[ply]["mv"].clone())
            );
            for (number, ply) in (1..).zip(plies) {
                assert_eq!(ply["ply"], number);
                if number <= opening {
                    assert!(ply["decision"].is_null() && ply["seat"] == 1, "{ply}");
                    continue;
                }
                assert_eq!(ply["position"]["drawing"], drawing);
                let (mv, decision, line, after) = seen.next().unwrap();
                assert_eq!(ply["mv"], mv.unwrap());
                assert_eq!(ply["by"], if decision.is_some() { "player" } else { "chance" });
                assert_eq!(ply["seat"].is_null(), decision.is_none());
                decisions += u32::from(
                    decision.as_ref().is_some_and(|view| view["moves"].as_array().unwrap().len() > 1),
                );
                lines += u32::from(line.len() > 1);
                assert_eq!(ply["decision"], decision.unwrap_or(Value::Null));
                assert_eq!(ply["line"], Value::from(line));
                drawing = after;
            }
            assert_eq!(game["end"]["drawing"], drawing);
        }
        assert!(seen.next().is_none());
    }
    assert!(decisions > 100 && lines > 20, "{decisions} {lines}");
}

/// A position of the JSON is one that other commands read.
#[test]
fn positions_and_seats_of_the_json_are_those_of_commands() {
    let (folder, plan) = results("positions");
    let trial = plan.canonical().next().unwrap();
    let json = trial_json(&folder, "m.toml", &plan.id(&trial).to_string());
    let game = &json["games"][0];
    let seats = game["seats"].as_array().unwrap();
    assert!(seats.iter().all(|seat| seat["player"].is_string() && seat["searcher"].is_string()));
    assert_eq!((&seats[0]["side"], &seats[1]["side"]), (&"x".into(), &"o".into()));
    let ply = &game["plies"][3];
    let text = ply["position"]["text"].as_str().unwrap();
    let out = ok(&folder, &["analyze", "tic-tac-toe", text, "--search", "flat(playouts-per-move=10)"]);
    assert!(out.contains(ply["position"]["drawing"].as_str().unwrap().lines().nth(1).unwrap()), "{out}");
    // The tables have a row for each ply, in every format but those of runs.
    let id = plan.id(&trial).to_string();
    let (code, out, err) = shikou(&folder, &["trial", "results/m", &id, "--format", "csv"]);
    assert!(code == 0 && out.contains("ply,player,move,value"), "{out}{err}");
    let (code, _, err) = shikou(&folder, &["trial", "results/m", &id, "--format", "svg"]);
    assert!(code == 2 && err.contains("nothing to print as svg"), "{err}");
}

/// A trial that is not repeatable is not played: the JSON has the results of the log, and says why there is no more.
#[test]
fn a_trial_that_is_not_repeatable_says_why() {
    let (folder, plan) = results("unrepeatable");
    for (index, reason) in [(2, "clock has a budget of time"), (3, "timer has a budget of time")] {
        let trial = plan.canonical().find(|trial| trial.experiment == index).unwrap();
        let id = plan.id(&trial).to_string();
        let json = trial_json(&folder, "results/m", &id);
        assert!(json["unrepeatable"].as_str().unwrap().starts_with(reason), "{json}");
        let log = fs::read_to_string(folder.join("results/m/trials.csv")).unwrap();
        let rows: Vec<Vec<&str>> = log
            .lines()
            .map(|line| line.split(',').collect())
            .filter(|row: &Vec<&str>| row[2] == id)
            .collect();
        assert_eq!(rows.len(), 2);
        for (game, row) in json["games"].as_array().unwrap().iter().zip(rows) {
            assert!(game["plies"].as_array().unwrap().is_empty() && game["end"].is_null());
            assert_eq!(game["outcome"], row[6]);
            assert_eq!(game["margin"].to_string(), row[7]);
        }
        // Without a log there is the reason alone.
        let json = trial_json(&folder, "m.toml", &id);
        assert!(json["games"][0]["outcome"].is_null() && json["unrepeatable"].is_string());
        // As text it is played, and says that it is another game.
        let (code, out, _) = shikou(&folder, &["trial", "results/m", &id]);
        assert!(
            code == 0 && out.contains(&format!("this is another game than that of the run: {reason}")),
            "{out}"
        );
    }
}

/// A reference has no log, and its trials can be played again.
#[test]
fn a_trial_of_a_reference_is_played_from_its_manifest() {
    let (folder, plan) = results("reference");
    let results = folder.join("results/m");
    let id = plan.id(&plan.canonical().next().unwrap()).to_string();
    let before = trial_json(&folder, "results/m", &id);
    for name in ["trials.csv", "log.toml"] {
        fs::remove_file(results.join(name)).unwrap();
    }
    assert_eq!(trial_json(&folder, "results/m", &id), before);
    let (code, _, err) = shikou(&folder, &["trial", "results/m"]);
    assert!(code == 2 && err.contains("is a committed reference"), "{err}");
}

#[test]
fn the_list_of_trials_is_data_too() {
    let (folder, plan) = results("list");
    let out = ok(&folder, &["trial", "results/m", "--json", "--player", "deep", "--most", "3"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["found"], 2 * 2 * 4);
    let games = json["games"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    let ids: Vec<String> = plan.canonical().map(|trial| plan.id(&trial).to_string()).collect();
    for game in games {
        assert!(ids.contains(&game["trial"].as_str().unwrap().into()));
        assert!(game["players"].as_array().unwrap().contains(&"deep".into()), "{game}");
        assert!(game["plies"].as_u64().unwrap() >= 5);
    }
}

/// The games of a page with an explorer, and the page.
#[track_caller]
fn explorer(folder: &Path, results: &str, more: &[&str]) -> (Value, String) {
    let page = folder.join("page.html");
    let html = format!("--html={}", page.display());
    ok(folder, &[&["report", results, &html][..], more].concat());
    let page = fs::read_to_string(page).unwrap();
    is_safe(&page);
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    let json = between(&page, "id=\"games-data\">", "</script>");
    let games = json.first().map_or(Value::Null, |json| serde_json::from_str(json).unwrap());
    (games, page)
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// The lines of a drawing, or the marks of a picture.
fn texts(parts: &Value, numbers: &Value) -> Vec<String> {
    let text = |number: &Value| parts[number.as_u64().unwrap() as usize].as_str().unwrap().into();
    list(numbers).iter().map(text).collect()
}

/// Every game of the explorer is, ply by ply, what `trial` prints.
#[track_caller]
fn assert_as_trial_prints(folder: &Path, results: &str, explorer: &Value) {
    let parts = &explorer["parts"];
    for game in list(&explorer["games"]) {
        let json = trial_json(folder, results, game["trial"].as_str().unwrap());
        let own = &json["games"][game["number"].as_u64().unwrap() as usize - 1];
        for field in ["outcome", "margin", "failure", "seats"] {
            assert_eq!(game[field], own[field], "{field}");
        }
        for field in ["experiment", "game", "instance", "unit", "unrepeatable"] {
            assert_eq!(game[field], json[field], "{field}");
        }
        let (plies, theirs) = (list(&game["plies"]), list(&own["plies"]));
        assert_eq!(plies.len(), theirs.len());
        let ends = theirs.iter().map(|ply| &ply["position"]).chain([&own["end"]]);
        for (position, theirs) in list(&game["positions"]).iter().zip(ends) {
            assert_eq!(position["text"], theirs["text"]);
            assert_eq!(texts(parts, &position["drawing"]).join("\n"), theirs["drawing"].as_str().unwrap());
            assert!(!texts(parts, &position["picture"]["marks"]).is_empty());
        }
        assert_eq!(list(&game["positions"]).len(), if plies.is_empty() { 0 } else { plies.len() + 1 });
        for (ply, theirs) in plies.iter().zip(theirs) {
            for field in ["by", "seat", "mv", "line"] {
                assert_eq!(ply[field], theirs[field], "{field}");
            }
            let known = theirs["decision"]["moves"].as_array().cloned().unwrap_or_default();
            let fields = ["mv", "visits", "value", "standard_error"];
            let known: Vec<Value> =
                known.iter().map(|of| Value::from(fields.map(|field| of[field].clone()).to_vec())).collect();
            assert_eq!(ply["moves"], Value::from(known));
        }
    }
}

#[test]
fn the_explorer_shows_what_trial_prints() {
    let (folder, _) = results("page");
    let (found, _) = explorer(&folder, "results/m", &["--games"]);
    assert_eq!(list(&found["games"]).len(), 12);
    let (found, page) = explorer(&folder, "results/m", &["--games", "16"]);
    assert_as_trial_prints(&folder, "results/m", &found);
    let games = list(&found["games"]);
    assert_eq!(games.len(), 16);
    // Each experiment has its games, chosen from all of its log.
    let log = fs::read_to_string(folder.join("results/m/canonical.csv")).unwrap();
    let rows: Vec<Vec<&str>> = log.lines().map(|line| line.split(',').collect()).collect();
    for (name, kind, best) in
        [("noughts", "shortest", false), ("noughts", "longest", true), ("cards", "longest", true)]
    {
        let plies = rows.iter().filter(|row| row[0] == name).map(|row| row[8].parse::<usize>().unwrap());
        let (count, plies) = (plies.clone().count(), if best { plies.max() } else { plies.min() }.unwrap());
        let words = format!("the {kind} of {count} games");
        let has = |game: &&Value| {
            game["experiment"] == name && list(&game["why"]).iter().any(|why| why["words"] == words)
        };
        let game = games.iter().find(has).unwrap_or_else(|| panic!("{words}: {page}"));
        assert_eq!(list(&game["plies"]).len(), plies);
    }
    let closest = games.iter().find(|game| game["why"].to_string().contains("closest to success")).unwrap();
    let lost = rows.iter().filter(|row| row[0] == "cards" && row[6] == "loss");
    assert_eq!(closest["margin"], lost.map(|row| row[7].parse::<i64>().unwrap()).max().unwrap());
    // A trial that is not repeatable has its result.
    for (name, reason) in [("hurried", "clock has a budget of time"), ("late", "timer has a budget of time")]
    {
        let game = games.iter().find(|game| game["experiment"] == name).unwrap();
        assert!(game["unrepeatable"].as_str().unwrap().starts_with(reason) && game["outcome"].is_string());
        assert!(list(&game["plies"]).is_empty());
    }
    // Games are there on demand only.
    let (none, page) = explorer(&folder, "results/m", &[]);
    assert!(none.is_null() && !page.contains("explorer"));
}

/// Another player is asked with the random numbers that it has in its own trial on the same deal: until the games part, its
/// answers are its own decisions.
#[test]
fn other_players_answer_as_in_their_own_trials() {
    let (folder, plan) = results("others");
    let mut compared = 0;
    for trial in plan.canonical().filter(|trial| trial.experiment == 1) {
        let id = plan.id(&trial).to_string();
        let (found, _) = explorer(&folder, "results/m", &["--trial", &id, "--ask", "tree", "--ask", "rule"]);
        let game = &found["games"][0];
        let player = game["seats"][0]["player"].as_str().unwrap();
        let [other] = &list(&game["others"])[..] else { panic!("one other player: {game}") };
        assert_ne!(other["player"], player);
        let twin = plan
            .canonical()
            .find(|twin| (twin.experiment, twin.instance) == (1, trial.instance) && twin.cell != trial.cell);
        let twin = trial_json(&folder, "results/m", &plan.id(&twin.unwrap()).to_string());
        for (index, theirs) in list(&twin["games"][0]["plies"]).iter().enumerate() {
            let decision = &other["decisions"][index];
            assert_eq!(decision.is_null(), theirs["by"] == "chance");
            if !decision.is_null() {
                assert_eq!(decision[0], theirs["mv"]);
                let moves = theirs["decision"]["moves"].as_array().unwrap();
                let own = moves.iter().find(|of| of["mv"] == theirs["mv"]);
                assert_eq!(decision[1], own.map_or(Value::Null, |own| own["value"].clone()));
                compared += 1;
            }
            if theirs["mv"] != game["plies"][index]["mv"] {
                break;
            }
        }
    }
    // Each of them has at least its first decision.
    assert!(compared >= 6, "{compared}");
}

/// The game of the earliest parting has its ply: there the other of the best two would have played something else, and not before.
#[test]
fn the_best_two_part_where_the_page_says() {
    let (folder, _) = results("parting");
    let (found, _) = explorer(&folder, "results/m", &["--games", "12"]);
    let mut seen = 0;
    for game in list(&found["games"]) {
        for why in
            list(&game["why"]).iter().filter(|why| why["words"].as_str().unwrap().contains("part earliest"))
        {
            let ply = why["ply"].as_u64().unwrap() as usize;
            let [first, second] = why["words"]
                .as_str()
                .unwrap()
                .split_once(" and ")
                .map(|(a, b)| [a, b.split_once(" part ").unwrap().0])
                .unwrap();
            let seat =
                list(&game["seats"]).iter().position(|seat| seat["player"] == first).unwrap() as u64 + 1;
            let other = list(&game["others"]).iter().find(|other| other["player"] == second).unwrap();
            for (index, decision) in list(&other["decisions"]).iter().enumerate().take(ply) {
                let of = &game["plies"][index];
                if of["by"] == "player" && of["seat"] == seat {
                    assert_eq!(decision[0] != of["mv"], index + 1 == ply, "ply {}", index + 1);
                }
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}

/// The regret that the page names is the largest that the judge states.
#[test]
fn the_largest_regret_is_the_largest() {
    let (folder, _) = results("regret");
    let (found, _) = explorer(&folder, "results/m", &["--games", "12", "--ask", "deep"]);
    let mut most = (0.0, 0, String::new());
    for game in list(&found["games"]) {
        for other in list(&game["others"]) {
            for (index, decision) in list(&other["decisions"]).iter().enumerate() {
                if let Some(away) = decision[3].as_f64().filter(|away| *away > most.0) {
                    most = (away, index + 1, game["label"].to_string());
                }
            }
        }
    }
    let marked: Vec<(String, u64)> = list(&found["games"])
        .iter()
        .flat_map(|game| list(&game["why"]).iter().map(move |why| (game, why)))
        .filter(|(_, why)| why["words"].as_str().unwrap().contains("largest regret"))
        .map(|(game, why)| (game["label"].to_string(), why["ply"].as_u64().unwrap()))
        .collect();
    assert!(most.0 > 0.5, "{most:?}");
    assert_eq!(marked, [(most.2, most.1 as u64)]);
}

#[test]
fn when_the_time_is_over_the_page_says_what_is_missing() {
    let (folder, _) = results("time");
    let (found, page) = explorer(&folder, "results/m", &["--games", "12", "--explore-time", "1us"]);
    // Results in the log need no time.
    assert!(list(&found["games"]).iter().all(|game| game["unrepeatable"].is_string()), "{found}");
    let words = "of 12 games are missing: the time of 1us was over; a longer --explore-time allows more.";
    assert!(page.contains(words), "{page}");
}

/// A reference has no log: its games are played from its manifest, or the page says why not.
#[test]
fn the_games_of_a_reference_come_from_its_manifest() {
    let (folder, plan) = results("of-reference");
    let id = plan.id(&plan.canonical().next().unwrap()).to_string();
    let (before, _) = explorer(&folder, "results/m", &["--games", "6"]);
    let results = folder.join("results/m");
    for name in ["trials.csv", "log.toml"] {
        fs::remove_file(results.join(name)).unwrap();
    }
    // The same from the canonical log, and from a sample that is all trials.
    let repeatable = |found: &Value| -> Vec<Value> {
        list(&found["games"])
            .iter()
            .filter(|game| game["unrepeatable"].is_null())
            .map(|game| game["label"].clone())
            .collect()
    };
    let (canonical, _) = explorer(&folder, "results/m", &["--games", "6"]);
    assert_eq!(repeatable(&canonical), repeatable(&before));
    fs::remove_file(results.join("canonical.csv")).unwrap();
    let (sample, _) = explorer(&folder, "results/m", &["--games", "6"]);
    assert_eq!(repeatable(&sample), repeatable(&before));
    assert_as_trial_prints(&folder, "results/m", &sample);
    let (named, _) = explorer(&folder, "results/m", &["--trial", &id[..10]]);
    assert_eq!(list(&named["games"]).len(), 2);
    fs::remove_file(results.join("manifest.toml")).unwrap();
    let (none, page) = explorer(&folder, "results/m", &["--games"]);
    assert!(none.is_null() && page.contains("The games cannot be played again: "), "{page}");
}

#[test]
fn games_without_a_page_are_refused_with_advice() {
    let (folder, _) = results("refused");
    for (arguments, advice) in [
        (&["--games", "3"][..], "--games is about the games of a page; add --html"),
        (&["--trial", "58"], "--trial is about the games of a page; add --html"),
        (&["--html", "--ask", "deep"], "--ask needs games to ask about; add --games 12"),
        (&["--html", "--games", "3", "--ask", "depe"], "`deep`"),
        (&["--html", "--trial", "zzz"], "no trial of results/m has a name that begins with zzz"),
        (&["--html", "--games", "3", "--explore-time", "soon"], "such as 90s"),
    ] {
        let (code, _, err) = shikou(&folder, &[&["report", "results/m"][..], arguments].concat());
        assert!(code == 2 && err.contains(advice), "{arguments:?}: {err}");
    }
}

const HOSTILE: &str = r#"
schema = 1
[[experiment]]
name = "</script><script>alert(1)</script>"
game = "tic-tac-toe"
trials = 2
player = [
  { name = "<img src=x onerror=alert(2)>", search.flat = { playouts-per-move = 5 } },
  { name = "=cmd()</script>&", search = "random" },
]
"#;

#[test]
fn names_made_to_deceive_are_text_in_the_explorer() {
    let folder = with_results("explorer/hostile", HOSTILE, &[]);
    let (found, page) = explorer(&folder, "results/m", &["--games", "4"]);
    assert_as_trial_prints(&folder, "results/m", &found);
    assert_eq!(found["games"][0]["experiment"], "</script><script>alert(1)</script>");
    assert!(!page.contains("<script>alert") && !page.contains("<img"), "{page}");
}

/// More games than a page can hold are left out, and it says so.
#[test]
fn a_page_with_many_games_is_bounded() {
    let manifest = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 100\n\
                    player = [{ search = \"random\" }, { search.policy = { policy = \"uniform\" } }]\n";
    let folder = with_results("explorer/bounded", manifest, &[]);
    let (found, page) = explorer(&folder, "results/m", &["--games", "200", "--explore-time", "10min"]);
    let shown = list(&found["games"]).len();
    assert!((10..200).contains(&shown), "{shown}");
    assert!(page.contains(&format!("{} games left out", 200 - shown)), "{page}");
}
