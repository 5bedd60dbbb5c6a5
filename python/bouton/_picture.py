"""Pictures."""

from __future__ import annotations

import os

from . import _given, _native


class Picture:
    """A picture. Jupyter shows it."""

    def __init__(self, drawn: _native.Picture) -> None:
        self._drawn = drawn

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._drawn.svg()

    def png(self, scale: int = 2) -> bytes:
        """The picture as PNG, so many times as large."""
        return self._drawn.png(_given.number("scale", scale, 1, 2**32 - 1))

    def pdf(self) -> bytes:
        """The picture as PDF, with its font in it."""
        return self._drawn.pdf()

    def tikz(self) -> str:
        r"""The picture as a `tikzpicture`, which a paper written in LaTeX includes with `\input`."""
        return self._drawn.tikz()

    def sized(self, size: str) -> Picture:
        """The picture in another size, as large as there is room for.

        Args:
            size: Width and height in pixels, as in `"1600x900"`, or in millimetres, as in `"180x120mm"`, which are exact in PDF and
                LaTeX; a PNG has `scale` times as many pixels.
        """
        return Picture(self._drawn.sized(size))

    def save(self, path: str | os.PathLike[str], scale: int = 2) -> None:
        """Writes the picture to a file, which ends in .svg, .png, .pdf or .tex; `scale` is for PNG.

        A file that is there is replaced. The new one is written whole, or not at all.

        Raises:
            OSError: The file cannot be written.
            ValueError: It has another ending.
        """
        name = _given.path(path)
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
