"""Lines of a history as the messages they were: the same line has the same id, file after file."""

import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from hashlib import sha256

from bot.model.events import Attachment, AuthorRef, Edited, Inbound, RoomRef
from bot.transfer.history.model import HistoryLine, LineKind
from memory.model.audience import Audience
from memory.model.histories import HISTORY, Brought, ImportId
from memory.model.parts import Part, PartSource
from memory.model.people import AccountId, PersonId

MOST_KEPT = 50_000
"""Lines whose likes are counted, at least: equal ones of one minute are never farther off."""

SPOKEN = frozenset({LineKind.SAID, LineKind.FORWARDED})
"""Kinds of lines that are kept as messages; bots and the program state nothing."""

AuthorKey = tuple[str, str]
"""The name of an author as a file gives it, and the platform's id of their account or ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPlace:
    """Where a file goes: its room, who may know it, and how its moments and ids are read.

    `has_ids`: the room is the platform's own, so that its ids are those of messages heard there,
    each after `id_prefix` where a platform numbers the messages of each room anew.
    """

    room: RoomRef
    audience: Audience
    platform: str
    zone: tzinfo
    has_ids: bool = False
    id_prefix: str = ""


def author_key(line: HistoryLine) -> AuthorKey:
    """Who wrote a line, as far as the file tells them apart."""
    return line.author, line.author_id


def moment_of(line: HistoryLine, zone: tzinfo) -> datetime:
    """When a line was said, in UTC; a moment without a zone is in that of its file."""
    aware = line.at if line.at.tzinfo else line.at.replace(tzinfo=zone)
    return aware.astimezone(UTC)


def account_of(key: AuthorKey, place: HistoryPlace) -> AuthorRef:
    """The account of an author: the platform's, or where the file has no ids one of files alone."""
    name, id_ = key
    if id_:
        return AuthorRef(platform=place.platform, external_id=id_, name=name)
    return file_account(key, place)


def file_account(key: AuthorKey, place: HistoryPlace) -> AuthorRef:
    """The account of an author that files alone tell of: no channel can have it.

    A known person gets this one by their name. With that of the platform, its real owner would
    read what the person told the pet alone.
    """
    name, id_ = key
    if id_:
        external_id = hidden_id(place.platform, id_)
    else:
        external_id = _hashed(place.platform, place.room.external_id, name)
    return AuthorRef(platform=HISTORY, external_id=external_id, name=name)


def account_beside(account: AuthorRef, person: PersonId) -> AuthorRef:
    """An account of files for a person who is chosen where `account` is another person's."""
    return replace(account, external_id=f"chosen-{_hashed(account.external_id, person)}")


def hidden_id(platform: str, id_: str) -> str:
    """The id, among the accounts of files, of an account of a platform: the same in every file.

    It names the platform, so that a list of accounts tells them apart.
    """
    return f"{platform}-{_hashed(platform, id_)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAuthor:
    """The person who an author is; `account` is as in `Brought`."""

    person: PersonId
    account: AccountId | None = None


class HistoryInbounds:
    """Makes messages of the lines of one file, in order; `people` are the authors who are known.

    Every line must be handed in, those too that were taken in before: equal ones are told apart by
    how many came before.
    """

    def __init__(
        self, by: ImportId, place: HistoryPlace, people: Mapping[AuthorKey, KnownAuthor]
    ) -> None:
        self._by = by
        self._place = place
        self._people = people
        self._recent = dict[str, int]()
        self._before = dict[str, int]()

    def of(self, line: HistoryLine) -> Inbound | Edited:
        """The message of a line, or the new words of an earlier one."""
        author = account_of(author_key(line), self._place)
        if line.edits:
            return Edited(
                platform=author.platform,
                external_id=self._named(line.edits, author),
                text=line.text,
                room=self._place.room,
                parts=_parts(line),
            )
        at = moment_of(line, self._place.zone)
        key = _hashed(
            self._place.room.platform,
            self._place.room.external_id,
            author.account,
            at.isoformat(),
            line.text,
        )
        ordinal = self._ordinal(key)
        is_forwarded = line.kind is LineKind.FORWARDED
        known = self._people.get(author_key(line))
        return Inbound(
            external_id=self._named(line.id, author) if line.id else f"{key}:{ordinal}",
            room=self._place.room,
            author=author,
            text="" if is_forwarded else line.text,
            sent_at=at,
            reply_to=self._named(line.reply_to, author) if line.reply_to else None,
            attachments=tuple(map(_attachment, line.files)),
            parts=_parts(line),
            brought=Brought(
                by=self._by,
                audience=self._place.audience,
                person=known.person if known else None,
                account=known.account if known else None,
                ordinal=self._ordinal(_minute(author, at, line.text)),
            ),
        )

    def stated(self, line: HistoryLine) -> str:
        """The key of a statement that another memory kept; whose it is taken for changes nothing.

        Nor does its moment: where a format has none it is that of the file.
        """
        room, author = self._place.room, account_of(author_key(line), self._place)
        told = ("statement", author.account, line.id, line.text)
        key = _hashed(room.platform, room.external_id, *told)
        return f"{key}:{self._ordinal(key)}"

    def _named(self, id_: str, author: AuthorRef) -> str:
        """The id of a message: the platform's in its own room, else one of this room's alone."""
        if not self._place.has_ids or author.platform != self._place.platform:
            room = self._place.room
            return _hashed(room.platform, room.external_id, "id", self._place.platform, id_)
        return f"{self._place.id_prefix}{id_.removeprefix(self._place.id_prefix)}"

    def _ordinal(self, key: str) -> int:
        """How many equal ones came before; plain dicts of text are nothing to a collection."""
        count = self._recent.get(key) or self._before.get(key, 0)
        self._recent[key] = count + 1
        if len(self._recent) > MOST_KEPT:
            self._before, self._recent = self._recent, {}
        return count


def _minute(author: AuthorRef, at: datetime, text: str) -> str:
    return _hashed("minute", author.account, f"{at:%Y%m%d%H%M}", text)


def _parts(line: HistoryLine) -> tuple[Part, ...]:
    """Others' words in a line: forwarded, or quoted above a reply."""
    if line.kind is LineKind.FORWARDED:
        said = Part(source=PartSource.FORWARDED, text=line.text, author=line.forwarded_from)
        return (said,)
    return (Part(source=PartSource.QUOTED, text=line.quoted),) if line.quoted else ()


def _attachment(name: str) -> Attachment:
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Attachment(name=name, media_type=media, size=0, url="")


def _hashed(*parts: str) -> str:
    """A key of these; no words stand in it."""
    text = json.dumps(parts, ensure_ascii=False).encode("utf-8", "replace")
    return sha256(text).hexdigest()[:32]
