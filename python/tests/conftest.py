import pytest

MANIFEST = {
    "seed": 7,
    "experiment": [
        {
            "name": "small",
            "game": {"othello": {"size": 4}},
            "trials": 6,
            "player": [
                {"name": "flat", "search": "flat(playouts-per-move=4)"},
                {"name": "random", "search": "random"},
            ],
        }
    ],
}

SWEEP = {
    "seed": 7,
    "experiment": [
        {
            "name": "sweep",
            "game": "tic-tac-toe",
            "trials": 4,
            "player": [
                {"name": "uct", "search": {"uct": {"exploration": {"each": [0.5, 1.0]}}}, "budget": {"playouts": 20}},
                {"name": "random", "search": "random"},
            ],
        }
    ],
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of its own, from which paths start."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
