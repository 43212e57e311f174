//! Standard output and standard error: their width and their colours, errors with their exit codes, and texts from templates.
//!
//! Everything is printed through `anstream`, which keeps colours only on a terminal and knows `NO_COLOR` and
//! `CLICOLOR_FORCE`.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use terminal_size::{Height, Width, terminal_size_of};

use super::call::{Call, is_embedded, out};
use super::error::{CommandError, Result};
use super::folder::remove_temporary_folders;
use crate::engine::stop_engines;
use crate::experiment::{Manifest, ManifestError, WarningKind, hidden_in, release_folders, visible};
use crate::players::is_playing;
use crate::report::Page;

pub(super) const NARROWEST: u16 = 40;

/// The width of the output: as it was asked for; else that of the terminal, `COLUMNS` if it is set; else that of
/// `report.txt`.
pub(super) fn width(asked: Option<u16>) -> usize {
    let width = asked.map(|width| width.max(NARROWEST).into());
    width
        .or_else(|| width_of_terminal(io::stdout().is_terminal(), terminal_size_of(io::stdout())))
        .unwrap_or(Page::PLAIN.width)
}

pub(super) fn width_of_errors() -> Option<usize> {
    width_of_terminal(io::stderr().is_terminal(), terminal_size_of(io::stderr()))
}

fn width_of_terminal(is_terminal: bool, size: Option<(Width, Height)>) -> Option<usize> {
    let set = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = is_terminal.then(|| set().or(size.map(|(width, _)| width.0))).flatten();
    width.map(|width| width.max(NARROWEST).into())
}

/// Prints a text and a line break. Characters that a terminal would obey or hide are escaped. A closed pipe is not a failure.
pub(super) fn print(text: impl std::fmt::Display) -> Result {
    print_report(&visible(&text.to_string()))
}

/// Prints a text in which such characters are escaped already, and which may have colours.
pub(super) fn print_report(text: &str) -> Result {
    if Call::now().is_some() {
        let text = anstream::adapter::strip_str(text);
        return writeln!(out(), "{text}").map_err(|error| CommandError::of_output(&error));
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| CommandError::of_output(&error))
}

/// Prints a text and a line break to standard error, and ignores failures. Characters that a terminal would obey or hide are
/// escaped.
pub(super) fn tell(text: impl std::fmt::Display) {
    tell_report(&visible(&text.to_string()));
}

/// [`tell`] for a text in which such characters are escaped already, and which may have colours.
pub(super) fn tell_report(text: &str) {
    tell_as(Call::now().as_deref(), text);
}

/// [`tell_report`] in a call, or on standard error.
pub(super) fn tell_as(call: Option<&Call>, text: &str) {
    match call {
        Some(call) => call.tell(text),
        None => drop(writeln!(anstream::stderr(), "{text}")),
    }
}

/// A text from its template.
pub(super) fn filled(template: &str, values: &minijinja::Value) -> String {
    minijinja::Environment::new().render_str(template, values).expect("the template is right") + "\n"
}

/// The name under which the program was started: a program of your own has another.
pub(super) fn program() -> &'static str {
    let path = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = path.and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    // Leaked at most twice.
    name.filter(|name| !name.is_empty()).map_or("shikou", |name| name.leak())
}

/// The kinds of the warnings so far.
static WARNED: Mutex<Vec<WarningKind>> = Mutex::new(Vec::new());

/// Notes warnings that a report shows.
pub(super) fn note_warnings(kinds: impl IntoIterator<Item = WarningKind>) {
    let mut warned = WARNED.lock().expect("no thread panicked here");
    for kind in kinds {
        if !warned.contains(&kind) {
            warned.push(kind);
        }
    }
}

/// Tells a warning.
pub(super) fn warn(kind: WarningKind, words: impl std::fmt::Display) {
    note_warnings([kind]);
    tell(format_args!("warning: {words}"));
}

/// Warns of names in a manifest that other programs would misread.
pub(super) fn warn_of_names(manifest: &Manifest) {
    if let Some(words) = manifest.misread_names() {
        warn(WarningKind::MisreadNames, words);
    }
}

/// An error of all kinds of warnings so far.
pub(super) fn deny_warnings() -> Result {
    let mut kinds = std::mem::take(&mut *WARNED.lock().expect("no thread panicked here"));
    kinds.sort_unstable();
    if kinds.is_empty() { Ok(()) } else { Err(CommandError::Denied(kinds)) }
}

