"""The page of notes: what is known of a vault, what is always at hand, previews."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from bot.surfaces.parts import WebParts
from bot.web.site import add_dashboard
from bot.wiring.app import open_app
from config.sections.obsidian import ObsidianSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from tests.vault import write
from tests.web.served_site import GivenPrincipal, served_site

PAGE = "/dashboard/notes"
HOSTILE = "<script>alert(1)</script> la tarte de Zoé"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """The owner of a pet with a vault of two notes."""
    write(tmp_path / "vault", "kitchen/pie & co.md", HOSTILE)
    write(tmp_path / "vault", "garden.md", "Les rosiers se taillent en mars.")
    folder = str(tmp_path / "vault")
    settings = Settings(
        data_dir=tmp_path / "data",
        embedder=EmbedderSettings(kind="none"),
        obsidian=ObsidianSettings(
            kind="folder", folder=folder, audience="space", context_notes=("garden.md",)
        ),
    )
    async with open_app(settings) as app:
        site = FastAPI()
        add_dashboard(site, WebParts(app=app), GivenPrincipal())
        transport = httpx2.ASGITransport(site)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield client


async def test_a_look_says_first_what_it_would_do(client: httpx2.AsyncClient) -> None:
    """A dry run reads nothing; the look itself does, and the notes are there."""
    trial = await client.get(f"{PAGE}?look=yes")
    assert "To be read again" in trial.text
    assert "garden.md" in trial.text
    assert "No note is known yet." in trial.text
    answer = await client.post(f"{PAGE}/sync")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?done=synced")
    page = (await client.get(PAGE)).text
    assert "always at hand" in page
    assert "pie &amp; co.md" not in page or "pie%20%26%20co.md" in page
    listed = (await client.get("/api/notes")).json()
    assert "garden.md" in [one["path"] for one in listed["items"]]


async def test_a_preview_shows_the_pieces_as_text(client: httpx2.AsyncClient) -> None:
    """Escaped, whatever the note says; one that is not known is 404."""
    await client.post(PAGE, data={"paths": "kitchen/pie & co.md\ngarden.md", "enabled": "on"})
    await client.post(f"{PAGE}/sync")
    preview = await client.get(f"{PAGE}/preview", params={"path": "kitchen/pie & co.md"})
    assert preview.status_code == 200
    assert "&lt;script&gt;alert(1)" in preview.text
    assert "<script>alert" not in preview.text
    lost = await client.get(f"{PAGE}/preview", params={"path": "../../etc/passwd"})
    assert lost.status_code == 404


async def test_a_path_out_of_the_vault_is_refused(client: httpx2.AsyncClient) -> None:
    """With a sentence; what was chosen before stays."""
    answer = await client.post(PAGE, data={"paths": "../secret.md", "enabled": "on"})
    assert answer.status_code == 422
    assert "garden.md</textarea>" in (await client.get(PAGE)).text


async def test_a_pet_without_a_vault_says_so(tmp_path: Path) -> None:
    """In the language of its reader."""
    async with served_site(tmp_path) as served:
        assert "Aucun coffre" in await served.html(PAGE, "fr")
