#!/usr/bin/env python3
"""A bot to copy and to change. It makes random legal moves, but never resets, and takes from one heap only.

    bouton-match play "bot:python3 template.py" greedy

docs/bots.md describes what the bot and bouton-match say to each other. Your strategy goes into `choose`.
"""

import json
import random
import sys


def choose(game, position, rng):
    """A legal move. `game` is the rules, as docs/rules.md lists them; `rng` makes random choices."""
    if game["game"] == "expanding":
        return expanding_move(game["rules"], position, rng)
    return heaps_move(game["rules"], position, rng)


def expanding_move(rules, position, rng):
    """The position is STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED, a move STONES, or STONESr to impose a reset."""
    stones, currentmax, _turn, _resets, imposed = position.split("/")
    limit = max(rules["base-limit"], int(currentmax) + rules["growth"])
    if imposed == "r":
        limit = rules["reset-limit"]
    return str(rng.randint(1, min(limit, int(stones))))


def heaps_move(rules, position, rng):
    """The position is HEAP,HEAP,... and /PASSES if the rules have any, a move is ROW:STONES or `pass`."""
    heaps = [int(heap) for heap in position.split("/")[0].split(",")]
    rows = [(row, amounts(rules["take"], heap)) for row, heap in enumerate(heaps, start=1)]
    rows = [(row, allowed) for row, allowed in rows if allowed]
    # Never reached: if no stone can be taken, the game is over. While passes are left, a bot may also pass.
    if not rows:
        return "pass"
    row, allowed = rng.choice(rows)
    return f"{row}:{rng.choice(allowed)}"


def amounts(take, heap):
    """The numbers of stones that may be taken from a heap. `take` is "any", the maximum, or a list."""
    if isinstance(take, list):
        return [stones for stones in take if stones <= heap]
    return range(1, (heap if take == "any" else min(take, heap)) + 1)


def main():
    # With `pairing`, one process plays all games against the same opponent; otherwise, each game has its own.
    ready = "ready 1 pairing" if "pairing" in sys.argv[1:] else "ready 1"
    game = rng = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "bouton":
            say(ready)
        elif word == "newgame":
            # SIDE, then a name and a value in turn; the last name is `rules`, and its value the rest of the line. An
            # opponent may have the name `rules`, too.
            _side, *pairs, _rules, rules = rest.split(" ", 8)
            settings = dict(zip(pairs[::2], pairs[1::2]))
            game = json.loads(rules)
            rng = random.Random(int(settings["seed"]))
        elif word == "position":
            position, _clock, _ours, _theirs, _after, _move = rest.split()
            say(choose(game, position, rng))
        elif word == "result":
            pass  # A bot that learns does so here.
        elif word == "quit":
            break


def say(line):
    # Without the flush, the line would wait in a buffer.
    print(line, flush=True)


if __name__ == "__main__":
    main()
