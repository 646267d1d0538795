from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchrate.limits import RESAMPLED_CELLS
from catchrate.statistics.sums import by_cluster, every_flip, flipped, on_grid, permuted, resampled


def some(rows: int, columns: int = 2, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, columns))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.randoms())
def test_sums_of_what_stands_on_the_grid_are_exact_in_any_order(values, random):
    column = on_grid(np.array(values)[:, None])[:, 0]
    shuffled = list(column)
    random.shuffle(shuffled)
    assert sum(shuffled) == sum(column) == column.sum()
    assert np.abs(column - values).max() <= 1e-15 * len(values) * np.abs(values).max() + 1e-280


def test_resampled_sums_are_sums_of_rows_drawn_with_replacement():
    rows = 5
    powers = on_grid(10.0 ** np.arange(rows)[:, None])
    for total in np.concatenate(list(resampled(powers, 500, 3)))[:, 0].tolist():
        digits = [int(digit) for digit in f"{int(total):05d}"]
        assert sum(digits) == rows


def test_every_row_is_drawn_equally_often():
    counts = np.concatenate(list(resampled(np.eye(7), 20_000, 1)))
    assert counts.sum(axis=1).tolist() == [7.0] * 20_000
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 * np.sqrt(6 / 7 / 20_000)
    assert counts.var(axis=0) == pytest.approx([6 / 7] * 7, rel=0.05)


def test_every_flip_is_every_choice_of_signs_once():
    columns = on_grid(some(6))
    found = sorted(map(tuple, np.concatenate(list(every_flip(columns))).tolist()))
    expected = sorted(tuple((columns * np.array(s)[:, None]).sum(axis=0)) for s in itertools.product((1, -1), repeat=6))
    assert found == expected


def test_random_flips_are_fair_and_independent():
    signs = np.concatenate(list(flipped(np.eye(9), 20_000, 5)))
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(20_000)
    assert np.abs(signs.T @ signs / 20_000 - np.eye(9)).max() < 5 / np.sqrt(20_000)


def test_permutations_keep_each_querys_values_and_shuffle_the_runs_alike():
    columns = on_grid(np.random.default_rng(4).random((3, 8, 2)))
    sums = np.concatenate(list(permuted(columns, 6_000, 2))).transpose(1, 0, 2)
    assert sums.sum(axis=0) == pytest.approx(np.broadcast_to(columns.sum(axis=(0, 1)), (6_000, 2)))
    assert sums.mean(axis=1) == pytest.approx(np.broadcast_to(columns.sum(axis=(0, 1)) / 3, (3, 2)), rel=0.02)


@pytest.mark.parametrize("draw", [resampled, flipped], ids=["resampled", "flipped"])
def test_blocks_change_nothing_but_the_seed_does(draw):
    rows = RESAMPLED_CELLS // 100
    columns = on_grid(some(rows, 1))
    whole = list(draw(columns, 250, 7))
    assert [len(block) for block in whole] == [100, 100, 50]
    again, other = (np.concatenate(list(draw(columns, 250, seed))) for seed in (7, 8))
    assert np.concatenate(whole).tolist() == again.tolist()
    assert not set(again[:, 0]) & set(other[:, 0])


def test_clusters_add_their_rows():
    assert by_cluster(np.array([[1.0], [2.0], [4.0]]), np.array([1, 0, 1])).tolist() == [[2.0], [5.0]]
    assert by_cluster(np.array([[1.0]]), None).tolist() == [[1.0]]


def test_no_digit_depends_on_the_number_of_threads():
    code = (
        "import numpy as np, hashlib; from catchrate.statistics.sums import *; "
        "columns = on_grid(np.random.default_rng(0).random((2999, 7)));"
        "blocks = [*resampled(columns, 400, 1), *flipped(columns, 400, 1)];"
        "print(hashlib.sha256(np.concatenate(blocks).tobytes()).hexdigest())"
    )
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **dict.fromkeys(names, threads)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }
    assert len(found) == 1
