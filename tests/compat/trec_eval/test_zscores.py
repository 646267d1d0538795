from __future__ import annotations

import pytest

FILES = ("t 0 a 1\nu 0 a 1\n", "t Q0 a 1 2 tag\nu Q0 x 1 2 tag\nu Q0 a 2 1 tag\n")


@pytest.fixture
def files(file):
    return file("q", FILES[0]), file("r", FILES[1])


def test_values_become_distances_from_their_mean_and_the_summary_is_their_mean(values, file, files):
    references = file("z", "t map 0.5 0.25\nu map 0.75 0.5\nt num_ret 0 2\nu num_ret 1 0.25\n")
    found = values("-q", "-Z", references, "-m", "map", "-m", "num_ret", *files)
    assert found == {
        ("map", "t"): "2.0000",
        ("map", "u"): "-0.5000",
        ("map", "all"): "0.7500",
        ("num_ret", "t"): "0",
        ("num_ret", "u"): "4",
        ("num_ret", "all"): "4",
    }


def test_what_has_no_reference_is_minus_a_million(values, file, files):
    found = values("-q", "--Zscore", file("z", "t map 0.5 0\nu P_5 0 1\n"), "-m", "map", *files)
    assert set(found.values()) == {"-1000000.0000"}


def test_no_deviation_is_no_distance_where_the_value_is_the_mean(values, file, files):
    found = values("-q", "-Z", file("z", "t map 1 0\nu map 0.5 0\n\n"), "-m", "map", *files)
    assert set(found.values()) == {"0.0000"}


@pytest.mark.parametrize("line", ["t map 0.5", "t map 0.5 0.1 0.2", "t map x 1", "t map nan 1", "t map 1 inf"])
def test_a_line_that_is_no_reference_is_refused(trec_eval, file, files, line):
    outcome = trec_eval("-Z", file("z", f"u map 1 1\n{line}\n"), *files)
    assert outcome.code == 4
    assert "E281" in outcome.err
    assert "z:2" in outcome.err
