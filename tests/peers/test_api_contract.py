"""The API against its own description, by generated requests of every kind of caller."""

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon
from tests.peers.test_page_people import pet

EXAMPLES = 6
"""Requests of each operation and caller: some seconds in all."""

CANARY = "zebra-canary-7731"
"""A word that was told in private."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
"""What each answer is held to."""

CALLERS = ("stranger", "manager", "reader", "owner")
"""Whose requests: without a key; of a community's manager; with a key that may read, or do all."""

OUTSIDE = {"stranger", "manager"}
"""Those of them who must not read what was told in private."""


async def managing(daemon: Daemon, address: str) -> dict[str, str]:
    """The cookie of the manager of the home community, who came by a link."""
    link = (await daemon.does("login", space="home"))["result"]["link"]
    async with httpx2.AsyncClient(base_url=address, timeout=PATIENCE_S) as client:
        await client.post("/login", data={"code": link.partition("#")[2]})
        return {"Cookie": "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)}


async def keys_of(daemon: Daemon, address: str) -> dict[str, dict[str, str]]:
    """The headers of each caller."""
    reader = await daemon.does("key_add", name="reader", rights=["read"])
    owner = await daemon.does("key_add", name="all", rights=["read", "write", "admin"])
    return {
        "stranger": {},
        "manager": await managing(daemon, address),
        "reader": {"Authorization": f"Bearer {reader['result']['token']}"},
        "owner": {"Authorization": f"Bearer {owner['result']['token']}"},
    }


def asked(
    caller: str, address: str, headers: dict[str, str], described: dict[str, str]
) -> list[str]:
    """What generated requests of one caller found wrong; `described` may read the description."""
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json", headers=described)
    schema.config.update(headers=headers)
    wrong: list[str] = []
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        wrong += _operation(found.ok(), address, headers, is_outside=caller in OUTSIDE)
    return wrong


def _operation(
    operation: Any, address: str, headers: dict[str, str], *, is_outside: bool
) -> list[str]:
    wrong: list[str] = []

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def asks(case: schemathesis.Case[Any]) -> None:
        response = case.call(base_url=address, headers=headers)
        case.validate_response(response, checks=CHECKS)
        if is_outside and CANARY in response.text:
            wrong.append(f"{operation.label} tells what was told in private")

    try:
        asks()
    except Exception as failure:  # noqa: BLE001 - each fault is told, and the next looked for
        wrong.append(f"{operation.label}: {failure}"[:800])
    return wrong


@pytest.mark.parametrize("caller", CALLERS)
async def test_every_operation_keeps_its_description(tmp_path: Path, caller: str) -> None:
    """Whatever is sent: no error of the server, nothing undocumented, nothing told to strangers."""
    async with pet(tmp_path / "data") as (daemon, address):
        await daemon.does("ask", text=f"my password is {CANARY}", name="zoe")
        headers = await keys_of(daemon, address)
        wrong = await asyncio.to_thread(
            asked, caller, address.rstrip("/"), headers[caller], headers["owner"]
        )
        assert wrong == []
