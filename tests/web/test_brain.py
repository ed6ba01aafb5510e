"""The pages of the brain: stores by category, who it was, and a graph to walk through."""

import xml.etree.ElementTree as ET
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from bot.surfaces.operations import Operations
from bot.topics.brain.ring import middle, ring
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Association, MemoryId, Relation, SelfCategory
from memory.model.stores import Store
from tests.cast import DAVID, LEA, LOBBY
from tests.storage import statement
from tests.web.served_site import OWNER, ServedSite, served_site


async def says_of_itself(site: ServedSite, content: str) -> None:
    """A statement of the pet about itself."""
    own = statement(
        content,
        store=Store.SELF,
        category=SelfCategory.PREFERENCE,
        origin=Origin(visibility=Visibility.EVERYONE),
    )
    await site.pet.app.services.writer.store(own, OWNER.caller.actor)


async def tied(site: ServedSite) -> None:
    """Two statements, of which one is the reason of the other."""
    await site.pet.told("David rehearses Brahms with the orchestra", where=LOBBY)
    await site.pet.told("The orchestra plays Brahms on Friday with David", LEA, LOBBY)
    await tie(site, "rehearses", "on Friday")


async def tie(site: ServedSite, one: str, other: str) -> None:
    """A tie between the statements that say this."""
    start, end = [MemoryId(UUID(await id_of(site, words))) for words in (one, other)]
    found = Association(start=start, end=end, relation=Relation.CAUSED_BY, weight=0.9)
    await site.pet.app.storage.associations.keep([found], 0)


async def id_of(site: ServedSite, words: str) -> str:
    """The id of a statement that says this."""
    rows = await site.pet.app.storage.memories.latest(None, OWNER.caller.scope, 50)
    return str(next(one.id for one in rows if words in one.content))


async def test_every_store_is_shown_by_category(tmp_path: Path) -> None:
    """With how much holds, and the latest of each."""
    async with served_site(tmp_path) as site:
        await tied(site)
        await says_of_itself(site, "I like the rain")
        page = await site.html("/dashboard/brain")
        french = await site.html("/dashboard/brain", "fr")
    assert "<details>" in page
    assert "2 hold" in page
    assert "I like the rain" in page
    assert "Brahms on Friday" in page
    assert "2 valent encore" in french


async def test_what_it_was_stands_beside_what_took_its_place(tmp_path: Path) -> None:
    """As long as that holds."""
    async with served_site(tmp_path) as site:
        await says_of_itself(site, "I like the rain")
        site.pet.clock.advance(timedelta(days=1))
        await says_of_itself(site, "I do not like the rain")
        page = await site.html("/dashboard/brain")
    assert "<del>I like the rain</del>" in page


async def test_the_graph_walks_from_node_to_node(tmp_path: Path) -> None:
    """Each neighbour is a link in the drawing and in the list below, well formed."""
    async with served_site(tmp_path) as site:
        await tied(site)
        here, there = await id_of(site, "rehearses"), await id_of(site, "on Friday")
        page = await site.html(f"/dashboard/brain/graph/{here}")
        back = await site.html(f"/dashboard/brain/graph/{there}")
    start = page.index("<svg class")
    drawn = ET.fromstring(page[start : page.index("</svg>", start) + 6])  # noqa: S314 - our own
    assert [one.attrib["href"] for one in drawn.iter("a")] == [f"/dashboard/brain/graph/{there}"]
    assert page.count(f"/dashboard/brain/graph/{there}") > 1
    assert f"/dashboard/brain/graph/{here}" in back
    assert "style=" not in page


async def test_a_graph_shows_nothing_of_what_was_forgotten(tmp_path: Path) -> None:
    """Neither as the middle nor around another."""
    async with served_site(tmp_path) as site:
        await tied(site)
        here, there = await id_of(site, "rehearses"), await id_of(site, "on Friday")
        forget = {"ids": [there], "confirmed": True}
        await site.client.get("/dashboard/brain")
        await Operations(site.pet.app).result("forget", forget)
        gone = await site.client.get(f"/dashboard/brain/graph/{there}")
        around = await site.html(f"/dashboard/brain/graph/{here}")
    assert gone.status_code == httpx2.codes.NOT_FOUND
    assert "on Friday" not in around
    assert "It is tied to nothing." in around


async def test_hostile_words_stand_in_the_drawing_as_words(tmp_path: Path) -> None:
    """Its labels are text, and cut."""
    hostile = "</text><script>1</script>"
    async with served_site(tmp_path) as site:
        await site.pet.told(f"David says {hostile} to the orchestra", DAVID, LOBBY)
        await site.pet.told(f"The orchestra says {hostile} to David", LEA, LOBBY)
        await tie(site, "David says", "The orchestra says")
        page = await site.html(f"/dashboard/brain/graph/{await id_of(site, 'David says')}")
    assert "<script>1" not in page
    assert "&lt;/text&gt;" in page


@pytest.mark.parametrize("count", [1, 2, 7, 16])
def test_nodes_of_a_ring_stand_apart(count: int) -> None:
    """None on another, none in the middle."""
    nodes = [*ring(["word " * 20] * count), middle("word")]
    places = [(one.x, one.y) for one in nodes]
    assert len(set(places)) == count + 1


@pytest.mark.parametrize("label", ["", "x" * 5_000, "a b", "日本語" * 400, "\n\n\n"])
def test_labels_are_short_whatever_is_said(label: str) -> None:
    """Two lines at most, of some twenty characters."""
    (node,) = ring([label])
    assert len(node.lines) <= 2
    assert all(len(line) <= 24 for line in node.lines)
