"""Nim with one heap in Python: who takes the last stone wins. With a heap of 21 the first player wins."""

import shikou


@shikou.register_game
class Nim:
    """one heap; who takes the last stone wins"""

    name = "nim"
    max_plies = 1000
    options = {"heap": (21, 1, 1000, "stones at the start")}

    def __init__(self, heap):
        self.heap = heap

    def start(self):
        return (self.heap, 0)

    def turn(self, at):
        stones, player = at
        return player if stones else None

    def moves(self, at):
        return list(range(1, min(3, at[0]) + 1))

    def play(self, at, move):
        stones, player = at
        return (stones - move, 1 - player)

    def payoff(self, at, player):
        return -1 if at[1] == player else 1
