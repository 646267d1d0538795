"""Engines that spread the work over many machines, each behind its own extra."""
