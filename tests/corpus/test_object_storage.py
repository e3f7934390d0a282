"""Object storage, here a server of this machine: read from it, written to it, gone on with."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from morphtree.corpus.store import Record, Stage, Store
from tests.corpus.running import expected, pa, run, texts

moto: Any = pytest.importorskip("moto.server")
boto3: Any = pytest.importorskip("boto3")
pytestmark = pytest.mark.filterwarnings("ignore")  # of other packages
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1"}  # fmt: skip


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket, which the environment leads to."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    try:
        made = boto3.resource("s3").Bucket("bucket")
        made.create()
        yield made
    finally:
        server.stop()


def table(bucket: Any, prefix: str) -> list[dict[str, Any]]:
    found = [pa.BufferReader(o.get()["Body"].read()) for o in bucket.objects.filter(Prefix=prefix)]
    return [row for data in found for row in pa.parquet.read_table(data).to_pylist()]


def test_a_corpus_in_object_storage(bucket: Any) -> None:
    lines = texts(60)
    bucket.put_object(Key="crawl/a.txt", Body="\n".join(lines[:30]).encode())
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(pa.table({"text": lines[30:]}), sink)
    bucket.put_object(Key="crawl/deep/b.parquet", Body=sink.getvalue().to_pybytes())
    bucket.put_object(Key="crawl/c.parquet", Body=b"PAR1 nonsense PAR1")
    bucket.put_object(Key="crawl/d.txt", Body=b"cats\n\xff\n")
    bucket.put_object(Key="crawl/e.txt.gz", Body=gzip.compress(b"window\n\xff\n"))
    for hidden in ("_SUCCESS", ".git/a.txt"):
        bucket.put_object(Key=f"crawl/{hidden}", Body=b"wrong")
    for _ in range(2):  # the second one finds that all is done
        said = run("s3://bucket/crawl", "-o", "s3://bucket/out", "--tokens", code=3)
        assert "3 faults in the input; see s3://bucket/out/errors.tsv" in said
    counts = Counter({row["word"]: row["count"] for row in table(bucket, "out/vocabulary/")})
    assert counts == expected([*lines, "cats", "window"])
    assert Counter(row["word"] for row in table(bucket, "out/tokens/")) == counts
    names = {o.key.split("/")[1] for o in bucket.objects.filter(Prefix="out/")} - {""}
    assert names == {"vocabulary", "morphemes", "families", "tokens", "summary.json", "errors.tsv",
                     "zipf.svg"}  # fmt: skip


def test_files_are_put_in_place_at_once(bucket: Any) -> None:
    """What is moved there is a copy first, and both count if nobody removes one."""
    bucket.Versioning().enable()
    Stage(Store("s3://bucket/alone"), "counts").add(Record(["a"]))
    keys = {version.object_key for version in bucket.object_versions.filter(Prefix="alone/")}
    assert [key for key in keys if key[-1] != "/"] == ["alone/.work/counts.records/000000.json"]


def test_a_bucket_that_is_not_there(bucket: Any) -> None:
    assert "there is no file s3://other/a" in run("s3://other/a", "-o", "s3://bucket/o", code=3)
