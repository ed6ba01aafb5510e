"""Answers as messages: a page at a time, with buttons for the others and for what can be done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.model.commands import Action, Answer, Attached
from bot.platforms.pages import PagedText, PageStore, pages_of
from bot.texts.catalogue import say

MEGABYTE = 1024 * 1024

SplitActions = Callable[[Sequence[Action]], tuple[tuple[Action, ...], tuple[Action, ...]]]
"""The actions that can be buttons on a platform, and the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTurn:
    """A page that was asked for, counted from zero, of the text with this mark."""

    mark: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """A message as it is shown: its words, its buttons in the reader's language, its file.

    `turn` is where it is among `count` pages; None where it is the only one.
    """

    content: str
    actions: tuple[Action, ...] = ()
    locale: str = "en"
    turn: PageTurn | None = None
    count: int = 1
    file: Attached | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Who is shown something: their account, their language, the bytes of a file they may get."""

    account: str
    locale: str
    file_limit: int


class PagedAnswers:
    """Makes the message of an answer, and those of its other pages later."""

    def __init__(self, store: PageStore, split: SplitActions, longest_page: int) -> None:
        self._store = store
        self._split = split
        self._longest_page = longest_page

    def first(self, answer: Answer, reader: PageReader) -> AnswerPage:
        """An answer as it is shown at once; what can be no button is a line to type."""
        actions, others = self._split(answer.actions)
        text = in_words(Answer(text=answer.text, actions=others), reader.locale)
        file, remark = _file(answer, reader)
        pages = pages_of("\n".join(filter(None, (text, remark))), self._longest_page)
        paged = PagedText(reader=reader.account, pages=pages, actions=actions, locale=reader.locale)
        mark = self._store.put(paged) if len(pages) > 1 else ""
        return _page(paged, PageTurn(mark=mark, number=0), file)

    def at(self, turn: PageTurn, account: str) -> AnswerPage | None:
        """Another page, for who asked; None when it is kept no more."""
        paged = self._store.text(turn.mark, account)
        if paged is None or turn.number >= len(paged.pages):
            return None
        return _page(paged, turn, None)


def _file(answer: Answer, reader: PageReader) -> tuple[Attached | None, str]:
    """The file if it may be sent, else a remark."""
    file = answer.file
    if file is None or len(file.content) <= reader.file_limit:
        return file, ""
    size, limit = len(file.content) / MEGABYTE, reader.file_limit / MEGABYTE
    return None, say("command.file_too_large", reader.locale, size=size, limit=limit)


def _page(paged: PagedText, turn: PageTurn, file: Attached | None) -> AnswerPage:
    count = len(paged.pages)
    return AnswerPage(
        content=paged.pages[turn.number],
        actions=paged.actions,
        locale=paged.locale,
        turn=turn if count > 1 else None,
        count=count,
        file=file,
    )


def in_words(answer: Answer, locale: str) -> str:
    """An answer where there are no buttons: what can be done next is a line to type."""
    return "\n".join((answer.text, *(_next(action, locale) for action in answer.actions)))


def _next(action: Action, locale: str) -> str:
    line = action.typed or f"/{action.command} {' '.join(action.arguments)}".rstrip()
    return say("command.next", locale, label=action.label, line=line)
