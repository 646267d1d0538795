"""What both versions print for the collection that comes with trec_eval, byte for byte; skipped where it is absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ORACLE = Path(os.environ.get("CATCHRATE_ORACLE") or Path(__file__).parents[4] / "shared" / "oracle" / "trec_eval")
COMMANDS = {
    "official": "qrels.test results.test",
    "all_trec_q": "-m all_trec -q qrels.test results.test",
    "all_trec_q_c_trunc": "-m all_trec -q -c qrels.test results.trunc",
    "all_trec_q_l2_graded": "-m all_trec -q -l2 qrels.rel_level results.test",
    "all_trec_q_J": "-m all_trec -q -J qrels.test results.test",
    "params_q": "-m ndcg.1=3,2=9,4=4.5 -m P.5,7,3 -m set_F.0.5 -q qrels.rel_level results.test",
    "all_prefs_q": "-m all_prefs -q -R prefs prefs.test prefs.results.test",
    "qrels_jg_q": "-m qrels_jg -q -R qrels_jg qrels.123 results.test",
}

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason="the outputs of trec_eval are not here: CATCHRATE_ORACLE")


@pytest.mark.parametrize("version", ["9.0.8", "10"])
@pytest.mark.parametrize("name", COMMANDS)
def test_the_output_is_theirs_byte_for_byte(trec_eval, monkeypatch, version, name):
    monkeypatch.chdir(ORACLE / "inputs")
    outcome = trec_eval("--dialect", version, *COMMANDS[name].split())
    assert outcome.out == (ORACLE / f"v{version}" / f"{name}.txt").read_text()
    assert (outcome.code, outcome.err) == (0, "")
