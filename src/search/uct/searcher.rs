//! The searcher: a conversation a move, held in a loop.

use std::sync::Arc;

use super::backup::PathNode;
use super::conversation::{Conversation, State, range_of};
use super::heuristic::Prior;
use super::learning::Learned;
use super::selection::Rule;
use super::settings::UctSettings;
use super::tree::{Columns, Kind, NONE, ROOT, Totals, Tree};
use crate::game::{Game, Player, PlayoutRequest, Policy, Tally, Turn};
use crate::search::searcher::forced_move;
use crate::search::{Ask, Converse, Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Stop};

/// UCT (Kocsis, Szepesvári 2006, "Bandit based Monte-Carlo planning"), with the parts that the settings name.
///
/// It searches until its budget is spent, and so needs one. A forced move is played without search. Chance's turns are
/// nodes of the tree, whose outcomes are drawn by their weights.
///
/// # Cost
/// An iteration: one batch of playouts, one move for each ply down the tree, and one pass over the children of each
/// node on the way. Memory grows with the iterations up to the limit of the meter; then the children of nodes with the
/// fewest visits are forgotten.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, GameExt, Uniform};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings};
///
/// let game = TicTacToe;
/// let position = game.follow("a1 b1 a2 b2").unwrap();
/// let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(500));
/// let decision = uct.choose(&game, &position, MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap();
/// assert_eq!(game.notation(&position, decision.chosen), "a3"); // three in a row
/// assert_eq!(meter.spent().playouts, 500);
/// ```
pub struct Uct<G: Game> {
    settings: Arc<UctSettings<G>>,
    tree: Tree<G::Position, G::Move>,
    path: Vec<PathNode>,
    learned: Learned<G::Move>,
    /// What the root of the tree stands for, where the tree is kept.
    kept: Option<G::Position>,
    /// The search for a move that was begun last.
    state: Option<State<G>>,
}

impl<G: Game> Clone for Uct<G> {
    fn clone(&self) -> Self {
        Self {
            settings: self.settings.clone(),
            tree: self.tree.clone(),
            path: self.path.clone(),
            learned: self.learned.clone(),
            kept: self.kept,
            state: self.state.clone(),
        }
    }
}

impl<G: Game> Uct<G> {
    /// A searcher with these settings.
    ///
    /// # Panics
    /// Where the threshold of expansion or the batch is 0, the rule of selection needs a prior and none is known, or
    /// there is no thread, or several where playouts learn or all children of a node are played out at once.
    pub fn new(settings: UctSettings<G>) -> Self {
        assert!(settings.expansion.threshold > 0, "a node is visited before it gets children");
        assert!(settings.batch > 0, "a batch has at least one playout");
        assert!(settings.threads > 0, "somebody searches");
        assert!(
            settings.threads == 1 || !settings.traces() && !settings.expansion.all_at_once,
            "what is learned, and children all at once, need one thread"
        );
        let columns = Columns {
            bounds: settings.solver,
            priors: settings.solver || settings.sparse.is_some() || !matches!(settings.prior, Prior::Unknown),
            amaf: settings.selection.rule == Rule::Rave,
            heuristics: settings.implicit.is_some(),
            tables: matches!(settings.selection.rule, Rule::Grave { .. }),
            index: settings.transpositions,
        };
        assert!(
            columns.priors || !settings.selection.rule.wants_priors(),
            "this rule of selection needs to know a prior"
        );
        Self {
            settings: Arc::new(settings),
            tree: Tree::new(columns),
            path: Vec::new(),
            learned: Learned::new(),
            kept: None,
            state: None,
        }
    }

    /// Begins a search.
    ///
    /// # Errors
    /// Where a tree kept from the move before takes more memory than the meter allows.
    ///
    /// # Panics
    /// Where it is not a player's turn.
    pub fn begin<'a>(
        &'a mut self,
        game: &'a G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Conversation<'a, G>, Fault> {
        let Turn::Player(player) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        meter.reserve(self.tree.bytes())?;
        let root = self.kept.take().and_then(|root| self.find(game, root, position, player));
        match root {
            Some(root) => self.tree.prune(root, 1),
            None => self.tree.clear(Kind::Own, range_of(game).0),
        }
        if self.settings.keep_tree {
            self.kept = Some(*position);
        }
        self.learned.clear();
        self.state = Some(State::new(game, *position, player, stream));
        Ok(self.resume(game))
    }

    /// Goes on with the search that was begun last.
    ///
    /// # Panics
    /// Where none was.
    pub fn resume<'a>(&'a mut self, game: &'a G) -> Conversation<'a, G> {
        Conversation {
            game,
            settings: &self.settings,
            tree: &mut self.tree,
            path: &mut self.path,
            learned: &mut self.learned,
            state: self.state.as_mut().expect("a search was begun"),
        }
    }

    /// The node of the kept tree that stands for a position: below what was played, after any number of turns of
    /// others.
    fn find(&self, game: &G, root: G::Position, position: &G::Position, player: Player) -> Option<u32> {
        let mut open = vec![(ROOT, root)];
        while let Some((node, at)) = open.pop() {
            for child in self.tree.children(node) {
                if self.tree.node(child).visits == 0 {
                    continue;
                }
                let mut next = at;
                game.apply(&mut next, self.tree.mv(child));
                if next == *position {
                    // What is proved of it may not say by which move.
                    let proved = self.tree.columns.bounds && self.tree.bounds[child as usize].is_exact();
                    return (self.tree.node(child).first != NONE && !proved).then_some(child);
                }
                if !matches!(game.turn(&next), Turn::Over) && game.turn(&next) != Turn::Player(player) {
                    open.push((child, next));
                }
            }
        }
        None
    }
}

