"""REMem's rule, case by case as its documents and its code have it."""

from __future__ import annotations

import pytest

from catchrate.matching.remem import is_chunk_from_original


@pytest.mark.parametrize(
    ("chunk", "original", "found"),
    [
        ("tea", "I like tea a lot", True),
        ("coffee", "I like tea a lot", False),
        ("user: I like tea", "I like tea a lot", True),
        ("assistant: I like tea", "I like tea a lot", True),
        ("system: I like tea", "I like tea a lot", False),
        ("Date: May 1\nuser: I like tea", "I like tea a lot", True),
        ("Date: May 1\nI like tea", "I like tea a lot", True),
        ("user: I like tea\nDate: May 1", "I like tea a lot", False),
        # what stands behind a second ": " is not looked at
        ("user: I like tea: black", "I like tea: green", True),
        ("user: a\nassistant: unrelated", "a\nassistant", True),
        # line ends and quotes also count in JSON escapes
        ("one\ntwo", 'x "one\\ntwo" y', True),
        ("one\ntwo", r"x one\ntwo y", False),
        ('user: say "tea" now: or later', r"they say \"tea\" now", True),
        ("user: caf\u00e9", r'"user: caf\u00e9"', True),
        ("user: caf\u00e9", r"the caf\u00e9 there", False),
        # a chunk of nothing, and one that is only a date, come from every document
        ("", "anything", True),
        ("Date: May 1", "anything", True),
        ("user: ", "anything", True),
        ("anything", "", False),
    ],
)
def test_a_chunk_comes_from_a_document_by_the_rule_of_remem(chunk: str, original: str, found: bool):
    assert is_chunk_from_original(chunk, original) is found
