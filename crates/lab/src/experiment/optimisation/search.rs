//! A run in progress: what its method asked, what was played, and what comes next.
//!
//! A run is a function of its rows. The method is told the rows of the log first, so a resumed run plays no game twice,
//! and a report tells them without playing.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Generation, Key, Known, Of, Outcome, Outline, Purpose, Race, Run, Stage, row};
use crate::experiment::store::Took;
use crate::experiment::trial::Tally;
use crate::game::options::Settings as _;
use crate::manifest::{Length, MethodPart, MethodSettings, OptimisationRun};
use crate::optimise::genetic::Bracket;
use crate::optimise::{Method, Told};
use crate::players::PlayError;
use crate::rng::Stream;

pub(crate) struct Search {
    pub(crate) run: Arc<OptimisationRun>,
    method: Box<dyn Method>,
    settings: MethodPart,
    known: Known,
    generation: u64,
    asked: Vec<Vec<f64>>,
    /// How many of these are kept candidates of the generation before.
    kept: usize,
    bracket: Option<Bracket>,
    race: Option<Race>,
    /// The sums of each candidate of the generation, over all rounds.
    sums: Vec<Tally>,
    current: Option<Current>,
    canonical: Vec<u8>,
    /// The time of the generation that is played now, as far as nobody has taken it.
    pub(crate) stretch: Option<Stretch>,
    id: u32,
    games: Stream,
    /// Whether a thread is about to ask for the next stage.
    pub(crate) is_moving: AtomicBool,
    pub(crate) outcome: Outcome,
}

/// Work on a generation: when the first began and the last ended, in the time of the sitting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) generation: u64,
    pub(crate) from: Duration,
    pub(crate) to: Duration,
    pub(crate) cpu: Duration,
    pub(crate) games: u64,
}

impl Stretch {
    fn and(self, other: Self) -> Self {
        Self {
            from: self.from.min(other.from),
            to: self.to.max(other.to),
            cpu: self.cpu + other.cpu,
            games: self.games + other.games,
            ..self
        }
    }

    pub(crate) fn took(self) -> Took {
        let [wall_ns, cpu_ns] =
            [self.to.saturating_sub(self.from), self.cpu].map(|time| time.as_nanos() as u64);
        Took { count: self.games, wall_ns, cpu_ns }
    }
}

struct Current {
    purpose: Purpose,
    /// For each job its key, the hash of its genes, and the candidates that play it.
    jobs: Vec<(Key, u64)>,
    meetings: Vec<[usize; 2]>,
    results: Vec<Option<Tally>>,
    /// The sums of jobs of which some units are missing.
    parts: Vec<(Tally, u64)>,
}

/// A stage, and its jobs that the log lacks; `None` at the end of the run.
type NextStage<T> = Result<Option<(T, Vec<usize>)>, OptimisationError>;

impl Search {
    /// A run at its beginning, with the rows of its log.
    pub(crate) fn new(run: &Arc<OptimisationRun>, known: Known) -> Self {
        let settings = MethodSettings::read(&run.method).method;
        let id = run.id();
        // All runs of a sweep begin with the same candidates if their genes are the same.
        let stream = Stream::new(run.seed) / "optimisation" / "method" / &*run.genes.content();
        Self {
            run: Arc::clone(run),
            method: settings.begin(run.genes.space(), stream),
            settings,
            known,
            generation: 0,
            asked: Vec::new(),
            kept: 0,
            bracket: None,
            race: None,
            sums: Vec::new(),
            current: None,
            canonical: Vec::new(),
            stretch: None,
            games: Stream::new(run.seed) / "optimisation" / u64::from(id) / "games",
            id,
            is_moving: AtomicBool::new(false),
            outcome: Outcome::default(),
        }
    }

    /// Adds what some units of a job took, or the step to a generation.
    pub(crate) fn spend(&mut self, more: Stretch) {
        self.stretch = Some(self.stretch.take().map_or(more, |stretch| stretch.and(more)));
    }

    /// Adds the sums of some units of a job. Returns its key, the hash of its genes and its sums when it is whole.
    pub(crate) fn add(&mut self, job: usize, part: Tally, units: u64) -> Option<(Key, u64, Tally)> {
        let current = self.current.as_mut().expect("a stage is played");
        let (sum, left) = &mut current.parts[job];
        *sum += part;
        *left -= units;
        (*left == 0).then(|| {
            current.results[job] = Some(*sum);
            let (key, genes) = current.jobs[job];
            (key, genes, *sum)
        })
    }

    pub(crate) fn first_generation(&mut self) -> usize {
        self.method.ask().len()
    }

