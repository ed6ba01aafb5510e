"""A hundred secrets in every store are forgotten: after the purge no file holds a byte of them."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
import structlog

from bot.channels.local.hub import LOBBY, direct_room
from bot.model.events import AuthorRef, Inbound
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.language.text import stems
from memory.model.audience import Origin
from memory.model.errors import ForgottenBefore
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.rooms import Visibility
from memory.model.statements import NewMemory, Source
from memory.model.stores import Store
from memory.rules.forgetting.selector import Selector
from memory.storage.statements.knowledge import keep_knowledge
from tests.cast import NOON
from tests.forgotten import RUNNER, dump

PEOPLE = ("Zorvath", "Quibblex")
"""Names that nothing else is called."""

_CONSONANTS, _VOWELS = "bdfgklmprtvz", "aiou"


def canaries() -> list[str]:
    """A hundred words that nobody says, each with a stem of its own."""
    words = [
        f"x{one}{vowel}{two}{vowel}q"
        for one in _CONSONANTS
        for two in _CONSONANTS
        for vowel in _VOWELS
    ][::5][:100]
    assert len({stem for word in words for stem in stems(word)}) == len(words) == 100
    return words


CANARIES = canaries()
LOBBY_WORDS, CHAT_WORDS = CANARIES[:50], CANARIES[50:60]
STATED_WORDS, KNOWN_WORDS = CANARIES[60:80], CANARIES[80:]


@asynccontextmanager
async def living(folder: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """The pet with its own embedder and vector store, without a key."""
    chosen = Settings(
        data_dir=folder,
        locale="fr",
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
    )
    async with open_app(chosen, clock) as app:
        yield app


def account(name: str) -> AuthorRef:
    """Somebody's account, whose id does not say their name."""
    return AuthorRef(platform="console", external_id=uuid5(NAMESPACE_URL, name).hex, name=name)


def recording() -> Iterator[Inbound]:
    """What two people and a third said in the lobby."""
    for number, word in enumerate(LOBBY_WORDS):
        yield _line(f"j'aime beaucoup le {word}", PEOPLE[number % 2], number)
    yield _line("j'aime beaucoup le thé", "Ines", len(LOBBY_WORDS))


def _line(text: str, name: str, number: int) -> Inbound:
    return Inbound(
        external_id=f"c{number}",
        room=LOBBY,
        author=account(name),
        text=text,
        sent_at=NOON - timedelta(days=1) + timedelta(minutes=number),
    )


async def told(app: App) -> None:
    """Every secret, in every store."""
    await app.inbox.receive_all(list(recording()), recorded=True)
    await app.services.digest.run()
    for number, word in enumerate(CHAT_WORDS):
        await says(app, PEOPLE[number % 2], f"mon {word} est cassé")
    await says(app, "Ines", "qui aime beaucoup le thé ?")
    await app.services.writer.store(stated("le thé est chaud", 0))
    for number, word in enumerate(STATED_WORDS):
        await app.services.writer.store(stated(f"{PEOPLE[number % 2]} cherche un {word}", number))
    notes = [known(word, number) for number, word in enumerate(KNOWN_WORDS)]
    await app.storage.knowledge.write(lambda t: keep_knowledge(t, notes, app.clock.now()))
    await app.services.indexer.settle()


