//! Groups of arguments that several commands share.

use std::path::Path;
use std::sync::{Arc, Once};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args};
use rayon::ThreadPool;
use serde::Serialize;

use super::call::Call;
use super::error::{CommandError, Result, usage};
use super::output::{NARROWEST, print_report, tell, width};
use crate::game::Granted;
use crate::players::{AnyGame, Registry};
use crate::profile;
use crate::report::{Document, EXPORTERS, Exporter, Extent, Page, Report, counted, to_json};

/// The searcher that plays, analyzes and gives hints unless another does. It fits every game.
pub(super) const USUAL_SEARCHER: &str = "flat(playouts-per-move=200)";

/// A game with its options.
#[derive(Args)]
pub(super) struct GameArguments {
    /// The game, perhaps with options in brackets, such as othello(size=6); `shikou games` lists them
    pub(super) game: String,
    /// An option of the game, such as size=6; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(super) options: Vec<String>,
}

impl GameArguments {
    pub(super) fn read(&self, registry: &Registry) -> Result<Arc<dyn AnyGame>> {
        let name = &self.game;
        if Path::new(name).extension().is_some_and(|extension| extension == "toml") {
            return Err(usage!(
                "{name} is a manifest, and a game is needed; `shikou plan {name}` reads a manifest, `shikou run {name}` plays it"
            ));
        }
        Ok(registry.game(name, &self.options)?)
    }
}

/// A position.
#[derive(Args)]
pub(super) struct PositionArguments {
    /// The position in the game's notation, or the moves that lead to it; may begin with a dash [default: the start]
    #[arg(allow_hyphen_values = true, value_parser = no_option)]
    pub(super) position: Option<String>,
    /// The side to move, if it is a separate argument
    pub(super) side: Option<String>,
}

/// Refuses a text that looks like a misspelt option: a position may begin with dashes.
pub(super) fn no_option(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("--").map(|rest| rest.split('=').next().unwrap_or(rest));
    let is_name = |name: &str| {
        let is_letter = |letter: char| letter.is_ascii_lowercase() || letter == '-';
        name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.chars().all(is_letter)
            && name.chars().any(|letter| !"xo-".contains(letter))
    };
    match name.filter(|name| is_name(name)) {
        Some(_) => Err("there is no such option; --help lists the options".into()),
        None => Ok(text.into()),
    }
}

impl PositionArguments {
    /// The position as one text; empty for the start.
    pub(super) fn text(&self) -> String {
        [&self.position, &self.side].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// The effect of warnings, for the commands that warn.
#[derive(Args)]
pub(super) struct WarningArguments {
    /// Exit with code 1 if there was a warning, and name it; docs/guide.md lists the names
    #[arg(long = DENY, id = DENY, alias = "strict")]
    _denies: bool,
}

const DENY: &str = "deny-warnings";

impl WarningArguments {
    /// Whether the arguments of the command deny them.
    pub(super) fn denies(matches: &ArgMatches) -> bool {
        let of_command = matches.subcommand().and_then(|(_, of)| of.try_get_one::<bool>(DENY).ok().flatten());
        of_command.is_some_and(|denies| *denies)
    }
}

/// The number of threads.
#[derive(Args)]
pub(super) struct ThreadsArguments {
    /// The number of threads; 0 uses all processors, or those that a scheduler granted
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024),
        aliases = ["concurrency", "jobs", "cores", "workers", "parallel", "cpus"], short_aliases = ['j', 't'])]
    threads: u16,
}

impl ThreadsArguments {
    pub(super) fn count(&self) -> usize {
        match self.threads {
            0 => granted_threads(),
            threads => threads.into(),
        }
    }

    pub(super) fn pool(&self) -> Result<ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count()).build();
        pool.map_err(|error| CommandError::no_threads(self.count(), &error))
    }
}

/// The number of threads for all processors. Says once if a scheduler granted fewer than are seen.
pub(super) fn granted_threads() -> usize {
    static TOLD: Once = Once::new();
    let Granted { threads, by, seen } = Granted::here();
    if let Some(name) = by {
        let told = counted(threads as u64, "thread");
        TOLD.call_once(|| tell(format_args!("{told} by {name}; {seen} processors are seen")));
    }
    threads
}

/// The format of the output.
#[derive(Args)]
pub(super) struct OutputArguments {
    /// The format of the output
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = EXPORTERS[0].name,
        value_parser = formats_of(""),
        hide_possible_values = true
    )]
    format: Exporter,
    /// Print JSON; short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The width of text in columns [default: the terminal's, else 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(i64::from(NARROWEST)..=10_000))]
    width: Option<u16>,
    /// Do not escape text in CSV; by default, text that a spreadsheet would read as a formula (it begins with =, +, -, @ or
    /// a tab) gets a leading apostrophe
    #[arg(long)]
    raw_csv: bool,
}

