"""How a message is drawn: the same piece of HTML when a room is opened and when it is said."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from zlib import crc32
from zoneinfo import ZoneInfo

from bot.channels.local.ports import Shown, TranscriptLine
from bot.model.events import AuthorRef
from bot.texts.sanitizing import on_page
from bot.web.page.markdown import MOST_CACHED, words_html
from bot.web.rendering import filled
from bot.web.texts import web_texts
from memory.model.messages import AuthorKind

BREATH = timedelta(minutes=5)
"""Silence after which the same author is named again."""

HUES = 12
"""Colours that people have; a style of the page stands for each."""

LONG = 900
"""Characters from which a message may be higher than its box, which the keyboard then scrolls."""

_AT_ONCE = 20
"""Lines drawn before others have their turn: some milliseconds, most of them remembered."""


class Lines:
    """Draws messages for the readers of one language."""

    def __init__(self, language: str, pet_name: str, zone: ZoneInfo) -> None:
        self._look = (language, pet_name, zone)

    def html(self, shown: Shown, *, joined: bool = False) -> str:
        """One message; `joined` continues the one above it, by the same author."""
        draw = _remembered if len(shown.text) <= MOST_CACHED else _drawn
        return draw(shown, joined, *self._look)

    async def history(self, lines: Sequence[TranscriptLine], reader: AuthorRef) -> list[str]:
        """Messages that were said before, as their reader sees them."""
        drawn, before = list[str](), None
        for number, shown in enumerate(_read_by(lines, reader)):
            drawn.append(self.html(shown, joined=continues(shown, before)))
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


def _read_by(lines: Iterable[TranscriptLine], reader: AuthorRef) -> Iterable[Shown]:
    return (replace(one.shown, mine=one.account == reader.account) for one in lines)


def _drawn(shown: Shown, joined: bool, language: str, pet: str, zone: ZoneInfo) -> str:  # noqa: FBT001 - a key of what is remembered
    texts = web_texts(language)
    return filled(
        "page/line.html",
        t=texts.say,
        pet=pet,
        shown=shown,
        joined=joined,
        words=words_html(shown.text),
        hue=crc32(shown.author.casefold().encode()) % HUES,
        initial=shown.author[:1].upper(),
        clock=shown.sent_at.astimezone(zone).strftime("%H:%M"),
        long=len(shown.text) > LONG or shown.text.count("\n") > LONG // 80,
        quoted_text="" if shown.quoted is None else on_page(shown.quoted.text),
    )


_remembered = lru_cache(maxsize=2048)(_drawn)
"""Many people read the same lines, in few languages."""
