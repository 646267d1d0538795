"""What totals say: each number with its formula, its meaning in plain words, and how sure one can be of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from catchrate.calculation.entries import Totals
from catchrate.calculation.rules import read_totals
from catchrate.errors import UsageError, shown
from catchrate.showing import Result
from catchrate.statistics import wilson

POOLED = (
    "Pooled over documents: a query with many relevant documents weighs more, which recall as a mean over queries "
    "does not do."
)
PER_QUERY = "95% interval of a share of {n}."
BY_QUERIES = (
    "95% interval that counts {n}, not documents: documents of one query stand and fall together. It is honest as "
    "long as the queries are of similar size."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One number."""

    name: str
    """`recall`, `hit_rate`, `miss_rate`, `precision`, `f1` or `coverage_gap`."""
    label: str
    """What people call it, such as Recall@10."""
    value: float
    """A share from 0 to 1."""
    formula: str
    numbers: str
    """The formula with its numbers."""
    reading: str
    """What it says, in one sentence."""
    low: float | None = None
    high: float | None = None
    basis: str = ""
    """What the interval rests on, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The recall to reach."""

    value: float
    distance: float
    """Recall minus target: below 0 while it is not reached."""
    reached: bool
    sure: bool
    """Whether the whole interval of recall lies on the same side of the target."""
    verdict: str
    reached_at: int | None
    """The smallest listed cut-off that reaches the target."""

    @property
    def next_step(self) -> str:
        """Which listed cut-off reaches the target, in a sentence."""
        if self.reached_at is None:
            return "No listed cut-off reaches the target."
        return f"The smallest listed cut-off that reaches it is {self.reached_at:,}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One cut-off of the curve."""

    k: int
    found: int
    relevant: int
    recall: float
    gain: float | None
    """How much recall grew since the row before; None for the first."""
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Calculation(Result):
    """What the calculator says. `calculation["recall"]` is one number."""

    totals: Totals
    metrics: tuple[Metric, ...]
    target: Target | None
    curve: tuple[Point, ...]
    """Recall at every cut-off that was given, the main one among them; empty when there is only that one."""

    def __getitem__(self, name: str) -> float:
        """Return a number by its name. Raises UsageError for a name that is none."""
        for metric in self.metrics:
            if metric.name == name:
                return metric.value
        known = ", ".join(metric.name for metric in self.metrics)
        raise UsageError.of("E271", f"no number is called {shown(name)}", fix=f"use one of {known}")

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain data for JSON."""
        return asdict(self)

    def __repr__(self) -> str:
        lines = [f"Calculation over {_count(self.totals.queries, 'query', 'queries')}"]
        width = max(len(metric.label) for metric in self.metrics)
        lines += [f"  {metric.label:<{width}}  {metric.value:.4f}" for metric in self.metrics]
        return "\n".join(lines)


def calculator(
    *,
    queries: int | str,
    relevant: int | str,
    k: int | str,
    found: int | str,
    hits: int | str,
    retrieved: int | str | None = None,
    target: float | str | None = None,
    cutoffs: Sequence[int] | str = (),
    found_at: Sequence[int] | str = (),
) -> Calculation:
    """Work out recall, hit rate, precision and more from totals, for when there is no run at hand.

    `relevant` documents are judged over all `queries`; the first `k` results of each hold `found` of them, and `hits`
    queries found at least one. `retrieved` is k x queries unless fewer were returned; `target` is the recall to reach.
    `cutoffs` and `found_at` draw a curve.

    Raises UsageError with everything that cannot be true, a finding for each entry.

    >>> import catchrate
    >>> catchrate.calculator(queries=40, relevant=120, k=10, found=83, hits=34)["recall"]
    0.6916666666666667
    """
    entries = {
        "queries": queries,
        "relevant": relevant,
        "k": k,
        "found": found,
        "hits": hits,
        "retrieved": retrieved,
        "target": target,
        "cutoffs": cutoffs,
        "found_at": found_at,
    }
    totals = read_totals(entries)
    if not isinstance(totals, Totals):
        raise UsageError([problem.named(problem.field) for problem in totals])
    return calculate(totals)


def calculate(totals: Totals) -> Calculation:
    """Work out everything that the totals allow."""
    metrics = tuple(_metrics(totals))
    curve = tuple(_curve(totals))
    return Calculation(totals=totals, metrics=metrics, target=_target(totals, metrics[0], curve), curve=curve)


def _metrics(t: Totals) -> Iterator[Metric]:
    k, queries = t.k, _count(t.queries, "query", "queries")
    recall, precision, hit_rate = t.found / t.relevant, t.found / t.retrieved, t.hits / t.queries
    by_queries, per_query = BY_QUERIES.format(n=queries), PER_QUERY.format(n=queries)
    low, high = _ends(recall, t.queries)
    yield Metric(
        name="recall",
        label=f"Recall@{k}",
        value=recall,
        formula="relevant found ÷ relevant documents",
        numbers=f"{t.found:,} ÷ {t.relevant:,}",
        reading=f"{t.found:,} of {_count(t.relevant, 'relevant document')} found among the first {_results(k)}.",
        low=low,
        high=high,
        basis=f"{POOLED} {by_queries}",
    )
    hit_low, hit_high = _ends(hit_rate, t.queries)
    yield Metric(
        name="hit_rate",
        label=f"Hit rate@{k}",
        value=hit_rate,
        formula="queries with a hit ÷ queries",
        numbers=f"{t.hits:,} ÷ {t.queries:,}",
        reading=f"{t.hits:,} of {queries} found at least one relevant document.",
        low=hit_low,
        high=hit_high,
        basis=per_query,
    )
    yield Metric(
        name="miss_rate",
        label=f"Miss rate@{k}",
        value=(t.queries - t.hits) / t.queries,
        formula="1 - hit rate",
        numbers=f"({t.queries:,} - {t.hits:,}) ÷ {t.queries:,}",
        reading=f"{t.queries - t.hits:,} of {queries} found nothing relevant, which nothing downstream can repair.",
        low=1 - hit_high,
        high=1 - hit_low,
        basis=per_query,
    )
    precision_low, precision_high = _ends(precision, t.queries)
    yield Metric(
        name="precision",
        label=f"Precision@{k}",
        value=precision,
        formula="relevant found ÷ documents retrieved",
        numbers=f"{t.found:,} ÷ {t.retrieved:,}",
        reading=f"{t.found:,} of {_count(t.retrieved, 'retrieved document')} relevant; the rest is noise for a reader.",
        low=precision_low,
        high=precision_high,
        basis=by_queries,
    )
    yield Metric(
        name="f1",
        label=f"F1@{k}",
        value=2 * t.found / (t.relevant + t.retrieved),
        formula="2 × precision × recall ÷ (precision + recall)",
        numbers=f"2 × {t.found:,} ÷ ({t.retrieved:,} + {t.relevant:,})",
        reading="Recall and precision in one number, drawn to the lower of the two.",
        basis="No interval: totals do not say how recall and precision vary together.",
    )
    yield Metric(
        name="coverage_gap",
        label="Coverage gap",
        value=(t.relevant - t.found) / t.relevant,
        formula="relevant documents not found ÷ relevant documents",
        numbers=f"{t.relevant - t.found:,} ÷ {t.relevant:,}",
        reading=f"{_count(t.relevant - t.found, 'relevant document')} never reached the first {_results(k)}.",
        low=1 - high,
        high=1 - low,
        basis=by_queries,
    )


def _target(t: Totals, recall: Metric, curve: tuple[Point, ...]) -> Target | None:
    if t.target is None:
        return None
    distance = recall.value - t.target
    reached = distance >= 0
    assert recall.low is not None and recall.high is not None  # noqa: PT018, S101 - recall always has its interval
    sure = recall.low >= t.target if reached else recall.high < t.target
    side = "reaches" if reached else f"is {_points(-distance)} below"
    verdict = f"{recall.label} of {recall.value:.1%} {side} the target of {t.target:.1%}"
    if reached and distance:
        verdict += f", with {_points(distance)} to spare"
    if not sure:
        verdict += f"; but with {_count(t.queries, 'query', 'queries')} the true value may as well be on the other side"
    points = curve or (_point(t, 0, 0, t.k, t.found),)
    reached_at = next((point.k for point in points if point.recall >= t.target), None)
    return Target(
        value=t.target, distance=distance, reached=reached, sure=sure, verdict=f"{verdict}.", reached_at=reached_at
    )


def _curve(t: Totals) -> Iterator[Point]:
    """Yield the points of the curve; the main cut-off is one of them also where it is not listed."""
    if not t.cutoffs:
        return
    found = {**dict(zip(t.cutoffs, t.found_at, strict=True)), t.k: t.found}
    k_before = found_before = 0
    for k in sorted(found):
        yield _point(t, k_before, found_before, k, found[k])
        k_before, found_before = k, found[k]


def _point(t: Totals, k_before: int, found_before: int, k: int, found: int) -> Point:
    recall = found / t.relevant
    fresh = (found - found_before) / ((k - k_before) * t.queries)
    places = (
        f"places {k_before + 1:,} to {k:,}" if k > k_before + 1 else "the first places" if k == 1 else f"places {k:,}"
    )
    return Point(
        k=k,
        found=found,
        relevant=t.relevant,
        recall=recall,
        gain=(found - found_before) / t.relevant if k_before else None,
        reading=f"{_reach(recall)} {fresh:.1%} of {places} hold a relevant document.",
    )


REACH = (
    (1e-12, "Nothing relevant is in reach."),
    (0.25, "Most of what is relevant is out of reach."),
    (0.5, "Less than half is in reach."),
    (0.75, "More than half is in reach."),
    (0.9, "Most is in reach."),
    (1.0, "Nearly all is in reach."),
)


def _reach(recall: float) -> str:
    """Return how much of what is relevant a cut-off holds, in words."""
    return next((words for bound, words in REACH if recall < bound), "Everything relevant is in reach.")


def _points(distance: float) -> str:
    return f"{100 * distance:.1f} points"


def _results(k: int) -> str:
    return "results" if k == 1 else f"{k:,} results"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _ends(rate: float, n: int) -> tuple[float, float]:
    interval = wilson(rate * n, n)
    assert interval.low is not None and interval.high is not None  # noqa: PT018, S101 - n is never 0 here
    return max(0.0, interval.low), min(1.0, interval.high)
