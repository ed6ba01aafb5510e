"""How statements relate to what is kept, asked of a language model where rules cannot tell."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Annotated, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BotError
from bot.llm.tasks.forms import Form, FormMisread, filled
from bot.model.requests import ModelRequest, Purpose, ToolSpec, UserMessage
from bot.ports import Model, WordRarity
from memory.language.term_weights import Rarity
from memory.language.text import fold, stems
from memory.language.word_lists import NEGATIONS
from memory.learning.judging import Case
from memory.model.statements import Memory, NewMemory
from memory.rules.comparison import (
    Verdict,
    compare,
    guarded,
    in_time,
    saying_of,
    within_matter,
)
from memory.rules.supersession import judged_surely
from memory.statements.changes import Saying, chances_of_change

log = structlog.get_logger(__name__)

MOST_ASKED = 8
"""Kept statements that are asked about for a new one: what it changes is among the nearest."""

MOST_PAIRS = 40
"""Pairs of one question; what a stretch of talk leaves open beyond them stays as rules see it."""

SHARED = 2
"""Stems two statements have in common to be worth a question, beside whom they are about."""

PROBABLE = 0.3
"""The chance of a change from which a model is asked about what the reader had before them."""

DEFAULT_MAX_TOKENS = 1024
"""Room for a verdict on each of them."""

_ASKED = ("same", "more_precise", "changed", "contradicts", "unrelated")

JUDGE = ToolSpec(
    name="judge",
    description="Say how each new statement relates to the numbered ones under it.",
    schema={
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "number": {"type": "integer"},
                        "verdict": {"type": "string", "enum": list(_ASKED)},
                    },
                    "required": ["number", "verdict"],
                },
            }
        },
        "required": ["verdicts"],
    },
)
"""The form the model fills in."""


class ModelJudge:
    """Judges by rules, and asks a model once a batch about near statements they are not sure of.

    What it answers is never followed for two people or two matters, nor where that would lose a
    name, a number or a rare word. Away, over its budget or unreadable, it is done without. `prompt`
    says what each verdict means; moments are told in `zone`.
    """

    def __init__(
        self,
        model: Model,
        vocabulary: WordRarity,
        *,
        prompt: str,
        zone: tzinfo = UTC,
        max_tokens: int = DEFAULT_MAX_TOKENS,
    ) -> None:
        self._model = model
        self._vocabulary = vocabulary
        self._prompt = prompt
        self._zone = zone
        self._max_tokens = max_tokens

    async def by_rules(
        self, new: NewMemory, rivals: Sequence[Memory], said_at: datetime
    ) -> Sequence[Verdict]:
        """One verdict for each rival, in order, of what is sure."""
        return await asyncio.to_thread(judged_surely, new, rivals, said_at) if rivals else []

    async def asked(self, cases: Sequence[Case]) -> Sequence[Sequence[Verdict]]:
        """The verdicts with those of the model; no call where rules leave nothing open."""
        told = [list(case.verdicts) for case in cases]
        open_ = [pair for at, case in enumerate(cases) for pair in _open_in(at, case)]
        open_ = await asyncio.to_thread(_worth_asking, cases, open_)
        if not open_:
            return told
        answers = await self._answers(cases, open_)
        rarity = await self._rarity(cases, open_)
        for (at, place), verdict in zip(open_, answers, strict=True):
            new, rival = cases[at].new, cases[at].rivals[place]
            held = within_matter(verdict, new, rival)
            if held is not Verdict.UNRELATED:
                told[at][place] = guarded(held, new, rival, rarity)
        return told

    async def _answers(
        self, cases: Sequence[Case], open_: Sequence[tuple[int, int]]
    ) -> list[Verdict]:
        """A verdict on each of these, in order; unrelated when there was no usable answer."""
        request = ModelRequest(
            system=self._prompt,
            messages=(UserMessage(text=_question(cases, open_, self._zone), speaker=""),),
            tools=(JUDGE,),
            purpose=Purpose.JUDGING,
            max_tokens=self._max_tokens,
            force=JUDGE.name,
        )
        try:
            return await filled(self._model, request, partial(_verdicts, len(open_)))
        except BotError as error:
            log.info("judge.missed", reason=type(error).__name__, rivals=len(open_))
            return [Verdict.UNRELATED] * len(open_)

    async def _rarity(self, cases: Sequence[Case], open_: Sequence[tuple[int, int]]) -> Rarity:
        contents = {cases[at].new.content for at, _ in open_}
        contents |= {cases[at].rivals[place].content for at, place in open_}
        said = {stem for content in contents for stem in stems(content)}
        seen, rows = await self._vocabulary.seen(said)
        return Rarity(seen, rows, prior=0)


def _open_in(at: int, case: Case) -> list[tuple[int, int]]:
    """Which rivals of a case are worth a question: none where it is said already."""
    if Verdict.SAME in case.verdicts:
        return []
    return [
        (at, place)
        for place, rival in enumerate(case.rivals)
        if _is_open(case.verdicts[place], case.new, rival) and _is_near(case.new, rival)
    ][:MOST_ASKED]


def _worth_asking(cases: Sequence[Case], open_: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of these pairs that their reader did not have before them, or that look like a change.

    Who reads a stretch of talk says what of the kept it ends, and finds its facts side by side.
    """
    found = {one.new.id for one in cases}
    seen = [
        (at, place)
        for at, place in open_
        if cases[at].rivals[place].id in found.union(cases[at].new.shown)
    ]
    chances = chances_of_change([_sayings(cases[at], place) for at, place in seen])
    idle = {pair for pair, one in zip(seen, chances, strict=True) if one < PROBABLE}
    return [
        (at, place)
        for at, place in open_
        if (at, place) not in idle or _says_half(cases[at].new, cases[at].rivals[place])
    ][:MOST_PAIRS]


