"""`/export`: somebody is given what is theirs, as far as they may see it where they ask."""

import io
import json
import stat
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.channels.local.hub import LOBBY as LOCAL_LOBBY
from bot.channels.local.hub import direct_room
from bot.model.commands import Answer
from bot.model.events import AuthorRef
from bot.topics.backups import command as exporting
from memory.model.export import read_entry
from memory.model.rooms import SpaceId
from tests.cast import DAVID, LEA, LOBBY, direct, group, room_of
from tests.flow.owning import Owner, owned, typed
from tests.flow.test_forgetting_in_chat import ask, offline

ALONE = direct(DAVID)
ADA = AuthorRef(platform="web", external_id="ada", name="Ada")


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet that two people have told things, alone and before others."""
    async with owned(tmp_path) as born:
        await born.hears("je suis là")
        await born.hears("mon secret : la harpe", where=ALONE)
        await born.told("David adore le levain", where=LOBBY)
        await born.told("David joue de la harpe")
        await born.told("Léa prépare une fugue", LEA)
        await born.hears("Léa passe", LEA)
        await born.app.conversations.quiet()
        yield born


def lines_of(answer: Answer) -> list[dict[str, Any]]:
    """The entries of the file that came with an answer; every line can be read again."""
    assert answer.file is not None
    lines = answer.file.content.splitlines()
    for line in lines:
        read_entry(line)
    return [json.loads(line) for line in lines]


def texts_in(lines: list[dict[str, Any]]) -> set[str]:
    """What statements and people's messages say."""
    said = (line for line in lines if line.get("author_kind") != "pet")
    return {line.get("content") or line.get("text", "") for line in said} - {""}


def left_alone_in(lines: list[dict[str, Any]]) -> list[str]:
    """The topics that the pet does not bring up."""
    return [one["topic"] for one in lines if one["entry"] == "quiet_topic"]


async def test_alone_everything_of_ones_own_comes_as_a_file(owner: Owner) -> None:
    """In the form in which it can be taken in again, and nothing of anybody else."""
    answer = await owner.uses("export", where=ALONE)
    lines = lines_of(answer)
    assert lines[0]["entry"] == "eko-export"
    assert lines[-1] == {"entry": "end", "entries": len(lines) - 2}
    assert f"{len(lines) - 2} éléments" in answer.text
    assert texts_in(lines) == {
        "David adore le levain",
        "David joue de la harpe",
        "je suis là",
        "mon secret : la harpe",
    }
    assert {one["name"] for one in lines if one["entry"] == "person"} == {"David"}


async def test_in_a_group_what_is_private_stays_out_of_the_file(owner: Owner) -> None:
    """Rooms included: nothing crosses from one place to another."""
    lines = lines_of(await owner.uses("export", where=LOBBY))
    assert texts_in(lines) == {"David adore le levain", "je suis là"}
    assert {one["id"] for one in lines if one["entry"] == "room"} == {"chat:lobby"}
    assert {one["room"] for one in lines if one["entry"] == "session"} == set()
    assert "harpe" not in json.dumps(lines)


async def test_a_room_that_was_closed_since_has_no_name_in_the_file(owner: Owner) -> None:
    """What was said there comes along; what it is called now is for those inside."""
    closed = replace(room_of(LOBBY, confidential=True), name="licenciements")
    await owner.app.storage.people.keep_room(closed)
    lines = lines_of(await owner.uses("export", where=ALONE))
    assert "je suis là" in texts_in(lines)
    assert "licenciements" not in json.dumps(lines)


async def test_what_was_said_to_another_community_stays_out_though_the_room_is_the_same(
    owner: Owner,
) -> None:
    """It is who could hear it that counts."""
    await owner.hears("bonjour les autres", where=group(LOBBY.name, space=SpaceId("others")))
    assert texts_in(lines_of(await owner.uses("export", where=LOBBY))) == {
        "David adore le levain",
        "je suis là",
    }


