//! `shikou games`: the list of games; and the options of a game, a searcher or a part, as they are listed.

use clap::Args;
use serde::Serialize;

use super::error::Result;
use super::groups::OutputArguments;
use crate::game::options::{OptionDecl, OptionError, OptionKind, meant, named};
use crate::game::{Counts, Facts};
use crate::players::{AnyGame, FitError, Named, Registry, SearcherDecl, SearcherSpec, SpecPart};
use crate::report::{Block, Document, Table, counted, object};

#[derive(Args)]
#[command(after_help = "Example:\n  shikou games calculation")]
pub(super) struct GamesArguments {
    /// The game to show, or a part of its name [default: list all]
    name: Option<String>,
    /// A part whose options are shown, such as `reward.mixture`
    #[arg(value_name = "PART")]
    part: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct GameView {
    name: &'static str,
    #[serde(skip)]
    spec: String,
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

#[derive(Serialize)]
pub(super) struct Fit {
    pub(super) searcher: &'static str,
    pub(super) game: &'static str,
    pub(super) fits: bool,
    pub(super) note: String,
}

pub(super) fn games(registry: &Registry, arguments: &GamesArguments) -> Result {
    let names = match arguments.name.as_deref() {
        Some(name) if name.contains('(') => vec![name],
        name => chosen("game", name, registry.names().collect())?,
    };
    let views = names.into_iter().map(|name| view(registry, name)).collect::<Result<Vec<_>>>()?;
    let document = match (&views[..], &arguments.part) {
        ([view], Some(path)) => part_document(view.name, &view.options, path, "games")?,
        ([view], None) if arguments.name.is_some() => detail(view),
        (views, _) => list(views),
    };
    arguments.output.show("games", object! { games: views }, document)
}

/// The names of a list that a text names, as a whole or in part; all of them without a text.
pub(super) fn chosen(
    what: &'static str,
    text: Option<&str>,
    known: Vec<&'static str>,
) -> Result<Vec<&'static str>> {
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

fn view(registry: &Registry, name: &str) -> Result<GameView> {
    let game = registry.game(name, &[])?;
    let (lists, name) = (game.lists(), game.spec().name);
    Ok(GameView {
        name,
        spec: game.spec().to_string(),
        about: registry.about(name)?,
        options: registry.options(name)?.iter().map(option_view).collect(),
        facts: game.facts(),
        policies: lists.policies.clone(),
        evaluations: lists.evaluations.clone(),
        features: lists.features.clone(),
        rule_lists: lists.rule_lists.clone(),
        patterns: lists.patterns.clone(),
        searchers: game.searchers().iter().map(|of| fit(&*game, of)).collect::<Result<_, _>>()?,
    })
}

/// Whether a searcher fits a game: with its defaults, else as the reason says.
pub(super) fn fit(game: &dyn AnyGame, searcher: &'static SearcherDecl) -> Result<Fit> {
    let spec = SearcherSpec::new(searcher, [])?.with_budget(searcher.budget_of(1000));
    let (fits, note) = match game.fits(&spec) {
        Ok(()) => (true, String::new()),
        Err(FitError { part: SpecPart::Option("depth"), .. }) => (true, "with depth = \"full\"".into()),
        Err(FitError { part: SpecPart::Option("gtp"), reason }) => (true, reason),
        Err(misfit) => (false, misfit.reason),
    };
    Ok(Fit { searcher: searcher.name, game: game.spec().name, fits, note })
}

/// The searchers and whether they fit a game, or the games of a searcher, under the heading of their names.
pub(super) fn fits_table(heading: &str, fits: &[Fit], name: fn(&Fit) -> &'static str) -> Table {
    let mut table = Table::new(&[heading, "<fits", "<note"]);
    for fit in fits {
        table.row([name(fit), if fit.fits { "yes" } else { "no" }, &fit.note]);
    }
    table
}

fn detail(view: &GameView) -> Document {
    let facts = &view.facts;
    let length = facts
        .max_plies
        .map_or_else(|| "no known bound".into(), |plies| format!("at most {}", counted(plies.into(), "ply")));
    let score = if facts.counts == Counts::Score { "the mean score counts, in" } else { "margin in" };
    let defaults = format!(
        "{}: {}, {}chance, {}, payoffs from {} to {}, {score} {}, {length}.",
        if view.spec == view.name { "With the defaults" } else { &view.spec },
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
    blocks.extend(option_blocks(&view.options, "", &format!("games {}", view.name)));
    blocks.push(defaults.into());
    blocks.extend([named_block("policy", &view.policies), named_block("evaluation", &view.evaluations)]);
    for (what, named) in [("features", &view.features), ("rules", &view.rule_lists)] {
        blocks.extend((!named.is_empty()).then(|| named_block(what, named)));
    }
    blocks.extend((!view.patterns.is_empty()).then(|| named_block("pattern of rules", &view.patterns)));
    let fits = fits_table("<searcher", &view.searchers, |fit| fit.searcher);
    blocks.extend([fits.into(), format!("In a manifest: game = {:?}{option}", view.name).into()]);
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

#[derive(Serialize)]
pub(super) struct OptionView {
    pub(super) name: &'static str,
    pub(super) default: String,
    pub(super) takes: String,
    about: &'static str,
    /// The possible values, if they are words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Named>,
    /// The values that take options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartView>,
}

#[derive(Serialize)]
pub(super) struct PartView {
    name: &'static str,
    options: Vec<OptionView>,
}

/// An option as it is listed, with its parts and their options.
pub(super) fn option_view(decl: &OptionDecl) -> OptionView {
    let (mut words, mut parts) = (Vec::new(), Vec::new());
    match &decl.kind {
        OptionKind::Choice(known) => words.extend(known.iter().map(|&(name, about)| Named { name, about })),
        OptionKind::Part { parts: known, .. } => {
            words.extend(known.iter().map(|part| Named { name: part.name, about: part.about }));
            let with_options = known.iter().filter(|part| !part.options.is_empty());
            parts.extend(with_options.map(|part| PartView {
                name: part.name,
                options: part.options.iter().map(option_view).collect(),
            }));
        }
        _ => {}
    }
    let (default, takes) = (decl.default.to_string(), decl.kind.to_string());
    OptionView { name: decl.name, default, takes, about: decl.about, words, parts }
}

/// The options as a table, the meaning of the words of each choice, and the parts that have options of their own. `place` is the
/// path of the part that the options belong to; empty for the whole.
pub(super) fn option_blocks(options: &[OptionView], place: &str, command: &str) -> Vec<Block> {
    if options.is_empty() {
        return vec!["No options.".into()];
    }
    let mut table = Table::new(&["<option", "<default", "<what it does", "<takes"]);
    let mut meanings = Table::new(&["<value", "<what it means"]);
    let mut parts = Table::new(&["<part", "<its options"]);
    for option in options {
        table.row([option.name, &option.default, option.about, &option.takes]);
        // An option of the default part is as likely to be wanted as one of the searcher itself.
        for part in option.parts.iter().filter(|part| option.default == format!("{:?}", part.name)) {
            for inner in &part.options {
                let name = under("", &[option.name, part.name, inner.name]);
                table.row([&name, &inner.default, inner.about, &inner.takes]);
            }
        }
        for word in &option.words {
            meanings.row([format!("{} = {:?}", option.name, word.name), word.about.into()]);
        }
        for part in &option.parts {
            let names: Vec<&str> = part.options.iter().map(|option| option.name).collect();
            parts.row([under(place, &[option.name, part.name]), names.join(", ")]);
        }
    }
    let has_parts = !parts.is_empty();
    let tables = [table, meanings, parts].into_iter().filter(|table| !table.is_empty());
    let mut blocks: Vec<Block> = tables.map(Block::Table).collect();
    blocks.extend(has_parts.then(|| format!("`shikou {command} PART` shows the options of a part.").into()));
    blocks
}

fn under(place: &str, names: &[&str]) -> String {
    let place = (!place.is_empty()).then_some(place);
    place.into_iter().chain(names.iter().copied()).collect::<Vec<_>>().join(".")
}

/// The options of the part at a path such as `policy.softmax`, or the one option at a path such as `policy`, with the path of
/// the part that they belong to.
fn part_at<'o>(options: &'o [OptionView], path: &str) -> Result<(String, &'o [OptionView]), OptionError> {
    let (mut place, mut options) = (String::new(), options);
    let mut names = path.split('.');
    while let Some(name) = names.next() {
        let Some(option) = options.iter().find(|option| option.name == name) else {
            return Err(OptionError::unknown("option", name, options.iter().map(|option| option.name)));
        };
        let Some(name) = names.next() else { return Ok((place, std::slice::from_ref(option))) };
        let Some(part) = option.parts.iter().find(|part| part.name == name) else {
            return Err(OptionError::unknown("part", name, option.parts.iter().map(|part| part.name)));
        };
        place = under(&place, &[option.name, part.name]);
        options = &part.options;
    }
    Ok((place, options))
}

/// The options of one part of the game or the searcher of this name; `command` lists it.
pub(super) fn part_document(
    name: &str,
    options: &[OptionView],
    path: &str,
    command: &str,
) -> Result<Document, OptionError> {
    let (place, options) = part_at(options, path)?;
    let mut blocks = vec![format!("{name}: {path}").into()];
    blocks.extend(option_blocks(options, &place, &format!("{command} {name}")));
    Ok(Document(blocks))
}
