"""What is imported only when it is first asked for: by one thread at a time.

Two threads that import a package from two ends, one its first module and one its last, would wait for each other.
"""

from threading import RLock

ONE_AT_A_TIME = RLock()
"""Held while something is imported for a caller who may have many threads."""
