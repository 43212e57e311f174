//! The shape of a manifest as JSON Schema (draft 7, the one that TOML editors read).
//!
//! It is generated from the declarations of games and searchers, so it has the options that the reader has. It is
//! for completion and typing errors; whether players fit a game is checked when a plan is made.

use std::cell::RefCell;

use serde_json::{Map, Value as Json, json};

use super::read::section::{DESIGNS, MOST_MEMORY_MIB, MOST_TRIALS};
use super::read::stopping::RULES;
use super::schema_optimisation::{gene, genes, optimisation};
use super::schema_training::training;
use super::shapes::{Shapes, described, object, swept, tagged, text, whole_number};
use crate::experiment::manifest::Manifest;
use crate::game::options::OptionError;
use crate::players::{AnyGame, Registry};
use crate::search::Budget;

impl Manifest {
    /// The JSON Schema of manifests with the games of a registry.
    ///
    /// # Errors
    /// If the defaults of a game's options do not go together.
    pub fn json_schema(registry: &Registry) -> Result<Json, OptionError> {
        let games = registry.names().map(|name| registry.game(name, &[])).collect::<Result<Vec<_>, _>>()?;
        let shapes = Shapes { games: &games, parts: RefCell::default() };
        let mut known_games = Vec::new();
        for name in registry.names() {
            known_games.push((name, registry.about(name)?, shapes.object_of(registry.options(name)?)));
        }
        let searchers = registry.searchers().iter();
        let searchers: Vec<_> =
            searchers.map(|known| (known.name, known.about, shapes.object_of(&known.options()))).collect();
        let budget = shapes.object_of(&Budget::options());
        let mut schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A manifest of Shikou",
            "type": "object",
            "required": ["schema"],
            "anyOf": [{ "required": ["experiment"] }, { "required": ["optimisation"] }, { "required": ["training"] }],
            "additionalProperties": false,
            "properties": {
                "schema": { "const": 1, "description": "the version of the format" },
                "question": text("the question that the manifest asks"),
                "source": text("the source of the question"),
                "seed": seed(),
                "time-limit": text("how long a run may take, such as 2h; no trial is started after it"),
                "training": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/training" } },
                "optimisation": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/optimisation" } },
                "experiment": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/experiment" } },
            },
            "definitions": {
                "training": training(&shapes),
                "optimisation": optimisation(&shapes),
                "genes": genes(),
                "gene": gene(),
                "experiment": experiment(),
                "player": player(),
                "exclude": {
                    "description": "removes the combinations of a sweep that have all values of a row",
                    "type": "array",
                    "items": { "type": "object", "minProperties": 1 },
                },
                "each-of": {
                    "description": "rows of values that are set together: one axis of a sweep",
                    "type": "array",
                    "minItems": 1,
                    "items": { "type": "object" },
                },
                "game": tagged("the game, with its options", &known_games),
                "search": search(&searchers, &shapes),
                "budget": {
                    "description": "the budget of a move; the limit that is reached first ends the search",
                    "anyOf": [budget, { "type": "integer", "minimum": 1 }, { "type": "string" }],
                },
                "openings": openings(&games),
                "design": design(),
            },
        });
        // Shapes that several searchers share are written once.
        for (name, part) in shapes.parts.into_inner() {
            schema["definitions"][name] = part;
        }
        Ok(schema)
    }
}

fn experiment() -> Json {
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["game", "trials", "player"] }, { "required": ["each-of"] }],
        "properties": {
            "name": text("its name, unique in the manifest"),
            "game": swept(&json!({ "$ref": "#/definitions/game" })),
            "trials": described(
                swept(&whole_number(1, MOST_TRIALS)),
                "how many instances each cell plays: deals of a solitaire, pairs of games for two"
            ),
            "stopping": stopping(),
            "openings": swept(&json!({ "$ref": "#/definitions/openings" })),
            "design": { "$ref": "#/definitions/design" },
            "primary": {
                "description": "the comparisons that the question is about, each as the names of two players",
                "type": "array",
                "items": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "string" } },
            },
            "published": published(),
            "seed": described(swept(&whole_number(0, i64::MAX)), "the seed of this experiment alone"),
            "memory-mib": described(swept(&whole_number(1, MOST_MEMORY_MIB)), "memory of one search, in MiB"),
            "player": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/player" } },
            "exclude": { "$ref": "#/definitions/exclude" },
            "each-of": { "$ref": "#/definitions/each-of" },
        },
    })
}

/// A searcher by its name, with a table of options, or in the notation of a command line.
fn search(searchers: &[(&str, &str, Json)], shapes: &Shapes<'_>) -> Json {
    let mut search = tagged("the searcher, with its options", searchers);
    let mut names: Vec<&str> = searchers.iter().map(|(name, ..)| *name).collect();
    names.extend(shapes.names("lists of rules"));
    names.extend(shapes.names("policies"));
    search["anyOf"][0] = json!({ "anyOf": [{ "enum": names }, { "type": "string", "pattern": NOTATION }] });
    search
}

