//! Openings in a manifest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    File, Files, PlacedError, Read, Section, Value, check_results, finish_player, read_files, read_searcher,
    refused,
};
use crate::game::options::{POSITIVE, integer, real};
use crate::game::{RecordFormat, Turn};
use crate::players::{AnyGame, PlacedSearcher, SearcherPlaces};
use crate::words::{counted, text_of};
use crate::{Balance, Openings};

const EXAMPLE: &str = "openings = { random-plies = 4 }";

pub(crate) fn read_openings(
    value: &Value<'_>,
    game: &dyn AnyGame,
    trials: u64,
    files: &mut Files,
) -> Read<(Openings, Option<SearcherPlaces>)> {
    let mut section = Section::from_value(value, "`openings`").map_err(|error| PlacedError {
        message: format!("{}; write for example `{EXAMPLE}`", error.message),
        ..error
    })?;
    let random: Option<u32> = section.get("random-plies", &integer(0..=1000, ()).optional())?;
    let balance = section.take("balanced").map(|value| read_balance(value, game, files)).transpose()?;
    let (balance, judge) = balance.unzip();
    let transcripts = section.take("transcripts");
    let formats = &game.lists().record_formats;
    let records: Vec<_> =
        formats.iter().filter_map(|format| section.take(format.name).map(|value| (format, value))).collect();
    let span = section.span.clone();
    let plies: Option<usize> = section.get("plies", &integer(1..=1000, ()).optional())?;
    section.finish()?;
    if let (Some(_), []) = (plies, &records[..]) {
        let message = "`plies` says how much of recorded games is played, and no file of them is named; random openings have \
                       `random-plies`";
        return refused(section.at("plies"), message);
    }
    if let (Some(_), None) = (&balance, random) {
        return refused(span, "`balanced` chooses among random openings; write `random-plies` beside it");
    }
    let (file, openings) = match (random, transcripts, &records[..]) {
        (Some(plies), None, []) => {
            let longest = game.facts().max_plies.unwrap_or(u32::MAX);
            if plies >= longest {
                let message =
                    format!("{plies} random plies are whole games: {} has at most {longest}", game.spec());
                return refused(span, message);
            }
            return Ok((Openings::Random { plies, balance }, judge));
        }
        (None, Some(value), []) => (value, read_transcripts(value, game, files)?),
        (None, None, [(format, value)]) => {
            let plies = plies.ok_or_else(|| {
                PlacedError::new(
                    span,
                    "`plies` is missing; write how long the openings are, for example `plies = 8`",
                )
            })?;
            (*value, read_records(value, format, plies, game, files)?)
        }
        (None, None, []) => {
            let mut known = vec!["random-plies", "transcripts"];
            known.extend(formats.iter().map(|format| format.name));
            let message =
                format!("`openings` needs one of {}; write for example `{EXAMPLE}`", known.join(", "));
            return refused(span, message);
        }
        _ => {
            return refused(span, format!("openings are of one kind; write for example `{EXAMPLE}`"));
        }
    };
    let Openings::Listed { source, lines } = &openings else { unreachable!("both are lists") };
    let found = lines.len() as u64;
    if trials > found {
        let message = format!(
            "each opening is played by one pair, so {trials} pairs need as many, and there {} of {source}; write \
             trials = {found} or name more openings",
            if found == 1 { "is 1".into() } else { format!("are {found}") }
        );
        return refused(file.span(), message);
    }
    Ok((openings, None))
}

/// The judge of balanced openings, and how far from 0 their values may be.
fn read_balance(value: &Value<'_>, game: &dyn AnyGame, files: &mut Files) -> Read<(Balance, SearcherPlaces)> {
    let mut section = Section::from_value(value, "`balanced`")?;
    let within = section.get("within", &real(POSITIVE, ()).needed("0.1"))?;
    let PlacedSearcher { spec: mut judge, places } = read_searcher(&mut section, game)?;
    finish_player(&section, game, false)?;
    read_files(&mut judge, &places, files)?;
    check_results(&judge, &places, game, files)?;
    if !judge.is_repeatable() {
        let message = if judge.is_time_limited() {
            "a judge with a time limit would choose other openings in every run; give it another budget"
        } else if judge.is_engine() {
            "a judge that is another program might choose other openings in every run; take a searcher"
        } else {
            "a judge that does not estimate to decide the same in every run may choose other openings; take another"
        };
        return refused(value.span(), message);
    }
    Ok((Balance { judge, within }, places))
}

