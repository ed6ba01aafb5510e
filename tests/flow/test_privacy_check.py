"""`/privacy check`: what is told to a copy comes out of it where it may be known, and not else."""

import asyncio
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bot.data_folder import CHECKING, DATABASE
from bot.model.commands import Authority
from bot.texts.catalogue import say
from bot.topics.rooms import privacy_check
from bot.topics.rooms.privacy_check import (
    NotChecked,
    PrivacyChecked,
    PrivacyChecks,
    checked_privacy,
)
from bot.topics.rooms.privacy_command import privacy_command
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.audience import OPERATOR
from memory.model.elsewhere import Elsewhere
from memory.model.people import PersonId
from memory.model.rooms import HOME, SpaceId
from tests.flow.calling import answered, caller
from tests.flow.lived_in import unpack_into
from tests.rows import rows_by_table

FEW = 6


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A pet that was lived with, which is told few canaries."""
    monkeypatch.setattr(privacy_check, "CANARIES", FEW)
    unpack_into(tmp_path / "data")
    return Settings(data_dir=tmp_path / "data", embedder=EmbedderSettings(kind="none"))


async def test_nothing_comes_out_of_a_copy_and_nothing_of_the_pet_is_changed(
    settings: Settings,
) -> None:
    """Each canary is found where it may be known; the copy is gone afterwards."""
    before = rows_by_table(settings.data_dir / DATABASE)
    done = await checked_privacy(settings, HOME)
    assert (done.tried, done.known, done.came_out) == (FEW, FEW, 0)
    assert done.is_telling
    assert done.asked >= 3 * FEW
    assert rows_by_table(settings.data_dir / DATABASE) == before
    assert not (settings.data_dir / CHECKING / DATABASE).exists()


async def test_a_scope_that_does_not_hold_is_found_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If everybody might know everything, each canary would come out."""
    monkeypatch.setattr(privacy_check, "scope_of", lambda *_: OPERATOR)
    assert (await checked_privacy(settings, HOME)).came_out == FEW


async def test_a_space_that_is_not_there_is_refused(settings: Settings) -> None:
    """A look in an empty one would show nothing."""
    with pytest.raises(NotChecked, match="no space"):
        await checked_privacy(settings, SpaceId("discord:nowhere"))


async def test_a_folder_without_a_pet_is_refused(tmp_path: Path) -> None:
    """And none is made there."""
    with pytest.raises(NotChecked, match="no pet"):
        await checked_privacy(Settings(data_dir=tmp_path), HOME)
    assert not (tmp_path / DATABASE).exists()


FOUND = PrivacyChecked(tried=60, known=60, asked=400, rooms=2, came_out=0)


def looker(script: str, data_dir: Path = Path("/nowhere")) -> PrivacyChecks:
    """Looks made by a process that does this."""
    return PrivacyChecks(data_dir, (sys.executable, "-c", script))


async def test_a_look_that_takes_too_long_leaves_no_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed, so it cannot remove the copy itself."""
    monkeypatch.setattr(privacy_check, "_MOST_S", 0.2)
    copy = tmp_path / CHECKING / "eko.sqlite3"
    copy.parent.mkdir()
    copy.write_text("all of it")
    with pytest.raises(NotChecked):
        await looker("import time; time.sleep(60)", tmp_path).run(HOME)
    assert not copy.parent.exists()


async def test_a_look_is_made_in_a_process_of_its_own() -> None:
    """What it prints is what came of it; without that it failed."""
    said = json.dumps(asdict(FOUND))
    assert await looker(f"print({said!r})").run(HOME) == FOUND
    for broken in ("print('{}')", "raise SystemExit(1)"):
        with pytest.raises(NotChecked):
            await looker(broken).run(HOME)


async def test_two_looks_at_once_are_not_made() -> None:
    """The second is told that one goes on, and a look that is given up ends its process."""
    checks = looker("import time; time.sleep(600)")
    first = asyncio.create_task(checks.run(HOME))
    await asyncio.sleep(0)
    assert await checks.run(HOME) is None
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


async def unasked(person: PersonId, *, observed: bool) -> Elsewhere:
    """Nobody's wish to be read is changed by a look."""
    raise AssertionError((person, observed))


async def asked(checks: PrivacyChecks, authority: Authority, locale: str) -> str:
    """What is answered to a typed `/privacy check`."""
    table = {"privacy": privacy_command(unasked, checks)}
    by = caller(authority=authority, locale=locale)
    return (await answered(table, "/privacy check", by, locale=locale)).text


class FakeChecks(PrivacyChecks):
    """Looks that came to something, or failed."""

    def __init__(self, came: PrivacyChecked | NotChecked | None) -> None:
        super().__init__(Path())
        self.came = came

    async def run(self, space: SpaceId) -> PrivacyChecked | None:
        """What came of it."""
        assert space == HOME
        if isinstance(self.came, NotChecked):
            raise self.came
        return self.came


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(
    ("came", "key"),
    [
        (FOUND, "checked"),
        (replace(FOUND, came_out=2), "came_out"),
        (replace(FOUND, known=10), "not_telling"),
        (None, "checking"),
        (NotChecked("slow"), "not_checked"),
    ],
)
async def test_a_manager_is_told_what_came_of_it(
    came: PrivacyChecked | NotChecked | None, key: str, locale: str
) -> None:
    """In their language, with the figures."""
    figures = asdict(came) if isinstance(came, PrivacyChecked) else {}
    answer = await asked(FakeChecks(came), Authority.SPACE, locale)
    assert answer == say(f"privacy.{key}", locale, **figures)


async def test_who_manages_nothing_is_refused() -> None:
    """A look takes a minute of the machine."""
    answer = await asked(FakeChecks(FOUND), Authority.NONE, "en")
    assert "60" not in answer
