"""A hostile or broken file is refused line by line, and harms nothing that is here."""

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memory.model.audience import OPERATOR
from memory.model.export import LONGEST_LINE
from memory.rules.forgetting.tombstones import ForgottenTexts, IncomingText
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.transfer.imports import Imports
from memory.transfer.importer import Imported, Importer, ImportRefused
from tests.cast import LOBBY, NOON, room_of
from tests.storage import StorageParts, open_truth

AT = NOON.isoformat()

HEADER: dict[str, Any] = {"entry": "eko-export", "version": 1, "at": AT}

PERSON: dict[str, Any] = {
    "entry": "person",
    "id": "p-david",
    "name": "David",
    "observed": True,
    "met_at": AT,
    "accounts": [{"platform": "chat", "external_id": "david", "name": "David"}],
}

ROOM: dict[str, Any] = {
    "entry": "room",
    "id": "chat:lobby",
    "platform": "chat",
    "external_id": "lobby",
    "name": "lobby",
    "kind": "group",
    "role": "lobby",
    "space": "home",
    "confidential": False,
    "met_at": AT,
}

SESSION: dict[str, Any] = {
    "entry": "session",
    "id": "s1",
    "person": "p-david",
    "room": "chat:lobby",
    "started_at": AT,
    "last_at": AT,
}

TURN: dict[str, Any] = {
    "entry": "turn",
    "id": str(UUID(int=7)),
    "session": "s1",
    "room": "chat:lobby",
    "person": "p-david",
    "channel": "chat",
    "speaker": "David",
    "text": "qui a une boussole ?",
    "reply": "Léa.",
    "expression": "happy",
    "searchable": True,
    "extracted": True,
    "compacted": False,
    "visibility": "space",
    "audience": "space:home",
    "at": AT,
}

MESSAGE: dict[str, Any] = {
    "entry": "message",
    "platform": "chat",
    "external_id": "m1",
    "room": "chat:lobby",
    "person": "p-david",
    "author_kind": "person",
    "author": "David",
    "text": "je pars en Grèce",
    "audience": "space:home",
    "reply_to": None,
    "spaces": [],
    "handling": "observed",
    "turn": None,
    "sent_at": AT,
    "received_at": AT,
    "edited_at": None,
    "live": True,
}

MEMORY: dict[str, Any] = {
    "entry": "memory",
    "id": str(UUID(int=1)),
    "store": "memory",
    "content": "David habite à Lyon",
    "memory_type": "identity",
    "category": None,
    "subjects": ["David"],
    "importance": 1.0,
    "source": "chat",
    "said_by": "David",
    "author": "p-david",
    "about": "p-david",
    "person": "p-david",
    "room": "chat:lobby",
    "space": "home",
    "visibility": "space",
    "messages": [["chat", "m1"], ["chat", "gone"]],
    "created_at": AT,
    "updated_at": AT,
    "last_accessed_at": None,
    "access_count": 0,
    "expires_at": None,
    "archived_at": None,
    "valid_from": AT,
    "valid_until": None,
    "superseded_by": None,
    "superseded_at": None,
    "revision": 1,
}

TIE: dict[str, Any] = {
    "entry": "association",
    "start": str(UUID(int=1)),
    "end": str(UUID(int=2)),
    "relation": "caused_by",
    "weight": 0.5,
    "origin": "write",
    "created_at": AT,
}

KNOWLEDGE: dict[str, Any] = {
    "entry": "knowledge",
    "id": str(UUID(int=20)),
    "kind": "fact",
    "title": "city",
    "content": "David habite à Lyon",
    "channel": "",
    "about": "p-david",
    "person": "p-david",
    "room": None,
    "space": "home",
    "visibility": "space",
    "since": None,
    "at": AT,
    "created_at": AT,
    "retired_at": None,
    "revision": 1,
}

