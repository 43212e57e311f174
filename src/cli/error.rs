//! The errors of commands and their exit codes.

use std::error::Error;
use std::ffi::OsString;
use std::io::{
    self,
    ErrorKind::{
        AlreadyExists, BrokenPipe, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory,
        NotFound, Other,
    },
    Write as _,
};
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::folder::remove_temporary_folders;
use super::output::{tell, tell_report, width_of_errors};
use crate::engine::stop_engines;
use crate::exact::ExactError;
use crate::experiment::{
    LogError, ManifestError, OptimisationError, OptimisedError, TrainingError, hidden_in, release_folders,
    visible,
};
use crate::game::options::OptionError;
use crate::players::{FitError, PlayError, PlayerError};
use crate::stats::TestError;

/// The result of a command, or of a part of it.
pub(super) type Result<T = (), E = CommandError> = std::result::Result<T, E>;

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

/// [`CommandError::Usage`] with the words of `format!`.
macro_rules! usage {
    ($($words:tt)*) => {
        $crate::cli::error::CommandError::Usage(format!($($words)*))
    };
}

pub(super) use usage;

impl CommandError {
    pub(super) fn report(self) -> ExitCode {
        ExitCode::from(self.say())
    }

    /// [`Self::report`] for a thread: the program ends.
    pub(super) fn exit(self) -> ! {
        let code = self.say();
        stop_engines();
        release_folders();
        remove_temporary_folders();
        std::process::exit(i32::from(code))
    }

    /// Prints the message and returns the exit code.
    fn say(self) -> u8 {
        match &self {
            Self::Usage(message) | Self::System(message) => print_error(message),
            Self::Manifest(error) => print_manifest_error(error),
            Self::Trials(reasons) => reasons.iter().for_each(|reason| print_error(reason)),
            Self::Interrupted(message) => tell(message),
            Self::Check | Self::BrokenPipe => {}
        }
        match self {
            Self::BrokenPipe => 0,
            Self::Check => 1,
            Self::Usage(_) | Self::Manifest(_) => 2,
            Self::Trials(_) => 3,
            Self::Interrupted(_) => 4,
            Self::System(_) => 5,
        }
    }

    /// An error of the system if that is its cause, else of a file.
    pub(super) fn because(error: impl Error + 'static) -> Self {
        let causes = || std::iter::successors(Some(&error as &dyn Error), |&cause| cause.source());
        let mut kinds = causes().filter_map(|cause| Some(cause.downcast_ref::<io::Error>()?.kind()));
        if kinds.clone().any(|kind| kind == BrokenPipe) {
            Self::BrokenPipe
        } else if kinds.any(|kind| !OF_FILES.contains(&kind)) {
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

    pub(super) fn usage(error: impl std::fmt::Display) -> Self {
        Self::Usage(error.to_string())
    }

    pub(super) fn no_threads(threads: usize, error: &dyn std::fmt::Display) -> Self {
        Self::System(format!(
            "the system did not start {threads} threads: {error}; a limit on processes may be reached"
        ))
    }

    /// An error of a file, or of the system, at a place.
    pub(super) fn at(place: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::because(io::Error::new(error.kind(), format!("{place}: {error}")))
    }

    pub(super) fn of_output(error: &io::Error) -> Self {
        Self::at("standard output", error)
    }
}

/// The kinds of error of a path that is wrong, or of a content that Shikou itself refuses.
const OF_FILES: [io::ErrorKind; 8] =
    [NotFound, AlreadyExists, IsADirectory, NotADirectory, InvalidInput, InvalidData, InvalidFilename, Other];

/// Conversions of errors by a function of [`CommandError`].
macro_rules! convert {
    ($function:ident: $($error:ty),*) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::$function(error)
            }
        })*
    };
}

convert!(usage: OptionError, PlayerError, FitError, ExactError, TestError);
convert!(because: io::Error, TrainingError, OptimisationError, OptimisedError, PlayError);
convert!(Manifest: ManifestError);

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Manifest(error) => error.into(),
            error => Self::because(error),
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
