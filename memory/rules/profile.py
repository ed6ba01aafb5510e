"""Which statements say of their own speaker what people have one of at a time. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.language.expressions import SentencePattern
from memory.language.names import name_key
from memory.model.knowledge import KnowledgeId
from memory.model.statements import Memory, MemoryId, NewMemory, Relation
from memory.model.stores import Store
from memory.rules.comparison import compare
from memory.rules.supersession import RELATIONS
from memory.statements.readings import english, french
from memory.statements.readings.attribute import Attribute, attribute_of, may_both_hold, spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """A value of a key about a person; `subject` is the folded name that the statement gives."""

    subject: str
    key: str
    value: str

    def is_value(self, value: str) -> bool:
        """Whether another value of the key is the same in other signs."""
        return spelling(self._attribute(self.value)) == spelling(self._attribute(value))

    def may_stand_beside(self, value: str) -> bool:
        """Whether another value of the key can be true as well."""
        return may_both_hold(self._attribute(self.value), self._attribute(value))

    def _attribute(self, value: str) -> Attribute:
        return Attribute(subject=self.subject, key=self.key, value=value)


def core_of(new: NewMemory) -> Core | None:
    """What a statement says of a person that is always worth having in the prompt, or None.

    Its speaker must be known to have said it, in so many words or as extraction found, and it
    must last.
    """
    if new.store is not Store.MEMORY or new.said_by is None or new.ttl is not None:
        return None
    attribute = attribute_of(new.content, new.said_by)
    if attribute is not None and attribute.subject:
        return Core(subject=attribute.subject, key=attribute.key, value=attribute.value)
    if new.core is not None:
        key, value = new.core
        return Core(subject=name_key(new.said_by), key=key, value=value)
    return _in_a_clause(new.content, new.said_by)


def _in_a_clause(content: str, speaker: str) -> Core | None:
    """What a later clause says of who speaks: "Maya has moved and lives in Walthamstow now".

    Only of a statement that begins with its speaker, and names no one else before: a clause without
    a person of its own, or with a pronoun, is of whom was named last ("a sister called Ruth, who
    lives in Cardiff").
    """
    first, *later = _CLAUSE.split(content)
    if not first.casefold().startswith(speaker.casefold()):
        return None
    before = first[len(speaker) :]
    for clause in later:
        if _NAMES_ANOTHER.search(before):
            return None
        before = clause
        read = attribute_of(f"{speaker} {_PRONOUN.sub('', clause)}", speaker)
        if read is not None and read.subject == name_key(speaker):
            return Core(subject=read.subject, key=read.key, value=read.value)
    return None


_CLAUSE = re.compile(r"\s?[;:,]\s|\s(?:and|et)\s|\s?\(")
_NAMES_ANOTHER = SentencePattern(
    rf"\b(?:{english.FAMILY}|{french.FAMILY})\b"
    r"|\b(?:called|named|with|appelée?|avec)\s[A-ZÀ-ÖØ-Ý]"
)
"""A relative or a companion in a clause."""

_PRONOUN = re.compile(r"(?:he|she|they|elle|il|iel|qui|who)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFact:
    """A value of a key that holds of a person, since when, and the statement behind it."""

    id: KnowledgeId
    core: Core
    since: datetime
    memory: MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedFact:
    """A value that holds no more beside another; where it `repeats` that one it never had to."""

    fact: HeldFact
    by: HeldFact
    repeats: bool


def ended_facts(held: Sequence[HeldFact]) -> list[EndedFact]:
    """Which values of one key end, where several hold of one person: the later said holds."""
    ended: list[EndedFact] = []
    standing: list[HeldFact] = []
    for fact in sorted(held, key=lambda one: one.since):
        same = next((one for one in standing if fact.core.is_value(one.core.value)), None)
        if same is not None:
            ended.append(EndedFact(fact=fact, by=same, repeats=True))
            continue
        over = [one for one in standing if not fact.core.may_stand_beside(one.core.value)]
        ended += [EndedFact(fact=one, by=fact, repeats=False) for one in over]
        standing = [one for one in standing if one not in over] + [fact]
    return ended


def relation_of_one(later: Memory, earlier: Memory) -> Relation | None:
    """What a statement is to an earlier one whose place it takes, if one person said both.

    They may have said them under two names; None where both stay.
    """
    return RELATIONS.get(compare(_spoken_as(later, earlier.said_by), earlier))


def _spoken_as(memory: Memory, name: str | None) -> Memory:
    """A statement as if said under that name: "Dav lives" is "David lives"."""
    own = memory.said_by
    if not own or not name or not memory.content.casefold().startswith(own.casefold()):
        return replace(memory, said_by=name)
    return replace(memory, said_by=name, content=name + memory.content[len(own) :])
