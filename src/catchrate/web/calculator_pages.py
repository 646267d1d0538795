"""The calculator: the whole state is the address, so a calculation can be sent as a link."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from catchrate.calculation import EXAMPLE, FIELDS, Calculation, Problem, Totals, calculate, read_totals
from catchrate.reports.render import Form, render
from catchrate.reports.views.calculator import calculator_table, calculator_view
from catchrate.web.curve import drawn
from catchrate.web.pages import page
from catchrate.web.replies import download


async def show(request: Request) -> Response:
    """Return the page: the form, and above it the results or beside its fields what is wrong."""
    typed = _typed(request)
    found = read_totals(typed) if typed else ()
    calculation = calculate(found) if isinstance(found, Totals) else None
    return page(
        "calculator.html",
        here="/calculator",
        fields=FIELDS.values(),
        typed=typed,
        problems={} if isinstance(found, Totals) else {problem.field: problem.finding for problem in found},
        calculation=calculation,
        curve=drawn(calculation) if calculation and calculation.curve else None,
        example="/calculator?" + urlencode(EXAMPLE),
        query=urlencode(typed),
    )


async def as_json_twin(request: Request) -> Response:
    """Return everything as JSON, or what is wrong with each field."""
    found = _calculated(request)
    if not isinstance(found, Calculation):
        problems = {problem.field: problem.finding.as_dict() for problem in found}
        return JSONResponse({"problems": problems}, 422)
    return JSONResponse(found.as_dict())


async def as_csv(request: Request) -> Response:
    """Return summary and cut-offs as one table."""
    return _export(request, "csv")


async def as_pdf(request: Request) -> Response:
    """Return summary, curve and cut-offs as a document."""
    return await run_in_threadpool(_export, request, "pdf")


def _export(request: Request, form: Form) -> Response:
    found = _calculated(request)
    if not isinstance(found, Calculation):
        return page("fault.html", status=422, code=422, title="These totals cannot be true", message=_said(found))
    view = calculator_table(found) if form == "csv" else calculator_view(found)
    return download(render(view, form), f"recall.{form}")


def _said(problems: tuple[Problem, ...]) -> str:
    return "; ".join(str(problem.named(FIELDS[problem.field].label)) for problem in problems)


def _calculated(request: Request) -> Calculation | tuple[Problem, ...]:
    found = read_totals(_typed(request))
    return calculate(found) if isinstance(found, Totals) else found


def _typed(request: Request) -> dict[str, str]:
    """Return what was typed into the fields of the form, and nothing else."""
    return {name: request.query_params[name] for name in FIELDS if name in request.query_params}
