//! The mistakes in a manifest, with their places: the bytes to underline, also if a player does not fit its game, or if the text is
//! no TOML.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, Error};

use crate::game::options::{Misread, Wording};
use crate::players::{AnyGame, FitError, Renamed, SearcherPlaces, SearcherSpec, SpecPart};

/// An error message, and the bytes of the document that it underlines.
#[derive(Debug)]
pub struct PlacedError {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) also: Vec<PlacedError>,
}

impl PlacedError {
    /// A message about this place.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), also: Vec::new() }
    }

    /// The mistakes of options; `place` moves their places.
    pub(crate) fn of_misread(mistakes: Vec<Misread>, place: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        let placed = |misread: Misread| Self::new(place(misread.at), misread.error.to_string());
        Mistakes(mistakes.into_iter().map(placed).collect()).some()
    }
}

/// A value that was read, or the mistakes in it.
pub type Read<T> = Result<T, PlacedError>;

pub(crate) fn refused<T>(span: Range<usize>, message: impl Into<String>) -> Read<T> {
    Err(PlacedError::new(span, message))
}

/// Collects mistakes, so that a reader finds more than the first.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<PlacedError>);

impl Mistakes {
    /// The value that was read, if it is right.
    pub(crate) fn note<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|error| self.add(error)).ok()
    }

    pub(crate) fn add(&mut self, mut error: PlacedError) {
        let also = std::mem::take(&mut error.also);
        self.0.extend(std::iter::once(error).chain(also));
    }

    pub(crate) fn mention(&self, key: &str) -> bool {
        self.0.iter().any(|mistake| mistake.message.contains(&format!("`{key}`")))
    }

    pub(crate) fn of<V, T>(&mut self, value: Option<V>, read: impl FnOnce(V) -> Read<T>) -> Option<T> {
        self.note(read(value?))
    }

    pub(crate) fn or<T>(mut self, value: T) -> Read<T> {
        self.check().map(|()| value)
    }

    pub(crate) fn check(&mut self) -> Read<()> {
        self.take().map_or(Ok(()), Err)
    }

    pub(crate) fn some(mut self) -> PlacedError {
        self.take().expect("something could not be read")
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mistakes so far as one error, in the order of the document. The same mistake in several combinations of a sweep
    /// is one.
    pub(crate) fn take(&mut self) -> Option<PlacedError> {
        let mut all = std::mem::take(&mut self.0);
        all.sort_by(|a, b| (a.span.start, &a.message).cmp(&(b.span.start, &b.message)));
        all.dedup_by(|a, b| (&a.span, &a.message) == (&b.span, &b.message));
        let mut all = all.into_iter();
        all.next().map(|first| PlacedError { also: all.collect(), ..first })
    }
}

/// A manifest that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// The file.
    pub path: PathBuf,
    /// The text, with `\n` at the end of each line, and the bytes of this text to underline; none if there is no text.
    pub place: Option<(String, Range<usize>)>,
    /// The problem and the advice, without the place.
    pub message: String,
    /// The other mistakes that were found, in the order of the file.
    pub also: Vec<ManifestError>,
}

impl ManifestError {
    pub(crate) fn unreadable(path: &Path, message: String) -> Self {
        Self { path: path.into(), place: None, message, also: Vec::new() }
    }

    pub(crate) fn at(path: &Path, text: &str, error: PlacedError) -> Self {
        // A key with a dot may be spanned as nothing; a caret needs a character.
        let end = error.span.end.max(error.span.start).min(text.len());
        // Without the carriage returns of an editor on Windows, which are no part of a line.
        let returns = |at: usize| text.as_bytes().windows(2).take(at).filter(|pair| pair == b"\r\n").count();
        let place = [error.span.start.min(end), end].map(|at| at - returns(at));
        let place = (text.replace("\r\n", "\n"), place[0]..place[1]);
        // A manifest that a program made has no text.
        let place = Some(place).filter(|_| !path.as_os_str().is_empty());
        let also = error.also.into_iter().map(|other| Self::at(path, text, other)).collect();
        Self { path: path.into(), place, message: error.message, also }
    }

    /// The message with line and column, for a file that is not quoted.
    pub(crate) fn unquoted(&self) -> String {
        let (line, column) = self.line_and_column().unwrap_or((1, 1));
        format!("{}, at line {line}, column {column}", self.message)
    }

    /// The mistakes, in the order of the file.
    pub fn mistakes(&self) -> impl ExactSizeIterator<Item = &Self> {
        std::iter::once(self).chain(&self.also).collect::<Vec<_>>().into_iter()
    }

    /// The most mistakes that are shown.
    pub const SHOWN: usize = 10;

    /// Line and column of the place, counted from 1, the column in characters.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let (text, span) = self.place.as_ref()?;
        let before = &text[..span.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }
}

