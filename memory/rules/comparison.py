"""Whether a new statement repeats, sharpens, changes or denies one that is kept already. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from memory.language.detection import negated
from memory.language.synonyms import translations
from memory.language.term_weights import Rarity
from memory.language.text import light_stems, stems, words
from memory.language.word_lists import NEGATIONS
from memory.model.statements import Memory, Statement
from memory.model.stores import Store
from memory.rules.claims import (
    are_about_one,
    attribute_in,
    denied_attribute_in,
    of_one_author,
    stance_in,
    symptom_in,
)
from memory.statements.changes import Saying, chances_of_change, may_end
from memory.statements.readings.attribute import Attribute, may_both_hold, says_more, spelling
from memory.statements.readings.change import is_of_one_matter, may_be_of_one_person
from memory.statements.readings.subject import clause_of

_CACHED = 4_096
"""Statements whose reading is remembered: a new one is compared with the same ones again."""

SHORTEST = 2
"""Stems a statement needs before another can contain it: a bare name is contained everywhere."""

ADDING = frozenset(
    """
    a au aux avec chez comme dans depuis en et le pendant pour vers avant apres car parce
    hier demain aujourd lundi mardi mercredi jeudi vendredi samedi dimanche
    and as at because during every for from in last near next on since this to today tomorrow with
    yesterday monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""Words after which a statement goes on about the same thing; "until" and "without" change it."""

_DENIALS = NEGATIONS | frozenset(stems("longer anymore"))
"""Stems that a denial has beside what it denies."""

_PROPER = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Ý][\w-]*\w")

_NUMBER = re.compile(r"\d+")

_AND = re.compile(r"[;.]\s|,?\s(?:and|et|but|mais)\s", re.IGNORECASE)


SURE, LIKELY = 0.95, 0.9
"""Chances from which a statement is taken to end another, and from which both are tied."""


class Verdict(StrEnum):
    """How a new statement relates to a kept one."""

    SAME = "same"
    """It says the same, or less: the kept one is touched."""
    MORE_PRECISE = "more_precise"
    """It says the same and more: it takes the kept one's place."""
    CHANGED = "changed"
    """It says what is so now, where the kept one says what was: it takes its place."""
    CONTRADICTS = "contradicts"
    """It denies or affirms what the kept one affirmed or denied: it takes its place."""
    DISPUTED = "disputed"
    """Both cannot hold, but which was meant cannot be told, or the kept one says more: both stay,
    tied by that."""
    RELATED = "related"
    """It is much the same, but each says something that would be lost: both stay, tied by that."""
    UNRELATED = "unrelated"
    """Both stay, however alike they look."""


def compare(new: Statement, kept: Memory) -> Verdict:
    """How `new` relates to `kept`, by the words they begin with and by what they say of a person.

    Similarity of embeddings only proposes what to compare: "habite à Paris" and "a habité à Paris"
    are nearer to each other than many a statement and its sharper version, and both must stay.
    Words in another order say something else ("Léa aime David"), and so do words put before or
    between ("le frère de Léa habite à Paris"): only what is added behind makes it sharper. What has
    one value at a time (`attribute.py`) changes with it, a liking or a habit (`preference.py`) is
    taken back, an ache (`symptom.py`) is told again more precisely; decisions are told apart in
    `supersession.py`, since that takes all of them. Who says it counts afterwards
    (`between_authors`).
    """
    if not are_about_one(new, kept):
        return Verdict.UNRELATED
    readings = (_by_words, _by_attribute, _by_stance, _by_ache)
    verdicts = (read(new, kept) for read in readings)
    return next((one for one in verdicts if one is not Verdict.UNRELATED), Verdict.UNRELATED)


def _by_words(new: Statement, kept: Memory) -> Verdict:
    said, known = _told(new), _told(kept)
    fresh, old = said.stems, known.stems
    if min(len(fresh), len(old)) < SHORTEST:
        return Verdict.SAME if fresh == old else Verdict.UNRELATED
    if said.is_negated != known.is_negated:
        denied, plain = (fresh, old) if said.is_negated else (old, fresh)
        if not _denies(denied, plain) and not _denies_value(new, kept):
            return Verdict.UNRELATED
        is_part = said.is_negated and _goes_on(kept.content, new.content)
        return Verdict.DISPUTED if is_part else Verdict.CONTRADICTS
    if said.words == known.words or _adds(said.words, known.words):
        return Verdict.SAME
    return Verdict.MORE_PRECISE if _adds(known.words, said.words) else Verdict.UNRELATED


