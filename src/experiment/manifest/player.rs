//! Players as a manifest writes them.

use std::ops::Range;

use toml::de::DeValue;

use super::document::{Blame, Section, Tagged, Value, array, integer, is_axis, kind, option_value, tagged};
use super::{PlayerSpec, sweep};
use crate::game::options::{Invalid, OptionDecl, OptionKind, OptionValue, Options, Part};
use crate::players::{self, AnyGame, SearcherKind, SearcherSpec};
use crate::search::Budget;

/// The players of a list, sweeps expanded. Names are unique, and so is what the players are.
pub(super) fn read_players(list: &Value<'_>, game: &dyn AnyGame) -> Result<Vec<PlayerSpec>, Blame> {
    let mut players: Vec<PlayerSpec> = Vec::new();
    // What each player is, written once and not for every comparison.
    let mut contents: Vec<String> = Vec::new();
    for value in array("player", list)? {
        for variant in sweep::expand(value, &["name"])? {
            let player = read_player(&variant, game)?;
            if players.iter().any(|other| other.name == player.name) {
                let message = format!("two players are called `{}`; give each a `name`", player.name);
                return Err(Blame::new(value.span(), message));
            }
            let content = player.content();
            if let Some(twin) = contents.iter().position(|other| *other == content) {
                let message = format!(
                    "`{}` is the same player as `{}`; to let a player meet itself, give one of them `stream = \"b\"`",
                    player.name, players[twin].name
                );
                return Err(Blame::new(value.span(), message));
            }
            players.push(player);
            contents.push(content);
        }
    }
    Ok(players)
}

fn read_player(variant: &sweep::Variant<'_>, game: &dyn AnyGame) -> Result<PlayerSpec, Blame> {
    let mut section = Section::from_value(&variant.value, "a player")?;
    section.knows(&sweep::KEYS);
    let searcher = read_searcher(&mut section, game)?;
    let name = match section.name("name")? {
        Some(given) => variant.name(&given),
        // The searcher says what differs in it.
        None => variant.name_on("stream", &searcher.to_string()),
    };
    let stream = section.name("stream")?;
    section.finish()?;
    Ok(PlayerSpec { name, searcher, stream })
}

/// The searcher of a section with its budget, checked against the game.
pub(super) fn read_searcher(section: &mut Section<'_>, game: &dyn AnyGame) -> Result<SearcherSpec, Blame> {
    let search = section.require("search", "search = \"random\"")?;
    let tag = tagged("search", search)?;
    let kind = SearcherKind::named(tag.name)
        .map_err(|invalid| Blame::new(tag.name_span.clone(), invalid.to_string()))?;
    let options = read_options(&tag, &kind.options())?;
    let limits = section.take("budget").map(read_limits).transpose()?;
    let budget = match &limits {
        None => Budget::UNLIMITED,
        Some(limits) => Budget::from_options(&read_options(limits, &Budget::options())?),
    };
    let searcher = SearcherSpec { kind, options, budget };
    if looks_at_too_much(&searcher, game) {
        let span = place(&tag, "depth").unwrap_or_else(|| tag.name_span.clone());
        let message = format!(
            "`{searcher}` would look at every line to the end of {}, and those are too many to be looked at ever; give \
             it a depth, or a budget of nodes or time, or take `alpha-beta` with a depth",
            game.spec()
        );
        return Err(Blame::new(span, message));
    }
    game.fits(&searcher).map_err(|misfit| {
        let (of, name) = match misfit.blame {
            players::Blame::Searcher | players::Blame::NoBudget(_) => (None, ""),
            players::Blame::Option(name) => (Some(&tag), name),
            players::Blame::Budget(limit) => (limits.as_ref(), limit.name()),
        };
        let span = of.and_then(|of| place(of, name)).unwrap_or_else(|| tag.name_span.clone());
        let advice = match misfit.blame {
            players::Blame::NoBudget(limit) => {
                format!("; write for example budget = {{ {} = 1000 }}", limit.name())
            }
            _ => String::new(),
        };
        Blame::new(span, format!("`{searcher}` does not fit {}: {misfit}{advice}", game.spec()))
    })?;
    Ok(searcher)
}

/// Of more lines than these plain minimax would not reach the end in a hundred years.
const MOST_LINES: f64 = 1e18;

/// Whether this is plain minimax to the end of a game that is far too large for it, without a budget that would end it.
fn looks_at_too_much(searcher: &SearcherSpec, game: &dyn AnyGame) -> bool {
    searcher.kind == SearcherKind::Minimax
        && searcher.budget.is_unlimited()
        && searcher.options.integer_or_word("depth").is_none()
        && game.about_lines() > MOST_LINES
}

/// A budget: a table of limits.
fn read_limits<'a>(value: &'a Value<'a>) -> Result<Tagged<'a>, Blame> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!(
            "`budget` must be a table, not {}; write for example `budget = {{ playouts = 1000 }}`",
            kind(value.get_ref())
        );
        return Err(Blame::new(value.span(), message));
    };
    if table.is_empty() {
        return Err(Blame::new(
            value.span(),
            "this budget limits nothing; write `budget = { playouts = 1000 }`",
        ));
    }
    let options = table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value)).collect();
    Ok(Tagged { name: "budget", name_span: value.span(), options })
}

/// The options of a game, a searcher or a part, each refusal at its own place.
pub(super) fn read_options(tag: &Tagged<'_>, declared: &[OptionDecl]) -> Result<Options, Blame> {
    let mut given = Vec::new();
    for (name, span, value) in &tag.options {
        let Some(decl) = declared.iter().find(|decl| decl.name == *name) else {
            let invalid = Invalid::unknown("option", name, declared.iter().map(|decl| decl.name));
            return Err(Blame::new(span.clone(), invalid.to_string()));
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
            return Err(Blame::new(value.span(), invalid.to_string()));
        }
        given.extend(one);
    }
    Options::new(declared, given).map_err(|invalid| Blame::new(tag.name_span.clone(), invalid.to_string()))
}

/// A part that is written with a table of options.
fn read_part(decl: &OptionDecl, value: &Value<'_>) -> Result<Part, Blame> {
    let tag = tagged(decl.name, value)?;
    let part =
        decl.part_decl(tag.name).map_err(|invalid| Blame::new(tag.name_span.clone(), invalid.to_string()))?;
    Ok(Part { name: part.name.into(), options: read_options(&tag, &part.options)? })
}

/// The place of an option, also of one inside a part.
fn place(of: &Tagged<'_>, name: &str) -> Option<Range<usize>> {
    let here = of.options.iter().find(|(given, ..)| *given == name);
    here.map(|(_, _, value)| value.span()).or_else(|| {
        let parts = of.options.iter().filter_map(|(key, _, value)| tagged(key, value).ok());
        parts.filter(|part| !part.options.is_empty()).find_map(|part| place(&part, name))
    })
}
