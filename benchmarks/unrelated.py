"""Says everyday lines to a pet that has heard other things, and notes what is injected for them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from benchmarks.talk_pairs import AskedStore, surest
from bot.evaluation.ingestion import IngestedConversation
from bot.evaluation.runner import stranger_in
from bot.evaluation.silence import Noise
from memory.model.retrieval import Question


@dataclass(slots=True)
class Quiet:
    """What unrelated lines of one kind brought, and how sure recall was of the best row of each."""

    noise: Noise = field(default_factory=Noise)
    surest: list[float] = field(default_factory=list)


async def said_lines(
    asked: AskedStore, lines: Mapping[str, Sequence[str]], own: str | None, count: int, seed: int
) -> dict[str, Quiet]:
    """Every kind of lines; those of the kind `own` are what other conversations of the store say.

    A stranger says them who may know everything; those of other conversations come from somebody
    who reads along in this one.
    """
    found = {}
    for name, each in lines.items():
        questions = [replace(asked.stranger, text=line) for line in each]
        if name == own:
            questions = _drawn(list(_of_others(asked.places)), count, seed)
        found[name] = await _said(asked, questions)
    return {name: quiet for name, quiet in found.items() if quiet.noise.queries}


async def _said(asked: AskedStore, questions: Sequence[Question]) -> Quiet:
    quiet = Quiet()
    for one in questions:
        retrieval = await asked.app.services.recall.before(one)
        quiet.noise.count(one.text, retrieval)
        quiet.surest.append(surest(retrieval))
    return quiet


def _of_others(places: Sequence[IngestedConversation]) -> Iterator[Question]:
    """What each conversation says, in the room of the one before it."""
    for place, other in zip(places, [*places[1:], *places[:1]], strict=True):
        if place is not other:
            yield from (stranger_in(place, turn.text) for turn in other.conversation.turns)


def _drawn(questions: Sequence[Question], count: int, seed: int) -> list[Question]:
    random = Random(seed)
    return random.sample(questions, min(count, len(questions)))
