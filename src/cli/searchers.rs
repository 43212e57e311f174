//! `shikou searchers`: who there is to play.

use std::fmt::Write;

use serde::Serialize;

use super::arguments::SearchersArguments;
use super::failure::Failure;
use super::games::{Fit, OptionView, fit, option_table, option_view};
use super::output::{print, print_json};
use crate::players::{Registry, SearcherKind};
use crate::report::Table;
use crate::search::Limit;

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct SearcherView {
    name: &'static str,
    about: &'static str,
    paper: &'static str,
    fits: &'static str,
    options: Vec<OptionView>,
    /// The limits of a budget that it keeps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    budget: Vec<Limit>,
    /// Whether it needs a budget.
    needs_budget: bool,
    games: Vec<Fit>,
}

pub(super) fn searchers(registry: &Registry, arguments: &SearchersArguments) -> Result<(), Failure> {
    let kinds = match &arguments.name {
        Some(name) => vec![SearcherKind::named(name)?],
        None => SearcherKind::ALL.to_vec(),
    };
    let views = kinds.iter().map(|&kind| view(registry, kind)).collect::<Result<Vec<_>, Failure>>()?;
    if arguments.json {
        #[derive(Serialize)]
        struct Content {
            searchers: Vec<SearcherView>,
        }
        return print_json("searchers", SCHEMA, Content { searchers: views });
    }
    if arguments.name.is_some() {
        return views.iter().try_for_each(|view| print(detail(view)));
    }
    let mut table = Table::new(&["<searcher", "<what it does", "<fits"]);
    for view in &views {
        table.row([view.name, view.about, view.fits]);
    }
    print(format!("{table}\n\n`shikou searchers NAME` shows one with its options."))
}

fn view(registry: &Registry, kind: SearcherKind) -> Result<SearcherView, Failure> {
    Ok(SearcherView {
        name: kind.name(),
        about: kind.about(),
        paper: kind.paper(),
        fits: kind.fits(),
        options: kind.options().iter().map(option_view).collect(),
        budget: kind.keeps().to_vec(),
        needs_budget: kind.needs_budget(),
        games: registry.names().map(|game| fit(registry, kind, game)).collect::<Result<_, _>>()?,
    })
}

fn detail(view: &SearcherView) -> String {
    let mut table = Table::new(&["<game", "<fits", "<note"]);
    for fit in &view.games {
        table.row([fit.game, if fit.fits { "yes" } else { "no" }, &fit.note]);
    }
    let mut example = view.options.first().map_or_else(
        || format!("search = {:?}", view.name),
        |option| format!("search.{} = {{ {} = {} }}", view.name, option.name, option.default),
    );
    let mut budget = String::new();
    if let Some(first) = view.budget.first() {
        let names: Vec<&str> = view.budget.iter().map(|limit| limit.name()).collect();
        let needed = if view.needs_budget { "needed" } else { "not needed" };
        budget = format!("\nBudget: {needed}; of {}", names.join(", "));
        if view.needs_budget {
            write!(example, ", budget = {{ {} = 1000 }}", first.name()).expect("a String takes it");
        }
    }
    format!(
        "{}: {}\nPublished: {}\nFits: {}{budget}\n\n{}\n\n{table}\n\nIn a manifest: {example}",
        view.name,
        view.about,
        view.paper,
        view.fits,
        option_table(&view.options),
    )
}