/// Reads a transcript a line; empty lines and lines that begin with `#` are passed over.
fn read_transcripts(value: &Value<'_>, game: &dyn AnyGame, files: &mut Files) -> Read<Openings> {
    let file = files.read("transcripts", value)?;
    let content = text_of(&file.content).map_err(|error| file.error(&format!(" {error}")))?;
    let (mut lines, mut known) = (Vec::new(), BTreeSet::new());
    few_openings(content.lines().count(), &file)?;
    for (number, line) in (1..).zip(content.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let moves = opening(game, line, usize::MAX);
            let (moves, _) = moves.map_err(|problem| match problem {
                // If the first line is no transcript, the file is probably of another kind, and the line is not quoted.
                Problem::Illegal(error) if error.ply == 1 && lines.is_empty() => {
                    file.error(&format!("{number}: this is no transcript of {}", game.spec()))
                }
                _ => file.error(&format!("{number}: {problem}")),
            })?;
            lines.push(shared(moves, &mut known));
        }
    }
    if lines.is_empty() {
        return Err(file.error(" there is no transcript in it; write one a line"));
    }
    Ok(Openings::Listed { source: file.name, lines })
}

/// The openings of the games of a file that lead to distinct positions, in its order. Games that were broken off or over before
/// that are passed over.
fn read_records(
    value: &Value<'_>,
    format: &RecordFormat,
    plies: usize,
    game: &dyn AnyGame,
    files: &mut Files,
) -> Read<Openings> {
    let file = files.read(format.name, value)?;
    let games = (format.read)(&file.content).map_err(|problem| file.error(&format!(" {problem}")))?;
    few_openings(games.len(), &file)?;
    let (mut lines, mut seen, mut known) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (number, moves) in (1..).zip(games) {
        let written = moves[..plies.min(moves.len())].join(" ");
        match opening(game, &written, plies) {
            Ok((moves, position)) => {
                if moves.len() == plies && seen.insert(position) {
                    lines.push(shared(moves, &mut known));
                }
            }
            Err(Problem::Over) => {}
            Err(problem) => return Err(file.error(&format!(" game {number}: {problem}"))),
        }
    }
    Ok(Openings::Listed { source: format!("{} from {}", counted(plies as u64, "ply"), file.name), lines })
}

const MOST_OPENINGS: usize = 1_000_000;

fn few_openings(found: usize, file: &File) -> Read<()> {
    if found <= MOST_OPENINGS {
        return Ok(());
    }
    Err(file.error(&format!(
        " here are {found} openings, and an experiment may have {MOST_OPENINGS}; divide the file"
    )))
}

/// Moves that share the text of equal ones.
fn shared(moves: Vec<String>, known: &mut BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
    let share = |text: String| {
        let found = known.get(text.as_str()).cloned();
        found.unwrap_or_else(|| {
            let text: Arc<str> = text.into();
            known.insert(Arc::clone(&text));
            text
        })
    };
    moves.into_iter().map(share).collect()
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    Illegal(#[from] crate::game::TranscriptError),
    #[error("the game is over after it; an opening leaves something to play")]
    Over,
}

/// The first plies of a transcript, all moves written, and the position after them; the moves if the game writes no positions.
fn opening(game: &dyn AnyGame, transcript: &str, plies: usize) -> Result<(Vec<String>, String), Problem> {
    let mut moves = game.written_moves(transcript)?;
    moves.truncate(plies);
    let people = vec![None; usize::from(game.facts().players)];
    let mut table = game.table(&people).expect("people fit every game");
    for mv in &moves {
        assert!(table.make_written_move(mv), "{mv} was read from a transcript");
    }
    if table.turn() == Turn::Over {
        return Err(Problem::Over);
    }
    let position = table.position_text().unwrap_or_else(|| moves.join(" "));
    Ok((moves, position))
}
