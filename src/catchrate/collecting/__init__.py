"""From a retriever to evaluation records: ask it every question, keep what it returns."""

from catchrate.collecting.collect import Collected, collect
from catchrate.collecting.load import load_retriever

__all__ = ["Collected", "collect", "load_retriever"]
