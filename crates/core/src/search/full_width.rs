//! Search of every line to a fixed depth, with leaves valued in batches.
//!
//! The key decision: the search logs its steps in the order of a recursion: begins and ends of nodes, known values,
//! leaves. When the log is full, the search asks for the values of all logged leaves in one batch, and then reads the
//! log. Open nodes wait for later logs. So memory does not grow with the tree, and every sum is made in the order of
//! the recursion, to the bit. A step before the first leaf is not logged, since it needs no answer. An evaluation that
//! does not prefer batches values all leaves below a node at once (`at_once`). Rejected: a batch per subtree, because
//! the number of its leaves is known only after its search.

mod at_once;

use std::sync::Arc;

use super::ask_tell::answer_alone;
use super::fold::{Fold, Node, Step, read};
use super::searcher::player_to_search;
use super::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveEstimate, MoveStream, Opened, SearchError, Stop, Ties,
};
use crate::game::{
    Batch, Evaluation, EvaluationRequest, Game, Kernel, Player, PlayoutRequest, Policy, Tally, Turn,
    accelerate,
};
use crate::rng::PlayoutKey;

/// The most steps in the log. Lanes idle while the last games of a call end: calls of 128 games of Calculation ran at
/// 63 % of the speed of calls of 65 536 games, calls of 1024 at 80 %, calls of 4096 at 94 %.
const MOST: usize = 4096;

/// The number of tasks for which memory is allocated in advance.
const TASKS: usize = 256;

/// How the leaves of a tree are valued.
#[derive(Clone)]
pub(super) enum Leaves<G> {
    /// By the mean of `count` playouts.
    Playouts { count: u64, policy: Arc<dyn Policy<G>> },
    /// By an evaluation, which also values finished games.
    Evaluation(Arc<dyn Evaluation<G>>),
    /// No leaves: every game is searched to its end.
    None,
}

/// The shape of a tree, without its root.
#[derive(Clone)]
pub(super) struct Shape<G> {
    /// The plies, of players and chance alike, at least 1.
    pub(super) depth: u32,
    pub(super) leaves: Leaves<G>,
    /// Whether the value of a player node is the mean of its children, instead of the best for its player.
    pub(super) mean: bool,
    /// Whether leaf *i* below each root move has the same playouts.
    pub(super) common: bool,
    /// Whether a search with a budget searches depth 1, 2, 3 … first, and decides by the last that it finished.
    pub(super) deepens: bool,
}

/// A step still to be done. The next one is the last of the list.
#[derive(Clone)]
enum Task<G: Game> {
    /// Visit a position with `left` plies to go.
    Visit { position: G::Position, left: u32, weight: u32 },
    /// End a node.
    End,
    /// End the tree below this root move.
    EndMove(G::Move),
    /// Visit the root, or value all its moves at once.
    Root,
}

/// A search to a fixed depth by ask and tell. Its memory is kept from move to move.
#[derive(Clone)]
pub(super) struct FullWidth<G: Game> {
    shape: Shape<G>,
    /// The evaluation, if it values leaves without batches.
    alone: Option<Arc<dyn Evaluation<G>>>,
    ties: Ties,
    player: Player,
    key: PlayoutKey,
    /// The root, its depth in this iteration, and whether some line was cut at that depth.
    root: Option<G::Position>,
    depth: u32,
    cut: bool,
    /// The depth of the last finished iteration, or 0; and what it found.
    reached: u32,
    found: Vec<MoveEstimate<G::Move>>,
    tasks: Vec<Task<G>>,
    /// The root moves with finished trees, and the playouts or nodes of each.
    moves: Vec<(G::Move, u64)>,
    /// The nodes visited below the current root move.
    nodes: u64,
    /// The number of the next leaf, and of the first leaf below the current root move.
    leaf: u64,
    first_leaf: u64,
    /// The number of steps that may be logged.
    room: usize,
    log: Vec<Step>,
    playouts: Vec<PlayoutRequest<G::Position>>,
    evaluations: Vec<EvaluationRequest<G::Position>>,
    /// The number of tasks for which memory is reserved.
    task_room: usize,
    /// Why the search failed, if it did.
    failure: Option<SearchError>,
    /// The open nodes: begun and not ended.
    open: Vec<Node>,
    /// The values of the root moves, as far as they are known.
    values: Vec<f64>,
}

