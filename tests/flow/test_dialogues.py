"""The dialogues that earlier pets got wrong, from the first word in the lobby to the answer."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.llm.offline.extraction import RuleExtractor
from bot.llm.offline.model import OfflinePet
from bot.model.events import AuthorRef, RoomRef
from bot.model.requests import ModelReply, ModelRequest
from memory.clock import FrozenClock
from memory.model.rooms import RoomRole, SpaceId
from observers.digest import Digest
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, NOON, direct, group
from tests.flow.lobby import RULES
from tests.flow.pet import Pet, ScriptedModel
from tests.flow.town import TOWN, in_town
from tests.notices import NotedNotices

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
GARDEN = group("garden")
ELSEWHERE = group("elsewhere", RoomRole.PET, SpaceId("other"))


class RuledModel(ScriptedModel):
    """The offline pet, with its requests kept."""

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self._pet = OfflinePet(clock, ZoneInfo("Europe/Paris"), ("Eko",))

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What rules answer."""
        self.requests.append(request)
        return await self._pet.complete(request)


@dataclass(frozen=True, slots=True)
class Talk:
    """A pet in its rooms; `ruled` when it answers by rules and not from a script."""

    pet: Pet
    ruled: bool

    async def goes(self, *said: tuple[AuthorRef, str], where: RoomRef = LOBBY) -> None:
        """Let people talk to each other."""
        for who, text in said:
            await self.pet.overhears(text, who, where)
            self.pet.storage.clock.advance(timedelta(minutes=1))

    async def is_digested(self) -> None:
        """Let a digest read what was said, by rules."""
        storage = self.pet.storage
        await Digest(
            storage.digests, storage.learning, RuleExtractor(), RULES, NotedNotices()
        ).run()
        await storage.indexer.settle()

    async def asked(self, text: str, who: AuthorRef = DAVID, where: RoomRef = LOBBY) -> str:
        """What is put before the model for a question, which is called once if it is scripted."""
        before = len(self.pet.model.requests)
        await self.pet.asked(text, who, where)
        if not self.ruled:
            assert len(self.pet.model.requests) == before + 1
        return self.pet.model.told

    async def answer(self, text: str, who: AuthorRef = DAVID, where: RoomRef = LOBBY) -> str:
        """What the pet answers by rules; of a scripted one, what it was shown to answer with."""
        told = await self.asked(text, who, where)
        return self.pet.channel.texts[-1] if self.ruled else told

    async def kept(self) -> list[str]:
        """The statements that hold, but for those about the town."""
        rows = await self.pet.storage.database.all(
            "SELECT content FROM active_memories ORDER BY seq"
        )
        return [row["content"] for row in rows if row["content"] not in TOWN]

    def passes(self, time: timedelta) -> None:
        """Let time go by."""
        self.pet.storage.clock.advance(time)


@pytest.fixture(params=["scripted", "offline"])
async def talk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Talk]:
    """A pet that knows forty things about a town, with a scripted model and without any."""
    clock = FrozenClock(NOON)
    model = RuledModel(clock) if request.param == "offline" else ScriptedModel()
    async with in_town(tmp_path, NOON - 20 * DAY, model=model, clock=clock) as pet:
        yield Talk(pet, ruled=request.param == "offline")


FRENCH_NAMES = (
    (DAVID, "dev = Mickael"),
    (LEA, "dev a un atelier d'horlogerie"),
    (MICKAEL, "je travaille chez Michelin"),
)
ENGLISH_NAMES = (
    (DAVID, "dev = Mickael"),
    (LEA, "dev has a workshop for old clocks"),
    (MICKAEL, "I work at Michelin"),
)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (FRENCH_NAMES, "Eko, qui est dev ?"),
        (FRENCH_NAMES, "Eko, qui est Mickael ?"),
        (FRENCH_NAMES, "Eko, dev travaille chez qui ?"),
        (ENGLISH_NAMES, "Eko, who is dev?"),
        (ENGLISH_NAMES, "Eko, where does dev work?"),
        (ENGLISH_NAMES, "Eko, what does Mickael do?"),
    ],
)
@pytest.mark.parametrize("where", [LOBBY, CORNER])
async def test_two_names_are_one_person(
    talk: Talk, said: Sequence[tuple[AuthorRef, str]], question: str, where: RoomRef
) -> None:
    """Asked under either, days later, in any room of the space."""
    await talk.goes(*said)
    await talk.is_digested()
    talk.passes(3 * DAY)
    told = await talk.asked(question, LEA, where)
    assert "Michelin" in told
    assert "concert" not in told


