"""Random judgments, runs and alignments for the tests."""

from __future__ import annotations

import random

import hypothesis.strategies as st
import numpy as np
import polars as pl

from catchrate.alignment import Aligned, Duplicates, Policy, align
from catchrate.evaluation.evaluate import measured
from catchrate.evaluation.scores import Scores
from catchrate.later import Later
from catchrate.measures import TABLE, Alignment, Hits, Lengths, Measure, choose, parse_all
from catchrate.measures.spans import Places, SpanTable
from catchrate.tables import Judgments, Ranking
from twins import Query

Grades = dict[str, dict[str, float]]
Scored = dict[str, dict[str, float]]
Rows = list[tuple[str, str, float]]

QUERIES = ("q1", "q10", "q2", "é", "Q1")
DOCS = ("a", "B", "a1", "a10", "a9", "é", "z", "中", "d0", "d1", "d2", "d3", "d4", "d5")
TIED_SCORES = (2.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 0.0, -1.0, 16_777_216.0, 16_777_217.0, 1e-50, 3e38, 1e300)
"""Scores with ties in 64 bits, and more in 32: rounding, underflow and overflow."""


@st.composite
def collections(draw: st.DrawFn, lowest: int = -2, highest: int = 4, known: bool = True) -> tuple[Grades, Scored]:
    """Draw judgments and a scored run that share at least one query; each side may have queries of its own.

    With `known`, every judged query has a grade of at least 0: the reference dies or loops on one that has not.
    """
    grades = st.integers(lowest, highest)
    judged = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=4, unique=True))
    ran = {judged[0], *draw(st.lists(st.sampled_from(QUERIES), max_size=4))}
    scores = st.sampled_from(TIED_SCORES) | st.floats(-10, 10, width=32)
    docs = st.sampled_from(DOCS)
    judgments = st.dictionaries(docs, grades, min_size=1, max_size=10)
    if known:
        judgments = judgments.filter(lambda items: max(items.values()) >= 0)
    qrels = {query: draw(judgments) for query in judged}
    run = {query: draw(st.dictionaries(docs, scores, min_size=1, max_size=len(DOCS))) for query in sorted(ran)}
    return qrels, run


@st.composite
def rows_and_judgments(draw: st.DrawFn, *, repeats: bool) -> tuple[Grades, Rows]:
    """Draw judgments and rows of a run in any order; the first judged query is in both."""
    grades = st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 4).map(float), max_size=8)
    qrels = draw(st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1, max_size=4))
    pairs = st.tuples(st.sampled_from(QUERIES[:4]), st.sampled_from(DOCS))
    found = draw(st.lists(pairs, max_size=30, unique=not repeats))
    first = next(iter(qrels))
    found += [] if any(query == first for query, _ in found) else [(first, "a")]
    return qrels, [(query, doc, draw(st.sampled_from(TIED_SCORES))) for query, doc in found]


@st.composite
def policies(draw: st.DrawFn, *, duplicates: tuple[Duplicates | None, ...]) -> Policy:
    """Draw a policy that refuses nothing in a ranking with repeats."""
    return Policy(
        queries=draw(st.sampled_from(("judged", "both"))),
        duplicates=draw(st.sampled_from(duplicates)),
        judged_only=draw(st.booleans()),
        max_rank=draw(st.sampled_from((None, None, 1, 3, 100))),
        dialect=draw(st.sampled_from(("catchrate", "trec_eval-9"))),
    )


def long_collection(*, queries: int, docs: int, seed: int, highest: int = 5) -> tuple[Grades, Scored]:
    """Make a collection with long rankings, many grades and many ties."""
    dice = np.random.default_rng(seed)
    names = np.array([f"d{i}" for i in range(docs)])

    def some(values: np.ndarray) -> dict[str, float]:
        return dict(zip(dice.permutation(names)[: values.size].tolist(), values.tolist(), strict=True))

    sizes = dice.integers(1, docs // 2, (queries, 2))
    qrels = {f"q{i}": some(np.append(dice.integers(-2, highest + 1, size), 1)) for i, (size, _) in enumerate(sizes)}
    run = {f"q{i}": some(np.round(dice.normal(0, 3, size), 1)) for i, (_, size) in enumerate(sizes)}
    return qrels, run


def judgments_of(qrels: Grades) -> Judgments:
    """Build judgments from a dict of dicts; a query with an empty dict is judged without any item."""
    rows = [(query, doc, float(grade)) for query, items in qrels.items() for doc, grade in items.items()]
    frame = pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String, "grade": pl.Float64}, orient="row")
    return Judgments.of(frame, pl.DataFrame({"query": list(qrels)}, schema={"query": pl.String}))


def rows_of(rows: Rows, empty: tuple[str, ...] = ()) -> Ranking:
    """Build a ranking by score from rows."""
    frame = pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String, "score": pl.Float64}, orient="row")
    return Ranking.of(frame, empty=empty)


def scored_of(run: Scored) -> Ranking:
    """Build a ranking by score from a dict of dicts."""
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    return rows_of(rows, empty=tuple(query for query, docs in run.items() if not docs))


def lists_of(run: dict[str, list[str]]) -> Ranking:
    """Build a ranking from a dict of lists, best first."""
    rows = [(query, doc) for query, docs in run.items() for doc in docs]
    frame = pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String}, orient="row")
    return Ranking.of(frame, empty=tuple(query for query, docs in run.items() if not docs))


def aligned(qrels: Grades, run: Scored, **policy: object) -> Aligned:
    """Join two dicts of dicts."""
    return align(judgments_of(qrels), scored_of(run), Policy(**policy))  # type: ignore[arg-type]


