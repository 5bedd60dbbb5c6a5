"""What a table answers, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["win", "loss"]
"""For the player to move."""


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, and what becomes of who makes it."""

    move: str
    outcome: Outcome
    """For the player who makes the move."""
    depth_after: int | None
    """Plies to the end after the move; None if the table holds no depths."""


@dataclass(frozen=True, slots=True)
class Answer:
    """All that is known of a position."""

    position: str
    """As canonical text."""
    outcome: Outcome
    """For the player to move."""
    depth: int | None
    """Plies to the end of the game under best play; None if the table holds no depths."""
    best: str | None
    """The best move; None if the game is over."""
    winning: tuple[str, ...]
    """All winning moves."""
    moves: tuple[LegalMove, ...] | None = None
    """All legal moves, best first, if they were asked for."""

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
    outcome: Outcome
    depth: int | None


@dataclass(frozen=True, slots=True)
class Quotient:
    """The finite monoid that decides a game of heaps; elements are numbered by their places in `elements`."""

    elements: list[str]
    """The name of each element as a product of generators, such as `1`, `a`, `ab` or `b^2`; the first is the identity."""
    lost: list[int]
    """The elements whose positions are lost for the player to move: the P-portion."""
    heaps: list[int]
    """The element of a heap of each size, from 0 stones up."""
    products: list[list[int]]
    """For each element its products with all elements."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a line, and the position that it leads to."""

    move: str
    position: str
    outcome: Outcome
    depth: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """How a game goes on if both play their best."""

    position: str
    outcome: Outcome
    depth: int | None
    plies: tuple[Ply, ...]
    finished: bool
    """Whether the line ends with the game, and not because it was cut off."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves alone."""
        return tuple(ply.move for ply in self.plies)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A move of a lost position, and the answer to it."""

    move: str
    to: str
    answer: str | None
    """A winning move there; None if the game is over."""
    then: str | None


@dataclass(frozen=True, slots=True)
class Argument:
    """Why a position is won or lost."""

    position: str
    outcome: Outcome
    text: str
    """In words."""
    best: str | None
    of: str
    """The lost position whose moves are refuted: where `best` leads, or the position itself."""
    replies: tuple[Refutation, ...]
    more: int
    """How many moves it has beyond those."""
    blocks: tuple[dict[str, Any], ...] = field(repr=False)
    """The argument part by part, as docs/service.md describes them."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class About:
    """A table, described."""

    title: str
    """The rules in words."""
    game: Literal["expanding", "heaps"]
    rules: dict[str, Any]
    positions: int
    wins: int
    """How many positions are won for the player to move."""
    deepest: int | None
    """The greatest depth; None if the table holds no depths."""
    start: str
    """The greatest start that the table covers."""
    bytes: int
    """Length of the file."""
    digest: str
    """64 hexadecimal digits that name the table."""
