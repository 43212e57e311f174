//! Games, searchers and policies that are written in Python.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use shikou::game::options::{OptionDecl, OptionError, Options, integer};
use shikou::game::{Entries, Facts, Game, GameObject, NamedGame, Player, Tally, Turn, Value, tuples};
use shikou::players::{ChooseMove, Foreign, MakeSearcher};
use shikou::search::{Limit, Meter};

use crate::plain::{Plain, text};
use crate::play::{Move, State};
use crate::thread::keep_state;
use crate::{Result, ask, error, kept, register};

type Position = Plain<510>;
type Play = Plain<30>;

/// What a game declares.
struct Declared {
    name: &'static str,
    facts: Facts,
    /// The rows and columns of its board.
    board: Option<(usize, usize)>,
    symmetries: Vec<Vec<usize>>,
    has_numbers: bool,
    has_notation: bool,
    has_drawing: bool,
}

/// A game in Python with its options.
#[derive(Clone)]
pub(crate) struct PyGame {
    rules: Arc<Py<PyAny>>,
    declared: Arc<Declared>,
}

fn attribute<'py, T>(of: &Bound<'py, PyAny>, name: &str, default: T) -> Result<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> PyErr: From<<T as FromPyObject<'a, 'py>>::Error>,
{
    match of.getattr_opt(name)?.filter(|value| !value.is_none()) {
        Some(value) => value
            .extract::<T>()
            .map_err(|failure| error(format!("`{name}` of a game: {}", PyErr::from(failure)))),
        None => Ok(default),
    }
}

impl PyGame {
    fn new(name: &'static str, class: &Bound<'_, PyAny>, given: &Bound<'_, PyDict>) -> Result<Self> {
        let rules = class.call((), Some(given))?;
        let (low, high) = attribute::<(i32, i32)>(&rules, "payoffs", (-1, 1))?;
        let facts = match attribute::<u8>(&rules, "players", 2)? {
            1 => Facts::solitaire(),
            _ => Facts::two_player(),
        };
        let facts = facts.with_payoffs(low, high);
        let facts = if rules.hasattr("outcomes")? { facts.with_chance() } else { facts };
        let plies = attribute::<Option<u32>>(&rules, "max_plies", None)?;
        let facts = plies.map_or(facts.clone(), |plies| facts.with_max_plies(plies));
        let board = attribute::<Option<(usize, usize)>>(&rules, "board", None)?;
        let same: Vec<usize> = board.map_or_else(Vec::new, |(rows, columns)| (0..rows * columns).collect());
        let declared = Declared {
            name,
            facts,
            board,
            symmetries: attribute::<Vec<Vec<usize>>>(&rules, "symmetries", vec![same])?,
            has_numbers: rules.hasattr("move_number")?,
            has_notation: rules.hasattr("notation")?,
            has_drawing: rules.hasattr("drawing")?,
        };
        Ok(Self { rules: Arc::new(rules.unbind()), declared: Arc::new(declared) })
    }

    /// The answer of a method of the rules.
    fn ask<T>(
        &self,
        method: &'static str,
        position: &Position,
        work: impl FnOnce(&Bound<'_, PyAny>, Bound<'_, PyAny>) -> Result<T>,
    ) -> T {
        keep_state();
        Python::attach(|py| {
            let answer = position.value(py).and_then(|at| work(self.rules.bind(py), at));
            answer.unwrap_or_else(|failure| {
                crate::fail(py, &format!("`{method}` of {}", self.declared.name), &failure)
            })
        })
    }
}

impl Game for PyGame {
    type Position = Position;
    type Move = Play;

    fn facts(&self) -> Facts {
        self.declared.facts.clone()
    }

    fn start(&self) -> Position {
        ask(self.declared.name, |py| {
            Plain::of(&self.rules.bind(py).call_method0(intern!(py, "start"))?, "position")
        })
    }

    fn turn(&self, position: &Position) -> Turn {
        self.ask("turn", position, |rules, at| {
            let turn = rules.call_method1(intern!(at.py(), "turn"), (at,))?;
            if turn.is_none() {
                return Ok(Turn::Over);
            }
            match turn.extract::<u8>() {
                Ok(player) if player < self.declared.facts.players => Ok(Turn::Player(Player::new(player))),
                Err(_) if turn.eq("chance")? => Ok(Turn::Chance),
                _ => Err(error(format!(
                    "{turn} is no turn; expected a player from 0, \"chance\", or None at the end"
                ))),
            }
        })
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Play> {
        let moves = self.ask("moves", position, |rules, at| {
            let all = rules.call_method1(intern!(at.py(), "moves"), (at,))?;
            all.try_iter()?.map(|mv| Plain::of(&mv?, "move")).collect::<Result<Vec<Play>>>()
        });
        moves.into_iter()
    }

    fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Play, u32)> {
        let outcomes = if self.declared.facts.chance {
            self.ask("outcomes", position, |rules, at| {
                let all = rules.call_method1(intern!(at.py(), "outcomes"), (at,))?;
                let one = |of: Result<Bound<'_, PyAny>>| {
                    let (mv, weight): (Bound<'_, PyAny>, u32) = of?.extract()?;
                    Ok((Plain::of(&mv, "move")?, weight))
                };
                all.try_iter()?.map(one).collect::<Result<Vec<_>>>()
            })
        } else {
            Vec::new()
        };
        outcomes.into_iter()
    }

