//! A game in progress: the position, the machines at their seats, and the last decision.

use std::any::Any;

use serde::Serialize;

use super::lock_step::Rows;
use super::solution::written;
use super::{FitError, LockStep, Recipe, SearcherSpec};
use crate::game::{Facts, Game, GameExt, MoveReasons, Outcome, Player, PositionError, Turn};
use crate::rng::{PlayoutKey, Rng};
use crate::search::{
    AskTell, Budget, Decision, Limits, Meter, MoveEstimate, MoveStream, SearchError, Searcher, Spent, Stop,
    Weighted,
};

/// A game in progress with its type erased. A caller asks whose turn it is and lets that turn happen.
pub trait Table {
    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// The number of plies played.
    fn plies(&self) -> u32;

    /// A hash of the moves of the game so far.
    fn course(&self) -> u64;

    /// Lets the machine to move choose, checks its move, and plays it. Returns the work of the decision.
    ///
    /// # Errors
    /// If the machine chooses an illegal move, or makes no decision.
    ///
    /// # Panics
    /// If it is not a machine's turn, or if the machine panics.
    fn decide(&mut self, stream: MoveStream, limits: Limits) -> Result<Spent, PlayError>;

    /// Restarts the game at a position given as text, without moves so far.
    ///
    /// # Errors
    /// If the text is not a position. Then nothing is changed.
    fn begin_at(&mut self, position: &str) -> Result<(), PositionError>;

    /// The position as one line that [`Table::begin_at`] reads back, if the game has such a text.
    fn position_text(&self) -> Option<String>;

    /// The principal variation of the last decision, the played move first; see [`Searcher::principal_variation`]. Empty
    /// if chance or a person made the last ply.
    fn last_line(&self) -> Vec<String>;

    /// The player of the last ply and its decision, in notation; `None` if chance or a person made the ply.
    fn last_decision(&self) -> Option<(Player, DecisionView)>;

    /// The reasons for each legal move, if the machine to move follows rules.
    ///
    /// # Panics
    /// If it is not a machine's turn.
    fn reasons(&mut self) -> Option<Vec<MoveReasons<String>>>;

    /// Plays a chance turn: draws an outcome by its exact weight.
    fn let_chance_choose(&mut self, rng: &mut Rng);

    /// Plays a uniformly random legal move at a player's turn, as in random openings.
    fn make_random_move(&mut self, rng: &mut Rng);

    /// Plays a move given as text. Returns whether it was legal.
    fn make_written_move(&mut self, text: &str) -> bool;

    /// The legal moves in notation.
    fn legal_moves(&self) -> Vec<String>;

    /// The last move or outcome, in notation.
    fn last_move(&self) -> Option<String>;

    /// A drawing of the position.
    fn drawing(&self) -> String;

    /// The game so far as a transcript; after [`Table::begin_at`] the moves in notation.
    fn transcript(&self) -> String;

    /// The outcome for a player. Meaningful only when the game is over.
    fn outcome(&self, player: Player) -> Outcome;

    /// The score of a player. Meaningful only when the game is over.
    fn score(&self, player: Player) -> i32;
}

/// Players resolved for one game, which makes tables for any seating.
///
/// `seats` are indices of the players in seat order; a player may have both seats. All methods panic if an index is out
/// of range or there are not as many seats as the game has players.
pub trait Tables: Send + Sync {
    /// A new game, with new machines.
    ///
    /// # Cost
    /// Four allocations in a game for two: the table, each machine, and the list of moves.
    fn table(&self, seats: &[usize]) -> Box<dyn Table + '_>;

    /// Whether any of the machines decides by ask and tell, so that [`Tables::lock_step`] can batch its requests.
    fn ask_and_tell(&self, seats: &[usize]) -> bool;

    /// Whether any machine's decisions depend on its earlier ones; see [`Searcher::remembers`].
    fn remember(&self, seats: &[usize]) -> bool;

    /// `games` new games in lock-step, each with new machines.
    fn lock_step(&self, seats: &[usize], games: usize) -> Box<dyn LockStep + '_>;
}

/// A player does not fit its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct UnfitPlayer {
    /// The index of the player.
    pub player: usize,
    /// Why it does not fit.
    pub error: FitError,
}

impl From<UnfitPlayer> for FitError {
    fn from(unfit: UnfitPlayer) -> Self {
        unfit.error
    }
}

/// A decision in notation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionView {
    /// The move that was played.
    pub chosen: String,
    /// The estimate of each legal move, in the game's order; empty if nothing was searched.
    pub moves: Vec<MoveEstimate<String>>,
    /// The reason why the search ended.
    pub stop: Stop,
}

/// The reason why a game could not continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// A searcher or a game panicked.
    #[error("panic: {0}")]
    Panic(String),
    /// A searcher chose a move that is not legal.
    #[error("illegal move: {searcher_move} by {player} at ply {ply}")]
    IllegalMove {
        /// The move.
        searcher_move: String,
        /// The player that chose it.
        player: Player,
        /// The ply, counted from 1.
        ply: u32,
    },
    /// A search made no decision.
    #[error(transparent)]
    SearchError(#[from] SearchError),
    /// None of this many openings was balanced.
    #[error("no opening is balanced among {0} that were drawn; allow more than `within`")]
    NoOpening(u64),
    /// The game exceeded its largest number of plies.
    #[error("endless game: still going after {0} plies")]
    Endless(u32),
}

impl PlayError {
    /// The error of a caught panic.
    pub fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panic(text.unwrap_or_else(|| "without a message".into()))
    }
}

/// The most plies of a game, whatever its facts state.
const MOST_PLIES: u32 = 1_000_000;

