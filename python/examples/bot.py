"""A bot for a match: reads positions, one a line, and writes its moves.

    bouton-match play "mine=exec:python3 bot.py" greedy

With a table's file as its argument it plays from that; otherwise it solves the tournament's game first. It plays won positions as the
table says, and in lost ones sets traps.
"""

import sys

import bouton

table = bouton.open(sys.argv[1]) if len(sys.argv) > 1 else bouton.solve("expanding")
for line in sys.stdin:
    answer = table.lookup(line.strip(), lost="trap")
    print(answer.best, flush=True)
