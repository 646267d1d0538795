"""Checks that held or did not, one by one, as programs that run builds read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["passed", "failed", "unknown", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One check."""

    name: str
    """What was checked."""
    state: State
    """Whether it held; `unknown` where that cannot be told, `skipped` where that is accepted."""
    message: str
    """What was found, in one sentence."""
    details: str = ""
    """What to look at, in lines of text."""
