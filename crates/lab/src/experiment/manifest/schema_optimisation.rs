//! The shape of an `[[optimisation]]` as JSON Schema.

use serde_json::{Value as Json, json};

use super::method::MethodSettings;
use super::shapes::{Shapes, described, object, swept, text, whole_number};
use crate::game::options::Settings as _;

/// A gene in place of a value.
pub(super) fn gene() -> Json {
    let name = text("the name of a gene of the optimisation");
    described(object(&json!({ "gene": name }), &["gene"]), "a value that an optimiser finds")
}

/// `[[optimisation]]`.
pub(super) fn optimisation(shapes: &Shapes<'_>) -> Json {
    let mut method = shapes.object_of(&MethodSettings::options())["properties"]["method"].clone();
    method["description"] = "how candidates are chosen".into();
    let count = |about: &str| described(swept(&whole_number(1, i64::MAX)), about);
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["game", "genes", "player", "method"] }, { "required": ["each-of"] }],
        "properties": {
            "name": text("its name, unique in the manifest; the name of its folder"),
            "game": swept(&json!({ "$ref": "#/definitions/game" })),
            "generations": count("how many generations are played"),
            "games": count("the games of candidates after which it ends, in place of `generations`"),
            "genes": {
                "description": "the genes by name",
                "type": "object",
                "minProperties": 1,
                "additionalProperties": { "$ref": "#/definitions/genes" },
            },
            "player": described(json!({ "$ref": "#/definitions/player" }), "the player, with genes in place of values"),
            "opponent": {
                "description": "players that fitness and judge name",
                "type": "array",
                "minItems": 1,
                "items": { "$ref": "#/definitions/player" },
            },
            "method": method,
            "fitness": swept(&fitness()),
            "judge": judge(),
            "openings": swept(&json!({ "$ref": "#/definitions/openings" })),
            "seed": described(swept(&whole_number(0, i64::MAX)), "the seed of this optimisation alone"),
            "memory-mib": count("memory of one search, in MiB"),
            "exclude": { "$ref": "#/definitions/exclude" },
            "each-of": { "$ref": "#/definitions/each-of" },
        },
    })
}

/// One gene of `genes`.
pub(super) fn genes() -> Json {
    let number = |about: &str| json!({ "type": "number", "description": about });
    let bounds = |items: Json, about: &str| json!({ "description": about, "type": "array", "minItems": 2, "maxItems": 2, "items": items });
    let properties = json!({
        "count": described(whole_number(1, 1_000_000), "the length of a vector; one value if omitted"),
        "within": bounds(json!({ "type": "number" }), "the least and the largest value of a real gene"),
        "whole": bounds(json!({ "type": "integer" }), "the least and the largest value of a whole gene"),
        "words": {
            "description": "the words that the gene may be",
            "type": "array",
            "minItems": 2,
            "items": { "type": "string" },
        },
        "start": {
            "description": "the first value, or the standard deviation of normal first values; uniform if omitted",
            "anyOf": [{ "type": "number" }, object(&json!({ "normal": number("the standard deviation") }), &["normal"])],
        },
        "normalise": object(&json!({
            "centre": { "type": "boolean", "description": "whether the mean of the vector is moved to 0" },
            "largest": number("the absolute value to which the largest of the vector is scaled"),
        }), &[]),
        "unit": number("the resolution: a player gets multiples of it"),
    });
    object(&properties, &[])
}

fn opponents() -> Json {
    json!({ "anyOf": [{ "type": "string" }, { "type": "array", "minItems": 1, "items": { "type": "string" } }] })
}

fn units() -> [(&'static str, Json); 3] {
    let count = |about: &str| described(swept(&whole_number(1, i64::MAX)), about);
    [
        ("pairs", count("pairs of games against each opponent, with the seats swapped")),
        ("games", count("games against each opponent, with `seat = \"first\"` or \"second\"")),
        ("deals", count("deals of a solitaire")),
    ]
}

fn fitness() -> Json {
    let random = object(
        &json!({
            "random-genes": object(&json!({
                "count": described(whole_number(1, i64::MAX), "how many candidates with random genes"),
                "seed": described(whole_number(0, i64::MAX), "the seed of their draw"),
            }), &[]),
        }),
        &["random-genes"],
    );
    let words = |words: &[&str], about: &str| described(swept(&json!({ "enum": words })), about);
    let mut properties = json!({
        "against": described(
            swept(&json!({ "anyOf": [opponents(), random] })),
            "opponents by name or as searchers, \"population\", or candidates with random genes"
        ),
        "seat": words(&["both", "first", "second"], "where the candidate sits"),
        "of": words(&["points", "margin", "zero", "opponent-margin"], "what counts; the last two are faults"),
        "racing": described(
            swept(&object(&json!({
                "level": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "exclusiveMaximum": 1,
                    "description": "the largest probability with which a candidate leaves that is no worse than any other; 0.05 if omitted",
                },
                "every": described(whole_number(1, i64::MAX), "units between two comparisons; 5 if omitted"),
            }), &[])),
            "a candidate that is shown to be worse than another leaves its generation early; needs `luck = \"common\"`"
        ),
        "luck": words(&["fresh", "common", "one-stream"], "the randomness of games; the last is a fault"),
    });
    for (key, shape) in units() {
        properties[key] = shape;
    }
    described(object(&properties, &[]), "how candidates are compared")
}

fn judge() -> Json {
    let mut properties = json!({
        "against": described(opponents(), "players that no fitness meets"),
        "openings": described(
            json!({ "$ref": "#/definitions/openings" }),
            "how its games begin, if otherwise than those of the fitness"
        ),
        "every": described(whole_number(1, i64::MAX), "the number of generations between two judgements; only at the end if omitted"),
    });
    for (key, shape) in units() {
        properties[key] = shape;
    }
    described(object(&properties, &[]), "how good the result is, in games that did not choose it")
}
