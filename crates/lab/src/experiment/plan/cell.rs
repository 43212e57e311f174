//! The cells of an experiment, and a trial as its place in the plan.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::manifest::{Design, Experiment, PlayerSpec};

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

/// A trial: a game of a solitaire, or a pair of games.
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
