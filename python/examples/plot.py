"""Plots the density of lost positions by the number of stones, in Nim and in Nim with one pass.

python3 plot.py density.png
"""

import sys

import bouton
import matplotlib.pyplot as plt
import numpy as np


def density(table: bouton.Table) -> np.ndarray:
    """Returns the share of lost positions for each total number of stones."""
    rows = table.to_numpy("passes=0" if table.about.rules["passes"] == 0 else "passes=1")
    stones = sum(rows[f"heap{row}"] for row in (1, 2, 3))
    lost = np.bincount(stones, rows["outcome"] == b"loss")
    return lost / np.bincount(stones)


if len(sys.argv) != 2:
    sys.exit(__doc__)
figure, axes = plt.subplots()
for name in ("nim", "nim-pass"):
    axes.plot(density(bouton.solve(name, heaps=3, size=31)), label=name)
axes.set(xlabel="stones in three heaps", ylabel="share of lost positions")
axes.legend()
figure.savefig(sys.argv[1])
