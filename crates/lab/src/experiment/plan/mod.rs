//! The plan: cells × instances, the trials of a manifest in their order.
//!
//! A plan is a value: it owns its data, copying it costs one reference count, and it does not depend on playing or on
//! logs. Making a plan resolves every player for its game, once.

mod cell;
mod identity;
mod outline;
mod planned;
mod shard;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use self::cell::{Cell, Trial};
pub use self::identity::TrialId;
pub(crate) use self::identity::{Players, Roots};
pub use self::outline::{CellOutline, ExperimentOutline, Outline};
pub(crate) use self::planned::Planned;
pub use self::shard::Shard;
use crate::manifest::{Experiment, Manifest, ManifestError, PlacedError};

/// The trials of a manifest: for each experiment its cells, each with the same instances, and its players resolved.
///
/// A plan displays as an [outline](Plan::outline).
///
/// # Example
/// ```
/// use shikou::experiment::{Manifest, Plan, Trial};
/// let text = r#"
///     schema = 1
///     [[experiment]]
///     game = "tic-tac-toe"
///     trials = 10
///     player = [{ search = "random" }, { search.flat = { playouts-per-move = 20 } }]
/// "#;
/// let manifest = Manifest::parse("example.toml".as_ref(), text, &shikou::registry()).unwrap();
/// let plan = Plan::new(&manifest).unwrap();
/// assert_eq!((plan.len(), plan.cells(0).len()), (10, 1));
/// assert_eq!(plan.canonical().next(), Some(Trial { experiment: 0, instance: 0, cell: 0 }));
/// assert_eq!(plan.outline().experiments[0].cells[0].players, ["flat(playouts-per-move=20)", "random"]);
/// ```
#[derive(Clone)]
pub struct Plan {
    manifest: Arc<Manifest>,
    planned: Arc<[Planned]>,
    shared: Arc<Shared>,
}

/// The cells that play the same trials if their openings are the same.
struct Shared {
    /// For each experiment and cell, its group.
    of: Vec<Vec<usize>>,
    /// The groups: experiments and cells.
    groups: Vec<Vec<(usize, usize)>>,
}

impl Plan {
    /// The plan of a manifest.
    ///
    /// # Errors
    /// If a player does not fit its game; the error has the place of the part that does not fit.
    pub fn new(manifest: &Manifest) -> Result<Self, ManifestError> {
        Self::resolve(manifest).map_err(|error| manifest.error(error))
    }

    /// Like [`Plan::new`], with the place of an error as bytes of the document.
    ///
    /// # Errors
    /// If a player does not fit its game.
    pub fn resolve(manifest: &Manifest) -> Result<Self, PlacedError> {
        let experiments = manifest.comparisons().enumerate();
        let planned = experiments.map(|(index, experiment)| Planned::new(manifest, index, experiment));
        let planned = planned.collect::<Result<Arc<[_]>, _>>()?;
        let shared = Arc::new(shared(&planned));
        Ok(Self { manifest: Arc::new(manifest.clone()), planned, shared })
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The experiments, in the order of the manifest.
    pub fn experiments(&self) -> impl ExactSizeIterator<Item = &Experiment> {
        self.planned.iter().map(|planned| &*planned.experiment)
    }

    /// The experiment with this index.
    ///
    /// # Panics
    /// If there is none. The other methods that take an index or a trial panic likewise.
    pub fn experiment(&self, index: usize) -> &Experiment {
        &self.planned[index].experiment
    }

    /// The cells of an experiment.
    pub fn cells(&self, experiment: usize) -> &[Cell] {
        &self.planned[experiment].cells
    }

    pub(crate) fn planned(&self, experiment: usize) -> &Planned {
        &self.planned[experiment]
    }

    /// The number of trials.
    pub fn len(&self) -> u64 {
        let trials = |planned: &Planned| planned.experiment.trials * planned.cells.len() as u64;
        self.planned.iter().map(trials).sum()
    }

    /// The number of trials that differ: one that several experiments share counts once.
    ///
    /// # Cost
    /// Goes through all trials if experiments may share some.
    pub fn distinct(&self) -> u64 {
        if self.shared.groups.iter().all(|group| group.len() == 1) {
            return self.len();
        }
        self.canonical().filter(|trial| !self.is_repeated(trial)).count() as u64
    }

    /// Whether there are no trials.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The trials in the order in which they start. All experiments advance at the same pace, and all cells of an
    /// instance come before the next instance. So an interrupted run is balanced, the times of compared players are
    /// interleaved, and the remaining time can be estimated.
    pub fn schedule(&self) -> impl Iterator<Item = Trial> + '_ {
        let mut next = vec![0; self.planned.len()];
        let instances = std::iter::from_fn(move || {
            let trials = |index: usize| self.experiment(index).trials;
            // The smallest (instance + ½)/trials keeps the experiments in step.
            let progress = |index: usize| (u128::from(2 * next[index] + 1), u128::from(trials(index)));
            let open = (0..next.len()).filter(|&index| next[index] < trials(index));
            let experiment = open.min_by(|&a, &b| {
                let ((a, of_a), (b, of_b)) = (progress(a), progress(b));
                (a * of_b).cmp(&(b * of_a))
            })?;
            next[experiment] += 1;
            Some((experiment, next[experiment] - 1))
        });
        instances.flat_map(|(experiment, instance)| {
            (0..self.cells(experiment).len()).map(move |cell| Trial { experiment, instance, cell })
        })
    }

