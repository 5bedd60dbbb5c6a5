"""Solves games, and answers questions from the tables of solved games."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from . import _arguments, _native
from ._answers import About, Answer, Argument, LegalMove, Line, Ply, Quotient, Refutation, Verdict
from ._errors import PositionError, QuestionError, RulesError
from ._picture import Picture
from ._player import Player

if TYPE_CHECKING:
    import numpy as np

Columns = Mapping[str, Any]
"""Arrays of numbers by name: NumPy arrays, or other objects with the buffer protocol."""

Position = str | Sequence[int]
"""A position in notation; or, in heap games, the sizes of its heaps."""

Progress = Callable[[str, int, int], object]
"""A callback `progress(phase, done, total)`: the phase is solving, packing, writing or verifying, the numbers count its steps."""

Policy = Literal["longest", "fastest", "trap"]
"""The policy for lost positions: `"longest"` and `"fastest"` choose the move that loses latest, `"trap"` the move that leaves the
opponent the smallest fraction of winning replies."""

_POSITIONS_PER_CALL = 4096
"""Number of positions that an iterator reads at a time."""


def _numpy() -> Any:
    """Imports NumPy."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("this needs NumPy, which is not installed; install it: pip install numpy") from error
    return numpy


def presets() -> list[str]:
    """Returns the names of the presets.

    >>> "expanding" in presets()
    True
    """
    return _native.presets()


def rules(rules: str | os.PathLike[str] = "expanding", **settings: object) -> str:
    """Returns the ruleset of a preset or a TOML file, with changed settings, as the text of a TOML file.

    >>> print(rules("sticks", play="normal").splitlines()[0])
    game = "heaps"       # heaps of stones; heaps in another order are the same position
    """
    name = _arguments.path(rules)
    return _native.read_rules(name, _arguments.settings(settings))


def solve(
    rules: str | os.PathLike[str] = "expanding",
    *,
    depths: bool = True,
    progress: Progress | None = None,
    **settings: object,
) -> Table:
    """Solves a game in memory.

    Args:
        rules: A preset (see :func:`presets`), the path of a TOML file, or its text, as :func:`rules` returns it.
        depths: Whether to compute depths.
        progress: A callback for progress. An exception from it stops the work, as Ctrl-C does.
        settings: Keys of the ruleset that differ from `rules`: `stones=500`, `heaps_per_move=2`, `take=[1, 3, 4]`.

    Raises:
        RulesError: The rules are invalid.
        MemoryError: The game is too large.

    >>> solve("sticks").lookup("3,5,7").best
    '1:1'
    """
    name = _arguments.path(rules)
    return Table(_native.solve(name, _arguments.settings(settings), depths, progress))


def open(path: str | os.PathLike[str]) -> Table:
    """Opens a table's file, and checks every byte of it.

    Raises:
        OSError: The file cannot be read.
        TableError: The file is not a table, or is damaged.
    """
    return Table(_native.open(_arguments.path(path)))


def generate(
    path: str | os.PathLike[str],
    rules: str | os.PathLike[str] = "expanding",
    *,
    depths: bool = True,
    replace: bool = False,
    progress: Progress | None = None,
    **settings: object,
) -> Table:
    """Solves a game, writes its table, and opens it. If writing fails, no file is left.

    The arguments other than `path` and `replace` are those of :func:`solve`.

    Raises:
        FileExistsError: The file exists, and `replace` is false.
        OSError: The file cannot be written.
    """
    file, name = _arguments.path(path), _arguments.path(rules)
    if file in presets() and (name == "expanding" or name not in presets()):
        raise RulesError(
            f"found the path {file!r}, the name of a preset; the path comes first: generate('{file}.bouton', {file!r})"
        )
    _native.generate(file, name, _arguments.settings(settings), depths, replace, progress)
    return open(path)