impl<G: Game> Searcher<G> for Uct<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        if let Some(forced) = forced_move(game, position) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        let mut conversation = self.begin(game, position, stream, meter)?;
        if conversation.settings.threads > 1 {
            let stop = conversation.race(meter);
            return conversation.decide(stream, stop, meter);
        }
        let stop = loop {
            match conversation.ask(meter) {
                Ask::Playouts(at) => {
                    let sample = conversation.play(&at);
                    meter.count_playouts(&sample.work());
                    conversation.tell(&sample);
                }
                Ask::Nothing(stop) => break stop,
            }
        };
        conversation.decide(stream, stop, meter)
    }

    /// Where playouts leave no trace but their sum, and are played to the end by one thread.
    fn conversation(&mut self) -> Option<&mut dyn Converse<G>> {
        let plain =
            !self.settings.traces() && self.settings.leaf.cutoff.is_none() && self.settings.threads == 1;
        plain.then_some(self)
    }

    /// The chosen move, and then the most visited one at each node, down to one without visits.
    fn line(&self, game: &G, position: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let (mut line, mut at) = (vec![decision.chosen], *position);
        game.apply(&mut at, decision.chosen);
        let chosen = || self.tree.child_by(ROOT, decision.chosen);
        let mut next = (!decision.moves.is_empty()).then(chosen).flatten();
        while let (Some(node), Turn::Player(_)) = (next, game.turn(&at)) {
            // The first in the game's order, whatever the order of the tree.
            let child = |mv| Some((self.tree.child_by(node, mv)?, mv));
            let visits = |child: u32| self.tree.node(child).visits;
            let most = game
                .moves(&at)
                .filter_map(child)
                .reduce(|most, other| if visits(other.0) > visits(most.0) { other } else { most })
                .filter(|&(child, _)| visits(child) > 0);
            next = most.map(|(child, _)| child);
            if let Some((_, mv)) = most {
                line.push(mv);
                game.apply(&mut at, mv);
            }
        }
        line
    }
}

/// Where playouts leave no trace and are not cut off; see [`Searcher::conversation`].
impl<G: Game> Converse<G> for Uct<G> {
    fn open(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Option<Decision<G::Move>>, Fault> {
        if let Some(forced) = forced_move(game, position) {
            return Ok(Some(Decision::unsearched(forced, Stop::Forced)));
        }
        self.begin(game, position, stream, meter)?;
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<PlayoutRequest<G::Position>> {
        let mut conversation = self.resume(game);
        match conversation.ask(meter) {
            Ask::Playouts(from) => {
                let (player, batch) = (conversation.state.player, conversation.batch());
                Ask::Playouts(PlayoutRequest { from, player, batch })
            }
            Ask::Nothing(stop) => Ask::Nothing(stop),
        }
    }

    fn tell(&mut self, game: &G, tally: &Tally, meter: &mut Meter) {
        meter.count_playouts(tally);
        self.resume(game).tell(&(*tally).into());
    }

    fn close(
        &mut self,
        game: &G,
        stream: MoveStream,
        stop: Stop,
        meter: &Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        self.resume(game).decide(stream, stop, meter)
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.settings.leaf.policy
    }
}

impl<G: Game> Conversation<'_, G> {
    /// What the search has come to.
    ///
    /// # Errors
    /// Where there was no memory for the moves of the root.
    pub fn decide(&self, stream: MoveStream, stop: Stop, meter: &Meter) -> Result<Decision<G::Move>, Fault> {
        let children = self.tree.children(ROOT);
        if children.is_empty() {
            return Err(match stop {
                Stop::Limit(limit) if self.tree.node(ROOT).visits == 0 => Fault::Budget { limit },
                _ => meter.out_of_memory(1),
            });
        }
        // In the game's order, whatever the order of the tree.
        let in_order = || self.game.moves(&self.state.root).filter_map(|mv| self.tree.child_by(ROOT, mv));
        let share = |child: u32| self.root_value(child);
        let estimate = |child: u32| {
            let node = self.tree.node(child);
            let n = f64::from(node.visits);
            let Totals { sum, squares } = self.tree.totals[child as usize];
            let mean = sum / n.max(1.0);
            let variance =
                if node.visits > 1 { ((squares - n * mean * mean) / (n - 1.0)).max(0.0) } else { 0.0 };
            let solved = self.tree.columns.bounds && self.tree.bounds[child as usize].is_exact();
            MoveEstimate {
                mv: self.tree.mv(child),
                visits: node.visits.into(),
                value: self.state.scale.payoff(share(child)),
                spread: if solved || node.visits == 0 { 0.0 } else { (variance / n).sqrt() },
            }
        };
        let moves: Vec<_> = in_order().map(estimate).collect();
        let order: Vec<u32> = in_order().collect();
        let values: Vec<f64> = order.iter().map(|&child| share(child)).collect();
        let chosen = self.settings.final_choice.choose(
            self.tree,
            &order,
            &values,
            self.settings.ties,
            &mut stream.rng(),
        );
        Ok(Decision { chosen: moves[chosen].mv, moves, stop })
    }

    /// The value of a child of the root as a share: as it was backed up, also where it was cut; the smallest where
    /// nobody was there.
    fn root_value(&self, child: u32) -> f64 {
        if self.tree.node(child).visits == 0 {
            return 0.0;
        }
        let value = self.tree.node(child).score.value;
        if value == f64::NEG_INFINITY {
            let mean = self.tree.totals[child as usize].sum / f64::from(self.tree.node(child).visits);
            let bounds = self.tree.bounds[child as usize];
            let share = |payoff| self.state.scale.share(payoff);
            share(mean).clamp(share(bounds.low), share(bounds.high))
        } else {
            value
        }
    }
}
