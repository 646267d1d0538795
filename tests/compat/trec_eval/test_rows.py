from __future__ import annotations

import pytest

from catchrate.compat.trec_eval import select
from catchrate.compat.trec_eval.dialect import DIALECTS
from catchrate.compat.trec_eval.rows import NICKNAMES, ROWS
from catchrate.errors import UsageError
from catchrate.measures import TABLE

NINE, TEN = DIALECTS["9.0.8"], DIALECTS["10"]


def _names(*requests: str, dialect=TEN) -> list[str]:
    printed = []
    for entry, text in select(requests, dialect).entries:
        printed += [name for name, _ in entry.form(entry.name, text)]
    return printed


def test_every_row_names_a_measure_of_the_table_or_lives_outside_it():
    assert [e.name for e in ROWS.values() if e.measure and e.measure not in TABLE] == []
    outside = {e.name for e in ROWS.values() if not e.measure and e.needs != "prefs"}
    assert outside == {"runid", "num_q", "relstring"}


def test_every_nickname_names_rows():
    assert [name for names in NICKNAMES.values() for name in names if name not in ROWS] == []


def test_rows_come_in_the_order_of_trec_eval_whatever_the_order_of_the_options():
    assert _names("success.1", "map", "num_q") == ["num_q", "map", "success_1"]


def test_cut_offs_are_sorted():
    assert _names("P.5,7,3") == ["P_3", "P_5", "P_7"]
    assert _names("iprec_at_recall..10,.20,0") == [
        "iprec_at_recall_0.00",
        "iprec_at_recall_0.10",
        "iprec_at_recall_0.20",
    ]


def test_other_parameters_stand_in_the_name_as_they_were_given():
    requests = ("ndcg.2=9,1=3", "set_F.0.50", "utility.2,-1,0,0", "relstring.3", "rbp.p=0.8")
    assert _names(*requests) == [
        "relstring_3",
        "utility_2,-1,0,0",
        "ndcg_2=9,1=3",
        "set_F_0.50",
        "rbp_p=0.8",
    ]


def test_only_the_first_parameters_of_a_measure_count_and_the_rest_is_told():
    selection = select(["P", "P.5", "all_trec", "P.10", "map.3", "official.7"], TEN)
    assert {entry.name: text for entry, text in selection.entries}["P"] == "5"
    assert [remark.split()[0].rstrip(":") for remark in selection.remarks] == ["P", "map", "official"]


def test_version_9_has_no_later_measures():
    assert set(_names("all_trec")) - set(_names("all_trec", dialect=NINE)) == {
        "rbp",
        "rbp_resid",
        "unj_5",
        "unj_10",
        "unj_20",
    }
    with pytest.raises(UsageError, match="--dialect 10") as caught:
        select(["dcg"], NINE)
    assert caught.value.code == "E271"


def _read(request: str) -> None:
    for entry, text in select([request], TEN).entries:
        _ = entry.lengths(text) if entry.name == "relstring" else entry.measures(text, {})


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("mapp", "did you mean map"),
        ("P.", "nothing stands behind the dot"),
        ("P.5,5", "once"),
        ("P.0", "from 1 upwards"),
        ("P.-5", "from 1 upwards"),
        ("P.5,", "from 1 upwards"),
        ("P.1e3", "from 1 upwards"),
        ("iprec_at_recall.0.5,x", "number"),
        ("iprec_at_recall.1.5", "from 0 to 1"),
        ("iprec_at_recall.nan", "number"),
        ("Rprec_mult.0", "above 0"),
        ("set_F.1,2", "it takes 1 numbers"),
        ("set_F.-1", "above 0"),
        ("utility.1,2", "it takes 4 numbers"),
        ("ndcg.1", "1=3,2=9"),
        ("ndcg.1=2,1=3", "1=3,2=9"),
        ("ndcg.x=2", "grade"),
        ("ndcg.1=-2", "below 0"),
        ("ndcg.p=.5", "grade"),
        ("rbp.p=1", "between 0 and 1"),
        ("relstring.0", "from 1 upwards"),
    ],
)
def test_measures_and_parameters_that_make_no_sense_are_refused(request_, said):
    with pytest.raises(UsageError) as caught:
        _read(request_)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("rel_format", "measure", "needed"),
    [("qrels", "prefs_simp", "-R prefs"), ("prefs", "map", "-R qrels"), ("qrels_jg", "prefs_pair", "-R prefs")],
)
def test_a_measure_is_refused_where_its_judgments_are_of_another_format(trec_eval, file, rel_format, measure, needed):
    outcome = trec_eval("-R", rel_format, "-m", measure, file("q", "t 0 a 1\n"), file("r", "t Q0 a 1 1 tag\n"))
    assert outcome.code == 2
    assert needed in outcome.err
