"""A slow, readable twin of every rule: plain Python over one query."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

Row = tuple[int, int, float, float]
"""Slot, item, strength of the chunk by itself, and of all chunks down to it."""
Twin = Callable[..., set[Row]]


def slow_words(text: str) -> list[str]:
    """Return letters and digits without case; each character of a script without spaces by itself."""
    out: list[str] = []
    inside = False
    for char in unicodedata.normalize("NFKC", text).casefold():
        alone = any(
            low <= char <= high for low, high in ["぀ヿ", "㐀䶿", "一鿿", "\uf900\ufaff", "\U00020000\U0003ffff"]
        )
        if alone or not char.isalnum():
            inside = False
            if alone:
                out.append(char)
        elif inside:
            out[-1] += char
        else:
            out.append(char)
            inside = True
    return out


def _each(chunks: Sequence[str], gold: Sequence[str]) -> Iterator[tuple[int, str, int, str]]:
    for slot, chunk in enumerate(chunks):
        for item, text in enumerate(gold):
            yield slot, chunk, item, text


def _if_holds(chunks: Sequence[str], gold: Sequence[str], holds: Callable[[str, str], bool]) -> set[Row]:
    return {(s, i, 1.0, 1.0) for s, chunk, i, text in _each(chunks, gold) if holds(chunk, text)}


def spans(chunks: Sequence[str], gold: Sequence[str]) -> set[Row]:
    """Compare sets of characters, one by one."""
    rows: set[Row] = set()
    for item, text in enumerate(gold):
        wanted, seen = _characters(text), set[tuple[str, int]]()
        for slot, chunk in enumerate(chunks):
            here = wanted & _characters(chunk)
            seen |= here
            if here:
                rows.add((slot, item, len(here) / len(wanted), len(seen) / len(wanted)))
    return rows


def _characters(span: str) -> set[tuple[str, int]]:
    doc, places = span.removesuffix("]").split("[")
    start, end = map(int, places.split(":"))
    return {(doc, place) for place in range(start, end)}


def exact(chunks: Sequence[str], gold: Sequence[str]) -> set[Row]:
    return _if_holds(chunks, gold, lambda chunk, text: text != "" and chunk == text)


def contained(
    chunks: Sequence[str], gold: Sequence[str], *, chunk_in_gold: bool = False, either: bool = False
) -> set[Row]:
    def holds(chunk: str, text: str) -> bool:
        there, back = chunk.find(text) >= 0, text.find(chunk) >= 0
        found = back if chunk_in_gold else (there or back) if either else there
        return chunk != "" and text != "" and found

    return _if_holds(chunks, gold, holds)


def normalised(chunks: Sequence[str], gold: Sequence[str], **switches: bool) -> set[Row]:
    def written(text: str) -> str:
        if switches.get("unicode", True):
            text = unicodedata.normalize("NFKC", text)
        if switches.get("case", True):
            text = text.casefold()
        if switches.get("punctuation", True):
            text = "".join(char if char.isalnum() or char.isspace() else " " for char in text)
        return " ".join(text.split()) if switches.get("space", True) else text

    ways = {name: switches[name] for name in ("chunk_in_gold", "either") if name in switches}
    alike = [written(c) for c in chunks], [written(g) for g in gold]
    return exact(*alike) if switches.get("whole") else contained(*alike, **ways)


def covered(chunks: Sequence[str], gold: Sequence[str], *, run: int = 4) -> set[Row]:
    rows: set[Row] = set()
    for item, text in enumerate(gold):
        wanted = slow_words(text)
        so_far: set[int] = set()
        for slot, chunk in enumerate(chunks):
            mine = _covered_places(wanted, slow_words(chunk), run)
            so_far |= mine
            if mine:
                rows.add((slot, item, len(mine) / len(wanted), len(so_far) / len(wanted)))
    return rows


def _covered_places(wanted: list[str], has: list[str], run: int) -> set[int]:
    """Return the places of the gold text's words in runs that the chunk has, too."""
    length = min(run, len(wanted), len(has))
    runs = {tuple(has[at : at + length]) for at in range(len(has) - length + 1)} if length else set()
    begins = [at for at in range(len(wanted) - length + 1) if tuple(wanted[at : at + length]) in runs]
    return {at + offset for at in begins for offset in range(length)}


def containment(chunks: Sequence[str], gold: Sequence[str]) -> set[Row]:
    rows: set[Row] = set()
    for slot, chunk, item, text in _each(chunks, gold):
        wanted, has = Counter(slow_words(text)), Counter(slow_words(chunk))
        shared = (wanted & has).total()
        if shared:
            rows.add((slot, item, shared / wanted.total(), shared / wanted.total()))
    return rows


def overlap(chunks: Sequence[str], gold: Sequence[str]) -> set[Row]:
    rows: set[Row] = set()
    for slot, chunk, item, text in _each(chunks, gold):
        wanted, has = Counter(slow_words(text)), Counter(slow_words(chunk))
        if (wanted & has).total():
            share = (wanted & has).total() / (wanted | has).total()
            rows.add((slot, item, share, share))
    return rows


def remem(chunks: Sequence[str], gold: Sequence[str]) -> set[Row]:
    from catchrate.compat.remem import is_chunk_from_original

    return _if_holds(chunks, gold, is_chunk_from_original)


TWINS: dict[str, Twin] = {
    twin.__name__: twin for twin in (exact, contained, normalised, covered, containment, overlap, remem, spans)
}


def found(rows: set[Row], threshold: float) -> set[tuple[int, int]]:
    """Return the pairs that match: where a text is found first, and wherever one chunk holds enough of it."""
    first: dict[int, int] = {}
    for slot, item, _, together in sorted(rows):
        if together >= threshold:
            first.setdefault(item, slot)
    alone = {(slot, item) for slot, item, strength, _ in rows if strength >= threshold}
    return alone | {(slot, item) for item, slot in first.items()}
