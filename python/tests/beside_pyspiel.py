"""The same tasks in Shikou and in OpenSpiel's `pyspiel`, in one process: a table in Markdown.

    pip install ./python open_spiel && python python/tests/beside_pyspiel.py

Random games are played from Python, a call for each question about a position. UCT decides at the start with 1000 playouts, one
after each leaf, in one thread. Each figure is the median of three runs, by processor time.
"""

import inspect
import os
import random
import statistics
import time

import pyspiel
import shikou

GAMES = {
    "Othello": (lambda: shikou.game("othello"), "othello"),
    "Connect Four": (lambda: shikou.game("k-in-a-row", rows=6, columns=7, k=4, gravity=True), "connect_four"),
}


def shikou_random(game):
    start, plies = game.start(), 0
    state = start
    while count := len(state):
        state = state.play(random.randrange(count))
        plies += 1
    return plies


def pyspiel_random(game):
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        plies += 1
    return plies


def shikou_playouts(game):
    _, plies = game.start().playouts(10_000)
    return 10_000 * plies


def shikou_uct(game):
    shikou.search("uct@1000")(game.start())
    return 1


def pyspiel_uct(game):
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    pyspiel.MCTSBot(game, evaluator, 1.4142, 1000, 100, False, 1, False).step(game.new_initial_state())
    return 1


def per_second(task, game):
    rates = []
    for _ in range(3):
        begin, done = time.process_time(), 0
        while (spent := time.process_time() - begin) < 1:
            done += task(game)
        rates.append(done / spent)
    return f"{statistics.median(rates):,.0f}"


def lines(task):
    return len(inspect.getsource(task).strip().splitlines()) - 1


TASKS = [
    ("plies of random games from Python, a second", shikou_random, pyspiel_random),
    ("plies of random games in one call, a second", shikou_playouts, None),
    ("decisions of UCT with 1000 playouts, a second", shikou_uct, pyspiel_uct),
]

if __name__ == "__main__":
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"{cores} processors, load {load:.1f} before, shikou beside open_spiel\n")
    print("| task | game | shikou | pyspiel | lines |\n|:--|:--|--:|--:|:-:|")
    for name, ours, theirs in TASKS:
        for title, (make, other) in GAMES.items():
            here = per_second(ours, make())
            there = per_second(theirs, pyspiel.load_game(other)) if theirs else "–"
            count = f"{lines(ours)}, {lines(theirs)}" if theirs else f"{lines(ours)}"
            print(f"| {name} | {title} | {here} | {there} | {count} |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} after")