/// Warns of a log that is not locked: the file system cannot tell whether another process writes it.
pub(super) fn warn_without_lock(is_locked: bool, log: &Path) {
    if !is_locked {
        let path = log.display();
        warn(
            WarningKind::UnlockedLog,
            format_args!(
                "{path} cannot be locked on this file system; the file owner.toml beside it keeps other runs away"
            ),
        );
    }
}

/// A guard under which panics of trials print nothing, because their rows record them. Other panics print as usual.
pub(super) struct SilentPanics(());

/// The guards that live. A program may call many commands, so the hook is set once.
static SILENT: AtomicUsize = AtomicUsize::new(0);

impl SilentPanics {
    pub(super) fn begin() -> Self {
        static SET: Once = Once::new();
        SET.call_once(|| {
            let usual = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if SILENT.load(Ordering::Relaxed) == 0 || !is_playing() {
                    usual(info);
                }
            }));
        });
        SILENT.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for SilentPanics {
    fn drop(&mut self) {
        SILENT.fetch_sub(1, Ordering::Relaxed);
    }
}

impl CommandError {
    pub(super) fn report(self) -> ExitCode {
        ExitCode::from(self.say())
    }

    /// [`Self::report`] for a thread: the program ends. A thread of another program waits for ever.
    pub(super) fn exit(self) -> ! {
        while is_embedded() {
            std::thread::park();
        }
        let code = self.say();
        stop_engines();
        release_folders();
        remove_temporary_folders();
        std::process::exit(i32::from(code))
    }

    /// Prints the message and returns the exit code.
    pub(super) fn say(self) -> u8 {
        match &self {
            Self::Usage(message) | Self::System(message) => print_error(message),
            Self::Manifest(error) => print_manifest_error(error),
            Self::Trials(reasons) => reasons.iter().for_each(|reason| print_error(reason)),
            Self::Interrupted(message) => tell(message),
            Self::Denied(kinds) => {
                for kind in kinds {
                    print_error(&format!("warning {}: {}", kind.name(), kind.about()));
                }
            }
            Self::Check | Self::BrokenPipe => {}
        }
        match self {
            Self::BrokenPipe => 0,
            Self::Check | Self::Denied(_) => 1,
            Self::Usage(_) | Self::Manifest(_) => 2,
            Self::Trials(_) => 3,
            Self::Interrupted(_) => 4,
            Self::System(_) => 5,
        }
    }
}

/// Prints the help that was asked for, or the mistake in the arguments, and returns the exit code.
pub(super) fn report_parsing(error: &clap::Error) -> ExitCode {
    let is_hidden = |argument: OsString| hidden_in(&argument.to_string_lossy()).is_some();
    let printed = if std::env::args_os().any(is_hidden) {
        tell(error.to_string().trim_end());
        Ok(())
    } else {
        error.print().and_then(|()| io::stdout().flush())
    };
    printed.map_or_else(
        |error| CommandError::of_output(&error).report(),
        |()| ExitCode::from(error.exit_code() as u8),
    )
}

fn print_error(message: &str) {
    let none: [Snippet<'_, annotate_snippets::Annotation<'_>>; 0] = [];
    tell_report(&Renderer::styled().render(&[Level::ERROR.primary_title(wrapped(message)).elements(none)]));
}

/// The message in lines that fit the terminal; in one line if standard error is none, for programs that search it.
fn wrapped(message: &str) -> String {
    let message = visible(message).into_owned();
    let Some(width) = width_of_errors() else { return message };
    let options = textwrap::Options::new(width.saturating_sub("error: ".len()))
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(&message, options)
}

/// Every mistake with its place, up to ten.
fn print_manifest_error(error: &ManifestError) {
    for mistake in error.mistakes().take(ManifestError::SHOWN) {
        let Some((text, span)) = &mistake.place else {
            print_error(&mistake.to_string());
            continue;
        };
        let path = mistake.path.display().to_string();
        // An escape is longer than what it replaces.
        let [start, end] = [span.start, span.end].map(|at| visible(&text[..at]).len());
        let annotation = AnnotationKind::Primary.span(start..end);
        let snippet = Snippet::source(visible(text)).path(visible(&path)).annotation(annotation);
        let title = Level::ERROR.primary_title(wrapped(&mistake.message));
        let renderer = Renderer::styled();
        let renderer = width_of_errors().map_or(renderer.clone(), |width| renderer.term_width(width));
        tell_report(&renderer.render(&[title.element(snippet)]));
    }
    let mistakes = error.mistakes().len();
    if mistakes > ManifestError::SHOWN {
        tell(format_args!("{mistakes} mistakes were found; the first {} are shown", ManifestError::SHOWN));
    }
}
