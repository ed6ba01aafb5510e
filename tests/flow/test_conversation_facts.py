"""Fact extraction: every talk is read to its end once, and only people's own words count."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.requests import ModelReply, ModelRequest, Purpose
from memory.model.rooms import RoomRole, SpaceId
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.statements import add_memory
from memory.tasks import background_task
from tests.cast import CORNER, DAVID, LEA, NOON, PLATFORM, direct, group
from tests.flow.extractors import EXTRACTION, by_model
from tests.flow.learning import fact, learnt, listed, records
from tests.flow.pet import awake, calls, responds, said_in
from tests.patience import PATIENCE_S
from tests.storage import statement

ALONE = direct(DAVID)


async def test_what_is_told_is_learnt_once_the_talk_falls_silent(tmp_path: Path) -> None:
    """In the words of the person, from the message that says it, for whoever may know it."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        assert await learnt(pet) == []
        await pet.learns()
        assert await learnt(pet) == ["David: j'habite à Lyon"]
        (row,) = await pet.storage.database.all(
            "SELECT m.*, s.message_id FROM memories AS m "
            "JOIN memory_sources AS s ON s.memory_id = m.id"
        )
        assert (row["source"], row["said_by"]) == ("conversation", "David")
        assert row["audience"] == f"person:{row['about_person']}"
        said = await pet.storage.database.one("SELECT id FROM messages WHERE text LIKE 'j%'")
        assert said is not None
        assert row["message_id"] == said["id"]


async def test_it_is_before_the_model_at_once_and_recalled_as_a_fact_later(tmp_path: Path) -> None:
    """The window has it until the talk is read; another talk, days later, has the fact."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.asked("tu te souviens où j'habite ?", where=ALONE)
        assert "j'habite à Lyon" in str(pet.model.requests[-1].messages)
        await pet.learns()
        pet.storage.clock.advance(timedelta(days=9))
        assert "Lyon" in await pet.asked("j'habite où ?", where=ALONE)


async def test_a_dense_talk_is_read_without_a_pause(tmp_path: Path) -> None:
    """Five answers are enough; before that, silence is waited for."""
    async with awake(tmp_path) as pet:
        for word in ("rugby", "thé", "vélo", "judo"):
            await pet.asked(f"j'adore le {word}")
            assert (await pet.facts.read_due()).spans == 0
        await pet.asked("j'adore le piano")
        assert (await pet.facts.read_due()).spans == 2
        assert len(await learnt(pet)) == 5


async def test_a_delivered_answer_wakes_it_and_it_waits_for_the_silence(tmp_path: Path) -> None:
    """One look at the database for a turn, one when the talk is due, and none in between."""
    async with awake(tmp_path) as pet:
        passes = listed(pet)
        async with background_task(pet.facts.run(), name="extraction"), asyncio.timeout(PATIENCE_S):
            await pet.asked("j'habite à Lyon")
            first = await passes.get()
            assert (first.spans, first.next_at) == (0, pet.storage.clock.now() + EXTRACTION.idle)
            pet.storage.clock.advance(EXTRACTION.idle)
            pet.facts.wake()
            second = await passes.get()
            assert (second.facts, second.next_at) == (1, None)
        assert passes.empty()


async def test_what_a_pet_left_unread_is_read_when_it_wakes(tmp_path: Path) -> None:
    """The cursor is in the database; what was read before is not read again."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon")
        await pet.learns()
        await pet.asked("j'adore le rugby")
        clock = pet.storage.clock
    async with awake(tmp_path, clock=clock) as pet:
        assert (await pet.facts.read_due()).spans == 0
        assert (await pet.learns()).spans == 1
        assert await learnt(pet) == ["David: j'habite à Lyon", "David: j'adore le rugby"]
        assert await pet.storage.count("extraction_spans", "state = 'stored'") == 2


async def test_a_talk_that_has_ended_is_read_at_once(tmp_path: Path) -> None:
    """However short ago its last word was."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon")
        pet.storage.clock.advance(timedelta(minutes=16))
        await pet.contexts.end_idle()
        assert (await pet.facts.read_due()).facts == 1


async def test_nothing_is_read_twice_and_silence_costs_nothing(tmp_path: Path) -> None:
    """A second pass finds nothing to do and calls no model."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.asked("j'habite à Lyon")
        pet.model.will(records(fact("David habite à Lyon")))
        assert (await pet.learns()).facts == 1
        asked = len(pet.model.requests)
        assert (await pet.learns()).spans == 0
        assert len(pet.model.requests) == asked


