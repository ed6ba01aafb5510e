"""What a message says, from the content of its event. Pure.

Anybody may write anything into a content: what is not of the documented kind is taken for absent.
https://spec.matrix.org/v1.16/client-server-api/#instant-messaging names the fields.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass

from bot.channels.matrix.service.json_values import (
    Json,
    as_map,
    map_in,
    maps_in,
    number_in,
    text_in,
    texts_in_list,
)
from bot.model.events import Attachment
from memory.model.parts import NoteKind, Part, PartSource

_FILES = {
    "m.image": NoteKind.PHOTO,
    "m.file": NoteKind.DOCUMENT,
    "m.audio": NoteKind.AUDIO,
    "m.video": NoteKind.VIDEO,
    "m.sticker": NoteKind.STICKER,
}
_POLLS = frozenset({"m.poll.start", "org.matrix.msc3381.poll.start"})
_WORDLESS = frozenset({"", "m.location", "m.key.verification.request"})
_VOICE = "org.matrix.msc3245.voice"
"""What clients mark a voice note by."""

REPLACES = "m.replace"
ANNOTATES = "m.annotation"
THREAD = "m.thread"

LONGEST_FALLBACK = 20_000
"""Characters of a quoted message in front of an answer; what is longer is no quote."""

_COMMAND = re.compile(r"!(?=[^\W\d_])")
_MXC = re.compile(r"mxc://([^/\s?#]+)/([A-Za-z0-9_=.~-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PetAccount:
    """The pet's account, its name, and the first words of its commands."""

    user_id: str
    name: str
    commands: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRelation:
    """What an event hangs on: `replaces` it, `annotates` it, stands in its `thread`, `answers`."""

    replaces: str | None = None
    annotates: str | None = None
    thread: str | None = None
    answers: str | None = None


def relation_of(content: Json) -> EventRelation:
    """What a content hangs on.

    In a thread, a client without threads shows it as an answer to the last message: that
    stands in for the thread and answers nothing.
    """
    about = map_in(content, "m.relates_to")
    kind, event = text_in(about, "rel_type"), text_in(about, "event_id") or None
    answers = text_in(map_in(about, "m.in_reply_to"), "event_id") or None
    if kind == REPLACES:
        return EventRelation(replaces=event)
    if kind == ANNOTATES:
        return EventRelation(annotates=event)
    if kind == THREAD and event is not None:
        stands_in = about.get("is_falling_back") is True
        return EventRelation(thread=event, answers=None if stands_in else answers)
    return EventRelation(answers=answers)


def is_notice(content: Json) -> bool:
    """Whether a program says this, which no program should answer."""
    return text_in(content, "msgtype") == "m.notice"


def new_content(content: Json) -> Json:
    """What a message says after the edit that has this content."""
    return map_in(content, "m.new_content")


def text_of(kind: str, content: Json, pet: PetAccount) -> str:
    """What the author of a message typed; "" where they typed nothing."""
    message = text_in(content, "msgtype")
    if message in _FILES or kind == "m.sticker":
        return _caption(content)
    if kind in _POLLS or message in _WORDLESS:
        return ""
    said = _said(content, pet)
    return f"* {said}" if message == "m.emote" else said


def parts_of(kind: str, content: Json) -> tuple[Part, ...]:
    """A place or a poll, which is no file and no words."""
    if kind in _POLLS:
        asked = _asked(map_in(content, kind) or map_in(content, "m.poll"))
        return (Part(source=PartSource.NOTE, text=asked, note=NoteKind.POLL),)
    if text_in(content, "msgtype") == "m.location":
        named = " ".join(filter(None, (text_in(content, "body"), text_in(content, "geo_uri"))))
        return (Part(source=PartSource.NOTE, text=named, note=NoteKind.PLACE),)
    return ()