    fn apply(&self, position: &mut Position, mv: Play) {
        *position = self.ask("play", position, |rules, at| {
            let py = at.py();
            Plain::of(&rules.call_method1(intern!(py, "play"), (at, mv.value(py)?))?, "position")
        });
    }

    fn payoff(&self, position: &Position, player: Player) -> i32 {
        self.ask("payoff", position, |rules, at| {
            rules.call_method1(intern!(at.py(), "payoff"), (at, player.index()))?.extract()
        })
    }

    fn notation(&self, position: &Position, mv: Play) -> String {
        self.ask("notation", position, |rules, at| {
            let py = at.py();
            if self.declared.has_notation {
                return rules.call_method1(intern!(py, "notation"), (at, mv.value(py)?))?.extract();
            }
            let written = text(&mv.value(py)?)?;
            // Spaces and commas part the moves of a transcript.
            Ok(written.replace(", ", "-").replace([' ', ','], "-").replace(['(', ')', '\''], ""))
        })
    }

    fn drawing(&self, position: &Position) -> String {
        self.ask("drawing", position, |rules, at| {
            if self.declared.has_drawing {
                return rules.call_method1(intern!(at.py(), "drawing"), (at,))?.extract();
            }
            Ok(at.repr()?.to_string())
        })
    }

    fn key(&self, position: &Position) -> Option<u128> {
        Some(position.hash())
    }

    fn move_number(&self, mv: Play) -> Option<u16> {
        self.declared.has_numbers.then(|| {
            ask(self.declared.name, |py| {
                self.rules.bind(py).call_method1(intern!(py, "move_number"), (mv.value(py)?,))?.extract()
            })
        })
    }
}

impl NamedGame for PyGame {
    const NAME: &'static str = "python";
    const ABOUT: &'static str = "a game in Python";

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Err(OptionError::Other("a game in Python is known by its own name".into()))
    }

    fn entries(&self) -> Entries<Self> {
        let board = self.declared.board.map(|_| Arc::new(Squares) as Arc<dyn tuples::Board<Self>>);
        Entries { board, ..Entries::default() }
    }
}

/// The squares of a game that declares a board.
struct Squares;

impl tuples::Board<PyGame> for Squares {
    fn size(&self, game: &PyGame) -> (usize, usize) {
        game.declared.board.unwrap_or_default()
    }

    fn owners(&self, game: &PyGame, position: &Position, player: Player, owners: &mut [u8]) {
        let found: Vec<u8> = game.ask("squares", position, |rules, at| {
            rules.call_method1(intern!(at.py(), "squares"), (at, player.index()))?.extract()
        });
        assert_eq!(found.len(), owners.len(), "`squares` gives a number for each square");
        owners.copy_from_slice(&found);
    }

    fn symmetries(&self, game: &PyGame) -> Vec<Vec<usize>> {
        game.declared.symmetries.clone()
    }
}

/// The options that a dictionary declares: each with its default, the least and the largest value, and its meaning.
fn declared(options: Option<&Bound<'_, PyDict>>) -> Result<Vec<OptionDecl>> {
    let mut found = Vec::new();
    for (key, value) in options.into_iter().flatten() {
        let (default, least, most, meaning): (i64, i64, i64, String) = value.cast::<PyTuple>()?.extract()?;
        let key = kept(&key.extract::<String>()?.replace('_', "-"));
        found.push(integer::<i64>(least..=most, default).decl(key, kept(&meaning)));
    }
    Ok(found)
}

/// The values of declared options, as the keywords of a call.
fn keywords<'py>(py: Python<'py>, declared: &[OptionDecl], options: &Options) -> Result<Bound<'py, PyDict>> {
    let keywords = PyDict::new(py);
    for decl in declared {
        keywords.set_item(decl.name.replace('-', "_"), options.integer(decl.name))?;
    }
    Ok(keywords)
}

