"""Games, searchers and policies in Python."""

import pytest
import shikou
from nim import Nim


def test_a_game_keeps_the_laws_and_is_solved():
    assert shikou.check(Nim).ok
    assert shikou.solve(shikou.game("nim", heap=21))["best"] == ["1"]
    assert shikou.solve("nim", option="heap=20")["value"] == "-1" or shikou.solve("nim", option="heap=20")["value"] == -1


def test_every_searcher_plays_it_in_a_manifest(here):
    searchers = [
        "random", "flat(playouts-per-move=5)", "uct@30", "uct(selection=puct,memory=graph)@30", "alpha-beta(depth=full)@nodes=500",
        "expectimax(depth=full)@nodes=500", "simple-tree(level=2,playouts=3)", "thompson@30", "sequential-halving@30",
        "nested-rollout(level=1)", "unbounded-minimax@nodes=20", "gumbel@20", "bts@20", "dents@20", "open-loop-uct@20",
    ]
    fits = [name for name in searchers if not _misfit(name)]
    assert len(fits) >= 12, [_misfit(name) for name in searchers]
    manifest = {
        "seed": 1,
        "experiment": [
            {
                "name": "nim",
                "game": {"nim": {"heap": 8}},
                "trials": 2,
                "design": "round-robin",
                "player": [{"name": f"p{place}", "search": name} for place, name in enumerate(fits[:4])],
            }
        ],
    }
    one = shikou.run(manifest, out="one", threads=8)
    assert one.digest == shikou.run(manifest, out="two", threads=1).digest


def _misfit(searcher):
    try:
        shikou.search(searcher)(shikou.game("nim", heap=6).start())
    except shikou.Error as error:
        return str(error)
    return ""


def test_a_searcher_and_a_policy_play_any_game(here):
    class First:
        def __call__(self, state, seed):
            return state.moves()[0]

    shikou.register_searcher("first", First, repeats=True)
    shikou.register_policy("edges", lambda state: [1 + ("a" in move) for move in state.moves()])
    state = shikou.game("tic-tac-toe").start()
    assert shikou.search("first")(state).move == "a1"
    assert shikou.search('flat(playouts-per-move=20,policy="edges")')(state).playouts == 180
    result = shikou.match("tic-tac-toe", "first", "edges", games=20, threads=8)
    assert [player["name"] for player in result["players"]] == ["first", "edges"]


def test_a_searcher_has_options_and_keeps_a_budget(here):
    class Mine:
        """Looks at some of the moves, and plays the last of them."""

        def __init__(self, step, from_end):
            self.step, self.from_end = step, from_end

        def __call__(self, state, seed, budget):
            seen = min(budget, len(state) // self.step)
            return (-seen if self.from_end else seen - 1) % len(state), seen

    options = {"step": (1, 1, 9, "moves apart"), "from_end": (0, 0, 1, "whether from the end")}
    shikou.register_searcher("mine", Mine, options=options, counts="nodes")
    state = shikou.game("tic-tac-toe").start()
    assert [shikou.search(f"mine@{nodes}")(state).move for nodes in (1, 3, 100)] == ["a1", "c1", "c3"]
    decision = shikou.search("mine(step=2,from-end=1)@100")(state)
    assert (decision.move, decision.nodes, decision.searcher) == ("c2", 4, "mine(from-end=1,step=2)@nodes=100")
    shikou.register_searcher("taking", lambda state, seed, budget, step: (0, budget * step), options={"step": options["step"]}, counts="playouts")
    manifest = {
        "seed": 1,
        "experiment": [
            {
                "name": "budgets",
                "game": "tic-tac-toe",
                "trials": 2,
                "player": [
                    {"name": "mine", "search": {"mine": {"step": {"each": [1, 2]}}}, "budget": {"nodes": 5}},
                    {"name": "taking", "search": "taking@7"},
                ],
            }
        ],
    }
    found = shikou.run(manifest, out="budgets")
    assert sorted(found.players["step"], key=str) == [1, 2, None]
    assert dict(zip(found.players["player"], found.players["playouts_per_move"]))["taking"] == 7
    with pytest.raises(shikou.Error, match="mine needs a budget of nodes"):
        shikou.search("mine")(state)
    with pytest.raises(shikou.Error, match="taking: .*it spent 14, and the budget was 7"):
        shikou.search("taking(step=2)@7")(state)
    with pytest.raises(shikou.Error, match="step"):
        shikou.search("mine(step=10)@7")(state)
    with pytest.raises(shikou.Error, match='"playouts" or "nodes", not "time"'):
        shikou.register_searcher("timed", Mine, counts="time")


def test_an_exception_is_told_with_its_place(here):
    def broken(state, seed):
        return {}["no key"]

    shikou.register_searcher("broken", broken)
    with pytest.raises(shikou.Error, match=r"broken: KeyError: 'no key' \(.*test_write.py:\d+\)"):
        shikou.search("broken")(shikou.game("nim").start())
    with pytest.raises(shikou.TrialsFailed, match="KeyError"):
        shikou.match("nim", "broken", "random", games=2)


def test_a_game_that_breaks_a_law_is_found_out():
    @shikou.register_game
    class Unfair(Nim):
        name = "unfair"

        def payoff(self, at, player):
            return 1

    assert not shikou.check("unfair", games=5).ok


def test_what_is_no_position_is_refused():
    @shikou.register_game
    class Odd(Nim):
        name = "odd"

        def start(self):
            return object()

    with pytest.raises(shikou.Error, match="a position is a number, a text, bytes, or a tuple of these"):
        shikou.game("odd").start()
    with pytest.raises(shikou.Error, match="has no name"):
        shikou.register_game(type("Nameless", (), {}))


def test_a_game_of_chance():
    @shikou.register_game
    class Coin:
        """one toss"""

        name, players, payoffs, max_plies = "coin", 1, (0, 1), 2

        def start(self):
            return "bet"

        def turn(self, at):
            return {"bet": 0, "toss": "chance"}.get(at)

        def moves(self, at):
            return ["toss"] if at == "bet" else []

        def outcomes(self, at):
            return [("heads", 1), ("tails", 3)] if at == "toss" else []

        def play(self, at, move):
            return move

        def payoff(self, at, player):
            return int(at == "heads")

    assert shikou.check(Coin).ok
    mean, plies = shikou.game("coin").start().playouts(4000)
    assert abs(mean - 0.25) < 0.03 and plies == 2


def test_a_game_in_python_is_the_game_in_rust():
    import four

    rust, python = shikou.game("k-in-a-row", **four.RUST), shikou.game("four-in-python")
    assert shikou.check("four-in-python", games=10).ok
    # The same moves in the same order, so the same playouts.
    assert python.start().playouts(300, seed=5) == rust.start().playouts(300, seed=5)
    one, two = (shikou.search("uct@200", seed=2)(game.start()) for game in (rust, python))
    assert (one.line, one.moves) == (two.line, two.moves)
