//! The stages of a generation: jobs that do not depend on each other, and what the log calls them.
//!
//! A job is one row of the log: the games of a candidate, a meeting of a knockout, or the games against one judge. Its
//! results are sums, so its units can be played in any order, on any number of threads.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::experiment::trial::{Tally, Unit};
use crate::manifest::{Against, Luck, OptimisationRun, PlayerSpec, Seat};
use crate::optimise::genetic::Meeting;
use crate::players::{PlayError, SearcherSpec, Tables};
use crate::rng::Stream;

/// A job before its players are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The name in the log, in its stage.
    pub(crate) key: Key,
    /// The hash of the genes of its candidates.
    pub(crate) genes: u64,
    /// The first player, and those that it meets: indices among the players of the stage.
    pub(super) player: usize,
    pub(super) others: Vec<usize>,
    pub(super) units: u64,
    pub(super) seat: Seat,
    pub(super) luck: Stream,
}

/// A generation of a run, for which stages are outlined.
#[derive(Clone, Copy)]
pub(crate) struct Of<'r> {
    pub(crate) run: &'r OptimisationRun,
    /// The randomness of all games of the run.
    pub(crate) games: Stream,
    pub(crate) generation: u64,
}

pub(crate) struct Outline {
    pub(crate) jobs: Vec<Job>,
    /// The candidates that play, the first players of the stage.
    pub(super) candidates: Vec<Vec<f64>>,
    /// The players that they meet, after them.
    pub(super) opponents: Vec<SearcherSpec>,
}

impl Job {
    /// The seats of the first player in the games of a unit.
    pub(crate) fn seats(&self) -> &'static [usize] {
        match self.seat {
            Seat::Both if !self.others.is_empty() => &[0, 1],
            Seat::Second => &[1],
            Seat::Both | Seat::First => &[0],
        }
    }

    pub(crate) fn unit_count(&self) -> u64 {
        self.units * self.others.len().max(1) as u64
    }
}

impl Outline {
    /// The fitness of these candidates. The last `repeated` ones are the first ones again, with other random numbers.
    /// Each plays `effort` times the usual number of units.
    pub(crate) fn fitness(
        Of { run, games, generation }: Of<'_>,
        candidates: &[Vec<f64>],
        repeated: usize,
        effort: f64,
    ) -> Self {
        let fitness = &run.fitness;
        let opponents = opponents(run, generation);
        let count = candidates.len();
        let of_generation = games / "fitness" / generation;
        let jobs = candidates.iter().enumerate().map(|(index, genes)| {
            let others = match fitness.against {
                Against::Population => (0..count).filter(|&other| other != index).collect(),
                _ => (count..count + opponents.len()).collect(),
            };
            let luck = match fitness.luck {
                Luck::Fresh => of_generation / index as u64,
                Luck::Common if index + repeated >= count => of_generation / "again",
                Luck::Common => of_generation,
                Luck::OneStream => games / "one-stream",
            };
            Job {
                key: Key { generation, purpose: Purpose::Fitness, index: index as u32 },
                genes: run.genes.hash(genes),
                player: index,
                others,
                units: (libm::round(fitness.units as f64 * effort) as u64).max(1),
                seat: fitness.seat,
                luck,
            }
        });
        Self { jobs: jobs.collect(), candidates: candidates.to_vec(), opponents }
    }

    /// Some units of the fitness of the candidates that stay in a race; each has the random numbers that it has without a race.
    pub(crate) fn units(
        Of { run, games, generation }: Of<'_>,
        candidates: &[Vec<f64>],
        staying: &[usize],
        units: Range<u64>,
    ) -> Self {
        let opponents = opponents(run, generation);
        let hashes: Vec<u64> = staying.iter().map(|&index| run.genes.hash(&candidates[index])).collect();
        let all = units.flat_map(|unit| (0..staying.len()).map(move |player| (unit, player)));
        let jobs = all.map(|(unit, player)| Job {
            key: Key { generation, purpose: Purpose::Unit(unit), index: staying[player] as u32 },
            genes: hashes[player],
            player,
            others: (staying.len()..staying.len() + opponents.len()).collect(),
            units: 1,
            seat: run.fitness.seat,
            luck: games / "fitness" / generation,
        });
        let candidates = staying.iter().map(|&index| candidates[index].clone()).collect();
        Self { jobs: jobs.collect(), candidates, opponents }
    }

