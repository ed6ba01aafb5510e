"""How far a line is of, or about, whom a question is about; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.llm.offline.acquaintances import Acquaintances
from bot.llm.offline.questions.eligibility import speaks_of
from bot.llm.offline.questions.relations import subject_relation
from bot.llm.offline.questions.subjects import Subject
from bot.llm.offline.questions.talk import InContext, TalkLine
from memory.language.text import words


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionStanding:
    """Judges lines for one who asks.

    `asker` is their key among the people, `aliases` lead from other names to known ones, `pet` are
    the pet's names.
    """

    people: Acquaintances
    asker: str
    aliases: Mapping[str, str]
    pet: frozenset[str]

    def of(self, subject: Subject, one: InContext) -> float:
        """How far a line is of whom the question is about, in 0..1; 0 where it is not."""
        if subject.of_pet and not subject.people:
            return self._of_pet(subject, one)
        if one.line.by_pet:
            return 0.0
        if subject.people:
            return self._of_people(subject, one.line)
        if subject.of_asker and not subject.of_group:
            return self._of_asker(one.line)
        if subject.strangers and _is_of_its_author(one, subject.strangers):
            return 0.0
        return 1.0 if one.line.speaker == self.asker else _OTHERS_WORD

    def is_of_unasked(self, subject: Subject, line: TalkLine) -> bool:
        """Whether a line is about a relative, and the question neither about one nor by name.

        "My sister Anna" answers who asks for Anna.
        """
        if subject.relations or not subject_relation(line.plain):
            return False
        names = self.people.names_of(subject.people) | subject.strangers
        return not any(speaks_of(name, line.text) for name in names)

    def _of_people(self, subject: Subject, line: TalkLine) -> float:
        names = self.people.names_of(subject.people)
        others = {alias for alias, name in self.aliases.items() if name in names}
        about = any(speaks_of(name, line.text) for name in names | others)
        is_theirs = line.speaker in subject.people
        return 1.0 if is_theirs or about else 0.0

    def _of_asker(self, line: TalkLine) -> float:
        if line.speaker != self.asker:
            names = self.people.names_of({self.asker})
            return 0.8 if any(speaks_of(name, line.text) for name in names) else 0.0
        is_of_another = _THIRD.search(line.plain) and not _FIRST.search(line.plain)
        return 0.7 if is_of_another else 1.0

    def _of_pet(self, subject: Subject, one: InContext) -> float:
        line = one.line
        if line.by_pet:
            return 0.85 if not subject.of_asker else 0.5
        names = bool(set(line.plain.split()) & self.pet)
        spoken_to = one.to_pet and _SECOND.search(line.plain) is not None
        if not (names or spoken_to):
            return 0.0
        if subject.of_asker and line.speaker != self.asker:
            return 0.5
        return 1.0


def _is_of_its_author(one: InContext, strangers: frozenset[str]) -> bool:
    """Whether a line is about its author, and neither it nor its context names a stranger."""
    if _FIRST.search(one.line.plain) is None:
        return False
    return strangers.isdisjoint(words(f"{one.context} {one.line.text}"))


_OTHERS_WORD = 0.95
"""Where no one is meant, who asks is meant a little more."""

_FIRST = re.compile(r"\b(?:i|me|my|we|our|us|mine|je|j|m|me|moi|mon|ma|mes|on|nous|notre|nos)\b")
_THIRD = re.compile(
    r"^(?!(?:it|that|this|there|c|ca|ce|il y|the|le|la|les|my|mon|ma)\b)(?:he|she|they|il|elle"
    r"|\w+) (?:a|has|got|had|ont) "
)
"""A line without its author: "lucas a eu 14"."""
_SECOND = re.compile(r"\b(?:you|your|yours|tu|te|t|toi|ton|ta|tes)\b")
