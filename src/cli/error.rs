//! The errors of commands and their exit codes.

use std::io;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::output::tell;
use crate::experiment::{KeptManifestError, LogError, ManifestError};
use crate::game::options::OptionError;
use crate::players::{FitError, PlayerError};

/// The reason why a command fails.
#[derive(Debug)]
pub(super) enum CommandError {
    /// The command's own check failed; its output says why.
    Check,
    /// An argument is wrong.
    Usage(String),
    /// A manifest is wrong.
    Manifest(ManifestError),
    /// Trials failed, for these reasons unless they were printed.
    Trials(Vec<String>),
    /// A run was stopped; the message says how to resume it.
    Interrupted(String),
    /// The system returned an error, or a file is damaged.
    System(String),
    /// The reader of standard output has closed it. This is not a failure.
    BrokenPipe,
}

impl CommandError {
    /// Prints the message and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        ExitCode::from(self.say())
    }

    /// Prints the message and ends the program.
    pub(super) fn exit(self) -> ! {
        std::process::exit(i32::from(self.say()))
    }

    /// Prints the message and returns the exit code.
    fn say(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Check => 1,
            Self::Usage(message) | Self::System(message) => {
                print_error(&message);
                2
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

    /// An error of the system, or of a file.
    pub(super) fn because(error: impl std::fmt::Display) -> Self {
        Self::System(error.to_string())
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

    /// An error of the system at a place.
    pub(super) fn system(at: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::System(format!("{at}: {error}"))
    }
}

impl From<OptionError> for CommandError {
    fn from(error: OptionError) -> Self {
        Self::usage(error)
    }
}

impl From<PlayerError> for CommandError {
    fn from(error: PlayerError) -> Self {
        Self::usage(error)
    }
}

impl From<FitError> for CommandError {
    fn from(error: FitError) -> Self {
        Self::usage(error)
    }
}

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
            Self::system("standard output", &error)
        }
    }
}

fn print_error(message: &str) {
    tell(
        Renderer::styled().render(&[Level::ERROR
            .primary_title(message)
            .elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0])]),
    );
}

/// Every mistake with its place, up to ten.
fn print_manifest_error(error: &ManifestError) {
    for mistake in error.mistakes().take(ManifestError::SHOWN) {
        let Some((text, span)) = &mistake.place else {
            print_error(&mistake.to_string());
            continue;
        };
        let path = mistake.path.display().to_string();
        let annotation = AnnotationKind::Primary.span(span.clone());
        let snippet = Snippet::source(text.as_str()).path(path).annotation(annotation);
        tell(
            Renderer::styled()
                .render(&[Level::ERROR.primary_title(mistake.message.as_str()).element(snippet)]),
        );
    }
    let mistakes = error.mistakes().len();
    if mistakes > ManifestError::SHOWN {
        tell(format_args!("{mistakes} mistakes were found; the first {} are shown", ManifestError::SHOWN));
    }
}
