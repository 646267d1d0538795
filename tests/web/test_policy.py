"""The table of who gets an answer, asked over a raw socket."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys

import pytest

from catchrate.errors import UsageError
from catchrate.web.access import Token, authorities, is_loopback
from catchrate.web.server import listening, serve
from local_app import App, started
from web_policy import sealed

EXAMPLE = "/calculator?queries=40&relevant=120&k=10&found=83&hits=34"


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_app_answers_under_each_of_its_own_names(app: App, name: str):
    answer = app.get("/calculator", f"Host: {name}:{app.port}")
    assert answer.status == 200
    assert sealed(answer)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1@evil",
        "127.0.0.1:{port}@evil",
        "[::1]",
        "localhost.:{port}",
        "LOCALHOST:{port}",
        "127.0.0.1:{port},evil.example",
        "127.0.0.1:{port}, 127.0.0.1:{port}",
        "127.0.0.1:0{port}",
        "127.1:{port}",
        "2130706433:{port}",
        "",
    ],
)
def test_any_other_host_is_refused_before_routing(app: App, host: str):
    for target in ("/calculator", "/nowhere"):
        answer = app.get(target, "Host: " + host.format(port=app.port))
        assert answer.status == 400, target
        assert sealed(answer)


def test_a_missing_or_repeated_host_is_refused(app: App):
    own = f"Host: 127.0.0.1:{app.port}\r\n"
    for lines in ("", own + own):
        assert app.ask(f"GET /calculator HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode()).split()[1] == b"400"
    assert app.ask(b"GET /calculator HTTP/1.0\r\n\r\n").split()[1] == b"400"


def test_a_target_with_an_authority_of_its_own_is_refused(app: App):
    for target in (f"http://127.0.0.1:{app.port}/calculator", "http://evil.example/calculator", "*"):
        assert app.get(target).status == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Sec-Fetch-Site: cross-site"], 403),
        (["Sec-Fetch-Site: same-site"], 403),
        (["Sec-Fetch-Site: nonsense"], 403),
        (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"], 403),
        (["Sec-Fetch-Site: !absent"], 403),
        (["Sec-Fetch-Site: none"], 200),
        (["Origin: http://evil.example"], 403),
        (["Origin: null"], 403),
        (["Origin: http://127.0.0.1:1"], 403),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], 403),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"], 403),
        # a calculation is sent as a link, which may stand on any page
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 200),
    ],
)
def test_only_pages_of_the_app_may_read(app: App, headers: list[str], status: int):
    answer = app.get(EXAMPLE, *headers)
    assert answer.status == status
    assert sealed(answer)


def test_a_link_elsewhere_leads_to_the_calculator_and_not_to_data(app: App):
    linked = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
    assert app.get(EXAMPLE.replace("?", ".json?"), *linked).status == 403


def test_two_origins_are_refused(app: App):
    assert app.get("/calculator", f"Origin: {app.address}", f"Origin: {app.address}").status == 403


@pytest.mark.parametrize(
    "headers", [["Origin: !absent"], ["Origin: null"], ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: !absent"]]
)
def test_only_pages_of_the_app_may_send(app: App, headers: list[str]):
    assert app.get("/sign-in", *headers, method="POST", body=b"token=x").status == 403


def test_a_script_needs_the_token_and_the_refusal_says_how(app: App, guarded: App):
    nothing = "Sec-Fetch-Site: !absent"
    answer = app.get(EXAMPLE, nothing)
    assert answer.status == 403
    assert "catchrate view --token" in answer.body
    assert guarded.get(EXAMPLE, nothing).status == 403
    assert guarded.get(EXAMPLE, nothing, f"Authorization: Bearer {guarded.token}").status == 200
    for wrong in ("", guarded.token[:-1], guarded.token + "x", "ä"):
        assert guarded.get(EXAMPLE, nothing, f"Authorization: Bearer {wrong}").status == 403
    twin = guarded.get(EXAMPLE.replace("?", ".json?"), nothing, f"Authorization: Bearer {guarded.token}")
    assert json.loads(twin.body)["metrics"][0]["value"] == pytest.approx(83 / 120)


def test_a_token_is_exchanged_for_a_cookie_that_scripts_and_other_sites_never_see(guarded: App):
    assert guarded.get().status == 401
    assert guarded.get(f"/calculator?token={guarded.token}").status == 401
    assert guarded.get("/sign-in").status == 200
    assert guarded.get("/sign-in", method="POST", body=b"token=wrong").status == 401
    answer = guarded.get("/sign-in", method="POST", body=f"token={guarded.token}".encode())
    assert answer.status == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert guarded.token not in cookie
    assert guarded.get("/calculator", "Cookie: " + cookie.partition(";")[0]).status == 200
    assert guarded.get("/calculator", "Cookie: catchrate=").status == 401
    assert guarded.get("/calculator", "Cookie: catchrate=x").status == 401


def test_a_token_is_never_printed_by_accident():
    token = Token()
    assert len(token.reveal()) >= 43
    assert token.reveal() not in f"{token} {token!r}"


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH"])
def test_other_methods_get_nothing_and_no_word_for_other_sites(app: App, method: str):
    answer = app.get("/calculator", "Access-Control-Request-Method: POST", method=method)
    assert answer.status in (400, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_reading_changes_nothing_that_sending_changes(app: App):
    assert app.get("/calculator", method="POST", body=b"x=1").status == 405


OUTSIDE = [
    "/static/..%2fapp.py",
    "/static/%2e%2e/app.py",
    "/static/../app.py",
    "/static/..\\app.py",
    "/static//etc/passwd",
    "/static/%00",
    "/static/app.css%00",
    "/static/app.css/",
    "/static-secret/app.css",
    "/static/",
    "//etc/passwd",
    "/etc/passwd",
    "/static/nothing.css",
    "/templates/base.html",
]


def test_what_is_no_page_is_the_same_404_whether_it_exists_or_not(app: App):
    answers = [app.get(target) for target in OUTSIDE]
    assert {answer.status for answer in answers} == {404}
    assert len({answer.body for answer in answers}) == 1
    assert all(sealed(answer) for answer in answers)
    assert app.get("/static/app.css").status == 200


def test_a_body_is_capped_by_what_it_says_and_by_what_it_sends(app: App):
    assert app.get("/sign-in", "Content-Length: 99999999999", method="POST").status == 413
    assert app.get("/sign-in", "Content-Length: -5", method="POST").status in (400, 413)
    chunks = b"".join(b"4000\r\n" + b"x" * 0x4000 + b"\r\n" for _ in range(8)) + b"0\r\n\r\n"
    assert app.get("/sign-in", "Transfer-Encoding: chunked", method="POST", body=chunks).status == 413


def test_a_form_of_many_fields_is_refused(app: App):
    assert app.get("/sign-in", method="POST", body=b"&".join(b"a=1" for _ in range(10_000))).status == 400


def test_a_megabyte_of_headers_is_refused(app: App):
    said = app.ask(b"GET /calculator HTTP/1.1\r\nX: " + b"y" * (1 << 20) + b"\r\n\r\n")
    assert not said or said.split()[1] in (b"400", b"431")


def test_the_app_answers_after_all_of_this(app: App):
    assert app.get().status == 200
    assert app.process.poll() is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "[2001:db8::1]"])
def test_an_address_that_others_reach_needs_a_token_before_any_port_is_taken(host: str, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("a port was taken"))
    with pytest.raises(UsageError, match="--token") as refused:
        serve(host=host, ready=print)
    assert refused.value.code == "E354"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.8.8.8"])
def test_loopback_is_told_by_the_address(host: str):
    assert is_loopback(host)
    assert not is_loopback("10.0.0.1")


def test_a_host_that_is_no_address_is_refused():
    with pytest.raises(UsageError, match="no address"):
        is_loopback("example.org")


def test_an_app_on_another_address_answers_under_that_address_too():
    assert "192.0.2.7:81" in authorities("192.0.2.7", 81)
    assert "[2001:db8::1]:81" in authorities("2001:db8::1", 81)
    assert not any(name.startswith("0.0.0.0") for name in authorities("0.0.0.0", 81))


def test_a_port_that_is_taken_is_left_alone_and_the_next_one_is_used():
    with listening("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with listening("127.0.0.1", port) as second:
            assert port < second.getsockname()[1] < port + 50


def test_no_free_port_is_a_plain_message():
    with pytest.raises(UsageError, match="no port from 8137 on is free") as refused:
        listening("192.0.2.7", 8137)
    assert refused.value.code == "E355"


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_app_ends_cleanly(sent: signal.Signals, code: int):
    running = started()
    assert running.get().status == 200
    running.process.send_signal(sent)
    _, said = running.process.communicate(timeout=20)
    assert running.process.returncode == code
    assert "Traceback" not in said


def test_a_page_that_fails_says_nothing_of_the_inside(monkeypatch, capsys):
    from starlette.testclient import TestClient

    from catchrate.web import calculator_pages
    from catchrate.web.access import Access
    from catchrate.web.app import build

    monkeypatch.setattr(calculator_pages, "read_totals", lambda typed: 1 / 0)
    client = TestClient(build(Access(hosts=frozenset(["testserver"]))), headers={"sec-fetch-site": "same-origin"})
    answer = client.get(EXAMPLE)
    assert answer.status_code == 500
    assert not re.search(r"Traceback|ZeroDivision|\.py|/src|\d+\.\d+\.\d+", answer.text)
    number = re.search(r"error (\w{8})", answer.text)[1]
    logged = capsys.readouterr().err
    assert f"error {number}" in logged
    assert "ZeroDivisionError" in logged


def test_without_the_web_libraries_one_line_names_the_extra():
    code = (
        "import sys; from catchrate.cli import main\n"
        "sys.modules.update(dict.fromkeys(['uvicorn', 'starlette', 'jinja2', 'python_multipart']))\n"
        "sys.exit(main(['view', '--no-browser']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'catchrate[web]'" in done.stderr
    assert "Traceback" not in done.stderr