def _sayings(case: Case, place: int) -> tuple[Saying, Saying]:
    earlier, later = in_time(case.new, case.rivals[place], case.said_at)
    return saying_of(earlier), saying_of(later)


def _says_half(new: NewMemory, rival: Memory) -> bool:
    """Whether one of two statements says half of the other, but for whom they are about."""
    people = set(stems(" ".join((*new.subjects, *rival.subjects, new.said_by or ""))))
    said, kept = (set(stems(one.content)) - people - NEGATIONS for one in (new, rival))
    return 2 * len(said & kept) >= max(1, min(len(said), len(kept)))


def _is_open(verdict: Verdict, new: NewMemory, rival: Memory) -> bool:
    """Whether rules leave it open: nothing alike, or a change that may be meant of another."""
    if verdict is Verdict.DISPUTED:
        return compare(new, rival) is Verdict.UNRELATED
    return verdict is Verdict.UNRELATED


def _is_near(new: NewMemory, rival: Memory) -> bool:
    """Whether both are about one person or thing, or say two words in common."""
    if None not in (new.about_person, rival.about_person):
        return new.about_person == rival.about_person
    subjects = {fold(one) for one in new.subjects} & {fold(one) for one in rival.subjects}
    shared = (set(stems(new.content)) & set(stems(rival.content))) - NEGATIONS
    return bool(subjects) or len(shared) >= SHARED


def _question(cases: Sequence[Case], open_: Sequence[tuple[int, int]], zone: tzinfo) -> str:
    """The statements inside a fence no text can forge: its mark is made of the text in it."""
    inside = "\n".join(_lines(cases, open_, zone))
    mark = hashlib.sha256(inside.encode(errors="replace")).hexdigest()[:12]
    return f"<statements {mark}>\n{inside}\n</statements {mark}>\nJudge the numbered statements."


def _lines(cases: Sequence[Case], open_: Sequence[tuple[int, int]], zone: tzinfo) -> Iterator[str]:
    """Each new statement, with the kept ones it may change under it, numbered throughout."""
    shown = -1
    for number, (at, place) in enumerate(open_, start=1):
        new, rival = cases[at].new, cases[at].rivals[place]
        if at != shown:
            said_at = cases[at].said_at.astimezone(zone)
            yield f"New [{said_at:%Y-%m-%d %H:%M}{_said_by(new.said_by)}] {_one_line(new.content)}"
            shown = at
        said, since = _said_by(rival.said_by), rival.valid_from.astimezone(zone)
        yield f"{number}. [{since:%Y-%m-%d %H:%M}{said}] {_one_line(rival.content)}"


def _said_by(name: str | None) -> str:
    return f", said by {_one_line(name)}" if name else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _verdicts(count: int, forms: Sequence[Form]) -> list[Verdict]:
    """The verdicts in order; unrelated where there is none, or where there are two.

    Raises:
        FormMisread: there are some, or should be, and not one of them can be read.

    """
    read = list(_well_formed(forms))
    if not read and not any(form.get("verdicts") == [] for form in forms):
        raise FormMisread("The model gave no verdict that can be read.")
    given: dict[int, Verdict] = {}
    for one in read:
        known = given.get(one.number, one.as_verdict)
        given[one.number] = one.as_verdict if known is one.as_verdict else Verdict.UNRELATED
    return [given.get(number, Verdict.UNRELATED) for number in range(1, count + 1)]


def _well_formed(forms: Sequence[Form]) -> Iterator["_Given"]:
    for form in forms:
        given = form.get("verdicts")
        for item in given if isinstance(given, list) else []:
            try:
                yield _Given.model_validate(item)
            except ValidationError as error:
                log.info("verdict.misread", problems=error.error_count())


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    number: Annotated[int, Field(ge=1)]
    verdict: Literal["same", "more_precise", "changed", "contradicts", "unrelated"]

    @property
    def as_verdict(self) -> Verdict:
        return Verdict(self.verdict)