impl<G: Game> FullWidth<G> {
    /// A search before its first decision. `ties` chooses among equal root moves.
    ///
    /// # Panics
    /// If the depth or the number of playouts is 0.
    pub(super) fn new(shape: Shape<G>, ties: Ties) -> Self {
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
            depth: 0,
            cut: false,
            reached: 0,
            found: Vec::new(),
            tasks: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
            leaf: 0,
            first_leaf: 0,
            room: 0,
            log: Vec::new(),
            playouts: Vec::new(),
            evaluations: Vec::new(),
            task_room: TASKS,
            failure: None,
            open: Vec::new(),
            values: Vec::new(),
        }
    }

    /// This search by ask and tell, if it asks for anything; else it decides in one call.
    pub(super) fn asking(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.asks().then_some(self)
    }

    /// Whether leaves are valued in batches.
    pub(super) fn asks(&self) -> bool {
        match self.shape.leaves {
            Leaves::Playouts { .. } => true,
            Leaves::Evaluation(_) => self.alone.is_none(),
            Leaves::None => false,
        }
    }

    /// The depth of the last finished iteration in plies; 0 if none was.
    pub(super) const fn reached(&self) -> u32 {
        self.reached
    }

    /// The shape of the tree.
    pub(super) const fn shape(&self) -> &Shape<G> {
        &self.shape
    }

    /// Replaces the shape.
    pub(super) fn with_shape(self, shape: Shape<G>) -> Self {
        Self::new(shape, self.ties)
    }

    /// The rule for equal moves.
    pub(super) const fn ties(&self) -> Ties {
        self.ties
    }

    /// Finds the values of all moves of a position for `player` in one call.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn values(
        &mut self,
        game: &G,
        position: &G::Position,
        player: Player,
        meter: &mut Meter,
    ) -> Result<&[f64], SearchError> {
        self.begin(game, position, player, PlayoutKey::new(0), meter)?;
        let stop = answer_alone(self, game, meter);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        match stop {
            Stop::Limit(limit) => Err(limit.into()),
            _ => Ok(&self.values),
        }
    }

    /// Begins a search of the values of all moves for `player`.
    ///
    /// # Errors
    /// If the memory limit leaves no room for one leaf.
    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        player: Player,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Result<(), SearchError> {
        (self.player, self.key, self.root, self.reached) = (player, key, Some(*position), 0);
        self.log.clear();
        self.playouts.clear();
        self.evaluations.clear();
        self.open.clear();
        self.found.clear();
        self.failure = None;
        self.tasks.clear();
        self.task_room = TASKS;
        self.take_room(game.move_count(position) as usize, meter)?;
        self.tasks.reserve(if self.alone.is_some() && self.shape.depth == 1 { 1 } else { TASKS });
        let deepens = self.shape.deepens && meter.limits_a_tree();
        self.iterate(if deepens { 1 } else { self.shape.depth });
        Ok(())
    }

    /// Begins a search to a depth.
    fn iterate(&mut self, depth: u32) {
        (self.depth, self.cut, self.nodes, self.leaf, self.first_leaf) = (depth, false, 0, 0, 0);
        self.values.clear();
        self.moves.clear();
        self.tasks.push(Task::Root);
    }

    /// Puts the moves of the root on the list of tasks.
    #[inline(always)]
    fn list_moves(&mut self, game: &G, root: &G::Position) {
        let depth = self.depth;
        for mv in game.moves(root) {
            let mut position = *root;
            game.apply(&mut position, mv);
            self.tasks.push(Task::Visit { position, left: depth - 1, weight: 1 });
            self.tasks.push(Task::EndMove(mv));
        }
        self.tasks.reverse();
    }

    /// Keeps what an iteration found. Begins the next, unless this one was the last: returns whether it did.
    fn deepen(&mut self) -> bool {
        let estimate = |(&(mv, visits), &value)| MoveEstimate { mv, visits, value, standard_error: 0.0 };
        self.found.clear();
        self.found.reserve_exact(self.moves.len());
        self.found.extend(self.moves.iter().zip(&self.values).map(estimate));
        self.reached = self.depth;
        let goes_on = self.cut && self.depth < self.shape.depth;
        if goes_on {
            self.iterate(self.depth + 1);
        }
        goes_on
    }

    /// Reserves memory for the log: the useful size, or what the memory limit leaves.
    fn take_room(&mut self, moves: usize, meter: &mut Meter) -> Result<(), SearchError> {
        let each = match &self.shape.leaves {
            Leaves::Playouts { .. } => size_of::<(Step, PlayoutRequest<G::Position>, Tally)>(),
            Leaves::Evaluation(_) if self.alone.is_none() => {
                size_of::<(Step, EvaluationRequest<G::Position>, i64)>()
            }
            Leaves::Evaluation(_) | Leaves::None => return Ok(()),
        };
        let most = if self.shape.depth == 1 { moves } else { MOST };
        self.room = (meter.memory_left() / each as u64).clamp(1, most as u64) as usize;
        meter.reserve((self.room * each) as u64)?;
        self.log.reserve_exact(self.room);
        match &self.shape.leaves {
            Leaves::Playouts { .. } => self.playouts.reserve_exact(self.room),
            _ => self.evaluations.reserve_exact(self.room),
        }
        Ok(())
    }

    /// Searches until the log is full or nothing is left to do.
    ///
    /// # Errors
    /// If the budget is spent, a line is too long, or memory does not suffice.
    #[inline(always)]
    fn advance(&mut self, game: &G, meter: &mut Meter) -> Result<(), SearchError> {
        while self.log.is_empty() || self.log.len() < self.room {
            match self.tasks.pop() {
                // What is logged may change the values of this iteration.
                None if !self.log.is_empty() || !self.deepen() => break,
                None => {}
                Some(Task::Root) => self.visit_root(game, meter)?,
                Some(Task::Visit { position, left, weight }) => {
                    self.check(meter)?;
                    SearchError::check_depth(self.depth - left)?;
                    meter.count_node();
                    self.nodes += 1;
                    self.visit(game, &position, left, weight, meter)?;
                    if self.tasks.len() > self.task_room {
                        let room = self.tasks.len().next_power_of_two();
                        meter.reserve(((room - self.task_room) * size_of::<Task<G>>()) as u64)?;
                        self.task_room = room;
                    }
                }
                Some(Task::End) => self.meet(Step::End),
                Some(Task::EndMove(mv)) => {
                    let visits = match self.shape.leaves {
                        Leaves::Playouts { count, .. } => (self.leaf - self.first_leaf) * count,
                        Leaves::Evaluation(_) | Leaves::None => self.nodes,
                    };
                    self.moves.push((mv, visits));
                    self.nodes = 0;
                    self.leaf = if self.shape.common { 0 } else { self.leaf };
                    self.first_leaf = self.leaf;
                }
            }
        }
        Ok(())
    }

    /// Checks that the budget is not spent.
    ///
    /// # Errors
    /// If it is.
    fn check(&self, meter: &mut Meter) -> Result<(), SearchError> {
        // The first iteration of several ignores the clock, so that there is a decision.
        meter.set_ignores_time(self.depth == 1 && self.shape.deepens);
        let limit = meter.limit();
        meter.set_ignores_time(false);
        limit.map_or(Ok(()), |limit| Err(limit.into()))
    }

    /// Visits a position. `weight` is its weight in the node above.
    ///
    /// # Errors
    /// If the budget is spent.
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
        let begin = match turn {
            Turn::Over => {
                let value = match &self.shape.leaves {
                    Leaves::Evaluation(evaluation) => evaluation.finished(game, position, self.player) as f64,
                    Leaves::Playouts { .. } | Leaves::None => game.payoff(position, self.player).into(),
                };
                self.meet(Step::Value { value, weight });
                return Ok(());
            }
            _ if left == 0 => {
                self.leaf(game, position, weight);
                return Ok(());
            }
            Turn::Chance => {
                self.meet(Step::Begin { fold: Fold::Mean, weight });
                self.tasks.push(Task::End);
                let begin = self.tasks.len();
                for (outcome, weight) in game.outcomes(position) {
                    let mut child = *position;
                    game.apply(&mut child, outcome);
                    self.tasks.push(Task::Visit { position: child, left: left - 1, weight });
                }
                begin
            }
            Turn::Player(mover) => {
                let fold = match mover {
                    _ if self.shape.mean => Fold::Mean,
                    _ if mover == self.player => Fold::Largest,
                    _ => Fold::Smallest,
                };
                if left == 1 && self.counts_leaves(game, position, meter)? {
                    self.value_node(game, position, fold, weight);
                    return Ok(());
                }
                self.meet(Step::Begin { fold, weight });
                self.tasks.push(Task::End);
                let begin = self.tasks.len();
                for mv in game.moves(position) {
                    let mut child = *position;
                    game.apply(&mut child, mv);
                    self.tasks.push(Task::Visit { position: child, left: left - 1, weight: 1 });
                }
                begin
            }
        };
        self.tasks[begin..].reverse();
        Ok(())
    }

    /// Values a leaf, or logs a request for its value.
    fn leaf(&mut self, game: &G, position: &G::Position, weight: u32) {
        let player = self.player;
        self.cut = true;
        match &self.shape.leaves {
            Leaves::Playouts { count, .. } => {
                let batch = Batch::new(self.key.child(self.leaf), *count);
                self.playouts.push(PlayoutRequest { from: *position, player, batch });
            }
            Leaves::Evaluation(_) if self.alone.is_none() => {
                self.evaluations.push(EvaluationRequest { position: *position, player, prior: false });
            }
            Leaves::Evaluation(evaluation) => {
                let value = evaluation.evaluate(game, position, player) as f64;
                return self.meet(Step::Value { value, weight });
            }
            Leaves::None => panic!("a search to the end of the game met a horizon"),
        }
        self.leaf += 1;
        self.log.push(Step::Leaf { weight });
    }

    /// Handles a step that needs no answer: at once if no leaf waits before it, else by the log.
    fn meet(&mut self, step: Step) {
        if self.log.is_empty() {
            read(step, &mut self.open, &mut self.values, || unreachable!("a leaf is logged"));
        } else {
            self.log.push(step);
        }
    }
}