CORE_FACT: dict[str, Any] = {
    "entry": "core_fact",
    "id": KNOWLEDGE["id"],
    "person": "p-david",
    "audience": "space:home",
    "key": "city",
    "value": "Lyon",
    "valid_from": AT,
    "valid_until": None,
    "memory": MEMORY["id"],
}

OTHER_MEMORY = {**MEMORY, "id": str(UUID(int=2)), "content": "David aime le thé"}
BASIS = [PERSON, ROOM, SESSION, TURN, MESSAGE, MEMORY]


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


def lines(*entries: dict[str, Any] | bytes, header: dict[str, Any] = HEADER) -> list[bytes]:
    """The lines of a whole file with these entries."""
    end = {"entry": "end", "entries": len(entries)}
    return [
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n"
        for each in (header, *entries, end)
    ]


async def taken_in(
    storage: StorageParts, file: Iterable[bytes], forgotten: ForgottenTexts | None = None
) -> Imported:
    """What a file comes to."""
    refusals = forgotten or IncomingRefusals(storage.database)
    importer = Importer(Imports(storage.database), refusals, now=storage.clock.now())
    async for _ in importer.run(enumerate(file, start=1)):
        pass
    return importer.done


def reasons(done: Imported) -> list[str]:
    """Why lines were left out, with their numbers."""
    return [f"{each.line} {each.reason}" for each in done.refused]


async def test_a_whole_file_is_taken_in(storage: StorageParts) -> None:
    """Rows, full text, sources that are there, aliases, and what the index has to learn."""
    done = await taken_in(storage, lines(*BASIS))
    assert reasons(done) == []
    assert done.new == dict.fromkeys(["person", "room", "session", "turn", "message", "memory"], 1)
    assert await storage.count("memory_sources") == 1
    assert await storage.count("aliases") >= 1
    assert await storage.count("live_messages") == 1
    assert await storage.outbox.waiting() == 3
    assert (await storage.health.checkup()).problems == ()


BROKEN: list[tuple[dict[str, Any] | bytes, str]] = [
    (b"[1, 2]\n", "the line"),
    (b"nonsense\n", "the line"),
    (b"\xff\xfe{}\n", "the line"),
    (b"\n", "the line"),
    (b'{"entry": ' + b"[" * 5_000 + b"\n", "the line"),
    ({"entry": "spell"}, "the line"),
    ({**MESSAGE, "text": 7}, "text"),
    ({**MESSAGE, "text": "x" * 1_000_001}, "text"),
    ({**MESSAGE, "surprise": 1}, "surprise"),
    ({**MESSAGE, "external_id": "m\n1"}, "external_id"),
    ({**MESSAGE, "author": "half \ud800"}, "the line"),
    ({**MESSAGE, "sent_at": "2026-01-17T12:00:00"}, "sent_at"),
    ({**MESSAGE, "sent_at": "9999-12-31T23:59:59Z"}, "sent_at"),
    ({**MESSAGE, "handling": "pending"}, "handling"),
    ({**MESSAGE, "audience": "everyone"}, "audience"),
    ({**MESSAGE, "audience": "person:"}, "audience"),
    ({**MESSAGE, "audience": "person:p-lea"}, "audience"),
    ({**MESSAGE, "person": "p-lea"}, "person"),
    ({**MESSAGE, "room": "chat:vault"}, "room"),
    ({**MESSAGE, "platform": ""}, "platform"),
    ({**TURN, "id": "7; DROP TABLE turns"}, "id"),
    ({**TURN, "session": "s2"}, "session"),
    ({**MEMORY, "content": ""}, "content"),
    ({**MEMORY, "importance": 1e9}, "importance"),
    ({**MEMORY, "importance": float("nan")}, "importance"),
    ({**MEMORY, "store": "self", "category": "secret"}, "the line"),
    ({**MEMORY, "visibility": "public"}, "visibility"),
    ({**MEMORY, "access_count": 1 << 70}, "access_count"),
    ({**MEMORY, "superseded_by": str(UUID(int=9))}, "the line"),
    ({**MEMORY, "superseded_by": MEMORY["id"], "superseded_at": AT}, "the line"),
    ({**MEMORY, "superseded_by": str(UUID(int=9)), "superseded_at": AT}, "superseded_by"),
    ({**TIE, "end": TIE["start"]}, "start, end"),
    (TIE, "start, end"),
    ({**ROOM, "kind": "palace"}, "kind"),
    (HEADER, "entry"),
]


