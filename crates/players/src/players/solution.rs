//! The solution of a position of any game, in words; lines and trees in notation.

use serde::{Serialize, Serializer};

use super::catalogue::Catalogue;
use super::choices::evaluation;
use super::files::typed;
use crate::game::{self, Game, GameObject, NamedGame, PositionError, Turn};
use crate::search::{Branch, Branches, Limits, Meter, OrderBy, SearchError, SolveSettings, solve};

/// How a position is solved.
///
/// # Example
/// ```
/// use shikou::players::SolveMethod;
/// use shikou::search::OrderBy;
/// let game = shikou::registry().game_to_solve("othello", &["size=4".into()]).unwrap();
/// let solution = game.solve("", &SolveMethod::new(1 << 20)).unwrap();
/// let order = OrderBy { evaluation: "weights".into(), plies: 6, margin: None };
/// let ordered = game.solve("", &SolveMethod { order: Some(order), ..SolveMethod::new(1 << 20) }).unwrap();
/// assert_eq!(solution.value, ordered.value);
/// ```
pub type SolveMethod = SolveSettings<String>;

/// The value of a position under best play by all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolutionView {
    /// The position as the game writes it, or else as it was given.
    pub position: String,
    /// The payoff under best play.
    pub value: Value,
    /// Whose payoff it is.
    pub value_of: Viewpoint,
    /// The moves that reach the value: all, or one if no more are asked for.
    pub best: Vec<String>,
    /// A principal variation to the end of the game; in games of chance, one best move.
    pub line: Vec<String>,
    /// The number of visited positions.
    pub nodes: u64,
}

/// Whose payoff a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewpoint {
    /// The player to move, or the side to move that the text of a finished position names.
    SideToMove,
    /// The first player, because the game is over and its text names no side.
    FirstPlayer,
}

/// A payoff: an integer, except in games of chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value(pub f64);

impl Value {
    /// With its sign, as `+38`.
    pub fn signed(self) -> String {
        format!("{:+}", self.0 + 0.0)
    }
}

impl Serialize for Value {
    /// Serialised as an integer if it is one.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// The reason why a position was not solved.
#[expect(missing_docs, reason = "the message says what a variant is")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("no position: {0}")]
    Position(#[from] PositionError),
    #[error("it is chance's turn in this position; only a player's turn can be solved")]
    Chance,
    #[error("only games whose payoffs add up to 0 can be solved for two")]
    Payoffs,
    #[error("{0}")]
    Order(String),
    #[error(
        "of the best moves, the soonest are found in games without chance whose payoff times length is at most 32 768"
    )]
    Soonest,
    #[error(transparent)]
    SearchError(#[from] SearchError),
}

/// Solves positions given as text.
pub type Solver<'g> = Box<dyn Fn(&str) -> Result<SolutionView, SolveError> + 'g>;

/// The value of a position, its best moves, and a line of best play.
type Found = Result<(f64, Vec<game::Value>, Vec<game::Value>), SearchError>;

/// Prepares to solve positions of a game, whose parts the catalogue has.
pub(super) fn solver<'g, G: NamedGame>(
    object: &'g dyn GameObject,
    catalogue: &Catalogue<'g, G>,
    method: &SolveMethod,
) -> Result<Solver<'g>, SolveError> {
    let (game, facts) = (catalogue.game(), object.facts());
    if facts.players > 1 && !facts.zero_sum {
        return Err(SolveError::Payoffs);
    }
    let SolveMethod { table_bytes, threads, best, order } = method;
    if !best.fits(&facts) {
        return Err(SolveError::Soonest);
    }
    let mut settings = SolveSettings { threads: *threads, best: *best, ..SolveSettings::new(*table_bytes) };
    if let Some(order) = order {
        let chosen = typed(&evaluation(), "evaluation", &order.evaluation).map_err(SolveError::Order)?;
        let found = catalogue.evaluation(&chosen);
        let evaluation = found.map_err(|misfit| SolveError::Order(misfit.reason))?;
        let evaluation =
            evaluation.ok_or_else(|| SolveError::Order(format!("{} has no evaluation", G::NAME)))?;
        settings.order = Some(OrderBy { evaluation, plies: order.plies, margin: order.margin });
    }
    let memory_bytes = table_bytes + Limits::default().memory_bytes;
    let find = move |position: &game::Value, meter: &mut Meter| {
        let found = solve(game, position.of(), &settings, meter)?;
        let values = |moves: &[G::Move]| moves.iter().map(|&mv| game::Value::new(mv)).collect();
        Ok((found.value, values(&found.best), values(&found.line)))
    };
    Ok(Box::new(move |text| {
        let mut meter = Meter::new(Limits { memory_bytes, ..Limits::default() });
        solution(object, text, &mut meter, &find)
    }))
}

fn solution(
    game: &dyn GameObject,
    text: &str,
    meter: &mut Meter,
    find: &dyn Fn(&game::Value, &mut Meter) -> Found,
) -> Result<SolutionView, SolveError> {
    let position = game.parse_position(text)?;
    if game.turn(&position) == Turn::Chance {
        return Err(SolveError::Chance);
    }
    let (value, best, line) = find(&position, meter)?;
    let is_over = game.turn(&position) == Turn::Over;
    let named = game.named_side(text).filter(|_| is_over);
    let value = named.map_or(value, |side| f64::from(game.payoff(&position, side)));
    Ok(SolutionView {
        // Of a finished position the game may write another side.
        position: game
            .position_text(&position)
            .filter(|_| named.is_none())
            .unwrap_or_else(|| text.trim().into()),
        value: Value(value),
        value_of: if is_over && named.is_none() { Viewpoint::FirstPlayer } else { Viewpoint::SideToMove },
        best: best.iter().map(|mv| game.notation(&position, mv)).collect(),
        line: lines(game, position, &line),
        nodes: meter.spent().nodes,
    })
}

/// The moves of a line in notation, of a game of any type.
pub(super) fn lines(game: &dyn GameObject, mut at: game::Value, line: &[game::Value]) -> Vec<String> {
    let mut write = |mv: &game::Value| {
        let text = game.notation(&at, mv);
        at = game.after(&at, mv);
        text
    };
    line.iter().map(&mut write).collect()
}

/// The moves of a line in notation.
pub(super) fn written<G: Game>(game: &G, mut position: G::Position, line: &[G::Move]) -> Vec<String> {
    let mut write = |&mv: &G::Move| {
        let text = game.notation(&position, mv);
        game.apply(&mut position, mv);
        text
    };
    line.iter().map(&mut write).collect()
}

/// The moves of a tree in notation. The tree is below this position.
pub(super) fn written_tree<G: Game>(
    game: &G,
    position: &G::Position,
    tree: &Branches<G::Move>,
) -> Branches<String> {
    let written = |branch: &Branch<G::Move>| {
        let mut at = *position;
        game.apply(&mut at, branch.mv);
        Branch {
            mv: game.notation(position, branch.mv),
            visits: branch.visits,
            value: branch.value,
            is_proved: branch.is_proved,
            below: written_tree(game, &at, &branch.below),
        }
    };
    let Branches { shown, omitted, omitted_visits } = tree;
    let shown = shown.iter().map(written).collect();
    Branches { shown, omitted: *omitted, omitted_visits: *omitted_visits }
}
