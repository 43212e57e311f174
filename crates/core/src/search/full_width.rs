//! Search of every line to a fixed depth, with leaves valued in batches.
//!
//! The key decision: the search logs its steps in the order of a recursion: begins and ends of nodes, known values,
//! leaves. When the log is full, the search asks for the values of all logged leaves in one batch, and then reads the
//! log. Open nodes wait for later logs. So memory does not grow with the tree, and every sum is made in the order of
//! the recursion, to the bit. A step before the first leaf is not logged, since it needs no answer. An evaluation that
//! does not prefer batches values all leaves below a node at once. Rejected: a batch per subtree, because
//! the number of its leaves is known only after its search.

mod log;
mod players;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::ask_tell::answer_alone;
use super::candidates::{moves_of, player_to_search, reserve_estimates};
use super::{Answer, Ask, AskTell, Decided, Decision, Meter, MoveStream, Opened, SearchError, Stop, Ties};
use crate::game::{
    Batch, Call, Ends, Evaluation, EvaluationRequest, Game, GameExt, Player, PlayoutRequest, Policy, Tally,
    Turn, accelerate,
};
use crate::rng::PlayoutKey;
use log::{Fold, Log, Node, Step};

/// The most steps in the log. Lanes idle while the last games of a call end: calls of 128 games of Calculation ran at
/// 63 % of the speed of calls of 65 536 games, calls of 1024 at 80 %, calls of 4096 at 94 %.
const MOST: usize = 4096;

/// The number of tasks for which memory is allocated in advance.
const TASKS: usize = 256;

/// The number of values that a draw can have.
const WHOLE: u64 = 1 << 32;

/// How the leaves of a tree are valued.
#[derive(Clone)]
enum Leaves<G> {
    /// By the mean of `count` playouts.
    Playouts { count: u64, policy: Arc<dyn Policy<G>> },
    /// By an evaluation, which also values finished games.
    Evaluation(Arc<dyn Evaluation<G>>),
    /// No leaves: every game is searched to its end. Its length may count among equal payoffs.
    None { soonest: bool },
}

/// The shape of a tree, without its root.
#[derive(Clone)]
struct Shape<G> {
    /// The plies, of players and chance alike, at least 1.
    depth: u32,
    leaves: Leaves<G>,
    /// Whether all outcomes of a chance turn count alike, however probable each is.
    even: bool,
    /// The mean that a player node has, instead of the best for its player.
    mean: Option<Fold>,
    /// Evaluations whose harmonic means are added at the root, each with a factor.
    harmonic: Vec<(f64, Arc<dyn Evaluation<G>>)>,
    /// Whether leaf *i* below each root move has the same playouts.
    common: bool,
    /// Whether a search with a budget searches depth 1, 2, 3 … first, and decides by the last that it finished.
    deepens: bool,
    /// The probability of a random move instead of a search.
    epsilon: f64,
}

impl<G> Shape<G> {
    /// One search for the best, with playouts of their own at all leaves.
    const fn new(depth: u32, leaves: Leaves<G>) -> Self {
        Self {
            depth,
            leaves,
            even: false,
            mean: None,
            harmonic: Vec::new(),
            common: false,
            deepens: false,
            epsilon: 0.0,
        }
    }
}

/// The value of a payoff with the length of its game: a win is worth less the longer it takes, and a loss more, but less than a
/// step of the payoff. [`payoff_of`] is the payoff.
fn with_length(payoff: i32, plies: u32) -> f64 {
    f64::from(payoff) * STEP - f64::from(payoff.signum()) * f64::from(plies)
}

fn payoff_of(value: f64) -> f64 {
    (value / STEP).round()
}

/// More than twice the plies of the longest line.
const STEP: f64 = (1_u32 << 20) as f64;

const _: () = assert!(STEP > 2.0 * crate::game::DEEPEST as f64);

/// A step still to be done. The next one is the last of the list.
enum Task<G: Game> {
    /// Visit a position with `left` plies to go.
    Visit { position: G::Position, left: u32, weight: u32 },
    /// End a node.
    End,
    /// End the tree below a root move.
    EndMove,
    /// Visit the root, or value all its moves at once.
    Root,
}

