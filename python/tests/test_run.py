"""Runs and their results."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import shikou
from conftest import MANIFEST, SWEEP


def test_a_dict_and_its_file_have_one_digest(here):
    one = shikou.run(MANIFEST, out="one", threads=1)
    (here / "small.toml").write_text((here / "one" / "manifest.toml").read_text())
    two = shikou.run("small.toml", threads=2)
    assert two.folder.name == "small" and re.fullmatch("[0-9a-f]{64}", one.digest)
    assert one.digest == two.digest == shikou.results("results/small").digest
    assert sorted(path.name for path in here.iterdir()) == ["one", "results", "small.toml"]
    assert 'manifest = "one"' in (here / "one" / "host.toml").read_text()


def test_a_run_prints_what_the_command_prints(here):
    found = shikou.run(MANIFEST, out="one")
    assert repr(found).splitlines()[-1].startswith("digest ")
    assert found.report(full=True).text.startswith("small")
    assert found.report()["digest"] == found.digest
    assert found._repr_html_()


def test_a_player_a_comparison_and_a_game_are_rows(here):
    found = shikou.run(MANIFEST, out="one")
    assert found.players["player"] == ["flat", "random"]
    assert len(found.trials()) == 12 and set(found.trials()["first"]) == {"flat", "random"}
    (pair,) = found.comparisons["player"], 
    assert pair == ["flat"] and found.comparisons["against"] == ["random"]
    assert set(found.figures["table"]) >= {"players", "meetings"}


def test_every_swept_option_is_a_column(here):
    found = shikou.run(SWEEP, out="sweep")
    trials = found.trials()
    values = sorted(set(trials["first_exploration"]) | set(trials["second_exploration"]), key=str)
    assert values == [0.5, 1.0, None]
    assert sorted(found.players["exploration"], key=str) == [0.5, 1.0, None]


def test_frames_take_tables_without_a_copy(here):
    trials = shikou.run(SWEEP, out="sweep").trials()
    shapes = []
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(trials)
    table.validate(full=True)
    shapes.append((table.num_rows, table.column("first").to_pylist()))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame.from_arrow(trials)
    shapes.append((len(frame), list(frame["first"])))
    polars = pytest.importorskip("polars")
    shapes.append((len(polars.DataFrame(trials)), polars.DataFrame(trials)["first"].to_list()))
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql("select first from trials").fetchall()
    shapes.append((len(rows), [row[0] for row in rows]))
    assert shapes == [(len(trials), trials["first"])] * 4


def test_a_table_keeps_empty_cells_and_guesses_types():
    table = shikou.Table("a,b,c\n1,0.5,x\n,,\n3,2,é\n")
    assert table.to_dict() == {"a": [1, None, 3], "b": [0.5, None, 2.0], "c": ["x", None, "é"]}
    with pytest.raises(shikou.Error, match='no column "d"'):
        table["d"]


def test_a_mistake_has_its_place_and_advice(here):
    wrong = {**MANIFEST, "experiment": [{**MANIFEST["experiment"][0], "game": "othelo"}]}
    with pytest.raises(shikou.Error) as caught:
        shikou.run(wrong, out="one")
    message = str(caught.value)
    assert "did you mean `othello`" in message and 'game = "othelo"' in message and "^" in message
    with pytest.raises(shikou.Error, match="--thread"):
        shikou.run(MANIFEST, out="one", thread=1)


PROGRAM = Path(os.environ.get("SHIKOU_PROGRAM") or Path(__file__).parents[2] / "target/release/shikou").resolve()


@pytest.mark.skipif(not PROGRAM.exists(), reason="neither SHIKOU_PROGRAM nor target/release/shikou is there")
@pytest.mark.parametrize("manifest", [MANIFEST, SWEEP], ids=["small", "sweep"])
def test_the_command_and_the_package_have_one_digest(here, manifest):
    found = shikou.run(manifest, out="package")
    (here / "m.toml").write_text((here / "package" / "manifest.toml").read_text())
    said = subprocess.run([PROGRAM, "run", "m.toml", "--out", "command"], capture_output=True, text=True, check=True)
    assert f"digest {found.digest} " in said.stdout
    assert (here / "command" / "canonical.csv").read_bytes() == (here / "package" / "canonical.csv").read_bytes()


LONG = """
import shikou
try:
    shikou.run({"seed": 1, "experiment": [{"name": "long", "game": "othello", "trials": 100000, "player": [
        {"name": "flat", "search": "flat(playouts-per-move=100)"}, {"name": "random", "search": "random"}]}]}, out="long")
except KeyboardInterrupt as stopped:
    print("stopped:", stopped)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_terminal_shows_progress_and_ctrl_c_keeps_the_trials(here):
    import pty
    import termios

    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (24, 100))
    run = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=inside, text=True)
    os.close(inside)
    shown = []

    def read():
        # At the end Linux has an error, other systems have nothing.
        with contextlib.suppress(OSError):
            while part := os.read(terminal, 4096):
                shown.append(part.decode(errors="replace"))

    reader = threading.Thread(target=read)
    reader.start()
    log = here / "long" / "trials.csv"
    deadline = time.monotonic() + 60
    while not (log.exists() and log.stat().st_size > 3000 and "anytime-valid" in "".join(shown)) and time.monotonic() < deadline:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)
    reader.join()
    os.close(terminal)
    assert out.startswith("stopped: stopped; the finished trials are in the log"), out
    assert len(log.read_text().splitlines()) > 3
    # A bar with the standings.
    assert re.search(r"[1-9][\d,]* of [12]00,000 trials", "".join(shown)) and "flat" in "".join(shown)


THREADS = """
import threading
import nim
import shikou

shikou.register_searcher("first", lambda state, seed: 0, repeats=True)
shikou.register_policy("low", lambda state: list(range(len(state), 0, -1)))
shikou.register_evaluation("even", lambda states: [0.0 for _ in states])

def play():
    for player in ('uct(policy="low")@20', 'uct(playouts=cut(evaluation="even-v1"))@20', "uct(parallel=root(trees=4))@40"):
        shikou.match("nim", player, "first", games=16, threads=8)

others = [threading.Thread(target=play) for _ in range(2)]
for other in others:
    other.start()
play()
for other in others:
    other.join()
print("done")
"""


def test_threads_that_play_in_python_do_not_wait_for_each_other(here):
    run = subprocess.run(
        [sys.executable, "-c", THREADS],
        env={**os.environ, "PYTHONPATH": os.path.dirname(__file__)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    assert run.stdout == "done\n"


def test_the_lock_is_released_meanwhile():
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    state, games, ticked = shikou.game("othello").start(), 100_000, 0
    # The other thread runs during one call, which is made longer until it has had the time. With the lock held it never does.
    while ticked < 5 and games < 100_000_000:
        before = len(ticks)
        state.playouts(games)
        ticked, games = len(ticks) - before, 2 * games
    done.set()
    thread.join()
    assert ticked >= 5


def test_many_matches_do_not_grow_the_process():
    import resource

    def play(times):
        for seed in range(times):
            shikou.match("tic-tac-toe", "ai2", "random", games=2, seed=seed, threads=1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(60)
    # Ten kibibytes a match would be seen.
    assert play(200) - before < 2048
