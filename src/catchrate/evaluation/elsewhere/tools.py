"""What other tools call and compute: facts about each, in one place. Every row is held against the tool itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catchrate.errors import UsageError, shown
from catchrate.evaluation.elsewhere import quirks
from catchrate.evaluation.elsewhere.definitions import FIRST_K, OWN, Definition, Tool

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(name=OWN, title="catchrate", version=""),
        Tool(
            name="trec_eval-9",
            title="trec_eval 9",
            version="9.0.8",
            only_in_run=True,
            dialect="trec_eval-9",
            says="compares scores as 32-bit floats; its means leave out queries that the run does not have, unless -c",
        ),
        Tool(
            name="trec_eval-10",
            title="trec_eval 10",
            version="10.0",
            says="stops at a judged query that the run does not have, unless -c counts it as 0",
        ),
        Tool(
            name="haystack",
            title="Haystack",
            version="haystack-ai 3.4.0",
            says="has no cut-off: it looks at the list as it is given",
        ),
        Tool(name="remem", title="REMem", version="documentation of 2026", says="rounds its means to 4 decimals"),
        Tool(
            name="metrics101",
            title="Metrics 101",
            version="as published",
            says="counts a document again each time that it was retrieved",
        ),
        Tool(
            name="ragas",
            title="Ragas",
            version="ragas 0.4.3",
            says="has no cut-off; a query without a number is left out of the mean",
        ),
        Tool(
            name="llamaindex",
            title="LlamaIndex",
            version="llama-index-core 0.14.25",
            says="has no cut-off, and stops at a query with nothing relevant or nothing retrieved",
        ),
        Tool(
            name="mlflow",
            title="MLflow",
            version="mlflow 3.17.2",
            says="knows no grades; a query with nothing relevant and nothing retrieved scores 1",
        ),
        Tool(
            name="ranx",
            title="ranx",
            version="ranx 0.3.21",
            says="refuses queries that differ, unless make_comparable; two plain dicts are paired by position",
        ),
    )
}
"""Every tool by the name that `--as` takes."""

ANY_HIT = "1 as soon as any relevant document is there"
AGAIN = "a document that was retrieved twice counts twice"
BINARY = "grades do not count"
WHOLE_IDEAL = f"the ideal list holds all relevant documents{FIRST_K}"


def _trec(tool: str) -> Iterable[Definition]:
    def row(called: str, measure: str, like: str = "", **more: object) -> Definition:
        return Definition(tool=tool, called=called, measure=measure, like=(like or measure,), **more)  # type: ignore[arg-type]

    yield row("recall_{k}", "recall", whole="set_recall")
    yield row("P_{k}", "precision", whole="set_P")
    yield row("success_{k}", "hit", whole="success")
    yield row("recip_rank -M {k}", "rr", whole="recip_rank", cuts=False)
    yield row("map_cut_{k}", "ap", whole="map")
    yield row("ndcg_cut_{k}", "ndcg", whole="ndcg")
    yield row("set_F -M {k}", "f1", whole="set_F", cuts=False, differs="precision is over what was returned")
    yield row("relative_P_{k}", "relative_precision", whole="set_relative_P")
    yield row("Rprec", "r_precision", whole_only=True)
    yield row("bpref", "bpref", whole_only=True)
    yield row("infAP", "infap", whole_only=True)
    yield row("gm_map", "gm_ap", whole_only=True)
    if tool == "trec_eval-9":
        yield row("11pt_avg", "iprec_avg", whole_only=True)
    else:
        nearest = "a level of recall is rounded to the nearest number of documents"
        yield row("11pt_avg", "iprec_avg(rounding=nearest)", "iprec_avg", whole_only=True, differs=nearest)


def _haystack() -> Iterable[Definition]:
    def row(called: str, *like: str, **more: object) -> Definition:
        return Definition(tool="haystack", called=called, like=like, cuts=False, **more)  # type: ignore[arg-type]

    yield row("DocumentRecallEvaluator(mode='single_hit')", "recall", "hit", measure="hit", differs=ANY_HIT)
    yield row("DocumentRecallEvaluator(mode='multi_hit')", "recall", measure="recall")
    yield row("DocumentMRREvaluator", "rr", measure="rr")
    yield row("DocumentMAPEvaluator", "ap", measure="ap")
    yield row("DocumentNDCGEvaluator", "ndcg", measure="ndcg", differs=WHOLE_IDEAL)


def _remem() -> Iterable[Definition]:
    def row(called: str, *like: str, **more: object) -> Definition:
        return Definition(tool="remem", called=called, like=like, **more)  # type: ignore[arg-type]

    yield row("Recall@{k}", "recall", measure="recall")
    yield row("Recall_all@{k}", "recall_all", measure="recall_all")
    ideal = "the second rank is not discounted, and the ideal list reorders what was retrieved: misses cost nothing"
    yield row("NDCG_any@{k}", "ndcg", quirk=quirks.ndcg_of_order, differs=f"{BINARY}, {ideal}")


def _metrics101() -> Iterable[Definition]:
    zero = "documents of grade 0 stay in the divisor, and each value is rounded to 3 decimals"
    yield Definition(
        tool="metrics101",
        called="recall_at_k(k={k})",
        like=("recall",),
        quirk=quirks.places_over_judged,
        differs=f"{AGAIN}, {zero}",
    )
    yield Definition(
        tool="metrics101",
        called="precision_at_k(k={k})",
        like=("precision",),
        quirk=quirks.places_over_k,
        differs=AGAIN,
    )


def _ragas() -> Iterable[Definition]:
    def row(called: str, like: str, **more: object) -> Definition:
        return Definition(tool="ragas", called=called, like=(like,), cuts=False, **more)  # type: ignore[arg-type]

    yield row("IDBasedContextRecall", "recall", measure="recall", silent="nothing relevant")
    yield row(
        "IDBasedContextPrecision",
        "precision",
        quirk=quirks.documents_over_documents,
        silent="nothing returned",
        differs="divides by the different documents that were retrieved, not by k",
    )
    yield row(
        "ContextPrecision",
        "ap",
        quirk=quirks.ap_over_found,
        silent="nothing returned",
        differs="divides by the relevant documents that were found, so that misses cost nothing",
    )


def _llamaindex() -> Iterable[Definition]:
    def row(called: str, *like: str, **more: object) -> Definition:
        return Definition(tool="llamaindex", called=called, like=like, cuts=False, silent="either", **more)  # type: ignore[arg-type]

    yield row("Recall", "recall", measure="recall")
    yield row("HitRate", "hit", "recall", measure="hit", differs=ANY_HIT)
    yield row("HitRate(use_granular_hit_rate=True)", "recall", quirk=quirks.places_over_relevant, differs=AGAIN)
    yield row(
        "Precision",
        "precision",
        quirk=quirks.documents_over_documents,
        differs="divides by the different documents that were retrieved, not by k",
    )
    yield row("MRR", "rr", measure="rr")
    granular = "the mean of one over the rank of every relevant document that was found"
    yield row("MRR(use_granular_mrr=True)", "rr", quirk=quirks.mean_reciprocal_ranks, differs=granular)
    yield row("AveragePrecision", "ap", quirk=quirks.ap_over_relevant, differs=AGAIN)
    yield row("NDCG", "ndcg", quirk=quirks.ndcg_of_places, differs=f"{BINARY}, {AGAIN}, and {WHOLE_IDEAL}")


def _mlflow() -> Iterable[Definition]:
    def row(called: str, like: str, **more: object) -> Definition:
        return Definition(tool="mlflow", called=called, like=(like,), **more)  # type: ignore[arg-type]

    yield row("recall_at_{k}", "recall", quirk=quirks.recall_of_nothing)
    short = "a list shorter than k is divided by its own length"
    yield row("precision_at_{k}", "precision", quirk=quirks.places_over_returned, differs=f"{short}, and {AGAIN}")
    ideal = "the ideal list is no longer than the list"
    yield row("ndcg_at_{k}", "ndcg", quirk=quirks.ndcg_with_repeats, differs=f"{BINARY}, and {ideal}")


def _ranx() -> Iterable[Definition]:
    def row(called: str, like: str, measure: str = "", **more: object) -> Definition:
        return Definition(tool="ranx", called=called, like=(like,), measure=measure or like, **more)  # type: ignore[arg-type]

    yield row("recall@{k}", "recall")
    yield row("hit_rate@{k}", "hit")
    yield row("precision@{k}", "precision")
    yield row("f1@{k}", "f1")
    yield row("mrr@{k}", "rr")
    yield row("map@{k}", "ap")
    yield row("ndcg@{k}", "ndcg")
    yield row("ndcg_burges@{k}", "ndcg", "ndcg(gain=exponential)", differs="the gain of a grade is 2^grade - 1")
    yield row("r-precision", "r_precision", whole_only=True)


OWN_MEASURES = (
    *("recall", "hit", "precision", "f1", "recall_all", "capped_recall", "rr", "ap", "ndcg", "ndcg(gain=exponential)"),
    *("ndcg(discount=jarvelin)", "ndcg(ideal=returned)", "relative_precision", "miss", "coverage_gap", "r_precision"),
    *("judged", "recall_ceiling", "bpref"),
)
"""Measures of ours that a number may be."""


def _own() -> Iterable[Definition]:
    for spelled in OWN_MEASURES:
        name = spelled.partition("(")[0]
        alone = name in ("r_precision", "bpref")
        yield Definition(
            tool=OWN, called=spelled if alone else f"{spelled}@{{k}}", like=(name,), measure=spelled, whole_only=alone
        )


DEFINITIONS: tuple[Definition, ...] = (
    *_own(),
    *_trec("trec_eval-9"),
    *_trec("trec_eval-10"),
    *_haystack(),
    *_remem(),
    *_metrics101(),
    *_ragas(),
    *_llamaindex(),
    *_mlflow(),
    *_ranx(),
)
"""Every definition, ours first."""


def chosen_tools(names: str | Iterable[str]) -> tuple[Tool, ...]:
    """Return tools by name, from one text separated by commas or from many.

    Raises UsageError for a name that no tool has.
    """
    texts: Sequence[str] = [names] if isinstance(names, str) else list(names)
    wanted = dict.fromkeys(name.strip() for text in texts for name in str(text).split(",") if name.strip())
    others = [name for name in TOOLS if name != OWN]
    unknown = [name for name in wanted if name not in others]
    if unknown:
        message = f"{shown(unknown[0])} is no tool whose definitions are known"
        raise UsageError.of("E362", message, fix=f"it is one of {', '.join(others)}")
    return tuple(TOOLS[name] for name in wanted)


def definitions_like(tool: Tool, name: str) -> tuple[Definition, ...]:
    """Return what a tool has for one of our measures, by name."""
    return tuple(one for one in DEFINITIONS if one.tool == tool.name and name in one.like)
