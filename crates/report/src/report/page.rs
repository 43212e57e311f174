//! The page that a report is laid out on: its width, its colours, how lines are wrapped, and how the columns of a table fit.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The extent of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The answer: the last screen of a run.
    Answer,
    /// All parts, as in `report.txt`: of many comparisons the most important ones.
    Short,
    /// Everything.
    Full,
}

/// The layout of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The number of columns. Only a word that is longer than a line, and a picture, may exceed it.
    pub width: usize,
    /// Whether the text has colours, as ANSI escape sequences.
    pub colour: bool,
    /// The extent of the report.
    pub extent: Extent,
    /// Whether text in CSV that a spreadsheet would take for a formula begins with an apostrophe.
    pub guards_formulas: bool,
}

impl Page {
    /// The page of `report.txt`, and of output that is not for a terminal.
    pub const PLAIN: Self = Self { width: 100, colour: false, extent: Extent::Short, guards_formulas: true };
}

/// The role of a line or of a row, which a terminal shows as a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As any other.
    #[default]
    Plain,
    /// A title.
    Title,
    /// The best of a table.
    Best,
    /// A reason for caution.
    Warning,
    /// Something failed.
    Failure,
}

impl Tone {
    /// The line on a page, in the colour of this tone.
    pub(super) fn paint(self, line: &str, page: Page) -> String {
        let style = match self {
            Self::Plain => return line.into(),
            _ if !page.colour || line.is_empty() => return line.into(),
            Self::Title => Style::new().bold(),
            Self::Best => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Failure => AnsiColor::Red.on_default(),
        };
        let mut painted = String::new();
        write!(painted, "{style}{line}{style:#}").expect("a String takes it");
        painted
    }

    pub(super) fn of_note(line: &str) -> Self {
        if line.starts_with("Warning: ") {
            Self::Warning
        } else if line.contains(" failed: ") {
            Self::Failure
        } else {
            Self::Plain
        }
    }
}

/// The lines of a text, wrapped between words. Numbers with their thousands apart, and intervals, stay together; lines
/// that go on keep the indentation of the first, or its mark `│`.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, width, false)).collect()
}

/// The lines of one line. With `break_words` a word that is too long is broken, after a full stop, a comma, a bracket or an equals
/// sign if that is enough.
pub(super) fn wrap_line(line: &str, width: usize, break_words: bool) -> Vec<String> {
    if display_width(line) <= width {
        return vec![line.into()];
    }
    let indentation = &line[..line.len() - unmarked(line).len()];
    let options = Options::new(width)
        .break_words(break_words)
        .word_separator(if break_words { WordSeparator::Custom(pieces) } else { WordSeparator::AsciiSpace })
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .subsequent_indent(indentation);
    let mut bound = bound(line);
    if break_words {
        bound = breakable(&bound, width);
    }
    let plain = |line: Cow<'_, str>| line.replace(NO_BREAK, " ").replace(BREAK, "").trim_end().to_owned();
    textwrap::wrap(&bound, options).into_iter().map(plain).collect()
}

