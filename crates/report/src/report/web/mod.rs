//! The report of a run as a page: one file for a browser that loads nothing; and a folder of pages, one for each of several results,
//! with an index.
//!
//! The page is made from the summary, so that it can be made of a committed reference too, and is as large as the summary,
//! whatever the number of trials, unless it has games to look at. Its security policy allows one script and one style sheet,
//! by their hashes. Without the script everything is there but sorting, copying and the games. Links of a folder are relative, so
//! it needs no server.

mod explore;
mod notebook;
mod view;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::{Environment, Value, context};
use sha2::{Digest as _, Sha256};

use self::explore::explorer_view;
use self::notebook::to_html;
use self::view::{Part, figure_view, parts, table_view, views_of_parts};
use super::atlas::{self, Characters, Discoveries, Gain};
use super::claims::{self, Replication};
use super::figure::Figure;
use super::figure::svg::{Colours, of_page, svg_file};
use super::run::{Run, legend};
use super::table::Table;
use super::verdict::verdict;
use super::warnings::notes_of_this_run;
use crate::experiment::{ExperimentSummary, Summary, escaped_in_json, visible};

/// The largest `summary.json` that the page holds, in bytes.
const LARGEST: usize = 1 << 20;

const HEAD: &str = include_str!("head.html");
const TABLE: &str = include_str!("table.html");
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a run, with a link to the page `home`, if it has one.
pub(super) fn web_page(run: &Run<'_>, home: Option<&str>) -> String {
    let summary = run.summary;
    let explorer = run.explored.map(explorer_view);
    // Parts of an explorer are on no other page.
    let of_explorer = |text: &'static str| if explorer.is_some() { text } else { "" };
    let style = format!("{}{STYLE}{}", of_page(), of_explorer(explore::STYLE));
    let script = format!("{SCRIPT}{}", of_explorer(explore::SCRIPT));
    let host: Vec<String> =
        run.facts.words().into_iter().chain(notes_of_this_run(summary, run.facts)).map(shown).collect();
    let json = serde_json::to_string(summary).expect("a summary is JSON");
    let template = TEMPLATE.replace("{# explorer #}\n", explore::TEMPLATE);
    filled(
        &template,
        context! {
            policy => policy(&style, Some(&script)),
            title => shown(title(summary, run)),
            question => summary.question.as_deref().map(|text| shown(text.trim())),
            source => summary.source.as_deref().map(|text| shown(text.trim())),
            digest => run.digest.as_deref().map(shown),
            legend => legend(summary).into_iter().map(shown).collect::<Vec<_>>(),
            version => env!("CARGO_PKG_VERSION"),
            json => Some(in_script(json)).filter(|json| json.len() <= LARGEST),
            parts => views_of_parts(run),
            explorer, style, script, host, home,
        },
    )
}

/// Markdown as a part of a page; markup in it is text.
pub fn markdown_html(markdown: &str) -> String {
    to_html(markdown, &[])
}

fn filled(template: &str, values: minijinja::Value) -> String {
    let template = template.replace("{# head #}\n", HEAD).replace("{# table #}\n", TABLE);
    // The name says that the text is HTML, so that values are escaped.
    let text = Environment::new().render_named_str("page.html", &template, values);
    text.expect("the template is right")
}

/// The figures of a run as files for print: the name of each, and its SVG. Names are unique.
pub fn figure_files(run: &Run<'_>) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for Part { heading, figures, .. } in parts(run.summary, run) {
        for figure in figures {
            let name = format!("{}-{}", file_name(&heading), figure.kind);
            let name = free_name(&name, ".svg", |name| files.iter().all(|(other, _)| other != name));
            files.push((name, svg_file(&[figure], Colours::Light)));
        }
    }
    files
}

/// The name with this end, and with a number if it is not free.
fn free_name(name: &str, end: &str, is_free: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}{end}"));
    let mut names = [format!("{name}{end}")].into_iter().chain(numbered);
    names.find(|name| is_free(name)).expect("there are numbers enough")
}

/// A name as part of a file name: small letters, digits and dashes, of at most twelve parts.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).take(12).collect();
    if parts.is_empty() { "experiment".into() } else { parts.join("-") }
}

fn title(summary: &Summary, run: &Run<'_>) -> String {
    let manifest = run.facts.fact("manifest");
    if !manifest.is_empty() {
        return manifest.into();
    }
    summary.experiments.first().map_or_else(|| "a run".into(), |experiment| experiment.name.clone())
}

/// Text without characters that are obeyed or hidden.
fn shown(text: impl AsRef<str>) -> String {
    visible(text.as_ref()).into_owned()
}

