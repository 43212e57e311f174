//! The forms in which people type players: short forms, other words, the command line's notation in a manifest.

use shikou::experiment::{Manifest, ManifestError, Plan};

use super::{parse, refusals};

/// Each spec with the texts that mean it.
const MEANT: [(&str, &[&str]); 7] = [
    (
        "uct@playouts=200",
        &[
            "uct@200",
            "mcts@200",
            "uct(playouts=200)",
            "uct(iterations=200)",
            "mcts(simulations=200)",
            "uct@sims=200",
            "uct@rollouts=0_200",
            " uct ( selection = ucb1 ) @ 200 ",
        ],
    ),
    ("uct@playouts=10000", &["uct@10k", "uct@playouts=10k", "uct(sims=10_000)"]),
    (
        "uct(selection=ucb1(exploration=0.5))@playouts=200",
        &[
            "uct(exploration=0.5)@200",
            "uct(exploration=0.5,playouts=200)",
            "uct(selection.exploration=0.5)@200",
            "uct(selection.ucb1.exploration=0.5)@200",
            "uct(selection=ucb1,exploration=0.5)@200",
            "uct(selection=ucb1(exploration=0.5))@200",
        ],
    ),
    (
        "uct(selection=grave(bias=0.5,reference=9))@time=\"20ms\"",
        &[
            "uct(selection=grave,bias=0.5,reference=9)@20ms",
            "uct(selection.grave.bias=0.5,selection.grave.reference=9,time=20ms)",
        ],
    ),
    ("alpha-beta(depth=3)@nodes=1000000", &["ab(depth=3)@1M", "alphabeta(depth=3,nodes=1000000)"]),
    ("flat(playouts-per-move=20)", &["flat(playouts=20)", "flat(iterations=20)"]),
    (
        "flat-ucb(exploration=0.5)@playouts=100",
        &["flat-ucb(exploration=0.5)@100", "flat-ucb(playouts=100,exploration=0.5)"],
    ),
];

fn manifest(player: &str) -> Result<Manifest, ManifestError> {
    parse(&format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [\"random\",\n{player}\n]\n"
    ))
}

/// The searcher of the player, and the identity of the trial.
fn read(player: &str) -> (String, String) {
    let manifest = manifest(player).unwrap_or_else(|error| panic!("{player}: {error}"));
    let plan = Plan::new(&manifest).unwrap_or_else(|error| panic!("{player}: {error}"));
    let trial = plan.canonical().next().unwrap();
    (manifest.experiments()[0].players[1].searcher.to_string(), plan.id(&trial).to_string())
}

#[test]
fn every_first_guess_is_the_searcher_that_it_means() {
    let registry = shikou::registry();
    for (canonical, texts) in MEANT {
        for text in [canonical].iter().chain(texts) {
            let spec = registry.read_searcher(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(spec.to_string(), canonical, "{text}");
        }
    }
}

#[test]
fn a_short_form_has_the_identity_of_the_canonical_one() {
    for (canonical, texts) in MEANT {
        let expected = read(&format!("'{canonical}'"));
        assert_eq!(expected.0, canonical);
        for text in texts {
            assert_eq!(read(&format!("'{text}'")), expected, "{text}");
            assert_eq!(read(&format!("{{ search = '{text}' }}")), expected, "{text}");
        }
    }
}

#[test]
fn the_short_forms_of_tables_mean_the_same() {
    let expected = read("'uct(selection=ucb1(exploration=0.5))@playouts=200'");
    for player in [
        "{ search.uct.selection.ucb1 = { exploration = 0.5 }, budget = { playouts = 200 } }",
        "{ search.uct.selection.exploration = 0.5, budget = 200 }",
        "{ search.uct = { selection.exploration = 0.5 }, budget = \"200\" }",
        "{ search.uct = { exploration = 0.5, playouts = 200 } }",
        "{ search.uct = { exploration = 0.5, iterations = 200 } }",
        "{ search.mcts = { \"selection.ucb1.exploration\" = 0.5 }, budget = { sims = 200 } }",
        "{ search.uct = { selection = \"ucb1(exploration=0.5)\" }, budget.playouts = 200 }",
        "{ search = \"uct(exploration=0.5)\", budget = { playouts = 200 } }",
    ] {
        assert_eq!(read(player), expected, "{player}");
    }
    // A sweep of a short form expands to the trials of the long one.
    let names = |player: &str| -> Vec<String> {
        let manifest = manifest(player).unwrap_or_else(|error| panic!("{player}: {error}"));
        manifest.experiments()[0].players[1..].iter().map(|player| player.searcher.to_string()).collect()
    };
    assert_eq!(
        names("{ search.uct = { exploration = { each = [0.25, 0.5] }, playouts = 9 } }"),
        names(
            "{ search.uct.selection.ucb1 = { exploration = { each = [0.25, 0.5] } }, budget.playouts = 9 }"
        )
    );
}

#[test]
fn a_player_in_notation_is_called_as_it_is_typed() {
    let manifest = manifest("\"mcts@1k\", { search = \"ab@nodes=9\", name = \"ab\" }").unwrap();
    let names: Vec<&str> =
        manifest.experiments()[0].players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["random", "mcts@1k", "ab"]);
}

