//! `shikou man`: manual pages, one for the program and one for each command.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::commands::{Arguments, program};
use super::error::{CommandError, Result};
use super::output::print;
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Example:
  shikou man ~/.local/share/man/man1   then: man shikou, man shikou-run")]
pub(super) struct ManArguments {
    /// The folder for the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn man(_registry: &Registry, arguments: &ManArguments) -> Result {
    let folder = &arguments.folder;
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command().name(program()), folder));
    written.map_err(|error| CommandError::at(folder.display(), &error))?;
    print(format!("manual pages written to {}", folder.display()))
}
