"""Asks a running service through the client that openapi-python-client makes."""

import sys

sys.path.insert(0, ".")
from bouton_client import Client
from bouton_client.api.default import lookup, lookup_many, map_, state, tables, why
from bouton_client.models import Answer, BoardState, ProblemBody, WhyAnswer

client = Client(base_url=sys.argv[1])

names = [table.name for table in tables.sync(client=client).tables]
assert "sticks" in names, names

answer = lookup.sync("sticks", client=client, position="3,5,7", moves=True)
assert isinstance(answer, Answer), answer
assert answer.outcome == "win" and answer.best in answer.winning, answer
assert answer.moves[0].move == answer.best and answer.moves[0].depth_after == answer.depth - 1, answer.moves

answers = lookup_many.sync("sticks", client=client, body=["3,5,7", "nonsense"])
assert answers[0].best == answer.best and "nonsense" in answers[1].position, answers

board = state.sync("sticks", client=client, position="2,5,7")
assert isinstance(board, BoardState), board
assert board.heaps == [2, 5, 7] and board.outcome == "loss" and board.moves[0].to, board
board = state.sync("expanding", client=client, position="217/9/1/4,3/-")
assert board.pile.stones == 217 and not board.over, board

argument = why.sync("nim", client=client, position="1,2,3")
assert isinstance(argument, WhyAnswer), argument
assert [block.kind for block in argument.blocks][0] == "theorem" and argument.replies, argument

part = map_.sync("sticks", client=client, position="2,5,7")
assert part.outcomes[part.y.at - part.y.from_][part.x.at - part.x.from_] == "L", part

problem = lookup.sync("sticks", client=client, position="nonsense")
assert isinstance(problem, ProblemBody), problem
assert problem.status == 400 and problem.type_ == "urn:bouton:bad-position", problem

print("the client for Python works")
