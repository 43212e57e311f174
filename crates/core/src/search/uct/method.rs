//! UCT as a method of tree search: each step as its settings choose it.

use std::ops::Range;
use std::sync::Arc;

use super::super::tree::{
    Amaf, AmafTable, Arena, Board, Bounds, Descent, Found, Iteration, Kind, Leaf, Logarithms, Method, ROOT,
    Root, Sample, Score, Totals, back_up, mean, most_visited, object, score_mean,
};
use super::at_root::AtRoot;
use super::backup::{deepen, tighten};
use super::decisive::Decisive;
use super::grave::{back_up_amaf, back_up_tables};
use super::learning::{Made, Statistics};
use super::parts::{Backup, Expansion, Playouts, Prior, Sight, Solver};
use super::relative::Winners;
use super::selection::Selection;
use super::settings::{Plain, UctSettings};
use crate::game::{Batch, Evaluation, Game};
use crate::rng::Rng;
use crate::search::{Decision, Meter, SearchError, Ties, TreeSearch};

/// The method of [`Uct`](super::Uct).
#[derive(Clone)]
struct Family {
    options: Plain,
    logarithms: Logarithms,
    statistics: Statistics,
    /// Whether the moves of playouts are read.
    traces: bool,
    /// Whether the evaluations of cut-off playouts, and priors, are requested in batches.
    requests_values: bool,
    requests_priors: bool,
    /// The requested prior over the moves of the node to expand next.
    prior: Option<Vec<f32>>,
    /// Children to visit before anything else.
    queue: Option<Queue>,
    /// The family with the table that GRAVE reads, of the nearest node with enough visits.
    reference: Option<u32>,
    at_root: AtRoot,
    /// The results of each move in the whole search, for progressive history.
    history: AmafTable,
    /// The lengths of playouts, for the relative bonus.
    winners: Winners,
}

/// The children of a node that wait for their first playouts.
#[derive(Clone)]
struct Queue {
    /// The length of the path to the node.
    depth: usize,
    children: Range<u32>,
    /// The moves that lead to the node.
    made: Vec<Made>,
}

impl<G: Game> TreeSearch<G> {
    /// [UCT](super::Uct) with these settings.
    ///
    /// # Panics
    /// If the threshold of expansion, the batch or the number of leaves is 0, or if the options [conflict](super::UctOptions::conflict).
    pub fn new(mut settings: UctSettings<G>) -> Self {
        let mut method = Family::new(settings.clone().plain());
        let prefers = |evaluation: &Arc<dyn Evaluation<G>>| evaluation.facts().prefers_batches;
        method.requests_values &=
            matches!(&settings.playouts, Playouts::Cut { evaluation, .. } if prefers(evaluation));
        method.requests_priors &=
            matches!(&settings.prior, Prior::Head { evaluation } if prefers(evaluation));
        let policy = settings.policy;
        settings.policy = match settings.playouts.decisive() {
            Sight::Never => policy,
            sight => Arc::new(Decisive { policy, anti: sight == Sight::Both }),
        };
        if let Prior::Policy { policy: chosen @ None } = &mut settings.prior {
            *chosen = Some(Arc::clone(&settings.policy));
        }
        Self::of(Arc::new(settings), Box::new(method))
    }
}

impl Family {
    /// The method with these options, if all evaluations prefer batches.
    fn new(options: Plain) -> Self {
        assert!(options.expansion.threshold() > 0, "a node is visited before it is expanded");
        assert!(options.playouts.batch() > 0, "a batch has at least one playout");
        assert!(options.parallel.leaves() > 0, "a search takes at least one leaf at a time");
        assert_eq!(options.conflict(), None, "the options go together");
        let (in_batches, traces) = (!options.overlaps(), options.traced().is_some());
        Self {
            options,
            logarithms: Logarithms::new(),
            statistics: Statistics::default(),
            traces,
            requests_values: in_batches && !traces,
            requests_priors: in_batches,
            prior: None,
            queue: None,
            reference: None,
            at_root: AtRoot::default(),
            history: AmafTable::default(),
            winners: Winners::default(),
        }
    }

    /// The number of children of a node that may be visited.
    #[inline(always)]
    fn limit(&self, arena: &Arena, node: u32) -> u32 {
        self.options.expansion.children(|| arena.visits(node))
    }

