"""What browsers send: kept under names of ours, counted while it arrives, and removed with its set."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from catchrate.limits import MAX_UPLOAD_BYTES, MAX_UPLOADS, MIN_FREE_BYTES
from catchrate.web.explorer.opened import new_folder
from catchrate.web.order import FileOrder, Order

BESIDE = frozenset(("queries.jsonl", "corpus.jsonl"))
"""Files of a BEIR folder that say what queries and documents are; they lie where readers look for them."""
PACKED = (".gz", ".zst")
MAX_NAME = 200


async def received(request: Request) -> tuple[Order, Path]:
    """Return the files of a form, and the folder in which they lie.

    Raises HTTPException when there are none, or the disk is nearly full.
    """
    refuse_full_disk()
    async with request.form(max_files=MAX_UPLOADS, max_fields=4) as form:
        sent = [one for one in form.getlist("files") if isinstance(one, UploadFile) and one.filename]
        if not sent:
            raise HTTPException(422, "No file was chosen. Choose judgments and runs, or load the demo.")
        folder = new_folder()
        try:
            files = await asyncio.to_thread(_kept, sent, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    if not files:
        shutil.rmtree(folder, ignore_errors=True)
        raise HTTPException(422, "There are texts of queries or documents, but no judgments and no run.")
    return Order(files=tuple(files), title=title_of([file.name for file in files])), folder


def refuse_full_disk() -> None:
    """Refuse an upload that could fill the disk."""
    if shutil.disk_usage(tempfile.gettempdir()).free < MIN_FREE_BYTES + 2 * MAX_UPLOAD_BYTES:
        raise HTTPException(507, "There is too little space for uploads. Open files by name: catchrate view FILE...")


def title_of(names: Sequence[str]) -> str:
    """Return what a few files are called together."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _kept(sent: Sequence[UploadFile], folder: Path) -> list[FileOrder]:
    """Write the files under numbers, in the shape of a BEIR folder, so that texts that were sent are found."""
    inner = folder / "qrels"
    inner.mkdir()
    files: list[FileOrder] = []
    for number, one in enumerate(sent):
        name = plain_name(one.filename or "")
        beside = name in BESIDE and len(sent) > 1
        path = folder / name if beside else inner / f"{number}{_packed(name)}"
        with path.open("wb") as target:
            shutil.copyfileobj(one.file, target, 1 << 20)
        if not beside:
            files.append(FileOrder(name=name, path=str(path)))
    return files


def plain_name(name: str) -> str:
    """Return what a browser calls a file, without folders, as something to show."""
    return name.replace("\\", "/").rpartition("/")[2][:MAX_NAME] or "file"


def _packed(name: str) -> str:
    """Return the suffix of a packed file: one of ours, so that readers do not wonder."""
    return next((suffix for suffix in PACKED if name.lower().endswith(suffix)), "")
