//! The shapes of options as JSON Schema.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::game::options::{Count, Interval, OptionDecl, OptionKind, OptionValue, PartDecl};
use crate::players::AnyGame;

/// The shapes of options, and of the parts that they may be.
pub(super) struct Shapes<'a> {
    pub(super) games: &'a [Arc<dyn AnyGame>],
    /// The parts so far, under the names by which they are referred to.
    pub(super) parts: RefCell<Vec<(String, Json)>>,
}

impl Shapes<'_> {
    /// The names that any game knows of policies, features or evaluations.
    pub(super) fn names(&self, of: &str) -> Vec<&'static str> {
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
    pub(super) fn tagged(&self, about: &str, parts: &[PartDecl], is_swept: bool) -> Json {
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
    pub(super) fn object_of(&self, declared: &[OptionDecl], is_swept: bool) -> Json {
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

/// The shape with a name.
pub(super) fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// A value, or an axis of such values.
pub(super) fn swept(base: &Json) -> Json {
    let each = json!({ "type": "array", "minItems": 1, "items": base });
    json!({ "anyOf": [base, object(&json!({ "each": each }), &["each"]), { "$ref": "#/definitions/gene" }] })
}

pub(super) fn object(properties: &Json, required: &[&str]) -> Json {
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

pub(super) fn described(mut schema: Json, about: &str) -> Json {
    schema["description"] = about.into();
    schema
}

pub(super) fn text(about: &str) -> Json {
    json!({ "type": "string", "description": about })
}

pub(super) fn whole_number(min: i64, max: i64) -> Json {
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

pub(super) fn list(items: &Json, least: usize) -> Json {
    counted(items, &(least..=usize::MAX))
}

pub(super) fn counted(items: &Json, count: &Count) -> Json {
    let mut shape = json!({ "type": "array", "items": items });
    if *count.start() > 0 {
        shape["minItems"] = (*count.start()).into();
    }
    if *count.end() < usize::MAX {
        shape["maxItems"] = (*count.end()).into();
    }
    shape
}
