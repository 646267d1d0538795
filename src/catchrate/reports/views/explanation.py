"""What the explanation of a number says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catchrate.evaluation.elsewhere import Elsewhere
from catchrate.evaluation.explanation import Entry, Explanation, Quotient, State, Whole
from catchrate.reports.view import Block, Bullets, Cell, Column, Grid, Heading, Kind, Mark, Text, View

LONG = 30
"""A list up to here is shown whole."""
TOP = 10
"""Places of a longer list that are shown even where nobody judged them."""
MARKS: dict[State, Mark] = {
    "relevant": "found",
    "not judged": "unjudged",
    "repeat": "repeat",
    "below the cut-off": "missed",
    "not returned": "missed",
}
HOW = {
    "mean": "the mean of the queries: their sum / how many they are",
    "sum": "the sum of the queries",
    "geometric": "the geometric mean: exp(sum of the logarithms / how many queries)",
    "pooled": "all queries together: the sum of their numerators / the sum of their denominators",
}


def explanation_view(explanation: Explanation, *, full: bool = False) -> View:
    """Return the number, what it is made of, every document, and the number over all queries.

    Long lists leave out the places that nobody judged unless `full`.
    """
    blocks: list[Block] = [Heading(text=_title(explanation))]
    if explanation.text:
        blocks.append(Text(text=explanation.text, style="quiet"))
    blocks += [Text(text=explanation.formula)] if explanation.formula else []
    blocks += [_quotients("parts", explanation.parts), *_remarks(explanation), _documents(explanation, full=full)]
    return View(
        title="Explanation",
        blocks=(*blocks, *_elsewhere(explanation, full=full), *_whole(explanation)),
        notes=explanation.notes,
        provenance=explanation.provenance,
    )


def _title(explanation: Explanation) -> str:
    named = f"{explanation.measure} of query {explanation.query}: {explanation.value:.4f}"
    if not explanation.picked:
        return named
    ties = explanation.ties
    also = f", {ties:,} more {'has' if ties == 1 else 'have'} the same value" if ties else ""
    return f"{named} (the {_ends(explanation)[0]} of {explanation.whole.queries:,}{also})"


def _quotients(name: str, parts: Sequence[Quotient], kind: Kind = "score") -> Grid:
    columns = (
        Column(name="number"),
        Column(name="numerator", kind="count"),
        Column(name="denominator", kind="count"),
        Column(name="value", kind=kind),
    )
    rows = tuple((Cell(p.name), Cell(p.numerator), Cell(p.denominator), Cell(p.value)) for p in parts)
    return Grid(name=name, columns=columns, rows=rows)


def _remarks(explanation: Explanation) -> Iterator[Text]:
    if len(explanation.parts) > 1:
        yield Text(text=f"Together they make {explanation.value:.4f}.")
    if explanation.reason:
        yield Text(text=f"{explanation.reason}, which counts as {explanation.value:g}.")
    if all(part.rows == "queries" for part in explanation.parts):
        yield Text(text="The number belongs to the list as a whole: no document adds a part of its own.", style="quiet")


def _documents(explanation: Explanation, *, full: bool) -> Grid:
    shown = [entry for entry in explanation.entries if full or _worth_showing(entry, explanation)]
    hidden = len(explanation.entries) - len(shown)
    matched = any(entry.item not in (None, entry.doc) for entry in explanation.entries)
    adding = [i for i, part in enumerate(explanation.parts) if part.rows != "queries"]
    names = ["adds"] if len(explanation.parts) == 1 else [f"to {part.name}" for part in explanation.parts]
    columns = (
        Column(name="rank", kind="rank", help="the place in the list"),
        Column(name="document", kind="id"),
        *([Column(name="holds", kind="id", help="the judged text that it holds")] if matched else []),
        Column(name="grade", kind="grade"),
        *(Column(name=names[i], kind="number", help="what it adds to the numerator") for i in adding),
        Column(name="state", help="what it is to the measure"),
    )
    return Grid(
        name="documents",
        columns=columns,
        rows=tuple(_row(entry, adding, matched=matched) for entry in shown),
        caption=f"{hidden:,} documents that nobody judged are left out." if hidden else "",
        labels=2,
    )


def _worth_showing(entry: Entry, explanation: Explanation) -> bool:
    short = len(explanation.entries) <= LONG
    return short or entry.state != "not judged" or (entry.rank or 0) <= TOP


def _row(entry: Entry, adding: list[int], *, matched: bool) -> tuple[Cell, ...]:
    holds = (Cell(entry.item),) if matched else ()
    adds = (Cell(entry.adds[i]) for i in adding)
    rank, doc = Cell(entry.rank), Cell(entry.doc, mark=MARKS.get(entry.state))
    return rank, doc, *holds, Cell(entry.grade), *adds, Cell(entry.state)


def _elsewhere(explanation: Explanation, *, full: bool) -> Iterator[Block]:
    if not explanation.elsewhere:
        return
    yield Heading(text=f"What other tools make of query {explanation.query}")
    columns = (
        Column(name="tool"),
        Column(name="calls it"),
        Column(name="query", kind="score", help="what it prints for this query"),
        Column(name="all", kind="score", help="what it prints for all queries"),
        *((Column(name="what differs"), Column(name="version")) if full else ()),
    )
    rows = tuple(_tool_row(one)[: len(columns)] for one in explanation.elsewhere)
    yield Grid(name="elsewhere", columns=columns, rows=rows)
    if not full:
        yield Bullets(items=tuple(_differences(explanation)))


def _tool_row(one: Elsewhere) -> tuple[Cell, ...]:
    values = Cell(one.value, reason="" if one.called else one.why), Cell(one.whole)
    return Cell(one.tool), Cell(one.called or "nothing"), *values, Cell(one.why), Cell(one.version)


def _differences(explanation: Explanation) -> Iterator[str]:
    """Yield what differs, once for all tools of which it is said."""
    by_words: dict[str, list[str]] = {}
    for one in explanation.elsewhere:
        if one.called and one.why:
            by_words.setdefault(one.why, []).append(f"{one.tool}'s {one.called}")
    yield from (f"{' and '.join(names)}: {words}." for words, names in by_words.items())
    for one in {one.tool: one for one in explanation.elsewhere}.values():
        if one.queries not in (0, explanation.whole.queries):
            yield f"{one.tool} {one.says}: its mean is over {one.queries:,} queries."


def _whole(explanation: Explanation) -> Iterator[Block]:
    whole = explanation.whole
    counted = f"{whole.queries:,} queries" + (f", {whole.missing:,} of them not in the run" if whole.missing else "")
    yield Heading(text=f"{explanation.measure} over {counted}: {_printed(whole, whole.value)}")
    yield Text(text=f"It is {HOW[whole.how]}. {_spread(explanation)}")
    yield _quotients("all-queries", whole.parts, "count" if whole.how == "sum" else "score")
    columns = (Column(name=f"{_ends(explanation)[0]} queries", kind="id"), Column(name="value", kind="score"))
    yield Grid(name="worst", columns=columns, rows=tuple((Cell(q.query), Cell(q.value)) for q in whole.worst))


def _printed(whole: Whole, value: float) -> str:
    return f"{value:,.0f}" if whole.how == "sum" and value.is_integer() else f"{value:.4f}"


def _ends(explanation: Explanation) -> tuple[str, str]:
    """Return what both ends of the values are called; some measures have no better side."""
    return ("lowest", "highest") if explanation.measure.row.higher_is_better is None else ("worst", "best")


def _spread(explanation: Explanation) -> str:
    whole, (low, high) = explanation.whole, _ends(explanation)
    bad, good = whole.worst[0].value, whole.best
    if bad == good:
        return f"Every query has {good:.4g}."
    return f"{_are(whole.as_bad)} at {bad:.4g}, the {low} value, and {_are(whole.as_good)} at {good:.4g}, the {high}."


def _are(queries: int) -> str:
    return f"{queries:,} {'query is' if queries == 1 else 'queries are'}"
