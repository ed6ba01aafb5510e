"""What is kept already of those who speak, for who reads a stretch of their talk."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.language.names import name_key
from memory.model.audience import Audience, Scope
from memory.model.messages import Message
from memory.model.people import PersonId
from memory.model.statements import Memory
from memory.model.stores import Store
from memory.storage.people.aliases import Aliases
from memory.storage.statements.profiles import CoreFacts
from memory.storage.statements.statements import Memories
from memory.storage.statements.subjects import Subjects

MOST_STANDING = 20
"""Statements that are shown beside a stretch: what it may end, and what it need not say again."""

_MOST_ALIKE = 60
"""Statements like the stretch among which those of who speaks are looked for."""

_MOST_PEOPLE = 12
"""People whose statements are looked up: a busy room has more who say one word."""

_NAMELIKE = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ][\w-]{2,}")
"""A word with a capital: it may be a subject, and one that is none has no statements."""

_MOST_NAMES = 60
"""Names of one stretch that are looked up: more stand in a pasted text, not in a talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBeside:
    """What is kept beside a stretch of talk, within its audience.

    How many statements there are by subject; the other names of each author; and what holds of
    those who speak, and by or of those they name: what people have one of at a time first, then
    what is like their words.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    standing: tuple[Memory, ...] = ()


class KnownAlready:
    """Looks up what one audience knows of people. What others know is never told."""

    def __init__(
        self, subjects: Subjects, memories: Memories, facts: CoreFacts, aliases: Aliases
    ) -> None:
        self._subjects = subjects
        self._memories = memories
        self._facts = facts
        self._aliases = aliases

    async def counts(self, subjects: Iterable[str], audience: Audience) -> Mapping[str, int]:
        """How many statements exactly this audience has about each subject."""
        return await self._subjects.counts(subjects, audience)

    async def about(self, lines: Sequence[Message], audience: Audience) -> KnownBeside:
        """What is kept of those who wrote these lines, and of whom they name."""
        spelt = [name for line in lines for name in _NAMELIKE.findall(line.text)]
        asked = list(dict.fromkeys((*(line.author for line in lines), *spelt)))[:_MOST_NAMES]
        counts = await self.counts(asked, audience)
        authors = {line.person: line.author for line in lines if line.person is not None}
        people = dict(list(authors.items())[:_MOST_PEOPLE])
        scope = Scope(frozenset({audience}))
        texts = "\n".join(line.text for line in lines)
        named = await self._aliases.named_in(texts, scope)
        spoken_of = {*people, *(person for one in named for person in one.people)}
        return KnownBeside(
            counts={name: known for name, known in counts.items() if known},
            names=await self._other_names(people, scope),
            standing=await self._standing(people, spoken_of, texts, scope),
        )

    async def _other_names(
        self, people: Mapping[PersonId, str], scope: Scope
    ) -> dict[str, tuple[str, ...]]:
        called = await self._aliases.names_of(people, scope)
        others = {
            author: tuple(
                name for name in called.get(person, ()) if name_key(name) != name_key(author)
            )
            for person, author in people.items()
        }
        return {author: names for author, names in others.items() if names}

    async def _standing(
        self,
        people: Iterable[PersonId],
        spoken_of: Collection[PersonId],
        texts: str,
        scope: Scope,
    ) -> tuple[Memory, ...]:
        facts = [one for person in people for one in await self._facts.of_person(person, scope)]
        rows = await self._memories.visible([one.memory for one in facts], scope)
        alike = await self._memories.alike(texts, Store.MEMORY, scope, _MOST_ALIKE)
        told = (one for one in alike if {one.author, one.about_person} & set(spoken_of))
        return tuple({one.id: one for one in (*rows, *told)}.values())[:MOST_STANDING]
