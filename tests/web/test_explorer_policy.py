"""Who may open, close and read files, how much may arrive, and what is left behind: asked over a raw socket."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import time
from pathlib import Path

import pytest

from apart import run_apart
from catchrate.cli import main
from catchrate.limits import MAX_OPENED, MAX_UPLOADS
from catchrate.web.explorer.worker import Worker, WorkerEndedError
from local_app import App, started, stopped
from web_policy import sealed

QRELS, RUN = b"q1 0 d1 1\n", b"q1 Q0 d1 1 1.0 t\n"
SENDING = ["/open", "/demo", "/sets/x/close", "/sets/x/read"]


def worker_of(app: App) -> list[int]:
    children = Path(f"/proc/{app.process.pid}/task/{app.process.pid}/children").read_text().split()
    return [int(child) for child in children]


def until(holds, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


@pytest.fixture
def fresh():
    """Return an app of its own."""
    running = started()
    yield running
    stopped(running)


@pytest.mark.parametrize("target", SENDING)
@pytest.mark.parametrize(
    "header",
    [
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: none",
        "Sec-Fetch-Site: !absent",
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: !absent",
        "Host: evil.example",
    ],
)
def test_only_pages_of_the_app_may_open_close_and_read(app: App, target: str, header: str):
    answer = app.send(target, header, files={"a": QRELS})
    assert answer.status == (400 if header.startswith("Host") else 403)
    assert sealed(answer)


@pytest.mark.parametrize("target", SENDING)
def test_reading_changes_nothing(app: App, target: str):
    assert app.get(target).status in (404, 405)
    assert app.get(target, method="HEAD").status in (404, 405)


def test_pages_of_a_set_are_for_pages_of_the_app_alone(app: App):
    base = app.opened(q=QRELS, run=RUN)
    linked = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
    for page in ("overview", "overview.json", "queries.csv", "files", "state.json"):
        assert app.get(f"{base}/{page}", *linked).status == 403
        answer = app.get(f"{base}/{page}")
        assert answer.status == 200
        assert sealed(answer)
    app.get(f"{base}/close", method="POST")
    assert app.get(f"{base}/overview").status == 404


@pytest.mark.parametrize("key", ["x", "..", "%2e%2e", "1", "' OR 1=1 --", "9" * 400, "%00", "a/b"])
def test_an_id_that_nobody_gave_is_the_same_404(app: App, key: str):
    answers = [app.get(f"/sets/{key.replace(' ', '+')}/{page}") for page in ("overview", "queries.csv", "state.json")]
    assert {answer.status for answer in answers} == {404}
    assert len({answer.body for answer in answers}) == 1


def test_the_token_is_asked_for_before_anything_is_opened(guarded: App):
    assert guarded.send("/open", files={"a": QRELS}).status == 401
    assert guarded.get("/demo", method="POST").status == 401
    bearer = f"Authorization: Bearer {guarded.token}"
    base = guarded.opened(bearer, q=QRELS, run=RUN)
    assert guarded.get(f"{base}/overview").status == 401
    assert json.loads(guarded.get(f"{base}/overview.json", bearer).body)["tables"]["leaderboard"][0]["queries"] == 1


@pytest.mark.parametrize(
    ("files", "says"),
    [({}, "No file was chosen"), ({"queries.jsonl": b"{}", "corpus.jsonl": b"{}"}, "no judgments and no run")],
)
def test_a_form_without_judgments_and_runs_says_so(app: App, files: dict[str, bytes], says: str):
    answer = app.send("/open", files=files)
    assert answer.status == 422
    assert says in answer.body


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("run.gz", b"\x1f\x8b" + b"x" * 40, "E241"),
        ("x.parquet", b"PAR1" + b"\xff" * 900, "E256"),
        ("run.trec", b"q1 Q0 d1 1 NaN t\n", "E211"),
        ("a.json", b"[" * 100_000, "E232"),
    ],
)
def test_a_bad_file_is_a_message_and_the_app_goes_on(app: App, name: str, body: bytes, code: str):
    base = app.opened(**{"q": QRELS, name: body})
    twin = app.get(f"{base}/overview.json")
    assert twin.status == 422
    assert code in twin.body
    page = app.get(f"{base}/files")
    assert page.status == 200
    assert code in page.body
    assert f"{app.temporary}/" not in page.body
    app.get(f"{base}/close", method="POST")


NAMES = ["../../x", "..\\..\\y", "/etc/passwd", "CON", "z" * 2_000, "a\\0b", "état.trec", "<b>bold</b>"]


def test_a_name_is_never_a_path(app: App):
    before = app.left
    base = app.opened(**{"q": QRELS, **dict.fromkeys(NAMES, RUN)})
    assert app.get(f"{base}/overview.json").status == 200
    (folder,) = set(app.left) - set(before)
    inside = [path.name for path in (app.temporary / folder).rglob("*") if path.is_file()]
    assert sorted(inside, key=int) == [str(number) for number in range(len(NAMES) + 1)]
    page = app.get(f"{base}/files").body
    assert ".." not in page
    assert "&lt;b&gt;bold" in page or "b&gt;" in page
    app.get(f"{base}/close", method="POST")
    assert until(lambda: app.left == before)


def test_uploads_are_capped_by_what_is_said_and_by_their_number(app: App):
    assert app.get("/open", "Content-Length: 999999999999", method="POST").status == 413
    answer = app.send("/open", files={f"f{n}": b"x" for n in range(MAX_UPLOADS + 1)})
    assert answer.status == 400
    assert app.send("/open", **{f"field{n}": "x" for n in range(50)}).status == 400
    assert app.get().status == 200


def test_an_upload_that_stops_in_the_middle_leaves_nothing(app: App):
    before = app.left
    head = (
        f"POST /open HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\nSec-Fetch-Site: same-origin\r\nOrigin: {app.address}\r\n"
    )
    head += "Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 100000\r\n\r\n--edge\r\n"
    with socket.create_connection(("127.0.0.1", app.port)) as wire:
        wire.sendall(head.encode() + b'Content-Disposition: form-data; name="files"; filename="a"\r\n\r\nxx')
    assert app.get().status == 200
    assert until(lambda: app.left == before)


def test_so_many_sets_and_no_more_and_those_that_ended_make_room(fresh: App):
    bases = [fresh.opened(demo=True) for _ in range(MAX_OPENED)]
    refused = fresh.get("/demo", method="POST")
    assert refused.status == 429
    assert "Close one first" in refused.body
    assert fresh.get("/").status == 200
    for child in worker_of(fresh)[:1]:
        os.kill(child, signal.SIGKILL)
    first = fresh.get(f"{bases[0]}/overview.json")
    assert first.status == 422
    assert "memory" in first.body
    assert fresh.opened(demo=True)


def test_closing_in_the_middle_of_reading_ends_the_process(fresh: App):
    base = fresh.opened(demo=True)
    assert until(lambda: len(worker_of(fresh)) == 1)
    (child,) = worker_of(fresh)
    assert fresh.get(f"{base}/close", method="POST").status == 303
    assert until(lambda: not Path(f"/proc/{child}").exists())


def test_while_files_are_read_every_page_says_how_far_that_is_and_can_be_cancelled(fresh: App):
    base = fresh.opened(demo=True)
    assert until(lambda: len(worker_of(fresh)) == 1)
    os.kill(worker_of(fresh)[0], signal.SIGSTOP)
    page = fresh.get(f"{base}/queries")
    assert page.status == 200
    assert "<progress" in page.body
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page.body
    assert f'action="{base}/close"' in page.body
    assert json.loads(fresh.get(f"{base}/state.json").body)["state"] == "opening"
    assert fresh.get(f"{base}/close", method="POST").status == 303
    assert until(lambda: not worker_of(fresh))


def test_a_page_that_takes_too_long_ends_its_process():
    async def ask() -> int:
        worker = await Worker.started(print)
        os.kill(worker.pid, signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            await worker.ask(0.2, do="page", page="overview", form="", arguments={}, base="")
        await worker.ended()
        with pytest.raises(WorkerEndedError):
            await worker.ask(0.2, do="page", page="overview", form="", arguments={}, base="")
        await asyncio.sleep(0.2)  # the pipes of the process are closed by the loop, a moment later
        return worker.pid

    assert not Path(f"/proc/{run_apart(ask())}").exists()


def test_ending_the_app_ends_its_workers_and_removes_uploads():
    running = started()
    base = running.opened(q=QRELS, run=RUN)
    assert running.get(f"{base}/overview.json").status == 200
    (child,) = worker_of(running)
    running.process.send_signal(signal.SIGINT)
    _, said = running.process.communicate(timeout=20)
    assert running.process.returncode == 130
    assert "Traceback" not in said
    assert until(lambda: not Path(f"/proc/{child}").exists())
    assert running.left == []
    running.temporary.rmdir()


def test_the_app_answers_while_a_worker_is_stopped(fresh: App):
    base = fresh.opened(demo=True)
    assert fresh.get(f"{base}/overview.json").status == 200
    (child,) = worker_of(fresh)
    os.kill(child, signal.SIGSTOP)
    assert fresh.get("/").status == 200
    assert fresh.get(f"{base}/state.json").status == 200
    os.kill(child, signal.SIGCONT)
    assert fresh.get(f"{base}/queries").status == 200


def test_files_named_on_the_command_line_are_open_from_the_start(tmp_path: Path):
    (tmp_path / "q").write_bytes(QRELS)
    (tmp_path / "run").write_bytes(RUN)
    running = started(str(tmp_path / "q"), f"mine={tmp_path / 'run'}", "-m", "rr")
    base = re.search(r'href="(/sets/[^/]+)/overview"', running.get("/").body)[1]
    rows = json.loads(running.get(f"{base}/overview.json").body)["tables"]["leaderboard"]
    assert [(row["run"], row["rr"]) for row in rows] == [("mine", 1.0)]
    stopped(running)
    assert (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["nothing.trec"], 4, "E110"),
        (["-"], 2, "'<stdin>' is no file"),
        ([__file__, "-m", "recal@5"], 2, "did you mean recall"),
        ([__file__, "--match", "coverd"], 2, "E290"),
    ],
)
def test_what_cannot_be_opened_is_refused_before_the_app_starts(arguments: list[str], code: int, says: str, capsys):
    assert main(["view", "--no-browser", *arguments]) == code
    assert says in capsys.readouterr().err
