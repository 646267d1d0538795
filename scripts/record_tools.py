"""Record what LlamaIndex, MLflow, Ragas and ranx print for a few small questions: the golden file of other tools.

Run it in an environment of its own with `llama-index-core mlflow ragas "langchain-community<0.4" ranx` installed; the
tests need none of them.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "evaluation" / "elsewhere" / "recorded.json"
CUTOFFS = (1, 3, 5)

QUESTIONS = {
    "all found": (["a", "b", "c", "x", "y"], {"a": 2, "b": 1, "c": 1}),
    "late": (["x", "y", "z", "a", "w", "b"], {"a": 3, "b": 1, "c": 1}),
    "again": (["a", "x", "a", "x", "b", "a"], {"a": 1, "b": 2}),
    "only again": (["a", "a", "a"], {"a": 1, "b": 1}),
    "judged zero": (["x", "a"], {"a": 1, "x": 0, "y": 0}),
    "short": (["x", "a"], {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}),
    "nothing found": (["x", "y", "z", "w"], {"a": 1}),
    "nothing relevant": (["x", "y"], {"x": 0}),
    "nothing returned": ([], {"a": 1}),
    "nothing at all": ([], {"x": 0}),
    "many": ([*"abcdefghij"], {letter: 1 + (place % 3) for place, letter in enumerate("jhfdbkl")}),
}
Score = Callable[[list[str], list[str], int | None], float | None]


def relevant(grades: dict[str, int]) -> list[str]:
    return [doc for doc, grade in grades.items() if grade >= 1]


def llamaindex() -> dict[str, Score]:
    from llama_index.core.evaluation.retrieval import metrics

    def by(metric: object) -> Score:
        def score(retrieved: list[str], truth: list[str], k: int | None) -> float | None:
            try:
                return metric.compute(expected_ids=truth, retrieved_ids=retrieved[:k]).score
            except ValueError:
                return None

        return score

    return {
        "Recall": by(metrics.Recall()),
        "HitRate": by(metrics.HitRate()),
        "HitRate(use_granular_hit_rate=True)": by(metrics.HitRate(use_granular_hit_rate=True)),
        "Precision": by(metrics.Precision()),
        "MRR": by(metrics.MRR()),
        "MRR(use_granular_mrr=True)": by(metrics.MRR(use_granular_mrr=True)),
        "AveragePrecision": by(metrics.AveragePrecision()),
        "NDCG": by(metrics.NDCG()),
    }


def mlflow() -> dict[str, Score]:
    import pandas as pd
    from mlflow import metrics

    def by(make: Callable[[int], object]) -> Score:
        def score(retrieved: list[str], truth: list[str], k: int | None) -> float | None:
            found = make(k or 1000).eval_fn(pd.Series([retrieved]), pd.Series([truth]))
            return float(found.scores[0])

        return score

    return {
        "recall_at_{k}": by(metrics.recall_at_k),
        "precision_at_{k}": by(metrics.precision_at_k),
        "ndcg_at_{k}": by(metrics.ndcg_at_k),
    }


def ragas() -> dict[str, Score]:
    from ragas import SingleTurnSample
    from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall, NonLLMContextPrecisionWithReference

    def by(metric: object) -> Score:
        def score(retrieved: list[str], truth: list[str], k: int | None) -> float | None:
            sample = SingleTurnSample(retrieved_context_ids=retrieved[:k], reference_context_ids=truth)
            value = asyncio.run(metric.single_turn_ascore(sample))
            return None if math.isnan(value) else float(value)

        return score

    def average_precision(retrieved: list[str], truth: list[str], k: int | None) -> float | None:
        verdicts = [int(doc in truth) for doc in retrieved[:k]]
        judge = NonLLMContextPrecisionWithReference(distance_measure=object())
        return float(judge._calculate_average_precision(verdicts)) if verdicts else None

    return {
        "IDBasedContextRecall": by(IDBasedContextRecall()),
        "IDBasedContextPrecision": by(IDBasedContextPrecision()),
        "ContextPrecision": average_precision,
    }


def ranx() -> Iterator[tuple[str, int | None, list[float | None]]]:
    """Yield the values of whole collections: ranx takes no list with a document twice, and no empty dict."""
    from ranx import Qrels, Run, evaluate

    kept = {name: pair for name, pair in QUESTIONS.items() if pair[0] and len(set(pair[0])) == len(pair[0])}
    qrels = Qrels({name: grades for name, (_, grades) in kept.items()})
    run = Run({name: {doc: 100.0 - place for place, doc in enumerate(docs)} for name, (docs, _) in kept.items()})
    names = ("recall", "hit_rate", "precision", "f1", "mrr", "map", "ndcg", "ndcg_burges", "r-precision")
    for name in names:
        for k in (None,) if name == "r-precision" else (*CUTOFFS, None):
            values = evaluate(qrels, run, name if k is None else f"{name}@{k}", return_mean=False)
            found = dict(zip(sorted(kept), values, strict=True))
            called = name if name == "r-precision" else f"{name}@{{k}}"
            yield called, k, [found.get(question) for question in QUESTIONS]


def recorded(scores: dict[str, Score]) -> list[dict[str, object]]:
    return [
        {
            "called": called,
            "k": k,
            "values": [score(docs, relevant(grades), k) for docs, grades in QUESTIONS.values()],
        }
        for called, score in scores.items()
        for k in (*CUTOFFS, None)
    ]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tools = {
        "llamaindex": ("llama-index-core", recorded(llamaindex())),
        "mlflow": ("mlflow", recorded(mlflow())),
        "ragas": ("ragas", recorded(ragas())),
        "ranx": ("ranx", [dict(zip(("called", "k", "values"), row, strict=True)) for row in ranx()]),
    }
    content = {
        "questions": {name: {"retrieved": docs, "grades": grades} for name, (docs, grades) in QUESTIONS.items()},
        "tools": {
            name: {"version": f"{package} {importlib.metadata.version(package)}", "measures": rows}
            for name, (package, rows) in tools.items()
        },
    }
    plain = json.dumps(content, default=lambda x: float(np.float64(x)))
    GOLDEN.write_text(plain + "\n", encoding="utf-8")