async def test_the_model_is_shown_whose_words_are_whose(tmp_path: Path) -> None:
    """Only the person's lines are numbered; answers and tools are named as such; no injection."""
    async with awake(tmp_path, extractor=by_model) as pet:
        pet.model.will(
            calls(("search_memories", {"query": "vélo"})), responds("Je ne sais rien du vélo.")
        )
        await pet.asked("qui aime le vélo ?", where=ALONE)
        await pet.asked("j'habite à Lyon", where=ALONE)
        pet.model.will(records())
        await pet.learns()
        request = pet.model.requests[-1]
        lines = said_in(request).text.splitlines()
        assert request.purpose is Purpose.EXTRACTION
        assert [line.split(" ", 1)[0] for line in lines if line[0].isdigit()] == ["1.", "2."]
        assert "1. [Sat 2026-01-17 13:00] David: qui aime le vélo ?" in lines
        assert any(line.startswith("- (tool search_memories, for context only)") for line in lines)
        assert "- (Eko, the pet, for context only) Je ne sais rien du vélo." in lines
        assert "recalled" not in said_in(request).text


async def test_what_tools_told_is_kept_with_the_turn(tmp_path: Path) -> None:
    """In order, also a call that was wrong, and not what a branch looked up by itself."""
    async with awake(tmp_path) as pet:
        pet.model.will(
            calls(("search_memories", {"query": "vélo"}), ("no_such_tool", {})), responds("Non.")
        )
        await pet.asked("qui aime le vélo ?")
        rows = await pet.storage.database.all("SELECT * FROM turn_tools ORDER BY position")
        assert [(row["name"], row["failed"]) for row in rows] == [
            ("search_memories", 0),
            ("no_such_tool", 1),
        ]
        assert rows[0]["arguments"] == '{"query": "vélo"}'


async def test_what_tools_told_goes_with_the_words_it_was_asked_about(tmp_path: Path) -> None:
    """A message that is taken back or reworded leaves no trace in what tools were told."""
    async with awake(tmp_path) as pet:
        pet.model.will(calls(("search_memories", {"query": "vélo"})), responds("Non."))
        message = await pet.hears("qui aime le vélo ?")
        await pet.answers()
        await pet.storage.messages.withdraw(PLATFORM, message)
        assert await pet.storage.count("turn_tools") == 0


async def test_a_model_that_is_shown_what_is_kept_says_what_it_ends(tmp_path: Path) -> None:
    """By its label, in whatever words; only what the same person said ends."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.asked("j'habite à Lyon et j'ai un chien, Rex", where=ALONE)
        pet.model.will(records(fact("David habite à Lyon"), fact("David a un chien, Rex")))
        await pet.learns()
        await pet.asked("les cartons sont vidés, je vois la mer du balcon", where=ALONE)
        pet.model.will(records(fact("David voit la mer de son balcon", ends=["k1", "k9"])))
        await pet.learns()
        shown = said_in(pet.model.requests[-1]).text.splitlines()
        labelled = [row for row in shown if row.startswith("k")]
        assert [row.split("] ")[1] for row in labelled] == ["David habite à Lyon"]
        assert await learnt(pet) == ["David a un chien, Rex", "David voit la mer de son balcon"]


@pytest.mark.parametrize("how", ["joked", "quoted", "asked", "wished", "sarcasm"])
async def test_only_what_is_stated_is_kept(tmp_path: Path, how: str) -> None:
    """A model says of each fact how it was said."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.asked("je suis le pape, et j'habite à Lyon")
        pet.model.will(records(fact("David est le pape", status=how), fact("David habite à Lyon")))
        await pet.learns()
        assert await learnt(pet) == ["David habite à Lyon"]


