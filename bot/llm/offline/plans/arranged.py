"""The plans of a group as check-ins read them: what was said of each, and who comes; pure."""

from collections.abc import Sequence

from bot.llm.offline.plans.standing import plans_in
from bot.llm.offline.questions.talk import TalkLine, said_claims
from memory.model.checkins import ArrangedPlan, HeardLine


def arranged_plans(lines: Sequence[HeardLine]) -> list[ArrangedPlan]:
    """What these people of one room arranged and did not call off; `lines` are in order."""
    heard = {_talk_line(one): one for one in lines}
    return [
        ArrangedPlan(
            lines=tuple(heard[one] for one in plan.lines),
            coming=tuple(heard[one] for one in plan.coming.values()),
        )
        for plan in plans_in(heard)
        if not plan.called_off
    ]


def _talk_line(line: HeardLine) -> TalkLine:
    return TalkLine(
        text=line.text,
        author=line.name,
        at=line.at,
        room="here",
        person=line.person,
        claims=said_claims(line.text, line.claims),
    )
