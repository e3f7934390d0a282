"""The application: every route of the service, on models that are loaded once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.middleware.cors import CORSMiddleware

from morphtree._util.installed import installed_version
from morphtree.analysis import SCHEMA
from morphtree.analyzer import Analyzer
from morphtree.errors import MorphtreeError
from morphtree.web.service import schema as s
from morphtree.web.service.costs import explain_cost, view_cost, words_cost
from morphtree.web.service.examples import examples
from morphtree.web.service.hosts import KnownHosts
from morphtree.web.service.limits import (
    BURST,
    LARGEST_BODY,
    SLOWEST_BODY,
    Billing,
    BodyLimit,
    Rates,
    client_of,
)
from morphtree.web.service.metrics import TYPE, Measured, Metrics
from morphtree.web.service.pages import HeadAsGet, SafeHeaders, page_routes
from morphtree.web.service.view import view_analysis
from morphtree.web.service.workers import Workers, encode
from morphtree.written.text import LONGEST_WORD

PathWord = Annotated[str, Path(max_length=s.LONGEST_INPUT, description="The word, URL-encoded.")]
READINGS = Query(ge=1, le=s.MOST_READINGS, description="How many readings, best first.")
NUMBER = Query(ge=1, le=s.MOST_READINGS, description="Which reading, the best being 1.")
AGAINST = Query(ge=1, le=s.MOST_READINGS, description="The reading to compare it with.")
Lang = Annotated[str | None, Query(max_length=s.LONGEST_INPUT, description=s.LANGUAGE)]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    422: {"model": s.Problem, "description": "The request cannot be understood or met."},
    429: {"model": s.Problem, "description": "Too much work for a second; see Retry-After."},
    503: {"model": s.Problem, "description": "Too many requests are waiting; see Retry-After."},
}
BODY_PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": s.Problem, "description": "The body is not JSON text."},
    408: {"model": s.Problem, "description": f"The body took longer than {SLOWEST_BODY:g} s."},
    413: {"model": s.Problem, "description": f"The body has more than {LARGEST_BODY} bytes."},
}
PATH_PROBLEMS: dict[int | str, dict[str, Any]] = {
    404: {"model": s.Problem, "description": "A word in a path has no line break."},
}


@dataclass(frozen=True)
class Settings:
    """What whoever runs the service decides."""

    rate: float = 1000.0  # ordinary words a second for each client; 0 is no limit
    origins: Sequence[str] = ()  # pages of other sites that may ask
    threads: int | None = None
    hosts: Sequence[str] = ()  # names under which it is known, beside those of this machine


def make_app(*analyzers: Analyzer, settings: Settings | None = None) -> FastAPI:
    """Return the application that answers with these analyzers, one for each language."""
    settings = settings or Settings()
    workers = Workers(analyzers, settings.threads)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers.warm()
        app.state.is_warm = True
        yield
        workers.close()

    app = FastAPI(
        title="morphtree",
        summary="The tree of a word, with a probability for every reading.",
        version=installed_version("morphtree") or "not installed",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.workers = workers
    app.state.examples = {lang: examples(own.model) for lang, own in workers.analyzers.items()}
    app.state.is_warm = False
    app.state.is_stopping = lambda: False  # until a server knows better
    app.state.connections = ()
    app.state.rates = Rates(settings.rate, max(BURST * settings.rate, s.MOST_WORDS))
    app.state.metrics = make_metrics(app)
    app.include_router(api)
    app.include_router(state)
    add_layers(app, settings)
    return app


def add_layers(app: FastAPI, settings: Settings) -> None:
    """Add what each request goes through: the first line is the innermost."""
    add_pages(app, {"/": "index.html", "/docs": "docs.html"})
    pages = Rates(settings.rate, app.state.rates.burst)
    app.add_middleware(Billing, rates=app.state.rates, pages=pages, path=api.prefix)
    app.add_middleware(Measured, metrics=app.state.metrics)
    app.add_middleware(HeadAsGet)
    app.add_middleware(KnownHosts, hosts=settings.hosts)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"], allow_headers=["content-type"],
        )  # fmt: skip


def make_metrics(app: FastAPI) -> Metrics:
    """Return the figures of the service."""
    metrics, workers = Metrics(), app.state.workers
    add, totals = metrics.add, workers.totals
    add("words_total", "counter", "Words parsed.", lambda: totals.words)
    add("work_seconds_total", "counter", "Computing of the threads.", lambda: totals.seconds)
    add("calls_total", "counter", "Calls of the threads.", lambda: totals.calls)
    add("waiting", "gauge", "Requests that wait for a thread or run.", workers.waiting.total)
    add("running", "gauge", "Threads at work.", lambda: workers.running)
    add("threads", "gauge", "Threads.", lambda: workers.threads)
    add("connections", "gauge", "Open connections.", lambda: len(app.state.connections))
    add("ready", "gauge", "Whether requests are taken.", lambda: condition(app) == "ok")
    return metrics


def add_pages(app: FastAPI, pages: Mapping[str, str]) -> None:
    """Add pages, the limits and headers of every answer, and sentences for what is wrong."""
    app.include_router(page_routes(pages))
    app.add_middleware(BodyLimit, largest=LARGEST_BODY, seconds=SLOWEST_BODY)
    app.add_middleware(SafeHeaders)
    app.add_exception_handler(MorphtreeError, _impossible)
    app.add_exception_handler(RequestValidationError, _invalid)


# -- routes ---------------------------------------------------------------------------------


async def spend(request: Request, cost: float) -> str:
    """Charge the client for what it asks; return who it is."""
    client = client_of(request.scope)
    await request.app.state.rates.spend(client, cost)
    return client


api = APIRouter(prefix="/v1", responses=PROBLEMS)
state = APIRouter()


@api.post("/parse", response_model=s.ParseAnswer, responses=BODY_PROBLEMS)
async def parse_words(request: Request, asked: s.ParseRequest) -> Response:
    """Parse up to 1,000 words."""
    client = await spend(request, words_cost(asked.words, asked.n))
    gone = request.is_disconnected
    found = await _workers(request).parse(client, asked.words, asked.n, gone, asked.lang)
    return as_json(b'{"schema":%d,"analyses":[%b]}' % (SCHEMA, b",".join(found)))


@api.get("/parse/{word:path}", response_model=s.AnalysisModel, responses=PATH_PROBLEMS)
async def parse_word(
    request: Request, word: PathWord, n: Annotated[int, READINGS] = 1, lang: Lang = None
) -> Response:
    """Parse one word."""
    client = await spend(request, words_cost([word], n))
    return as_json((await _workers(request).parse(client, [word], n, lang=lang))[0])


@api.get("/explain/{word:path}", response_model=s.ExplanationModel, responses=PATH_PROBLEMS)
async def explain_word(
    request: Request,
    word: PathWord,
    n: Annotated[int, NUMBER] = 1,
    against: Annotated[int | None, AGAINST] = None,
    lang: Lang = None,
) -> Response:
    """Say why a word has a reading, beside the best other one unless told which."""
    cost = explain_cost(word)
    client = await spend(request, cost)
    task = _workers(request).run(
        client, cost, lambda own: own.explain(word, n, against).to_dict(), lang
    )
    return as_json(await task)


@api.post("/view", response_model=s.ViewAnswer, responses=BODY_PROBLEMS)
async def view_word(request: Request, asked: s.ViewRequest) -> Response:
    """Parse a word, and add all that a page shows of it: nodes, steps, letters, pictures."""
    cost = view_cost(asked.word, asked.n)
    client = await spend(request, cost)
    task = _workers(request).run(
        client,
        cost,
        lambda own: view_analysis(own.parse(asked.word, asked.n), asked.categories),
        asked.lang,
    )
    return as_json(await task)


@api.get("/model", response_model=s.ModelInfo)
async def model_info(request: Request, lang: Lang = None) -> Response:
    """Describe the model that answers, and say which languages there are."""
    workers = _workers(request)
    name = workers.language(lang)
    analyzer = workers.analyzers[name]
    about = dict(analyzer.model.header)
    return answer({
        "name": name,
        "languages": [*workers.analyzers],
        "examples": request.app.state.examples[name],
        "version": str(about.get("version", "")),
        "structure": "chain" if analyzer.model.structure.chain else "tree",
        "licence": str(about.get("licence", "")),
        "about": about,
        "limits": {
            "words": s.MOST_WORDS, "readings": s.MOST_READINGS, "letters": LONGEST_WORD,
            "input_letters": s.LONGEST_INPUT, "body_bytes": LARGEST_BODY,
        },
    })  # fmt: skip


@state.get("/healthz", response_model=s.Health, responses={503: {"model": s.Health}})
async def health(request: Request) -> Response:
    """Say whether the service is alive; one that is not should be started again."""
    return told("stuck" if _workers(request).stuck else "ok")


@state.get("/readyz", response_model=s.Health, responses={503: {"model": s.Health}})
async def ready(request: Request) -> Response:
    """Say whether the service takes requests now."""
    return told(condition(request.app))


@state.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """Return figures for Prometheus."""
    return Response(request.app.state.metrics.text(), media_type=TYPE)


def condition(app: FastAPI) -> str:
    """Return "ok", or why requests are not taken."""
    workers: Workers = app.state.workers
    if not app.state.is_warm:
        return "starting"
    if app.state.is_stopping():
        return "stopping"
    if workers.stuck:
        return "stuck"
    return "full" if workers.full else "ok"


def told(status: str) -> Response:
    """Return a condition as an answer."""
    return JSONResponse({"status": status}, 200 if status == "ok" else 503)


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.workers
    return workers


def answer(data: Any) -> Response:
    """Return plain data as JSON."""
    return as_json(encode(data))


def as_json(text: bytes) -> Response:
    """Return JSON as an answer."""
    return Response(text, media_type="application/json")


# -- problems -------------------------------------------------------------------------------


def _impossible(_: Request, error: Exception) -> JSONResponse:
    """Say what a user can mend."""
    return JSONResponse({"detail": str(error)}, 422)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Name the fields at fault; what was sent is not sent back."""
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    told = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults[:5])
    return JSONResponse({"detail": "; ".join(told)}, 422)
