//! A game of any type as an object. All that asks a game for little at a time is compiled once, not for each game: laws,
//! fingerprints, graphs, profiles.
//!
//! The key decision: positions and moves are values that can be shown and compared, and nothing else.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::stages::{StageLoop, record_plies};
use super::tuples::{ShapeError, SquareChange, TupleTable, tables_of_shapes};
use super::{
    Batch, Batches, ChildSum, ChildValues, Entries, EvaluationBuffer, EvaluationFacts, EvaluationRequest,
    Facts, FinishedGames, Follow, Followed, Game, GameExt, MoveReasons, NamedRules, Outcome, Path, Picture,
    Player, PlayoutRequest, Policy, PositionError, RuleError, RuleList, SearchHints, Solved, Stage, Tally,
    TranscriptError, Turn, Uniform, WeightedSum, Window, accelerate, is_of_type, perft, plain_best_estimate,
    run_playouts,
};
use crate::rng::{PlayoutRng, Rng, Stream};

/// A position or a move of a game of any type.
#[derive(Clone)]
pub struct Value(Arc<dyn Comparable>);

/// A value that can be shown and compared.
trait Comparable: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Any + fmt::Debug + PartialEq + Send + Sync> Comparable for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

impl Value {
    /// A position or a move.
    #[inline(never)]
    pub fn new(value: impl Any + fmt::Debug + PartialEq + Send + Sync) -> Self {
        Self(Arc::new(value))
    }

