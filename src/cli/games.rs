//! `shikou games`: what there is to play.

use serde::Serialize;

use super::arguments::GamesArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::game::Facts;
use crate::game::options::{OptionDecl, OptionKind};
use crate::players::{Blame, Misfit, Named, Registry, SearcherKind, SearcherSpec};
use crate::report::Table;
use crate::search::{Budget, Limit};

const SCHEMA: u32 = 1;

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
    /// The words that it may be, where those are all.
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

pub(super) fn games(registry: &Registry, arguments: &GamesArguments) -> Result<(), Failure> {
    let names: Vec<&str> = match &arguments.name {
        Some(name) => vec![name],
        None => registry.names().collect(),
    };
    let views = names.into_iter().map(|name| view(registry, name)).collect::<Result<Vec<_>, Failure>>()?;
    if arguments.json {
        #[derive(Serialize)]
        struct Content {
            games: Vec<GameView>,
        }
        return print_json("games", SCHEMA, Content { games: views });
    }
    if arguments.name.is_some() {
        return views.iter().try_for_each(|view| print(detail(view)));
    }
    let mut table = Table::new(&["<game", ">players", "<chance", "<what it is"]);
    for view in &views {
        let chance = if view.facts.chance { "yes" } else { "no" };
        table.row([view.name, &view.facts.players.to_string(), chance, view.about]);
    }
    print(format!("{table}\n\n`shikou games NAME` shows one with its options."))
}

fn view(registry: &Registry, name: &str) -> Result<GameView, Failure> {
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
        searchers: SearcherKind::ALL
            .into_iter()
            .map(|kind| fit(registry, kind, name))
            .collect::<Result<_, _>>()?,
    })
}

/// Whether a searcher fits a game: with its defaults, else as the reason says.
pub(super) fn fit(registry: &Registry, kind: SearcherKind, game: &str) -> Result<Fit, Failure> {
    let game = registry.game(game, &[])?;
    let budget = match kind.keeps().first() {
        Some(Limit::Playouts) if kind.needs_budget() => Budget::playouts(1000),
        Some(_) if kind.needs_budget() => Budget { nodes: Some(1000), ..Budget::UNLIMITED },
        _ => Budget::UNLIMITED,
    };
    let (fits, note) = match game.fits(&SearcherSpec::new(kind, [])?.with_budget(budget)) {
        Ok(()) => (true, String::new()),
        Err(Misfit { blame: Blame::Option("depth"), .. }) => (true, "with depth = \"full\"".into()),
        Err(misfit) => (false, misfit.reason),
    };
    Ok(Fit { searcher: kind.name(), game: game.spec().name, fits, note })
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
pub(super) fn option_table(options: &[OptionView]) -> String {
    if options.is_empty() {
        return "It takes no options.".into();
    }
    let mut table = Table::new(&["<option", "<default", "<what it does", "<takes"]);
    for option in options {
        table.row([option.name, &option.default, option.about, &option.takes]);
    }
    let mut meanings = Table::new(&["<value", "<what it means"]);
    let mut inner = Table::new(&["<option of a part", "<default", "<what it does", "<takes"]);
    explain(options, "", &mut meanings, &mut inner);
    let tables = [table, meanings, inner];
    let filled = tables.iter().filter(|table| !table.is_empty()).map(ToString::to_string);
    filled.collect::<Vec<_>>().join("\n\n")
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

fn detail(view: &GameView) -> String {
    let facts = &view.facts;
    let length =
        facts.max_plies.map_or_else(|| "no known bound".into(), |plies| format!("at most {plies} plies"));
    let mut table = Table::new(&["<searcher", "<fits", "<note"]);
    for fit in &view.searchers {
        table.row([fit.searcher, if fit.fits { "yes" } else { "no" }, &fit.note]);
    }
    format!(
        "{}: {}\n\n{}\n\nWith the defaults: {} player{}, {}chance, {}, payoffs from {} to {}, score in {}, {length}.\n\n{}{}{}{}{}{table}\n\nIn a manifest: game = {:?}{}",
        view.name,
        view.about,
        option_table(&view.options),
        facts.players,
        if facts.players == 1 { "" } else { "s" },
        if facts.chance { "" } else { "no " },
        if facts.zero_sum { "zero-sum" } else { "not zero-sum" },
        facts.min_payoff,
        facts.max_payoff,
        facts.score_unit,
        named_table("policy", &view.policies),
        named_table("evaluation", &view.evaluations),
        if view.features.is_empty() { String::new() } else { named_table("features", &view.features) },
        if view.rule_lists.is_empty() { String::new() } else { named_table("rules", &view.rule_lists) },
        if view.patterns.is_empty() {
            String::new()
        } else {
            named_table("pattern of rules", &view.patterns)
        },
        view.name,
        view.options.first().map_or_else(String::new, |option| {
            format!(", or game.{} = {{ {} = {} }}", view.name, option.name, option.default)
        }),
    )
}

fn named_table(what: &str, named: &[Named<impl AsRef<str>>]) -> String {
    if named.is_empty() {
        return format!("It has no {what}.\n\n");
    }
    let heading = format!("<{what}");
    let mut table = Table::new(&[&heading, "<what it does"]);
    for named in named {
        table.row([named.name.as_ref(), named.about.as_ref()]);
    }
    format!("{table}\n\n")
}
