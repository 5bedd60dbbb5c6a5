"""Converts arguments of users: settings, positions and columns, which may have various types."""

from __future__ import annotations

import operator
import os
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._errors import ColumnError, QuestionError

_ANSWERS = frozenset({"outcome", "depth", "winning", "best", "grundy", "genus"})
"""Names of columns in arrays of :meth:`Table.to_numpy` that belong to answers, and not to positions."""


def _whole(value: Any) -> int | None:
    """Returns an integer of Python or NumPy as int, and None for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def _setting(key: str, value: Any) -> str:
    """Writes the value of a setting in TOML; `key` is for the error message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    number = _whole(value)
    if number is not None:
        return str(number)
    if isinstance(value, Iterable) and not isinstance(value, Mapping | bytes):
        return f"[{', '.join(_setting(key, each) for each in value)}]"
    raise TypeError(f"{key}: found {value!r}, expected a whole number, a text, a truth value, or a list of them")


def settings(given: Mapping[str, object]) -> list[str]:
    """Returns settings in the form `KEY=VALUE` of the programs."""
    return [f"{key.replace('_', '-')}={_setting(key, value)}" for key, value in given.items()]


def path(given: str | os.PathLike[str]) -> str:
    """Returns the path of a file as a string."""
    name = os.fspath(given)
    return os.fsdecode(name) if isinstance(name, bytes) else name


def number(name: str, given: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """Returns an argument as int, after a check that it is an integer from `least` to `most`."""
    found = _whole(given)
    if found is None:
        raise TypeError(f"{name}: found {given!r}, expected a whole number")
    if not least <= found <= most:
        raise QuestionError(f"{name}: found {given!r}, expected a whole number from {least:,} to {most:,}")
    return found


def position(given: Any) -> str:
    """Returns a position in notation. The argument may also be a sequence of the sizes of heaps."""
    if isinstance(given, str):
        return given
    if isinstance(given, Iterable) and not isinstance(given, Mapping | set | frozenset | bytes):
        heaps = [_whole(heap) for heap in given]
        if heaps and None not in heaps:
            return ",".join(map(str, heaps))
    raise TypeError(
        f"found {given!r}, expected a position: a text, or in a heap game the sizes of the heaps, as (3, 5, 7)"
    )


def columns(given: Any, names: Sequence[str]) -> dict[str, Any] | None:
    """Returns columns of positions by name, all of one length; None if `given` is a list of positions.

    `names` are the names of the columns that positions of the game have.
    """
    if isinstance(given, Mapping):
        found = dict(given)
    elif fields := getattr(getattr(given, "dtype", None), "names", None):
        # A structured array. If it comes from `to_numpy`, it also has columns of answers; ignore them.
        found = {name: given[name] for name in fields if name in names or name not in _ANSWERS}
    elif getattr(given, "ndim", None) == 2 and hasattr(given, "iloc"):
        # A pandas DataFrame.
        found = {str(name): given[name] for name in given.columns if name in names or name not in _ANSWERS}
    elif getattr(given, "ndim", None) == 2:
        count = given.shape[1]
        if not 0 < count <= len(names):
            raise ColumnError(f"the array has {count} columns, and positions have {len(names)}: {', '.join(names)}")
        # An array with a row for each position.
        found = {name: given[:, index] for index, name in enumerate(names[:count])}
    else:
        return None
    found = {str(name): _column(str(name), column) for name, column in found.items()}
    lengths = [len(column) for column in found.values() if not isinstance(column, int)]
    rows = lengths[0] if lengths else 1
    return {name: _repeated(name, column, rows) for name, column in found.items()}


def _column(name: str, given: Any) -> Any:
    """Returns a column as an object with the buffer protocol, or as one int that stands for all rows."""
    number = _whole(given) if getattr(given, "ndim", 0) == 0 else None
    if number is not None:
        return number
    _reject_mask(name, given)
    if hasattr(given, "to_numpy"):
        return given.to_numpy()
    try:
        memoryview(given)
    except TypeError:
        pass
    else:
        return given
    if isinstance(given, Iterable) and not isinstance(given, str | set | frozenset | Mapping):
        return _array(name, given)
    raise ColumnError(
        f"the column {name!r}: found {given!r}, expected an array, a list of whole numbers, or one of them"
    )


def _reject_mask(name: str, given: Any) -> None:
    """Rejects a masked array, whose buffer does not show the mask."""
    if hasattr(given, "mask") and hasattr(given, "filled"):
        raise ColumnError(f"the column {name!r} has a mask; omit its rows, as with compressed(), or fill them")


def outputs(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the output arrays by name, after a check that none is masked."""
    for name, column in given.items():
        _reject_mask(name, column)
    return dict(given)


def _array(name: str, given: Iterable[Any]) -> array[int]:
    """Returns the integers of a column as an array."""
    try:
        return array("q", map(operator.index, given))
    except (TypeError, OverflowError) as error:
        raise ColumnError(f"the column {name!r} has an item that is not a whole number of 64 bits: {error}") from error


def _repeated(name: str, column: Any, rows: int) -> Any:
    """Returns a column; an int becomes an array that repeats it for all rows."""
    return _array(name, [column]) * rows if isinstance(column, int) else column
