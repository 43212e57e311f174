//! Games, positions and searches.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use shikou::game::{Batch, GameObject, Outcome, Path, Player, Tally, Turn, Value};
use shikou::players::{AnyGame, NamedPlayer};
use shikou::rng::Stream;
use shikou::search::{Limits, MoveStream, abandon_searches};

use crate::call::interruptible;
use crate::{Result, caught, error, registry};

/// A game with its options.
#[pyclass(frozen, module = "shikou._shikou")]
pub(crate) struct Game {
    game: Arc<dyn AnyGame>,
    object: Arc<dyn GameObject>,
}

impl Game {
    fn at(&self, at: Value) -> State {
        State { object: Arc::clone(&self.object), game: Some(Arc::clone(&self.game)), at }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "Python gives values")]
#[pymethods]
impl Game {
    #[new]
    fn new(name: &str, options: Vec<String>) -> Result<Self> {
        let game = caught(|| registry().game(name, &options))?.map_err(error)?;
        let object = Arc::from(game.object().copy());
        Ok(Self { game, object })
    }

    /// The name and the options that differ from the defaults.
    fn __str__(&self) -> String {
        self.game.spec().to_string()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.spec().name
    }

    /// The options that differ from the defaults, as words of a command.
    #[getter]
    fn options(&self) -> Vec<String> {
        let written = |text: String| text.trim_matches('"').to_owned();
        let options = self.game.spec().options.iter().filter(|(decl, value)| **value != decl.default);
        options.map(|(decl, value)| format!("{}={}", decl.name, written(value.to_string()))).collect()
    }

    /// The number of players, whether there is chance, and the least and the largest payoff.
    #[getter]
    fn facts(&self) -> (u8, bool, i32, i32) {
        let facts = self.game.facts();
        (facts.players, facts.chance, facts.min_payoff, facts.max_payoff)
    }

    /// The position in which a game begins.
    fn start(&self) -> Result<State> {
        Ok(self.at(caught(|| self.object.start())?))
    }

    /// The position of a text: the game's notation, or the moves from the start.
    fn position(&self, text: &str) -> Result<State> {
        Ok(self.at(caught(|| self.object.parse_position(text))?.map_err(error)?))
    }
}

/// A position.
#[pyclass(frozen, module = "shikou._shikou")]
pub(crate) struct State {
    pub(crate) object: Arc<dyn GameObject>,
    /// The game with all that is registered for it; a player that is asked gets none.
    pub(crate) game: Option<Arc<dyn AnyGame>>,
    pub(crate) at: Value,
}

/// The colours of the tones of pictures, as on a page.
const STYLE: &str = ".shikou *{stroke-width:0}.shikou text{font:600 6px system-ui,sans-serif;text-anchor:middle;\
    dominant-baseline:central}.shikou .tone-board{fill:#2f7a50}.shikou .tone-line{fill:#1c4f33;stroke:#1c4f33}\
    .shikou .tone-open{fill:none;stroke-width:2;stroke-linecap:round}.shikou .tone-line.tone-open{stroke-width:.5}\
    .shikou .tone-first{fill:#111;stroke:#111}.shikou .tone-second{fill:#fff;stroke:#fff}\
    .shikou .tone-card{fill:#fff;stroke:#1c4f33}.shikou .tone-ink{fill:#111}.shikou text.tone-label{fill:#fff;font-size:4.2px}";

/// A move by its notation or its place among the legal ones.
#[derive(FromPyObject)]
pub(crate) enum Move {
    Place(usize),
    Text(String),
}

impl State {
    /// The player with this number, of a game that is over.
    fn finished(&self, player: u8) -> Result<Player> {
        let players = self.object.facts().players;
        if player >= players {
            return Err(error(format!("no player {player}; this game has {players}, counted from 0")));
        }
        match caught(|| self.object.turn(&self.at))? {
            Turn::Over => Ok(Player::new(player)),
            _ => Err(error("the game is not over")),
        }
    }

