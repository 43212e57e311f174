//! Selection of parents.

use super::knockout::{Draw, Knockout, Seating};
use crate::game::options::{flag, integer, parts, real};
use crate::optimise::method::{by_fitness, is_above_0, need};
use crate::optimise::{Problem, Told};
use crate::rng::Rng;
use crate::stats::draw;

parts! {
    /// How parents are selected. Tournaments: Goldberg, Deb 1991, "A comparative analysis of selection schemes used in genetic
    /// algorithms"; a group has 2 or more.
    ///
    /// - `Best` takes the earlier of equal candidates.
    /// - `Ranking` visits the candidates in their order, again and again. Each is accepted with a chance that falls with its rank:
    ///   99, 89, 81, … 23 % for ranks 1 to 16. No candidate is accepted twice; equal ones share a rank.
    /// - `Roulette` draws with chances proportional to fitness − least fitness + `shift`, which is above 0.
    /// - The games of a `Knockout` are played by the caller, who tells the places.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Selection {
        /// the best of each of several groups (Goldberg, Deb 1991)
        Tournament {
            /// candidates of a group
            size: usize = integer(2..=1_000_000, 2).capped(2),
            /// how groups are formed
            groups: Groups = Groups::setting(),
            /// the winner among equals
            ties: TieTo = TieTo::setting(),
        },
        /// the best by fitness (truncation)
        Best {},
        /// the winners in their order, then candidates from the front ("all" of source G)
        WinnersFirst {},
        /// each is accepted with a chance by its rank (source G)
        Ranking {
            /// the chance of ranks below the 16th
            beyond: Beyond = Beyond::setting(),
        },
        /// drawn with chances proportional to fitness above the least, none twice (source G)
        Roulette {
            /// the worth of the worst candidate, in units of fitness
            shift: f64 = real(1e-9..=1e9, 5.0),
            /// fault if false: a running sum takes a candidate each time it reaches 100 (source G)
            draws: bool = flag(true),
        },
        /// candidates meet in pairs until only the parents are left; it is the fitness
        Knockout {
            /// the order of the queue at the beginning
            seating: Seating = Seating::setting(),
            /// games of a meeting; with 1, a fault of source B, the place in the queue decides who moves first
            games: u32 = integer(1..=1_000_000, 2).capped(2),
            /// who stays after a drawn meeting
            draw: Draw = Draw::setting(),
        },
    }
}

words! {
    /// The chance of ranks beyond the table of [`Selection::Ranking`].
    pub enum Beyond {
        /// By the mean factor of the table, 0.907.
        Falling = "it falls on",
        /// The program of source G reads past its table; what it finds there is not known, and this is the simplest case.
        Never = "fault: they are never accepted (source G)",
    }
}

words! {
    /// The groups of [`Selection::Tournament`].
    pub enum Groups {
        /// The members of a group differ.
        Drawn = "each group is drawn anew",
        /// The population must be `size` times the parents.
        Neighbours = "the first candidates, the next, and so on (source G)",
    }
}

words! {
    /// The winner among equal members of a group.
    pub enum TieTo {
        Random = "one of them at random",
        Last = "fault: the last (source G)",
    }
}

/// Source G, in %.
const RANKING: [f64; 16] =
    [99.0, 89.0, 81.0, 74.0, 67.0, 61.0, 55.0, 50.0, 46.0, 41.0, 38.0, 34.0, 31.0, 28.0, 26.0, 23.0];

/// Source G: the sum at which its roulette stops.
const STOP: f64 = 100.0;

impl Selection {
    /// The knockout that the caller plays, if it selects. Its places are told.
    pub fn knockout(self) -> Option<Knockout> {
        let Self::Knockout { seating, games, draw } = self else { return None };
        Some(Knockout { seating, games, draw })
    }

    pub(super) fn check(self, population: usize, parents: usize) -> Result<(), Problem> {
        match self {
            Self::Ranking { beyond: Beyond::Never } if parents > RANKING.len() => {
                Err(Problem::new("beyond", "with `never` only 16 parents can be found; use at most 16"))
            }
            Self::Tournament { size, .. } if size < 2 || size > population => {
                let reason = format!("a group must have 2 to {population} members, not {size}");
                Err(Problem::new("size", reason))
            }
            Self::Tournament { size, groups: Groups::Neighbours, .. } if size * parents != population => {
                let reason = format!(
                    "{parents} groups of {size} neighbours need a population of {}, not {population}",
                    size * parents
                );
                Err(Problem::new("groups", reason))
            }
            Self::Roulette { shift, .. } => need("shift", shift, is_above_0(shift), "above 0"),
            _ => self.knockout().map_or(Ok(()), |knockout| knockout.check(population, parents)),
        }
    }

