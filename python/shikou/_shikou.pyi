"""What the package asks of the library in Rust."""

from collections.abc import Callable
from typing import Any, Literal, final

import numpy as np

__all__ = [
    "Answer", "Error", "Game", "State", "Table", "TrialsFailed", "add_evaluation", "add_game", "add_policy",
    "add_searcher", "call", "search",
]

class Error(Exception):
    """What the command line says of a mistake, with its place and advice."""

class TrialsFailed(Error):
    """Trials failed; the rows of the others are kept."""

@final
class Answer:
    """What a command says."""
    @property
    def code(self) -> int:
        """The exit code: 0, or 1 if the command's own check failed."""
    @property
    def text(self) -> str:
        """The output, without colours."""
    @property
    def html(self) -> str | None:
        """The report as a page or a part of one, if it was wanted."""
    @property
    def json(self) -> str | None:
        """The report as JSON."""
    def table(self) -> Table:
        """The text, which is CSV, as a table."""

def call(words: list[str], html: bool, tell: Callable[[str], None]) -> Answer:
    """Run a command without the lock of Python; `tell` takes its progress and its warnings."""

@final
class Table:
    """A table: an Arrow stream (`__arrow_c_stream__`), which pandas, polars, duckdb and pyarrow take without a copy."""
    def __new__(cls, csv: str) -> Table: ...
    def __len__(self) -> int:
        """The number of rows."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def __getitem__(self, name: str, /) -> list[Any]:
        """The cells of a column, `None` where there is none."""
    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists."""
    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table by Arrow's C stream interface."""

@final
class Game:
    """A game with its options, as `shikou.game` makes it."""
    def __new__(cls, name: str, options: list[str]) -> Game: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def options(self) -> list[str]:
        """The options that differ from the defaults, each as `name=value`."""
    @property
    def facts(self) -> tuple[int, bool, int, int]:
        """The number of players, whether there is chance, and the least and the largest payoff."""
    def start(self) -> State:
        """The position in which a game begins."""
    def position(self, text: str) -> State:
        """The position of a text: the game's notation, or the moves from the start."""

@final
class State:
    """A position. It never changes: `play` returns another."""
    @property
    def turn(self) -> int | Literal["chance"] | None:
        """The player to move, from 0; `"chance"`; `None` if the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def text(self) -> str | None:
        """The position as a line that `Game.position` reads, if the game has such a text."""
    def __len__(self) -> int:
        """The number of legal moves."""
    def __eq__(self, other: object, /) -> bool: ...
    def moves(self) -> list[str]:
        """The legal moves in notation; none at a chance turn or at the end."""
    def numbers(self) -> list[int]:
        """The numbers of the legal moves, by which priors are read; their places in a game that numbers none."""
    def outcomes(self) -> list[tuple[str, int]]:
        """The outcomes of a chance turn with their weights."""
    def play(self, mv: str | int) -> State:
        """The position after a move or an outcome: its notation, or its place among the legal ones."""
    def payoff(self, player: int) -> int:
        """The payoff of a player at the end: what searchers maximise."""
    def score(self, player: int) -> int:
        """The score of a player at the end, in the game's unit."""
    def outcome(self, player: int) -> Literal["win", "draw", "loss"]:
        """The outcome for a player at the end."""
    def playouts(self, count: int, player: int = 0, seed: int = 1) -> tuple[float, float]:
        """The mean payoff of a player, and the mean plies, of random playouts from here."""
    def planes(self, player: int = 0) -> np.ndarray:
        """The squares of a player and those of the opponent, of a game with a board: (2, rows, columns), float32."""
    def _repr_svg_(self) -> str | None: ...

def search(
    state: State, searcher: str, seed: int
) -> tuple[
    str, list[tuple[str, int, float | None, float | None]], list[str], str, tuple[int, int], str
]:
    """The decision of a searcher: see `shikou.Search`."""

def add_game(name: str, about: str, class_: type) -> None:
    """Register a class as a game."""

def add_searcher(
    name: str,
    about: str,
    make: Callable[..., Any],
    options: dict[str, tuple[int, int, int, str]] | None,
    counts: str | None,
    repeats: bool,
) -> None:
    """Register what makes, for each game, a function of a state and a random number that returns a move."""

def add_policy(name: str, weigh: Callable[..., Any]) -> None:
    """Register a function of a state that returns a weight for each legal move."""

def add_evaluation(
    name: str, has_prior: bool, wants_squares: bool, function: Callable[..., Any]
) -> None:
    """Register a function of many positions as an evaluation."""
