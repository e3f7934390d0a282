"""The application: every route of the service, on one model that is loaded once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.middleware.cors import CORSMiddleware

from morphtree._util.installed import installed_version
from morphtree.analysis import SCHEMA
from morphtree.analyzer import LONGEST_WORD, Analyzer
from morphtree.errors import MorphtreeError
from morphtree.explain import explain
from morphtree.web.service import schema as s
from morphtree.web.service.limits import (
    BURST,
    LARGEST_BODY,
    SLOWEST_BODY,
    BodyLimit,
    Rates,
    come_back,
)
from morphtree.web.service.pages import SafeHeaders, page_routes
from morphtree.web.service.view import view_analysis
from morphtree.web.service.workers import Workers

PathWord = Annotated[str, Path(max_length=s.LONGEST_INPUT, description="The word, URL-encoded.")]
READINGS = Query(ge=1, le=s.MOST_READINGS, description="How many readings, best first.")
NUMBER = Query(ge=1, le=s.MOST_READINGS, description="Which reading, the best being 1.")
AGAINST = Query(ge=1, le=s.MOST_READINGS, description="The reading to compare it with.")
PROBLEMS: dict[int | str, dict[str, Any]] = {
    422: {"model": s.Problem, "description": "The request cannot be understood or met."},
    429: {"model": s.Problem, "description": "Too many words a second; see Retry-After."},
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

    rate: float = 1000.0  # words a second for each client; 0 is no limit
    origins: Sequence[str] = ()  # pages of other sites that may ask
    threads: int | None = None


def make_app(analyzer: Analyzer, settings: Settings | None = None) -> FastAPI:
    """Return the application that answers with this analyzer."""
    settings = settings or Settings()
    workers = Workers(analyzer, settings.threads)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        workers.warm()
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
    app.state.rates = Rates(settings.rate, max(BURST * settings.rate, s.MOST_WORDS))
    app.include_router(api)
    app.add_api_route("/healthz", health, response_model=s.Health)
    add_pages(app, {"/": "index.html", "/docs": "docs.html"})
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"], allow_headers=["content-type"],
        )  # fmt: skip
    return app


def add_pages(app: FastAPI, pages: Mapping[str, str]) -> None:
    """Add pages, the limits and headers of every answer, and sentences for what is wrong."""
    app.include_router(page_routes(pages))
    app.add_middleware(BodyLimit, largest=LARGEST_BODY, seconds=SLOWEST_BODY)
    app.add_middleware(SafeHeaders)
    app.add_exception_handler(MorphtreeError, _impossible)
    app.add_exception_handler(RequestValidationError, _invalid)


# -- routes ---------------------------------------------------------------------------------


def spend(request: Request, words: int = 1) -> None:
    """Count words against the rate of the client."""
    client = request.client.host if request.client else ""
    if seconds := request.app.state.rates.wait(client, words):
        raise come_back(429, seconds, f"too many words; ask again in {seconds} s")


def one_word(request: Request) -> None:
    """Count one word, before anything else is looked at."""
    spend(request)


api = APIRouter(prefix="/v1", dependencies=[Depends(one_word)], responses=PROBLEMS)


@api.post("/parse", response_model=s.ParseAnswer, responses=BODY_PROBLEMS)
async def parse_words(request: Request, asked: s.ParseRequest) -> Response:
    """Parse up to 1,000 words."""
    if len(asked.words) > 1:
        spend(request, len(asked.words) - 1)
    found = await _workers(request).parse(asked.words, asked.n)
    return answer({"schema": SCHEMA, "analyses": found})


@api.get("/parse/{word:path}", response_model=s.AnalysisModel, responses=PATH_PROBLEMS)
async def parse_word(request: Request, word: PathWord, n: Annotated[int, READINGS] = 1) -> Response:
    """Parse one word."""
    workers = _workers(request)
    return answer(await workers.best(word) if n == 1 else (await workers.parse([word], n))[0])


@api.get("/explain/{word:path}", response_model=s.ExplanationModel, responses=PATH_PROBLEMS)
async def explain_word(
    request: Request,
    word: PathWord,
    n: Annotated[int, NUMBER] = 1,
    against: Annotated[int | None, AGAINST] = None,
) -> Response:
    """Say what speaks for and against a reading, beside the best other one unless told which."""
    task = _workers(request).run(lambda own: explain(own, word, n, against).to_dict())
    return answer(await task)


@api.post("/view", response_model=s.ViewAnswer, responses=BODY_PROBLEMS)
async def view_word(request: Request, asked: s.ViewRequest) -> Response:
    """Parse a word, and add all that a page shows of it: nodes, steps, letters, pictures."""
    task = _workers(request).run(lambda own: view_analysis(own.parse(asked.word, asked.n)))
    return answer(await task)


@api.get("/model", response_model=s.ModelInfo)
async def model_info(request: Request) -> Response:
    """Describe the model that answers."""
    analyzer = _workers(request).analyzer
    about = dict(analyzer.model.header)
    return answer({
        "name": analyzer.name.rpartition("/")[2],
        "version": str(about.get("version", "")),
        "structure": "chain" if analyzer.model.structure.chain else "tree",
        "licence": str(about.get("licence", "")),
        "about": about,
        "limits": {
            "words": s.MOST_WORDS, "readings": s.MOST_READINGS, "letters": LONGEST_WORD,
            "input_letters": s.LONGEST_INPUT, "body_bytes": LARGEST_BODY,
        },
    })  # fmt: skip


async def health() -> dict[str, str]:
    """Say that the service is there."""
    return {"status": "ok"}


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.workers
    return workers


def answer(data: Any) -> Response:
    """Write plain data as JSON; it has been built to the schema, so it is not checked again."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text.encode(), media_type="application/json")


# -- problems -------------------------------------------------------------------------------


def _impossible(_: Request, error: Exception) -> JSONResponse:
    """Say what a user can mend."""
    return JSONResponse({"detail": str(error)}, 422)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Name the fields at fault; what was sent is not sent back."""
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    told = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults[:5])
    return JSONResponse({"detail": "; ".join(told)}, 422)
