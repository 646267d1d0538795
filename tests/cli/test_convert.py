from __future__ import annotations

import pytest

import catchrate

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 9.5 t\nq1 Q0 x 2 8.25 t\nq2 Q0 c 1 9 t\n"
RECORDS = '{"id": "q1", "query": "?", "retrieved": ["a", "x"], "ground_truth": {"a": 2}}\n'
TARGETS = ["out.trec", "out.csv", "out.tsv", "out.jsonl", "out.json", "out.parquet", "out.trec.gz", "out.csv.zst"]


@pytest.mark.parametrize("target", TARGETS)
def test_judgments_keep_their_meaning_in_every_format(run, files, tmp_path, target):
    (source,) = files(judged_txt=QRELS)
    done = run("convert", source, tmp_path / target)
    assert (done.code, done.out) == (0, "")
    kept = catchrate.read_judgments(str(tmp_path / target)).items
    assert kept.equals(catchrate.read_judgments(str(source)).items)


@pytest.mark.parametrize("target", TARGETS)
def test_a_run_scores_the_same_in_every_format(run, files, tmp_path, target):
    judged, source = files(judged_txt=QRELS, run_trec=RUN)
    assert run("convert", source, tmp_path / target).code == 0
    one, other = (catchrate.evaluate(str(judged), str(path)) for path in (source, tmp_path / target))
    assert one.as_dict() == other.as_dict()


def test_records_stay_records_or_give_one_side(run, files, tmp_path):
    (source,) = files(evals_jsonl=RECORDS)
    assert run("convert", source, tmp_path / "all.json").code == 0
    assert catchrate.evaluate(str(tmp_path / "all.json"), measures="rr")["rr"] == 1
    assert run("convert", source, tmp_path / "side.txt", "--as", "judgments").code == 0
    assert (tmp_path / "side.txt").read_text() == "q1 0 a 2\n"


def test_a_beir_folder_becomes_one_file(run, demo, tmp_path):
    done = run("convert", demo, tmp_path / "all.jsonl")
    assert done.code == 0
    assert "166 judged items" in done.err


def test_standard_output_needs_a_format(run, files):
    (source,) = files(judged_txt=QRELS)
    assert run("convert", source, "-", "--to", "csv").out == "query,doc,grade\nq1,a,2\nq1,b,0\nq2,c,1\n"
    done = run("convert", source, "-")
    assert (done.code, done.out) == (2, "")
    assert "--to csv" in done.err


def test_what_could_be_either_is_asked_for(run, files, tmp_path):
    (source,) = files(either_csv="query,doc,score\nq1,a,1\n")
    done = run("convert", source, tmp_path / "out.trec")
    assert done.code == 2
    assert "--as judgments or --as ranking" in done.err
    assert run("convert", source, tmp_path / "out.trec", "--as", "ranking").code == 0


def test_the_input_is_never_written_over(run, files):
    (source,) = files(judged_txt=QRELS)
    done = run("convert", source, source)
    assert done.code == 5
    assert source.read_text() == QRELS


def test_a_suffix_that_names_no_format_is_a_wrong_call(run, files, tmp_path):
    (source,) = files(judged_txt=QRELS)
    done = run("convert", source, tmp_path / "out.xyz")
    assert done.code == 2
    assert not (tmp_path / "out.xyz").exists()
    assert run("convert", source, tmp_path / "out.xyz", "--to", "csv").code == 0


def test_label_sheets_are_added_to_judgments(run, files, tmp_path):
    source, sheet = files(judged_txt=QRELS, sheet_csv="query,doc,grade,text\nq1,new,1,why not\nq2,later,,\n")
    done = run("convert", source, tmp_path / "all.csv", "--add", sheet)
    assert done.code == 0
    assert "q1,new,1\n" in (tmp_path / "all.csv").read_text()
    assert "N259" in done.err
    ranking = files(run_trec=RUN)[0]
    assert "E280 --add is given for a ranking" in run("convert", ranking, tmp_path / "x.csv", "--add", sheet).err
