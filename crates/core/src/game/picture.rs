//! A picture of a position: marks on a field.
//!
//! A game says what is where, and a page decides how that looks: each mark has a [`Tone`], not a colour. Places are whole
//! numbers, so that no picture has a number that is not finite. Rejected: SVG written by each game, of which everybody who
//! shows it would have to check that it is well formed and runs nothing.

use std::fmt::Write as _;

const MOST_MARKS: usize = 1000;
const MOST_LETTERS: usize = 24;

/// The largest width and height.
const LARGEST: u16 = 1000;

/// The thing that a mark stands on or belongs to. A page gives each tone its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The board.
    Board,
    /// Lines on the board, and small hints such as legal moves.
    Line,
    /// Things of the first player.
    First,
    /// Things of the second player.
    Second,
    /// A card or a tile.
    Card,
    /// Text on a card.
    Ink,
    /// Text on the board.
    Label,
}

/// A picture of a position: marks, the later ones above the earlier, on a field from (0, 0) at its top left.
///
/// # Example
/// ```
/// use shikou::game::{Picture, Tone};
/// let picture = Picture::new(20, 10).rect(Tone::Board, [0, 0], [20, 10]).disc(Tone::First, [5, 5], 4).text(
///     Tone::Label,
///     [15, 5],
///     "a<b",
/// );
/// assert_eq!(picture.size(), [20, 10]);
/// let marks: Vec<String> = picture.marks().collect();
/// assert_eq!(marks[1], r#"<circle class="tone-first" cx="5" cy="5" r="4"/>"#);
/// assert_eq!(marks[2], r#"<text class="tone-label" x="15" y="5">a&lt;b</text>"#);
/// assert_eq!(picture.flaw(), None);
/// assert!(picture.disc(Tone::Second, [19, 5], 4).flaw().unwrap().contains("outside"));
/// ```
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: [u16; 2],
    marks: Vec<(Tone, Shape)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Rect { at: [u16; 2], size: [u16; 2] },
    Disc { centre: [u16; 2], radius: u16 },
    Ring { centre: [u16; 2], radius: u16 },
    Line { from: [u16; 2], to: [u16; 2] },
    Text { at: [u16; 2], text: String },
}

impl Picture {
    /// An empty picture.
    pub const fn new(width: u16, height: u16) -> Self {
        Self { size: [width, height], marks: Vec::new() }
    }

    /// A filled rectangle with this top left corner.
    pub fn rect(self, tone: Tone, at: [u16; 2], size: [u16; 2]) -> Self {
        self.with(tone, Shape::Rect { at, size })
    }

    /// A filled circle.
    pub fn disc(self, tone: Tone, centre: [u16; 2], radius: u16) -> Self {
        self.with(tone, Shape::Disc { centre, radius })
    }

    /// A circle that is not filled.
    pub fn ring(self, tone: Tone, centre: [u16; 2], radius: u16) -> Self {
        self.with(tone, Shape::Ring { centre, radius })
    }

    /// A straight line.
    pub fn line(self, tone: Tone, from: [u16; 2], to: [u16; 2]) -> Self {
        self.with(tone, Shape::Line { from, to })
    }

    /// A short text in the middle of this place: about five units high.
    pub fn text(self, tone: Tone, at: [u16; 2], text: impl Into<String>) -> Self {
        self.with(tone, Shape::Text { at, text: text.into() })
    }

    fn with(mut self, tone: Tone, shape: Shape) -> Self {
        self.marks.push((tone, shape));
        self
    }

    /// The width and the height of the field.
    pub const fn size(&self) -> [u16; 2] {
        self.size
    }

    /// The marks as SVG elements, in their order. Their classes are tones.
    pub fn marks(&self) -> impl Iterator<Item = String> + '_ {
        self.marks.iter().map(|(tone, shape)| shape.svg(*tone))
    }

    /// The first flaw, if any: nothing may be outside the field, and there is a bound for everything.
    pub fn flaw(&self) -> Option<String> {
        let [width, height] = self.size;
        if !(1..=LARGEST).contains(&width) || !(1..=LARGEST).contains(&height) {
            return Some(format!("it is {width} by {height}; each side is 1 to {LARGEST}"));
        }
        if self.marks.is_empty() || self.marks.len() > MOST_MARKS {
            return Some(format!("it has {} marks; expected 1 to {MOST_MARKS}", self.marks.len()));
        }
        let flaw =
            |(tone, shape): &(_, Shape)| Some(format!("{}: {}", shape.svg(*tone), shape.flaw(self.size)?));
        self.marks.iter().find_map(flaw)
    }
}