    fn of(&self, generation: u64) -> Of<'_> {
        Of { run: &self.run, games: self.games, generation }
    }

    pub(crate) fn into_run(self) -> Run {
        Run { outcome: self.outcome, canonical: self.canonical }
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.current.as_ref().is_none_or(|current| current.results.iter().all(Option::is_some))
    }

    /// The next stage when the stage before is settled. Goes on through all that the log knows.
    pub(crate) fn next(&mut self) -> NextStage<Arc<Stage>> {
        let Some((outline, missing)) = self.advance()? else { return Ok(None) };
        Ok(Some((Arc::new(self.prepare(outline)?), missing)))
    }

    /// A stage of the generation with its players.
    pub(crate) fn prepare(&self, outline: Outline) -> Result<Stage, OptimisationError> {
        let generation = self.generation;
        outline.prepare(&self.run).map_err(|reason| self.stop(SearchStop::Misfit { generation, reason }))
    }

    fn stop(&self, stop: SearchStop) -> OptimisationError {
        OptimisationError::Stop { run: self.run.name.clone(), stop }
    }

    /// The next stage of which the log lacks jobs. No player is resolved.
    pub(crate) fn advance(&mut self) -> NextStage<Outline> {
        loop {
            match self.step()? {
                Some((_, missing)) if missing.is_empty() => {}
                found => return Ok(found),
            }
        }
    }

    pub(crate) fn step(&mut self) -> NextStage<Outline> {
        let outline = match self.current.take() {
            None => self.begin_generation(),
            Some(current) => self.settle(&current),
        };
        let Some((outline, meetings)) = outline else { return Ok(None) };
        let jobs: Vec<_> = outline.jobs.iter().map(|job| (job.key, job.genes)).collect();
        let mut results = Vec::new();
        for (key, genes) in &jobs {
            let known = self.known.remove(key);
            if known.is_some_and(|(known, _)| known != *genes) {
                return Err(self.stop(SearchStop::OtherGenes { generation: self.generation }));
            }
            results.push(known.map(|(_, tally)| tally));
        }
        let missing: Vec<usize> = (0..jobs.len()).filter(|&job| results[job].is_none()).collect();
        let parts = outline.jobs.iter().map(|job| (Tally::default(), job.unit_count())).collect();
        let purpose = outline.jobs.first().map_or(Purpose::Fitness, |job| job.key.purpose);
        self.current = Some(Current { purpose, jobs, meetings, results, parts });
        Ok(Some((outline, missing)))
    }

    fn begin_generation(&mut self) -> Option<(Outline, Vec<[usize; 2]>)> {
        self.asked = self.method.ask();
        self.sums = vec![Tally::default(); self.asked.len()];
        if let Some((knockout, survivors)) = self.settings.knockout() {
            let stream = Stream::new(self.run.seed) / "optimisation" / u64::from(self.id) / "bracket";
            self.bracket = Some(knockout.bracket(self.asked.len(), survivors, stream / self.generation));
            return self.round(1);
        }
        if let Some(racing) = self.run.fitness.racing {
            self.race = Some(Race::new(self.asked.len(), self.run.fitness.units, racing));
            return self.lap();
        }
        let (repeated, effort) = (self.method.repeated(), self.method.effort());
        Some((Outline::fitness(self.of(self.generation), &self.asked, repeated, effort), Vec::new()))
    }

    fn lap(&self) -> Option<(Outline, Vec<[usize; 2]>)> {
        let (staying, units) = self.race.as_ref()?.next()?;
        Some((Outline::units(self.of(self.generation), &self.asked, &staying, units), Vec::new()))
    }

    fn round(&mut self, number: u32) -> Option<(Outline, Vec<[usize; 2]>)> {
        let round = self.bracket.as_mut().expect("it is a knockout").round()?;
        let outline = Outline::round(self.of(self.generation), &self.asked, number, &round);
        Some((outline, round.iter().map(|meeting| [meeting.first, meeting.second]).collect()))
    }

    /// Takes in the results of a stage. Returns the next one; `None` at the end.
    fn settle(&mut self, current: &Current) -> Option<(Outline, Vec<[usize; 2]>)> {
        let results: Vec<Tally> =
            current.results.iter().map(|result| result.expect("it is settled")).collect();
        for (&(key, genes), tally) in current.jobs.iter().zip(&results) {
            row(self.id, key, genes, tally, &mut self.canonical);
            self.canonical.push(b'\n');
        }
        match current.purpose {
            Purpose::Fitness => {
                self.sums = results;
                self.tell(None);
                self.judge()
            }
            Purpose::Round(number) => {
                for (&[first, second], &tally) in current.meetings.iter().zip(&results) {
                    self.sums[first] += tally;
                    self.sums[second] += tally.turned();
                }
                let margins: Vec<f64> = results.iter().map(Tally::lead).collect();
                self.bracket.as_mut().expect("it is a knockout").tell(&margins);
                let next = self.round(number + 1);
                if next.is_none() {
                    let places = self.bracket.take().expect("it is a knockout").places();
                    self.tell(Some(&places));
                    return self.judge();
                }
                next
            }
            Purpose::Unit(_) => {
                let race = self.race.as_mut().expect("it is a race");
                for (&(key, _), tally) in current.jobs.iter().zip(&results) {
                    race.add(key.index as usize, tally.points());
                    self.sums[key.index as usize] += *tally;
                }
                race.compare();
                let next = self.lap();
                if next.is_none() {
                    self.tell(None);
                    return self.judge();
                }
                next
            }
            Purpose::Judge => {
                self.outcome.judged(self.generation - 1, results);
                self.go_on()
            }
            Purpose::Again => {
                self.outcome.again = results.first().copied();
                None
            }
        }
    }

    fn tell(&mut self, places: Option<&[Option<u32>]>) {
        let of = self.run.fitness.of;
        let race = self.race.take();
        let raced = race.as_ref().map(Race::fitness);
        let told = |(candidate, sum): (usize, &Tally)| {
            let place = places.and_then(|places| places[candidate]);
            // In a knockout the games that a candidate played are no common scale: who stays is all that counts.
            let fitness = match (&raced, places) {
                (Some(raced), _) => raced[candidate],
                (None, Some(_)) => f64::from(u8::from(place.is_some())),
                (None, None) => sum.fitness(of),
            };
            let won = sum.won(of);
            Told { fitness, sd: sum.standard_error(of), won, place }
        };
        let told: Vec<Told> = self.sums.iter().enumerate().map(told).collect();
        self.method.tell(&told);
        let fitness: Vec<f64> = told.iter().map(|told| told.fitness).collect();
        let mut generation = Generation::new(&self.asked, &fitness, &self.sums);
        generation.left = race.map_or(0, |race| race.left());
        if let Some(descent) = self.method.descent() {
            let heredity = &mut self.outcome.heredity;
            heredity.push(&self.asked, std::mem::replace(&mut self.kept, descent.kept), &descent.parents);
            generation.selected = heredity.selected().into_iter().map(|mean| mean as f32).collect();
        }
        // A meeting is in the sums of both candidates.
        let games = self.sums.iter().map(Tally::games).sum::<u64>() / if places.is_some() { 2 } else { 1 };
        self.outcome.told(generation, &self.asked, &fitness, &self.sums, games);
        self.outcome.best = self.method.best();
        self.generation += 1;
    }

    fn is_last(&self) -> bool {
        self.method.finished().is_some()
            || match self.run.length {
                Length::Generations(generations) => self.generation >= generations,
                Length::Games(games) => self.outcome.games >= games,
            }
    }

    /// The judge of the generation that was told last, if its turn has come.
    fn judge(&mut self) -> Option<(Outline, Vec<[usize; 2]>)> {
        let every = self.run.judge.as_ref().and_then(|judge| judge.every);
        let is_due = self.is_last() || every.is_some_and(|every| self.generation.is_multiple_of(every));
        if self.run.judge.is_some() && is_due {
            return Some((Outline::judge(self.of(self.generation - 1), &self.outcome.best), Vec::new()));
        }
        self.go_on()
    }

    /// The next generation, or the end.
    fn go_on(&mut self) -> Option<(Outline, Vec<[usize; 2]>)> {
        if !self.is_last() {
            return self.begin_generation();
        }
        self.outcome.ended = Some(self.method.finished().unwrap_or_default());
        let outline = Outline::again(self.of(self.generation - 1), &self.outcome.best);
        (!outline.jobs.is_empty()).then_some((outline, Vec::new()))
    }
}

/// Why an optimisation cannot go on.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Debug, thiserror::Error)]
pub enum OptimisationError {
    #[error("{run}, {key}: {error}")]
    Game { run: String, key: Key, error: PlayError },
    #[error("{run}: {stop}")]
    Stop { run: String, stop: SearchStop },
    /// The log cannot be written, or the system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl OptimisationError {
    /// A game of a job that could not be played to its end.
    pub(super) fn of_game(run: &OptimisationRun, key: Key, error: PlayError) -> Self {
        match error.of_system() {
            Some(error) => Self::Io(error),
            None => Self::Game { run: run.name.clone(), key, error },
        }
    }
}

/// Why a run cannot go on.
#[expect(missing_docs, reason = "the message says what a variant and its fields are")]
#[derive(Debug, thiserror::Error)]
pub enum SearchStop {
    #[error(
        "generation {generation} has other genes in the log than this build asks for: the method or its numbers changed \
         since; move its folder away to play this optimisation again, or all results with `--restart`"
    )]
    OtherGenes { generation: u64 },
    #[error("a candidate of generation {generation} does not fit: {reason}")]
    Misfit { generation: u64, reason: String },
}
