//! Players in a manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::de::DeValue;

use super::sweep::{self, text as value_text};
use super::{
    Files, Mistakes, PlacedError, Read, Section, Tagged, Value, array, check_results, gene, kind,
    option_value, read_evolved, refused, shown_name, tagged, typed_options,
};
use crate::game::options::{OptionError, OptionKind, OptionValue, Typed, TypedValue, Wording, meant};
use crate::players::{
    AnyGame, FitError, PlacedSearcher, Program, SearcherPlaces, SearcherSpec, SpecPart, TypedSearcher,
};
use crate::{PlayerSpec, fits, has_genes, waits_for};

/// The largest number of players in all experiments of a manifest: sweeps of games and of players multiply.
pub(crate) const MOST_PLAYERS: usize = 10_000;

/// The players of a list, sweeps expanded, and their places. Names and contents are unique.
pub(crate) fn read_players(
    list: &Value<'_>,
    game: &dyn AnyGame,
    files: &mut Files,
) -> Read<(Vec<PlayerSpec>, Vec<SearcherPlaces>)> {
    let mut players: Vec<PlayerSpec> = Vec::new();
    let (mut places, mut known) = (Vec::new(), Known::default());
    let mut mistakes = Mistakes::default();
    for value in array("player", list)? {
        let variants = mistakes.note(sweep::expand(value, &["name"])).unwrap_or_default();
        if players.len() + variants.len() > MOST_PLAYERS {
            let message = format!("an experiment may have {MOST_PLAYERS} players; divide them among several");
            return refused(value.span(), message);
        }
        for variant in variants {
            let Some((mut player, place)) = mistakes.note(read_player(&variant, game, files)) else {
                continue;
            };
            if let Some(reason) = files.skips.then(|| lacking(&player.searcher, files)).flatten() {
                let message = format!("`{}` {reason}", player.name);
                files.skipped.push(PlacedError::new(place.name, message));
                continue;
            }
            let read = read_files(&mut player.searcher, &place, files);
            let read = read.and_then(|()| check_results(&player.searcher, &place, game, files));
            if mistakes.note(read).is_none() {
                continue;
            }
            mistakes.note(known.add(&players, &player, value.span()));
            players.push(player);
            places.push(place);
        }
    }
    if mistakes.is_empty() {
        return Ok((players, places));
    }
    // Whether players fit is seen when a plan is made, but then the other mistakes are mended already.
    for (player, places) in
        players.iter().zip(places).filter(|(player, _)| waits_for(&player.searcher).is_none())
    {
        mistakes.note(fits(game, &player.searcher, &player.searcher, &places));
    }
    Err(mistakes.some())
}

/// Why a searcher cannot be tried on this machine: it names large data that is not there, or is an engine that is not there
/// or may not be started.
fn lacking(searcher: &SearcherSpec, files: &Files) -> Option<String> {
    if let Some(program) = Program::of(searcher) {
        let name = &program.settings.command[0];
        return match (program.path().is_some(), files.starts_engines) {
            (false, _) => Some(format!("needs the program {name:?}, which is not on this machine")),
            (true, false) => Some(format!("starts the program {name:?}, which --allow-engines would let it")),
            (true, true) => None,
        };
    }
    let mut options = searcher.options.clone();
    let found = options.change_files(&mut |decl, file| {
        let lacks = decl.kind == OptionKind::File && files.lacks(file.path());
        if lacks { Err(format!("needs {:?}, which is not on this machine", file.path())) } else { Ok(()) }
    });
    found.err()
}

pub(crate) fn read_files(
    searcher: &mut SearcherSpec,
    places: &SearcherPlaces,
    files: &mut Files,
) -> Read<()> {
    searcher.options.change_files(&mut |decl, file| {
        if decl.kind == OptionKind::File {
            let place = places.options.iter().find(|(name, _)| name == decl.name);
            let span = place.map_or_else(|| places.name.clone(), |(_, span)| span.clone());
            *file = file.clone().with_content(files.named(file.path().into(), span)?.content);
        }
        Ok(())
    })
}

#[derive(Default)]
struct Known {
    names: BTreeSet<String>,
    /// The index of the first player of each content.
    contents: BTreeMap<String, usize>,
}

impl Known {
    /// Adds the next player, which differs from those before it in its name and in its content.
    fn add(&mut self, players: &[PlayerSpec], player: &PlayerSpec, span: Range<usize>) -> Read<()> {
        let alike = *self.contents.entry(player.content()).or_insert(players.len());
        let is_new_name = self.names.insert(player.name.clone());
        let name = &player.name;
        let quote = if name.contains('"') { '\'' } else { '"' };
        let message = match (is_new_name, players.get(alike)) {
            (true, None) => return Ok(()),
            (_, Some(alike))
                if alike.searcher.is_engine()
                    && alike.searcher.to_string() != player.searcher.to_string() =>
            {
                format!(
                    "`{name}` differs from `{}` only in the folder of its program, and trials do not name that; give its engine \
                     an option `name`",
                    alike.name
                )
            }
            (false, None) => format!("two players are called `{name}`; give each a `name`"),
            (false, Some(_)) => format!(
                "two players are called `{name}`, and are the same; to let a player meet itself, give this one \
                 `name = {quote}{name} again{quote}` and `stream = \"b\"`"
            ),
            (true, Some(alike)) => format!(
                "`{name}` is the same player as `{}`; to let a player meet itself, give one of them `stream = \"b\"`",
                alike.name
            ),
        };
        refused(span, message)
    }
}

