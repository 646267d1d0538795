"""A line over cut-offs as places on a drawing; the template draws it, the style sheet colours it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from catchrate.calculation import Calculation

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 24, 24, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One point of the curve."""

    x: float
    y: float
    k: int
    value: float
    main: bool
    label_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Where everything stands."""

    dots: tuple[Dot, ...]
    path: str
    area: str
    grid: tuple[tuple[float, float], ...]
    """Height and share of each line across."""
    target_y: float | None
    target: float | None
    left: float = LEFT
    right: float = WIDTH - RIGHT
    floor: float = HEIGHT - BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def drawn(calculation: Calculation) -> Curve:
    """Place the curve of a calculation; cut-offs stand by their logarithm, since each step costs more than the last."""
    target = calculation.target.value if calculation.target else None
    points = calculation.curve
    first, last = math.log(points[0].k), math.log(points[-1].k)
    span = (last - first) or 1.0
    dots = tuple(
        Dot(
            x=round(LEFT + 16 + (WIDTH - LEFT - RIGHT - 32) * (math.log(p.k) - first) / span, 1),
            y=_y(p.recall),
            k=p.k,
            value=p.recall,
            main=p.k == calculation.totals.k,
            label_y=_y(p.recall) - 12,
        )
        for p in points
    )
    path = "M" + " L".join(f"{dot.x} {dot.y}" for dot in dots)
    area = f"{path} L{dots[-1].x} {HEIGHT - BOTTOM} L{dots[0].x} {HEIGHT - BOTTOM} Z"
    grid = tuple((_y(share), share) for share in (0.0, 0.25, 0.5, 0.75, 1.0))
    target_y = None if target is None else _y(target)
    return Curve(dots=dots, path=path, area=area, grid=grid, target=target, target_y=target_y)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)