    /// The value of a move.
    pub(crate) fn find(&self, mv: &Move) -> Result<Value> {
        let found = caught(|| match mv {
            Move::Text(text) => self.object.parse_move(&self.at, text),
            Move::Place(place) => match self.object.turn(&self.at) {
                Turn::Chance => self.object.outcomes(&self.at).into_iter().nth(*place).map(|(mv, _)| mv),
                _ => self.object.move_at(&self.at, *place),
            },
        })?;
        found.map_or_else(
            || {
                let named = match mv {
                    Move::Text(text) => format!("`{text}`"),
                    Move::Place(place) => format!("number {place}"),
                };
                let legal = caught(|| self.object.notations(&self.at))?;
                let legal = if legal.is_empty() {
                    "the game is over".into()
                } else {
                    format!("legal: {}", legal.join(" "))
                };
                Err(error(format!("{named} is no legal move; {legal}")))
            },
            Ok,
        )
    }
}

#[expect(
    clippy::needless_pass_by_value,
    clippy::unused_self,
    reason = "Python gives values, and asks an object"
)]
#[pymethods]
impl State {
    fn __str__(&self) -> Result<String> {
        caught(|| self.object.drawing(&self.at))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.at == other.at
    }

    /// The player to move, from 0; `"chance"`, or `None` if the game is over.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        Ok(match caught(|| self.object.turn(&self.at))? {
            Turn::Player(player) => player.index().into_pyobject(py)?.into_any(),
            Turn::Chance => "chance".into_pyobject(py)?.into_any(),
            Turn::Over => py.None().into_bound(py),
        })
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> Result<bool> {
        caught(|| self.object.turn(&self.at) == Turn::Over)
    }

    /// The position as a line that `Game.position` reads, if the game has such a text.
    #[getter]
    fn text(&self) -> Result<Option<String>> {
        caught(|| self.object.position_text(&self.at))
    }

    /// The number of legal moves.
    fn __len__(&self) -> Result<usize> {
        caught(|| self.object.move_count(&self.at) as usize)
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The legal moves in notation; none at a chance turn or at the end.
    fn moves(&self) -> Result<Vec<String>> {
        caught(|| self.object.moves(&self.at).iter().map(|mv| self.object.notation(&self.at, mv)).collect())
    }

    /// The numbers of the legal moves, by which priors are read; their places in a game that numbers none.
    fn numbers(&self) -> Result<Vec<usize>> {
        let number = |(place, mv): (usize, Value)| self.object.move_number(&mv).map_or(place, usize::from);
        caught(|| self.object.moves(&self.at).into_iter().enumerate().map(number).collect())
    }

    /// The outcomes of a chance turn with their weights.
    fn outcomes(&self) -> Result<Vec<(String, u32)>> {
        let written = |(mv, weight): (Value, u32)| (self.object.notation(&self.at, &mv), weight);
        caught(|| self.object.outcomes(&self.at).into_iter().map(written).collect())
    }

    /// The position after a move or an outcome: its notation, or its place among the legal ones.
    fn play(&self, mv: Move) -> Result<Self> {
        let mv = self.find(&mv)?;
        let at = caught(|| self.object.after(&self.at, &mv))?;
        Ok(Self { object: Arc::clone(&self.object), game: self.game.clone(), at })
    }

    /// The payoff of a player at the end: what searchers maximise.
    fn payoff(&self, player: u8) -> Result<i32> {
        let player = self.finished(player)?;
        caught(|| self.object.payoff(&self.at, player))
    }

    /// The score of a player at the end, in the game's unit.
    fn score(&self, player: u8) -> Result<i32> {
        let player = self.finished(player)?;
        caught(|| self.object.score(&self.at, player))
    }

    /// The outcome for a player at the end: `"win"`, `"draw"` or `"loss"`.
    fn outcome(&self, player: u8) -> Result<&'static str> {
        let player = self.finished(player)?;
        caught(|| match self.object.outcome(&self.at, player) {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        })
    }

    /// The mean payoff and the mean plies of random playouts.
    #[pyo3(signature = (count, player = 0, seed = 1))]
    fn playouts(&self, py: Python<'_>, count: u64, player: u8, seed: u64) -> Result<(f64, f64)> {
        let (object, at) = (Arc::clone(&self.object), self.at.clone());
        let batch = Batch::new(Stream::new(seed).playout_key(), count);
        let play = move || {
            let mut tally = Tally::default();
            object.uniform().play(
                Path::best(),
                &at,
                &[(Player::new(player), batch)],
                std::slice::from_mut(&mut tally),
            );
            (tally.mean(), tally.plies as f64 / tally.playouts.max(1) as f64)
        };
        let (found, stopped) = interruptible(py, || (), play)?;
        stopped.map_or(Ok(found), Err)
    }

    /// The squares of the player and of the opponent, as an array of NumPy.
    #[pyo3(signature = (player = 0))]
    fn planes<'py>(&self, py: Python<'py>, player: u8) -> Result<Bound<'py, PyAny>> {
        let found = caught(|| {
            let (rows, columns) = self.object.board_size()?;
            let mut owners = vec![1; rows * columns];
            self.object.owners(&self.at, Player::new(player), &mut owners);
            Some((owners, rows, columns))
        })?;
        let (owners, rows, columns) = found.ok_or_else(|| error("this game declares no board"))?;
        let planes = py.import("shikou")?.getattr("_planes")?;
        planes.call1((PyBytes::new(py, &owners), rows, columns))?.get_item(0)
    }

    /// The picture of a page, if the game draws one.
    fn _repr_svg_(&self) -> Result<Option<String>> {
        let picture = caught(|| self.object.picture(&self.at))?;
        Ok(picture.map(|picture| {
            let ([width, height], marks) = (picture.size(), picture.marks().collect::<String>());
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"shikou\" viewBox=\"0 0 {width} {height}\" width=\"{0}\" \
                 height=\"{1}\"><style>{STYLE}</style>{marks}</svg>",
                u32::from(width) * 3,
                u32::from(height) * 3
            )
        }))
    }
}

