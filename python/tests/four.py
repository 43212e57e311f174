"""Connect Four in Python, to be compared with the same in Rust: k-in-a-row with gravity."""

import shikou

RUST = {"rows": 6, "columns": 7, "k": 4, "gravity": True}

LINES = [
    tuple(row * 7 + column + step * number for number in range(4))
    for row in range(6)
    for column in range(7)
    for step, down, right in [(1, 0, 3), (7, 3, 0), (8, 3, 3), (6, 3, -3)]
    if row + down < 6 and 0 <= column + right < 7
]
THROUGH = [[line for line in LINES if square in line] for square in range(42)]


@shikou.register_game
class Four:
    """four in a row on seven columns of six, in Python"""

    name = "four-in-python"
    max_plies = 42
    board = (6, 7)

    def start(self):
        # A byte for each square, the player to move, and whether the last stone won.
        return bytes(44)

    def turn(self, at):
        return None if at[43] or 0 not in at[:7] else at[42]

    def moves(self, at):
        # From the top row down, as in Rust.
        return [] if at[43] else sorted(
            (column for column in range(7) if not at[column]), key=lambda column: (self.free(at, column), column)
        )

    def free(self, at, column):
        """The lowest free row of a column."""
        return 5 - at[column:42:7][::-1].index(0)

    def play(self, at, move):
        board, stone = bytearray(at), 1 + at[42]
        square = self.free(at, move) * 7 + move
        board[square] = stone
        board[42] = 1 - at[42]
        board[43] = any(all(board[place] == stone for place in line) for line in THROUGH[square])
        return bytes(board)

    def payoff(self, at, player):
        return 0 if not at[43] else (-1 if player == at[42] else 1)

    def notation(self, at, move):
        return "abcdefg"[move]

    def move_number(self, move):
        return move

    def squares(self, at, player):
        return bytes((1, 2, 0)[stone] if not player else (1, 0, 2)[stone] for stone in at[:42])

    def drawing(self, at):
        return "\n".join(" ".join(".xo"[stone] for stone in at[row : row + 7]) for row in range(0, 42, 7))
