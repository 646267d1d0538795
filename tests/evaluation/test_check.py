from __future__ import annotations

import json

import pytest

from catchrate.alignment import Policy
from catchrate.evaluation.check import check
from catchrate.formats import ReadOptions

JUDGED = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq2 Q0 c 1 9 t\n"


@pytest.fixture
def checked(tmp_path):
    """Check inputs given as text, in order, and return what was found."""

    def look(*contents: str, suffix: str = "txt", **choices):
        policy = choices.pop("policy", None)
        paths = [tmp_path / f"{number}.{suffix}" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_text(content, encoding="utf-8")
        return check([str(path) for path in paths], ReadOptions(**choices), policy)

    return look


def codes(one) -> list[str]:
    return [finding.code for finding in one.findings]


def test_clean_inputs_have_nothing_to_report(checked):
    judgments, run = checked(JUDGED, RUN)
    assert (judgments.kind, judgments.queries, judgments.rows, judgments.findings) == ("judgments", 2, 3, ())
    assert (run.kind, run.queries, run.rows, run.findings) == ("ranking", 2, 3, ())


def test_every_refused_line_is_listed(checked):
    (run,) = checked("q1 Q0 a 1 x t\nq1 Q0 b 2 7,5 t\nq1 Q0 c\nq1 Q0 d 4 nan t\n")
    assert run.refused
    assert [(finding.code, finding.line) for finding in run.findings] == [
        ("E214", 1),
        ("E214", 2),
        ("E219", 3),
        ("E211", 4),
    ]


def test_errors_beyond_the_cap_are_counted(checked):
    (run,) = checked("q1 Q0 a 1 1 t\n" + "q1 Q0 a 1 x t\n" * 50)
    assert len(run.findings) + run.more == 50


def test_a_missing_file_does_not_end_the_look_at_the_others(checked, tmp_path):
    (tmp_path / "good.txt").write_text(JUDGED)
    missing, good = check([str(tmp_path / "none"), str(tmp_path / "good.txt")])
    assert (codes(missing), missing.kind) == (["E110"], None)
    assert not good.refused


def test_a_repeated_document_is_refused_without_judgments_too(checked):
    (run,) = checked(RUN + RUN)
    assert "E216" in codes(run)
    (run,) = checked(RUN + RUN, policy=Policy(duplicates="keep"))
    assert not run.refused


def test_runs_are_joined_with_the_judgments_before_them(checked):
    _, stranger, part = checked(JUDGED, RUN.replace("q", "topic"), RUN[: RUN.index("q2")])
    assert "E221" in codes(stranger)
    assert codes(part) == ["N225"]


@pytest.mark.parametrize("char", ["\u200b", "\u202e", "\x1b", "\u00a0", "\u2028", "\u0085"])
def test_invisible_characters_in_ids_are_told_with_their_line(checked, char):
    (judgments,) = checked(f"q1 0 a 1\nq1 0 b{char}c 1\n")
    (finding,) = judgments.findings
    assert (finding.code, finding.line) == ("W106", 2)
    assert char not in finding.message


@pytest.mark.parametrize("pair", [("Doc", "doc"), ("caf\u00e9", "cafe\u0301"), ("STRASSE", "stra\u00dfe")])
def test_ids_that_differ_only_in_case_or_composition_are_told_with_both_spellings(checked, pair):
    (judgments,) = checked("".join(f"q1 0 {doc} 1\n" for doc in pair))
    (finding,) = judgments.findings
    assert (finding.code, finding.line, finding.count) == ("W107", 2, 2)


def test_ids_that_are_different_are_not_told(checked):
    (judgments,) = checked("q1 0 d1 1\nq1 0 d01 1\nq1 0 d10 1\nq1 0 d100 1\n")
    assert judgments.findings == ()


@pytest.mark.parametrize("pair", [("30", "030"), ("Q30", "q30"), ("d7", "d007")])
def test_ids_that_the_sides_spell_differently_are_told(checked, pair):
    ours, theirs = pair
    _, run = checked(JUDGED + f"{ours} 0 a 1\n", RUN + f"{theirs} Q0 a 1 1 t\n")
    alike = next(finding for finding in run.findings if finding.code == "W107")
    assert (alike.line, alike.count, alike.sample) == (4, 1, (theirs,))


def test_an_id_that_matches_as_it_is_needs_no_other_spelling(checked):
    _, run = checked(JUDGED, RUN + "q1 Q0 A 3 7 t\n")
    assert not any("spells" in finding.message for finding in run.findings)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("9007199254740993", "9007199254740992", True),
        ("0.3", "0.30000000000000001", True),
        ("0.30", "0.3", False),
        ("3e-1", "0.3", False),
        ("0.3000000001", "0.3", False),
    ],
)
def test_ties_that_reading_makes_are_told(checked, one, other, found):
    (run,) = checked(f"q1 Q0 a 1 {one} t\nq1 Q0 b 2 {other} t\n")
    assert ("W215" in codes(run)) is found


