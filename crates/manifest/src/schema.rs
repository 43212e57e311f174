//! The shape of a manifest as JSON Schema (draft 7, the one that TOML editors read).
//!
//! The declarations of games and searchers make it, so it has the options that the reader has. Editors complete by it and find
//! typing errors; whether players fit a game is checked when a plan is made.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::read::{
    Drawn, ExperimentKeys, FitnessKeys, GeneKeys, JudgeKeys, NormaliseKeys, OptimisationKeys, PublishedKeys,
    SamplesKeys, StartKeys, TrainingJudgeKeys, TrainingKeys,
};
use super::{Manifest, MethodSettings, Racing};
use crate::game::options::{
    Count, Interval, OptionDecl, OptionError, OptionKind, OptionValue, PartDecl, Parts as _, Settings as _,
};
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
                "game": game_or_notation(shapes.tagged("the game, with its options", &known_games, true)),
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

/// The schema of a game that may also have its options in brackets.
fn game_or_notation(mut game: Json) -> Json {
    game["anyOf"][0] = json!({ "anyOf": [game["anyOf"][0], { "type": "string", "pattern": NOTATION }] });
    game
}

/// A text with options in brackets or a budget after an `@`.
const NOTATION: &str = "[(@]";

fn player() -> Json {
    let stream = swept(&json!({ "type": "string" }));
    let table = json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["search"] }, { "required": ["evolved"] }, { "required": ["each-of"] }],
        "properties": {
            "name": text("its name, unique in the experiment; by default its searcher"),
            "search": swept(&reference("search")),
            "budget": swept(&reference("budget")),
            "evolved": text("the name of an optimisation above, or of a run of its sweep: the player is its result"),
            "stream": described(stream, "a name for luck of its own: how a player meets itself"),
            "exclude": reference("exclude"),
            "each-of": reference("each-of"),
        },
    });
    json!({ "anyOf": [reference("search/anyOf/0"), table] })
}

fn openings(games: &[Arc<dyn AnyGame>]) -> Json {
    let random = described(swept(&whole_number(0, 1000)), "the number of uniformly random plies");
    let balanced = described(
        object(
            &json!({
                "search": reference("search"),
                "budget": reference("budget"),
                "within": { "type": "number", "description": "how far from 0 the value of its best move may be" },
            }),
            &["search", "within"],
        ),
        "others are drawn until this searcher finds one balanced",
    );
    let positions = json!({
        "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }],
        "description": "positions, or a file of them, named from the manifest's folder",
    });
    let options = json!({
        "anyOf": [
            { "type": "object", "additionalProperties": { "type": "array", "minItems": 1 } },
            { "type": "array", "items": { "type": "object" }, "minItems": 1 },
        ],
        "description": "values of options of the game: every combination, or rows",
    });
    let drawn =
        json!({ "type": "boolean", "description": "each instance begins at a position that the game draws" });
    let file = "a file with a transcript on each line, named from the manifest's folder";
    let mut kinds = vec![
        object(&json!({ "random-plies": random, "balanced": balanced }), &["random-plies"]),
        object(&json!({ "transcripts": text(file) }), &["transcripts"]),
        object(&json!({ "positions": positions }), &["positions"]),
        object(&json!({ "options": options }), &["options"]),
        object(&json!({ "random-positions": drawn }), &["random-positions"]),
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
    json!({ "description": "how games begin; both games of a pair begin alike", "anyOf": kinds })
}

struct Shapes<'a> {
    games: &'a [Arc<dyn AnyGame>],
    /// The parts so far, under the names by which they are referred to.
    parts: RefCell<Vec<(String, Json)>>,
}