    /// Gives a node children, scored and in their order. Without memory the node stays a leaf. Out of line, because
    /// about half of all iterations expand no node.
    #[inline(never)]
    fn add_children(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        let Plain { ties, prior, sparse, .. } = self.options;
        let kind = descent.arena.nodes[node].kind;
        let mut key = None;
        if descent.arena.has_index {
            let (own, family) = descent.board.known(descent.arena);
            if let Some(family) = family {
                descent.arena.link(node, family);
                if descent.arena.bounds.is_used() {
                    tighten(descent.arena, node);
                }
                return None;
            }
            key = own;
        }
        let told = self.prior.take();
        if kind != Kind::Chance && told.is_none() && self.requests_priors {
            descent.board.request(true);
            return Some(Leaf::Waiting(descent.draws.clone()));
        }
        let score = self.first_play(descent, node, kind);
        if !descent.expand(node, (score, self.statistics.numbers()), ties == Ties::Random) {
            return Some(Leaf::Playouts);
        }
        if descent.arena.has_index {
            let visits = descent.arena.nodes[node].visits;
            descent.arena.index.push(key.expect("the game has keys"), visits);
        }
        if kind == Kind::Chance {
            for _ in 0..sparse {
                let child = descent.sample_outcome(node);
                descent.arena.samples[child] += 1;
            }
            return None;
        }
        if !matches!(prior, Prior::None {}) {
            descent.board.order_by_priors(descent.arena, node, told);
        }
        if self.traces {
            descent.board.number(descent.arena, descent.arena.children(node));
        }
        None
    }

    fn first_play(&self, descent: &Descent<'_>, node: u32, kind: Kind) -> Score {
        self.options.first_play.score(self.options.selection, || {
            let (sum, visits) = (descent.arena.totals[node].sum, descent.arena.nodes[node].visits);
            kind.view(descent.root.scale.value(sum / f64::from(visits.max(1))))
        })
    }

    fn select_outcome(&self, descent: &mut Descent<'_>, node: u32) -> u32 {
        let arena = &*descent.arena;
        let limit = self.limit(arena, node);
        let pick_by = |mut pick: u32, weights: &dyn Fn(u32) -> u32| {
            arena.children(node).find(|&child| {
                let falls_on = pick < weights(child);
                pick = pick.wrapping_sub(weights(child));
                falls_on
            })
        };
        if limit < u32::from(arena.nodes[node].count) && arena.visited(node).count() as u32 >= limit {
            // A visited outcome, weighted by visits.
            let visits = |child: u32| arena.nodes[child].visits;
            let pick = descent.draws.below(arena.children(node).map(visits).sum());
            return pick_by(pick, &visits).expect("a pick below the sum of the visits falls on a child");
        }
        if self.options.sparse > 0 {
            let pick = descent.draws.below(self.options.sparse);
            let drawn = pick_by(pick, &|child| arena.samples[child]);
            return drawn.expect("a pick below the number of samples falls on a child");
        }
        descent.sample_outcome(node)
    }

    /// The value in `[0, 1]` of a child of a node of kind `parent`: the backed up value; for a cut child, the mean within its bounds;
    /// 0 without visits.
    fn child_value(arena: &Arena, root: &Root, child: u32, parent: Kind) -> f64 {
        let node = arena.nodes[child];
        if node.visits == 0 {
            0.0
        } else if node.is_cut {
            let (scale, bounds) = (root.scale, arena.bounds[child]);
            mean(arena, child, scale).clamp(scale.value(bounds.low), scale.value(bounds.high))
        } else {
            parent.view(node.score.value)
        }
    }
}

impl Method for Family {
    object!();

    fn set_columns(&self, arena: &mut Arena) {
        let Plain { selection, prior, backup, solver, sparse, memory, .. } = self.options;
        arena.bounds.default = solver.is_used().then(Bounds::default);
        arena.weights.default = solver.is_used().then_some(0.0);
        arena.probed.default = (solver.backup() > 0).then_some(false);
        arena.priors.default = (!matches!(prior, Prior::None {})).then_some(0.0);
        arena.samples.default = (sparse > 0).then_some(0);
        arena.numbers.default = self.traces.then_some(0);
        arena.amaf.default = matches!(selection, Selection::Rave { .. }).then(Amaf::default);
        arena.minimax.default = matches!(backup, Backup::Implicit { .. }).then_some(0.5);
        arena.has_tables = selection.reference().is_some();
        arena.has_index = memory.is_graph();
        let (most, by_age) = memory.recycling();
        arena.most_families = most;
        arena.stamps.default = by_age.then_some(0);
    }

