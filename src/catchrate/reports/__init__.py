"""Results to terminal, HTML, PDF, LaTeX, Markdown, JSON and tables.

A report computes nothing, and all escaping of foreign text happens here.
"""

from catchrate.reports.output import deliver
from catchrate.reports.render import Form, form_of, render

__all__ = ["Form", "deliver", "form_of", "render"]
