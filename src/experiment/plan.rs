//! Cells × instances: the trials of a manifest.

use std::collections::BTreeSet;

use super::identity::TrialId;
use super::{Design, Experiment, Manifest};

/// Who plays in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Indices of the players: one for a solitaire; for two players the one that begins the first game of each
    /// pair, then the other.
    pub players: Vec<usize>,
}

impl Cell {
    /// The players of each game of a trial, in seat order: one game of a solitaire, a pair with seats swapped.
    pub fn seatings(&self) -> Vec<Vec<usize>> {
        match self.players[..] {
            [a, b] => vec![vec![a, b], vec![b, a]],
            _ => vec![self.players.clone()],
        }
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
}

impl<'m> Plan<'m> {
    /// The plan of a manifest.
    pub fn new(manifest: &'m Manifest) -> Self {
        Self { manifest, cells: manifest.experiments.iter().map(cells).collect() }
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
        TrialId::new(experiment, &self.cells[trial.experiment][trial.cell], trial.instance)
    }

    /// The trials that need not be played, because the same trial stands before them in canonical order: experiments
    /// may share some, such as those of a baseline.
    pub fn repeated(&self) -> BTreeSet<Trial> {
        let mut seen = BTreeSet::new();
        self.canonical().filter(|trial| !seen.insert(self.id(trial))).collect()
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

fn cells(experiment: &Experiment) -> Vec<Cell> {
    let players = 0..experiment.players.len();
    let contents: Vec<String> = experiment.players.iter().map(super::PlayerSpec::content).collect();
    let cell = |a: usize, b: usize| {
        // The order within a pair is that of the content, so that moving a player in the list changes nothing.
        let players = if contents[a] <= contents[b] { vec![a, b] } else { vec![b, a] };
        Cell { players }
    };
    match &experiment.design {
        Design::Solo => players.map(|player| Cell { players: vec![player] }).collect(),
        Design::Match | Design::RoundRobin => {
            players.clone().flat_map(|a| players.clone().skip(a + 1).map(move |b| cell(a, b))).collect()
        }
        Design::Gauntlet { baselines } => {
            let challengers = players.filter(|player| !baselines.contains(player));
            challengers.flat_map(|a| baselines.iter().map(move |&b| cell(a, b))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Registry;

    const TEXT: &str = r#"
        schema = 1
        [[experiment]]
        name = "a"
        game = "tic-tac-toe"
        trials = 3
        player = [{ search = "random" }, { search = "flat" }, { search.minimax = { depth = "full" } }]
        [[experiment]]
        name = "b"
        game = "calculation"
        trials = 6
        player = [{ search = "random" }]
    "#;

    #[test]
    fn the_schedule_keeps_experiments_in_step_and_instances_together() {
        let manifest = Manifest::parse("test.toml".as_ref(), TEXT, &Registry::standard()).unwrap();
        let plan = Plan::new(&manifest);
        let order: Vec<_> = plan.schedule().map(|t| (t.experiment, t.instance, t.cell)).collect();
        assert_eq!(order.len() as u64, plan.len());
        assert_eq!(order[..6], [(1, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 1, 0), (1, 2, 0)]);
        let mut sorted: Vec<_> = plan.schedule().collect();
        sorted.sort();
        assert_eq!(sorted, plan.canonical().collect::<Vec<_>>());
    }

    #[test]
    fn moving_a_player_in_the_list_moves_no_pair() {
        let registry = Registry::standard();
        let moved = TEXT.replace(
            r#"{ search = "random" }, { search = "flat" }"#,
            r#"{ search = "flat" }, { search = "random" }"#,
        );
        let ids = |text: &str| {
            let manifest = Manifest::parse("test.toml".as_ref(), text, &registry).unwrap();
            let plan = Plan::new(&manifest);
            let mut ids: Vec<String> = plan.canonical().map(|trial| plan.id(&trial).to_string()).collect();
            ids.sort();
            ids
        };
        assert_ne!(TEXT, moved);
        assert_eq!(ids(TEXT), ids(&moved));
    }
}
