//! Networks: values a second of a 192–192–192–192–1 network, single and in batches, beside three plain loops, and the
//! training of such a network on as many samples as source N had.
//!
//! `cargo bench --bench networks`. A value may differ from that of the plain loops by 1e-5 of the largest.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use shikou::learn::{
    Activation, Layer, Loss, Network, Optimiser, Samples, Scratch, Settings, Split, Trainer, Unit,
};
use shikou::rng::Stream;

/// A layer by its definition: weights by sum, `f32::tanh` of the system.
struct Plain(Vec<(Vec<Vec<f32>>, Vec<f32>)>);

impl Plain {
    fn of(network: &Network) -> Self {
        let (mut inputs, mut rest) = (network.inputs(), network.parameters());
        let layer = |layer: &Layer| {
            let (weights, after) = rest.split_at(inputs * layer.width);
            let (biases, after) = after.split_at(layer.width);
            let sum = |sum: usize| weights.iter().skip(sum).step_by(layer.width).copied().collect();
            let found = ((0..layer.width).map(sum).collect(), biases.to_vec());
            (inputs, rest) = (layer.width, after);
            found
        };
        Self(network.layers().iter().map(layer).collect())
    }

    fn value(&self, input: &[f32]) -> f32 {
        let mut now = input.to_vec();
        for (number, (weights, biases)) in self.0.iter().enumerate() {
            let sum = |(row, bias): (&Vec<f32>, &f32)| {
                bias + row.iter().zip(&now).map(|(weight, x)| weight * x).sum::<f32>()
            };
            let sums: Vec<f32> = weights.iter().zip(biases).map(sum).collect();
            let is_last = number + 1 == self.0.len();
            now = if is_last { sums } else { sums.into_iter().map(f32::tanh).collect() };
        }
        now[0]
    }
}

fn network() -> Network {
    let hidden = [Layer { width: 192, activation: Activation::Tanh }; 3];
    let layers = [&hidden[..], &[Layer { width: 1, activation: Activation::Linear }]].concat();
    Network::random(192, &layers, Stream::new(1)).expect("the layers are a network")
}

/// Boards with random owners: the inputs that are 1.
fn boards(count: usize) -> Vec<Vec<u16>> {
    let mut rng = (Stream::new(2) / "boards").rng();
    (0..count).map(|_| (0..64).map(|square| 3 * square + rng.below(3) as u16).collect()).collect()
}

fn numbers(ones: &[u16]) -> Vec<f32> {
    let mut numbers = vec![0.0; 192];
    for &one in ones {
        numbers[usize::from(one)] = 1.0;
    }
    numbers
}

/// Prints how often a second work of `each` values is done.
fn report(name: &str, each: usize, mut work: impl FnMut()) {
    let (start, mut rounds) = (ProcessTime::now(), 0);
    while rounds == 0 || (start.elapsed() < Duration::from_secs(2) && is_bench()) {
        work();
        rounds += 1;
    }
    println!("{name:<24}{:>12.0} a second", (rounds * each) as f64 / start.elapsed().as_secs_f64());
}

fn is_bench() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

fn main() {
    let (network, boards) = (network(), boards(1024));
    let plain = Plain::of(&network);
    let (mut scratch, mut values) = (Scratch::default(), Vec::new());
    let inputs: Vec<Vec<f32>> = boards.iter().map(|ones| numbers(ones)).collect();
    network.values_of_ones(boards.iter().map(Vec::as_slice), &mut scratch, &mut values);
    let expected: Vec<f32> = inputs.iter().map(|input| plain.value(input)).collect();
    let largest = expected.iter().fold(1.0_f32, |most, value| most.max(value.abs()));
    assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-5 * largest), "equal values");

    println!("192-192-192-192-1, one core, processor time");
    let mut sum = 0.0;
    report("plain loops", inputs.len(), || sum += inputs.iter().map(|input| plain.value(input)).sum::<f32>());
    report("single, all inputs", inputs.len(), || {
        sum += inputs.iter().map(|input| network.value(input)).sum::<f32>();
    });
    for size in [1, 8, 64] {
        report(&format!("boards, batches of {size}"), boards.len(), || {
            values.clear();
            for batch in boards.chunks(size) {
                network.values_of_ones(batch.iter().map(Vec::as_slice), &mut scratch, &mut values);
            }
        });
    }
    assert!(sum.is_finite());
    train(network, &inputs);
}

/// The training of source N: 49 % of 1500 samples, 150 epochs in batches of 200.
fn train(network: Network, inputs: &[Vec<f32>]) {
    let mut samples = Samples::new(192);
    for (number, input) in inputs.iter().cycle().take(1500).enumerate() {
        samples.push(input, input[..60].iter().sum::<f32>() - 20.0, number as u64 / 60);
    }
    let settings = Settings {
        loss: Loss::Squared {},
        optimiser: Optimiser::Amsbound {
            rate: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            final_rate: 0.1,
            gamma: 1e-3,
        },
        l1: 1e-5,
        l2: 0.0,
        batch: 200,
        split: Split { unit: Unit::Sample, validate: 0.21, test: 0.3 },
    };
    let trainer = Trainer::new(network, settings, Arc::new(samples), Stream::new(3));
    let mut trainer = trainer.expect("the samples fit");
    let start = ProcessTime::now();
    let epochs = if is_bench() { 150 } else { 1 };
    for _ in 0..epochs {
        trainer.epoch().expect("the training does not diverge");
    }
    println!(
        "{:<24}{:>12.2} s of processor time, all cores",
        format!("{epochs} epochs"),
        start.elapsed().as_secs_f64()
    );
}
