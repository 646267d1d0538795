"""Run the command line: `python -m catchrate`."""

from __future__ import annotations

import sys

from catchrate.cli import main

if __name__ == "__main__":
    sys.exit(main())
