"""The notebook of the documentation, executed."""

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
    page = (NOTEBOOK.parent / "python.md").read_text(encoding="utf-8")
    parts = page.split("\n## ")
    blocks = {part.splitlines()[0]: part.split("```python\n")[1].split("```")[0] for part in parts if "```python" in part}
    names = {}
    exec("import shikou", names)
    for title in ("Ask", "Play", "Write"):
        exec(blocks[title], names)
    assert names["decision"].line
