//! Openings in a manifest: what begins its games.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use super::{
    File, Files, PlacedError, Read, Section, Value, check_results, finish_player, options_typed, read_files,
    read_searcher, refused, sweep, text, typed, written_game,
};
use crate::game::options::{POSITIVE, Typed, flag, integer, real};
use crate::game::{RecordFormat, Turn};
use crate::players::{AnyGame, PlacedSearcher, Registry, SearcherPlaces, Table};
use crate::rng::{PlayoutKey, Rng};
use crate::words::{counted, text_of};
use crate::{Balance, Openings};

const EXAMPLE: &str = "openings = { random-plies = 4 }";

/// The openings that are written, and the value that names them.
enum Written<'a> {
    Random(u32),
    RandomPositions,
    Transcripts(&'a Value<'a>),
    Records(&'a RecordFormat, &'a Value<'a>),
    Positions(&'a Value<'a>),
    Options(&'a Value<'a>),
}

/// Reads the openings of a game. `of` is the value of the game with the registry, of which other games can be made: only
/// experiments play several.
pub(crate) fn read_openings(
    value: &Value<'_>,
    game: &dyn AnyGame,
    trials: u64,
    of: Option<(&Value<'_>, &Registry)>,
    files: &mut Files,
) -> Read<(Openings, Option<SearcherPlaces>)> {
    let mut section = Section::from_value(value, "`openings`").map_err(|error| PlacedError {
        message: format!("{}; write for example `{EXAMPLE}`", error.message),
        ..error
    })?;
    let random: Option<u32> = section.get("random-plies", &integer(0..=1000, ()).optional())?;
    let balance = section.take("balanced").map(|value| read_balance(value, game, files)).transpose()?;
    let mut written = read_kinds(&mut section, game, random)?;
    let span = section.span.clone();
    let for_two = game.facts().players == 2;
    let plies: Option<usize> = section.get("plies", &integer(1..=1000, ()).optional())?;
    section.finish()?;
    let has = |kind: fn(&Written<'_>) -> bool| written.iter().any(kind);
    if plies.is_some() && !has(|of| matches!(of, Written::Records(..))) {
        let message = "`plies` says how much of recorded games is played, and no file of them is named; random openings have \
                       `random-plies`";
        return refused(section.at("plies"), message);
    }
    if balance.is_some() && !has(|of| matches!(of, Written::Random(_))) {
        return refused(span, "`balanced` chooses among random openings; write `random-plies` beside it");
    }
    if written.len() > 1 {
        return refused(span, format!("openings are of one kind; write for example `{EXAMPLE}`"));
    }
    let Some(written) = written.pop() else {
        let mut known = vec!["random-plies", "random-positions", "transcripts", "positions", "options"];
        known.extend(game.lists().record_formats.iter().map(|format| format.name));
        let message = format!("`openings` needs one of {}; write for example `{EXAMPLE}`", known.join(", "));
        return refused(span, message);
    };
    if let (Some(_), false) = (&balance, for_two) {
        return refused(span, format!("only a game for two is balanced, and {} is a solitaire", game.spec()));
    }
    let (balance, judge) = balance.unzip();
    let (at, openings) = match written {
        Written::Random(plies) => {
            let longest = game.facts().max_plies.unwrap_or(u32::MAX);
            if plies >= longest {
                let message =
                    format!("{plies} random plies are whole games: {} has at most {longest}", game.spec());
                return refused(span, message);
            }
            (value, Openings::Random { plies, balance })
        }
        Written::RandomPositions => (value, random_positions(game, section.at("random-positions"))?),
        Written::Transcripts(value) => (value, read_transcripts(value, game, files)?),
        Written::Records(format, value) => {
            let plies = plies.ok_or_else(|| {
                PlacedError::new(
                    span,
                    "`plies` is missing; write how long the openings are, for example `plies = 8`",
                )
            })?;
            (value, read_records(value, format, plies, game, files)?)
        }
        Written::Positions(value) => (value, read_positions(value, game, files)?),
        Written::Options(value) => match of {
            Some(of) => (value, read_games(value, game, of)?),
            None => return refused(value.span(), "`options` are for experiments, which play several games"),
        },
    };
    if let Some(found) = openings.count().filter(|&found| for_two && trials > found) {
        let message = format!(
            "each opening is played by one pair, so {trials} pairs need as many, and there {}{}; write \
             trials = {found} or name more openings",
            if found == 1 { "is 1".into() } else { format!("are {found}") },
            match &openings {
                Openings::Listed { source, .. } | Openings::Positions { source, .. } =>
                    format!(" of {source}"),
                _ => String::new(),
            }
        );
        return refused(at.span(), message);
    }
    Ok((openings, judge))
}

/// The kinds of openings that are written; `random` is the number of random plies.
fn read_kinds<'a>(
    section: &mut Section<'a>,
    game: &'a dyn AnyGame,
    random: Option<u32>,
) -> Read<Vec<Written<'a>>> {
    let drawn = section.get("random-positions", &flag(false))?;
    let listed = [
        random.map(Written::Random),
        drawn.then_some(Written::RandomPositions),
        section.take("transcripts").map(Written::Transcripts),
        section.take("positions").map(Written::Positions),
        section.take("options").map(Written::Options),
    ];
    let formats = game.lists().record_formats.iter();
    let records =
        formats.filter_map(|format| section.take(format.name).map(|value| Written::Records(format, value)));
    Ok(records.chain(listed.into_iter().flatten()).collect())
}

