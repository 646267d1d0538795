"""Views as PDF, by Typst: text and shapes alone, tagged for screen readers, the same bytes for the same view.

The template is ours and never changes. What a view says goes in as data, so that no text of others is ever read as
markup; nothing in the file links, runs or attaches anything.
"""

from catchrate.reports.pdf.page import view_pdf

__all__ = ["view_pdf"]
