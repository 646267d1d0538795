"""catchrate diagnose: why a run misses what it misses, and what to do."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from catchrate.cli.explain import RUN
from catchrate.cli.inputs import both_sides, open_input
from catchrate.cli.messages import say
from catchrate.cli.options import MANY, Output, Policies, Reading
from catchrate.cli.progress import progress
from catchrate.cli.scoring import JUDGMENTS
from catchrate.cli.show import show
from catchrate.evaluation.diagnosis import diagnose_scores, target_of
from catchrate.evaluation.diagnosis.diagnose import first_measures
from catchrate.evaluation.evaluate import score_all
from catchrate.formats import write_labels
from catchrate.measures import parse_all
from catchrate.reports.views.diagnosis import diagnosis_view

BY = "What parts the queries into slices: a column of their metadata, `relevant` or `length`; all when left out."
TARGET = "What to reach, such as 'recall@k >= 0.9': the smallest k that does is looked for."
TOKENS = "Tokens of a document, where their lengths are not known."
POOL = "Another run over the same judgments: what it returns is worth judging, too. Repeatable."
WORKLIST = "Write the documents that are worth judging most, as a label sheet: CSV to fill in."
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
    pool: Annotated[tuple[str, ...], MANY, Parameter(metavar="RUN", help=POOL)] = (),
    worklist: Annotated[str | None, Parameter(metavar="FILE", help=WORKLIST)] = None,
    output: Output | None = None,
    policies: Policies | None = None,
    reading: Reading | None = None,
) -> None:
    """Say where relevant documents are lost, what kind of mistakes that are, and what to do about them."""
    policies, reading, output = policies or Policies(), reading or Reading(), output or Output()
    measures = parse_all(first_measures(k))
    wanted = None if target is None else target_of(target)
    inputs = [open_input(text) for text in (judgments, run, *pool) if text is not None]
    sides = list(both_sides(inputs, reading.read_options(), policies.match))
    with progress(inputs[1:]) as each_block:
        board = score_all(sides, measures, policies.policy(reading), each_block=each_block)
    (first, ranking), *others = ((board[name], source) for name, _, source in sides)
    found = diagnose_scores(
        first, k, target=wanted, by=by or None, tokens=tokens, price=price, ranking=ranking, pool=others
    )
    if worklist is not None and found.worklist is not None:
        write_labels(found.worklist, worklist, inputs=[one.path for one in inputs])
        say(f"{found.worklist.height:,} documents to judge are in {worklist}: fill in the grades")
    show(diagnosis_view(found, full=output.form() != "text"), output, inputs, table="loss-account")
