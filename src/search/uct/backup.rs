//! Back-up: a result goes up the way that was come down; mean, maximum, implicit minimax, all moves as first.

use super::conversation::Conversation;
use super::leaf::Sample;
use super::tree::{Kind, ROOT};
use crate::game::Game;

/// A node of the way down, and who decided to go there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathNode {
    pub(super) node: u32,
    pub(super) parent: Kind,
    /// How many moves of players led here from the root.
    pub(super) made: usize,
}

impl<G: Game> Conversation<'_, G> {
    /// Tells every node of the path what a batch gave.
    #[inline]
    pub(super) fn back_up(&mut self, sample: &Sample) {
        let columns = self.tree.columns;
        let plain = self.settings.max_share == 0.0 && !columns.bounds && !columns.heuristics;
        let share = self.state.scale.share(sample.sum / sample.playouts as f64);
        // Whether the bounds of the node below have become narrower.
        let mut narrower = self.tree.columns.bounds;
        for index in (0..self.path.len()).rev() {
            let step = self.path[index];
            let node = &mut self.tree.nodes[step.node as usize];
            node.visits += sample.playouts as u32;
            let visits = f64::from(node.visits);
            let (kind, family) = (node.kind, node.family);
            if columns.index && node.count > 0 {
                self.tree.index.visits[family as usize] += sample.playouts as u32;
            }
            let totals = &mut self.tree.totals[step.node as usize];
            totals.sum += sample.sum;
            totals.squares += sample.squares;
            let mean = totals.sum / visits;
            let value = if plain {
                self.state.scale.share(mean)
            } else {
                if columns.heuristics {
                    self.back_up_heuristic(step.node, kind);
                }
                if narrower && index + 1 < self.path.len() {
                    // Where ways meet, a node may not know yet what is below it.
                    narrower = self.tree.tighten(step.node) || columns.index;
                    self.tree.cut(step.node);
                }
                self.backed_up(step.node, kind, mean)
            };
            let score = &mut self.tree.nodes[step.node as usize].score;
            // What is cut stays cut.
            if score.value != f64::NEG_INFINITY || step.node == ROOT {
                score.value = if step.parent == Kind::Other { 1.0 - value } else { value };
            }
            score.width = 1.0 / visits.sqrt();
            if columns.amaf {
                self.back_up_amaf(step, kind, share);
            }
        }
        if columns.tables {
            self.back_up_tables(share);
        }
        if self.settings.traces() {
            self.learned.learn(self.settings.learning, share);
        }
    }

    /// Tells the children of a node whose moves were made at once or later by who decides there.
    fn back_up_amaf(&mut self, step: PathNode, kind: Kind, share: f64) {
        if !matches!(kind, Kind::Own | Kind::Other) {
            return;
        }
        let share = if kind == Kind::Other { 1.0 - share } else { share };
        for child in self.tree.children(step.node) {
            let number = self.game.move_number(self.tree.mv(child)).expect("the game numbers its moves");
            if self.learned.was_made(kind, number, step.made) {
                let amaf = &mut self.tree.amaf[child as usize];
                amaf.sum += share;
                amaf.visits += 1;
            }
        }
    }

    /// The evaluation of a node as plain minimax backs it up from its children, once all of them were visited; where chance
    /// moves the mean of those that were.
    fn back_up_heuristic(&mut self, node: u32, kind: Kind) {
        let children = self.tree.children(node).map(|child| child as usize);
        let visits = |child: usize| f64::from(self.tree.nodes[child].visits);
        let complete = kind == Kind::Chance || children.clone().all(|child| visits(child) > 0.0);
        if !complete || self.tree.node(node).count == 0 {
            return;
        }
        let values = children.clone().map(|child| self.tree.heuristics[child]);
        self.tree.heuristics[node as usize] = match kind {
            Kind::Own => values.fold(0.0, f64::max),
            Kind::Other => values.fold(1.0, f64::min),
            _ => {
                let sum: f64 = values.zip(children.clone()).map(|(value, child)| value * visits(child)).sum();
                sum / children.map(visits).sum::<f64>()
            }
        };
    }

    /// The value of a node as a share, for the player at the root: mean and best child mixed, within its bounds.
    fn backed_up(&self, node: u32, kind: Kind, mean: f64) -> f64 {
        let mut value = self.state.scale.share(mean);
        let share = self.settings.max_share;
        if share > 0.0 {
            let children = self.tree.children(node).map(|child| child as usize);
            let visited = children.filter(|&child| self.tree.nodes[child].visits > 0);
            let values =
                visited.map(|child| (self.tree.nodes[child].visits, self.tree.nodes[child].score.value));
            if kind == Kind::Chance {
                let (visits, sum) = values.fold((0.0, 0.0), |(visits, sum), (n, value)| {
                    (visits + f64::from(n), sum + f64::from(n) * value)
                });
                value = if visits > 0.0 { sum / visits } else { value };
            } else {
                let best = values.map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
                if best > f64::NEG_INFINITY {
                    let best = if kind == Kind::Other { 1.0 - best } else { best };
                    value = share * best + (1.0 - share) * value;
                }
            }
        }
        if let Some(implicit) = &self.settings.implicit {
            value = (1.0 - implicit.share) * value + implicit.share * self.tree.heuristics[node as usize];
        }
        if self.tree.columns.bounds {
            let bounds = self.tree.bounds[node as usize];
            value = value.clamp(self.state.scale.share(bounds.low), self.state.scale.share(bounds.high));
        }
        value
    }
}