fn random_positions(game: &dyn AnyGame, span: Range<usize>) -> Read<Openings> {
    if empty_table(game).begin_at_random(&mut Rng::from_key(PlayoutKey::new(0))) {
        return Ok(Openings::RandomPositions);
    }
    let message = format!(
        "{} draws no positions; write for example `{EXAMPLE}`, or openings = {{ positions = \"boards.txt\" }}",
        game.spec()
    );
    refused(span, message)
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

fn empty_table(game: &dyn AnyGame) -> Box<dyn Table + '_> {
    game.table(&vec![None; usize::from(game.facts().players)]).expect("people fit every game")
}

/// Positions of a list of texts, or of a file with one a line; empty lines and lines that begin with `#` are passed over. If a
/// line is no position, but the block of lines between such is, the block is one position.
fn read_positions(value: &Value<'_>, game: &dyn AnyGame, files: &mut Files) -> Read<Openings> {
    if let DeValue::Array(items) = value.get_ref() {
        let mut found = Found::default();
        for (number, item) in (1..).zip(items) {
            let read = position(game, &text("positions", item)?).map_err(|problem| problem.to_string());
            let added = read.and_then(|position| found.add(position, number, "position"));
            added.map_err(|problem| PlacedError::new(item.span(), problem))?;
        }
        let texts = found.texts;
        if texts.is_empty() {
            return refused(value.span(), "there is no position here; write one as a text");
        }
        return Ok(Openings::Positions { source: "the manifest".into(), texts });
    }
    let file = files.read("positions", value)?;
    let content = text_of(&file.content).map_err(|error| file.error(&format!(" {error}")))?;
    few_openings(content.lines().count(), &file)?;
    let lines: Vec<(usize, &str)> = (1..).zip(content.lines().map(str::trim)).collect();
    let is_unreadable = |text: &str| matches!(position(game, text), Err(Problem::Unreadable(_)));
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let is_between = |(_, line): &(usize, &str)| line.is_empty() || line.starts_with('#');
    for block in lines.split(is_between).filter(|block| !block.is_empty()) {
        // Some games divide the rows of a board by `/`.
        let joined = |by: &str| block.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(by);
        let mut whole = ["\n", "/"].map(joined).into_iter().filter(|text| !is_unreadable(text));
        match block.iter().any(|(_, line)| is_unreadable(line)).then(|| whole.next()).flatten() {
            Some(position) => blocks.push((block[0].0, position)),
            None => blocks.extend(block.iter().map(|&(number, line)| (number, line.into()))),
        }
    }
    let mut found = Found::default();
    for (number, text) in blocks {
        let read = position(game, &text).map_err(|problem| match problem {
            // As with transcripts, a line of a file of another kind is not quoted.
            Problem::Unreadable(_) if found.texts.is_empty() => {
                format!("this is no position of {}", game.spec())
            }
            problem => problem.to_string(),
        });
        let added = read.and_then(|position| found.add(position, number, "line"));
        added.map_err(|problem| file.error(&format!("{number}: {problem}")))?;
    }
    if found.texts.is_empty() {
        return Err(file.error(" there is no position in it; write one a line"));
    }
    Ok(Openings::Positions { source: file.name, texts: found.texts })
}

/// Different positions with their places.
#[derive(Default)]
struct Found {
    texts: Vec<Arc<str>>,
    places: BTreeMap<Arc<str>, usize>,
}

