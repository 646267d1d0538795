"""catchrate trec_eval: trec_eval's own command line, which has an option grammar of its own."""

from __future__ import annotations

from catchrate.compat.trec_eval import main


def trec_eval(*arguments: str) -> int:
    """Print what trec_eval prints, byte for byte."""
    return main(arguments)
