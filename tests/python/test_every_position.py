"""The package gives the same answers as the programs, at every position of twenty games."""

import re
from array import array
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import bouton
import numpy as np
import pytest
from conftest import export_rows, run


def stones_taken(best: str | None, heaps: int) -> list[int]:
    """Returns the stones that a move takes from each heap."""
    parts = dict(part.split(":") for part in best.split("+")) if best and best != "pass" else {}
    return [int(parts.get(str(row), 0)) for row in range(1, heaps + 1)]


@pytest.fixture
def table_and_rows(ruleset: tuple[str, dict], tmp_path: Path) -> tuple[bouton.Table, list[dict]]:
    """Returns a table that the package makes, and the rows that the program exports from its file."""
    path = tmp_path / "made.bouton"
    table = bouton.generate(path, ruleset[0], **ruleset[1])
    run("bouton", "verify", path)
    rows = export_rows(path)
    assert len(rows) == len(table) > 1
    return table, rows


def test_single_lookups_agree_with_the_programs(table_and_rows: tuple[bouton.Table, list[dict]]) -> None:
    table, rows = table_and_rows
    for row in rows:
        answer = table.lookup(row["position"])
        found = (
            answer.position,
            answer.outcome,
            answer.depth,
            answer.best,
            list(answer.winning),
        )
        assert found == tuple(row[name] for name in ("position", "outcome", "depth", "best", "winning"))


def test_iteration_is_in_natural_order(table_and_rows: tuple[bouton.Table, list[dict]]) -> None:
    table, rows = table_and_rows
    assert [(at.position, at.outcome, at.depth) for at in table] == [
        (row["position"], row["outcome"], row["depth"]) for row in rows
    ]
    assert [answer.best for answer in table.lookup_many(row["position"] for row in rows)] == [
        row["best"] for row in rows
    ]


def test_numpy_rows_and_columns_agree_with_the_programs(
    table_and_rows: tuple[bouton.Table, list[dict]],
) -> None:
    table, rows = table_and_rows
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
            assert moves == [stones_taken(move, len(heaps)) for move in best]
            assert answers.get("pass", np.zeros(len(rows), bool)).tolist() == [move == "pass" for move in best]


def test_repeated_questions_in_columns_have_the_same_answers(
    table_and_rows: tuple[bouton.Table, list[dict]],
) -> None:
    """Some answers come from a cache. Heaps are in random order; several threads ask at once, some of them for few columns."""
    table, random = table_and_rows[0], np.random.default_rng(3)
    array = table.to_numpy()
    array = array[random.integers(0, len(array), 3 * min(len(array), 1000))]
    columns = {name: array[name].astype(np.uint32) for name in table.columns}
    heaps = [name for name in columns if name.startswith("heap")]
    if heaps:
        mixed = random.permuted(np.array([columns[name] for name in heaps]), axis=0)
        columns |= dict(zip(heaps, mixed, strict=True))
    single_answers = [
        table.lookup(notation(dict(zip(columns, row, strict=True)))) for row in zip(*columns.values(), strict=True)
    ]
    wins = [answer.won for answer in single_answers]
    depths = [answer.depth for answer in single_answers]
    moves = [stones_taken(answer.best, len(heaps)) for answer in single_answers if heaps]

    def ask(all_columns: bool) -> None:
        out = None if all_columns else {"won": np.empty(len(array), bool)}
        answers = table.lookup_many(columns, out=out)
        assert answers["won"].tolist() == wins
        if all_columns:
            assert answers["depth"].tolist() == depths
            assert answers["winning"].tolist() == [len(answer.winning) for answer in single_answers]
            if heaps:
                assert np.array([answers[f"take{row + 1}"] for row in range(len(heaps))]).T.tolist() == moves

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(ask, all_columns) for all_columns in [False, True, True, False, True, False]]:
            done.result()


@pytest.mark.parametrize(
    "settings",
    [
        {"heaps": 5, "size": 20},
        {"heaps": 5, "size": 16, "passes": 2, "play": "misere"},
        {"heaps": 6, "size": 12, "take": [1, 3, 4], "passes": 1},
        {"bounds": [3, 7, 9, 14, 31], "play": "misere"},
        {"heaps": 8, "size": 8, "take": 2},
        {"bounds": [2, 2, 4095]},
        {"bounds": [2, 2, 4096]},
        {"heaps": 4, "size": 34, "heaps_per_move": 2, "equal_take": True, "take": 3},
    ],
    ids=str,
)
def test_answers_from_the_cache_are_right_for_any_order_of_heaps(settings: dict) -> None:
    """Most of these caches have no room for each order of heaps, so all orders share an answer."""
    table, random = bouton.solve("nim", **settings), np.random.default_rng(5)
    array = table.to_numpy()
    heaps = [name for name in table.columns if name.startswith("heap")]
    rows = np.array([array[name] for name in heaps])
    passes = {"passes": array["passes"]} if "passes" in table.columns else {}
    # Each round finds more answers in the cache, the last one all.
    for _ in range(3):
        order = random.permuted(np.repeat(np.arange(len(heaps))[:, None], len(array), axis=1), axis=0)
        columns = dict(zip(heaps, np.take_along_axis(rows, order, axis=0), strict=True)) | passes
        answers = table.lookup_many(columns)
        assert (answers["won"] == (array["outcome"] == b"win")).all()
        assert (answers["depth"] == array["depth"]).all() and (answers["winning"] == array["winning"]).all()
        moves = np.array([answers[f"take{row + 1}"] for row in range(len(heaps))])
        for row in random.integers(0, len(array), 1000).tolist():
            best = table.lookup(notation({name: int(column[row]) for name, column in columns.items()})).best
            assert moves[:, row].tolist() == stones_taken(best, len(heaps))
            assert not passes or answers["pass"][row] == (best == "pass")
        won = np.empty(len(array), bool)
        table.lookup_many(columns, out={"won": won})
        assert (won == answers["won"]).all()
    answers = table.lookup_many(dict(zip(heaps, rows, strict=True)) | passes)
    moves = np.array([answers[f"take{row + 1}"] for row in range(len(heaps))]).T.tolist()
    assert moves == [stones_taken(best.decode(), len(heaps)) for best in array["best"]]


