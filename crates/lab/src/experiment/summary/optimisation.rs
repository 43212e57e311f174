//! The findings of an optimisation, in numbers for a report.

use serde::{Deserialize, Serialize};

use super::{Effects, FullGrid, ResultEffects, SEED};
use crate::experiment::optimisation::{Outcome, Run};
use crate::experiment::store::{RunTimes, Took, whole_id};
use crate::experiment::trial::Tally;
use crate::game::Counts;
use crate::manifest::{Against, Luck, Measure, Optimisation, OptimisationRun};
use crate::stats::{Confidence, Estimate};

/// The results of an optimisation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptimisationSummary {
    /// The name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// Whether the game is for two.
    pub for_two: bool,
    /// Whether it is a solitaire that is judged by its score: then all results are mean scores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scored: bool,
    /// The unit of the margin.
    pub margin_unit: String,
    /// The measure of fitness: `points`, `margin`, the name of a fault, or `survival` of a knockout.
    pub measure: String,
    /// The number of runs that draw random opponents anew for each generation, and for `again`; `None` if no run does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anew: Option<usize>,
    /// The runs, one for each combination of a sweep, in the order of the manifest.
    pub runs: Vec<OptimisationRunSummary>,
    /// The effects of the swept values, if the runs are a full grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// The time of all runs, as far as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<Took>,
}

/// The results of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptimisationRunSummary {
    /// The name.
    pub name: String,
    /// The values that a sweep chose: the key and its value as text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, String)>,
    /// The generations that were played.
    pub generations: u64,
    /// The games of their candidates.
    pub games: u64,
    /// Whether it has ended.
    pub complete: bool,
    /// Whether every game had the same randomness, a fault.
    pub one_stream: bool,
    /// Whether all candidates of every generation had the same fitness: then no gene acts, and no candidate is best.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alike: bool,
    /// The best fitness of the last generation. None in a knockout, of which every survivor has the same.
    pub best_fitness: Option<f64>,
    /// The result of that candidate, as the fitness saw it: biased upwards. None if candidates met each other.
    pub seen: Option<f64>,
    /// The result of all candidates of the last generation.
    pub mean: Option<f64>,
    /// The best candidate against the same opponents, or opponents drawn anew, with new random numbers.
    pub again: Option<Estimate>,
    /// The mean margin in the same games.
    pub again_margin: Option<f64>,
    /// The best candidate against the judge, over all its opponents.
    pub judge: Option<Estimate>,
    /// The same against each opponent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<(String, Estimate)>,
    /// How many units the judge played against each opponent.
    pub judge_units: Option<u64>,
    /// The correlation of the mean of a gene over the selected candidates with that over their children, over all genes
    /// and generations. None if there are several kinds of genes, which cannot be compared, or nothing is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heredity: Option<f64>,
    /// How many kept candidates are unchanged and selected again, on average over the generations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivors: Option<f64>,
    /// In a race, the share of candidates that left early, and the share of games that this saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raced: Option<[f64; 2]>,
    /// The best candidate: the name of each gene and its value. Long vectors are in `best.csv` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<(String, String)>,
    /// The time of its generations, as far as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<Took>,
    /// The longest generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<Took>,
    /// The name of each coordinate of a candidate, if they are few; empty if the summary was read from JSON.
    #[serde(skip)]
    pub genes: Vec<String>,
    /// A point for each generation; empty if the summary was read from JSON.
    #[serde(skip)]
    pub curve: Vec<CurvePoint>,
}

/// A generation in a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The result of all candidates: the points a game, the success rate or the mean score.
    pub points: f64,
    /// The best candidate against the judge, if it was judged after this generation.
    pub judge: Option<Estimate>,
    /// The standard deviation of a gene over the candidates, in the mean over all genes.
    pub spread: f64,
    /// The mean of each gene over the selected candidates of this generation and of up to four before it; empty if the method
    /// selects none.
    pub selected: Vec<f64>,
    /// The time of the generation, if it was recorded.
    pub took: Option<Took>,
}

