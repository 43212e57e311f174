//! Selection by knockout: candidates meet in pairs, and losers leave.

use std::collections::VecDeque;

use crate::optimise::Problem;
use crate::rng::{Rng, Stream};
use crate::stats::draw;

/// The settings of a knockout. Its survivors are the parents, so their number is that of
/// [`Settings::parents`](super::Settings::parents).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knockout {
    /// The order of the queue at the beginning.
    pub seating: Seating,
    /// The games of each meeting, such as 2, one from each seat. With an even number both candidates move first equally
    /// often. fault: with 1 the place in the queue decides who moves first (source B).
    pub games: u32,
    /// The result of a draw.
    pub draw: Draw,
}

words! {
    /// The order of the queue at the beginning of a [`Knockout`].
    pub enum Seating {
        Shuffled = "random",
        /// Kept candidates stand side by side and knock each other out.
        Queue = "fault: that of the population (source B)",
    }
}

words! {
    /// Who stays after a drawn meeting of a [`Knockout`].
    pub enum Draw {
        Fair = "one of the two at random",
        Second = "fault: the second (source B)",
    }
}

impl Knockout {
    pub(super) fn check(self, population: usize, parents: usize) -> Result<(), Problem> {
        if self.games == 0 {
            return Err(Problem::new("games", "a meeting must have at least one game"));
        }
        if self.games > 1 && self.games % 2 == 1 {
            let reason = format!(
                "{} games give one candidate the first move more often; use an even number",
                self.games
            );
            return Err(Problem::new("games", reason));
        }
        if parents == population {
            return Err(Problem::new("knockout", "nobody would leave; use fewer parents than candidates"));
        }
        Ok(())
    }

    /// The bracket of a population.
    ///
    /// # Panics
    /// If no survivor is wanted.
    pub fn bracket(self, population: usize, survivors: usize, stream: Stream) -> Bracket {
        assert!(survivors > 0, "a knockout needs a survivor");
        let mut rng = stream.rng();
        let mut queue: Vec<usize> = (0..population).collect();
        if self.seating == Seating::Shuffled {
            draw::shuffle(&mut rng, &mut queue);
        }
        Bracket { settings: self, population, survivors, queue: queue.into(), open: 0, rng }
    }
}

/// A meeting of two candidates. `first` moves first in its first game and in every second one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The candidate that moves first in the first game.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The number of games.
    pub games: u32,
}

impl Meeting {
    /// The candidates of a game of this meeting, the one that moves first at the front.
    pub fn seats(&self, game: u32) -> [usize; 2] {
        if game.is_multiple_of(2) { [self.first, self.second] } else { [self.second, self.first] }
    }
}

/// A knockout under way: a queue whose first two meet, and whose winner goes to its end, until the survivors are left.
///
/// The meetings of a round do not depend on each other, so they can be played at the same time.
///
/// # Example
/// ```
/// use shikou::optimise::genetic::{Draw, Knockout, Seating};
/// use shikou::rng::Stream;
/// let knockout = Knockout { seating: Seating::Shuffled, games: 2, draw: Draw::Fair };
/// let mut bracket = knockout.bracket(64, 8, Stream::new(1));
/// let mut meetings = 0;
/// while let Some(round) = bracket.round() {
///     meetings += round.len();
///     // The candidate with the larger number wins.
///     let margins: Vec<f64> = round.iter().map(|meeting| meeting.first as f64 - meeting.second as f64).collect();
///     bracket.tell(&margins);
/// }
/// assert_eq!(meetings, 56);
/// assert_eq!(bracket.places().iter().flatten().count(), 8);
/// assert!(bracket.places()[63].is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Bracket {
    settings: Knockout,
    population: usize,
    survivors: usize,
    queue: VecDeque<usize>,
    /// The meetings that were asked and are not told yet.
    open: usize,
    rng: Rng,
}

impl Bracket {
    /// The meetings of the next round; `None` if only the survivors are left.
    pub fn round(&mut self) -> Option<Vec<Meeting>> {
        self.open = (self.queue.len() / 2).min(self.queue.len().saturating_sub(self.survivors));
        let games = self.settings.games;
        let meeting = |meeting: usize| Meeting {
            first: self.queue[2 * meeting],
            second: self.queue[2 * meeting + 1],
            games,
        };
        (self.open > 0).then(|| (0..self.open).map(meeting).collect())
    }

    /// The results of the round: for each meeting by how much the first candidate was better, 0 for a draw.
    ///
    /// # Panics
    /// If there is not one result for each meeting.
    pub fn tell(&mut self, margins: &[f64]) {
        assert_eq!(margins.len(), self.open, "one result for each meeting");
        for &margin in margins {
            let (first, second) = (self.next(), self.next());
            let first_stays = match self.settings.draw {
                _ if margin != 0.0 => margin > 0.0,
                Draw::Fair => draw::happens(&mut self.rng, 0.5),
                Draw::Second => false,
            };
            self.queue.push_back(if first_stays { first } else { second });
        }
        self.open = 0;
    }

    fn next(&mut self) -> usize {
        self.queue.pop_front().expect("two for each meeting")
    }

    /// For each candidate its place among the survivors, in the order of the queue; `None` for those that left.
    pub fn places(&self) -> Vec<Option<u32>> {
        let mut places = vec![None; self.population];
        for (place, &candidate) in self.queue.iter().enumerate() {
            places[candidate] = Some(place as u32);
        }
        places
    }
}
