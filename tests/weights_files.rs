//! Files of weights: their forms, and what is wrong with them.

use std::fs;

use shikou::experiment::Manifest;
use shikou::game::options::Wording;
use shikou::players::{NamedPlayer, WeightsForm, write_weights};

use crate::support::{folder, write};

/// The reason for which a player is refused.
fn refused(text: &str) -> String {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    NamedPlayer::read(&*game, &[], text).unwrap_err().to_string()
}

fn form(of: &str, names: &[&str]) -> WeightsForm {
    let names = names.iter().map(|&name| name.into()).collect();
    WeightsForm { game: "othello".into(), of: of.into(), unit: 1e-6, names, sparse: false }
}

const KINDS: [&str; 10] = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

#[test]
fn a_written_file_reads_back_exactly() {
    for sparse in [false, true] {
        a_file_reads_back(sparse);
    }
}

fn a_file_reads_back(sparse: bool) {
    let folder = folder(if sparse { "weights/sparse" } else { "weights/back" });
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let weight = |n: u32| if n % 3 == 1 { 0.0 } else { (f64::from(n) - 4.3) / 7.0 };
    let weights: Vec<f64> = (0..10).map(weight).collect();
    let form = WeightsForm { sparse, ..form("square-kinds", &KINDS) };
    let path = write(&folder, "w.csv", write_weights(&form, &weights));
    let player = |evaluation: &str| {
        let text = format!("greedy(ties=first,evaluation=linear(features=square-kinds,{evaluation}))");
        NamedPlayer::read(&*game, &[], &text).unwrap().searcher
    };
    let [file, inline] =
        [player(&format!("file=\"{path}\"")), player(&format!("weights={weights:?},unit=0.000001"))];
    let transcript = |searcher: &shikou::players::SearcherSpec| {
        let seat = Some(searcher.clone());
        let mut table = game.table(&[seat.clone(), seat]).unwrap();
        while table.turn() != shikou::game::Turn::Over {
            let stream = shikou::search::MoveStream::new(shikou::rng::PlayoutKey::new(1));
            table.decide(stream, shikou::search::Limits::default()).unwrap();
        }
        table.transcript()
    };
    assert_eq!(transcript(&file), transcript(&inline));
    // The identity is the content, whatever the name.
    let copy = write(&folder, "copy.csv", fs::read(&path).unwrap());
    let copy = player(&format!("file=\"{copy}\""));
    assert_eq!(copy, file);
    assert_eq!(copy.text(Wording::Identity), file.text(Wording::Identity));
    assert_ne!(copy.to_string(), file.to_string());
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let folder = folder("weights/wrong");
    let good = write_weights(&form("square-kinds", &KINDS), &[0.5; 10]);
    let check = |name: &str, text: &str, reason: &str| {
        let path = write(&folder, name, text);
        let found = refused(&format!("greedy(evaluation=linear(features=square-kinds,file=\"{path}\"))"));
        assert!(found.contains(&format!("{name}:{reason}")), "{found}\nshould contain {name}:{reason}");
    };
    check(
        "game.csv",
        &good.replace("game=othello", "game=hex"),
        "1: these are weights for hex, not for othello",
    );
    check("version.csv", &good.replace("weights=1 ", "weights=2 "), "1: this is version \"2\" of the format");
    check(
        "of.csv",
        &good.replace("of=square-kinds", "of=squares"),
        "1: these are weights of `squares`, not of `square-kinds`",
    );
    check(
        "short.csv",
        &good.replace("weights=10", "weights=9"),
        "1: the header promises 9 weights, but 10 are needed",
    );
    let cut = &good[..good.len() - 12];
    check("cut.csv", cut, "10: the header promises 10 weights, but the file has 9; it is cut off");
    let promise = good.replace("weights=10", "weights=9999999999999");
    check("promise.csv", &promise, "1: the header promises 9 999 999 999 999 weights, but 10 are needed");
    check("nan.csv", &good.replace("c1,0.5", "c1,NaN"), "4: \"NaN\" is not a finite number");
    check("name.csv", &good.replace("c1,0.5", "e1,0.5"), "4: expected the weight of `c1`, not of `e1`");
    check("unit.csv", &good.replace("unit=1e-6", "unit=0"), "1: the unit must be a positive number");
    let sparse = WeightsForm { sparse: true, ..form("square-kinds", &KINDS) };
    let weights = [0.5, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let sparse = write_weights(&sparse, &weights);
    assert!(
        sparse.starts_with("# shikou-weights=1 game=othello of=square-kinds unit=1e-6 weights=10 given=3\n")
    );
    check(
        "less.csv",
        &sparse.replace("given=3", "given=4"),
        "4: the header promises 4 weights, but the file has 3",
    );
    check("unknown.csv", &sparse.replace("\nd1,", "\nz1,"), "3: `z1` is no weight here");
    check("given.csv", &sparse.replace("given=3", "given=x"), "1: `given` must be a whole number");
    check("other.csv", "hello", "1: expected a header");
    let text = "greedy(evaluation=linear(features=square-kinds,file=\"none.csv\"))";
    assert_eq!(refused(text), "there is no file \"none.csv\"");
    let text = "greedy(evaluation=linear(features=square-kinds,evolved=grid))";
    assert!(refused(text).contains("this player waits for the optimisation `grid`"), "{}", refused(text));
    let text = "greedy(evaluation=linear(features=square-kinds,evolved=grid,weights=[1]))";
    assert!(refused(text).contains("write one of `weights`, `file` and `evolved`"), "{}", refused(text));
}

/// Two tables: a1 and h8 alone, and the pair a1, b1.
const LEAGUE: &str =
    "{ 2\n { 1 2 { 0 } { 63 }\n { -1 0 1 } }\n { 2 1 { 0 1 }\n { 1 2 3 4 5 6 7 8 9.5 } } }\n";

#[test]
fn a_player_of_the_league_that_is_cut_off_is_refused() {
    let folder = folder("weights/league");
    let path = write(&folder, "good.player", LEAGUE);
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let good = format!("greedy(evaluation=tuples(file=\"{path}\"))");
    NamedPlayer::read(&*game, &[], &good).unwrap();
    let check = |name: &str, text: &str, reason: &str| {
        let path = write(&folder, name, text);
        let found = refused(&format!("greedy(evaluation=tuples(file=\"{path}\"))"));
        assert!(found.contains(&format!("{name}:{reason}")), "{found}\nshould contain {name}:{reason}");
    };
    check(
        "cut",
        &LEAGUE[..LEAGUE.len() - 14],
        "4: this table would take 11 numbers more, but the file holds 8",
    );
    check("promise", &LEAGUE.replace("{ 2 1 {", "{ 2 999999999999 {"), "4: this table would take");
    check("tables", &LEAGUE.replacen('2', "99999999999", 1), "2: these tables would take");
    check("length", &LEAGUE.replace("{ 2 1 {", "{ 40 1 {"), "4: \"40\" is not a length of 1 to 12");
    check("square", &LEAGUE.replace("63", "64"), "2: \"64\" is not a square from 0 to 63");
    check("nan", &LEAGUE.replace("-1", "nan"), "3: \"nan\" is not a weight");
    check("more", &format!("{LEAGUE} 7"), "6: something follows the last table");
    check("shapes.csv", "hello", "1: \"hello\" is not a number of tables");
    let small = registry.game("othello", &["size=6".into()]).unwrap();
    let found = NamedPlayer::read(&*small, &[], &good).unwrap_err().to_string();
    assert!(found.contains("a player of the League is for a board of 8×8, and this one is 6×6"), "{found}");
}

const MANIFEST: &str = r#"
schema = 1

[[experiment]]
game = "othello"
trials = 1
player = [
  { name = "file", search.greedy = { evaluation.linear = { features = "square-kinds", file = "FILE" } } },
  { name = "hand", search.greedy = { evaluation = "hand" } },
  "random",
]
"#;

#[test]
fn a_manifest_names_files_and_keeps_them() {
    let folder = folder("weights/manifest");
    write(&folder, "w.csv", write_weights(&form("square-kinds", &KINDS), &[0.5; 10]));
    let registry = shikou::registry();
    let path = folder.join("m.toml");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        Manifest::read(&path, &registry)
    };
    let manifest = read(&MANIFEST.replace("FILE", "w.csv")).unwrap();
    assert_eq!(manifest.files[0].kept_as(), "manifest.w.csv");
    let content = manifest.experiments()[0].players[0].content();
    assert!(content.contains("file=sha256:") && !content.contains("w.csv"), "{content}");
    // Both mistakes with their places.
    let error = read(&MANIFEST.replace("FILE", "nowhere.csv")).unwrap_err().to_string();
    assert!(error.contains(":8:") && error.contains("there is no file \"nowhere.csv\""), "{error}");
    let data = MANIFEST.replace("FILE", "data:no/such.csv");
    let error = read(&data).unwrap_err().to_string();
    assert!(
        error.contains("the large data \"data:no/such.csv\" is not ") && error.contains("SHIKOU_DATA"),
        "{error}"
    );
    let (manifest, skipped) = Manifest::read_what_is_here(&path, &registry, false).unwrap();
    let names: Vec<&str> =
        manifest.experiments()[0].players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["hand", "random"]);
    assert_eq!(skipped, ["`file` needs \"data:no/such.csv\", which is not on this machine"]);
}

#[test]
fn a_name_never_holds_sixty_four_numbers() {
    let weights: Vec<String> = (0..64).map(|n| format!("{n}.5")).collect();
    let player = format!(
        "{{ search.greedy = {{ evaluation.linear = {{ features = \"squares\", weights = [{}] }} }} }}",
        weights.join(",")
    );
    let text = format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{player}, \"random\"]\n"
    );
    let manifest = crate::support::manifest(&text);
    let player = &manifest.experiments()[0].players[0];
    assert!(
        player.name.starts_with("greedy(evaluation=linear(features=\"squares\",weights=[64 numbers, "),
        "{}",
        player.name
    );
    assert!(player.content().contains("62.5,63.5"));
}
