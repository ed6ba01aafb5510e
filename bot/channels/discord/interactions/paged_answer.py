"""Answers as messages: a page at a time, with buttons for the others and for what can be done."""

from dataclasses import dataclass

import discord

from bot.channels.discord.interactions.buttons import PageTurn, split_actions, turns_of, view_of
from bot.channels.discord.interactions.pages import PageCache, Pages, pages_of
from bot.commands.framework.dispatcher import in_words
from bot.model.commands import Answer, Attached
from bot.texts.catalogue import say

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedAnswer:
    """A message as it is shown."""

    content: str
    view: discord.ui.View | None = None
    file: Attached | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Who is shown something: their account, their language, the bytes of a file they may get."""

    account: str
    locale: str
    file_limit: int


class PagedAnswers:
    """Makes the message of an answer, and those of its other pages later."""

    def __init__(self, shelf: PageCache) -> None:
        self._shelf = shelf

    def first(self, answer: Answer, reader: PageReader) -> PagedAnswer:
        """An answer as it is shown at once; what can be no button is a line to type."""
        actions, others = split_actions(answer.actions)
        text = in_words(Answer(text=answer.text, actions=others), reader.locale)
        file, remark = _file(answer, reader)
        pages = pages_of("\n".join(filter(None, (text, remark))))
        book = Pages(reader=reader.account, pages=pages, actions=actions, locale=reader.locale)
        mark = self._shelf.put(book) if len(pages) > 1 else ""
        return PagedAnswer(content=pages[0], view=_view(book, mark, 0), file=file)

    def at(self, turn: PageTurn, account: str) -> PagedAnswer | None:
        """Another page, for the account that asked; None when it is kept no more."""
        book = self._shelf.book(turn.mark, account)
        if book is None or turn.number >= len(book.pages):
            return None
        return PagedAnswer(
            content=book.pages[turn.number], view=_view(book, turn.mark, turn.number)
        )


def _file(answer: Answer, reader: PageReader) -> tuple[Attached | None, str]:
    """The file if it may be sent, else a remark."""
    file = answer.file
    if file is None or len(file.content) <= reader.file_limit:
        return file, ""
    size, limit = len(file.content) / MEGABYTE, reader.file_limit / MEGABYTE
    return None, say("command.file_too_large", reader.locale, size=size, limit=limit)


def _view(book: Pages, mark: str, number: int) -> discord.ui.View | None:
    count = len(book.pages)
    return view_of(book.actions, book.locale, turns_of(mark, number, count) if count > 1 else ())
