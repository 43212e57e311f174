//! Samples, and how they are split.

use std::collections::BTreeSet;

use super::batch_learner::Set;
use crate::rng::Stream;
use crate::stats::draw;
use crate::words::Problem;

/// Positions as numbers, each with its target and its game: for a network its inputs, for n-tuples the index of the weight of each
/// place.
///
/// # Cost
/// Four bytes for each input, and 12 for each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples<T = f32> {
    width: usize,
    inputs: Vec<T>,
    targets: Vec<f32>,
    games: Vec<u64>,
}

impl<T: Copy> Samples<T> {
    /// No samples yet, of this many inputs each.
    pub const fn new(width: usize) -> Self {
        Self { width, inputs: Vec::new(), targets: Vec::new(), games: Vec::new() }
    }

    /// Adds a sample.
    ///
    /// # Panics
    /// If it has another number of inputs.
    pub fn push(&mut self, input: &[T], target: f32, game: u64) {
        assert_eq!(input.len(), self.width, "a sample has the inputs of the others");
        self.inputs.extend_from_slice(input);
        self.targets.push(target);
        self.games.push(game);
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The number of inputs of a sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The inputs of all samples, one after the other.
    pub(super) fn inputs(&self) -> &[T] {
        &self.inputs
    }

    /// The inputs of a sample.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn input(&self, sample: usize) -> &[T] {
        &self.inputs[sample * self.width..][..self.width]
    }

    /// The target of each sample.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// The game of each sample.
    pub fn games(&self) -> &[u64] {
        &self.games
    }
}

words! {
    /// The samples that are put into one set as a whole.
    pub enum Unit {
        Game = "the samples of a game, so that no test knows a game from the training",
        Sample = "each sample alone: neighbours in a game are in all sets, and tests flatter",
    }
}

/// How samples are split into those that train, those that validate and those that test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The samples that are put into one set as a whole.
    pub unit: Unit,
    /// The share that validates, 0 to 1.
    pub validate: f64,
    /// The share that tests, 0 to 1.
    pub test: f64,
}

impl Default for Split {
    /// By game: four fifths train, a tenth validates, a tenth tests.
    fn default() -> Self {
        Self { unit: Unit::Game, validate: 0.1, test: 0.1 }
    }
}

/// The numbers of the samples of each set, in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    pub(super) train: Vec<usize>,
    pub(super) validate: Vec<usize>,
    pub(super) test: Vec<usize>,
}

impl Sets {
    pub(super) fn of(&self, set: Set) -> &[usize] {
        match set {
            Set::Train => &self.train,
            Set::Validate => &self.validate,
            Set::Test => &self.test,
        }
    }
}

impl Split {
    /// How many of some games or samples validate, and how many test.
    ///
    /// # Errors
    /// If shares are no shares, or a set with a share gets nothing, or nothing is left to train.
    pub fn counts(self, units: usize) -> Result<[usize; 2], Problem> {
        let Self { unit, validate, test } = self;
        let is_share = |share: f64| (0.0..1.0).contains(&share);
        if !is_share(validate) || !is_share(test) || validate + test >= 1.0 {
            let reason = format!(
                "{validate} validates and {test} tests, which leaves nothing to train; write shares with a sum below 1"
            );
            return Err(Problem::new("split", reason));
        }
        let count = |share: f64| (share * units as f64).round() as usize;
        let (validating, testing) = (count(validate), count(test));
        let plural = if unit == Unit::Game { "games" } else { "samples" };
        for (name, share, found) in [("validate", validate, validating), ("test", test, testing)] {
            if share > 0.0 && found == 0 {
                let reason = format!(
                    "a share of {share} of {units} {plural} leaves nothing to {name}; play more games or write a larger \
                     share"
                );
                return Err(Problem::new("split", reason));
            }
        }
        if validating + testing >= units {
            let reason = format!("{units} {plural} are too few to train, validate and test");
            return Err(Problem::new("split", reason + "; play more games or write smaller shares"));
        }
        Ok([validating, testing])
    }

    /// Splits samples of these games at random.
    pub(super) fn sets(self, games: &[u64], stream: Stream) -> Result<Sets, Problem> {
        let Self { unit, .. } = self;
        let mut units: Vec<u64> = match unit {
            Unit::Game => games.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect(),
            Unit::Sample => (0..games.len() as u64).collect(),
        };
        let [validating, testing] = self.counts(units.len())?;
        draw::shuffle(&mut stream.rng(), &mut units);
        let test: BTreeSet<u64> = units[..testing].iter().copied().collect();
        let validate: BTreeSet<u64> = units[testing..testing + validating].iter().copied().collect();
        let mut sets = Sets { train: Vec::new(), validate: Vec::new(), test: Vec::new() };
        for (sample, &game) in games.iter().enumerate() {
            let unit = if unit == Unit::Game { game } else { sample as u64 };
            let set = if test.contains(&unit) {
                &mut sets.test
            } else if validate.contains(&unit) {
                &mut sets.validate
            } else {
                &mut sets.train
            };
            set.push(sample);
        }
        Ok(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(games: u64, each: usize) -> Samples {
        let mut samples = Samples::new(1);
        for game in 0..games {
            (0..each).for_each(|ply| samples.push(&[ply as f32], 0.0, 7 * game));
        }
        samples
    }

    fn games(samples: &Samples, set: &[usize]) -> BTreeSet<u64> {
        set.iter().map(|&sample| samples.games[sample]).collect()
    }

    #[test]
    fn by_game_no_game_is_in_two_sets() {
        let samples = samples(50, 20);
        let split = Split { unit: Unit::Game, validate: 0.2, test: 0.3 };
        let sets = split.sets(&samples.games, Stream::new(3)).unwrap();
        assert_eq!([sets.train.len(), sets.validate.len(), sets.test.len()], [500, 200, 300]);
        let [train, validate, test] =
            [&sets.train, &sets.validate, &sets.test].map(|set| games(&samples, set));
        assert!(train.is_disjoint(&validate) && train.is_disjoint(&test) && validate.is_disjoint(&test));
        assert_ne!(sets, split.sets(&samples.games, Stream::new(4)).unwrap());
    }

    #[test]
    fn by_sample_games_are_in_all_sets() {
        let samples = samples(50, 20);
        let split = Split { unit: Unit::Sample, validate: 0.2, test: 0.3 };
        let sets = split.sets(&samples.games, Stream::new(3)).unwrap();
        assert_eq!([sets.train.len(), sets.validate.len(), sets.test.len()], [500, 200, 300]);
        assert!(games(&samples, &sets.train).intersection(&games(&samples, &sets.test)).count() > 40);
    }

    #[test]
    fn a_split_that_leaves_nothing_is_refused() {
        let refused = |games, validate, test| {
            let split = Split { unit: Unit::Game, validate, test };
            split.sets(&samples(games, 3).games, Stream::new(1)).unwrap_err().to_string()
        };
        assert!(refused(4, 0.0, 0.1).contains("leaves nothing to test"));
        assert!(refused(4, 0.1, 0.5).contains("leaves nothing to validate"));
        assert!(refused(9, 0.5, 0.5).contains("leaves nothing to train"));
        assert!(refused(9, f64::NAN, 0.5).contains("leaves nothing to train"));
        assert!(refused(2, 0.4, 0.4).contains("too few"));
        assert!(refused(0, 0.0, 0.0).contains("too few"));
    }
}
