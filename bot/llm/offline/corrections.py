"""What a person puts right of what was said before, and the word for it; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.llm.offline.choosing import one_of
from bot.llm.offline.questions.talk import TalkLine
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts
from memory.language.chat_spelling import spelt_out
from memory.language.expressions import SentencePattern
from memory.language.word_lists import STOP_WORDS
from memory.statements.changes import takes_back

_MOST_WORDS = 24
_NEW_NOT_OLD = SentencePattern(
    r"(?P<new>[\w:.h]+(?: (?:am|pm|heures))?) (?:not|pas)(?: (?:on|at|in|le|la|les|a|à|en|the|de"
    r"|du))? "
    r"(?P<old>[\w:.h]+)"
)
_OLD_BUT_NEW = SentencePattern(
    r"(?:not|pas)(?: (?:on|at|in|le|la|les|a|à|en|the|de|du))? (?P<old>[\w:.h]+),? (?:but|mais"
    r"|it is|c est)"
    r" (?:on |at |in |le |la |a |en )?(?P<new>[\w:.h]+)"
)
_VALUES = (
    re.compile(
        r"\b(?:(?:mon|tues?|wednes|weds?|thurs?|fri|satur|sun)day|lundi|mardi|mercredi|jeudi"
        r"|vendredi|samedi"
        r"|dimanche)s?\b"
    ),
    re.compile(
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november"
        r"|december|janvier"
        r"|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)\b"
    ),
    re.compile(
        r"\b\d{1,2}(?:[:.h]\d{2}|h|am|pm)\b(?: (?:am|pm))?|\b(?:at|a|à|vers) \d{1,2}\b"
        r"|\b\d{1,2} (?:at night|in the \w+|du (?:soir|matin))"
        r"|\b\d{1,2} (?:am|pm)\b"
    ),
    re.compile(r"\b\d+(?:[.,]\d+)?\b"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is said to be so, and what was wrong; "" where that is not known."""

    new: str
    old: str = ""


def correction_in(text: str, before: Sequence[TalkLine]) -> Correction | None:
    """What a text puts right of what was said just before; None where it corrects nothing."""
    plain = spelt_out(text)
    if len(plain.split()) > _MOST_WORDS:
        return None
    earlier = [one.plain for one in before]
    for values in (_OLD_BUT_NEW, _NEW_NOT_OLD):
        found = values.search(plain)
        if found and _replaces(found["new"], found["old"], earlier):
            return Correction(new=found["new"], old=found["old"])
    for pattern in _VALUES:
        new = next((one for one in pattern.finditer(plain) if not _denied(one, plain)), None)
        if new is None:
            continue
        for said in reversed(earlier):
            old = {one[0] for one in pattern.finditer(said)} - {new[0]}
            if old:  # of several it is not known which was meant
                return Correction(new=_bare(new[0]), old=_bare(old.pop()) if len(old) == 1 else "")
        return Correction(new=_bare(new[0])) if earlier else None
    return None


def puts_right(text: str) -> bool:
    """Whether a text says that something was wrong: "my dog is called Rex" after a cat does not."""
    plain = spelt_out(text)
    return _PUTS_RIGHT.search(plain) is not None or takes_back(plain)


_PUTS_RIGHT = re.compile(
    r"\b(?:not|nope|nah|\w+n t|never|wrong|meant|mean|mistaken?|misspelt|spelt|spelled|rather|only"
    r"|pas|jamais|faux|tort|trompes?|trompee?s?|erreur|dire|ecrit|orthographe|corriges?)\b"
)
"""What a correction says besides the words for a change."""


def _denied(value: re.Match[str], plain: str) -> bool:
    """Whether a value is said not to be it: "sunday is not my name"."""
    return _DENIES.match(plain[value.end() :]) is not None


_DENIES = re.compile(r" (?:(?:is|was) not|n est pas|c est pas)\b")


def _replaces(new: str, old: str, earlier: Sequence[str]) -> bool:
    """Whether one word was said for the other: both are values alike, or the old one was said."""
    if new in _NO_VALUES or old in _NO_VALUES or {new, old} & STOP_WORDS:
        return False
    alike = any(one.search(new) and one.search(old) for one in _VALUES)
    return alike or any(old in said.split() for said in earlier)


_NO_VALUES = frozenset(
    {
        *("i", "you", "it", "that", "this", "no", "not", "is", "are", "was", "do", "did", "the"),
        *("je", "tu", "c", "est", "non", "pas", "a", "le", "la"),
    }
)


def _bare(value: str) -> str:
    return _AT.sub("", value)


_AT = re.compile(r"^(?:at|a|à|vers) ")


def corrected(found: Correction, texts: Texts, seed: str) -> Reply:
    """The word for a correction."""
    if found.new and found.old:
        choices = texts.choices(
            "offline.heard.corrected", new=_named(found.new), old=_named(found.old)
        )
    else:
        choices = texts.choices("offline.heard.corrected_to", new=_named(found.new))
    return Reply(text=one_of(choices, seed), expression=Expression.HAPPY)


def _named(value: str) -> str:
    """English days and months have a capital."""
    return value.capitalize() if _ENGLISH_DATE.fullmatch(value) else value


_ENGLISH_DATE = re.compile(
    r"(?:\w+days?|january|february|march|april|june|july|august|september|october|november"
    r"|december)"
)
