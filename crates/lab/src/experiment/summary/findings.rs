//! The summary of a run, folded one record at a time; and the findings of a log, in one pass: summary, times, digests. Memory does
//! not grow with the log, but for the hash of each distinct game.

use std::io::Write;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::experiment_fold::ExperimentFold;
use super::{ExperimentSummary, OptimisationSummary, PlayerSummary, TrainingSummary};
use crate::experiment::plan::Plan;
use crate::experiment::stopping::{InstanceResults, Standing, Stopper, StoppingSummary};
use crate::experiment::store::{CanonicalWriter, Digests, Log, LogChunk, LogError, MoveTimes};
use crate::experiment::trial::Record;
use crate::game::Counts;
use crate::stats::{Confidence, Estimate};

const SCHEMA: u32 = 3;

/// The results of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this shape.
    pub schema: u32,
    /// The question of the manifest.
    pub question: Option<String>,
    /// The source of the question.
    pub source: Option<String>,
    /// The level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// A summary for each training.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trainings: Vec<TrainingSummary>,
    /// A summary for each optimisation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optimisations: Vec<OptimisationSummary>,
    /// A summary for each experiment.
    pub experiments: Vec<ExperimentSummary>,
}

impl Summary {
    /// Folds the records, which must be in canonical order.
    pub fn new(plan: &Plan, records: &[Record]) -> Self {
        let mut fold = SummaryFold::new(plan);
        for record in records {
            fold.push(record);
        }
        fold.finish()
    }

    /// Whether a stopping rule chose the number of trials of some experiment.
    pub fn has_stopping_rules(&self) -> bool {
        self.experiments.iter().any(|experiment| experiment.stopping.is_some())
    }

    /// Reads the JSON of a summary, such as `summary.json` of a reference. The times are not in the JSON.
    ///
    /// # Errors
    /// If the text is not the JSON of a summary of this version.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let mut summary: Self = serde_json::from_str(text)?;
        if summary.schema != SCHEMA {
            let message = format!("schema {}, but this build reads {SCHEMA}", summary.schema);
            return Err(serde::de::Error::custom(message));
        }
        for experiment in &mut summary.experiments {
            experiment.find_indices()?;
            let counts = experiment.counts();
            let measured = |of: &PlayerSummary| {
                [of.success, of.points, of.score].map(|of| of.is_some())
                    == [Counts::Success, Counts::Points, Counts::Score].map(|of| of == counts)
            };
            if !experiment.players.iter().all(measured) {
                let message =
                    "a player must have one of `success`, `points` and `score`, the one that counts";
                return Err(serde::de::Error::custom(message));
            }
            experiment.find_fronts();
        }
        Ok(summary)
    }

    /// The number of failed games.
    pub fn failed_games(&self) -> u64 {
        self.experiments.iter().flat_map(|experiment| &experiment.failures).map(|(_, count)| count).sum()
    }
}

/// A summary in the making.
///
/// # Cost
/// A few divisions for each player of a trial, in a solitaire for each two players of a deal; the hashes of games
/// are sorted now and then. Memory by cells and players, and 8 to 16 bytes for each different game.
pub struct SummaryFold {
    plan: Plan,
    experiments: Vec<ExperimentFold>,
}

impl SummaryFold {
    /// The summary of no records yet.
    pub fn new(plan: &Plan) -> Self {
        let experiments = (0..plan.experiments().len()).map(|index| ExperimentFold::new(plan, index));
        Self { plan: plan.clone(), experiments: experiments.collect() }
    }

    /// Adds a record. Records of an experiment come in canonical order: by instance, then by cell.
    ///
    /// # Panics
    /// If the record is not of this plan, or comes after one of a later instance.
    pub fn push(&mut self, record: &Record) {
        self.experiments[record.trial.experiment].push(record);
    }

    /// Says what the stopping rule of an experiment did. Intervals for a fixed number of trials are then left out,
    /// because the number was not fixed, and anytime-valid ones are used.
    pub fn stop(&mut self, experiment: usize, stopping: StoppingSummary) {
        self.experiments[experiment].stop(stopping);
    }

    /// The summary of all that was added.
    pub fn finish(self) -> Summary {
        let confidence = Confidence::default_level();
        let experiments = self.experiments.into_iter().map(|experiment| experiment.finish(confidence));
        Summary {
            schema: SCHEMA,
            question: self.plan.manifest().question.clone(),
            source: self.plan.manifest().source.clone(),
            confidence: confidence.level(),
            trainings: Vec::new(),
            optimisations: Vec::new(),
            experiments: experiments.collect(),
        }
    }
}

/// The findings of a log.
pub struct Findings {
    /// Estimates and intervals.
    pub summary: Summary,
    /// The times of moves.
    pub times: MoveTimes,
    /// The digests of the canonical log.
    pub digests: Digests,
    /// For each experiment, the state of its stopping rule.
    pub stopping: Vec<Option<StoppingSummary>>,
    /// The number of missing trials; an upper bound if a stopping rule may still decide.
    pub missing: u64,
}

