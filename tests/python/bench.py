"""Measures answers a second through NumPy on one core. Needs the package and NumPy.

python3 tests/python/bench.py
"""

import time

import bouton
import numpy as np

COUNT = 1_000_000
GAMES = ["expanding", "sticks", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass", "marienbad"]


def main() -> None:
    """Prints millions of answers a second for each preset, at random positions: the best of five runs.

    Each run measures full answers of a new table and of the same table again, then outcomes of this table and of a new one.
    """
    random = np.random.default_rng(1)
    for name in GAMES:
        rows = bouton.solve(name).to_numpy()
        fields = bouton.solve(name).columns
        times: dict[str, list[float]] = {"first": [], "again": [], "won": [], "won first": []}
        for _ in range(5):
            table = bouton.solve(name)
            won = {"won": np.empty(COUNT, bool)}
            for run, out in [("first", None), ("again", None), ("won", won), ("won first", won)]:
                if run == "won first":
                    table = bouton.solve(name)
                sample = rows[random.integers(0, len(rows), COUNT)]
                columns = {field: np.ascontiguousarray(sample[field]) for field in fields}
                start = time.perf_counter()
                table.lookup_many(columns, out=out)
                times[run].append(time.perf_counter() - start)
        first, again, won, won_first = (COUNT / min(each) / 1e6 for each in times.values())
        print(
            f"{name:12} {first:6.1f} million a second at first, {again:6.1f} again, {won:6.1f} for outcomes alone "
            f"({won_first:.1f} at first; {len(rows):,} positions)"
        )


if __name__ == "__main__":
    main()
