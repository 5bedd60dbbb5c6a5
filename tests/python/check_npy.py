"""Checks an exported .npy file against docs/outputs.md and against the .csv file of the same rows.

    check_npy.py FILE.npy FILE.csv FAMILY HEAPS PASSES DEPTHS WHOLE

FAMILY is "expanding" or "heaps", HEAPS the number of heaps (0 in Expanding Nim), the others "yes" or "no":
whether the ruleset has passes, whether the table has depths, and whether the rows are the whole table and not a
selection. Exits with status 1 and a message at the first difference.
"""

import ast
import csv
import os
import sys

import numpy


def fail(message):
    """Exits with status 1 and a message that names the file."""
    sys.exit(f"{sys.argv[1]}: {message}")


def expect(found, expected, what):
    if found != expected:
        fail(f"{what}: found {found!r}, expected {expected!r}")


def columns(family, heaps, passes, depths):
    """Returns names and types of the columns, without the width of the best move."""
    if family == "expanding":
        fields = [("stones", "<u4"), ("currentmax", "<u4"), ("turn", "|u1")]
        fields += [("resets1", "|u1"), ("resets2", "|u1"), ("imposed", "|u1")]
    else:
        fields = [(f"heap{n}", "<u4") for n in range(1, heaps + 1)]
        fields += [("passes", "|u1")] if passes else []
    fields += [("outcome", "|S4")]
    fields += [("depth", "<u4")] if depths else []
    return fields + [("winning", "<u4"), ("best", "|S")]


def read_csv(path, names):
    """Returns the cells, column by column, and the number of rows."""
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.reader(file, strict=True))
    expect(rows[0], names, "column names of the csv file")
    for row in rows[1:]:
        expect(len(row), len(names), f"cells in {row}")
    return [[row[i] for row in rows[1:]] for i in range(len(names))], len(rows) - 1


def check_header(path, rows, dtype):
    """Checks the bytes before the data by the description of the format. Returns the offset of the data in bytes."""
    with open(path, "rb") as file:
        expect(file.read(8), b"\x93NUMPY\x01\x00", "magic bytes and version 1.0")
        length = int.from_bytes(file.read(2), "little")
        header = file.read(length)
    start = 10 + length
    expect(start % 64, 0, f"start of the data, {start}, modulo 64")
    expect(header[-1:], b"\n", "end of the header")
    described = ast.literal_eval(header.decode("ascii"))
    expect(sorted(described), ["descr", "fortran_order", "shape"], "keys of the header")
    expect(described["fortran_order"], False, "fortran_order")
    expect(described["shape"], (rows,), "shape in the header")
    # No padding between the fields, and nothing after the rows.
    expect(dtype.itemsize, sum(dtype[name].itemsize for name in dtype.names), "bytes of a row")
    expect(os.path.getsize(path), start + rows * dtype.itemsize, "bytes of the file")
    return start


def check_dtype(dtype, fields, cells, is_whole):
    """Checks the names and types of the fields, and the width of the best move."""
    expect(dtype.names, tuple(name for name, _ in fields), "names of the fields")
    for name, kind in fields[:-1]:
        expect(dtype[name].str, kind, f"type of {name}")
    expect(dtype["best"].kind, "S", "kind of best")
    # NumPy has no text type of width 0.
    longest = max([1] + [len(best) for best in cells[-1]])
    # A selection may have the width of the whole table, even if its own moves are shorter.
    if dtype["best"].itemsize < longest or is_whole and dtype["best"].itemsize > longest:
        fail(f"best is {dtype['best'].itemsize} wide, and the longest move {longest}")


def check_values(array, fields, cells, places):
    """Compares the values in the rows of a slice."""
    for (name, kind), column in zip(fields, cells):
        found = array[name][places].tolist()
        expected = column[places]
        expected = [text.encode("ascii") for text in expected] if "S" in kind else [int(text) for text in expected]
        if found != expected:
            row = next(i for i, pair in enumerate(zip(found, expected)) if pair[0] != pair[1])
            fail(f"{name} of row {row} of {places}: found {found[row]!r}, the csv file has {expected[row]!r}")


def main():
    npy, path, family, heaps, passes, depths, whole = sys.argv[1:]
    fields = columns(family, int(heaps), passes == "yes", depths == "yes")
    cells, rows = read_csv(path, [name for name, _ in fields])

    array = numpy.load(npy, allow_pickle=False)
    expect(array.shape, (rows,), "shape")
    check_dtype(array.dtype, fields, cells, whole == "yes")
    start = check_header(npy, rows, array.dtype)
    check_values(array, fields, cells, slice(None))

    # Users map large files, so a few rows of the mapped file are compared too.
    mapped = numpy.load(npy, mmap_mode="r", allow_pickle=False)
    expect((mapped.shape, mapped.dtype), (array.shape, array.dtype), "shape and type of the mapped file")
    expect((type(mapped), mapped.offset), (numpy.memmap, start), "the mapped file")
    for places in (slice(0, 5), slice(rows // 2, rows // 2 + 5), slice(max(rows - 5, 0), rows)):
        check_values(mapped, fields, cells, places)
    print(f"{rows} rows of {array.dtype}")


main()
