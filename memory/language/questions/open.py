"""Kinds of questions that no similarity answers, and their words that only ask."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory.language.names import MOST_WORDS, name_key
from memory.language.questions.patterns import NO_PERSON, PHRASES, OpenKind, plainly
from memory.language.text import as_typed, fold
from memory.language.times.parser import Period, read_times
from memory.language.word_lists import NEGATIONS, STOP_WORDS

_BETWEEN = r"(?:\s+(?:quoi|d[eé]j[aà]|me|us|you|anything|something))*\s+"

_SUR = rf"(?={_BETWEEN}(?:sur|[aà]\s+propos|au\s+sujet|concernant)\b)"

_DE = rf"(?={_BETWEEN}(?:d[eu]s?\b|d['’]|sur\b|[aà]\s+propos\b|au\s+sujet\b))"

_ABOUT = rf"(?={_BETWEEN}(?:about|regarding|concerning)\b)"

_ASKING = re.compile(
    rf"\b(?:(?:dit|disait|disais|racont(?:[eé]|ait)|[eé]voqu[eé]|conclu|d[eé]cid[eé]){_SUR}"
    rf"|(?:parl|discut)(?:e|é|er|ait|ions){_DE}"
    rf"|(?:say|said|tell|told|talk|talked|talking|mention|mentioned|decide|decided){_ABOUT})",
    re.IGNORECASE,
)


_FRAME = re.compile(
    r"\b(?:(?:list|tell me|walk me through) (?:in order )?(?:how|the order in which)"
    r"|the order in which|in (?:what|which) order|in order(?= (?:i|we|how)\b)"
    r"|(?:how )?(?:i|we) (?:first )?(?:brought up|mentioned|talked about|discussed)"
    r"|(?:throughout|across|in) (?:all )?(?:our|my) (?:conversations|chats|discussions|messages"
    r"|questions|sessions)(?:,? in order)?"
    r"|mention only (?:and only )?\w+ (?:items|things|points)"
    r"|(?:how many )?different (?:\w+ )?(?:aspects|ways|concepts|kinds|types|areas)"
    r" (?:of|related to)?"
    r"|(?:do|can|did) you (?:still |even )?(?:remember|recall)|can (?:we|i|you) assume"
    r"|based on (?:the|our|this|that|my) (?:conversations?|discussions?|chats?|messages?)"
    r"|(?:est-ce que )?tu te (?:souviens|rappelles)|te (?:souviens|rappelles)-tu"
    r"|vous (?:souvenez|rappelez)-vous|vous vous (?:souvenez|rappelez)"
    r"|d['’]après (?:la|notre|nos) (?:conversations?|discussions?|messages?)"
    r"|dans (?:quel|l['’])\s?ordre|(?:au fil de|au cours de|tout au long de|dans)(?: toutes)? nos"
    r" (?:conversations|discussions|échanges|messages)"
    r"|(?:combien de )?(?:différent(?:e)?s )?(?:aspects|façons|sortes|types) d[e'’])",
    re.IGNORECASE,
)
"""How an order, a number or a memory is asked for; what was said does not say any of it."""


def without_asking_verbs(text: str) -> str:
    """A question without "said" in "what was said about the garden": only the garden is looked for.

    Neither is how an order, a number or a memory is asked for. What a statement says, as in "Léa
    said hello", stays.
    """
    return _FRAME.sub(" ", _ASKING.sub(" ", text)) if "?" in text else text


_LONGEST = 160
"""Characters: a longer text says more than an open question does."""

_AND = re.compile(r" (?:et|and|ou|or) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """What is asked about, the names of whom as they were written, and the periods it names."""

    kind: OpenKind
    names: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()


def open_question(
    text: str,
    now: datetime,
    zone: tzinfo,
    *,
    people: Collection[str] = (),
    pet: Collection[str] = (),
) -> OpenQuestion | None:
    """The open question that a text is as a whole; None for any other text.

    `now` is aware. `people` are names known where it is asked: others need their capital, or
    "c'est qui" beside them. `pet` are the pet's own names, by which it may be called.
    """
    if len(text) > _LONGEST:
        return None
    read = read_times(text, now, zone)
    line = plainly(read.rest, pet, dated=bool(read.periods))
    for kind, pattern in PHRASES:
        found = pattern.fullmatch(line)
        names = None if found is None else _names(found, text, people)
        if names is not None:
            return OpenQuestion(kind=kind, names=names, periods=read.periods)
    return None


def _names(found: re.Match[str], text: str, people: Collection[str]) -> tuple[str, ...] | None:
    """The names a phrase captured; None when one of them is no name."""
    names = [
        _name(part, text, people, surely=group == "person")
        for group, captured in found.groupdict().items()
        if captured is not None
        for part in _AND.split(captured)
    ]
    return None if None in names else tuple(name for name in names if name is not None)


def _name(said: str, text: str, people: Collection[str], *, surely: bool) -> str | None:
    """How a name was written: as it is known, with its capitals, or `surely` a person's."""
    said = said.strip()
    known = [name for name in people if name_key(name) == said]
    if known:
        return known[0]
    parts = said.split()
    if len(parts) > MOST_WORDS or any(_is_no_name(part) for part in parts):
        return None
    written = next(as_typed(parts, text), said)
    if all(_is_marked(part) for part in written.split()):
        return written.replace("@", "")
    return written if surely and len(parts) == 1 and len(said) > 2 else None


def _is_marked(word: str) -> bool:
    """Whether a word is written as names are: a DVD is no person, and capitals may be shouting."""
    return word.startswith("@") or (word[:1].isupper() and not word.isupper())


def _is_no_name(word: str) -> bool:
    return word in STOP_WORDS or word in NEGATIONS or word in NO_PERSON or word.isdigit()


_FRENCH = re.compile(
    r"\b(?:avant|autrefois|jadis|auparavant|a l.epoque|anciens?|anciennes?|precedent(?:e|s)?"
    r"|au debut|d.abord|historique|etait|etaient|etais|avait|avaient|avais"
    r"|(?:habit|travaill|bossa|boss|aim|ador|detest|viv|utilis|voul|fais|buv|jou|prefer|av)"
    r"(?:ais|ait|aient|ions|iez))\b"
)

_ENGLISH = re.compile(
    r"\b(?:before|formerly|former|previous|previously|earlier|originally|initially|at first"
    r"|back then|in the past|used to|was|were|did|had|history)\b"
)


def asks_the_past(text: str) -> bool:
    """Whether the words ask for what was rather than for what is.

    "did" and "was" count: "where did Léa live?" may be answered with where she lived.
    """
    folded = fold(text)
    return bool(_FRENCH.search(folded) or _ENGLISH.search(folded))