def attachments_of(kind: str, content: Json) -> tuple[Attachment, ...]:
    """The file of a message: its name, and where it is."""
    called = kind if kind == "m.sticker" else text_in(content, "msgtype")
    if called not in _FILES:
        return ()
    info = map_in(content, "info")
    file = map_in(content, "file")
    is_voice = called == "m.audio" and _VOICE in content
    return (
        Attachment(
            name=text_in(content, "filename") or text_in(content, "body"),
            media_type=text_in(info, "mimetype"),
            size=max(0, number_in(info, "size", 0)),
            url=file_address(text_in(file, "url") or text_in(content, "url"), file),
            kind=NoteKind.VOICE if is_voice else _FILES[called],
            seconds=max(0, number_in(info, "duration", 0)) / 1000,
        ),
    )


def mentions_pet(content: Json, pet: PetAccount) -> bool:
    """Whether a message calls the pet's account.

    Where a client says whom it mentions, the words do not count; older ones only write the id.
    """
    if "m.mentions" in content:
        return pet.user_id in texts_in_list(map_in(content, "m.mentions"), "user_ids")
    written = (text_in(content, "body"), text_in(content, "formatted_body"))
    return any(_names(one, pet.user_id) for one in written)


def file_address(url: str, file: Json) -> str:
    """Where a file is, with what opens it if it is encrypted."""
    if not file:
        return url
    keys = json.dumps({one: file[one] for one in ("key", "iv", "hashes") if one in file})
    return f"{url}#{urlsafe_b64encode(keys.encode()).decode()}"


def parts_of_address(address: str) -> tuple[str, str, Json] | None:
    """The server, the id and what opens the file; None where it is no address of Matrix."""
    url, _, keys = address.partition("#")
    found = _MXC.fullmatch(url)
    if found is None:
        return None
    try:
        file = json.loads(urlsafe_b64decode(keys.encode())) if keys else {}
    except ValueError:
        return None
    return found[1], found[2], as_map(file)


def command_line(text: str, commands: Collection[str]) -> str:
    """The text with a slash where it calls a command by an exclamation mark.

    Many clients keep lines that begin with a slash for commands of their own.
    """
    if not _COMMAND.match(text):
        return text
    first = text[1:].split(maxsplit=1)[0].lower()
    return f"/{text[1:]}" if first in commands else text


def _said(content: Json, pet: PetAccount) -> str:
    """The body, without the quote in front of an answer, and the pet by its name."""
    body = text_in(content, "body")
    if relation_of(content).answers is not None:
        body = _without_quote(body)
    return command_line(body.replace(pet.user_id, pet.name), pet.commands)


def _without_quote(body: str) -> str:
    """What stands below the lines that older clients quote; the quote begins with its author."""
    if not body.startswith(("> <", "> * <")):
        return body
    lines = body[:LONGEST_FALLBACK].split("\n")
    quoted = next((at for at, line in enumerate(lines) if not line.startswith(">")), len(lines))
    return "\n".join(lines[quoted:]).lstrip("\n") + body[LONGEST_FALLBACK:]


def _caption(content: Json) -> str:
    """What is said with a file: the body, where the name of the file stands elsewhere."""
    body, name = text_in(content, "body"), text_in(content, "filename")
    return body if name and body != name else ""


def _asked(poll: Json) -> str:
    question = map_in(poll, "question")
    texts = [text_in(one, "body") for one in maps_in(question, "m.text")]
    asked = text_in(question, "org.matrix.msc1767.text") or text_in(question, "body")
    return next(filter(None, (asked, *texts)), "")


def _names(written: str, user: str) -> bool:
    """Whether a text has an id in it, or a link to it; a longer one that begins so is another."""
    plain = written.replace("%40", "@").replace("%3A", ":").replace("%3a", ":")
    at = plain.find(user)
    while at >= 0:
        after = plain[at + len(user) : at + len(user) + 1]
        if not (after.isalnum() or after in {"-", "_"} or after == "."):
            return True
        at = plain.find(user, at + 1)
    return False
