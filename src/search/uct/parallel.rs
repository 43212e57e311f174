//! Tree parallelisation: several threads in one tree, which a virtual loss keeps apart.
//!
//! One thread at a time is in the tree, behind a lock; playouts are made outside it (Chaslot, Winands, van den Herik 2008,
//! "Parallel Monte-Carlo tree search", with a global mutex). Who goes down counts its playouts on the way as lost, until it
//! brings the result, so that others go elsewhere. Which thread comes first is left to chance: no two runs are the same.

use std::sync::{Condvar, Mutex, PoisonError};

use super::backup::PathNode;
use super::conversation::Conversation;
use super::tree::Kind;
use crate::game::{Game, Tally};
use crate::search::{Ask, Meter, Stop};

/// What the threads share.
struct Shared<'s, 'a, G: Game> {
    conversation: &'s mut Conversation<'a, G>,
    meter: &'s mut Meter,
    /// Why the first thread that found an end found one.
    stop: Option<Stop>,
}

impl<G: Game> Conversation<'_, G> {
    /// Searches with several threads until nothing more is to be done.
    ///
    /// # Panics
    /// Where a playout does.
    pub(super) fn race(&mut self, meter: &mut Meter) -> Stop {
        let (game, settings, player) = (self.game, self.settings, self.state.player);
        let shared = Mutex::new(Shared { conversation: self, meter, stop: None });
        let told = Condvar::new();
        let work = || {
            let mut path: Vec<PathNode> = Vec::new();
            let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                // Nodes are moved only while nobody is on the way.
                while guard.conversation.tree.full && guard.conversation.state.pending > 0 {
                    guard = told.wait(guard).unwrap_or_else(PoisonError::into_inner);
                }
                let Shared { conversation, meter, stop } = &mut *guard;
                let from = match conversation.ask(meter) {
                    Ask::Playouts(from) => from,
                    Ask::Nothing(found) => {
                        stop.get_or_insert(found);
                        return;
                    }
                };
                let batch = conversation.batch();
                path.clone_from(conversation.path);
                conversation.go_on();
                conversation.lose(&path, batch.count);
                conversation.state.pending += 1;
                // The playouts are counted at once, so that nobody makes more than there may be.
                meter.count_playouts(&Tally { playouts: batch.count, ..Tally::default() });
                drop(guard);
                let sample = settings.leaf.play(game, &from, player, batch);
                guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let Shared { conversation, meter, .. } = &mut *guard;
                meter.count_playouts(&Tally { plies: sample.plies, ..Tally::default() });
                conversation.take_back(&path, batch.count);
                conversation.path.clone_from(&path);
                conversation.back_up(&sample);
                conversation.state.pending -= 1;
                told.notify_all();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..settings.threads {
                scope.spawn(work);
            }
            work();
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.stop.expect("a thread ends when there is nothing more")
    }

    /// The worst payoff for who decided to go to a node; for chance there is none.
    fn worst(&self, parent: Kind) -> Option<f64> {
        match parent {
            Kind::Own => Some(self.state.range.low),
            Kind::Other => Some(self.state.range.high),
            _ => None,
        }
    }

    /// Counts playouts that are still to be made as lost.
    fn lose(&mut self, path: &[PathNode], playouts: u64) {
        for step in path {
            let Some(worst) = self.worst(step.parent) else { continue };
            self.tree.nodes[step.node as usize].visits += playouts as u32;
            self.tree.totals[step.node as usize].sum += worst * playouts as f64;
            self.value_again(step);
        }
    }

    /// Takes back what was counted as lost.
    fn take_back(&mut self, path: &[PathNode], playouts: u64) {
        for step in path {
            let Some(worst) = self.worst(step.parent) else { continue };
            self.tree.nodes[step.node as usize].visits -= playouts as u32;
            self.tree.totals[step.node as usize].sum -= worst * playouts as f64;
        }
    }

    /// What selection reads of a node, from what was added up.
    fn value_again(&mut self, step: &PathNode) {
        let visits = f64::from(self.tree.node(step.node).visits);
        let share = self.state.scale.share(self.tree.totals[step.node as usize].sum / visits);
        let score = &mut self.tree.nodes[step.node as usize].score;
        if score.value != f64::NEG_INFINITY {
            score.value = if step.parent == Kind::Other { 1.0 - share } else { share };
        }
        score.width = 1.0 / visits.sqrt();
    }
}
