//! A folder of pages: one for each of several results, and an index with the text of a notebook.
//!
//! The pages are files that need no server: links are relative, and lead to other pages of the folder. The text is Markdown of
//! somebody, so it becomes elements that a list allows; markup in it is shown as text.

use minijinja::{Value, context};

use super::notebook::to_html;
use super::{STYLE, file_name, filled, free_name, hash, shown, style, title, web_page};
use crate::report::export::Run;
use crate::report::verdict::verdict;

const TEMPLATE: &str = include_str!("site.html");

/// The name of the index.
const INDEX: &str = "index.html";

/// The files of a site: the name of each, and its content; the index first. `results` have the name of their folder.
///
/// # Panics
/// Never: the template is a constant, and has been rendered by the tests.
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
    let style = format!("{}{STYLE}", style::of_page());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(&style)
    );
    let index = filled(
        TEMPLATE,
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
fn answer(experiment: &crate::experiment::ExperimentSummary) -> Option<String> {
    Some(shown(format!("{}: {}", experiment.name, verdict(experiment).first()?)))
}
