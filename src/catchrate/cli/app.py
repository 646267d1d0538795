"""The parser: every command with its help, none imported before it is called."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from cyclopts import App, CycloptsError, Group, MissingArgumentError, UnusedCliTokensError

from catchrate.cli.help import HelpPages, example_text
from catchrate.cli.settings import Settings, without_config
from catchrate.errors import UsageError, shown, visible
from catchrate.starting import quiet_start
from catchrate.version import __version__

DASH = "\0-"
"""Stands for a single `-` while the arguments are parsed, which would take it for an option."""
DEFAULTS = "Defaults may stand in catchrate.toml, or in a file named with --config FILE."


class Command(NamedTuple):
    """What the help of the program says of a command."""

    help: str
    usage: str
    example: str


COMMANDS = {
    "evaluate": Command(
        "Measure what retrievers find.",
        "JUDGMENTS RUN... [OPTIONS]",
        'catchrate evaluate qrels.txt bm25.trec new=dense.trec -m "recall@10 ndcg@10"',
    ),
    "explain": Command(
        "Take one number apart, document by document.",
        "JUDGMENTS RUN [OPTIONS]",
        "catchrate explain qrels.txt bm25.trec -m recall@10 -q q7",
    ),
    "diagnose": Command(
        "Say where relevant documents are lost, and what to do.",
        "JUDGMENTS RUN [OPTIONS]",
        "catchrate diagnose qrels.txt bm25.trec -k 10 --by relevant",
    ),
    "reconcile": Command(
        "Find out what a number of another tool is.",
        "JUDGMENTS RUN --got NUMBER [OPTIONS]",
        "catchrate reconcile qrels.txt bm25.trec --got 0.731 -m recall@10",
    ),
    "compare": Command(
        "Say which run is better, and how sure that is.",
        "JUDGMENTS RUN RUN... [OPTIONS]",
        "catchrate compare qrels.txt bm25.trec dense.trec -m ndcg@10 --baseline bm25",
    ),
    "stages": Command(
        "Say what each stage of a pipeline loses.",
        "JUDGMENTS NAME=RUN NAME=RUN... [OPTIONS]",
        "catchrate stages qrels.txt retrieve=bm25.trec rerank=reranked.trec -m recall@10",
    ),
    "power": Command(
        "Say which difference a set of queries can show.",
        "[JUDGMENTS RUN [RUN]] [OPTIONS]",
        "catchrate power qrels.txt bm25.trec dense.trec -m recall@10 --difference 0.02",
    ),
    "report": Command(
        "Write a report that people pass on.",
        "JUDGMENTS RUN... -o FILE [OPTIONS]",
        "catchrate report qrels.txt bm25.trec dense.trec -o report.html --baseline bm25",
    ),
    "gate": Command(
        "Say whether a build may pass.",
        "JUDGMENTS RUN [OPTIONS]",
        'catchrate gate qrels.txt run.trec --baseline scores.parquet --require "recall@10 >= 0.8" '
        '--no-worse "ndcg@10 by 0.01"',
    ),
    "match": Command(
        "Say which chunk holds which gold text.",
        "JUDGMENTS [RUN] [OPTIONS]",
        'catchrate match evals.jsonl --match "covered(0.7)" --explain q7',
    ),
    "check": Command(
        "Look for mistakes in judgments and runs.",
        "FILE... [OPTIONS]",
        "catchrate check qrels.txt bm25.trec",
    ),
    "convert": Command(
        "Write judgments, a run or records in another format.",
        "SOURCE TARGET [OPTIONS]",
        "catchrate convert run.trec.gz run.parquet",
    ),
    "collect": Command(
        "Ask a retriever every question, and keep what it returns.",
        "MODULE:FUNCTION QUESTIONS --output FILE.jsonl [OPTIONS]",
        "catchrate collect search.py:search questions.jsonl -o run.jsonl -k 20",
    ),
    "calc": Command(
        "Work out recall and more from totals.",
        "--queries N --relevant N -k N --found N --hits N [OPTIONS]",
        "catchrate calc --queries 40 --relevant 120 -k 10 --found 83 --hits 34 --target 80%",
    ),
    "view": Command(
        "Open the local app in the browser.",
        "[FILE...] [OPTIONS]",
        "catchrate view qrels.txt bm25.trec dense.trec",
    ),
    "measures": Command(
        "List the measures, or explain some.",
        "[NAME...] [OPTIONS]",
        "catchrate measures recall@10",
    ),
    "trec_eval": Command(
        "Print what trec_eval prints, byte for byte.",
        "[OPTIONS] JUDGMENTS RUN",
        "catchrate trec_eval -q -m all_trec qrels.txt run.trec",
    ),
}
"""Every command; each lives in the file of its name and is imported when it is called."""


def settings(config: str | None = None) -> Settings:
    """Return the defaults of all commands that take any; `config` names a file of them."""
    return Settings(config, [name for name in COMMANDS if name != "trec_eval"])


def build(defaults: Settings | None = None) -> App:
    """Return the program with all its commands, none of them imported yet."""
    app = App(
        name="catchrate",
        help="What your retriever finds, and what it misses.",
        help_epilogue=f"Begin with: catchrate evaluate JUDGMENTS RUN\n\n{DEFAULTS}",
        config=defaults or settings(),
        version=__version__,
        group_arguments=Group("Arguments", sort_key=0),
        group_parameters=Group("Options", sort_key=1),
        help_formatter=HelpPages(),
        help_format="plaintext",
        suppress_keyboard_interrupt=False,
        exit_on_error=False,
        print_error=False,
        result_action="return_value",
    )
    app["--help"].help, app["--version"].help = "Show this help.", "Show the version."
    for place, (name, command) in enumerate(COMMANDS.items()):
        app.command(
            f"catchrate.cli.{name}:{name}",
            name=name,
            help=command.help,
            usage=f"catchrate {name} {command.usage}",
            help_epilogue=example_text(command.example),
            sort_key=place,
        )
    return app


def call(arguments: Sequence[str]) -> object:
    """Parse a command line, call its command and return what that returns.

    Raises UsageError for a command line that cannot be parsed.
    """
    try:
        arguments, config = without_config(arguments)
        defaults = settings(config)
        app = build(defaults)
        with quiet_start():
            _import(arguments)
        result = app([DASH if argument == "-" else argument for argument in arguments])
    except CycloptsError as error:
        raise _usage_error(error, arguments) from None
    if defaults.notes:
        from catchrate.cli.messages import print_findings  # a file of defaults is rare

        print_findings(defaults.notes)
    return result


def _import(arguments: Sequence[str]) -> None:
    """Import the command that is named, if one is, while an interruption can still end the program quietly."""
    if arguments and arguments[0] in COMMANDS:
        import_module(f"catchrate.cli.{arguments[0]}")


def _usage_error(error: CycloptsError, arguments: Sequence[str]) -> UsageError:
    """Return a one-line error from what the parser says."""
    said = visible(_said(error).replace(DASH, "-")).partition(" Available commands: ")[0]
    source = getattr(getattr(error, "token", None), "source", "")
    file = source if source not in ("", "cli") else ""
    said = said.replace(f" from {visible(file)}", "") if file else said
    found, _, hint = said.partition(" Did you mean ")
    found, _, choices = found.partition(" Choose from: ")
    found = found.replace('nknown command "-', 'nknown option "-')
    command = f"catchrate {arguments[0]}" if arguments and arguments[0] in COMMANDS else "catchrate"
    fix = f"did you mean {hint}" if hint else f"choose from {choices}" if choices else f"see `{command} --help`"
    code = "E324" if file else "E280"
    return UsageError.of(code, found.rstrip("."), fix=fix.rstrip("."), file=file)


def _said(error: CycloptsError) -> str:
    """Return what the parser says, in our words where an argument is left out or too many."""
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"{shown(error.unused_tokens[0].replace(DASH, '-'))} is more than the command takes"
    if isinstance(error, MissingArgumentError) and error.argument and not (error.keyword or error.argument.tokens):
        return f"{error.argument.name} is missing"
    said = " ".join(str(error).split())
    return said[:1].lower() + said[1:]
