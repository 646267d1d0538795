"""A ranking that is kept gives the documents of a query without reading the file again."""

from __future__ import annotations

from pathlib import Path

import pytest

import catchrate
from catchrate.alignment import Policy
from catchrate.evaluation.evaluate import score
from catchrate.evaluation.explain import explained, explained_scores
from catchrate.evaluation.kept import KeptRanking
from catchrate.evaluation.one_list import documents_of, ranked_rows
from catchrate.formats import open_ranking, read_judgments
from catchrate.measures import parse_all

DEMO = Path(catchrate.__file__).parent / "demo"
MEASURES = parse_all("recall@5 ndcg")


def kept_of(where: object) -> KeptRanking:
    kept = KeptRanking(open_ranking(where))
    for _ in kept.blocks():
        pass
    return kept


def test_numbers_are_those_of_the_ranking_itself():
    judgments, run = read_judgments(DEMO), DEMO / "runs" / "bm25.trec"
    plain, kept = (
        score(judgments, source, MEASURES, Policy()) for source in (open_ranking(run), KeptRanking(open_ranking(run)))
    )
    assert kept.as_dict() == plain.as_dict()
    assert kept.provenance == plain.provenance


def test_every_list_is_the_one_that_a_second_reading_finds():
    run = DEMO / "runs" / "dense.trec"
    kept, again = kept_of(run), open_ranking(run)
    for query in ("q01", "q17", "q40", "nothing"):
        assert documents_of(kept, query, Policy()) == documents_of(again, query, Policy())


def test_blocks_come_again_as_they_came_and_the_file_is_not_read_again(tmp_path: Path):
    path = tmp_path / "run.trec"
    path.write_bytes((DEMO / "runs" / "dense.trec").read_bytes())
    kept = KeptRanking(open_ranking(path))
    first = list(kept.blocks())
    path.unlink()
    again = list(kept.blocks(gather=True))
    assert len(first) == len(again) > 0
    assert all(one.equals(other) for one, other in zip(first, again, strict=True))


def test_a_run_whose_queries_come_in_pieces_is_kept_whole(tmp_path: Path):
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 a 1 3 t\nq2 Q0 c 1 3 t\nq1 Q0 b 2 4 t\n")
    kept = KeptRanking(open_ranking(path))
    scores = score(read_judgments({"q1": {"b": 1}, "q2": {"c": 1}}), kept, parse_all("rr"), Policy())
    assert scores["rr"] == 1.0
    assert ranked_rows(kept, "q1", Policy())["doc"].to_list() == ["b", "a"]
    assert ranked_rows(kept, "q1", Policy())["score"].to_list() == [4.0, 3.0]


def test_a_number_is_explained_from_scores_as_from_files():
    judgments, run = read_judgments(DEMO), DEMO / "runs" / "bm25.trec"
    kept = KeptRanking(open_ranking(run))
    scores = score(judgments, kept, MEASURES[:1], Policy())
    here, there = (
        explained_scores(scores, kept, "q10", Policy()),
        explained(judgments, open_ranking(run), MEASURES[0], "q10", Policy()),
    )
    assert repr(here) == repr(there)
    assert here.entries == there.entries


@pytest.mark.parametrize("where", [{"q1": ["a", "b"]}, {"q1": {"a": 1.0, "b": 2.0}}])
def test_objects_are_kept_too(where: object):
    kept = kept_of(where)
    assert sorted(documents_of(kept, "q1", Policy())) == ["a", "b"]
    assert documents_of(kept, "q2", Policy()) == []