    /// The value by its type, which the game knows.
    ///
    /// # Panics
    /// If it has another type.
    #[inline(never)]
    pub fn of<T: Any>(&self) -> &T {
        let value: &dyn Any = &*self.0;
        value.downcast_ref().expect("a game is asked about its own positions and moves")
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A trait that can be an object, and its implementation for a type of each game. Each method is written once.
#[doc(hidden)]
#[macro_export]
macro_rules! __erased {
    (
        $(#[$about:meta])*
        $visible:vis trait $trait:ident $(<$of:ident>)? $(: [$($base:tt)+])?
            for $type:ty $(, $game:ident $(: $bound:ident)?)*;
        $($(#[$doc:meta])* fn $name:ident $(<$life:lifetime>)? ($($argument:tt)*) $(-> $result:ty)? $body:block)*
    ) => {
        $(#[$about])*
        $visible trait $trait $(<$of>)? $(: $($base)+)? {
            $($(#[$doc])* fn $name $(<$life>)? ($($argument)*) $(-> $result)?;)*
        }

        impl<$($game $(: $bound)?),*> $trait $(<$of>)? for $type {
            $(fn $name $(<$life>)? ($($argument)*) $(-> $result)? $body)*
        }
    };
}

#[doc(hidden)]
pub use __erased as erased;

/// A prepared sum: that of a position, or those of its children if they are wanted.
type Sums<'a> = Box<dyn Fn(&Value, Player, Option<ChildValues>) -> Vec<ChildSum> + 'a>;

erased! {
    /// A game of any type with its catalogue. Entries of the catalogue are named by their places.
    #[doc(hidden)]
    pub trait GameObject: [Send + Sync] for Object<G>, G: Game;
    fn copy(&self) -> Box<dyn GameObject> { object(&self.game, self.make, None) }
    fn facts(&self) -> Facts { self.game.facts() }
    /// Whether the facts are those that every game of its type has.
    fn is_of_type(&self) -> bool { is_of_type(&self.game) }
    fn start(&self) -> Value { Value::new(self.game.start()) }
    fn random_position(&self, rng: &mut Rng) -> Option<Value> { self.game.random_position(rng).map(Value::new) }
    /// A position in another place of the memory.
    fn copy_of(&self, at: &Value) -> Value { Value::new(*at.of::<G::Position>()) }
    fn turn(&self, at: &Value) -> Turn { self.game.turn(at.of()) }
    fn after(&self, at: &Value, mv: &Value) -> Value { Value::new(self.game.after(at.of(), *mv.of())) }
    fn move_count(&self, at: &Value) -> u32 { self.game.move_count(at.of()) }
    fn listed(&self, at: &Value) -> [usize; 2] {
        [self.game.moves(at.of()).count(), self.game.outcomes(at.of()).count()]
    }
    fn move_at(&self, at: &Value, place: usize) -> Option<Value> {
        self.game.moves(at.of()).nth(place).map(Value::new)
    }
    /// The moves; the first and last `width` of them, together, if there are more.
    fn moves_within(&self, at: &Value, width: usize) -> Vec<Value> {
        within(&mut self.game.moves(at.of()), width).into_iter().map(Value::new).collect()
    }
    /// The outcomes with their weights; the first and last `width` of them, together, if there are more.
    fn outcomes_within(&self, at: &Value, width: usize) -> Vec<(Value, u32)> {
        let kept = within(&mut self.game.outcomes(at.of()), width);
        kept.into_iter().map(|(mv, weight)| (Value::new(mv), weight)).collect()
    }
    fn random_move(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(self.game.random_move(at.of(), draws))
    }
    fn random_outcome(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(self.game.random_outcome(at.of(), draws))
    }
    fn payoff(&self, at: &Value, player: Player) -> i32 { self.game.payoff(at.of(), player) }
    fn outcome(&self, at: &Value, player: Player) -> Outcome { self.game.outcome(at.of(), player) }
    fn score(&self, at: &Value, player: Player) -> i32 { self.game.score(at.of(), player) }
    fn key(&self, at: &Value) -> Option<u128> { self.game.key(at.of()) }
    fn move_number(&self, mv: &Value) -> Option<u16> { self.game.move_number(*mv.of()) }
    fn move_code(&self, at: &Value, mv: &Value) -> Option<u16> { self.game.move_code(at.of(), *mv.of()) }
    fn order(&self, at: &Value, mv: &Value, child: &Value) -> i32 {
        self.game.hints().order(&self.game, at.of(), *mv.of(), child.of())
    }
    fn plies_left(&self, at: &Value) -> Option<u32> { self.game.hints().plies_left(&self.game, at.of()) }
    fn estimate(&self, at: &Value) -> Option<i32> { self.game.hints().estimate(&self.game, at.of()) }
    /// The children that the hint shows, each with its move and its rank.
    fn children(&self, at: &Value) -> Vec<(Value, Value, i32)> {
        let mut all = Vec::new();
        let mut show = |mv, child, rank| all.push((Value::new(mv), Value::new(child), rank));
        self.game.hints().each_child(&self.game, at.of(), &mut show);
        all
    }
    /// The estimates after the best move of each of some positions, by the hint.
    fn best_estimates(&self, all: &[Value]) -> Vec<Option<i32>> {
        let mut shown = Vec::new();
        let positions = all.iter().map(|at| *at.of::<G::Position>());
        self.game.hints().best_estimates(&self.game, positions, &mut |estimate| shown.push(Some(estimate)));
        shown
    }
    /// The estimate after the best move of a position, by making each move.
    fn plain_best_estimate(&self, at: &Value) -> Option<i32> { plain_best_estimate(&self.game, at.of()) }
    fn payoff_bounds(&self, at: &Value, window: Window) -> Option<(i32, i32)> {
        self.game.hints().payoff_bounds(&self.game, at.of(), window)
    }
    fn only_move(&self, at: &Value) -> Option<Value> {
        self.game.hints().lines().only_move(&self.game, at.of()).map(Value::new)
    }
    fn value_key(&self, at: &Value) -> Option<u128> { self.game.hints().lines().key(&self.game, at.of()) }
    fn solved(&self, at: &Value, window: Window) -> [Option<Solved>; 2] {
        [true, false].map(|counted| self.game.hints().solve_tail(&self.game, at.of(), window, counted))
    }
    /// The expected payoff of the first player under best play; `None` if that takes too many nodes.
    fn exact(&self, at: &Value, nodes: u32) -> Option<f64> { exact(&self.game, at.of(), &mut { nodes }) }
    fn notation(&self, at: &Value, mv: &Value) -> String { self.game.notation(at.of(), *mv.of()) }
    fn parse_move(&self, at: &Value, text: &str) -> Option<Value> {
        self.game.parse_move(at.of(), text).map(Value::new)
    }
    fn transcript(&self, moves: &[Value]) -> String {
        self.game.transcript(&moves.iter().map(|mv| *mv.of()).collect::<Vec<_>>())
    }
    /// The moves of a transcript from the start, and the position after them.
    fn follow(&self, transcript: &str) -> Result<(Followed, Vec<Value>, Value), TranscriptError> {
        let (mut position, mut moves) = (self.game.start(), Vec::new());
        let mut seen = |mv| moves.push(Value::new(mv));
        let followed = self.game.follow_from(&mut position, transcript, &mut seen)?;
        Ok((followed, moves, Value::new(position)))
    }
    fn named_side(&self, text: &str) -> Option<Player> { self.game.named_side(text) }
    fn perft(&self, at: &Value, depth: u32, finished: FinishedGames) -> u64 {
        perft(&self.game, at.of(), depth, finished)
    }
    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<(Option<bool>, u64)> {
        Some(self.entries().deal_solver?(&self.game, deal, nodes))
    }
    fn position_text(&self, at: &Value) -> Option<String> { self.game.position_text(at.of()) }
    fn parse_position(&self, text: &str) -> Result<Value, PositionError> {
        self.game.parse_position(text).map(Value::new)
    }
    fn drawing(&self, at: &Value) -> String { self.game.drawing(at.of()) }
    fn picture(&self, at: &Value) -> Option<Picture> { self.game.picture(at.of()) }
    fn sizes(&self) -> (usize, usize) { (size_of::<G::Position>(), size_of::<G::Move>()) }

    fn uniform(&self) -> Box<dyn PolicyObject + '_> { policy_object(&self.game, Arc::new(Uniform)) }
    fn policies(&self) -> Vec<(&'static str, Box<dyn PolicyObject + '_>)> {
        let mut all = Vec::new();
        for known in &self.entries().policies {
            all.push((known.name, policy_object(&self.game, Arc::clone(&known.policy))));
        }
        all
    }
    fn rules(&self, text: &str) -> Result<Box<dyn PolicyObject + '_>, RuleError> {
        Ok(policy_object(&self.game, Arc::new(RuleList::read(self.entries(), text, &[])?)))
    }
    fn rule_lists(&self) -> &[NamedRules] { &self.entries().rule_lists }
    fn patterns(&self) -> Vec<&str> {
        self.entries().patterns.iter().map(|known| known.name.as_str()).collect()
    }
    fn pattern(&self, place: usize, at: &Value, mv: &Value, after: &Value) -> i32 {
        (self.entries().patterns[place].pattern)(&self.game, at.of(), *mv.of(), after.of())
    }

    fn evaluations(&self) -> Vec<&'static str> {
        self.entries().evaluations.iter().map(|known| known.name).collect()
    }
    fn evaluation(&self, place: usize) -> (EvaluationFacts, (i64, i64)) {
        let evaluation = &self.entries().evaluations[place].evaluation;
        (evaluation.facts(), evaluation.range(&self.game))
    }
    fn value(&self, place: usize, at: &Value, player: Player, is_finished: bool) -> i64 {
        let evaluation = &self.entries().evaluations[place].evaluation;
        if is_finished {
            return evaluation.finished(&self.game, at.of(), player);
        }
        evaluation.evaluate(&self.game, at.of(), player)
    }
    fn values(&self, place: usize, requests: &[EvaluationRequest<Value>], answers: &mut EvaluationBuffer) {
        let request = |EvaluationRequest { position, player, prior }: &EvaluationRequest<Value>| {
            EvaluationRequest { position: *position.of(), player: *player, prior: *prior }
        };
        let typed: Vec<_> = requests.iter().map(request).collect();
        self.entries().evaluations[place].evaluation.evaluate_many(&self.game, &typed, answers);
    }

    fn features(&self) -> Vec<&'static str> {
        self.entries().features.iter().map(|known| known.name).collect()
    }
    fn feature_names(&self, place: usize) -> Vec<String> {
        self.entries().features[place].features.names(&self.game)
    }
    fn largest_feature(&self, place: usize) -> Option<i32> {
        self.entries().features[place].features.largest(&self.game)
    }
    fn feature_values(&self, place: usize, at: &Value, player: Player, values: &mut [i32]) {
        self.entries().features[place].features.values(&self.game, at.of(), player, values);
    }
    fn after_moves(&self, place: usize, at: &Value, player: Player, show: &mut dyn FnMut(usize, usize, i32)) {
        self.entries().features[place].features.after_moves(&self.game, at.of(), player, show);
    }
    fn prepared_features(&self, place: usize, weights: &[i64]) -> Option<Sums<'_>> {
        let sum = self.entries().features[place].features.prepared(&self.game, weights)?;
        Some(sums(&self.game, sum))
    }

    /// The rows and columns of the board, if there is one. The other functions of the board are for such games.
    fn board_size(&self) -> Option<(usize, usize)> { Some(self.entries().board.as_ref()?.size(&self.game)) }
    fn symmetries(&self) -> Vec<Vec<usize>> { self.board().symmetries(&self.game) }
    fn exchange(&self) -> Option<Vec<usize>> { self.board().exchange(&self.game) }
    fn tables(&self, shapes: &str) -> Result<Vec<TupleTable>, ShapeError> {
        tables_of_shapes(&self.game, self.board(), shapes)
    }
    fn prepared_board(&self, tables: &[TupleTable], weights: &[i64]) -> Option<Sums<'_>> {
        Some(sums(&self.game, self.board().prepared(&self.game, tables, weights)?))
    }
    fn owners(&self, at: &Value, player: Player, owners: &mut [u8]) {
        self.board().owners(&self.game, at.of(), player, owners);
    }
    fn each_change(&self, at: &Value, player: Player, found: &mut dyn FnMut(&[SquareChange])) {
        self.board().each_change(&self.game, at.of(), player, found);
    }
}

impl dyn GameObject + '_ {
    /// The legal moves, each as a value: costly if there are millions.
    pub fn moves(&self, at: &Value) -> Vec<Value> {
        self.moves_within(at, usize::MAX)
    }

    /// The outcomes with their weights.
    pub fn outcomes(&self, at: &Value) -> Vec<(Value, u32)> {
        self.outcomes_within(at, usize::MAX)
    }

    /// The legal moves or the outcomes of a position, with their weights.
    pub fn legal(&self, at: &Value) -> Vec<(Value, u32)> {
        let moves = self.moves(at).into_iter().map(|mv| (mv, 1));
        moves.chain(self.outcomes(at)).collect()
    }

    /// The legal moves or the outcomes of a position, in notation.
    pub fn notations(&self, at: &Value) -> Vec<String> {
        self.legal(at).iter().map(|(mv, _)| self.notation(at, mv)).collect()
    }
}

erased! {
    /// A policy of a game of any type.
    #[doc(hidden)]
    pub trait PolicyObject: [Send + Sync] for OfPolicy<'_, G>, G: Game;
    fn choose(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(self.policy.choose(self.game, at.of(), draws))
    }
    fn distribution(&self, at: &Value) -> Vec<(Value, u32)> {
        let stated = self.policy.distribution(self.game, at.of());
        stated.into_iter().map(|(mv, weight)| (Value::new(mv), weight)).collect()
    }
    fn reasons(&self, at: &Value) -> Option<Vec<MoveReasons<Value>>> {
        let of = |reasons: MoveReasons<G::Move>| { let mv = Value::new(reasons.mv); reasons.of(mv) };
        Some(self.policy.reasons(self.game, at.of())?.into_iter().map(of).collect())
    }
    fn play(&self, path: Path, at: &Value, requests: &[(Player, Batch)], tallies: &mut [Tally]) -> Path {
        let request = |&(player, batch): &_| PlayoutRequest { from: *at.of(), player, batch };
        let typed: Vec<_> = requests.iter().map(request).collect();
        self.policy.play_batches(path, self.game, Batches::new(&typed, tallies))
    }
    fn plain(&self, at: &Value, player: Player, batch: Batch) -> Tally {
        run_playouts(self.game, &*self.policy, at.of(), player, batch)
    }
    /// The tally of single playouts of at most some plies, as in [`run_playouts`].
    fn singles(&self, at: &Value, player: Player, batch: Batch, longest: usize) -> Result<Tally, String> {
        let game = self.game;
        let mut tally = Tally::default();
        for index in 0..batch.count {
            let (mut position, mut draws, mut plies) = (*at.of(), batch.key.playout(index), 0);
            loop {
                let mv = match game.turn(&position) {
                    Turn::Player(_) => self.policy.choose(game, &position, &mut draws),
                    Turn::Chance => game.random_outcome(&position, &mut draws),
                    Turn::Over => break,
                };
                if plies >= longest {
                    return Err(format!("a playout is not over after {plies} plies"));
                }
                game.apply(&mut position, mv);
                plies += 1;
            }
            tally.record(game.payoff(&position, player), plies as u32);
        }
        Ok(tally)
    }
    /// Records the plies of a batch; the function runs a stage once for each ply that has it, and returns their number.
    fn record(&self, at: &Value, batch: Batch, is_uniform: bool) -> Box<dyn Fn(Stage) -> u64 + '_> {
        let plies = record_plies(self.game, &*self.policy, at.of(), batch);
        Box::new(move |stage| {
            let plies = &plies[match stage {
                Stage::Choice => 1,
                Stage::Chance => 2,
                Stage::Turn | Stage::Draw | Stage::Apply => 0,
            }];
            let game = self.game;
            if is_uniform {
                accelerate(StageLoop { game, policy: &Uniform, stage, plies });
            } else {
                accelerate(StageLoop { game, policy: &*self.policy, stage, plies });
            }
            plies.len() as u64
        })
    }
}

/// A game with its catalogue, which is made when it is first asked for.
struct Object<G: Game> {
    game: G,
    make: fn(&G) -> Entries<G>,
    entries: OnceLock<Entries<G>>,
}

/// A game as an object. Its entries are those that are known, else those that the game makes.
#[doc(hidden)]
pub fn object<G: Game>(
    game: &G,
    make: fn(&G) -> Entries<G>,
    known: Option<Entries<G>>,
) -> Box<dyn GameObject> {
    let entries = known.map_or_else(OnceLock::new, OnceLock::from);
    Box::new(Object { game: game.clone(), make, entries })
}

impl<G: Game> Object<G> {
    #[inline(never)]
    fn entries(&self) -> &Entries<G> {
        self.entries.get_or_init(|| (self.make)(&self.game))
    }

