//! The results of a training, in numbers for a report.

use serde::{Deserialize, Serialize};

use crate::experiment::store::{RunTimes, Took};
use crate::experiment::training::{Race, Trained};
use crate::experiment::trial::Tally;
use crate::game::Counts;
use crate::game::options::OptionValue;
use crate::game::tuples::SquareEffects;
use crate::learn::{Errors, Unit};
use crate::manifest::Training;
use crate::players::{KeptErrors, Source};
use crate::stats::{Confidence, Estimate};

/// A training in numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingSummary {
    /// The name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// The name in the manifest, if a sweep adds to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swept_from: Option<String>,
    /// The key and the value of each axis of the sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, String)>,
    /// The learned shapes of tuples or layers of a network, and how squares are seen.
    pub weights_of: String,
    /// The number of weights.
    pub weights: u64,
    /// The opponents of the learner; `itself` if nobody else, and nobody with a policy gradient. With samples, the players or files that their games are from.
    pub against: Vec<String>,
    /// The games or deals to be learned, or the games to be played for samples.
    pub games: u64,
    /// The epochs, with a method that learns from samples (`dense`, `least-squares`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epochs: Option<u64>,
    /// The games, deals or epochs that were learned; `None` in a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<u64>,
    /// Whether all games were learned and judged.
    pub complete: bool,
    /// The opponents of the judge, each with whether the training met it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<(String, bool)>,
    /// The pairs of games against each opponent of the judge.
    pub judge_units: Option<u64>,
    /// The race for its settings, if some were left out and it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<RaceSummary>,
    /// The learning curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<TrainingPoint>,
    /// The errors of the network that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<NetworkErrors>,
    /// The value of a disc on each square, by weights of tuples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squares: Option<SquareEffects>,
    /// The time of the training, as far as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<Took>,
}

/// The errors of a network that was kept, on the samples of each set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetworkErrors {
    /// The epoch that it is of.
    pub epoch: u32,
    /// The unit that the split puts into one set as a whole: `game` or `sample`.
    pub split: String,
    /// The games with samples.
    pub games: u64,
    /// Recorded games without an end, or with an illegal move, which give no samples.
    pub skipped: u64,
    /// On the samples that trained.
    pub training: Errors,
    /// On those that validated: they chose the epoch, if the best one is kept.
    pub tuning: Option<Errors>,
    /// On those that nothing depends on.
    pub held_out: Option<Errors>,
    /// On the same, of a prediction that is always the mean of those that trained.
    pub mean: Option<Errors>,
}

/// A race for the settings of a training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RaceSummary {
    /// The games that each candidate learned.
    pub games: u64,
    /// The settings of each candidate and its points a game against the others, the best first.
    pub candidates: Vec<(String, Estimate)>,
}

/// How good the weights were after some games or epochs: points a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingPoint {
    /// The games or epochs that were learned.
    pub games: u64,
    /// The result over all opponents of the judge.
    pub points: Estimate,
    /// The result against each.
    pub against: Vec<Estimate>,
}

impl TrainingSummary {
    /// The summary of a training, with what it learned so far if it was run.
    pub fn new(training: &Training, trained: Option<&Trained>) -> Self {
        let confidence = Confidence::default_level();
        let points = |tally: &Tally| tally.result_interval(Counts::Points, confidence);
        let planned = (training.candidates.len(), trained.map(|trained| &trained.race));
        let form = trained.map_or_else(|| training.form().ok(), |trained| Some(trained.form().clone()));
        let judges = training.judge.iter().flat_map(|judge| &judge.against).map(|judge| {
            let is_met = training.players.iter().any(|player| player.content() == judge.content());
            (judge.name.clone(), is_met)
        });
        let curve = trained.iter().flat_map(|trained| &trained.curve).map(|judgement| TrainingPoint {
            games: judgement.done,
            points: points(&judgement.against.iter().copied().sum()),
            against: judgement.against.iter().map(points).collect(),
        });
        let mut against: Vec<String> = training.players.iter().map(|player| player.name.clone()).collect();
        against.extend(training.recorded.iter().map(|file| file.name.clone()));
        let source = training.source();
        if against.is_empty() && source.unit() == "game" {
            against.push("itself".into());
        }
        let of_samples =
            if let Source::Samples { epochs, split } = source { Some((epochs, split.unit)) } else { None };
        let (base, swept) = training.swept.clone();
        let errors = of_samples.zip(trained.and_then(|trained| trained.kept));
        let of = form.as_ref().map(|form| form.of.clone() + &begun_with(training)).unwrap_or_default();
        Self {
            name: training.name.clone(),
            game: training.game.spec().to_string(),
            swept_from: (!swept.is_empty()).then_some(base),
            swept,
            weights_of: match planned {
                (1.., None | Some(None)) => format!("the best of {} candidates, such as {of}", planned.0),
                _ => of,
            },
            weights: form.map_or(0, |form| form.weights as u64),
            against,
            games: training.games,
            epochs: of_samples.map(|(length, _)| length),
            learned: trained.map(|trained| trained.done),
            complete: trained.is_some_and(|trained| trained.is_whole(training)),
            judges: judges.collect(),
            judge_units: training.judge.as_ref().map(|judge| judge.units),
            race: trained
                .and_then(|trained| trained.race.as_ref())
                .map(|race| RaceSummary::new(training, race)),
            curve: curve.collect(),
            errors: errors.map(|((_, split), kept)| NetworkErrors::new(split, kept)),
            squares: trained.and_then(Trained::squares),
            took: None,
        }
    }

    /// The same with the times in its folder.
    #[must_use]
    pub fn timed(self, training: &Training, times: &RunTimes) -> Self {
        Self { took: times.whole(training.id()), ..self }
    }
}

/// The file of the network that a training begins with, in the words of a report; empty without one.
fn begun_with(training: &Training) -> String {
    let named = training.settings.part("evaluation").options.iter().find_map(|(_, value)| match value {
        OptionValue::File(file) if !file.name().is_empty() => Some(file.path()),
        _ => None,
    });
    named.map_or_else(String::new, |path| format!(", begun with {path},"))
}

impl RaceSummary {
    fn new(training: &Training, race: &Race) -> Self {
        let candidate = |(number, tally): (usize, &Tally)| {
            let candidate = training.by(number);
            let of = candidate.form().map(|form| form.of).unwrap_or_default();
            let step = candidate.settings.part("method").options.real("step");
            (format!("{of}, step {step}"), tally.result_interval(Counts::Points, Confidence::default_level()))
        };
        let mut candidates: Vec<_> = race.against.iter().enumerate().map(candidate).collect();
        candidates.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
        Self { games: race.games, candidates }
    }
}

impl NetworkErrors {
    fn new(split: Unit, kept: KeptErrors) -> Self {
        let KeptErrors { epoch, games, skipped, train, validate, test, mean } = kept;
        let split = if split == Unit::Game { "game" } else { "sample" };
        let (training, tuning, held_out) = (train, validate, test);
        Self { epoch, split: split.into(), games, skipped, training, tuning, held_out, mean }
    }
}
