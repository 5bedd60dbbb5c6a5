"""Players in games."""

from __future__ import annotations

from collections.abc import Sequence

from . import _given, _native


class Player:
    """A player in a game; see :meth:`Table.player`.

    Most players look at the position alone: `choose` is all that they are asked. One who learns from an opponent's moves
    (`table:adapt`) is told when a game begins, and of each move.
    """

    def __init__(self, native: _native.Player) -> None:
        self._native = native

    def begin(self, start: str | Sequence[int], *, first: bool = True, seed: int = 0) -> None:
        """A game begins in this position, and the player moves first in it, or second."""
        self._native.begin(_given.position(start), first, _given.number("seed", seed))

    def choose(self, position: str | Sequence[int]) -> str:
        """The player's move.

        >>> import bouton
        >>> bouton.solve("sticks").player("greedy").choose("3,5,7")
        '3:7'
        """
        return self._native.choose(_given.position(position))

    def saw(self, position: str | Sequence[int], move: str, *, own: bool) -> None:
        """A move was made in a position, by the player or by the opponent."""
        self._native.saw(_given.position(position), move, own)
