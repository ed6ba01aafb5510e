"""A value is defined once: what of it may leave the process, as JSON and as its description."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

import httpx2
import pytest
from fastapi import APIRouter, FastAPI, Response

from bot.surfaces.api.cursors import Page, page_of, position_in
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.values import as_json, extended, model_of
from memory.model.shown import Shown, shown_parts

BirdId = NewType("BirdId", UUID)
ID = BirdId(UUID(int=7))
SEEN = datetime(2026, 1, 17, 18, 30, tzinfo=UTC)


class Colour(StrEnum):
    """Of feathers."""

    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bird:
    """A bird, of which one name stays inside."""

    id: Shown[BirdId]
    colour: Shown[Colour | None]
    seen_at: Shown[datetime]
    keeper: str = "Nora"

    @property
    def is_red(self) -> Shown[bool]:
        """Whether it is."""
        return self.colour is Colour.RED

    @property
    def secret(self) -> str:
        """What nothing shows."""
        return self.keeper


@dataclass(frozen=True, slots=True, kw_only=True)
class Flock(Bird):
    """A bird with those that fly along."""

    along: Shown[Sequence[Bird]]


@dataclass(frozen=True, slots=True)
class Egg:
    """Of which nothing may be shown."""

    shell: str = "white"


ROBIN = Bird(id=ID, colour=Colour.RED, seen_at=SEEN)
AS_JSON = {
    "id": str(ID),
    "colour": "red",
    "seen_at": "2026-01-17T18:30:00+00:00",
    "is_red": True,
}


def test_only_what_is_marked_leaves() -> None:
    """Fields and properties alike; a moment as it was always written."""
    assert as_json(ROBIN) == AS_JSON
    assert as_json({"birds": (ROBIN,), "none": None}) == {"birds": [AS_JSON], "none": None}


def test_a_value_of_which_nothing_is_marked_is_a_mistake() -> None:
    """It would be shown as an empty object."""
    with pytest.raises(TypeError, match="Nothing of Egg is marked"):
        shown_parts(Egg)
    with pytest.raises(TypeError):
        as_json([Egg()])


def test_a_value_that_adds_to_another_takes_the_rest_from_it() -> None:
    """And shows both."""
    flock = extended(Flock, ROBIN, along=[ROBIN])
    assert as_json(flock) == {**AS_JSON, "along": [AS_JSON]}


def test_the_description_is_of_what_is_shown() -> None:
    """Ids, moments and kinds are texts; what a page holds is described in it."""
    described = model_of(Page[Bird]).model_json_schema()
    bird = described["$defs"]["Bird"]
    assert set(bird["properties"]) == set(AS_JSON)
    assert bird["properties"]["colour"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert bird["properties"]["seen_at"]["type"] == "string"
    assert described["properties"]["items"]["items"] == {"$ref": "#/$defs/Bird"}
    assert described["title"] == "Page_Bird_"


def test_a_page_tells_where_the_next_begins() -> None:
    """Where one more was found than fits; the last has no next."""
    page = page_of([1, 2, 3], 2, lambda one: one)
    assert (list(page.items), position_in(page.next, int)) == ([1, 2], (2,))
    assert page_of([1, 2], 2, lambda one: one).next is None


async def test_a_route_answers_with_its_value_and_keeps_the_headers_it_set() -> None:
    """The fields of others are in no answer."""
    router = APIRouter(route_class=ValueRoute)

    @router.get("/bird")
    async def bird(response: Response) -> Bird:
        response.headers["ETag"] = '"7"'
        return ROBIN

    @router.post("/bird", status_code=201)
    async def hatch(response: Response, *, known: bool = False) -> Bird:
        if known:
            response.status_code = 200
        return ROBIN

    site = FastAPI()
    site.include_router(router)
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(site), base_url="http://localhost"
    ) as client:
        answer = await client.get("/bird")
        hatched = await client.post("/bird")
        known = await client.post("/bird?known=1")
        described = (await client.get("/openapi.json")).json()
    assert (answer.json(), answer.headers["etag"]) == (AS_JSON, '"7"')
    assert (hatched.json(), hatched.status_code, known.status_code) == (AS_JSON, 201, 200)
    assert "keeper" not in str(described)
