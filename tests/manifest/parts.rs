//! Parts with their own options, and lists of numbers, in manifests.

use shikou::experiment::{Manifest, ManifestError};

use super::{parse, refusals};

/// The text form of a player's searcher at Othello.
fn spec(search: &str) -> String {
    let manifest = read(search).unwrap_or_else(|error| panic!("{error}"));
    manifest.experiments()[0].players[1].searcher.to_string()
}

fn read(search: &str) -> Result<Manifest, ManifestError> {
    parse(&format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [{{ search = \"random\" }},\n{search}\n]\n"
    ))
}

#[test]
fn a_part_is_named_alone_or_with_its_options() {
    let with = |evaluation: &str| spec(&format!("{{ search.greedy = {{ evaluation = {evaluation} }} }}"));
    for discs in ["\"discs\"", "{ discs = {} }"] {
        assert_eq!(with(discs), "greedy(evaluation=\"discs\")");
    }
    assert_eq!(with("\"default\""), "greedy");
    let linear = "greedy(evaluation=linear(weights=[1,-2,30,0]))";
    assert_eq!(with("{ linear = { weights = [1, -2, 30, 0] } }"), linear);
    assert_eq!(with("{ linear = { weights = [1, -2, 0x1E, 0], features = \"default\" } }"), linear);
    assert_eq!(crate::support::searcher(linear).to_string(), linear);
}

#[test]
fn weights_are_swept_like_any_value() {
    let swept = "{ search.greedy.evaluation.linear = { weights = { each = [[1, 0, 0, 0], [0, 1, 0, 0]] } } }";
    let manifest = read(swept).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> =
        manifest.experiments()[0].players.iter().map(|player| player.name.as_str()).collect();
    let expected = [
        "random",
        "greedy(evaluation=\"linear\") weights=[1,0,0,0]",
        "greedy(evaluation=\"linear\") weights=[0,1,0,0]",
    ];
    assert_eq!(names, expected);
}

#[test]
fn invalid_parts_are_errors_with_their_place() {
    let cases = [
        "{ search.greedy = { evaluation = { linaer = { weights = [1] } } } }",
        "{ search.greedy = { evaluation = { linear = { wieghts = [1] } } } }",
        "{ search.greedy = { evaluation = { linear = { weights = 1 } } } }",
        "{ search.greedy = { evaluation = { linear = { weights = [1, \"two\", 3, 4] } } } }",
        "{ search.greedy = { evaluation = { linear = { weights = [1, 2000000, 3, 4] } } } }",
        "{ search.greedy = { evaluation = { linear = { weights = [1, 2, 3] } } } }",
        "{ search.greedy = { evaluation = { linear = { features = \"sqares\", weights = [1] } } } }",
        "{ search.greedy = { evaluation = \"linear\" } }",
        "{ search.greedy = { evaluation = { linear = 3 } } }",
        "{ search.greedy = { evaluation = 3 } }",
        "{ search.greedy = { evaluation = { discs = { depth = 1 } } } }",
        "{ search.greedy = { evaluation = { eahc = [\"discs\"] } } }",
    ];
    insta::assert_snapshot!(refusals(&cases, read));
}
