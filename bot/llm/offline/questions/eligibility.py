"""Whether a line of the talk may answer a question, and whom it is about; pure."""

import re
from collections.abc import Iterable
from functools import lru_cache

from bot.llm.offline.acquaintances import first_name
from bot.llm.offline.questions.asked import wants_word
from bot.llm.offline.questions.relations import relations_in
from bot.llm.offline.questions.subjects import Subject
from bot.llm.offline.questions.talk import InContext, TalkLine
from memory.language.text import fold
from memory.language.word_lists import STOP_WORDS
from memory.statements.extraction.sentences import is_marked_joke

_VOCATIVE = (
    r"(?:^|[.!?] ){name}(?:[!:]|,(?! (?:my|our|ma|mon|notre) \w+,))|, ?{name}\W*$"
    r"|\b(?:congrats|thanks|thank you|hey|hi|hello|merci|bravo|salut"
    r"|coucou|sorry|oh|cheers|bonjour|bonsoir|ok|non|oui|yes|no),? {name}\b"
)
_ORDERS = re.compile(
    r"^(?:@?\w+ )?(?:please |stp |pls )?(?:forget|delete|erase|oublie|efface|supprime|remind me"
    r"|rappelle moi|fais moi penser)\b"
)
"""Begins an order to the pet, under its name or not."""


@lru_cache(maxsize=256)
def _naming(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}(?:'?s)?\b")


@lru_cache(maxsize=256)
def _vocative(name: str) -> re.Pattern[str]:
    return re.compile(_VOCATIVE.format(name=re.escape(name)))


def may_answer(one: InContext, question: str) -> bool:
    """Whether a line may tell something: it orders nothing, asks nothing of the pet, and is meant.

    What is proposed is asked: "cinema on friday?".
    """
    line = one.line
    if (
        one.says_nothing
        or not line.plain
        or _ORDERS.search(line.plain)
        or fold(line.text) == fold(question)
    ):
        return False
    if one.asks_pet or (line.is_question and (line.stated or wants_word(line.text))):
        return False
    return not is_marked_joke(line.text)


def is_of_another(subject: Subject, line: TalkLine) -> bool:
    """Whether a line speaks of relatives, and not of those that are asked about."""
    said = relations_in(line.plain) if subject.relations else frozenset()
    return bool(said) and said.isdisjoint(subject.relations)


def is_learnt(line: TalkLine) -> bool:
    """Whether a line is a statement about people, and no other author says otherwise."""
    return line.stated and not line.by_pet and not line.against


def is_reply(line: TalkLine) -> bool:
    """Whether a line is what the pet said, rather than what it knows of itself."""
    return line.by_pet and not line.stated


def speaks_of(name: str, text: str) -> bool:
    """Whether a line names a person, and does not just speak to them."""
    folded = fold(text)
    if not _naming(name).search(folded):
        return False
    return not _vocative(name).search(folded)


def names_one(text: str, names: Iterable[str]) -> bool:
    """Whether a text names one of these people, and does not just speak to them.

    "will" and "may" name no one unless they are written so.
    """
    firsts = {one.split()[0] for one in names if one.strip()}
    return any(
        first_name(one) and speaks_of(first_name(one), text)
        for one in firsts
        if one in text or fold(one) not in STOP_WORDS
    )
