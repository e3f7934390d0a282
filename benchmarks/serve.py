"""Ask the service for many words, as hard as it can and as people would.

    python benchmarks/serve.py [--seconds 60] [--clients 16]
    python benchmarks/serve.py --hostile [--seconds 10]

Needs ``morphtree[serve,train]`` and the programs wrk and hey (Debian has both). wrk finds the
capacity, by words of the frequency list of English, each once before any comes again. hey then asks
for one word, longer than most, at 70 % of that rate, while the memory is watched; and once more
beside 200 clients that have opened a request and do not end it. Nothing is cached by the service.

With ``--hostile`` the service runs with its default limits, hey asks for 100 words a second, and a
second client at another address does its worst, one way after the other, each for so many seconds.
The command fails if a p99 is over 250 ms, or a request of the first client is not answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import Process
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple
from urllib.request import urlopen

from machine import machine, piped

from morphtree.lexicon.resources import gather

COUNT = 20_000  # words
CALM = 100  # requests a second of a client beside a hostile one
LATEST = 250.0  # ms for its p99
SLOW = 200  # clients
PORT = 8931
BASE = f"http://127.0.0.1:{PORT}"
# wrk asks by a script: one path after the other; its summary as JSON
SCRIPT = """
local at = 0
local paths = {}
for line in io.lines(os.getenv("WORDS")) do paths[#paths + 1] = "/v1/parse/" .. line end
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
"""


class Measured(NamedTuple):
    """Requests a second, milliseconds, and what went wrong."""

    rate: float
    p50: float
    p99: float
    errors: int

    def __str__(self) -> str:
        return (
            f"{self.rate:.0f} requests/s, p50 {self.p50:.1f} ms, p99 {self.p99:.1f} ms, "
            f"{self.errors} errors"
        )


def words() -> list[str]:
    """Return frequent words, the most frequent first."""
    zipfs = {w: f.zipf for w, f in gather("en").items() if w.isalpha() and w.isascii()}
    return sorted(zipfs, key=lambda w: (-zipfs[w], w))[:COUNT]


@contextmanager
def service(*options: str) -> Iterator[int]:
    """Run the command; give the number of its process."""
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "serve",
               "--port", str(PORT), *options]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while True:
            try:
                with urlopen(f"{BASE}/healthz"):
                    break
            except OSError:
                if process.poll() is not None:
                    sys.exit("the service did not start")
                time.sleep(0.05)
        yield process.pid
        process.terminate()


def memory(process: int) -> float:
    """Return the resident memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def cpu(process: int) -> float:
    """Return the seconds of computing that a process has used, however busy the machine."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def watched(process: int) -> Iterator[list[float]]:
    """Note the memory every second while the block runs."""
    seen, stop = [memory(process)], Event()

    def watch() -> None:
        while not stop.wait(1):
            seen.append(memory(process))

    thread = Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def hard(seconds: int, clients: int, folder: Path) -> Measured:
    """Ask as fast as the answers come."""
    script = folder / "ask.lua"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--latency", "-s", str(script), BASE],
        capture_output=True, text=True, check=True, env={"WORDS": str(folder / "words")},
    )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    rate = found["requests"] / found["seconds"]
    return Measured(rate, found["p50"], found["p99"], found["errors"])


def steadily(rate: float, seconds: int, clients: int, one: str) -> Measured:
    """Ask at a given rate, for one word, with hey, whose pace does not depend on the answers."""
    each = max(1, round(rate / clients))
    done = subprocess.run(
        ["hey", "-z", f"{seconds}s", "-c", str(clients), "-q", str(each), "-o", "csv",
         f"{BASE}/v1/parse/{one}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows = [line.split(",") for line in done.stdout.splitlines()[1:] if line]
    times = sorted(float(row[0]) * 1000 for row in rows)
    good = sum(row[6] == "200" for row in rows)
    lost = len(rows) - good + done.stderr.count("Error")
    middle, last = times[len(times) // 2], times[int(len(times) * 0.99)]
    return Measured(good / seconds, middle, last, lost)


def connect_elsewhere() -> socket.socket:
    """Open a connection from another address."""
    return socket.create_connection(("127.0.0.1", PORT), source_address=("127.0.0.2", 0))


def slow_clients(stack: ExitStack) -> None:
    """Open requests that do not end: half of them in the headers, half in the body."""
    for number in range(SLOW):
        opened = stack.enter_context(connect_elsewhere())
        head = b"POST /v1/parse HTTP/1.1\r\nhost: localhost\r\n"
        opened.sendall(head + (b"content-length: 99\r\n\r\n{" if number % 2 else b""))


class Attack(NamedTuple):
    """What a hostile client sends, by how many connections, and how long it listens."""

    request: bytes
    connections: int = 64
    reads: bool = True
    seconds: float = 60.0  # then it hangs up


def get(path: str) -> bytes:
    """Return a request."""
    return f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode()


def post(body: str) -> bytes:
    """Return a request to parse words."""
    head = "POST /v1/parse HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    kind = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return f"{head}{kind}{body}".encode()


LONG = json.dumps({"words": ["i" * 64] * 1000, "n": 20})
ORDINARY = json.dumps({"words": ["untestably"] * 1000, "n": 20})
ATTACKS = {
    "1,000 long words, hanging up": Attack(post(LONG), 16, seconds=0.05),
    "1,000 long words": Attack(post(LONG), 16),
    "long explanations": Attack(get("/v1/explain/" + "i" * 64)),
    "long views": Attack(get("/v1/parse/" + "i" * 64 + "?n=20")),
    "large bodies": Attack(post('{"words":[' + "0," * 500_000 + "0]}"), 16),
    "answers not read": Attack(post(ORDINARY), reads=False, seconds=30),
    "idle connections": Attack(b"", 1100, seconds=30),
    "single words": Attack(get("/v1/parse/untestably")),
    "pages": Attack(get("/")),
}


async def attack(how: Attack, address: str) -> None:
    """Send a request again and again."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", PORT, local_addr=(address, 0), limit=1 << 16
            )
        except OSError:
            await asyncio.sleep(0.1)
            continue
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(how.seconds):
                writer.write(how.request)
                await writer.drain()
                while how.reads and await reader.read(1 << 16):
                    pass
                while not (how.reads or writer.transport.is_closing()):
                    await asyncio.sleep(0.1)
        writer.transport.abort()