GRADES = (-2.0, -1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0.5, 1.5)
ITEMS = tuple("abcdefg")


@st.composite
def queries(draw: st.DrawFn, most_items: int = 3) -> Query:
    """Draw one query; a slot holds up to `most_items` judged items, and items may come back in later slots."""
    grades = draw(st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(GRADES), max_size=len(ITEMS)))
    one = st.frozensets(st.sampled_from(sorted(grades)), max_size=most_items) if grades else st.just(frozenset[str]())
    slots = tuple(draw(st.lists(one, max_size=10)))
    lengths = tuple(draw(st.integers(0, 30)) for _ in slots)
    start, size = st.integers(0, 30), st.integers(0, 12)
    spans = st.builds(lambda start, size: range(start, start + size), start, size)
    held, gold = tuple(draw(spans) for _ in slots), {item: draw(spans) for item in grades}
    return Query(slots, grades, lengths, held, gold)


def arrays_of(asked: list[Query]) -> Alignment:
    """Put queries into the arrays that measures read."""
    item_rows: list[tuple[int, float]] = []
    hit_rows: list[tuple[int, int, int, float]] = []
    for number, query in enumerate(asked):
        ranked = sorted(query.grades.items(), key=lambda pair: -pair[1])
        index = {item: len(item_rows) + place for place, (item, _) in enumerate(ranked)}
        item_rows += [(number, grade) for _, grade in ranked]
        held = [
            (slot, item) for slot, items in enumerate(query.slots, 1) for item in sorted(items, key=index.__getitem__)
        ]
        hit_rows += [(number, slot, index[item], query.grades[item]) for slot, item in held]
    hit_items = [item for _, _, item, _ in hit_rows]
    repeat = np.array([item in hit_items[:row] for row, item in enumerate(hit_items)], bool)
    columns = zip(*hit_rows, strict=True) if hit_rows else ((), (), (), ())
    types = (np.int64, np.int64, np.int64, np.float64)
    hits = Hits(*(np.array(column, kind) for column, kind in zip(columns, types, strict=True)), repeat)
    return Alignment.of(
        hits=hits,
        item_query=np.array([number for number, _ in item_rows], np.int64),
        item_grade=np.array([grade for _, grade in item_rows], np.float64),
        returned=np.array([len(query.slots) for query in asked], np.int64),
        lengths=Lengths(
            np.repeat(np.arange(len(asked)), [len(query.slots) for query in asked]),
            np.array([length for query in asked for length in query.lengths], np.int64),
        ),
        spans=_spans_of(asked),
    )


def _spans_of(asked: list[Query]) -> SpanTable:
    """Put the characters of each query on a stretch of one line."""
    gold = [(n, 100 * n + s.start, 100 * n + s.stop) for n, query in enumerate(asked) for s in query.gold.values()]
    held = [(n, 100 * n + s.start, 100 * n + s.stop) for n, query in enumerate(asked) for s in query.held]
    return SpanTable(
        Places(*np.array(gold, np.int64).reshape(-1, 3).T),
        np.array([query.grades[item] for query in asked for item in query.gold], np.float64),
        Places(*np.array(held, np.int64).reshape(-1, 3).T),
        np.array([slot for query in asked for slot, _ in enumerate(query.held, 1)], np.int64),
    )


def scores_of(asked: list[Query], names: str | Measure = "recall@10", **columns: list[object]) -> Scores:
    """Measure queries whose slots may hold several items; `columns` say what is known of the queries."""
    known = pl.DataFrame({"query": [f"q{n}" for n in range(len(asked))], **columns})
    judged = judgments_of({f"q{n}": dict(query.grades) for n, query in enumerate(asked)})
    rows = [
        (f"q{n}", item, float(grade))
        for n, query in enumerate(asked)
        for item, grade in sorted(query.grades.items(), key=lambda pair: -pair[1])
    ]
    aligned = Aligned(
        arrays=arrays_of(asked),
        queries=known,
        items=pl.DataFrame(rows, schema={"query": pl.String, "doc": pl.String, "grade": pl.Float64}, orient="row"),
        in_run=np.ones(len(asked), np.bool_),
        missing=0,
        ignored=0,
        notes=(),
        digest=Later.known(""),
    )
    return measured(judged, aligned, parse_all(names), Policy(), "run")


PARAMETERS: dict[str, tuple[object, ...]] = {
    "k": (None, 1, 2, 3, 5, 20),
    "rel": (1, 2, 0.5, 3, 5),
    "level": (0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1),
    "rounding": ("up", "nearest"),
    "times": (1, 0.2, 0.5, 1.7, 3),
    "beta": (1, 0.5, 2),
    "p": (0.8, 0.5, 0.1, 0.95),
    "max_grade": (4, 5),
    "pairs": ("judged", "returned"),
    "normalize": (True, False),
    "gain": ("linear", "exponential"),
    "gains": (None, ((1, 3), (2, 0.5)), ((0, 1),), ((-1, 2), (1, 0), (4, 8))),
    "discount": ("log2", "jarvelin"),
    "ideal": ("judged", "returned"),
    "p1": (1, 0, 2.5),
    "p2": (-1, 0, 0.5),
    "p3": (0, -1),
    "p4": (0, 0.5),
    "collection": (0, 100),
}
"""Values of every parameter, its default among them."""


def chosen(name: str, choice: random.Random) -> Measure:
    """Choose the parameters of one row at random."""
    row = TABLE[name]
    values = {p.name: choice.choice(PARAMETERS[p.name]) for p in row.parameters}
    budget = choice.choice((None, None, 1, 25, 70))
    return choose(row, values, judged_only=choice.random() < 0.3, budget=budget)  # type: ignore[arg-type]
