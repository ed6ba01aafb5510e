"""What monitors ask: whether it runs, whether it can answer, and its figures."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.diagnostics.readiness import Readiness
from bot.surfaces.access.principal import owner
from bot.web.reference import reference
from memory.model.access import Right
from memory.model.errors import VectorStoreUnavailable
from memory.ports import Vectors
from memory.vectorstores.in_memory import InMemoryIndex
from tests.cast import CORNER, DAVID
from tests.embedder import HashingEmbedder
from tests.web.served_site import ServedSite, served_site

ROOT = Path(__file__).parent.parent.parent


class LostIndex(InMemoryIndex):
    """A vector store that does not answer."""

    async def damaged(self, *, thorough: bool = False) -> list[str]:
        """Never anything."""
        raise VectorStoreUnavailable(f"gone ({thorough})")


class CountingEmbedder(HashingEmbedder):
    """An embedder that is paid by the question."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One more question."""
        self.asked += 1
        return await super().embed(texts, kind)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a new pet, asked by a stranger."""
    async with served_site(tmp_path) as served:
        served.given.principal = None
        yield served


async def test_health_is_open_and_says_nothing_else(site: ServedSite) -> None:
    """A stranger learns that it runs."""
    answer = await site.client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert (await site.client.get("/health")).status_code == 404


async def test_a_pet_whose_parts_answer_is_ready(site: ServedSite) -> None:
    """Also one that does without an embedder."""
    answer = await site.client.get("/readyz")
    parts = {"database": True, "vector_store": True, "embedder": True}
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "parts": parts})


async def test_a_pet_without_its_vector_store_is_not_ready(site: ServedSite) -> None:
    """It says which part it is, and no address or error of it."""
    app = site.pet.app
    lost = Readiness(
        app.storage.health, app.embedder, LostIndex(app.embedder.fingerprint), app.clock
    )
    object.__setattr__(app, "readiness", lost)
    answer = await site.client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["parts"] == {"database": True, "vector_store": False, "embedder": True}


async def test_strangers_do_not_run_up_the_bill_of_an_embedder(site: ServedSite) -> None:
    """It is asked once a minute, however often readiness is."""
    app = site.pet.app
    embedder = CountingEmbedder()
    readiness = Readiness(app.storage.health, embedder, app.index, app.clock)
    for _ in range(5):
        assert all((await readiness.parts()).values())
    assert embedder.asked == 1
    site.pet.clock.advance(timedelta(minutes=2))
    await readiness.parts()
    assert embedder.asked == 2


async def test_metrics_are_closed_without_a_key(site: ServedSite) -> None:
    """What it costs and how much is known is the owner's."""
    assert (await site.client.get("/metrics")).status_code == 401


async def test_metrics_are_what_a_monitor_can_read(site: ServedSite) -> None:
    """Each family once, by its name, with figures that follow what is there."""
    site.given.principal = owner("key monitor", frozenset({Right.READ}))
    await site.pet.told("David joue du violoncelle", DAVID, CORNER)
    await site.pet.hears("bonjour", DAVID)
    answer = await site.client.get("/metrics")
    assert answer.status_code == 200
    families = {one.name: one for one in text_string_to_metric_families(answer.text)}
    assert all(name.startswith("eko_") for name in families)
    memories = {sample.labels["store"]: sample.value for sample in families["eko_memories"].samples}
    assert memories == {"memory": 1}
    waiting = {sample.labels["queue"]: sample.value for sample in families["eko_waiting"].samples}
    assert waiting["live"] == 1
    assert "David" not in answer.text
    assert answer.text.count("# HELP eko_waiting ") == 1


async def test_the_description_is_for_those_who_are_logged_in(site: ServedSite) -> None:
    """It has a version, and every resource documents what it refuses with."""
    assert (await site.client.get("/api/openapi.json")).status_code == 401
    site.given.principal = owner("session")
    described = (await site.client.get("/api/openapi.json")).json()
    assert described["info"]["version"]
    cookie = described["components"]["securitySchemes"]["session"]
    assert (cookie["in"], cookie["name"]) == ("cookie", "eko-session-test")
    for path, of_path in described["paths"].items():
        for operation in of_path.values():
            open_ = operation.get("security") == []
            assert open_ or {"401", "403"} <= operation["responses"].keys(), path


def test_the_reference_is_current() -> None:
    """`python -m bot.web.reference > docs/api.md` writes it."""
    assert (ROOT / "docs" / "api.md").read_text("utf-8") == reference()
