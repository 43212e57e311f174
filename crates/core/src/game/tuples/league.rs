//! The file format of the Othello League's n-tuple players.
//!
//! The number of tables; for each the length of its places, their number, the squares of each (0 to 63, row by row from
//! a1), and a weight for each index. Braces are passed over.

use super::TupleTable;
use super::shapes::LONGEST;

/// Why a file is no player of the League, and the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {reason}")]
pub struct LeagueError {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// The words of a file, each with its line.
struct Words<'t> {
    all: Vec<(usize, &'t str)>,
    at: usize,
    last_line: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Self {
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | ',');
        let line = |(number, line): (usize, &'t str)| {
            let words = line.split(is_gap).filter(|word| !word.is_empty());
            words.map(move |word| (number + 1, word)).collect::<Vec<_>>()
        };
        let all = text.lines().enumerate().flat_map(line).collect();
        Self { all, at: 0, last_line: text.lines().count().max(1) }
    }

    fn left(&self) -> usize {
        self.all.len() - self.at
    }

    fn error(&self, reason: String) -> LeagueError {
        let line = self.all.get(self.at).map_or(self.last_line, |&(line, _)| line);
        LeagueError { line, reason }
    }

    /// The next word as a number that `fits`.
    fn next<T: std::str::FromStr>(
        &mut self,
        what: &str,
        fits: impl Fn(&T) -> bool,
    ) -> Result<T, LeagueError> {
        let Some(&(_, word)) = self.all.get(self.at) else {
            return Err(self.error(format!("the file ends here, and {what} should follow; it is cut off")));
        };
        match word.parse().ok().filter(fits) {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => Err(self.error(format!("{word:?} is not {what}"))),
        }
    }

    /// Checks that some words are left, before memory is reserved for them.
    fn promise(&self, needed: usize, what: &str) -> Result<(), LeagueError> {
        if needed <= self.left() {
            return Ok(());
        }
        Err(self.error(format!(
            "{what} would take {needed} numbers more, but the file holds {}; it is cut off, or no player of the League",
            self.left()
        )))
    }
}

/// The tables and weights of a player of the League. Weights are rounded to 32-bit floats.
///
/// # Errors
/// If the text is in another form, cut off, or holds something that is no number.
pub fn read_league(text: &str, squares: usize) -> Result<(Vec<TupleTable>, Vec<f64>), LeagueError> {
    let mut words = Words::new(text);
    let count: usize = words.next("a number of tables", |&count| count > 0)?;
    words.promise(count.saturating_mul(6), "these tables")?;
    let (mut tables, mut weights) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let length: usize =
            words.next(&format!("a length of 1 to {LONGEST}"), |n| (1..=LONGEST).contains(n))?;
        let count: usize = words.next("a number of places", |&count| count > 0)?;
        let indices = 3_usize.pow(length as u32);
        words.promise(count.saturating_mul(length).saturating_add(indices), "this table")?;
        let what = format!("a square from 0 to {}", squares - 1);
        let mut places = Vec::with_capacity(count);
        for _ in 0..count {
            let place = (0..length).map(|_| words.next(&what, |&square: &usize| square < squares));
            places.push(place.collect::<Result<_, _>>()?);
        }
        tables.push(TupleTable { length, places });
        for _ in 0..indices {
            weights.push(words.next("a weight", |weight: &f32| weight.is_finite())?.into());
        }
    }
    if words.left() > 0 {
        return Err(words.error("something follows the last table".into()));
    }
    Ok((tables, weights))
}
