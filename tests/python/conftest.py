"""Fixtures for all tests: rulesets of many kinds, and functions that run the programs with which the package is compared."""

import json
import os
import subprocess
import sys
from pathlib import Path

if os.environ.get("BOUTON_WITHOUT_NUMPY"):
    # Makes each import of NumPy fail.
    sys.modules["numpy"] = None  # type: ignore[assignment]

import bouton
import pytest

# Presets with settings: one heap and several, passes, misère play, amounts to take, several heaps in a move, equal and unequal
# resets, growth.
RULESETS: list[tuple[str, dict[str, object]]] = [
    ("expanding", {"stones": 60}),
    ("expanding", {"stones": 60, "play": "misere"}),
    ("expanding", {"stones": 50, "resets": [1, 0]}),
    ("expanding", {"stones": 40, "resets": [0, 2], "growth": 2}),
    ("expanding", {"stones": 80, "resets": [0, 0], "growth": 0, "base_limit": 4}),
    ("expanding", {"stones": 45, "reset_limit": 1, "base_limit": 2}),
    ("sticks", {}),
    ("sticks", {"play": "normal"}),
    ("sticks", {"passes": 2}),
    ("marienbad", {}),
    ("nim", {"heaps": 3, "size": 12}),
    ("nim-misere", {"heaps": 4, "size": 6}),
    ("nim-pass", {"size": 9}),
    ("nim", {"heaps": 1, "size": 100, "take": 3}),
    ("nim", {"bounds": [4, 9], "take": [1, 4, 6]}),
    ("subtraction", {"size": 20}),
    ("moore", {"size": 6}),
    ("moore", {"size": 5, "heaps_per_move": 3, "play": "misere"}),
    ("wythoff", {"size": 25}),
    ("wythoff", {"bounds": [7, 30], "play": "misere", "passes": 1}),
]


@pytest.fixture(
    params=RULESETS,
    ids=lambda each: " ".join([each[0], *(f"{k}={v}" for k, v in each[1].items())]),
)
def ruleset(request: pytest.FixtureRequest) -> tuple[str, dict[str, object]]:
    return request.param


def run(*arguments: str | os.PathLike[str], given: str | None = None) -> str:
    """Runs a program with an input, and returns its output. The environment names the programs: BOUTON, BOUTON_MATCH."""
    program = os.environ[arguments[0].upper().replace("-", "_")]
    return subprocess.run(
        [program, *arguments[1:]],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def export_rows(path: Path) -> list[dict]:
    """Returns the rows of all positions that the program exports from a table."""
    return [json.loads(line) for line in run("bouton", "export", path, "-f", "jsonl", "-o", "-").splitlines()]


@pytest.fixture
def sticks() -> bouton.Table:
    return bouton.solve("sticks")
