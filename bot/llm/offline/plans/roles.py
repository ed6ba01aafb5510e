"""What a line does to the plans of a group: it proposes, agrees, changes, tells where; pure.

Logistic regression by a small network for each, over what a line and the one before it in its room
mean and show. `python -m benchmarks.fit_roles` fits them.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import IO

import numpy as np

from bot.llm.offline.questions.asked import AskedKind
from bot.llm.offline.questions.evidence import holds
from bot.llm.offline.questions.talk import TalkLine
from memory.claims.features import Floats, vectors_of
from memory.claims.head import chance
from memory.claims.network import Network, network_of
from memory.claims.signs import sign_names, signs_in
from memory.model.claims import Slot
from memory.statements.changes import takes_back


class PlanRole(StrEnum):
    """What a line may do to a plan; the values are the names in the material that is fitted to."""

    PROPOSES = "propose"
    AGREES = "accept"
    DECLINES = "decline"
    DETAILS = "detail"
    CHANGES = "change"
    BRINGS = "bring"
    CALLS_OFF = "call_off"
    TELLS_WHEN = "when"
    TELLS_WHERE = "where"


PlanRoles = Mapping[PlanRole, float]
"""How likely a line has each role, in 0..1."""

ROLES = "roles.npz"

_BEFORE = 0.7
"""What the meaning of the line before counts beside that of the line."""

_LONGEST = 200


def roles_of(lines: Sequence[TalkLine]) -> list[PlanRoles]:
    """The roles of the lines of one room, in the order they were said."""
    if not lines:
        return []
    rows = role_rows(lines)
    found = {role: chance(one.scores(rows)).tolist() for role, one in load_roles().items()}
    return [{role: found[role][at] for role in PlanRole} for at in range(len(lines))]


def role_rows(lines: Sequence[TalkLine]) -> Floats:
    """What is seen of each line of one room."""
    means = vectors_of([one.text for one in lines])
    before = np.vstack((np.zeros_like(means[:1]), means[:-1])) * _BEFORE
    shown = [_shown(None, lines[0]), *(_shown(one, other) for one, other in pairwise(lines))]
    found: Floats = np.hstack((np.array(shown, dtype=np.float32), means, before))
    return found


def _shown(before: TalkLine | None, line: TalkLine) -> list[float]:
    signs = signs_in(line.plain)
    of_plan = (one.read.certainty for one in line.claims if one.read.slot is Slot.PLAN)
    return [
        holds(AskedKind.CLOCK, line.text, ()),
        holds(AskedKind.TIME, line.text, ()),
        holds(AskedKind.PLACE, line.text, ()),
        "?" in line.text,
        takes_back(line.plain),
        min(len(line.text), _LONGEST) / 100,
        max(of_plan, default=0.0),
        before is not None and "?" in before.text,
        before is not None and holds(AskedKind.TIME, before.text, ()),
        before is not None and before.speaker == line.speaker,
        *(name in signs for name in sign_names()),
    ]


@cache
def load_roles() -> Mapping[PlanRole, Network]:
    """The fitted networks, read once."""
    with files(__package__).joinpath(ROLES).open("rb") as file:
        return roles_in(file)


def roles_in(file: IO[bytes]) -> Mapping[PlanRole, Network]:
    """The networks that a file holds."""
    kept = np.load(file, allow_pickle=False)
    return {role: network_of(kept, f"{role}_") for role in PlanRole}
