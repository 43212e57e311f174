//! The game under examination as an object, so that the laws are compiled once and not for each game.
//!
//! The key decision: positions and moves are values that can be shown and compared, and nothing else.

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::game::{
    Batch, Batches, Facts, Follow, Game, GameExt, Outcome, Path, Picture, Player, PlayoutRequest, Policy,
    PositionError, SearchHints, Solved, Tally, TranscriptError, Turn, Uniform, Window, plain_best_promise,
};
use crate::rng::{PlayoutRng, Rng};

/// A position, a move, or a list of moves.
#[derive(Clone)]
pub(super) struct Value(Rc<dyn Comparable>);

/// A value that can be shown and compared.
trait Comparable: Any + fmt::Debug {
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Any + fmt::Debug + PartialEq> Comparable for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

impl Value {
    pub(super) fn new(value: impl Any + fmt::Debug + PartialEq) -> Self {
        Self(Rc::new(value))
    }

    /// The value by its type, which the game knows.
    pub(super) fn of<T: Any>(&self) -> &T {
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

/// A trait that can be an object, and its implementation for every game. Each method is written once.
macro_rules! object {
    (
        $(#[$about:meta])*
        trait $trait:ident $(: $base:ident)? for $type:ty, $game:ident: $bound:ident;
        $($(#[$doc:meta])* fn $name:ident(&$self:ident $(, $arg:ident: $of:ty)*) $(-> $result:ty)? $body:block)*
    ) => {
        $(#[$about])*
        pub(super) trait $trait $(: $base)? {
            $($(#[$doc])* fn $name(&$self $(, $arg: $of)*) $(-> $result)?;)*
        }

        impl<$game: $bound> $trait for $type {
            $(fn $name(&$self $(, $arg: $of)*) $(-> $result)? $body)*
        }
    };
}

pub(super) use object;

object! {
    /// A game of any type.
    trait Examined for G, G: Game;
    /// Another instance of the game.
    fn copy(&self) -> Box<dyn Examined> { Box::new(self.clone()) }
    fn facts(&self) -> Facts { Game::facts(self) }
    fn start(&self) -> Value { Value::new(Game::start(self)) }
    /// A position in another place of the memory.
    fn copy_of(&self, at: &Value) -> Value { Value::new(*at.of::<G::Position>()) }
    fn turn(&self, at: &Value) -> Turn { Game::turn(self, at.of()) }
    /// The position after a move.
    fn after(&self, at: &Value, mv: &Value) -> Value { Value::new(after(self, at.of(), *mv.of())) }
    /// The numbers of moves and of outcomes.
    fn counts(&self, at: &Value) -> (usize, usize) {
        (Game::moves(self, at.of()).count(), Game::outcomes(self, at.of()).count())
    }
    fn move_count(&self, at: &Value) -> u32 { Game::move_count(self, at.of()) }
    /// The moves; the first and last `width` of them if there are more.
    fn moves(&self, at: &Value, width: usize) -> Vec<Value> {
        narrow(|| Game::moves(self, at.of()), width).into_iter().map(Value::new).collect()
    }
    /// The outcomes with their weights; the first and last `width` of them if there are more.
    fn outcomes(&self, at: &Value, width: usize) -> Vec<(Value, u32)> {
        weighted(narrow(|| Game::outcomes(self, at.of()), width))
    }
    /// The same moves and outcomes, each list as one value.
    fn lists(&self, at: &Value, width: usize) -> [Value; 2] {
        let moves = Value::new(narrow(|| Game::moves(self, at.of()), width));
        [moves, Value::new(narrow(|| Game::outcomes(self, at.of()), width))]
    }
    /// A uniformly random legal move, or a random outcome by its weight; uses `moves` and `outcomes` only.
    fn step(&self, at: &Value, turn: Turn, rng: &mut Rng) -> Option<Value> {
        step(self, at.of(), turn, rng).map(Value::new)
    }
    fn random_move(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(Game::random_move(self, at.of(), draws))
    }
    fn random_outcome(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(Game::random_outcome(self, at.of(), draws))
    }
    fn payoff(&self, at: &Value, player: Player) -> i32 { Game::payoff(self, at.of(), player) }
    fn outcome(&self, at: &Value, player: Player) -> Outcome { Game::outcome(self, at.of(), player) }
    fn score(&self, at: &Value, player: Player) -> i32 { Game::score(self, at.of(), player) }
    fn uniform(&self) -> Box<dyn ExaminedPolicy + '_> {
        Box::new(Of { game: self, it: Arc::new(Uniform) as Arc<dyn Policy<G>> })
    }
    fn key(&self, at: &Value) -> Option<u128> { Game::key(self, at.of()) }
    fn move_number(&self, mv: &Value) -> Option<u16> { Game::move_number(self, *mv.of()) }
    fn order(&self, at: &Value, mv: &Value, child: &Value) -> i32 {
        self.hints().order(self, at.of(), *mv.of(), child.of())
    }
    fn plies_left(&self, at: &Value) -> Option<u32> { self.hints().plies_left(self, at.of()) }
    fn promise(&self, at: &Value) -> Option<i32> { self.hints().promise(self, at.of()) }
    /// The children that the hint shows, each with its move and its rank.
    fn children(&self, at: &Value) -> Vec<(Value, Value, i32)> {
        let mut all = Vec::new();
        let mut show = |mv, child, rank| all.push((Value::new(mv), Value::new(child), rank));
        self.hints().each_child(self, at.of(), &mut show);
        all
    }
    /// The promises after the best move of each of some positions, by the hint and by making each move.
    fn best_promises(&self, all: &[Value]) -> [Vec<Option<i32>>; 2] {
        let mut shown = Vec::new();
        let positions = || all.iter().map(|at| *at.of::<G::Position>());
        self.hints().best_promises(self, positions(), &mut |promise| shown.push(Some(promise)));
        [shown, positions().map(|position| plain_best_promise(self, &position)).collect()]
    }
    fn payoff_bounds(&self, at: &Value, window: Window) -> Option<(i32, i32)> {
        self.hints().payoff_bounds(self, at.of(), window)
    }
    fn only_move(&self, at: &Value) -> Option<Value> {
        self.hints().lines().only_move(self, at.of()).map(Value::new)
    }
    fn value_key(&self, at: &Value) -> Option<u128> { self.hints().lines().key(self, at.of()) }
    fn solved(&self, at: &Value, window: Window) -> [Option<Solved>; 2] {
        [true, false].map(|counted| self.hints().solve_tail(self, at.of(), window, counted))
    }
    /// The payoff of the player to move under best play; `None` if that takes too many nodes.
    fn exact(&self, at: &Value, nodes: u32) -> Option<i32> { exact(self, at.of(), &mut { nodes }) }
    /// The expected payoff of a solitaire of chance under best play; `None` if that takes too many nodes.
    fn mean(&self, at: &Value, nodes: u32) -> Option<f64> { mean(self, at.of(), &mut { nodes }) }
    fn notation(&self, at: &Value, mv: &Value) -> String { Game::notation(self, at.of(), *mv.of()) }
    fn parse_move(&self, at: &Value, text: &str) -> Option<Value> {
        Game::parse_move(self, at.of(), text).map(Value::new)
    }
    fn transcript(&self, moves: &[Value]) -> String {
        Game::transcript(self, &moves.iter().map(|mv| *mv.of()).collect::<Vec<_>>())
    }
    /// The moves of a transcript from the start, and the position after them.
    fn follow(&self, transcript: &str) -> Result<(Vec<Value>, Value), TranscriptError> {
        let (mut position, mut moves) = (Game::start(self), Vec::new());
        self.follow_from(&mut position, transcript, &mut |mv| moves.push(Value::new(mv)))?;
        Ok((moves, Value::new(position)))
    }
    fn position_text(&self, at: &Value) -> Option<String> { Game::position_text(self, at.of()) }
    fn parse_position(&self, text: &str) -> Result<Value, PositionError> {
        Game::parse_position(self, text).map(Value::new)
    }
    fn drawing(&self, at: &Value) -> String { Game::drawing(self, at.of()) }
    fn picture(&self, at: &Value) -> Option<Picture> { Game::picture(self, at.of()) }
}

object! {
    /// A policy of a game of any type.
    trait ExaminedPolicy for Of<'_, G, Arc<dyn Policy<G>>>, G: Game;
    fn choose(&self, at: &Value, draws: &mut PlayoutRng) -> Value {
        Value::new(self.it.choose(self.game, at.of(), draws))
    }
    fn distribution(&self, at: &Value) -> Vec<(Value, u32)> {
        weighted(self.it.distribution(self.game, at.of()))
    }
    /// Plays batches from one position.
    fn play(&self, path: Path, at: &Value, requests: &[(Player, Batch)], tallies: &mut [Tally]) -> Path {
        let request = |&(player, batch): &_| PlayoutRequest { from: *at.of(), player, batch };
        let requests: Vec<_> = requests.iter().map(request).collect();
        self.it.play_batches(path, self.game, Batches::new(&requests, tallies))
    }
    /// The tally of single playouts of at most some plies, as in [`run_playouts`](crate::game::run_playouts).
    fn singles(&self, at: &Value, player: Player, batch: Batch, longest: usize) -> Result<Tally, String> {
        singles(self.game, &*self.it, at.of(), player, batch, longest)
    }
}

/// Something of a game's catalogue, with the game.
pub(super) struct Of<'a, G, T> {
    pub(super) game: &'a G,
    pub(super) it: T,
}

fn weighted<M: Any + fmt::Debug + PartialEq>(moves: Vec<(M, u32)>) -> Vec<(Value, u32)> {
    moves.into_iter().map(|(mv, weight)| (Value::new(mv), weight)).collect()
}

/// Some items; the first and last `width` of them if there are more.
fn narrow<T, I: Iterator<Item = T>>(items: impl Fn() -> I, width: usize) -> Vec<T> {
    let mut front: Vec<T> = items().take(width.saturating_add(1)).collect();
    if front.len() > width {
        let count = items().count();
        front.truncate(width.div_ceil(2));
        front.extend(items().skip(count - width / 2));
    }
    front
}

fn step<G: Game>(game: &G, position: &G::Position, turn: Turn, rng: &mut Rng) -> Option<G::Move> {
    match turn {
        Turn::Over => None,
        Turn::Player(_) => {
            let count = Game::moves(game, position).count() as u64;
            if count == 0 { None } else { Game::moves(game, position).nth(rng.below(count) as usize) }
        }
        Turn::Chance => {
            let sum: u64 = Game::outcomes(game, position).map(|(_, weight)| u64::from(weight)).sum();
            let mut pick = if sum == 0 { return None } else { rng.below(sum) };
            Game::outcomes(game, position).find_map(|(mv, weight)| {
                let hit = pick < u64::from(weight);
                pick = pick.wrapping_sub(u64::from(weight));
                hit.then_some(mv)
            })
        }
    }
}

fn after<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> G::Position {
    let mut child = *position;
    game.apply(&mut child, mv);
    child
}

fn exact<G: Game>(game: &G, position: &G::Position, nodes: &mut u32) -> Option<i32> {
    let Turn::Player(mover) = Game::turn(game, position) else { return None };
    let mut best = i32::MIN;
    for mv in Game::moves(game, position) {
        *nodes = nodes.checked_sub(1)?;
        let child = after(game, position, mv);
        let value = match Game::turn(game, &child) {
            Turn::Over => Game::payoff(game, &child, mover),
            Turn::Player(next) if next == mover => exact(game, &child, nodes)?,
            _ => -exact(game, &child, nodes)?,
        };
        best = best.max(value);
    }
    Some(best)
}

fn mean<G: Game>(game: &G, position: &G::Position, nodes: &mut u32) -> Option<f64> {
    *nodes = nodes.checked_sub(1)?;
    let mut value = |mv| mean(game, &after(game, position, mv), nodes);
    match Game::turn(game, position) {
        Turn::Over => Some(Game::payoff(game, position, Player::FIRST).into()),
        Turn::Player(_) => {
            Game::moves(game, position).try_fold(f64::NEG_INFINITY, |best, mv| Some(best.max(value(mv)?)))
        }
        Turn::Chance => {
            let mut weights = 0.0;
            let sum = Game::outcomes(game, position).try_fold(0.0, |sum, (mv, weight)| {
                weights += f64::from(weight);
                Some(sum + f64::from(weight) * value(mv)?)
            })?;
            Some(sum / weights)
        }
    }
}

fn singles<G: Game>(
    game: &G,
    policy: &dyn Policy<G>,
    from: &G::Position,
    player: Player,
    batch: Batch,
    longest: usize,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for index in 0..batch.count {
        let (mut position, mut draws, mut plies) = (*from, batch.key.playout(index), 0);
        loop {
            let mv = match Game::turn(game, &position) {
                Turn::Player(_) => policy.choose(game, &position, &mut draws),
                Turn::Chance => Game::random_outcome(game, &position, &mut draws),
                Turn::Over => break,
            };
            if plies >= longest {
                return Err(format!("a playout is not over after {plies} plies"));
            }
            game.apply(&mut position, mv);
            plies += 1;
        }
        tally.record(Game::payoff(game, &position, player), plies as u32);
    }
    Ok(tally)
}