/// Registers a class as a game.
#[pyfunction]
pub(crate) fn add_game(name: &str, about: &str, class: &Bound<'_, PyType>) -> Result<()> {
    let (name, about) = (kept(name), kept(about));
    let options =
        declared(attribute::<Option<Bound<'_, PyDict>>>(class.as_any(), "options", None)?.as_ref())?;
    let class = class.clone().unbind();
    let class = Arc::new(class);
    register(move |registry| {
        let (class, declared) = (Arc::clone(&class), options.clone());
        registry.add_made((name, about), options.clone(), move |options| {
            Python::attach(|py| {
                let given = keywords(py, &declared, options);
                let made = given.and_then(|given| PyGame::new(name, class.bind(py).as_any(), &given));
                made.map_err(|failure| OptionError::Other(format!("{name}: {failure}")))
            })
        });
    });
    Ok(())
}

fn state(object: &Arc<dyn GameObject>, at: &Value) -> State {
    State { object: Arc::clone(object), game: None, at: at.clone() }
}

/// Registers a searcher: what makes, for each game, a function of a position and a random number that returns a move. One that counts
/// playouts or nodes is also given the number that is left, and returns how many it spent beside the move.
#[pyfunction]
pub(crate) fn add_searcher(
    name: &str,
    about: &str,
    make: Py<PyAny>,
    options: Option<&Bound<'_, PyDict>>,
    counts: Option<&str>,
    repeats: bool,
) -> Result<()> {
    let (name, own) = (kept(name), declared(options)?);
    let keeps: &[Limit] = match counts {
        None => &[],
        Some("playouts") => &[Limit::Playouts],
        Some("nodes") => &[Limit::Nodes],
        Some(other) => {
            return Err(error(format!("a searcher counts \"playouts\" or \"nodes\", not {other:?}")));
        }
    };
    let decl = Foreign::searcher_named((name, kept(about)), own.clone(), keeps, repeats);
    let machine = move |options: &Options| {
        let choose = ask(name, |py| make.call(py, (), Some(&keywords(py, &own, options)?)));
        let choose = move |object: &Arc<dyn GameObject>, at: &Value, seed: u64, meter: &mut Meter| {
            ask(name, |py| {
                let state = state(object, at);
                let asked = Py::new(py, self::state(object, at))?;
                let left = if keeps == [Limit::Nodes] { meter.nodes_left() } else { meter.playouts_left() };
                let (chosen, spent): (Move, u64) = if keeps.is_empty() {
                    (choose.call1(py, (asked, seed))?.extract(py).map_err(|_| error(ANSWER))?, 0)
                } else {
                    choose.call1(py, (asked, seed, left))?.extract(py).map_err(|_| error(COUNTED))?
                };
                if spent > left {
                    return Err(error(format!("it spent {spent}, and the budget was {left}")));
                }
                match keeps {
                    [] => {}
                    [Limit::Nodes] => meter.count_nodes(spent),
                    _ => meter.count_playouts(&Tally { playouts: spent, ..Tally::default() }),
                }
                let chosen = state.find(&chosen)?;
                let place = object.moves(at).iter().position(|mv| *mv == chosen);
                place.ok_or_else(|| error("it is no legal move"))
            })
        };
        Box::new(choose) as Box<ChooseMove>
    };
    let machine: Arc<MakeSearcher> = Arc::new(machine);
    register(move |registry| registry.add_foreign(Foreign::Searcher(decl, Arc::clone(&machine))));
    Ok(())
}

const ANSWER: &str = "a searcher returns a move as text, or its place among the legal ones";
const COUNTED: &str = "a searcher that counts returns a pair: a move, as text or as its place among the legal ones, and what it spent";

/// The largest weight of a move, if weights are not whole numbers that fit.
const MOST: f64 = (1 << 20) as f64;

/// Registers a playout policy: a function of a position that returns a weight for each legal move.
#[pyfunction]
pub(crate) fn add_policy(name: &str, weigh: Py<PyAny>) {
    let name = kept(name);
    let weigh = move |object: &Arc<dyn GameObject>, at: &Value| {
        ask(name, |py| {
            let weights: Vec<f64> = weigh.call1(py, (Py::new(py, state(object, at))?,))?.extract(py)?;
            let (moves, most) = (object.move_count(at) as usize, weights.iter().copied().fold(0.0, f64::max));
            let are_sound = weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
            if weights.len() != moves || !are_sound || most <= 0.0 {
                let reason = "a policy returns a number from 0 for each legal move, not all 0";
                return Err(error(format!("{reason}; there are {moves} moves, and it returned {weights:?}")));
            }
            let is_whole = weights.iter().all(|weight| weight.fract() == 0.0) && most <= MOST;
            let scale = if is_whole { 1.0 } else { MOST / most };
            Ok(weights.iter().map(|weight| (weight * scale).round() as u32).collect())
        })
    };
    let weigh: Arc<shikou::players::WeighMoves> = Arc::new(weigh);
    register(move |registry| registry.add_foreign(Foreign::Policy(name, Arc::clone(&weigh))));
}
