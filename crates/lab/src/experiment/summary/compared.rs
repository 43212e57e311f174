//! Two folders of results, compared: before and after a change, or on two machines; and two summaries, of which is said what can be
//! said without the logs. Optimisations are compared by what their best candidates are worth in games that did not choose them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    ExperimentSummary, Meeting, OptimisationRunSummary, OptimisationSummary, PlayerSummary, Summary,
};
use crate::experiment::plan::{Cell, Plan, TrialId};
use crate::experiment::trial::Record;
use crate::game::Counts;
use crate::manifest::Experiment;
use crate::rng::Stream;
use crate::stats::{
    Confidence, Estimate, Moments, PairedCounts, PairedMoments, difference_of, geometric_mean_ratio,
    mean_interval, newcombe, tango,
};

/// The largest number of ratios that are bootstrapped; beyond it Student's interval of their logarithms is as good.
const MOST_BOOTSTRAPPED: usize = 20_000;

/// The trials of two runs, matched by their names.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MatchedTrials {
    /// Trials that both runs have.
    pub trials: u64,
    /// How many of these went the same way, to the last column but for the times.
    pub identical: u64,
    /// Trials that only the first run has.
    pub only_first: u64,
    /// Trials that only the second run has.
    pub only_second: u64,
}

/// The common part of two runs, and their differences: the second less the first.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The trials; none if a summary without its log is compared.
    #[serde(flatten)]
    pub matched: Option<MatchedTrials>,
    /// The players and meetings that both runs have, by their names.
    pub players: Vec<ComparedPlayer>,
    /// The optimisations that both runs have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub optimisations: Vec<ComparedOptimisation>,
}

/// A player, or a meeting of two, in both runs.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedPlayer {
    /// The experiment.
    pub experiment: String,
    /// The player; of a meeting the one whose results are given.
    pub player: String,
    /// The opponent; none in a solitaire.
    pub against: Option<String>,
    /// Deals or openings that both runs have.
    pub shared_instances: u64,
    /// The success rate of a solitaire in the first run and in the second, on the shared instances if there are some;
    /// none of a meeting.
    pub success: Option<[f64; 2]>,
    /// The same of the points a game of a meeting; none of a solitaire.
    pub points: Option<[f64; 2]>,
    /// The same of the mean score of a solitaire that is judged by it; none of another game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<[f64; 2]>,
    /// The unit of this score.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The difference of these: on shared instances Tango's interval for success and Student's for
    /// points and scores; else Newcombe's for a solitaire, and none for a meeting.
    pub difference: Estimate,
    /// The difference of the mean margins on shared instances, with Student's interval; none if the score counts.
    pub margin: Option<Estimate>,
    /// The geometric mean over shared instances of the processor time of a trial in the second run over that in the
    /// first. Not deterministic: another run gives another.
    pub cpu_ratio: Option<Estimate>,
}

impl Compared {
    /// Compares two runs, each given by its plan and its records in canonical order.
    pub fn new(first: (&Plan, &[Record]), second: (&Plan, &[Record])) -> Self {
        let ids = |(plan, records): (&Plan, &[Record])| -> BTreeMap<TrialId, usize> {
            (0..records.len()).map(|index| (plan.id(&records[index].trial), index)).collect()
        };
        let (of_first, of_second) = (ids(first), ids(second));
        let both: Vec<(usize, usize)> =
            of_first.iter().filter_map(|(id, &index)| Some((index, *of_second.get(id)?))).collect();
        let identical = both.iter().filter(|&&(a, b)| first.1[a].took_the_course_of(&second.1[b])).count();
        let trials = both.len() as u64;
        let matched = MatchedTrials {
            trials,
            identical: identical as u64,
            only_first: of_first.len() as u64 - trials,
            only_second: of_second.len() as u64 - trials,
        };
        Self { matched: Some(matched), players: players(first, second), optimisations: Vec::new() }
    }