    fn board(&self) -> &dyn super::tuples::Board<G> {
        self.entries().board.as_deref().expect("the game has a board")
    }
}

struct OfPolicy<'g, G> {
    game: &'g G,
    policy: Arc<dyn Policy<G>>,
}

/// A policy as an object.
#[doc(hidden)]
pub fn policy_object<G: Game>(game: &G, policy: Arc<dyn Policy<G>>) -> Box<dyn PolicyObject + '_> {
    Box::new(OfPolicy { game, policy })
}

fn sums<G: Game>(game: &G, sum: Arc<dyn WeightedSum<G>>) -> Sums<'_> {
    Box::new(move |at, player, wanted| {
        let Some(wanted) = wanted else { return vec![ChildSum::Sum(sum.sum(at.of(), player))] };
        let mut all = Vec::new();
        sum.each_child(game, at.of(), wanted, &mut |child| {
            all.push(child);
            ControlFlow::Continue(())
        });
        all
    })
}

/// The items; the first and last `width` of them, together, if there are more. They are listed once.
fn within<T>(items: &mut dyn Iterator<Item = T>, width: usize) -> Vec<T> {
    let mut all: Vec<T> = items.take(width.div_ceil(2)).collect();
    let mut last = VecDeque::new();
    for item in items {
        last.push_back(item);
        if last.len() > width / 2 {
            last.pop_front();
        }
    }
    all.extend(last);
    all
}

fn exact<G: Game>(game: &G, position: &G::Position, nodes: &mut u32) -> Option<f64> {
    *nodes = nodes.checked_sub(1)?;
    let mut value = |mv| exact(game, &game.after(position, mv), nodes);
    match game.turn(position) {
        Turn::Over => Some(game.payoff(position, Player::FIRST).into()),
        Turn::Player(mover) => {
            let side = if mover == Player::FIRST { 1.0 } else { -1.0 };
            let best = |best: f64, mv| Some(best.max(side * value(mv)?));
            game.moves(position).try_fold(f64::NEG_INFINITY, best).map(|best| side * best)
        }
        Turn::Chance => {
            let mut weights = 0.0;
            let sum = game.outcomes(position).try_fold(0.0, |sum, (mv, weight)| {
                weights += f64::from(weight);
                Some(sum + f64::from(weight) * value(mv)?)
            })?;
            Some(sum / weights)
        }
    }
}
