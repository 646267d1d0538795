"""Texts made comparable: normal forms, and the words that they are made of."""

from __future__ import annotations

import re
import unicodedata

SLICE = 1_000
"""Characters that are normalised together where a text may hold a hostile run of marks."""
_MARKS = re.compile(r"[^\w\s\x00-\x7f]{200,}")
"""No honest text has so many marks in a row. Sorting them is what takes quadratic time."""
_NO_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that are written without spaces: each character is a word."""
_WORDS = re.compile(rf"[{_NO_SPACES}]|[^\W_{_NO_SPACES}]+")
_ASCII = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))


def words(text: str) -> list[str]:
    """Return the words of a text: letters and digits without case, in the order of the text.

    >>> words("The GIL (a mutex) is ﬁne.")
    ['the', 'gil', 'a', 'mutex', 'is', 'fine']
    """
    if text.isascii():  # three times as fast
        return text.encode().translate(_ASCII).decode().split()
    return _WORDS.findall(nfkc(text).casefold())


def nfkc(text: str) -> str:
    """Return a text in Unicode's normal form NFKC, in linear time whatever it holds."""
    if text.isascii():
        return text
    if _MARKS.search(text) is None:
        return unicodedata.normalize("NFKC", text)
    slices = (text[start : start + SLICE] for start in range(0, len(text), SLICE))
    return "".join(unicodedata.normalize("NFKC", part) for part in slices)


DATE = re.compile(r"\s*(?:Date: [^\n]*|\[?\d{4}[-/]\d\d[-/]\d\d[^\n\]]{0,40}\]?)(?:\n|$)")
"""A first line that only says when something was said."""
SPEAKER = re.compile(r"^[ \t]*(?:user|assistant|system|human|ai|bot)[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
"""Who speaks, at the beginning of a line of a conversation."""


def without_chat_marks(text: str) -> str:
    r"""Return a text without the date line and the names of speakers that logs of conversations carry.

    >>> without_chat_marks("Date: 2 May\nuser: I like tea\nassistant: Noted.")
    'I like tea\nNoted.'
    """
    return SPEAKER.sub("", DATE.sub("", text, count=1))


def without_punctuation(text: str) -> str:
    """Return a text with a blank for each sign that is no letter, digit or white space."""
    return _SIGNS.sub(" ", text)


_SIGNS = re.compile(r"[^\w\s]|_")
