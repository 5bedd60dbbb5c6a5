"""What can go wrong. Every message says what was found, what is allowed, and what to do."""

from __future__ import annotations

import re

# The messages are those of the programs, which give advice to people at a shell. The first pattern that fits counts.
_HERE = [
    (r"ask /lookup, or use bouton-lookup --explain", "ask lookup()"),
    (r"leave out moves=true, or ask for fewer positions at once, or use bouton-lookup --batch", "leave out moves=True"),
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
    (r"without --no-depth", "with depths"),
    (r"with --from POSITION", "by game_map(position)"),
    (r"--(\w+)", r"\1"),
]

# What people gave stands in quotation marks.
_QUOTED = re.compile(r"((?<!\w)'[^']*'(?!\w))")


def in_python(message: str) -> str:
    """A message of the programs, with advice for Python."""
    parts = _QUOTED.split(message)
    for place in range(0, len(parts), 2):
        for there, here in _HERE:
            parts[place] = re.sub(there, here, parts[place])
    return "".join(parts)


class BoutonError(Exception):
    """What all exceptions of this package have in common.

    A file that cannot be opened raises an :class:`OSError` as everywhere in Python, a game that takes too much memory a
    :class:`MemoryError`.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(in_python(message))


class RulesError(BoutonError, ValueError):
    """Rules that there are not."""


class PositionError(BoutonError, ValueError):
    """A position or move that the game does not have, or the table does not cover."""


class QuestionError(BoutonError, ValueError):
    """A question that this table cannot be asked."""


class ColumnError(BoutonError, ValueError):
    """Columns that are not those of positions or answers, or have items of another type."""


class PlayerError(BoutonError, ValueError):
    """A player that there is not, or that cannot play."""


class TooMuchError(BoutonError):
    """An answer that would take too much work, or be too long."""


class TableError(BoutonError):
    """A file that is no table, is damaged, or was made by a newer version."""


class WrongTableError(TableError):
    """A table that is whole, and whose answers are wrong: it was not made by Bouton."""
