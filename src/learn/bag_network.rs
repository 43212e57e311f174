//! A network of bags: sums over the things of each bag, pooled, and two dense layers.
//!
//! Every kind of thing has a row of sixteen weights. The first fifteen of the sum over a pooled bag are cut off below 0; their sum
//! and their maximum over all pooled bags, and the sum over the last bag, are the inputs of a layer of 32 such units (Zaheer et al.
//! 2017, "Deep Sets"). The sixteenth weights are added up and bypass all layers: that part is a table of n-tuples.
//!
//! Arithmetic is in `f32` in a fixed order. Rejected: widths as options. A row of sixteen is one line of the cache, and no other
//! width was ever better.

use crate::game::BagList;
use crate::rng::Stream;

/// The weights of a row.
pub(super) const LANES: usize = 16;
/// The place in a row of what bypasses the layers.
pub(super) const DIRECT: usize = LANES - 1;
/// The inputs of the hidden layer, and its width.
pub(super) const INPUTS: usize = 3 * LANES;
pub(super) const HIDDEN: usize = 32;

/// A sum of rows.
pub(super) type Sum = [f32; LANES];

/// The network.
///
/// # Example
/// ```
/// use shikou::game::BagList;
/// use shikou::learn::BagNetwork;
/// use shikou::rng::Stream;
/// let network = BagNetwork::random(5, Stream::new(1));
/// let mut bags = BagList::default();
/// bags.put(4);
/// bags.close();
/// bags.close();
/// // Nothing is learned yet, so all bags are worth the same.
/// let mut other = BagList::default();
/// other.close();
/// other.close();
/// assert_eq!(network.value(&bags), network.value(&other));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BagNetwork {
    kinds: usize,
    /// The rows, the biases of a pooled bag, the weights of each hidden sum, their biases, the weights of the output, its bias.
    parameters: Vec<f32>,
}

/// What a network computes on the way to a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) inputs: [f32; INPUTS],
    pub(super) hidden: [f32; HIDDEN],
    pub(super) value: f32,
}

impl BagNetwork {
    /// The number of parameters for some kinds of things.
    pub const fn count_parameters(kinds: usize) -> usize {
        kinds * LANES + LANES + HIDDEN * (INPUTS + 2) + 1
    }

    /// A network whose rows are 0 and whose layers are random.
    pub fn random(kinds: usize, luck: Stream) -> Self {
        let mut rng = luck.rng();
        let mut around = |middle: f64, width: f64| (middle + width * (rng.unit() - 0.5)) as f32;
        let mut parameters = vec![0.0; kinds * LANES];
        parameters.extend((0..LANES).map(|lane| if lane == DIRECT { 0.0 } else { around(0.3, 0.4) }));
        parameters.extend((0..HIDDEN * INPUTS).map(|_| around(0.0, 0.35)));
        parameters.extend([0.05; HIDDEN]);
        parameters.extend((0..HIDDEN).map(|_| around(0.0, 0.5)));
        parameters.push(0.0);
        Self { kinds, parameters }
    }

    /// The network with these parameters, in order; `None` if it has another number of them, or one is not finite.
    pub fn from_parameters(kinds: usize, parameters: Vec<f32>) -> Option<Self> {
        let fits = parameters.len() == Self::count_parameters(kinds)
            && parameters.iter().all(|number| number.is_finite());
        fits.then_some(Self { kinds, parameters })
    }

    /// The kinds of things.
    pub const fn kinds(&self) -> usize {
        self.kinds
    }

    /// All parameters, in order.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub(super) fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// The place behind the rows.
    pub(super) const fn layers(&self) -> usize {
        self.kinds * LANES
    }

    /// The sum of the rows of some things.
    #[inline]
    pub(super) fn sum(&self, things: &[u32]) -> Sum {
        let rows = self.parameters[..self.layers()].as_chunks::<LANES>().0;
        let mut sum = [0.0; LANES];
        for &thing in things {
            for (sum, weight) in sum.iter_mut().zip(&rows[thing as usize]) {
                *sum += weight;
            }
        }
        sum
    }

    /// The biases of a pooled bag.
    pub(super) fn biases(&self) -> &Sum {
        self.parameters[self.layers()..].first_chunk().expect("a network has biases")
    }

    /// The pass of the sums over the pooled bags, and over the last one.
    pub(super) fn pass(&self, pooled: &[Sum], last: &Sum) -> Pass {
        let (biases, layers) = (self.biases(), &self.parameters[self.layers() + LANES..]);
        let (weights, rest) = layers.split_at(HIDDEN * INPUTS);
        let (hidden_biases, output) = rest.split_at(HIDDEN);
        let mut value = last[DIRECT] + output[HIDDEN];
        let mut inputs = [0.0; INPUTS];
        for sum in pooled {
            value += sum[DIRECT];
            for lane in 0..DIRECT {
                let number = (sum[lane] + biases[lane]).max(0.0);
                inputs[lane] += number;
                inputs[LANES + lane] = inputs[LANES + lane].max(number);
            }
        }
        inputs[2 * LANES..][..DIRECT].copy_from_slice(&last[..DIRECT]);
        let mut hidden = [0.0; HIDDEN];
        for (number, weights) in weights.as_chunks::<INPUTS>().0.iter().enumerate() {
            let mut lanes = [0.0; LANES];
            for part in 0..3 {
                for lane in 0..LANES {
                    lanes[lane] += weights[part * LANES + lane] * inputs[part * LANES + lane];
                }
            }
            hidden[number] = (hidden_biases[number] + lanes.iter().sum::<f32>()).max(0.0);
            value += hidden[number] * output[number];
        }
        Pass { inputs, hidden, value }
    }

    /// The sums over all bags but the last, and over that.
    pub(super) fn sums(&self, bags: &BagList, pooled: &mut Vec<Sum>) -> Sum {
        pooled.clear();
        pooled.extend(bags.iter().map(|things| self.sum(things)));
        pooled.pop().expect("there is a bag of the whole position")
    }

    /// The value: the logit of the points that it promises.
    ///
    /// # Panics
    /// If there is no bag, or a thing is not below the number of kinds.
    pub fn value(&self, bags: &BagList) -> f32 {
        let mut pooled = Vec::with_capacity(bags.len());
        let last = self.sums(bags, &mut pooled);
        self.pass(&pooled, &last).value
    }
}
