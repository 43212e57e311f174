//! The state of a training as numbers, from which it goes on.

use super::Trainer;

impl Trainer {
    /// All numbers that the rest of the training depends on. Those of the network are the first.
    pub fn state(&self) -> Vec<f64> {
        let numbers = |network: &[f32]| network.iter().copied().map(f64::from).collect::<Vec<f64>>();
        let mut state = numbers(self.network.parameters());
        state.push(self.epochs.into());
        let (epoch, loss) = self.best.as_ref().map_or((0, 0.0), |(loss, epoch, _)| (*epoch, *loss));
        state.extend([f64::from(epoch), loss]);
        state.extend(self.best.iter().flat_map(|(.., network)| numbers(network.parameters())));
        state.extend(self.descent.steps.state());
        state
    }

    /// Takes over a [state](Self::state) of a training with the same settings. Returns whether it has the right length.
    #[must_use]
    pub fn restore(&mut self, state: &[f64]) -> bool {
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
