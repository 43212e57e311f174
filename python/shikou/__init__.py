"""Shikou from Python: games, searchers, and experiments one can trust.

docs/python.md has a tour. Whatever is computed here is computed by the library in Rust: a run has the digest of
`shikou run`, and a decision is that of `shikou analyze`.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import html as _html
import io
import json
import os
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union

from . import _shikou
from ._shikou import Error, Game, State, Table, TrialsFailed

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "Decision", "Error", "Figure", "Game", "Report", "Results", "Search", "State", "Table", "TrialsFailed", "analyze", "check",
    "command", "exact", "game", "match", "profile", "register_evaluation", "register_game", "register_policy",
    "register_searcher", "results", "run", "samples", "search", "solve", "stats",
]

GameLike = Union[str, Game, type]
"""A game: its name, what `game` returns, or a class that `register_game` takes."""

_Class = TypeVar("_Class", bound=type)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class Report:
    """What a command says: as text its `repr`, as a part of a page in a notebook, and everything as `data`."""

    def __init__(self, answer: _shikou.Answer) -> None:
        self._answer = answer

    @property
    def text(self) -> str:
        """The text that the command line prints."""
        return self._answer.text

    @property
    def ok(self) -> bool:
        """Whether the command's own check passed: False is exit code 1 of the command line."""
        return self._answer.code == 0

    @property
    def data(self) -> dict[str, Any]:
        """The JSON of the command, for programs."""
        return json.loads(self._answer.json) if self._answer.json else {}

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        page = self._answer.html
        if page is None:
            return f"<pre>{_html.escape(self.text)}</pre>"
        if page.lstrip().lower().startswith("<!doctype"):
            # A whole page has a style and a policy of its own.
            return f'<iframe style="width:100%;height:40em;border:0" srcdoc="{_html.escape(page)}"></iframe>'
        return page


def _words(options: Mapping[str, object]) -> list[str]:
    words = []
    for key, value in options.items():
        name = "--" + key.strip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(name)
            elif one is not None and one is not False:
                words.append(f"{name}={os.fspath(one) if isinstance(one, os.PathLike) else one}")
    return words


def _call(words: Sequence[str], options: Mapping[str, object]) -> _shikou.Answer:
    return _shikou.call([*words, *_words(options)], _in_notebook(), _tell)


def command(*words: object, **options: object) -> Report:
    """Run any command of the command line.

    An option is a keyword: `threads=2` is `--threads=2`, `True` a flag, and a list repeats the option.

    >>> command("perft", "tic-tac-toe", 2).text
    '72'
    """
    return Report(_call([str(word) for word in words], options))


def game(name: GameLike, **options: object) -> Game:
    """A game with its options: `game("othello", size=6)`. `command("games")` lists all, with their options."""
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        return game(getattr(register_game(name), "name"), **options)
    return Game(name, [f"{key.replace('_', '-')}={_plain(value)}" for key, value in options.items()])


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _game(of: GameLike) -> list[str]:
    found = game(of)
    return [found.name, *(f"--option={option}" for option in found.options)]


def match(of: GameLike, first: str, second: str | None = None, **options: object) -> Report:
    """Play a match between two players, or players of a solitaire on the same deals: `match("othello", "uct@100", "random")`.

    Options are those of `shikou match`: `games`, `openings`, `sprt`, `seed`, `threads`, `save` and others.
    """
    return Report(_call(["match", *_game(of), first, *([second] if second else [])], options))


def analyze(of: GameLike, search: str, position: str = "", **options: object) -> Report:
    """Show a searcher's estimates for a position, and how its choice changes with its budget."""
    return Report(_call(["analyze", *_game(of), f"--search={search}", *([position] if position else [])], options))


def solve(of: GameLike, position: str = "", **options: object) -> Report:
    """Find the exact value of a position, the best moves, and a principal variation."""
    found = [of] if isinstance(of, str) else _game(of)
    return Report(_call(["solve", *found, *([position] if position else [])], options))


def exact(of: GameLike, *players: str, **options: object) -> Report:
    """Compare players exactly by enumerating a small game: win, draw and loss as fractions."""
    return Report(_call(["exact", *_game(of), *players], options))


def profile(of: GameLike, **options: object) -> Report:
    """Measure the speed of playouts and searchers on this machine."""
    return Report(_call(["profile", *_game(of)], options))


def check(of: GameLike, **options: object) -> Report:
    """Check that a game keeps the laws that searchers rely on; `ok` says whether it does."""
    return Report(_call(["check", *_game(of)], options))


