"""The HTTP service: what it answers, what it refuses, and how it stops."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.analysis import Reading, Told
from morphtree.cli.main import main
from morphtree.trees.tree import Tree

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
pytest.importorskip("httpx", reason="pip install 'morphtree[dev]'")

import httpx

from morphtree.web.service.pages import FILES
from morphtree.web.service.view import pieces, view
from tests.serving import connection, running

# -- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["untestably", "Unlockable", "1234", "naïvely", "and/or", "a b"])
@pytest.mark.parametrize("n", [1, 3])
def test_a_word_has_the_schema_of_all_json(client: httpx.Client, word: str, n: int) -> None:
    found = client.get(f"/v1/parse/{quote(word, safe='')}", params={"n": n})
    assert found.status_code == 200
    analyzer = morphtree.load()
    # one reading is found as `pipe` does it, whose sums differ in the last digits
    expected = next(iter(analyzer.pipe([word]))) if n == 1 else analyzer.parse(word, n)
    assert found.json() == expected.to_dict()


def test_many_words_come_back_in_order(client: httpx.Client) -> None:
    words = [f"{a}{b}" for a in ("un", "re", "", "over") for b in ("lock", "test", "s", "", "42")]
    words *= 50
    found = client.post("/v1/parse", json={"words": words}).json()
    assert found["schema"] == 4
    assert [item["word"] for item in found["analyses"]] == words
    assert {item["status"] for item in found["analyses"]} == {"ok", "whole", "refused"}


def test_words_asked_for_at_once_are_not_mixed_up(base: str) -> None:
    words = [f"{a}{b}{c}" for a in ("un", "re", "") for b in ("lock", "test") for c in ("ed", "er")]
    own = morphtree.load().copy(jobs=1)

    def ask(word: str) -> bool:
        found: dict[str, object] = httpx.get(f"{base}/v1/parse/{word}", timeout=60).json()
        return found == own_answers[word]

    own_answers = {analysis.word: analysis.to_dict() for analysis in own.pipe(words)}
    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(ask, words * 8))


def test_an_explanation_is_that_of_the_command(client: httpx.Client) -> None:
    found = client.get("/v1/explain/happily", params={"against": 2}).json()
    told = CliRunner().invoke(main, ["explain", "--format", "json", "happily"]).stdout
    assert found == json.loads(told)


def test_an_explanation_without_another_reading_is_json(client: httpx.Client) -> None:
    found = client.get("/v1/explain/a")
    assert found.status_code == 200
    assert found.json()["other"] is None
    assert found.json()["margin"] is None


def test_model_and_health(client: httpx.Client) -> None:
    about = client.get("/v1/model").json()
    assert (about["name"], about["structure"]) == ("en", "tree")
    assert about["licence"].startswith("CC-BY-SA-4.0")
    assert client.get("/healthz").json() == {"status": "ok"}


def test_a_view_has_all_that_a_page_shows(client: httpx.Client) -> None:
    found = client.post("/v1/view", json={"word": "happily", "n": 2}).json()
    assert found["analysis"] == morphtree.load().parse("happily", 2).to_dict()
    first = found["views"][0]
    assert first["svg"].startswith("<svg")
    assert first["latex"].startswith(r"\begin{forest}")
    assert [node["text"] for node in first["tree"]["children"]] == ["happy", "-ly"]
    changed = [p for p in first["steps"][0]["pieces"] if p["before"] != p["after"]]
    assert changed == [{"before": "y", "after": "i"}]
    assert {"before": "i", "after": "y"} in first["letters"][0]["pieces"]


def test_a_view_follows_the_tree() -> None:
    tree = Tree.parse("[[un [[test] able]] ly]")
    shown = view(Reading(tree, tree.form, 0.5, "Untestably", Told((False, True, False, True))))
    assert [step["word"] for step in shown["steps"]] == ["testable", "untestable", "untestably"]
    assert shown["tree"]["text"] == "Untestably"
    assert shown["tree"]["known"] is False
    inner = shown["tree"]["children"][0]
    assert (inner["known"], inner["children"][1]["known"]) == (True, False)
    assert [p["after"] for p in shown["letters"][2]["pieces"]] == ["abl", "e"]
    flat = view(Reading(("cat", "s"), "cats", 0.5, "cats"))
    assert [node["role"] for node in flat["tree"]["children"]] == ["segment", "segment"]
    assert pieces("", "") == []


def test_a_page_and_a_file_show_the_same_picture() -> None:
    reading = morphtree.load().parse("unlockable").readings[0]
    for categories in (False, True):
        shown = view(reading, categories)
        name, attributes, *parts = shown["picture"]
        file = ElementTree.fromstring(shown["svg"])
        assert (name, attributes.pop("xmlns")) == ("svg", "http://www.w3.org/2000/svg")
        assert attributes == file.attrib
        assert [part[1] for part in parts] == [part.attrib for part in file][1:]  # after its style
        assert ('class="mt-category"' in shown["svg"]) == categories
        assert ("textsubscript" in shown["latex"]) == categories


@pytest.mark.parametrize("word", ["a\ufffeb", "<&\"'>", "\u202eab", "a\u0301\u0489"])
def test_a_picture_of_any_word_is_well_formed(client: httpx.Client, word: str) -> None:
    found = client.post("/v1/view", json={"word": word}).json()
    assert found["analysis"]["word"] == word
    for shown in found["views"]:
        ElementTree.fromstring(shown["svg"])


# -- pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "app.py", "index.html/.."]
)
def test_no_path_reaches_the_disk(base: str, name: str) -> None:
    with connection(base) as opened:
        opened.request("GET", f"/static/{name}")
        assert opened.getresponse().status == 404


def test_pages_ask_for_nothing_from_elsewhere(client: httpx.Client) -> None:
    for name, file in FILES.items():
        foreign = file.content.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"://" not in foreign, name
        assert b"innerHTML" not in foreign, name
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"<script>" not in FILES["index.html"].content
    assert b"style=" not in FILES["index.html"].content


def test_a_browser_need_not_load_a_page_twice(client: httpx.Client) -> None:
    first = client.get("/static/tree.js")
    again = client.get("/static/tree.js", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert client.head("/docs").status_code == 200


# -- running ------------------------------------------------------------------------------------


def test_slow_clients_do_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.app.SLOWEST_BODY", 3600)  # they are not given up
    monkeypatch.setattr("morphtree.web.service.connections.SLOWEST_HEADERS", 3600)
    with running() as base, ExitStack() as stack:
        where = urlsplit(base).hostname, urlsplit(base).port
        for number in range(200):
            opened = stack.enter_context(socket.create_connection(where))
            head = b"POST /v1/parse HTTP/1.1\r\nhost: localhost\r\n"
            opened.sendall(head + (b"content-length: 99\r\n\r\n{" if number % 2 else b""))
        client = stack.enter_context(httpx.Client(base_url=base, timeout=60))
        for _ in range(20):
            assert client.get("/v1/parse/cats").status_code == 200


@pytest.mark.parametrize(
    "signals", [(signal.SIGTERM,), (signal.SIGINT,), (signal.SIGINT, signal.SIGINT)]
)
def test_the_command_serves_and_stops_gracefully(signals: tuple[signal.Signals, ...]) -> None:
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "serve",
               "--port", "0"]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().split()[1]
        for _ in range(600):
            try:
                assert httpx.get(f"{address}healthz").status_code == 200
                break
            except httpx.TransportError:
                time.sleep(0.05)
        for how in signals:
            process.send_signal(how)
            time.sleep(0.02)  # two that come at once are one
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(main, ["serve", "--port", port])
    assert result.exit_code == 3
    assert f"cannot listen on 127.0.0.1 port {port} (Address already in use);" in result.stderr


def test_without_its_packages_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        morphtree.web, "service", sys.modules["morphtree.web.service"]
    )  # put back at the end
    for name in [name for name in sys.modules if name.startswith("morphtree.web.service")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    result = CliRunner().invoke(main, ["serve"])
    assert result.exit_code == 3
    assert "morphtree[serve]" in result.stderr


def test_the_page_is_in_the_package() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert "web/static/*" in text
    assert "trees/tree.css" in text
    assert {"index.html", "docs.html", "viewer.js", "tree.js", "tree.css"} <= FILES.keys()
