//! Cells × instances: the trials of a manifest.

use super::identity::{Roots, TrialId};
use super::openings::Judge;
use super::rows::Labels;
use super::{Design, Experiment, Manifest};
use crate::players::Tables;

/// What makes the tables of a cell's games: one for each seating.
pub(super) type CellTables<'m> = Vec<Box<dyn Tables + 'm>>;

/// Who plays in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Indices of the players: one for a solitaire; for two players the one that begins the first game of each
    /// pair, then the other.
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

    /// The players of each game of a trial, in seat order: one game of a solitaire, a pair with seats swapped.
    pub fn seatings(&self) -> &[Vec<usize>] {
        &self.seatings
    }
}

/// One trial: a game of a solitaire, or a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trial {
    /// The index of the experiment.
    pub experiment: usize,
    /// The instance: which deal, or which opening.
    pub instance: u64,
    /// The index of the cell.
    pub cell: usize,
}

/// The trials of a manifest: for each experiment its cells, each with the same instances.
pub struct Plan<'m> {
    /// The manifest.
    pub manifest: &'m Manifest,
    /// For each experiment its cells.
    pub cells: Vec<Vec<Cell>>,
    /// For each experiment what its names and streams have in common.
    pub(super) roots: Vec<Roots>,
    /// For each experiment its names as they stand in rows.
    pub(super) labels: Vec<Labels>,
    /// For each experiment and cell what makes the tables of its games: one for each seating.
    pub(super) tables: Vec<Vec<CellTables<'m>>>,
    /// For each experiment who judges its openings, if somebody does.
    pub(super) judges: Vec<Option<Judge<'m>>>,
    /// For each experiment and cell the others that play the same trials, as far as their openings are the same.
    twins: Vec<Vec<Vec<(usize, usize)>>>,
}

impl<'m> Plan<'m> {
    /// The plan of a manifest.
    pub fn new(manifest: &'m Manifest) -> Self {
        let cells: Vec<Vec<Cell>> = manifest.experiments.iter().map(cells).collect();
        let roots: Vec<Roots> = manifest
            .experiments
            .iter()
            .zip(&cells)
            .map(|(experiment, cells)| Roots::new(experiment, cells))
            .collect();
        let labels = manifest.experiments.iter().map(Labels::new).collect();
        let twins = twins(&cells, &roots);
        let tables = manifest
            .experiments
            .iter()
            .zip(&cells)
            .map(|(experiment, cells)| cells.iter().map(|cell| tables(experiment, cell)).collect());
        let tables = tables.collect();
        let judges = manifest.experiments.iter().map(Judge::new).collect();
        Self { manifest, cells, roots, labels, tables, judges, twins }
    }

    /// How many trials there are.
    pub fn len(&self) -> u64 {
        self.experiments().map(|(experiment, cells)| experiment.trials * cells.len() as u64).sum()
    }

    /// Whether there are no trials.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials in the order in which they are started: every experiment advances at the same pace, and
    /// within one all cells of an instance come before the next instance. So an interrupted run is balanced,
    /// times of what is compared are interleaved, and the time left can be foretold.
    pub fn schedule(&self) -> Schedule<'_, 'm> {
        Schedule { plan: self, next: vec![0; self.cells.len()], pending: None }
    }

    /// The name of a trial.
    pub fn id(&self, trial: &Trial) -> TrialId {
        let experiment = &self.manifest.experiments[trial.experiment];
        self.roots[trial.experiment].id(experiment, trial.cell, trial.instance)
    }

    /// The trial of this instance with this name, the first in canonical order.
    ///
    /// # Cost
    /// The names of all cells with this instance.
    pub fn trial_named(&self, id: TrialId, instance: u64) -> Option<Trial> {
        let of_instance =
            self.experiments().enumerate().filter(|(_, (experiment, _))| instance < experiment.trials);
        let mut trials = of_instance.flat_map(|(experiment, (_, cells))| {
            (0..cells.len()).map(move |cell| Trial { experiment, instance, cell })
        });
        trials.find(|trial| self.id(trial) == id)
    }

