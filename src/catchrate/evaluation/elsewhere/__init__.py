"""How other tools define what they print: declared variants of our measures, each held against the tool itself."""

from catchrate.evaluation.elsewhere.beside import Elsewhere, Lists, elsewhere, every_place
from catchrate.evaluation.elsewhere.definitions import OWN, Definition, Tool
from catchrate.evaluation.elsewhere.tools import DEFINITIONS, TOOLS, chosen_tools, definitions_like

__all__ = [
    "DEFINITIONS",
    "OWN",
    "TOOLS",
    "Definition",
    "Elsewhere",
    "Lists",
    "Tool",
    "chosen_tools",
    "definitions_like",
    "elsewhere",
    "every_place",
]
