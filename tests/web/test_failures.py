"""What is answered when a part of the pet fails, or the code does."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from bot.surfaces.parts import WebParts
from bot.web.failures import tell_failures
from memory.model.errors import StorageFailed
from tests.flow.owning import owned


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a site where two addresses fail."""
    async with owned(tmp_path, "en") as pet:
        site = FastAPI()
        site.state.parts = WebParts(app=pet.app)

        @site.get("/api/full")
        async def full() -> None:
            raise StorageFailed("The disk is full.")

        @site.get("/api/broken")
        @site.get("/dashboard/broken")
        async def broken() -> None:
            raise ZeroDivisionError("password=hunter2")

        tell_failures(site)
        transport = httpx2.ASGITransport(site, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as one:
            yield one


async def test_a_part_that_is_away_is_no_fault_of_the_request(client: httpx2.AsyncClient) -> None:
    """503 with its sentence: another time it may go well."""
    answer = await client.get("/api/full")
    assert (answer.status_code, answer.json()["detail"]) == (503, "The disk is full.")


@pytest.mark.parametrize("path", ["/api/broken", "/dashboard/broken"])
async def test_what_was_not_expected_says_nothing_of_itself(
    client: httpx2.AsyncClient, path: str
) -> None:
    """Neither the exception nor its words; those are in the log."""
    answer = await client.get(path)
    assert answer.status_code == 500
    assert "The log says why" in answer.text
    assert "hunter2" not in answer.text
    assert "ZeroDivisionError" not in answer.text
