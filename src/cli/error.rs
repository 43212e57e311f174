//! The errors of commands.

use std::error::Error;
use std::io::{
    self,
    ErrorKind::{
        AlreadyExists, BrokenPipe, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory,
        NotFound, Other,
    },
};

use crate::exact::ExactError;
use crate::experiment::{
    LogError, ManifestError, OptimisationError, OptimisedError, TrainingError, WarningKind,
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
    /// There were warnings, and they are denied.
    Denied(Vec<WarningKind>),
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
            Self::Check | Self::Denied(_) | Self::BrokenPipe => String::new(),
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
