"""The messages of all rooms: each is stored once, before anything else is done with it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory.language.parts.reading import own_words
from memory.language.parts.spoken import spoken_in, with_spoken
from memory.language.text import search_text
from memory.language.times.zones import zone_name
from memory.model.audience import Audience, Origin, Scope, audience_of
from memory.model.clock import not_later
from memory.model.messages import (
    Arrival,
    AuthorKind,
    Handling,
    Message,
    MessageId,
    ReactionChange,
    Reworded,
    Unanswered,
)
from memory.model.people import Person, PersonId
from memory.model.rooms import RoomId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.rules.forgetting.tombstones import IncomingText
from memory.statements.readings.whereabouts import zone_told_in
from memory.storage.conversations import reactions
from memory.storage.conversations.brought import forgotten_by_author, heard_before
from memory.storage.conversations.edits import (
    forget_unfounded,
    is_found,
    observe_again,
    read_again,
    retell,
    take_back,
)
from memory.storage.forgetting.erasure import unquote
from memory.storage.forgotten.tombstones import refused
from memory.storage.forgotten.value_marks import SaidText, unmarked
from memory.storage.people.aliases import keep_spoken
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    columns_of,
    json_list,
    millis,
    queries,
    row_as,
)
from memory.tasks import paced

_SQL = queries("conversations/messages")


class Messages(TimedTable):
    """The messages table with its full-text index, and the live rows of observed messages.

    `voices_came` is set when one was stored that is to be listened to.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self.voices_came = asyncio.Event()

    async def accept(self, arrivals: Sequence[Arrival]) -> list[MessageId | None]:
        """Store messages in one transaction; the result has None for one that was stored before.

        It has None as well for a message that was said before the same was forgotten: a row without
        words keeps its id known. Forgotten values are masked in the words of others, and known
        again once their owner states them.

        Raises:
            StorageFailed: nothing of the batch was stored.

        """
        at = self._clock.now()
        now = millis(at)
        arrivals = [replace(one, sent_at=not_later(one.sent_at, at)) for one in arrivals]

        rows = [
            _row(one, now) async for one in paced(arrivals)
        ]  # stemming takes time: not in there

        async def work(transaction: Transaction) -> list[MessageId | None]:
            heard = await heard_before(transaction, arrivals, rows)
            new = [place for place in range(len(rows)) if place not in heard]
            ids = await _accept_new(
                transaction, [arrivals[one] for one in new], [rows[one] for one in new], now
            )
            accepted = dict(zip(new, ids, strict=True))
            return [accepted.get(place) for place in range(len(rows))]

        stored = await self._database.write(work)
        if any(arrival.voice is not None for arrival in arrivals):
            self.voices_came.set()
        return stored

    async def forgotten_among(self, arrivals: Sequence[Arrival]) -> int:
        """How many of these messages were forgotten or withdrawn: their rows have no words."""
        keys = json_list([arrival.platform, arrival.external_id] for arrival in arrivals)
        row = await self._database.one(_SQL["without_words"], {"keys": keys})
        return int(row["messages"]) if row else 0

    async def is_known_beyond(self, platform: str, external_id: str, audience: Audience) -> bool:
        """Whether a message is stored for another audience than this one."""
        found = await self._database.one(_SQL["find"], _key(platform, external_id))
        return found is not None and found["audience"] != audience

    async def edit(self, platform: str, external_id: str, words: str) -> Reworded | None:
        """Apply an edit to all that was made of a message; None if nothing changed or it is new.

        What was learnt from the old words alone is forgotten, and the next digest or extraction
        reads the new ones. The exchange that answered the message has the new words, and searches
        find it by them, unless something that was learnt in it is forgotten now: its answer may
        tell of that.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Reworded | None:
            found = await transaction.one(_SQL["find"], _key(platform, external_id))
            if found is None:
                return None
            said = with_spoken(words, spoken_in(found["text"]))
            (text,) = await unmarked(transaction, [_edited(found, said, now)])
            if found["text"] == text:
                return None
            if found["handling"] == Handling.OBSERVED:
                await unquote(transaction, [f"live:{UUID(int=found['id'])}@"], now)
            await transaction.run(
                _SQL["edit"],
                {
                    "id": found["id"],
                    "text": text,
                    "search_text": search_text(text),
                    "now": millis(now),
                    "zone": told_zone(text),
                },
            )
            await learn_anew(transaction, found, now)
            return Reworded(MessageId(found["id"]), said)

        return await self._database.write(work)

    async def react(self, change: ReactionChange) -> bool:
        """Replace the emoji of an account at a message; returns whether the message is known."""
        return await reactions.changed(self._database, change, millis(self._clock.now()))

    async def withdraw(self, platform: str, external_id: str) -> MessageId | None:
        """Apply a deletion to all that was made of a message; None if the message is unknown.

        Its text goes from the row, from full text, from live rows and from the exchange that
        answered it. Statements that rest on no other message are forgotten, and answers to others
        no longer quote it.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> MessageId | None:
            found = await transaction.one(_SQL["find"], _key(platform, external_id))
            if found is None:
                return None
            message = MessageId(found["id"])
            await take_back(transaction, message, found["turn_id"], now)
            return message

        return await self._database.write(work)

    async def unanswered(self, younger_than: timedelta) -> list[Unanswered]:
        """The messages that wait for an answer; older ones are marked as stale."""
        before = millis(self._clock.now() - younger_than)

        async def work(transaction: Transaction) -> list[Row]:
            await transaction.run(_SQL["stale"], {"before": before})
            return await transaction.all(_SQL["pending"], {"message": None})

        return [_unanswered(row) for row in await self._database.write(work)]

    async def unanswered_one(self, message: MessageId) -> Unanswered | None:
        """A message, if it waits for an answer."""
        row = await self._database.one(_SQL["pending"], {"message": message})
        return None if row is None else _unanswered(row)

    async def by_external_id(self, platform: str, external_id: str) -> Message | None:
        """The message a platform id names, unless it is gone."""
        row = await self._database.one(_SQL["by_external_id"], _key(platform, external_id))
        return None if row is None else message_of(row)

    async def recent(self, room: RoomId, limit: int) -> list[Message]:
        """The last `limit` messages of a room, oldest first."""
        rows = await self._database.all(_SQL["recent"], {"room": room, "limit": limit})
        return [message_of(row) for row in rows]

    async def visible(self, ids: Sequence[MessageId], scope: Scope) -> list[Message]:
        """Those of `ids` that still exist and that the scope allows."""
        values = {"ids": json_list(ids), "audiences": audiences(scope)}
        return [message_of(row) for row in await self._database.all(_SQL["visible"], values)]

    async def withdrawn(self, ids: Sequence[MessageId], scope: Scope) -> frozenset[MessageId]:
        """Those of `ids` that their authors took back, where the scope allows them."""
        values = {"ids": json_list(ids), "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["withdrawn"], values)
        return frozenset(MessageId(row["id"]) for row in rows)


async def add_messages(
    transaction: Transaction, arrivals: Sequence[Arrival], now: int
) -> list[MessageId | None]:
    """Insert messages with their live rows inside a transaction; None for known ones."""
    return await _add_rows(transaction, arrivals, [_row(arrival, now) for arrival in arrivals])


async def _accept_new(
    transaction: Transaction, arrivals: Sequence[Arrival], rows: Sequence[dict[str, Any]], now: int
) -> list[MessageId | None]:
    """Insert messages as `accept` says, all but those that a file told and that were heard."""
    buried = await refused(transaction, list(map(_said, arrivals, rows)))
    own = await forgotten_by_author(transaction, arrivals)
    forgotten = [gone or place in own for place, gone in enumerate(buried)]
    texts = await unmarked(transaction, list(map(_by, arrivals, rows)))
    kept = [
        _without_words(row, now) if gone else _reworded(row, text)
        for row, gone, text in zip(rows, forgotten, texts, strict=True)
    ]
    ids = await _add_rows(transaction, _unforgotten(arrivals, forgotten), kept)
    return [None if gone else id_ for id_, gone in zip(ids, forgotten, strict=True)]


async def learn_anew(transaction: Transaction, found: Row, now: datetime) -> None:
    """Forget what rests on the old words of a message alone, and have the new ones read.

    Where nothing reads them again, as with a typed command, what was done with the old ones stays.
    """
    is_observed = found["handling"] == Handling.OBSERVED
    was_found = await is_found(transaction, found["turn_id"])
    if is_observed or found["turn_id"] is not None:
        await forget_unfounded(transaction, found["id"], now)
    if is_observed:
        await observe_again(transaction, found["id"])
    if found["turn_id"] is not None:
        await read_again(transaction, found["turn_id"])
        await retell(transaction, found["turn_id"], was_found=was_found)


async def _add_rows(
    transaction: Transaction, arrivals: Sequence[Arrival], rows: Sequence[dict[str, Any]]
) -> list[MessageId | None]:
    keys = {"keys": json_list([arrival.platform, arrival.external_id] for arrival in arrivals)}
    known = {(row[0], row[1]) for row in await transaction.all(_SQL["known"], keys)}
    await transaction.many(_SQL["add"], rows)
    await keep_spoken(transaction, rows)
    ids = {
        (row["platform"], row["external_id"]): MessageId(row["id"])
        for row in await transaction.all(_SQL["ids_of"], keys)
    }
    fresh: list[MessageId | None] = []
    for arrival in arrivals:
        key = (arrival.platform, arrival.external_id)
        fresh.append(None if key in known else ids[key])
        known.add(key)
    await _observe(transaction, arrivals, fresh)
    await _await_words(transaction, arrivals, fresh)
    return fresh


async def _observe(
    transaction: Transaction, arrivals: Sequence[Arrival], ids: Sequence[MessageId | None]
) -> None:
    observed = [
        message
        for arrival, message in zip(arrivals, ids, strict=True)
        if message is not None
        and arrival.handling is Handling.OBSERVED
        and arrival.brought is None  # it is read with the rest of its file
    ]
    if observed:
        await observe(transaction, observed)


async def observe(transaction: Transaction, messages: Sequence[MessageId]) -> None:
    """Add live rows for observed messages, inside a transaction."""
    await transaction.run(_SQL["observe"], {"ids": json_list(messages)})
    await announce(transaction, Collection.LIVE, [UUID(int=message) for message in messages])


async def _await_words(
    transaction: Transaction, arrivals: Sequence[Arrival], ids: Sequence[MessageId | None]
) -> None:
    """Note which new messages are to be listened to."""
    rows = [
        {"message": message, **columns_of(arrival.voice)}
        for arrival, message in zip(arrivals, ids, strict=True)
        if message is not None and arrival.voice is not None
    ]
    if rows:
        await transaction.many(_SQL["add_voice"], rows)


def _row(arrival: Arrival, now: int) -> dict[str, Any]:
    brought = arrival.brought
    origin = Origin(
        visibility=arrival.room.visibility,
        person=arrival.person,
        room=arrival.room.id,
        space=arrival.room.space,
    )
    return {
        **columns_of(arrival),
        "room": arrival.room.id,
        "search_text": search_text(arrival.text),
        "audience": audience_of(origin) if brought is None else brought.audience,
        "brought_by": None if brought is None else brought.by,
        "received_at": now,
        "deleted_at": None,
        "zone": _zone(arrival),
    }


def _zone(arrival: Arrival) -> str | None:
    if arrival.author_kind is not AuthorKind.PERSON:
        return None
    return told_zone(arrival.text) or arrival.zone


def told_zone(text: str) -> str | None:
    """The name of the time zone of the place where the author says they are."""
    zone = zone_told_in(own_words(text))
    return None if zone is None else zone_name(zone)


def _said(arrival: Arrival, row: dict[str, Any]) -> IncomingText:
    return IncomingText(text=arrival.text, audience=row["audience"], at=arrival.sent_at)


def _by(arrival: Arrival, row: dict[str, Any]) -> SaidText:
    return SaidText(
        text=arrival.text, audience=row["audience"], person=arrival.person, at=arrival.sent_at
    )


def _edited(found: Row, words: str, now: datetime) -> SaidText:
    person = None if found["person_id"] is None else PersonId(found["person_id"])
    return SaidText(text=words, audience=Audience(found["audience"]), person=person, at=now)


def _reworded(row: dict[str, Any], text: str) -> dict[str, Any]:
    return row if text == row["text"] else {**row, "text": text, "search_text": search_text(text)}


def _without_words(row: dict[str, Any], now: int) -> dict[str, Any]:
    """The row of a message that was forgotten before it came in."""
    return {
        **row,
        "author": "",
        "text": "",
        "search_text": "",
        "handling": Handling.KEPT,
        "deleted_at": now,
    }


def _unforgotten(arrivals: Sequence[Arrival], forgotten: Sequence[bool]) -> list[Arrival]:
    """The same messages, of which the forgotten ones are not to be observed."""
    return [
        replace(arrival, handling=Handling.KEPT, voice=None) if gone else arrival
        for arrival, gone in zip(arrivals, forgotten, strict=True)
    ]


def _key(platform: str, external_id: str) -> dict[str, str]:
    return {"platform": platform, "external_id": external_id}


def message_of(row: Row) -> Message:
    """The message a row holds."""
    return row_as(
        Message, row, room=row["room_id"], person=row["person_id"], words=row["search_text"]
    )


def _unanswered(row: Row) -> Unanswered:
    person = row_as(Person, row, id=row["person_id"], name=row["author"])
    return row_as(Unanswered, row, message=message_of(row), person=person)