def notation(row: dict[str, int]) -> str:
    """Writes a position in notation."""
    if "stones" in row:
        imposed = "r" if row["imposed"] else "-"
        return f"{row['stones']}/{row['currentmax']}/{row['turn']}/{row['resets1']},{row['resets2']}/{imposed}"
    heaps = ",".join(str(size) for name, size in row.items() if name != "passes")
    return f"{heaps}/{row['passes']}" if "passes" in row else heaps


def test_saved_tables_have_the_same_bytes_as_those_of_the_program(ruleset: tuple[str, dict], tmp_path: Path) -> None:
    name, settings = ruleset
    table = bouton.solve(name, **settings)
    table.save(tmp_path / "package.bouton")
    arguments = [part for key, value in settings.items() for part in ("--set", f"{key.replace('_', '-')}={value}")]
    run("bouton", "generate", name, *arguments, "-o", tmp_path / "program.bouton", "-q")
    assert (tmp_path / "package.bouton").read_bytes() == (tmp_path / "program.bouton").read_bytes()


def test_columns_can_be_python_arrays(sticks: bouton.Table) -> None:
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


def test_grundy_values_follow_their_definition(table_and_rows: tuple[bouton.Table, list[dict]]) -> None:
    """Checks Grundy values by their definition, with moves that this file computes; in misère play, genera by outcomes."""
    table, rows = table_and_rows
    if table.about.rules["play"] == "misere":
        with pytest.raises(bouton.QuestionError, match="misère"):
            table.grundy(rows[-1]["position"])
        for row in rows[:: max(1, len(rows) // 40)]:
            misere_values = table.genus(row["position"]).partition("^")[2]
            assert misere_values.startswith("0") == (row["outcome"] == "loss"), row
        array = table.to_numpy(grundy=True)
        # The column of genera belongs to answers, so the array can be looked up again.
        assert len(table.lookup_many(array)["won"]) == len(rows)
        genera = array["genus"].tolist()
        for number in range(0, len(rows), max(1, len(rows) // 40)):
            assert genera[number].decode() == table.genus(rows[number]["position"])
        return
    with pytest.raises(bouton.QuestionError, match="normal play"):
        table.genus(rows[-1]["position"])
    values = dict(zip([row["position"] for row in rows], table.to_numpy(grundy=True)["grundy"].tolist(), strict=True))
    for position in [row["position"] for row in rows][:: max(1, len(rows) // 300)]:
        # The moves come from this test, not from the package.
        reached = {values[after] for after in moves_from(table, position)}
        assert values[position] == next(value for value in range(len(reached) + 1) if value not in reached)
        assert table.grundy(position) == values[position]


def moves_from(table: bouton.Table, position: str) -> set[str]:
    """Returns the positions after all moves, in notation, by the rules in docs/rules.md."""
    rules = table.about.rules
    if table.about.game == "expanding":
        stones, most, turn, resets, imposed = position.split("/")
        mover, left = int(turn) - 1, [int(each) for each in resets.split(",")]
        limit = max(rules["base-limit"], int(most) + rules["growth"])
        limit = min(int(stones), min(limit, rules["reset-limit"]) if imposed == "r" else limit)
        after = set()
        for take in range(1, limit + 1):
            for reset in [False, True][: 1 + (left[mover] > 0)]:
                now = [each - (reset and place == mover) for place, each in enumerate(left)]
                after.add(
                    f"{int(stones) - take}/{max(int(most), take)}/{3 - int(turn)}/{now[0]},{now[1]}/{'r' if reset else '-'}"
                )
        return after
    text, _, passes = position.partition("/")
    heaps = [int(heap) for heap in text.split(",")]
    amounts = {"any": range(1, 1000)}.get(str(rules["take"])) or (
        range(1, rules["take"] + 1) if isinstance(rules["take"], int) else rules["take"]
    )
    after = set()
    for takes in product(*([0, *(amount for amount in amounts if amount <= heap)] for heap in heaps)):
        taken = [take for take in takes if take]
        if not 1 <= len(taken) <= rules["heaps-per-move"] or rules["equal-take"] and len(set(taken)) > 1:
            continue
        left = sorted(heap - take for heap, take in zip(heaps, takes, strict=True))
        after.add(",".join(map(str, left)) + (f"/{passes}" if passes else ""))
    # A pass is legal only if another move is.
    if after and passes and int(passes):
        after.add(f"{text}/{int(passes) - 1}")
    return after