@pytest.mark.parametrize(
    "said",
    [
        "mdr j'habite à Tokyo",
        "j'habite à Tokyo, je blague",
        "j'habite à Tokyo. je rigole !",
        "I live in Tokyo, just kidding",
        "> j'habite à Tokyo",
        "« j'habite à Tokyo », quelle blague",
        "Paul a dit que j'habite à Tokyo",
        "Paul says I live in Tokyo",
        "Paul m'a dit : j'habite à Tokyo",
        "j'habite à Tokyo ?",
        "si j'habite à Tokyo un jour, je mangerai des sushis",
    ],
)
async def test_the_rules_learn_nothing_that_is_not_meant(tmp_path: Path, said: str) -> None:
    """Jokes, quotes, hearsay, questions and suppositions."""
    async with awake(tmp_path) as pet:
        await pet.asked(said)
        await pet.learns()
        assert await learnt(pet) == []


async def test_what_the_pet_says_is_not_learnt_as_said_by_a_person(tmp_path: Path) -> None:
    """Neither from its answer, nor from who repeats it, in whatever words a model records it."""
    async with awake(tmp_path, extractor=by_model) as pet:
        pet.model.will(responds("Léa habite à Rome."))
        await pet.asked("et Léa ?")
        await pet.asked("Léa habite à Rome")
        pet.model.will(
            records(
                fact("Léa habite à Rome", 1, subjects=["Léa"]),
                fact("Léa habite à Rome", 2, subjects=["Léa"]),
            )
        )
        await pet.learns()
        assert await learnt(pet) == []


async def test_agreeing_with_the_pet_is_not_saying_it(tmp_path: Path) -> None:
    """A "yes" teaches what was asked, and nothing that the pet only claimed."""
    async with awake(tmp_path, extractor=by_model) as pet:
        pet.model.will(responds("Tu habites à Lyon."), responds("Tu joues du piano le soir ?"))
        await pet.asked("devine où je vis")
        await pet.asked("oui")
        await pet.asked("oui oui")
        pet.model.will(
            records(fact("David habite à Lyon", 2), fact("David joue du piano le soir", 3))
        )
        await pet.learns()
        assert await learnt(pet) == ["David joue du piano le soir"]


async def test_the_answer_to_a_question_of_the_pet_is_learnt(tmp_path: Path) -> None:
    """It has the words of the question, and is the person's own."""
    async with awake(tmp_path) as pet:
        pet.model.will(responds("Tu habites à Lyon ?"))
        await pet.asked("salut Eko, devine où je vis")
        await pet.asked("j'habite à Lyon")
        await pet.learns()
        assert await learnt(pet) == ["David: j'habite à Lyon"]


async def test_what_a_tool_told_is_not_learnt_as_said_by_a_person(tmp_path: Path) -> None:
    """A model that takes it from the context cites a line that does not say it."""
    goal = {"content": "Savoir si Léa joue du piano", "category": "understanding"}
    async with awake(tmp_path, extractor=by_model) as pet:
        pet.model.will(
            calls(("store_goal", goal)), calls(("search_goals", {"query": "piano"})), responds("OK")
        )
        await pet.asked("demande-lui de quoi elle joue")
        pet.model.will(records(fact("Léa joue du piano", subjects=["Léa"])))
        await pet.learns()
        assert await learnt(pet) == []


async def test_what_was_recalled_is_not_learnt_again_from_who_repeats_it(tmp_path: Path) -> None:
    """The lobby said it; repeating it in private makes no private fact."""
    async with awake(tmp_path) as pet:
        await pet.overhears("Mickael habite à Athènes", LEA, group("lobby"))
        await pet.asked("Mickael habite à Athènes")
        assert "Athènes" in pet.model.injected
        await pet.learns()
        assert await learnt(pet) == []


async def test_what_the_turn_stored_already_is_not_doubled(tmp_path: Path) -> None:
    """The tool and the extraction say it in the same words: one statement, two proofs."""
    async with awake(tmp_path) as pet:
        pet.model.will(
            calls(("store_memory", {"content": "David habite à Lyon", "subjects": ["David"]})),
            responds("Noté."),
        )
        await pet.asked("j'habite à Lyon")
        await pet.learns()
        assert await learnt(pet) == ["David habite à Lyon"]
        assert await pet.storage.count("memories") == 1


