//! A training as what is fitted to samples, with its state as numbers, from which it goes on.

use super::{Diverged, Epoch, Errors, Set, Sum, Trainer};
use crate::learn::{Fit, Keep};

impl Fit for Trainer {
    fn epoch(&mut self) -> Result<Epoch, Diverged> {
        self.epoch()
    }

    fn kept(&self, keep: Keep) -> (u32, Vec<f64>) {
        let (epoch, network) = keep.of(self.best(), (self.epochs, &self.network));
        (epoch, network.parameters().iter().copied().map(f64::from).collect())
    }

    fn errors_of_kept(&self, keep: Keep, set: Set) -> Option<Errors> {
        self.errors_of(keep.of(self.best(), (0, &self.network)).1, set)
    }

    fn errors_of_mean(&self, set: Set) -> Option<Errors> {
        let targets = |set| self.set(set).iter().map(|&sample| self.samples.targets()[sample]);
        let mean = targets(Set::Train).map(f64::from).sum::<f64>() / self.sets.train.len() as f64;
        let prediction = self.settings.loss.prediction(mean);
        let mut sum = Sum::default();
        targets(set).for_each(|target| sum.add(self.settings.loss, &[prediction], &[target]));
        (!self.set(set).is_empty()).then(|| sum.errors())
    }

    fn state(&self) -> Vec<f64> {
        let numbers = |network: &[f32]| network.iter().copied().map(f64::from).collect::<Vec<f64>>();
        let mut state = numbers(self.network.parameters());
        state.push(self.epochs.into());
        let (epoch, loss) = self.best.as_ref().map_or((0, 0.0), |(loss, epoch, _)| (*epoch, *loss));
        state.extend([f64::from(epoch), loss]);
        state.extend(self.best.iter().flat_map(|(.., network)| numbers(network.parameters())));
        state.extend(self.descent.steps.state());
        state
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let count = self.network.parameters().len();
        let mut rest = state;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let (Some(network), Some(&[epochs, epoch, loss])) = (take(count), take(3)) else { return false };
        let best = if epoch > 0.0 { take(count) } else { Some(&[][..]) };
        let Some(best) = best else { return false };
        let set = |parameters: &mut [f32], numbers: &[f64]| {
            parameters.iter_mut().zip(numbers).for_each(|(parameter, &number)| *parameter = number as f32);
        };
        set(self.network.parameters_mut(), network);
        self.epochs = epochs as u32;
        self.best = (!best.is_empty()).then(|| {
            let mut network = self.network.clone();
            set(network.parameters_mut(), best);
            (loss, epoch as u32, network)
        });
        self.descent.steps.restore(rest)
    }
}
