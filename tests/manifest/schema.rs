//! The JSON Schema of manifests: the committed one equals the generated one, and it accepts valid manifests only.

use std::fs;
use std::path::Path;

use proptest::prelude::{prop_assert, proptest};
use serde_json::Value as Json;
use shikou::experiment::Manifest;

use super::parse;

/// `shikou schema > experiments/manifest.schema.json` writes it again.
#[test]
fn the_committed_schema_is_the_one_that_is_generated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/manifest.schema.json");
    let committed = fs::read_to_string(path).unwrap();
    let generated = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    assert!(committed == generated, "run `shikou schema > experiments/manifest.schema.json`");
}

fn schema() -> Json {
    Manifest::json_schema(&shikou::registry()).unwrap()
}

/// Whether a value matches a schema, for the part of JSON Schema that ours uses.
fn is_valid(root: &Json, schema: &Json, value: &Json) -> bool {
    let known = [
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "default",
        "definitions",
        "deprecated",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "examples",
        "items",
        "maxItems",
        "maxProperties",
        "maximum",
        "minItems",
        "minProperties",
        "minimum",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
    ];
    let Json::Object(rules) = schema else { panic!("{schema} is no schema") };
    rules.iter().all(|(rule, content)| {
        assert!(known.contains(&rule.as_str()), "this validator does not know `{rule}`");
        let bound = || content.as_f64().unwrap();
        match (rule.as_str(), value) {
            ("$ref", _) => {
                let path = content.as_str().unwrap().strip_prefix('#').unwrap();
                is_valid(root, root.pointer(path).unwrap(), value)
            }
            ("anyOf", _) => content.as_array().unwrap().iter().any(|one| is_valid(root, one, value)),
            ("const", _) => content == value,
            ("enum", _) => content.as_array().unwrap().contains(value),
            ("type", _) => match content.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                other => panic!("unknown type {other}"),
            },
            ("minimum", Json::Number(number)) => number.as_f64().unwrap() >= bound(),
            ("maximum", Json::Number(number)) => number.as_f64().unwrap() <= bound(),
            ("exclusiveMinimum", Json::Number(number)) => number.as_f64().unwrap() > bound(),
            ("exclusiveMaximum", Json::Number(number)) => number.as_f64().unwrap() < bound(),
            // The patterns that there are: the notation of a command line, and a time.
            ("pattern", Json::String(text)) if content == "[(@]" => text.contains(['(', '@']),
            ("pattern", Json::String(text)) => {
                assert_eq!(content, "^[0-9]+ *(us|ms|s|min|h)$");
                let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
                unit != text && ["us", "ms", "s", "min", "h"].contains(&unit.trim_start_matches(' '))
            }
            ("minItems", Json::Array(items)) => items.len() as f64 >= bound(),
            ("maxItems", Json::Array(items)) => items.len() as f64 <= bound(),
            ("items", Json::Array(items)) => items.iter().all(|item| is_valid(root, content, item)),
            ("minProperties", Json::Object(entries)) => entries.len() as f64 >= bound(),
            ("maxProperties", Json::Object(entries)) => entries.len() as f64 <= bound(),
            ("required", Json::Object(entries)) => {
                content.as_array().unwrap().iter().all(|key| entries.contains_key(key.as_str().unwrap()))
            }
            ("properties", Json::Object(entries)) => {
                let fits = |(key, value)| content.get(key).is_none_or(|one| is_valid(root, one, value));
                entries.iter().all(fits)
            }
            ("additionalProperties", Json::Object(entries)) => {
                let is_other = |key: &str| schema["properties"].get(key).is_none();
                entries
                    .iter()
                    .filter(|(key, _)| is_other(key))
                    .all(|(_, value)| content.is_object() && is_valid(root, content, value))
            }
            _ => true,
        }
    })
}

