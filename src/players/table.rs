//! A game in progress: the position, the machines at their seats, and what was decided last.

use std::any::Any;

use serde::Serialize;

use super::lock_step::Rows;
use super::solution::written;
use super::{LockStep, Recipe};
use crate::game::{Facts, Game, GameExt, MoveReasons, Outcome, Player, PositionError, Turn};
use crate::rng::{PlayoutKey, Rng};
use crate::search::{
    Budget, Converse, Decision, Fault, Limits, Meter, MoveEstimate, MoveStream, Searcher, Spent, Stop,
    Weighted,
};

/// A game in progress, its type forgotten. A caller asks whose turn it is and lets that turn happen.
pub trait Table {
    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// How many plies were made.
    fn plies(&self) -> u32;

    /// One number for the whole course of the game so far: equal courses have equal numbers.
    fn course(&self) -> u64;

    /// Lets the machine whose turn it is choose, checks its move, and makes it. Returns the work that it took.
    ///
    /// # Errors
    /// Where the machine chooses an illegal move, or gives no decision.
    ///
    /// # Panics
    /// Where it is not a machine's turn, or where the machine panics.
    fn decide(&mut self, stream: MoveStream, limits: Limits) -> Result<Spent, Failure>;

    /// Begins the game anew at the position that a text stands for; its moves so far are none.
    ///
    /// # Errors
    /// Where it stands for no position; then nothing has changed.
    fn begin_at(&mut self, position: &str) -> Result<(), PositionError>;

    /// The position as one line that [`Table::begin_at`] reads back, where the game has such a text.
    fn position_text(&self) -> Option<String>;

    /// The principal variation of the last decision, the move that was made first; see [`Searcher::line`]. Empty where
    /// chance or a person made the last ply.
    fn last_line(&self) -> Vec<String>;

    /// Whose machine made the last ply, and what it thought, in words; `None` where chance or a person made it.
    fn last_decision(&self) -> Option<(Player, DecisionView)>;

    /// Why the machine whose turn it is would play as it does, for players that go by rules; a piece for each legal move.
    ///
    /// # Panics
    /// Where it is not a machine's turn.
    fn reasons(&mut self) -> Option<Vec<MoveReasons<String>>>;

    /// Lets chance have its turn: an outcome by its exact weight.
    fn let_chance_choose(&mut self, rng: &mut Rng);

    /// Makes a uniformly random legal move at a player's turn, as openings do.
    fn make_random_move(&mut self, rng: &mut Rng);

    /// Makes a move that a person wrote. Returns whether it was legal.
    fn make_written_move(&mut self, text: &str) -> bool;

    /// The legal moves as they are written.
    fn legal_moves(&self) -> Vec<String>;

    /// The move or outcome that was made last, as it is written.
    fn last_move(&self) -> Option<String>;

    /// The position, drawn.
    fn drawing(&self) -> String;

    /// The game so far as a transcript; behind a position that it [began at](Table::begin_at), the moves in words.
    fn transcript(&self) -> String;

    /// How the game ended for a player. Meaningful when it is over.
    fn outcome(&self, player: Player) -> Outcome;

    /// The score of a player. Meaningful when it is over.
    fn score(&self, player: Player) -> i32;
}

/// Games between the same machines.
pub trait Tables: Send + Sync {
    /// A new game, with new machines.
    ///
    /// # Cost
    /// Four allocations in a game for two: the table, each machine, and the list of moves.
    fn table(&self) -> Box<dyn Table + '_>;

    /// Whether a machine's decisions can go on together with those of other games.
    fn hold_conversations(&self) -> bool;

    /// Whether a machine's decisions depend on those that it made before; see [`Searcher::remembers`].
    fn remember(&self) -> bool;

    /// So many new games side by side, each with new machines.
    fn lock_step(&self, games: usize) -> Box<dyn LockStep + '_>;
}

/// A decision in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionView {
    /// The move that was played.
    pub chosen: String,
    /// What the searcher thinks of each legal move, in the game's order; empty where it searched nothing.
    pub moves: Vec<MoveEstimate<String>>,
    /// Why the search ended.
    pub stop: Stop,
}

/// Why a game could not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A searcher or a game panicked.
    #[error("panic: {0}")]
    Panic(String),
    /// A searcher chose a move that is not legal.
    #[error("illegal move: {searcher_move} by {player} at ply {ply}")]
    IllegalMove {
        /// The move.
        searcher_move: String,
        /// Who chose it.
        player: Player,
        /// The ply, counted from 1.
        ply: u32,
    },
    /// A search gave no decision.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// No opening was balanced among so many.
    #[error("no opening is balanced among {0} that were drawn; allow more than `within`")]
    NoOpening(u64),
    /// The game went on beyond the longest that it can be.
    #[error("endless game: still going after {0} plies")]
    Endless(u32),
}

impl Failure {
    /// The failure that a caught panic is.
    pub fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panic(text.unwrap_or_else(|| "without a message".into()))
    }
}

/// No game may be longer, whatever its facts say.
const MOST_PLIES: u32 = 1_000_000;