impl Shapes<'_> {
    /// The names that any game knows of policies, features or evaluations.
    fn names(&self, of: &str) -> Vec<&'static str> {
        let named = self.games.iter().flat_map(|game| match of {
            "policies" => &game.lists().policies,
            "lists of rules" => &game.lists().rule_lists,
            "features" => &game.lists().features,
            _ => &game.lists().evaluations,
        });
        let mut names: Vec<_> = named.map(|named| named.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A reference to the shape of an option that takes parts. Equal options share one.
    fn part(&self, option: &str, parts: &[PartDecl], names: Option<&str>, is_swept: bool) -> Json {
        let mut shape = self.tagged("a part, with its options", parts, is_swept);
        if let (Some(of), Some(forms)) = (names, shape["anyOf"].as_array_mut()) {
            forms[0] = json!({ "type": "string", "examples": self.names(of) });
            if parts.is_empty() {
                forms.pop();
            }
            let nothing = json!({ "type": "object", "maxProperties": 0 });
            forms.push(json!({ "type": "object", "maxProperties": 1, "additionalProperties": nothing }));
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
        reference(&name)
    }

    /// A thing named alone, or as the one key of a table with its options.
    fn tagged(&self, about: &str, parts: &[PartDecl], is_swept: bool) -> Json {
        // A thing with options that must be given is not named alone.
        let is_needed = |decl: &OptionDecl| matches!(decl.default, OptionValue::Needed(_));
        let alone = parts.iter().filter(|part| !part.options.iter().any(is_needed)).map(|part| part.name);
        let alone: Vec<&str> = alone.collect();
        let with_options = parts
            .iter()
            .map(|part| (part.name.into(), described(self.options_of(part, is_swept), part.about)));
        let mut with_options = object(&Json::Object(with_options.collect()), &[]);
        with_options["minProperties"] = 1.into();
        with_options["maxProperties"] = 1.into();
        let forms =
            if alone.is_empty() { json!([with_options]) } else { json!([{ "enum": alone }, with_options]) };
        json!({ "description": about, "anyOf": forms })
    }

    /// The options of a part: a table, or the list alone if that is its only option.
    fn options_of(&self, part: &PartDecl, is_swept: bool) -> Json {
        let object = self.object_of(&part.options, is_swept);
        match &part.options[..] {
            [OptionDecl { kind: OptionKind::Tables(_), name, .. }] => {
                json!({ "anyOf": [object["properties"][name]["anyOf"][0], object] })
            }
            _ => object,
        }
    }

    /// The table of some declared options, over which there may be sweeps if `is_swept`.
    fn object_of(&self, declared: &[OptionDecl], is_swept: bool) -> Json {
        let (mut properties, mut needed) = (Map::new(), Vec::new());
        for decl in declared {
            let is_swept = is_swept && !decl.fixed;
            let base = match &decl.kind {
                OptionKind::Integer { min, max, .. } => whole_number(*min, *max),
                OptionKind::Real { range, .. } => real_number(range),
                OptionKind::Numbers { range, whole, count } => {
                    let whole = whole.then(|| whole_number(range.min as i64, range.max as i64));
                    counted(&whole.unwrap_or_else(|| real_number(range)), count)
                }
                OptionKind::Texts { count, alone } => {
                    let text = json!({ "type": "string" });
                    let texts = counted(&text, count);
                    if *alone { json!({ "anyOf": [text, texts] }) } else { texts }
                }
                OptionKind::Other(shape) => reference(shape),
                OptionKind::Command => {
                    let text = json!({ "type": "string" });
                    json!({ "anyOf": [text, { "type": "array", "items": text }] })
                }
                OptionKind::File | OptionKind::Evolved | OptionKind::Text(_) => json!({ "type": "string" }),
                OptionKind::Tables(_) if let Some(value) = decl.kind.named_value() => {
                    let values = self.object_of(std::slice::from_ref(value), is_swept);
                    json!({ "type": "object", "additionalProperties": values["properties"][value.name] })
                }
                OptionKind::Tables(options) => list(&self.object_of(options, is_swept), 0),
                OptionKind::Time { .. } => {
                    json!({ "type": "string", "pattern": "^[0-9]+ *(us|ms|s|min|h)$" })
                }
                OptionKind::Flag => json!({ "type": "boolean" }),
                OptionKind::Choice(words) => {
                    json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
                }
                OptionKind::Rules => json!({ "type": "string", "examples": self.names("lists of rules") }),
                OptionKind::NameOf(of) => json!({ "type": "string", "examples": self.names(of) }),
                OptionKind::Part { parts, names } => self.part(decl.name, parts, *names, is_swept),
            };
            let base = match decl.kind.word() {
                Some(word) => json!({ "anyOf": [base, { "const": word }] }),
                None => base,
            };
            let mut option = described(if is_swept { swept(&base) } else { base }, decl.about);
            let default = match &decl.default {
                OptionValue::Integer(value) => json!(value),
                OptionValue::Real(value) => json!(value),
                OptionValue::Flag(value) => json!(value),
                OptionValue::Word(value) => json!(value),
                OptionValue::Integers(values) => json!(values),
                // The default of a part has no options of its own.
                OptionValue::Part(value) => json!(value.name),
                OptionValue::Gene(_) => unreachable!("a gene is no default"),
                OptionValue::Reals(values) => json!(values),
                OptionValue::Words(words) => json!(words),
                // No file and no table.
                OptionValue::File(_) | OptionValue::Tables(_) | OptionValue::Nothing => Json::Null,
                OptionValue::Needed(_) => {
                    needed.push(decl.name);
                    Json::Null
                }
            };
            if default != Json::Null {
                option["default"] = default;
            }
            if let Some(old) = decl.formerly {
                let mut older = option.clone();
                older["deprecated"] = true.into();
                properties.insert(old.into(), older);
            }
            properties.insert(decl.name.into(), option);
        }
        if declared.is_empty() || !is_swept {
            return object(&Json::Object(properties), &needed);
        }
        properties.insert("each-of".into(), reference("each-of"));
        let mut shape = object(&Json::Object(properties), &[]);
        if !needed.is_empty() {
            shape["anyOf"] = json!([{ "required": needed }, { "required": ["each-of"] }]);
        }
        shape
    }
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// A value, or an axis of such values.
fn swept(base: &Json) -> Json {
    let each = json!({ "type": "array", "minItems": 1, "items": base });
    json!({ "anyOf": [base, object(&json!({ "each": each }), &["each"]), reference("gene")] })
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

fn whole_number(min: i64, max: i64) -> Json {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}

fn real_number(range: &Interval) -> Json {
    let [least, most] =
        if range.open { ["exclusiveMinimum", "exclusiveMaximum"] } else { ["minimum", "maximum"] };
    let mut shape = json!({ "type": "number" });
    for (bound, value) in [(least, range.min), (most, range.max)] {
        if value.is_finite() {
            shape[bound] = value.into();
        }
    }
    shape
}

fn list(items: &Json, least: usize) -> Json {
    counted(items, &(least..=usize::MAX))
}

fn counted(items: &Json, count: &Count) -> Json {
    let mut shape = json!({ "type": "array", "items": items });
    if *count.start() > 0 {
        shape["minItems"] = (*count.start()).into();
    }
    if *count.end() < usize::MAX {
        shape["maxItems"] = (*count.end()).into();
    }
    shape
}