/// A search of every line to a fixed depth: [minimax](Self::minimax), the [simple tree](Self::simple_tree), or the
/// [greedy player](Self::greedy). Its memory is kept from move to move.
///
/// # Cost
/// Every position to the depth is visited once: about bᵈ nodes. An evaluation that prefers batches values up to a few
/// thousand positions per call.
pub struct FullWidth<G: Game> {
    shape: Shape<G>,
    /// The evaluation, if it values leaves without batches.
    alone: Option<Arc<dyn Evaluation<G>>>,
    ties: Ties,
    player: Player,
    key: PlayoutKey,
    root: Option<G::Position>,
    tasks: Vec<Task<G>>,
    log: Log,
    /// The sum of the harmonic means of each root move; empty if there are none.
    added: Vec<f64>,
    playouts: Vec<PlayoutRequest<G::Position>>,
    evaluations: Vec<EvaluationRequest<G::Position>>,
    /// The number of tasks for which memory is reserved.
    task_room: usize,
}

impl<G: Game> Clone for FullWidth<G> {
    /// A copy of the shape, without the decision in progress.
    fn clone(&self) -> Self {
        Self::new(self.shape.clone(), self.ties)
    }
}

impl<G: Game> FullWidth<G> {
    /// A search before its first decision. `ties` chooses among equal root moves. Panics if the depth or the number of playouts
    /// is 0.
    fn new(shape: Shape<G>, ties: Ties) -> Self {
        assert!(shape.depth > 0, "a search looks at least one ply ahead");
        assert!(
            !matches!(shape.leaves, Leaves::Playouts { count: 0, .. }),
            "a leaf has at least one playout"
        );
        let alone = match &shape.leaves {
            Leaves::Evaluation(evaluation) if !evaluation.facts().prefers_batches => {
                Some(Arc::clone(evaluation))
            }
            _ => None,
        };
        Self {
            shape,
            alone,
            ties,
            player: Player::FIRST,
            key: PlayoutKey::new(0),
            root: None,
            tasks: Vec::new(),
            log: Log::default(),
            added: Vec::new(),
            playouts: Vec::new(),
            evaluations: Vec::new(),
            task_room: TASKS,
        }
    }

    fn is_soonest(&self) -> bool {
        matches!(self.shape.leaves, Leaves::None { soonest: true })
    }

    /// Whether leaves are valued in batches.
    fn asks(&self) -> bool {
        match self.shape.leaves {
            Leaves::Playouts { .. } => true,
            Leaves::Evaluation(_) => self.alone.is_none(),
            Leaves::None { .. } => false,
        }
    }

    /// Finds the values of all moves of a position for `player` in one call.
    fn values(
        &mut self,
        game: &G,
        position: &G::Position,
        player: Player,
        meter: &mut Meter,
    ) -> Result<&[f64], SearchError> {
        self.begin(game, position, player, PlayoutKey::new(0), meter)?;
        let stop = answer_alone(self, game, meter);
        match (self.log.failure.take(), stop) {
            (Some(failure), _) => Err(failure),
            (None, Stop::Limit(limit)) => Err(limit.into()),
            _ => Ok(&self.log.values),
        }
    }

    /// Begins a search of the values of all moves for `player`. It fails if the memory limit leaves no room for one leaf.
    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        player: Player,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Result<(), SearchError> {
        (self.player, self.key, self.root) = (player, key, Some(*position));
        let deepens = self.shape.deepens && meter.limits_a_tree();
        self.log.begin(self.shape.depth, self.shape.deepens);
        self.playouts.clear();
        self.evaluations.clear();
        self.tasks.clear();
        self.task_room = TASKS;
        self.take_room(game.move_count(position) as usize, meter)?;
        self.tasks.reserve(if self.alone.is_some() && self.shape.depth == 1 { 1 } else { TASKS });
        self.log.iterate(if deepens { 1 } else { self.shape.depth });
        self.tasks.push(Task::Root);
        Ok(())
    }

    /// Puts the moves of the root on the list of tasks.
    #[inline(never)]
    fn list_moves(&mut self, game: &G, root: &G::Position) {
        let left = self.log.depth - 1;
        for (_, position) in game.children(root) {
            self.tasks.push(Task::Visit { position, left, weight: 1 });
            self.tasks.push(Task::EndMove);
        }
        self.tasks.reverse();
    }

