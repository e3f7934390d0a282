"""What the service refuses: bodies, headers and clients that are too large, slow or fast."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
pytest.importorskip("httpx", reason="pip install 'morphtree[dev]'")

import httpx

from morphtree.web.service.app import Settings
from morphtree.web.service.limits import MOST_CLIENTS, Rates, network
from tests.serving import connection, running


@pytest.mark.parametrize(
    ("path", "body", "fault"),
    [
        ("/v1/parse", {"words": ["a"] * 1001}, "at most 1000"),
        ("/v1/parse", {"words": []}, "at least 1"),
        ("/v1/parse", {"words": ["a" * 257]}, "at most 256"),
        ("/v1/parse", {"words": ["a"], "n": 21}, "less than or equal to 20"),
        ("/v1/view", {}, "Field required"),
        ("/v1/view", {"word": "\ud800"}, "valid string"),
    ],
)
def test_what_is_wrong_is_said(
    client: httpx.Client, path: str, body: dict[str, object], fault: str
) -> None:
    headers = {"content-type": "application/json"}
    found = client.post(path, content=json.dumps(body), headers=headers)
    assert found.status_code == 422
    assert fault in found.json()["detail"]


def test_what_cannot_be_explained_is_said(client: httpx.Client) -> None:
    found = client.get("/v1/explain/a%20b")
    assert found.status_code == 422
    assert "cannot be explained" in found.json()["detail"]


def test_a_large_body_is_refused_by_its_announced_size(base: str) -> None:
    with connection(base) as opened:
        opened.putrequest("POST", "/v1/parse")
        opened.putheader("content-length", str((1 << 20) + 1))
        opened.endheaders()  # not a byte of the body is needed
        assert opened.getresponse().status == 413


def test_a_large_body_is_counted_while_it_streams(base: str) -> None:
    host, port = urlsplit(base).hostname, urlsplit(base).port
    with socket.create_connection((host, port), timeout=30) as raw:
        raw.sendall(
            b"POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(17):  # 16 make one MiB; the end of the body never comes
            raw.sendall(chunk)
        assert raw.recv(100).startswith(b"HTTP/1.1 413")


def test_a_body_of_the_largest_size_is_read(client: httpx.Client) -> None:
    text = json.dumps({"words": ["cats"]}).encode()
    body = text + b" " * ((1 << 20) - len(text))
    headers = {"content-type": "application/json"}
    assert client.post("/v1/parse", content=body, headers=headers).status_code == 200


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.app.SLOWEST_BODY", 0.2)
    with running() as address, connection(address) as opened:
        opened.putrequest("POST", "/v1/parse")
        opened.putheader("content-length", "100")
        opened.endheaders(b"{")
        assert opened.getresponse().status == 408


@pytest.mark.parametrize("before", [b"", b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"])
@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\n"])
def test_slow_headers_are_given_up(
    monkeypatch: pytest.MonkeyPatch, before: bytes, begun: bytes
) -> None:
    limit = "morphtree.web.service.connections.SLOWEST_HEADERS"
    monkeypatch.setattr(limit, 3600 if before else 0.3)
    with running() as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port), timeout=60) as raw:
            if before:
                raw.sendall(before)
                assert raw.recv(1 << 16).startswith(b"HTTP/1.1 200")
                monkeypatch.setattr(limit, 0.3)
            raw.sendall(begun)
            while raw.recv(1 << 16):
                pass  # the rest of an answer, then the end


def test_a_fast_client_must_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.limits.PAUSE", 0)
    with (
        running(Settings(rate=1e-3)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        assert client.post("/v1/parse", json={"words": ["a1"] * 990}).status_code == 200
        states = [client.get("/v1/model").status_code for _ in range(30)]
        assert states[0] == 200
        refused = client.get("/v1/parse/cats")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/").status_code == 200  # the page is free


def test_a_bucket_fills_again() -> None:
    rates = Rates(10, 20)
    assert rates.wait("a", 20, now=0) == 0
    assert rates.wait("a", 5, now=0) == 1
    assert rates.wait("b", 20, now=0) == 0
    assert rates.wait("a", 5, now=0.5) == 0
    assert rates.wait("a", 1, now=0.5) == 1
    assert Rates(0, 0).wait("a", 10**9) == 0


def test_who_asks_for_more_than_a_bucket_owes_the_rest() -> None:
    rates = Rates(10, 20)
    assert rates.wait("a", 120, now=0) == 0
    assert rates.wait("a", 1, now=0) == 11
    assert rates.wait("a", 120, now=9.5) == 2  # it has 5 less than nothing, and needs 10
    assert rates.wait("a", 120, now=11) == 0


def test_rates_take_bounded_memory() -> None:
    rates = Rates(1, 1)
    for number in range(MOST_CLIENTS + 50):
        rates.wait(str(number), 1, now=0)
    assert len(rates._buckets) == MOST_CLIENTS
    assert network("2001:db8::1") == network("2001:db8::2") != network("2001:db8:0:1::1")


def test_other_origins_are_let_in_only_when_asked(client: httpx.Client) -> None:
    there = {"origin": "https://a.example"}
    assert "access-control-allow-origin" not in client.get("/v1/model", headers=there).headers
    with running(Settings(origins=("https://a.example",))) as address:
        found = httpx.get(f"{address}/v1/model", headers=there)
        assert found.headers["access-control-allow-origin"] == "https://a.example"
        other = httpx.get(f"{address}/v1/model", headers={"origin": "https://b.example"})
        assert "access-control-allow-origin" not in other.headers