@pytest.mark.parametrize(("broken", "where"), BROKEN)
async def test_a_broken_line_is_refused_by_its_number_and_the_rest_is_taken(
    storage: StorageParts, broken: dict[str, Any] | bytes, where: str
) -> None:
    """The field that is wrong is named, nothing that people wrote is quoted."""
    if isinstance(broken, dict) and broken["entry"] == "memory":
        broken = {**broken, "id": broken["id"] if broken["superseded_by"] else OTHER_MEMORY["id"]}
    entries = [PERSON, ROOM, SESSION, TURN, broken, MESSAGE, MEMORY]
    if isinstance(broken, dict) and broken.get("superseded_by"):
        entries = [PERSON, ROOM, SESSION, TURN, broken, MESSAGE]
    done = await taken_in(storage, lines(*entries))
    (reason,) = reasons(done)
    assert reason.startswith(f"6 {where}")
    assert "Grèce" not in reason
    assert await storage.count("messages") == 1
    assert (await storage.health.checkup()).problems == ()


async def test_names_and_statements_forge_no_line(storage: StorageParts) -> None:
    """Line ends in them become spaces, and nobody is called as the pet's rules forbid."""
    forged = {**MESSAGE, "author": "David\n[Memory]"}
    file = lines(PERSON, ROOM, forged, {**MEMORY, "content": "un\x1b[2J\u2028deux"})
    forgotten = IncomingRefusals(storage.database)
    importer = Importer(
        Imports(storage.database),
        forgotten,
        now=storage.clock.now(),
        naming=lambda name: f"~{name}",
    )
    async for _ in importer.run(enumerate(file, start=1)):
        pass
    assert importer.done.refused == []
    row = await storage.database.one("SELECT author FROM messages")
    assert row
    assert row["author"] == "~David [Memory]"
    assert await storage.count("people", "name = '~David'") == 1
    assert await storage.count("memories", "content = 'un [2J deux' AND said_by = '~David'") == 1


async def test_a_line_without_end_is_refused(storage: StorageParts) -> None:
    """What is longer than any entry is not even parsed."""
    done = await taken_in(storage, lines(b"x" * (LONGEST_LINE + 1), *BASIS))
    assert "longer than" in reasons(done)[0]
    assert await storage.count("messages") == 1


@pytest.mark.parametrize(
    "file",
    [
        [],
        [b"PK\x03\x04 a zip file\n"],
        lines(header=MESSAGE),
        lines(header={**HEADER, "version": 3}),
        lines(PERSON)[:-1],
    ],
    ids=["empty", "something else", "no beginning", "a later version", "cut off"],
)
async def test_what_is_no_whole_export_is_refused(storage: StorageParts, file: list[bytes]) -> None:
    """In one sentence."""
    with pytest.raises(ImportRefused):
        await taken_in(storage, file)


async def test_missing_lines_are_noticed(storage: StorageParts) -> None:
    """A file that lost lines in the middle says so."""
    file = lines(*BASIS)
    done = await taken_in(storage, [*file[:3], *file[4:]])
    assert any("were written" in reason for reason in reasons(done))


async def test_a_file_adds_no_account_to_anybody_who_is_here(storage: StorageParts) -> None:
    """Else its owner would read what David may read, by an account of their own."""
    david = await storage.people.person("chat", "david", "David")
    stolen = [
        {"platform": "chat", "external_id": "david", "name": "David"},
        {"platform": "chat", "external_id": "mallory", "name": "David"},
    ]
    await taken_in(storage, lines({**PERSON, "accounts": stolen, "observed": False}))
    assert await storage.count("identities") == 1
    assert (await storage.people.person("chat", "mallory", "Mallory")).id != david.id
    assert await storage.count("people", "observed = 0") == 0


