"""What is to be opened and how: what the app asks its worker to read. Plain data that travels as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from catchrate.alignment import Policy
from catchrate.evaluation.kinds import Kind
from catchrate.evaluation.matches import matching_options
from catchrate.formats import ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOrder:
    """One file to open."""

    name: str
    """What people call it; never a path of ours."""
    path: str
    """Where it lies."""
    run: str = ""
    """The name of the run, where somebody gave one."""
    kind: Kind | None = None
    """What it holds; None looks at its content."""
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names of columns that are not the usual ones: ours to theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Files that belong together, and what counts."""

    files: tuple[FileOrder, ...]
    title: str = ""
    """What people call them together."""
    measures: str = ""
    """What is measured first; nothing means the usual measures."""
    options: ReadOptions = field(default_factory=ReadOptions)
    policy: Policy = field(default_factory=Policy)
    match: str = ""
    """The rule by which texts are matched; nothing compares ids."""

    def options_of(self, file: FileOrder) -> ReadOptions:
        """Return how a file is to be read."""
        columns = {**self.options.columns, **file.columns}
        return matching_options(replace(self.options, columns=columns), self.match or None)

    def content(self) -> dict[str, Any]:
        """Return the order as plain data."""
        return asdict(self)


def order_of(content: Mapping[str, Any]) -> Order:
    """Return the order that `Order.content` made plain."""
    return Order(
        files=tuple(FileOrder(**file) for file in content["files"]),
        title=content["title"],
        measures=content["measures"],
        options=ReadOptions(**content["options"]),
        policy=Policy(**content["policy"]),
        match=content["match"],
    )
