"""What a conversation begins with: who the pet is, and what it means to do about the person."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBackground:
    """Statements that were chosen when a session began, as they stand now.

    `self_lines` say who the pet is, `goals` what it wants of the person, best first. `quiet_topics`
    are those that the person asked it to leave alone, `told_quiet` the ones among them that may be
    named where the session is. `ids` are those of the statements.
    """

    self_lines: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    quiet_topics: tuple[str, ...] = ()
    told_quiet: tuple[str, ...] = ()
    ids: frozenset[UUID] = frozenset()
