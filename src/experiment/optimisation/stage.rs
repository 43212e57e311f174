//! A stage of a generation: jobs that do not depend on each other.
//!
//! A job is one row of the log: the games of a candidate, a meeting of a knockout, or the games against one judge. Its
//! results are sums, so its units can be played in any order, on any number of threads.

use std::ops::Range;
use std::sync::Arc;

use super::games::Unit;
use super::tally::Tally;
use crate::experiment::manifest::experiment::PlayerSpec;
use crate::experiment::manifest::optimisation::{Against, Luck, OptimisationRun, Seat};
use crate::game::options::OptionError;
use crate::optimise::genetic::Meeting;
use crate::players::{FitError, PlayError, SearcherSpec, Tables};
use crate::rng::Stream;

/// What a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The fitness of each candidate.
    Fitness,
    /// This round of a knockout, counted from 1.
    Round(u32),
    /// The best candidate against players that no fitness met.
    Judge,
    /// The best candidate of the whole run against the opponents of the fitness, with new luck.
    Again,
    /// This unit of the fitness, counted from 0, if candidates may leave between units.
    Unit(u64),
}

/// A job before its players are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// What the log calls it, in its stage.
    pub(crate) key: Key,
    /// The hash of the genes of its candidates.
    pub(crate) genes: u64,
    /// The first player, and those that it meets: indices among the players of the stage.
    player: usize,
    others: Vec<usize>,
    units: u64,
    /// The number of its first unit.
    first: u64,
    seat: Seat,
    luck: Stream,
    /// Whether every unit has the same luck.
    one_stream: bool,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "generation {}, {} {}", self.generation, self.purpose, self.index)
    }
}

/// The name of a job in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The generation, counted from 0.
    pub generation: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// The candidate, the meeting of a round, or the number that a judge gives its opponent.
    pub index: u32,
}

/// A generation of a run, for which stages are outlined.
#[derive(Clone, Copy)]
pub(crate) struct Of<'r> {
    pub(crate) run: &'r OptimisationRun,
    /// The randomness of all games of the run.
    pub(crate) games: Stream,
    pub(crate) generation: u64,
}

/// The jobs of a stage, and the players that they need.
pub(crate) struct Outline {
    pub(crate) jobs: Vec<Job>,
    /// The candidates that play, the first players of the stage.
    candidates: Vec<Vec<f64>>,
    /// The players that they meet, behind them.
    opponents: Vec<SearcherSpec>,
}

/// A stage that can be played.
pub(crate) struct Stage {
    pub(crate) run: Arc<OptimisationRun>,
    pub(crate) jobs: Vec<Job>,
    candidates: Vec<Vec<f64>>,
    tables: Box<dyn Tables>,
}

/// A candidate that cannot play.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Misfit {
    #[error("{0}")]
    Option(#[from] OptionError),
    #[error("{0}")]
    Player(#[from] FitError),
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

    /// How many units it has in all.
    pub(crate) fn unit_count(&self) -> u64 {
        self.units * self.others.len().max(1) as u64
    }
}

impl Outline {
    /// The fitness of these candidates. The last `repeated` ones are the first ones again, with other luck.
    /// Each plays `effort` times the usual number of units.
    pub(crate) fn fitness(
        Of { run, games, generation }: Of<'_>,
        candidates: &[Vec<f64>],
        repeated: usize,
        effort: f64,
    ) -> Self {
        let fitness = &run.fitness;
        let opponents = opponents(run);
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
                first: 0,
                seat: fitness.seat,
                luck,
                one_stream: fitness.luck == Luck::OneStream,
            }
        });
        Self { jobs: jobs.collect(), candidates: candidates.to_vec(), opponents }
    }

    /// These units of the fitness of the candidates that stay in a race; each has the luck that it has without a race.
    pub(crate) fn units(
        Of { run, games, generation }: Of<'_>,
        candidates: &[Vec<f64>],
        staying: &[usize],
        units: Range<u64>,
    ) -> Self {
        let opponents = opponents(run);
        let hashes: Vec<u64> = staying.iter().map(|&index| run.genes.hash(&candidates[index])).collect();
        let all = units.flat_map(|unit| (0..staying.len()).map(move |player| (unit, player)));
        let jobs = all.map(|(unit, player)| Job {
            key: Key { generation, purpose: Purpose::Unit(unit), index: staying[player] as u32 },
            genes: hashes[player],
            player,
            others: (staying.len()..staying.len() + opponents.len()).collect(),
            units: 1,
            first: unit,
            seat: run.fitness.seat,
            luck: games / "fitness" / generation,
            one_stream: false,
        });
        let candidates = staying.iter().map(|&index| candidates[index].clone()).collect();
        Self { jobs: jobs.collect(), candidates, opponents }
    }

    /// A round of a knockout.
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
                first: 0,
                seat,
                luck: luck / index as u64,
                one_stream: false,
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
                first: 0,
                seat: Seat::Both,
                // The same for each generation, so that a curve shows the player and not the luck.
                luck: games / "judge" / u64::from(id),
                one_stream: false,
            }
        });
        let specs = judge.into_iter().flat_map(|judge| &judge.against);
        let opponents = specs.map(|player| player.searcher.clone()).collect();
        Self { jobs: jobs.collect(), candidates: vec![best.to_vec()], opponents }
    }

    /// The best candidate against the opponents of the fitness, with new luck and at least this many units; no job if
    /// only candidates met each other.
    pub(crate) fn again(Of { run, games, generation }: Of<'_>, best: &[f64]) -> Self {
        const LEAST_UNITS: u64 = 100;
        let opponents = opponents(run);
        let has_opponents = !matches!(run.fitness.against, Against::Population | Against::Knockout);
        let job = Job {
            key: Key { generation, purpose: Purpose::Again, index: 0 },
            genes: run.genes.hash(best),
            player: 0,
            others: (1..=opponents.len()).collect(),
            units: run.fitness.units.max(LEAST_UNITS),
            first: 0,
            seat: run.fitness.seat,
            luck: games / "again" / generation,
            one_stream: false,
        };
        let jobs = if has_opponents { vec![job] } else { Vec::new() };
        Self { jobs, candidates: vec![best.to_vec()], opponents }
    }

    /// Resolves the players.
    ///
    /// # Errors
    /// If the values of a candidate do not fit.
    pub(crate) fn prepare(self, run: &Arc<OptimisationRun>) -> Result<Stage, Misfit> {
        let mut players = Vec::with_capacity(self.candidates.len() + self.opponents.len());
        for genes in &self.candidates {
            players.push(run.genes.player(&run.player, genes)?);
        }
        players.extend(self.opponents);
        let tables = run.game.prepare(&players).map_err(FitError::from)?;
        Ok(Stage { run: Arc::clone(run), jobs: self.jobs, candidates: self.candidates, tables })
    }
}

