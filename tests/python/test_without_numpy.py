"""Without NumPy, columns are Python arrays, and `to_numpy` asks for NumPy. Run this file with BOUTON_WITHOUT_NUMPY set."""

import os
from array import array

import bouton
import pytest

pytestmark = pytest.mark.skipif("BOUTON_WITHOUT_NUMPY" not in os.environ, reason="NumPy is there")


def test_columns_are_python_arrays(sticks: bouton.Table) -> None:
    answers = sticks.lookup_many({f"heap{row}": array("I", [row, 0]) for row in (1, 2, 3)})
    assert answers["won"] == array("B", [False, True])
    assert answers["depth"].typecode == "I"


def test_functions_that_need_numpy_ask_to_install_it(sticks: bouton.Table) -> None:
    with pytest.raises(ImportError, match="pip install numpy"):
        sticks.to_numpy()
