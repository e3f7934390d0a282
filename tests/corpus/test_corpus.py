"""From texts of every kind to tables, whoever does the work and however often it is stopped."""

from __future__ import annotations

import gzip
import json
import os
import pty
import random
import re
import resource
import subprocess
import termios
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.arrow.columns import row
from morphtree.trees.tree import bare
from tests.corpus.running import (
    command,
    expected,
    faults,
    finished,
    in_small_steps,
    made,
    output,
    pa,
    rows,
    run,
    summary,
    texts,
    vocabulary,
    write_lines,
    write_many_words,
)
from tests.documents import ROOT

RARE = "Birds"  # once, so that a frequent affix is productive


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of every kind of file, and what was made of it."""
    folder = tmp_path_factory.mktemp("corpus")
    source = folder / "in"
    source.mkdir()
    lines = [texts(60, seed) for seed in range(5)]
    lines[1].append(RARE)
    write_lines(source / "a.txt", lines[0])
    write_lines(source / "b", lines[1])
    write_lines(source / "c.jsonl", [json.dumps({"text": line}) for line in lines[2]])
    write_lines(source / "d.csv", ["text,other", *(f'"{line}",1' for line in lines[3])])
    table = pa.table({"text": [*lines[4], None]})
    pa.parquet.write_table(table, source / "e.parquet")
    run(source, "-o", folder / "out", "--tokens")
    return folder


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    return expected([RARE, *(line for seed in range(5) for line in texts(60, seed))])


def test_words_of_every_kind_of_file_are_counted(done: Path, counts: Counter[str]) -> None:
    assert vocabulary(done / "out") == counts
    told = summary(done / "out")
    assert (told["files"], told["tokens"], told["types"]) == (5, counts.total(), len(counts))
    assert told["rows_without_text"] == 1


def test_analyses_are_those_of_the_analyzer(done: Path) -> None:
    analyzer = morphtree.load()
    for found in rows(done / "out", "vocabulary"):
        wanted = row(analyzer.parse(found["word"]))
        assert {name: found[name] for name in wanted} == wanted


def test_morphemes_and_families_are_counted(done: Path, counts: Counter[str]) -> None:
    analyzer = morphtree.load()
    words: dict[tuple[str, str], set[str]] = defaultdict(set)
    for word in counts:
        for morpheme in analyzer.parse(word)[0].morphemes:
            words[morpheme.form, morpheme.role].add(word)
    found = {(r["form"], r["role"]): r for r in rows(done / "out", "morphemes")}
    assert found.keys() == words.keys()
    for key, of in words.items():
        tokens, hapaxes = sum(counts[w] for w in of), sum(counts[w] == 1 for w in of)
        told = found[key]
        assert (told["types"], told["tokens"], told["hapaxes"]) == (len(of), tokens, hapaxes)
        assert told["productivity"] == hapaxes / tokens
    stems: dict[str, set[str]] = defaultdict(set)
    for (form, role), of in words.items():
        if role == "stem":
            stems[bare(form)] |= of
    families = {f["stem"]: f for f in rows(done / "out", "families")}
    assert {stem: f["family_size"] for stem, f in families.items()} == {
        stem: len(of) for stem, of in stems.items()
    }
    occurrences = {stem: f["family_tokens"] for stem, f in families.items()}
    assert occurrences == {stem: sum(counts[word] for word in of) for stem, of in stems.items()}


def test_tokens_have_their_places(done: Path, counts: Counter[str]) -> None:
    found = rows(done / "out", "tokens")
    assert Counter(token["word"] for token in found) == counts
    lines = texts(60, 0)
    of_file = [token for token in found if token["path"].endswith("a.txt")]
    assert len(of_file) == expected(lines).total()
    for token in of_file:
        assert any(line[token["start"] : token["end"]] == token["token"] for line in lines)
    trees = {r["word"]: r["tree"] for r in rows(done / "out", "vocabulary")}
    assert all(token["tree"] == trees[token["word"]] for token in found)


def test_family_sizes_beside_words_are_a_join(done: Path) -> None:
    """The query of the page on corpora."""
    duckdb = pytest.importorskip("duckdb")
    page = (ROOT / "docs/corpus.md").read_text(encoding="utf-8")
    [query] = re.findall("```sql\n(.*?)```", page, re.DOTALL)
    found = duckdb.sql(query.replace("'out/", f"'{done}/out/")).fetchall()
    sizes = {
        f["stem"]: (f["family_size"], f["family_tokens"]) for f in rows(done / "out", "families")
    }
    wanted = []
    for word in rows(done / "out", "vocabulary"):
        of = [sizes[bare(m["form"])] for m in word["morphemes"] if m["role"] == "stem"]
        wanted += [(word["word"], word["count"], *map(max, zip(*of, strict=True)))] if of else []
    assert sorted(found) == sorted(wanted)


def test_pictures_are_drawn_and_nothing_is_left_over(done: Path) -> None:
    names = {path.name for path in (done / "out").iterdir()}
    assert names == {"vocabulary", "morphemes", "families", "tokens", "summary.json",
                     "affixes.svg", "zipf.svg"}  # fmt: skip
    told = [(affix["form"], affix["hapaxes"]) for affix in summary(done / "out")["affixes"]]
    assert told == [("s", 1)]  # others are frequent as well, but without a word that occurs once


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_many_words(tmp_path / "in")
    found = []
    for jobs in (1, 2, 4):
        out = tmp_path / str(jobs)
        output(in_small_steps(tmp_path / "in", "-o", out, "--jobs", jobs, "--tokens"))
        assert len([*(out / "vocabulary").iterdir()]) > 4  # parts
        found.append({**made(out), "tokens": rows(out, "tokens")})
    assert found[0] == found[1] == found[2]
    assert Counter(token["word"] for token in found[0]["tokens"]) == vocabulary(tmp_path / "1")


def test_what_is_done_is_not_done_again(done: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (done / "out").rglob("*")}
    said = run(done / "in", "-o", done / "out", "--tokens")
    assert "5 files" in said
    assert {path: path.stat().st_mtime_ns for path in (done / "out").rglob("*")} == before


def test_a_terminal_shows_how_much_is_done(done: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (25, 80))
    given = command(done / "in", "-o", tmp_path / "out")
    with subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while data := _read(ours):
            shown += data
    os.close(ours)
    assert process.returncode == 0
    for stage in (b"counts", b"merged", b"vocabulary", b"morphemes", b"families"):
        assert re.search(stage + rb" +100% .* about 00:00 left", shown), shown
    assert b"Daft" not in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


def test_another_run_is_refused(done: Path, tmp_path: Path) -> None:
    said = run(done / "in", "-o", done / "out", code=3)  # without --tokens
    assert "of another run: its inputs, its model or its options differ; name another" in said
    (tmp_path / "mine").write_text("", encoding="utf-8")
    assert "has other files; name another output" in run(done / "in", "-o", tmp_path, code=2)


def test_inputs_that_have_changed_are_another_run(tmp_path: Path) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "out"
    write_lines(source, ["cats"])
    run(source, "-o", out)
    write_lines(source, ["dogs"])  # as long as the other
    assert "of another run: its inputs" in run(source, "-o", out, code=3)


@pytest.mark.parametrize(
    ("most", "said"), [(1000, "cannot be written: "), (1_200_000, "could not be written to")]
)
def test_an_output_without_room_is_no_fault_of_the_inputs(
    tmp_path: Path, most: int, said: str
) -> None:
    letters = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=2_000_000))
    write_lines(tmp_path / "a.txt", re.findall("." * 10, letters))
    done = subprocess.run(
        command(tmp_path / "a.txt", "-o", tmp_path / "out"), capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )  # fmt: skip
    assert (done.returncode, finished(tmp_path / "out")) == (3, 0), done.stderr
    assert done.stderr.startswith("Error: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing.txt"], 3, "there is no file nothing.txt"),
        (["*.nothing"], 3, "there is no file *.nothing"),
        (["e.parquet", "--text-column", "body"], 2, "is no column 'body'; choose one with"),
        (["a.txt", "--lang", "xx"], 3, "there is no language 'xx'"),
        (["a.txt", "--ray", "127.0.0.1:1", "--jobs", "2"], 2, "--jobs is for this machine"),
    ],
)
def test_what_cannot_be_is_told_before_the_work(
    done: Path, arguments: list[str], code: int, said: str, tmp_path: Path
) -> None:
    first, *others = arguments
    source = done / "in" / first if (done / "in" / first).exists() else first
    assert said in run(source, *others, "-o", tmp_path / "out", code=code)


def test_an_address_without_a_cluster_is_told_at_once(done: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1"):
        said = run(done / "in", "-o", tmp_path / "out", "--ray", address, code=3)
        assert said.startswith(f"Error: there is no cluster of Ray at {address}: ")
        assert said.count("\n") == 1


def test_rare_words_are_left_out_on_request(
    done: Path, counts: Counter[str], tmp_path: Path
) -> None:
    run(done / "in", "-o", tmp_path / "out", "--min-count", 50)
    assert vocabulary(tmp_path / "out") == Counter({w: n for w, n in counts.items() if n >= 50})


def test_a_corpus_without_words(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_lines(tmp_path / "in" / "a.txt", ["1 2 3", ""])
    for name in ("empty.txt", "empty.jsonl", "empty.csv", "empty.parquet"):
        (tmp_path / "in" / name).touch()
    assert "5 files, 0 tokens, 0 types" in run(tmp_path / "in", "-o", tmp_path / "out")


# -- inputs -------------------------------------------------------------------------------------


def test_folders_have_folders_and_names_are_names(tmp_path: Path) -> None:
    """Of folders all is read at any depth, but not what this command has made itself."""
    source = tmp_path / "in"
    names = "top.txt", "lang=en/deep.txt", "lang=en/more/deepest", "a [1] {b}* ü%20.txt"
    for name, line in zip(names, ("cats", "dogs", "mice", "birds"), strict=True):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        write_lines(source / name, [line])
    for _ in range(2):
        run(source, "-o", source / "out")
        assert vocabulary(source / "out") == Counter(["cats", "dogs", "mice", "birds"])
    for number, given in enumerate([source / names[3], f"file://{source}/a*", f"{source}/?*.txt"]):
        out = tmp_path / f"{number} [1] {{b}}* \\ü%20?"
        run(given, "-o", f"file://{out}", "--tokens")
        wanted = ["birds", *(["cats"] if number == 2 else [])]
        assert vocabulary(out) == Counter(wanted)
        assert [token["word"] for token in rows(out, "tokens")] == wanted


def test_columns_are_found_by_their_names_in_each_file(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    write_lines(source / "a.csv", ["text,other", "cats,1"])
    write_lines(source / "b.csv", ["other,text", "wrong,dogs"])
    write_lines(source / "c.tsv", ["other\ttext", "wrong\tmice"])
    write_lines(source / "d.csv", ["other,body", "wrong,wrong"])
    write_lines(source / "e.jsonl", ['{"other": "wrong"}'])
    write_lines(source / "f.jsonl", ['{"text": 42}', '{"other": 1}', '{"text": "birds"}'])
    write_lines(source / "g.jsonl", ['{"text": "doors"}'])
    pa.parquet.write_table(pa.table({"text": [["wrong"]]}), source / "h.parquet")
    pa.parquet.write_table(pa.table({"text": [b"locks", b"\xff wrong"]}), source / "i.parquet")
    run(source, "-o", tmp_path / "out", code=3)
    words = ["cats", "dogs", "mice", "birds", "doors", "locks"]
    assert vocabulary(tmp_path / "out") == Counter(words)
    assert faults(tmp_path / "out") == {
        "d.csv": "there is no column 'text'",
        "e.jsonl": "there is no column 'text'",
        "h.parquet": "the column 'text' has List[String], not texts",
        "i.parquet": "rows left out: 1 (bytes that are not UTF-8, or no such field)",
    }
    said = run(source, "-o", tmp_path / "other", "--text-column", "nothing", code=2)
    assert "there is no column 'nothing'; choose one with --text-column: text, other" in said


# -- faults -------------------------------------------------------------------------------------


def faulty(folder: Path) -> list[str]:
    """Write good files and bad ones; return the good lines."""
    good = texts(30)
    write_lines(folder / "good.txt", good[:20])
    mixed = [line.encode() for line in good[20:]]
    (folder / "bytes.txt").write_bytes(b"\n".join([*mixed[:5], b"bad \xff\xfe", *mixed[5:]]))
    rows = [json.dumps({"text": line}).encode() for line in good]
    (folder / "bytes.jsonl").write_bytes(b"\n".join([*rows, b'{"text": "\xff"}', b"nonsense"]))
    (folder / "bytes.csv").write_bytes(b"text\n" + b"\n".join([*mixed, b"bad \xff"]) + b"\n")
    (folder / "corrupt.parquet").write_bytes(b"PAR1 nonsense PAR1")
    table = pa.table({"text": [f"{line} {number}" for number, line in enumerate(texts(3000))]})
    pa.parquet.write_table(table, folder / "page.parquet", row_group_size=500)
    data = bytearray((folder / "page.parquet").read_bytes())
    for place in range(len(data) // 2, len(data) // 2 + 2000):  # its end says that all is well
        data[place] ^= 0xA5
    (folder / "page.parquet").write_bytes(data)
    (folder / "cut.txt.gz").write_bytes(gzip.compress("\n".join(good * 50).encode())[:-40])
    return [*good, *good, *good[20:]]


def test_bad_bytes_and_corrupt_files_are_named_and_all_else_is_done(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    good = faulty(tmp_path / "in")
    said = run(tmp_path / "in", "-o", tmp_path / "out", "--tokens", code=3)
    assert "6 faults in the input" in said
    assert vocabulary(tmp_path / "out") == expected(good)
    told = faults(tmp_path / "out")
    assert told.keys() == {"bytes.txt", "bytes.jsonl", "bytes.csv", "corrupt.parquet",
                           "page.parquet", "cut.txt.gz"}  # fmt: skip
    assert told["bytes.txt"].startswith("lines left out: 6 (")
    assert told["bytes.jsonl"].startswith("lines left out: 31, 32 (")
    assert told["bytes.csv"].startswith("rows left out: 1 (")
    assert "orrupt" in told["corrupt.parquet"]
    assert "orrupt" in told["page.parquet"]
    assert "unexpected end" in told["cut.txt.gz"]
    words = Counter(token["word"] for token in rows(tmp_path / "out", "tokens"))
    assert words == expected(good)


def test_ranges_of_a_bad_file_have_each_line_once(tmp_path: Path, monkeypatch: Any) -> None:
    from morphtree.corpus import lines

    monkeypatch.setattr(lines, "RANGE", 7)
    data = b"".join(b"%d\n" % n if n % 5 else b"\xff\n" for n in range(200))
    path = tmp_path / "lines"
    path.write_bytes(data)
    starts = pa.array([*range(0, len(data), 7)])
    paths = pa.array([str(path)] * len(starts))
    found = [line for row in lines.LineReader().lines(paths, starts).to_pylist() for line in row]
    assert "".join(found).split() == [str(n) for n in range(200) if n % 5]


def test_a_run_that_is_killed_goes_on(done: Path, tmp_path: Path) -> None:
    """Kill it whenever there is one more record, until it is through; nothing is there twice."""
    out = tmp_path / "out"
    kills = 0
    while not (out / "summary.json").exists():
        records = finished(out)
        process = subprocess.Popen(
            command(done / "in", "-o", out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None:
            if finished(out) > records:
                process.kill()
                kills += 1
                process.wait()
            time.sleep(0.002)
        assert kills < 30
    assert kills > 2
    assert made(out) == made(done / "out")
