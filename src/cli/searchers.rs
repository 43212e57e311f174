//! `shikou searchers`: the list of searchers.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::error::Result;
use super::games::{Fit, OptionView, chosen, fit, fits_table, option_blocks, option_view, part_document};
use super::groups::OutputArguments;
use crate::players::{END, Registry, SearcherDecl};
use crate::report::{Block, Document, Table, object};
use crate::search::Limit;

#[derive(Args)]
#[command(
    after_help = "Example:\n  shikou searchers simple-tree\n  shikou searchers simple-tree policy.softmax      the options of a part"
)]
pub(super) struct SearchersArguments {
    /// The searcher to show, or a part of its name [default: list all]
    name: Option<String>,
    /// A part of the searcher whose options are shown, such as `policy.softmax`
    #[arg(value_name = "PART")]
    part: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct SearcherView {
    name: &'static str,
    about: &'static str,
    paper: &'static str,
    fits: &'static str,
    options: Vec<OptionView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    budget: Vec<Limit>,
    needs_budget: bool,
    games: Vec<Fit>,
}

pub(super) fn searchers(registry: &Registry, arguments: &SearchersArguments) -> Result {
    let known = registry.searchers().iter().map(|searcher| searcher.name);
    let names = chosen("searcher", arguments.name.as_deref(), known.collect())?;
    let view = |name: &str| view(registry, registry.searcher(name)?);
    let views = names.into_iter().map(view).collect::<Result<Vec<_>>>()?;
    let document = match (&views[..], &arguments.part) {
        ([view], Some(path)) => part_document(view.name, &view.options, path, "searchers")?,
        ([view], None) if arguments.name.is_some() => detail(view),
        (views, _) => list(views),
    };
    arguments.output.show("searchers", object! { searchers: views }, document)
}

fn list(views: &[SearcherView]) -> Document {
    let mut table = Table::new(&["<searcher", "<what it does", "<fits"]);
    for view in views {
        table.row([view.name, view.about, view.fits]);
    }
    Document(vec![table.into(), "`shikou searchers NAME` shows one searcher with its options.".into()])
}

fn view(registry: &Registry, searcher: &'static SearcherDecl) -> Result<SearcherView> {
    Ok(SearcherView {
        name: searcher.name,
        about: searcher.about,
        paper: searcher.paper,
        fits: searcher.fits,
        options: searcher.options().iter().map(option_view).collect(),
        budget: searcher.keeps.to_vec(),
        needs_budget: searcher.needs_budget,
        games: registry
            .names()
            .map(|game| fit(&*registry.game(game, &[])?, searcher))
            .collect::<Result<_, _>>()?,
    })
}

fn detail(view: &SearcherView) -> Document {
    let mut example = view.options.iter().find(|option| option.name != END).map_or_else(
        || format!("search = {:?}", view.name),
        |option| {
            let value = if option.default == "\"\"" { "\"…\"" } else { &option.default };
            format!("search.{} = {{ {} = {value} }}", view.name, option.name)
        },
    );
    let mut head = vec![
        format!("{}: {}", view.name, view.about),
        format!("Published: {}", view.paper),
        format!("Fits: {}", view.fits),
    ];
    if let Some(first) = view.budget.first() {
        let names: Vec<&str> = view.budget.iter().map(|limit| limit.name()).collect();
        let needed = if view.needs_budget { "needed" } else { "not needed" };
        head.push(format!("Budget: {needed}; limits: {}", names.join(", ")));
        if view.needs_budget {
            write!(example, ", budget = {{ {} = 1000 }}", first.name()).expect("a String takes it");
        }
    }
    let mut blocks = vec![Block::Text(head)];
    blocks.extend(option_blocks(&view.options, "", &format!("searchers {}", view.name)));
    let fits = fits_table("<game", &view.games, |fit| fit.game);
    blocks.extend([fits.into(), format!("In a manifest: {example}").into()]);
    Document(blocks)
}
