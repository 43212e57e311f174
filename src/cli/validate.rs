//! `shikou validate`: published figures, derived again.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::error::{CommandError, Result, usage};
use super::groups::{OutputArguments, ThreadsArguments};
use super::output::{print, tell};
use super::progress::bar;
use crate::experiment::{Host, REFERENCES};
use crate::game::options::OptionError;
use crate::players::Registry;
use crate::report::{Document, counted, duration, object, optional};
use crate::stats::Method;
use crate::validate::{Case, Checked, Context, Found, Suite, Tier, TimesShown, document, list};
use crate::words::shell_path;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou validate                         the cases that take two minutes
  shikou validate --list                  the cases, with their costs and sources
  shikou validate othello-perft-8 tic-tac-toe-random-wins

Exit code 1 if a case differs; `not run yet` and `too few to tell` are no failures. docs/validating.md
explains the verdicts, and how to write cases of your own.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct ValidateArguments {
    /// The cases to run, or parts of their names, such as 4x20 [default: all of the tier]
    names: Vec<String>,
    /// Run the cases that take two minutes: the default
    #[arg(long, conflicts_with_all = ["full", "names"])]
    quick: bool,
    /// Run all cases
    #[arg(long, conflicts_with = "names")]
    full: bool,
    /// Read the cases from a file
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// List the cases instead of running them
    #[arg(long, conflicts_with_all = ["quick", "full", "markdown"])]
    list: bool,
    #[command(flatten)]
    threads: ThreadsArguments,
    /// Print the table with its sources in Markdown, as in results/validate.md
    #[arg(long, conflicts_with_all = ["format", "json"])]
    markdown: bool,
    #[command(flatten)]
    output: OutputArguments,
}

/// Without a terminal, cases that take less are passed over in silence.
const LONG_NS: u64 = 10_000_000_000;

/// A case, with its result if it was run.
fn view<'s>(case: &'s Case, checked: Option<&'s Checked<'_>>) -> impl Serialize + use<'s> {
    let Case { name, group, what, source, tier, kind, published, known_difference, .. } = case;
    let result = checked.map(|checked| {
        let (judged, found) = (&checked.judged, checked.found.as_ref().ok());
        let values = match found {
            Some(Found::Exact(values)) => Some(values),
            _ => None,
        };
        let reason = Some(&judged.reason).filter(|reason| !reason.is_empty());
        object! {
            verdict: judged.verdict,
            #[serde(flatten)] reason: optional("reason", reason),
            #[serde(flatten)] values: optional("values", values),
            #[serde(flatten)] trials: optional("trials", found.and_then(Found::trials)),
            #[serde(flatten)] ours: optional("ours", judged.ours.filter(|ours| ours.method != Method::None)),
            #[serde(flatten)] difference: optional("difference", judged.difference),
            #[serde(flatten)] p: optional("p", judged.p),
            wall_ns: checked.wall_ns,
        }
    });
    object! {
        name, group, what, source, tier, kind, published: published.to_string(),
        #[serde(flatten)] known_difference: optional("known_difference", known_difference.as_deref()),
        statistical: case.is_statistical(), read: case.is_read(), #[serde(flatten)] result,
    }
}

pub(super) fn validate(registry: &Registry, arguments: &ValidateArguments) -> Result {
    let suite = match &arguments.cases {
        Some(path) => Suite::read(path, registry)?,
        None => Suite::standard(registry)?,
    };
    let tier = if arguments.full && !arguments.quick { Tier::Full } else { Tier::Quick };
    if arguments.list {
        let cases = select(&suite, arguments, Tier::Full)?;
        let views = cases.iter().map(|case| view(case, None)).collect();
        return show(&suite, views, Document(vec![list(&cases).into()]), arguments);
    }
    let cases = select(&suite, arguments, tier)?;
    let pool = arguments.threads.pool()?;
    let context = Context { registry, threads: pool.current_num_threads(), references: REFERENCES.into() };
    let bar = bar(cases.len() as u64, "{bar:40} {pos} of {len} cases  {msg}");
    let mut checked = Vec::new();
    for case in cases {
        let seconds = case.cost.as_secs();
        let about = if seconds > 5 { format!(", about {seconds} s") } else { String::new() };
        bar.set_message(format!("{}{about}", case.name));
        bar.tick();
        let found = pool.install(|| suite.check(case, &context));
        bar.inc(1);
        if bar.is_hidden() && found.wall_ns >= LONG_NS {
            let word = found.judged.verdict.word();
            tell(format_args!("{}: {word}, {}", case.name, duration(found.wall_ns)));
        }
        checked.push(found);
    }
    bar.finish_and_clear();
    if arguments.markdown {
        print(markdown(&suite, &checked, context.threads))?;
    } else {
        let views = checked.iter().map(|checked| view(checked.case, Some(checked))).collect();
        show(&suite, views, document(&suite, &checked, TimesShown::Marked), arguments)?;
    }
    if checked.iter().any(Checked::is_failure) { Err(CommandError::Check) } else { Ok(()) }
}

/// The cases that are named. There are too many to list in an error.
fn select<'s>(suite: &'s Suite, arguments: &ValidateArguments, tier: Tier) -> Result<Vec<&'s Case>> {
    let file =
        arguments.cases.as_ref().map_or_else(String::new, |file| format!(" --cases {}", shell_path(file)));
    suite.select(&arguments.names, tier).map_err(|error| match error {
        OptionError::Unknown { name, .. } if Path::new(&name).extension() == Some("toml".as_ref()) => {
            usage!("`{name}` is no case; `shikou plan {name}` checks a manifest, and --cases names a file of cases")
        }
        OptionError::Unknown { name, suggestion: None, .. } => {
            usage!("unknown case `{name}`; `shikou validate{file} --list` shows the cases")
        }
        error => error.into(),
    })
}

fn show(
    suite: &Suite,
    cases: Vec<impl Serialize>,
    document: Document,
    arguments: &ValidateArguments,
) -> Result {
    let (error_rate, statistical_cases) = (suite.error_rate, suite.statistical());
    let content = object! { error_rate, statistical_cases, confidence: suite.confidence().level(), cases };
    arguments.output.show("validate", content, document)
}

/// The form that is committed: the table under a title, with the machine and the sources.
fn markdown(suite: &Suite, checked: &[Checked<'_>], threads: usize) -> String {
    let host = Host::gather();
    let sources: Vec<String> =
        checked.iter().map(|checked| format!("- `{}`: {}", checked.case.name, checked.case.source)).collect();
    format!(
        "# Published figures, derived again\n\nWritten by `shikou validate --markdown`: {} of {}. `docs/validating.md` \
         explains the verdicts. Times are of {} with {}, commit {}.\n\n{}\n\n## Sources\n\n{}",
        checked.len(),
        counted(suite.cases.len() as u64, "case"),
        host.cpu,
        counted(threads as u64, "thread"),
        host.commit,
        document(suite, checked, TimesShown::Plain).markdown(),
        sources.join("\n")
    )
}