/// The measure of a knockout.
pub const SURVIVAL: &str = "survival";

/// The most values of a candidate that a summary lists.
const MOST_VALUES: usize = 20;

impl OptimisationSummary {
    /// The summary of the runs of an optimisation, in its order.
    pub fn new(optimisation: &Optimisation, runs: &[Run]) -> Self {
        let game = &optimisation.runs[0].game;
        let facts = game.facts();
        let confidence = Confidence::default_level();
        let of_fitness = optimisation.runs.iter().map(|run| &run.fitness.against);
        let anew =
            of_fitness.filter(|against| matches!(against, Against::RandomGenes { anew: true, .. })).count();
        let runs = optimisation.runs.iter().zip(runs);
        let runs: Vec<_> =
            runs.map(|(run, found)| OptimisationRunSummary::new(run, found, confidence)).collect();
        Self {
            name: optimisation.name.clone(),
            game: game.spec().to_string(),
            for_two: facts.players == 2,
            scored: facts.counts == Counts::Score,
            margin_unit: facts.score_unit.to_string(),
            measure: measure(&optimisation.runs[0]).into(),
            anew: (anew > 0).then_some(anew),
            effects: effects(&runs, confidence),
            took: None,
            runs,
        }
    }

    /// The same with the times in its folder.
    #[must_use]
    pub fn timed(mut self, optimisation: &Optimisation, times: &RunTimes) -> Self {
        self.took = times.whole(whole_id(optimisation.runs.iter().map(|run| run.id())));
        for (of, run) in optimisation.runs.iter().zip(&mut self.runs) {
            let id = of.id();
            run.took = times.run(id);
            for (number, point) in (0..).zip(&mut run.curve) {
                point.took = times.generation(id, number);
            }
            run.longest = run.curve.iter().filter_map(|point| point.took).max_by_key(|took| took.wall_ns);
        }
        self
    }

    /// The result by which its candidates are judged.
    pub const fn counts(&self) -> Counts {
        match (self.for_two, self.scored) {
            (true, _) => Counts::Points,
            (false, true) => Counts::Score,
            (false, false) => Counts::Success,
        }
    }

    /// Whether the fitness is the result that counts.
    pub fn is_fitness_the_result(&self) -> bool {
        self.measure == if self.scored { "margin" } else { "points" }
    }

    /// Whether every run has ended.
    pub fn is_complete(&self) -> bool {
        self.runs.iter().all(|run| run.complete)
    }
}

fn measure(run: &OptimisationRun) -> &'static str {
    if run.fitness.against == Against::Knockout { SURVIVAL } else { run.fitness.of.word() }
}

type Reading = fn(&OptimisationRunSummary) -> Option<f64>;

/// The effects on the results that all runs have. `None` if a run has not ended, the runs are no full grid, or there
/// is no such result.
fn effects(runs: &[OptimisationRunSummary], confidence: Confidence) -> Option<Effects> {
    if runs.iter().any(|run| !run.complete) {
        return None;
    }
    let swept = |run: &'_ OptimisationRunSummary| -> (Vec<String>, Vec<String>) {
        run.swept.iter().filter(|(key, _)| key != SEED).cloned().unzip()
    };
    let (keys, _) = swept(runs.first()?);
    let rows: Vec<Vec<String>> = runs.iter().map(|run| swept(run).1).collect();
    let grid = FullGrid::new(&keys, &rows)?;
    let of: [(&str, Reading); 4] = [
        ("mean seen", |run| run.mean),
        ("again", |run| Some(run.again?.value)),
        ("judge", |run| Some(run.judge?.value)),
        ("gap", |run| Some(run.seen? - run.judge?.value)),
    ];
    let analysed = |(of, result): (&str, Reading)| {
        let responses: Option<Vec<f64>> = runs.iter().map(result).collect();
        Some(ResultEffects { of: of.into(), analysis: grid.analyse(&responses?, confidence)? })
    };
    let results: Vec<ResultEffects> = of.into_iter().filter_map(analysed).collect();
    (!results.is_empty()).then_some(Effects { axes: grid.axes, results })
}

