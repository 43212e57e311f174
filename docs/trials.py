"""The trials of a run in pandas: a table and one figure.

    shikou report results/tour --format parquet > trials.parquet
    python3 docs/trials.py trials.parquet trials.svg

Needs pandas, pyarrow and matplotlib, and a `shikou` built with `--features parquet`. Editors show the parts between `# %%` as cells of
a notebook.
"""

# %% The columns are those of trials.csv (docs/results.md). One row is a game; of a pair, two rows have the same trial.
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

source, target = sys.argv[1:3]
games = pd.read_parquet(source)
games = games[games["failure"].isna()]

# %% The points of each player in each game, from either seat.
points = games["outcome"].map({"win": 1.0, "draw": 0.5, "loss": 0.0})
first = pd.DataFrame({"experiment": games["experiment"], "player": games["first"], "points": points, "plies": games["plies"]})
second = first.assign(player=games["second"], points=1 - points)[games["second"].notna()]
table = pd.concat([first, second]).groupby(["experiment", "player"], sort=True).agg(
    games=("points", "size"), points=("points", "mean"), plies=("plies", "median")
)
print(table.round(4).to_csv(lineterminator="\n"), end="")

# %% The lengths of games: what a summary has as quantiles only.
experiments = games["experiment"].unique()
figure, axes = plt.subplots(len(experiments), 1, figsize=(7, 2.4 * len(experiments)), squeeze=False)
for axis, name in zip(axes[:, 0], experiments):
    axis.hist(games.loc[games["experiment"] == name, "plies"], bins=40, color="#0072b2")
    axis.set(title=name, xlabel="plies", ylabel="games")
figure.tight_layout()
figure.savefig(target)
