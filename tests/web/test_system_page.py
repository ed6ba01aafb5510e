"""The page of the system: parts, queues, backups, settings without secrets, audit, log."""

import io
from collections.abc import AsyncIterator
from datetime import UTC
from pathlib import Path

import pytest
import structlog

from bot.texts.catalogue import texts_in
from bot.texts.log_sentences import LogSentences
from config.logs import set_up_logs
from config.origins import origins
from config.sections.daemon import LogSettings
from config.settings import load_settings
from tests.cast import DAVID
from tests.web.served_site import ServedSite, served_site

PAGE = "/dashboard/system"
CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a new pet."""
    async with served_site(tmp_path) as served:
        yield served


async def test_no_secret_is_shown_that_the_environment_has(
    site: ServedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that there is a key, and where values come from."""
    monkeypatch.setenv("EKO_MODEL__API_KEY", CANARY)
    monkeypatch.setenv("EKO_WEB__PORT", "8999")
    settings = load_settings()
    object.__setattr__(site.pet.app, "settings", settings.model_copy(update={"locale": "en"}))
    page = await site.html(PAGE)
    assert CANARY not in page
    assert "canary" not in page
    assert "set, and never shown" in page
    assert "EKO_WEB__PORT" in page
    assert "8999" in page


def test_each_value_says_where_it_comes_from(tmp_path: Path) -> None:
    """The environment before the file, the file before the default; passwords in addresses go."""
    file = tmp_path / "eko.toml"
    file.write_text('[web]\nport = 1234\nhost = "127.0.0.2"\n', "utf-8")
    environ = {
        "EKO_CONFIG": str(file),
        "EKO_WEB__PORT": "4321",
        "EKO_MODEL__API_KEY": CANARY,
        "EKO_VECTORS__URL": "http://me:hunter22@qdrant:6333",
    }
    settings = load_settings(environ=environ, dotenv=tmp_path / ".env")
    found = {one.label: one for one in origins(settings, environ, tmp_path / ".env")}
    assert (found["[web] port"].value, found["[web] port"].source) == ("4321", "environment")
    assert found["[web] port"].where == "EKO_WEB__PORT"
    assert (found["[web] host"].source, found["[web] host"].where) == ("file", str(file))
    assert found["locale"].source == "default"
    assert found["[model] api_key"].is_secret
    text = repr(found)
    assert CANARY not in text
    assert "hunter22" not in text


async def test_what_was_changed_is_audited_by_the_page(site: ServedSite) -> None:
    """Page by page, newest first."""
    for number in range(4, 20):
        form = {"results": str(number), "min_score": f"0.{number:02}", "enabled": "on"}
        await site.client.post("/dashboard/recall", data=form)
    page = await site.html(PAGE)
    assert "setting.changed" in page
    assert "19" in page
    older = page.split('class="older"><a class="button quiet" href="')[1].split('"')[0]
    assert "setting.changed" in await site.html(older.partition("#")[0])


async def test_every_part_is_examined_on_demand(site: ServedSite) -> None:
    """In the language of its reader; the page alone only says what is ready."""
    assert "well" not in await site.html(PAGE)
    examined = await site.html(f"{PAGE}?examine=yes", "fr")
    assert "base de données" in examined.lower()


async def test_without_a_folder_no_backup_is_made(site: ServedSite) -> None:
    """And a sentence says why."""
    assert "/dashboard/system/backup" not in await site.html(PAGE)
    answer = await site.client.post(f"{PAGE}/backup")
    assert answer.status_code == 422
    assert "backup" in answer.text


async def test_the_log_is_shown_without_words_of_people(site: ServedSite) -> None:
    """Events with their fields, secrets masked."""
    set_up_logs(LogSettings(), LogSentences(texts_in("en"), UTC), stream=io.StringIO())
    try:
        structlog.get_logger().warning(
            "thing.happened", text="what David said", api_key=CANARY, room="<b>lobby</b>"
        )
        page = await site.html(PAGE)
    finally:
        structlog.reset_defaults()
    assert "thing.happened" in page
    assert "what David said" not in page
    assert CANARY not in page
    assert "&lt;b&gt;lobby&lt;/b&gt;" in page


async def test_what_waits_is_counted(site: ServedSite) -> None:
    """Live lines are there at once."""
    await site.pet.hears("bonjour", DAVID)
    assert "<strong>1</strong><span>lines for the digest</span>" in await site.html(PAGE)
