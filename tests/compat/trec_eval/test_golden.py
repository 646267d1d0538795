"""Outputs checked by hand, for four topics: a usual one, a tie, one without relevant documents, a missing one."""

from __future__ import annotations

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
FILES = (GOLDEN / "qrels.txt", GOLDEN / "run.txt")
MEASURES = (
    "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall..8,.4 P.5,1 relstring.5 "
    "success.1,5 set_F set_F.4 ndcg utility.2,-1,0,0"
)
LATER = " rbp rbp_resid unj.5"


def _options(measures: str) -> list[str]:
    return [part for measure in measures.split() for part in ("-m", measure)]


@pytest.mark.parametrize("version", ["9.0.8", "10"])
@pytest.mark.parametrize(("ending", "flags"), [("", ["-q"]), ("-complete", ["-qc"])])
def test_the_output_is_what_hand_arithmetic_gives(trec_eval, version, ending, flags):
    measures = _options(MEASURES + (LATER if version == "10" else ""))
    outcome = trec_eval("--dialect", version, *flags, *measures, *FILES)
    assert outcome.out == (GOLDEN / f"{version}{ending}.txt").read_text()
    assert outcome.code == 0


def test_without_q_only_the_summary_is_printed_and_with_n_nothing(trec_eval):
    assert trec_eval("-m", "map", *FILES).out == "map                   \tall\t0.2667\n"
    assert trec_eval("-n", *FILES).out == ""


def test_with_q_and_n_only_topics_are_printed(trec_eval):
    out = trec_eval("-qn", "-m", "map", *FILES).out
    assert [line.split("\t")[1] for line in out.splitlines()] == ["t1", "t10", "t2"]


def test_a_missing_topic_is_told_unless_c_asks_for_it(trec_eval):
    assert "N225" in trec_eval(*FILES).err
    assert "N225" not in trec_eval("-c", *FILES).err


def test_a_topic_that_looks_like_a_format_prints_as_it_is(trec_eval, file):
    qrels, run = file("q", "100%s 0 a 1\n"), file("r", "100%s Q0 a 1 1 tag\n")
    assert trec_eval("-qn", "-m", "num_ret", qrels, run).out == "num_ret               \t100%s\t1\n"


def test_scores_that_differ_in_64_bits_only_are_ties_in_version_9(values, file):
    qrels = file("q", "t 0 a 1\n")
    run = file("r", "t Q0 a 1 1.00000001 tag\nt Q0 b 2 1.0 tag\n")
    assert values("--dialect", "10", "-m", "recip_rank", qrels, run)["recip_rank", "all"] == "1.0000"
    assert values("--dialect", "9.0.8", "-m", "recip_rank", qrels, run)["recip_rank", "all"] == "0.5000"


def test_the_level_counts_for_relevance_but_never_for_gain(values, file):
    qrels = file("q", "t 0 a 1\nt 0 b 2\nt 0 c 3\n")
    run = file("r", "t Q0 a 1 3 tag\nt Q0 b 2 2 tag\n")
    found = values("-l", 2, "-c", "-q", "-m", "num_rel", "-m", "P.2", "-m", "ndcg", qrels, run)
    assert (found["num_rel", "t"], found["P_2", "t"]) == ("2", "0.5000")
    assert found["num_rel", "all"] == "3"
    assert values("-m", "ndcg", qrels, run)["ndcg", "all"] == found["ndcg", "all"]


def test_the_cut_comes_before_unjudged_documents_are_left_out(values, file):
    qrels = file("q", "t 0 a 1\nt 0 b 1\n")
    run = file("r", "t Q0 x 1 9 tag\nt Q0 a 2 8 tag\nt Q0 b 3 7 tag\n")
    assert values("-M2", "-m", "num_ret", qrels, run)["num_ret", "all"] == "2"
    found = values("-M2", "-J", "-m", "num_ret", "-m", "recip_rank", qrels, run)
    assert (found["num_ret", "all"], found["recip_rank", "all"]) == ("1", "1.0000")


def test_a_topic_whose_documents_are_all_unjudged_keeps_its_rows_under_j_and_c_in_version_9(values, file):
    qrels, run = file("q", "t 0 a 1\nu 0 a 1\n"), file("r", "t Q0 x 1 9 tag\n")
    found = values("--dialect", "9.0.8", "-qcJ", "-m", "num_ret", "-m", "num_rel", qrels, run)
    assert found == {
        ("num_ret", "t"): "0",
        ("num_rel", "t"): "1",
        ("num_ret", "all"): "0",
        ("num_rel", "all"): "2",
    }


def test_every_kind_of_grade_has_its_character(values, file):
    qrels = file("q", "t 0 a 0\nt 0 b 9\nt 0 c 10\nt 0 d -3\n")
    run = file("r", "".join(f"t Q0 {doc} 0 {9 - i} tag\n" for i, doc in enumerate("abcde")))
    assert values("-q", "-m", "relstring", qrels, run)["relstring", "t"] == "'09>.-'"


def test_gains_given_for_grades_replace_the_grades(values, file):
    qrels, run = file("q", "t 0 a 1\nt 0 b 2\n"), file("r", "t Q0 a 1 2 tag\nt Q0 b 2 1 tag\n")
    found = values("-m", "dcg.1=4,2=0", "-m", "ideal_dcg.1=4,2=0", "-m", "rbp.p=.5,1=4", qrels, run)
    assert found["dcg_1=4,2=0", "all"] == found["ideal_dcg_1=4,2=0", "all"] == "4.0000"
    assert found["rbp_p=.5,1=4", "all"] == "0.6250"  # (1 - .5) (4/4 + .5 x 2/4)


def test_utility_counts_the_rest_of_the_collection(values, file):
    qrels, run = file("q", "t 0 a 1\nt 0 b 1\n"), file("r", "t Q0 a 1 2 tag\nt Q0 x 2 1 tag\n")
    assert values("-N", 10, "-m", "utility.1,10,100,1000", qrels, run)["utility_1,10,100,1000", "all"] == "7111.0000"


def test_yaap_is_on_a_logit_scale(values, file):
    qrels, run = file("q", "t 0 a 1\n"), file("r", "t Q0 a 1 2 tag\n")
    assert values("-m", "yaap", qrels, run)["yaap", "all"] == "0.6931"
