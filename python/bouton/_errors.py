"""Exceptions. Their messages name the invalid input and the allowed values, and give advice."""

from __future__ import annotations

import re

# The messages come from the programs, whose advice is for a shell. Each pattern matches such advice, and is replaced by advice for
# Python. Patterns apply in this order, the more specific ones first.
_TRANSLATIONS = [
    (r"ask /lookup, or use bouton-lookup --explain", "ask lookup()"),
    (r"omit moves=true, or ask for fewer positions at once, or use bouton-lookup --batch", "omit moves=True"),
    (r", or use bouton-lookup --batch", ""),
    (r"`bouton generate[^`]*`", "bouton.generate"),
    (r"`bouton rules --list`", "bouton.presets()"),
    (r"`bouton rules[^`]*`", "bouton.rules()"),
    (r"`bouton-match chances`", "the program bouton-match"),
    (r", with `bouton-match play`, and not here", ", and not in Python"),
    (r"`bouton verify`", "verify()"),
    (r"`bouton info`", "about"),
    (r"`bouton draw game-map`", "game_map()"),
    (r"`bouton draw heatmap`", "heatmap()"),
    (r"`bouton export --grundy`", "to_numpy(grundy=True)"),
    (r"`bouton-lookup --grundy`", "genus()"),
    (r"`?bouton-lookup --explain`?", "why()"),
    (r"write `?--set KEY=VALUE`?", "give it as an argument, key=value"),
    (r" \(--set-a and --set-b\)", ""),
    (r"`?--set ([\w-]+)=", r"\1="),
    (r"`?--set`?", "settings"),
    (r"ask for fewer stones, or omit depths", "ask for fewer stones, or give depths=False"),
    (r"without --no-depth", "with depths"),
    (r"with --from POSITION", "by game_map(position)"),
    (r"--(\w+)", r"\1"),
]

# Quoted user input, which the patterns must not change.
_QUOTED = re.compile(r"((?<!\w)'[^']*'(?!\w))")


def in_python(message: str) -> str:
    """Translates the advice in a message of the programs for Python."""
    parts = _QUOTED.split(message)
    for index in range(0, len(parts), 2):  # The other parts are quoted.
        for pattern, replacement in _TRANSLATIONS:
            parts[index] = re.sub(pattern, replacement, parts[index])
    return "".join(parts)


class BoutonError(Exception):
    """Base class of the exceptions of this package.

    A file that cannot be opened raises :class:`OSError`, and a game that needs too much memory :class:`MemoryError`, as elsewhere in
    Python.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(in_python(message))


class RulesError(BoutonError, ValueError):
    """The preset, ruleset file or settings are invalid."""


class PositionError(BoutonError, ValueError):
    """The game does not have this position or move, or the table does not cover it."""


class QuestionError(BoutonError, ValueError):
    """The table does not support this question."""


class ColumnError(BoutonError, ValueError):
    """Columns have invalid names, lengths or types."""


class PlayerError(BoutonError, ValueError):
    """There is no such player, or it cannot play."""


class TooMuchError(BoutonError):
    """The answer would need too much work, or be too long."""


class TableError(BoutonError):
    """The file is not a table, is damaged, or comes from a newer version."""


class WrongTableError(TableError):
    """The file is undamaged, but has a wrong answer."""