    fn can_ask(&self) -> bool {
        let is_cut = matches!(self.options.playouts, Playouts::Cut { .. });
        !self.traces && (!is_cut || self.requests_values) && !self.options.overlaps()
    }

    fn begin(&mut self, board: &mut dyn Board) {
        self.statistics.begin(self.options.playouts, board.mover());
        (self.history, self.winners) = (AmafTable::default(), Winners::default());
        (self.queue, self.prior, self.at_root) = (None, None, AtRoot::default());
    }

    fn holds_nodes(&self) -> bool {
        self.queue.is_some()
    }

    #[inline(always)]
    fn start(&mut self, descent: &mut Descent<'_>) {
        self.reference = None;
        if let Some(queue) = &self.queue {
            descent.path.truncate(queue.depth);
            self.statistics.made.clear();
            for &Made { kind, number } in &queue.made {
                self.statistics.note(kind, number);
            }
        } else {
            descent.start();
        }
    }

    #[inline(always)]
    fn evaluate(&self, descent: &mut Descent<'_>, node: u32, payoff: Option<f64>) {
        if matches!(self.options.backup, Backup::Implicit { .. }) {
            let scale = descent.root.scale;
            let value = payoff.map_or_else(|| descent.board.heuristic(), |payoff| scale.value(payoff));
            descent.arena.minimax[node] = value;
        }
        if let Some(payoff) = payoff
            && descent.arena.bounds.is_used()
        {
            descent.arena.bounds[node] = Bounds::exactly(payoff);
        }
    }

    #[inline(always)]
    fn proved(&mut self, arena: &Arena, node: u32) -> Option<f64> {
        let proved = arena.proved(node);
        if proved.is_some() {
            self.queue = None;
        }
        proved
    }

    #[inline(always)]
    fn expand(&mut self, descent: &mut Descent<'_>, node: u32) -> Option<Leaf> {
        let Plain { expansion, solver, root, .. } = self.options;
        let is_ripe = node == ROOT || descent.arena.nodes[node].visits >= expansion.threshold();
        if !is_ripe {
            return Some(Leaf::Playouts);
        }
        let leaf = self.add_children(descent, node);
        if leaf.is_some() {
            return leaf;
        }
        let arena = &mut *descent.arena;
        if let Solver::Bounds { probe: probe @ 1.., .. } = solver
            && node != ROOT
        {
            let found = descent.board.probe(descent.root.range, probe);
            arena.bounds[node] = arena.bounds[node].narrowed(found);
            if let Some(payoff) = arena.bounds[node].proved() {
                return Some(Leaf::Known(payoff));
            }
        }
        let is_shared = node == ROOT && root.is_used();
        if matches!(expansion, Expansion::All { .. }) && arena.nodes[node].kind != Kind::Chance && !is_shared
        {
            let (depth, made) = (descent.path.len(), self.statistics.made.clone());
            self.queue = Some(Queue { depth, children: arena.children(node), made });
        }
        None
    }

    #[inline(always)]
    fn select(&mut self, descent: &mut Descent<'_>, node: u32, kind: Kind) -> Option<u32> {
        let arena = &*descent.arena;
        let child = if let Some(queue) = &mut self.queue {
            let child = queue.children.next().expect("a queue is not empty");
            if queue.children.is_empty() {
                self.queue = None;
            }
            child
        } else if kind == Kind::Chance {
            self.select_outcome(descent, node)
        } else {
            let selection = self.options.selection;
            if let Some(enough) = selection.reference() {
                let at = arena.nodes[node];
                let before = self.reference.filter(|_| at.visits <= enough);
                if before.is_none() && matches!(selection, Selection::Mcps { .. }) {
                    self.statistics.refer();
                }
                self.reference = before.or(Some(at.family));
            }
            if node == ROOT && self.options.root.is_used() {
                self.at_root.next(self.options.root, descent, self.options.playouts.batch())
            } else {
                let (limit, scale) = (self.limit(arena, node), descent.root.scale);
                let of_search = match selection {
                    Selection::Mcps { .. } => self.statistics.permutations.table(),
                    _ => &self.history,
                };
                let tables = (self.reference.unwrap_or_default(), of_search);
                selection.select(arena, (node, limit, tables), scale, self.logarithms)
            }
        };
        if self.traces && kind != Kind::Chance {
            self.statistics.note(kind, descent.arena.numbers[child]);
        }
        Some(child)
    }

