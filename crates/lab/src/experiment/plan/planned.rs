//! An experiment of a plan: its cells and trials, its players resolved for its game, its names and streams.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::Roots;
use crate::experiment::manifest::read::Read;
use crate::experiment::manifest::{Balance, Design, Experiment, Manifest, Openings, PlayerSpec, waits_for};
use crate::players::{FitError, Tables};

pub(crate) struct Planned {
    pub(crate) experiment: Arc<Experiment>,
    pub(crate) cells: Vec<Cell>,
    /// The common part of the names and streams of its trials.
    pub(crate) roots: Roots,
    /// Its players, resolved for its game.
    pub(crate) tables: Box<dyn Tables>,
    /// The judge of its openings at every seat, if they are balanced.
    pub(crate) judge: Option<Box<dyn Tables>>,
    /// For each played instance, the first draw of its opening that the judge finds balanced. It is a function of the
    /// plan, cached because every cell of an instance needs it.
    balanced: Mutex<BTreeMap<u64, u64>>,
}

impl Planned {
    pub(super) fn new(manifest: &Manifest, index: usize, experiment: &Arc<Experiment>) -> Read<Self> {
        let game = &experiment.game;
        for (player, spec) in experiment.players.iter().enumerate() {
            if let Some(name) = waits_for(&spec.searcher) {
                let is_training = manifest.trainings().any(|training| training.name == name);
                let kind = if is_training { "training" } else { "optimisation" };
                let reason = format!("it waits for the {kind} `{name}`; `shikou run` plays that first");
                return Err(manifest.misfit(
                    index,
                    Some(player),
                    &spec.searcher,
                    &FitError::searcher(reason),
                ));
            }
        }
        let players: Vec<_> = experiment.players.iter().map(|player| player.searcher.clone()).collect();
        let tables = game.prepare(&players).map_err(|unfit| {
            manifest.misfit(index, Some(unfit.player), &players[unfit.player], &unfit.error)
        })?;
        let judge = match &experiment.openings {
            Openings::Random { balance: Some(Balance { judge, .. }), .. } => {
                let judged = game.prepare(std::slice::from_ref(judge));
                Some(judged.map_err(|unfit| manifest.misfit(index, None, judge, &unfit.error))?)
            }
            _ => None,
        };
        let cells = Cell::of(experiment);
        let roots = Roots::new(experiment, &cells);
        Ok(Self {
            experiment: Arc::clone(experiment),
            cells,
            roots,
            tables,
            judge,
            balanced: Mutex::default(),
        })
    }

    /// The draw of the balanced opening of an instance. `find` is called if it is not known yet.
    ///
    /// # Errors
    /// Those of `find`.
    pub(crate) fn balanced_draw<E>(
        &self,
        instance: u64,
        find: impl FnOnce() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let known = || self.balanced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&draw) = known().get(&instance) {
            return Ok(draw);
        }
        let draw = find()?;
        known().insert(instance, draw);
        Ok(draw)
    }
}

/// The players of a trial. Each cell of an experiment plays every instance once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Indices of the players: one for a solitaire; else the player that begins the first game of each pair, then the
    /// other.
    pub players: Vec<usize>,
    seatings: Vec<Vec<usize>>,
}

impl Cell {
    fn new(players: Vec<usize>) -> Self {
        let seatings = match players[..] {
            [a, b] => vec![vec![a, b], vec![b, a]],
            _ => vec![players.clone()],
        };
        Self { players, seatings }
    }

    /// The cells of an experiment, in the order of the manifest's players.
    pub(crate) fn of(experiment: &Experiment) -> Vec<Self> {
        let players = 0..experiment.players.len();
        let contents: Vec<String> = experiment.players.iter().map(PlayerSpec::content).collect();
        // The order within a pair follows the players' content, so that moving a player in the list changes nothing.
        let pair =
            |a: usize, b: usize| Self::new(if contents[a] <= contents[b] { vec![a, b] } else { vec![b, a] });
        match &experiment.design {
            Design::Solo => players.map(|player| Self::new(vec![player])).collect(),
            Design::Match | Design::RoundRobin => {
                players.clone().flat_map(|a| players.clone().skip(a + 1).map(move |b| pair(a, b))).collect()
            }
            Design::Gauntlet { baselines } => {
                let challengers = players.filter(|player| !baselines.contains(player));
                challengers.flat_map(|a| baselines.iter().map(move |&b| pair(a, b))).collect()
            }
        }
    }

    /// The players of each game of a trial, in seat order: one game of a solitaire, a pair with seats swapped.
    pub fn seatings(&self) -> &[Vec<usize>] {
        &self.seatings
    }
}

/// One trial: a game of a solitaire, or a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Trial {
    /// The index of the experiment.
    pub experiment: usize,
    /// The instance: the number of the deal or opening.
    pub instance: u64,
    /// The index of the cell.
    pub cell: usize,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiment, instance, cell } = self;
        write!(f, "experiment {experiment}, instance {instance}, cell {cell}")
    }
}
