//! The log of a search of every line: its steps, its values and its iterations, without the game.

use crate::search::{Answer, Decision, Meter, MoveEstimate, MoveStream, SearchError, Stop, Ties};

/// How the values below a node are combined.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    /// The mean by weight.
    Mean,
    /// The harmonic mean by weight; 0 if a value is not above 0.
    Harmonic,
    Largest,
    Smallest,
}

/// A step of the search. The weight is the value's weight in the mean of the node above.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A node begins. All steps until its end are below it.
    Begin {
        fold: Fold,
        weight: u32,
    },
    /// The innermost open node ends.
    End,
    Value {
        value: f64,
        weight: u32,
    },
    /// A leaf, valued by the next request.
    Leaf {
        weight: u32,
    },
}

/// An open node: begun and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    fold: Fold,
    weight: u32,
    /// The largest or smallest value so far, or the weighted sum of the values, or of their reciprocals.
    value: f64,
    weights: u64,
}

impl Node {
    pub(super) fn new(fold: Fold, weight: u32) -> Self {
        let value = match fold {
            Fold::Mean | Fold::Harmonic => 0.0,
            Fold::Largest => f64::NEG_INFINITY,
            Fold::Smallest => f64::INFINITY,
        };
        Self { fold, weight, value, weights: 0 }
    }

    pub(super) fn add(&mut self, value: f64, weight: u32) {
        match self.fold {
            Fold::Mean => self.value += f64::from(weight) * value,
            Fold::Harmonic => self.value += f64::from(weight) / value.max(0.0),
            Fold::Largest => self.value = self.value.max(value),
            Fold::Smallest => self.value = self.value.min(value),
        }
        self.weights += u64::from(weight);
    }

    pub(super) fn value(&self) -> f64 {
        match self.fold {
            Fold::Mean => self.value / self.weights as f64,
            Fold::Harmonic => self.weights as f64 / self.value,
            Fold::Largest | Fold::Smallest => self.value,
        }
    }
}

/// Adds a step to the innermost open node, or to the values if no node is open. `leaf` is the value of a leaf.
fn read(step: Step, open: &mut Vec<Node>, values: &mut Vec<f64>, leaf: impl FnOnce() -> f64) {
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

/// The steps that wait for answers, and all that is known by now.
#[derive(Default)]
pub(super) struct Log {
    /// The depth of this iteration, that of the last one, and whether some line was cut at this depth.
    pub(super) depth: u32,
    pub(super) most: u32,
    pub(super) cut: bool,
    /// Whether there are several iterations.
    deepens: bool,
    /// The depth of the last finished iteration, or 0; and what it found.
    pub(super) reached: u32,
    found: Vec<MoveEstimate<usize>>,
    /// The playouts or nodes of each root move with a finished tree.
    pub(super) visits: Vec<u64>,
    /// The nodes visited below the current root move.
    pub(super) nodes: u64,
    /// The number of the next leaf, and of the first leaf below the current root move.
    pub(super) leaf: u64,
    first_leaf: u64,
    /// The number of steps that may be logged.
    pub(super) room: usize,
    pub(super) steps: Vec<Step>,
    /// Why the search failed, if it did.
    pub(super) failure: Option<SearchError>,
    /// The open nodes: begun and not ended.
    open: Vec<Node>,
    /// The values of the root moves, as far as they are known.
    pub(super) values: Vec<f64>,
}

impl Log {
    /// Begins a search to a depth, or to each depth up to it.
    pub(super) fn begin(&mut self, most: u32, deepens: bool) {
        (self.most, self.deepens, self.reached, self.failure) = (most, deepens, 0, None);
        self.steps.clear();
        self.open.clear();
        self.found.clear();
    }

    /// Begins a search to this depth.
    pub(super) fn iterate(&mut self, depth: u32) {
        (self.depth, self.cut, self.nodes, self.leaf, self.first_leaf) = (depth, false, 0, 0, 0);
        self.values.clear();
        self.visits.clear();
    }

    /// Keeps what an iteration found. Begins the next, unless this one was the last: returns whether it did.
    pub(super) fn deepen(&mut self) -> bool {
        let estimate = |(mv, (&visits, &value))| MoveEstimate::exact(mv, visits, value);
        self.found.clear();
        self.found.reserve_exact(self.visits.len());
        self.found.extend(self.visits.iter().zip(&self.values).enumerate().map(estimate));
        self.reached = self.depth;
        let goes_on = self.cut && self.depth < self.most;
        if goes_on {
            self.iterate(self.depth + 1);
        }
        goes_on
    }

    pub(super) fn check(&self, meter: &mut Meter) -> Result<(), SearchError> {
        // The first iteration of several ignores the clock, so that there is a decision.
        meter.set_ignores_time(self.depth == 1 && self.deepens);
        let checked = meter.check();
        meter.set_ignores_time(false);
        Ok(checked?)
    }

    /// Handles a step that needs no answer: at once if no leaf waits before it, else by the log.
    pub(super) fn meet(&mut self, step: Step) {
        if self.steps.is_empty() {
            read(step, &mut self.open, &mut self.values, || unreachable!("a leaf is logged"));
        } else {
            self.steps.push(step);
        }
    }

    /// Ends the tree below a root move. Its leaves have this many playouts each, if any; moves may have `common` leaves.
    pub(super) fn end_move(&mut self, playouts: Option<u64>, common: bool) {
        let leaves = self.leaf - self.first_leaf;
        self.visits.push(playouts.map_or(self.nodes, |playouts| leaves * playouts));
        self.nodes = 0;
        self.leaf = if common { 0 } else { self.leaf };
        self.first_leaf = self.leaf;
    }

    /// The reason why nothing more is asked for, if so, after the search went on with this result.
    pub(super) fn stop(&mut self, advanced: Result<(), SearchError>) -> Option<Stop> {
        match advanced {
            Ok(()) => self.steps.is_empty().then_some(Stop::Complete),
            Err(SearchError::Budget { limit }) => Some(Stop::Limit(limit)),
            Err(failure) => {
                self.failure = Some(failure);
                Some(Stop::Complete)
            }
        }
    }

    /// Takes the answers to all logged leaves.
    pub(super) fn tell(&mut self, answer: Answer<'_>, meter: &mut Meter) {
        if let Answer::Playouts(tallies) = answer {
            meter.count_batch(tallies);
        }
        let mut leaves = 0..;
        let mut leaf = || {
            let leaf = leaves.next().expect("an endless range");
            match answer {
                Answer::Playouts(tallies) => tallies[leaf].mean(),
                Answer::Evaluations(evaluations) => evaluations.values()[leaf] as f64,
            }
        };
        for step in self.steps.drain(..) {
            read(step, &mut self.open, &mut self.values, &mut leaf);
        }
    }

    /// Adds these numbers to the values that the last finished iteration found.
    pub(super) fn add(&mut self, added: &[f64]) {
        self.found.iter_mut().zip(added).for_each(|(estimate, added)| estimate.value += added);
    }

    /// The decision by the last finished iteration. It fails if the search failed, or no iteration was finished.
    pub(super) fn decide(
        &mut self,
        ties: Ties,
        stop: Stop,
        stream: MoveStream,
    ) -> Result<Decision<usize>, SearchError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if let (0, Stop::Limit(limit)) = (self.reached, stop) {
            return Err(limit.into());
        }
        Ok(Decision::of_best(std::mem::take(&mut self.found), ties, stop, stream))
    }
}