    /// Compares two summaries, of which at least one has no log. No trials are matched, so the samples count as independent.
    pub fn of_summaries(first: &Summary, second: &Summary) -> Self {
        let mut players = Vec::new();
        for before in &first.experiments {
            let same = |after: &&ExperimentSummary| {
                after.name == before.name
                    && after.counts() == before.counts()
                    && (!before.scored || after.margin_unit == before.margin_unit)
            };
            let Some(after) = second.experiments.iter().find(same) else { continue };
            players.extend(if before.paired { meetings(before, after) } else { solitaire(before, after) });
        }
        Self { matched: None, players, optimisations: Vec::new() }
    }

    /// The same with the optimisations of two summaries.
    #[must_use]
    pub fn with_optimisations(self, first: &Summary, second: &Summary) -> Self {
        let compare = |before: &OptimisationSummary| {
            let after = second.optimisations.iter().find(|after| after.name == before.name)?;
            let alike = after.counts() == before.counts()
                && (!before.scored || after.margin_unit == before.margin_unit);
            alike.then(|| ComparedOptimisation::new(before, after))
        };
        Self { optimisations: first.optimisations.iter().filter_map(compare).collect(), ..self }
    }
}

/// The cells of an experiment by the names of its players, in the order of the manifest: the names, the player that
/// comes first, and the cell.
fn named_cells(experiment: &Experiment, cells: &[Cell]) -> Vec<(Vec<String>, usize, usize)> {
    let named = |(index, cell): (usize, &Cell)| {
        let mut players = cell.players.clone();
        players.sort_unstable();
        let names = players.iter().map(|&player| experiment.players[player].name.clone()).collect();
        (names, players[0], index)
    };
    cells.iter().enumerate().map(named).collect()
}

fn players(first: (&Plan, &[Record]), second: (&Plan, &[Record])) -> Vec<ComparedPlayer> {
    let mut compared = Vec::new();
    for (here, experiment) in first.0.experiments().enumerate() {
        let others: Vec<&Experiment> = second.0.experiments().collect();
        let Some(there) = others.iter().position(|other| {
            let [one, another] = [other, experiment].map(Experiment::facts);
            other.name == experiment.name && (one.counts, one.unit()) == (another.counts, another.unit())
        }) else {
            continue;
        };
        let of_second = named_cells(others[there], second.0.cells(there));
        for (names, player, cell) in named_cells(experiment, first.0.cells(here)) {
            let turned: Vec<String> = names.iter().rev().cloned().collect();
            let found = of_second.iter().find(|(others, ..)| *others == names || *others == turned);
            let Some(&(_, _, other_cell)) = found else { continue };
            let other_player = others[there].players.iter().position(|other| other.name == names[0]);
            let results = [
                results(first.1, here, cell, player),
                results(
                    second.1,
                    there,
                    other_cell,
                    other_player.expect("the cell has a player of this name"),
                ),
            ];
            compared.push(compare([experiment, others[there]], &names, &results));
        }
    }
    compared
}

/// Of each instance the share of the points, the mean margin, and the processor time in nanoseconds.
type Results = BTreeMap<u64, (f64, f64, u64)>;

fn results(records: &[Record], experiment: usize, cell: usize, player: usize) -> Results {
    let of_cell =
        records.iter().filter(|record| (record.trial.experiment, record.trial.cell) == (experiment, cell));
    let result = |record: &Record| {
        let (share, margin) = record.result_of(player)?;
        Some((record.trial.instance, (share, margin, record.cpu_ns)))
    };
    of_cell.filter_map(result).collect()
}

