"""Random games a second of OpenSpiel, on the games that it shares with Shikou: `pip install open_spiel`, then `python benches/openspiel.py`.

Its own evaluator plays the games, in C++: as the leaf of a search of one iteration, one ply from the start. `shikou profile GAME` has the figure of Shikou; docs/performance.md has both, of one run.
"""

import statistics
import time

import pyspiel

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "othello": "othello",
    "connect four": "connect_four",
    "breakthrough 8×8": "breakthrough(rows=8,columns=8)",
    "clobber 5×6": "clobber(rows=5,columns=6)",
    "hex 11×11": "hex(board_size=11)",
    "kalah 6, 4, without empty captures": "mancala",
    "pig to 100": "pig(players=2,winscore=100)",
    "amazons 10×10, in two moves": "amazons",
    "einstein": "einstein_wurfelt_nicht",
}


def seconds(game, state, playouts):
    """Processor seconds of so many random games from a move after a state."""
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
    begin = time.process_time()
    bot.step(state)
    return time.process_time() - begin


for name, spiel in GAMES.items():
    game = pyspiel.load_game(spiel)
    state = game.new_initial_state()
    # A search begins at a player's turn.
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    playouts = 1
    while seconds(game, state, playouts) < 0.1:
        playouts *= 2
    rates = [playouts / seconds(game, state, playouts) for _ in range(5)]
    print(f"{name:<36}{statistics.median(rates):>12.0f} playouts a second", flush=True)
