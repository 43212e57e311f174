//! What people type first: starter manifests, parts of names, lists of trials, completions, manual pages.

use std::fs;

use shikou::experiment::{Manifest, Plan};
use shikou::game::options::{OptionDecl, OptionKind, OptionValue, Wording};
use shikou::search::Budget;

use crate::cli::{shikou, shikou_there, show, snapshot};
use crate::connect_four::game::ConnectFour;

snapshot!(help_of_init, ["init", "--help"]);
snapshot!(init_an_unknown_game, ["init", "othelo"]);
snapshot!(completions_of_no_shell, ["completions", "bsh"]);
snapshot!(games_by_a_part, ["games", "tree"]);
snapshot!(searchers_by_a_part, ["searchers", "nest"]);
snapshot!(searchers_by_nothing_known, ["searchers", "chess"]);
snapshot!(cases_by_a_part, ["validate", "--list", "4x4", "p-games"]);
snapshot!(cases_by_nothing_known, ["validate", "--list", "othello-perft-9"]);

#[test]
fn another_word_for_a_searcher_shows_that_searcher() {
    let [mcts, uct] =
        ["mcts", "uct"].map(|name| shikou(&format!("searchers_{name}"), &[], &["searchers", name], "").1);
    assert_eq!(mcts, uct);
    assert!(uct.starts_with("uct: ") && uct.contains("√2"), "{uct}");
}

/// The path of every option that a listing prints, with its default.
fn paths(declared: &[OptionDecl], before: &str, found: &mut Vec<String>) {
    for decl in declared {
        found.push(format!("{before}{}={}", decl.name, decl.default));
        if let OptionKind::Part { parts, .. } = &decl.kind {
            for part in parts {
                paths(&part.options, &format!("{before}{}.{}.", decl.name, part.name), found);
            }
        }
    }
}