#[test]
fn a_name_of_the_game_is_a_player_of_a_manifest_too() {
    let text =
        "schema = 1\n[[experiment]]\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [\"ai12s\", \"uniform\"]\n";
    let manifest = parse(text).unwrap();
    let specs: Vec<String> =
        manifest.experiments()[0].players.iter().map(|player| player.searcher.to_string()).collect();
    assert_eq!(specs, ["rules(list=\"ai12s\")", "policy"]);
}

#[test]
fn what_can_mean_several_things_is_refused_with_the_right_forms() {
    let cases = [
        "\"uct(bias=0.5)@200\"",
        "\"uct(selection=tuned,reference=5)@200\"",
        "\"uct(plies=5)\"",
        "\"uct(playouts=200)@playouts=300\"",
        "\"uct(playouts=many)\"",
        "\"uct(exploration=0.25,exploration=0.5)@200\"",
        "\"uct@\"",
        "\"uct@20x\"",
        "\"uct@nodse=20\"",
        "\"random@200\"",
        "\"uct(selection=ucb1(exploration=0.5)@200\"",
        "\"monte\"",
        "\"uct(selection.ucb2.exploration=1)@200\"",
        "\"uct(ucb1(exploration=1))@200\"",
        "{ search.uct = { selection.bias = 0.5 }, budget = 200 }",
        "{ search = \"uct@200\", budget = { playouts = 300 } }",
        "{ search = \"\\u0075ct(slection=ucb1)@200\" }",
        "{ search.uct = { playouts = { batch = 2 } }, budget = \"many\" }",
        "{ search.uct = { playouts = { eahc = [2] } }, budget = 20 }",
        "{ search.uct = {}, budget = 2.5 }",
        "{ search = { name = \"flat\", playouts = 20 } }",
        "{ search = { type = \"random\" } }",
    ];
    insta::assert_snapshot!(refusals(&cases, manifest));
}

/// What papers call c is refused, since it is scaled in another way.
#[test]
fn a_constant_of_another_scale_is_refused_with_the_value_that_it_means() {
    let cases = [
        "\"uct(c=1.41)@200\"",
        "\"flat-ucb(uct-c=1)@200\"",
        "{ search.uct = { selection.c = 0.5 }, budget = 200 }",
        "{ search = \"uct\", budget = 200, c = 1 }",
        "\"uct(cp=0.7)@200\"",
        "\"uct(selection=puct,C=1)@200\"",
        "\"sp-mcts(C=0.5)@200\"",
    ];
    insta::assert_snapshot!(refusals(&cases, manifest));
}

#[test]
fn what_stands_at_another_place_is_refused_with_the_right_one() {
    let cases = [
        "\"uct\"",
        "\"uct(ties=random)\"",
        "{ search = \"uct\" }",
        "{ search = \"uct\", playouts = 100 }",
        "{ search.uct = {}, time = \"2s\" }",
        "{ search = \"flat\", playouts = 100 }",
        "{ search = \"mcts@9\", exploration = 0.5 }",
        "{ search = \"minimax\", depth = 3 }",
        "{ search = \"minimax\", depth = { each = [2, 3] } }",
        "{ search = \"random\", streem = \"b\" }",
        "{ search.uct = { budget = 100 } }",
        "{ search = { uct = {}, playouts = 100 } }",
        "{ search = {} }",
        "{ search.uct = { selection = { bias = 0.5, reference = 3 } }, budget = 200 }",
        "{ search.uct = { selection = { exploration = 1, puct = {} } }, budget = 200 }",
        "\"greedy(eval=discs)\"",
    ];
    insta::assert_snapshot!(refusals(&cases, manifest));
}

#[test]
fn the_mistakes_of_a_manifest_are_listed_together() {
    let text = "\
schema = 1
sead = 7
time-limit = \"soon\"

[[experiment]]
game = \"othello\"
trials = 0
opening = { random-plies = 2 }
player = [
    \"randm\",
    { search.uct = { exploraton = 1, ties = \"frist\" }, stream = \"\" },
    { search = \"minimax\", budget = { playouts = 5 } },
    { search.flat = { playouts = { each = [10, 20] }, polcy = \"uniform\" } },
]
design = \"mach\"

[[experiment]]
game = \"chess\"
trails = 10
player = [\"random\"]
";
    let error = parse(text).err().unwrap();
    insta::assert_snapshot!(error);
    assert_eq!(error.mistakes().len(), 13);
}
