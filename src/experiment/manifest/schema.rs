//! The shape of a manifest as JSON Schema (draft 7, the one that TOML editors read).
//!
//! It is made from what games and searchers declare, so it knows no option that the reader does not know. It is
//! for completion and for mistakes of the fingers; whether things fit is decided when the manifest is read.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::Manifest;
use super::section::{DESIGNS, MOST_MEMORY_MIB, MOST_TRIALS};
use super::stopping::RULES;
use crate::game::options::{Invalid, OptionDecl, OptionKind, OptionValue, PartDecl};
use crate::players::{AnyGame, Registry, SearcherKind};
use crate::search::Budget;

impl Manifest {
    /// The JSON Schema of manifests with the games of a registry.
    ///
    /// # Errors
    /// Where the defaults of a game's options do not go together.
    pub fn json_schema(registry: &Registry) -> Result<Json, Invalid> {
        let games = registry.names().map(|name| registry.game(name, &[])).collect::<Result<Vec<_>, _>>()?;
        let shapes = Shapes { games: &games, parts: RefCell::default() };
        let mut known_games = Vec::new();
        for name in registry.names() {
            known_games.push((name, registry.about(name)?, shapes.object_of(registry.options(name)?)));
        }
        let searchers =
            SearcherKind::ALL.map(|kind| (kind.name(), kind.about(), shapes.object_of(&kind.options())));
        let budget = shapes.object_of(&Budget::options());
        let mut schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A manifest of Shikou",
            "type": "object",
            "required": ["schema", "experiment"],
            "additionalProperties": false,
            "properties": {
                "schema": { "const": 1, "description": "the version of the format" },
                "question": text("the question that the manifest asks"),
                "source": text("where the question comes from"),
                "seed": seed(),
                "time-limit": text("how long a run may take, such as 2h; no trial is started after it"),
                "experiment": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/experiment" } },
            },
            "definitions": {
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
                "search": tagged("the searcher, with its options", &searchers),
                "budget": described(
                    budget,
                    "what it may spend on a move; the limit that is reached first ends the search",
                ),
                "openings": openings(&games),
                "design": design(),
            },
        });
        // What several searchers take stands there once.
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
            "seed": described(swept(&whole_number(0, i64::MAX)), "the seed of this experiment alone"),
            "memory-mib": described(swept(&whole_number(1, MOST_MEMORY_MIB)), "what one search may hold, in MiB"),
            "player": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/player" } },
            "exclude": { "$ref": "#/definitions/exclude" },
            "each-of": { "$ref": "#/definitions/each-of" },
        },
    })
}

fn player() -> Json {
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["search"] }, { "required": ["each-of"] }],
        "properties": {
            "name": text("its name, unique in the experiment; by default what it is"),
            "search": swept(&json!({ "$ref": "#/definitions/search" })),
            "budget": swept(&json!({ "$ref": "#/definitions/budget" })),
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
        "description": "who meets whom",
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
    let alpha = number("the probability of seeing a difference that is not there; 0.05 where there is none");
    let rule = |name: &str| match name {
        "half-width" => json!({
            "at-most": number("the largest half-width of the anytime 95 % intervals"),
            "of": { "enum": ["success", "difference"], "description": "of which intervals" },
        }),
        "sprt" => json!({
            "between": between,
            "model": { "enum": ["logistic", "normalized"], "description": "what an Elo number is a number of" },
            "elo0": number("the difference under H0"),
            "elo1": number("the difference under H1"),
            "alpha": alpha,
            "beta": number("the probability of missing it; 0.05 where there is none"),
        }),
        _ => json!({ "between": between, "alpha": alpha }),
    };
    let rules = RULES.map(|(name, _)| object(&json!({ name: object(&rule(name), &[]) }), &[name]));
    json!({ "description": "when it is enough, before all trials are played", "anyOf": rules })
}

fn openings(games: &[std::sync::Arc<dyn AnyGame>]) -> Json {
    let random = described(swept(&whole_number(0, 1000)), "so many uniformly random plies");
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
    let mut formats: Vec<_> = games.iter().flat_map(|game| game.record_formats()).collect();
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

/// A thing named alone, or as the one key of a table with its options.
fn tagged(about: &str, known: &[(&str, &str, Json)]) -> Json {
    let names: Vec<&str> = known.iter().map(|(name, ..)| *name).collect();
    let properties: Map<String, Json> = known
        .iter()
        .map(|(name, about, options)| ((*name).to_owned(), described(options.clone(), about)))
        .collect();
    let mut with_options = object(&Json::Object(properties), &[]);
    with_options["minProperties"] = 1.into();
    with_options["maxProperties"] = 1.into();
    json!({ "description": about, "anyOf": [{ "enum": names }, with_options] })
}

/// The shapes of options, and of the parts that they may be.
struct Shapes<'a> {
    games: &'a [Arc<dyn AnyGame>],
    /// The parts so far, under the names by which they are referred to.
    parts: RefCell<Vec<(String, Json)>>,
}

