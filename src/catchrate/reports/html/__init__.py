"""Views as HTML: a fragment for any page, and one file that needs nothing else.

The file loads nothing, runs nothing and links to nothing but itself, and its policy forbids it to. All text is escaped
by the templates; what is invisible is spelled out before.
"""

from catchrate.reports.html.fragment import blocks_html
from catchrate.reports.html.page import notebook_fragment, page_html
from catchrate.reports.html.styles import BLOCKS_STYLE

__all__ = ["BLOCKS_STYLE", "blocks_html", "notebook_fragment", "page_html"]
