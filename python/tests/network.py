"""A small network in NumPy for Connect Four, with a value and a prior, trained from games that Shikou plays.

As a program it prints the figures of docs/python.md, beside a network of the same size that Shikou trains and asks itself:

    OMP_NUM_THREADS=1 python python/tests/network.py
"""

import contextlib
import os
import tempfile
import time
from pathlib import Path

import numpy as np
import shikou
from four import RUST

FOUR = shikou.game("k-in-a-row", **RUST)


class Network:
    """84 inputs, a hidden layer, a value in (-1, 1), and a probability for each column."""

    def __init__(self, hidden=64, seed=1):
        rng = np.random.default_rng(seed)
        sizes = [(84, hidden), (hidden,), (hidden, 8), (8,)]
        self.weights = [rng.normal(0, 1 / np.sqrt(size[0]), size).astype(np.float32) for size in sizes]

    def forward(self, planes):
        """The inputs, the hidden layer, the values and the probabilities."""
        first, bias, last, end = self.weights
        inputs = planes.reshape(len(planes), 84)
        hidden = np.maximum(inputs @ first + bias, 0)
        out = hidden @ last + end
        raised = np.exp(out[:, 1:] - out[:, 1:].max(1, keepdims=True))
        return inputs, hidden, np.tanh(out[:, 0]), raised / raised.sum(1, keepdims=True)

    def __call__(self, planes):
        """Values and priors, as `shikou.register_evaluation` wants them: move number 8 r + c is row r of column c."""
        _, _, values, columns = self.forward(planes)
        return values, np.tile(np.pad(columns, ((0, 0), (0, 1))), 6)

    def train(self, planes, values, columns, epochs=8, batch=256, rate=1e-3, seed=1):
        """Adam on the squared error and the cross-entropy of the move that was played; columns has -1 where none was.

        Each position has its mirror image beside it. Returns the squared error of each epoch.
        """
        planes, values = np.concatenate([planes, planes[..., ::-1]]), np.concatenate([values, values])
        columns = np.concatenate([columns, np.where(columns < 0, -1, 6 - columns)])
        played = (columns[:, None] == np.arange(7)).astype(np.float32)
        rng, errors = np.random.default_rng(seed), []
        mean, square, step = [0.0] * 4, [0.0] * 4, 0
        for _ in range(epochs):
            order, sum_of_squares = rng.permutation(len(planes)), 0.0
            for begin in range(0, len(order), batch):
                chosen = order[begin : begin + batch]
                inputs, hidden, found, prior = self.forward(planes[chosen])
                off = found - values[chosen]
                sum_of_squares += float((off**2).sum())
                wanted = played[chosen]
                slope = (prior - wanted) * wanted.sum(1, keepdims=True)
                out = np.column_stack([off * (1 - found**2), slope]) / len(chosen)
                back = (out @ self.weights[2].T) * (hidden > 0)
                slopes = [inputs.T @ back, back.sum(0), hidden.T @ out, out.sum(0)]
                step += 1
                for place, slope in enumerate(slopes):
                    mean[place] = 0.9 * mean[place] + 0.1 * slope
                    square[place] = 0.999 * square[place] + 0.001 * slope**2
                    move = mean[place] / (1 - 0.9**step) / (np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8)
                    self.weights[place] -= (rate * move).astype(np.float32)
            errors.append(sum_of_squares / len(planes))
        return errors


def trained(games, seed=1, **settings):
    found = shikou.samples(FOUR, "uct@50", games=games, random_plies=4, seed=seed)
    planes, game, ply = found["planes"], found["game"], found["ply"]
    # The player who moves is the opponent in the next position of the game, with one stone more.
    follows = (game[1:] == game[:-1]) & (ply[1:] == ply[:-1] + 1)
    stone = (planes[1:, 1] - planes[:-1, 0]).sum(1).argmax(1)
    columns = np.append(np.where(follows, stone, -1), -1)
    network = Network()
    return network, network.train(planes, found["value"], columns, **settings), len(planes)




