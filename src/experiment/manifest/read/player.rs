//! Players in a manifest.

use std::ops::Range;

use toml::de::DeValue;

use super::document::{
    PlacedError, Section, Tagged, Value, array, integer, is_axis, kind, option_value, tagged,
};
use super::sweep;
use crate::experiment::manifest::experiment::PlayerSpec;
use crate::experiment::manifest::places::SearcherPlaces;
use crate::game::options::{OptionDecl, OptionError, OptionKind, OptionValue, Options, Part};
use crate::players::{AnyGame, SearcherSpec};
use crate::search::Budget;

/// The players of a list, sweeps expanded, and their places. Names and contents are unique.
pub(super) fn read_players(
    list: &Value<'_>,
    game: &dyn AnyGame,
) -> Result<(Vec<PlayerSpec>, Vec<SearcherPlaces>), PlacedError> {
    let mut players: Vec<PlayerSpec> = Vec::new();
    let (mut places, mut contents) = (Vec::new(), Vec::<String>::new());
    for value in array("player", list)? {
        for variant in sweep::expand(value, &["name"])? {
            let (player, place) = read_player(&variant, game)?;
            if players.iter().any(|other| other.name == player.name) {
                let message = format!("two players are called `{}`; give each a `name`", player.name);
                return Err(PlacedError::new(value.span(), message));
            }
            let content = player.content();
            if let Some(twin) = contents.iter().position(|other| *other == content) {
                let message = format!(
                    "`{}` is the same player as `{}`; to let a player meet itself, give one of them `stream = \"b\"`",
                    player.name, players[twin].name
                );
                return Err(PlacedError::new(value.span(), message));
            }
            players.push(player);
            contents.push(content);
            places.push(place);
        }
    }
    Ok((players, places))
}

fn read_player(
    variant: &sweep::Variant<'_>,
    game: &dyn AnyGame,
) -> Result<(PlayerSpec, SearcherPlaces), PlacedError> {
    let mut section = Section::from_value(&variant.value, "a player")?;
    section.knows(&sweep::KEYS);
    let (searcher, places) = read_searcher(&mut section, game)?;
    let name = match section.name("name")? {
        Some(given) => variant.name(&given),
        // A searcher's text shows its own choices.
        None => variant.name_on("stream", &searcher.to_string()),
    };
    let stream = section.name("stream")?;
    section.finish()?;
    Ok((PlayerSpec { name, searcher, stream }, places))
}

/// The searcher of a section with its budget, and its places.
pub(super) fn read_searcher(
    section: &mut Section<'_>,
    game: &dyn AnyGame,
) -> Result<(SearcherSpec, SearcherPlaces), PlacedError> {
    let search = section.require("search", "search = \"random\"")?;
    let tag = tagged("search", search)?;
    let searcher = game
        .searcher(tag.name)
        .map_err(|invalid| PlacedError::new(tag.name_span.clone(), invalid.to_string()))?;
    let options = read_options(&tag, &searcher.options())?;
    let limits = section.take("budget").map(read_limits).transpose()?;
    let budget = match &limits {
        None => Budget::UNLIMITED,
        Some(limits) => Budget::from_options(&read_options(limits, &Budget::options())?),
    };
    let searcher = SearcherSpec { searcher, options, budget };
    if looks_at_too_much(&searcher, game) {
        let depth = option_places(&tag).into_iter().find(|(name, _)| name == "depth");
        let span = depth.map_or_else(|| tag.name_span.clone(), |(_, span)| span);
        let message = format!(
            "`{searcher}` would look at every line to the end of {}, and those are too many to be looked at ever; give \
             it a depth, or a budget of nodes or time, or take `alpha-beta` with a depth",
            game.spec()
        );
        return Err(PlacedError::new(span, message));
    }
    let places = SearcherPlaces {
        name: tag.name_span.clone(),
        options: option_places(&tag),
        limits: limits.iter().flat_map(option_places).collect(),
    };
    Ok((searcher, places))
}

/// With more lines of play than this, plain minimax would not finish in a hundred years.
const MOST_LINES: f64 = 1e18;

/// Whether this visits every line to the end of a game that is far too large for it, without a budget that would end it.
fn looks_at_too_much(searcher: &SearcherSpec, game: &dyn AnyGame) -> bool {
    searcher.budget.is_unlimited() && searcher.claims().visits_every_line && game.about_lines() > MOST_LINES
}

/// A budget: a table of limits.
fn read_limits<'a>(value: &'a Value<'a>) -> Result<Tagged<'a>, PlacedError> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!(
            "`budget` must be a table, not {}; write for example `budget = {{ playouts = 1000 }}`",
            kind(value.get_ref())
        );
        return Err(PlacedError::new(value.span(), message));
    };
    if table.is_empty() {
        return Err(PlacedError::new(
            value.span(),
            "this budget limits nothing; write `budget = { playouts = 1000 }`",
        ));
    }
    let options = table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value)).collect();
    Ok(Tagged { name: "budget", name_span: value.span(), options })
}

/// The options of a game, a searcher or a part, each refusal at its own place.
pub(crate) fn read_options(tag: &Tagged<'_>, declared: &[OptionDecl]) -> Result<Options, PlacedError> {
    let mut given = Vec::new();
    for (name, span, value) in &tag.options {
        let Some(decl) = declared.iter().find(|decl| decl.name == *name) else {
            let invalid = OptionError::unknown("option", name, declared.iter().map(|decl| decl.name));
            return Err(PlacedError::new(span.clone(), invalid.to_string()));
        };
        let value_of = match (&decl.kind, value.get_ref()) {
            (OptionKind::Part { .. }, DeValue::Table(table)) if !is_axis(table) => {
                OptionValue::Part(read_part(decl, value)?)
            }
            (OptionKind::Integers { .. }, DeValue::Array(numbers)) => {
                let numbers = numbers.iter().map(|number| integer(name, number, i64::MIN..=i64::MAX));
                OptionValue::Integers(numbers.collect::<Result<_, _>>()?)
            }
            _ => option_value(name, value)?,
        };
        let one = [(*name, value_of)];
        if let Err(invalid) = Options::new(declared, one.clone()) {
            return Err(PlacedError::new(value.span(), invalid.to_string()));
        }
        given.extend(one);
    }
    Options::new(declared, given)
        .map_err(|invalid| PlacedError::new(tag.name_span.clone(), invalid.to_string()))
}

/// A part that is written with a table of options.
fn read_part(decl: &OptionDecl, value: &Value<'_>) -> Result<Part, PlacedError> {
    let tag = tagged(decl.name, value)?;
    let part = decl
        .part_decl(tag.name)
        .map_err(|invalid| PlacedError::new(tag.name_span.clone(), invalid.to_string()))?;
    Ok(Part { name: part.name.into(), options: read_options(&tag, &part.options)? })
}

/// The places of the options of a tag, then of those of the parts inside it.
fn option_places(of: &Tagged<'_>) -> Vec<(String, Range<usize>)> {
    let here = of.options.iter().map(|(name, _, value)| ((*name).to_owned(), value.span()));
    let parts = of.options.iter().filter_map(|(key, _, value)| tagged(key, value).ok());
    here.chain(parts.flat_map(|part| option_places(&part))).collect()
}