    /// The trials in canonical order: by experiment, instance and cell.
    pub fn canonical(&self) -> impl Iterator<Item = Trial> + '_ {
        self.planned.iter().enumerate().flat_map(|(experiment, planned)| {
            let cells = 0..planned.cells.len();
            (0..planned.experiment.trials)
                .flat_map(move |instance| cells.clone().map(move |cell| Trial { experiment, instance, cell }))
        })
    }

    /// The name of a trial.
    pub fn id(&self, trial: &Trial) -> TrialId {
        self.planned[trial.experiment].roots.id(trial.cell, trial.instance)
    }

    /// The trial of this instance with this name, the first in canonical order.
    ///
    /// # Cost
    /// The names of all cells with this instance.
    pub fn trial_named(&self, id: TrialId, instance: u64) -> Option<Trial> {
        let all = self.planned.iter().enumerate();
        let of_instance = all.filter(|(_, planned)| instance < planned.experiment.trials);
        let mut trials = of_instance.flat_map(|(experiment, planned)| {
            (0..planned.cells.len()).map(move |cell| Trial { experiment, instance, cell })
        });
        trials.find(|trial| self.id(trial) == id)
    }

    /// The other trials with the same content and instance. Experiments may share trials, such as those of a baseline; playing one
    /// counts for all.
    pub fn same_as(&self, trial: Trial) -> impl Iterator<Item = Trial> + '_ {
        let group = &self.shared.groups[self.shared.of[trial.experiment][trial.cell]];
        let others = group.iter().filter(move |(experiment, _)| *experiment != trial.experiment);
        let others = others.map(move |&(experiment, cell)| Trial { experiment, cell, ..trial });
        others.filter(move |other| {
            trial.instance < self.experiment(other.experiment).trials && self.id(other) == self.id(&trial)
        })
    }

    /// Whether a trial is redundant, because the same trial comes earlier in canonical order.
    pub fn is_repeated(&self, trial: &Trial) -> bool {
        self.same_as(*trial).any(|other| other < *trial)
    }

    /// Whether an engine plays in a trial. What another program plays is no function of the manifest, so the canonical log is
    /// without such trials.
    pub fn has_engine(&self, trial: &Trial) -> bool {
        let Planned { experiment, cells, .. } = &self.planned[trial.experiment];
        cells[trial.cell].players.iter().any(|&player| experiment.players[player].searcher.is_engine())
    }

    /// Whether the trial is the same whenever it is played: no engine plays, and no player has a budget of time.
    pub fn repeats(&self, trial: &Trial) -> bool {
        let Planned { experiment, cells, .. } = &self.planned[trial.experiment];
        cells[trial.cell].players.iter().all(|&player| experiment.players[player].searcher.is_repeatable())
    }

    /// The plan as data that can be written, read back and compared.
    pub fn outline(&self) -> Outline {
        Outline::new(self)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plan").field(&self.outline()).finish()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outline().fmt(f)
    }
}

fn shared(planned: &[Planned]) -> Shared {
    let (mut known, mut groups) = (BTreeMap::new(), Vec::<Vec<(usize, usize)>>::new());
    let mut group = |experiment: usize, cell: usize| {
        let group = *known.entry(planned[experiment].roots.content(cell)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::with_capacity(1));
        }
        groups[group].push((experiment, cell));
        group
    };
    let of = planned.iter().enumerate();
    let of = of
        .map(|(index, planned)| (0..planned.cells.len()).map(|cell| group(index, cell)).collect())
        .collect();
    Shared { of, groups }
}
