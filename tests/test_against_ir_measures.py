"""ir_measures with its own providers is a second judge, and the first one of what trec_eval does not have.

Scores are distinct: some providers break ties the other way.
"""

from __future__ import annotations

import shutil
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import Phase, given, settings

import catchrate
from catchrate.measures import parse
from strategies import DOCS, Grades, Scored

ir_measures = pytest.importorskip("ir_measures")

SPELLINGS = (
    "nDCG", "nDCG@3", "nDCG@100", "nDCG(gains={1:2,2:3})@5", "AP", "AP@3", "AP(rel=2)",
    "P@1", "P@5", "P(rel=2)@3", "R@1", "R@5", "R(rel=2)@3", "RR", "RR@2", "RR(rel=2)", "Success@1", "Success@3",
    "Rprec", "Rprec(rel=2)", "SetP", "SetR", "SetF", "SetF(beta=2.0)", "SetF(beta=0.5)", "Accuracy", "Accuracy@5",
    "SetP(relative=True)", "SetAP", "IPrec@0.0",
    "IPrec@0.2", "IPrec@1.0", "Bpref", "Bpref(rel=2)", "infAP", "Judged@1", "Judged@5", "Judged", "NumRet", "NumRel",
    "NumRelRet",
    "NumRet(rel=2)", "SetP(rel=2,relative=True)", "NumQ", "Compat", "Compat(p=0.8)", "Compat(normalize=False)",
    "P(judged_only=True)@3", "AP(judged_only=True)", "nDCG(judged_only=True)@3", "RR(judged_only=True)",
)  # fmt: skip
"""Spellings of ir_measures, which name the same measures here."""
GDEVAL = ("ERR@3", "ERR@20", "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@20")
"""What a Perl script measures, which takes whole numbers for queries and prints five digits."""


@st.composite
def untied(draw: st.DrawFn) -> tuple[Grades, Scored]:
    """Draw judgments of three queries, and a run with distinct scores for the same queries.

    Something irrelevant is always near the top: Accuracy divides by zero elsewhere.
    """
    qrels, run = {}, {}
    for query in ("q1", "q2", "q3"):
        grades = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 4), min_size=1, max_size=10)
        qrels[query] = draw(grades.filter(lambda found: any(found.values())))
        docs = draw(st.lists(st.sampled_from(DOCS), min_size=1, unique=True))
        docs.insert(draw(st.integers(0, 1)), "nobody judged this")
        run[query] = {doc: float(100 - rank) for rank, doc in enumerate(docs)}
    return qrels, run


def _theirs(spelled: list[str], qrels: Grades, run: Scored) -> dict[tuple[str, str], float]:
    measures = {str(ir_measures.parse_measure(text)): text for text in spelled}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ir_measures.iter_calc([ir_measures.parse_measure(text) for text in spelled], qrels, run)
        return {(measures[str(metric.measure)], metric.query_id): metric.value for metric in found}


@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(untied())
def test_every_measure_of_both_is_equal(both: tuple[Grades, Scored]):
    ours = {text: parse(text) for text in SPELLINGS}
    scores = catchrate.evaluate(*both, list(ours.values()))
    # asked for together, NumRet may get what NumRet(rel=1) is, depending on the order of a set
    alone = _theirs(["NumRet"], *both)
    for (text, query), value in (_theirs([text for text in ours if text != "NumRet"], *both) | alone).items():
        row = scores.per_query.filter(query=query)
        assert row[str(ours[text])][0] == pytest.approx(value, abs=1e-9), (text, query)


@pytest.mark.parametrize("text", GDEVAL)
def test_what_gdeval_measures_is_equal_in_its_five_digits(text: str):
    if shutil.which("perl") is None:
        pytest.skip("gdeval is a Perl script, and there is no Perl")
    dice = np.random.default_rng(5)
    names = [f"d{i}" for i in range(30)]
    qrels = {f"{q}": dict(zip(names, dice.integers(0, 5, 30).tolist(), strict=True)) for q in range(1, 6)}
    run = {f"{q}": {d: float(s) for s, d in enumerate(dice.permutation(names)[:25])} for q in range(1, 6)}
    found = _theirs([text], qrels, run)
    scores = catchrate.evaluate(qrels, run, text)
    assert scores.values[:, 0].tolist() == pytest.approx([found[text, query] for query in sorted(run)], abs=1e-5)


@pytest.mark.parametrize("text", [*SPELLINGS, "Accuracy@5", *GDEVAL, "RBP(p=0.5,rel=2)@3"])
def test_their_printed_form_parses_to_the_same_measure(text: str):
    theirs, ours = parse(str(ir_measures.parse_measure(text))), parse(text)
    # NumRelRet prints as NumRet(rel=1): the same level, written out
    assert theirs == ours or (theirs.name, theirs.get("rel")) == (ours.name, ours.get("rel"))
