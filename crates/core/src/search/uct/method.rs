//! UCT as a method of tree search: each step as its settings choose it.

use std::ops::Range;
use std::sync::Arc;

use super::super::tree::{
    Arena, Bounds, Columns, Descent, Expansion, Found, Iteration, Kind, Logarithms, Method, ROOT, Root,
    Sample, Scale, Score, Totals, TreeOf, TreeSearch, back_up, mean, most_visited, score_mean,
};
use super::backup::Backup;
use super::bounds::tighten;
use super::grave::{back_up_amaf, back_up_tables, select_by_table};
use super::heuristic::{Prior, Widening};
use super::leaf::Cut;
use super::learning::{Made, Statistics, number_of};
use super::probe::probe_to;
use super::selection::Rule;
use super::settings::UctSettings;
use crate::game::{
    Evaluation, EvaluationRequest, Game, Player, PlayoutRequest, Policy, PolicyExt as _, Tally,
};
use crate::rng::Rng;
use crate::search::{Decision, Meter, SearchError, Ties};

/// The method of [`Uct`](super::Uct).
#[derive(Clone)]
pub struct Family<G: Game> {
    settings: Arc<UctSettings<G>>,
    backup: Backup,
    logarithms: Logarithms,
    statistics: Statistics,
    /// Whether the moves of playouts are read.
    traces: bool,
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
    /// If the threshold of expansion, the batch or the number of leaves is 0; if the rule of selection needs a prior and
    /// there is none; if the solver is combined with sampled outcomes; or if several leaves are combined with playout
    /// statistics or with expansion of all children at once.
    pub fn new(settings: UctSettings<G>) -> Self {
        assert!(settings.expansion.threshold > 0, "a node is visited before it is expanded");
        assert!(settings.batch > 0, "a batch has at least one playout");
        assert!(settings.leaves > 0, "a search takes at least one leaf at a time");
        assert!(settings.sparse.is_none() || !settings.solver, "samples of chance prove nothing");
        let traces = settings.traces();
        assert!(
            !settings.overlaps() || !traces && !settings.expansion.all_at_once,
            "playout statistics, and children all at once, need one leaf at a time"
        );
        assert!(
            !matches!(settings.prior, Prior::Unknown) || !settings.selection.rule.wants_priors(),
            "this rule of selection needs a prior"
        );
        let implicit_share = settings.implicit.as_ref().map(|implicit| implicit.share);
        let backup = Backup { max_share: settings.max_share, implicit_share };
        let (settings, logarithms, statistics) =
            (Arc::new(settings), Logarithms::new(), Statistics::default());
        let (cuts, prior, queue, reference) = (Vec::new(), None, None, None);
        Self::of(Family { settings, backup, logarithms, statistics, traces, cuts, prior, queue, reference })
    }
}

impl<G: Game> Family<G> {
    pub(super) fn settings(&self) -> &UctSettings<G> {
        &self.settings
    }