/// Reads a log in canonical order, up to the decision of each stopping rule. Writes the canonical log to `canonical`;
/// `times` are the histograms stored with the log.
///
/// # Errors
/// If the log cannot be read, or the canonical log cannot be written.
pub fn find(
    plan: &Plan,
    log: &Log,
    mut times: MoveTimes,
    canonical: impl Write + Send,
) -> Result<Findings, LogError> {
    let mut canonical = CanonicalWriter::of(plan, canonical)?;
    let mut fold = SummaryFold::new(plan);
    let (mut stopping, mut courses) = (Vec::new(), Vec::new());
    let mut missing = 0;
    for (index, experiment) in plan.experiments().enumerate() {
        let planned = experiment.trials * plan.cells(index).len() as u64;
        let (mut stopper, mut course) = (Stopper::new(plan, index), Course::new(plan, index));
        log.each_chunk(index, |mut chunk| {
            if let (Some(stopper), Some(course)) = (&mut stopper, &mut course) {
                cut(plan, index, (stopper, course), &mut chunk);
            }
            let folded = || {
                for record in &chunk.records {
                    times.push(record);
                    fold.push(record);
                }
            };
            let ((), written) = rayon::join(folded, || canonical.push(&chunk.rows, &chunk.row_ends));
            written?;
            let is_decided = stopper.as_ref().is_some_and(|stopper| stopper.decision().is_some());
            Ok::<_, LogError>(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        let said = stopper.and_then(|stopper| stopper.summary(experiment));
        let decided = said.as_ref().is_some_and(|said| said.decision.is_some());
        missing += if decided { 0 } else { planned - log.count(index) };
        if let Some(said) = &said {
            fold.stop(index, said.clone());
        }
        stopping.push(said);
        courses.push(course.map_or_else(Vec::new, Course::finished));
    }
    let (digests, _) = canonical.finish()?;
    let mut summary = fold.finish();
    summary.experiments.iter_mut().zip(courses).for_each(|(experiment, course)| experiment.course = course);
    Ok(Findings { summary, times, digests, stopping, missing })
}

/// Passes the instances of a chunk to a stopping rule and the course, and removes the trials after its decision. Instances after a
/// missing one decide nothing.
fn cut(plan: &Plan, experiment: usize, (stopper, course): (&mut Stopper, &mut Course), chunk: &mut LogChunk) {
    let cells = plan.cells(experiment);
    let mut end = 0;
    for records in chunk.records.chunk_by(|a, b| a.trial.instance == b.trial.instance) {
        end += records.len();
        if records.len() == cells.len() && records[0].trial.instance == stopper.instances() {
            let results = InstanceResults::new(cells, records);
            stopper.push(&results);
            course.push(&results);
        }
        if stopper.decision().is_some() {
            break;
        }
    }
    if stopper.decision().is_some() {
        chunk.truncate(end);
    }
}

/// After an instance that is noted, the next one to note comes when their number has grown by this part of itself.
const PART: u64 = 12;

/// The largest number of players that are followed.
const MOST: usize = 6;

/// The estimates of the first players of an experiment with a stopping rule, with intervals that hold at all looks, after more and
/// more instances; at most a hundred or two, however long it ran.
pub(super) struct Course {
    players: Vec<Standing>,
    instances: u64,
    next: u64,
    points: Vec<(u64, Vec<Estimate>)>,
}

impl Course {
    /// The course of an experiment before its first instance. `None` if it has no stopping rule.
    pub(super) fn new(plan: &Plan, experiment: usize) -> Option<Self> {
        let of = plan.experiment(experiment);
        of.stopping.as_ref()?;
        let standing = |_| Standing::new(of.facts());
        let players = (0..of.players.len().min(MOST)).map(standing).collect();
        Some(Self { players, instances: 0, next: 1, points: Vec::new() })
    }

    /// Takes the next instance, in order.
    pub(super) fn push(&mut self, results: &InstanceResults<'_>) {
        self.instances += 1;
        for (player, standing) in self.players.iter_mut().enumerate() {
            results.of_player(player).into_iter().for_each(|result| standing.push(result));
        }
        if self.instances >= self.next {
            self.note();
            self.next = self.instances + self.instances.div_ceil(PART);
        }
    }

    /// The places: the instances so far, and the estimate of each player that is followed; the last is that of all instances.
    pub(super) fn finished(mut self) -> Vec<(u64, Vec<Estimate>)> {
        if self.points.last().is_some_and(|(instances, _)| *instances < self.instances) {
            self.note();
        }
        self.points
    }

    fn note(&mut self) {
        self.points.push((self.instances, self.players.iter().map(Standing::interval).collect()));
    }
}
