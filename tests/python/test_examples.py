"""The examples in python/examples work as documented."""

import os
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
from conftest import run

EXAMPLES = Path(__file__).parents[2] / "python" / "examples"


def test_the_bot_wins_its_match() -> None:
    bot = f"mine=exec:{sys.executable} {EXAMPLES / 'bot.py'}"
    played = run("bouton-match", "play", bot, "random", "--games", "2", "--clock", "none", "--seed", "1")
    assert played.splitlines()[-1] == "mine 2 : 0 random"


def test_the_notebook_runs_to_its_end() -> None:
    notebook = nbformat.read(EXAMPLES / "nim-with-a-pass.ipynb", 4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300).execute()
    shown = [list(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert ["text/plain", "text/html"] in shown and ["text/plain", "image/svg+xml"] in shown


def test_the_plot_is_drawn(tmp_path: Path) -> None:
    command = [sys.executable, EXAMPLES / "plot.py", tmp_path / "density.png"]
    subprocess.run(command, check=True, env={**os.environ, "MPLBACKEND": "agg"})
    assert (tmp_path / "density.png").read_bytes().startswith(b"\x89PNG")
