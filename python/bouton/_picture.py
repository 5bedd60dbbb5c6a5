"""Pictures."""

from __future__ import annotations

import os

from . import _arguments, _native


class Picture:
    """A picture, which Jupyter displays."""

    def __init__(self, drawn: _native.Picture) -> None:
        self._drawn = drawn

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._drawn.svg()

    def png(self, scale: int = 2) -> bytes:
        """Returns the picture as PNG, enlarged by `scale`."""
        return self._drawn.png(_arguments.number("scale", scale, 1, 2**32 - 1))

    def pdf(self) -> bytes:
        """Returns the picture as PDF, with an embedded font."""
        return self._drawn.pdf()

    def tikz(self) -> str:
        r"""Returns the picture as a `tikzpicture`, for `\input` in a LaTeX document."""
        return self._drawn.tikz()

    def sized(self, size: str) -> Picture:
        """Returns the picture scaled to fit another size.

        Args:
            size: Width and height in pixels, as in `"1600x900"`, or in millimetres, as in `"180x120mm"`. Millimetres are exact in PDF
                and LaTeX; a PNG has `scale` times as many pixels.
        """
        return Picture(self._drawn.sized(size))

    def save(self, path: str | os.PathLike[str], scale: int = 2) -> None:
        """Writes the picture to a file that ends in .svg, .png, .pdf or .tex; `scale` is for PNG.

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
