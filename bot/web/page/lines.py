"""How a message is drawn: the same piece of HTML when a room is opened and when it is said."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from zlib import crc32
from zoneinfo import ZoneInfo

from bot.channels.local.ports import Shown, ShownReaction, TranscriptLine
from bot.conversation.kept_notes import MOST_ROWS
from bot.model.events import AuthorRef
from bot.surfaces.pages.rendering import filled
from bot.surfaces.texts import web_texts
from bot.texts.provenance import SHOWN_ID
from bot.texts.sanitizing import extract, on_page
from bot.web.page.markdown import MOST_CACHED, words_html
from memory.language.parts.telling import as_shown
from memory.model.listing import KeptStatement
from memory.model.messages import AuthorKind

BREATH = timedelta(minutes=5)
"""Silence after which the same author is named again."""

HUES = 12
"""Colours that people have; a style of the page stands for each."""

LONG = 900
"""Characters from which a message may be higher than its box, which the keyboard then scrolls."""

MOST_NAMES = 20
"""The most names shown of those who reacted to a message with an emoji."""

_AT_ONCE = 20
"""Lines drawn before others have their turn: some milliseconds, most of them remembered."""


class Lines:
    """Draws messages for the readers of one language."""

    def __init__(self, language: str, pet_name: str, zone: ZoneInfo) -> None:
        self._look = (language, pet_name, zone)

    def html(self, shown: Shown, slot: str, *, joined: bool = False) -> str:
        """One message of a room; `joined` continues the one above it, by the same author."""
        draw = _remembered if len(shown.text) <= MOST_CACHED else _drawn
        return draw(shown, slot, joined, *self._look)

    def reactions(self, reactions: Sequence[ShownReaction], slot: str, key: str) -> str:
        """What people put to a message of a room: nothing where it is nothing."""
        return filled(
            "page/reactions.html",
            t=web_texts(self._look[0]).say,
            reactions=reactions,
            named=_named(reactions),
            slot=slot,
            key=key,
        )

    async def history(
        self, lines: Sequence[TranscriptLine], slot: str, reader: AuthorRef
    ) -> list[str]:
        """Messages that were said before in a room, as their reader sees them."""
        drawn, before = list[str](), None
        for number, shown in enumerate(one.read_by(reader.account) for one in lines):
            drawn.append(self.html(shown, slot, joined=continues(shown, before)))
            before = shown
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
        return drawn


def continues(shown: Shown, before: Shown | None) -> bool:
    """Whether a message goes on where its author stopped, within a breath."""
    return (
        before is not None
        and shown.kind is not AuthorKind.SYSTEM
        and shown.quoted is None
        and (shown.kind, shown.author) == (before.kind, before.author)
        and timedelta(0) <= shown.sent_at - before.sent_at <= BREATH
    )


def _named(reactions: Sequence[ShownReaction]) -> list[str]:
    """The names of each reaction, as many as one reads."""
    return [
        ", ".join(one.names[:MOST_NAMES]) + (", …" if len(one.names) > MOST_NAMES else "")
        for one in reactions
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A statement of a note as it is drawn, and what people call it by."""

    id: str
    content: str
    old: str


def _note(kept: Sequence[KeptStatement]) -> list[NoteRow]:
    return [
        NoteRow(
            id=one.id.hex[:SHOWN_ID],
            content=on_page(extract(one.content)),
            old=on_page("; ".join(map(extract, one.replaced))),
        )
        for one in kept[:MOST_ROWS]
    ]


def _drawn(  # noqa: PLR0917 - a key of what is remembered
    shown: Shown,
    slot: str,
    joined: bool,  # noqa: FBT001 - as above
    language: str,
    pet: str,
    zone: ZoneInfo,
) -> str:
    texts = web_texts(language)
    return filled(
        "page/line.html",
        t=texts.say,
        pet=pet,
        shown=shown,
        slot=slot,
        key=shown.key,
        reactions=shown.reactions,
        named=_named(shown.reactions),
        joined=joined,
        words=words_html(_read_in(language, shown.text)),
        note=_note(shown.kept),
        more=len(shown.kept) - MOST_ROWS,
        hue=crc32(shown.author.casefold().encode()) % HUES,
        initial=shown.author[:1].upper(),
        clock=shown.sent_at.astimezone(zone).strftime("%H:%M"),
        long=len(shown.text) > LONG or shown.text.count("\n") > LONG // 80,
        quoted_text="" if shown.quoted is None else on_page(_read_in(language, shown.quoted.text)),
    )


def _read_in(language: str, text: str) -> str:
    """A message with its notes as readers of this language see them."""
    return as_shown(text, "fr" if language == "fr" else "en")


_remembered = lru_cache(maxsize=2048)(_drawn)
"""Many people read the same lines, in few languages."""