/// The most plies that a game of these facts may have; see [`Failure::Endless`].
pub fn longest(facts: &Facts) -> u32 {
    facts.max_plies.unwrap_or(MOST_PLIES).min(MOST_PLIES)
}

/// The most moves for which a table takes memory before the first.
const MOST_MOVES_FORESEEN: u32 = 128;

/// The recipes of [`Tables`] of a known game.
pub(super) struct Prepared<'g, G: Game> {
    game: &'g G,
    start: G::Position,
    recipes: Vec<Recipe<G>>,
}

impl<'g, G: Game> Prepared<'g, G> {
    pub(super) fn new(game: &'g G, recipes: Vec<Recipe<G>>) -> Self {
        Self { game, start: game.start(), recipes }
    }
}

impl<G: Game> Tables for Prepared<'_, G> {
    fn table(&self) -> Box<dyn Table + '_> {
        let machines = self.recipes.iter().map(|recipe| Some(Machine::from(recipe)));
        Box::new(Seats::new(self.game, self.start, machines))
    }

    fn hold_conversations(&self) -> bool {
        self.recipes.iter().any(|recipe| Machine::from(recipe).conversation().is_some())
    }

    fn remember(&self) -> bool {
        self.recipes.iter().any(|recipe| recipe.machine().remembers())
    }

    fn lock_step(&self, games: usize) -> Box<dyn LockStep + '_> {
        Box::new(Rows::new(self.game, self.start, &self.recipes, games))
    }
}

/// Who sits at a seat, and what may be spent on a move.
pub(super) struct Machine<G: Game> {
    searcher: Box<dyn Searcher<G>>,
    budget: Budget,
}

impl<G: Game> Machine<G> {
    /// Its search as a conversation that others may be held beside. None where it holds none, and where its budget is a
    /// time, which the others would use up.
    pub(super) fn conversation(&mut self) -> Option<&mut dyn Converse<G>> {
        self.searcher.conversation().filter(|_| self.budget.time.is_none())
    }

    /// Its decision about a position, and the work that it took.
    pub(super) fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        limits: Limits,
    ) -> Result<(Decision<G::Move>, Spent), Fault> {
        let mut meter = self.meter(limits);
        let decision = self.searcher.choose(game, position, stream, &mut meter)?;
        Ok((decision, meter.spent()))
    }

    /// With which chances it plays the moves of a position, if it can state them.
    pub(super) fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<Weighted<G::Move>>, Fault> {
        let mut meter = self.meter(Limits::default());
        self.searcher.distribution(game, position, &mut meter)
    }

    /// Why it plays as it does at a position, the moves as they are written.
    pub(super) fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<String>>> {
        let written = |reason: MoveReasons<G::Move>| MoveReasons {
            mv: game.notation(position, reason.mv),
            points: reason.points,
            rule: reason.rule,
            terms: reason.terms,
            patterns: reason.patterns,
        };
        Some(self.searcher.reasons(game, position)?.into_iter().map(written).collect())
    }

    /// A meter for a move, at zero.
    pub(super) fn meter(&self, limits: Limits) -> Meter {
        Meter::new(limits).with_budget(self.budget)
    }
}

impl<G: Game> From<&Recipe<G>> for Machine<G> {
    fn from(recipe: &Recipe<G>) -> Self {
        Self { searcher: recipe.machine(), budget: recipe.budget() }
    }
}

/// A [`Table`] of a known game.
pub(super) struct Seats<'g, G: Game> {
    game: &'g G,
    start: G::Position,
    position: G::Position,
    machines: [Option<Machine<G>>; 2],
    moves: Vec<G::Move>,
    course: PlayoutKey,
    last: Option<(Player, G::Position, Decision<G::Move>)>,
}

impl<'g, G: Game> Seats<'g, G> {
    /// A game from this position with one machine a seat, at most two; `None` is a person.
    pub(super) fn new(
        game: &'g G,
        start: G::Position,
        machines: impl IntoIterator<Item = Option<Machine<G>>>,
    ) -> Self {
        let mut seats = [None, None];
        seats.iter_mut().zip(machines).for_each(|(seat, machine)| *seat = machine);
        let foreseen = game.facts().max_plies.map_or(0, |plies| plies.min(MOST_MOVES_FORESEEN));
        Self {
            game,
            start,
            position: start,
            machines: seats,
            moves: Vec::with_capacity(foreseen as usize),
            course: PlayoutKey::new(0),
            last: None,
        }
    }

    /// Makes the legal move with this index.
    fn make(&mut self, mv: G::Move, index: usize) {
        self.last = None;
        self.course = self.course.child(index as u64);
        self.moves.push(mv);
        self.game.apply(&mut self.position, mv);
    }

    /// Where the game stands.
    pub(super) const fn position(&self) -> &G::Position {
        &self.position
    }

    /// The machine at a player's seat.
    pub(super) fn machine(&mut self, player: Player) -> &mut Machine<G> {
        self.machines[player.index()].as_mut().expect("a machine sits at this seat")
    }