    /// The number of children of a node that may be visited.
    #[inline(always)]
    fn limit(&self, arena: &Arena, node: u32) -> u32 {
        let children = |widening: Widening| widening.children(arena.visits(node));
        self.settings.widening.map_or(u32::MAX, children)
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
        if self.settings.ties == Ties::Random {
            descent.shuffle(node);
        }
        if !matches!(self.settings.prior, Prior::Unknown) {
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
        self.settings.first_play.score(self.settings.selection.rule, || {
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
        for _ in 0..self.settings.sparse.unwrap_or(0) {
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
        let is_distribution = self.settings.selection.rule.wants_a_distribution();
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
        if let Some(samples) = self.settings.sparse {
            let pick = descent.draws.below(samples);
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
        let UctSettings { solver, sparse, prior, implicit, transpositions, .. } = &*self.settings;
        let rule = self.settings.selection.rule;
        Columns {
            bounds: *solver,
            priors: !matches!(prior, Prior::Unknown),
            weights: *solver,
            samples: sparse.is_some(),
            numbers: self.traces,
            amaf: rule == Rule::Rave,
            minimax: implicit.is_some(),
            tables: matches!(rule, Rule::Grave { .. }),
            index: *transpositions,
            ..Columns::default()
        }
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.settings.leaf.policy
    }

    fn batch(&self) -> u64 {
        self.settings.batch.into()
    }

    fn can_ask(&self) -> bool {
        let is_batched = self.settings.leaf.cutoff.is_none() || self.evaluation().is_some();
        !self.traces && is_batched && !self.settings.overlaps()
    }

    fn leaves(&self) -> u32 {
        self.settings.leaves
    }

    fn keeps_tree(&self) -> bool {
        self.settings.keep_tree
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
        if let Some(implicit) = &self.settings.implicit {
            let evaluation = || implicit.evaluated.value(descent.game, position, player);
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
        let UctSettings { expansion, probe, .. } = *self.settings;
        let is_ripe = node == ROOT || descent.tree.arena.nodes[node].visits >= expansion.threshold;
        if !is_ripe {
            return Expansion::Leaf;
        }
        match self.add_children(descent, node, position) {
            Expansion::Children => {}
            other => return other,
        }
        let arena = &mut descent.tree.arena;
        if probe > 0 && arena.bounds.is_used() && node != ROOT {
            let found = probe_to(descent.game, position, (descent.root.player, descent.root.range), probe);
            arena.bounds[node] = arena.bounds[node].narrowed(found);
            if let Some(payoff) = arena.bounds[node].proved() {
                return Expansion::Known(payoff);
            }
        }
        if expansion.all_at_once && arena.nodes[node].kind != Kind::Chance {
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
        } else if let Rule::Grave { reference: enough } = self.settings.selection.rule {
            let at = arena.nodes[node];
            let family = self.reference.filter(|_| at.visits <= enough).unwrap_or(at.family);
            self.reference = Some(family);
            let (selection, limit) = (self.settings.selection, self.limit(arena, node));
            select_by_table(selection, arena, node, limit, family, self.logarithms)
        } else {
            let (limit, scale) = (self.limit(arena, node), descent.root.scale);
            self.settings.selection.select(arena, node, limit, scale, self.logarithms)
        };
        if self.traces && kind != Kind::Chance {
            self.statistics.note(kind, descent.tree.arena.numbers[child]);
        }
        Some(child)
    }

    /// The evaluation of cut-off playouts, if they are evaluated in batches.
    fn evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        let cutoff = self.settings.leaf.cutoff.as_ref().filter(|_| !self.traces && !self.settings.overlaps());
        cutoff.map(|cutoff| &cutoff.evaluated.evaluation).filter(|evaluation| evaluation.prefers_batches())
    }

    fn prior_evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        match &self.settings.prior {
            Prior::Head(evaluation) if !self.settings.overlaps() => Some(evaluation),
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
        let Some(cutoff) = &self.settings.leaf.cutoff else { return false };
        if self.evaluation().is_none() {
            return false;
        }
        self.cuts = cutoff.play(game, &*self.settings.leaf.policy, request, evaluations);
        true
    }

    fn take_evaluations(
        &mut self,
        _arena: &mut Arena,
        scale: Scale,
        values: &[i64],
        meter: &mut Meter,
    ) -> Sample {
        let cutoff = self.settings.leaf.cutoff.as_ref().expect("playouts are cut off");
        let sample = cutoff.sample(&self.cuts, scale, values);
        meter.count_playouts(&sample.work());
        sample
    }

    fn simulate(&mut self, game: &G, request: &PlayoutRequest<G::Position>) -> Sample {
        let learning = self.settings.learning;
        let statistics = self.traces.then_some((&mut self.statistics, learning));
        self.settings.leaf.play(game, request, statistics)
    }

    fn simulate_many(
        &mut self,
        game: &G,
        requests: &[PlayoutRequest<G::Position>],
        samples: &mut Vec<Sample>,
    ) {
        samples.clear();
        if self.settings.leaf.cutoff.is_some() {
            samples.extend(requests.iter().map(|request| self.simulate(game, request)));
            return;
        }
        let mut tallies = vec![Tally::default(); requests.len()];
        self.settings.leaf.policy.playouts_of_many(game, requests, &mut tallies);
        samples.extend(tallies.into_iter().map(Sample::from));
    }

    #[inline(always)]
    fn back_up(&mut self, iteration: Iteration<'_, G>, sample: &Sample) {
        let Iteration { root, tree, path, .. } = iteration;
        let (arena, scale) = (&mut tree.arena, root.scale);
        if !self.traces && self.backup.is_mean(arena) {
            back_up(arena, path, sample, |arena, step, _| score_mean(arena, step, scale));
            return;
        }
        let value = scale.value(sample.sum / sample.playouts as f64);
        let mut tightens = arena.bounds.is_used();
        // The number of moves made before a node.
        let mut before = path.iter().filter(|step| step.parent.is_player()).count();
        back_up(arena, path, sample, |arena, step, is_leaf| {
            self.backup.update(arena, step, scale, is_leaf, &mut tightens);
            if arena.amaf.is_used() {
                back_up_amaf(arena, step.node, before, &self.statistics, value);
                before -= usize::from(step.parent.is_player());
            }
        });
        if arena.has_tables() {
            back_up_tables(arena, path, &self.statistics, value);
        }
        if self.traces {
            self.statistics.learn(self.settings.learning, value);
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
        let UctSettings { final_choice, ties, .. } = *self.settings;
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
