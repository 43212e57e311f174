//! The plan in words and as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Cell, Plan, Trial};
use crate::game::Counts;
use crate::manifest::StoppingRule;
use crate::words::counted;

/// The number of trials per cell that an outline names.
const FIRST: u64 = 2;

/// A plan in outline: owned data, equal for equal plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The question of the manifest.
    pub question: Option<String>,
    /// The source of the question.
    pub source: Option<String>,
    /// The experiments, in the order of the manifest.
    pub experiments: Vec<ExperimentOutline>,
    /// The number of trials.
    pub trials: u64,
    /// The number of games.
    pub games: u64,
}

/// An experiment in outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperimentOutline {
    /// The name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// The design, as manifests name it.
    pub design: String,
    /// The openings in words; none for a solitaire, and if games begin at the start.
    pub openings: Option<String>,
    /// The instances that each cell plays.
    pub trials_per_cell: u64,
    /// 1 for a solitaire, 2 for a pair with seats swapped.
    pub games_per_trial: u64,
    /// The unit of the score, if the score counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_unit: Option<String>,
    /// The number of its trials.
    pub trials: u64,
    /// The number of its games.
    pub games: u64,
    /// The primary comparisons, by the names of the players.
    pub primary: Vec<[String; 2]>,
    /// The stopping rule in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<String>,
    /// The cells.
    pub cells: Vec<CellOutline>,
}

/// A cell in outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellOutline {
    /// The names of its players.
    pub players: Vec<String>,
    /// The names of its first trials.
    pub first_trials: Vec<String>,
}

impl Outline {
    pub(super) fn new(plan: &Plan) -> Self {
        let experiments = (0..plan.experiments().len()).map(|index| experiment(plan, index));
        let experiments: Vec<ExperimentOutline> = experiments.collect();
        let manifest = plan.manifest();
        Self {
            question: manifest.question.clone(),
            source: manifest.source.clone(),
            trials: plan.len(),
            games: experiments.iter().map(|experiment| experiment.games).sum(),
            experiments,
        }
    }
}

fn experiment(plan: &Plan, index: usize) -> ExperimentOutline {
    let of = plan.experiment(index);
    let name = |player: usize| of.players[player].name.clone();
    let cell = |(number, cell): (usize, &Cell)| {
        let id = |instance| plan.id(&Trial { experiment: index, instance, cell: number }).to_string();
        CellOutline {
            players: cell.players.iter().map(|&player| name(player)).collect(),
            first_trials: (0..of.trials.min(FIRST)).map(id).collect(),
        }
    };
    let cells: Vec<CellOutline> = plan.cells(index).iter().enumerate().map(cell).collect();
    let facts = of.facts();
    let games_per_trial = u64::from(facts.players);
    let trials = of.trials * cells.len() as u64;
    ExperimentOutline {
        name: of.name.clone(),
        game: of.game.spec().to_string(),
        design: of.design.name().into(),
        openings: of.openings.words(),
        trials_per_cell: of.trials,
        games_per_trial,
        score_unit: (facts.counts == Counts::Score).then(|| facts.score_unit.into()),
        trials,
        games: trials * games_per_trial,
        primary: of.primary.iter().map(|pair| pair.map(name)).collect(),
        stopping: of.stopping.as_ref().map(|rule: &StoppingRule| rule.words(&of.players, &facts)),
        cells,
    }
}

impl fmt::Display for Outline {
    /// Writes a line for each experiment, and below it a line for each cell: its players and the names of its first
    /// trials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for experiment in &self.experiments {
            let ExperimentOutline { name, game, design, trials, games, .. } = experiment;
            let (trials, games) = (counted(*trials, "trial"), counted(*games, "game"));
            writeln!(f, "{name}: {game}, {design}, {trials}, {games}")?;
            for CellOutline { players, first_trials } in &experiment.cells {
                writeln!(f, "  {}: {}", players.join(" – "), first_trials.join(" "))?;
            }
        }
        Ok(())
    }
}
