"""Players of matches."""

from __future__ import annotations

from collections.abc import Sequence

from . import _arguments, _native


class Player:
    """A player in a game; :meth:`Table.player` makes one.

    Most players need only the position: call `choose`. For a player that learns from the opponent's moves (`table:adapt`), also call
    `begin` at the start of a game, and `saw` after each move.
    """

    def __init__(self, native: _native.Player) -> None:
        self._native = native

    def begin(self, start: str | Sequence[int], *, first: bool = True, seed: int = 0) -> None:
        """Starts a game from a position; `first` says whether the player moves first."""
        self._native.begin(_arguments.position(start), first, _arguments.number("seed", seed))

    def choose(self, position: str | Sequence[int]) -> str:
        """Returns the player's move.

        >>> import bouton
        >>> bouton.solve("sticks").player("greedy").choose("3,5,7")
        '3:7'
        """
        return self._native.choose(_arguments.position(position))

    def saw(self, position: str | Sequence[int], move: str, *, own: bool) -> None:
        """Tells the player of a move from `position`; `own` says whether the player made it."""
        self._native.saw(_arguments.position(position), move, own)
