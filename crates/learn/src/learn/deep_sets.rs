//! A network of bags: sums over the things of each bag, pooled, and two dense layers.
//!
//! Every kind of thing has a row of sixteen weights. The first fifteen of the sum over a pooled bag are cut off below 0; their sum
//! and their maximum over all pooled bags, and the sum over the last bag, are the inputs of a layer of 32 such units (Zaheer et al.
//! 2017, "Deep Sets"). The sixteenth weights are added up and bypass all layers: that part is a table of n-tuples.
//!
//! Arithmetic is in `f32` in a fixed order. Rejected: widths as options. A row of sixteen is one line of the cache; no other
//! width was tried.

use crate::game::{BagList, Kernel, accelerate};
use crate::rng::Stream;

/// The weights of a row.
pub(super) const LANES: usize = 16;
/// The place in a row of what bypasses the layers.
pub(super) const DIRECT: usize = LANES - 1;
/// The inputs of the hidden layer, and its width.
pub(super) const INPUTS: usize = 3 * LANES;
pub(super) const HIDDEN: usize = 32;

/// A row, or a sum of rows: a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [f32; LANES]);

/// The network.
///
/// # Example
/// ```
/// use shikou::game::BagList;
/// use shikou::learn::DeepSets;
/// use shikou::rng::Stream;
/// let network = DeepSets::random(5, Stream::new(1));
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
pub struct DeepSets {
    rows: Vec<Row>,
    /// The biases of a pooled bag, the weights of each hidden sum, their biases, the weights of the output, its bias.
    layers: Vec<f32>,
    /// The weights of the hidden sums once more, those of an input together: so the sums are added up side by side.
    columns: Vec<[f32; HIDDEN]>,
}

/// The intermediate results of a network on the way to a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) inputs: [f32; INPUTS],
    pub(super) hidden: [f32; HIDDEN],
    pub(super) value: f32,
}

impl DeepSets {
    /// The number of parameters for some kinds of things.
    pub const fn count_parameters(kinds: usize) -> usize {
        kinds * LANES + LANES + HIDDEN * (INPUTS + 2) + 1
    }

    /// A network whose rows are 0 and whose layers are random.
    pub fn random(kinds: usize, luck: Stream) -> Self {
        let mut rng = luck.rng();
        let mut around = |middle: f64, width: f64| (middle + width * (rng.unit() - 0.5)) as f32;
        let mut layers = Vec::with_capacity(Self::count_parameters(0));
        layers.extend((0..LANES).map(|lane| if lane == DIRECT { 0.0 } else { around(0.3, 0.4) }));
        layers.extend((0..HIDDEN * INPUTS).map(|_| around(0.0, 0.35)));
        layers.extend([0.05; HIDDEN]);
        layers.extend((0..HIDDEN).map(|_| around(0.0, 0.5)));
        layers.push(0.0);
        Self::new(vec![Row::default(); kinds], layers)
    }

    /// The network with these parameters, in order; `None` if it has another number of them, or one is not finite.
    pub fn from_parameters(kinds: usize, parameters: &[f32]) -> Option<Self> {
        let fits = parameters.len() == Self::count_parameters(kinds)
            && parameters.iter().all(|number| number.is_finite());
        let (rows, layers) = parameters.split_at_checked(kinds * LANES)?;
        let rows = rows.as_chunks().0.iter().map(|&row| Row(row));
        fits.then(|| Self::new(rows.collect(), layers.to_vec()))
    }

    fn new(rows: Vec<Row>, layers: Vec<f32>) -> Self {
        let mut network = Self { rows, layers, columns: vec![[0.0; HIDDEN]; INPUTS] };
        network.arrange();
        network
    }

    /// The kinds of things.
    pub const fn kinds(&self) -> usize {
        self.rows.len()
    }

    /// All parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().flat_map(|row| row.0).chain(self.layers.iter().copied())
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn all_layers(&self) -> &[f32] {
        &self.layers
    }