/// A text with options in brackets or a budget after an `@`.
const NOTATION: &str = "[(@]";

fn player() -> Json {
    let notation = json!({ "$ref": "#/definitions/search/anyOf/0" });
    json!({ "anyOf": [notation, player_table()] })
}

fn player_table() -> Json {
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["search"] }, { "required": ["evolved"] }, { "required": ["each-of"] }],
        "properties": {
            "name": text("its name, unique in the experiment; by default its searcher"),
            "search": swept(&json!({ "$ref": "#/definitions/search" })),
            "budget": swept(&json!({ "$ref": "#/definitions/budget" })),
            "evolved": text("the name of an optimisation above, or of a run of its sweep: the player is its result"),
            "stream": described(
                swept(&json!({ "type": "string" })),
                "a name for luck of its own: how a player meets itself"
            ),
            "exclude": { "$ref": "#/definitions/exclude" },
            "each-of": { "$ref": "#/definitions/each-of" },
        },
    })
}

fn design() -> Json {
    let names: Vec<&str> = DESIGNS.into_iter().filter(|&name| name != "gauntlet").collect();
    json!({
        "description": "which players meet",
        "anyOf": [
            { "enum": names },
            object(&json!({
                "gauntlet": object(&json!({
                    "against": {
                        "description": "the names of the players that all others meet",
                        "type": "array",
                        "minItems": 1,
                        "items": { "type": "string" },
                    },
                }), &["against"]),
            }), &["gauntlet"]),
        ],
    })
}

fn stopping() -> Json {
    let number = |about: &str| json!({ "type": "number", "description": about });
    let between = json!({
        "description": "the names of two players",
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": { "type": "string" },
    });
    let alpha = number("the probability of finding a difference between equal players; 0.05 by default");
    let rule = |name: &str| match name {
        "half-width" => json!({
            "at-most": number("the largest half-width of the anytime 95 % intervals"),
            "of": { "enum": ["success", "difference"], "description": "of which intervals" },
        }),
        "sprt" => json!({
            "between": between,
            "model": { "enum": ["logistic", "normalized"], "description": "the scale of Elo differences" },
            "elo0": number("the difference under H0"),
            "elo1": number("the difference under H1"),
            "alpha": alpha,
            "beta": number("the probability of missing it; 0.05 by default"),
        }),
        _ => json!({ "between": between, "alpha": alpha }),
    };
    let rules = RULES.map(|(name, _)| object(&json!({ name: object(&rule(name), &[]) }), &[name]));
    json!({ "description": "when it is enough, before all trials are played", "anyOf": rules })
}

fn openings(games: &[std::sync::Arc<dyn AnyGame>]) -> Json {
    let random = described(swept(&whole_number(0, 1000)), "the number of uniformly random plies");
    let balanced = described(
        object(
            &json!({
                "search": { "$ref": "#/definitions/search" },
                "budget": { "$ref": "#/definitions/budget" },
                "within": { "type": "number", "description": "how far from 0 the value of its best move may be" },
            }),
            &["search", "within"],
        ),
        "others are drawn until this searcher finds one balanced",
    );
    let file = "a file with a transcript on each line, named from the manifest's folder";
    let mut kinds = vec![
        object(&json!({ "random-plies": random, "balanced": balanced }), &["random-plies"]),
        object(&json!({ "transcripts": text(file) }), &["transcripts"]),
    ];
    let mut formats: Vec<_> = games.iter().flat_map(|game| &game.lists().record_formats).collect();
    formats.sort_by_key(|format| format.name);
    formats.dedup_by_key(|format| format.name);
    for format in formats {
        let plies = described(swept(&whole_number(1, 1000)), "how long the openings are");
        let mut properties = Map::new();
        properties.insert(format.name.into(), text(&format!("a file: {}", format.about)));
        properties.insert("plies".into(), plies);
        kinds.push(object(&Json::Object(properties), &[format.name, "plies"]));
    }
    json!({ "description": "how the games for two begin; both games of a pair begin alike", "anyOf": kinds })
}

fn seed() -> Json {
    described(whole_number(0, i64::MAX), "the seed of all randomness; 0 by default")
}

fn published() -> Json {
    let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    json!({
        "description": "what a source published of players: successes of trials, or a value with or without its interval",
        "type": "array",
        "items": object(&json!({
            "player": text("the name of a player of this experiment"),
            "successes": whole_number(0, i64::MAX),
            "trials": whole_number(1, i64::MAX),
            "value": share.clone(),
            "low": share.clone(),
            "high": share,
        }), &["player"]),
    })
}
