"""Says everyday lines to a pet that has heard other things, and notes what is injected for them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from random import Random

from benchmarks.evaluation.runner import stranger_in
from benchmarks.talk_pairs import AskedStore, judged_in, surest
from bot.topics.answers.silence import Noise
from memory.model.retrieval import Question
from memory.retrieval.gate import Evidence


@dataclass(slots=True)
class Quiet:
    """What unrelated lines of one kind brought, and how sure recall was of the best row of each.

    `judged` is what spoke for each row of each line.
    """

    noise: Noise = field(default_factory=Noise)
    surest: list[float] = field(default_factory=list)
    judged: list[Sequence[Evidence]] = field(default_factory=list)


async def said_lines(
    asked: AskedStore, lines: Mapping[str, Sequence[str]], own: str | None, count: int, seed: int
) -> dict[str, Quiet]:
    """Every kind of lines; those of the kind `own` are what other conversations of the store say.

    By turns a stranger says them who may know everything, and somebody who has spoken in one of the
    conversations; those of other conversations come from somebody who reads along in this one, or
    speaks there.
    """
    members = cycle(asked.members)
    found = {}
    for name, each in lines.items():
        sayers = cycle((asked.stranger, None))
        questions = [
            replace(sayer or next(members), text=line)
            for line, sayer in zip(each, sayers, strict=False)
        ]
        if name == own:
            questions = _drawn(list(_of_others(asked)), count, seed)
        found[name] = await _said(asked, questions)
    return {name: quiet for name, quiet in found.items() if quiet.noise.queries}


async def _said(asked: AskedStore, questions: Sequence[Question]) -> Quiet:
    quiet = Quiet()
    for one in questions:
        retrieval = await asked.app.services.recall.before(one)
        quiet.noise.count(one.text, retrieval)
        quiet.surest.append(surest(retrieval))
        quiet.judged.append([row.evidence for row in judged_in(retrieval, ())])
    return quiet


def _of_others(asked: AskedStore) -> Iterator[Question]:
    """What each conversation says, in the room of the one before it."""
    there = list(zip(asked.places, asked.members, strict=True))
    for (place, member), (other, _) in zip(there, [*there[1:], *there[:1]], strict=True):
        if place is not other:
            for spot, turn in enumerate(other.conversation.turns):
                if spot % 2:
                    yield replace(member, text=turn.text)
                else:
                    yield stranger_in(place, turn.text)


def _drawn(questions: Sequence[Question], count: int, seed: int) -> list[Question]:
    random = Random(seed)
    return random.sample(questions, min(count, len(questions)))