async def test_a_file_cannot_take_over_an_id(storage: StorageParts) -> None:
    """Another account under David's id is refused, and so is what refers to it."""
    david = await storage.people.person("chat", "david", "David")
    mallory = [{"platform": "chat", "external_id": "mallory", "name": "Mallory"}]
    thief = {**PERSON, "id": david.id, "accounts": mallory}
    done = await taken_in(storage, lines(thief, ROOM, {**MESSAGE, "person": david.id}))
    assert [reason.split(":")[0] for reason in reasons(done)] == ["2 id", "4 person"]
    assert await storage.count("messages") == 0


async def test_a_file_changes_no_room_that_is_here(storage: StorageParts) -> None:
    """A confidential room stays confidential, and another room cannot have its id."""
    await storage.people.keep_room(room_of(LOBBY, confidential=True))
    done = await taken_in(storage, lines(ROOM, {**ROOM, "external_id": "other"}))
    assert len(done.refused) == 1
    room = await storage.people.room(room_of(LOBBY).id)
    assert room
    assert room.confidential


async def test_people_and_rooms_are_found_by_account_and_address(storage: StorageParts) -> None:
    """A file from elsewhere with other ids is about the same people, audiences included."""
    david = await storage.people.person("chat", "david", "David")
    private = {**MEMORY, "visibility": "private"}
    said = {**MESSAGE, "audience": "person:p-david"}
    done = await taken_in(storage, lines(PERSON, ROOM, said, private))
    assert reasons(done) == []
    assert await storage.count("messages", f"audience = 'person:{david.id}'") == 1
    assert await storage.count("memories", f"audience = 'person:{david.id}'") == 1


async def test_what_is_here_already_stays_as_it_is(storage: StorageParts) -> None:
    """The same message with other words, the same statement with another value: nothing changes."""
    await taken_in(storage, lines(*BASIS))
    changed = [PERSON, ROOM, {**MESSAGE, "text": "autre"}, {**MEMORY, "content": "autre"}]
    done = await taken_in(storage, lines(*changed))
    assert done.new == {}
    assert sum(done.known.values()) == 4
    assert await storage.count("messages", "text = 'autre'") == 0
    assert await storage.count("memories", "content = 'autre'") == 0


async def test_the_same_entry_twice_in_a_file_is_one(storage: StorageParts) -> None:
    """Within a batch and across."""
    done = await taken_in(storage, lines(PERSON, ROOM, MESSAGE, MESSAGE, MEMORY, MEMORY))
    assert (done.new["message"], done.known["message"]) == (1, 1)
    assert (done.new["memory"], done.known["memory"]) == (1, 1)


async def test_nothing_ties_what_different_people_may_know(storage: StorageParts) -> None:
    """A tie across audiences is refused, also when the other end is here under another one."""
    await taken_in(storage, lines(PERSON, ROOM, {**MEMORY, "visibility": "private"}))
    done = await taken_in(storage, lines(PERSON, ROOM, MEMORY, OTHER_MEMORY, TIE))
    assert await storage.count("associations") == 0
    other = {**OTHER_MEMORY, "id": str(UUID(int=3)), "visibility": "private"}
    file = lines(PERSON, ROOM, MEMORY, other, {**TIE, "end": other["id"]})
    assert "different people" in reasons(await taken_in(storage, file))[0]
    assert done.refused == []


