//! A search in progress: it names the position that it wants played out, and is told the result.
//!
//! [`Conversation::ask`] goes down the tree until a playout is needed, [`Conversation::tell`] takes its result up again.
//! Who holds the conversation plays the playouts: [`Uct`](super::Uct) one after the other, and whoever holds many
//! conversations can play the playouts of all at once.

use super::backup::PathNode;
use super::heuristic::Widening;
use super::leaf::Sample;
use super::learning::{Learned, Made};
use super::selection::{Rule, Scale};
use super::settings::{FirstPlay, UctSettings};
use super::tree::{Bounds, Kind, NONE, ROOT, Score, Tree};
use crate::game::{Batch, Game, Kernel, Player, accelerate};
use crate::rng::{Draws, PlayoutKey};
use crate::search::{Ask, Limit, Meter, MoveStream, Stop, Ties};

/// A search for one move.
pub struct Conversation<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) settings: &'a UctSettings<G>,
    pub(super) tree: &'a mut Tree<G::Position, G::Move>,
    pub(super) path: &'a mut Vec<PathNode>,
    pub(super) learned: &'a mut Learned<G::Move>,
    pub(super) state: &'a mut State<G>,
}

/// How far a search for one move has come, beside its tree.
#[derive(Clone)]
pub(super) struct State<G: Game> {
    pub(super) root: G::Position,
    pub(super) player: Player,
    pub(super) scale: Scale,
    /// What every payoff lies between.
    pub(super) range: Bounds,
    playouts: PlayoutKey,
    /// The randomness of iteration *i* in the tree is its playout *i*.
    in_tree: PlayoutKey,
    iteration: u64,
    /// How many playouts the batch has that was asked for.
    count: u64,
    /// How many positions were named whose results were not told yet.
    pub(super) pending: u32,
    /// Children that are played out before anything else.
    queue: Option<Queue<G>>,
}

impl<G: Game> State<G> {
    /// The beginning of a search of a position for a player.
    pub(super) fn new(game: &G, root: G::Position, player: Player, stream: MoveStream) -> Self {
        let (range, scale) = range_of(game);
        let key = stream.playouts();
        Self {
            root,
            player,
            scale,
            range,
            playouts: key.child(0),
            in_tree: key.child(1),
            iteration: 0,
            count: 0,
            pending: 0,
            queue: None,
        }
    }
}

/// The children of a node that wait for their first playout, all at once.
#[derive(Clone)]
struct Queue<G: Game> {
    /// The last of the path that leads to the node.
    depth: usize,
    children: std::ops::Range<u32>,
    /// The moves that lead to the node.
    made: Vec<Made<G::Move>>,
}

/// Where a way down the tree ended.
enum Descent<P> {
    /// At a position to be played out.
    Leaf(P),
    /// At a position whose payoff is known.
    Known(f64),
    /// The budget allows no further node.
    Abandoned,
}

/// One way down.
struct Down<'c, 'a, G: Game> {
    conversation: &'c mut Conversation<'a, G>,
    meter: &'c mut Meter,
}

impl<G: Game> Kernel for Down<'_, '_, G> {
    type Output = Descent<G::Position>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.conversation.descend(self.meter)
    }
}