/// The policy of a page that loads and runs nothing but itself.
fn policy(style: &str, script: Option<&str>) -> String {
    let script = script.map(|script| format!("script-src 'sha256-{}'; ", hash(script))).unwrap_or_default();
    let style = hash(style);
    format!("default-src 'none'; {script}style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'")
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// JSON that ends no script.
fn in_script(json: String) -> String {
    escaped_in_json(json).replace('<', "\\u003c")
}

const SITE: &str = include_str!("site.html");

const INDEX: &str = "index.html";

/// The files of a site: the name of each, and its content; the index first. `results` have the name of their folder.
pub fn site(results: &[(String, Run<'_>)], notebook: Option<&str>) -> Vec<(String, String)> {
    let mut files: Vec<String> = Vec::new();
    for (name, _) in results {
        let is_free = |name: &str| name != INDEX && files.iter().all(|other| other != name);
        let file = free_name(&file_name(name), ".html", is_free);
        files.push(file);
    }
    let folders: Vec<(&str, &str)> =
        results.iter().zip(&files).map(|((folder, _), file)| (folder.as_str(), file.as_str())).collect();
    let entry = |((_, run), file): (&(String, Run<'_>), &String)| {
        let question = run.summary.question.as_deref().map(|text| shown(text.trim()));
        let answers: Vec<String> = run.summary.experiments.iter().filter_map(answer).take(ANSWERS).collect();
        context! { file, title => shown(title(run.summary, run)), question, answers }
    };
    let entries: Vec<Value> = results.iter().zip(&files).map(entry).collect();
    let style = format!("{}{STYLE}", of_page());
    let policy = policy(&style, None);
    let index = filled(
        SITE,
        context! {
            policy, style, entries,
            version => env!("CARGO_PKG_VERSION"),
            notebook => notebook.map(|text| to_html(text, &folders)),
        },
    );
    let index = (INDEX.to_owned(), index);
    let pages = results.iter().zip(files).map(|((_, run), file)| (file, web_page(run, Some(INDEX)) + "\n"));
    [index].into_iter().chain(pages).collect()
}

/// The most answers of one page in the index.
const ANSWERS: usize = 3;

/// The first sentence of an experiment's verdict, after its name.
fn answer(experiment: &ExperimentSummary) -> Option<String> {
    Some(shown(format!("{}: {}", experiment.name, verdict(experiment).first()?)))
}

const ATLAS: &str = include_str!("atlas.html");

/// The page of an atlas: its question, what its plain player is, its maps, notes, the table of claims, `players` with what each is and
/// its paper, and links to the pages of cells and of claims by their names.
pub fn atlas_page(
    (gains, characters): (&[Gain], &Characters),
    discoveries: Discoveries,
    [question, about]: [&str; 2],
    notes: &[String],
    (claims, players): (&[Replication], &[(String, String, String)]),
    links: &BTreeMap<String, String>,
) -> String {
    let budgets = atlas::budgets(gains);
    let maps = budgets.iter().map(|budget| atlas::map(gains, discoveries, budget, links));
    let reasons = budgets.iter().map(|budget| atlas::reasons(gains, characters, budget));
    let view = |(number, figure): (usize, Figure)| figure_view(&figure, &format!("figure{number}"));
    let figures: Vec<Value> = (1..).zip(maps.chain(reasons).filter(Figure::has_marks)).map(view).collect();
    let mut table = Table::new(&["<player", "<what it is", "<paper"]);
    for (name, about, paper) in players {
        table.row([name, about, paper]);
    }
    let style = format!("{}{STYLE}", of_page());
    let of_claim = |rows: &[Replication]| {
        let question = rows[0].question.as_ref().unwrap_or(&rows[0].claim);
        [question.clone()].into_iter().chain(claims::notes(&rows[0])).map(shown).collect::<Vec<_>>()
    };
    let of_claims = context! {
        table => table_view(&claims::claims_table(claims, true), "published claims"),
        sentence => claims::sentence(claims),
        legend => claims::VERDICTS,
        about => claims::by_claim(claims).map(of_claim).collect::<Vec<_>>(),
    };
    let page = filled(
        ATLAS,
        context! {
            policy => policy(&style, None),
            version => env!("CARGO_PKG_VERSION"),
            sentences => atlas::sentences(gains, discoveries).iter().chain(notes).map(shown).collect::<Vec<_>>(),
            question => shown(question), about => shown(about),
            players => table_view(&table, "players"),
            games => table_view(&atlas::games_table(characters), "games"),
            amaf => atlas::AMAF,
            claims => (!claims.is_empty()).then_some(of_claims),
            figures, links, style,
        },
    );
    page + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        let names = ["reward: success, by ties", "7×20", "../../etc/passwd", "<script>", "☺", "CON 1.svg"];
        let expected = ["reward-success-by-ties", "7-20", "etc-passwd", "script", "experiment", "con-1-svg"];
        assert_eq!(names.map(file_name), expected);
    }
}
