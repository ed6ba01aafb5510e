"""The plans of the groups of a talk, as the lines that propose and change them leave them; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby

from bot.llm.offline.plans.roles import PlanRole, PlanRoles, roles_of
from bot.llm.offline.questions.asked import AskedKind
from bot.llm.offline.questions.evidence import holds, names_day
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import stems
from memory.statements.changes import takes_back

_PROPOSED = 0.5
"""The chance from which a line puts forward something, or changes it."""

_SETTLES = 0.45
"""The chance, of all that settle, from which a later line says how it is instead; so does one that
takes something back, but for who declines."""

_HAS_ROLE = 0.5
_DECLINES, _CALLS_OFF = 0.35, 0.3
_TELLS_PLACE, _TELLS_TIME = 0.42, 0.4

_OF_IT = 0.35
"""The chance, of any role, from which a line is of the plan at all."""

_STILL = timedelta(hours=12)
"""How long what is put forward next to a plan is rather that plan put otherwise."""

_DROPPED = timedelta(days=4)
"""A silence after which what is put forward is another plan."""

_FORGOTTEN = timedelta(days=15)
"""A silence after which no line belongs to a plan any more."""


class PlanPart(StrEnum):
    """What a plan has one of at a time."""

    DAY = "day"
    CLOCK = "clock"
    PLACE = "place"


@dataclass(slots=True)
class Plan:
    """What a group arranges: for each part the line that tells how it stands.

    `coming` and `away` have, by speaker, the line that agrees or declines.
    """

    last: datetime
    begun: datetime
    parts: dict[PlanPart, TalkLine] = field(default_factory=dict)
    coming: dict[str, TalkLine] = field(default_factory=dict)
    away: dict[str, TalkLine] = field(default_factory=dict)
    brought: list[TalkLine] = field(default_factory=list)
    called_off: TalkLine | None = None
    lines: list[TalkLine] = field(default_factory=list)

    @property
    def speakers(self) -> frozenset[str]:
        """Whose lines are of it."""
        return frozenset(one.speaker for one in self.lines)

    @property
    def said(self) -> frozenset[str]:
        """The stems of its lines."""
        return frozenset(stem for one in self.lines for stem in stems(one.plain))

    def add(self, line: TalkLine, roles: PlanRoles) -> None:
        """What a line of the plan makes of it."""
        self.lines.append(line)
        self.last = line.at
        self._settle(line, roles)
        if roles[PlanRole.CALLS_OFF] >= _CALLS_OFF:
            self.called_off = line
        if roles[PlanRole.DECLINES] >= _DECLINES:
            self.away[line.speaker] = line
            self.coming.pop(line.speaker, None)
        elif max(roles[PlanRole.AGREES], roles[PlanRole.PROPOSES]) >= _HAS_ROLE:
            self.coming[line.speaker] = line
            self.away.pop(line.speaker, None)
        if roles[PlanRole.BRINGS] >= _HAS_ROLE:
            self.brought.append(line)

    def _settle(self, line: TalkLine, roles: PlanRoles) -> None:
        settles = sum(roles[one] for one in _SETTLING) >= _SETTLES or (
            takes_back(line.plain) and roles[PlanRole.DECLINES] < _DECLINES
        )
        for part in _told_parts(line, roles):
            if settles or part not in self.parts:
                self.parts[part] = line


_SETTLING = (PlanRole.PROPOSES, PlanRole.DETAILS, PlanRole.CHANGES)


def plans_in(lines: Iterable[TalkLine]) -> list[Plan]:
    """The plans of all rooms, the one that was spoken of last behind; `lines` are in order."""
    told = [one for one in lines if one.room and not (one.by_pet or one.stated)]
    rooms = groupby(sorted(told, key=lambda one: one.room), key=lambda one: one.room)
    found = [plan for _, own in rooms for plan in _plans_of_room([*own])]
    return sorted(found, key=lambda plan: plan.last)


def _plans_of_room(lines: Sequence[TalkLine]) -> list[Plan]:
    found: list[Plan] = []
    for line, roles in zip(lines, roles_of(lines), strict=True):
        if _begins(line, roles, found[-1] if found else None):
            found.append(Plan(last=line.at, begun=line.at))
        elif not found or line.at - found[-1].last > _FORGOTTEN or not _is_of_plan(line, roles):
            continue
        found[-1].add(line, roles)
    return found


def _begins(line: TalkLine, roles: PlanRoles, current: Plan | None) -> bool:
    """Whether a line puts forward another plan than the current one."""
    if roles[PlanRole.PROPOSES] < _PROPOSED:
        return False
    if current is None or current.called_off or line.at - current.last > _DROPPED:
        return True
    puts_otherwise = roles[PlanRole.CHANGES] >= _OF_IT or roles[PlanRole.DECLINES] >= _DECLINES
    return not puts_otherwise and line.at - current.begun > _STILL


def _is_of_plan(line: TalkLine, roles: PlanRoles) -> bool:
    return max(roles[one] for one in _OF_PLANS) >= _OF_IT or bool(_told_parts(line, roles))


_OF_PLANS = tuple(one for one in PlanRole if one not in {PlanRole.TELLS_WHEN, PlanRole.TELLS_WHERE})


def _told_parts(line: TalkLine, roles: PlanRoles) -> list[PlanPart]:
    """The parts of a plan that a line tells of."""
    told = []
    if roles[PlanRole.TELLS_WHEN] >= _TELLS_TIME:
        is_day = names_day(line.plain)
        told += [PlanPart.DAY] if is_day else []
        told += [PlanPart.CLOCK] if holds(AskedKind.CLOCK, line.text, ()) or not is_day else []
    if roles[PlanRole.TELLS_WHERE] >= _TELLS_PLACE:
        told.append(PlanPart.PLACE)
    return told
