"""The form that says how files are to be read, as an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from catchrate.alignment import Policy
from catchrate.alignment.policy import QueryPolicy
from catchrate.errors import UsageError, shown
from catchrate.evaluation.kinds import Kind
from catchrate.web.order import FileOrder, Order

KINDS = ("judgments", "ranking", "records")
MAX_TYPED = 2_000
"""Most characters that are read of what was typed."""
FIELDS = ("query", "doc", "grade", "score", "rank", "retrieved", "ground_truth", "id")


def ordered(order: Order, form: Mapping[str, str]) -> Order:
    """Return an order with what a form says of it.

    Raises UsageError for a number or a choice that is none.
    """
    files = tuple(_file(file, number, form) for number, file in enumerate(order.files))
    policy = replace(order.policy, **_policy(form, order.policy))
    measures, match = (form.get(name, getattr(order, name))[:MAX_TYPED] for name in ("measures", "match"))
    return replace(order, files=files, policy=policy, measures=measures, match=match.strip())


def _file(file: FileOrder, number: int, form: Mapping[str, str]) -> FileOrder:
    kind = form.get(f"kind-{number}", "")
    said = {field: form.get(f"{field}-{number}", "") for field in FIELDS}
    return replace(
        file,
        kind=cast("Kind", kind) if kind in KINDS else None,
        columns={field: column for field, column in said.items() if column},
    )


def _policy(form: Mapping[str, str], policy: Policy) -> dict[str, object]:
    return {
        "rel": _number(form.get("rel", ""), policy.rel),
        "queries": cast("QueryPolicy", form.get("queries") or policy.queries),
        "duplicates": form.get("duplicates") or None,
    }


def _number(text: str, usual: float) -> float:
    try:
        return float(text) if text.strip() else usual
    except ValueError:
        raise UsageError.of("E272", f"the grade is {shown(text)}", fix="give a number, such as 1") from None
