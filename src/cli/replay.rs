//! `shikou replay`: recorded games, replayed.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::folder::read_input;
use super::groups::{GameArguments, OutputArguments};
use crate::game::{Outcome, RecordEnd, ReplayedRecord};
use crate::players::{AnyGame, Registry};
use crate::report::{Block, Document, counted, object, optional};
use crate::words::text_of;

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

pub(super) fn replay(registry: &Registry, arguments: &ReplayArguments) -> Result {
    let game = arguments.game.read(registry)?;
    let mut totals =
        object! { games: 0_u64, legal: 0_u64, illegal: 0_u64, passes: 0_u64, score_mismatches: 0_u64 };
    let (mut lines, mut games) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        let file = path.display().to_string();
        for (number, ReplayedRecord { plies, passes, end }) in (1_u64..).zip(records(&*game, path)?) {
            totals.games += 1;
            totals.passes += u64::from(passes);
            *if end.is_ok() { &mut totals.legal } else { &mut totals.illegal } += 1;
            let (result, score, problem) = match end {
                Ok(RecordEnd { outcome, score, mismatch }) => {
                    totals.score_mismatches += u64::from(mismatch.is_some());
                    (Some(outcome.map_or("unfinished", word)), (!score.is_empty()).then_some(score), mismatch)
                }
                Err(problem) => (None, None, Some(problem)),
            };
            if arguments.quiet {
                continue;
            }
            let words = problem.clone().unwrap_or_else(|| {
                let score = in_words(result.unwrap_or_default(), score.as_deref().unwrap_or_default());
                format!("{score}, {}, {}", counted(plies.into(), "ply"), counted(passes.into(), "pass"))
            });
            lines.push(format!("{file}: game {number}: {words}"));
            games.push(object! {
                file: file.clone(), game: number, #[serde(flatten)] result: optional("result", result),
                #[serde(flatten)] score: optional("score", score), plies, passes,
                #[serde(flatten)] problem: optional("problem", problem),
            });
        }
    }
    let illegal = totals.illegal;
    lines.push(format!(
        "{}, {} legal, {illegal} illegal, {}, {}",
        counted(totals.games, "game"),
        totals.legal,
        counted(totals.passes, "pass"),
        counted(totals.score_mismatches, "score mismatch")
    ));
    let content = object! { game: game.spec().to_string(), totals, games };
    arguments.output.show("replay", content, Document(vec![Block::Text(lines)]))?;
    if illegal > 0 { Err(CommandError::Check) } else { Ok(()) }
}

/// The replayed games of a file: records in a format of the game, known by its extension, or transcripts.
fn records(game: &dyn AnyGame, path: &Path) -> Result<Vec<ReplayedRecord>> {
    let bytes = read_input(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut formats = game.lists().record_formats.iter();
    if let Some(format) = formats.find(|format| extension.eq_ignore_ascii_case(format.extension)) {
        return (format.replay)(&bytes).map_err(|error| usage!("{}: {error}", path.display()));
    }
    let text = text_of(&bytes).map_err(|error| {
        let known = game
            .lists()
            .record_formats
            .iter()
            .map(|format| format!("; {} files end in .{}", format.name, format.extension))
            .collect::<Vec<_>>()
            .concat();
        usage!("{}: {error}; write transcripts of {}{known}", path.display(), game.spec())
    })?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut is_known = false;
    Ok(lines.map(|line| transcript(game, line, &mut is_known)).collect())
}

/// The replayed game of a line. `is_known` is whether a line of the file began with a legal move: a file of another kind is not
/// quoted.
fn transcript(game: &dyn AnyGame, line: &str, is_known: &mut bool) -> ReplayedRecord {
    match game.replay(line) {
        Ok((followed, result)) => {
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

fn in_words(result: &str, score: &str) -> String {
    match score.strip_prefix(['+', '-']) {
        // A draw has no margin, and points say no more than the result.
        Some(margin) if result == "draw" || margin.ends_with(" points") => result.into(),
        Some(margin) => format!("{result} by {margin}"),
        None if score.is_empty() => result.into(),
        None => format!("{result} {score}"),
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "first player wins",
        Outcome::Draw => "draw",
        Outcome::Loss => "second player wins",
    }
}
