"""Recall in private over all processes: each is asked what its own code would recall there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.conversation.composer import Recalling
from bot.siblings.circle import Answers, Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import LONGEST_TEXT, RecallAsked, RecallGiven, SiblingAccount
from memory.language.text import fold
from memory.model.audience import person_audience, person_in
from memory.model.recalled import block_of
from memory.model.retrieval import Considered, Question, RecalledLine, Retrieval, Section
from memory.model.rooms import RoomKind
from memory.retrieval.ranking import Limits
from memory.retrieval.rendering import in_order
from memory.tokens import tokens_in

LONGEST_S = 30.0
"""Seconds for a sibling to answer: the limit is the deadline of recall, this one ends the task."""

SWITCHED_OFF = "switched off"
"""Why nothing is injected, whatever others know."""

LESS_FIT = "what another process recalls fits better"
"""Why a row of this process is not injected that would be without its siblings."""


LimitsInForce = Callable[[], tuple[Limits, float]]
"""The limits of recall now, and the seconds that others have after it is done here."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A line with how well it fits; `row` is the one of this process it was made of."""

    line: RecalledLine
    score: float
    row: Considered | None = None


class SiblingRecall:
    """The Recalling port over the recall of this process and of those beside it.

    Others are asked in parallel, about a person in private alone: what is said in a community is
    with the process that has it.
    """

    def __init__(self, own: Recalling, siblings: Siblings, limits: LimitsInForce) -> None:
        self._own = own
        self._siblings = siblings
        self._limits = limits

    async def before(self, question: Question) -> Retrieval:
        """What to inject before this question, of all processes; never fails."""
        if not self._is_for_all(question):
            return await self._own.before(question)
        asked = RecallAsked(
            who=SiblingAccount.of(question.account or "", question.speaker),
            text=question.text[:LONGEST_TEXT],
            context=question.context[:LONGEST_TEXT],
            quiet_topics=question.quiet_topics,
        )
        found: list[Retrieval] = []

        async def here() -> None:
            found.append(await self._own.before(question))

        async def there(one: Sibling) -> RecallGiven:
            return await one.asked(RecallGiven, "/recall", asked, limit_s=LONGEST_S)

        limits, grace_s = self._limits()
        every = self._siblings.every
        given = await self._siblings.each(there, every, here(), grace_s=grace_s)
        return merged(found[0], given, question, limits)

    def _is_for_all(self, question: Question) -> bool:
        """Whether siblings may know of it: they have communities of one platform."""
        direct = question.room.kind is RoomKind.DIRECT
        return direct and self._siblings.knows(question.account or "")


def merged(
    own: Retrieval, answers: Answers[RecallGiven], question: Question, limits: Limits
) -> Retrieval:
    """What is injected of all processes: the best lines, as many as one process would give.

    Whether who asks may know a line was decided where it is, as it was given: they may be vouched
    for here too late. Who did not answer in time is told among what came too late.
    """
    late = (
        *own.late,
        *answers.names_missing,
        *(f"{one.name}: {what}" for one, found in answers.given.items() for what in found.late),
    )
    here = list(_weighed_here(own))
    there = list(_weighed_there(answers, question, {fold(one.line.content) for one in here}))
    if not there or own.reason == SWITCHED_OFF:
        return replace(own, late=late)
    kept = list(_within(sorted((*here, *there), key=lambda one: -one.score), limits))
    gone = {id(one.row) for one in here} - {id(one.row) for one in kept}
    order = list(Section)
    lines = tuple(sorted((one.line for one in kept), key=lambda one: order.index(one.section)))
    return replace(
        own,
        lines=lines,
        items=tuple(
            replace(one, kept=False, reason=LESS_FIT) if id(one) in gone else one
            for one in own.items
        ),
        tokens=tokens_in(block_of(lines)),
        late=late,
    )


def _weighed_here(own: Retrieval) -> Iterator[_Weighed]:
    rows = {one.candidate.id: one for one in own.items if one.kept}
    ordered = in_order([one.candidate for one in rows.values()])
    for candidate, line in zip(ordered, own.lines, strict=True):
        row = rows[candidate.id]
        yield _Weighed(line, row.score + row.candidate.worth, row)


def _weighed_there(
    answers: Answers[RecallGiven], question: Question, said: set[str]
) -> Iterator[_Weighed]:
    for sibling, given in answers.given.items():
        for one in given.lines:
            words = fold(one.line.content)
            if words not in said:
                said.add(words)
                line = one.given_by(sibling.address, sibling.name)
                yield _Weighed(_as_known_here(line, question), one.score)


def _as_known_here(line: RecalledLine, question: Question) -> RecalledLine:
    """The line with who asks by their id here, which may be another one in the process it is of."""
    if question.person is None or line.given is None:
        return line
    own = person_audience(question.person)
    whose = {own if person_in(one) is not None else one for one in line.given.audiences}
    given = replace(line.given, audiences=frozenset(whose))
    return replace(line, person=question.person if line.own else None, given=given)


def _within(best: Sequence[_Weighed], limits: Limits) -> Iterator[_Weighed]:
    """The best that there is room for, in their order."""
    kept: list[_Weighed] = []
    for one in best:
        live = sum(each.line.section is Section.LIVE for each in kept)
        full = len(kept) >= limits.max_results
        full |= one.line.section is Section.LIVE and live >= limits.live_results
        if full or _size(each.line for each in (*kept, one)) > limits.max_tokens:
            continue
        kept.append(one)
        yield one


def _size(lines: Iterable[RecalledLine]) -> int:
    order = list(Section)
    return tokens_in(block_of(sorted(lines, key=lambda one: order.index(one.section))))