    /// Reserves memory for the log: the useful size, or what the memory limit leaves.
    fn take_room(&mut self, moves: usize, meter: &mut Meter) -> Result<(), SearchError> {
        let each = match &self.shape.leaves {
            Leaves::Playouts { .. } => size_of::<(Step, PlayoutRequest<G::Position>, Tally)>(),
            Leaves::Evaluation(_) if self.alone.is_none() => {
                size_of::<(Step, EvaluationRequest<G::Position>, i64)>()
            }
            Leaves::Evaluation(_) | Leaves::None { .. } => return Ok(()),
        };
        let most = if self.shape.depth == 1 { moves } else { MOST };
        let room = (meter.memory_left() / each as u64).clamp(1, most as u64) as usize;
        meter.reserve((room * each) as u64)?;
        self.log.room = room;
        self.log.steps.reserve_exact(room);
        match &self.shape.leaves {
            Leaves::Playouts { .. } => self.playouts.reserve_exact(room),
            _ => self.evaluations.reserve_exact(room),
        }
        Ok(())
    }

    /// Searches until the log is full or nothing is left to do.
    #[inline(always)]
    fn advance((search, game, meter): (&mut Self, &G, &mut Meter)) -> Result<(), SearchError> {
        while search.log.steps.is_empty() || search.log.steps.len() < search.log.room {
            match search.tasks.pop() {
                // Logged steps may change the values of this iteration.
                None if !search.log.steps.is_empty() || !search.log.deepen() => break,
                None => search.tasks.push(Task::Root),
                Some(Task::Root) => search.visit_root(game, meter)?,
                Some(Task::Visit { position, left, weight }) => {
                    search.log.check(meter)?;
                    SearchError::check_depth(search.log.depth - left)?;
                    meter.count_node();
                    search.log.nodes += 1;
                    search.visit(game, &position, left, weight, meter)?;
                    if search.tasks.len() > search.task_room {
                        let room = search.tasks.len().next_power_of_two();
                        meter.reserve(((room - search.task_room) * size_of::<Task<G>>()) as u64)?;
                        search.task_room = room;
                    }
                }
                Some(Task::End) => search.log.meet(Step::End),
                Some(Task::EndMove) => {
                    let playouts = match search.shape.leaves {
                        Leaves::Playouts { count, .. } => Some(count),
                        Leaves::Evaluation(_) | Leaves::None { .. } => None,
                    };
                    search.log.end_move(playouts, search.shape.common);
                }
            }
        }
        Ok(())
    }

    /// Visits a position. `weight` is its weight in the node above.
    #[inline(always)]
    fn visit(
        &mut self,
        game: &G,
        position: &G::Position,
        left: u32,
        weight: u32,
        meter: &mut Meter,
    ) -> Result<(), SearchError> {
        let turn = game.turn(position);
        let fold = match turn {
            Turn::Over => {
                let value = match &self.shape.leaves {
                    Leaves::Evaluation(evaluation) => evaluation.finished(game, position, self.player) as f64,
                    Leaves::None { soonest: true } => {
                        with_length(game.payoff(position, self.player), self.log.depth - left)
                    }
                    Leaves::Playouts { .. } | Leaves::None { .. } => {
                        game.payoff(position, self.player).into()
                    }
                };
                self.log.meet(Step::Value { value, weight });
                return Ok(());
            }
            _ if left == 0 => {
                self.leaf(game, position, weight);
                return Ok(());
            }
            Turn::Chance => self.shape.mean.unwrap_or(Fold::Mean),
            Turn::Player(mover) => {
                let best = if mover == self.player { Fold::Largest } else { Fold::Smallest };
                self.shape.mean.unwrap_or(best)
            }
        };
        if left == 1 && turn != Turn::Chance && self.counts_leaves(game, position, meter)? {
            self.value_node(game, position, fold, weight);
            return Ok(());
        }
        self.log.meet(Step::Begin { fold, weight });
        self.tasks.push(Task::End);
        let begin = self.tasks.len();
        let mut visit = |mv, weight| {
            self.tasks.push(Task::Visit { position: game.after(position, mv), left: left - 1, weight });
        };
        if turn == Turn::Chance {
            let even = self.shape.even;
            game.outcomes(position).for_each(|(mv, weight)| visit(mv, if even { 1 } else { weight }));
        } else {
            game.moves(position).for_each(|mv| visit(mv, 1));
        }
        self.tasks[begin..].reverse();
        Ok(())
    }

    /// Values a leaf, or logs a request for its value.
    fn leaf(&mut self, game: &G, position: &G::Position, weight: u32) {
        let player = self.player;
        self.log.cut = true;
        match &self.shape.leaves {
            Leaves::Playouts { count, .. } => {
                let batch = Batch::new(self.key.child(self.log.leaf), *count);
                self.playouts.push(PlayoutRequest { from: *position, player, batch });
            }
            Leaves::Evaluation(_) if self.alone.is_none() => {
                self.evaluations.push(EvaluationRequest { position: *position, player, prior: false });
            }
            Leaves::Evaluation(evaluation) => {
                let value = evaluation.evaluate(game, position, player) as f64;
                return self.log.meet(Step::Value { value, weight });
            }
            Leaves::None { .. } => panic!("a search to the end of the game met a horizon"),
        }
        self.log.leaf += 1;
        self.log.steps.push(Step::Leaf { weight });
    }

