from __future__ import annotations

import pytest

from catchrate.compat.trec_eval import preferences
from catchrate.compat.trec_eval.rows import PREFERENCE_MEASURES

RUN = "t Q0 a 1 9 tag\nt Q0 b 2 8 tag\nt Q0 c 3 7 tag\n"


def _lines(text: str) -> str:
    return "".join(f"t {row}\n" for row in text.split(", "))


def _values(values, file, prefs: str, *names: str) -> list[str]:
    options = [part for name in names for part in ("-m", name)]
    found = values("-R", "prefs", *options, file("p", _lines(prefs)), file("r", RUN))
    return [found[name, "all"] for name in names]


def test_a_preference_is_fulfilled_by_the_order_or_by_the_absence_of_the_other(values, file):
    # a > c: in order; b > a: not; c > x: x is absent; x > a: not; x > y: neither is there
    prefs = "g1 0 a 1, g1 0 c 0, g2 0 b 1, g2 0 a 0, g3 0 c 1, g3 0 x 0, g4 0 x 1, g4 0 a 0, g5 0 x 1, g5 0 y 0"
    counts = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
    assert _values(values, file, prefs, *counts) == ["5", "2", "1"]
    assert _values(values, file, prefs, "prefs_simp", "prefs_simp_imp", "prefs_simp_ret") == [
        "0.4000",
        "0.5000",
        "0.5000",
    ]


def test_pairs_and_groups_are_averaged_each_in_their_own_way(values, file):
    # g1 holds a > b, a > c, b > c, all in order; g2 holds b > a, against g1 on one of three pairs
    prefs = "g1 0 a 2, g1 0 b 1, g1 0 c 0, g2 0 b 1, g2 0 a 0"
    names = ("prefs_simp", "prefs_pair", "prefs_avgjg")
    assert _values(values, file, prefs, *names) == ["0.7500", "0.8333", "0.5000"]


def test_preferences_of_subgroups_are_joined_and_what_follows_is_added(values, file):
    chain = "g s1 a 1, g s1 b 0, g s2 b 1, g s2 c 0"
    assert _values(values, file, chain, "prefs_num_prefs_poss") == ["3"]
    apart = "g1 0 a 1, g1 0 b 0, g2 0 b 1, g2 0 c 0"
    assert _values(values, file, apart, "prefs_num_prefs_poss") == ["2"]


def test_missing_nonrelevant_documents_count_for_every_returned_relevant_one(values, file):
    # two relevant, a and x, and one of level 0: of 4 pairs, a > c and a > (another) are fulfilled
    assert _values(values, file, "g 0 a 1, g 0 x 1, g 0 c 0", "prefs_avgjg_Rnonrel") == ["0.5000"]


def test_only_as_many_nonrelevant_documents_stay_as_are_relevant(values, file):
    # one relevant, b; of a, c and x only a, the first, stays
    assert _values(values, file, "g 0 b 1, g 0 a 0, g 0 c 0, g 0 x 0", "prefs_avgjg_Rnonrel") == ["0.0000"]


def test_a_topic_without_any_preference_is_zero(values, file):
    names = [name for name in PREFERENCE_MEASURES if "Rnonrel" not in name]
    assert {float(value) for value in _values(values, file, "g 0 a 0, g 0 b 0", *names)} == {0.0}


def test_qrels_are_the_preferences_of_one_group(values, file):
    qrels = file("q", "t 0 a 2\nt 0 b 1\nt 0 c 0\n")
    found = values("-R", "qrels_prefs", "-m", "all_prefs", qrels, file("r", RUN))
    assert (found["prefs_num_prefs_poss", "all"], found["prefs_simp", "all"]) == ("3", "1.0000")
    assert (found["num_q", "all"], found["runid", "all"]) == ("1", "tag")


def test_the_cut_takes_documents_away(values, file):
    prefs = file("p", _lines("g 0 c 1, g 0 a 0"))
    assert (
        values("-R", "prefs", "-M2", "-q", "-m", "prefs_simp_ret", prefs, file("r", RUN))["prefs_simp_ret", "t"]
        == "0.0000"
    )


def test_grouped_judgments_average_the_plain_measure_over_groups(values, file):
    judged = file("j", "t g1 a 1\nt g1 b 0\nt g2 b 1\nt g2 x 1\nu g1 a 1\n")
    run = file("r", RUN + "u Q0 a 1 1 tag\n")
    found = values("-R", "qrels_jg", "-q", "-m", "map_avgjg", "-m", "P_avgjg.1", judged, run)
    assert found["map_avgjg", "t"] == "0.6250"  # (1 + 1/4) / 2
    assert found["P_avgjg_1", "t"] == "0.5000"
    assert found["map_avgjg", "all"] == "0.8125"


@pytest.mark.parametrize(
    ("rel_format", "content", "code"),
    [
        ("prefs", "t g a 1\n", "E208"),
        ("qrels_jg", "t g s a 1\n", "E208"),
        ("prefs", "\n", "E208"),
        ("prefs", "t g 0 a high\n", "E202"),
        ("prefs", "t g 0 a nan\n", "E202"),
        ("prefs", "t g 0 a\0b 1\n", "E105"),
        ("prefs", b"t g 0 a\xff 1\n", "E104"),
        ("prefs", "t g 0 a 1\nt g 0 a 0\n", "E206"),
        ("prefs", "# only this\n", "E101"),
        ("prefs", "u g 0 a 1\n", "E221"),
        ("qrels_jg", "t g a 1\nt g a 1\n", "E206"),
    ],
)
def test_lines_that_are_no_judgments_are_refused(trec_eval, file, rel_format, content, code):
    measure = {"prefs": "all_prefs"}.get(rel_format, rel_format)
    outcome = trec_eval("-R", rel_format, "-m", measure, file("p", content), file("r", RUN))
    assert (outcome.code, outcome.out) == (4, "")
    assert code in outcome.err


def test_more_documents_than_pairs_can_be_made_of_are_refused(trec_eval, file, monkeypatch):
    monkeypatch.setattr(preferences, "MAX_PREFERENCE_DOCS", 2)
    prefs = file("p", _lines("g 0 a 1, g 0 b 0, g 0 c 0"))
    outcome = trec_eval("-R", "prefs", "-m", "all_prefs", prefs, file("r", RUN))
    assert outcome.code == 4
    assert "E501" in outcome.err
