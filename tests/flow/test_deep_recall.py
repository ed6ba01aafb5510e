"""A branch searches by itself and hands back one conclusion, within limits of its own."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agent.budget import Cap, Caps
from bot.agent.tools.recall_deeply import CONCLUDE
from bot.errors import ModelRefused, ModelUnavailable
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolRound, Usage, UserMessage
from memory.model.errors import StorageFailed
from memory.storage.statements.statements import Memories
from tests.cast import CORNER, DAVID, LEA, LOBBY, direct
from tests.flow.limits import BRANCH
from tests.flow.pet import Pet, ScriptedModel, Step, awake, calls, responds
from tests.storage import statement

QUESTION = "Où David a-t-il rencontré le frère de Léa ?"
DEEP = calls(("recall_deeply", {"question": QUESTION}))


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


def concludes(text: str, *sources: str) -> ModelReply:
    """An answer that ends a branch."""
    return calls((CONCLUDE, {"conclusion": text, "sources": list(sources)}))


async def asked_deeply(pet: Pet, *steps: Step, who: object = DAVID, where: object = LOBBY) -> str:
    """Have a turn branch off, the branch go these steps, the turn end; what the turn was told."""
    pet.model.will(DEEP, *steps, responds("Voilà."))
    await pet.hears(f"Eko, {QUESTION}", who, where)  # type: ignore[arg-type]
    await pet.answers()
    assert pet.channel.texts[-1] == "Voilà."
    return result_of_turn(pet)


def result_of_turn(pet: Pet) -> str:
    """What the last round of the turn was told."""
    last = pet.model.requests[-1].messages[-1]
    assert isinstance(last, ToolRound)
    return last.results[0].text


def of_branch(pet: Pet) -> list[ModelRequest]:
    """What the model was asked in branches."""
    return [one for one in pet.model.requests if one.purpose is Purpose.BRANCH]


def listed(request: ModelRequest) -> str:
    """Everything that searches have told a branch so far."""
    rounds = [one for one in request.messages if isinstance(one, ToolRound)]
    return "\n".join(result.text for one in rounds for result in one.results)


def id_of(request: ModelRequest, content: str) -> str:
    """The id under which a search listed a row."""
    rows = (line for line in listed(request).splitlines() if line.startswith("- [id "))
    return next(row for row in rows if content in row).split("]")[0].removeprefix("- [id ")


async def test_two_searches_come_to_one_conclusion_with_its_sources(pet: Pet) -> None:
    """The turn is told what was found, who said it, where and when; only what was cited."""
    await pet.storage.remember.store(statement("Le frère de Léa est Tom", said_by="Léa"))
    await pet.storage.remember.store(statement("Tom joue du banjo"))
    await pet.overhears("j'ai croisé Tom à la gare de Lyon", DAVID, LOBBY)
    pet.storage.clock.advance(timedelta(days=3))

    def conclusion(request: ModelRequest) -> ModelReply:
        cited = (id_of(request, "est Tom"), f"[id {id_of(request, 'gare de Lyon')}]")
        return concludes("À la gare de Lyon : son frère est Tom.", *cited)

    told = await asked_deeply(
        pet,
        calls(("search_memories", {"query": "frère Léa"})),
        calls(
            ("search_memories", {"query": "Tom banjo"}), ("search_history", {"query": "Tom gare"})
        ),
        conclusion,
    )
    first, second, third, fourth = told.splitlines()
    assert first == "À la gare de Lyon : son frère est Tom."
    assert second == "It rests on:"
    assert "(fact, il y a 3 jours, said by Léa) Le frère de Léa est Tom" in third
    assert "(message, il y a 3 jours, said by you (David), in lobby) j'ai croisé Tom" in fourth


async def test_an_earlier_exchange_is_a_source_too(pet: Pet) -> None:
    """What was said to the pet and what it answered, in one line."""
    pet.model.will(responds("Quelle belle gare !"))
    await pet.asked("Eko, j'ai vu Tom\nà la gare", DAVID, LOBBY)
    told = await asked_deeply(
        pet,
        calls(("search_history", {"query": "Tom gare"})),
        lambda request: concludes("À la gare.", id_of(request, "belle gare")),
    )
    assert "(exchange, il y a 2 secondes, between David and you, in lobby)" in told
    assert "j'ai vu Tom à la gare → Quelle belle gare !" in told


@pytest.mark.parametrize(
    ("own", "told"),
    [(False, ["pour Brest", "a du retard", "raté le train"]), (True, ["pour Brest", "raté le"])],
)
async def test_mentions_are_listed_in_the_order_of_time(
    pet: Pet, *, own: bool, told: list[str]
) -> None:
    """Those of all, or of the one who asks; long ones are cut to what they say of it."""
    said = (
        ("on prend le train pour Brest", DAVID),
        ("le train de Tom a du retard", LEA),
        ("j'ai raté le train de nuit." + " Il faisait froid sur le quai." * 10, DAVID),
    )
    for text, who in said:
        await pet.overhears(text, who, LOBBY)
        pet.storage.clock.advance(timedelta(days=1))
    lists = calls(("list_mentions", {"about": "train", "own_words_only": own}))
    await asked_deeply(pet, lists, concludes("Trois."))
    lines = [line for line in listed(of_branch(pet)[-1]).splitlines() if line.startswith("- [id")]
    assert len(lines) == len(told)
    assert all(part in line for part, line in zip(told, lines, strict=True))
    assert max(map(len, lines)) < 220


async def test_an_invented_source_is_dropped(pet: Pet) -> None:
    """A true one beside it stays."""
    await pet.storage.remember.store(statement("Tom habite à Lyon"))
    told = await asked_deeply(
        pet,
        calls(("search_memories", {"query": "Tom Lyon"})),
        lambda request: concludes("À Lyon.", "deadbeef", id_of(request, "Lyon"), "m1"),
    )
    assert told.count("- [id ") == 1
    assert "deadbeef" not in told


@pytest.mark.parametrize(
    "step",
    [
        concludes("À Rome.", "deadbeef"),
        concludes("À Rome."),
        ModelReply(text="À Rome.", calls=(), usage=Usage(), model="scripted"),
    ],
)
async def test_a_conclusion_without_a_source_says_so(pet: Pet, step: ModelReply) -> None:
    """Whether its sources were invented, left out, or it was no call at all."""
    assert await asked_deeply(pet, step) == (
        "À Rome.\nNo source: nothing that was found supports this, so do not tell it as known."
    )


async def test_a_source_that_was_never_listed_in_this_branch_is_none(pet: Pet) -> None:
    """Even a true id: guessing it is not finding it."""
    stored = await pet.storage.remember.store(statement("Tom habite à Lyon"))
    told = await asked_deeply(pet, concludes("À Lyon.", stored.id.hex[:8]))
    assert "No source" in told


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("recall_deeply", {"question": QUESTION}),
        ("store_memory", {"content": "Tom habite à Lyon"}),
        ("store_self", {"content": "Je vois", "category": "capability"}),
        ("store_goal", {"content": "Voir", "category": "connection"}),
        ("delete_memory", {"id": "deadbeef"}),
        ("respond", {"message": "Salut"}),
    ],
)
async def test_a_branch_can_only_search(pet: Pet, name: str, arguments: dict[str, str]) -> None:
    """It is neither offered nor given anything else, and never branches again."""
    await asked_deeply(pet, calls((name, arguments)), concludes("Rien."))
    first, second = of_branch(pet)
    assert {tool.name for tool in first.tools} == {
        "search_memories",
        "get_recent_memories",
        "search_self",
        "search_goals",
        "search_history",
        "list_mentions",
        CONCLUDE,
    }
    assert listed(second).startswith(f'There is no tool "{name}"')
    assert await pet.storage.count("memories") == 0


async def test_a_branch_sees_the_question_and_nothing_of_the_conversation(pet: Pet) -> None:
    """A request of its own: its prompt, its words, no injection, the person it is paid for."""
    await pet.storage.remember.store(statement("Le frère de Léa est Tom"))
    await pet.asked("Eko, il pleut sur Brest", DAVID, LOBBY)
    await asked_deeply(pet, concludes("Rien."))
    (request,) = of_branch(pet)
    assert request.system == BRANCH.system
    assert request.messages == (UserMessage(text=f"Asked for David: {QUESTION}", speaker=""),)
    assert request.person == pet.model.requests[-1].person is not None


@pytest.mark.parametrize(("asker", "where"), [(LEA, LOBBY), (DAVID, LOBBY), (LEA, direct(LEA))])
async def test_a_branch_never_sees_past_the_scope_of_its_turn(
    pet: Pet, asker: object, where: object
) -> None:
    """What David said in private is found by no search of a branch outside his private room."""
    keep = {"content": "David a rencontré Tom à Vesoul", "subjects": ["David"]}
    pet.model.will(calls(("store_memory", keep)), responds("Noté, à Vesoul."))
    await pet.asked("j'ai rencontré Tom à Vesoul", DAVID, direct(DAVID))
    every = calls(
        ("search_memories", {"query": "David Tom Vesoul"}),
        ("get_recent_memories", {"hours": 1000}),
        ("search_self", {"query": "Vesoul"}),
        ("search_goals", {"query": "Vesoul"}),
        ("search_history", {"query": "rencontré Tom Vesoul"}),
        ("list_mentions", {"about": "rencontré Tom Vesoul"}),
    )
    await asked_deeply(pet, every, concludes("Rien."), who=asker, where=where)
    assert "Vesoul" not in listed(of_branch(pet)[-1])
    await asked_deeply(pet, every, concludes("Rien."), who=DAVID, where=direct(DAVID))
    assert listed(of_branch(pet)[-1]).count("Vesoul") >= 3, "memory, recent and exchange"
    assert "in private" in listed(of_branch(pet)[-1])


async def test_the_last_round_of_a_branch_must_conclude(pet: Pet) -> None:
    """Its rounds are its own; the turn has its own still."""
    searches = [calls(("search_memories", {"query": "Tom"})) for _ in range(3)]
    assert (await asked_deeply(pet, *searches, concludes("Rien."))).startswith("Rien.")
    assert [one.force for one in of_branch(pet)] == [None] * 3 + [CONCLUDE]


def costly(reply: ModelReply) -> ModelReply:
    """The same answer, for most of what a branch may spend."""
    return replace(reply, usage=Usage(input=900, output=200))


async def test_a_branch_that_has_spent_its_tokens_must_conclude(pet: Pet) -> None:
    """Once, and what it has found by then counts."""
    await pet.storage.remember.store(statement("Tom habite à Lyon"))
    told = await asked_deeply(
        pet,
        costly(calls(("search_memories", {"query": "Tom"}))),
        lambda request: concludes("À Lyon.", id_of(request, "Lyon")),
    )
    assert [one.force for one in of_branch(pet)] == [None, CONCLUDE]
    assert "Tom habite à Lyon" in told


async def test_a_branch_that_goes_on_after_its_tokens_is_given_up(pet: Pet) -> None:
    """The turn is told in a sentence."""
    search = costly(calls(("search_memories", {"query": "Tom"})))
    told = await asked_deeply(pet, search, search)
    assert told == "Deep recall came to nothing: its tokens are used up."
    assert len(of_branch(pet)) == 2


async def test_a_branch_that_never_concludes_is_given_up(pet: Pet) -> None:
    """After its rounds, with a sentence."""
    wrong = [calls((CONCLUDE, {"conclusion": ""})) for _ in range(4)]
    assert await asked_deeply(pet, *wrong) == "Deep recall came to no conclusion."


@pytest.mark.parametrize("failure", [ModelUnavailable("It is away."), ModelRefused("It says no.")])
async def test_a_model_that_fails_in_a_branch_is_told_to_the_turn(
    pet: Pet, failure: Exception
) -> None:
    """One sentence, as a failure, and the person is answered."""
    told = await asked_deeply(pet, failure)
    assert told == f"Deep recall came to nothing: {failure}"
    last = pet.model.requests[-1].messages[-1]
    assert isinstance(last, ToolRound)
    assert last.results[0].failed


async def test_the_days_cap_of_branches_stops_branches_and_nothing_else(tmp_path: Path) -> None:
    """What they used is in the ledger under their own purpose."""
    caps = Caps(per_purpose={Purpose.BRANCH: Cap(input=20_000)})
    async with awake(tmp_path, caps=caps) as pet:
        dear = replace(concludes("Rien."), usage=Usage(input=19_900))
        assert (await asked_deeply(pet, dear)).startswith("Rien.")
        told = await asked_deeply(pet)
        assert "Today's tokens for the purpose branch are used up." in told
        assert await pet.storage.count("llm_usage", "purpose = 'branch'") == 1


class Stuck(ScriptedModel):
    """Never answers in a branch."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next answer of the script, but for a branch."""
        if request.purpose is Purpose.BRANCH:
            await asyncio.Event().wait()
        return await super().complete(request)


