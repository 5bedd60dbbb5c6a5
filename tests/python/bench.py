"""Measures answers a second through NumPy on one core: python3 tests/python/bench.py, with the package and NumPy installed."""

import time

import bouton
import numpy as np

COUNT = 1_000_000
GAMES = ["expanding", "sticks", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass", "marienbad"]


def main() -> None:
    """Prints millions of answers a second for each preset, at random positions: the best of several runs.

    The columns are: answers of a new table; answers of the same table again; outcomes of the same table; outcomes of a new table.
    """
    chosen = np.random.default_rng(1)
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
                picked = rows[chosen.integers(0, len(rows), COUNT)]
                columns = {field: np.ascontiguousarray(picked[field]) for field in fields}
                began = time.perf_counter()
                table.lookup_many(columns, out=out)
                times[run].append(time.perf_counter() - began)
        first, again, won, won_first = (COUNT / min(each) / 1e6 for each in times.values())
        print(
            f"{name:12} {first:6.1f} million a second at first, {again:6.1f} again, {won:6.1f} for outcomes alone "
            f"({won_first:.1f} at first; {len(rows):,} positions)"
        )


if __name__ == "__main__":
    main()