fn compare(experiments: [&Experiment; 2], names: &[String], results: &[Results; 2]) -> ComparedPlayer {
    let confidence = Confidence::default_level();
    let [before, after] = experiments;
    // The same deal, or the same opening.
    let is_shared = |instance: u64| {
        before.seed == after.seed
            && before.game_of(instance).spec() == after.game_of(instance).spec()
            && before.openings.content(instance) == after.openings.content(instance)
            && before.openings.place(instance).1 == after.openings.place(instance).1
    };
    let shared: Vec<_> = results[0]
        .iter()
        .filter_map(|(instance, first)| Some((*instance, *first, *results[1].get(instance)?)))
        .filter(|(instance, ..)| is_shared(*instance))
        .collect();
    let facts = before.facts().or(&after.facts());
    let (mut counts, mut of_both, mut margins) =
        (PairedCounts::default(), PairedMoments::default(), PairedMoments::default());
    let result = |of: &(f64, f64, u64)| facts.result((of.0, of.1));
    for (_, first, second) in &shared {
        counts.push(second.0 == 1.0, first.0 == 1.0);
        of_both.push(result(second), result(first));
        margins.push(second.1, first.1);
    }
    let of_each = if shared.is_empty() {
        results.each_ref().map(|results| results.values().map(result).collect::<Vec<f64>>())
    } else {
        [
            shared.iter().map(|(_, of, _)| result(of)).collect(),
            shared.iter().map(|(.., of)| result(of)).collect(),
        ]
    };
    // Shares of points are multiples of a quarter, so these sums are exact, as in a report.
    let means = of_each.each_ref().map(|of| of.iter().sum::<f64>() / of.len().max(1) as f64);
    let difference = match (shared.is_empty(), facts.counts) {
        (false, Counts::Points | Counts::Score) => of_both.difference(confidence),
        (false, Counts::Success) => tango(counts, confidence),
        (true, Counts::Points) => Estimate::of(means[1] - means[0]),
        (true, Counts::Score) => {
            let [first, second] = of_each
                .map(|of| mean_interval(&of.into_iter().collect(), confidence).within(facts.margins()));
            difference_of(&second, &first)
        }
        (true, Counts::Success) => {
            let [first, second] =
                of_each.map(|of| (of.iter().filter(|of| **of == 1.0).count() as u64, of.len() as u64));
            newcombe(second, first, confidence)
        }
    };
    let times = shared.iter().filter(|(_, first, second)| first.2 > 0 && second.2 > 0);
    let times: Vec<(f64, f64)> = times.map(|(_, first, second)| (second.2 as f64, first.2 as f64)).collect();
    ComparedPlayer {
        shared_instances: shared.len() as u64,
        margin: (!shared.is_empty() && facts.counts != Counts::Score).then(|| margins.difference(confidence)),
        cpu_ratio: ratio(&times, Stream::new(before.seed) / "ratio" / &*names.concat(), confidence),
        ..ComparedPlayer::new(&before.name, names, (facts.counts, facts.score_unit, means), difference)
    }
}

fn ratio(times: &[(f64, f64)], stream: Stream, confidence: Confidence) -> Option<Estimate> {
    match times.len() {
        0 => None,
        1..=MOST_BOOTSTRAPPED => Some(geometric_mean_ratio(times, stream, confidence)),
        _ => {
            let logs = times.iter().map(|(after, before)| libm::log(*after) - libm::log(*before));
            Some(mean_interval(&logs.collect(), confidence).map(libm::exp))
        }
    }
}

fn solitaire(before: &ExperimentSummary, after: &ExperimentSummary) -> Vec<ComparedPlayer> {
    let compare = |player: &PlayerSummary| {
        let other = after.players.iter().find(|other| other.name == player.name)?;
        let counts = [other, player].map(|player| (player.wins_draws_losses[0], player.trials));
        // Without trials there is nothing to compare.
        let [second, first] =
            counts.map(|(solved, trials)| (trials > 0).then(|| solved as f64 / trials as f64));
        let (first, second) = (first?, second?);
        let (means, difference) = match before.counts() {
            Counts::Score => (
                [player, other].map(|of| of.result().value),
                difference_of(&other.result(), &player.result()),
            ),
            _ => ([first, second], newcombe(counts[0], counts[1], Confidence::default_level())),
        };
        let result = (before.counts(), &*before.margin_unit, means);
        Some(ComparedPlayer::new(&before.name, std::slice::from_ref(&player.name), result, difference))
    };
    before.players.iter().filter_map(compare).collect()
}