#[test]
fn every_path_that_a_listing_prints_is_accepted_as_printed() {
    let registry = shikou::registry();
    let mut count = 0;
    for searcher in registry.searchers() {
        let mut found = Vec::new();
        paths(&searcher.options(), "", &mut found);
        for path in found {
            count += 1;
            let text = format!("{}({path})", searcher.name);
            let spec = registry.read_searcher(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(spec.searcher.name, searcher.name);
            // In a manifest a path is a key with dots.
            let (key, value) = path.split_once('=').unwrap();
            let value = if value.contains('(') { format!("{value:?}") } else { value.to_owned() };
            let text = format!(
                "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [\"random\", {{ search.{}.{key} = \
                 {value} }}]\n",
                searcher.name
            );
            if let Err(error) = Manifest::parse("paths.toml".as_ref(), &text, &registry) {
                // The player may be the one that is there.
                let known = ["is the same player", "are the same", "too many to be looked at"];
                assert!(known.iter().any(|words| error.message.contains(words)), "{text}\n{error}");
            }
        }
    }
    assert!(count > 200, "{count}");
}

/// Values of an option, one of which at least is not its default, in the notation of a manifest.
fn values(decl: &OptionDecl) -> Vec<String> {
    let is_default = |value: i64| decl.default == OptionValue::Integer(value);
    match &decl.kind {
        OptionKind::Integer { min, max, word } => {
            let number = if is_default(*min) { *max } else { *min }.to_string();
            std::iter::once(number).chain(word.map(|word| format!("{word:?}"))).collect()
        }
        OptionKind::Real { range, .. } => [range.min, range.max].map(|value| format!("{value:?}")).into(),
        OptionKind::Time { .. } => vec!["\"70ms\"".into()],
        OptionKind::Flag => vec!["true".into(), "false".into()],
        OptionKind::Choice(words) => words.iter().map(|(word, _)| format!("{word:?}")).collect(),
        OptionKind::Part { parts, .. } => parts.iter().map(|part| format!("{:?}", part.name)).collect(),
        OptionKind::Numbers { .. } => vec!["[1,2]".into()],
        OptionKind::Rules
        | OptionKind::NameOf(_)
        | OptionKind::Text(_)
        | OptionKind::Command
        | OptionKind::File
        | OptionKind::Evolved => vec!["\"some\"".into()],
        // Its options have tests of their own.
        OptionKind::Tables(_) | OptionKind::Texts { .. } | OptionKind::Other(_) => Vec::new(),
    }
}

/// No word of a searcher is taken for a limit of its budget or for another option, as text and as a table of a manifest.
#[test]
fn every_option_is_read_as_itself_and_printed_as_it_was_read() {
    let registry = shikou::registry();
    let (mut count, mut changed) = (0, 0);
    for searcher in registry.searchers() {
        for decl in searcher.options() {
            for value in values(&decl) {
                let text = format!("{}({}={value})", searcher.name, decl.name);
                let spec = registry.read_searcher(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(spec.budget, Budget::UNLIMITED, "{text}");
                let is_other = |(of, value): &(&OptionDecl, &OptionValue)| of.default != **value;
                let others: Vec<&str> = spec.options.iter().filter(is_other).map(|(of, _)| of.name).collect();
                assert!(others.is_empty() || others == [decl.name], "{text}: {others:?}");
                assert_eq!(registry.read_searcher(&spec.to_string()), Ok(spec.clone()), "{text}");
                (count, changed) = (count + 1, changed + others.len());
                // In a manifest, with a budget if the searcher needs one, and with a game that it fits.
                let games = ["othello", "tic-tac-toe", "left-moves", "calculation"];
                let budget = if searcher.needs_budget { ", budget = 50" } else { "" };
                let read = games.iter().filter_map(|game| {
                    let player = format!("search.{} = {{ {} = {value} }}{budget}", searcher.name, decl.name);
                    let text = format!(
                        "schema = 1\n[[experiment]]\ngame = {game:?}\ntrials = 1\nplayer = [\"random\", {{ {player} }}]\n"
                    );
                    let manifest = Manifest::parse("m.toml".as_ref(), &text, &registry).ok()?;
                    Some(manifest.experiments()[0].players[1].searcher.clone())
                });
                for found in read {
                    assert_eq!(
                        found.options.iter().filter(is_other).count(),
                        others.len(),
                        "{text}: {found}"
                    );
                }
            }
        }
    }
    assert!(count > 150 && changed > 120, "{count}, {changed}");
}

/// The identity of a trial has the older name, so that no trial changes its identity.
#[test]
fn an_older_name_is_read_and_hashed_and_the_new_one_printed() {
    let registry = shikou::registry();
    for (name, extra) in [("flat", ""), ("nested-rollout", ",level=1")] {
        let [old, new] = ["playouts", "playouts-per-move"]
            .map(|option| registry.read_searcher(&format!("{name}({option}=7{extra})")).unwrap());
        assert_eq!(old, new);
        assert!(new.to_string().contains("playouts-per-move=7"), "{new}");
        let identity = new.text(Wording::Identity);
        assert!(identity.contains("playouts=7") && !identity.contains("per-move"), "{identity}");
        let twice = registry.read_searcher(&format!("{name}(playouts=7,playouts-per-move=7)")).unwrap_err();
        assert!(twice.to_string().contains("given twice"), "{twice}");
    }
    let text = "schema = 1\n[[experiment]]\ngame = \"calculation\"\ntrials = 1\n\
                player = [{ search.flat = { playouts = { each = [5, 6] } } }]\n";
    let manifest = Manifest::parse("m.toml".as_ref(), text, &registry).unwrap();
    let names: Vec<&str> =
        manifest.experiments()[0].players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["flat playouts=5", "flat playouts=6"]);
    let advice = manifest.advice();
    assert!(
        advice.len() == 1 && advice[0].starts_with("m.toml:5:29: `playouts` of flat is called"),
        "{advice:?}"
    );
}

#[test]
fn a_starter_manifest_is_written_once_and_runs() {
    let test = "init_all";
    let names: Vec<&str> = shikou::registry().names().collect();
    let (code, out, err) = shikou(test, &[], &[&["init"][..], &names, &["--out", "all.toml"]].concat(), "");
    assert_eq!((code, out.as_str()), (0, "wrote all.toml; run it with `shikou run all.toml`\n"), "{err}");
    let (code, _, err) = shikou_there(test, &["run", "all.toml", "--smoke"]);
    assert_eq!(code, 0, "{err}");
    let again = shikou_there(test, &["init", "--out", "all.toml"]);
    assert_eq!(again.0, 2);
    assert!(again.2.contains("all.toml exists already and is not overwritten"), "{}", again.2);
}

#[test]
fn a_starter_manifest_of_one_game_is_called_as_the_game() {
    let test = "init_one";
    let (code, _, err) = shikou(test, &[], &["init"], "");
    assert_eq!(code, 0, "{err}");
    let path =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test).join("tic-tac-toe.toml");
    let text = fs::read_to_string(path).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    insta::assert_snapshot!(text);
    let (code, out, err) = shikou_there(test, &["run", "tic-tac-toe.toml", "-q"]);
    assert!(code == 0 && out.starts_with("digest "), "{err}");
}

