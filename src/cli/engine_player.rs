//! Engines as players on a command line: `engine(nboard="edax -nboard",level=4)`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CommandError;
use super::output::tell;
use crate::engine::{EngineSettings, Speech, allow_engines};
use crate::game::options::{
    FileValue, Options, Settings, integer_or, named_with_options, read_time, settings, text, write_time,
};
use crate::players::AnyGame;
use crate::serve::misfit;

/// Whether engines may be started.
#[derive(Args)]
pub(super) struct AllowArguments {
    /// Let engines start the programs that they name
    #[arg(long)]
    allow_engines: bool,
}

settings! {
    /// The options of an engine.
    struct EngineOptions {
        /// the command of a program that speaks GTP
        gtp: String = text("a command", ""),
        /// the command of a program that speaks NBoard
        nboard: String = text("a command", ""),
        /// the level that NBoard tells it
        level: Option<u32> = integer_or(0..=1000, "unset", None),
        /// the most time for a move; GTP tells it in whole seconds
        time: String = text("a time", "unlimited"),
        /// how much later than that an answer may come
        margin: String = text("a time", "100ms"),
        /// how long it may take to answer what takes no thought
        patience: String = text("a time", "10s"),
        /// its name in the report
        name: String = text("a name", ""),
    }
}

impl AllowArguments {
    /// Of a command whose only purpose is to start one.
    pub(super) const fn asked_for() -> Self {
        Self { allow_engines: true }
    }
}

/// An engine as a player.
#[derive(Clone, Debug)]
pub(super) struct EnginePlayer {
    /// Its name: by default the name of its program, with the arguments and the level.
    pub(super) name: String,
    pub(super) settings: EngineSettings,
}

/// Whether a player's text names an engine.
pub(super) fn is_engine(text: &str) -> bool {
    text.split('(').next().is_some_and(|name| name.trim() == "engine")
}

impl EnginePlayer {
    /// Reads an engine, and checks that it can play the game.
    pub(super) fn read(game: &dyn AnyGame, text: &str) -> Result<Self, CommandError> {
        let refuse = |reason: String| CommandError::Usage(format!("`{text}`: {reason}"));
        let (_, given) = named_with_options(text)?;
        let options = Options::parse(&EngineOptions::options(), given.map_or("", |(_, given)| given))?;
        let options = EngineOptions::read(&options);
        let (speech, command) = match (&*options.gtp, &*options.nboard) {
            (gtp, "") if !gtp.is_empty() => (Speech::Gtp, gtp),
            ("", nboard) if !nboard.is_empty() => (Speech::NBoard, nboard),
            _ => {
                let advice =
                    "it needs one command; write for example engine(nboard=\"edax -nboard\",level=4)";
                return Err(refuse(advice.into()));
            }
        };
        let command = words(command).ok_or_else(|| refuse("a quote of the command is not closed".into()))?;
        if command.is_empty() {
            return Err(refuse("the command is empty".into()));
        }
        let time = |name: &str, text: &str| {
            let what = format!("{name} is a time such as 50ms, not `{text}`");
            read_time(text).ok_or_else(|| refuse(what))
        };
        let limit = (options.time != "unlimited").then(|| time("time", &options.time)).transpose()?;
        if speech == Speech::Gtp && options.level.is_some() {
            return Err(refuse("GTP has no command for a level; write it into the command".into()));
        }
        if speech == Speech::Gtp && limit.is_some_and(|limit| limit.subsec_nanos() > 0) {
            return Err(refuse("GTP tells whole seconds; write for example time=1s".into()));
        }
        if let Some(reason) = misfit(game, speech) {
            return Err(refuse(reason));
        }
        let settings = EngineSettings {
            speech,
            level: options.level,
            time: limit,
            margin: time("margin", &options.margin)?,
            patience: time("patience", &options.patience)?,
            size: size(game),
            command,
        };
        let name = if options.name.is_empty() { default_name(&settings) } else { options.name };
        Ok(Self { name, settings })
    }

    /// The SHA-256 of the program's file.
    pub(super) fn sha256(&self) -> Option<String> {
        let bytes = fs::read(found(&self.settings.command[0])?).ok()?;
        FileValue::named("").with_content(bytes).hash().map(Into::into)
    }
}

/// Prints the commands of engines, and lets them start if that was allowed.
pub(super) fn allow(engines: &[&EnginePlayer], arguments: &AllowArguments) -> Result<(), CommandError> {
    let command = |engine: &&EnginePlayer| format!("{:?}", engine.settings.command);
    let commands: Vec<String> = engines.iter().map(command).collect();
    if !arguments.allow_engines {
        return Err(CommandError::Usage(format!(
            "an engine is a program that runs with your rights: {}; let it start with --allow-engines",
            commands.join(", ")
        )));
    }
    for command in &commands {
        tell(format!("starts {command}"));
    }
    allow_engines();
    Ok(())
}

/// The size of a board, if the game has the option.
fn size(game: &dyn AnyGame) -> Option<usize> {
    let mut options = game.spec().options.iter();
    options.find(|(decl, _)| decl.name == "size").and_then(|(_, value)| value.to_string().parse().ok())
}

fn default_name(settings: &EngineSettings) -> String {
    let (program, arguments) = settings.command.split_first().expect("a command has a program");
    let program = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
    let mut name =
        std::iter::once(&*program).chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    name.extend(settings.level.map(|level| format!(", level {level}")));
    name.extend(settings.time.map(|time| format!(", {}", write_time(time))));
    name
}

/// The words of a command, divided by white space; one in single quotes may hold some. `None` if a quote is open.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None, false);
    for letter in command.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_with(String::new);
            }
            letter if letter.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_with(String::new).push(letter),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

/// The file of a program: a path, or a name in one of the folders of `PATH`.
fn found(program: &str) -> Option<PathBuf> {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return Some(program.into());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}