    /// Selects parents, as indices. [`Selection::WinnersFirst`] and groups that are drawn may select a candidate more
    /// than once, all others may not.
    ///
    /// # Panics
    /// If there are fewer candidates than parents, or a knockout has another number of survivors.
    pub fn select(self, told: &[Told], parents: usize, rng: &mut Rng) -> Vec<usize> {
        assert!(parents <= told.len(), "no more parents than candidates");
        let mut selected = match self {
            Self::Best {} => by_fitness(told),
            Self::WinnersFirst {} => {
                (0..told.len()).filter(|&index| told[index].won).chain(0..told.len()).collect()
            }
            Self::Ranking { beyond } => ranking(told, parents, beyond, rng),
            Self::Tournament { size, groups, ties } => (0..parents)
                .map(|group| tournament(told, &members(told, group, size, groups, rng), ties, rng))
                .collect(),
            Self::Roulette { shift, draws } => roulette(told, parents, shift, draws, rng),
            Self::Knockout { .. } => {
                let survivors = survivors(told);
                assert_eq!(survivors.len(), parents, "the survivors of a knockout are the parents");
                survivors
            }
        };
        selected.truncate(parents);
        selected
    }
}

/// The candidates are visited in their order, again and again, until enough are accepted. Equal ones share a rank.
fn ranking(told: &[Told], parents: usize, beyond: Beyond, rng: &mut Rng) -> Vec<usize> {
    let chances: Vec<f64> = told
        .iter()
        .map(|own| {
            let better = told.iter().filter(|other| other.comparable() > own.comparable()).count();
            chance_of_rank(better, beyond)
        })
        .collect();
    let mut selected = Vec::with_capacity(parents);
    let mut taken = vec![false; told.len()];
    while selected.len() < parents {
        for index in 0..told.len() {
            if selected.len() < parents && !taken[index] && draw::happens(rng, chances[index]) {
                taken[index] = true;
                selected.push(index);
            }
        }
    }
    selected
}

/// The chance of a candidate than which this many are better.
fn chance_of_rank(better: usize, beyond: Beyond) -> f64 {
    let [first, .., last] = RANKING;
    match (RANKING.get(better), beyond) {
        (Some(percent), _) => percent / 100.0,
        (None, Beyond::Never) => 0.0,
        (None, Beyond::Falling) => {
            let steps = (better + 1 - RANKING.len()) as f64 / (RANKING.len() - 1) as f64;
            // Never 0, so that the search for parents ends.
            (last / 100.0 * libm::pow(last / first, steps)).max(1e-6)
        }
    }
}

fn members(told: &[Told], group: usize, size: usize, groups: Groups, rng: &mut Rng) -> Vec<usize> {
    match groups {
        Groups::Neighbours => (group * size..(group + 1) * size).collect(),
        Groups::Drawn => draw::several(rng, size, told.len()),
    }
}

fn tournament(told: &[Told], members: &[usize], ties: TieTo, rng: &mut Rng) -> usize {
    let best = members.iter().map(|&index| told[index].comparable()).fold(f64::NEG_INFINITY, f64::max);
    let equal: Vec<usize> =
        members.iter().copied().filter(|&index| told[index].comparable() == best).collect();
    match ties {
        TieTo::Random => equal[draw::index(rng, equal.len())],
        TieTo::Last => equal[equal.len() - 1],
    }
}

/// Without draws, a running index adds the worths until the sum is at least [`STOP`], and takes the candidate that it has reached.
fn roulette(told: &[Told], parents: usize, shift: f64, draws: bool, rng: &mut Rng) -> Vec<usize> {
    let finite = || told.iter().map(|told| told.fitness).filter(|fitness| fitness.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    // A candidate whose fitness is not finite counts as the worst.
    let worth = |told: &Told| if told.fitness.is_finite() { told.fitness - least + shift } else { shift };
    let mut worths: Vec<f64> = told.iter().map(worth).collect();
    let mut selected = Vec::with_capacity(parents);
    let mut at = 0;
    while selected.len() < parents {
        if draws {
            let mut left = rng.unit() * worths.iter().sum::<f64>();
            // Rounding may leave a rest after the last; then the last one that is left is taken.
            at = worths.iter().rposition(|&worth| worth > 0.0).expect("fewer parents than candidates");
            for (index, &worth) in worths.iter().enumerate() {
                if worth > 0.0 && left < worth {
                    at = index;
                    break;
                }
                left -= worth;
            }
        } else {
            let mut sum = worths[at];
            while sum < STOP || worths[at] == 0.0 {
                at = (at + 1) % worths.len();
                sum += worths[at];
            }
        }
        worths[at] = 0.0;
        selected.push(at);
    }
    selected
}

/// The survivors of a knockout as indices, in their order.
fn survivors(told: &[Told]) -> Vec<usize> {
    let mut places: Vec<(u32, usize)> =
        told.iter().enumerate().filter_map(|(index, told)| Some((told.place?, index))).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, index)| index).collect()
}
