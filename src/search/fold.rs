//! Folding: the value of a node from the values below it, by the steps of a recursion.

/// How the values below a node are combined.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    /// Their mean by weight.
    Mean,
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
}

/// What the search meets. The weight is that of the value in the node above, which matters to a mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A node begins; what comes until its end is below it.
    Begin { fold: Fold, weight: u32 },
    /// The last node that began and has not ended ends.
    End,
    /// A known value.
    Value { value: f64, weight: u32 },
    /// A leaf, the next of the requests.
    Leaf { weight: u32 },
}

/// A node that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    fold: Fold,
    weight: u32,
    /// The largest or smallest value yet, or the sum of the values times their weights.
    value: f64,
    /// The sum of the weights.
    weights: u64,
}

impl Node {
    fn new(fold: Fold, weight: u32) -> Self {
        let value = match fold {
            Fold::Mean => 0.0,
            Fold::Largest => f64::NEG_INFINITY,
            Fold::Smallest => f64::INFINITY,
        };
        Self { fold, weight, value, weights: 0 }
    }

    fn add(&mut self, value: f64, weight: u32) {
        match self.fold {
            Fold::Mean => self.value += f64::from(weight) * value,
            Fold::Largest => self.value = self.value.max(value),
            Fold::Smallest => self.value = self.value.min(value),
        }
        self.weights += u64::from(weight);
    }

    fn value(&self) -> f64 {
        match self.fold {
            Fold::Mean => self.value / self.weights as f64,
            Fold::Largest | Fold::Smallest => self.value,
        }
    }
}

/// Adds a step to the nodes that it lies in, or to the values if it lies in none. `leaf` is the value of a leaf.
#[inline(always)]
pub(super) fn read(step: Step, open: &mut Vec<Node>, values: &mut Vec<f64>, leaf: impl FnOnce() -> f64) {
    let (value, weight) = match step {
        Step::Begin { fold, weight } => return open.push(Node::new(fold, weight)),
        Step::End => {
            let node = open.pop().expect("a node that ends has begun");
            (node.value(), node.weight)
        }
        Step::Value { value, weight } => (value, weight),
        Step::Leaf { weight } => (leaf(), weight),
    };
    match open.last_mut() {
        Some(above) => above.add(value, weight),
        None => values.push(value),
    }
}
