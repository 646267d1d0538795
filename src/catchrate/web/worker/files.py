"""What each opened file is: guessed from its content, and said, so that it can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from catchrate.errors import CatchrateError
from catchrate.evaluation.kinds import Kind, kind_of
from catchrate.formats import ReadOptions, Source, open_source
from catchrate.formats.columns import column_names
from catchrate.formats.folder import parquet_files
from catchrate.formats.long_table import judgment_columns, ranking_columns
from catchrate.formats.sniff import format_of
from catchrate.web.order import FileOrder, Order

ROLES: Mapping[Kind, tuple[str, ...]] = {
    "judgments": ("query", "doc", "grade"),
    "ranking": ("query", "doc", "score", "rank"),
    "records": ("query", "retrieved", "ground_truth", "id"),
}
"""What the columns of each kind of file can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One file as it was understood."""

    order: FileOrder
    kind: Kind | None
    """What it holds, as somebody chose or as its content shows; None where that cannot be told."""
    guessed: bool
    """Whether nobody chose it."""
    format: str = ""
    columns: tuple[str, ...] = ()
    """The columns that it has, where these have names."""
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Which column plays which role, as far as that is known."""
    problem: str = ""
    """Why it cannot be told what it holds."""
    source: Source | str | None = None
    """The opened file; the path of a folder of judgments."""

    @property
    def run(self) -> str:
        """The name of the run."""
        return self.order.run or stem(self.order.name)


def looked_at(order: Order) -> tuple[Looked, ...]:
    """Look at each file. One that could hold judgments as well as a run holds what is still missing."""
    looked = [_look(file, order.options_of(file)) for file in order.files]
    judged = any(one.kind in ("judgments", "records") for one in looked)
    for place, one in enumerate(looked):
        if one.kind is None and not one.problem:
            kind: Kind = "ranking" if judged else "judgments"
            looked[place] = replace(one, kind=kind)
            judged = True
    return tuple(replace(one, roles=_roles(one, order.options_of(one.order))) for one in looked)


def _look(file: FileOrder, options: ReadOptions) -> Looked:
    if Path(file.path).is_dir() and not parquet_files(file.path):
        return Looked(order=file, kind="judgments", guessed=False, format="beir", source=file.path)
    guessed = file.kind is None
    try:
        source = open_source(file.path, name=file.name)
        kind = file.kind or kind_of(source, options)
        written, columns = format_of(source, options), column_names(source, options)
    except CatchrateError as error:
        return Looked(order=file, kind=file.kind, guessed=guessed, problem=str(error))
    return Looked(order=file, kind=kind, guessed=guessed, format=written, columns=columns, source=source)


def _roles(one: Looked, options: ReadOptions) -> Mapping[str, str]:
    """Return which column plays which role; what cannot be told is left out, and reading says why."""
    if one.kind is None:
        return {}
    if one.kind == "records" or not one.columns:
        return {role: role for role in ROLES[one.kind] if role in one.columns}
    choose = judgment_columns if one.kind == "judgments" else ranking_columns
    try:
        return {str(role): column for role, column in choose(one.columns, options, one.order.name).items()}
    except CatchrateError:
        return {}


def stem(name: str) -> str:
    """Return the name of a file without its folder and suffixes."""
    plain = Path(name.replace("\\", "/")).name
    for packed in (".gz", ".zst"):
        plain = plain.removesuffix(packed)
    return Path(plain).stem or plain or "run"