/// A search that goes on, as a kernel.
struct Advance<'s, G: Game> {
    search: &'s mut FullWidth<G>,
    game: &'s G,
    meter: &'s mut Meter,
}

impl<G: Game> Kernel for Advance<'_, G> {
    type Output = Result<(), SearchError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.search.advance(self.game, self.meter)
    }
}

impl<G: Game> AskTell<G> for FullWidth<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        let player = match player_to_search(game, at) {
            Ok(player) => player,
            Err(forced) => return Ok(Some(forced)),
        };
        meter.reserve(u64::from(game.move_count(at)) * size_of::<MoveEstimate<G::Move>>() as u64)?;
        self.begin(game, at, player, stream.playouts(), meter)?;
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        match accelerate(Advance { search: self, game, meter }) {
            Ok(()) => {}
            Err(SearchError::Budget { limit }) => return Ask::Nothing(Stop::Limit(limit)),
            Err(failure) => {
                self.failure = Some(failure);
                return Ask::Nothing(Stop::Complete);
            }
        }
        match &self.shape.leaves {
            _ if self.log.is_empty() => Ask::Nothing(Stop::Complete),
            Leaves::Playouts { policy, .. } => Ask::Playouts { policy, requests: &self.playouts },
            Leaves::Evaluation(evaluation) => Ask::Evaluations { evaluation, requests: &self.evaluations },
            Leaves::None => unreachable!("nothing is logged without leaves"),
        }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
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
        for step in self.log.drain(..) {
            read(step, &mut self.open, &mut self.values, &mut leaf);
        }
        self.playouts.clear();
        self.evaluations.clear();
    }

    fn close(&mut self, _game: &G, stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if let (0, Stop::Limit(limit)) = (self.reached, stop) {
            return Err(limit.into());
        }
        let moves = std::mem::take(&mut self.found);
        let best = self.ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop })
    }
}
