//! `shikou games`: the list of games.

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::OutputArguments;
use crate::game::Facts;
use crate::game::options::{OptionDecl, OptionError, OptionKind, meant, named};
use crate::players::{FitError, Named, Registry, SearcherDecl, SearcherSpec, SpecPart};
use crate::report::{Block, Document, Table, counted};

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Example:\n  shikou games calculation")]
pub(super) struct GamesArguments {
    /// The game to show, or a part of its name [default: list all]
    name: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content {
    games: Vec<GameView>,
}

#[derive(Serialize)]
struct GameView {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionView>,
    facts: Facts,
    policies: Vec<Named>,
    evaluations: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    features: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rule_lists: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<Named<String>>,
    searchers: Vec<Fit>,
}

/// An option as it is listed.
#[derive(Serialize)]
pub(super) struct OptionView {
    pub(super) name: &'static str,
    pub(super) default: String,
    takes: String,
    about: &'static str,
    /// The possible values, if they are words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Named>,
    /// Those of them that take options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartView>,
}

/// A part with its options as they are listed.
#[derive(Serialize)]
pub(super) struct PartView {
    name: &'static str,
    options: Vec<OptionView>,
}

/// Whether a searcher fits a game.
#[derive(Serialize)]
pub(super) struct Fit {
    pub(super) searcher: &'static str,
    pub(super) game: &'static str,
    pub(super) fits: bool,
    pub(super) note: String,
}

pub(super) fn games(registry: &Registry, arguments: &GamesArguments) -> Result<(), CommandError> {
    let names = chosen("game", arguments.name.as_deref(), registry.names().collect())?;
    let views =
        names.into_iter().map(|name| view(registry, name)).collect::<Result<Vec<_>, CommandError>>()?;
    let document = match &views[..] {
        [view] if arguments.name.is_some() => detail(view),
        views => list(views),
    };
    arguments.output.show("games", SCHEMA, Content { games: views }, document)
}

/// The names of a list that a text names, as a whole or in part; all of them without a text.
pub(super) fn chosen(
    what: &'static str,
    text: Option<&str>,
    known: Vec<&'static str>,
) -> Result<Vec<&'static str>, CommandError> {
    let Some(text) = text else { return Ok(known) };
    let names = || known.iter().copied();
    let meant = meant(text, names()).map_or_else(|| named(text, names()), |name| vec![name]);
    if meant.is_empty() { Err(OptionError::unknown(what, text, names()).into()) } else { Ok(meant) }
}

fn list(views: &[GameView]) -> Document {
    let mut table = Table::new(&["<game", ">players", "<chance", "<what it is"]);
    for view in views {
        let chance = if view.facts.chance { "yes" } else { "no" };
        table.row([view.name, &view.facts.players.to_string(), chance, view.about]);
    }
    Document(vec![table.into(), "`shikou games NAME` shows one game with its options.".into()])
}

fn view(registry: &Registry, name: &str) -> Result<GameView, CommandError> {
    let game = registry.game(name, &[])?;
    Ok(GameView {
        name: game.spec().name,
        about: registry.about(name)?,
        options: registry.options(name)?.iter().map(option_view).collect(),
        facts: game.facts(),
        policies: game.policies(),
        evaluations: game.evaluations(),
        features: game.features(),
        rule_lists: game.rule_lists(),
        patterns: game.patterns(),
        searchers: game
            .searchers()
            .iter()
            .map(|searcher| fit(registry, searcher, name))
            .collect::<Result<_, _>>()?,
    })
}

/// Whether a searcher fits a game: with its defaults, else as the reason says.
pub(super) fn fit(
    registry: &Registry,
    searcher: &'static SearcherDecl,
    game: &str,
) -> Result<Fit, CommandError> {
    let game = registry.game(game, &[])?;
    let spec = SearcherSpec::new(searcher, [])?.with_budget(searcher.budget_of(1000));
    let (fits, note) = match game.fits(&spec) {
        Ok(()) => (true, String::new()),
        Err(FitError { part: SpecPart::Option("depth"), .. }) => (true, "with depth = \"full\"".into()),
        Err(misfit) => (false, misfit.reason),
    };
    Ok(Fit { searcher: searcher.name, game: game.spec().name, fits, note })
}