def _denies(denied: Sequence[str], plain: Sequence[str]) -> bool:
    """Whether a denial is of what the other says, and not of what follows it ("but not coffee")."""
    affirmed = _affirmed(denied)
    if _begins(plain, affirmed):
        return True
    first = next(place for place, stem in enumerate(denied) if stem in NEGATIONS)
    return _begins(affirmed, plain) and first < denied.index(plain[-1])


def _goes_on(kept: str, new: str) -> bool:
    """Whether a statement says a further thing, of which a denial says nothing: "and golf"."""
    said = set(stems(new))
    further = (set(stems(clause)) for clause in _AND.split(kept)[1:])
    return any(one and said.isdisjoint(one) for one in further)


@dataclass(frozen=True, slots=True)
class _Reading:
    words: tuple[str, ...]
    stems: tuple[str, ...]
    is_negated: bool


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether two statements say the same of the same people, in the first person or the third.

    "David: j'habite à Lyon" is "David habite à Lyon".
    """
    return _told(one).words == _told(other).words


def _told(statement: Statement) -> _Reading:
    return _read(statement.content, statement.said_by)


@lru_cache(maxsize=_CACHED)
def _read(content: str, said_by: str | None) -> _Reading:
    clause = clause_of(content, said_by)
    told = " ".join((*sorted(clause.people), clause.said))
    return _Reading(tuple(words(told)), tuple(stems(content)), negated(content))


def _denies_value(new: Statement, kept: Memory) -> bool:
    """Whether one of them denies the very value that the other gives, however it is put."""
    values = [read(one) for read in (attribute_in, denied_attribute_in) for one in (new, kept)]
    fresh, old, unsaid, undone = values
    return _is_one_value(fresh, undone) or _is_one_value(old, unsaid)


def _is_one_value(one: Attribute | None, other: Attribute | None) -> bool:
    if one is None or other is None or one.slot is None or one.slot != other.slot:
        return False
    return spelling(one) == spelling(other)


def _by_attribute(new: Statement, kept: Memory) -> Verdict:
    fresh, old = attribute_in(new), attribute_in(kept)
    if fresh is None or old is None or fresh.slot is None or fresh.slot != old.slot:
        return Verdict.UNRELATED
    if may_both_hold(fresh, old):
        return Verdict.UNRELATED
    value, known = spelling(fresh), spelling(old)
    if _begins(value, known) or _begins(known, value):
        return _of_one_value(fresh, old, len(value) - len(known))
    return Verdict.DISPUTED if says_more(old) else Verdict.CHANGED


def _by_stance(new: Statement, kept: Memory) -> Verdict:
    fresh, old = stance_in(new), stance_in(kept)
    if fresh is None or old is None or not fresh.denies(old):
        return Verdict.UNRELATED
    return Verdict.CONTRADICTS


def _by_ache(new: Statement, kept: Memory) -> Verdict:
    fresh, old = symptom_in(new), symptom_in(kept)
    if fresh is None or old is None or not fresh.is_same(old):
        return Verdict.UNRELATED
    if old.says_all_of(fresh):
        return Verdict.SAME
    return Verdict.MORE_PRECISE if fresh.says_all_of(old) else Verdict.RELATED


def _of_one_value(fresh: Attribute, old: Attribute, longer: int) -> Verdict:
    """How statements of one value relate; an arrival ("moved to Lyon") is an event besides."""
    if fresh.arrives != old.arrives:
        return Verdict.UNRELATED
    if longer <= 0 and not fresh.rest:
        return Verdict.SAME
    return Verdict.MORE_PRECISE if longer >= 0 and not old.rest else Verdict.UNRELATED


def _adds(less: Sequence[str], more: Sequence[str]) -> bool:
    """Whether `more` says all that `less` says, and then when, where, with whom, or one thing more.

    Whole words are compared and not stems: "works" is not "worked". What follows must begin with a
    word that adds: "married to Anne" and "married to Anne's sister" are two things.
    """
    return len(more) > len(less) and _begins(more, less) and _is_adding(more[len(less) :])


def _is_adding(rest: Sequence[str]) -> bool:
    counted = rest[0] in {"de", "of"} and len(rest) > 1 and rest[1][:1].isdigit()
    return rest[0] in ADDING or rest[0][:1].isdigit() or counted


def _begins(statement: Sequence[str], words: Sequence[str]) -> bool:
    return statement[: len(words)] == words


def _affirmed(statement: Sequence[str]) -> tuple[str, ...]:
    return tuple(stem for stem in statement if stem not in _DENIALS)


def between_authors(verdict: Verdict, new: Statement, kept: Memory) -> Verdict:
    """The verdict on what two statements say, as far as their authors let it have effect.

    No claim repeats, sharpens or takes the place of another author's.
    """
    return verdict if of_one_author(new, kept) else _BETWEEN_AUTHORS.get(verdict, verdict)


_BETWEEN_AUTHORS = {
    Verdict.SAME: Verdict.UNRELATED,
    Verdict.MORE_PRECISE: Verdict.UNRELATED,
    Verdict.CHANGED: Verdict.DISPUTED,
    Verdict.CONTRADICTS: Verdict.DISPUTED,
}


def by_chance(new: Statement, rivals: Sequence[Memory], said_at: datetime) -> dict[int, Verdict]:
    """The verdicts on statements that another one probably makes no longer so, by their places.

    Whichever was said later counts. A change is `CHANGED` where it is sure of one of them only, and
    nothing would be lost with it; else both stay, tied as `DISPUTED`. What the pet is and wants is
    not judged so: the chances are those of what people say of their lives.
    """
    if new.store is not Store.MEMORY:
        return {}
    pairs = {
        at: in_time(new, one, said_at) for at, one in enumerate(rivals) if _are_of_one(new, one)
    }
    told = {at: (saying_of(earlier), saying_of(later)) for at, (earlier, later) in pairs.items()}
    open_ = {at: pair for at, pair in told.items() if may_end(*pair)}
    shares = dict(zip(open_, chances_of_change(list(open_.values())), strict=True))
    is_sole = sum(share >= SURE for share in shares.values()) == 1
    return {
        at: Verdict.CHANGED
        if is_sole and share >= SURE and not _says_besides(*(one.content for one in pairs[at]))
        else Verdict.DISPUTED
        for at, share in shares.items()
        if share >= LIKELY
    }


def _are_of_one(new: Statement, kept: Memory) -> bool:
    """Whether both are told of the same people."""
    one, other = (clause_of(each.content, each.said_by) for each in (new, kept))
    is_told = one.is_told and other.is_told
    return is_told and one.people == other.people and are_about_one(new, kept)


def in_time(new: Statement, kept: Memory, said_at: datetime) -> tuple[Statement, Statement]:
    """Both statements, the one that was said first before the other."""
    return (kept, new) if kept.valid_from <= said_at else (new, kept)


def saying_of(statement: Statement) -> Saying:
    """The words of a statement and who said them, as the network of changes reads them."""
    return Saying(statement.content, statement.said_by)


def within_matter(verdict: Verdict, new: Statement, kept: Memory) -> Verdict:
    """The verdict, as far as two statements are of one person and of one matter: else both stay."""
    if not are_about_one(new, kept) or not may_be_of_one_person(new, kept):
        return Verdict.UNRELATED
    if verdict is Verdict.UNRELATED or is_of_one_matter(new, kept):
        return verdict
    return Verdict.RELATED


def guarded(verdict: Verdict, new: Statement, kept: Memory, rarity: Rarity) -> Verdict:
    """The verdict, or that both stay where following it would lose what only one of them says.

    Where they are the same the new words are dropped; where they are more precise, the kept ones;
    where something changed, what the kept one says besides. `rarity` knows the stems of both. The
    names of who said them are no loss: either may be told without.
    """
    if verdict is Verdict.CHANGED and _says_besides(kept.content, new.content):
        return Verdict.DISPUTED
    gone, left = {
        Verdict.SAME: (new.content, kept.content),
        Verdict.MORE_PRECISE: (kept.content, new.content),
    }.get(verdict, ("", ""))
    own = {stem for one in (new, kept) for stem in stems(one.said_by or "")}
    return Verdict.RELATED if lost(gone, left, rarity) - own else verdict


def lost(gone: str, left: str, rarity: Rarity) -> frozenset[str]:
    """The names, numbers and rare stems of one statement that another does not say.

    A word that the other says in the other language, or another form of it, is not lost.
    """
    said = set(stems(left)) | set(words(left)) | set(_NUMBER.findall(left))
    return frozenset(
        stem
        for stem in _telling(gone, rarity)
        if stem not in said and said.isdisjoint(translations(stem).get(stem, ()))
    )


def _says_besides(kept: str, new: str) -> bool:
    """Whether a further clause tells a name or a number of what the other is not about."""
    said = set(stems(new))
    return any(
        said.isdisjoint(stems(clause)) and (_PROPER.search(clause) or _NUMBER.search(clause))
        for clause in _AND.split(kept)[1:]
    )


def _telling(text: str, rarity: Rarity) -> frozenset[str]:
    names = {stem for name in _PROPER.findall(text) for stem in stems(name)}
    rare = {stem for stem in stems(text) if rarity.is_rare(stem) and stem not in light_stems()}
    return frozenset((names | rare | set(_NUMBER.findall(text))) - NEGATIONS)
