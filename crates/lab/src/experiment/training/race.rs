//! The race of a training whose settings were left out: each candidate learns a few games, all play against each other, and the one
//! with the most points is trained. The judge has no part in it, so that its games stay games against a stranger.
//!
//! ```text
//! # shikou-race=1 id=0123abcd games=1000 check=89abcdef
//! 120,0,24,0,0,…
//! ```
//!
//! The body has a row for each candidate, its results against the others.

use std::io;
use std::path::Path;

use super::{RACE, RACE_MARK, TrainingError, field, read_sealed, write_sealed};
use crate::experiment::trial::Tally;
use crate::manifest::Training;

/// The results of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The games that each candidate learned.
    pub games: u64,
    /// The results of each candidate of the training against all others, in their order.
    pub against: Vec<Tally>,
}

impl Race {
    /// The candidate with the most points, the first of several.
    pub fn winner(&self) -> usize {
        let points = |tally: &Tally| 2 * tally.outcomes[0] + tally.outcomes[1];
        let most = self.against.iter().map(points).max();
        self.against.iter().position(|tally| Some(points(tally)) == most).unwrap_or_default()
    }

    /// The results in the folder of a training; `None` if there are none.
    pub(super) fn read(training: &Training, folder: &Path) -> Result<Option<Self>, TrainingError> {
        let count = training.candidates.len();
        let read = |facts: &str, body: &[u8]| {
            let games = field(facts, "games")?.parse().ok()?;
            let rows = std::str::from_utf8(body).ok()?.lines();
            let against = rows.map(|row| Tally::read(row.split(','))).collect::<Option<Vec<_>>>()?;
            (against.len() == count).then_some(Self { games, against })
        };
        if count == 0 { Ok(None) } else { read_sealed(training, &folder.join(RACE), RACE_MARK, read) }
    }

    pub(super) fn write(&self, training: &Training, folder: &Path) -> io::Result<()> {
        let body: String = self.against.iter().flat_map(|tally| [tally.fields(), "\n".into()]).collect();
        let facts = format!("{RACE_MARK} id={:08x} games={}", training.id(), self.games);
        write_sealed(&folder.join(RACE), &facts, body.as_bytes())
    }
}
