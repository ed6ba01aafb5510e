"""Authors of imported files are joined with live accounts, asked, and parted again."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App
from config.sections.recall import RecallSettings
from memory.clock import FrozenClock
from memory.language.synonyms import load as load_lexicons
from memory.model.audience import OPERATOR, person_audience, scope_of
from memory.model.people import Person
from memory.model.rooms import RoomKind, RoomRole
from tests.cast import NOON
from tests.flow.brought import brings, does, history, line, pet

NADIA = AuthorRef(platform="discord", external_id="7", name="nadia")
OTHER = AuthorRef(platform="web", external_id="n1", name="Nadine")

FILE = [
    line("Nadia K.", "mon code de casier est framboise", 1),
    line("Tomás", "mon bateau s'appelle Crécerelle", 2),
]


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that knows Nadia on Discord and somebody on the page."""
    patient = RecallSettings(deadline_ms=10_000)  # a busy machine changes nothing of what is found
    load_lexicons()  # as a start does, before the first question
    async with pet(tmp_path, recall=patient) as born:
        await born.services.recall.warm_up()
        for who in (NADIA, OTHER):
            await born.register.person(who)
        yield born


def alone(who: AuthorRef) -> RoomRef:
    """Where somebody is alone with the pet."""
    return RoomRef(
        platform=who.platform,
        external_id=f"dm-{who.external_id}",
        name=who.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


async def person(app: App, who: AuthorRef) -> Person:
    """Who is behind an account."""
    return await app.register.person(who, renames=False)


async def found(app: App, who: AuthorRef, words: str) -> str:
    """What a search in somebody's direct room finds."""
    known = (await person(app, who)).id
    spaces = await app.register.spaces_of(known, frozenset())
    scope = scope_of(app.register.room(alone(who)), known, spaces)
    rows = await app.services.recall.search_everything(words, scope, 20, 0)
    said = await app.services.texts.find(words, scope, 20)
    return " | ".join(row.content for row in (*rows, *said))


async def tells(app: App, who: AuthorRef, text: str) -> None:
    """Somebody tells the pet something alone."""
    await app.inbox.receive(
        Inbound(
            external_id=f"{who.account}:{text}",
            room=alone(who),
            author=who,
            text=text,
            sent_at=NOON,
        )
    )
    await app.conversations.quiet()
    await app.services.indexer.settle()


def passes(app: App, time: timedelta) -> None:
    """So much time passes."""
    assert isinstance(app.clock, FrozenClock)
    app.clock.advance(time)


async def ids(app: App) -> dict[str, str]:
    """The account of each name of a file."""
    rows = await app.storage.database.all(
        "SELECT platform || ':' || external_id AS account, name FROM identities"
    )
    return {row["name"]: row["account"] for row in rows}


async def whole(app: App) -> dict[str, list[Any]]:
    """Whose everything is, row by row."""
    tables = {
        "identities": "platform, external_id, person_id",
        "messages": "id, person_id, audience",
        "memories": "id, author_id, person_id, about_person, audience, slot",
        "core_facts": "person_id, audience, key, value, valid_until",
        "knowledge": "id, about_person, person_id, audience",
        "aliases": "name, person_id, audience",
        "quiet_topics": "person_id, topic, audience",
        "space_members": "space, person_id",
        "imports": "id, audience",
    }
    return {
        table: sorted(
            map(repr, map(tuple, await app.storage.database.all(f"SELECT {names} FROM {table}")))  # noqa: S608 - our own names
        )
        for table, names in tables.items()
    }


async def test_an_author_of_a_file_is_joined_with_a_live_account(app: App, tmp_path: Path) -> None:
    """What they said in the file is known where they are alone on Discord, and nowhere else."""
    await brings(app, history(tmp_path, FILE), private_of="Nadine")
    file = (await ids(app))["Nadia K."]
    shown = await does(app, "join_accounts", account=file, other="discord:7")
    assert shown["join"]["told_by_joining"] == {
        "statements": 0,
        "messages": 0,
        "spaces": [],
        "observed": True,
    }
    await does(app, "join_accounts", account=file, other="discord:7", yes=True)
    assert "framboise" not in await found(app, NADIA, "code casier framboise")
    assert "framboise" in await found(app, OTHER, "code casier framboise")


@pytest.mark.parametrize("merged", ["discord:7", "web:n1"])
async def test_what_each_had_is_theirs_again_once_they_are_parted(
    app: App, tmp_path: Path, merged: str
) -> None:
    """A private import with both its sides, a space, a quiet topic: whichever side was merged."""
    await brings(app, history(tmp_path, FILE), private_of="Nadine", people={"Nadia K.": "Nadine"})
    await brings(
        app, history(tmp_path, [line("Max", "le chat s'appelle Pixel", 3)], "Club.jsonl"),
        known_to=["Nadine"],
    )  # fmt: skip
    nadia, other = (await person(app, NADIA)).id, (await person(app, OTHER)).id
    await app.storage.quiet_topics.add(other, "divorce", person_audience(other))
    await app.storage.quiet_topics.add(nadia, "hôpital", person_audience(nadia))
    before = await whole(app)
    assert "framboise" in await found(app, OTHER, "code casier framboise")
    assert "framboise" not in await found(app, NADIA, "code casier framboise")
    file = (await ids(app))["Nadia K."]
    survivor = "web:n1" if merged == "discord:7" else "discord:7"
    shown = await does(app, "join_accounts", account=merged, other=survivor)
    side = "told_by_staying" if merged == "discord:7" else "told_by_joining"
    assert shown["join"][side]["messages"] == 2
    assert shown["join"][side]["spaces"] == ["Club"]
    assert await whole(app) == before
    await does(app, "join_accounts", account=merged, other=survivor, yes=True)
    for words in ("code casier framboise", "bateau Crécerelle", "chat Pixel"):
        assert words.split()[-1] in await found(app, NADIA, words)
    topics = {one.topic for one in await app.storage.quiet_topics.of((await person(app, NADIA)).id)}
    assert topics == {"divorce", "hôpital"}
    leaving = {"account": "discord:7"} if merged == "discord:7" else {
        "account": "web:n1", "others": [file]
    }  # fmt: skip
    await does(app, "split_account", **leaving, yes=True)
    assert await whole(app) == before
    for words in ("code casier framboise", "bateau Crécerelle", "chat Pixel"):
        assert words.split()[-1] not in await found(app, NADIA, words)
        assert words.split()[-1] in await found(app, OTHER, words)


async def test_the_one_who_stays_keeps_nothing_of_the_one_who_leaves(
    app: App, tmp_path: Path
) -> None:
    """Also where the account that leaves is the one whose person went on."""
    await brings(
        app, history(tmp_path, [line("Max", "le chat s'appelle Pixel", 3)], "Club.jsonl"),
        known_to=["Nadine"],
    )  # fmt: skip
    other = (await person(app, OTHER)).id
    await app.storage.quiet_topics.add(other, "divorce", person_audience(other))
    await does(app, "join_accounts", account="discord:7", other="web:n1", yes=True)
    await does(app, "split_account", account="web:n1", yes=True)
    assert "Pixel" in await found(app, OTHER, "chat Pixel")
    assert "Pixel" not in await found(app, NADIA, "chat Pixel")
    topics = [
        await app.storage.quiet_topics.of((await person(app, who)).id) for who in (OTHER, NADIA)
    ]
    assert [[one.topic for one in some] for some in topics] == [["divorce"], []]


async def test_an_opt_out_of_one_holds_for_both(app: App) -> None:
    """Whichever of them opted out; the preview says so, and parting does not take it back."""
    nadia = (await person(app, NADIA)).id
    await app.storage.people.observe(nadia, observed=False)
    shown = await does(app, "join_accounts", account="discord:7", other="web:n1")
    sides = (shown["join"]["told_by_joining"], shown["join"]["told_by_staying"])
    assert [one["observed"] for one in sides] == [False, True]
    await does(app, "join_accounts", account="discord:7", other="web:n1", yes=True)
    assert not (await person(app, OTHER)).observed
    await does(app, "split_account", account="discord:7", yes=True)
    assert not (await person(app, OTHER)).observed
    assert not (await person(app, NADIA)).observed


async def test_core_facts_that_clash_are_counted_and_hold_again_afterwards(app: App) -> None:
    """Two cities, each said alone with the pet."""
    for who, city in ((NADIA, "Gand"), (OTHER, "Lyon")):
        await tells(app, who, f"j'habite à {city}")
    passes(app, timedelta(hours=1))
    await app.services.conversation_facts.read_due()
    before = await whole(app)
    assert len(before["core_facts"]) == 2, before
    shown = await does(app, "join_accounts", account="discord:7", other="web:n1", yes=True)
    assert shown["join"]["clashes"] == 1
    assert shown["join"]["told_by_joining"]["statements"] >= 1
    await does(app, "split_account", account="discord:7", yes=True)
    after = await whole(app)
    assert after["core_facts"] == before["core_facts"]
    assert after["memories"] == before["memories"]


async def test_an_undone_import_leaves_no_account_behind(app: App, tmp_path: Path) -> None:
    """Of a chosen person, too, who stays."""
    passes(app, timedelta(minutes=1))
    done = await brings(app, history(tmp_path, FILE), people={"Nadia K.": "Nadine"})
    assert "Nadia K." in await ids(app)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert set(await ids(app)) == {"nadia", "Nadine"}
    rows = await app.storage.memories.latest(None, OPERATOR, 50)
    assert rows == []
