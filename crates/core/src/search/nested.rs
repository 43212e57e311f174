use std::sync::Arc;

use super::candidates::{forced_move, unvisited};
use super::determinization::{Determinization, Foreseen};
use super::solitaire_line::{Line, Plan, goes_on};
use super::{Decided, Decision, Limit, Meter, MoveStream, NoTree, Searcher, Stop, Ties};
use crate::game::{Game, Player, Policy, Tally};
use crate::rng::{PlayoutKey, Rng};

/// Nested Monte Carlo search (Cazenave 2009, "Nested Monte-Carlo search", IJCAI), for solitaires without chance.
///
/// A search of level 0 is a playout. A search of level *n* plays a game to its end: at each turn it runs a search
/// of level *n* − 1 after every move, and plays the next move of the best line found so far, in this turn or before. A
/// new line replaces the best one only if it pays more; the tie rule decides among the lines of one turn. Each decision
/// of the player is one turn of such a search. [Without memory](Self::with_memory) the best line of a turn replaces that of the turns
/// before it.
///
/// The value of a move is the payoff of the best line that begins with it. A forced move is played without search. If
/// the budget ends the search, the player follows the best line so far.
///
/// # Cost
/// About *b*ⁿ *p*ⁿ⁻¹ playouts per decision of level *n*, with *b* moves per turn and *p* plies per game.
#[derive(Clone)]
pub struct NestedMonteCarlo<G: Game> {
    level: u32,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    memory: bool,
    plan: Option<Plan<G>>,
}

impl<G: Game> NestedMonteCarlo<G> {
    /// A search of this level.
    ///
    /// # Panics
    /// If the level is 0: a playout needs no search.
    pub fn new(level: u32, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(level > 0, "a nested search has at least level 1");
        Self { level, policy, ties, memory: true, plan: None }
    }

    /// Sets whether each level follows the best line of all its turns, as published and by default, or that of the present turn.
    #[must_use]
    pub fn with_memory(self, memory: bool) -> Self {
        Self { memory, ..self }
    }
}

/// The state that all levels of a decision's search share.
pub(super) struct Nesting<'a, G: Game> {
    pub(super) game: &'a Determinization<'a, G>,
    pub(super) policy: &'a dyn Policy<G>,
    pub(super) ties: Ties,
    /// Whether a line of an earlier turn stays the best until one pays more.
    pub(super) memory: bool,
    pub(super) key: PlayoutKey,
    pub(super) rng: Rng,
    pub(super) playouts: u64,
    /// The limit that ended the search, if any.
    pub(super) cut: Option<Limit>,
    pub(super) meter: &'a mut Meter,
}

impl<G: Game> Nesting<'_, G> {
    /// The line that a search of this level finds; `None` if the budget ends before it finds one.
    pub(super) fn search(&mut self, mut at: Foreseen<G::Position>, level: u32) -> Option<Line<G::Move>> {
        if level == 0 {
            return self.playout(at);
        }
        let mut made = Vec::new();
        let mut best: Option<Line<G::Move>> = None;
        while goes_on(self.game.game, &at.position) {
            self.turn(&at, level, &mut best, &mut |_, _, _| ());
            let mv = best.as_mut()?.reversed.pop().expect("a line goes to the end of the game");
            made.push(mv);
            self.game.apply(&mut at, mv);
        }
        Some(self.ended(&at, made))
    }

    /// The line of these moves to the end of the game.
    fn ended(&self, at: &Foreseen<G::Position>, moves: Vec<G::Move>) -> Line<G::Move> {
        Line::new(self.game.game.payoff(&at.position, Player::FIRST), moves)
    }

    /// One turn of a search: searches at the level below after each move. Calls `found` with the number, the playouts
    /// and the payoff of each move. Replaces `best` if one of these lines pays more.
    fn turn(
        &mut self,
        at: &Foreseen<G::Position>,
        level: u32,
        best: &mut Option<Line<G::Move>>,
        found: &mut dyn FnMut(usize, u64, i32),
    ) {
        let game = self.game;
        let (mut lines, mut payoffs) = (Vec::new(), Vec::new());
        for (index, mv) in game.game.moves(&at.position).enumerate() {
            let (before, mut child) = (self.playouts, *at);
            game.apply(&mut child, mv);
            let Some(mut line) = self.search(child, level - 1) else { break };
            found(index, self.playouts - before, line.payoff);
            line.reversed.push(mv);
            payoffs.push(line.payoff);
            lines.push(line);
        }
        if lines.is_empty() {
            return;
        }
        let index = self.ties.best(payoffs, &mut self.rng);
        let line = lines.swap_remove(index);
        if (!self.memory && self.cut.is_none()) || best.as_ref().is_none_or(|best| line.payoff > best.payoff)
        {
            *best = Some(line);
        }
    }

    fn playout(&mut self, mut at: Foreseen<G::Position>) -> Option<Line<G::Move>> {
        self.cut = self.meter.limit();
        if self.cut.is_some() {
            return None;
        }
        let mut draws = self.key.playout(self.playouts);
        self.playouts += 1;
        let mut moves = Vec::new();
        while goes_on(self.game.game, &at.position) {
            let mv = self.policy.choose(self.game.game, &at.position, &mut draws);
            moves.push(mv);
            self.game.apply(&mut at, mv);
        }
        let line = self.ended(&at, moves);
        let plies = line.reversed.len() as u64;
        self.meter.count_playouts(&Tally { playouts: 1, plies, ..Tally::default() });
        Some(line)
    }
}

impl<G: Game> Searcher<G> for NestedMonteCarlo<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let mut best = self.plan.take().and_then(|plan| plan.at(at));
        if let Some(forced) = forced_move(game, at) {
            best.map(|line| Plan::follow(&mut self.plan, game, at, line));
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        let mut moves = unvisited(game, at, game.facts().min_payoff.into(), meter)?;
        let game = &Determinization { game, key: None };
        let (key, rng) = (stream.playouts(), stream.rng());
        let (policy, ties, memory) = (&*self.policy, self.ties, self.memory);
        let mut nesting = Nesting { game, policy, ties, memory, key, rng, playouts: 0, cut: None, meter };
        nesting.turn(&game.start(*at), self.level, &mut best, &mut |index, playouts, payoff| {
            moves[index].visits = playouts;
            moves[index].value = payoff.into();
        });
        let stop = nesting.cut.map_or(Stop::Complete, Stop::Limit);
        let Some(line) = best else {
            let Stop::Limit(limit) = stop else {
                unreachable!("only a limit leaves a search without a line")
            };
            return Err(limit.into());
        };
        let payoff = f64::from(line.payoff);
        let chosen = Plan::follow(&mut self.plan, game.game, at, line).expect("the game goes on");
        // The best line may be one of an earlier turn.
        for estimate in moves.iter_mut().filter(|estimate| estimate.mv == chosen) {
            estimate.value = payoff;
        }
        Ok(Decision { chosen, moves, stop })
    }

    /// The best known line to the end of the game.
    fn principal_variation(&self, _: &G, _: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        Plan::variation(self.plan.as_ref(), decision.chosen)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