    /// The other trials with the same content: experiments may share some, such as those of a baseline. What is played
    /// once counts for all of them.
    pub fn same_as(&self, trial: Trial) -> impl Iterator<Item = Trial> + '_ {
        let openings = |experiment: usize| &self.manifest.experiments[experiment].openings;
        let twins = self.twins[trial.experiment][trial.cell].iter();
        let twins = twins.map(move |&(experiment, cell)| Trial { experiment, cell, ..trial });
        twins.filter(move |twin| {
            trial.instance < self.manifest.experiments[twin.experiment].trials
                && openings(twin.experiment).content(trial.instance)
                    == openings(trial.experiment).content(trial.instance)
        })
    }

    /// Whether a trial need not be played, because the same trial stands before it in canonical order.
    pub fn is_repeated(&self, trial: &Trial) -> bool {
        self.same_as(*trial).any(|twin| twin < *trial)
    }

    /// The trials in canonical order: by experiment, instance and cell.
    pub fn canonical(&self) -> impl Iterator<Item = Trial> + '_ {
        self.experiments().enumerate().flat_map(|(index, (experiment, cells))| {
            let cells = 0..cells.len();
            (0..experiment.trials).flat_map(move |instance| {
                cells.clone().map(move |cell| Trial { experiment: index, instance, cell })
            })
        })
    }

    fn experiments(&self) -> impl Iterator<Item = (&Experiment, &Vec<Cell>)> {
        self.manifest.experiments.iter().zip(&self.cells)
    }
}

/// See [`Plan::schedule`].
pub struct Schedule<'p, 'm> {
    plan: &'p Plan<'m>,
    /// The next instance of each experiment.
    next: Vec<u64>,
    /// The next trial of the instance in hand.
    pending: Option<Trial>,
}

impl Iterator for Schedule<'_, '_> {
    type Item = Trial;

    fn next(&mut self) -> Option<Trial> {
        let trial = match self.pending.take() {
            Some(trial) => trial,
            None => self.next_instance()?,
        };
        if trial.cell + 1 < self.plan.cells[trial.experiment].len() {
            self.pending = Some(Trial { cell: trial.cell + 1, ..trial });
        }
        Some(trial)
    }
}

impl Schedule<'_, '_> {
    /// The first trial of the instance that keeps the experiments in step: the smallest (instance + ½)/trials.
    fn next_instance(&mut self) -> Option<Trial> {
        let experiments = &self.plan.manifest.experiments;
        let open = (0..experiments.len()).filter(|&index| self.next[index] < experiments[index].trials);
        let experiment = open.min_by(|&a, &b| {
            let share =
                |index: usize| (u128::from(2 * self.next[index] + 1), u128::from(experiments[index].trials));
            let ((a, of_a), (b, of_b)) = (share(a), share(b));
            (a * of_b).cmp(&(b * of_a))
        })?;
        let instance = self.next[experiment];
        self.next[experiment] += 1;
        Some(Trial { experiment, instance, cell: 0 })
    }
}

fn tables<'m>(experiment: &'m Experiment, cell: &Cell) -> CellTables<'m> {
    let tables = |seating: &Vec<usize>| {
        let seats: Vec<_> =
            seating.iter().map(|&player| experiment.players[player].searcher.clone()).collect();
        experiment.game.prepare(&seats).expect("the manifest was checked")
    };
    cell.seatings().iter().map(tables).collect()
}

/// For each experiment and cell the others that play the same trials.
fn twins(cells: &[Vec<Cell>], roots: &[Roots]) -> Vec<Vec<Vec<(usize, usize)>>> {
    let places = || (0..cells.len()).flat_map(|index| (0..cells[index].len()).map(move |cell| (index, cell)));
    let of_cell = |place: (usize, usize)| {
        let same = |other: &(usize, usize)| roots[place.0].plays_as(place.1, &roots[other.0], other.1);
        places().filter(|other| other.0 != place.0).filter(same).collect()
    };
    let of_experiment =
        |(index, cells): (usize, &Vec<Cell>)| (0..cells.len()).map(|cell| of_cell((index, cell))).collect();
    cells.iter().enumerate().map(of_experiment).collect()
}

fn cells(experiment: &Experiment) -> Vec<Cell> {
    let players = 0..experiment.players.len();
    let contents: Vec<String> = experiment.players.iter().map(super::PlayerSpec::content).collect();
    let cell = |a: usize, b: usize| {
        // The order within a pair is that of the content, so that moving a player in the list changes nothing.
        Cell::new(if contents[a] <= contents[b] { vec![a, b] } else { vec![b, a] })
    };
    match &experiment.design {
        Design::Solo => players.map(|player| Cell::new(vec![player])).collect(),
        Design::Match | Design::RoundRobin => {
            players.clone().flat_map(|a| players.clone().skip(a + 1).map(move |b| cell(a, b))).collect()
        }
        Design::Gauntlet { baselines } => {
            let challengers = players.filter(|player| !baselines.contains(player));
            challengers.flat_map(|a| baselines.iter().map(move |&b| cell(a, b))).collect()
        }
    }
}