pub(super) fn option_view(decl: &OptionDecl) -> OptionView {
    let words = match &decl.kind {
        OptionKind::Choice(words) => words.iter().map(|&(name, about)| Named { name, about }).collect(),
        OptionKind::Part { parts, .. } => {
            parts.iter().map(|part| Named { name: part.name, about: part.about }).collect()
        }
        _ => Vec::new(),
    };
    let parts = match &decl.kind {
        OptionKind::Part { parts, .. } => parts
            .iter()
            .filter(|part| !part.options.is_empty())
            .map(|part| PartView { name: part.name, options: part.options.iter().map(option_view).collect() })
            .collect(),
        _ => Vec::new(),
    };
    OptionView {
        name: decl.name,
        default: decl.default.to_string(),
        takes: decl.kind.to_string(),
        about: decl.about,
        words,
        parts,
    }
}

/// The options as a table, and below it what the words of each choice mean.
pub(super) fn option_blocks(options: &[OptionView]) -> Vec<Block> {
    if options.is_empty() {
        return vec!["No options.".into()];
    }
    let mut table = Table::new(&["<option", "<default", "<what it does", "<takes"]);
    for option in options {
        table.row([option.name, &option.default, option.about, &option.takes]);
    }
    let mut meanings = Table::new(&["<value", "<what it means"]);
    let mut inner = Table::new(&["<option of a part", "<default", "<what it does", "<takes"]);
    explain(options, "", &mut meanings, &mut inner);
    [table, meanings, inner].into_iter().filter(|table| !table.is_empty()).map(Block::Table).collect()
}

/// What the values of some options mean, and the options of their parts; `prefix` says of which part they are.
fn explain(options: &[OptionView], prefix: &str, meanings: &mut Table, inner: &mut Table) {
    for option in options {
        for word in &option.words {
            meanings.row([format!("{prefix}{} = {:?}", option.name, word.name), word.about.into()]);
        }
        for part in &option.parts {
            let prefix = format!("{prefix}{}.{}.", option.name, part.name);
            for option in &part.options {
                let name = format!("{prefix}{}", option.name);
                inner.row([&name, &option.default, option.about, &option.takes]);
            }
            explain(&part.options, &prefix, meanings, inner);
        }
    }
}

fn detail(view: &GameView) -> Document {
    let facts = &view.facts;
    let length = facts
        .max_plies
        .map_or_else(|| "no known bound".into(), |plies| format!("at most {}", counted(plies.into(), "ply")));
    let mut table = Table::new(&["<searcher", "<fits", "<note"]);
    for fit in &view.searchers {
        table.row([fit.searcher, if fit.fits { "yes" } else { "no" }, &fit.note]);
    }
    let defaults = format!(
        "With the defaults: {}, {}chance, {}, payoffs from {} to {}, margin in {}, {length}.",
        counted(facts.players.into(), "player"),
        if facts.chance { "" } else { "no " },
        if facts.zero_sum { "zero-sum" } else { "not zero-sum" },
        facts.min_payoff,
        facts.max_payoff,
        facts.score_unit,
    );
    let option = view.options.first().map_or_else(String::new, |option| {
        format!(", or game.{} = {{ {} = {} }}", view.name, option.name, option.default)
    });
    let mut blocks = vec![format!("{}: {}", view.name, view.about).into()];
    blocks.extend(option_blocks(&view.options));
    blocks.push(defaults.into());
    blocks.extend([named_block("policy", &view.policies), named_block("evaluation", &view.evaluations)]);
    blocks.extend((!view.features.is_empty()).then(|| named_block("features", &view.features)));
    blocks.extend((!view.rule_lists.is_empty()).then(|| named_block("rules", &view.rule_lists)));
    blocks.extend((!view.patterns.is_empty()).then(|| named_block("pattern of rules", &view.patterns)));
    blocks.extend([table.into(), format!("In a manifest: game = {:?}{option}", view.name).into()]);
    Document(blocks)
}

fn named_block(what: &str, named: &[Named<impl AsRef<str>>]) -> Block {
    if named.is_empty() {
        return format!("It has no {what}.").into();
    }
    let heading = format!("<{what}");
    let mut table = Table::new(&[&heading, "<what it does"]);
    for named in named {
        table.row([named.name.as_ref(), named.about.as_ref()]);
    }
    table.into()
}