class Table:
    """A solved game: outcome, depth and moves of every position.

    :func:`solve`, :func:`open` and :func:`generate` return tables. Iterating over a table yields every position with its outcome and
    depth; `len` is the number of these positions. In Expanding Nim, positions with player 1 and with player 2 to move both count. A
    `with` statement closes the table at its end. Tables can be pickled, for example for the processes of :mod:`multiprocessing`.
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native

    def close(self) -> None:
        """Closes the file. Every later question raises ValueError."""
        self._native.close()

    @property
    def closed(self) -> bool:
        """Whether the table is closed."""
        return self._native.closed

    def __enter__(self) -> Self:
        # Raises ValueError if the table is closed.
        len(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Verdict]:
        first = 0
        while rows := self._native.walk(first, _POSITIONS_PER_CALL):
            for position, won, depth in rows:
                yield Verdict(position, "win" if won else "loss", depth)
            first += len(rows)

    def __contains__(self, position: object) -> bool:
        """Returns whether the table covers a position."""
        try:
            self.lookup(position.position if isinstance(position, Verdict) else position)  # type: ignore[arg-type]
        except (TypeError, PositionError):
            return False
        return True

    @property
    def about(self) -> About:
        """The description of the table: rules, size, start, digest."""
        about: Any = self._native.about("")
        return About(**{name: about.get(name) for name in About.__dataclass_fields__})

    @property
    def rules(self) -> str:
        """The ruleset, as the text of a TOML file."""
        return self._native.rules_toml()

    def __repr__(self) -> str:
        if self.closed:
            return "<bouton.Table, closed>"
        about = self.about
        depths = "" if about.deepest is None else f", up to {about.deepest} plies"
        return f"<bouton.Table: {about.title}; {about.positions:,} positions, {about.wins:,} of them won{depths}>"

    def _repr_html_(self) -> str:
        if self.closed:
            return escape(repr(self))
        about = self.about
        rows = {
            "positions": f"{about.positions:,}",
            "won": f"{about.wins:,} ({about.wins / about.positions:.1%})",
            "longest": "depths are not stored" if about.deepest is None else f"{about.deepest} plies",
            "start": about.start,
            "bytes": f"{about.bytes:,}",
            "digest": about.digest[:16] + "…",
        }
        lines = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in rows.items()
        )
        return f"<table><caption>{escape(about.title)}</caption>{lines}</table>"

    def lookup(self, position: Position, *, lost: Policy = "longest", moves: bool = False) -> Answer:
        """Returns outcome, depth, best move and winning moves of a position.

        Args:
            position: In notation: `"217/9/1/4,3/-"`, `"3,5,7"`. Heaps may also be a tuple or an array of numbers: `(3, 5, 7)`.
            lost: The policy for the best move if the position is lost.
            moves: Whether to list all legal moves with their results.

        Raises:
            PositionError: The table does not cover the position.

        >>> solve("sticks").lookup("3,5,7")
        Answer(position='3,5,7', outcome='win', depth=14, best='1:1', winning=('1:1', '2:1', '3:1'), moves=None)
        """
        return _answer(self._native.lookup(_arguments.position(position), lost, bool(moves)))

    @overload
    def lookup_many(self, positions: Iterable[Position], *, lost: Policy = "longest") -> list[Answer]: ...
    @overload
    def lookup_many(self, positions: Columns, *, out: Columns | None = None) -> dict[str, Any]: ...
    def lookup_many(
        self, positions: Any, *, lost: Policy = "longest", out: Any = None
    ) -> list[Answer] | dict[str, Any]:
        """Returns the answers for many positions.

        Args:
            positions: Positions in notation; or columns of numbers by name (see :attr:`columns`): a dictionary of arrays or lists, in
                which a single number stands for all rows; a structured NumPy array; a pandas DataFrame; or an array with a row for each
                position. Omitted columns default as in notation: all resets and passes left, player 1 to move. Arrays are not copied,
                and the GIL is released.
            lost: For positions in notation: the policy for lost positions.
            out: For columns: arrays to write to, by name. Only these columns are computed. If a position is invalid, earlier rows may
                already be written.

        Returns:
            For columns, the columns of the answers: `won`, `depth`, `winning` (number of winning moves), and the best move: `take` and
            `reset` in Expanding Nim, `take1`, `take2`, ... and `pass` in heap games; all 0 if no move is left.

        >>> [answer.won for answer in solve("sticks").lookup_many(["3,5,7", "1,2,3"])]
        [True, False]
        >>> table = solve("sticks")
        >>> from array import array
        >>> answers = table.lookup_many({"heap1": array("I", [3, 1]), "heap2": array("I", [5, 2]), "heap3": array("I", [7, 3])})
        >>> [bool(won) for won in answers["won"]]
        [True, False]
        """
        if isinstance(positions, str):
            raise TypeError(f"found one text, {positions!r}; give a list of positions, or ask lookup for one")
        columns = _arguments.columns(positions, self.columns)
        if columns is None:
            if out is not None:
                raise QuestionError(
                    "out goes with positions in columns; for positions in notation a list of answers is given"
                )
            return [self.lookup(position, lost=lost) for position in positions]
        if lost != "longest":
            raise QuestionError(
                f"lost={lost!r} goes with positions in notation; in columns the best move is that which loses latest"
            )
        if out is not None and not isinstance(out, Mapping):
            raise TypeError("out: expected a dictionary of arrays, by the names of the columns of answers")
        answers = self._empty(len(next(iter(columns.values()), ()))) if out is None else _arguments.outputs(out)
        self._native.fill(list(columns.items()), list(answers.items()))
        return answers

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of positions."""
        return tuple(self._native.columns()[0])

    def _empty(self, rows: int) -> dict[str, Any]:
        """Makes columns for the answers of `rows` positions: NumPy arrays, or arrays of Python without NumPy."""
        _, columns = self._native.columns()
        try:
            import numpy
        except ImportError:
            from array import array

            return {name: array("B" if size == 1 else "I", bytes(size * rows)) for name, size in columns}
        types = {name: numpy.bool_ if size == 1 else numpy.uint32 for name, size in columns}
        return {name: numpy.empty(rows, of) for name, of in types.items()}

    def to_numpy(self, where: str = "", *, starts: bool = False, grundy: bool = False) -> np.ndarray[Any, Any]:
        """Returns positions with their answers as a structured NumPy array, in natural order.

        Args:
            where: A filter, as for `--where` of the programs: `stones=1..200 turn=1 outcome=loss` or `heaps=3,* outcome=win`.
            starts: Whether to select only positions from which a game can start.
            grundy: Whether to add the column `grundy` of Grundy values; in misère play, the column `genus`.

        Strings in the array are bytes: `rows[rows["outcome"] == b"loss"]`.
        """
        array: np.ndarray[Any, Any] = _numpy().load(io.BytesIO(self._native.rows(where, starts, grundy)))
        return array

    def grundy(self, position: Position) -> int:
        """Computes the Grundy value of a position from the rules: the size of the Nim heap to which it is equivalent in sums of games.

        Raises:
            QuestionError: The game is in misère play, where positions have a genus instead.
            TooMuchError: More than 100 million positions come before it.

        >>> solve("wythoff").grundy("3,5")
        0
        """
        return self._native.grundy(_arguments.position(position))

    def genus(self, position: Position) -> str:
        """Computes the genus of a position in misère play from the rules.

        The number before the ``^`` is the Grundy value in normal play. The first number after the ``^`` is the size of the Nim heap next
        to which the position is lost (0 if the position is lost alone). The next numbers are the same with one, two, ... further heaps of
        two stones; the last two numbers alternate forever.

        Raises:
            QuestionError: The game is in normal play, where the Grundy value suffices.
            TooMuchError: More than 20 million positions come before it.

        >>> solve("sticks").genus("0,2,2")
        '0^02'
        """
        return self._native.genus(_arguments.position(position))

    def quotient(self) -> Quotient:
        """Returns the quotient of a game in which a move takes from one heap, without passes: the finite monoid that decides it.

        In misère play, this is Plambeck's misère quotient. It is proved for any number of heaps, up to the greatest size in the table.

        Raises:
            QuestionError: No quotient is known for such a game, or it is too large to list.

        >>> found = solve("sticks").quotient()
        >>> found.elements, [found.elements[place] for place in found.lost]
        (['1', 'a', 'b', 'ab', 'c', 'ac', 'bc', 'abc', 'b^2', 'ab^2'], ['a', 'b^2'])
        """
        return Quotient(**self._native.quotient())

    def line(self, position: Position, *, lost: Policy = "longest", plies: int = 1000) -> Line:
        """Returns the rest of the game with best play by both players, at most `plies` moves.

        >>> solve("sticks").line("1,2").moves
        ('2:2', '1:1')
        """
        answer = self._native.line(_arguments.position(position), lost, _arguments.number("plies", plies))
        line = tuple(Ply(ply["move"], ply["position"], ply["outcome"], ply.get("depth")) for ply in answer["line"])
        return Line(answer["position"], answer["outcome"], answer.get("depth"), line, answer["finished"])

    def why(self, position: Position) -> Argument:
        """Explains why a position is won or lost.

        >>> print(solve("sticks", play="normal").why("1,2,3"))
        Bouton (1901): a position is lost if its nim-sum is 0, ...
        """
        answer = self._native.why(_arguments.position(position))
        replies = tuple(Refutation(**reply) for reply in answer["replies"])
        names = ("position", "outcome", "text", "best", "of", "more")
        return Argument(
            **{name: answer[name] for name in names},
            replies=replies,
            blocks=tuple(answer["blocks"]),
        )

    def diff(self, other: Table, *, limit: int = 10, witness: bool = True) -> dict[str, Any]:
        """Compares this table with another table of its family; returns the object that `bouton diff --json` prints.

        Args:
            other: The other table.
            limit: The maximum number of different positions to list.
            witness: Whether to search for a line of play to a position with a different outcome, which can take long.
        """
        limit = _arguments.number("limit", limit)
        found: dict[str, Any] = json.loads(self._native.diff(_native_of(other), ("A", "B"), limit, witness))
        return found

    def heatmap(
        self,
        of: Literal["outcome", "depth", "winning", "grundy"] = "outcome",
        where: str = "",
        *,
        aspect: str | None = None,
    ) -> Picture:
        """Draws a plane of the table in colours.

        Args:
            of: The quantity that the colours show.
            where: A filter, as in `turn=1 resets=4,4`, that selects the plane and the positions in it that get a colour. A plane has all
                positions in which two numbers vary: stones and currentmax, or the sizes of two heaps.
            aspect: The ratio of a cell's width to its height, as in `"3:1"`. By default, cells of heap games are squares; cells of Expanding
                Nim have a shape that lets the plane fill up to 1000 by 400 units.
        """
        return Picture(_native.draw_heatmap(self._native, of, where, aspect))

    def game_map(self, position: Position | None = None) -> Picture:
        """Draws all positions and moves of a small game that can be reached from a position, by default from the start."""
        start = None if position is None else _arguments.position(position)
        return Picture(_native.draw_map(self._native, start))

    def diff_map(self, other: Table, where: str = "", *, aspect: str | None = None) -> Picture:
        """Draws a plane of the differences between this table and another one; `where` and `aspect` are as for :meth:`heatmap`."""
        return Picture(_native.draw_diff(self._native, _native_of(other), where, aspect))

    def verify(self, *, progress: Progress | None = None) -> None:
        """Proves the table right by checking every position against its successors.

        Raises:
            WrongTableError: The table is wrong; the message names a position.
        """
        _native.verify(self._native, progress)

    def player(self, name: str = "table", *, seed: int = 0) -> Player:
        """Returns a player of matches, for the games that this table covers.

        Args:
            name: `"table"` wins every won position; `"table:trap"` and others name a policy for lost ones; `"greedy"`, `"random"`,
                `"minimax:3"` and `"model:..."` may lose won positions. `docs/match.md` lists all players.
            seed: The seed of random choices.
        """
        return Player(_native.Player(self._native, name, _arguments.number("seed", seed)))

    def __reduce__(self) -> tuple[Callable[[bytes], Table], tuple[bytes]]:
        """Pickles the table as the bytes of its file; unpickling checks them."""
        return _read, (self._native.content(),)

    def save(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes the table to a file. If writing fails, no partial file is left.

        Raises:
            FileExistsError: The file exists, and `replace` is false.
            OSError: The file cannot be written.
        """
        self._native.save(_arguments.path(path), replace)


def _read(content: bytes) -> Table:
    """Opens a table from the bytes of its file."""
    return Table(_native.read(content))


def _native_of(other: Table) -> _native.Table:
    """Returns the native table, after a check of the argument's type."""
    if not isinstance(other, Table):
        raise TypeError(f"found {other!r}, expected another table; bouton.open and bouton.solve give one")
    return other._native


def _answer(answer: dict[str, Any]) -> Answer:
    """Converts an answer of the native module."""
    moves = answer.get("moves")
    if moves is not None:
        moves = tuple(LegalMove(move["move"], move["outcome"], move.get("depth_after")) for move in moves)
    best, winning = answer["best"], tuple(answer["winning"])
    return Answer(answer["position"], answer["outcome"], answer.get("depth"), best, winning, moves)
