//! `shikou completions`: a script with which a shell completes commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::commands::{Arguments, program};
use super::error::Result;
use super::output::print;
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Examples:
  bash         shikou completions bash > ~/.local/share/bash-completion/completions/shikou
  zsh          shikou completions zsh > ~/.zfunc/_shikou   (with fpath+=~/.zfunc before compinit)
  fish         shikou completions fish > ~/.config/fish/completions/shikou.fish
  PowerShell   shikou completions powershell >> $PROFILE")]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(_registry: &Registry, arguments: &CompletionsArguments) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), program(), &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}
