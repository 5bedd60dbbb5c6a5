"""What can go wrong. Every message says what was found, what is allowed, and what to do."""


class BoutonError(Exception):
    """What all exceptions of this package have in common.

    A file that cannot be opened raises an :class:`OSError` as everywhere in Python, a game that takes too much memory a
    :class:`MemoryError`.
    """


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