async def does(app: App, operation: str, **arguments: object) -> dict[str, Any]:
    """What an operation ends with."""
    events = [one async for one in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def says(app: App, name: str, text: str) -> None:
    """Somebody talks with the pet alone, and is answered."""
    who = account(name)
    talk = app.hub.talk(who, direct_room(who))
    await talk.say(text)
    await app.conversations.quiet()


def stated(content: str, number: int) -> NewMemory:
    """A statement that was made by hand."""
    return NewMemory(
        store=Store.MEMORY,
        content=content,
        origin=Origin(visibility=Visibility.SPACE),
        source=Source.CHAT,
        subjects=(PEOPLE[number % 2],) if "cherche" in content else (),
    )


def known(word: str, number: int) -> NewKnowledge:
    """A note, a summary or a core fact."""
    return NewKnowledge(
        id=KnowledgeId(uuid5(NAMESPACE_URL, word)),
        kind=list(KnowledgeKind)[number % 3],
        content=f"Au marché on trouve du {word} frais.",
        title=f"{word}.md",
        origin=Origin(visibility=Visibility.SPACE),
        at=NOON,
    )


async def forget_all(app: App) -> list[int]:
    """Forget both people and everything else, one way or another."""
    done = []
    for name in PEOPLE:
        (person,) = await app.storage.people.named(name)
        selector = Selector(person=person, about=True, erase=True)
        done.append((await app.services.forgetting.at_once(selector, RUNNER)).id)
    topics = [Selector(topic=word) for word in (*STATED_WORDS, *KNOWN_WORDS)]
    return done + [(await app.services.forgetting.at_once(topic, RUNNER)).id for topic in topics]


def secrets() -> list[bytes]:
    """What no file may hold, in any case."""
    words = {*CANARIES, *(stem for word in CANARIES for stem in stems(word)), *PEOPLE}
    return sorted(word.lower().encode() for word in words)


def left_in(folder: Path) -> dict[str, int]:
    """How many secrets stand in each file of a folder, those with none left out.

    A file that goes meanwhile, as those of a vector store do, has none.
    """
    found: dict[str, int] = {}
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            with suppress(FileNotFoundError):
                found[str(path.relative_to(folder))] = _secrets_in(path.read_bytes())
    return {name: count for name, count in found.items() if count}


def _secrets_in(raw: bytes) -> int:
    bare = raw.translate(None, b"\0").lower()  # most of a fresh log is empty
    return sum(word in bare for word in secrets())


async def test_after_the_purge_no_file_holds_a_byte_of_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """While the pet runs, and once it has stopped; and nothing brings any of it back."""
    clock = FrozenClock(NOON)
    before = tmp_path_factory.mktemp("exports") / "before.json"
    with structlog.testing.capture_logs() as logs:
        async with living(tmp_path, clock) as app:
            await told(app)
            await does(app, "export", path=str(before))
            held = left_in(tmp_path)
            assert held["eko.sqlite3"] + held.get("eko.sqlite3-wal", 0) >= len(CANARIES)
            await forget_all(app)
            await app.services.indexer.settle()
            clock.advance(timedelta(hours=25))
            await app.services.purging.run()
            assert left_in(tmp_path) == {}
            await again(app)
            taken = await does(app, "import", path=str(before))
            assert set(taken["result"]["new"]) <= {"association"}, taken  # between merged_people
            await does(app, "export", path=str(tmp_path / "after.json"))
            assert left_in(tmp_path) == {}
            assert (await app.storage.health.checkup()).problems == ()
        assert left_in(tmp_path) == {}
    said = repr([one for one in logs if one["log_level"] != "debug"]).lower()
    assert [word for word in secrets() if word.decode() in said] == []


async def again(app: App) -> None:
    """What could bring it back: the digest, the recording, the notes, what was said long ago."""
    received = await app.inbox.receive_all(list(recording()), recorded=True)
    assert received.stored == 0
    await app.services.digest.run()
    for number, word in enumerate(STATED_WORDS):
        old = replaced(stated(f"{PEOPLE[number % 2]} cherche un {word}", number))
        with pytest.raises(ForgottenBefore):
            await app.services.writer.store(old)


def replaced(new: NewMemory) -> NewMemory:
    """A statement that was made before it was forgotten."""
    return replace(new, said_at=NOON - timedelta(hours=1))


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_undo_gives_everything_back(tmp_path: Path, *, restarts: bool) -> None:
    """Every table as it was, byte for byte, and the index with it; after a restart as well."""
    clock = FrozenClock(NOON)
    async with living(tmp_path, clock) as app:
        await told(app)
        before = await dump(app.storage.forgettings._database)
        done = await forget_all(app)
        await app.services.indexer.settle()
        if not restarts:
            await undone(app, done)
            assert await dump(app.storage.forgettings._database) == before
    if restarts:
        async with living(tmp_path, clock) as app:
            await undone(app, done)
            assert await dump(app.storage.forgettings._database) == before


async def undone(app: App, forgettings: list[int]) -> None:
    """Undo the last one first."""
    for number in reversed(forgettings):
        assert (await app.services.forgetting.undo(RUNNER, number)).changed_since == 0
    await app.services.indexer.settle()
    found = await does(app, "verify")
    assert found["result"]["sound"], found
