"""A bot for a match: reads positions, one on each line, and writes its moves.

    bouton-match play "mine=exec:python3 bot.py" greedy

The optional argument is the file of a table; without it, the bot first solves the preset `expanding`. It plays the best move in
won positions, and follows the policy `trap` in lost ones.
"""

import sys

import bouton

table = bouton.open(sys.argv[1]) if len(sys.argv) > 1 else bouton.solve("expanding")
for line in sys.stdin:
    answer = table.lookup(line.strip(), lost="trap")
    print(answer.best, flush=True)