/// The text with a [`BREAK`] after each mark inside words that are wider than a line.
fn breakable(text: &str, width: usize) -> String {
    let word = |word: &str| {
        if display_width(word) <= width {
            return word.to_owned();
        }
        let mut broken = String::new();
        let mut rest = word.chars().peekable();
        while let Some(c) = rest.next() {
            broken.push(c);
            let is_mark = matches!(c, '(' | ',' | '=')
                || c == '.' && rest.peek().is_some_and(|next| next.is_alphabetic());
            if is_mark {
                broken.extend(rest.next_if_eq(&NO_BREAK));
                broken.push(BREAK);
            }
        }
        broken
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The words of a text, and the pieces between [`BREAK`]s.
fn pieces(text: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let words = WordSeparator::AsciiSpace.find_words(text);
    Box::new(words.flat_map(|word| {
        let mut pieces: Vec<Word<'_>> = word.word.split_inclusive(BREAK).map(Word::from).collect();
        match pieces.last_mut() {
            Some(last) => last.whitespace = word.whitespace,
            None => pieces.push(word),
        }
        pieces
    }))
}

/// The text without its indentation, and without the mark of lines that depend on this machine and this run.
pub(super) fn unmarked(text: &str) -> &str {
    text.trim_start_matches([' ', '│'])
}

/// A space at which a line does not end.
const NO_BREAK: char = '\u{a0}';

/// A place without width at which a line may end.
const BREAK: char = '\u{200b}';

/// The text with no-break spaces inside numbers, relations and intervals.
fn bound(text: &str) -> String {
    let mut bound = String::with_capacity(text.len());
    let (mut depth, mut rest) = (0, text.chars().peekable());
    let mut before = ' ';
    while let Some(c) = rest.next() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        let is_digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
        let is_relation = |c: Option<&char>| c.is_some_and(|c| "<=≤│".contains(*c));
        let joins = depth > 0
            || is_relation(Some(&before))
            || is_relation(rest.peek())
            || before.is_ascii_digit() && is_digit(rest.peek());
        bound.push(if c == ' ' && joins { NO_BREAK } else { c });
        before = c;
    }
    bound
}

pub(super) const GAP: usize = 2;

/// A text that is wider than this may wrap.
const PROSE: usize = 24;

#[derive(Clone, Copy)]
struct Column {
    index: usize,
    /// With the heading in one line.
    natural: usize,
    /// With a heading of one word a line.
    least: usize,
    is_prose: bool,
    is_optional: bool,
    /// Whether it stays with the column before it.
    belongs: bool,
}

/// The parts that a table is printed in: of each its columns with their widths. A column has a heading, whether it is aligned right and
/// whether it may be left out, and the width of its widest cell.
pub(super) fn fit<'h>(
    columns: impl Iterator<Item = (&'h str, [bool; 2], usize)>,
    width: usize,
) -> Vec<Vec<(usize, usize)>> {
    let column = |(index, (heading, [is_right, is_optional], cells)): (usize, (&str, [bool; 2], usize))| {
        let (title, words) = (display_width(heading), unmarked(heading));
        let mark = title - display_width(words);
        let word = mark + words.split(' ').map(display_width).max().unwrap_or(0);
        Column {
            index,
            natural: cells.max(title),
            least: cells.max(word),
            is_prose: !is_right && cells > PROSE,
            is_optional,
            belongs: heading.ends_with("interval") || heading.starts_with('│'),
        }
    };
    let mut columns: Vec<Column> = columns.enumerate().map(column).collect();
    // Headings wrap before a column is left out.
    while total(&columns, |column| if column.is_prose { column.natural } else { column.least }) > width {
        let Some(last) = columns.iter().rposition(|column| column.is_optional) else { break };
        columns.remove(last);
    }
    let Some(key) = columns.first_mut() else { return Vec::new() };
    if key.is_prose {
        key.least = key.least.min(PROSE.max(width / 3));
    }
    for column in columns.iter_mut().skip(1).filter(|column| column.is_prose) {
        column.least = column.least.min(PROSE);
    }
    if total(&columns, |column| column.least) <= width || columns.len() == 1 {
        return vec![assign(&columns, width)];
    }
    // Columns that belong together are folded together.
    let (key, rest) = columns.split_first().expect("there is a column");
    let mut parts: Vec<Vec<Column>> = Vec::new();
    for group in rest.chunk_by(|_, next| next.belongs) {
        let fits = |part: &Vec<Column>| total(&[part, group].concat(), |column| column.least) <= width;
        match parts.last_mut().filter(|part| fits(part)) {
            Some(part) => part.extend(group),
            None => parts.push([&[*key], group].concat()),
        }
    }
    parts.iter().map(|part| assign(part, width)).collect()
}

fn total(columns: &[Column], width: impl Fn(&Column) -> usize) -> usize {
    columns.iter().map(width).sum::<usize>() + GAP * columns.len().saturating_sub(1)
}

/// The width of each column. Headings wrap rather than texts, if that is enough; else texts wrap, and headings only as far
/// as that is not enough.
fn assign(columns: &[Column], width: usize) -> Vec<(usize, usize)> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.least).collect();
    let least = |column: &Column| column.least;
    let prose = |column: &&Column| column.is_prose;
    let free = width.saturating_sub(total(columns, least));
    let wanted: usize = columns.iter().filter(prose).map(|column| column.natural - column.least).sum();
    let mut of_headings = free.saturating_sub(if wanted <= free { wanted } else { 0 });
    for (grown, column) in widths.iter_mut().zip(columns).filter(|(_, column)| !column.is_prose) {
        let more = of_headings.min(column.natural - column.least);
        (*grown, of_headings) = (*grown + more, of_headings - more);
    }
    // The texts share what is left, the shortest first: it may need less than its share.
    let numbers = widths.iter().zip(columns).filter(|(_, column)| !column.is_prose);
    let taken = numbers.map(|(width, _)| width).sum::<usize>() + GAP * columns.len().saturating_sub(1);
    let mut left = width.saturating_sub(taken);
    let mut texts: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].is_prose).collect();
    texts.sort_by_key(|&place| columns[place].natural);
    for (done, &place) in texts.iter().enumerate() {
        let reserved: usize = texts[done + 1..].iter().map(|&other| columns[other].least).sum();
        let share = (left / (texts.len() - done)).min(left.saturating_sub(reserved));
        widths[place] = columns[place].natural.min(share.max(columns[place].least));
        left = left.saturating_sub(widths[place]);
    }
    columns.iter().map(|column| column.index).zip(widths).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_intervals_are_not_torn() {
        assert_eq!(
            wrap("in 1 234 567 games [0.1, 0.2] each", 14),
            ["in 1 234 567", "games", "[0.1, 0.2]", "each"]
        );
        assert_eq!(wrap("  shikou run a manifest", 12), ["  shikou run", "  a manifest"]);
        assert_eq!(wrap("it is so (p < 0.001)", 13), ["it is so", "(p < 0.001)"]);
        assert_eq!(wrap("one\n\ntwo", 10), ["one", "", "two"]);
        assert_eq!(wrap("a-word-that-is-too-long for it", 8), ["a-word-that-is-too-long", "for it"]);
        assert_eq!(wrap_line("flat(playouts=100)", 10, true), ["flat(", "playouts=", "100)"]);
        assert_eq!(
            wrap_line("policy.softmax.evaluation = \"sum\"", 18, true),
            ["policy.softmax.", "evaluation = \"sum\""]
        );
        assert_eq!(wrap_line("0.285094", 5, true), ["0.285", "094"]);
        assert_eq!(wrap_line("│ time a move", 8, true), ["│ time a", "│ move"]);
    }

    #[test]
    fn only_a_page_with_colour_has_colours() {
        let page = Page { colour: true, ..Page::PLAIN };
        assert_eq!(Tone::Best.paint("a", page), "\u{1b}[32ma\u{1b}[0m");
        assert_eq!(Tone::Best.paint("a", Page::PLAIN), "a");
        assert_eq!(Tone::Plain.paint("a", page), "a");
        assert_eq!(Tone::of_note("Warning: it rains; stay."), Tone::Warning);
        assert_eq!(Tone::of_note("2 games failed: it rained"), Tone::Failure);
    }
}
