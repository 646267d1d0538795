"""trec_eval's command line and its output, in the versions 9.0.8 and 10, on our measures.

`dialect` holds what differs between the versions, `rows` what is printed and from which measure, `printer` how.
"""

from catchrate.compat.trec_eval.command import Command, parse
from catchrate.compat.trec_eval.evaluate import evaluate
from catchrate.compat.trec_eval.main import main
from catchrate.compat.trec_eval.rows import select

__all__ = ["Command", "evaluate", "main", "parse", "select"]
