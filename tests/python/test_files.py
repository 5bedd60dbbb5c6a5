"""Errors about files that cannot be read or written name the file once, with the reason and advice."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import bouton
import pytest

Write = Callable[[str], object]


@pytest.fixture(params=["save", "generate", "picture"])
def write(request: pytest.FixtureRequest, sticks: bouton.Table) -> Write:
    """Returns a function of the package that writes a file, each in turn."""
    return {
        "save": lambda path: sticks.save(path),
        "generate": lambda path: bouton.generate(path, "sticks"),
        "picture": lambda path: sticks.game_map().save(path),
    }[request.param]


def check_os_error(work: Callable[[], object], number: int, path: str, expected: str) -> None:
    """Checks that `work` fails with this error number and path, and with a text that contains the expected one."""
    with pytest.raises(OSError) as error:
        work()
    assert (error.value.errno, error.value.filename) == (number, path), repr(error.value)
    assert type(error.value) is type(OSError(number, "")), repr(error.value)
    assert expected in error.value.strerror and ".part" not in str(error.value), str(error.value)
    # The message names the path once, after the reason.
    assert str(error.value).endswith(f": {path!r}") and str(error.value).count(f": {path!r}") == 1
    assert "`" not in str(error.value), str(error.value)


def test_a_file_that_cannot_be_written_is_named_with_the_reason_and_advice(write: Write, tmp_path: Path) -> None:
    there = tmp_path / "file"
    there.write_text("a file")
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "nowhere.svg").symlink_to(tmp_path / "gone" / "x.svg")
    for name, number, expected in [
        ("no/such/t.svg", errno.ENOENT, "there is no such folder; make it first"),
        ("file/t.svg", errno.ENOTDIR, "name another file"),
        ("folder.svg", errno.EISDIR, "name a file in it"),
        ("nowhere.svg", errno.EEXIST, "a link to nothing; remove it"),
        ("x" * 300 + ".svg", errno.ENAMETOOLONG, "name another file"),
    ]:
        path = str(tmp_path / name)
        check_os_error(lambda path=path: write(path), number, path, expected)
    os.symlink("/dev/full", tmp_path / "full.svg")
    check_os_error(
        lambda: write(str(tmp_path / "full.svg")), errno.EEXIST, str(tmp_path / "full.svg"), "not a regular file"
    )
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.svg", "full.svg", "nowhere.svg"]
    assert there.read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self/attr").exists(), reason="nothing is read-only to root")
def test_a_file_in_proc_is_named_with_advice(write: Write) -> None:
    # Nobody can create a file there, not even root.
    check_os_error(lambda: write("/proc/t.svg"), errno.ENOENT, "/proc/t.svg", "there is no such folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="no folder is read-only to root")
def test_a_read_only_folder_is_named_with_advice(write: Write, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    path = str(tmp_path / "t.svg")
    check_os_error(lambda: write(path), errno.EACCES, path, "make its folder writable")


def test_a_file_that_exceeds_the_size_limit_is_not_left_behind(tmp_path: Path) -> None:
    # A limit on the length of files stands in for a full disk.
    program = """if True:
        import bouton, resource, sys
        table = bouton.solve("expanding", stones=2000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        for write in (
            lambda: table.save(sys.argv[1]),
            lambda: bouton.generate(sys.argv[1], "expanding", stones=2000),
            lambda: table.heatmap().save(sys.argv[1]),
        ):
            try:
                write()
            except OSError as error:
                print(error.errno, error.filename, error.strerror)
    """
    path = tmp_path / "t.svg"
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert ended.stdout == f"{errno.EFBIG} {path} file too large; name another file\n" * 3
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_opened_is_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = "give the path of a table that bouton.generate or Table.save wrote"
    check_os_error(lambda: bouton.open("nofile"), errno.ENOENT, "nofile", f"there is no such file; {written}")
    assert (
        str(tmp_path / "nofile")
        == file_of_error(tmp_path / "nofile")
        == file_of_error(os.fsencode(tmp_path / "nofile"))
    )
    check_os_error(lambda: bouton.open(str(tmp_path)), errno.EISDIR, str(tmp_path), "is a directory; give the path")
    check_os_error(lambda: bouton.open("a\0b"), errno.EINVAL, "a\0b", "give the path")
    with pytest.raises(TypeError):
        bouton.open(3)  # type: ignore[arg-type]


def file_of_error(path: object) -> object:
    """Returns the file name in the error about opening a missing file."""
    with pytest.raises(FileNotFoundError) as error:
        bouton.open(path)  # type: ignore[arg-type]
    return error.value.filename


def test_a_preset_name_as_a_path_gets_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = "there is no such file, but a preset of that name: bouton.solve('nim') solves it"
    check_os_error(lambda: bouton.open("nim"), errno.ENOENT, "nim", expected)
    bouton.solve("nim", heaps=1).save("nim.bouton")
    check_os_error(lambda: bouton.open("nim"), errno.ENOENT, "nim", f"{expected}, and nim.bouton is its table")
    assert bouton.solve("nim").about.game == "heaps"


def test_a_table_file_is_replaced_with_replace_only(sticks: bouton.Table, tmp_path: Path) -> None:
    path = str(tmp_path / "t.bouton")
    sticks.save(path)
    for work in (lambda: sticks.save(path), lambda: bouton.generate(path, "sticks")):
        check_os_error(work, errno.EEXIST, path, "name another one, or give replace=True")
    sticks.save(path, replace=True)
    # Pictures replace their files without asking.
    for _ in range(2):
        sticks.game_map().save(tmp_path / "p.svg")
