"""The program as its own process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import catchrate

PROGRAM = [sys.executable, "-m", "catchrate"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(catchrate.__file__).parents[1])}
