//! UCT as a method of tree search: each step as its settings choose it.

use std::ops::Range;
use std::sync::Arc;

use super::super::tree::{
    Arena, Bounds, Columns, Descent, Expansion, Found, Iteration, Kind, Logarithms, Method, ROOT, Root,
    Sample, Scale, Score, Totals, TreeOf, TreeSearch, back_up, mean, most_visited, score_mean,
};
use super::bounds::tighten;
use super::decisive::Decisive;
use super::grave::{back_up_amaf, back_up_tables};
use super::heuristic::Evaluated;
use super::leaf::{Cut, Cutoff, play_out};
use super::learning::{Made, Statistics, number_of};
use super::parts::{Backup, Expansion as Expand, Prior, Sight, Solver};
use super::probe::probe_to;
use super::selection::Selection;
use super::settings::{Plain, UctSettings};
use crate::game::{
    Evaluation, EvaluationRequest, Game, Player, PlayoutRequest, Policy, PolicyExt as _, Tally,
};
use crate::rng::Rng;
use crate::search::{Decision, Meter, SearchError, Ties};

/// The method of [`Uct`](super::Uct).
#[derive(Clone)]
pub struct Family<G: Game> {
    settings: Arc<UctSettings<G>>,
    plain: Plain,
    logarithms: Logarithms,
    statistics: Statistics,
    /// Whether the moves of playouts are read.
    traces: bool,
    /// Whether a backup is a mean, and no more.
    is_mean: bool,
    /// The playouts with last positions under evaluation.
    cuts: Vec<Cut>,
    /// The requested prior over the moves of the node to expand next.
    prior: Option<Vec<f32>>,
    /// Children to visit before anything else.
    queue: Option<Queue>,
    /// The family with the table that GRAVE reads, of the nearest node with enough visits.
    reference: Option<u32>,
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

impl<G: Game> TreeSearch<G, Family<G>> {
    /// A searcher with these settings.
    ///
    /// # Panics
    /// If the threshold of expansion, the batch or the number of leaves is 0, or if the options [conflict](super::UctOptions::conflict).
    pub fn new(mut settings: UctSettings<G>) -> Self {
        assert!(settings.expansion.threshold() > 0, "a node is visited before it is expanded");
        assert!(settings.playouts.batch() > 0, "a batch has at least one playout");
        assert!(settings.parallel.leaves() > 0, "a search takes at least one leaf at a time");
        assert_eq!(settings.conflict(), None, "the options go together");
        let policy = settings.policy;
        settings.policy = match settings.playouts.decisive() {
            Sight::Never => policy,
            sight => Arc::new(Decisive { policy, anti: sight == Sight::Both }),
        };
        if let Prior::Policy { policy: chosen @ None } = &mut settings.prior {
            *chosen = Some(Arc::clone(&settings.policy));
        }
        let (plain, traces) = (settings.clone().plain(), settings.traced().is_some());
        let is_mean = !traces && plain.backup.is_mean() && !plain.solver.is_used();
        let (settings, logarithms, statistics) =
            (Arc::new(settings), Logarithms::new(), Statistics::default());
        let (cuts, prior, queue, reference) = (Vec::new(), None, None, None);
        Self::of(Family {
            settings,
            plain,
            logarithms,
            statistics,
            traces,
            is_mean,
            cuts,
            prior,
            queue,
            reference,
        })
    }
}

impl<G: Game> Family<G> {
    pub(super) const fn plain(&self) -> &Plain {
        &self.plain
    }

    /// The number of children of a node that may be visited.
    #[inline(always)]
    fn limit(&self, arena: &Arena, node: u32) -> u32 {
        self.plain.expansion.children(|| arena.visits(node))
    }

