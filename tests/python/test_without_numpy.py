"""Everything but arrays of NumPy works without it. To be run with BOUTON_WITHOUT_NUMPY set."""

import os
from array import array

import bouton
import pytest

pytestmark = pytest.mark.skipif("BOUTON_WITHOUT_NUMPY" not in os.environ, reason="NumPy is there")


def test_columns_are_arrays_of_python(sticks: bouton.Table) -> None:
    answers = sticks.lookup_many({f"heap{row}": array("I", [row, 0]) for row in (1, 2, 3)})
    assert answers["won"] == array("B", [False, True])
    assert answers["depth"].typecode == "I"


def test_what_takes_numpy_says_so(sticks: bouton.Table) -> None:
    with pytest.raises(ImportError, match="pip install numpy"):
        sticks.to_numpy()