/// A user's game needs nothing for it.
#[test]
fn a_starter_manifest_fits_a_registered_game() {
    let registry = shikou::registry().with_game::<ConnectFour>();
    let game = registry.game("connect-four", &[]).unwrap();
    let text = shikou::cli::starter_manifest("connect-four.toml".as_ref(), &[&*game]);
    let manifest = Manifest::parse("connect-four.toml".as_ref(), &text, &registry).unwrap();
    let plan = Plan::new(&manifest).unwrap();
    let record = shikou::experiment::play(&plan, plan.canonical().next().unwrap());
    assert!(record.games.iter().all(|game| game.result.is_ok()));
}

const TWO_GAMES: &str = "\
schema = 1
seed = 3
[[experiment]]
game = \"tic-tac-toe\"
trials = 3
player = [\"random\", \"ai12s\", { name = \"lost\", search = \"alpha-beta(depth=full,table=65536)\" }]
[[experiment]]
game = \"left-moves\"
trials = 2
player = [\"random\"]
";

#[test]
fn the_trials_of_a_folder_are_listed_and_filtered() {
    let test = "trials_listed";
    let files: &[(&str, &[u8])] = &[("m.toml", TWO_GAMES.as_bytes())];
    let (code, _, err) = shikou(test, files, &["run", "m.toml", "-q"], "");
    assert_eq!(code, 3, "{err}");
    let list = |filter: &[&str]| show(shikou_there(test, &[&["trial", "results/m"][..], filter].concat()));
    let lists = [
        list(&["--most", "4"]),
        list(&["--player", "ai12", "--result", "win"]),
        list(&["--player", "random", "--result", "lost", "--longest", "--most", "2"]),
        list(&["--failed", "--most", "3"]),
        list(&["--result", "draw", "--player", "left"]),
        list(&["--player", "nobody"]),
        show(shikou_there(test, &["trial", "m.toml"])),
        show(shikou_there(test, &["trial", "results/m", "58c1", "--failed"])),
    ];
    insta::assert_snapshot!(lists.join("\n"));
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (code, out, err) = shikou(&format!("completions_{shell}"), &[], &["completions", shell], "");
        assert_eq!(code, 0, "{err}");
        // Fish writes options without their dashes.
        for word in ["match", "init", "validate", "sprt", "pilot"] {
            assert!(out.contains(word), "{shell} has no {word}");
        }
    }
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let (code, out, err) = shikou("man", &[], &["man", "pages/man1"], "");
    assert_eq!((code, out.as_str()), (0, "manual pages written to pages/man1\n"), "{err}");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/man/pages/man1");
    for page in ["shikou", "shikou-match", "shikou-init", "shikou-stats-sprt"] {
        let text =
            fs::read_to_string(folder.join(format!("{page}.1"))).unwrap_or_else(|_| panic!("no {page}.1"));
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
}