    pub(crate) fn round(
        Of { run, games, generation }: Of<'_>,
        candidates: &[Vec<f64>],
        round: u32,
        meetings: &[Meeting],
    ) -> Self {
        let luck = games / "knockout" / generation / u64::from(round);
        let jobs = meetings.iter().enumerate().map(|(index, meeting)| {
            let hash = |candidate: usize| run.genes.hash(&candidates[candidate]);
            let (units, seat) = if meeting.games == 1 {
                (1, Seat::First)
            } else {
                (u64::from(meeting.games / 2), Seat::Both)
            };
            Job {
                key: Key { generation, purpose: Purpose::Round(round), index: index as u32 },
                genes: hash(meeting.first) ^ hash(meeting.second).rotate_left(1),
                player: meeting.first,
                others: vec![meeting.second],
                units,
                seat,
                luck: luck / index as u64,
            }
        });
        Self { jobs: jobs.collect(), candidates: candidates.to_vec(), opponents: Vec::new() }
    }

    /// The judge of a candidate; no job without one.
    pub(crate) fn judge(Of { run, games, generation }: Of<'_>, best: &[f64]) -> Self {
        let judge = run.judge.as_ref();
        let judges = judge.map_or(0, |judge| judge.against.len().max(1));
        let jobs = judge.into_iter().flat_map(|judge| (0..judges).map(move |index| (judge, index)));
        let jobs = jobs.map(|(judge, index)| {
            let id = judge.id(index);
            Job {
                key: Key { generation, purpose: Purpose::Judge, index: id },
                genes: run.genes.hash(best),
                player: 0,
                others: judge.against.get(index).map(|_| index + 1).into_iter().collect(),
                units: judge.units,
                seat: Seat::Both,
                // The same for each generation, so that a curve shows the player and not chance.
                luck: games / "judge" / u64::from(id),
            }
        });
        let specs = judge.into_iter().flat_map(|judge| &judge.against);
        let opponents = specs.map(|player| player.searcher.clone()).collect();
        Self { jobs: jobs.collect(), candidates: vec![best.to_vec()], opponents }
    }

    /// The best candidate against the opponents of the fitness, with new random numbers and at least this many units; no job if
    /// only candidates met each other. Random opponents that each generation draws anew are drawn once more.
    pub(crate) fn again(Of { run, games, generation }: Of<'_>, best: &[f64]) -> Self {
        const LEAST_UNITS: u64 = 100;
        // Opponents drawn anew are those of the next generation, by which no candidate was chosen.
        let opponents = opponents(run, generation + 1);
        let has_opponents = !matches!(run.fitness.against, Against::Population | Against::Knockout);
        let job = Job {
            key: Key { generation, purpose: Purpose::Again, index: 0 },
            genes: run.genes.hash(best),
            player: 0,
            others: (1..=opponents.len()).collect(),
            units: run.fitness.units.max(LEAST_UNITS),
            seat: run.fitness.seat,
            luck: games / "again" / generation,
        };
        let jobs = if has_opponents { vec![job] } else { Vec::new() };
        Self { jobs, candidates: vec![best.to_vec()], opponents }
    }

    /// Resolves the players.
    pub(crate) fn prepare(self, run: &Arc<OptimisationRun>) -> Result<Stage, String> {
        let mut players = Vec::with_capacity(self.candidates.len() + self.opponents.len());
        for genes in &self.candidates {
            players.push(run.genes.player(&run.player, genes).map_err(|error| error.to_string())?);
        }
        players.extend(self.opponents);
        let tables = run.game.prepare(&players).map_err(|unfit| unfit.error.to_string())?;
        Ok(Stage { run: Arc::clone(run), jobs: self.jobs, candidates: self.candidates, tables })
    }
}