    /// Counts all leaves below a node, if all are valued at once and the budget allows it.
    fn counts_leaves(
        &mut self,
        game: &G,
        node: &G::Position,
        meter: &mut Meter,
    ) -> Result<bool, SearchError> {
        let leaves = game.move_count(node).into();
        // In the last iteration it does not matter whether a line was cut.
        if self.alone.is_none() || self.log.depth < self.log.most || meter.nodes_left() < leaves {
            return Ok(false);
        }
        self.log.check(meter)?;
        SearchError::check_depth(self.log.depth)?;
        meter.count_nodes(leaves);
        self.log.nodes += leaves;
        Ok(true)
    }

    /// Values all moves of the root at once, if they are leaves and the budget allows it, or visits them.
    #[inline(never)]
    fn visit_root(&mut self, game: &G, meter: &mut Meter) -> Result<(), SearchError> {
        let root = self.root.expect("a search has begun");
        if self.log.depth > 1 || !self.counts_leaves(game, &root, meter)? {
            self.list_moves(game, &root);
            return Ok(());
        }
        self.log.nodes = 0;
        let values = &mut self.log.values;
        let evaluation = self.alone.as_ref().expect("they are valued at once");
        evaluation.each_child(game, &root, Ends::Known.exact(self.player), &mut |value| {
            values.push(value as f64);
            ControlFlow::Continue(())
        });
        self.log.visits.resize(self.log.values.len(), 1);
        Ok(())
    }

    /// Values all leaves below a node at once, and folds them. `weight` is the node's weight in the node above.
    fn value_node(&mut self, game: &G, position: &G::Position, fold: Fold, weight: u32) {
        let mut node = Node::new(fold, weight);
        let evaluation = self.alone.as_ref().expect("they are valued at once");
        evaluation.each_child(game, position, Ends::Known.exact(self.player), &mut |value| {
            node.add(value as f64, 1);
            ControlFlow::Continue(())
        });
        self.log.meet(Step::Value { value: node.value(), weight });
    }
}

impl<G: Game> AskTell<G> for FullWidth<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        if self.shape.epsilon > 0.0 {
            // The generator for equal moves must not be used here: a choice among equals would depend on a draw that
            // missed epsilon.
            let mut draws = stream.playouts().playout(0);
            if f64::from(draws.next_u32()) < self.shape.epsilon * WHOLE as f64 {
                let random = game.random_move(at, &mut draws);
                return Ok(Some(Decision::unsearched(random, Stop::Complete)));
            }
        }
        let player = match player_to_search(game, at) {
            Ok(player) => player,
            Err(forced) => return Ok(Some(forced)),
        };
        reserve_estimates(game, at, meter)?;
        self.added.clear();
        for (times, evaluation) in self.shape.harmonic.clone() {
            let mut search = Self::harmonic(self.shape.depth, evaluation);
            let values = search.values(game, at, player, meter)?;
            self.added.resize(values.len(), 0.0);
            self.added.iter_mut().zip(values).for_each(|(sum, value)| *sum += times * value.max(0.0));
        }
        self.begin(game, at, player, stream.playouts(), meter)?;
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        let advanced = accelerate(Call(Self::advance, (&mut *self, game, meter)));
        if let Some(stop) = self.log.stop(advanced) {
            return Ask::Nothing(stop);
        }
        match &self.shape.leaves {
            Leaves::Playouts { policy, .. } => Ask::Playouts { policy, requests: &self.playouts },
            Leaves::Evaluation(evaluation) => Ask::Evaluations { evaluation, requests: &self.evaluations },
            Leaves::None { .. } => unreachable!("nothing is logged without leaves"),
        }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
        self.log.tell(answer, meter);
        self.playouts.clear();
        self.evaluations.clear();
    }

    fn close(&mut self, game: &G, stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        self.log.add(&self.added);
        let mut decision = self.log.decide(self.ties, stop, stream)?;
        if self.is_soonest() {
            decision.moves.iter_mut().for_each(|estimate| estimate.value = payoff_of(estimate.value));
        }
        Ok(decision.between(&moves_of(game, &self.root.expect("a search was begun"))))
    }
}
