"""A long conversation is summarised before it is let go, and found again weeks later."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.conversation.rooms import RoomRule
from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.offline.summaries import RuleSummariser
from bot.llm.tasks.summaries import RECORD_SUMMARY
from bot.model.events import Deleted, Edited, RoomRef
from bot.model.requests import ModelReply, ModelRequest, Purpose, Usage, UserMessage
from bot.ports import Model
from memory.model.audience import OPERATOR
from memory.model.rooms import RoomKind, RoomRole
from memory.model.stores import Collection
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Transaction
from observers.compaction import Summariser
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, direct
from tests.flow.pet import COMPACTION, Pet, ScriptedModel, awake, calls, responds
from tests.storage import StorageParts

SMALL = replace(COMPACTION, window_tokens=500, keep=3)
"""A window that a test can fill: each turn of `chat` is some 100 tokens."""

WORDS = "et une longue histoire de jardin, de terrasse et de pluie " * 5


class Thinker(ScriptedModel):
    """Answers turns with "d'accord", and writes summaries from a script of its own."""

    def __init__(self, *summaries: str | Exception) -> None:
        super().__init__()
        self.summaries = list(summaries)
        self.asked: list[str] = []
        self.turns = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        """A summary when one is asked for, else the next answer."""
        if request.purpose is not Purpose.COMPACTION:
            self.turns += 1
            reply = await super().complete(request)
            # Each answer has its own word: what repeats a forgotten one would go with it.
            return responds(f"mot{self.turns}") if _agrees(reply) else reply
        said = request.messages[-1]
        assert isinstance(said, UserMessage)
        self.asked.append(said.text)
        step = self.summaries.pop(0) if self.summaries else f"résumé {len(self.asked)}"
        if isinstance(step, Exception):
            raise step
        return summary(step)


def _agrees(reply: ModelReply) -> bool:
    return [call.arguments.get("message") for call in reply.calls] == ["d'accord"]


class SlowThinker(Thinker):
    """Lets something happen while it summarises, once."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """A summary that comes after what happens meanwhile."""
        reply = await super().complete(request)
        if request.purpose is Purpose.COMPACTION and self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return reply


def by_rules(storage: StorageParts, _model: Model) -> Summariser:
    """Summaries without a model."""
    return RuleSummariser(Vocabulary(storage.database, "turns"), zone=COMPACTION.zone)


def summary(text: str) -> ModelReply:
    """A form that is filled in."""
    return calls((RECORD_SUMMARY.name, {"summary": text}))


async def chat(pet: Pet, turns: int, start: int = 1, where: RoomRef = CORNER) -> None:
    """David says something long, again and again."""
    for number in range(start, start + turns):
        await pet.hears(f"message {number} {WORDS}", DAVID, where)
        await pet.answers()


async def states(pet: Pet) -> list[str]:
    """What became of each stretch, in order."""
    rows = await pet.storage.database.all("SELECT state FROM summaries ORDER BY first_seq, level")
    return [row["state"] for row in rows]


def prefix(request: ModelRequest) -> Sequence[object]:
    """What a request repeats of those before it: everything but the words that are answered."""
    return [
        (m.injection, m.speaker, m.text) if isinstance(m, UserMessage) else m
        for m in request.messages
    ][:-1]


def preface_of(pet: Pet) -> str:
    """What the model was last told of what came before the window."""
    first = pet.model.requests[-1].messages[0]
    assert isinstance(first, UserMessage)
    opening, _place, *lines = first.injection.splitlines()
    return "\n".join([opening, *lines] if len(lines) > 1 else [])


async def test_until_something_is_summarised_each_request_begins_with_the_one_before(
    tmp_path: Path,
) -> None:
    """The window only grows, past the twenty messages it once had, so the cached prefix holds."""
    async with awake(tmp_path, model=Thinker()) as pet:
        for number in range(14):
            await pet.asked(f"une chose, la numéro {number}")
        prefixes = [prefix(request) for request in pet.model.requests]
    assert [len(one) for one in prefixes] == [2 * number + 1 for number in range(14)]
    assert all(later[: len(one)] == one for one, later in pairwise(prefixes))


async def test_what_the_window_has_no_room_for_is_summarised_and_the_newest_turns_stay(
    tmp_path: Path,
) -> None:
    """The request that follows has the summary, with its place and dates, and then the window."""
    model = Thinker("David a raconté son jardin.")
    async with awake(tmp_path, model=model, compaction=SMALL) as pet:
        await chat(pet, 6)
        assert await states(pet) == ["summarised"]
        await pet.asked("et alors ?")
        told = preface_of(pet)
        said = [m.text for m in model.requests[-1].messages if isinstance(m, UserMessage)]
    opening, *lines = told.splitlines()
    assert "\n".join(lines) == (
        "[Summary of this conversation - chat, corner, 2026-01-17 13:00 to 13:00]\n"
        "David a raconté son jardin.\n"
        f"{opening.replace('<', '</')}"
    )
    assert [one.split()[1] for one in said[1:-1]] == ["4", "5", "6"]


async def test_only_a_checkpoint_moves_the_beginning_of_the_window(tmp_path: Path) -> None:
    """Between two of them each request begins with the one before, byte for byte."""
    async with awake(tmp_path, model=Thinker(), compaction=SMALL) as pet:
        await chat(pet, 14)
        prefixes = [prefix(request) for request in pet.model.requests]
        made = len(await states(pet))
    pairs = list(pairwise(prefixes[1:]))
    moved = [later[: len(one)] != one for one, later in pairs]
    told = [later[0] != one[0] for one, later in pairs]
    assert moved == told
    assert 2 <= sum(moved) <= made


async def test_the_size_of_the_window_is_what_the_provider_counts(tmp_path: Path) -> None:
    """A language that takes more tokens than estimated is summarised sooner."""
    dear = Thinker()
    dear.will(*[replace(responds("oui"), usage=Usage(input=4000, cache_read=4000))] * 5)
    async with awake(tmp_path / "dear", model=dear, compaction=SMALL) as pet:
        await chat(pet, 4)
        assert await states(pet) == ["summarised"]
    async with awake(tmp_path / "plain", model=Thinker(), compaction=SMALL) as pet:
        await chat(pet, 4)
        assert await states(pet) == []


async def test_a_summary_that_fails_leaves_a_stretch_that_is_named_and_tried_again(
    tmp_path: Path,
) -> None:
    """The window moves on without it, and the model is told how much is not there."""
    model = Thinker(ModelUnavailable("away"))
    async with awake(tmp_path, model=model, compaction=SMALL) as pet:
        await chat(pet, 6)
        assert await states(pet) == ["unsummarised"]
        await pet.asked("et alors ?")
        assert "[6 earlier messages of this conversation are not summarised]" in preface_of(pet)
        await pet.falls_silent(timedelta(minutes=10))
        assert await states(pet) == ["unsummarised"]
        await pet.falls_silent(timedelta(minutes=51))
        assert await states(pet) == ["summarised", "summarised"]
    assert len(model.asked) == 3


async def test_words_that_give_no_summary_are_given_up_in_the_end(tmp_path: Path) -> None:
    """After so many tries the stretch stays as it is, and costs no more calls."""
    model = Thinker(*[ModelRefused("no")] * 20)
    async with awake(tmp_path, model=model, compaction=SMALL) as pet:
        await chat(pet, 6)
        for _ in range(6):
            await pet.falls_silent(timedelta(hours=2))
        assert set(await states(pet)) == {"unsummarised"}
        asked = len(model.asked)
        await pet.falls_silent(timedelta(hours=2))
        assert len(model.asked) == asked == 2 * 2 * SMALL.attempts


async def test_when_a_conversation_ends_the_rest_of_it_is_summarised(tmp_path: Path) -> None:
    """Once; and the next one in that room begins with it, unless it is long ago."""
    async with awake(tmp_path, model=Thinker("David part à Rome le 3 mars.")) as pet:
        await pet.asked("je pars à Rome le 3 mars")
        await pet.asked("et je prends le train de nuit")
        await pet.falls_silent()
        await pet.falls_silent(timedelta(minutes=1))
        assert await states(pet) == ["summarised"]
        await pet.asked("bonjour")
        assert "[Summary of your last conversation here - chat, corner, " in preface_of(pet)
        assert "David part à Rome le 3 mars." in preface_of(pet)
        await pet.falls_silent(timedelta(days=8))
        await pet.asked("bonjour")
        assert preface_of(pet) == ""


async def test_what_a_conversation_begins_with_does_not_change_under_it(tmp_path: Path) -> None:
    """A summary of the last one that comes late is for the next one."""
    model = Thinker(ModelUnavailable("away"))
    async with awake(tmp_path, model=model) as pet:
        await pet.asked("je pars à Rome le 3 mars")
        await pet.asked("et je prends le train de nuit")
        await pet.falls_silent(timedelta(minutes=30))
        await pet.asked("bonjour")
        for _ in range(5):
            await pet.falls_silent(timedelta(minutes=14))
            await pet.asked("encore une chose pour toi")
        assert "summarised" in await states(pet)
        assert preface_of(pet) == ""


@pytest.mark.parametrize(
    "texts", [["bonjour", "ça va ?", "ok merci"], ["je pars à Rome le 3 mars"]]
)
async def test_small_talk_or_a_single_exchange_is_no_summary(
    tmp_path: Path, texts: list[str]
) -> None:
    """It costs no call and is not looked at again; an exchange is found as itself."""
    model = Thinker()
    async with awake(tmp_path, model=model) as pet:
        for text in texts:
            await pet.asked(text)
        await pet.falls_silent()
        assert await states(pet) == ["empty"]
        assert await pet.storage.summaries.unclosed() == []
    assert model.asked == []


async def test_a_talk_begins_with_how_the_short_one_before_it_ended(tmp_path: Path) -> None:
    """Word for word, alone with the pet; what was forgotten of it is not there."""
    model = Thinker()
    async with awake(tmp_path, model=model) as pet:
        model.will(responds("Sors les lasagnes du four !"))
        await pet.asked("rappelle-moi les lasagnes", where=direct(DAVID))
        await pet.asked("ok merci", where=CORNER)
        await pet.falls_silent(timedelta(minutes=40))
        await pet.asked("tu as sauvé mon dîner", where=direct(DAVID))
        told = preface_of(pet)
        assert "[Your last talk here - 2026-01-17" in told
        assert "• David: rappelle-moi les lasagnes\n• you: Sors les lasagnes du four !" in told
        await pet.asked("et toi ça va ?", where=CORNER)
        assert "last talk" not in preface_of(pet)


async def test_what_ended_while_the_pet_was_away_is_summarised_at_the_next_start(
    tmp_path: Path,
) -> None:
    """Nothing about it is kept in memory only."""
    async with awake(tmp_path, model=Thinker()) as pet:
        await pet.asked("je pars à Rome le 3 mars")
        await pet.asked("et je prends le train de nuit")
        clock = pet.storage.clock
    clock.advance(timedelta(days=1))
    async with awake(tmp_path, model=Thinker("Rome."), clock=clock) as pet:
        await pet.falls_silent(timedelta())
        assert await states(pet) == ["summarised"]


async def test_a_summary_is_made_of_words_and_replies_and_of_nothing_else(tmp_path: Path) -> None:
    """Not of what was recalled, not of an apology, not of what the platform says of itself."""
    model = Thinker()
    model.will(responds("Bon voyage !"), ModelUnavailable("away"))
    async with awake(tmp_path, model=model) as pet:
        await pet.overhears("le volcan de Rome est fermé", LEA, LOBBY)
        injected = await pet.asked("je pars voir le volcan de Rome, il est ouvert ?")
        assert "fermé" in injected
        await pet.asked("il y a un train de nuit")
        await pet.event("Léa a rejoint le salon")
        await pet.answers()
        await pet.asked("je prends le train à Lyon")
        await pet.falls_silent()
    (asked,) = model.asked
    assert "David: je pars voir le volcan de Rome" in asked
    assert "the pet: Bon voyage !" in asked
    assert "je prends le train à Lyon" in asked
    assert "il y a un train de nuit" in asked
    assert not any(word in asked for word in ("fermé", "rejoint", "joindre le modèle"))


@pytest.mark.parametrize("change", ["edited", "deleted"])
async def test_a_summary_is_unsaid_with_the_words_it_was_made_of(
    tmp_path: Path, change: str
) -> None:
    """It is made again from what still stands, and so is every later one of the conversation."""
    model = Thinker("La clé est sous le pot.", "Encore la clé.")
    async with awake(tmp_path, model=model, compaction=SMALL) as pet:
        secret = await pet.hears(f"la clé est sous le pot {WORDS}")
        await pet.answers()
        await chat(pet, 8)
        assert await states(pet) == ["summarised", "summarised"]
        event = (
            Edited(platform=PLATFORM, external_id=secret, text="rien du tout d'important")
            if change == "edited"
            else Deleted(platform=PLATFORM, external_id=secret)
        )
        await pet.inbox.receive(event)
        assert await states(pet) == ["unsummarised", "unsummarised"]
        assert await pet.storage.count("knowledge") == 0
        await pet.falls_silent(timedelta(minutes=1))
        assert await states(pet) == ["summarised", "summarised"]
        assert await pet.storage.count("knowledge", "content LIKE '%clé%'") == 0
        assert len(await pet.storage.index.ids(Collection.KNOWLEDGE)) == 2
    assert not any("clé" in asked for asked in model.asked[2:])


async def test_what_is_taken_back_while_it_is_summarised_is_not_told(tmp_path: Path) -> None:
    """The summary that comes too late is dropped, and another one made."""
    model = SlowThinker("La clé est sous le pot.", "Autre chose.")
    async with awake(tmp_path, model=model) as pet:
        secret = await pet.hears("la clé est sous le pot")
        await pet.answers()
        await pet.asked("et je pars à Rome le 3 mars")
        await pet.asked("je prends le train de nuit")

        async def takes_back() -> None:
            await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=secret))

        model.meanwhile = takes_back
        await pet.falls_silent()
        assert await states(pet) == []
        await pet.falls_silent(timedelta(minutes=1))
        assert await states(pet) == ["summarised"]
        assert await pet.storage.count("knowledge", "content LIKE '%clé%'") == 0


async def test_many_summaries_of_one_conversation_are_rolled_up_for_the_prompt(
    tmp_path: Path,
) -> None:
    """The model is told one in their place; each is still found."""
    few = replace(SMALL, rollup_of=2)
    async with awake(tmp_path, model=Thinker(), compaction=few) as pet:
        await chat(pet, 12)
        await pet.asked("et alors ?")
        told = preface_of(pet)
        rolled = await pet.storage.count("summaries", "rolled_into IS NOT NULL")
        assert rolled == 3
        assert told.count("[Summary of") == await pet.storage.count(
            "summaries", "rolled_into IS NULL"
        )
        assert "résumé 1\n" not in told
        found = await pet.storage.index.ids(Collection.KNOWLEDGE)
        assert len(found) == await pet.storage.count("summaries")


async def test_many_conversations_of_a_month_are_rolled_up(tmp_path: Path) -> None:
    """Those of another month stay as they are."""
    few = replace(COMPACTION, rollup_of=2)
    async with awake(tmp_path, model=Thinker(), compaction=few) as pet:
        pet.storage.clock.advance(timedelta(days=13))
        for _ in range(5):
            await pet.asked("je taille les rosiers du jardin")
            await pet.asked("et je plante des tulipes rouges")
            await pet.falls_silent(timedelta(hours=14))
        rows = await pet.storage.summaries.listed(OPERATOR, name="david", session=None, limit=20)
    rolled = [one for one in rows if one.level == 1]
    members = [one for one in rows if one.rolled_into is not None]
    assert len(rolled) == 1
    assert len(members) == 3
    assert {one.at.month for one in members} == {rolled[0].at.month}


async def test_a_room_that_becomes_confidential_parts_the_summary(tmp_path: Path) -> None:
    """What was said before may be told in the space, what was said after never leaves the room."""
    async with awake(tmp_path, model=Thinker()) as pet:
        await pet.asked("je taille les rosiers du jardin")
        await pet.asked("et je plante des tulipes rouges")
        clock = pet.storage.clock
    secret = RoomRule(platform=PLATFORM, external_id="corner", confidential=True)
    model = Thinker()
    async with awake(tmp_path, model=model, rooms=(secret,), clock=clock) as pet:
        await pet.asked("mon dossier médical est arrivé")
        await pet.asked("et le médecin est inquiet")
        await pet.falls_silent()
        rows = await pet.storage.database.all("SELECT audience FROM knowledge ORDER BY at, seq")
    assert [row["audience"] for row in rows] == ["space:home", "room:chat:corner"]
    assert "tulipes" not in model.asked[1]
    assert "résumé" not in model.asked[1]


ELSEWHERE = RoomRef(
    platform="phone", external_id="dm", name="David", kind=RoomKind.DIRECT, role=RoomRole.PET
)
"""The room where David is alone with the pet on another platform."""


@pytest.mark.parametrize(
    ("said", "asked", "age"),
    [
        (
            ("on devrait planter des tomates au potager", "et arroser les salades chaque soir"),
            "on a dit quoi sur le potager il y a trois semaines ?",
            "il y a 3 semaines",
        ),
        (
            ("we should plant tomatoes in the garden", "and water the lettuce every evening"),
            "what did we say about the garden three weeks ago?",
            "3 weeks ago",
        ),
    ],
)
async def test_what_was_said_weeks_ago_is_found_on_another_channel(
    tmp_path: Path, said: tuple[str, str], asked: str, age: str
) -> None:
    """By the person's other account, with its age in words, and by nobody else."""
    async with awake(tmp_path, summariser=by_rules) as pet:
        for text in said:
            await pet.asked(text, DAVID, direct(DAVID))
        await pet.falls_silent(timedelta(weeks=3))
        await same_person(pet, "phone", "+33")
        phone = replace(DAVID, platform="phone", external_id="+33")
        mine = await pet.asked(asked, phone, ELSEWHERE)
        others = await pet.asked(asked, LEA, direct(LEA))
    section = mine.partition("[Summaries")[2]
    assert "David (chat, " in section
    assert age in section
    assert "tomat" not in others