async def test_a_reply_that_repeats_what_they_may_know_no_more_stays_out(owner: Owner) -> None:
    """Their own words stay in the file: what the pet said of another community does not."""
    assert "reply" in json.dumps(lines_of(await owner.uses("export", where=ALONE)))
    await owner.app.storage.turns._database.run("""UPDATE turns SET carries = '["space:left"]'""")
    lines = lines_of(await owner.uses("export", where=ALONE))
    assert "mon secret : la harpe" in texts_in(lines)
    assert {one["reply"] for one in lines if one["entry"] == "turn"} == {""}
    assert [one for one in lines if one.get("author_kind") == "pet"] == []


async def test_before_others_nothing_is_exported(tmp_path: Path) -> None:
    """A typed answer in a group is read by everybody there."""
    async with owned(tmp_path) as owner:
        said = await typed(owner.app, "/export", ADA, LOCAL_LOBBY)
        assert said == "Ce que je garde de toi ne regarde que toi : demande-moi en privé."


async def test_at_the_terminal_it_is_a_file_that_nobody_else_can_read(tmp_path: Path) -> None:
    """Whoever sits there is told where."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        told = await ask(app, "/export")
        (path,) = (tmp_path / "exports").iterdir()
        assert str(path) in told
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        entries = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert entries[-1] == {"entry": "end", "entries": len(entries) - 2}
        assert "David: I love rugby" in texts_in(entries)


async def test_on_the_web_page_it_is_read_in_the_room(tmp_path: Path) -> None:
    """Nobody there reads the disk of the machine: no path is told and no file written."""
    async with owned(tmp_path) as owner:
        await owner.told("Ada adore le levain", ADA)
        said = await typed(owner.app, "/export", ADA, direct_room(ADA))
        assert "- Ada adore le levain" in said
        assert str(tmp_path) not in said
        assert not (tmp_path / "exports").exists()


async def test_what_does_not_fit_the_room_is_cut_and_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how to have all of it."""
    monkeypatch.setattr(exporting, "LONGEST_TEXT", 120)
    async with owned(tmp_path) as owner:
        for number in range(9):
            await owner.told(f"Ada adore le gâteau numéro {number}", ADA)
        said = await typed(owner.app, "/export", ADA, direct_room(ADA))
        person = await owner.person(ADA)
        assert said.startswith("# Ada")
        assert said.endswith(f"eko export --person {person}")
        assert len(said) < 320


async def test_what_is_known_comes_before_what_was_said_and_the_latest_of_that_first(
    tmp_path: Path,
) -> None:
    """So that what is cut off is what is old."""
    async with owned(tmp_path) as owner:
        await typed(owner.app, "/help", ADA, direct_room(ADA))
        owner.clock.advance(timedelta(days=40))
        await typed(owner.app, "/privacy", ADA, direct_room(ADA))
        await owner.told("Ada adore le levain", ADA)
        said = await typed(owner.app, "/export", ADA, direct_room(ADA))
    assert 0 < said.index("levain") < said.index("/privacy") < said.index("/help")
    assert "](" not in said


async def test_what_is_large_is_packed(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a zip that holds the same lines."""
    whole = lines_of(await owner.uses("export", where=ALONE))
    monkeypatch.setattr(exporting, "LARGEST_PLAIN", 100)
    answer = await owner.uses("export", where=ALONE)
    assert answer.file is not None
    assert answer.file.name.endswith(".jsonl.zip")
    with zipfile.ZipFile(io.BytesIO(answer.file.content)) as archive:
        (name,) = archive.namelist()
        lines = [json.loads(line) for line in archive.read(name).splitlines()]
    assert lines == whole


@pytest.mark.parametrize("limit", ["LARGEST_FILE", "LARGEST_RAW"])
async def test_what_is_too_large_is_said_to_be(
    owner: Owner, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """With who can give it all the same."""
    monkeypatch.setattr(exporting, limit, 100)
    answer = await owner.uses("export", where=ALONE, locale="en")
    assert answer.file is None
    assert "too large for a file here" in answer.text


async def test_what_is_left_alone_goes_along_where_it_may_be_named(owner: Owner) -> None:
    """Said in private, it is not in a file given before others."""
    await owner.uses("quiet-about", where=ALONE, topic="mes examens")
    await owner.uses("quiet-about", topic="le football")
    alone = lines_of(await owner.uses("export", where=ALONE))
    assert left_alone_in(alone) == ["le football", "mes examens"]
    assert left_alone_in(lines_of(await owner.uses("export", where=LOBBY))) == ["le football"]