def test_the_dialect_of_32_bits_makes_more_ties(checked):
    text = "q1 Q0 a 1 0.3000000001 t\nq1 Q0 b 2 0.3 t\n"
    (run,) = checked(text, policy=Policy(dialect="trec_eval-9"))
    assert codes(run) == ["W215"]


def test_equal_scores_of_different_queries_are_no_tie(checked):
    (run,) = checked("q1 Q0 a 1 0.3 t\nq2 Q0 b 1 0.30000000000000001 t\n")
    assert run.findings == ()


def test_ranks_that_contradict_scores_are_told_with_the_first_line(checked):
    steady = "".join(f"q2 Q0 {n} {n} {99 - n} t\n" for n in range(1, 30))
    (run,) = checked(steady + "q1 Q0 a 1 5 t\nq1 Q0 b 2 9 t\nq1 Q0 c 3 1 t\n")
    (finding,) = run.findings
    assert (finding.code, finding.line, finding.count) == ("W217", 31, 1)


def test_scores_that_grow_with_the_rank_are_told_to_be_distances(checked):
    distances = "".join(f"q1 Q0 {n} {n} {n / 10} t\n" for n in range(1, 11))
    (run,) = checked(distances)
    assert codes(run) == ["W220"]
    (run,) = checked(distances, ascending=True)
    assert run.findings == ()


def test_relevant_documents_at_the_bottom_are_told(checked):
    judged = "".join(f"q{q} 0 9 1\n" for q in range(5))
    run = "".join(f"q{q} Q0 {n} 0 {9 - n} t\n" for q in range(5) for n in range(10))
    assert codes(checked(judged, run)[1]) == ["W220"]
    assert checked(judged.replace(" 9 ", " 0 "), run)[1].findings == ()


def test_several_tags_are_told(checked):
    (run,) = checked(RUN + "q2 Q0 y 2 8 other\n")
    (finding,) = run.findings
    assert (finding.code, finding.line) == ("W218", 4)


def test_rows_that_look_like_comments_are_told(checked):
    text = "#q1 0 a 1\nq1 0 b 1\n"
    (judgments,) = checked(text)
    assert [(finding.code, finding.line) for finding in judgments.findings] == [("W118", 1)]
    (judgments,) = checked(text, comments=True)
    assert judgments.findings == ()


def test_lines_are_counted_as_they_stand_in_the_file(checked):
    (run,) = checked("# a comment\n\nq1 Q0 a 1 5 t\n\nq1 Q0 b\u200b 2 4 t\r\n", comments=True)
    assert [(finding.code, finding.line) for finding in run.findings] == [("W106", 5)]


def test_queries_in_pieces_are_checked_like_sorted_ones(checked):
    pieces = "q1 Q0 a 1 9 t\nq2 Q0 c 1 9 t\nq1 Q0 x 2 8 t\n"
    assert checked(JUDGED, pieces)[1].findings == checked(JUDGED, RUN)[1].findings


def test_records_are_checked_on_both_sides(checked):
    record = {"id": "q1", "query": "?", "retrieved": ["a", "A"], "ground_truth": ["b\u200b"]}
    (records,) = checked(json.dumps(record) + "\n", suffix="jsonl")
    assert (records.kind, records.queries, records.rows) == ("records", 1, 2)
    assert codes(records) == ["W106", "W107"]


def test_a_table_with_scores_is_judgments_first_and_a_ranking_after(checked):
    first, second = checked("query,doc,score\nq1,a,1\n", "query,doc,score\nq1,a,3\n", suffix="csv")
    assert (first.kind, second.kind) == ("judgments", "ranking")


@pytest.mark.parametrize(
    ("documents", "tied", "queries"), [(11, 11, 2), (10, 10, 0), (30, 5, 0), (30, 4, 2), (30, 1, 0)]
)
def test_a_cutoff_inside_a_tie_is_told_of(checked, documents: int, tied: int, queries: int):
    run = "".join(f"q{q} Q0 d{d} {d + 1} {-(d // tied)} t\n" for q in (1, 2) for d in range(documents))
    (looked,) = checked(run)
    assert sum(finding.count for finding in looked.findings if finding.code == "N215") == queries


@pytest.mark.parametrize(("tied", "told"), [(2, 0), (3, 3)])
def test_a_few_ties_at_the_cutoff_are_ordinary(checked, tied: int, told: int):
    run = "".join(f"q{q} Q0 d{d} {d + 1} {-d if q > tied else 0} t\n" for q in range(1, 21) for d in range(12))
    (looked,) = checked(run)
    assert sum(finding.count for finding in looked.findings if finding.code == "N215") == told
