"""Nim-like games, completely solved.

>>> import bouton
>>> table = bouton.solve("expanding", stones=500)
>>> table.lookup("217/9/1/4,3/-").best
'7'
"""

from ._answers import (
    About,
    Answer,
    Argument,
    LegalMove,
    Line,
    Outcome,
    Ply,
    Quotient,
    Refutation,
    Verdict,
)
from ._errors import (
    BoutonError,
    ColumnError,
    PlayerError,
    PositionError,
    QuestionError,
    RulesError,
    TableError,
    TooMuchError,
    WrongTableError,
)
from ._native import VERSION as __version__
from ._picture import Picture
from ._player import Player
from ._table import (
    Policy,
    Progress,
    Table,
    generate,
    open,
    presets,
    rules,
    solve,
)

__all__ = [
    "About",
    "Answer",
    "Argument",
    "BoutonError",
    "ColumnError",
    "LegalMove",
    "Line",
    "Outcome",
    "Picture",
    "Player",
    "PlayerError",
    "Ply",
    "Policy",
    "PositionError",
    "Progress",
    "QuestionError",
    "Quotient",
    "Refutation",
    "RulesError",
    "Table",
    "TableError",
    "TooMuchError",
    "Verdict",
    "WrongTableError",
    "__version__",
    "generate",
    "open",
    "presets",
    "rules",
    "solve",
]