impl Found {
    fn add(&mut self, position: String, place: usize, what: &str) -> Result<(), String> {
        let position: Arc<str> = position.into();
        if let Some(other) = self.places.insert(Arc::clone(&position), place) {
            return Err(format!("this position is listed already, as {what} {other}; leave one of them out"));
        }
        self.texts.push(position);
        Ok(())
    }
}

/// A position as the game writes it; of a game that writes none, its words.
fn position(game: &dyn AnyGame, text: &str) -> Result<String, Problem> {
    let mut table = empty_table(game);
    table.begin_at(text)?;
    if table.turn() == Turn::Over {
        return Err(Problem::Ended);
    }
    let words = || text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(table.position_text().unwrap_or_else(words))
}

/// A table with this key alone, such as the axis of a sweep.
fn swept<'a>(key: &str, list: &Value<'a>) -> Value<'a> {
    let table = [(Spanned::new(list.span(), key.to_owned().into()), list.clone())].into_iter().collect();
    Spanned::new(list.span(), DeValue::Table(table))
}

/// The game with other options: lists of their values, of which every combination is a game, the first slowest, or a list of
/// rows. Both are written as sweeps, of which they are the axes.
fn read_games(
    value: &Value<'_>,
    base: &dyn AnyGame,
    (of, registry): (&Value<'_>, &Registry),
) -> Read<Openings> {
    let (game, _, written) = written_game(of)?;
    let axes = match value.get_ref() {
        DeValue::Table(table)
            if !table.is_empty() && table.values().all(|list| list.get_ref().is_array()) =>
        {
            let axes = table.iter().map(|(key, list)| (key.clone(), swept("each", list)));
            Spanned::new(value.span(), DeValue::Table(axes.collect()))
        }
        DeValue::Array(_) => swept("each-of", value),
        _ => {
            let message = "`options` lists values of options of the game; write for example openings = { options = { board = \
                           [1, 2, 3] } }, or [{ board = 1 }, { board = 2 }]";
            return refused(value.span(), message);
        }
    };
    let declared = registry.options(game).expect("the game was read");
    let mut games = Vec::<Arc<dyn AnyGame>>::new();
    let named = |message: String| message.replace("`each`", "`options`").replace("`each-of`", "`options`");
    let games_of = sweep::expand(&axes, &[]);
    for variant in games_of.map_err(|error| PlacedError { message: named(error.message), ..error })? {
        let DeValue::Table(chosen) = variant.value.get_ref() else { unreachable!("it was a table") };
        let mut options = written.clone();
        for (key, value) in chosen {
            let name = key.get_ref().as_ref();
            if let Some(Typed { at, .. }) = options.iter().find(|known| known.name == name) {
                return refused(at.clone(), format!("`{name}` is set by `openings` too; leave it out here"));
            }
            options.push(typed(name, key.span(), value)?);
        }
        let options = options_typed(declared, options, &value.span())?;
        let made = registry.game_with(game, options);
        let made = made.map_err(|error| PlacedError::new(value.span(), error.to_string()))?;
        let kind = |of: &dyn AnyGame| {
            let facts = of.facts();
            (facts.players, facts.counts, facts.has_margin, facts.score_unit)
        };
        let first = games.first().map_or(base, |first| &**first);
        if kind(first) != kind(&*made) && (first.facts().players != made.facts().players || !games.is_empty())
        {
            let message = format!(
                "{} and {} have other numbers of players, results that count or units of the score; list games of one kind",
                first.spec(),
                made.spec()
            );
            return refused(value.span(), message);
        }
        if games.contains(&made) {
            return refused(value.span(), format!("{} is listed twice", made.spec()));
        }
        games.push(made);
    }
    Ok(Openings::Games(games))
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    Illegal(#[from] crate::game::TranscriptError),
    #[error("{0}")]
    Unreadable(#[from] crate::game::PositionError),
    #[error("the game is over after it; an opening leaves something to play")]
    Over,
    #[error("the game is over there; an opening leaves something to play")]
    Ended,
}

/// The first plies of a transcript, all moves written, and the position after them; the moves if the game writes no positions.
fn opening(game: &dyn AnyGame, transcript: &str, plies: usize) -> Result<(Vec<String>, String), Problem> {
    let mut moves = game.written_moves(transcript)?;
    moves.truncate(plies);
    let mut table = empty_table(game);
    for mv in &moves {
        assert!(table.make_written_move(mv), "{mv} was read from a transcript");
    }
    if table.turn() == Turn::Over {
        return Err(Problem::Over);
    }
    let position = table.position_text().unwrap_or_else(|| moves.join(" "));
    Ok((moves, position))
}
