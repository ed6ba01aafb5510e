"""What a question was answered with then, what a copy answers now, and whether that is as good."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.model.conversations import Turn
from memory.model.recalled import bullet
from memory.model.retrieval import RecalledLine


class RehearsalVerdict(StrEnum):
    """How an answer of a new version compares with the one that was kept."""

    SAME = "same"
    CHANGED = "changed"
    WORSE = "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedQuestion:
    """A question with what was recalled for it and replied then, and what is now.

    `reply` is None where a model answers: it is not asked again. `admissions` are the replies that
    say that nothing is known.
    """

    then: Turn
    lines: Sequence[RecalledLine]
    reply: str | None
    admissions: frozenset[str]

    @property
    def kept(self) -> list[RecalledLine]:
        """What is recalled now as it was then."""
        then = set(map(_key, self.then.recalled))
        return [one for one in self.lines if _key(one) in then]

    @property
    def lost(self) -> list[RecalledLine]:
        """What was recalled then only."""
        now = set(map(_key, self.lines))
        return [one for one in self.then.recalled if _key(one) not in now]

    @property
    def gained(self) -> list[RecalledLine]:
        """What is recalled now only."""
        then = set(map(_key, self.then.recalled))
        return [one for one in self.lines if _key(one) not in then]

    @property
    def is_answered_otherwise(self) -> bool:
        """Whether the reply is another one."""
        return self.reply is not None and self.reply != self.then.reply

    @property
    def verdict(self) -> RehearsalVerdict:
        """Worse is an answer that is lost; without a reply, lines that are lost and none came."""
        if not (self.lost or self.gained or self.is_answered_otherwise):
            return RehearsalVerdict.SAME
        if self.reply is None:
            return (
                RehearsalVerdict.WORSE
                if self.lost and not self.gained
                else RehearsalVerdict.CHANGED
            )
        is_lost = self._is_empty(self.reply) and not self._is_empty(self.then.reply)
        return RehearsalVerdict.WORSE if is_lost else RehearsalVerdict.CHANGED

    def _is_empty(self, reply: str) -> bool:
        return not reply or reply.partition("\n\n")[0] in self.admissions

    @property
    def shown(self) -> dict[str, Any]:
        """The question and both answers, as JSON."""
        return {
            "verdict": self.verdict.value,
            "turn": str(self.then.id),
            "at": self.then.asked_at.isoformat(),
            "person": self.then.speaker,
            "asked": self.then.text,
            "kept": _texts(self.kept),
            "lost": _texts(self.lost),
            "gained": _texts(self.gained),
            "replied": self.then.reply,
            "replies": self.reply,
        }


def counted(questions: Iterable[RehearsedQuestion]) -> dict[str, int]:
    """How many questions have each verdict."""
    found = Counter(one.verdict for one in questions)
    return {verdict.value: found[verdict] for verdict in RehearsalVerdict}


def _key(line: RecalledLine) -> tuple[str, str, str | None]:
    return line.section, line.content, line.said_by


def _texts(lines: Iterable[RecalledLine]) -> list[str]:
    return [bullet(line).removeprefix("• ") for line in lines]
