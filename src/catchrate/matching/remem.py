"""The rule by which REMem tells that a chunk comes from a document, quirks included."""

from __future__ import annotations

import json

DATE = "Date: "
SPEAKERS = ("user: ", "assistant: ")
COLON = ": "


def is_chunk_from_original(chunk: str, original: str) -> bool:
    r"""Tell whether a chunk comes from a document, as REMem does.

    A chunk that begins `Date: ` loses its first line. What then begins `user: ` or `assistant: ` counts only with the
    text between its first and its second `": "`; anything else counts whole. It comes from the document when that text,
    plain or in JSON escapes, stands in it. So an empty chunk comes from every document, and so does a date alone.

    >>> is_chunk_from_original("Date: May 1\nuser: I like tea", "[May 1] I like tea a lot")
    True
    >>> is_chunk_from_original("I like coffee", "I like tea a lot")
    False
    """
    return any(text in original for text in sought(chunk))


def sought(chunk: str) -> tuple[str, str]:
    """Return the two texts of which one must stand in the document: the plain one, and the one in JSON escapes."""
    if chunk.startswith(DATE):
        chunk = chunk.partition("\n")[2]
    plain, escaped = chunk, json.dumps(chunk)
    if chunk.startswith(SPEAKERS):
        return plain.split(COLON)[1], escaped.split(COLON)[1]
    return plain, escaped
