//! The order in which trials start.

use super::Plan;
use super::cell::Trial;

/// The trials of a plan in the order in which they are started; see [`Plan::schedule`].
pub(super) struct Schedule<'p> {
    plan: &'p Plan,
    /// The next instance of each experiment.
    next: Vec<u64>,
    /// The next trial of the current instance.
    pending: Option<Trial>,
}

impl<'p> Schedule<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self { plan, next: vec![0; plan.experiments().len()], pending: None }
    }

    /// The first trial of the instance that keeps the experiments in step: the smallest (instance + ½)/trials.
    fn next_instance(&mut self) -> Option<Trial> {
        let trials = |index: usize| self.plan.experiment(index).trials;
        let open = (0..self.next.len()).filter(|&index| self.next[index] < trials(index));
        let experiment = open.min_by(|&a, &b| {
            let progress = |index: usize| (u128::from(2 * self.next[index] + 1), u128::from(trials(index)));
            let ((a, of_a), (b, of_b)) = (progress(a), progress(b));
            (a * of_b).cmp(&(b * of_a))
        })?;
        let instance = self.next[experiment];
        self.next[experiment] += 1;
        Some(Trial { experiment, instance, cell: 0 })
    }
}

impl Iterator for Schedule<'_> {
    type Item = Trial;

    fn next(&mut self) -> Option<Trial> {
        let trial = match self.pending.take() {
            Some(trial) => trial,
            None => self.next_instance()?,
        };
        if trial.cell + 1 < self.plan.cells(trial.experiment).len() {
            self.pending = Some(Trial { cell: trial.cell + 1, ..trial });
        }
        Some(trial)
    }
}