fn read_player(
    variant: &sweep::Variant<'_>,
    game: &dyn AnyGame,
    files: &Files,
) -> Read<(PlayerSpec, SearcherPlaces)> {
    if let DeValue::String(text) = variant.value.get_ref() {
        shown_name("player", text.trim(), variant.value.span())?;
        let PlacedSearcher { spec: searcher, places } = searcher_of_text(&variant.value, text, game)?;
        // The text itself, unless it holds a long list of numbers.
        let short = searcher.text(Wording::Name);
        let name = if short == searcher.to_string() { text.trim().into() } else { short };
        return Ok((PlayerSpec { name, searcher, stream: None, swept: Vec::new() }, places));
    }
    let mut section = Section::from_value(&variant.value, "a player")?;
    section.known.extend(sweep::KEYS);
    let mut mistakes = Mistakes::default();
    let evolved = section.take("evolved");
    let read = match evolved {
        Some(value) => read_evolved(value, game, &files.optimisations),
        None => read_searcher(&mut section, game),
    };
    let read = mistakes.note(read);
    let given = mistakes.note(section.name("name")).flatten();
    let stream = mistakes.note(section.name("stream")).flatten();
    mistakes.note(finish_player(&section, game, variant.is_swept()));
    match (read, mistakes.take()) {
        (Some(PlacedSearcher { spec: searcher, places }), None) => {
            let name = match (given, evolved.and_then(|_| waits_for(&searcher))) {
                (Some(given), _) => variant.name(&given),
                (None, Some(evolved)) => evolved,
                (None, None) => variant.name_of(&searcher),
            };
            shown_name("name", &name, variant.value.span())?;
            Ok((PlayerSpec { name, searcher, stream, swept: variant.values() }, places))
        }
        (_, error) => Err(error.expect("no searcher was read")),
    }
}

pub(crate) fn read_searcher(section: &mut Section<'_>, game: &dyn AnyGame) -> Read<PlacedSearcher> {
    let (search, budget) = (section.take("search"), section.take("budget"));
    let search = search.ok_or_else(|| section.missing("search", "search = \"random\""))?;
    let mut typed = if let DeValue::String(text) = search.get_ref() {
        notation(search, text, game)?
    } else {
        let Tagged { name, name_span, options } = tagged("search", search)?;
        let options = typed_options(&options)?;
        TypedSearcher { name: name.into(), at: name_span, options, budget: Vec::new() }
    };
    typed.budget.extend(budget.map(read_limits).transpose()?.into_iter().flatten());
    checked(typed, game)
}

/// A searcher: a text as on a command line, or a table with `search` and perhaps `budget`.
pub(crate) fn notation_or_table(value: &Value<'_>, game: &dyn AnyGame) -> Read<PlacedSearcher> {
    if let DeValue::String(text) = value.get_ref() {
        return searcher_of_text(value, text, game);
    }
    let mut section = Section::from_value(value, "a player")?;
    let read = read_searcher(&mut section, game)?;
    finish_player(&section, game, false)?;
    Ok(read)
}

/// Returns an error for each key that was not taken, with its right place if it is an option of the searcher or a limit of
/// its budget. Values of a sweep are not shown.
pub(crate) fn finish_player(section: &Section<'_>, game: &dyn AnyGame, is_swept: bool) -> Read<()> {
    section.finish_with(|entry| {
        let (search, at) = (section.peek("search")?, 0..0);
        let name = match search.get_ref() {
            DeValue::String(text) => TypedSearcher::named(game, text).ok()?.name,
            _ => tagged("search", search).ok()?.name.into(),
        };
        let known = meant(&name, game.searchers().iter().map(|known| known.name))?;
        let options = typed_options(std::slice::from_ref(entry)).ok()?;
        let read = TypedSearcher { name, at, options, budget: Vec::new() }.read(game.searchers());
        let is_limit = match &read {
            Ok(read) => !read.spec.budget.is_unlimited(),
            Err(mistakes) => match &mistakes[0].error {
                OptionError::Unknown { .. } => return None,
                OptionError::Other(reason) => return Some(reason.clone()),
                OptionError::Value { .. } | OptionError::Missing { .. } => false,
            },
        };
        let (key, _, value) = entry;
        let shown = match value.get_ref() {
            DeValue::Table(_) => "…".into(),
            _ if is_swept => "…".into(),
            _ => value_text(value),
        };
        Some(if is_limit {
            format!("`{key}` is a limit of the budget; write budget = {{ {key} = {shown} }}")
        } else {
            format!("`{key}` is an option of `{known}`; write search.{known} = {{ {key} = {shown} }}")
        })
    })
}