    /// The rows, and what is after them. After a change of the layers they are to be [arranged](Self::arrange).
    pub(super) fn parts_mut(&mut self) -> (&mut [Row], &mut [f32]) {
        (&mut self.rows, &mut self.layers)
    }

    /// Copies the weights of the hidden sums to where they lie by inputs.
    #[inline(always)]
    pub(super) fn arrange(&mut self) {
        let weights = &self.layers[LANES..][..HIDDEN * INPUTS];
        for (number, weights) in weights.as_chunks::<INPUTS>().0.iter().enumerate() {
            for (column, &weight) in self.columns.iter_mut().zip(weights) {
                column[number] = weight;
            }
        }
    }

    /// The biases of a pooled bag.
    pub(super) fn biases(&self) -> &[f32; LANES] {
        self.layers.first_chunk().expect("a network has biases")
    }

    pub(super) fn after_biases(&self) -> &[f32] {
        &self.layers[LANES..]
    }

    #[inline]
    pub(super) fn add(&self, things: &[u32], sum: &mut Row) {
        accelerate(AddRows { rows: &self.rows, things, sum });
    }

    /// The pass of the sums over the pooled bags, and over the last one.
    #[inline]
    pub(super) fn pass(&self, pooled: &[Row], last: &Row) -> Pass {
        accelerate(Forward { network: self, pooled, last })
    }

    /// The sums over all bags but the last, and over that.
    pub(super) fn sums(&self, bags: &BagList, pooled: &mut Vec<Row>) -> Row {
        pooled.clear();
        for things in bags.iter() {
            pooled.push(Row::default());
            self.add(things, pooled.last_mut().expect("one was pushed"));
        }
        pooled.pop().expect("there is a bag of the whole position")
    }

    /// The value: the logit of the expected points.
    ///
    /// # Panics
    /// If there is no bag, or a thing is not below the number of kinds.
    pub fn value(&self, bags: &BagList) -> f32 {
        let mut pooled = Vec::with_capacity(bags.len());
        let last = self.sums(bags, &mut pooled);
        self.pass(&pooled, &last).value
    }
}

struct AddRows<'a> {
    rows: &'a [Row],
    things: &'a [u32],
    sum: &'a mut Row,
}

impl Kernel for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut sum = *self.sum;
        for &thing in self.things {
            for (sum, weight) in sum.0.iter_mut().zip(&self.rows[thing as usize].0) {
                *sum += weight;
            }
        }
        *self.sum = sum;
    }
}

struct Forward<'a> {
    network: &'a DeepSets,
    pooled: &'a [Row],
    last: &'a Row,
}

impl Kernel for Forward<'_> {
    type Output = Pass;

    #[inline(always)]
    fn run(self) -> Pass {
        let Self { network, pooled, last: Row(last) } = self;
        let (biases, (_, rest)) = (network.biases(), network.layers.split_at(LANES + HIDDEN * INPUTS));
        let (hidden_biases, output) = rest.split_at(HIDDEN);
        let mut value = last[DIRECT] + output[HIDDEN];
        let mut inputs = [0.0; INPUTS];
        for Row(sum) in pooled {
            value += sum[DIRECT];
            for lane in 0..DIRECT {
                let number = (sum[lane] + biases[lane]).max(0.0);
                inputs[lane] += number;
                inputs[LANES + lane] = inputs[LANES + lane].max(number);
            }
        }
        inputs[2 * LANES..][..DIRECT].copy_from_slice(&last[..DIRECT]);
        let mut hidden = [0.0; HIDDEN];
        for lane in 0..LANES {
            let parts = [0, 1, 2].map(|part| part * LANES + lane);
            let [first, second, third] = parts.map(|place| (&network.columns[place], inputs[place]));
            for (number, hidden) in hidden.iter_mut().enumerate() {
                *hidden +=
                    first.0[number] * first.1 + second.0[number] * second.1 + third.0[number] * third.1;
            }
        }
        for number in 0..HIDDEN {
            hidden[number] = (hidden_biases[number] + hidden[number]).max(0.0);
            value += hidden[number] * output[number];
        }
        Pass { inputs, hidden, value }
    }
}
