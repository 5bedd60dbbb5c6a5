"""Errors have the documented types, and give advice for Python."""

import re
from collections.abc import Callable
from typing import Any

import bouton
import pytest
from bouton._errors import in_python

# The expected exception, a pattern of its message, and a wrong use of the package.
WRONG_USES: list[tuple[type[Exception], str, Callable[[bouton.Table], Any]]] = [
    (bouton.RulesError, "bouton.presets|presets are", lambda _: bouton.solve("chess")),
    (bouton.RulesError, "'no/such.toml'|no/such.toml", lambda _: bouton.rules("no/such.toml")),
    (bouton.RulesError, "heap_s|heap-s", lambda _: bouton.solve("nim", heap_s=3)),
    (bouton.RulesError, "the text of rules", lambda _: bouton.rules("game = 3\n")),
    (bouton.RulesError, "the path comes first", lambda _: bouton.generate("nim")),
    (TypeError, "found <object", lambda _: bouton.solve("nim", size=object())),
    (TypeError, "", lambda _: bouton.solve(3)),  # type: ignore[arg-type]
    (TypeError, "", lambda _: bouton.rules(None)),  # type: ignore[arg-type]
    (bouton.PositionError, "found 'x', expected a whole number", lambda t: t.lookup("3,x")),
    (bouton.PositionError, "'9-9-9' is read as 9,9,9", lambda t: t.why("9-9-9")),
    (bouton.PositionError, "found 'x'", lambda t: t.line("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.grundy("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.genus("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.game_map("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.lookup_many(["3,5,7", "x"])),
    (bouton.PositionError, "found 'x'", lambda t: t.player().choose("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.player().begin("x")),
    (bouton.PositionError, "found 'x'", lambda t: t.player().saw("3,5,7", "x", own=True)),
    (TypeError, "found 3, expected a position", lambda t: t.lookup(3)),
    (TypeError, "found None, expected a position", lambda t: t.why(None)),
    (TypeError, "found 3.5", lambda t: t.grundy(3.5)),
    (TypeError, "found one text", lambda t: t.lookup_many("3,5,7")),
    (bouton.QuestionError, "found policy 'best'", lambda t: t.lookup("3", lost="best")),
    (bouton.QuestionError, "plies: found -1, expected a whole number from 0", lambda t: t.line("3", plies=-1)),
    (TypeError, "plies: found '3', expected a whole number", lambda t: t.line("3", plies="3")),
    (bouton.QuestionError, "genus", lambda t: t.grundy("3")),
    (bouton.QuestionError, "normal play", lambda _: bouton.solve("nim", heaps=1).genus("3")),
    (bouton.QuestionError, "heaps", lambda t: t.to_numpy("heap=3")),
    (bouton.QuestionError, "limit: found -1", lambda t: t.diff(t, limit=-1)),
    (TypeError, "expected another table", lambda t: t.diff("sticks")),
    (TypeError, "expected another table", lambda t: t.diff_map("sticks")),
    (bouton.QuestionError, "found of='colour'", lambda t: t.heatmap("colour")),
    (bouton.QuestionError, "a plane has two free heaps", lambda t: t.heatmap()),
    (bouton.QuestionError, "found '1:900'", lambda t: t.heatmap(where="heaps=*,*,1", aspect="1:900")),
    (bouton.QuestionError, "found '10x10'", lambda t: t.game_map().sized("10x10")),
    (bouton.QuestionError, "scale: found 0", lambda t: t.game_map().png(0)),
    (TypeError, "scale: found '2'", lambda t: t.game_map().png("2")),
    (bouton.TooMuchError, "scale", lambda t: t.game_map().png(10_000)),
    (ValueError, r"found 'x\.gif'", lambda t: t.game_map().save("x.gif")),
    (bouton.QuestionError, "positions", lambda _: bouton.solve("nim").game_map()),
    (bouton.QuestionError, "depths", lambda _: bouton.solve("wythoff", size=9, depths=False).heatmap("depth")),
    (bouton.PlayerError, "nobody", lambda t: t.player("nobody")),
    (bouton.PlayerError, "a human plays at a terminal", lambda t: t.player("human")),
    (bouton.PlayerError, "no/such.bouton", lambda t: t.player("table:no/such.bouton")),
    (bouton.QuestionError, "seed: found -1", lambda t: t.player(seed=-1)),
    (bouton.QuestionError, "seed: found", lambda t: t.player(seed=2**64)),
    (TypeError, "seed: found 1.5", lambda t: t.player(seed=1.5)),
    (bouton.QuestionError, "seed: found -1", lambda t: t.player().begin("3,5,7", seed=-1)),
    (
        MemoryError,
        "[EPT]iB (or more )?of memory",
        lambda _: bouton.solve("nim-pass", heaps=12, size=200),
    ),
]


@pytest.mark.parametrize(("kind", "pattern", "work"), WRONG_USES)
def test_errors_name_the_problem_with_advice_for_python(
    sticks: bouton.Table, kind: type[Exception], pattern: str, work: Callable[[bouton.Table], Any]
) -> None:
    with pytest.raises(kind) as error:
        work(sticks)
    message = str(error.value)
    assert re.search(pattern, message), message
    # The message must not name a program, a command-line option or a path of the service.
    assert not re.search(r"`bouton|bouton-\w|(^|\s)--\w|/lookup", message), message
    # Huge sizes must not be given in MiB.
    assert not re.search(r"\d,\d{3},\d{3},\d{3} MiB", message), message


def test_options_of_programs_are_translated_but_quoted_input_is_not() -> None:
    assert in_python("found '--where `bouton info`'; give --where") == "found '--where `bouton info`'; give where"
    assert (
        in_python("the table's rules; `bouton verify` checks every position")
        == "the table's rules; verify() checks every position"
    )
    assert in_python("generate it again without --no-depth") == "generate it again with depths"
