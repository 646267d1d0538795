"""Responses that are no pages."""

from __future__ import annotations

from starlette.responses import Response

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "tex": "application/x-tex; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
}


def download(content: str | bytes, name: str) -> Response:
    """Return a file to keep; its name is one of ours, never one from the data."""
    media_type = TYPES[name.rpartition(".")[2]]
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
