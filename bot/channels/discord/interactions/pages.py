"""Long answers in pages, kept for the account that asked while it may still want to turn them."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.conversation.splitting import cut
from bot.model.commands import Action
from memory.ports import Clock

LONGEST_PAGE = 1800
"""UTF-16 units: Discord takes 2,000 characters, and counts some of them twice."""

MOST_LINES = 15
"""Lines of a page: an answer should not push the talk it was asked in off the screen."""

KEPT_FOR = timedelta(minutes=15)
"""As long as Discord lets the first answer be changed; what is shown is never on disk."""

MOST_BOOKS = 200
"""Answers kept at a time; the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """An answer of several pages, and the buttons that stand under each of them."""

    reader: str
    pages: tuple[str, ...]
    actions: tuple[Action, ...]
    locale: str


class PageCache:
    """Keeps answers for a while, each under a mark that cannot be guessed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._books: OrderedDict[str, tuple[datetime, Pages]] = OrderedDict()

    def put(self, book: Pages) -> str:
        """Keep a book; its mark."""
        now = self._clock.now()
        while self._books and (len(self._books) >= MOST_BOOKS or self._oldest() <= now - KEPT_FOR):
            self._books.popitem(last=False)
        mark = secrets.token_urlsafe(9)
        self._books[mark] = (now, book)
        return mark

    def book(self, mark: str, reader: str) -> Pages | None:
        """The answer of this mark, for its own reader; None for others and when it is old."""
        put_at, book = self._books.get(mark, (None, None))
        if book is None or put_at is None or book.reader != reader:
            return None
        return book if self._clock.now() - put_at < KEPT_FOR else None

    def _oldest(self) -> datetime:
        return next(iter(self._books.values()))[0]


def pages_of(text: str) -> tuple[str, ...]:
    """The text in pages, cut between lines; a line that is longer than a page is cut as well."""
    pages: list[list[str]] = [[]]
    for line in text.strip().splitlines():
        for piece in cut(line, LONGEST_PAGE) if _units(line) > LONGEST_PAGE else [line]:
            if not _fits([*pages[-1], piece]):
                pages.append([])
            pages[-1].append(piece)
    shown = ("\n".join(page).strip("\n") for page in pages)
    return tuple(page for page in shown if page.strip()) or ("…",)


def _fits(lines: list[str]) -> bool:
    return len(lines) <= MOST_LINES and _units("\n".join(lines)) <= LONGEST_PAGE


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