/// The most plies of a game with these facts; see [`PlayError::Endless`].
pub fn longest(facts: &Facts) -> u32 {
    facts.max_plies.unwrap_or(MOST_PLIES).min(MOST_PLIES)
}

/// The number of moves for which a table allocates memory, at most.
const MOST_MOVES_FORESEEN: u32 = 128;

/// [`Tables`] of a known game type.
pub(super) struct Prepared<G: Game> {
    game: G,
    start: G::Position,
    recipes: Vec<Recipe<G>>,
}

impl<G: Game> Prepared<G> {
    /// Makes a recipe for each player by `build`.
    pub(super) fn new(
        game: &G,
        players: &[SearcherSpec],
        build: impl Fn(&SearcherSpec) -> Result<Recipe<G>, FitError>,
    ) -> Result<Self, UnfitPlayer> {
        let recipe = |(player, spec)| build(spec).map_err(|error| UnfitPlayer { player, error });
        let recipes = players.iter().enumerate().map(recipe).collect::<Result<_, _>>()?;
        Ok(Self { game: game.clone(), start: game.start(), recipes })
    }

    fn recipes(&self, seats: &[usize]) -> impl Iterator<Item = &Recipe<G>> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        seats.iter().map(|&player| &self.recipes[player])
    }

    fn seats(&self, seats: &[usize]) -> Seats<'_, G> {
        let machines = self.recipes(seats).map(|recipe| Some(Machine::from(recipe)));
        Seats::new(&self.game, self.start, machines)
    }
}

impl<G: Game> Tables for Prepared<G> {
    fn table(&self, seats: &[usize]) -> Box<dyn Table + '_> {
        Box::new(self.seats(seats))
    }

    fn ask_and_tell(&self, seats: &[usize]) -> bool {
        self.recipes(seats).any(|recipe| Machine::from(recipe).ask_tell().is_some())
    }

    fn remember(&self, seats: &[usize]) -> bool {
        self.recipes(seats).any(|recipe| recipe.machine().remembers())
    }

    fn lock_step(&self, seats: &[usize], games: usize) -> Box<dyn LockStep + '_> {
        Box::new(Rows::new(&self.game, (0..games).map(|_| self.seats(seats)).collect()))
    }
}

/// The searcher at a seat, and its budget for a move.
pub(super) struct Machine<G: Game> {
    searcher: Box<dyn Searcher<G>>,
    budget: Budget,
}

impl<G: Game> Machine<G> {
    /// Its search by ask and tell. `None` if the searcher does not support it, or if its budget limits time, which
    /// other games would use up.
    pub(super) fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        self.searcher.ask_tell().filter(|_| self.budget.time.is_none())
    }

    /// Its decision at a position, and the work.
    pub(super) fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        limits: Limits,
    ) -> Result<(Decision<G::Move>, Spent), SearchError> {
        let mut meter = self.meter(limits);
        let decision = self.searcher.choose(game, position, stream, &mut meter)?;
        Ok((decision, meter.spent()))
    }

    /// The probabilities of its moves at a position, if it can state them.
    pub(super) fn distribution(
        &mut self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<Weighted<G::Move>>, SearchError> {
        let mut meter = self.meter(Limits::default());
        self.searcher.distribution(game, position, &mut meter)
    }

    /// The reasons for its choice at a position, with moves in notation.
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

    /// A new meter for a move.
    pub(super) fn meter(&self, limits: Limits) -> Meter {
        Meter::new(limits).with_budget(self.budget)
    }
}

impl<G: Game> From<&Recipe<G>> for Machine<G> {
    fn from(recipe: &Recipe<G>) -> Self {
        Self { searcher: recipe.machine(), budget: recipe.budget() }
    }
}

/// A [`Table`] of a known game type.
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
    /// A game from this position with one machine per seat, at most two; `None` is a person.
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

    /// Plays the legal move with this index.
    fn make(&mut self, mv: G::Move, index: usize) {
        self.last = None;
        self.course = self.course.child(index as u64);
        self.moves.push(mv);
        self.game.apply(&mut self.position, mv);
    }

    /// The current position.
    pub(super) const fn position(&self) -> &G::Position {
        &self.position
    }

    /// The machine at a player's seat.
    pub(super) fn machine(&mut self, player: Player) -> &mut Machine<G> {
        self.machines[player.index()].as_mut().expect("a machine sits at this seat")
    }

    /// The search of the machine at a player's seat, which must decide by ask and tell.
    pub(super) fn ask_tell(&mut self, player: Player) -> &mut dyn AskTell<G> {
        self.machine(player).ask_tell().expect("the machine decides by ask and tell")
    }

    /// Checks the chosen move and plays it. Returns the work of the decision.
    pub(super) fn settle(
        &mut self,
        player: Player,
        decision: Decision<G::Move>,
        spent: Spent,
    ) -> Result<Spent, PlayError> {
        let Some(index) = self.index_of(decision.chosen) else {
            let searcher_move = format!("{:?}", decision.chosen);
            return Err(PlayError::IllegalMove { searcher_move, player, ply: self.plies() + 1 });
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

    fn decide(&mut self, stream: MoveStream, limits: Limits) -> Result<Spent, PlayError> {
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
        written(self.game, *position, &machine.searcher.principal_variation(self.game, position, decision))
    }

    fn last_decision(&self) -> Option<(Player, DecisionView)> {
        let (player, position, decision) = self.last.as_ref()?;
        let text = |mv| self.game.notation(position, mv);
        let view = |estimate: &MoveEstimate<G::Move>| MoveEstimate {
            mv: text(estimate.mv),
            visits: estimate.visits,
            value: estimate.value,
            standard_error: estimate.standard_error,
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
