//! Values of a tree whose leaves are played out many at a time.
//!
//! A search that goes through a tree to a fixed height tells what it meets, in the order of a recursion: nodes that begin
//! and end, finished games, leaves. The key decision: this is only written down, and the leaves as requests. When there is
//! no room for more, all leaves are played in one call, and what was written down is read; the nodes that have not ended are
//! carried on. So the memory does not grow with the tree, and every sum is made in the order of the recursion, to the
//! bit. Rejected: a subtree a call, since how many leaves it has is known only when it has been gone through.

use super::{Fault, Meter};
use crate::game::{Game, PlayoutRequest, Policy, Tally};

/// How many steps are written down before they are read. Lanes idle while the last games of a call end: 128 games of
/// Calculation at a time ran at 63 % of the speed of 65 536 in a call, 1024 at 80 %, 4096 at 94 %.
const MOST: usize = 4096;

/// How the values below a node are put together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fold {
    /// Their average by weight.
    Mean,
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
}

/// What a search meets. The weight is that of the value in the node above, which matters to a mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A node begins; what comes until its end is below it.
    Begin { fold: Fold, weight: u32 },
    /// The node that began last, of those that have not ended, ends.
    End,
    /// A finished game.
    Finished { payoff: i32, weight: u32 },
    /// A leaf, the next of the requests.
    Leaf { weight: u32 },
}

/// A node that has begun.
#[derive(Clone, Copy, Debug)]
struct Node {
    fold: Fold,
    weight: u32,
    /// The largest or smallest value yet, or the sum of those times their weights.
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

/// What was met and not yet valued. Kept from move to move, so that its memory is asked for once.
#[derive(Clone)]
pub(super) struct LeafBuffer<G: Game> {
    /// How many steps are written down at a time.
    room: usize,
    steps: Vec<Step>,
    requests: Vec<PlayoutRequest<G::Position>>,
    tallies: Vec<Tally>,
    /// The nodes that have begun and not ended.
    nodes: Vec<Node>,
    /// The values that have no node above them.
    values: Vec<f64>,
}

impl<G: Game> LeafBuffer<G> {
    /// A buffer without memory.
    pub(super) const fn new() -> Self {
        Self {
            room: 0,
            steps: Vec::new(),
            requests: Vec::new(),
            tallies: Vec::new(),
            nodes: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Forgets all, and makes room: as much as is of use, or as the memory limit leaves.
    ///
    /// # Errors
    /// Where the limit does not leave room for one leaf.
    pub(super) fn clear(&mut self, meter: &mut Meter) -> Result<(), Fault> {
        let each = size_of::<(Step, PlayoutRequest<G::Position>, Tally)>() as u64;
        self.room = (meter.memory_left() / each).clamp(1, MOST as u64) as usize;
        meter.reserve(self.room as u64 * each)?;
        self.steps.clear();
        self.steps.reserve_exact(self.room);
        self.requests.clear();
        self.requests.reserve_exact(self.room);
        self.tallies.clear();
        self.tallies.reserve_exact(self.room);
        self.nodes.clear();
        self.values.clear();
        Ok(())
    }

    /// Whether what was written down must be played before there is room for more.
    pub(super) fn is_full(&self) -> bool {
        self.steps.len() == self.room
    }

    /// Writes a step down. There must be room.
    pub(super) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Writes a leaf down. There must be room.
    pub(super) fn push_leaf(&mut self, request: PlayoutRequest<G::Position>, weight: u32) {
        self.steps.push(Step::Leaf { weight });
        self.requests.push(request);
    }

    /// Plays all leaves, counts their playouts, and reads what was written down: then there is room.
    pub(super) fn play(&mut self, game: &G, policy: &dyn Policy<G>, meter: &mut Meter) {
        self.tallies.resize(self.requests.len(), Tally::default());
        policy.playouts_of_many(game, &self.requests, &mut self.tallies);
        self.requests.clear();
        let mut tallies = self.tallies.drain(..);
        for step in self.steps.drain(..) {
            let (value, weight) = match step {
                Step::Begin { fold, weight } => {
                    self.nodes.push(Node::new(fold, weight));
                    continue;
                }
                Step::End => {
                    let node = self.nodes.pop().expect("what ends has begun");
                    (node.value(), node.weight)
                }
                Step::Finished { payoff, weight } => (f64::from(payoff), weight),
                Step::Leaf { weight } => {
                    let tally = tallies.next().expect("each leaf has a request");
                    meter.count_playouts(&tally);
                    (tally.mean(), weight)
                }
            };
            match self.nodes.last_mut() {
                Some(above) => above.add(value, weight),
                None => self.values.push(value),
            }
        }
    }

    /// The values that have no node above them, in their order, as far as they were played.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }
}
