//! Why a command ends without success, and with which exit code.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::output::tell;
use crate::experiment::ManifestError;
use crate::game::options::Invalid;
use crate::players::NoPlayer;

/// Why a command ends without success.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command's own check failed; all was printed.
    Check,
    /// Something that was asked for makes no sense.
    Usage(String),
    /// A manifest makes no sense.
    Manifest(ManifestError),
    /// Trials failed, for these reasons where they were not printed.
    Trials(Vec<String>),
    /// A run was stopped; how to go on.
    Interrupted(String),
    /// The system refused something.
    System(String),
    /// Nobody reads what is printed any more. This is no failure.
    BrokenPipe,
}

impl Failure {
    /// Prints what there is to say and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        ExitCode::from(self.say())
    }

    /// Prints what there is to say and ends the program at once.
    pub(super) fn exit(self) -> ! {
        std::process::exit(i32::from(self.say()))
    }

    /// Prints what there is to say and returns the exit code.
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

    /// A failure of the system at something.
    pub(super) fn system(at: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::System(format!("{at}: {error}"))
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Self {
        Self::Usage(invalid.to_string())
    }
}

impl From<NoPlayer> for Failure {
    fn from(error: NoPlayer) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        Self::Manifest(error)
    }
}

impl From<io::Error> for Failure {
    /// An error of writing to standard output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::system("standard output", &error)
        }
    }
}

/// Colour only on a terminal, and not where the user asked for none.
fn renderer() -> Renderer {
    let colour =
        io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if colour { Renderer::styled() } else { Renderer::plain() }
}

fn print_error(message: &str) {
    tell(
        renderer().render(&[Level::ERROR
            .primary_title(message)
            .elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0])]),
    );
}

fn print_manifest_error(error: &ManifestError) {
    let Some((text, span)) = &error.place else { return print_error(&error.to_string()) };
    let path = error.path.display().to_string();
    let annotation = AnnotationKind::Primary.span(span.clone());
    let snippet = Snippet::source(text.as_str()).path(path).annotation(annotation);
    tell(renderer().render(&[Level::ERROR.primary_title(error.message.as_str()).element(snippet)]));
}