async def test_what_the_person_had_forgotten_is_not_learnt_from_its_exchange(
    tmp_path: Path,
) -> None:
    """The tool forgot it when they agreed, before the talk was read."""
    async with awake(tmp_path) as pet:
        pet.model.will(
            calls(("store_memory", {"content": "David habite à Lyon", "subjects": ["David"]})),
            responds("Noté."),
        )
        await pet.asked("j'habite à Lyon")
        pet.model.will(
            calls(("search_memories", {"query": "Lyon"})),
            forgets_what_was_found,
            responds("J'oublie ?"),
        )
        await pet.asked("oublie ça")
        pet.model.will(calls(("memory__forget", {"confirm": "latest"})), responds("Oublié."))
        await pet.asked("oui")
        await pet.learns()
        assert await learnt(pet) == []


def forgets_what_was_found(request: ModelRequest) -> ModelReply:
    """Delete the memory that the search has listed."""
    shown = str(request.messages[-1]).partition("[id ")[2].partition("]")[0]
    return calls(("delete_memory", {"id": shown}))


async def test_what_is_taken_back_before_it_is_stored_is_not_learnt(tmp_path: Path) -> None:
    """The stretch is read again as it stands then."""
    async with awake(tmp_path, extractor=by_model) as pet:
        first = await pet.hears("j'habite à Lyon")
        await pet.answers()
        await pet.asked("j'adore le jazz")
        found = records(fact("David habite à Lyon", 1), fact("David adore le jazz", 2))
        withdrawn = asyncio.Event()

        def thinks(_request: ModelRequest) -> ModelReply:
            withdrawn.set()
            return found

        pet.model.will(thinks, records(fact("David adore le jazz", 1)))
        real = pet.storage.learning.plan

        async def plan(news: Any) -> Any:
            if withdrawn.is_set():
                withdrawn.clear()
                await pet.storage.messages.withdraw(PLATFORM, first)
            return await real(news)

        pet.storage.learning.plan = plan  # type: ignore[method-assign]
        await pet.learns()
        assert await learnt(pet) == ["David adore le jazz"]


async def test_each_room_learns_for_its_own_audience(tmp_path: Path) -> None:
    """What is said before a community is the community's, what is said in private is not."""
    den = group("den", RoomRole.PET, SpaceId("guild"))
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.asked("j'adore le rugby", where=den)
        await pet.asked("I live in Rome", LEA, CORNER)
        await pet.learns()
        rows = await pet.storage.database.all("SELECT audience, content FROM memories")
        told = {row["content"]: row["audience"].partition(":")[0::2] for row in rows}
        assert told["David: j'habite à Lyon"][0] == "person"
        assert told["David: j'adore le rugby"] == ("space", "guild")
        assert told["Léa: I live in Rome"] == ("space", "home")


async def test_relative_days_are_those_of_when_it_was_said(tmp_path: Path) -> None:
    """However long after that the talk is read."""
    async with awake(tmp_path) as pet:
        await pet.asked("je pars à Rome demain")
        pet.storage.clock.advance(timedelta(days=3))
        await pet.learns()
        assert await learnt(pet) == ["David: je pars à Rome demain (18/01/2026)"]


async def test_a_dense_subject_takes_only_what_matters(tmp_path: Path) -> None:
    """What merely happened to somebody much is known of is left to the messages."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.storage.remember.store(statement("David habite à Lyon", subjects=("David",)))
        await pet.storage.database.write(crowd)
        await pet.asked("j'ai mangé une pizza, et je joue du hautbois")
        pet.model.will(
            records(
                fact("David a mangé une pizza", memory_type="event"),
                fact("David joue du hautbois"),
            )
        )
        await pet.learns()
        assert (await learnt(pet))[-1] == "David joue du hautbois"
        assert "David a mangé une pizza" not in await learnt(pet)
        assert (
            "by subject, those above among them: David 61" in said_in(pet.model.requests[-1]).text
        )


async def crowd(transaction: Transaction) -> None:
    """Sixty more statements about David, before the community."""
    for number in range(60):
        new = statement(f"David possède le livre {number}", subjects=("David",))
        await add_memory(transaction, new, NOON)