/// The parser of one of several words. A row has the word with its aliases, divided by `|`, its help, and its value.
pub(super) fn words<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let values = words.map(|(names, about, _)| {
        let mut names = names.split('|');
        PossibleValue::new(names.next().unwrap_or_default()).aliases(names).help(about)
    });
    PossibleValuesParser::new(values).map(move |chosen| {
        let is_chosen = |names: &str| names.split('|').any(|name| name == chosen);
        words.into_iter().find(|(names, ..)| is_chosen(names)).expect("clap takes known words only").2
    })
}

fn named(name: &str) -> Exporter {
    *EXPORTERS.iter().find(|format| format.name == name).expect("clap takes known names only")
}

/// Whether a command can print a format: figures and pages are of runs, and `report` has the log.
fn prints(command: &str, format: &Exporter) -> bool {
    match format.name {
        "figure" | "svg" | "html" => ["match", "merge", "report", "run"].contains(&command),
        "trials" | "canonical" | "parquet" => command == "report",
        _ => true,
    }
}

/// The parser of formats. The command itself refuses one that it cannot print, and names those that it can.
fn formats_of(command: &str) -> impl TypedValueParser<Value = Exporter> + use<> {
    let value = |format: &Exporter| PossibleValue::new(format.name).hide(!prints(command, format));
    PossibleValuesParser::new(EXPORTERS.each_ref().map(value)).map(|name| named(&name))
}

/// The program with the formats that each command prints in its help, and in that of the commands below it.
pub(super) fn with_formats(program: clap::Command) -> clap::Command {
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        with_formats_of(&name, command)
    })
}

fn with_formats_of(name: &str, command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        if argument.get_id() != "format" {
            return argument;
        }
        let printed = EXPORTERS.iter().filter(|format| prints(name, format));
        let printed: Vec<&str> = printed.map(|format| format.name).collect();
        let help = format!("The format of the output: {}", printed.join(", "));
        argument.value_parser(formats_of(name)).help(help)
    });
    command.mut_subcommands(|below| with_formats_of(name, below))
}

pub(super) fn formats_help() -> String {
    let line = |format: &Exporter| format!("\n  {:<9} {}", format.name, format.about);
    format!("Formats:{}", EXPORTERS.iter().map(line).collect::<String>())
}

impl OutputArguments {
    fn exporter(&self) -> Exporter {
        if self.json { named("json") } else { self.format }
    }

    pub(super) fn is_text(&self) -> bool {
        self.format() == EXPORTERS[0].name
    }

    pub(super) fn format(&self) -> &'static str {
        self.exporter().name
    }

    pub(super) fn page(&self, extent: Extent) -> Page {
        Page { width: width(self.width), colour: true, extent, guards_formulas: !self.raw_csv }
    }

    /// Prints a report in the format that was asked for, with all its parts.
    pub(super) fn print(&self, report: &dyn Report) -> Result {
        self.print_as(report, Extent::Short)
    }

    /// Prints a report in the format that was asked for; `extent` is that of text.
    pub(super) fn print_as(&self, report: &dyn Report, extent: Extent) -> Result {
        let exporter = self.exporter();
        if let Some(call) = Call::now().filter(|_| self.is_text()) {
            call.keep(report);
        }
        if let Some(text) = (exporter.export)(report, self.page(extent)) {
            return print_report(&text);
        }
        let page = self.page(Extent::Short);
        let prints = EXPORTERS.iter().filter(|other| (other.export)(report, page).is_some());
        let names: Vec<&str> = prints.map(|other| other.name).collect();
        Err(usage!("this command has nothing to print as {}; it prints {}", exporter.name, names.join(", ")))
    }

    /// Prints the report of a command: a document for people, and the content of its JSON.
    pub(super) fn show(&self, command: &str, content: impl Serialize, document: Document) -> Result {
        self.print(&Answer { command, content, document })
    }
}

/// The versions of the JSON of commands, raised when a field changes or goes; that of any other command is 1.
const VERSIONS: [(&str, u32); 8] = [
    ("atlas", 2),
    ("compare", 2),
    ("diverge", 4),
    ("exact", 2),
    ("plan", 2),
    ("profile", profile::SCHEMA),
    ("stats", 3),
    ("verify", 2),
];

struct Answer<'a, T> {
    command: &'a str,
    content: T,
    document: Document,
}

impl<T: Serialize> Report for Answer<'_, T> {
    fn document(&self, _extent: Extent) -> Document {
        self.document.clone()
    }

    fn json(&self) -> String {
        let named = |(name, _): &&(&str, u32)| self.command.split(' ').next() == Some(name);
        let version = VERSIONS.iter().find(named).map_or(1, |(_, version)| *version);
        to_json(self.command, version, &self.content)
    }
}