    /// Gives a node children, scored and in their order. Without memory the node stays a leaf. Out of line, because
    /// about half of all iterations expand no node.
    #[inline(never)]
    fn add_children(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion {
        let game = descent.game;
        let kind = descent.tree.arena.nodes[node].kind;
        let key = if descent.tree.arena.has_index() { game.key(position) } else { None };
        if let Some(family) = key.and_then(|key| descent.tree.family_of(key, position)) {
            let arena = &mut descent.tree.arena;
            arena.link(node, family);
            if arena.bounds.is_used() {
                tighten(arena, node);
            }
            return Expansion::Children;
        }
        let told = self.prior.take();
        if kind != Kind::Chance && told.is_none() && self.prior_evaluation().is_some() {
            let player = mover(kind, descent.root.player);
            descent.evaluations.push(EvaluationRequest { position: *position, player, prior: true });
            return Expansion::Waiting;
        }
        let score = self.first_play(descent, node, kind);
        if !descent.expand(node, position, score, self.statistics.numbers()) {
            return Expansion::Leaf;
        }
        let arena = &mut descent.tree.arena;
        if arena.has_index() {
            let visits = arena.nodes[node].visits;
            arena.index.push(key.expect("the game has keys"), visits);
        }
        if kind == Kind::Chance {
            self.weigh_outcomes(descent, node, position);
            return Expansion::Children;
        }
        if self.plain.ties == Ties::Random {
            descent.shuffle(node);
        }
        if !matches!(self.plain.prior, Prior::None {}) {
            self.order_by_priors(descent, node, position, kind, told);
        }
        if self.traces {
            for child in descent.tree.arena.children(node) {
                descent.tree.arena.numbers[child] = number_of(game, descent.tree.mv(child));
            }
        }
        Expansion::Children
    }

    /// The score of the children of a node before their first visit.
    fn first_play(&self, descent: &Descent<'_, G>, node: u32, kind: Kind) -> Score {
        self.plain.first_play.score(self.plain.selection, || {
            let (sum, visits) = (descent.tree.arena.totals[node].sum, descent.tree.arena.nodes[node].visits);
            kind.view(descent.root.scale.value(sum / f64::from(visits.max(1))))
        })
    }

    /// Records the weights of outcomes for proofs, and samples the outcomes of sparse UCT.
    fn weigh_outcomes(&self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) {
        let children = descent.tree.arena.children(node);
        if descent.tree.arena.weights.is_used() {
            for (child, (_, weight)) in children.zip(descent.game.outcomes(position)) {
                descent.tree.arena.weights[child] = f64::from(weight);
            }
        }
        for _ in 0..self.plain.sparse {
            let child = descent.sample_outcome(node);
            descent.tree.arena.samples[child] += 1;
        }
    }

    /// Sorts the children of a node by their priors.
    fn order_by_priors(
        &self,
        descent: &mut Descent<'_, G>,
        node: u32,
        position: &G::Position,
        kind: Kind,
        told: Option<Vec<f32>>,
    ) {
        let root = descent.root;
        let moves = descent.tree.moves_of(node);
        let mover = mover(kind, root.player);
        let priors = self.settings.prior.of(descent.game, position, moves, (mover, root.scale), told);
        let is_distribution = matches!(self.plain.selection, Selection::Puct { .. });
        let whole = if is_distribution { priors.iter().map(|(prior, _)| prior).sum() } else { 1.0 };
        for (slot, (_, mv)) in moves.iter_mut().zip(&priors) {
            *slot = *mv;
        }
        for (child, (prior, _)) in descent.tree.arena.children(node).zip(&priors) {
            descent.tree.arena.priors[child] = prior / whole;
        }
    }

    /// The outcome of a chance node to visit next.
    fn select_outcome(&self, descent: &mut Descent<'_, G>, node: u32) -> u32 {
        let arena = &descent.tree.arena;
        let limit = self.limit(arena, node);
        let pick_by = |mut pick: u32, weights: &dyn Fn(u32) -> u32| {
            arena.children(node).find(|&child| {
                let falls_on = pick < weights(child);
                pick = pick.wrapping_sub(weights(child));
                falls_on
            })
        };
        if limit < u32::from(arena.nodes[node].count) && arena.visited(node).count() as u32 >= limit {
            // One of the visited outcomes, weighted by visits.
            let visits = |child: u32| arena.nodes[child].visits;
            let pick = descent.draws.below(arena.children(node).map(visits).sum());
            return pick_by(pick, &visits).expect("a pick below the sum of the visits falls on a child");
        }
        if self.plain.sparse > 0 {
            let pick = descent.draws.below(self.plain.sparse);
            let drawn = pick_by(pick, &|child| arena.samples[child]);
            return drawn.expect("a pick below the number of samples falls on a child");
        }
        descent.sample_outcome(node)
    }

    /// The value of a child of the root in `[0, 1]`: the backed up value; for a cut child, the mean within its bounds;
    /// 0 without visits.
    fn root_value(arena: &Arena, root: &Root<G::Position>, child: u32) -> f64 {
        Self::child_value(arena, root, child, Kind::Max)
    }

    /// The same of a child of a node of kind `parent`.
    fn child_value(arena: &Arena, root: &Root<G::Position>, child: u32, parent: Kind) -> f64 {
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

impl<G: Game> Method<G> for Family<G> {
    fn columns(&self) -> Columns {
        let Plain { selection, prior, backup, solver, sparse, memory, .. } = self.plain;
        Columns {
            bounds: solver.is_used(),
            priors: !matches!(prior, Prior::None {}),
            weights: solver.is_used(),
            samples: sparse > 0,
            numbers: self.traces,
            amaf: matches!(selection, Selection::Rave { .. }),
            minimax: matches!(backup, Backup::Implicit { .. }),
            tables: matches!(selection, Selection::Grave { .. }),
            index: memory.is_graph(),
            ..Columns::default()
        }
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.settings.policy
    }

    fn batch(&self) -> u64 {
        self.plain.playouts.batch().into()
    }

    fn can_ask(&self) -> bool {
        let is_batched = Cutoff::of(&self.settings.playouts).is_none() || self.evaluation().is_some();
        !self.traces && is_batched && !self.plain.overlaps()
    }

    fn leaves(&self) -> u32 {
        self.plain.parallel.leaves()
    }

    fn keeps_tree(&self) -> bool {
        self.plain.memory.keep()
    }

    fn begin(&mut self, _game: &G, _position: &G::Position) {
        self.statistics = Statistics::default();
        (self.queue, self.prior) = (None, None);
    }

    fn holds_nodes(&self) -> bool {
        self.queue.is_some()
    }

    #[inline(always)]
    fn start(&mut self, descent: &mut Descent<'_, G>) {
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
    fn evaluate(&self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position, payoff: Option<f64>) {
        let Root { player, scale, .. } = *descent.root;
        if let Backup::Implicit { evaluation, scale: worth, .. } = &self.settings.backup {
            let evaluation = || Evaluated::new(evaluation, *worth).value(descent.game, position, player);
            let value = payoff.map_or_else(evaluation, |payoff| scale.value(payoff));
            descent.tree.arena.minimax[node] = value;
        }
        if let Some(payoff) = payoff
            && descent.tree.arena.bounds.is_used()
        {
            descent.tree.arena.bounds[node] = Bounds::exactly(payoff);
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
    fn expand(&mut self, descent: &mut Descent<'_, G>, node: u32, position: &G::Position) -> Expansion {
        let Plain { expansion, solver, .. } = self.plain;
        let is_ripe = node == ROOT || descent.tree.arena.nodes[node].visits >= expansion.threshold();
        if !is_ripe {
            return Expansion::Leaf;
        }
        match self.add_children(descent, node, position) {
            Expansion::Children => {}
            other => return other,
        }
        let arena = &mut descent.tree.arena;
        if let Solver::Bounds { probe: probe @ 1.. } = solver
            && node != ROOT
        {
            let found = probe_to(descent.game, position, (descent.root.player, descent.root.range), probe);
            arena.bounds[node] = arena.bounds[node].narrowed(found);
            if let Some(payoff) = arena.bounds[node].proved() {
                return Expansion::Known(payoff);
            }
        }
        if matches!(expansion, Expand::All { .. }) && arena.nodes[node].kind != Kind::Chance {
            let (depth, made) = (descent.path.len(), self.statistics.made.clone());
            self.queue = Some(Queue { depth, children: arena.children(node), made });
        }
        Expansion::Children
    }

    #[inline(always)]
    fn select(&mut self, descent: &mut Descent<'_, G>, node: u32, kind: Kind) -> Option<u32> {
        let arena = &descent.tree.arena;
        let child = if let Some(queue) = &mut self.queue {
            let child = queue.children.next().expect("a queue is not empty");
            if queue.children.is_empty() {
                self.queue = None;
            }
            child
        } else if kind == Kind::Chance {
            self.select_outcome(descent, node)
        } else {
            let selection = self.plain.selection;
            if let Selection::Grave { reference: enough, .. } = selection {
                let at = arena.nodes[node];
                self.reference = self.reference.filter(|_| at.visits <= enough).or(Some(at.family));
            }
            let (limit, scale) = (self.limit(arena, node), descent.root.scale);
            let reference = self.reference.unwrap_or_default();
            selection.select(arena, (node, limit, reference), scale, self.logarithms)
        };
        if self.traces && kind != Kind::Chance {
            self.statistics.note(kind, descent.tree.arena.numbers[child]);
        }
        Some(child)
    }

    /// The evaluation of cut-off playouts, if they are evaluated in batches.
    fn evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        let cutoff = Cutoff::of(&self.settings.playouts).filter(|_| !self.traces && !self.plain.overlaps());
        cutoff.map(|cutoff| cutoff.evaluation).filter(|evaluation| evaluation.prefers_batches())
    }

    fn prior_evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        match &self.settings.prior {
            Prior::Head { evaluation } if !self.plain.overlaps() => Some(evaluation),
            _ => None,
        }
        .filter(|evaluation| evaluation.prefers_batches())
    }

    fn take_prior(&mut self, prior: &[f32]) {
        self.prior = Some(prior.to_vec());
    }

    #[inline]
    fn cut_off(
        &mut self,
        game: &G,
        request: &PlayoutRequest<G::Position>,
        evaluations: &mut Vec<EvaluationRequest<G::Position>>,
    ) -> bool {
        let Some(cutoff) = Cutoff::of(&self.settings.playouts) else { return false };
        if self.evaluation().is_none() {
            return false;
        }
        self.cuts = cutoff.play(game, &*self.settings.policy, request, evaluations);
        true
    }

    fn take_evaluations(
        &mut self,
        _arena: &mut Arena,
        scale: Scale,
        values: &[i64],
        meter: &mut Meter,
    ) -> Sample {
        let cutoff = Cutoff::of(&self.settings.playouts).expect("playouts are cut off");
        let sample = cutoff.sample(&self.cuts, scale, values);
        meter.count_playouts(&sample.work());
        sample
    }

    fn simulate(&mut self, game: &G, request: &PlayoutRequest<G::Position>) -> Sample {
        let statistics = self.traces.then_some(&mut self.statistics);
        play_out(&self.settings, &self.plain, game, request, statistics)
    }

    fn simulate_many(
        &mut self,
        game: &G,
        requests: &[PlayoutRequest<G::Position>],
        samples: &mut Vec<Sample>,
    ) {
        samples.clear();
        if Cutoff::of(&self.settings.playouts).is_some() {
            samples.extend(requests.iter().map(|request| self.simulate(game, request)));
            return;
        }
        let mut tallies = vec![Tally::default(); requests.len()];
        self.settings.policy.playouts_of_many(game, requests, &mut tallies);
        samples.extend(tallies.into_iter().map(Sample::from));
    }

    #[inline(always)]
    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample) {
        let Iteration { root, tree, path, .. } = iteration;
        let (arena, scale) = (&mut tree.arena, root.scale);
        if self.is_mean {
            back_up(arena, path, sample, |arena, step, _| score_mean(arena, step, scale));
            return;
        }
        let value = scale.value(sample.sum / sample.playouts as f64);
        let mut tightens = arena.bounds.is_used();
        // The number of moves made before a node.
        let mut before = path.iter().filter(|step| step.parent.is_player()).count();
        back_up(arena, path, sample, |arena, step, is_leaf| {
            self.plain.backup.update(arena, step, scale, is_leaf, &mut tightens);
            if arena.amaf.is_used() {
                back_up_amaf(arena, step.node, before, &self.statistics, value);
                before -= usize::from(step.parent.is_player());
            }
        });
        if arena.has_tables() {
            back_up_tables(arena, path, &self.statistics, value);
        }
        if self.traces {
            self.statistics.learn(self.plain.playouts, value);
        }
    }

    fn decide(&mut self, found: &Found<'_, G>, rng: &mut Rng) -> Result<Decision<G::Move>, SearchError> {
        found.require_children()?;
        let (root, arena) = (found.root, &found.tree.arena);
        let order = found.children();
        let values: Vec<f64> = order.iter().map(|&child| Self::root_value(arena, root, child)).collect();
        let estimate = |(&child, &value): (&u32, &f64)| {
            let standard_error = |totals: Totals, n| {
                if arena.proved(child).is_some() { 0.0 } else { totals.standard_error(n) }
            };
            found.estimate(child, root.scale.payoff(value), standard_error)
        };
        let moves: Vec<_> = order.iter().zip(&values).map(estimate).collect();
        let Plain { final_choice, ties, .. } = self.plain;
        let chosen = final_choice.choose(arena, &order, &values, ties, rng);
        Ok(Decision { chosen: moves[chosen].mv, moves, stop: found.stop })
    }

    fn value(&self, arena: &Arena, root: &Root<G::Position>, child: u32, parent: Kind) -> Option<f64> {
        (arena.nodes[child].visits > 0)
            .then(|| root.scale.payoff(Self::child_value(arena, root, child, parent)))
    }

    fn principal(&self, game: &G, tree: &TreeOf<G>, node: u32, at: &G::Position) -> Option<u32> {
        most_visited(game, tree, node, at)
    }
}

/// The player who decides at a node of this kind, if `max` does at max nodes.
fn mover(kind: Kind, max: Player) -> Player {
    if kind == Kind::Min { max.other() } else { max }
}