    /// The conversation of the machine at a player's seat, which holds one.
    pub(super) fn conversation(&mut self, player: Player) -> &mut dyn Converse<G> {
        self.machine(player).conversation().expect("the machine holds a conversation")
    }

    /// Checks the move that was chosen and makes it. Returns the work that the decision took.
    pub(super) fn settle(
        &mut self,
        player: Player,
        decision: Decision<G::Move>,
        spent: Spent,
    ) -> Result<Spent, Failure> {
        let Some(index) = self.index_of(decision.chosen) else {
            let searcher_move = format!("{:?}", decision.chosen);
            return Err(Failure::IllegalMove { searcher_move, player, ply: self.plies() + 1 });
        };
        let before = self.position;
        self.make(decision.chosen, index);
        self.last = Some((player, before, decision));
        Ok(spent)
    }

    fn index_of(&self, mv: G::Move) -> Option<usize> {
        self.game.legal(&self.position).position(|legal| legal == mv)
    }
}

impl<G: Game> Table for Seats<'_, G> {
    fn turn(&self) -> Turn {
        self.game.turn(&self.position)
    }

    fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    fn course(&self) -> u64 {
        self.course.to_u64()
    }

    fn decide(&mut self, stream: MoveStream, limits: Limits) -> Result<Spent, Failure> {
        let Turn::Player(player) = self.turn() else { panic!("it is not a player's turn") };
        let (game, position) = (self.game, self.position);
        let (decision, spent) = self.machine(player).choose(game, &position, stream, limits)?;
        self.settle(player, decision, spent)
    }

    fn begin_at(&mut self, position: &str) -> Result<(), PositionError> {
        self.start = self.game.parse_position(position)?;
        self.position = self.start;
        self.moves.clear();
        self.course = PlayoutKey::new(0);
        self.last = None;
        Ok(())
    }

    fn position_text(&self) -> Option<String> {
        self.game.position_text(&self.position)
    }

    fn reasons(&mut self) -> Option<Vec<MoveReasons<String>>> {
        let Turn::Player(player) = self.turn() else { panic!("it is not a player's turn") };
        let (game, position) = (self.game, self.position);
        self.machine(player).reasons(game, &position)
    }

    fn last_line(&self) -> Vec<String> {
        let Some((player, position, decision)) = &self.last else { return Vec::new() };
        let machine = self.machines[player.index()].as_ref().expect("a machine sits at this seat");
        written(self.game, *position, &machine.searcher.line(self.game, position, decision))
    }

    fn last_decision(&self) -> Option<(Player, DecisionView)> {
        let (player, position, decision) = self.last.as_ref()?;
        let text = |mv| self.game.notation(position, mv);
        let view = |estimate: &MoveEstimate<G::Move>| MoveEstimate {
            mv: text(estimate.mv),
            visits: estimate.visits,
            value: estimate.value,
            spread: estimate.spread,
        };
        let moves = decision.moves.iter().map(view).collect();
        Some((*player, DecisionView { chosen: text(decision.chosen), moves, stop: decision.stop }))
    }

    fn let_chance_choose(&mut self, rng: &mut Rng) {
        let sum: u64 = self.game.outcomes(&self.position).map(|(_, weight)| u64::from(weight)).sum();
        let mut pick = rng.below(sum);
        let mut chosen = None;
        for (index, (mv, weight)) in self.game.outcomes(&self.position).enumerate() {
            if pick < u64::from(weight) {
                chosen = Some((mv, index));
                break;
            }
            pick -= u64::from(weight);
        }
        let (mv, index) = chosen.expect("a pick below the sum of the weights falls on an outcome");
        self.make(mv, index);
    }

    fn make_random_move(&mut self, rng: &mut Rng) {
        let index = rng.below(u64::from(self.game.move_count(&self.position))) as usize;
        let mv = self.game.moves(&self.position).nth(index).expect("a player's turn has a move");
        self.make(mv, index);
    }

    fn make_written_move(&mut self, text: &str) -> bool {
        let mv = self.game.parse_move(&self.position, text);
        let Some((mv, index)) = mv.and_then(|mv| Some((mv, self.index_of(mv)?))) else { return false };
        self.make(mv, index);
        true
    }

    fn legal_moves(&self) -> Vec<String> {
        self.game.legal(&self.position).map(|mv| self.game.notation(&self.position, mv)).collect()
    }

    fn last_move(&self) -> Option<String> {
        let (&last, before) = self.moves.split_last()?;
        let mut position = self.start;
        for &mv in before {
            self.game.apply(&mut position, mv);
        }
        Some(self.game.notation(&position, last))
    }

    fn drawing(&self) -> String {
        self.game.drawing(&self.position)
    }

    fn transcript(&self) -> String {
        if self.start == self.game.start() {
            return self.game.transcript(&self.moves);
        }
        written(self.game, self.start, &self.moves).join(" ")
    }

    fn outcome(&self, player: Player) -> Outcome {
        self.game.outcome(&self.position, player)
    }

    fn score(&self, player: Player) -> i32 {
        self.game.score(&self.position, player)
    }
}
