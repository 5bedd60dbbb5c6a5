"""Answers of tables as data classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["win", "loss"]
"""Outcome for the player to move."""


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move with its result."""

    move: str
    outcome: Outcome
    """Outcome for the player who makes the move."""
    depth_after: int | None
    """Plies to the end after the move; None if the table has no depths."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome, depth and moves of a position."""

    position: str
    """The position in canonical notation."""
    outcome: Outcome
    """Outcome for the player to move."""
    depth: int | None
    """Plies to the end of the game with best play; None if the table has no depths."""
    best: str | None
    """The best move; None if the game is over."""
    winning: tuple[str, ...]
    """All winning moves."""
    moves: tuple[LegalMove, ...] | None = None
    """All legal moves, best first; None unless requested."""

    @property
    def won(self) -> bool:
        """Whether the player to move wins."""
        return self.outcome == "win"

    def __bool__(self) -> bool:
        raise TypeError("an answer is neither true nor false; ask whether it is .won")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome and depth of a position."""

    position: str
    """The position in canonical notation."""
    outcome: Outcome
    """Outcome for the player to move."""
    depth: int | None
    """Plies to the end of the game with best play; None if the table has no depths."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """The finite monoid that decides a heap game. All numbers are indices into `elements`."""

    elements: list[str]
    """The name of each element as a product of generators, such as `1`, `a`, `ab` or `b^2`; the first is the identity."""
    lost: list[int]
    """The P-portion: the elements whose positions are lost for the player to move."""
    heaps: list[int]
    """The element of each heap of 0, 1, 2, ... stones."""
    products: list[list[int]]
    """The multiplication table: `products[i][j]` is the product of elements i and j."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a line, and the position after it."""

    move: str
    position: str
    outcome: Outcome
    depth: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """The rest of a game with best play by both players."""

    position: str
    outcome: Outcome
    depth: int | None
    plies: tuple[Ply, ...]
    finished: bool
    """Whether the line reaches the end of the game; false if it was truncated."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves, without positions."""
        return tuple(ply.move for ply in self.plies)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A move of a lost position, and the reply that refutes it."""

    move: str
    to: str
    """The position after the move."""
    answer: str | None
    """A winning move at `to`; None if the game is over."""
    then: str | None
    """The position after the reply."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The reason why a position is won or lost."""

    position: str
    outcome: Outcome
    text: str
    """The argument in words."""
    best: str | None
    """The best move; None if the game is over."""
    of: str
    """The lost position whose moves are refuted: the position after `best`, or the position itself."""
    replies: tuple[Refutation, ...]
    more: int
    """Number of moves at `of` that `replies` does not list."""
    blocks: tuple[dict[str, Any], ...] = field(repr=False)
    """The parts of the argument; docs/service.md describes them."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class About:
    """The description of a table."""

    title: str
    """The rules in words."""
    game: Literal["expanding", "heaps"]
    rules: dict[str, Any]
    positions: int
    wins: int
    """Number of positions that are won for the player to move."""
    deepest: int | None
    """The greatest depth; None if the table has no depths."""
    start: str
    """The greatest start that the table covers."""
    bytes: int
    """Length of the file."""
    digest: str
    """The digest of the table, in 64 hexadecimal digits."""