class _Stats:
    """The statistics of `shikou stats`: `stats.pairs(75, 64, 63, 54, 34)`, `stats.sprt(…, elo0=0, elo1=2)`."""

    def __getattr__(self, name: str) -> Callable[..., Report]:
        if name.startswith("_"):
            raise AttributeError(name)

        def ask(*counts: object, **options: object) -> Report:
            words = [str(count) for count in counts]
            return Report(_call(["stats", name.replace("_", "-"), *_words(options), *words], {}))

        return ask


stats = _Stats()


@dataclass(frozen=True)
class Figure:
    """A figure, which a notebook shows."""

    svg: str
    """The figure as SVG, to be written to a file."""

    def __repr__(self) -> str:
        return f"Figure of {len(self.svg):,} characters"

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Results:
    """The results in a folder. Tables are Arrow streams: `pandas.DataFrame.from_arrow`, `polars.DataFrame`, `pyarrow.table` and
    `duckdb` take them as they are."""

    folder: Path
    """The folder."""
    _shown: Report | None = field(default=None, repr=False)

    def report(self, **options: object) -> Report:
        """The report, from the log; `full=True` for the whole of it."""
        return Report(_call(["report", str(self.folder)], options))

    def _text(self, form: str) -> str:
        return _call(["report", str(self.folder)], {"format": form, "raw_csv": True}).text

    @property
    def digest(self) -> str:
        """The digest of the canonical log: equal digests are equal results."""
        return str(json.loads(self._text("json"))["digest"])

    @property
    def players(self) -> Table:
        """A row for each player: its result with an interval, its work, and a column for each swept option."""
        return Table(self._text("figure"))

    @property
    def figures(self) -> Table:
        """A row for each figure of the report, with its interval and the interval's method."""
        return Table(self._text("csv"))

    @property
    def comparisons(self) -> Table:
        """A row for each comparison of two players: every figure in a column, its interval in two more."""
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for row in csv.DictReader(io.StringIO(self._text("csv"))):
            if row["table"] in ("differences", "meetings"):
                about = {name: row[name] for name in ("experiment", "player", "against")}
                of = rows.setdefault(tuple(about.values()), about)
                for end, name in (("", "value"), (" low", "low"), (" high", "high")):
                    if row[name]:
                        of[row["figure"] + end] = row[name]
        columns = list(dict.fromkeys(name for of in rows.values() for name in of))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns or ["experiment", "player", "against"])
        writer.writeheader()
        writer.writerows(rows.values())
        return Table(text.getvalue())

    def trials(self) -> Table:
        """A row for each game, with a column for each swept option."""
        return _call(["report", str(self.folder)], {"format": "trials"}).table()

    def figure(self) -> Figure:
        """The figures of the report: success against work, learning, optimisation."""
        return Figure(self._text("svg"))

    def __repr__(self) -> str:
        return repr(self._shown or self.report())

    def _repr_html_(self) -> str:
        return (self._shown or self.report())._repr_html_()


def results(folder: str | os.PathLike[str]) -> Results:
    """The results that a run wrote into a folder."""
    found = Results(Path(folder))
    found.report(quiet=True)
    return found


def run(
    manifest: str | os.PathLike[str] | Mapping[str, object],
    out: str | os.PathLike[str] | None = None,
    **options: object,
) -> Results:
    """Run the experiments of a manifest, a file or a `dict`, and return the results.

    They go to `out`, by default results/<name of the file>, and results/python for a `dict`. The same call resumes a run.
    Options are those of `shikou run`: `threads`, `restart`, `time_limit`, `smoke` and others.
    """
    default = "python" if isinstance(manifest, Mapping) else Path(manifest).stem
    out = Path(out) if out is not None else Path("results") / default
    with _written(manifest, out.resolve().name) as path:
        folder = {} if options.get("smoke") else {"out": out}
        shown = Report(_call(["run", str(path)], {**folder, **options}))
    return Results(out, shown)