async def same_person(pet: Pet, platform: str, account: str) -> None:
    """Make an account David's, as linking does."""

    async def work(transaction: Transaction) -> None:
        await transaction.run(
            "INSERT INTO identities (platform, external_id, person_id, name)"
            " SELECT :platform, :account, person_id, name FROM identities"
            " WHERE platform = :chat AND external_id = 'david'",
            {"chat": PLATFORM, "platform": platform, "account": account},
        )

    await pet.storage.database.write(work)


PLANS = "David veut rempoter ses géraniums avant l'hiver et demande conseil."


async def test_a_summary_that_the_model_is_told_anyway_is_not_recalled_besides(
    tmp_path: Path,
) -> None:
    """Once it is not told any more, it is."""
    async with awake(tmp_path, model=Thinker(PLANS)) as pet:
        await pet.asked("on devrait planter des tomates au potager")
        await pet.asked("et arroser les salades chaque soir")
        await pet.falls_silent()
        injected = await pet.asked("qui veut rempoter les géraniums ?")
        assert PLANS in preface_of(pet)
        assert "[Summaries" not in injected
        await pet.falls_silent(timedelta(days=8))
        again = await pet.asked("qui veut rempoter les géraniums ?")
        assert preface_of(pet) == ""
        assert PLANS in again.partition("[Summaries")[2]