fn meetings(before: &ExperimentSummary, after: &ExperimentSummary) -> Vec<ComparedPlayer> {
    let compare = |meeting: &Meeting| {
        let names = [meeting.first.clone(), meeting.second.clone()];
        let points = after.meetings.iter().find_map(|other| match [&other.first, &other.second] {
            [first, second] if [first, second] == names.each_ref() => Some(other.points.value),
            [second, first] if [first, second] == names.each_ref() => Some(1.0 - other.points.value),
            _ => None,
        })?;
        let (first, difference) = (meeting.points.value, Estimate::of(points - meeting.points.value));
        Some(ComparedPlayer::new(&before.name, &names, (Counts::Points, "", [first, points]), difference))
    };
    before.meetings.iter().filter_map(compare).collect()
}

impl ComparedPlayer {
    /// A player, or a meeting of two, on no shared instances.
    fn new(
        experiment: &str,
        names: &[String],
        (counts, unit, result): (Counts, &str, [f64; 2]),
        difference: Estimate,
    ) -> Self {
        Self {
            experiment: experiment.into(),
            player: names[0].clone(),
            against: names.get(1).cloned(),
            shared_instances: 0,
            success: (counts == Counts::Success).then_some(result),
            points: (counts == Counts::Points).then_some(result),
            score: (counts == Counts::Score).then_some(result),
            unit: if counts == Counts::Score { unit.into() } else { String::new() },
            difference,
            margin: None,
            cpu_ratio: None,
        }
    }
}

/// An optimisation that both folders have, by its name, and its difference: the second less the first.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedOptimisation {
    /// The name.
    pub name: String,
    /// The result by which candidates are judged.
    #[serde(skip)]
    pub counts: Counts,
    /// The unit of a score.
    #[serde(skip)]
    pub unit: String,
    /// Runs of the same name that have ended in both, in the order of the first.
    pub runs: Vec<ComparedRun>,
    /// Runs that have ended in the first folder only.
    pub only_first: u64,
    /// Runs that have ended in the second folder only.
    pub only_second: u64,
    /// The mean difference of two runs or more, which are pairs: they share their settings and seeds. With Student's
    /// interval, so that each run is one observation.
    pub mean: Option<Estimate>,
}

/// A run of the same name in both folders.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun {
    /// The name.
    pub name: String,
    /// The games that are compared: `judge`, or `again`, new games against the opponents of the fitness.
    pub of: &'static str,
    /// The result that counts in the first folder and in the second: points a game, success or a mean score.
    pub points: [f64; 2],
    /// The difference, for independent games.
    pub difference: Estimate,
}

impl ComparedOptimisation {
    fn new(before: &OptimisationSummary, after: &OptimisationSummary) -> Self {
        let ended = |of: &OptimisationSummary| of.runs.iter().filter(|run| run.complete).count() as u64;
        let find = |name: &str| after.runs.iter().find(|run| run.complete && run.name == name);
        let both: Vec<_> = before
            .runs
            .iter()
            .filter(|run| run.complete)
            .filter_map(|run| Some((run, find(&run.name)?)))
            .collect();
        let runs: Vec<ComparedRun> =
            both.iter().filter_map(|(before, after)| ComparedRun::new(before, after)).collect();
        let moments: Moments = runs.iter().map(|run| run.difference.value).collect();
        let shared = both.len() as u64;
        Self {
            name: before.name.clone(),
            counts: before.counts(),
            unit: before.margin_unit.clone(),
            only_first: ended(before) - shared,
            only_second: ended(after) - shared,
            mean: (runs.len() > 1).then(|| mean_interval(&moments, Confidence::default_level())),
            runs,
        }
    }
}

impl ComparedRun {
    /// `None` if they were measured against other players.
    fn new(before: &OptimisationRunSummary, after: &OptimisationRunSummary) -> Option<Self> {
        let names = |run: &OptimisationRunSummary| -> Vec<String> {
            run.judges.iter().map(|(name, _)| name.clone()).collect()
        };
        let (of, first, second) = match (before.judge, after.judge) {
            (Some(first), Some(second)) if names(before) == names(after) => ("judge", first, second),
            _ => ("again", before.again?, after.again?),
        };
        Some(Self {
            name: before.name.clone(),
            of,
            points: [first.value, second.value],
            difference: difference_of(&second, &first),
        })
    }
}
