//! What a training learned, in numbers for a report.

use serde::{Deserialize, Serialize};

use crate::experiment::manifest::training::Training;
use crate::experiment::training::Trained;
use crate::experiment::trial::tally::Tally;
use crate::stats::{Confidence, Estimate};

/// A training in numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingSummary {
    /// Its name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// What is learned: the shapes of tuples, and how they are seen.
    pub weights_of: String,
    /// The number of weights.
    pub weights: u64,
    /// Whom the learner meets; `itself` if nobody else.
    pub against: Vec<String>,
    /// The games to be learned.
    pub games: u64,
    /// The games that were learned; `None` in a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<u64>,
    /// Whether all games were learned and judged.
    pub complete: bool,
    /// The opponents of the judge, each with whether the training met it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<(String, bool)>,
    /// The pairs of games against each opponent of the judge.
    pub judge_units: Option<u64>,
    /// The learning curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<TrainingPoint>,
}

/// How good the weights were after some games: points a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingPoint {
    /// The games that were learned.
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
        let points = |tally: &Tally| tally.points_interval(true, confidence);
        let form = training.form().ok();
        let judges = training.judge.iter().flat_map(|judge| &judge.against).map(|judge| {
            let is_met = training.against.iter().any(|player| player.content() == judge.content());
            (judge.name.clone(), is_met)
        });
        let curve = trained.iter().flat_map(|trained| &trained.curve).map(|judgement| TrainingPoint {
            games: judgement.games,
            points: points(&judgement.against.iter().copied().sum()),
            against: judgement.against.iter().map(points).collect(),
        });
        let against: Vec<String> = training.against.iter().map(|player| player.name.clone()).collect();
        Self {
            name: training.name.clone(),
            game: training.game.spec().to_string(),
            weights_of: form.as_ref().map(|form| form.of.clone()).unwrap_or_default(),
            weights: form.map_or(0, |form| form.names.len() as u64),
            against: if against.is_empty() { vec!["itself".into()] } else { against },
            games: training.games,
            learned: trained.map(|trained| trained.games),
            complete: trained.is_some_and(|trained| trained.is_whole(training)),
            judges: judges.collect(),
            judge_units: training.judge.as_ref().map(|judge| judge.units),
            curve: curve.collect(),
        }
    }
}