/// The searcher of a text, with the budget that it needs.
fn searcher_of_text(value: &Value<'_>, text: &str, game: &dyn AnyGame) -> Read<PlacedSearcher> {
    let read = checked(notation(value, text, game)?, game)?;
    if read.spec.searcher.needs_budget
        && read.spec.budget.is_unlimited()
        && let Err(error @ FitError { part: SpecPart::NoBudget(_), .. }) = game.fits(&read.spec)
    {
        let example = format!("{}@1000", text.trim());
        return refused(read.places.name, format!("{error}; write for example {example:?}"));
    }
    Ok(read)
}

/// A searcher as people type it on a command line, with the places of the document.
fn notation(value: &Value<'_>, text: &str, game: &dyn AnyGame) -> Read<TypedSearcher> {
    let span = value.span();
    // With escapes or several quotes the bytes of the document are not those of the text.
    let is_verbatim = span.len() == text.len() + 2;
    let place = |place: Range<usize>| {
        if is_verbatim { span.start + 1 + place.start..span.start + 1 + place.end } else { span.clone() }
    };
    let typed = TypedSearcher::named(game, text);
    let typed = typed.map_err(|misread| PlacedError::of_misread(vec![misread], place))?;
    Ok(typed.moved(&place))
}

fn checked(typed: TypedSearcher, game: &dyn AnyGame) -> Read<PlacedSearcher> {
    let read = typed.read(game.searchers());
    let read = read.map_err(|mistakes| PlacedError::of_misread(mistakes, |place| place))?;
    let PlacedSearcher { spec, places } = &read;
    // Claims of a player with genes are not known yet.
    let plies = || spec.claims().visits_every_line_to;
    if !has_genes(spec) && spec.budget.is_unlimited() && game.about_lines(plies()) > MOST_LINES {
        let depth = places.options.iter().find(|(name, _)| name == "depth" || name == "level");
        let span = depth.map_or_else(|| places.name.clone(), |(_, span)| span.clone());
        let to = match plies() {
            u32::MAX => "the end".to_owned(),
            plies => format!("depth {plies}"),
        };
        let message = format!(
            "`{spec}` would look at every line to {to} of {}, and those are too many to be looked at ever; give it a \
             small depth, or a budget, or take `alpha-beta` with a depth",
            game.spec()
        );
        return refused(span, message);
    }
    Ok(read)
}

/// With more lines of play than this, plain minimax would not finish in a hundred years.
const MOST_LINES: f64 = 1e18;

/// A budget: a table of limits, a number, or a text as after an `@`.
fn read_limits(value: &Value<'_>) -> Read<Vec<Typed>> {
    const EXAMPLE: &str = "write for example `budget = { playouts = 1000 }`";
    let bare = |value_of| Typed::new("", value.span(), value_of, value.span());
    if let Some((name, _)) = gene(value) {
        return Ok(vec![bare(TypedValue::Value(OptionValue::Gene(name.into())))]);
    }
    match value.get_ref() {
        DeValue::Table(table) if table.is_empty() => {
            refused(value.span(), format!("this budget limits nothing; {EXAMPLE}"))
        }
        DeValue::Table(table) => {
            let limits: Vec<_> =
                table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value)).collect();
            typed_options(&limits)
        }
        DeValue::Integer(_) => Ok(vec![bare(TypedValue::Value(option_value("budget", value)?))]),
        DeValue::String(text) => {
            let limits = Typed::read_list(text, 0, true).map_err(|misread| vec![misread]);
            let limits = limits.map_err(|misread| PlacedError::of_misread(misread, |_| value.span()))?;
            Ok(limits.into_iter().map(|typed| typed.moved(&|_| value.span())).collect())
        }
        other => {
            let message = format!("`budget` must be a table, not {}; {EXAMPLE}", kind(other));
            refused(value.span(), message)
        }
    }
}

/// The index of the player with this name, which stands `at` a place.
///
/// # Errors
/// If no player has this name.
pub fn player_named(name: &str, at: Range<usize>, players: &[PlayerSpec]) -> Result<usize, PlacedError> {
    let by_name = players.iter().position(|player| player.name == name);
    // A player without a name of its own is also known by the older names of its options, as in its identity.
    let by_content = || players.iter().position(|player| player.content() == name);
    by_name.or_else(by_content).ok_or_else(|| {
        let names = players.iter().map(|player| player.name.as_str());
        PlacedError::new(at, OptionError::unknown("player", name, names).to_string())
    })
}
