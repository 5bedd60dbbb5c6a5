"""Positions and moves as people type them are understood or refused as in the programs, by the cases in tests/data/typed.json."""

import json
from pathlib import Path
from typing import Any

import bouton
import pytest

GAMES: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "data" / "typed.json").read_text())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["preset"])
def test_typed_positions_and_moves_are_understood_or_refused(game: dict[str, Any]) -> None:
    table = bouton.solve(game["preset"], **game["settings"])
    assert len(game["positions"]) > 1
    for typed, notation in game["positions"].items():
        assert table.lookup(typed).position == notation, typed
    for typed, expected in game["not-positions"].items():
        with pytest.raises(bouton.PositionError) as error:
            table.lookup(typed)
        assert expected in str(error.value), typed
    player, start = table.player("greedy"), table.about.start
    for typed in game["moves"]:
        player.saw(start, typed, own=False)
    for typed, expected in game["not-moves"].items():
        with pytest.raises(bouton.PositionError) as error:
            player.saw(start, typed, own=False)
        assert expected in str(error.value), typed