#[test]
fn the_schema_knows_manifests_from_mistakes() {
    let schema = schema();
    let valid = |text: &str| {
        let value: toml::Value = toml::from_str(text).unwrap();
        is_valid(&schema, &schema, &serde_json::to_value(value).unwrap())
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut manifests = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension() == Some("toml".as_ref()) {
            manifests += 1;
            assert!(valid(&fs::read_to_string(&path).unwrap()), "{}", path.display());
        }
    }
    assert!(manifests > 0);
    let experiment = |keys: &str| {
        format!(
            "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\n{keys}\nplayer = [{{ search = \"random\" }}]\n"
        )
    };
    let player = |player: &str| {
        format!(
            "schema = 1\n[[experiment]]\ngame.othello = {{ size = {{ each = [4, 6] }} }}\ntrials = 1\nplayer = [{player}]\n"
        )
    };
    let right = [
        experiment(
            "openings = { wthor = \"a.wtb\", plies = 8 }\ndesign = \"match\"\nprimary = [[\"a\", \"b\"]]",
        ),
        experiment("openings = { transcripts = \"a.txt\" }\ndesign.gauntlet = { against = [\"a\"] }"),
        experiment("openings = { positions = \"a.txt\" }"),
        experiment("openings = { positions = [\"f5d6\", \"f5f4\"] }"),
        experiment("openings = { options = { size = [4, 6] } }"),
        experiment("openings = { options = [{ size = 4 }, { size = 6, reward = \"score\" }] }"),
        player(
            "{ search.simple-tree = { level = { each = [1, 2] }, playouts = 3 }, exclude = [{ level = 1 }] }",
        ),
        player(
            "{ name = \"a\", search.minimax = { each-of = [{ depth = \"full\" }, { depth = 3 }] }, budget = { nodes = 1000 } }",
        ),
        player("\"uct(exploration=0.5)@playouts=20\", \"random\""),
        player("{ search = \"uct(exploration=3)\", budget = 20 }"),
        player("{ search = { each = [\"random\", { flat = { playouts = { each = [1, 2] } } }] } }"),
    ];
    for text in right {
        assert!(valid(&text), "{text}");
        if !text.contains("wtb") && !text.contains("txt") {
            // A manifest that matches the schema is accepted by the reader, unless something does not fit.
            let text = text.replace(
                "player = [",
                "player = [{ name = \"other\", search = \"random\", stream = \"b\" }, ",
            );
            if let Err(error) = parse(&text) {
                panic!("{error}");
            }
        }
    }
    let wrong = [
        experiment("openigns = { random-plies = 2 }"),
        experiment("openings = { random-plies = -2 }"),
        experiment("openings = { wthor = \"a.wtb\" }"),
        experiment("openings = { positions = [3] }"),
        experiment("openings = { options = { size = 4 } }"),
        experiment("design = \"gauntlet\""),
        experiment("primary = [[\"a\", \"b\", \"c\"]]"),
        player("{ search = \"ranndom\" }"),
        player("\"ranndom\""),
        player("{ name = \"a\" }"),
        player("{ search.simple-tree = { level = { each = [] } } }"),
        player("{ search.simple-tree = { level = 1000 } }"),
        player("{ search.simple-tree = { levle = 1 } }"),
        player("{ search = { flat = {}, random = {} } }"),
        "schema = 2\nexperiment = []\n".into(),
    ];
    for text in wrong {
        assert!(!valid(&text), "{text}");
    }
}

const RICH: &str = r#"
schema = 1
question = "What?"
seed = 3

[[experiment]]
name = "o"
game.othello = { size = { each = [6, 8] } }
trials = 5
openings = { random-plies = { each = [2, 4] } }
exclude = [{ size = 8, random-plies = 2 }]
design.gauntlet = { against = ["random"] }
primary = [["flat playouts=2 ties=first", "random"]]
player = [
  { search = "random" },
  { name = "flat", search.flat = { playouts = { each = [2, 5] }, ties = { each = ["first", "random"] } }, exclude = [{ playouts = 5, ties = "first" }] },
  { search.simple-tree = { each-of = [{ level = 1, playouts = 2 }, { level = 2, playouts = 1 }] } },
]
"#;

proptest! {
    /// Whatever is cut, duplicated or moved in a manifest, it is read, or an error names an existing place.
    #[test]
    fn no_text_breaks_the_reader(from in 0..RICH.len(), length in 0..40_usize, to in 0..RICH.len()) {
        let cut = RICH[from..(from + length).min(RICH.len())].to_owned();
        let mut moved = RICH.replacen(&cut, "", 1);
        let mut doubled = RICH.to_owned();
        for text in [&mut moved, &mut doubled] {
            text.insert_str(to.min(text.len()), &cut);
            if let Err(error) = parse(text) {
                let (line, column) = error.line_and_column().unwrap();
                prop_assert!(line >= 1 && column >= 1 && !error.message.is_empty());
            }
        }
    }
}
