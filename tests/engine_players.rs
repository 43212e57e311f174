//! Engines as players of manifests, matches and games at the terminal: who may start them, and what is kept of their games.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::{shikou, shikou_there, show};

/// The folder of a test.
fn folder(test: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test)
}

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

/// Writes a program that is an engine into the folder of a test. The number only changes its file.
fn engine(test: &str, name: &str, number: u32) -> String {
    let (folder, program) = (folder(test), env!("CARGO_BIN_EXE_shikou"));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let script =
        format!("#!/bin/sh\n# {number}\nexec {program} serve --gtp random --game othello --option size=6\n");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

/// The folder of a test with a manifest and an engine.
fn prepared(test: &str) {
    let _ = fs::remove_dir_all(folder(test));
    let program = engine(test, "ours", 1);
    fs::write(folder(test).join("m.toml"), manifest(&program, true)).unwrap();
}

fn read(test: &str, file: &str) -> String {
    fs::read_to_string(folder(test).join(file)).unwrap()
}

#[test]
fn a_run_starts_engines_only_if_it_may() {
    let test = "engine_run";
    prepared(test);
    let (code, out, err) = shikou_there(test, &["run", "m.toml"]);
    assert_eq!((code, &*out), (2, ""));
    assert!(err.contains("/ours\"]") && err.contains("let it start with --allow-engines"), "{err}");
    assert!(!folder(test).join("results").exists());
    let (code, out, err) = shikou_there(test, &["run", "m.toml", "--allow-engines", "--full"]);
    assert!(code == 0 && err.contains("starts [\""), "{out}{err}");
    assert!(out.contains("12 trials with an engine: not repeatable, and outside the digest."), "{out}");
    assert!(out.contains("Engine of ours: Shikou ") && out.contains("median ping "), "{out}");
    // No other command starts one: the program is gone.
    let (report, status) = (["report", "results/m"], ["status", "results/m"]);
    fs::remove_file(folder(test).join("ours")).unwrap();
    for arguments in
        [&["plan", "m.toml", "--pilot=1"][..], &report, &status, &["verify", "results/m", "--all"]]
    {
        let (code, out, err) = shikou_there(test, arguments);
        assert_eq!(code, 0, "{arguments:?}\n{out}{err}");
        assert!(!err.contains("starts"), "{err}");
    }
    let row =
        read(test, "results/m/trials.csv").lines().find(|row| row.contains(",ours,")).unwrap().to_owned();
    let id = row.split(',').nth(2).unwrap().to_owned();
    let (code, out, err) = shikou_there(test, &["trial", "results/m", &id]);
    assert!(code == 0 && out.contains("is another program"), "{out}{err}");
    // The engine is gone, and a run says so before it plays.
    let (code, _, err) = shikou_there(test, &["run", "m.toml", "--allow-engines", "--restart"]);
    assert!(code == 2 && err.contains("ours does not begin: crash: "), "{err}");
}

#[test]
fn the_digest_covers_the_trials_without_engines() {
    let test = "engine_digest";
    prepared(test);
    assert_eq!(shikou_there(test, &["run", "m.toml", "--allow-engines", "--quiet"]).0, 0);
    fs::write(folder(test).join("w.toml"), manifest("", false)).unwrap();
    assert_eq!(shikou_there(test, &["run", "w.toml", "--quiet"]).0, 0);
    assert_eq!(read(test, "results/m/canonical.csv"), read(test, "results/w/canonical.csv"));
    let digest = |file: &str| read(test, file).lines().nth(1).unwrap().to_owned();
    assert_eq!(digest("results/m/digests.csv"), digest("results/w/digests.csv"));
    // The moves of engines are in the log, and its trials keep their names wherever the program is.
    let names = |file: &str| -> Vec<String> {
        let mut names: Vec<String> = read(test, file)
            .lines()
            .filter(|row| row.contains(",ours,"))
            .map(|row| row.split(',').nth(2).unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let elsewhere = engine(&format!("{test}/elsewhere"), "ours", 1);
    fs::write(folder(test).join("e.toml"), manifest(&elsewhere, true)).unwrap();
    assert_eq!(shikou_there(test, &["run", "e.toml", "--allow-engines", "--quiet"]).0, 0);
    assert_eq!(names("results/e/trials.csv"), names("results/m/trials.csv"));
    assert_eq!(names("results/e/trials.csv").len(), 24);
}

#[test]
fn another_program_does_not_continue_a_log() {
    let test = "engine_other";
    prepared(test);
    let run = ["run", "m.toml", "--allow-engines", "--quiet"];
    assert_eq!(shikou_there(test, &run).0, 0);
    let facts = read(test, "results/m/log.toml");
    assert!(facts.contains("\"program ours\" = \""), "{facts}");
    engine(test, "ours", 2);
    let (code, _, err) = shikou_there(test, &run);
    assert!(
        code == 2 && err.contains("program ours behaves otherwise") && err.contains("--restart"),
        "{err}"
    );
    assert_eq!(shikou_there(test, &[&run[..], &["--restart"]].concat()).0, 0);
}

#[test]
fn shards_with_engines_are_merged_and_one_row_of_each_trial_is_kept() {
    let test = "engine_shards";
    prepared(test);
    for shard in ["1/2", "2/2"] {
        let (code, _, err) = shikou_there(test, &["run", "m.toml", "--allow-engines", "--shard", shard]);
        assert_eq!(code, 0, "{err}");
    }
    let [first, second] = ["1", "2"].map(|shard| {
        let names = fs::read_dir(folder(test).join("results")).unwrap().map(|entry| entry.unwrap().path());
        let mut names = names.filter(|path| path.to_string_lossy().ends_with(&format!("shard-{shard}-of-2")));
        names.next().unwrap().to_string_lossy().into_owned()
    });
    // A second machine played the first shard too, and the engine otherwise: its seed is another one.
    let path = engine(test, "ours", 1);
    let again = fs::read_to_string(&path).unwrap().replace("size=6\n", "size=6 --seed 7\n");
    fs::write(&path, again).unwrap();
    let run = ["run", "m.toml", "--allow-engines", "--shard", "1/2", "--out", "again"];
    assert_eq!(shikou_there(test, &run).0, 0);
    let (code, _, err) = shikou_there(test, &["merge", "all", &first, &second, "again"]);
    assert!(code == 2 && err.contains("program ours behaves otherwise"), "{err}");
    // With the same program, as far as its file says.
    let facts = fs::read_to_string(Path::new(&first).join("log.toml")).unwrap();
    fs::write(folder(test).join("again/log.toml"), facts).unwrap();
    let _ = fs::remove_dir_all(folder(test).join("all"));
    let (code, out, err) = shikou_there(test, &["merge", "all", "again", &first, &second]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("trials played twice with another result"), "{err}");
    assert!(read(test, "all/log.toml").contains("\"program ours\""));
    // The rows of the first machine are kept.
    let first = fs::read_to_string(Path::new(&first).join("trials.csv")).unwrap();
    let all = read(test, "all/trials.csv");
    assert!(first.lines().filter(|row| row.contains(",ours,")).all(|row| all.contains(row)));
    fs::write(folder(test).join("w.toml"), manifest("", false)).unwrap();
    assert_eq!(shikou_there(test, &["run", "w.toml", "--quiet"]).0, 0);
    assert_eq!(read(test, "all/canonical.csv"), read(test, "results/w/canonical.csv"));
}

#[test]
fn a_smoke_run_skips_an_engine_that_is_absent_or_may_not_start() {
    let test = "engine_smoke";
    prepared(test);
    let smoke = ["run", "m.toml", "--smoke", "--quiet"];
    let (code, _, err) = shikou_there(test, &smoke);
    assert!(code == 0 && err.contains("skipped: `ours` starts the program"), "{err}");
    let (code, _, err) = shikou_there(test, &[&smoke[..], &["--allow-engines"]].concat());
    assert!(code == 0 && err.contains("starts [") && !err.contains("skipped"), "{err}");
    fs::remove_file(folder(test).join("ours")).unwrap();
    let (code, _, err) = shikou_there(test, &[&smoke[..], &["--allow-engines"]].concat());
    assert!(code == 0 && err.contains("skipped: `ours` needs the program"), "{err}");
}

#[test]
fn engines_are_no_opponents_of_what_must_repeat() {
    let refused = |text: &str| {
        let (code, _, err) =
            shikou("engine_refused", &[("m.toml", text.as_bytes())], &["plan", "m.toml"], "");
        assert_eq!(code, 2, "{err}");
        err
    };
    let judge = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [\"random\", \"flat\"]\n\
                 openings = { random-plies = 4, balanced = { search.engine = { gtp = \"x\" }, within = 0.1 } }\n";
    assert!(refused(judge).contains("a judge that is another program"));
    let opponent = "schema = 1\n[[optimisation]]\nname = \"a\"\ngame.othello.size = 4\ngenerations = 3\n\
                    genes.w = { count = 3, within = [-1.0, 1.0], unit = 0.001 }\n\
                    player.search.greedy.evaluation.linear = { features = \"square-kinds\", weights = { gene = \"w\" } }\n\
                    method.genetic = { population = 6, parents = 3 }\n\
                    fitness = { against = [\"engine(gtp=x)\"], pairs = 4 }\n";
    assert!(refused(opponent).contains("is another program"), "{}", refused(opponent));
}

#[test]
fn a_match_with_an_engine_is_an_experiment() {
    let program = env!("CARGO_BIN_EXE_shikou");
    let player = format!("engine(gtp=\"{program} serve --gtp random\",name=ours)");
    let run = |more: &[&str]| {
        let arguments =
            [&["match", "othello", &player, "random", "--games", "4", "--openings", "4"], more].concat();
        shikou("engine-match", &[], &arguments, "")
    };
    let (code, out, err) = run(&[]);
    assert_eq!((code, &*out), (2, ""));
    assert!(err.contains("serve") && err.contains("let it start with --allow-engines"), "{err}");
    let (code, out, err) = run(&["--allow-engines", "--save", "s"]);
    assert!(code == 0 && err.contains("starts [") && out.contains("ours "), "{out}{err}");
    assert!(folder("engine-match").join("s/trials.csv").exists());
    // An engine that is not there plays no match, and one that fails loses.
    let dead = |player: &str| {
        let arguments = ["match", "othello", player, "random", "--games", "2", "--allow-engines"];
        shikou("engine-dead", &[], &arguments, "")
    };
    let (code, _, err) = dead("engine(nboard=no-such-program,level=3)");
    assert!(code == 2 && err.contains("does not begin: crash: `no-such-program` does not start"), "{err}");
    let lazy = engine("engine-lazy", "lazy", 3);
    fs::write(&lazy, "#!/bin/sh\nwhile read -r line; do echo =; echo; done\n").unwrap();
    let (code, out, err) = dead(&format!("engine(gtp={lazy},name=lazy)"));
    assert!(code == 0 && out.contains("lazy lost 2 games by protocol"), "{out}{err}");
    assert!(out.contains("2 × protocol: an answer to `genmove` without a move"), "{out}");
    insta::assert_snapshot!(
        [
            "engine",
            "engine(gtp='x',level=3)",
            "engine(gtp=x,time=50ms)",
            "engine(gtp=\"'x\")",
            "engine(gtp=x,margin=y)",
            "engine(gtp=x,clock=90)",
            "engine(gtp=x,clock=1min,time=1s)",
            "engine(nboard=x,foo=1)",
            "engine(nboard=x)@nodes=3"
        ]
        .map(|player| show(dead(player)))
        .join("\n")
    );
}

/// Whether a text has all of these.
fn assert_has(text: &str, all: &[&str]) {
    for part in all {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn every_view_shows_that_an_engine_lost_without_finishing_a_game() {
    let test = "engine_forfeits";
    prepared(test);
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in genmove*) exit 3;; *) printf '=\\n\\n';; esac; done\n";
    fs::write(folder(test).join("ours"), script).unwrap();
    let (code, out, err) = shikou_there(test, &["run", "m.toml", "--allow-engines", "--progress", "json"]);
    assert_eq!(code, 0, "{out}{err}");
    // 12 of the 18 pairs are those of the engine, and it loses both games of each.
    assert_has(&err, &["\"forfeited\":12"]);
    let results = "results/m";
    let show = |arguments: &[&str]| {
        let (code, out, err) = shikou_there(test, arguments);
        assert_eq!(code, 0, "{err}");
        out
    };
    let listed = show(&["trial", results, "--failed"]);
    assert_has(&listed, &["24 games, of which 20 are shown", ", by crash: "]);
    let json: serde_json::Value =
        serde_json::from_str(&show(&["trial", results, "--failed", "--json"])).unwrap();
    assert_eq!(json["found"], 24);
    let game = &json["games"][0];
    assert_has(game["failure"].as_str().unwrap(), &["crash: "]);
    assert!(game["outcome"].is_string() && game["margin"] == 0, "{game}");
    let trial = game["trial"].as_str().unwrap();
    assert_has(&show(&["trial", results, trial, "--json"]), &["\"failure\": \"crash: "]);
    assert_has(&show(&["trial", results, trial, "--format", "markdown"]), &["0 discs, by crash: "]);
    let status: serde_json::Value = serde_json::from_str(&show(&["status", results, "--json"])).unwrap();
    let forfeited: Vec<u64> =
        status["cells"].as_array().unwrap().iter().map(|cell| cell["forfeited"].as_u64().unwrap()).collect();
    assert_eq!(forfeited.iter().sum::<u64>(), 12, "{status}");
    assert_has(&show(&["status", results]), &["forfeited"]);
    assert_has(&show(&["report", results, "--format", "csv"]), &["\nforfeits,", ",ours,,crash: "]);
    show(&["report", results, "--html=page.html", "--games", "20"]);
    let page = read(test, "page.html");
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
    let path = engine("engine-resigns", "resigns", 1);
    fs::write(&path, "#!/bin/sh\nwhile read -r word rest; do case $word in genmove) echo '= resign';; *) echo '= x';; esac; echo; done\n")
        .unwrap();
    let player = format!("engine(gtp={path},name=resigns)");
    let arguments = ["match", "othello", &player, "random", "--games", "2", "--allow-engines"];
    let (code, out, err) = shikou_there("engine-resigns", &arguments);
    assert!(code == 0 && out.contains("resigns lost 2 games by resigned"), "{out}{err}");
    assert!(out.contains("2 × resigned: it gave the game up"), "{out}");
}

/// Quotes in the words of a command, from a manifest and from a command line.
#[test]
fn an_engine_gets_its_arguments_with_quotes() {
    let test = "engine-quotes";
    let path = engine(test, "quoted", 1);
    let program = env!("CARGO_BIN_EXE_shikou");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >said\nexec {program} serve --gtp random\n");
    fs::write(&path, script).unwrap();
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\n\
         player = [\"random\", {{ search.engine.gtp = [{path:?}, \"it's\", 'say \"so\" ', \"\"] }}]\n"
    );
    fs::write(folder(test).join("m.toml"), text).unwrap();
    let (code, out, err) = shikou_there(test, &["run", "m.toml", "--allow-engines"]);
    assert!(code == 0 && out.contains("quoted 'it''s' 'say \"\"so\"\" ' ''"), "{out}{err}");
    assert_eq!(read(test, "said"), "it's\nsay \"so\" \n\n");
    fs::remove_file(folder(test).join("said")).unwrap();
    let player = format!("engine(gtp=\"{path} 'it''s' 'say \"\"so\"\" ' ''\")");
    let arguments = ["match", "othello", &player, "random", "--games", "2", "--allow-engines"];
    let (code, out, err) = shikou_there(test, &arguments);
    assert!(code == 0, "{out}{err}");
    assert_eq!(read(test, "said"), "it's\nsay \"so\" \n\n");
}

/// Their names in the log do not tell two programs of one name apart, so people are told to.
#[test]
fn engines_of_two_folders_need_names() {
    let [one, two] = ["a", "b"].map(|folder| engine(&format!("engine-folders/{folder}"), "same", 1));
    let run = |second: &str| {
        let [first, second] = [format!("engine(gtp={one})"), format!("engine(gtp={two}{second})")];
        let arguments =
            ["match", "othello", &first, &second, "--option", "size=6", "--games", "2", "--allow-engines"];
        shikou_there("engine-folders", &arguments)
    };
    let (code, _, err) = run("");
    assert!(
        code == 2 && err.contains("only in the folder of its program") && err.contains("option `name`"),
        "{err}"
    );
    let (code, out, err) = run(",name=b");
    assert!(code == 0, "{out}{err}");
}

/// Both protocols take moves in capitals, and our own server writes them.
#[test]
fn moves_in_capitals_are_no_quirk() {
    let command = format!("{} serve --nboard random", env!("CARGO_BIN_EXE_shikou"));
    let (code, out, err) = shikou("engine-check", &[], &["engine", "check", "--nboard", &command], "");
    assert!(code == 0 && !out.contains("quirk"), "{out}{err}");
}
