//! A game in progress: the position, the machines at their seats, and the last decision.

use std::ops::DerefMut;

use serde::{Serialize, Serializer};

use super::PlayError;
use super::machine::Machine;
use super::solution::{written, written_tree};
use crate::game::{
    Game, GameExt, Kernel, MoveReasons, Outcome, Picture, Player, PositionError, Turn, Value, accelerate,
    erased,
};
use crate::rng::{PlayoutKey, Rng};
use crate::search::{
    AskTell, Branches, Decision, Limit, Limits, Meter, MoveEstimate, MoveStream, NoTree, Spent, Stop,
    TreeExtent,
};

impl dyn Table + '_ {
    /// Plays the game to its end: the moves of a seat draw from the children of its key. `seen` is called after each ply, with its
    /// player; `None` is chance.
    ///
    /// # Errors
    /// If a machine fails, or the game is longer than `longest`.
    pub fn play_on(
        &mut self,
        keys: [PlayoutKey; 2],
        deal: &mut impl DerefMut<Target = Rng>,
        (limits, longest): (Limits, u32),
        mut seen: impl FnMut(&dyn Table, Option<Player>),
    ) -> Result<(), PlayError> {
        let mut moves = [0; 2];
        loop {
            let by = match self.turn() {
                Turn::Over => return Ok(()),
                _ if self.plies() > longest => return Err(PlayError::Endless(self.plies())),
                Turn::Chance => {
                    self.let_chance_choose(deal);
                    None
                }
                Turn::Player(player) => {
                    let seat = player.index();
                    self.decide(MoveStream::new(keys[seat].child(moves[seat])), limits)?;
                    moves[seat] += 1;
                    Some(player)
                }
            };
            seen(self, by);
        }
    }
}

/// A decision in notation.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionView {
    /// The move that was played.
    pub chosen: String,
    /// The estimate of each legal move, in the game's order; empty if nothing was searched.
    pub moves: Vec<MoveEstimate<String>>,
    /// The reason why the search ended.
    pub stop: Stop,
    /// Whether the value of a move without a visit is meaningful; see
    /// [`NamedSearcher::VALUES_UNVISITED`](super::NamedSearcher::VALUES_UNVISITED).
    pub values_unvisited: bool,
}

impl DecisionView {
    /// The limit that ended the search before it found anything, so that the move is a random one.
    pub fn found_nothing_within(&self) -> Option<Limit> {
        match self.stop {
            Stop::Limit(limit) if self.moves.is_empty() => Some(limit),
            _ => None,
        }
    }

    /// The value of a move, if anything was found of it: a searcher that never tried a move states the worst payoff for it.
    pub fn value_of(&self, mv: &str) -> Option<f64> {
        let estimate = self.moves.iter().find(|estimate| estimate.mv == mv)?;
        let is_known = estimate.visits > 0 || mv == self.chosen || self.values_unvisited;
        is_known.then_some(estimate.value)
    }

    /// The value that a move gives away against the best of those that the searcher tried; `None` if its value is unknown.
    pub fn given_away(&self, mv: &str) -> Option<f64> {
        let values = self.moves.iter().filter_map(|estimate| self.value_of(&estimate.mv));
        Some(values.max_by(f64::total_cmp)? - self.value_of(mv)?)
    }
}

impl Serialize for DecisionView {
    /// A move of which nothing was found has neither a value nor an error.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'v> {
            chosen: &'v str,
            moves: Vec<MoveEstimate<&'v str, Option<f64>>>,
            stop: Stop,
        }
        let mut moves = Vec::new();
        for MoveEstimate { mv, visits, standard_error, .. } in &self.moves {
            let value = self.value_of(mv);
            let standard_error = value.map(|_| *standard_error);
            moves.push(MoveEstimate { mv: &**mv, visits: *visits, value, standard_error });
        }
        Written { chosen: &self.chosen, moves, stop: self.stop }.serialize(serializer)
    }
}

/// The number of moves for which a table allocates memory, at most.
const MOST_MOVES_FORESEEN: u32 = 128;

struct Apply<'a, G: Game> {
    game: &'a G,
    position: &'a mut G::Position,
    mv: G::Move,
}

impl<G: Game> Kernel for Apply<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.game.apply(self.position, self.mv);
    }
}

pub(super) struct Seats<'g, G: Game> {
    game: &'g G,
    start: G::Position,
    position: G::Position,
    machines: [Option<Machine<G>>; 2],
    moves: Vec<G::Move>,
    game_hash: PlayoutKey,
    last: Option<(Player, G::Position, Decision<G::Move>)>,
    /// The bytes that the search of the last decision reserved.
    held: u64,
}

