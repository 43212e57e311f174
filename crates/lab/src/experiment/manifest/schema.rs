//! The shape of a manifest as JSON Schema (draft 7, the one that TOML editors read).
//!
//! It is generated from the declarations of games and searchers, so it has the options that the reader has. It is
//! for completion and typing errors; whether players fit a game is checked when a plan is made.

use std::cell::RefCell;

use serde_json::{Map, Value as Json, json};

use super::method::MethodSettings;
use super::optimisation::Racing;
use super::read::fitness::{Drawn, FitnessKeys, JudgeKeys};
use super::read::genes::{GeneKeys, NormaliseKeys, StartKeys};
use super::read::optimisation::OptimisationKeys;
use super::read::published::PublishedKeys;
use super::read::section::ExperimentKeys;
use super::read::training::{SamplesKeys, TrainingJudgeKeys, TrainingKeys};
use super::shapes::{Shapes, counted, described, list, object, reference, swept, text, whole_number};
use crate::experiment::manifest::Manifest;
use crate::game::options::{OptionDecl, OptionError, PartDecl, Parts as _, Settings as _};
use crate::players::{AnyGame, Registry, learner_options};
use crate::search::Budget;

impl Manifest {
    /// The JSON Schema of manifests with the games of a registry.
    ///
    /// # Errors
    /// If the defaults of a game's options do not go together.
    pub fn json_schema(registry: &Registry) -> Result<Json, OptionError> {
        let games = registry.names().map(|name| registry.game(name, &[])).collect::<Result<Vec<_>, _>>()?;
        let shapes = Shapes { games: &games, parts: RefCell::default() };
        let game = |name| Ok(PartDecl::new(name, registry.about(name)?, registry.options(name)?.to_vec()));
        let known_games = registry.names().map(game).collect::<Result<Vec<_>, OptionError>>()?;
        let budget = shapes.object_of(&Budget::options(), true);
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
                "seed": described(whole_number(0, i64::MAX), "the seed of all randomness; 0 by default"),
                "time-limit": text("how long a run may take, such as 2h; no trial is started after it"),
                "training": list(&reference("training"), 1),
                "optimisation": list(&reference("optimisation"), 1),
                "experiment": list(&reference("experiment"), 1),
            },
            "definitions": {
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
                "game": shapes.tagged("the game, with its options", &known_games, true),
                "search": search(registry, &shapes),
                "budget": {
                    "description": "the budget of a move; the limit that is reached first ends the search",
                    "anyOf": [budget, { "type": "integer", "minimum": 1 }, { "type": "string" }],
                },
                "openings": openings(&games),
            },
        });
        let questions = questions(&shapes);
        // Shapes that several searchers share are written once.
        for (name, shape) in questions.into_iter().chain(shapes.parts.into_inner()) {
            schema["definitions"][name] = shape;
        }
        Ok(schema)
    }
}

/// The shapes of questions and of what they hold.
fn questions(shapes: &Shapes<'_>) -> Vec<(String, Json)> {
    let question = |declared: Vec<OptionDecl>| {
        let mut shape = shapes.object_of(&declared, true);
        shape["properties"]["exclude"] = reference("exclude");
        shape
    };
    let swept = |declared: Vec<OptionDecl>| shapes.object_of(&declared, true);
    let fixed = |declared: Vec<OptionDecl>| shapes.object_of(&declared, false);
    let mut training = question(TrainingKeys::options());
    training["anyOf"] = json!([
        { "required": ["game", "evaluation", "method", "games"] },
        { "required": ["game", "evaluation", "method", "samples"] },
        { "required": ["each-of"] },
    ]);
    let text = json!({ "type": "string" });
    let gene = object(
        &json!({ "gene": described(text.clone(), "the name of a gene of the optimisation") }),
        &["gene"],
    );
    let mut genes = json!({ "type": "object", "minProperties": 1 });
    genes["additionalProperties"] = fixed(GeneKeys::options());
    let learners = swept(learner_options(None).expect("there are methods").into());
    let shapes = [
        ("experiment", question(ExperimentKeys::options())),
        ("players", list(&reference("player"), 1)),
        ("primary", list(&counted(&text, &(2..=2)), 0)),
        ("published", list(&fixed(PublishedKeys::options()), 0)),
        ("optimisation", question(OptimisationKeys::options())),
        ("method", swept(MethodSettings::options())["properties"]["method"].clone()),
        ("gene", described(gene, "a value that an optimiser finds")),
        ("genes", genes),
        ("start", json!({ "anyOf": [{ "type": "number" }, fixed(StartKeys::options())] })),
        ("normalise", fixed(NormaliseKeys::options())),
        ("opponents", json!({ "anyOf": [text, list(&text, 1)] })),
        ("against", json!({ "anyOf": [reference("opponents"), shapes.tagged("", &Drawn::parts(), true)] })),
        ("fitness", swept(FitnessKeys::options())),
        ("racing", swept(Racing::options())),
        ("judge", fixed(JudgeKeys::options())),
        ("training", training),
        ("evaluation", learners["properties"]["evaluation"].clone()),
        ("training-method", learners["properties"]["method"].clone()),
        ("samples", swept(SamplesKeys::options())),
        ("training-judge", fixed(TrainingJudgeKeys::options())),
        ("one-player", counted(&reference("player"), &(1..=1))),
    ];
    shapes.map(|(name, shape)| (name.into(), shape)).into()
}

/// A searcher by its name, with a table of options, or in the notation of a command line.
fn search(registry: &Registry, shapes: &Shapes<'_>) -> Json {
    let searchers = registry.searchers().iter();
    let searchers: Vec<_> =
        searchers.map(|known| PartDecl::new(known.name, known.about, known.options())).collect();
    let mut search = shapes.tagged("the searcher, with its options", &searchers, true);
    let mut names: Vec<&str> = searchers.iter().map(|searcher| searcher.name).collect();
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
