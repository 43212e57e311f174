//! Tests of networks.

use super::*;

fn layers(widths: &[usize], hidden: Activation) -> Vec<Layer> {
    let last = widths.len() - 1;
    let activation = |number| if number == last { Activation::Linear } else { hidden };
    widths.iter().enumerate().map(|(n, &width)| Layer { width, activation: activation(n) }).collect()
}

fn input(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = (Stream::new(seed) / "input").rng();
    (0..count).map(|_| f32::from(rng.below(3) == 0)).collect()
}

/// In a batch of any size, and with the first layer by its ones, every value has the same bits.
#[test]
fn a_value_has_the_same_bits_alone_in_a_batch_and_by_its_ones() {
    for (number, (_, hidden)) in Activation::ALL.into_iter().enumerate() {
        let network = Network::random(75, &layers(&[33, 16, 1], hidden), Stream::new(number as u64)).unwrap();
        let all: Vec<f32> = (0..11).flat_map(|seed| input(75, seed)).collect();
        let (mut scratch, mut batch, mut by_ones) = (Scratch::default(), Vec::new(), Vec::new());
        network.values(&all, &mut scratch, &mut batch);
        let ones: Vec<Vec<u16>> =
            all.chunks(75).map(|row| (0..75).filter(|&n| row[usize::from(n)] == 1.0).collect()).collect();
        network.values_of_ones(ones.iter().map(Vec::as_slice), &mut scratch, &mut by_ones);
        let alone: Vec<f32> = all.chunks(75).map(|row| network.value(row)).collect();
        assert_eq!(alone, batch);
        assert_eq!(alone, by_ones);
        let largest = network.largest(1.0);
        assert!(alone.iter().all(|value| f64::from(value.abs()) <= largest), "{largest} {alone:?}");
    }
}

#[test]
fn the_largest_value_is_reached_by_a_layer_without_doubt() {
    let layers = layers(&[1], Activation::Tanh);
    let network = Network::from_parameters(2, &layers, vec![2.0, -3.0, 0.5]).unwrap();
    assert!((network.largest(1.0) - 5.5 * 1.0001).abs() < 1e-9);
}

#[test]
fn layers_that_are_no_network_are_refused() {
    let refused = |inputs: usize, widths: &[usize]| {
        let layers: Vec<Layer> =
            widths.iter().map(|&width| Layer { width, activation: Activation::Tanh }).collect();
        Network::random(inputs, &layers, Stream::new(1)).unwrap_err().to_string()
    };
    assert!(refused(3, &[]).contains("there are none"));
    assert!(refused(3, &[4, 2]).contains("width 2"));
    assert!(refused(3, &[0, 1]).contains("width of 0"));
    assert!(refused(0, &[1]).contains("width of 0"));
    assert!(refused(usize::MAX, &[2, 1]).contains("more than"));
    let nan = Network::from_parameters(1, &layers(&[1], Activation::Tanh), vec![1.0, f32::NAN]);
    assert!(nan.unwrap_err().to_string().contains("number 1 is NaN"));
}