impl<'g, G: Game> Seats<'g, G> {
    /// A game from this position with one machine per seat, at most two; `None` is a person.
    pub(super) fn new(game: &'g G, start: G::Position, mut machines: [Option<Machine<G>>; 2]) -> Self {
        machines.iter_mut().flatten().for_each(|machine| machine.follow(game, &start, &[]));
        let foreseen = game.facts().max_plies.map_or(0, |plies| plies.min(MOST_MOVES_FORESEEN));
        Self {
            game,
            start,
            position: start,
            machines,
            moves: Vec::with_capacity(foreseen as usize),
            game_hash: PlayoutKey::new(0),
            last: None,
            held: 0,
        }
    }

    fn begin(&mut self, position: G::Position) {
        (self.start, self.position) = (position, position);
        self.moves.clear();
        self.game_hash = PlayoutKey::new(0);
        self.last = None;
    }

    /// Plays the legal move with this index.
    fn make(&mut self, mv: G::Move, index: usize) {
        (self.last, self.held) = (None, 0);
        self.game_hash = self.game_hash.child(index as u64);
        self.moves.push(mv);
        accelerate(Apply { game: self.game, position: &mut self.position, mv });
    }

    pub(super) const fn position(&self) -> &G::Position {
        &self.position
    }

    pub(super) fn machine(&mut self, player: Player) -> &mut Machine<G> {
        self.machines[player.index()].as_mut().expect("a machine sits at this seat")
    }

    /// The search of the machine at a player's seat, which must decide by ask and tell.
    pub(super) fn ask_tell(&mut self, player: Player) -> &mut dyn AskTell<G> {
        self.machine(player).ask_tell().expect("the machine decides by ask and tell")
    }

    /// Checks the chosen move and plays it. Returns the work of the decision, as `meter` counted it.
    pub(super) fn settle(
        &mut self,
        player: Player,
        decision: Decision<G::Move>,
        meter: &Meter,
    ) -> Result<Spent, PlayError> {
        let Some(index) = self.index_of(decision.chosen) else {
            let searcher_move = format!("{:?}", decision.chosen);
            return Err(PlayError::IllegalMove { searcher_move, player, ply: self.plies() + 1 });
        };
        let before = self.position;
        self.make(decision.chosen, index);
        self.last = Some((player, before, decision));
        self.held = meter.reserved();
        Ok(meter.spent())
    }

    fn index_of(&self, mv: G::Move) -> Option<usize> {
        self.game.legal(&self.position).position(|legal| legal == mv)
    }
}

