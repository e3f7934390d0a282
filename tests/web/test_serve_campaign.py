"""Requests made up from the OpenAPI description: none may make the service fail.

A short run is among the ordinary tests; the campaign of 5,000 cases is

    pytest -m slow tests/web/test_serve_campaign.py
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
schemathesis = pytest.importorskip("schemathesis", reason="pip install 'morphtree[dev]'")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error, response_schema_conformance, status_code_conformance,
    content_type_conformance,
]  # fmt: skip
OPERATIONS = 8


@pytest.fixture(scope="module")
def operations(base: str) -> list[Any]:
    schema = schemathesis.openapi.from_url(f"{base}/openapi.json")
    return [found.ok() for found in schema.get_all_operations()]


def campaign(operations: list[Any], cases: int) -> int:
    """Ask valid and invalid things of every operation; return how many were asked."""
    assert len(operations) == OPERATIONS
    seen: Counter[int] = Counter()
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    for operation in operations:
        takes = bool(operation.definition.raw.get("parameters") or operation.body)
        for mode in modes[: 1 + takes]:  # nothing is invalid where nothing is taken

            @settings(
                max_examples=cases, database=None, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            @given(case=operation.as_strategy(generation_mode=mode))
            def attack(case: Any) -> None:
                answer = case.call()
                case.validate_response(answer, checks=CHECKS)
                seen[answer.status_code] += 1

            attack()
    assert all(status < 500 for status in seen)
    assert {200, 422} <= set(seen)
    return seen.total()


def test_made_up_requests_are_answered(operations: list[Any]) -> None:
    assert campaign(operations, 12) >= 90


@pytest.mark.slow
def test_five_thousand_made_up_requests_are_answered(operations: list[Any]) -> None:
    assert campaign(operations, 640) >= 5000


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200))
def test_any_bytes_are_answered(operations: list[Any], body: bytes) -> None:
    import httpx

    headers = {"content-type": "application/json"}
    address = operations[0].base_url
    found = httpx.post(f"{address.rstrip('/')}/v1/parse", content=body, headers=headers)
    assert found.status_code in (200, 400, 422)