impl Stage {
    /// The genes of the first player of a job.
    pub(crate) fn candidate(&self, job: usize) -> &[f64] {
        &self.candidates[self.jobs[job].player]
    }

    /// Plays some units of a job.
    ///
    /// # Errors
    /// If a game cannot be played to its end.
    pub(crate) fn play(&self, job: usize, units: Range<u64>) -> Result<Tally, PlayError> {
        let mut tally = Tally::default();
        for unit in units {
            tally += self.unit(&self.jobs[job], unit).play()?;
        }
        Ok(tally)
    }

    /// A unit of a job.
    pub(crate) fn unit(&self, job: &Job, unit: u64) -> Unit<'_> {
        let (place, index) = ((unit / job.units) as usize, job.first + unit % job.units);
        let luck = if job.one_stream { job.luck } else { job.luck / place as u64 / index };
        let judge = self.run.judge.as_ref().filter(|_| job.key.purpose == Purpose::Judge);
        let openings = judge.and_then(|judge| judge.openings.as_ref()).unwrap_or(&self.run.openings);
        Unit {
            run: &self.run,
            openings,
            tables: &*self.tables,
            players: (job.player, job.others.get(place).copied()),
            seat: job.seat,
            opening: index,
            luck,
        }
    }
}

/// The randomness of all games of a run.
pub(crate) fn games_of(run: &OptimisationRun, id: u32) -> Stream {
    Stream::new(run.seed) / "optimisation" / u64::from(id) / "games"
}

/// The players that every candidate meets.
fn opponents(run: &OptimisationRun) -> Vec<SearcherSpec> {
    match &run.fitness.against {
        Against::Players(players) => {
            players.iter().map(|PlayerSpec { searcher, .. }| searcher.clone()).collect()
        }
        &Against::RandomGenes { count, seed } => {
            let mut rng = (Stream::new(seed) / "random-genes").rng();
            let space = run.genes.space();
            let player = |_| run.genes.player(&run.player, &space.draw(&mut rng));
            (0..count).map(player).collect::<Result<_, _>>().expect("the reader has tried all bounds")
        }
        Against::Population | Against::Knockout | Against::Nobody => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Manifest;
    use crate::players::Registry;

    /// The units of a race are those of a fitness: the same games with the same luck, for each opponent.
    #[test]
    fn a_race_has_the_games_of_a_fitness() {
        let text = r#"
            schema = 1
            [[optimisation]]
            game.othello.size = 4
            generations = 1
            genes.w = { count = 3, within = [-1.0, 1.0] }
            player.search.greedy.evaluation.linear = { features = "square-kinds", weights = { gene = "w" } }
            method.genetic = { population = 3, parents = 2 }
            fitness = { against = ["random", "greedy(evaluation=discs)"], pairs = 7, luck = "common" }
        "#;
        let manifest = Manifest::parse("m.toml".as_ref(), text, &Registry::standard()).unwrap();
        let optimisation = manifest.optimisations().next().unwrap();
        let run = &optimisation.runs[0];
        let of = Of { run, games: games_of(run, 1), generation: 4 };
        let candidates = [vec![0.5, -0.25, 0.1], vec![-1.0, 1.0, 0.0], vec![0.2, 0.3, 0.4]];
        let whole = Outline::fitness(of, &candidates, 0, 1.0).prepare(run).unwrap();
        // Candidate 1 has left after three units.
        let begin = Outline::units(of, &candidates, &[0, 1, 2], 0..3).prepare(run).unwrap();
        let end = Outline::units(of, &candidates, &[0, 2], 3..7).prepare(run).unwrap();
        let played = |stage: &Stage, candidate: u32| -> Tally {
            let jobs = (0..stage.jobs.len()).filter(|&job| stage.jobs[job].key.index == candidate);
            jobs.map(|job| stage.play(job, 0..stage.jobs[job].unit_count()).unwrap()).sum()
        };
        for candidate in [0, 2] {
            let mut raced = played(&begin, candidate);
            raced += played(&end, candidate);
            assert_eq!(raced, played(&whole, candidate));
        }
        assert_ne!(played(&whole, 0), played(&whole, 1));
    }
}
