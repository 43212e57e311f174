//! The shape of a `[[training]]` as JSON Schema.

use serde_json::{Value as Json, json};

use super::shapes::{Shapes, described, object, swept, text, whole_number};
use super::training::training_options;

/// `[[training]]`.
pub(super) fn training(shapes: &Shapes<'_>) -> Json {
    let settings = shapes.object_of(&training_options());
    let setting = |name: &str, about: &str| {
        let mut shape = settings["properties"][name].clone();
        shape["description"] = about.into();
        shape
    };
    let count = |about: &str| described(whole_number(1, i64::MAX), about);
    let opponents = json!({ "anyOf": [
        { "type": "string" },
        { "type": "array", "minItems": 1, "items": { "type": "string" } },
    ] });
    let judge = object(
        &json!({
            "against": described(opponents.clone(), "the opponents"),
            "pairs": count("pairs of games against each opponent, with the seats swapped"),
            "random": json!({ "type": "number", "minimum": 0, "maximum": 1, "description": "the chance of a random move of the learner" }),
            "openings": json!({ "$ref": "#/definitions/openings" }),
            "every": count("the number of games between two judgements; only at the end if omitted"),
        }),
        &["against", "pairs"],
    );
    let samples = object(
        &json!({
            "between": described(opponents.clone(), "the players: every pair in turn, each also with itself; one plays itself"),
            "games": described(swept(&count("")), "how many games are played"),
            "random-plies": described(whole_number(0, 1_000_000), "random plies at the beginning, which give no samples"),
            "files": described(opponents.clone(), "files of recorded games, in place of players"),
        }),
        &[],
    );
    json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [
            { "required": ["game", "evaluation", "method", "games"] },
            { "required": ["game", "evaluation", "method", "samples"] },
            { "required": ["each-of"] },
        ],
        "properties": {
            "name": text("its name, unique in the manifest; the name of its folder"),
            "game": swept(&json!({ "$ref": "#/definitions/game" })),
            "evaluation": setting("evaluation", "the evaluation whose weights are learned: tuples by td or least-squares, a network by td or dense, features by policy-gradient"),
            "method": setting("method", "how weights are learned"),
            "against": described(swept(&opponents), "with td: \"itself\", or opponents that are met in turn"),
            "player": {
                "description": "with td of bags: the one player that plays the games in place of the learner; its default evaluation is what is learned",
                "type": "array",
                "minItems": 1,
                "maxItems": 1,
                "items": { "$ref": "#/definitions/player" },
            },
            "samples": described(swept(&samples), "with dense or least-squares: the games whose samples are learned"),
            "opponent": {
                "description": "players that `against` and `judge` name",
                "type": "array",
                "minItems": 1,
                "items": { "$ref": "#/definitions/player" },
            },
            "games": described(swept(&count("")), "with td: how many games are learned; with policy-gradient: how many deals"),
            "judge": described(judge, "how good the result is, in games that are not learned"),
            "seed": described(swept(&whole_number(0, i64::MAX)), "the seed of this training alone"),
            "memory-mib": described(swept(&count("")), "memory of one search of an opponent, in MiB"),
            "exclude": { "$ref": "#/definitions/exclude" },
            "each-of": { "$ref": "#/definitions/each-of" },
        },
    })
}
