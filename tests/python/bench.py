"""How many answers a second NumPy gets on one core: python3 tests/python/bench.py, with the package and NumPy installed."""

import time

import bouton
import numpy as np

COUNT = 1_000_000
GAMES = ["expanding", "sticks", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass", "marienbad"]


def main() -> None:
    """Prints millions of answers a second for each preset, at random positions: the best of seven runs."""
    chosen = np.random.default_rng(1)
    for name in GAMES:
        table = bouton.solve(name)
        rows = table.to_numpy()
        picked = rows[chosen.integers(0, len(rows), COUNT)]
        answers = {"outcome", "depth", "winning", "best"}
        columns = {field: np.ascontiguousarray(picked[field]) for field in rows.dtype.names if field not in answers}
        times = []
        for _ in range(7):
            began = time.perf_counter()
            table.lookup_many(columns)
            times.append(time.perf_counter() - began)
        print(f"{name:12} {COUNT / min(times) / 1e6:5.1f} million a second ({len(rows):,} positions)")


if __name__ == "__main__":
    main()