    fn take_prior(&mut self, prior: &[f32]) {
        self.prior = Some(prior.to_vec());
    }

    #[inline]
    fn cut_off(&mut self, board: &mut dyn Board, batch: Batch) -> Option<usize> {
        self.requests_values.then(|| board.cut_off(batch))
    }

    fn take_evaluations(
        &mut self,
        board: &mut dyn Board,
        _arena: &mut Arena,
        values: &[i64],
        meter: &mut Meter,
    ) -> Sample {
        let sample = board.cut_sample(values);
        meter.count_playouts(&sample.work());
        sample
    }

    fn simulate(&mut self, board: &mut dyn Board, batch: Batch) -> Sample {
        board.play(batch, self.traces.then_some((self.options.playouts, &mut self.statistics)))
    }

    #[inline(always)]
    fn back_up(&mut self, iteration: Iteration<'_>, sample: &Sample) {
        let Iteration { board, root, arena, path } = iteration;
        let (scale, Plain { backup, solver, .. }) = (root.scale, self.options);
        if arena.stamps.is_used() {
            arena.stamp(path);
        }
        if !self.traces && backup.is_mean() && !solver.is_used() {
            back_up(arena, path, sample, |arena, step, _| score_mean(arena, step, scale));
            return;
        }
        let value = scale.value(sample.sum / sample.playouts as f64);
        let mut tightens = arena.bounds.is_used();
        // The number of moves made before a node.
        let mut before = path.iter().filter(|step| step.parent.is_player()).count();
        let mut counted = *sample;
        if let Backup::Relative { steepness, weight } = backup {
            let length = (path.len() - 1) as f64 + sample.plies as f64;
            let reward = self.winners.reward(value, length, (steepness, weight));
            counted = Sample::exactly(scale.payoff(reward), sample.playouts);
        }
        let (plies, mut at) = (solver.backup(), path.len());
        back_up(arena, path, &counted, |arena, step, is_leaf| {
            at -= 1;
            let is_deeper =
                plies > 0 && !is_leaf && deepen(board, (arena, root.range), &path[..at + 2], plies);
            backup.update(arena, step, scale, is_leaf, &mut tightens);
            tightens |= is_deeper;
            if arena.amaf.is_used() {
                back_up_amaf(arena, step.node, before, &self.statistics, value);
                before -= usize::from(step.parent.is_player());
            }
        });
        if arena.has_tables {
            back_up_tables(arena, path, &self.statistics, value);
        }
        if matches!(self.options.selection, Selection::History { .. }) {
            for &Made { kind, number } in &self.statistics.made {
                self.history.add(kind, number, kind.view(value));
            }
        }
        if self.traces {
            if let Selection::Mcps { window, .. } = self.options.selection {
                self.statistics.add_permutation(value, window);
            }
            if let Playouts::Ppa { alpha, .. } = self.options.playouts {
                self.statistics.adaptation.adapt(alpha, arena, path, value);
            }
            self.statistics.learn(self.options.playouts, value);
        }
    }

    fn decide(&mut self, found: Found<'_>, rng: &mut Rng) -> Result<Decision<u32>, SearchError> {
        found.require_children()?;
        let Found { root, arena, children: order, .. } = found;
        let values: Vec<f64> =
            order.iter().map(|&child| Self::child_value(arena, root, child, Kind::Max)).collect();
        let estimate = |(&child, &value): (&u32, &f64)| {
            let standard_error = |totals: Totals, n| {
                if arena.proved(child).is_some() { 0.0 } else { totals.standard_error(n) }
            };
            found.estimate(child, root.scale.payoff(value), standard_error)
        };
        let moves: Vec<_> = order.iter().zip(&values).map(estimate).collect();
        let Plain { final_choice, ties, .. } = self.options;
        let by_rule = self.at_root.choose(arena, ties);
        let place = |child| order.iter().position(|&other| other == child).expect("a child of the root");
        let chosen = by_rule.map_or_else(|| final_choice.choose(arena, order, &values, ties, rng), place);
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, root: &Root, child: u32, parent: Kind) -> Option<f64> {
        (arena.nodes[child].visits > 0)
            .then(|| root.scale.payoff(Self::child_value(arena, root, child, parent)))
    }

    fn principal(&self, arena: &Arena, _node: u32, children: &[u32]) -> Option<u32> {
        most_visited(arena, children)
    }
}
