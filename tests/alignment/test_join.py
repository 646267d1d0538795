"""The join equals a slow twin: sort every row in plain Python, then look at every slot."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import catchrate
from catchrate.alignment import Aligned, Policy, align
from catchrate.alignment.block import Block
from catchrate.errors import InputError, UsageError
from catchrate.formats import open_ranking
from catchrate.tables import InterleavedError, Ranking, RankingSource
from strategies import Grades, Rows, aligned, judgments_of, lists_of, policies, rows_and_judgments, rows_of
from twins import Query


def slow_join(qrels: Grades, rows: Rows, policy: Policy, *, ordered: bool) -> dict[str, Query]:
    """Return each judged query as the measures should see it."""
    joined: dict[str, Query] = {}
    for query in sorted(qrels, key=str.encode):
        mine = [(score, doc) for name, doc, score in rows if name == query]
        if policy.queries != "both" or mine:
            joined[query] = _slow_query(qrels[query], mine, policy, ordered=ordered)
    return joined


def _slow_query(grades: dict[str, float], mine: list[tuple[float, str]], policy: Policy, *, ordered: bool) -> Query:
    if not ordered:
        number = _as_float32 if policy.dialect == "trec_eval-9" else float
        mine = sorted(mine, key=lambda row: (number(row[0]), row[1].encode()), reverse=True)
    docs = [doc for _, doc in mine]
    if policy.duplicates == "collapse":
        docs = list(dict.fromkeys(docs))
    slots = tuple(frozenset({doc} & set(grades)) for doc in docs[: policy.max_rank])
    return Query(slots, grades).only_judged() if policy.judged_only else Query(slots, grades)


def _as_float32(score: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def seen(found: Aligned) -> dict[str, Query]:
    """Read the arrays back into queries."""
    names, arrays = found.queries["query"].to_list(), found.arrays
    slots: list[list[set[str]]] = [[set() for _ in range(n)] for n in arrays.returned.tolist()]
    for query, slot, item in zip(arrays.hits.query, arrays.hits.slot, arrays.hits.item, strict=True):
        slots[query][slot - 1].add(found.items["doc"][int(item)])
    grades: dict[str, dict[str, float]] = {name: {} for name in names}
    for query, doc, grade in found.items.rows():
        grades[query][doc] = grade
    return {name: Query(tuple(map(frozenset, slots[i])), grades[name]) for i, name in enumerate(names)}


def check_arrays(found: Aligned) -> None:
    """Check what every measure takes for granted."""
    hits, items = found.arrays.hits, found.arrays.items
    order = np.lexsort((-hits.grade, hits.slot, hits.query))
    assert (order == np.arange(order.size)).all()
    assert (items.grade[hits.item] == hits.grade).all()
    assert (items.query[hits.item] == hits.query).all()
    assert found.items["grade"].to_list() == items.grade.tolist()
    firsts: set[int] = set()
    for item, repeat in zip(hits.item.tolist(), hits.repeat.tolist(), strict=True):
        assert repeat == (item in firsts)
        firsts.add(item)


@settings(max_examples=150, deadline=None)
@given(rows_and_judgments(repeats=True), policies(duplicates=("keep", "collapse")))
def test_a_ranking_by_score_is_joined_as_the_twin_says(both: tuple[Grades, Rows], policy: Policy):
    qrels, rows = both
    found = align(judgments_of(qrels), rows_of(rows), policy)
    check_arrays(found)
    assert seen(found) == slow_join(qrels, rows, policy, ordered=False)


@settings(max_examples=80, deadline=None)
@given(rows_and_judgments(repeats=True), policies(duplicates=(None, "keep", "collapse")))
def test_a_list_is_joined_in_its_own_order(both: tuple[Grades, Rows], policy: Policy):
    qrels, rows = both
    lists: dict[str, list[str]] = {}
    for query, doc, _ in rows:
        lists.setdefault(query, []).append(doc)
    found = align(judgments_of(qrels), lists_of(lists), policy)
    check_arrays(found)
    assert seen(found) == slow_join(qrels, rows, policy, ordered=True)


@settings(max_examples=100, deadline=None)
@given(rows_and_judgments(repeats=False), policies(duplicates=(None, "refuse", "keep")))
def test_a_dict_of_dicts_is_joined_as_the_twin_says(both: tuple[Grades, Rows], policy: Policy):
    qrels, rows = both
    run: dict[str, dict[str, float]] = {}
    for query, doc, score in rows:
        run.setdefault(query, {})[doc] = score
    found = align(judgments_of(qrels), open_ranking(run), policy)
    check_arrays(found)
    assert seen(found) == slow_join(qrels, rows, policy, ordered=False)


class InPieces:
    """A source that yields one row at a time and notices when a query comes back."""

    name, ordered = "pieces", False

    def __init__(self, rows: Rows) -> None:
        self._whole = rows_of(rows)
        self._rows = pl.DataFrame(rows, schema=["query", "doc", "score"], orient="row")
        self.gathered = False

    def blocks(self, *, gather: bool = False) -> Iterator[pl.DataFrame]:
        """Yield each run of rows of one query, or everything grouped."""
        self.gathered = gather
        if gather:
            yield from self._whole.blocks()
            return
        done: set[str] = set()
        for piece in self._rows.with_columns(pl.col("query").rle_id().alias("n")).partition_by("n", include_key=False):
            if piece["query"][0] in done:
                raise InterleavedError
            done.add(piece["query"][0])
            yield piece

    def __getattr__(self, name: str):
        return getattr(self._whole, name)


@settings(max_examples=60, deadline=None)
@given(rows_and_judgments(repeats=True))
def test_a_query_that_comes_back_later_is_gathered(both: tuple[Grades, Rows]):
    qrels, rows = both
    policy = Policy(duplicates="keep")
    pieces = InPieces(rows)
    assert seen(align(judgments_of(qrels), pieces, policy)) == slow_join(qrels, rows, policy, ordered=False)
    runs = [query for i, (query, _, _) in enumerate(rows) if not i or rows[i - 1][0] != query]
    assert pieces.gathered == (len(runs) > len(set(runs)))


@pytest.mark.parametrize("kind", ["rows", "dict"])
def test_hashes_only_save_looking(kind: str, monkeypatch: pytest.MonkeyPatch):
    """Documents whose hashes are all equal are still told apart, and repeats are still found."""
    monkeypatch.setattr(pl.Series, "hash", lambda series, *_: pl.Series(np.full(series.len(), 7, np.uint64)))
    qrels: Grades = {"q": {"a": 1, "b": 0, "c": 2}, "r": {"a": 2, "d": 1}}
    run = {"q": {"x": 5.0, "c": 4.0, "a": 3.0}, "r": {"d": 2.0, "b": 1.0}}
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    source: RankingSource = rows_of(rows) if kind == "rows" else open_ranking(run)
    assert (Block(rows_of(rows).frame).hashes == 7).all()
    assert seen(align(judgments_of(qrels), source, Policy())) == slow_join(qrels, rows, Policy(), ordered=False)


def test_documents_that_are_judged_for_every_query_are_told_apart():
    """So many items share places of the table, and every document is an item of many queries."""
    names, docs = [f"q{i:03}" for i in range(120)], [f"d{i}" for i in range(150)]
    qrels: Grades = {query: {doc: (place + i) % 3 for place, doc in enumerate(docs)} for i, query in enumerate(names)}
    rows = [(query, doc, -float(slot)) for query in (*names, "stranger") for slot, doc in enumerate(["x", *docs])]
    found = align(judgments_of(qrels), rows_of(rows), Policy())
    check_arrays(found)
    assert seen(found) == slow_join(qrels, rows, Policy(), ordered=False)


def test_a_query_judged_without_any_item_takes_none_from_another():
    """The last query has no item, and the first two share a document."""
    qrels: Grades = {"q1": {"a": 0}, "q2": {"a": 0}, "q3": {}}
    found = align(judgments_of(qrels), rows_of([("q3", "a", 1.0)]), Policy())
    assert found.arrays.hits.item.size == 0


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_blocks_of_any_size_give_the_same_join(limit: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("catchrate.tables.ranking.BLOCK_ROWS", limit)
    rows = [(query, doc, score) for query in "qrs" for doc, score in (("a", 1.0), ("b", 2.0), ("c", 2.0))]
    qrels: Grades = {query: {"b": 1, "a": 2} for query in "qrst"}
    assert seen(align(judgments_of(qrels), rows_of(rows), Policy())) == slow_join(qrels, rows, Policy(), ordered=False)


def test_the_order_of_rows_changes_no_number():
    qrels: Grades = {"q": {"a": 1, "b": 2}, "r": {"a": 1}}
    rows = [("q", "a", 1.0), ("r", "b", 1.0), ("q", "b", 1.0), ("r", "a", 1.0), ("q", "c", 3.0)]
    expected = seen(align(judgments_of(qrels), rows_of(rows), Policy()))
    for turn in range(len(rows)):
        turned = rows[turn:] + rows[:turn]
        assert seen(align(judgments_of(qrels), rows_of(turned), Policy())) == expected


# -- what is refused, and what is told ------------------------------------------------------------------------------

QRELS: Grades = {"q1": {"a": 1}, "q2": {"b": 1}}


def test_no_common_query_is_refused_with_both_sides_and_a_guess():
    with pytest.raises(InputError) as caught:
        aligned(QRELS, {"Q01": {"a": 1.0}})
    assert caught.value.code == "E221"
    message = str(caught.value)
    assert all(part in message for part in ("'q1'", "'Q01'", "look alike"))
    with pytest.raises(InputError, match="same query set"):
        aligned(QRELS, {"other": {"a": 1.0}})


@pytest.mark.parametrize("run", [{"q1": {"a": 1.0}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 1.0}}])
def test_strict_refuses_any_difference_of_queries(run: dict[str, dict[str, float]]):
    with pytest.raises(InputError) as caught:
        aligned(QRELS, run, queries="strict")
    assert caught.value.code == "E227"
    assert "'q2'" in str(caught.value) or "'q3'" in str(caught.value)


def test_strict_accepts_the_same_queries_one_of_them_empty():
    found = aligned(QRELS, {"q1": {"a": 1.0}, "q2": {}}, queries="strict")
    assert (found.missing, found.ignored, found.arrays.returned.tolist()) == (0, 0, [1, 0])


@pytest.mark.parametrize("duplicates", [None, "refuse"])
def test_a_document_returned_twice_by_score_is_refused(duplicates: str | None):
    rows = [("q1", "a", 1.0), ("q1", "x", 3.0), ("q1", "a", 2.0), ("q2", "x", 1.0), ("q2", "x", 2.0)]
    with pytest.raises(InputError, match="'q1' returned document 'a' more than once") as caught:
        align(judgments_of(QRELS), rows_of(rows), Policy(duplicates=duplicates))  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.total) == ("E216", 2)


def test_a_list_may_repeat_a_document_unless_that_is_refused():
    lists = {"q1": ["x", "x", "a"]}
    assert align(judgments_of(QRELS), lists_of(lists), Policy()).arrays.items.slot.tolist() == [3, 0]
    collapsed = align(judgments_of(QRELS), lists_of(lists), Policy(duplicates="collapse"))
    assert (collapsed.arrays.items.slot.tolist(), collapsed.arrays.returned.tolist()) == ([2, 0], [2, 0])
    with pytest.raises(InputError, match="E216"):
        align(judgments_of(QRELS), lists_of(lists), Policy(duplicates="refuse"))


def notes(found: Aligned) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {note.code: (note.count, note.sample) for note in found.notes}


def test_missing_ignored_and_barren_queries_are_counted_and_named():
    qrels: Grades = {**QRELS, "q4": {"a": 0}, "q5": {}}
    found = aligned(qrels, {"q1": {"a": 1.0}, "x": {"a": 1.0}, "y": {}, "q4": {"a": 1.0}})
    assert (found.missing, found.ignored) == (2, 2)
    expected = {"N225": (2, ("q2", "q5")), "N226": (2, ("x", "y")), "N228": (2, ("q4", "q5"))}
    assert notes(found) == expected
    both = aligned(qrels, {"q1": {"a": 1.0}, "q4": {"a": 1.0}}, queries="both")
    assert notes(both) == {"N225": (2, ("q2", "q5")), "N228": (1, ("q4",))}


def test_a_join_without_anything_odd_has_no_notes():
    assert aligned(QRELS, {"q1": {"a": 1.0}, "q2": {"x": 1.0}}).notes == ()


def test_repeats_are_counted_and_named():
    found = align(judgments_of(QRELS), lists_of({"q1": ["x", "a", "x", "a", "a"], "q2": ["b"]}), Policy())
    assert notes(found) == {"N222": (3, ("x", "a"))}


def test_the_digest_follows_the_content():
    digests = {
        name: aligned(QRELS, run).digest.value
        for name, run in {
            "one": {"q1": {"a": 1.0}},
            "same": {"q1": {"a": 1.0}},
            "score": {"q1": {"a": 2.0}},
            "doc": {"q1": {"b": 1.0}},
            "more": {"q1": {"a": 1.0}, "q2": {}},
        }.items()
    }
    assert digests["one"] == digests["same"]
    assert len(set(digests.values())) == 4
    assert all(digest.startswith("sha256:") for digest in digests.values())


@pytest.mark.parametrize(
    "policy",
    [
        {"queries": "all"},
        {"duplicates": "drop"},
        {"dialect": "trec_eval"},
        {"max_rank": 0},
        {"max_rank": 1.5},
        {"max_rank": True},
        {"rel": "x"},
        {"rel": float("nan")},
        {"rel": None},
    ],
)
def test_a_policy_refuses_values_that_it_does_not_have(policy: dict[str, object]):
    with pytest.raises(UsageError, match="E272"):
        Policy(**policy)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(rows_and_judgments(repeats=False))
def test_no_measure_sees_ids_scores_or_the_order_of_rows(both: tuple[Grades, Rows]):
    """Renaming without ties, raising all scores and shuffling rows change nothing."""
    qrels, rows = both
    untied = [(query, doc, float(rank)) for rank, (query, doc, _) in enumerate(rows)]
    measures = ["recall@3", "ndcg", "ap", "bpref", "err", "compatibility", "rndcg", "precision@2", "infap"]
    evaluate = functools.partial(catchrate.evaluate, measures=measures)
    expected = evaluate(judgments_of(qrels), rows_of(untied)).values
    other = {query: {renamed(doc): grade for doc, grade in items.items()} for query, items in qrels.items()}
    changed = [(query, renamed(doc), np.exp(score / 10) - 5) for query, doc, score in reversed(untied)]
    assert evaluate(judgments_of(other), rows_of(changed)).values == pytest.approx(expected, abs=1e-12)


def renamed(doc: str) -> str:
    return doc[::-1] + "!"


def test_an_empty_ranking_in_memory_may_have_empty_queries_only():
    empty = pl.DataFrame(schema={"query": pl.String, "doc": pl.String})
    found = align(judgments_of(QRELS), Ranking.of(empty, empty=("q1",)), Policy())
    assert (found.arrays.returned.tolist(), found.missing) == ([0, 0], 1)
