"""A small network in NumPy for Connect Four, trained from games that Shikou plays.

As a program it prints the figures of docs/python.md: strength, and games a second by the number of games in lock-step.
"""

import tempfile
import time

import numpy as np
import shikou
from four import RUST

FOUR = shikou.game("k-in-a-row", **RUST)


class Network:
    """84 inputs, a hidden layer, a value in (-1, 1)."""

    def __init__(self, hidden=64, seed=1):
        rng = np.random.default_rng(seed)
        sizes = [(84, hidden), (hidden,), (hidden, 1), (1,)]
        self.weights = [rng.normal(0, 1 / np.sqrt(size[0]), size).astype(np.float32) for size in sizes]

    def __call__(self, planes):
        first, bias, last, end = self.weights
        inputs = planes.reshape(len(planes), 84)
        hidden = np.maximum(inputs @ first + bias, 0)
        # Kept for training, which is in one thread.
        self.inputs, self.hidden = inputs, hidden
        return np.tanh(hidden @ last + end)[:, 0]

    def train(self, planes, values, epochs=8, batch=256, rate=1e-3, seed=1):
        """Adam on the squared error, with the mirror image of each position. Returns the error of each epoch."""
        planes, values = np.concatenate([planes, planes[..., ::-1]]), np.concatenate([values, values])
        rng, errors = np.random.default_rng(seed), []
        mean, square, step = [0.0] * 4, [0.0] * 4, 0
        for _ in range(epochs):
            order, sum_of_squares = rng.permutation(len(planes)), 0.0
            for begin in range(0, len(order), batch):
                chosen = order[begin : begin + batch]
                found = self(planes[chosen])
                off = found - values[chosen]
                sum_of_squares += float((off**2).sum())
                out = (off * (1 - found**2) / len(chosen))[:, None]
                back = (out @ self.weights[2].T) * (self.hidden > 0)
                slopes = [self.inputs.T @ back, back.sum(0), self.hidden.T @ out, out.sum(0)]
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
    network = Network()
    errors = network.train(found["planes"], found["value"], **settings)
    return network, errors, len(found["value"])


if __name__ == "__main__":
    begin = time.perf_counter()
    network, errors, samples = trained(2000)
    print(f"{samples:,} samples, squared error {errors[0]:.3f} to {errors[-1]:.3f}, {time.perf_counter() - begin:.0f} s\n")
    name = shikou.register_evaluation("numpy", network)
    for other in ("random", "uct@50"):
        print(shikou.match(FOUR, f'alpha-beta(depth=2,evaluation="{name}")', other, games=200, openings=4), "\n")
    print("| games in lock-step | games a second |\n|--:|--:|")
    search = f'uct(playouts=cut(evaluation="{name}",scale=0.5))@100'
    for lock_step in (1, 8, 64):
        manifest = {
            "seed": 1,
            "experiment": [
                {
                    "name": "speed",
                    "game": {"k-in-a-row": RUST},
                    "trials": 64,
                    "player": [{"name": "net", "search": search}, {"name": "random", "search": "random"}],
                }
            ],
        }
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            options = {"lock_step": lock_step} if lock_step > 1 else {}
            shikou.run(manifest, out=folder, threads=1, quiet=True, **options)
            print(f"| {lock_step} | {128 / (time.perf_counter() - begin):.1f} |", flush=True)
