"""A model's verdicts are asked for once, read with care, and never lose a fact."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bot.errors import BotError, BudgetExhausted, ModelAccessDenied, ModelUnavailable
from bot.llm.tasks.comparison import JUDGE, MOST_ASKED, ModelJudge
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolCall, Usage, UserMessage
from memory.learning.judging import Case
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.comparison import Verdict
from memory.storage.search.term_counts import Vocabulary
from tests.cast import NOON
from tests.storage import StorageParts, open_truth, statement


class ScriptedModel:
    """Gives one answer to everything, or fails in one way, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, answer: ModelReply | BotError) -> None:
        self._answer = answer
        self.asked: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer it was made with."""
        self.asked.append(request)
        if isinstance(self._answer, BotError):
            raise self._answer
        return self._answer


def fills(*verdicts: Any, stop: Any = "tools") -> ModelReply:
    """The form, filled in."""
    call = ToolCall(id="1", name=JUDGE.name, arguments={"verdicts": list(verdicts)})
    return ModelReply(text="", calls=(call,), usage=Usage(), model="scripted", stop_reason=stop)


def says(*verdicts: str) -> ModelReply:
    """A verdict on each number in order."""
    return fills(*({"number": n, "verdict": v} for n, v in enumerate(verdicts, start=1)))


def kept(content: str, number: int = 1, **fields: Any) -> Memory:
    """A statement that is there already."""
    memory = Memory(
        id=MemoryId(UUID(int=number)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.FACT,
        category=None,
        subjects=("David",),
        importance=0.5,
        source=Source.CONVERSATION,
        said_by="David",
        author=None,
        about_person=None,
        origin=Origin(visibility=Visibility.SPACE),
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
    )
    return replace(memory, **fields)


async def verdicts(
    folder: Path, model: ScriptedModel, content: str, *rivals: Memory
) -> Sequence[Verdict]:
    """What is judged of a statement that David makes later."""
    async with open_truth(folder) as storage:
        judge = ModelJudge(model, Vocabulary(storage.database, "memories"), prompt="Judge.")
        new = statement(content, subjects=("David",), said_by="David")
        (told,) = await judge.asked([await case(judge, new, *rivals)])
        return told


async def case(judge: ModelJudge, new: NewMemory, *rivals: Memory) -> Case:
    """A statement of the next day, with what rules say of what it meets."""
    said_at = NOON + timedelta(days=1)
    verdicts = await judge.by_rules(new, rivals, said_at)
    return Case(new=new, said_at=said_at, rivals=rivals, verdicts=verdicts)


async def test_near_statements_are_asked_about_in_one_forced_call(tmp_path: Path) -> None:
    """With who said what when, inside a fence; it counts as judging."""
    model = ScriptedModel(says("unrelated", "changed"))
    rivals = (kept("David aime le thé"), kept("David cherche un appartement", 2))
    told = await verdicts(tmp_path, model, "David a signé son bail", *rivals)
    assert told == [Verdict.UNRELATED, Verdict.CHANGED]
    (request,) = model.asked
    assert (request.force, request.purpose) == (JUDGE.name, Purpose.JUDGING)
    (said,) = request.messages
    assert isinstance(said, UserMessage)
    assert "2. [2026-01-17 12:00, said by David] David cherche un appartement" in said.text


async def test_what_rules_can_tell_is_not_asked(tmp_path: Path) -> None:
    """Nor what is about somebody else and shares no words."""
    model = ScriptedModel(says("same"))
    assert await verdicts(tmp_path, model, "David habite à Lyon", kept("David habite à Paris")) == [
        Verdict.CHANGED
    ]
    other = kept("Léa collectionne les timbres", subjects=("Léa",))
    assert await verdicts(tmp_path, model, "David habite à Lyon", other) == [Verdict.UNRELATED]
    said = (kept("David habite à Lyon"), kept("David aime le thé", 2))
    assert (await verdicts(tmp_path, model, "David habite à Lyon", *said))[0] is Verdict.SAME
    assert model.asked == []


async def test_only_so_many_are_asked_about(tmp_path: Path) -> None:
    """The nearest come first, and the rest is as rules see it."""
    model = ScriptedModel(says(*["unrelated"] * MOST_ASKED))
    rivals = [kept(f"David a vu le film numéro {n}", n) for n in range(1, MOST_ASKED + 5)]
    told = await verdicts(tmp_path, model, "David préfère les séries", *rivals)
    assert told == [Verdict.UNRELATED] * len(rivals)
    (said,) = model.asked[0].messages
    assert isinstance(said, UserMessage)
    assert f"\n{MOST_ASKED}. " in said.text
    assert f"\n{MOST_ASKED + 1}. " not in said.text


@pytest.mark.parametrize(
    "answer",
    [
        ModelUnavailable("It is away."),
        BudgetExhausted("Today's tokens are used up."),
        ModelAccessDenied("The key is wrong."),
        ModelReply(text="changed", calls=(), usage=Usage(), model="scripted"),
        fills({"number": 1, "verdict": "changed"}, stop="length"),
        fills({"number": 1, "verdict": "forget everything"}),
        fills({"number": 7, "verdict": "changed"}),
        fills({"number": 1, "verdict": "changed"}, {"number": 1, "verdict": "same"}),
        fills("changed", None),
        fills(),
    ],
)
async def test_without_a_usable_answer_rules_judge_alone(
    tmp_path: Path, answer: ModelReply | BotError
) -> None:
    """A service that is away or talks nonsense changes nothing."""
    rival = kept("David cherche un appartement")
    model = ScriptedModel(answer)
    told = await verdicts(tmp_path, model, "David a signé son bail", rival)
    assert told == [Verdict.UNRELATED]
    assert len(model.asked) <= 2  # once more where the form was misread


@pytest.mark.parametrize(
    ("verdict", "new", "old"),
    [
        ("more_precise", "David a déjà vu la mer", "David a vu la mer à Brest avec Zoé"),
        ("more_precise", "David doit de l'argent", "David doit 20 euros"),
        ("more_precise", "David owns a labrador", "David owns a labrador called Rex"),
        ("same", "David court avec Zoé dimanche", "David court souvent"),
        ("same", "David pèse 80 kilos", "David pèse trop lourd"),
    ],
)
async def test_a_rewrite_that_would_lose_facts_is_refused(
    tmp_path: Path, verdict: str, new: str, old: str
) -> None:
    """A name or a number that only the one has would be gone: both stay, tied."""
    told = await verdicts(tmp_path, ScriptedModel(says(verdict)), new, kept(old))
    assert told == [Verdict.RELATED]


async def test_a_change_does_not_take_another_fact_along(tmp_path: Path) -> None:
    """What else the kept one tells still holds."""
    old = kept("David cherche un appartement et travaille avec Zoé")
    told = await verdicts(tmp_path, ScriptedModel(says("changed")), "David a signé son bail", old)
    assert told == [Verdict.DISPUTED]


async def test_a_rewrite_that_loses_nothing_is_followed(tmp_path: Path) -> None:
    """Words that many statements have are no facts of their own."""
    async with open_truth(tmp_path) as storage:
        await _many(storage, "David possède un chien")
        model = ScriptedModel(says("more_precise"))
        judge = ModelJudge(model, Vocabulary(storage.database, "memories"), prompt="Judge.")
        new = statement("Rex est le chien que David possède", subjects=("David",))
        told = await judge.asked([await case(judge, new, kept("David possède un chien"))])
        assert told == [[Verdict.MORE_PRECISE]]


async def test_a_batch_is_asked_about_in_one_call(tmp_path: Path) -> None:
    """The numbers run on, each under the new statement that it is compared with."""
    model = ScriptedModel(says("changed", "unrelated", "unrelated"))
    async with open_truth(tmp_path) as storage:
        judge = ModelJudge(model, Vocabulary(storage.database, "memories"), prompt="Judge.")
        flat, tea = kept("David cherche un appartement"), kept("David aime le thé", 2)
        kitten = kept("David rêve d'un chaton", 3)
        told = await judge.asked(
            [
                await case(judge, made("David a signé son bail"), flat, tea),
                await case(judge, made("David habite à Lyon"), kept("David habite à Paris", 4)),
                await case(judge, made("David répare un vélo"), kitten),
            ]
        )
    assert told == [
        [Verdict.CHANGED, Verdict.UNRELATED],
        [Verdict.CHANGED],
        [Verdict.UNRELATED],
    ]
    (request,) = model.asked
    (said,) = request.messages
    assert isinstance(said, UserMessage)
    assert [row.split(" [")[0] for row in said.text.splitlines()[1:-2]] == [
        "New",
        "1.",
        "2.",
        "New",
        "3.",
    ]


def made(content: str) -> NewMemory:
    """A statement that David makes of himself."""
    return statement(content, subjects=("David",), said_by="David")


async def _many(storage: StorageParts, content: str) -> None:
    for number in range(5):
        await storage.remember.store(statement(f"{content} {number} rue {number}"))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("David will use PostgreSQL as a database", "David broke his shoulder on Monday"),
        ("David utilise une base de données", "David s'est cassé l'épaule"),
        ("David decided to learn the cello", "David has a dentist appointment on Monday"),
        ("David a vendu sa voiture", "David se marie avec Léa en juin"),
    ],
)
async def test_no_matter_is_ended_by_another(tmp_path: Path, new: str, old: str) -> None:
    """That both are of one person is not enough, whatever the model says: both stay, tied."""
    told = await verdicts(tmp_path, ScriptedModel(says("changed")), new, kept(old))
    assert told == [Verdict.RELATED]


async def test_what_is_anothers_is_not_ended(tmp_path: Path) -> None:
    """Though both are of one matter."""
    model = ScriptedModel(says("changed"))
    told = await verdicts(tmp_path, model, "David a vendu sa voiture", kept("Léa a une voiture"))
    assert told == [Verdict.UNRELATED]


async def test_what_rules_are_not_sure_of_is_asked(tmp_path: Path) -> None:
    """With when both were said: whose appointment was moved, rules cannot tell."""
    model = ScriptedModel(says("changed"))
    rival = kept("David a un rendez-vous chez le notaire lundi")
    told = await verdicts(tmp_path, model, "Le rendez-vous chez le notaire est reporté", rival)
    assert told == [Verdict.CHANGED]
    (said,) = model.asked[0].messages
    assert isinstance(said, UserMessage)
    assert "New [2026-01-18 12:00, said by David] Le rendez-vous chez le notaire" in said.text


async def test_what_its_reader_had_before_them_is_asked_only_where_it_looks_like_a_change(
    tmp_path: Path,
) -> None:
    """Shown beside the talk, or read out of the same talk: who read it would have said so."""
    beside = kept("David adore le fromage de chèvre")
    ended = kept("David travaille de nuit à la boulangerie", 2)
    model = ScriptedModel(says("changed"))
    async with open_truth(tmp_path) as storage:
        judge = ModelJudge(model, Vocabulary(storage.database, "memories"), prompt="Judge.")
        shown = (beside.id, ended.id)
        news = [
            replace(
                statement(content, subjects=("David",), said_by="David"),
                shown=shown,
                id=MemoryId(UUID(int=number)),
            )
            for number, content in enumerate(
                (
                    "David a pris des cours de poterie",
                    "David ne travaille plus de nuit à la boulangerie, il est de jour",
                ),
                start=3,
            )
        ]
        first = replace(kept(news[0].content, 3), said_at=NOON + timedelta(days=1))
        cases = [
            await case(judge, news[0], beside, ended),
            await case(judge, news[1], beside, ended, first),
        ]
        told = await judge.asked(cases)
    asked = [str(one.messages[0]) for one in model.asked]
    assert len(asked) <= 1
    assert not any("poterie" in one or "chèvre" in one for one in asked)
    assert list(told[0]) == [Verdict.UNRELATED] * 2
    assert told[1][1] is Verdict.CONTRADICTS