/// The share of candidates that left early, and that of games that this saved.
fn raced(run: &OptimisationRun, outcome: &Outcome) -> Option<[f64; 2]> {
    let candidates = (outcome.generations.len() * outcome.population.len()) as f64;
    let left: usize = outcome.generations.iter().map(|generation| generation.left).sum();
    let games = run.fitness.units * run.games_a_unit() * run.opponents(outcome.population.len());
    let saved = 1.0 - outcome.games as f64 / (candidates * games as f64);
    (candidates > 0.0).then_some([left as f64 / candidates, saved])
}

impl OptimisationRunSummary {
    fn new(run: &OptimisationRun, found: &Run, confidence: Confidence) -> Self {
        let outcome = &found.outcome;
        let counts = run.game.facts().counts;
        let result = |tally: &Tally| tally.result_interval(counts, confidence);
        let last = outcome.generations.last();
        let is_absolute = !matches!(run.fitness.against, Against::Population | Against::Knockout);
        let judges = run.judge.iter().flat_map(|judge| &judge.against);
        let judged = last.map(|last| last.judged.as_slice()).unwrap_or_default();
        let is_short = run.genes.coordinates() <= MOST_VALUES && !outcome.best.is_empty();
        let best = if is_short { run.genes.texts(&outcome.best) } else { Vec::new() };
        Self {
            name: run.name.clone(),
            swept: run.swept.clone(),
            generations: outcome.generations.len() as u64,
            games: outcome.games,
            complete: outcome.ended.is_some(),
            one_stream: run.fitness.luck == Luck::OneStream,
            best_fitness: last.filter(|_| run.has_fitness()).map(|last| last.best),
            seen: outcome.seen().filter(|_| is_absolute).map(|tally| tally.result(counts)),
            mean: last.filter(|_| is_absolute).map(|last| last.sum.result(counts)),
            again: outcome.again.as_ref().map(result),
            again_margin: outcome.again.as_ref().map(Tally::mean_margin),
            judge: outcome.judge().as_ref().map(result),
            alike: run.fitness.of != Measure::Zero
                && last.is_some()
                && outcome.generations.iter().all(|generation| generation.alike),
            judges: judges.map(|judge| judge.name.clone()).zip(judged.iter().map(result)).collect(),
            judge_units: run.judge.as_ref().map(|judge| judge.units),
            heredity: outcome.heredity.correlation().filter(|_| run.genes.0.len() == 1),
            survivors: outcome.heredity.survivors(),
            raced: run.fitness.racing.and_then(|_| raced(run, &found.outcome)),
            best,
            took: None,
            longest: None,
            genes: if is_short { run.genes.names() } else { Vec::new() },
            curve: (0..outcome.generations.len())
                .map(|number| CurvePoint::new(outcome, number, (counts, &result)))
                .collect(),
        }
    }

    /// The worth of the run in games that did not choose its candidate: before the judge, else in new games.
    pub fn held_out(&self) -> f64 {
        self.judge.or(self.again).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
    }

    /// By how much a second evaluation lowered the best candidate, if both are known.
    pub fn gap(&self) -> Option<f64> {
        Some(self.seen? - self.again?.value).filter(|_| !self.alike)
    }
}

impl CurvePoint {
    fn new(
        outcome: &Outcome,
        number: usize,
        (counts, result): (Counts, &dyn Fn(&Tally) -> Estimate),
    ) -> Self {
        let generation = &outcome.generations[number];
        Self {
            best: generation.best,
            mean: generation.mean,
            points: generation.sum.result(counts),
            judge: generation.judge().as_ref().map(result),
            spread: generation.mean_spread(),
            selected: outcome.selected(number),
            took: None,
        }
    }
}
