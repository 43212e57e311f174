//! The errors of commands and their exit codes.

use std::error::Error;
use std::ffi::OsString;
use std::io::{
    self,
    ErrorKind::{
        AlreadyExists, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
        Other,
    },
    Write as _,
};
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::folder::remove_temporary_folders;
use super::output::{tell, tell_report, width_of_errors};
use crate::engine::stop_engines;
use crate::exact::ExactError;
use crate::experiment::{KeptManifestError, LogError, ManifestError, hidden_in, release_folders, visible};
use crate::game::options::OptionError;
use crate::players::{FitError, PlayerError};
use crate::stats::TestError;

/// The reason why a command fails.
#[derive(Debug)]
pub(super) enum CommandError {
    /// The command's own check failed; its output says why.
    Check,
    /// An argument or a file is wrong.
    Usage(String),
    /// A manifest is wrong.
    Manifest(ManifestError),
    /// Trials failed, for these reasons unless they were printed.
    Trials(Vec<String>),
    /// A run was stopped; the message says how to resume it.
    Interrupted(String),
    /// The system returned an error.
    System(String),
    /// The reader of standard output has closed it. This is not a failure.
    BrokenPipe,
}

/// The error of an argument or a file that is wrong, in words as those of `format!`.
macro_rules! usage {
    ($($words:tt)*) => {
        $crate::cli::error::CommandError::Usage(format!($($words)*))
    };
}

pub(super) use usage;

impl CommandError {
    /// Prints the message and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        ExitCode::from(self.say())
    }

    /// Prints the message and ends the program.
    pub(super) fn exit(self) -> ! {
        let code = self.say();
        stop_engines();
        release_folders();
        remove_temporary_folders();
        std::process::exit(i32::from(code))
    }

    /// Prints the message and returns the exit code.
    fn say(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Check => 1,
            Self::Usage(message) => {
                print_error(&message);
                2
            }
            Self::System(message) => {
                print_error(&message);
                5
            }
            Self::Manifest(error) => {
                print_manifest_error(&error);
                2
            }
            Self::Trials(reasons) => {
                for reason in &reasons {
                    print_error(reason);
                }
                3
            }
            Self::Interrupted(message) => {
                tell(message);
                4
            }
        }
    }

    /// An error of the system if that is its cause, else of a file.
    pub(super) fn because(error: impl Error + 'static) -> Self {
        let mut causes = std::iter::successors(Some(&error as &dyn Error), |&cause| cause.source());
        let is_of_system = |cause: &(dyn Error + 'static)| -> bool {
            // These kinds are of a path that is wrong, or of what Shikou itself refuses.
            let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            kind.is_some_and(|kind| {
                !matches!(
                    kind,
                    NotFound
                        | AlreadyExists
                        | IsADirectory
                        | NotADirectory
                        | InvalidInput
                        | InvalidData
                        | InvalidFilename
                        | Other
                )
            })
        };
        if causes.any(is_of_system) {
            Self::System(error.to_string())
        } else {
            Self::Usage(error.to_string())
        }
    }

    /// Why a file cannot be used, for a report that goes on without it.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Usage(message) | Self::System(message) | Self::Interrupted(message) => message.clone(),
            Self::Manifest(error) => error.to_string(),
            Self::Trials(reasons) => reasons.join("; "),
            Self::Check | Self::BrokenPipe => String::new(),
        }
    }

    /// A wrong argument.
    pub(super) fn usage(error: impl std::fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    /// The system does not start threads.
    pub(super) fn no_threads(threads: usize, error: &dyn std::fmt::Display) -> Self {
        Self::System(format!(
            "the system did not start {threads} threads: {error}; a limit on processes may be reached"
        ))
    }

    /// An error of a file, or of the system, at a place.
    pub(super) fn at(place: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::because(io::Error::new(error.kind(), format!("{place}: {error}")))
    }
}

/// Errors of arguments.
macro_rules! of_arguments {
    ($($error:ty),*) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::usage(error)
            }
        })*
    };
}

of_arguments!(OptionError, PlayerError, FitError, ExactError, TestError);

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        Self::because(error)
    }
}

impl From<KeptManifestError> for CommandError {
    fn from(error: KeptManifestError) -> Self {
        match error {
            KeptManifestError::Manifest(error) => error.into(),
            KeptManifestError::Log(error) => error.into(),
        }
    }
}

impl From<ManifestError> for CommandError {
    fn from(error: ManifestError) -> Self {
        Self::Manifest(error)
    }
}

impl From<io::Error> for CommandError {
    /// An error of writing to standard output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::at("standard output", &error)
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
    printed
        .map_or_else(|error| CommandError::from(error).report(), |()| ExitCode::from(error.exit_code() as u8))
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
