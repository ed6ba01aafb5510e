"""The statements of a message that its claims make: the author's own words; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.claims.reader import read_claims
from memory.claims.signs import signs_in
from memory.language.chat_spelling import spelt_out
from memory.language.detection import guess_language
from memory.language.expressions import SentencePattern
from memory.language.names import names_in
from memory.language.text import words
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, STOP_WORDS
from memory.model.claims import SURELY, Claim, Slot, Status
from memory.model.statements import MemoryType
from memory.statements.extraction.model import Draft, Speech
from memory.statements.extraction.people import leading_person
from memory.statements.extraction.sentences import is_reported, without_call

_LONGEST = 140
"""Characters of a clause that is read at a glance."""

_FEWEST = 2
"""Words of a clause that states something: "je fume"."""

_KNOWN_WORDS = STOP_WORDS | NEGATIONS | LIGHT_WORDS

_THEIRS = re.compile(r"\b(?:my|our|mon|ma|mes|notre|nos)\b", re.IGNORECASE)

_FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|we|our|us|je|j|moi|mon|ma|mes|nous|notre|nos)\b", re.IGNORECASE
)

_GOES_ON = SentencePattern(
    r"(?:,\s*|,?\s+(?:et|puis|and|so|then|donc|mais|but)\s+)"
    r"(?=(?:je|j'|i|i'm|i've|my|mon|ma|mes|nous|we)\b)",
    re.IGNORECASE,
)
"""Where a clause goes on to another thing of its author."""

_TYPES = {
    **dict.fromkeys(
        (
            Slot.NAME,
            Slot.NICKNAME,
            Slot.ORIGIN,
            Slot.AGE,
            Slot.BIRTHDAY,
            Slot.FAMILY,
            Slot.PARTNER,
            Slot.LANGUAGE,
        ),
        MemoryType.IDENTITY,
    ),
    **dict.fromkeys((Slot.LIKE, Slot.DISLIKE, Slot.DIET, Slot.HOBBY), MemoryType.PREFERENCE),
    **dict.fromkeys((Slot.PLAN, Slot.LOSS), MemoryType.EVENT),
}


@dataclass(frozen=True, slots=True)
class ClaimedClause:
    """A clause of a message and what it claims, the surest first."""

    words: str
    claims: tuple[Claim, ...]

    @property
    def is_sure(self) -> bool:
        """Whether it surely states something that is so now, or is said to be so no longer."""
        if self.words.endswith("?"):
            return False
        first = self.claims[0]
        is_stated = first.status.is_stated and first.status is not Status.PAST
        return first.certainty >= SURELY and is_stated

    @property
    def is_long(self) -> bool:
        """Whether it tells a story rather than a fact."""
        return len(self.words) > _LONGEST

    def overlaps(self, other: "ClaimedClause") -> bool:
        """Whether the two share words of the message."""
        one, another = self.claims[0], other.claims[0]
        return one.start < another.end and another.start < one.end


def claimed_clauses(text: str) -> list[ClaimedClause]:
    """The clauses of a message that claim something or look like it, in order."""
    (claims,) = read_claims([text])
    places: dict[tuple[int, int], list[Claim]] = {}
    for one in claims:
        places.setdefault((one.start, one.end), []).append(one)
    return [
        ClaimedClause(text[start:end].strip(), tuple(sorted(those, key=lambda one: -one.certainty)))
        for (start, end), those in places.items()
    ]


def _is_of_circle(clause: ClaimedClause, speech: Speech) -> bool:
    """Whether it is about the author, theirs, or a person it names."""
    if clause.claims[0].of_author or _THEIRS.search(clause.words):
        return True
    return bool(_people_named(clause, speech))


def drafts_in_own_words(clauses: Sequence[ClaimedClause], speech: Speech) -> list[Draft]:
    """The clauses that surely state something of the author or their circle, word for word."""
    called = (replace(one, words=without_call(one.words, speech.names)) for one in clauses)
    sure = [
        one
        for one in called
        if one.is_sure
        and _is_sentence(one)
        and _is_of_circle(one, speech)
        and not _is_unresolved(one, speech)
    ]
    return [_in_own_words(part, speech) for one in _widest(sure) for part in _parts(one)]


_UNRESOLVED = re.compile(
    r"^(?:it is|it's|that's|that is|this is|s?he is|s?he's|they are|they're|c'est|c'était|ce sont"
    r"|il est|elle est|ils sont|elles sont)\s+(?:just |only |aussi |also )?"
    r"(?:my|our|mon|ma|mes|notre|nos)(?: [\w-]+){1,2}$"
    r"|\b(?:at|about|of|with|for|to|in|on|from) (?:it|that|this|them|him|her)$"
    r"|\b(?:à|de|en|avec|pour|sur|dans) (?:ça|cela|celui-là|celle-là|lui|elle|eux)$",
    re.IGNORECASE,
)
"""A clause that tells of what was said before it: "it's my cousin", "I'm terrible at it"."""


def _is_unresolved(clause: ClaimedClause, speech: Speech) -> bool:
    """Whether by itself it does not tell of whom or of what it is: kept, it would say nothing."""
    is_of_kin = clause.claims[0].slot in {Slot.FAMILY, Slot.PARTNER, Slot.PET, Slot.NAME}
    said = clause.words.strip(" .,;!…")
    found = _UNRESOLVED.search(said)
    if found is None or names_in(clause.words, speech.names):
        return False
    named = any(word[:1].isupper() for word in said.split()[1:] if not word.startswith("I"))
    return not named and (is_of_kin or found.start() > 0)


def _is_sentence(clause: ClaimedClause) -> bool:
    """Whether it is worded as people tell something: no bare name, nor words of no language read.

    Without a word of a language that is read all is guessed from how words look.
    """
    said = words(clause.words)
    is_read = not _KNOWN_WORDS.isdisjoint(said) or bool(signs_in(spelt_out(clause.words)))
    return len(said) >= _FEWEST and is_read


def draft_of(words: str, speech: Speech) -> Draft | None:
    """Words that are to be kept whole as one draft, where a clause of them surely states it."""
    sure = [one for one in claimed_clauses(words) if one.is_sure]
    if not sure or is_reported(words):
        return None
    return _in_own_words(replace(sure[0], words=words), speech)


def _widest(clauses: Sequence[ClaimedClause]) -> list[ClaimedClause]:
    """The clauses of which none overlaps another: the longest that can be read at a glance."""
    kept: list[ClaimedClause] = []
    for one in sorted(clauses, key=lambda clause: (clause.is_long, -len(clause.words))):
        if not any(one.overlaps(other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda clause: clause.claims[0].start)


def _parts(clause: ClaimedClause) -> list[ClaimedClause]:
    """The parts of a sure clause, where each by itself looks like a claim too, else the clause."""
    words = _GOES_ON.split(clause.words)
    read = [claimed_clauses(part) for part in words] if len(words) > 1 else []
    if not read or not all(read):
        return [clause]
    surest = (max(part, key=lambda one: one.claims[0].certainty) for part in read)
    return [replace(one, words=part) for one, part in zip(surest, words, strict=True)]


def _in_own_words(clause: ClaimedClause, speech: Speech) -> Draft:
    """A clause as it was written, after the name of who says it unless it names whom it is of."""
    first, words = clause.claims[0], clause.words.strip(" .,;")
    named = _people_named(clause, speech)
    speaks_of_self = first.of_author and _FIRST_PERSON.search(words) is not None
    is_of_named = bool(named) and not speaks_of_self
    return Draft(
        content=words if is_of_named else f"{speech.speaker}: {words}",
        memory_type=_type_of(first),
        language=guess_language(words, "fr"),
        about=(*sorted(named - {speech.speaker}), speech.speaker) if is_of_named else (),
        dated=first.slot is not Slot.BIRTHDAY or first.status is Status.PLANNED,
    )


def _type_of(claim: Claim) -> MemoryType:
    if claim.status is Status.PLANNED:
        return MemoryType.EVENT
    return _TYPES.get(claim.slot, MemoryType.FACT)


def _people_named(clause: ClaimedClause, speech: Speech) -> set[str]:
    """The people whom a clause names: who are known, and whom it surely speaks of."""
    named = names_in(clause.words, {*speech.names, speech.speaker})
    leading = None if clause.claims[0].of_author else leading_person(clause.words)
    return named | {leading} if leading else named