@contextlib.contextmanager
def _written(manifest: str | os.PathLike[str] | Mapping[str, object], name: str) -> Iterator[Path]:
    """The file of a manifest. A `dict` is written to the current folder, from which its paths start, as `.<name>.<letters>`."""
    if not isinstance(manifest, Mapping):
        yield Path(manifest)
        return
    handle, path = tempfile.mkstemp(prefix=f".{name}.", dir=".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_toml(manifest))
        yield Path(path)
    finally:
        os.unlink(path)


def _toml(manifest: Mapping[str, object]) -> str:
    """A manifest as TOML: a table for each experiment and the like, with a key in each line."""

    def value(of: object) -> str:
        if isinstance(of, Mapping):
            return "{ " + ", ".join(f"{key(name)} = {value(part)}" for name, part in of.items()) + " }"
        if isinstance(of, (list, tuple)) and any(isinstance(part, Mapping) for part in of):
            return "[\n" + "".join(f"  {value(part)},\n" for part in of) + "]"
        if isinstance(of, (list, tuple)):
            return "[" + ", ".join(map(value, of)) + "]"
        if isinstance(of, (str, os.PathLike)):
            return json.dumps(os.fspath(of), ensure_ascii=False)
        return str(of).lower()

    def key(name: str) -> str:
        return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else json.dumps(name)

    plain, tables = [], []
    for name, of in manifest.items():
        if isinstance(of, (list, tuple)) and of and all(isinstance(part, Mapping) for part in of):
            for part in of:
                tables += ["", f"[[{key(name)}]]", *(f"{key(k)} = {value(v)}" for k, v in part.items())]
        else:
            plain.append(f"{key(name)} = {value(of)}")
    return "\n".join(["schema = 1"] * ("schema" not in manifest) + plain + tables) + "\n"


@dataclass(frozen=True)
class Decision:
    """A searcher's decision at a position."""

    move: str
    """The chosen move."""
    moves: list[tuple[str, int, float | None, float | None]]
    """Of each legal move its visits, its value and the standard error of that; empty if nothing was searched."""
    line: list[str]
    """The expected line, the chosen move first."""
    stop: str
    """Why the search ended."""
    playouts: int
    """The playouts of the search."""
    nodes: int
    """The nodes of the search."""
    searcher: str
    """The searcher as it is written."""

    def _rows(self) -> list[list[str]]:
        def number(of: float | None) -> str:
            return "–" if of is None else f"{of:.3f}"

        best_first = sorted(self.moves, key=lambda row: (-row[1], -(row[2] or 0.0)))
        return [[mv, f"{visits:,}", number(value), number(error)] for mv, visits, value, error in best_first]

    def __repr__(self) -> str:
        table = [["move", "visits", "value", "± std. error"], *self._rows()]
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in table]
        facts = f"{self.playouts:,} playouts, {self.nodes:,} nodes; {self.stop}"
        return "\n".join([f"{self.searcher} plays {self.move}", *lines, f"line: {' '.join(self.line)}", facts])

    def _repr_html_(self) -> str:
        cells = "".join("<tr>" + "".join(f"<td>{_html.escape(c)}</td>" for c in row) + "</tr>" for row in self._rows())
        head = "<tr><th>move</th><th>visits</th><th>value</th><th>± std. error</th></tr>"
        line = _html.escape(" ".join(self.line))
        return f"<p>{_html.escape(self.searcher)} plays <b>{_html.escape(self.move)}</b>; line: {line}</p><table>{head}{cells}</table>"


@dataclass(frozen=True)
class Search:
    """A searcher with a seed. Called with a state, it decides."""

    searcher: str
    """The searcher with its options and its budget, as in a manifest."""
    seed: int = 1
    """The seed of its randomness."""

    def __call__(self, state: State) -> Decision:
        """Decide. The same state and seed give the same decision, that of `shikou analyze`."""
        mv, moves, line, stop, (playouts, nodes), searcher = _shikou.search(state, self.searcher, self.seed)
        return Decision(mv, moves, line, stop, playouts, nodes, searcher)


def search(searcher: str, seed: int = 1) -> Search:
    """A searcher, such as `search("uct(exploration=0.5)@1000")`. `command("searchers")` lists them."""
    return Search(searcher, seed)


def _planes(squares: bytes, rows: int, columns: int) -> np.ndarray:
    """The planes of boards: the player's squares, and the opponent's."""
    import numpy

    board = numpy.frombuffer(squares, numpy.uint8).reshape(-1, rows, columns)
    return numpy.stack([board == 2, board == 0], axis=1).astype(numpy.float32)


