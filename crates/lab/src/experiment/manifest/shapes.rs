//! The shapes of options as JSON Schema.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::game::options::{Interval, OptionDecl, OptionKind, OptionValue, PartDecl};
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
    pub(super) fn part(&self, option: &str, parts: &[PartDecl], names: Option<&str>) -> Json {
        let known: Vec<_> = parts.iter().map(|part| (part.name, part.about, self.options_of(part))).collect();
        let mut shape = tagged("a part, with its options", &known);
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
        json!({ "$ref": format!("#/definitions/{name}") })
    }

    /// The options of a part: a table, or the list alone if that is its only option.
    fn options_of(&self, part: &PartDecl) -> Json {
        let object = self.object_of(&part.options);
        match &part.options[..] {
            [OptionDecl { kind: OptionKind::Tables(_), name, .. }] => {
                json!({ "anyOf": [object["properties"][name]["anyOf"][0], object] })
            }
            _ => object,
        }
    }

    /// The table of some declared options.
    pub(super) fn object_of(&self, declared: &[OptionDecl]) -> Json {
        let mut properties = Map::new();
        for decl in declared {
            let base = match &decl.kind {
                OptionKind::Integer { min, max, .. } => whole_number(*min, *max),
                OptionKind::Real { range, .. } => real_number(range),
                OptionKind::Numbers { range, whole: false } => {
                    json!({ "type": "array", "items": real_number(range) })
                }
                OptionKind::Numbers { range, whole: true } => {
                    json!({ "type": "array", "items": whole_number(range.min as i64, range.max as i64) })
                }
                OptionKind::Command => {
                    let text = json!({ "type": "string" });
                    json!({ "anyOf": [text, { "type": "array", "items": text }] })
                }
                OptionKind::File | OptionKind::Evolved | OptionKind::Text(_) => json!({ "type": "string" }),
                OptionKind::Tables(options) => {
                    json!({ "type": "array", "items": self.object_of(options) })
                }
                OptionKind::Time { .. } => {
                    json!({ "type": "string", "pattern": "^[0-9]+ *(us|ms|s|min|h)$" })
                }
                OptionKind::Flag => json!({ "type": "boolean" }),
                OptionKind::Choice(words) => {
                    json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
                }
                OptionKind::Rules => json!({ "type": "string", "examples": self.names("lists of rules") }),
                OptionKind::NameOf(of) => json!({ "type": "string", "examples": self.names(of) }),
                OptionKind::Part { parts, names } => self.part(decl.name, parts, *names),
            };
            let base = match decl.kind.word() {
                Some(word) => json!({ "anyOf": [base, { "const": word }] }),
                None => base,
            };
            let mut option = described(swept(&base), decl.about);
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
                OptionValue::File(_) | OptionValue::Tables(_) => Json::Null,
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
        if !declared.is_empty() {
            properties.insert("each-of".into(), json!({ "$ref": "#/definitions/each-of" }));
        }
        object(&Json::Object(properties), &[])
    }
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
    json!({ "type": "number", "minimum": range.min, "maximum": range.max })
}

/// A thing named alone, or as the one key of a table with its options.
pub(super) fn tagged(about: &str, known: &[(&str, &str, Json)]) -> Json {
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
