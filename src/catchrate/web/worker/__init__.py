"""The process that holds what was opened: it reads, measures and renders, under limits, and can be ended."""
