"""The notebook of the documentation, executed."""

import re
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "python.ipynb"


def test_the_notebook_runs_and_shows_its_figures(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [set(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", ())]
    assert sum("image/svg+xml" in kinds for kinds in shown) == 2
    assert sum("text/html" in kinds for kinds in shown) == 3
    assert not any(cell.get("outputs") for cell in nbformat.read(NOTEBOOK, as_version=4).cells)


def test_the_examples_of_the_page_run(here):
    pytest.importorskip("pandas")
    page = (NOTEBOOK.parent / "python.md").read_text(encoding="utf-8")
    parts = page.split("\n## ")
    blocks = {part.splitlines()[0]: part.split("```python\n")[1].split("```")[0] for part in parts if "```python" in part}
    names = {}
    exec("import shikou", names)
    blocks["Run and read"] = blocks["Run and read"].replace("experiments/", f"{NOTEBOOK.parents[1]}/experiments/")
    for title in ("Run and read", "Ask", "Play", "Write", "A network as an evaluation"):
        exec(blocks[title], names)
    assert names["decision"].line and len(names["found"].digest) == 64


SLOW = """
import time
import shikou

def choose(state, seed):
    time.sleep(0.2)
    return 0

shikou.register_searcher("slow", choose)
shikou.run({"seed": 1, "experiment": [{"name": "slow", "game": "tic-tac-toe", "trials": 100, "player": [
    {"name": "slow", "search": "slow"}, {"name": "random", "search": "random"}]}]}, out="slow", threads=1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_notebook_shows_progress_and_interrupting_it_keeps_the_trials(tmp_path):
    pytest.importorskip("ipykernel")
    manager, client = pytest.importorskip("jupyter_client.manager").start_new_kernel(cwd=str(tmp_path))
    try:
        cell, shown = client.execute(SLOW), ""
        # The first line comes after ten seconds.
        while "trials" not in shown:
            message = client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") == cell:
                assert message["msg_type"] != "error", message["content"]["evalue"]
                shown += message["content"].get("text", "")
        assert re.match(r"\d+ of [12]00 trials, ", shown), shown
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=60)
        while reply["parent_header"].get("msg_id") != cell:
            reply = client.get_shell_msg(timeout=60)
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert "finished trials are in the log" in reply["content"]["evalue"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert len((tmp_path / "slow" / "trials.csv").read_text().splitlines()) > 3
