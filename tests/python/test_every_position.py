"""Whatever the package answers is what the programs answer, at every position of twenty games."""

import re
from array import array
from pathlib import Path

import bouton
import numpy as np
import pytest
from conftest import exported, run


def taken(best: str | None, heaps: int) -> list[int]:
    """What a move takes from each heap."""
    parts = dict(part.split(":") for part in best.split("+")) if best and best != "pass" else {}
    return [int(parts.get(str(row), 0)) for row in range(1, heaps + 1)]


@pytest.fixture
def both(ruleset: tuple[str, dict], tmp_path: Path) -> tuple[bouton.Table, list[dict]]:
    """The table that the package makes, and the rows that the program makes of its file."""
    path = tmp_path / "made.bouton"
    table = bouton.generate(path, ruleset[0], **ruleset[1])
    run("bouton", "verify", path)
    rows = exported(path)
    assert len(rows) == len(table) > 1
    return table, rows


def test_each_alone(both: tuple[bouton.Table, list[dict]]) -> None:
    table, rows = both
    for row in rows:
        answer = table.lookup(row["position"])
        known = (
            answer.position,
            answer.outcome,
            answer.depth,
            answer.best,
            list(answer.winning),
        )
        assert known == tuple(row[name] for name in ("position", "outcome", "depth", "best", "winning"))


def test_all_in_order(both: tuple[bouton.Table, list[dict]]) -> None:
    table, rows = both
    assert [(at.position, at.outcome, at.depth) for at in table] == [
        (row["position"], row["outcome"], row["depth"]) for row in rows
    ]
    assert [answer.best for answer in table.lookup_many(row["position"] for row in rows)] == [
        row["best"] for row in rows
    ]


def test_all_as_rows_of_numpy_and_in_columns(
    both: tuple[bouton.Table, list[dict]],
) -> None:
    table, rows = both
    array = table.to_numpy()
    assert [text.decode() for text in array["outcome"]] == [row["outcome"] for row in rows]
    assert [text.decode() or None for text in array["best"]] == [row["best"] for row in rows]
    # The fields of a structured array lie apart, and have items of one byte and of four.
    for columns in (
        array[list(table.columns)],
        {name: array[name].astype(np.int64) for name in table.columns},
    ):
        answers = table.lookup_many(columns)
        assert answers["won"].tolist() == [row["outcome"] == "win" for row in rows]
        assert answers["depth"].tolist() == [row["depth"] for row in rows]
        assert answers["winning"].tolist() == [len(row["winning"]) for row in rows]
        best = [row["best"] for row in rows]
        if "take" in answers:
            assert answers["take"].tolist() == [int(re.sub("r$", "", move or "0")) for move in best]
            assert answers["reset"].tolist() == [bool(move and move.endswith("r")) for move in best]
        else:
            heaps = [name for name in answers if name.startswith("take")]
            assert len(heaps) == len([name for name in table.columns if name.startswith("heap")])
            moves = np.array([answers[name] for name in heaps]).T.tolist()
            assert moves == [taken(move, len(heaps)) for move in best]
            assert answers.get("pass", np.zeros(len(rows), bool)).tolist() == [move == "pass" for move in best]


def test_the_same_bytes_as_the_program_makes(ruleset: tuple[str, dict], tmp_path: Path) -> None:
    name, settings = ruleset
    table = bouton.solve(name, **settings)
    table.save(tmp_path / "package.bouton")
    arguments = [part for key, value in settings.items() for part in ("--set", f"{key.replace('_', '-')}={value}")]
    run("bouton", "generate", name, *arguments, "-o", tmp_path / "program.bouton", "-q")
    assert (tmp_path / "package.bouton").read_bytes() == (tmp_path / "program.bouton").read_bytes()


def test_arrays_of_python_are_columns_too(sticks: bouton.Table) -> None:
    columns = {
        "heap1": array("B", [3, 0]),
        "heap2": array("q", [5, 0]),
        "heap3": array("H", [7, 0]),
    }
    out = {"won": array("B", [9, 9]), "take1": array("I", [9, 9])}
    assert sticks.lookup_many(columns, out=out) == {
        "won": array("B", [1, 1]),
        "take1": array("I", [1, 0]),
    }
