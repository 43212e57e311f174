//! Folding: computes the value of a node from the values below it, by the steps of a recursion.

/// How the values below a node are combined.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    /// Their mean by weight.
    Mean,
    Largest,
    Smallest,
}

/// A step of the search. The weight is the value's weight in the mean of the node above.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A node begins. All steps until its end are below it.
    Begin { fold: Fold, weight: u32 },
    /// The innermost open node ends.
    End,
    /// A known value.
    Value { value: f64, weight: u32 },
    /// A leaf, valued by the next request.
    Leaf { weight: u32 },
}

/// An open node: begun and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    fold: Fold,
    weight: u32,
    /// The largest or smallest value so far, or the weighted sum of the values.
    value: f64,
    /// The sum of the weights.
    weights: u64,
}

impl Node {
    pub(super) fn new(fold: Fold, weight: u32) -> Self {
        let value = match fold {
            Fold::Mean => 0.0,
            Fold::Largest => f64::NEG_INFINITY,
            Fold::Smallest => f64::INFINITY,
        };
        Self { fold, weight, value, weights: 0 }
    }

    pub(super) fn add(&mut self, value: f64, weight: u32) {
        match self.fold {
            Fold::Mean => self.value += f64::from(weight) * value,
            Fold::Largest => self.value = self.value.max(value),
            Fold::Smallest => self.value = self.value.min(value),
        }
        self.weights += u64::from(weight);
    }

    pub(super) fn value(&self) -> f64 {
        match self.fold {
            Fold::Mean => self.value / self.weights as f64,
            Fold::Largest | Fold::Smallest => self.value,
        }
    }
}

/// Adds a step to the innermost open node, or to the values if no node is open. `leaf` is the value of a leaf.
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
