"""Typical uses of the package and typical mistakes, with threads, processes and Ctrl-C."""

import copy
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path

import bouton
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_a_with_block_closes_its_table(sticks: bouton.Table, tmp_path: Path) -> None:
    sticks.save(tmp_path / "s.bouton")
    with bouton.open(tmp_path / "s.bouton") as table:
        assert table.lookup("3,5,7").won and not table.closed
    assert table.closed and repr(table) == "<bouton.Table, closed>"
    with pytest.raises(ValueError, match="closed"):
        table.lookup("3,5,7")


def test_tables_can_be_pickled_and_copied(sticks: bouton.Table) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        answers = list(processes.map(sticks.lookup, ["3,5,7", "1,2,3"]))
    assert answers == [sticks.lookup("3,5,7"), sticks.lookup("1,2,3")]
    again = copy.deepcopy(sticks)
    assert again.about == sticks.about
    content, damaged = sticks._native.content(), bytearray(pickle.dumps(sticks))
    damaged[damaged.index(content) + len(content) // 2] ^= 1
    with pytest.raises(bouton.TableError):
        pickle.loads(bytes(damaged))
    sticks_closed = bouton.solve("sticks")
    sticks_closed.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(sticks_closed)


def test_a_forked_process_solves() -> None:
    # A forked process has none of its parent's threads, which could cause a deadlock. So the program runs in a process
    # of its own, with a timeout.
    program = """
import multiprocessing, bouton
def lost(size):
    table = bouton.solve("nim", heaps=3, size=size)
    table.verify()
    return len(table.to_numpy("outcome=loss"))
here = [lost(size) for size in (5, 6, 7)]
with multiprocessing.get_context("fork").Pool(2) as processes:
    assert processes.map(lost, [5, 6, 7]) == here, here
assert lost(5) == here[0]
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)


def test_a_failed_save_leaves_the_file_as_it_was(sticks: bouton.Table, tmp_path: Path) -> None:
    path = tmp_path / "s.bouton"
    sticks.save(path)
    content = path.read_bytes()
    closed = bouton.solve("sticks")
    closed.close()
    for replace in (False, True):
        with pytest.raises(ValueError, match="closed"):
            closed.save(path, replace=replace)
    with pytest.raises(FileExistsError, match="replace=True"):
        sticks.save(path)
    with pytest.raises(ValueError, match="closed"):
        closed.save(tmp_path / "other.bouton")
    with pytest.raises(OSError):
        sticks.save(tmp_path / "missing" / "s.bouton")
    with pytest.raises(ValueError, match="closed"), closed:
        pass
    assert path.read_bytes() == content and list(tmp_path.iterdir()) == [path]
    sticks.save(path, replace=True)
    assert path.read_bytes() == content


def test_a_table_describes_itself(sticks: bouton.Table) -> None:
    about = sticks.about
    assert (about.game, about.positions, about.start, len(about.digest)) == (
        "heaps",
        88,
        "3,5,7",
        64,
    )
    assert "88 positions" in repr(sticks) and "misère" in sticks._repr_html_()
    assert 'play = "misere"' in sticks.rules
    assert "sticks" in bouton.presets() and bouton.rules("sticks", passes=1) != bouton.rules("sticks")


def test_rules_can_be_files_and_texts(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(bouton.rules("sticks", bounds=[2, 3]))
    assert bouton.solve(tmp_path / "own.toml", play="normal").lookup("2,3").best == "2:1"
    for name in ("sticks", "expanding"):
        assert bouton.rules(bouton.rules(name)) == bouton.rules(name)
    table = bouton.solve(bouton.rules("sticks", bounds=[2, 3]), play="normal")
    assert table.lookup("2,3").best == "2:1" and bouton.solve(table.rules).rules == table.rules
    with pytest.raises(bouton.RulesError, match="the text of rules"):
        bouton.solve("game = 'heaps'\nheap = 3\n")


def test_a_position_has_moves_a_line_of_play_and_an_argument(sticks: bouton.Table) -> None:
    answer = sticks.lookup("1,1,2", moves=True, lost="trap")
    assert answer.moves and {move.move for move in answer.moves} == {
        "1:1",
        "2:1",
        "3:1",
        "3:2",
    }
    assert answer.moves[0].outcome == "win"
    line = sticks.line("3,5,7")
    assert line.finished and len(line.plies) == line.depth == 14 and line.plies[-1].position == "0,0,0"
    assert [ply.move for ply in sticks.line("3,5,7", plies=3).plies] == list(line.moves[:3])
    why = sticks.why("1,2,3")
    assert why.outcome == "loss" and why.replies and "Bouton (1901)" in str(why)


def test_tables_are_compared(sticks: bouton.Table) -> None:
    other = bouton.solve("sticks", play="normal")
    found = sticks.diff(other, limit=2)
    assert found["different"] > 0 and len(found["first"]) == 2
    assert sticks.diff(sticks)["different"] == 0
    with pytest.raises(bouton.QuestionError, match="one family"):
        sticks.diff(bouton.solve("expanding", stones=20))


def test_pictures_are_drawn_and_written_in_each_format(sticks: bouton.Table, tmp_path: Path) -> None:
    picture = bouton.solve("wythoff", size=20).heatmap("depth")
    assert picture._repr_svg_().startswith("<svg ")
    for name, begin in (("p.svg", b"<svg "), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF-"), ("p.tex", b"% ")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begin)
    with pytest.raises(ValueError, match=r"\.svg, \.png, \.pdf or \.tex"):
        picture.save(tmp_path / "p.gif")
    assert sticks.game_map("1,2").svg == sticks.game_map((1, 2)).svg
    with pytest.raises(bouton.PositionError, match="^heaps: found 9,9,0"):
        sticks.game_map((9, 9))
    assert sticks.diff_map(bouton.solve("sticks", play="normal"), "heaps=*,*,1").svg.startswith("<svg ")
    assert 'width="800" height="600"' in sticks.heatmap(where="heaps=*,*,1", aspect="2:1").sized("800x600").svg
    with pytest.raises(bouton.QuestionError, match="found 'wide'"):
        sticks.heatmap(where="heaps=*,*,1", aspect="wide")
    with pytest.raises(bouton.QuestionError, match="'depth'"):
        sticks.heatmap("colour")  # type: ignore[arg-type]


def test_players_choose_legal_moves_and_the_table_wins(sticks: bouton.Table) -> None:
    for name in (
        "table",
        "table:trap",
        "table:longest",
        "random",
        "greedy",
        "minimax:2",
        "table:adapt",
    ):
        player = sticks.player(name, seed=3)
        for at in sticks:
            answer = sticks.lookup(at.position, moves=True)
            if answer.best is None:
                with pytest.raises(bouton.PositionError, match="no move is left"):
                    player.choose(at.position)
                continue
            move = player.choose(at.position)
            outcomes = {known.move: known.outcome for known in answer.moves or ()}
            assert move in outcomes
            assert outcomes[move] == answer.outcome or not name.startswith("table")
    with pytest.raises(bouton.PlayerError, match="players are random, greedy") as refused:
        sticks.player("nobody")
    assert "human" not in str(refused.value)
    with pytest.raises(bouton.PlayerError, match="terminal"):
        sticks.player("human")


def test_a_player_learns_from_reported_moves(sticks: bouton.Table) -> None:
    player = sticks.player("table:adapt")
    player.begin("3,5,7", first=False, seed=1)
    player.saw("3,5,7", "3:7", own=False)
    assert player.choose("3,5,0") == player.choose((3, 5, 0)) == sticks.lookup("3,5,0").best
    with pytest.raises(bouton.PositionError, match="legal moves"):
        player.saw("1,0,0", "1:2", own=True)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"stones": 0}, "stones = 0"),
        ({"colour": 3}, "unknown key 'colour'"),
        ({"resets": [1, 2, 3]}, "resets"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, object], expected: str) -> None:
    with pytest.raises(bouton.RulesError, match=expected):
        bouton.solve("expanding", **settings)  # type: ignore[arg-type]
    with pytest.raises(bouton.RulesError, match="no preset 'chess'"):
        bouton.solve("chess")
    with pytest.raises(TypeError, match="stones: found 1.5"):
        bouton.solve("expanding", stones=1.5)


def test_invalid_positions_are_refused(sticks: bouton.Table) -> None:
    for wrong in ("", "3,5,x", "9,9,9", "3,5,7/1", "1" * 100_000):
        with pytest.raises(bouton.PositionError) as error:
            sticks.lookup(wrong)
        assert len(str(error.value)) < 500
    with pytest.raises(bouton.QuestionError, match="'trap'"):
        sticks.lookup("3,5,7", lost="slowly")  # type: ignore[arg-type]


def test_invalid_columns_are_refused(sticks: bouton.Table) -> None:
    three = {name: np.array([1, 2]) for name in sticks.columns}
    for change, expected in [
        ({"heap2": np.array([1, 2, 3])}, "'heap2' has 3 items"),
        (
            {"heap4": np.array([1, 2])},
            "no column 'heap4'; positions have heap1, heap2, heap3",
        ),
        ({"heap1": np.array([1.0, 2.0])}, "whole numbers"),
        ({"heap1": np.array([[1, 2]])}, "2 dimensions"),
        ({"heap1": np.array([1, 2], ">u4")}, "other byte order"),
    ]:
        with pytest.raises(bouton.ColumnError, match=expected):
            sticks.lookup_many(three | change)
    with pytest.raises(bouton.ColumnError, match="'heap3' is missing"):
        sticks.lookup_many({"heap1": np.array([1]), "heap2": np.array([1])})
    with pytest.raises(bouton.PositionError, match="row 1: heap1: found -1, expected a number"):
        sticks.lookup_many(three | {"heap1": np.array([1, -1])})
    # Also with a cache, which has no cell for such a position.
    sticks.lookup_many({name: np.ones(1000, np.uint8) for name in sticks.columns})
    for wrong in (8, 1 << 29, 2**32 - 1):
        with pytest.raises(bouton.PositionError, match="row 1"):
            sticks.lookup_many(three | {"heap3": np.array([1, wrong])})
    with pytest.raises(bouton.PositionError, match="row 1500"):
        sticks.lookup_many({name: np.repeat([1, 7], [1500, 500]) for name in sticks.columns})
    for out, expected in [
        ({"won": np.empty(2, np.uint32)}, "bool or uint8"),
        ({"depth": np.empty(2, np.int32)}, "uint32"),
        ({"colour": np.empty(2, bool)}, "answers have won, depth, winning, take1"),
        ({"won": np.empty(3, bool)}, "3 items"),
        ({"won": np.frombuffer(b"ab", np.uint8)}, "cannot be written"),
    ]:
        with pytest.raises(bouton.ColumnError, match=expected):
            sticks.lookup_many(three, out=out)
    with pytest.raises(bouton.ColumnError, match="'heap1' is missing"):
        sticks.lookup_many({})
    empty = sticks.lookup_many({name: np.array([], np.int64) for name in sticks.columns})
    assert all(len(column) == 0 for column in empty.values())


def test_omitted_columns_default_as_in_notation() -> None:
    table = bouton.solve("expanding", stones=40)
    answers = table.lookup_many({"stones": np.arange(1, 41), "currentmax": np.zeros(40, np.uint8)})
    assert answers["won"].tolist() == [table.lookup(f"{stones}/0").won for stones in range(1, 41)]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_heaps_in_any_order_have_one_answer(data: st.DataObject) -> None:
    bounds = sorted(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    take = data.draw(
        st.one_of(
            st.just("any"),
            st.integers(1, 9),
            st.lists(st.integers(1, 9), min_size=1, unique=True),
        )
    )
    play = data.draw(st.sampled_from(["normal", "misere"]))
    take = sorted(take) if isinstance(take, list) else take
    table = bouton.solve("nim", bounds=bounds, take=take, play=play, heaps_per_move=1)
    heaps = [data.draw(st.integers(0, bound)) for bound in bounds]
    answers = [table.lookup(",".join(map(str, order))) for order in permutations(heaps)]
    assert len({(answer.outcome, answer.depth, len(answer.winning)) for answer in answers}) == 1
    # By definition, a position is won if some move leads to a lost one.
    allowed = range(1, 10) if take == "any" else range(1, take + 1) if isinstance(take, int) else take
    after = [
        ",".join(map(str, [*heaps[:row], heap - amount, *heaps[row + 1 :]]))
        for row, heap in enumerate(heaps)
        for amount in allowed
        if amount <= heap
    ]
    won = any(not table.lookup(position).won for position in after) if after else play == "misere"
    assert answers[0].won == won


def test_missing_existing_and_damaged_files_are_refused(sticks: bouton.Table, tmp_path: Path) -> None:
    path = tmp_path / "t.bouton"
    with pytest.raises(FileNotFoundError, match=r"bouton\.generate") as error:
        bouton.open(path)
    assert error.value.filename == str(path)
    sticks.save(path)
    with pytest.raises(FileExistsError):
        sticks.save(path)
    with pytest.raises(FileExistsError, match="replace=True"):
        bouton.generate(path, "sticks")
    bouton.generate(path, "sticks", replace=True).verify()
    valid = path.read_bytes()
    for offset in range(0, len(valid), 7):
        path.write_bytes(valid[:offset] + bytes([valid[offset] ^ 4]) + valid[offset + 1 :])
        with pytest.raises(bouton.TableError, match=r"t\.bouton"):
            bouton.open(path)
    path.write_bytes(b"not a table")
    with pytest.raises(bouton.TableError, match="not a Bouton table"):
        bouton.open(path)
    with pytest.raises(IsADirectoryError):
        bouton.open(tmp_path)


def test_progress_is_reported_and_its_exceptions_propagate(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    table = bouton.solve("nim", heaps=6, size=31, progress=lambda *now: calls.append(now))
    assert calls and all(0 <= done <= steps for _, done, steps in calls)
    table.verify(progress=lambda *now: calls.append(now))
    assert "verifying" in {phase for phase, _, _ in calls}

    def stop(phase: str, done: int, steps: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bouton.generate(
            tmp_path / "t.bouton",
            "expanding",
            stones=30_000_000,
            depths=False,
            progress=stop,
        )
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_stops_generate_and_leaves_no_file(tmp_path: Path) -> None:
    program = """if True:
        import bouton, sys
        print("begun", flush=True)
        bouton.generate(sys.argv[1], "expanding", stones=10_000_000, depths=False)
    """
    running = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "t.bouton")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout and running.stdout.readline() == b"begun\n"
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, trace = running.communicate(timeout=60)
    assert b"KeyboardInterrupt" in trace and running.returncode != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "question",
    [
        "table.to_numpy('heaps=*,3000..3999')",
        "table.to_numpy('heaps=3990..,* winning=1')",
        "table.to_numpy('heaps=3990..,*', grundy=True)",
        "table.heatmap('winning', 'heaps=2000..3400,2000..3400')",
        "table.heatmap('grundy', 'heaps=2000..3400,2000..3400')",
        "table.diff(table)",
        "table.diff(bouton.solve('wythoff', size=3999, take=3990))",
    ],
)
def test_ctrl_c_stops_questions_to_whole_tables(question: str) -> None:
    program = f"""if True:
        import bouton, os, signal, threading
        table = bouton.solve("wythoff", size=3999)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        {question}
        print("not stopped")
    """
    # Without Ctrl-C, each of these questions would take much longer.
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=60)
    assert b"KeyboardInterrupt" in ended.stderr and ended.returncode != 0 and not ended.stdout


def test_questions_do_not_wait_for_long_questions_of_other_threads() -> None:
    program = """if True:
        import bouton, os, signal, threading, time
        table, small = bouton.solve("wythoff", size=3999), bouton.solve("sticks")
        for _ in range(2):
            threading.Thread(target=table.heatmap, args=("winning", "heaps=..1400,..1400"), daemon=True).start()
        time.sleep(0.5)
        small.to_numpy(), small.diff(small), small.verify(), small.heatmap(where="heaps=3,*,*"), bouton.solve("nim-pass")
        print("all", flush=True)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            table.to_numpy("winning=1")
        except KeyboardInterrupt:
            print("stopped", flush=True)
        print(len([thread for thread in threading.enumerate() if thread.daemon]), "still run", flush=True)
        os._exit(0)
    """
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)
    # The heat maps of the other threads take minutes.
    assert ended.stdout.decode().split("\n") == ["all", "stopped", "2 still run", ""]


def test_a_game_too_large_for_memory_is_refused_at_once() -> None:
    with pytest.raises(MemoryError, match="smaller game"):
        bouton.solve("nim-pass", heaps=12, size=200)


def test_other_threads_run_during_lookup_many(sticks: bouton.Table) -> None:
    table = bouton.solve("expanding", stones=200)
    stones = np.random.default_rng(1).integers(0, 201, 3_000_000)
    columns = {"stones": stones, "currentmax": np.zeros_like(stones)}
    counted, done = 0, threading.Event()

    def work() -> None:
        table.lookup_many(columns)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 1


def test_the_misere_quotient_gives_every_outcome() -> None:
    for table in [bouton.solve("sticks"), bouton.solve("subtraction", bounds=[9, 9, 9], play="misere")]:
        found = table.quotient()
        for verdict in table:
            heaps = map(int, verdict.position.split(","))
            element = 0
            for heap in heaps:
                element = found.products[element][found.heaps[heap]]
            assert (element in found.lost) == (verdict.outcome == "loss"), verdict
    with pytest.raises(bouton.QuestionError, match="without passes"):
        bouton.solve("nim-pass", size=3).quotient()
