"""The local app: the calculator, and an explorer for real runs, in a browser on this machine."""

from catchrate.web.server import FIRST_PORT, serve

__all__ = ["FIRST_PORT", "serve"]
