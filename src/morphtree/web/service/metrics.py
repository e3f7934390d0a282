"""Figures for Prometheus, in its text format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
Value = Callable[[], float]


class Metrics:
    """What has been asked and how long it took, beside figures that others know."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by route and status
        self._times = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0
        self._values: dict[str, tuple[str, str, Value]] = {}

    def add(self, name: str, kind: str, about: str, value: Value) -> None:
        """Add a figure: a counter or a gauge."""
        self._values[name] = kind, about, value

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.requests[route, status] += 1
        self._times[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self) -> str:
        """Return all figures."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Answers, by route and status.")
        for (route, status), count in sorted(self.requests.items()):
            yield f'morphtree_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "Time until an answer was sent.")
        for bound, count in zip((*BOUNDS, "+Inf"), accumulate(self._times), strict=True):
            yield f'morphtree_request_seconds_bucket{{le="{bound}"}} {count}'
        yield f"morphtree_request_seconds_sum {self._seconds:.6f}"
        yield f"morphtree_request_seconds_count {sum(self._times)}"
        for name, (kind, about, value) in self._values.items():
            yield from _head(name, kind, about)
            yield f"morphtree_{name} {value():.10g}"


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP morphtree_{name} {about}", f"# TYPE morphtree_{name} {kind}"


class Measured:
    """Count every answer and its time."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = monotonic()

        async def counted(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                # only paths that there are: what else is asked for would be remembered for ever
                route = getattr(scope.get("route"), "path", "none")
                self.metrics.count(route, message["status"], monotonic() - begun)

        await self.app(scope, receive, counted)
