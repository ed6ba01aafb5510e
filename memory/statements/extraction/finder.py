"""Finds the statements in one message; pure."""

import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta

from memory.language.detection import guess_language
from memory.language.expressions import LONGEST_SENTENCE, SentencePattern, read_part
from memory.language.names import names_in
from memory.language.text import fold
from memory.language.times.absolute import dated, time_left
from memory.model.statements import MemoryType
from memory.statements.extraction.claimed import (
    ClaimedClause,
    claimed_clauses,
    draft_of,
    drafts_in_own_words,
)
from memory.statements.extraction.model import Draft, Speech, Statement
from memory.statements.extraction.people import could_be_a_nick, could_be_a_person
from memory.statements.extraction.sentences import (
    is_marked_joke,
    is_reported,
    own_lines,
    sentences,
    without_address,
    without_call,
)

_ASKED_TO_KEEP = SentencePattern(
    r"(?:(?:hey|ok|eko|stp|s'il te plaît|please|et|and|aussi|also|alors|so)[\s,:!]+)*"
    r"(?:(?:(?:souviens|rappelle)[ -]toi (?:bien )?(?:que\s|qu'|de ceci ?:)|(?:retiens"
    r"|n'oublie pas|oublie pas"
    r"|mémorise|garde en mémoire|enregistre)(?: bien)?(?:\s+(?:que\s|qu')| ?:))"
    r"|(?:(?:remember|don't forget|keep in mind|memori[sz]e)(?: that\b"
    r"(?! (?:time|guy|one|day|night|thing|movie|song|game|was|is)\b)| ?:|(?= (?:I|my|I'm) )))"
    r")\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)

_ALIAS = SentencePattern(
    r"(?P<left>@?[\w-]{2,24})\s*(?:,?\s*c'est|=|est le pseudo de|is the nick of|aka|is)\s*"
    r"(?P<right>@?[\w-]{2,24})",
    re.IGNORECASE,
)

_PROPER = SentencePattern(
    r"(?<![.!?:“«]\s)(?<![“«])(?<!^)\b(?-i:[A-ZÀ-Ý])[\w-]*\w(?:[ -](?-i:[A-ZÀ-Ý])\w+)*"
)

_MOST_SUBJECTS = 6
"""A statement with more names than this is about no one in particular."""

_LONGEST = 300
"""Characters of a statement kept word for word."""


def find_statements(
    text: str, speaker: str, said_at: datetime, names_known: Collection[str] = ()
) -> list[Statement]:
    """The plain statements of a message, in order, each once.

    `said_at` is aware, in the time zone its dates are meant in. `names_known` are the people and
    aliases of the room, which lets more be believed about them. What the speaker asks to be
    remembered always gives one.
    """
    if is_marked_joke(text):
        return []
    speech = Speech(speaker=speaker, said_at=said_at, names=names_known)
    found = (_statement(draft, speech) for draft in _drafts(text, speech))
    return list({statement.content: statement for statement in found}.values())


def _drafts(text: str, speech: Speech) -> Iterator[Draft]:
    plain = without_call(text.replace("’", "'").replace("\u00a0", " "), speech.names)
    claimed: dict[str, ClaimedClause] = {}
    for one in claimed_clauses(plain):
        claimed.setdefault(one.words, one)
    for line in own_lines(plain):
        for sentence in sentences(line):
            begun = without_address(read_part(sentence, LONGEST_SENTENCE), speech.names)
            asked = None if sentence.endswith("?") else _ASKED_TO_KEEP.match(begun)
            if asked:
                yield from _kept(asked["what"].strip(" .!…"), speech)
            elif alias := _alias(begun.strip(" .!"), speech):
                yield alias
            elif not is_reported(sentence):
                yield from drafts_in_own_words(
                    [one for words, one in claimed.items() if words in sentence], speech
                )


def _kept(what: str, speech: Speech) -> Iterator[Draft]:
    """What the speaker asked to remember, word for word."""
    if alias := _alias(what, speech):
        yield alias
    elif what:
        words = what[:_LONGEST]
        yield draft_of(words, speech) or Draft(
            content=f"{speech.speaker}: “{words}”",
            memory_type=MemoryType.FACT,
            language=guess_language(words, "fr"),
        )


def _alias(sentence: str, speech: Speech) -> Draft | None:
    """`dev = Mickael`: one side must be a known name, or the right one look like one."""
    found = _ALIAS.fullmatch(sentence)
    if found is None:
        return None
    left, right = found["left"].lstrip("@"), found["right"].lstrip("@")
    known = {fold(name) for name in speech.names}
    sure = fold(right) in known or (fold(left) in known and could_be_a_person(right))
    shown = "=" in sentence or "c'est" in sentence.lower()
    if not (sure or (shown and could_be_a_person(right))) or not could_be_a_nick(left):
        return None
    return Draft(
        content=f"{left} = {right}",
        memory_type=MemoryType.IDENTITY,
        language=guess_language(sentence, "fr"),
        about=(left, right),
        dated=False,
    )


def _statement(draft: Draft, speech: Speech) -> Statement:
    content, ttl = draft.content, None
    if draft.dated:
        resolved = dated(content, speech.said_at, draft.language)
        content, ttl = resolved.text, _ttl(draft.memory_type, speech, resolved.last)
    return Statement(
        content=content,
        memory_type=draft.memory_type,
        subjects=_subjects(draft, speech),
        ttl=ttl,
    )


def _ttl(kind: MemoryType, speech: Speech, last: date | None) -> timedelta | None:
    """Only what happens on a day passes with it."""
    passing = kind in {MemoryType.EVENT, MemoryType.TODO}
    return time_left(speech.said_at, last) if passing else None


def _subjects(draft: Draft, speech: Speech) -> tuple[str, ...]:
    named = sorted(names_in(draft.content, speech.names))
    proper = [found[0] for found in _PROPER.finditer(draft.content) if could_be_a_nick(found[0])]
    every = (*(draft.about or (speech.speaker,)), *named, *proper)
    once: dict[str, str] = {}
    for subject in every:
        once.setdefault(fold(subject), subject)
    return tuple(once.values())[:_MOST_SUBJECTS]