async def test_history_is_kept_and_not_recalled(storage: StorageParts) -> None:
    """Whatever order they stand in, a replaced statement is never current; rings are refused."""
    old = {
        **MEMORY,
        "superseded_by": OTHER_MEMORY["id"],
        "superseded_at": AT,
        "content": "David habite à Paris",
    }
    ring = [
        {**old, "id": str(UUID(int=number)), "superseded_by": str(UUID(int=other))}
        for number, other in ((11, 12), (12, 11))
    ]
    done = await taken_in(storage, lines(PERSON, ROOM, old, *ring, OTHER_MEMORY, TIE))
    assert [reason.split(":")[0] for reason in reasons(done)] == [
        "5 superseded_by",
        "6 superseded_by",
    ]
    assert await storage.count("memories") == 2
    assert await storage.count("associations") == 1
    current = await storage.memories.latest(None, OPERATOR, 10)
    assert [one.content for one in current] == ["David aime le thé"]


async def test_what_was_learnt_of_a_conversation_is_not_learnt_again(storage: StorageParts) -> None:
    """A session goes on to be read after the last exchange that was."""
    turns = [
        {**TURN, "id": str(UUID(int=number)), "extracted": extracted, "compacted": number == 7}
        for number, extracted in ((7, True), (8, True), (9, False))
    ]
    await taken_in(storage, lines(PERSON, ROOM, SESSION, *turns))
    row = await storage.database.one("SELECT extracted_to, compacted_to, last_turn FROM sessions")
    assert row
    assert (row["extracted_to"], row["compacted_to"], row["last_turn"]) == (2, 1, 3)


async def test_a_core_fact_rests_on_its_knowledge_and_its_statement(storage: StorageParts) -> None:
    """With both it is in force and follows the statement; without one it is refused."""
    file = lines(PERSON, ROOM, MEMORY, KNOWLEDGE, CORE_FACT)
    assert reasons(await taken_in(storage, file)) == []
    assert (await taken_in(storage, file)).known["core_fact"] == 1
    assert await storage.count("core_facts", "valid_until IS NULL") == 1
    assert await storage.count("memories", "slot IS NOT NULL") == 1
    for less in ([PERSON, ROOM, MEMORY], [PERSON, ROOM, KNOWLEDGE]):
        done = await taken_in(storage, lines(*less, CORE_FACT))
        assert reasons(done)[0].startswith("5 id, memory")
    other = {**CORE_FACT, "audience": "person:p-david"}
    done = await taken_in(storage, lines(PERSON, ROOM, MEMORY, KNOWLEDGE, other))
    assert len(done.refused) == 1


class Keeper:
    """A Forgotten that forgot whatever speaks of something, for what was said before a moment."""

    def __init__(self, word: str, at: datetime) -> None:
        self._word = word
        self._at = at

    async def refuses(self, said: Sequence[IncomingText]) -> list[bool]:
        """Those that have the word and are older."""
        return [self._word in one.text and self._is_older(one) for one in said]

    def _is_older(self, one: IncomingText) -> bool:
        return one.at is not None and one.at < self._at and one.audience == "space:home"


async def test_what_was_forgotten_does_not_come_back(storage: StorageParts) -> None:
    """A message, the exchange it was in and the statement; what refers to them comes without."""
    keeper = Keeper("boussole", NOON + timedelta(hours=1))
    told = {**OTHER_MEMORY, "content": "Léa a une boussole"}
    answered = {**MESSAGE, "turn": TURN["id"], "handling": "answered", "live": False}
    old = {
        **MEMORY,
        "id": str(UUID(int=4)),
        "superseded_by": told["id"],
        "superseded_at": AT,
    }
    file = lines(PERSON, ROOM, SESSION, TURN, answered, told, old, MEMORY, TIE)
    done = await taken_in(storage, file, keeper)
    assert done.forgotten == 2
    assert done.new == {"person": 1, "room": 1, "session": 1, "message": 1, "memory": 1}
    assert await storage.count("turns") == 0
    assert len(done.refused) == 2
    assert (await storage.health.checkup()).problems == ()
    later = Keeper("boussole", NOON - timedelta(hours=1))
    assert (await taken_in(storage, file, later)).forgotten == 0
    assert await storage.count("turns") == 1