/// A move with its visits, its value and the standard error of that.
type Row = (String, u64, Option<f64>, Option<f64>);

/// The decision of a searcher: the move, the rows, the line, why it ended, the work, and how the searcher is written.
type Decided = (String, Vec<Row>, Vec<String>, String, (u64, u64), String);

/// The decision of a searcher at a position, as `shikou analyze` with the same seed.
#[pyfunction]
pub(crate) fn search(py: Python<'_>, state: &State, searcher: String, seed: u64) -> Result<Decided> {
    let game = state
        .game
        .clone()
        .ok_or_else(|| error("a position that a player is asked about cannot be searched"))?;
    let at = state.at.clone();
    let work = move || {
        // With what was registered since the game was made.
        let spec = game.spec();
        let game = registry().game_with(spec.name, spec.options.clone()).map_err(error)?;
        let player = NamedPlayer::read(&*game, &[], &searcher).map_err(error)?.searcher;
        let seats = vec![Some(player.clone()); game.facts().players.into()];
        let mut table = game.table(&seats).map_err(error)?;
        table.begin_from(&at);
        if !matches!(table.turn(), Turn::Player(_)) {
            return Err(error("it is no player's turn"));
        }
        let stream = Stream::new(seed) / "analyze" / 0_u64;
        let spent = table.decide(MoveStream::new(stream.playout_key()), Limits::default()).map_err(error)?;
        let (_, view) = table.last_decision().expect("it has just decided");
        let rows = view.moves.iter().map(|of| {
            let value = view.value_of(&of.mv);
            (of.mv.clone(), of.visits, value, value.map(|_| of.standard_error))
        });
        let (rows, line) = (rows.collect(), table.last_line());
        Ok((
            view.chosen,
            rows,
            line,
            view.stop.to_string(),
            (spent.playouts, spent.nodes),
            player.to_string(),
        ))
    };
    let decided = interruptible(py, || abandon_searches(true), work);
    abandon_searches(false);
    let (decided, stopped) = decided?;
    stopped.map_or(decided, Err)
}
