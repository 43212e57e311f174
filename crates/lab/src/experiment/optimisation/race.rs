//! Racing: a candidate that is shown to be worse than another leaves its generation early.
//!
//! Candidates of a generation have common random numbers, so unit *u* of one is paired with unit *u* of every other. After some
//! units each candidate is compared with the leader, the one with the most points of those that stay: by the
//! [e-process](mean_ln_e) of the differences of their units. It leaves if that reaches (n − 1)/level, where n is the number
//! of candidates. Bonferroni's factor n − 1 is for the choice of the leader: a candidate that is no worse than any other
//! leaves with probability at most the level, however often one looks.

use std::ops::Range;

use crate::manifest::Racing;
use crate::stats::mean_ln_e;

pub(crate) struct Race {
    racing: Racing,
    /// The units of a candidate that stays to the end.
    units: u64,
    /// For each candidate the points of its units so far, in their order.
    points: Vec<Vec<f64>>,
    /// The candidates that left, in their order, each with the leader that it was worse than.
    left: Vec<(usize, usize)>,
}

impl Race {
    pub(crate) fn new(candidates: usize, units: u64, racing: Racing) -> Self {
        Self { racing, units, points: vec![Vec::new(); candidates], left: Vec::new() }
    }

    fn staying(&self) -> Vec<usize> {
        let has_left = |candidate| self.left.iter().any(|&(left, _)| left == candidate);
        (0..self.points.len()).filter(|&candidate| !has_left(candidate)).collect()
    }

    pub(crate) fn left(&self) -> usize {
        self.left.len()
    }

    /// Who plays next, and which units; `None` at the end.
    pub(crate) fn next(&self) -> Option<(Vec<usize>, Range<u64>)> {
        let staying = self.staying();
        let begin = self.points[staying[0]].len() as u64;
        let is_decided = staying.len() == 1 && begin > 0;
        let units = begin..(begin + self.racing.every).min(self.units);
        (!is_decided && !units.is_empty()).then_some((staying, units))
    }

    pub(crate) fn add(&mut self, candidate: usize, points: f64) {
        self.points[candidate].push(points);
    }

    pub(crate) fn compare(&mut self) {
        let staying = self.staying();
        let most = |a: &&usize, b: &&usize| self.mean(**a).total_cmp(&self.mean(**b));
        let leader = *staying.iter().rev().max_by(most).expect("the leader stays");
        let needed = libm::log((self.points.len() - 1).max(1) as f64 / self.racing.level);
        let is_worse = |&candidate: &usize| {
            let pairs = self.points[leader].iter().zip(&self.points[candidate]);
            let differences: Vec<f64> = pairs.map(|(leader, other)| leader - other).collect();
            candidate != leader && mean_ln_e(&differences) >= needed
        };
        let worse: Vec<usize> = staying.iter().copied().filter(is_worse).collect();
        self.left.extend(worse.into_iter().map(|candidate| (candidate, leader)));
    }

    fn mean(&self, candidate: usize) -> f64 {
        let points = &self.points[candidate];
        points.iter().sum::<f64>() / points.len().max(1) as f64
    }

    /// The fitness for the method: the mean points of the units that a candidate played. One that left is told at most what
    /// is just below the candidate that it was worse than, even if that was less lucky later.
    pub(crate) fn fitness(&self) -> Vec<f64> {
        let mut fitness: Vec<f64> = (0..self.points.len()).map(|candidate| self.mean(candidate)).collect();
        // A leader stays, or leaves later.
        for &(candidate, leader) in self.left.iter().rev() {
            fitness[candidate] = fitness[candidate].min(fitness[leader].next_down());
        }
        fitness
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Rng, Stream};

    /// Plays a race of candidates that win a unit with these chances. In a unit all have common random numbers, and some of their
    /// own. Returns the race, and for each candidate the number of its units.
    fn race(chances: &[f64], units: u64, racing: Racing, rng: &mut Rng) -> (Race, Vec<usize>) {
        let mut race = Race::new(chances.len(), units, racing);
        while let Some((staying, range)) = race.next() {
            for _ in range {
                let common = rng.unit();
                for &candidate in &staying {
                    let luck = if rng.below(2) == 0 { common } else { rng.unit() };
                    race.add(candidate, f64::from(u8::from(luck < chances[candidate])));
                }
            }
            race.compare();
        }
        let counts = race.points.iter().map(Vec::len).collect();
        (race, counts)
    }

    const RACING: Racing = Racing { level: 0.05, every: 5 };

    /// Of eight equal candidates each leaves in fewer than 5 % of 600 races, with 40 looks in each. Equal ones are the worst
    /// case: the first is "no worse than any other" here, and all of them are.
    #[test]
    fn a_candidate_that_is_no_worse_rarely_leaves() {
        let mut left = [0_u32; 8];
        let mut best_left = 0;
        for number in 0..600 {
            let mut rng = (Stream::new(1) / "race" / number).rng();
            let (found, _) = race(&[0.5; 8], 200, RACING, &mut rng);
            found.left.iter().for_each(|&(candidate, _)| left[candidate] += 1);
            // A best one among worse ones.
            let (found, _) = race(&[0.55, 0.5, 0.5, 0.45, 0.3, 0.3], 200, RACING, &mut rng);
            best_left += u32::from(found.left.iter().any(|&(candidate, _)| candidate == 0));
        }
        assert!(left.iter().all(|&count| count < 30) && best_left < 30, "{left:?} {best_left}");
        // Without Bonferroni's factor about this many would leave; the test can fail.
        let mut eager = 0;
        for number in 0..600 {
            let mut rng = (Stream::new(1) / "race" / number).rng();
            let racing = Racing { level: 0.35, ..RACING };
            eager += race(&[0.5; 8], 200, racing, &mut rng).0.left();
        }
        assert!(eager > left.iter().sum::<u32>() as usize, "{eager}");
    }

    /// A much worse candidate leaves after a few units, and the others play on.
    #[test]
    fn a_much_worse_candidate_leaves_early() {
        let mut total = 0;
        for number in 0..100 {
            let mut rng = (Stream::new(2) / "race" / number).rng();
            let (found, counts) = race(&[0.9, 0.9, 0.1, 0.85], 400, RACING, &mut rng);
            assert!(found.left.iter().any(|&(candidate, _)| candidate == 2), "{counts:?}");
            total += counts[2];
        }
        // A median of 10 to 20 of 400 units.
        assert!((500..3000).contains(&total), "{total}");
    }

    /// A candidate that left is told its mean, but less than the one that it was worse than.
    #[test]
    fn who_left_is_told_less_than_its_leader() {
        let mut race = Race::new(3, 100, RACING);
        for unit in 0..20 {
            for (candidate, points) in [1.0, 0.0, f64::from(unit % 2)].into_iter().enumerate() {
                race.add(candidate, points);
            }
        }
        race.compare();
        assert_eq!(race.left, [(1, 0), (2, 0)]);
        assert!(race.next().is_none(), "one that stays alone plays no more");
        assert_eq!(race.fitness(), [1.0, 0.0, 0.5]);
        // The leader does worse later.
        (0..60).for_each(|_| race.add(0, 0.0));
        let fitness = race.fitness();
        assert_eq!((fitness[0], fitness[1]), (0.25, 0.0));
        assert!(fitness[2] < 0.25 && fitness[2] > 0.2499, "{fitness:?}");
    }
}