impl Shapes<'_> {
    /// The names that any game knows of policies, features or evaluations.
    fn names(&self, of: &str) -> Vec<&'static str> {
        let named = self.games.iter().flat_map(|game| match of {
            "policies" => game.policies(),
            "lists of rules" => game.rule_lists(),
            "features" => game.features(),
            _ => game.evaluations(),
        });
        let mut names: Vec<_> = named.map(|named| named.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A reference to the shape of an option that takes parts. Where two options are alike, they share one.
    fn part(&self, option: &str, parts: &[PartDecl], names: Option<&str>) -> Json {
        let known: Vec<_> =
            parts.iter().map(|part| (part.name, part.about, self.object_of(&part.options))).collect();
        let mut shape = tagged("a part, with its options", &known);
        if let (Some(of), Some(forms)) = (names, shape["anyOf"].as_array_mut()) {
            forms[0] = json!({ "type": "string", "examples": self.names(of) });
            if parts.is_empty() {
                forms.pop();
            }
        }
        let mut so_far = self.parts.borrow_mut();
        let alike = so_far.iter().find(|(_, other)| *other == shape).map(|(name, _)| name.clone());
        let name = alike.unwrap_or_else(|| {
            let taken = |name: &str| so_far.iter().any(|(other, _)| other == name);
            let mut names =
                (1..).map(|n| if n == 1 { format!("part-{option}") } else { format!("part-{option}-{n}") });
            let name = names.find(|name| !taken(name)).expect("numbers do not end");
            so_far.push((name.clone(), shape));
            name
        });
        json!({ "$ref": format!("#/definitions/{name}") })
    }

    /// The table of some declared options.
    fn object_of(&self, declared: &[OptionDecl]) -> Json {
        let mut properties = Map::new();
        for decl in declared {
            let base = match &decl.kind {
                OptionKind::Integer { min, max } => whole_number(*min, *max),
                OptionKind::IntegerOr { min, max, word } => {
                    json!({ "anyOf": [whole_number(*min, *max), { "const": word }] })
                }
                OptionKind::Real { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
                OptionKind::TimeOr { word } => {
                    let time = json!({ "type": "string", "pattern": "^[0-9]+ *(us|ms|s|min|h)$" });
                    json!({ "anyOf": [time, { "const": word }] })
                }
                OptionKind::Flag => json!({ "type": "boolean" }),
                OptionKind::Choice(words) => {
                    json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
                }
                OptionKind::Rules => json!({ "type": "string", "examples": self.names("lists of rules") }),
                OptionKind::NameOf(of) => json!({ "type": "string", "examples": self.names(of) }),
                OptionKind::Integers { min, max } => {
                    json!({ "type": "array", "items": whole_number(*min, *max) })
                }
                OptionKind::Part { parts, names } => self.part(decl.name, parts, *names),
            };
            let mut option = described(swept(&base), decl.about);
            option["default"] = match &decl.default {
                OptionValue::Integer(value) => json!(value),
                OptionValue::Real(value) => json!(value),
                OptionValue::Flag(value) => json!(value),
                OptionValue::Word(value) => json!(value),
                OptionValue::Integers(values) => json!(values),
                // The default of a part has no options of its own.
                OptionValue::Part(value) => json!(value.name),
            };
            properties.insert(decl.name.into(), option);
        }
        if !declared.is_empty() {
            properties.insert("each-of".into(), json!({ "$ref": "#/definitions/each-of" }));
        }
        object(&Json::Object(properties), &[])
    }
}

/// A value, or an axis of such values.
fn swept(base: &Json) -> Json {
    let each = json!({ "type": "array", "minItems": 1, "items": base });
    json!({ "anyOf": [base, object(&json!({ "each": each }), &["each"])] })
}

fn object(properties: &Json, required: &[&str]) -> Json {
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

fn described(mut schema: Json, about: &str) -> Json {
    schema["description"] = about.into();
    schema
}

fn text(about: &str) -> Json {
    json!({ "type": "string", "description": about })
}

fn seed() -> Json {
    described(whole_number(0, i64::MAX), "all randomness follows from it; 0 where there is none")
}

fn whole_number(min: i64, max: i64) -> Json {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}
