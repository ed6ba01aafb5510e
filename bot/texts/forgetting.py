"""What a forgetting comes to, in words, for a chat and for the command line. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from bot.texts.sanitizing import extract
from memory.rules.forgetting.erasure import Why
from memory.rules.forgetting.receipt import Counts, KeptRow, Kind, Sample

_KINDS: Mapping[str, Mapping[Kind, tuple[str, str]]] = {
    "en": {
        Kind.MESSAGES: ("message", "messages"),
        Kind.EXCHANGES: ("conversation with me", "conversations with me"),
        Kind.STATEMENTS: ("memory", "memories"),
        Kind.SUMMARIES: ("summary", "summaries"),
        Kind.FACTS: ("core fact", "core facts"),
        Kind.NOTES: ("note", "notes"),
        Kind.SHARED: ("memory left to others", "memories left to others"),
        Kind.QUOTES: ("other answer of mine", "other answers of mine"),
        Kind.NAMES: ("name", "names"),
    },
    "fr": {
        Kind.MESSAGES: ("message", "messages"),
        Kind.EXCHANGES: ("conversation avec moi", "conversations avec moi"),
        Kind.STATEMENTS: ("souvenir", "souvenirs"),
        Kind.SUMMARIES: ("résumé", "résumés"),
        Kind.FACTS: ("fait marquant", "faits marquants"),
        Kind.NOTES: ("note", "notes"),
        Kind.SHARED: ("souvenir laissé aux autres", "souvenirs laissés aux autres"),
        Kind.QUOTES: ("autre de mes réponses", "autres de mes réponses"),
        Kind.NAMES: ("nom", "noms"),
    },
}
"""One and several of each kind; what is live is counted among the messages already."""

_WHYS: Mapping[str, Mapping[Why, str]] = {
    "en": {
        Why.SHARED: "others said it too",
        Why.SAID_BY_OTHERS: "others said it",
        Why.NAMES_OTHERS: "it is about others as well",
    },
    "fr": {
        Why.SHARED: "d'autres l'ont dit aussi",
        Why.SAID_BY_OTHERS: "d'autres l'ont dit",
        Why.NAMES_OTHERS: "cela concerne aussi d'autres",
    },
}

_KEPT = {"en": "Kept, because {why}: {text}", "fr": "Gardé, car {why} : {text}"}

_MOST_KEPT = 5
"""Rows that stay and are shown: the rest is like them."""

_LONGEST = 120
"""Characters of a row that is shown."""


def counted(counts: Counts, locale: str) -> str:
    """How many of what, in words: "3 messages, 1 memory"; "" for nothing."""
    kinds = _KINDS[locale]
    return ", ".join(
        f"{counts[kind]} {name if counts[kind] == 1 else names}"
        for kind, (name, names) in kinds.items()
        if counts.get(kind)
    )


def sampled(samples: Sequence[Sample]) -> Iterator[str]:
    """The samples, a line each, each text once."""
    return (
        f"• {extract(text, _LONGEST)}"
        for text in dict.fromkeys(one.text for one in samples)
        if text
    )


def kept_words(kept: Sequence[KeptRow], locale: str) -> Iterator[str]:
    """What stays, and why."""
    for row in kept[:_MOST_KEPT]:
        yield _KEPT[locale].format(why=_WHYS[locale][row.why], text=extract(row.text, _LONGEST))
