"""Commands as functions."""

import shikou


def test_a_match_is_a_report():
    found = shikou.match("tic-tac-toe", "ai12s", "random", games=20)
    assert "ai12s" in found.text and found["players"][0]["name"] == "ai12s" and found.ok
    small = shikou.match(shikou.game("othello", size=4), "flat(playouts-per-move=2)", "random", games=4)
    assert "othello(size=4)" in small.text


def test_the_other_questions():
    assert shikou.solve("tic-tac-toe", "a1 b1")["value"] is not None
    assert shikou.exact("tic-tac-toe", "ai12s", "random")["meetings"]
    assert "playouts" in shikou.profile("tic-tac-toe", seconds=0.01, repeats=1, threads=1).text
    assert "Elo" in shikou.stats.pairs(75, 64, 63, 54, 34).text
    assert shikou.stats.sprt(365, 16618, 36229, 16974, 390, elo0=0, elo1=2, model="normalized").ok
    assert shikou.command("perft", "tic-tac-toe", 2).text.split()[-1] == "72"
    assert shikou.check("tic-tac-toe", games=5).ok


def test_a_page_in_a_notebook(monkeypatch):
    monkeypatch.setattr(shikou, "_in_notebook", lambda: True)
    assert "srcdoc" in shikou.match("tic-tac-toe", "ai12s", "random", games=2)._repr_html_()
    assert "<table>" in shikou.exact("tic-tac-toe", "ai12s", "random")._repr_html_()


def test_everything_has_a_docstring():
    known = {name: getattr(shikou, name) for name in shikou.__all__ if name != "GameLike"}
    for name, of in list(known.items()):
        if isinstance(of, type) and not issubclass(of, Exception):
            known |= {f"{name}.{part}": getattr(of, part) for part in vars(of) if not part.startswith("_")}
    assert [name for name, of in known.items() if not (of.__doc__ or "").strip()] == []
