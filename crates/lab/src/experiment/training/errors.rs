//! The errors of a network as numbers of a checkpoint.

use super::trained::Trained;
use crate::learn::{Epoch, Errors};
use crate::players::KeptErrors;

/// The numbers of a set: its samples, and three errors. An empty set has four zeros.
const OF_SET: usize = 4;

/// The numbers of an epoch: which it is, and two sets.
const OF_EPOCH: usize = 1 + 2 * OF_SET;

/// The numbers of what is kept: the epoch, two counts of games, four sets.
const OF_KEPT: usize = 3 + 4 * OF_SET;

fn of_set(errors: Option<Errors>) -> [f64; OF_SET] {
    errors.map_or_else(Default::default, |Errors { samples, loss, squared, absolute }| {
        [samples as f64, loss, squared, absolute]
    })
}

fn set(numbers: &[f64]) -> Option<Errors> {
    let &[samples, loss, squared, absolute] = numbers else { return None };
    (samples > 0.0).then_some(Errors { samples: samples as usize, loss, squared, absolute })
}

/// The errors of all epochs, then of the network that is kept. Whether there is one is seen by the count.
pub(super) fn numbers(trained: &Trained) -> Vec<f64> {
    let epoch = |Epoch { number, train, validate }: &Epoch| {
        [vec![f64::from(*number)], of_set(Some(*train)).into(), of_set(*validate).into()].concat()
    };
    let mut numbers: Vec<f64> = trained.epochs.iter().flat_map(epoch).collect();
    if let Some(KeptErrors { epoch, games, skipped, train, validate, test, mean }) = trained.kept {
        numbers.extend([f64::from(epoch), games as f64, skipped as f64]);
        numbers.extend([Some(train), validate, test, mean].into_iter().flat_map(of_set));
    }
    numbers
}

/// The errors of these numbers; `None` if they are none.
pub(super) fn of_numbers(numbers: &[f64]) -> Option<(Vec<Epoch>, Option<KeptErrors>)> {
    let count = if numbers.len() % OF_EPOCH == OF_KEPT % OF_EPOCH { OF_KEPT } else { 0 };
    let (epochs, kept) = numbers.split_at_checked(numbers.len().checked_sub(count)?)?;
    let epoch = |numbers: &[f64]| {
        let (train, validate) = numbers[1..].split_at(OF_SET);
        Some(Epoch { number: numbers[0] as u32, train: set(train)?, validate: set(validate) })
    };
    let epochs =
        epochs.chunks(OF_EPOCH).map(|numbers| epoch(numbers.get(..OF_EPOCH)?)).collect::<Option<_>>()?;
    let kept = match kept {
        &[epoch, games, skipped, ref sets @ ..] => {
            let mut sets = sets.chunks(OF_SET).map(set);
            Some(KeptErrors {
                epoch: epoch as u32,
                games: games as u64,
                skipped: skipped as u64,
                train: sets.next()??,
                validate: sets.next()?,
                test: sets.next()?,
                mean: sets.next()?,
            })
        }
        _ => None,
    };
    Some((epochs, kept))
}
