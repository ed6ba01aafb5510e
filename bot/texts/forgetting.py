"""What a forgetting comes to, in words, for a chat and for the command line. Pure."""

from collections.abc import Iterator, Sequence

from bot.texts.catalogue import say
from bot.texts.sanitizing import extract
from memory.model.elsewhere import Elsewhere
from memory.model.forgetting import Counts, Kind
from memory.rules.forgetting.erasure import KeptBecause
from memory.rules.forgetting.receipt import KeptRow, Preview

_MOST_KEPT = 5
"""Rows that stay and are shown: the rest is like them."""

_LONGEST = 120
"""Characters of a row that is shown."""

_WHYS = {
    KeptBecause.SHARED: "kept.shared",
    KeptBecause.SAID_BY_OTHERS: "kept.said_by_others",
    KeptBecause.NAMES_OTHERS: "kept.names_others",
}


def counted(counts: Counts, locale: str) -> str:
    """How many of what, in words: "3 messages, 1 memory"; "" for nothing."""
    # What is live is counted among the messages already.
    kinds = (kind for kind in Kind if kind is not Kind.LIVE and counts.get(kind))
    return ", ".join(say(f"counted.{kind}", locale, count=counts[kind]) for kind in kinds)


def told_elsewhere(elsewhere: Elsewhere, locale: str) -> list[str]:
    """Which other processes have done something too, and which will do it later."""
    return _elsewhere("siblings.done", "siblings.missing", elsewhere, locale)


def given_back_elsewhere(elsewhere: Elsewhere, locale: str) -> list[str]:
    """The same of an undoing: what is forgotten for good after a day cannot be given back later."""
    return _elsewhere("siblings.done", "siblings.not_back", elsewhere, locale)


def counted_elsewhere(elsewhere: Elsewhere, locale: str) -> list[str]:
    """Whether what other processes keep is in a count."""
    return _elsewhere("siblings.counted", "siblings.uncounted", elsewhere, locale)


def _elsewhere(done: str, missing: str, elsewhere: Elsewhere, locale: str) -> list[str]:
    lines = []
    if elsewhere.done:
        lines.append(say(done, locale, count=len(elsewhere.done)))
    if elsewhere.missing:
        lines.append(say(missing, locale, missing=", ".join(elsewhere.missing)))
    return lines


def counted_besides(counts: Counts, shown: int, locale: str) -> Iterator[str]:
    """That answers and requests are in the count, where more messages go than are `shown`."""
    if shown and counts.get(Kind.MESSAGES, 0) > shown:
        yield say("forget.counted_besides", locale)


def announced(counts: Counts, locale: str) -> Iterator[str]:
    """What would become of it, a line each: what is forgotten, what is recalled no more."""
    if erased := counted({**counts, Kind.MUTED: 0}, locale):
        yield say("forget.would_forget", locale, counts=erased)
    if muted := counts.get(Kind.MUTED):
        yield say("forget.would_mute", locale, count=muted)


def sampled(preview: Preview, locale: str) -> Iterator[str]:
    """The lines of a preview, and those that may be meant as well."""
    lines, offered = (
        [extract(one.text, _LONGEST) for one in each]
        for each in (preview.lines, preview.offered_lines)
    )
    return numbered(lines, offered, say("forget.perhaps", locale))


def numbered(texts: Sequence[str], offered: Sequence[str], perhaps: str) -> Iterator[str]:
    """Lines that can be named by their numbers, where there are several.

    Those that are `offered` stand after the sentence that says so.
    """
    every = (*texts, *offered)
    for number, text in enumerate(every, start=1):
        if number == len(texts) + 1:
            yield perhaps
        yield f"{number}. {text}" if len(every) > 1 else f"• {text}"


def kept_words(kept: Sequence[KeptRow], locale: str) -> Iterator[str]:
    """What stays, and why."""
    for row in kept[:_MOST_KEPT]:
        why = say(_WHYS[row.why], locale)
        yield say("kept.line", locale, why=why, text=extract(row.text, _LONGEST))