erased! {
    /// A game in progress with its type erased. A caller asks whose turn it is and lets that turn happen.
    pub trait Table for Seats<'_, G>, G: Game;

    /// Whose turn it is.
    fn turn(&self) -> Turn { self.game.turn(&self.position) }

    /// The number of plies played.
    fn plies(&self) -> u32 { self.moves.len() as u32 }

    /// A hash of the moves of the game so far.
    fn game_hash(&self) -> u64 { self.game_hash.to_u64() }

    /// Lets the machine to move choose, checks its move, and plays it. Returns the work of the decision.
    ///
    /// # Errors
    /// If the machine chooses an illegal move, or makes no decision.
    ///
    /// # Panics
    /// If it is not a machine's turn, or if the machine panics.
    fn decide(&mut self, stream: MoveStream, limits: Limits) -> Result<Spent, PlayError> {
        let Turn::Player(player) = self.turn() else { panic!("it is not a player's turn") };
        let (game, position) = (self.game, self.position);
        if let Some(machine) = &mut self.machines[player.index()] {
            machine.follow(game, &self.start, &self.moves);
        }
        let (decision, meter) = self.machine(player).choose(game, &position, stream, limits)?;
        self.settle(player, decision, &meter)
    }

    /// The memory in bytes that the search of the last ply reserved; 0 if it reserved none, or if none made the ply.
    fn held_bytes(&self) -> u64 { self.held }

    /// Restarts the game at a position given as text, without moves so far.
    ///
    /// # Errors
    /// If the text is not a position. Then nothing is changed.
    fn begin_at(&mut self, position: &str) -> Result<(), PositionError> {
        self.begin(self.game.parse_position(position)?);
        Ok(())
    }

    /// Restarts the game at a position of its object, without moves so far.
    fn begin_from(&mut self, at: &Value) { self.begin(*at.of()) }

    /// Restarts the game at a position that the game draws, without moves so far. Returns whether the game draws
    /// positions; if not, nothing is changed.
    fn begin_at_random(&mut self, rng: &mut Rng) -> bool {
        let drawn = self.game.random_position(rng);
        drawn.is_some_and(|position| {
            self.begin(position);
            true
        })
    }

    /// The position as one line that [`Table::begin_at`] reads back, if the game has such a text.
    fn position_text(&self) -> Option<String> { self.game.position_text(&self.position) }

    /// The principal variation of the last decision, the played move first; see [`Searcher::principal_variation`](crate::search::Searcher::principal_variation). Empty
    /// if chance or a person made the last ply.
    fn last_line(&self) -> Vec<String> {
        let Some((player, position, decision)) = &self.last else { return Vec::new() };
        let machine = self.machines[player.index()].as_ref().expect("a machine sits at this seat");
        written(self.game, *position, &machine.searcher.principal_variation(self.game, position, decision))
    }

    /// The search tree of the last decision, in notation; see [`Searcher::tree`](crate::search::Searcher::tree).
    ///
    /// # Errors
    /// The reason why there is no tree.
    fn last_tree(&self, extent: TreeExtent) -> Result<Branches<String>, NoTree> {
        let (player, position, decision) = self.last.as_ref().ok_or(NoTree::Unsearched)?;
        let machine = self.machines[player.index()].as_ref().expect("a machine sits at this seat");
        Ok(written_tree(self.game, position, &machine.searcher.tree(self.game, position, decision, extent)?))
    }

    /// The player of the last ply and its decision, in notation; `None` if chance or a person made the ply.
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
        let values_unvisited =
            self.machines[player.index()].as_ref().is_some_and(|machine| machine.values_unvisited);
        let chosen = text(decision.chosen);
        Some((*player, DecisionView { chosen, moves, stop: decision.stop, values_unvisited }))
    }

    /// The reasons for each legal move, if the machine to move follows rules.
    ///
    /// # Panics
    /// If it is not a machine's turn.
    fn reasons(&mut self) -> Option<Vec<MoveReasons<String>>> {
        let Turn::Player(player) = self.turn() else { panic!("it is not a player's turn") };
        let (game, position) = (self.game, self.position);
        self.machine(player).reasons(game, &position)
    }

    /// Plays a chance turn: draws an outcome by its exact weight.
    fn let_chance_choose(&mut self, rng: &mut Rng) {
        let (index, mv) = self.game.outcome_by(&self.position, |sum| rng.below(sum));
        self.make(mv, index);
    }

    /// Plays a uniformly random legal move at a player's turn, as in random openings.
    fn make_random_move(&mut self, rng: &mut Rng) {
        let index = rng.below(u64::from(self.game.move_count(&self.position))) as usize;
        let mv = self.game.moves(&self.position).nth(index).expect("a player's turn has a move");
        self.make(mv, index);
    }

    /// Plays a move given as text. Returns whether it was legal.
    fn make_written_move(&mut self, text: &str) -> bool {
        let mv = self.game.parse_move(&self.position, text);
        let Some((mv, index)) = mv.and_then(|mv| Some((mv, self.index_of(mv)?))) else { return false };
        self.make(mv, index);
        true
    }

    /// The legal moves in notation.
    fn legal_moves(&self) -> Vec<String> {
        self.game.legal(&self.position).map(|mv| self.game.notation(&self.position, mv)).collect()
    }

    /// The last move or outcome, in notation.
    fn last_move(&self) -> Option<String> {
        let (&last, before) = self.moves.split_last()?;
        let mut position = self.start;
        for &mv in before {
            self.game.apply(&mut position, mv);
        }
        Some(self.game.notation(&position, last))
    }

    /// A drawing of the position.
    fn drawing(&self) -> String { self.game.drawing(&self.position) }

    /// A picture of the position, if the game has pictures.
    fn picture(&self) -> Option<Picture> { self.game.picture(&self.position) }

    /// The game so far as a transcript; after [`Table::begin_at`] the moves in notation.
    fn transcript(&self) -> String {
        if self.start == self.game.start() {
            return self.game.transcript(&self.moves);
        }
        written(self.game, self.start, &self.moves).join(" ")
    }

    /// The outcome for a player. Meaningful only when the game is over.
    fn outcome(&self, player: Player) -> Outcome { self.game.outcome(&self.position, player) }

    /// The score of a player. Meaningful only when the game is over.
    fn score(&self, player: Player) -> i32 { self.game.score(&self.position, player) }
}