async def test_a_branch_has_a_time_limit_of_its_own(tmp_path: Path) -> None:
    """The turn goes on, and the call that was given up is in the ledger."""
    rules = replace(BRANCH, timeout_s=0.05)
    async with awake(tmp_path, model=Stuck(), branch=rules) as pet:
        assert await asked_deeply(pet) == "Deep recall did not end within 0.05 seconds."
        assert await pet.storage.count("llm_usage", "outcome = 'cancelled'") == 1


async def test_there_is_one_branch_in_a_turn(pet: Pet) -> None:
    """Somebody waits for the answer; the next turn may branch again."""
    told = await asked_deeply(pet, concludes("Rien."), DEEP)
    assert told == "There was a deep recall for this answer already."
    assert len(of_branch(pet)) == 1
    assert (await asked_deeply(pet, concludes("Toujours rien."))).startswith("Toujours rien.")


CONCLUSION = "David a rencontré le frère de Léa à la gare de Lyon"


async def test_a_conclusion_is_not_stored_as_what_somebody_said(pet: Pet) -> None:
    """Not even when the model tries to; what the person said beside it is."""
    keep = calls(
        ("store_memory", {"content": CONCLUSION}),
        ("store_memory", {"content": "David cherche le frère de Léa"}),
    )
    told = await asked_deeply(pet, concludes(CONCLUSION), keep)
    assert told == "That is your own conclusion and nobody said it: it is not stored."
    rows = await pet.storage.database.all("SELECT content FROM memories")
    assert [row["content"] for row in rows] == ["David cherche le frère de Léa"]


