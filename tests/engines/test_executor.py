"""What executors do, without a cluster: the same functions on batches that are parted at random."""

from __future__ import annotations

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catchrate
from catchrate.alignment import Policy
from catchrate.engines.executor import SAID, Work, scored
from catchrate.engines.merge import scores_of
from catchrate.formats.names import DOC, QUERY, RANK, SCORE
from catchrate.measures import parse_all
from catchrate.tables import Judgments

MEASURES = parse_all(
    "recall@5 ap ndcg@10 ndcg(gain=exponential) rr bpref gm_ap rbp hit@1 infap err precision(judged_only=true)@5"
)
USUAL = Policy()
LONG = {QUERY: QUERY, DOC: DOC, SCORE: SCORE}
LISTS = {QUERY: QUERY, RANK: RANK, DOC: DOC}


def judgments_of(seed: int, queries: int = 12) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", f"d{d}", float(rng.integers(-1, 4))) for q in range(2, queries + 2) for d in rng.permutation(30)[:8]
    ]
    return pl.DataFrame(rows, schema=["query", "doc", "grade"], orient="row").sort("query", "doc")


def run_of(seed: int, queries: int = 12) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{q}", f"d{d}", float(rng.integers(0, 6)) / 4)
        for q in range(queries)
        for d in rng.permutation(30)[: rng.integers(1, 25)]
    ]
    return pl.DataFrame(rows, schema=["query", "doc", "score"], orient="row")


def work(judgments: pl.DataFrame, columns: dict[str, str], policy: Policy, **fields: object) -> bytes:
    usual = {"ascending": False, "listed": RANK in columns, "mapped": False, "several": False}
    effective = tuple(measure.at_level(policy.rel) for measure in MEASURES)
    own = pickle.dumps({})
    found = catchrate.read_judgments(judgments)
    return pickle.dumps(
        Work(judgments=found, measures=effective, own=own, policy=policy, columns=columns, **{**usual, **fields})
    )


def said(rows: pl.DataFrame, order: bytes, parts: int = 1, batch: int = 1_000, salt: int = 0):
    """Part rows by run and query as a cluster does, sort them, and let an executor see them batch by batch."""
    keys = [name for name in ("run", "query") if name in rows.columns]
    rows = rows.with_columns(hash=pl.struct(pl.exclude("run")).hash(seed=0).reinterpret(signed=True))
    part_of = rows.select(pl.struct(keys).hash(seed=salt) % parts).to_series()
    for part in range(parts):
        mine = rows.filter(part_of == part).sample(fraction=1, shuffle=True, seed=salt)
        mine = mine.sort(*keys, *([RANK] if RANK in rows.columns else []), maintain_order=True)
        for table in scored(iter(mine.to_arrow().to_batches(max_chunksize=batch)), order):
            yield from pl.DataFrame(table).filter(pl.col(SAID).is_not_null()).select("run", SAID).iter_rows()


def scores(
    rows: pl.DataFrame,
    judgments: pl.DataFrame,
    policy: Policy = USUAL,
    columns=LONG,
    parts=1,
    batch=1_000,
    salt=0,
    **fields,
):
    order = work(judgments, columns, policy, **fields)
    found = said(rows, order, parts, batch, salt)
    return scores_of(found, catchrate.read_judgments(judgments), MEASURES, policy)


def facts(found: catchrate.Scores) -> object:
    return found.as_dict(), [(note.code, note.message, note.count) for note in found.notes]


@settings(max_examples=40)
@given(
    seed=st.integers(0, 50),
    parts=st.integers(1, 9),
    batch=st.integers(1, 40),
    salt=st.integers(0, 99),
    queries=st.sampled_from(["judged", "both"]),
    duplicates=st.sampled_from(["keep", "collapse"]),
    rel=st.sampled_from([1, 2]),
    cut=st.sampled_from([None, 7]),
)
def test_any_parting_and_any_batches_give_the_numbers_of_one_machine(
    seed, parts, batch, salt, queries, duplicates, rel, cut
):
    judgments, run = judgments_of(seed), run_of(seed + 1)
    run = pl.concat([run, run.sample(5, seed=seed)])
    policies = {"queries": queries, "duplicates": duplicates, "rel": rel, "max_rank": cut}
    expected = catchrate.evaluate(judgments, run, MEASURES, **policies)
    found = scores(run, judgments, Policy(**policies), parts=parts, batch=batch, salt=salt)[""]
    assert facts(found) == facts(expected)
    assert found.per_query.equals(expected.per_query)
    assert [found.interval(m).ends for m in ("ap", "hit@1")] == [expected.interval(m).ends for m in ("ap", "hit@1")]


