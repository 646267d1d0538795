"""Every cap in one place, each with its reason."""

from __future__ import annotations

MAX_ID_BYTES = 4_096
"""Longest query or document id. Real ids are under 200 bytes; a longer one means a wrong separator."""

MAX_LINE_BYTES = 1 << 20
"""Longest line of a TREC, CSV or TSV file, so that a file without line ends stops in bounded memory."""

MAX_RECORD_BYTES = 64 << 20
"""Longest line of a JSONL file: records may carry the texts of their passages."""

MAX_DECODED_BYTES = 32 << 30
"""Most bytes that a compressed file may unpack to."""

MAX_RATIO = 200
"""Largest ratio of unpacked to packed bytes. Repetitive runs reach about 20; bombs start at 1,000."""

RATIO_GRACE_BYTES = 1 << 20
"""Unpacked bytes that are allowed at any ratio: tiny files of one repeated line are honest."""

MAX_ZSTD_WINDOW = 1 << 27
"""Largest zstd window (128 MiB, what `zstd --ultra` needs at most without `--long`)."""

MAX_JSON_DEPTH = 64
"""Deepest nesting in JSON: records need three levels; Python's own parser recurses."""

MAX_GRADE = 2**31 - 1
"""Largest grade: what the reference tools can hold."""

MAX_NUMBER = 10**9
"""Largest parameter of a measure, gain and weight of a query: sums of any size stay exact enough, and finite."""

MAX_EXPONENT = 1_000
"""Largest grade of an exponential gain: a million documents of gain 2^1,000 still have a finite sum."""

EXACT_EXPONENT = 53
"""Largest grade whose exponential gain, 2^grade - 1, a 64-bit float holds exactly."""

MAX_COLUMNS = 10_000
"""Most columns of a table."""

MAX_MEASURE_BYTES = 256
"""Longest spelling of a measure."""

MAX_SLICES = 100
"""Most slices of one result: more cannot be read, and each holds next to no queries."""

MAX_FINDINGS_SHOWN = 20
"""Findings printed in full; the rest are counted."""

MAX_FOUND_CHARS = 80
"""Characters of foreign text shown in one message."""

MAX_PREFERENCE_DOCS = 5_000
"""Most documents with preferences in one topic: every pair of them is looked at, 25 million here."""

BLOCK_BYTES = 16 << 20
"""Bytes of a run file read and joined at a time: large enough for polars, small enough for the cache and for memory."""

BLOCK_ROWS = 500_000
"""Rows of a run in memory that are joined at a time, for the same reasons."""

MAX_DIFFERENCES = 2_000
"""Most differences of one comparison, pairs of runs times measures: more cannot be read, and 10,000 samples of each are
160 MB."""

RESAMPLED_CELLS = 1 << 19
"""Cells of the matrix of counts or signs that is held at once while queries are resampled: 4 MiB, so that it stays in
the cache."""

MAX_CURVE_POINTS = 200
"""Most cut-offs of one calculation: more than anyone types, and a table and a link that still can be read."""

SORT_ROWS = 2_000_000
"""Rows that are sorted together, in about 200 MB, where the queries of a run come in pieces."""
MAX_FORM_BYTES = 64 << 10
"""Longest form that a browser may send: a few numbers and names."""

MAX_UPLOAD_BYTES = 256 << 20
"""Most bytes that a browser may send at a time; larger files are opened on the command line, without a copy."""

MAX_HTML_ROWS = 500
"""Most rows of one table in a page: a page with more is slow to open, and nobody reads it row by row."""

MAX_CELL_CHARS = 600
"""Most characters of one piece of text in a page; data files hold all of it."""

SCENARIO_SLOTS = 200_000
"""Most slots that are taken for judged only to show what that would do: a quarter of a second."""

MAX_UPLOADS = 40
"""Most files that a browser may send at a time."""

MAX_OPENED = 8
"""Sets of files that the local app holds open at a time: each is a process with its runs in memory."""

MAX_WORKER_SHARE = 0.75
"""Share of the machine's memory that one of these may take: more would slow everything else down."""

MIN_FREE_BYTES = 1 << 30
"""Least space on the disk that an upload must leave free."""

MAX_OPENING_SECONDS = 900
"""Longest that reading and measuring one set may take in the local app; the command line has no such limit."""

MAX_PAGE_SECONDS = 60
"""Longest that one page may take."""

MAX_PAGE_MEASURES = 24
"""Most measures of an opened set: a table with more cannot be read."""

MAX_KEPT_PAGES = 200
"""Pages of an opened set that are kept as they were written."""
MAX_SETTINGS = 4_000
"""Most ways to compute a number that a search for it goes through: some seconds over seven thousand queries."""

MAX_SETTINGS_BYTES = 256 << 10
"""Longest file of settings: a few lines, in fact."""

KEPT_BYTES = 1 << 22
"""Most bytes of a mapping that are kept only because somebody may ask for their digest."""

MOST_WAITING = 4
"""How many mappings are kept for that: the results of a long search may all be kept, and theirs are hashed in turn."""