async def test_another_space_does_not_know_the_name(talk: Talk) -> None:
    """Nor whose it is."""
    await talk.goes(*FRENCH_NAMES)
    await talk.is_digested()
    talk.passes(3 * DAY)
    told = await talk.asked("Eko, qui est dev ?", LEA, ELSEWHERE)
    assert "Michelin" not in told
    assert "Mickael" not in told


@pytest.mark.parametrize(
    "question",
    ["Eko, on a parlé de quoi hier ?", "Eko, what did we talk about yesterday?"],
)
async def test_what_was_talked_about_is_told_from_every_room_of_the_space(
    talk: Talk, question: str
) -> None:
    """With its age or its day, and nothing that somebody said to the pet alone."""
    await talk.goes((MICKAEL, "il pleut des cordes à Rennes"))
    talk.passes(DAY)
    await talk.goes((LEA, "le concert de samedi est annulé"))
    await talk.goes((MICKAEL, "les tomates sont mûres"), where=GARDEN)
    await talk.asked("je consulte un cardiologue", LEA, direct(LEA))
    await talk.is_digested()
    talk.passes(DAY)
    told = await talk.asked(question)
    assert "le concert de samedi" in told
    assert "est annulé" in told
    assert "les tomates sont mûres" in told
    assert "18/01" in told or "hier" in told
    assert "cordes" not in told
    assert "cardiologue" not in told
    if talk.ruled:
        said = talk.pet.channel.texts[-1]
        assert "concert" in said
        assert "tomates" in said


@pytest.mark.parametrize(
    ("said", "question", "days"),
    [
        ("je pars à Rome demain", "Eko, où va David ?", "18"),
        ("je pars à Rome demain", "Eko, il part quand David ?", "18"),
        ("On Friday I'm flying to Rome", "Eko, where is David going?", "23"),
        ("On Friday I'm flying to Rome", "Eko, when is David flying?", "23"),
    ],
)
async def test_a_journey_is_known_before_the_digest_and_after(
    talk: Talk, said: str, question: str, days: str
) -> None:
    """The day of "tomorrow" is told as a date once it is past; after a week it is over."""
    await talk.goes((DAVID, said))
    assert "Rome" in await talk.answer(question, LEA)
    talk.passes(6 * HOUR)
    await talk.is_digested()
    (learnt,) = await talk.kept()
    assert days in learnt
    talk.passes(2 * DAY)
    told = await talk.asked(question, LEA)
    assert "Rome" in told
    assert days in told or "17/01" in told
    talk.passes(20 * DAY)
    assert f"• {learnt}" not in await talk.asked(question, LEA)


@pytest.mark.parametrize(
    ("parent", "son", "question", "answer"),
    [
        ("j'habite à Brest", "mon fils habite à Lyon", "Eko, où habite David ?", "Brest"),
        ("j'habite à Brest", "mon fils habite à Lyon", "Eko, où habite le fils de David ?", "Lyon"),
        ("I live in Paris", "my son lives in Lyon", "Eko, where does David live?", "Paris"),
        ("I live in Paris", "my son lives in Lyon", "Eko, where does David's son live?", "Lyon"),
    ],
)
async def test_a_father_and_his_son_live_where_they_live(
    talk: Talk, parent: str, son: str, question: str, answer: str
) -> None:
    """Two statements, and each question is answered by its own."""
    await talk.goes((DAVID, parent))
    await talk.is_digested()
    talk.passes(DAY)
    await talk.goes((DAVID, son))
    await talk.is_digested()
    assert len(await talk.kept()) == 2
    talk.passes(2 * DAY)
    assert answer in await talk.answer(question, LEA)


@pytest.mark.parametrize(
    ("before", "after", "question"),
    [
        (
            "j'ai mal à l'épaule",
            "j'ai mal à l'épaule gauche depuis 3 mois à cause du tennis",
            "Eko, à quelle épaule Mickael a mal ?",
        ),
        (
            "my shoulder hurts",
            "my left shoulder has been hurting for three months because of tennis",
            "Eko, does Mickael's shoulder hurt?",
        ),
    ],
)
async def test_an_ache_said_more_precisely_is_one_memory(
    talk: Talk, before: str, after: str, question: str
) -> None:
    """The later, and it alone is recalled."""
    await talk.goes((MICKAEL, before))
    await talk.is_digested()
    talk.passes(DAY)
    await talk.goes((MICKAEL, after))
    await talk.is_digested()
    (kept,) = await talk.kept()
    assert "tennis" in kept
    talk.passes(3 * DAY)
    told = await talk.answer(question, LEA)
    assert "tennis" in told
    assert told.count("épaule" if "épaule" in before else "shoulder") == 1