@settings(max_examples=20)
@given(parts=st.integers(1, 9), batch=st.integers(1, 40), salt=st.integers(0, 99))
def test_runs_that_share_partitions_keep_apart(parts, batch, salt):
    judgments, runs = judgments_of(1), {f"run{i}": run_of(i) for i in range(4)}
    rows = pl.concat([run.with_columns(pl.lit(name).alias("run")) for name, run in runs.items()])
    found = scores(rows, judgments, parts=parts, batch=batch, salt=salt, several=True)
    assert list(found) == sorted(runs)
    for name, run in runs.items():
        alone = catchrate.evaluate(judgments, run, MEASURES)
        assert found[name].as_dict() == alone.as_dict()
        assert found[name].per_query.equals(alone.per_query)


def test_the_digest_of_a_run_is_that_of_its_rows_in_any_order():
    judgments, run = judgments_of(1), run_of(2)
    digests = {
        scores(run, judgments, parts=parts, salt=salt)[""].provenance["inputs"]["ranking"]["digest"]
        for parts, salt in ((1, 0), (5, 1), (9, 2))
    }
    other = scores(run.with_columns(pl.col("score") + 1), judgments)[""]
    assert len(digests) == 1
    assert other.provenance["inputs"]["ranking"]["digest"] not in digests


def listed(lists: dict[str, list[str]]) -> pl.DataFrame:
    rows = [(q, float(i) if docs else None, d) for q, docs in lists.items() for i, d in enumerate(docs or [None], 1)]
    return pl.DataFrame(rows, schema={"query": pl.String, "rank": pl.Float64, "doc": pl.String}, orient="row")


@pytest.mark.parametrize("parts", [1, 3])
def test_lists_rank_by_their_order_and_an_empty_one_is_not_missing(parts):
    judgments = judgments_of(3)
    lists = {q: docs["doc"].to_list() for (q,), docs in run_of(4).group_by("query", maintain_order=True)}
    lists["q3"] = []
    expected = catchrate.evaluate(judgments, lists, MEASURES)
    found = scores(listed(lists), judgments, columns=LISTS, parts=parts)[""]
    assert facts(found) == facts(expected)
    assert found.per_query.equals(expected.per_query)


def test_scores_that_contradict_their_lists_are_noted_once_for_all_partitions():
    judgments = judgments_of(3)
    lists = {
        q: list(zip(d["doc"], d["score"], strict=True)) for (q,), d in run_of(4).group_by("query", maintain_order=True)
    }
    rows = [(q, float(i), d, s) for q, pairs in lists.items() for i, (d, s) in enumerate(pairs, 1)]
    frame = pl.DataFrame(rows, schema=["query", "rank", "doc", "score"], orient="row")
    expected = catchrate.evaluate(judgments, lists, MEASURES)
    found = scores(frame, judgments, columns={**LISTS, SCORE: SCORE}, parts=4)[""]
    assert "N223" in [note.code for note in expected.notes]
    assert facts(found) == facts(expected)


BAD_ROWS = {
    "E216": pl.DataFrame({"query": ["q5"], "doc": ["d1"], "score": [0.0]}),
    "E211": pl.DataFrame({"query": ["q5"], "doc": ["x"], "score": [float("nan")]}),
    "E255": pl.DataFrame({"query": ["q5"], "doc": [""], "score": [1.0]}),
}


@pytest.mark.parametrize("code", BAD_ROWS)
@pytest.mark.parametrize("parts", [1, 4])
def test_what_an_executor_refuses_is_told_with_run_and_query(code, parts):
    run = pl.concat([run_of(2).filter(pl.col("doc") != "d1"), *2 * [BAD_ROWS["E216"][:0]]])
    wrong = [BAD_ROWS[code], BAD_ROWS[code]] if code == "E216" else [BAD_ROWS[code]]
    rows = pl.concat([run, *wrong]).with_columns(pl.lit("mine").alias("run"))
    with pytest.raises(catchrate.InputError, match="'q5'") as caught:
        scores(rows, judgments_of(2), parts=parts, several=True)
    assert (caught.value.code, caught.value.findings[0].file) == (code, "mine")


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (listed({"q3": ["a"], "q4": ["b"]}).vstack(listed({"q4": ["b", "c"]})), "E238"),
        (listed({"q3": [], "q4": ["b"]}).vstack(listed({"q3": []})), "E238"),
        (listed({"q4": ["b"]}).with_columns(rank=pl.lit(0.0)), "E236"),
    ],
    ids=["twice", "twice-empty", "null"],
)
def test_a_query_has_one_list(rows, code):
    with pytest.raises(catchrate.InputError, match=r"'q[34]'") as caught:
        scores(rows, judgments_of(2), columns=LISTS)
    assert caught.value.code == code


def test_a_ranking_without_rows_is_refused():
    with pytest.raises(catchrate.InputError, match="E101"):
        scores_of([], Judgments.of(judgments_of(1)), MEASURES, Policy())
