"""Clients that do their worst: others are answered, and the service says how it is."""

from __future__ import annotations

import http.client
import json
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
pytest.importorskip("httpx", reason="pip install 'morphtree[dev]'")

import httpx

import morphtree
from morphtree.web.service.app import Settings, make_app
from tests.serving import running

HOSTILE = "127.0.0.2"
STOPS = 40
COMMAND = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "serve",
           "--port", "0"]  # fmt: skip


def connect(base: str, source: str = HOSTILE) -> socket.socket:
    where = urlsplit(base).hostname, urlsplit(base).port
    return socket.create_connection(where, timeout=30, source_address=(source, 0))


def post(words: list[str], n: int) -> bytes:
    body = json.dumps({"words": words, "n": n})
    head = f"POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n"
    return f"{head}content-type: application/json\r\n\r\n{body}".encode()


def metric(client: httpx.Client, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", client.get("/metrics").text, re.M)
    return float(found[1]) if found else 0.0


def wait_for(client: httpx.Client, name: str, value: float) -> None:
    for _ in range(600):
        if metric(client, name) == value:
            return
        time.sleep(0.05)
    pytest.fail(f"{name} is {metric(client, name)}, not {value}")


@contextmanager
def command(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the service; give its process and its address, once it has said it."""
    with subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()[1]
        finally:
            process.kill()


# -- work ---------------------------------------------------------------------------------------


def test_work_ends_when_its_client_hangs_up() -> None:
    with running() as base, httpx.Client(base_url=base, timeout=60) as client:
        with connect(base) as hostile:
            hostile.sendall(post(["i" * 64] * 1000, 20))
            while not metric(client, "morphtree_words_total"):
                time.sleep(0.01)
        wait_for(client, "morphtree_waiting", 0)
        assert metric(client, "morphtree_words_total") < 1000
        name = 'morphtree_requests_total{route="/v1/parse",status="499"}'
        assert metric(client, name) == 1


def test_long_words_are_billed_by_their_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.limits.PAUSE", 0)
    with running(Settings(rate=100)) as base, httpx.Client(base_url=base, timeout=60) as client:
        assert client.post("/v1/parse", json={"words": ["i" * 64] * 40, "n": 5}).status_code == 200
        refused = client.post("/v1/parse", json={"words": ["cats"]})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 1
        with connect(base) as other:
            other.sendall(post(["cats"], 1))
            assert other.recv(100).startswith(b"HTTP/1.1 200")


def test_a_large_body_is_billed_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.limits.PAUSE", 0)
    with running(Settings(rate=1e-3)) as base, httpx.Client(base_url=base, timeout=60) as client:
        body = b'{"words":[' + b"0," * 300_000 + b"0]}"
        headers = {"content-type": "application/json"}
        assert client.post("/v1/parse", content=body, headers=headers).status_code == 422
        assert client.post("/v1/parse", content=body, headers=headers).status_code == 429


# -- connections --------------------------------------------------------------------------------


def test_idle_connections_neither_stop_the_others_nor_fill_the_log() -> None:
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=few_files
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        base = process.stdout.readline().split()[1]
        with ExitStack() as stack:
            for number in range(400):
                stack.enter_context(connect(base, f"127.0.0.{2 + number % 20}"))
            for _ in range(5):
                assert httpx.get(f"{base}v1/parse/cats", timeout=30).status_code == 200
        process.terminate()
        assert process.wait(60) == 0
        assert len(process.stderr.read()) < 10_000


def test_the_longest_idle_connection_of_a_client_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("morphtree.web.service.connections.MOST_OF_ONE", 3)
    with running() as base, ExitStack() as stack:
        opened = [stack.enter_context(connect(base)) for _ in range(3)]
        other = stack.enter_context(connect(base, "127.0.0.3"))
        for raw in (other, *opened, opened[0]):
            assert is_answered(raw)
        opened.append(stack.enter_context(connect(base)))
        assert is_closed(opened[1])  # the one that has said nothing for longest
        assert all(map(is_answered, (other, opened[0], opened[2], opened[3])))


def is_answered(raw: socket.socket) -> bool:
    raw.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
    answer = http.client.HTTPResponse(raw)
    answer.begin()
    return answer.read() == b'{"status":"ok"}'


def is_closed(raw: socket.socket) -> bool:
    try:
        return not raw.recv(1)
    except ConnectionError:
        return True


def test_who_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.connections.SLOWEST_READER", 0.3)
    with (
        running() as base,
        httpx.Client(base_url=base, timeout=60) as client,
        connect(base) as raw,
    ):
        raw.sendall(post(["untestably"] * 1000, 20))  # more than the buffers of the system take
        wait_for(client, "morphtree_calls_total", 63)
        wait_for(client, "morphtree_connections", 1)


def test_who_reads_slowly_gets_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.connections.SLOWEST_READER", 0.5)
    with running() as base, connect(base) as raw:
        raw.sendall(post(["untestably"] * 1000, 20))
        answer = http.client.HTTPResponse(raw)
        answer.begin()
        body = b""
        for _ in range(20):
            body += answer.read(1 << 18)
            time.sleep(0.1)
        assert len(json.loads(body + answer.read())["analyses"]) == 1000


# -- names, HEAD, state -------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example"])
def test_a_foreign_name_is_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/v1/parse/cats", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1", "[::1]:1", "192.168.0.7:8765"])
def test_names_of_this_machine_are_known(client: httpx.Client, host: str) -> None:
    assert client.get("/v1/parse/cats", headers={"host": host}).status_code == 200


def test_other_names_are_known_when_asked() -> None:
    with command("--allow-host", "words.example") as (_, base):
        for host, status in (("words.example", 200), ("Words.Example:80", 200), ("x.example", 421)):
            assert httpx.get(f"{base}healthz", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    "path", ["/", "/v1/parse/cats", "/v1/model", "/healthz", "/readyz", "/metrics", "/v1/none"]
)
def test_head_is_answered_as_get_without_a_body(client: httpx.Client, path: str) -> None:
    found, same = client.head(path), client.get(path)
    assert (found.status_code, found.content) == (same.status_code, b"")
    if path != "/metrics":
        assert found.headers["content-length"] == same.headers["content-length"]


def test_readiness_tells_the_truth() -> None:
    client_module = pytest.importorskip("fastapi.testclient")
    app = make_app(morphtree.load(), settings=Settings(rate=0))
    outside = client_module.TestClient(app, "http://localhost")
    assert outside.get("/readyz").json() == {"status": "starting"}
    with client_module.TestClient(app, "http://localhost") as client:
        assert client.get("/readyz").json() == {"status": "ok"}
        app.state.workers.waiting["a"] = 10_000
        assert client.get("/readyz").json() == {"status": "full"}
        assert client.get("/healthz").status_code == 200
        app.state.workers.waiting.clear()
        app.state.is_stopping = lambda: True
        assert client.get("/readyz").status_code == 503


def test_metrics_are_those_of_prometheus(client: httpx.Client) -> None:
    client.get("/v1/parse/cats")
    client.get("/nowhere/secret")
    found = client.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = re.compile(r'morphtree_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+')
    for line in found.text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line
    assert "secret" not in found.text
    assert "cats" not in found.text
    assert 'route="/v1/parse/{word:path}",status="200"' in found.text
    assert metric(client, "morphtree_ready") == 1


# -- stopping -----------------------------------------------------------------------------------


def stops(how: signal.Signals, delay: float = 0.0) -> bool:
    """Whether the command ends well by a signal after it has said that it is ready."""
    with command() as (process, _):
        time.sleep(delay)
        process.send_signal(how)
        return process.wait(30) == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_after_the_ready_line_is_honoured(how: signal.Signals) -> None:
    assert stops(how)


@pytest.mark.campaign
def test_a_signal_at_any_moment_is_honoured(tally: Callable[[int, int], None]) -> None:
    tally(STOPS, sum(not stops(signal.SIGTERM, n % 10 / 50) for n in range(STOPS)))


@pytest.mark.campaign
@pytest.mark.skipif(not shutil.which("hey") or not shutil.which("wrk"), reason="needs hey and wrk")
def test_others_are_answered_beside_every_attack() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "serve.py"
    done = subprocess.run([sys.executable, script, "--hostile", "--seconds", "10"], check=False)
    assert not done.returncode