async def test_a_person_who_says_the_same_is_heard(pet: Pet) -> None:
    """Their words are theirs, whatever a branch came to."""
    keep = calls(("store_memory", {"content": CONCLUSION}))
    pet.model.will(DEEP, concludes(CONCLUSION), keep, responds("Noté."))
    await pet.asked(f"Eko, {CONCLUSION} !", DAVID, CORNER)
    assert await pet.storage.count("memories") == 1


async def test_nothing_of_a_branch_outlives_its_turn(pet: Pet) -> None:
    """Neither messages nor exchanges nor the next request hold what it was told."""
    await asked_deeply(pet, concludes("Zanzibar, sans doute."))
    await pet.asked("Eko, et sinon ?", DAVID, LOBBY)
    assert "Zanzibar" not in str(pet.model.requests[-1].messages)
    assert await pet.storage.count("messages", "text LIKE '%Zanzibar%'") == 0
    assert await pet.storage.count("turns", "reply || text || recalled LIKE '%Zanzibar%'") == 0


async def test_a_cited_memory_is_known_by_the_id_it_was_listed_with(pet: Pet) -> None:
    """A branch lists like any search, for the turn that asked for it."""
    await pet.storage.remember.store(statement("Tom habite à Lyon"))
    await asked_deeply(
        pet,
        calls(("search_memories", {"query": "Tom"})),
        lambda request: concludes("À Lyon.", id_of(request, "Lyon")),
        lambda request: calls(("delete_memory", {"id": id_of(request, "Lyon")})),
    )
    assert "Nobody here said it" in result_of_turn(pet)


async def test_a_store_that_fails_in_a_branch_is_told_to_the_branch(
    pet: Pet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may go on with what it has."""

    async def failing(*_: object, **__: object) -> None:
        raise StorageFailed("The database could not be read.")

    monkeypatch.setattr(Memories, "recent", failing)
    told = await asked_deeply(
        pet, calls(("get_recent_memories", {"hours": 1})), concludes("Illisible.")
    )
    assert told.startswith("Illisible.")
    assert "could not be read" in listed(of_branch(pet)[-1])
