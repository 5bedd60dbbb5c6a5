"""Positions, columns and settings are accepted in many forms, and other forms are refused with advice."""

from pathlib import Path

import bouton
import numpy as np
import pytest

WYTHOFF = [(1, 2), (3, 5), (2, 2)]


@pytest.fixture(scope="module")
def wythoff() -> bouton.Table:
    return bouton.solve("wythoff", size=np.int64(20))


class Frame:
    """The part of a pandas DataFrame that the package uses; the tests do not need pandas."""

    ndim = 2
    iloc = None
    columns = ("heap1", "heap2", "outcome")

    def __getitem__(self, name: str) -> object:
        return Series([heaps[name == "heap2"] for heaps in WYTHOFF])


class Series:
    """The part of a pandas Series that the package uses."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    ndim = 1

    def __len__(self) -> int:
        return len(self.values)

    def to_numpy(self) -> object:
        return np.array(self.values)


def test_positions_are_texts_or_sequences_of_numbers(wythoff: bouton.Table) -> None:
    for given in ("3,5", (3, 5), [3, 5], np.array([3, 5])):
        assert wythoff.lookup(given).position == "3,5"
        assert wythoff.grundy(given) == 0
        assert wythoff.why(given).outcome == "loss"
        assert wythoff.line(given).position == "3,5"
        assert given in wythoff
    assert all(verdict in wythoff for verdict in wythoff)
    for other in ("3,21", "x", 7, None, (1.5, 2), (), {"heap1": 3}):
        assert other not in wythoff
    for wrong in (7, (1.5, 2), (), b"3,5"):
        with pytest.raises(TypeError, match="expected a position"):
            wythoff.lookup(wrong)


def test_columns_can_be_arrays_lists_data_frames_and_rows(wythoff: bouton.Table) -> None:
    first, second = ([heaps[place] for heaps in WYTHOFF] for place in (0, 1))
    for given in (
        {"heap1": first, "heap2": tuple(second)},
        {"heap1": np.array(first), "heap2": Series(second)},
        np.array(WYTHOFF),
        np.array(WYTHOFF, np.uint8, order="F"),
        Frame(),
        np.array(WYTHOFF, [("heap1", int), ("heap2", int)]),
    ):
        assert wythoff.lookup_many(given)["won"].tolist() == [False, False, True]
    rows = wythoff.to_numpy()
    assert (wythoff.lookup_many(rows)["won"] == (rows["outcome"] == b"win")).all()
    assert wythoff.lookup_many({"heap1": [1, 3, 5], "heap2": 5})["won"].tolist() == [True, False, True]
    assert wythoff.lookup_many({"heap1": 3, "heap2": np.uint8(5)})["depth"].tolist() == [4]
    passes = bouton.solve("nim-pass", size=5)
    answers = passes.lookup_many(np.array([[1, 2, 3], [1, 1, 0]]))
    assert answers["won"].tolist() == [passes.lookup(text).won for text in ("1,2,3", "1,1,0")]
    assert [answer.won for answer in wythoff.lookup_many([(1, 2), "2,2"])] == [False, True]


def test_unsupported_column_types_are_refused(wythoff: bouton.Table) -> None:
    for given, expected in [
        ({"heap1": ["a"], "heap2": [1]}, "'heap1' has an item that is not a whole number"),
        ({"heap1": [2**70], "heap2": [1]}, "'heap1' has an item that is not a whole number"),
        ({"heap1": "abc", "heap2": [1]}, "found 'abc', expected an array, a list"),
        ({"heap1": None, "heap2": [1]}, "found None, expected an array"),
        ({"heap1": [1], "heap2": [1], "outcome": [1]}, "no column 'outcome'"),
        (np.array([[1, 2, 3]]), "the array has 3 columns, and positions have 2: heap1, heap2"),
        (np.array([[1], [2]]), "'heap2' is missing"),
        ({"heap1": {1, 2}, "heap2": [1, 2]}, "found {1, 2}, expected an array, a list"),
        ({"heap1": np.ma.masked_array([3, 1], [False, True]), "heap2": [1, 2]}, "'heap1' has a mask"),
        (np.ma.masked_array([[3, 1]], [[False, True]]), "'heap1' has a mask"),
    ]:
        with pytest.raises(bouton.ColumnError, match=expected):
            wythoff.lookup_many(given)
    columns = {"heap1": [1], "heap2": [2]}
    with pytest.raises(bouton.QuestionError, match="lost='trap' goes with positions in notation"):
        wythoff.lookup_many(columns, lost="trap")
    with pytest.raises(TypeError, match="expected a dictionary of arrays"):
        wythoff.lookup_many(columns, out=np.zeros(1))
    for out, expected in [
        ({"won": [False]}, "'won' of out is of <class 'list'>; give an array"),
        ({"won": Series([1])}, "'won' of out is of .*Series"),
        ({"won": np.ma.zeros(1, bool)}, "'won' has a mask"),
    ]:
        with pytest.raises(bouton.ColumnError, match=expected):
            wythoff.lookup_many(columns, out=out)
    with pytest.raises(bouton.QuestionError, match="out goes with positions in columns"):
        wythoff.lookup_many(["1,2"], out={"won": np.zeros(1, bool)})
    with pytest.raises(TypeError, match="expected a position"):
        wythoff.lookup({1, 2})
    with pytest.raises(TypeError, match="found one text, '1,2'"):
        wythoff.lookup_many("1,2")


def test_outputs_must_not_overlap_other_rows_of_positions(wythoff: bouton.Table) -> None:
    rows = np.random.default_rng(1).integers(0, 21, (1001, 4)).astype(np.uint32)
    right = wythoff.lookup_many(rows[:, :2].copy())

    def lookup_into(positions: object, out: dict[str, object]) -> None:
        wythoff.lookup_many(positions, out=out)

    # Rejected: overlaps of different rows, in either direction.
    for heaps, written in [(rows[:-1], rows[1:]), (rows[1:], rows[:-1]), (rows[::-1], rows), (rows[:500], rows[1:501])]:
        before = rows.copy()
        with pytest.raises(bouton.ColumnError, match="the memory of 'heap1'"):
            lookup_into({"heap1": heaps[:, 0], "heap2": heaps[:, 1]}, {"take1": written[:, 0]})
        assert (rows == before).all()
    same = np.zeros(1001, np.uint32)
    for other in (same, same[::-1]):
        with pytest.raises(bouton.ColumnError, match="'take2' of out lies in the memory of 'take1'"):
            lookup_into(rows[:, :2], {"take1": same, "take2": other})
    # Items of four bytes, two bytes apart.
    adjacent = np.lib.stride_tricks.as_strided(np.zeros(1001, np.uint32), (1001,), (2,))
    for heap, other in ((adjacent, "heap1"), (np.zeros(1001, np.uint32), "take1")):
        with pytest.raises(bouton.ColumnError, match=f"the memory of '{other}'"):
            lookup_into({"heap1": heap, "heap2": heap}, {"take1": adjacent})
    # Accepted: other columns of the same rows, later rows, and the columns of the positions themselves.
    for columns in (
        [np.s_[:, :2], np.s_[:, 2:]],
        [np.s_[:500, :2], np.s_[500:1000, :2]],
        [np.s_[:, :2], np.s_[:, 1::-1]],
    ):
        mine = rows.copy()
        heaps, written = (mine[part] for part in columns)
        lookup_into({"heap1": heaps[:, 0], "heap2": heaps[:, 1]}, {"take1": written[:, 0], "take2": written[:, 1]})
        for place, name in enumerate(("take1", "take2")):
            assert (written[:, place] == right[name][: len(written)]).all()
    empty = np.zeros(0, np.uint32)
    lookup_into({"heap1": empty, "heap2": empty}, {"take1": empty, "take2": empty})


def test_amounts_can_be_any_sequence_of_numbers_and_sizes_must_be_whole() -> None:
    rules = [
        bouton.rules("nim", take=take, size=9) for take in ([1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3]))
    ]
    assert len(set(rules)) == 1
    for wrong in (60.0, None, {"a": 1}, b"3"):
        with pytest.raises(TypeError, match="size: found .*, expected a whole number"):
            bouton.solve("nim", size=wrong)


def test_errors_suggest_similar_names_or_the_right_function(tmp_path: Path) -> None:
    for rules, settings, meant in [
        ("whythoff", {}, "'wythoff'"),
        ("Nim", {}, "'nim'"),
        ("nim_misere", {}, "'nim-misere'"),
        ("nim", {"heap": 3}, "'heaps'"),
        ("expanding", {"base_limt": 3}, "'base-limit'"),
    ]:
        for refused in (bouton.solve, bouton.rules):
            with pytest.raises(bouton.RulesError) as error:
                refused(rules, **settings)
            assert str(error.value).endswith(f"did you mean {meant}?")
    with pytest.raises(bouton.RulesError, match="the path comes first"):
        bouton.generate("nim")
    with pytest.raises(bouton.RulesError, match="the path comes first"):
        bouton.generate("nim", tmp_path / "nim.bouton")
    with pytest.raises(FileNotFoundError) as missing:
        bouton.open("sticks")
    assert "bouton.solve('sticks')" in str(missing.value)


def test_inputs_that_would_silently_give_wrong_answers_are_refused(wythoff: bouton.Table, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="ask whether it is .won"):
        bool(wythoff.lookup("3,5"))
    with pytest.raises(bouton.QuestionError, match="plies: found -1"):
        wythoff.line("3,5", plies=-1)
    with pytest.raises(bouton.QuestionError, match="seed: found -1"):
        wythoff.player("random", seed=-1)
    with pytest.raises(TypeError, match="expected another table"):
        wythoff.diff("nim")
    wythoff.save(tmp_path / "w.bouton")
    with pytest.raises(FileExistsError, match="replace=True"):
        wythoff.save(tmp_path / "w.bouton")


def test_messages_name_no_options_and_no_programs(wythoff: bouton.Table) -> None:
    for refused in (
        lambda: bouton.solve("whythoff"),
        lambda: wythoff.to_numpy("total 500"),
        lambda: wythoff.heatmap("grundy", "heaps=3,*,*"),
        lambda: bouton.solve("nim", size=4).heatmap(),
        lambda: bouton.solve("nim", heaps=1, size=9).heatmap(),
        lambda: bouton.solve("expanding", stones=50).game_map(),
        lambda: bouton.solve("sticks").grundy("1,2,3"),
        lambda: wythoff.genus("3,5"),
        lambda: bouton.open(__file__),
    ):
        with pytest.raises(bouton.BoutonError) as error:
            refused()
        assert "--" not in str(error.value) and "`" not in str(error.value), error.value