def forms(network):
    """The functions of docs/python.md for PyTorch and for JAX with the weights of a network, of what is installed, by name."""
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in page.split("```python\n")]
    known, functions = {}, {}
    with contextlib.suppress(ImportError):
        import torch

        first, bias, last, end = map(torch.from_numpy, network.weights)
        model = lambda planes: torch.tanh((torch.relu(planes.flatten(1) @ first + bias) @ last + end)[:, 0])
        known["PyTorch"] = {"torch": torch, "model": model}
    with contextlib.suppress(ImportError):
        import jax

        @jax.jit
        def apply(weights, planes):
            first, bias, last, end = weights
            return jax.numpy.tanh((jax.nn.relu(planes.reshape(len(planes), 84) @ first + bias) @ last + end)[:, 0])

        known["JAX"] = {"jax": jax, "apply": apply, "parameters": network.weights}
    for name, names in known.items():
        (block,) = (block for block in blocks if f"# {name}" in block)
        names["numpy"] = np
        exec(block, names)
        functions[name] = names["network"]
    return functions


def player(evaluation, prior=""):
    """UCT with 100 evaluations a move."""
    return f"uct({prior}playouts=cut(evaluation={evaluation},scale=0.5))@100"


def players(built_in):
    """The players of the comparison; `built_in` says where the network that Shikou trained is."""
    built_in = f'network({built_in},input="bits",seen="inversion")'
    return {
        "NumPy, its prior": player('"numpy-v1"', 'selection=puct,prior=head(evaluation="numpy-v1"),'),
        "NumPy": player('"numpy-v1"'),
        "built in": player(built_in),
    }


def experiment(against, all_players, trials):
    searches = [{"name": name, "search": search} for name, search in {**all_players, against: against}.items()]
    return {
        "name": f"against-{against.partition('@')[0]}",
        "game": {"k-in-a-row": RUST},
        "trials": trials,
        "openings": {"random-plies": 4},
        "design": {"gauntlet": {"against": [against]}},
        "player": searches,
    }


def strength(games, epochs, trials):
    """A manifest: a network with as many hidden units is trained on as many games, and each network plays against UCT."""
    training = {
        "name": "net",
        "game": {"k-in-a-row": RUST},
        "evaluation": {"network": {"input": "bits", "seen": "inversion"}},
        "method": {"dense": {"layers": [64, 1], "activations": "relu,tanh", "epochs": epochs}},
        "samples": {"between": ["uct@50"], "games": games, "random-plies": 4},
    }
    return {"seed": 1, "training": [training], "experiment": [experiment("uct@100", players('evolved="net"'), trials)]}


def games_a_second(name, search, lock_step):
    """Games against random play a second of processor time, on one thread, as many as take a second."""
    options, trials, took = {"lock_step": lock_step} if lock_step > 1 else {}, 64, 0.0
    while took < 1:
        manifest = {"seed": 1, "experiment": [experiment("random", {name: search}, trials)]}
        with tempfile.TemporaryDirectory() as folder:
            begin = time.process_time()
            shikou.run(manifest, out=folder, threads=1, quiet=True, **options)
            took = time.process_time() - begin
        games, trials = 2 * trials, 4 * trials
    return games / took



if __name__ == "__main__":
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before")
    begin = time.process_time()
    network, errors, samples = trained(2000, epochs=20)
    took = time.process_time() - begin
    print(f"{samples:,} samples, squared error {errors[0]:.3f} to {errors[-1]:.3f}, {took:.1f} s of processor time\n")
    shikou.register_evaluation("numpy", network, priors=True)
    with tempfile.TemporaryDirectory() as folder:
        print(shikou.run(strength(2000, 20, 200), out=folder, lock_step=64), "\n")
        timed = players(f'file="{folder}/net/network.safetensors"')
        for form, values in forms(network).items():
            timed[form] = player(f'"{shikou.register_evaluation(form.lower(), values)}"')
        print(f"| games in lock-step | {' | '.join(timed)} |\n|--:|{'--:|' * len(timed)}")
        for lock_step in (1, 8, 64):
            rates = (games_a_second(name, search, lock_step) for name, search in timed.items())
            print(f"| {lock_step} | {' | '.join(f'{rate:.0f}' for rate in rates)} |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} after")
