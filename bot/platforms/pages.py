"""Long answers in pages, kept for who asked while they may still want to turn them."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.conversation.splitting import cut
from bot.model.commands import Action
from memory.ports import Clock

MOST_LINES = 15
"""Lines of a page: an answer should not push the talk it was asked in off the screen."""

KEPT_FOR = timedelta(minutes=15)
"""An answer may be read at leisure; what is shown is never on disk."""

MOST_KEPT = 200
"""Answers kept at a time; the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedText:
    """An answer of several pages, and the buttons that stand under each of them."""

    reader: str
    pages: tuple[str, ...]
    actions: tuple[Action, ...]
    locale: str


class PageStore:
    """Keeps texts for a while, each under a mark that cannot be guessed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._texts: OrderedDict[str, tuple[datetime, PagedText]] = OrderedDict()

    def put(self, text: PagedText) -> str:
        """Keep a text; its mark."""
        now = self._clock.now()
        while self._texts and (len(self._texts) >= MOST_KEPT or self._oldest() <= now - KEPT_FOR):
            self._texts.popitem(last=False)
        mark = secrets.token_urlsafe(9)
        self._texts[mark] = (now, text)
        return mark

    def text(self, mark: str, reader: str) -> PagedText | None:
        """The text of this mark, for who asked for it; None for others and when it is old."""
        put_at, text = self._texts.get(mark, (None, None))
        if text is None or put_at is None or text.reader != reader:
            return None
        return text if self._clock.now() - put_at < KEPT_FOR else None

    def _oldest(self) -> datetime:
        return next(iter(self._texts.values()))[0]


def pages_of(text: str, longest: int) -> tuple[str, ...]:
    """The text in pages of at most `longest` UTF-16 units, cut between lines.

    A line that is longer than a page is cut as well.
    """
    pages: list[list[str]] = [[]]
    for line in text.strip().splitlines():
        for piece in cut(line, longest) if _units(line) > longest else [line]:
            if not _fits([*pages[-1], piece], longest):
                pages.append([])
            pages[-1].append(piece)
    shown = ("\n".join(page).strip("\n") for page in pages)
    return tuple(page for page in shown if page.strip()) or ("…",)


def _fits(lines: list[str], longest: int) -> bool:
    return len(lines) <= MOST_LINES and _units("\n".join(lines)) <= longest


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