def samples(of: GameLike, *players: str, **options: object) -> dict[str, np.ndarray]:
    """Positions of games between players, or of one that plays itself, for training.

    `planes` has the squares of the player to move and those of the opponent, `value` the payoff of the game for the player to
    move, `game` the number of the game, `ply` that of the move before. Split samples by game: neighbours are almost the same.
    The player to move is the one who did not make the last move, so games with passes have a few wrong views.
    Options are those of `shikou samples`: `games`, `random_plies`, `seed`, `threads`.
    """
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.safetensors"
        _call(["samples", *_game(of)], {"player": list(players), "input": "bits", "out": path, **options})
        content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    kinds = {"F32": numpy.float32, "I64": numpy.int64, "I32": numpy.int32}
    found = {}
    for name, of_name in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__":
            begin, end = of_name["data_offsets"]
            data = numpy.frombuffer(content[8 + length + begin : 8 + length + end], kinds[of_name["dtype"]])
            found[name] = data.reshape(of_name["shape"])
    _, rows, columns = game(of).start().planes().shape
    # The player who moved sees the position of the file.
    planes = found["input"].reshape(-1, rows, columns, 2)[..., ::-1].transpose(0, 3, 1, 2)
    return {"planes": planes, "value": -found["outcome"], "game": found["game"], "ply": found["ply"]}


def register_game(class_: _Class) -> _Class:
    """Register a class as a game under its attribute `name`, for this process; also as a decorator.

    A game has `start()`, `turn(at)`, `moves(at)`, `play(at, move)` and `payoff(at, player)`. A position and a move are numbers,
    texts, bytes, or tuples of these, a position of at most 510 bytes: `play` returns a new one. `turn` is the player to move, from
    0, `"chance"`, or `None` at the end. Attributes, all optional: `players` (2), `payoffs` ((-1, 1)), `max_plies`, `about`,
    `options` (`{"heap": (21, 1, 1000, "stones at the start")}`: default, least, most, meaning, given to `__init__`). Methods, all
    optional: `outcomes(at)` of a game of chance, each with a weight; `notation(at, move)`; `drawing(at)`; `move_number(move)`;
    and of a game with `board = (rows, columns)`: `squares(at, player)`, row by row 0 of the opponent, 1 of nobody, 2 of the player.
    """
    about = getattr(class_, "about", None) or (class_.__doc__ or "a game in Python").strip().splitlines()[0]
    name = getattr(class_, "name", None)
    if not isinstance(name, str):
        raise Error(f"{class_.__name__} has no name; write name = \"{class_.__name__.lower()}\" in the class")
    _shikou.add_game(name, about, class_)
    return class_


def register_searcher(
    name: str,
    choose: Callable[..., Any],
    about: str = "a searcher in Python",
    repeats: bool = False,
    options: dict[str, tuple[int, int, int, str]] | None = None,
    counts: Literal["playouts", "nodes"] | None = None,
) -> None:
    """Register a searcher for every game, for this process.

    `choose(state, seed)` returns a move, as text or as its place among the legal ones. A class is made anew for each game, and
    its instances are called. `repeats=True` states that it decides the same in every run; else its rows are marked.
    `options` are those of `register_game`, keywords of the class or of the function. With `counts` it needs a budget,
    `mine(depth=2)@100`: it is called with the state, the seed and the number that it may spend, and returns a move and the number that it spent.
    """
    make = choose if isinstance(choose, type) else functools.partial(functools.partial, choose)
    _shikou.add_searcher(name, about, make, options, counts, repeats)


def register_policy(name: str, weights: Callable[[State], Sequence[float]]) -> None:
    """Register a playout policy for every game: a function of a state that returns a weight for each legal move."""
    _shikou.add_policy(name, weights)


def register_evaluation(
    name: str,
    function: Callable[[Any], Any],
    version: int | str = 1,
    priors: bool = False,
    planes: bool = True,
) -> str:
    """Register a function of a batch of positions as an evaluation, such as a network, and return its name: `<name>-v<version>`.

    The function takes an array (positions, 2, rows, columns) of float32, the squares of the player to move and of the opponent,
    and returns for each the expected payoff of the player to move. With `priors` it returns a pair: these, and an array
    (positions, moves) of weights by the number of a move, as in `State.numbers`. With
    `planes=False`, or of a game without a board, it takes a list of states. Several threads may call it at once. Players that use it
    are marked as not repeatable.
    """

    def values(squares: Any, rows: int, columns: int) -> tuple[bytes, tuple[bytes, int] | None]:
        import numpy

        found = function(_planes(squares, rows, columns) if rows else squares)
        found, prior = found if priors else (found, None)
        written = numpy.asarray(found, numpy.float64).reshape(-1).tobytes()
        if prior is None:
            return written, None
        prior = numpy.ascontiguousarray(prior, numpy.float32)
        return written, (prior.tobytes(), prior.shape[1])

    full = f"{name}-v{version}"
    _shikou.add_evaluation(full, priors, planes, values)
    return full
