"""Games, positions and searches."""

import pytest
import shikou


def test_a_game_is_played_move_by_move():
    state = shikou.game("othello", size=6).start()
    assert state.turn == 0 and len(state) == len(state.moves()) == 4
    after = state.play(state.moves()[0])
    assert after.turn == 1 and after != state and state.play(0) == after
    while not after.is_over:
        after = after.play(0)
    assert after.turn is None and after.payoff(0) == -after.payoff(1)
    assert {after.outcome(0), after.outcome(1)} in ({"win", "loss"}, {"draw"})


def test_a_text_is_a_position():
    game = shikou.game("tic-tac-toe")
    state = game.position("a1 b1")
    assert state == game.start().play("a1").play("b1") and game.position(state.text) == state
    assert state._repr_svg_().startswith("<svg") and "x" in str(state)


def test_chance_has_weighted_outcomes():
    state = shikou.game("pig").start()
    while state.turn != "chance":
        state = state.play(state.moves()[0])
    assert state.moves() == [] and [weight for _, weight in state.outcomes()] == [1] * 6
    assert state.play(state.outcomes()[2][0]) == state.play(2)


def test_mistakes_say_what_is_legal():
    state = shikou.game("tic-tac-toe").start()
    with pytest.raises(shikou.Error, match="`a9` is no legal move; legal: a1"):
        state.play("a9")
    with pytest.raises(shikou.Error, match="the game is not over"):
        state.payoff(0)
    with pytest.raises(shikou.Error, match="did you mean `size`"):
        shikou.game("othello", sise=6)


def test_a_decision_is_that_of_the_command():
    state = shikou.game("othello", size=6).start().play(0)
    decision = shikou.search("uct(exploration=0.5)@400", seed=3)(state)
    told = shikou.analyze(shikou.game("othello", size=6), "uct(exploration=0.5)@400", state.text, seed=3)
    last = told["decisions"][-1]
    assert decision.move == last["chosen"] and decision.line == last["line"] and decision.playouts == 400
    assert [row[1] for row in decision.moves] == [row["visits"] for row in last["moves"]]
    assert decision.line[0] == decision.move and f"plays {decision.move}" in repr(decision)
    assert shikou.search("uct(exploration=0.5)@400", seed=3)(state) == decision


def test_a_searcher_that_does_not_fit_says_why():
    with pytest.raises(shikou.Error, match="did you mean `uct`"):
        shikou.search("utc@100")(shikou.game("hex").start())


def test_playouts_are_random_games():
    mean, plies = shikou.game("tic-tac-toe").start().playouts(20_000, player=0, seed=1)
    # Random play wins 58.5 % for the first player and loses 28.8 %.
    assert abs(mean - (0.585 - 0.288)) < 0.02 and 7 < plies < 8


def test_planes_are_squares():
    state = shikou.game("othello", size=6).start()
    assert state.planes(0).shape == (2, 6, 6) and state.planes(0)[0].sum() == 2
    assert (state.planes(0)[0] == state.planes(1)[1]).all()