impl<G: Game> Conversation<'_, G> {
    /// Goes down the tree until a position is to be played out, and names it.
    pub fn ask(&mut self, meter: &mut Meter) -> Ask<G::Position> {
        loop {
            if let Some(limit) = meter.limit() {
                return Ask::Nothing(Stop::Limit(limit));
            }
            if self.tree.columns.bounds && self.tree.bounds[ROOT as usize].is_exact() {
                return Ask::Nothing(Stop::Proved);
            }
            if self.tree.full && self.state.queue.is_none() && self.state.pending == 0 {
                self.tree.recycle();
            }
            match accelerate(Down { conversation: self, meter }) {
                Descent::Leaf(position) => {
                    self.state.count = u64::from(self.settings.batch).min(meter.playouts_left());
                    return Ask::Playouts(position);
                }
                Descent::Known(payoff) => {
                    self.state.count = u64::from(self.settings.batch).min(meter.playouts_left());
                    let sample = Sample::exactly(payoff, self.state.count);
                    meter.count_playouts(&sample.work());
                    self.tell(&sample);
                }
                Descent::Abandoned => return Ask::Nothing(Stop::Limit(Limit::Nodes)),
            }
        }
    }

    /// The playouts that are wanted of the position that was named last.
    pub fn batch(&self) -> Batch {
        Batch {
            key: self.state.playouts,
            first: self.state.iteration * u64::from(self.settings.batch),
            count: self.state.count,
        }
    }

    /// Takes the result of the playouts that were wanted.
    pub fn tell(&mut self, sample: &Sample) {
        self.back_up(sample);
        self.state.iteration += 1;
    }

    /// Goes on to the next iteration before this one's result is told.
    pub(super) const fn go_on(&mut self) {
        self.state.iteration += 1;
    }

    #[inline(always)]
    fn descend(&mut self, meter: &mut Meter) -> Descent<G::Position> {
        let game = self.game;
        let mut draws = self.state.in_tree.playout(self.state.iteration);
        let mut node = ROOT;
        // Whose table GRAVE asks: the family of the nearest node with enough visits.
        let mut reference = None;
        if let Some(queue) = &mut self.state.queue {
            self.path.truncate(queue.depth);
            self.learned.made.clear();
            queue.made.iter().for_each(|made| self.learned.note(game, made.kind, made.mv));
            node = self.path[queue.depth - 1].node;
        } else {
            self.path.clear();
            self.path.push(PathNode { node, parent: Kind::Unseen, made: 0 });
        }
        let traces = self.settings.traces();
        loop {
            let kind = self.tree.node(node).kind;
            if kind == Kind::Unseen {
                let position = self.position();
                let kind = Kind::of(game.turn(&position), self.state.player);
                self.tree.nodes[node as usize].kind = kind;
                if kind != Kind::Over {
                    if let Some(implicit) = &self.settings.implicit {
                        let share = implicit.evaluated.share(game, &position, self.state.player);
                        self.tree.heuristics[node as usize] = share;
                    }
                    return Descent::Leaf(position);
                }
                let payoff = f64::from(game.payoff(&position, self.state.player));
                if self.tree.columns.heuristics {
                    self.tree.heuristics[node as usize] = self.state.scale.share(payoff);
                }
                if self.tree.columns.bounds {
                    self.tree.bounds[node as usize] = Bounds { low: payoff, high: payoff };
                }
                return Descent::Known(payoff);
            }
            if kind == Kind::Over {
                return Descent::Known(game.payoff(&self.position(), self.state.player).into());
            }
            if self.tree.columns.bounds && self.tree.bounds[node as usize].is_exact() {
                // What is proved needs no more of its children.
                self.state.queue = None;
                return Descent::Known(self.tree.bounds[node as usize].low);
            }
            if self.tree.node(node).first == NONE {
                let position = self.position();
                let ripe = node == ROOT || self.tree.node(node).visits >= self.settings.expansion.threshold;
                if !ripe || !self.expand(node, kind, &position, &mut draws, meter) {
                    return Descent::Leaf(position);
                }
                if self.settings.probe > 0 && self.tree.columns.bounds && node != ROOT {
                    let found = self.probe(&position, self.settings.probe);
                    let bounds = &mut self.tree.bounds[node as usize];
                    *bounds = Bounds { low: bounds.low.max(found.low), high: bounds.high.min(found.high) };
                    if bounds.is_exact() {
                        return Descent::Known(bounds.low);
                    }
                }
                if self.settings.expansion.all_at_once && kind != Kind::Chance {
                    let children = self.tree.children(node);
                    let made = self.learned.made.clone();
                    self.state.queue = Some(Queue { depth: self.path.len(), children, made });
                }
            }
            if meter.nodes_left() == 0 {
                return Descent::Abandoned;
            }
            let child = if let Rule::Grave { reference: enough } = self.settings.selection.rule
                && kind != Kind::Chance
                && self.state.queue.is_none()
            {
                let at = self.tree.node(node);
                let family = reference.filter(|_| at.visits <= enough).unwrap_or(at.family);
                reference = Some(family);
                let limit = self.limit(node);
                self.choose_by_table(node, kind, limit, family)
            } else {
                self.choose(node, kind, &mut draws)
            };
            meter.count_node();
            if traces && kind != Kind::Chance {
                self.learned.note(game, kind, self.tree.mv(child));
            }
            self.path.push(PathNode { node: child, parent: kind, made: self.learned.made.len() });
            node = child;
        }
    }

    /// The position at the end of the path: one move from that of the node before.
    #[inline(always)]
    fn position(&self) -> G::Position {
        let [.., parent, last] = &self.path[..] else { return self.state.root };
        let mut position = self.tree.position_of(parent.node);
        self.game.apply(&mut position, self.tree.mv(last.node));
        position
    }

    /// The child that is visited next.
    #[inline(always)]
    fn choose(&mut self, node: u32, kind: Kind, draws: &mut Draws) -> u32 {
        if let Some(queue) = &mut self.state.queue {
            let child = queue.children.next().expect("a queue is not empty");
            if queue.children.is_empty() {
                self.state.queue = None;
            }
            return child;
        }
        let limit = self.limit(node);
        if kind == Kind::Chance {
            if let Some(known) = self.known_outcome(node, limit, draws) {
                return known;
            }
            if self.settings.sparse.is_some() {
                return self.sampled_outcome(node, draws);
            }
            let outcome = self.game.random_outcome(&self.tree.position_of(node), draws);
            self.tree.child_by(node, outcome).expect("chance chooses among its outcomes")
        } else {
            self.settings.selection.select(self.tree, node, limit, self.state.scale)
        }
    }

    /// How many children of a node may be visited.
    #[inline(always)]
    fn limit(&self, node: u32) -> u32 {
        let children = |widening: Widening| widening.children(self.tree.visits(node));
        self.settings.widening.map_or(u32::MAX, children)
    }

    /// One of the outcomes that were visited, by their visits, where no other may be yet.
    #[inline]
    fn known_outcome(&self, node: u32, limit: u32, draws: &mut Draws) -> Option<u32> {
        if limit >= u32::from(self.tree.node(node).count) {
            return None;
        }
        let visits = |child: u32| self.tree.node(child).visits;
        let visited = self.tree.children(node).filter(|&child| visits(child) > 0);
        if (visited.clone().count() as u32) < limit {
            return None;
        }
        let mut pick = draws.below(visited.clone().map(visits).sum());
        for child in visited {
            if pick < visits(child) {
                return Some(child);
            }
            pick -= visits(child);
        }
        None
    }

    /// Draws so many outcomes at a node of chance, which from then on has no others: how often each was drawn stands as
    /// its prior.
    fn sample_outcomes(&mut self, node: u32, position: &G::Position, samples: u32, draws: &mut Draws) {
        for child in self.tree.children(node) {
            self.tree.priors[child as usize] = 0.0;
        }
        for _ in 0..samples {
            let outcome = self.game.random_outcome(position, draws);
            let child = self.tree.child_by(node, outcome).expect("chance chooses among its outcomes");
            self.tree.priors[child as usize] += 1.0;
        }
    }

    /// One of the samples of a node of chance, each as likely.
    fn sampled_outcome(&self, node: u32, draws: &mut Draws) -> u32 {
        let samples = self.settings.sparse.expect("there are samples");
        let mut pick = draws.below(samples) as f64;
        let drawn = |child: &u32| {
            pick -= self.tree.priors[*child as usize];
            pick < 0.0
        };
        self.tree.children(node).find(drawn).expect("a pick below the number of samples falls on one")
    }

    /// Plays the wanted playouts of a position.
    pub fn play(&mut self, from: &G::Position) -> Sample {
        let (game, settings, player) = (self.game, self.settings, self.state.player);
        if !settings.traces() {
            return settings.leaf.play(game, from, player, self.batch());
        }
        let batch = self.batch();
        let mut sample = Sample { playouts: batch.count, ..Sample::default() };
        let led_here = self.learned.made.len();
        for index in batch.first..batch.first + batch.count {
            self.learned.made.truncate(led_here);
            let (mut position, mut draws) = (*from, batch.key.playout(index));
            let mut plies = 0;
            let payoff = loop {
                let kind = Kind::of(game.turn(&position), player);
                let mv = match kind {
                    Kind::Over => break f64::from(game.payoff(&position, player)),
                    _ if settings.leaf.cutoff.as_ref().is_some_and(|cutoff| plies == cutoff.plies) => {
                        let cutoff = settings.leaf.cutoff.as_ref().expect("there is one");
                        break cutoff.payoff(game, &position, player);
                    }
                    Kind::Chance => game.random_outcome(&position, &mut draws),
                    _ => {
                        let policy = &*settings.leaf.policy;
                        let mv =
                            self.learned.choose(settings.learning, game, policy, &position, kind, &mut draws);
                        self.learned.note(game, kind, mv);
                        mv
                    }
                };
                game.apply(&mut position, mv);
                plies += 1;
            };
            sample.plies += u64::from(plies);
            sample.sum += payoff;
            sample.squares += payoff * payoff;
        }
        sample
    }

    /// Gives a node its children. Out of line: of two iterations hardly one comes here. Returns whether there was memory for them.
    #[inline(never)]
    fn expand(
        &mut self,
        node: u32,
        kind: Kind,
        position: &G::Position,
        draws: &mut Draws,
        meter: &mut Meter,
    ) -> bool {
        let game = self.game;
        let key = if self.tree.columns.index { game.key(position) } else { None };
        if let Some(family) = key.and_then(|key| self.tree.family_of(key, position)) {
            self.tree.link(node, family);
            if self.tree.columns.bounds {
                self.tree.tighten(node);
            }
            return true;
        }
        let value = match self.settings.first_play {
            FirstPlay::Published if self.settings.selection.rule == Rule::Puct => 0.5,
            FirstPlay::Published => f64::INFINITY,
            FirstPlay::Urgency(urgency) => urgency,
            FirstPlay::Reduction(reduction) => self.value_for(node, kind) - reduction,
        };
        // What is worth less than the best is explored as if it had been visited once, or it might never be.
        let width = if matches!(self.settings.first_play, FirstPlay::Reduction(_)) { 1.0 } else { 0.0 };
        let score = Score { value, width };
        let numbers = self.learned.numbers();
        if kind == Kind::Chance {
            let outcomes = game.outcomes(position).map(|(mv, _)| mv);
            if !self.tree.expand(node, *position, outcomes, (score, self.state.range), numbers, meter) {
                return false;
            }
            self.enter(node, key);
            if self.tree.columns.priors {
                let children = self.tree.children(node);
                for (child, (_, weight)) in children.zip(game.outcomes(position)) {
                    self.tree.priors[child as usize] = f64::from(weight);
                }
                if let Some(samples) = self.settings.sparse {
                    self.sample_outcomes(node, position, samples, draws);
                }
            }
            return true;
        }
        if !self.tree.expand(node, *position, game.moves(position), (score, self.state.range), numbers, meter)
        {
            return false;
        }
        self.enter(node, key);
        if self.settings.ties == Ties::Random {
            let moves = self.tree.moves_of(node);
            for last in (1..moves.len()).rev() {
                moves.swap(last, draws.below(last as u32 + 1) as usize);
            }
        }
        self.set_priors(node, position, kind);
        true
    }

    /// Enters the children of a node into the index, if there is one.
    fn enter(&mut self, node: u32, key: Option<u128>) {
        if self.tree.columns.index {
            let key = key.expect("the game has keys");
            self.tree.index.push(key, self.tree.node(node).visits);
        }
    }

    /// The mean of a node for who decides there, in `[0, 1]`.
    pub(super) fn value_for(&self, node: u32, kind: Kind) -> f64 {
        let (sum, visits) = (self.tree.totals[node as usize].sum, self.tree.node(node).visits);
        let share = self.state.scale.share(sum / f64::from(visits.max(1)));
        if kind == Kind::Other { 1.0 - share } else { share }
    }
}

/// What all payoffs of a game lie between, and how they become shares.
pub(super) fn range_of<G: Game>(game: &G) -> (Bounds, Scale) {
    let facts = game.facts();
    let (low, high) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
    let factor = if high > low { 1.0 / (high - low) } else { 1.0 };
    (Bounds { low, high }, Scale { min: low, factor })
}
