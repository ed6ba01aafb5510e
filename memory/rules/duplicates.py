"""Whether two kept statements say the same, and which of them says it better. Pure.

Similarity only proposes what to compare (see `comparison.py`): "habite à Paris" and "habite à
Lyon" are nearer than many a repetition. So they must agree word for word, in order and in time, but
for small words, a part that may stand anywhere, an addition, or one word that means the same.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC
from functools import lru_cache

from memory.language.detection import negated, told_language
from memory.language.irregular_forms import BASES
from memory.language.synonyms import TURNED, near
from memory.language.text import fold, has_digit, proper_nouns, stems, words
from memory.language.times.parser import read_times
from memory.language.times.vocabulary import AMOUNTS, MONTHS, WEEKDAYS
from memory.language.word_lists import LIGHT_WORDS, STOP_WORDS
from memory.model.proposals import Duplicate, Likeness
from memory.model.statements import Memory
from memory.rules.claims import are_about_one, of_one_author
from memory.rules.comparison import ADDING

SHORTEST = 3
"""Words a statement needs: of fewer, one that may be left out is half of it."""

_SMALL = {
    "fr": frozenset({"le", "la", "un", "une"}),
    "en": frozenset({"the", "a", "an"}),
    None: frozenset({"the", "an", "le", "la", "un", "une"}),
}
"""Articles; "a" is a verb in French. Plural ones stay: a mouse is not mice."""

_EMPHASIS = frozenset("tres vraiment trop very really quite so just".split())  # noqa: SIM905 - see sameness
"""Words that say how much, and no more."""

_OWN = re.compile(
    r"\b(?:je|moi|mon|ma|mes|nous|notre|nos|i|my|me|mine|we|our|us)\b|\b[jm]'", re.IGNORECASE
)
"""Words of the first person: two people who say "my cat" have two cats."""

_TENSED = re.compile(r"(?:ais|ait|aient|ed|er(?:a|as|ai|ont|ons|ez))$")
"""How a verb ends that says what was or will be."""

_CACHED = 1_024

_WORD = re.compile(r"\w+")

_ARTICLES = frozenset({"a", "an", "un", "une", "one"})
"""Amounts that mostly only introduce something."""

_UNREAL = re.compile(
    r"\b(?:if|would|could|should|might|maybe|perhaps|wish(?:es)?|hopes?|wants?"
    r"|si|peut-etre|espere|esperons|veux|veut|faudrait|\w+rai(?:s|t|ent))\b"
)


def duplicate_of(one: Memory, other: Memory) -> Duplicate | None:
    """The two as duplicates; None when each of them says something, or when that is in doubt."""
    if not _comparable(one, other):
        return None
    why = _likeness(_told(one.content), _told(other.content))
    if why is None:
        return None
    for keep, drop in _richest_first(one, other):
        if not lost(drop, keep):
            return Duplicate(keep=keep, drop=drop, why=why)
    return None


def lost(drop: Memory, keep: Memory) -> tuple[str, ...]:
    """What would be lost if one stood for the other: names, figures, subjects, and how long."""
    said = {*stems(keep.content), *stems(" ".join(keep.subjects))}
    numbers = {word for word in words(drop.content) if has_digit(word)}
    gone = [*sorted(numbers - {*words(keep.content)})]
    gone += [name for name in proper_nouns(drop.content) if name not in said]
    gone += [subject for subject in drop.subjects if not said.issuperset(stems(subject))]
    if keep.expires_at and (drop.expires_at is None or drop.expires_at > keep.expires_at):
        gone.append("how long it is true")
    return tuple(dict.fromkeys(gone))


def are_of_other_matters(one: str, other: str) -> bool:
    """Whether two lines cannot stand for each other, however alike they are.

    No likeness says that they differ in a number, a denial, a mood, a name: to an embedder "I live
    in Lyon" and "I do not live in Lyon" are all but one, as are two and five children, March and
    June.
    """
    return _telling(one) != _telling(other)


def _comparable(one: Memory, other: Memory) -> bool:
    """Whether they are of one kind, by one author, about one person, and both affirm or deny."""
    return (
        one.id != other.id
        and (one.store, one.category) == (other.store, other.category)
        and of_one_author(one, other)
        and are_about_one(one, other)
        and negated(one.content) == negated(other.content)
        and not _by_two_people(one, other)
        and _times(one) == _times(other)
    )


def _by_two_people(one: Memory, other: Memory) -> bool:
    own = _OWN.search(fold(one.content)) or _OWN.search(fold(other.content))
    return one.said_by != other.said_by and own is not None


def _times(memory: Memory) -> object:
    """When it speaks of: "demain" said on two days is two days."""
    return read_times(memory.content, memory.updated_at, UTC).periods


def _told(content: str) -> list[str]:
    """The words in order, without articles and emphasis."""
    small = _SMALL[told_language(content)] | _EMPHASIS
    return [word for word in words(content) if word not in small]


def _likeness(one: Sequence[str], other: Sequence[str]) -> Likeness | None:
    less, more = sorted((one, other), key=len)
    if len(less) < SHORTEST:
        return None
    if less == more:
        return Likeness.SMALL_WORDS
    if len(less) < len(more):
        adds = more[: len(less)] == less and more[len(less)] in ADDING
        return Likeness.SAYS_MORE if adds else None
    if _turned(less, more) or _turned(more, less):
        return Likeness.ANOTHER_ORDER
    return Likeness.ANOTHER_WORD if _one_word_apart(less, more) else None


def _turned(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the end of one, which says when or where, stands at the beginning of the other."""
    return any(
        word in ADDING and [*one[at:], *one[:at]] == [*other]
        for at, word in enumerate(one)
        if at > 0
    )


def _one_word_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    apart = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and _same_sense(*apart[0])


def _same_sense(one: str, other: str) -> bool:
    """Whether two words mean the same, as far as that can be told of words alone."""
    if not (one.isalpha() and other.isalpha()) or _tense(one) != _tense(other):
        return False
    return _leads(one, other) or _leads(other, one)


def _leads(one: str, other: str) -> bool:
    return any(
        share >= TURNED and [term] == stems(other)
        for terms in near(one).values()
        for term, share in terms
    )


def _tense(word: str) -> bool:
    """Whether a word may be the past or the future of a verb."""
    return word in BASES or _TENSED.search(word) is not None


def _richest_first(one: Memory, other: Memory) -> tuple[tuple[Memory, Memory], ...]:
    """Which to keep: the one that says most, then the more important, then the later."""
    first, last = sorted((one, other), key=_worth, reverse=True)
    return (first, last), (last, first)


def _worth(memory: Memory) -> tuple[object, ...]:
    said = len(_told(memory.content))
    return (said, len(memory.subjects), memory.importance, memory.updated_at, str(memory.id))


@lru_cache(maxsize=_CACHED)
def _telling(text: str) -> frozenset[object]:
    """Its numbers, days and months, its names, and whether it denies, asks or wishes."""
    folded = fold(text)
    signs = (
        ("denied", negated(text)),
        ("asked", "?" in text),
        ("unreal", bool(_UNREAL.search(folded))),
    )
    return frozenset((*_values(folded), *_names(text), *signs))


def _values(folded: str) -> Iterator[str]:
    for word in _WORD.findall(folded):
        counts = word in AMOUNTS and word not in _ARTICLES
        if has_digit(word) or counts or word in MONTHS or word in WEEKDAYS:
            yield word


def _names(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word[0].isupper() and not (fold(word) in STOP_WORDS or fold(word) in LIGHT_WORDS):
            yield fold(word)
