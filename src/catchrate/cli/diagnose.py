"""catchrate diagnose: why a run misses what it misses, and what to do."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.explain import RUN
from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.options import MANY, Output, Policies, Reading
from catchrate.cli.progress import progress
from catchrate.cli.scoring import JUDGMENTS
from catchrate.cli.show import show
from catchrate.evaluation.diagnosis import diagnose_scores, target_of
from catchrate.evaluation.diagnosis.diagnose import first_measures
from catchrate.evaluation.evaluate import score_all
from catchrate.measures import parse_all
from catchrate.reports.views.diagnosis import diagnosis_view

BY = "What parts the queries into slices: a column of their metadata, `relevant` or `length`; all when left out."
TARGET = "What to reach, such as 'recall@k >= 0.9': the smallest k that does is looked for."
TOKENS = "Tokens of a document, where their lengths are not known."
PRICE = "Price of a million tokens: what 1,000 queries cost."


def diagnose(
    judgments: Annotated[str, Parameter(help=JUDGMENTS)],
    run: Annotated[str | None, Parameter(help=RUN)] = None,
    /,
    *,
    k: Annotated[int, Parameter(alias="-k", metavar="N", help="How many of the first slots count.")] = 10,
    target: Annotated[str | None, Parameter(metavar="TARGET", help=TARGET)] = None,
    by: Annotated[tuple[str, ...], MANY, Parameter(metavar="SLICE", help=BY)] = (),
    tokens: Annotated[float | None, Parameter(metavar="N", help=TOKENS)] = None,
    price: Annotated[float | None, Parameter(metavar="X", help=PRICE)] = None,
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say where relevant documents are lost, what kind of mistakes that are, and what to do about them."""
    policies, reading, output = policies or Policies(), reading or Reading(), output or Output()
    measures = parse_all(first_measures(k))
    wanted = None if target is None else target_of(target)
    inputs = [open_input(text) for text in (judgments, run) if text is not None]
    side = next(both_sides(inputs, reading.read_options(), policies.match))
    with progress(inputs[1:]) as each_block:
        board = score_all([side], measures, policies.policy(reading), each_block=each_block)
    (scores,) = board.values()
    found = diagnose_scores(scores, k, target=wanted, by=by or None, tokens=tokens, price=price)
    show(diagnosis_view(found, full=output.form() != "text"), output, inputs)