async def attack_together(how: Attack, address: str) -> None:
    """Attack by all connections."""
    await asyncio.gather(*(attack(how, address) for _ in range(how.connections)))


def be_hostile(how: Attack, address: str) -> None:
    """Attack until this process is ended."""
    asyncio.run(attack_together(how, address))


@contextmanager
def attacked(how: Attack, address: str) -> Iterator[None]:
    """Have a hostile client while the block runs."""
    process = Process(target=be_hostile, args=(how, address), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def hostile(seconds: int, clients: int) -> bool:
    """Print how a client fares beside a hostile one; whether it was always well."""
    good = True
    with service() as process:
        print(f"alone: {steadily(CALM, seconds, clients, 'untestably')}", flush=True)
        for number, (name, how) in enumerate(ATTACKS.items(), 2):
            with attacked(how, f"127.0.0.{number}"):  # another address owes nothing yet
                beside = steadily(CALM, seconds, clients, "untestably")
            good &= beside.p99 < LATEST and not beside.errors
            print(f"{name}: {beside}; {memory(process):.0f} MB", flush=True)
    return good


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--hostile", action="store_true")
    options = parser.parse_args()
    for name in ("wrk", "hey"):
        if not shutil.which(name):
            sys.exit(f"install {name}; on Debian, apt-get install {name}")
    print(machine(), flush=True)
    if options.hostile:
        sys.exit(not hostile(options.seconds or 10, options.clients))
    friendly(options.seconds or 60, options.clients)


def friendly(seconds: int, clients: int) -> None:
    """Print the figures of clients that mean well."""
    with tempfile.TemporaryDirectory() as name, service("--rate", "0") as process:
        folder = Path(name)
        (folder / "words").write_text("\n".join(words()) + "\n", encoding="ascii")
        hard(5, clients, folder)  # the memory of a warm service is the one to compare
        half, used = max(10, seconds // 2), cpu(process)
        full = hard(half, clients, folder)
        each = (cpu(process) - used) / (full.rate * half) * 1000
        print(f"as hard as possible, {clients} clients: {full}; {each:.2f} ms of computing "
              f"each; load average {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
        with watched(process) as seen:
            calm = steadily(0.7 * full.rate, seconds, clients, "untestably")
        print(f"at 70 %, {seconds} s: {calm}")
        print(f"memory: {seen[0]:.0f} MB, then {seen[-1]:.0f} MB, at most {max(seen):.0f} MB")
        with ExitStack() as stack:
            slow_clients(stack)
            beside = steadily(0.7 * full.rate, 10, clients, "untestably")
        print(f"at 70 %, beside {SLOW} slow clients: {beside}")


if __name__ == "__main__":
    piped(main)