impl fmt::Display for ManifestError {
    /// `path:line:column: message`, a line for each mistake, up to [`ManifestError::SHOWN`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.mistakes().take(Self::SHOWN).enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if !mistake.path.as_os_str().is_empty() {
                write!(f, "{}", mistake.path.display())?;
                if let Some((line, column)) = mistake.line_and_column() {
                    write!(f, ":{line}:{column}")?;
                }
                f.write_str(": ")?;
            }
            f.write_str(&mistake.message)?;
        }
        match self.mistakes().len().checked_sub(Self::SHOWN) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for ManifestError {}

/// The places of the searchers of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Those of each player.
    pub players: Vec<SearcherPlaces>,
    /// The judge of its openings.
    pub judge: Option<SearcherPlaces>,
}

impl Places {
    /// The options that are written by an older name, the first of each player.
    pub(super) fn renamed(&self) -> impl Iterator<Item = &Renamed> {
        self.players.iter().chain(&self.judge).filter_map(|searcher| searcher.renamed.as_ref())
    }

    /// The place of the part of a player, or of the judge if `player` is `None`, that does not fit.
    pub fn of(&self, player: Option<usize>, error: &FitError) -> Range<usize> {
        let searcher = match player {
            Some(player) => self.players.get(player),
            None => self.judge.as_ref(),
        };
        searcher.map_or(0..0, |searcher| searcher.of(error))
    }
}

/// The error of a searcher that does not fit a game, with what to write instead.
pub(super) fn misfit(
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    span: Range<usize>,
    error: &FitError,
) -> PlacedError {
    let message = match error.part {
        SpecPart::NoBudget(limit) => {
            format!("{error}; write for example budget = {{ {} = 1000 }}", limit.name())
        }
        _ => format!("`{}` does not fit {}: {error}", searcher.text(Wording::Name), game.spec()),
    };
    PlacedError::new(span, message)
}

/// Refuses a searcher that does not fit a game. `written` is the one at these places, perhaps with values that are to be found.
pub(super) fn fits(
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    written: &SearcherSpec,
    places: &SearcherPlaces,
) -> Read<()> {
    game.fits(searcher).map(drop).map_err(|error| misfit(game, written, places.of(&error), &error))
}

pub(crate) fn not_toml(text: &str, error: &Error) -> PlacedError {
    let span = error.span().unwrap_or(0..0);
    let message = unquoted(text, &span).unwrap_or_else(|| error.message().replace('\n', "; "));
    PlacedError::new(span, message)
}

/// Advice on a bare word, if the text is right up to there with the word in quotes.
fn unquoted(text: &str, span: &Range<usize>) -> Option<String> {
    let word = text.get(span.clone())?.trim_matches(['“', '”', '„', '‘', '’']);
    if word.contains('\n')
        || !word.chars().all(|letter| letter.is_alphanumeric() || " -_.@+".contains(letter))
    {
        return None;
    }
    let (before, after) = (&text[..span.start], &text[span.end..]);
    if word.is_empty() {
        return before.trim_end().ends_with('=').then(|| "a value is missing here".into());
    }
    let quoted = format!("\"{word}\"");
    let next = DeTable::parse(&format!("{before}{quoted}{after}")).err();
    let next = next.map(|error| error.span().unwrap_or(0..0).start);
    next.is_none_or(|next| next >= span.start + quoted.len()).then(|| match word.to_lowercase().as_str() {
        flag @ ("true" | "false") => format!("write {flag}"),
        _ => format!("text must be in quotes; write {quoted}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(text: &str, message: &str) {
        assert_eq!(not_toml(text, &DeTable::parse(text).unwrap_err()).message, message, "{text}");
    }

    #[test]
    fn a_bare_word_must_be_in_quotes() {
        for word in ["othello", "tic-tac-toe", "falsework", "nim", "info", "10k", "2h", "uct@1000", "tic tac"]
        {
            let message = format!("text must be in quotes; write \"{word}\"");
            says(&format!("game = {word}"), &message);
            says(&format!("a = 1\r\nlist = [\r\n  {word},\r\n  other\r\n]\r\n"), &message);
            says(&format!("player = [{{ search = {word}, name = nothing }}]"), &message);
        }
        says("game = “othello”", "text must be in quotes; write \"othello\"");
        says("merge = True", "write true");
        says("game =\nseed = 1", "a value is missing here");
    }

    #[test]
    fn other_mistakes_stay_as_they_are() {
        for text in [
            "gäme = 1",
            "tic tac = 1",
            "[experiment",
            "[tic tac]",
            "game : othello",
            "game = 'oth' tic",
            "game = { tic-tac-toe }",
            "game = { size = 6, 2h }",
            "game = \"othello",
            "a = 1\na = 2",
        ] {
            let error = DeTable::parse(text).unwrap_err();
            says(text, &error.message().replace('\n', "; "));
        }
    }
}
