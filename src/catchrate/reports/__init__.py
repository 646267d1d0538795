"""Results to terminal, JSON and CSV. A report computes nothing; all escaping of foreign text happens here."""

from catchrate.reports.csv_report import scores_csv
from catchrate.reports.json_report import scores_json
from catchrate.reports.output import deliver
from catchrate.reports.terminal import leaderboard_table, per_query_table

__all__ = ["deliver", "leaderboard_table", "per_query_table", "scores_csv", "scores_json"]