fn opponents(run: &OptimisationRun, generation: u64) -> Vec<SearcherSpec> {
    match &run.fitness.against {
        Against::Players(players) => {
            players.iter().map(|PlayerSpec { searcher, .. }| searcher.clone()).collect()
        }
        &Against::RandomGenes { count, seed, anew } => {
            let stream = Stream::new(seed) / "random-genes";
            let mut rng = if anew { stream / generation } else { stream }.rng();
            let space = run.genes.space();
            let player = |_| run.genes.player(&run.player, &space.draw(&mut rng));
            (0..count).map(player).collect::<Result<_, _>>().expect("the reader has tried all bounds")
        }
        Against::Population | Against::Knockout | Against::Nobody => Vec::new(),
    }
}

/// The purpose of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The fitness of each candidate.
    Fitness,
    /// A round of a knockout, counted from 1.
    Round(u32),
    /// The best candidate against opponents not used in the fitness.
    Judge,
    /// The best candidate of the whole run against the opponents of the fitness, with new random numbers.
    Again,
    /// A unit of the fitness, counted from 0, if candidates may leave between units.
    Unit(u64),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {}, {} {}", self.generation, self.purpose, self.index)
    }
}

/// The name of a job in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The generation, counted from 0.
    pub generation: u64,
    /// The purpose.
    pub purpose: Purpose,
    /// The candidate, the meeting of a round, or the number that a judge gives its opponent.
    pub index: u32,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fitness => f.write_str("fitness"),
            Self::Round(number) => write!(f, "round-{number}"),
            Self::Judge => f.write_str("judge"),
            Self::Again => f.write_str("again"),
            Self::Unit(number) => write!(f, "unit-{number}"),
        }
    }
}

impl std::str::FromStr for Purpose {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let round = || Some(Self::Round(text.strip_prefix("round-")?.parse().ok()?));
        let unit = || Some(Self::Unit(text.strip_prefix("unit-")?.parse().ok()?));
        match text {
            "fitness" => Ok(Self::Fitness),
            "judge" => Ok(Self::Judge),
            "again" => Ok(Self::Again),
            _ => round().or_else(unit).ok_or(()),
        }
    }
}

pub(crate) struct Stage {
    pub(crate) run: Arc<OptimisationRun>,
    pub(crate) jobs: Vec<Job>,
    candidates: Vec<Vec<f64>>,
    tables: Box<dyn Tables>,
}

impl Stage {
    pub(crate) fn candidate(&self, job: usize) -> &[f64] {
        &self.candidates[self.jobs[job].player]
    }

    pub(crate) fn play(&self, job: usize, units: Range<u64>) -> Result<Tally, PlayError> {
        let mut tally = Tally::default();
        for unit in units {
            tally += self.unit(&self.jobs[job], unit).play()?;
        }
        Ok(tally)
    }

    pub(crate) fn unit(&self, job: &Job, unit: u64) -> Unit<'_> {
        let first = if let Purpose::Unit(first) = job.key.purpose { first } else { 0 };
        let (place, index) = ((unit / job.units) as usize, first + unit % job.units);
        let of_fitness = job.key.purpose == Purpose::Fitness;
        let has_one_stream = of_fitness && self.run.fitness.luck == Luck::OneStream;
        let luck = if has_one_stream { job.luck } else { job.luck / place as u64 / index };
        let judge = self.run.judge.as_ref().filter(|_| job.key.purpose == Purpose::Judge);
        let openings = judge.and_then(|judge| judge.openings.as_ref()).unwrap_or(&self.run.openings);
        Unit {
            game: &*self.run.game,
            limits: self.run.limits,
            openings,
            tables: &*self.tables,
            players: (job.player, job.others.get(place).copied()),
            seat: job.seat,
            opening: index,
            luck,
        }
    }
}