impl Shape {
    fn flaw(&self, [width, height]: [u16; 2]) -> Option<String> {
        let (places, reach) = match self {
            Self::Rect { at: [x, y], size: [w, h] } => {
                (vec![[*x, *y], [x.saturating_add(*w), y.saturating_add(*h)]], 0)
            }
            Self::Disc { centre, radius } | Self::Ring { centre, radius } => (vec![*centre], *radius),
            Self::Line { from, to } => (vec![*from, *to], 0),
            Self::Text { at, text } => {
                if text.is_empty() || text.chars().count() > MOST_LETTERS || text.contains(char::is_control) {
                    return Some(format!("expected a text of 1 to {MOST_LETTERS} letters"));
                }
                (vec![*at], 0)
            }
        };
        let is_inside = |place: u16, end: u16| place >= reach && place.saturating_add(reach) <= end;
        let is_outside = |[x, y]: &[u16; 2]| !is_inside(*x, width) || !is_inside(*y, height);
        places.iter().any(is_outside).then(|| format!("it is outside the field of {width} by {height}"))
    }

    fn svg(&self, tone: Tone) -> String {
        let class = format!("tone-{tone:?}").to_lowercase();
        match self {
            Self::Rect { at: [x, y], size: [width, height] } => {
                format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#)
            }
            Self::Disc { centre: [x, y], radius } => {
                format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
            }
            Self::Ring { centre: [x, y], radius } => {
                format!(r#"<circle class="{class} tone-open" cx="{x}" cy="{y}" r="{radius}"/>"#)
            }
            Self::Line { from: [x1, y1], to: [x2, y2] } => {
                format!(r#"<line class="{class} tone-open" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#)
            }
            Self::Text { at: [x, y], text } => {
                let mut escaped = String::with_capacity(text.len());
                for letter in text.chars() {
                    match letter {
                        '&' => escaped.push_str("&amp;"),
                        '<' => escaped.push_str("&lt;"),
                        '>' => escaped.push_str("&gt;"),
                        letter if letter.is_control() => {
                            let _ = write!(escaped, "{}", letter.escape_default());
                        }
                        letter => escaped.push(letter),
                    }
                }
                format!(r#"<text class="{class}" x="{x}" y="{y}">{escaped}</text>"#)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_or_too_much_is_a_flaw() {
        let field = || Picture::new(100, 50).rect(Tone::Board, [0, 0], [100, 50]);
        assert_eq!(field().line(Tone::Line, [0, 0], [100, 50]).ring(Tone::First, [96, 4], 4).flaw(), None);
        let wrong = [
            Picture::new(0, 50).disc(Tone::First, [0, 0], 0),
            Picture::new(1, 1001).disc(Tone::First, [0, 0], 0),
            Picture::new(5, 5),
            field().rect(Tone::Card, [99, 0], [2, 1]),
            field().rect(Tone::Card, [u16::MAX, 0], [u16::MAX, 1]),
            field().disc(Tone::First, [50, 3], 4),
            field().ring(Tone::First, [97, 10], 4),
            field().line(Tone::Line, [0, 51], [0, 0]),
            field().text(Tone::Label, [101, 0], "x"),
            field().text(Tone::Label, [0, 0], ""),
            field().text(Tone::Label, [0, 0], "a\nb"),
            field().text(Tone::Label, [0, 0], "x".repeat(25)),
            (0..1000).fold(field(), |picture, _| picture.disc(Tone::First, [9, 9], 1)),
        ];
        for picture in wrong {
            assert!(picture.flaw().is_some(), "{picture:?}");
        }
    }

    #[test]
    fn no_text_is_markup() {
        let picture = Picture::new(9, 9).text(Tone::Ink, [1, 1], "</text><script>&\u{1b}\"");
        let [mark] = &picture.marks().collect::<Vec<_>>()[..] else { panic!("one mark") };
        assert_eq!(
            mark,
            "<text class=\"tone-ink\" x=\"1\" y=\"1\">&lt;/text&gt;&lt;script&gt;&amp;\\u{1b}\"</text>"
        );
    }
}
