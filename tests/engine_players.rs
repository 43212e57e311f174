//! Engines as players of manifests, matches and games at the terminal: who may start them, and what is kept of their games.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::{assert_has, json, ok, refused, shikou, shikou_in, show, with_files, words};

/// A manifest in which an engine called `ours` meets two searchers, and these each other.
fn manifest(program: &str, with_engine: bool) -> String {
    let engine =
        format!("  {{ name = \"ours\", search.engine = {{ gtp = [{program:?}], name = \"ours\" }} }},\n");
    format!(
        "schema = 1\n[[experiment]]\ngame.othello.size = 6\ntrials = 6\nopenings.random-plies = 6\ndesign = \"round-robin\"\n\
         player = [\n  \"random\",\n  \"flat(playouts=2)\",\n{}]\n",
        if with_engine { &*engine } else { "" }
    )
}

/// Writes a program into a folder.
fn program(folder: &Path, name: &str, script: &str) -> String {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

/// Writes a program that is an engine into a folder. The number only changes its file.
fn engine(folder: &Path, number: u32) -> String {
    let served =
        format!("exec {} serve --gtp random --game othello --option size=6", env!("CARGO_BIN_EXE_shikou"));
    program(folder, "ours", &format!("# {number}\n{served}"))
}

/// The folder of a test with a manifest and an engine.
fn prepared(test: &str) -> PathBuf {
    let folder = with_files(test, &[]);
    let program = engine(&folder, 1);
    fs::write(folder.join("m.toml"), manifest(&program, true)).unwrap();
    folder
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn a_run_starts_engines_only_if_it_may() {
    let folder = prepared("engine_run");
    refused(&folder, "run m.toml", "/ours\"] … let it start with --allow-engines");
    assert!(!folder.join("results").exists());
    let (code, out, err) = shikou_in(&folder, &words("run m.toml --allow-engines --full"), "");
    assert!(code == 0 && err.contains("starts [\""), "{out}{err}");
    assert_has(&out, "12 trials with an engine: not repeatable, and outside the digest.");
    assert_has(&out, "Engine of ours: Shikou  … median ping ");
    // No other command starts one: the program is gone.
    fs::remove_file(folder.join("ours")).unwrap();
    for line in ["plan m.toml --pilot=1", "report results/m", "status results/m", "verify results/m --all"] {
        let (code, out, err) = shikou_in(&folder, &words(line), "");
        assert_eq!(code, 0, "{line}\n{out}{err}");
        assert!(!err.contains("starts"), "{err}");
    }
    let log = read(&folder, "results/m/trials.csv");
    let row = log.lines().find(|row| row.contains(",ours,")).unwrap();
    let id = row.split(',').nth(2).unwrap();
    assert_has(&ok(&folder, &format!("trial results/m {id}")), "is another program");
    // The engine is gone, and a run says so before it plays.
    refused(&folder, "run m.toml --allow-engines --restart", "ours does not begin: crash: ");
}

#[test]
fn the_digest_covers_the_trials_without_engines() {
    let folder = prepared("engine_digest");
    ok(&folder, "run m.toml --allow-engines --quiet");
    fs::write(folder.join("w.toml"), manifest("", false)).unwrap();
    ok(&folder, "run w.toml --quiet");
    assert_eq!(read(&folder, "results/m/canonical.csv"), read(&folder, "results/w/canonical.csv"));
    let digest = |file: &str| read(&folder, file).lines().nth(1).unwrap().to_owned();
    assert_eq!(digest("results/m/digests.csv"), digest("results/w/digests.csv"));
    // The moves of engines are in the log, and its trials keep their names wherever the program is.
    let names = |file: &str| -> Vec<String> {
        let mut names: Vec<String> = read(&folder, file)
            .lines()
            .filter(|row| row.contains(",ours,"))
            .map(|row| row.split(',').nth(2).unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let elsewhere = engine(&folder.join("elsewhere"), 1);
    fs::write(folder.join("e.toml"), manifest(&elsewhere, true)).unwrap();
    ok(&folder, "run e.toml --allow-engines --quiet");
    assert_eq!(names("results/e/trials.csv"), names("results/m/trials.csv"));
    assert_eq!(names("results/e/trials.csv").len(), 24);
}

#[test]
fn another_program_does_not_continue_a_log() {
    let folder = prepared("engine_other");
    let run = "run m.toml --allow-engines --quiet";
    ok(&folder, run);
    assert_has(&read(&folder, "results/m/log.toml"), "\"program ours\" = \"");
    engine(&folder, 2);
    refused(&folder, run, "program ours behaves otherwise … --restart");
    ok(&folder, &format!("{run} --restart"));
}

#[test]
fn shards_with_engines_are_merged_and_one_row_of_each_trial_is_kept() {
    let folder = prepared("engine_shards");
    for shard in ["1/2", "2/2"] {
        ok(&folder, &format!("run m.toml --allow-engines --shard {shard}"));
    }
    let [first, second] = ["1", "2"].map(|shard| {
        let names = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
        let mut names = names.filter(|path| path.to_string_lossy().ends_with(&format!("shard-{shard}-of-2")));
        names.next().unwrap().to_string_lossy().into_owned()
    });
    // A second machine played the first shard too, and the engine otherwise: its seed is another one.
    let path = engine(&folder, 1);
    let again = fs::read_to_string(&path).unwrap().replace("size=6\n", "size=6 --seed 7\n");
    fs::write(&path, again).unwrap();
    ok(&folder, "run m.toml --allow-engines --shard 1/2 --out again");
    refused(&folder, &format!("merge all {first} {second} again"), "program ours behaves otherwise");
    // With the same program, as far as its file says.
    fs::copy(Path::new(&first).join("log.toml"), folder.join("again/log.toml")).unwrap();
    let _ = fs::remove_dir_all(folder.join("all"));
    let merge = format!("merge all again {first} {second}");
    let (code, out, err) = shikou_in(&folder, &words(&merge), "");
    assert_eq!(code, 0, "{out}{err}");
    assert_has(&err, "trials played twice with another result");
    assert_has(&read(&folder, "all/log.toml"), "\"program ours\"");
    // The rows of the first machine are kept.
    let first = read(Path::new(&first), "trials.csv");
    let all = read(&folder, "all/trials.csv");
    assert!(first.lines().filter(|row| row.contains(",ours,")).all(|row| all.contains(row)));
    fs::write(folder.join("w.toml"), manifest("", false)).unwrap();
    ok(&folder, "run w.toml --quiet");
    assert_eq!(read(&folder, "all/canonical.csv"), read(&folder, "results/w/canonical.csv"));
}

#[test]
fn a_smoke_run_skips_an_engine_that_is_absent_or_may_not_start() {
    let folder = prepared("engine_smoke");
    let smoke = |more: &str| {
        let (code, _, err) = shikou_in(&folder, &words(&format!("run m.toml --smoke --quiet {more}")), "");
        assert_eq!(code, 0, "{err}");
        err
    };
    assert_has(&smoke(""), "skipped: `ours` starts the program");
    let err = smoke("--allow-engines");
    assert!(err.contains("starts [") && !err.contains("skipped"), "{err}");
    fs::remove_file(folder.join("ours")).unwrap();
    assert_has(&smoke("--allow-engines"), "skipped: `ours` needs the program");
}

#[test]
fn engines_are_no_opponents_of_what_must_repeat() {
    let folder = with_files("engine_refused", &[]);
    let is_refused = |text: &str, words: &str| {
        fs::write(folder.join("m.toml"), text).unwrap();
        refused(&folder, "plan m.toml", words);
    };
    let judge = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [\"random\", \"flat\"]\n\
                 openings = { random-plies = 4, balanced = { search.engine = { gtp = \"x\" }, within = 0.1 } }\n";
    is_refused(judge, "a judge that is another program");
    let opponent = "schema = 1\n[[optimisation]]\nname = \"a\"\ngame.othello.size = 4\ngenerations = 3\n\
                    genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }\n\
                    player.search.greedy.evaluation.linear = { features = \"square-kinds\", weights = { gene = \"w\" } }\n\
                    method.genetic = { population = 6, parents = 3 }\n\
                    fitness = { against = [\"engine(gtp=x)\"], pairs = 4 }\n";
    is_refused(opponent, "is another program");
}

#[test]
fn a_match_with_an_engine_is_an_experiment() {
    let player = format!("engine(gtp=\"{} serve --gtp random\",name=ours)", env!("CARGO_BIN_EXE_shikou"));
    let folder = with_files("engine-match", &[]);
    let line = format!("match othello '{player}' random --games 4 --openings 4");
    refused(&folder, &line, "serve … let it start with --allow-engines");
    let (code, out, err) = shikou_in(&folder, &words(&format!("{line} --allow-engines --save s")), "");
    assert!(code == 0 && err.contains("starts [") && out.contains("ours "), "{out}{err}");
    assert!(folder.join("s/trials.csv").exists());
    // An engine that is not there plays no match, and one that fails loses.
    let dead = |player: &str| {
        let arguments = ["match", "othello", player, "random", "--games", "2", "--allow-engines"];
        shikou("engine-dead", &[], &arguments, "")
    };
    let (code, _, err) = dead("engine(nboard=no-such-program,level=3)");
    assert!(code == 2 && err.contains("does not begin: crash: `no-such-program` does not start"), "{err}");
    let lazy = program(&folder, "lazy", "while read -r line; do echo =; echo; done");
    let (code, out, err) = dead(&format!("engine(gtp={lazy},name=lazy)"));
    assert_eq!(code, 0, "{out}{err}");
    assert_has(&out, "lazy lost 2 games by protocol … 2 × protocol: an answer to `genmove` without a move");
    let players = r#"engine engine(gtp='x',level=3) engine(gtp=x,time=50ms) engine(gtp="'x")
        engine(gtp=x,margin=y) engine(gtp=x,clock=90) engine(gtp=x,clock=1min,time=1s) engine(nboard=x,foo=1) engine(nboard=x)@nodes=3"#;
    insta::assert_snapshot!(
        players.split_whitespace().map(|player| show(dead(player))).collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn every_view_shows_that_an_engine_lost_without_finishing_a_game() {
    let folder = prepared("engine_forfeits");
    let script = "while read line; do case \"$line\" in genmove*) exit 3;; *) printf '=\\n\\n';; esac; done";
    program(&folder, "ours", script);
    let (code, out, err) = shikou_in(&folder, &words("run m.toml --allow-engines --progress json"), "");
    assert_eq!(code, 0, "{out}{err}");
    // 12 of the 18 pairs are those of the engine, and it loses both games of each.
    assert_has(&err, "\"forfeited\":12");
    assert_has(&ok(&folder, "trial results/m --failed"), "24 games, of which 20 are shown … , by crash: ");
    let failed = json(&folder, "trial results/m --failed --json");
    assert_eq!(failed["found"], 24);
    let game = &failed["games"][0];
    assert_has(game["failure"].as_str().unwrap(), "crash: ");
    assert!(game["outcome"].is_string() && game["margin"] == 0, "{game}");
    let trial = game["trial"].as_str().unwrap();
    assert_has(&ok(&folder, &format!("trial results/m {trial} --json")), "\"failure\": \"crash: ");
    assert_has(&ok(&folder, &format!("trial results/m {trial} --format markdown")), "0 discs, by crash: ");
    let status = json(&folder, "status results/m --json");
    let forfeited: Vec<u64> =
        status["cells"].as_array().unwrap().iter().map(|cell| cell["forfeited"].as_u64().unwrap()).collect();
    assert_eq!(forfeited.iter().sum::<u64>(), 12, "{status}");
    assert_has(&ok(&folder, "status results/m"), "forfeited");
    assert_has(&ok(&folder, "report results/m --format csv"), "\nforfeits, … ,ours,,crash: ");
    ok(&folder, "report results/m --html=page.html --games 20");
    let page = read(&folder, "page.html");
    let rows: Vec<&str> =
        page.split("<tr>").filter(|row| row.starts_with("<th scope=\"row\">othello: ")).collect();
    let rows = |of: &str| rows.iter().filter(|row| row.contains(of)).collect::<Vec<_>>();
    assert!(!rows("player wins by crash").is_empty(), "no forfeit is listed");
    for reason in ["the closest of 12 games", "the shortest of 12 games"] {
        assert!(matches!(rows(reason)[..], [row] if !row.contains("crash")), "{reason}: {:?}", rows(reason));
    }
}

#[test]
fn a_person_plays_against_an_engine() {
    let program = env!("CARGO_BIN_EXE_shikou");
    let player = format!("engine(nboard=\"{program} serve --nboard random\",name=ours)");
    let arguments = ["play", "othello", "--against", &player, "--second", "--allow-engines"];
    let (code, out, err) = shikou("engine-play", &[], &arguments, "moves\nundo\nquit\n");
    assert!(code == 0 && out.contains("ours plays ") && out.contains("O to move"), "{out}{err}");
    let (code, _, err) = shikou("engine-play", &[], &arguments[..5], "");
    assert!(code == 2 && err.contains("--allow-engines"), "{err}");
}

/// GTP lets an engine give a game up; that is no illegal move.
#[test]
fn an_engine_that_resigns_has_lost() {
    let folder = with_files("engine-resigns", &[]);
    let script = "while read -r word rest; do case $word in genmove) echo '= resign';; *) echo '= x';; esac; echo; done";
    let path = program(&folder, "resigns", script);
    let line = format!("match othello engine(gtp={path},name=resigns) random --games 2 --allow-engines");
    assert_has(&ok(&folder, &line), "resigns lost 2 games by resigned … 2 × resigned: it gave the game up");
}

/// Quotes in the words of a command, from a manifest and from a command line.
#[test]
fn an_engine_gets_its_arguments_with_quotes() {
    let folder = with_files("engine-quotes", &[]);
    let served =
        format!("printf '%s\\n' \"$@\" >said\nexec {} serve --gtp random", env!("CARGO_BIN_EXE_shikou"));
    let path = program(&folder, "quoted", &served);
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\n\
         player = [\"random\", {{ search.engine.gtp = [{path:?}, \"it's\", 'say \"so\" ', \"\"] }}]\n"
    );
    fs::write(folder.join("m.toml"), text).unwrap();
    assert_has(&ok(&folder, "run m.toml --allow-engines"), "quoted 'it''s' 'say \"\"so\"\" ' ''");
    assert_eq!(read(&folder, "said"), "it's\nsay \"so\" \n\n");
    fs::remove_file(folder.join("said")).unwrap();
    let player = format!("engine(gtp=\"{path} 'it''s' 'say \"\"so\"\" ' ''\")");
    let arguments = ["match", "othello", &player, "random", "--games", "2", "--allow-engines"];
    let (code, out, err) = shikou_in(&folder, &arguments, "");
    assert!(code == 0, "{out}{err}");
    assert_eq!(read(&folder, "said"), "it's\nsay \"so\" \n\n");
}

/// Their names in the log do not tell two programs of one name apart, so people are told to.
#[test]
fn engines_of_two_folders_need_names() {
    let folder = with_files("engine-folders", &[]);
    let [one, two] = ["a", "b"].map(|name| engine(&folder.join(name), 1));
    let line = |second: &str| {
        let rest = "--option size=6 --games 2 --allow-engines";
        format!("match othello engine(gtp={one}) engine(gtp={two}{second}) {rest}")
    };
    refused(&folder, &line(""), "only in the folder of its program … option `name`");
    ok(&folder, &line(",name=b"));
}

/// Both protocols take moves in capitals, and our own server writes them.
#[test]
fn moves_in_capitals_are_no_quirk() {
    let command = format!("{} serve --nboard random", env!("CARGO_BIN_EXE_shikou"));
    let (code, out, err) = shikou("engine-check", &[], &["engine", "check", "--nboard", &command], "");
    assert!(code == 0 && !out.contains("quirk"), "{out}{err}");
}
