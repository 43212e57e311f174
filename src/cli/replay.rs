//! `shikou replay`: recorded games, replayed.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::folder::read_input;
use super::groups::{GameArguments, OutputArguments};
use crate::game::{Outcome, RecordEnd, ReplayedRecord};
use crate::players::{AnyGame, Registry, Replayed};
use crate::report::{Block, Document, counted, object};
use crate::words::text_of;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  echo f5d6c3d3c4 | shikou replay othello -
  shikou replay othello WTH_*.wtb --quiet

A text file holds one transcript per line; empty lines and lines that begin with # are skipped. A
game may know other formats by the extension of the file: Othello reads .wtb files, the WTHOR
database. Exit code 1 if a move is illegal.")]
pub(super) struct ReplayArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The files; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the total only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    output: OutputArguments,
}

/// The totals over all files.
#[derive(Default, Serialize)]
struct Totals {
    games: u64,
    legal: u64,
    illegal: u64,
    passes: u64,
    score_mismatches: u64,
}

/// A replayed game.
#[derive(Serialize)]
struct GameLine {
    file: String,
    game: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    plies: u32,
    passes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(super) fn replay(registry: &Registry, arguments: &ReplayArguments) -> Result<(), CommandError> {
    let game = arguments.game.read(registry)?;
    let (mut totals, mut lines) = (Totals::default(), Vec::new());
    for path in &arguments.files {
        let name = path.display().to_string();
        for (number, record) in (1..).zip(records(&*game, path)?) {
            totals.add(&record);
            if !arguments.quiet {
                lines.push(GameLine::new(&name, number, record));
            }
        }
    }
    let illegal = totals.illegal;
    let text = lines.iter().map(ToString::to_string).chain([totals.to_string()]).collect();
    let content = object! { game: game.spec().to_string(), totals, games: lines };
    arguments.output.show("replay", SCHEMA, content, Document(vec![Block::Text(text)]))?;
    if illegal > 0 { Err(CommandError::Check) } else { Ok(()) }
}

/// The replayed games of a file: records in a format of the game, known by its extension, or transcripts.
fn records(game: &dyn AnyGame, path: &Path) -> Result<Vec<ReplayedRecord>, CommandError> {
    let bytes = read_input(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut formats = game.lists().record_formats.iter();
    if let Some(format) = formats.find(|format| extension.eq_ignore_ascii_case(format.extension)) {
        return (format.replay)(&bytes)
            .map_err(|error| CommandError::Usage(format!("{}: {error}", path.display())));
    }
    let text = text_of(&bytes).map_err(|error| {
        let known = game
            .lists()
            .record_formats
            .iter()
            .map(|format| format!("; {} files end in .{}", format.name, format.extension))
            .collect::<Vec<_>>()
            .concat();
        CommandError::Usage(format!(
            "{}: {error}; write transcripts of {}{known}",
            path.display(),
            game.spec()
        ))
    })?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut is_known = false;
    Ok(lines.map(|line| transcript(game, line, &mut is_known)).collect())
}

/// The replayed game of a line. `is_known` is whether a line of the file began with a legal move: what is no file of transcripts
/// is not quoted.
fn transcript(game: &dyn AnyGame, line: &str, is_known: &mut bool) -> ReplayedRecord {
    match game.rules().replay(line) {
        Ok(Replayed { followed, result }) => {
            *is_known = true;
            let unit = game.facts().score_unit;
            let score = result.map_or_else(String::new, |(_, score)| format!("{score:+} {unit}"));
            let end = RecordEnd { outcome: result.map(|(outcome, _)| outcome), score, mismatch: None };
            ReplayedRecord { plies: followed.plies, passes: followed.passes, end: Ok(end) }
        }
        Err(error) => {
            *is_known |= error.ply > 1;
            let problem = if *is_known {
                format!("{error}\n{}", error.drawing)
            } else {
                format!("this is no transcript of {}", game.spec())
            };
            ReplayedRecord { plies: error.ply - 1, passes: 0, end: Err(problem) }
        }
    }
}

impl Totals {
    fn add(&mut self, record: &ReplayedRecord) {
        self.games += 1;
        self.legal += u64::from(record.end.is_ok());
        self.illegal += u64::from(record.end.is_err());
        self.passes += u64::from(record.passes);
        self.score_mismatches += u64::from(record.end.as_ref().is_ok_and(|end| end.mismatch.is_some()));
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, legal, illegal, passes, score_mismatches } = self;
        let (games, passes) = (counted(*games, "game"), counted(*passes, "pass"));
        let mismatches = counted(*score_mismatches, "score mismatch");
        write!(f, "{games}, {legal} legal, {illegal} illegal, {passes}, {mismatches}")
    }
}

impl GameLine {
    fn new(file: &str, game: u64, record: ReplayedRecord) -> Self {
        let ReplayedRecord { plies, passes, end } = record;
        let (result, score, problem) = match end {
            Ok(RecordEnd { outcome, score, mismatch }) => {
                let score = (!score.is_empty()).then_some(score);
                (Some(outcome.map_or("unfinished", word)), score, mismatch)
            }
            Err(problem) => (None, None, Some(problem)),
        };
        Self { file: file.into(), game, result, score, plies, passes, problem }
    }
}

impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: game {}: ", self.file, self.game)?;
        if let Some(problem) = &self.problem {
            return f.write_str(problem);
        }
        let result = self.result.unwrap_or("illegal");
        let score = self.score.as_deref().unwrap_or_default();
        let score = match score.strip_prefix(['+', '-']) {
            // A draw has no margin, and points say no more than the result.
            Some(margin) if result == "draw" || margin.ends_with(" points") => String::new(),
            Some(margin) => format!(" by {margin}"),
            None if score.is_empty() => String::new(),
            None => format!(" {score}"),
        };
        let (plies, passes) = (counted(self.plies.into(), "ply"), counted(self.passes.into(), "pass"));
        write!(f, "{result}{score}, {plies}, {passes}")
    }
}

/// The outcome for the first player in words.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "first player wins",
        Outcome::Draw => "draw",
        Outcome::Loss => "second player wins",
    }
}
