//! Finds the trial of a row by its names and its identity.

use std::collections::BTreeMap;

use crate::experiment::plan::Plan;
use crate::experiment::plan::cell::Trial;
use crate::experiment::plan::identity::TrialId;

/// The cells of a plan by the names in their rows: of the experiment and of the players in seat order.
pub(super) struct Finder<'p> {
    plan: &'p Plan,
    by_names: BTreeMap<Vec<u8>, (usize, usize)>,
}

/// The experiment and cell that names suggest. Names may have changed since.
pub(super) type Guess = Option<(usize, usize)>;

impl<'p> Finder<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let mut by_names = BTreeMap::new();
        for (index, experiment) in plan.experiments().enumerate() {
            for (number, cell) in plan.cells(index).iter().enumerate() {
                let name = |seat: usize| {
                    cell.players.get(seat).map_or("", |&player| &*experiment.players[player].name)
                };
                let key = [&*experiment.name, name(0), name(1)].join("\n");
                by_names.insert(key.into_bytes(), (index, number));
            }
        }
        Self { plan, by_names }
    }

    /// What the names in a row suggest: of the experiment, and of the first and second player.
    pub(super) fn guess(&self, names: [&[u8]; 3]) -> Guess {
        self.by_names.get(&names.join(&b'\n')).copied()
    }

    /// The trial of this instance with this name, if it is of the plan.
    pub(super) fn find(&self, guess: Guess, instance: u64, id: TrialId) -> Option<Trial> {
        let guess = guess.map(|(experiment, cell)| Trial { experiment, instance, cell });
        let guess = guess.filter(|trial| instance < self.plan.experiment(trial.experiment).trials);
        guess.filter(|trial| self.plan.id(trial) == id).or_else(|| self.plan.trial_named(id, instance))
    }
}
