"""Pictures."""

from __future__ import annotations

import os

from . import _arguments, _native


class Picture:
    """A picture of a table. Jupyter displays it."""

    def __init__(self, native: _native.Picture) -> None:
        self._native = native

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._native.svg()

    def png(self, scale: int = 2) -> bytes:
        """Returns the picture as PNG, enlarged by `scale`."""
        return self._native.png(_arguments.number("scale", scale, 1, 2**32 - 1))

    def pdf(self) -> bytes:
        """Returns the picture as PDF, with an embedded font."""
        return self._native.pdf()

    def tikz(self) -> str:
        r"""Returns the picture as a `tikzpicture`, for `\input` in a LaTeX document."""
        return self._native.tikz()

    def sized(self, size: str) -> Picture:
        """Returns the picture scaled to fit another size.

        Args:
            size: Width and height in pixels, as in `"1600x900"`, or in millimetres, as in `"180x120mm"`. Millimetres are exact in PDF
                and LaTeX; a PNG has `scale` times as many pixels.
        """
        return Picture(self._native.sized(size))

    def save(self, path: str | os.PathLike[str], scale: int = 2) -> None:
        """Writes the picture to a file whose name ends in .svg, .png, .pdf or .tex; `scale` is for PNG.

        An existing file is replaced. If writing fails, it is left as it was.

        Raises:
            OSError: The file cannot be written.
            ValueError: The path has another ending.
        """
        name = _arguments.path(path)
        content = {
            ".svg": lambda: self.svg.encode(),
            ".png": lambda: self.png(scale),
            ".pdf": lambda: self.pdf(),
            ".tex": lambda: self.tikz().encode(),
        }.get(os.path.splitext(name)[1])
        if content is None:
            raise ValueError(f"found '{name}'; a picture's file ends in .svg, .png, .pdf or .tex")
        _native.write_file(name, content())

    def _repr_svg_(self) -> str:
        return self.svg
