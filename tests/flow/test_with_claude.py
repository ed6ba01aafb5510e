"""The whole path with the Claude adapter against a server that forgives no broken rule."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.service.options import ServiceOptions
from bot.model.requests import ModelReply, ModelRequest
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import NewMemory, Source
from memory.model.stores import Store
from tests.cast import DAVID, LEA, LOBBY
from tests.edge.anthropic_server import anthropic_server, call, says
from tests.edge.loopback import Answer
from tests.edge.strict_server import Conversation, fails
from tests.flow.pet import Pet, ScriptedModel, awake
from tests.storage import statement


class Through(ScriptedModel):
    """Passes every request on to Claude's adapter, and keeps it."""

    def __init__(self, claude: ClaudeModel) -> None:
        super().__init__()
        self._claude = claude

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What the adapter answers."""
        self.requests.append(request)
        return await self._claude.complete(request)


@asynccontextmanager
async def thinking(folder: Path, timeout_s: float = 5.0) -> AsyncIterator[tuple[Pet, Conversation]]:
    """A pet that thinks with the server's script."""
    async with anthropic_server() as server:
        options = ServiceOptions(
            api_key="test",
            model="claude-haiku-5-5",
            base_url=server.url,
            timeout_s=timeout_s,
            background_timeout_s=timeout_s,
            retries=0,
        )
        claude = ClaudeModel(options)
        try:
            async with awake(folder, model=Through(claude)) as pet:
                yield pet, server
        finally:
            await claude.close()


def reply(message: str, call_id: str = "toolu_last") -> Answer:
    """An answer that ends the turn."""
    return says(call("respond", {"message": message, "expression": "happy"}, call_id))


def results(server: Conversation) -> list[str]:
    """What the tools told the model, as the last request carries it."""
    blocks = [block for m in server.bodies[-1]["messages"] for block in m["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def limitation(content: str) -> NewMemory:
    """Something the pet cannot do, as its keeper wrote it."""
    return NewMemory(
        store=Store.SELF,
        content=content,
        origin=Origin(visibility=Visibility.EVERYONE),
        source=Source.SEED,
        category="limitation",
    )


async def test_two_searches_in_a_row_and_a_reply_from_both(tmp_path: Path) -> None:
    """The second request carries the first result, the third carries both."""
    async with thinking(tmp_path) as (pet, server):
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.storage.remember.store(statement("Athènes est à trois heures d'avion"))
        server.will(
            says("Voyons.", call("search_memories", {"query": "Mickael"}, "toolu_1")),
            says(call("search_memories", {"query": "Athènes avion"}, "toolu_2")),
            reply("À trois heures d'avion."),
        )
        await pet.hears("c'est loin, chez lui ?", DAVID)
        assert await pet.answers() == ["À trois heures d'avion."]
        first, second = results(server)
        assert "Mickael habite à Athènes" in first
        assert "trois heures d'avion" in second


async def test_what_is_told_is_stored_and_known_in_the_next_turn(tmp_path: Path) -> None:
    """By another person, through the injection alone."""
    async with thinking(tmp_path) as (pet, server):
        keep = {
            "content": "David part en Grèce en mars",
            "memory_type": "event",
            "subjects": ["David", "Grèce"],
            "ttl": "30d",
        }
        server.will(says(call("store_memory", keep)), reply("Bon voyage !"), reply("Oui, en mars."))
        await pet.hears("Eko, je pars en Grèce en mars", DAVID, LOBBY)
        await pet.answers()
        await pet.hears("Eko, David part en Grèce ?", LEA, LOBBY)
        assert await pet.answers() == ["Bon voyage !", "Oui, en mars."]
        asked = json.dumps(server.bodies[-1]["messages"], ensure_ascii=False)
        assert "David part en Grèce en mars" in asked


async def test_a_limitation_that_became_a_capability_is_closed(tmp_path: Path) -> None:
    """Found by a search, shown by the id that it listed, closed by what is so now."""
    async with thinking(tmp_path) as (pet, server):
        person = await pet.storage.people.person(DAVID.platform, DAVID.external_id, DAVID.name)
        noticed = limitation("Je ne sais pas lire les images")
        origin = Origin(visibility=Visibility.SPACE, person=person.id)
        old = await pet.storage.remember.store(replace(noticed, origin=origin))
        await pet.storage.indexer.settle()

        new = {"content": "Je sais lire les images", "category": "capability"}
        server.will(
            says(call("search_self", {"query": "lire images"}, "toolu_1")),
            says(
                call("delete_self", {"id": old.id.hex[:8]}, "toolu_2"),
                call("store_self", new, "toolu_3"),
            ),
            reply("Je vois !"),
        )
        await pet.hears("regarde cette image, tu peux maintenant", DAVID)
        assert await pet.answers() == ["Je vois !"]
        assert results(server)[1].endswith("It says: Je ne sais pas lire les images")
        rows = await pet.storage.database.all(
            "SELECT content FROM active_memories WHERE store = 'self'"
        )
        assert [row["content"] for row in rows] == ["Je sais lire les images"]


async def test_a_branch_asks_in_requests_of_its_own(tmp_path: Path) -> None:
    """Its tools are searches, its conclusion comes back as the result of the turn's own call."""
    async with thinking(tmp_path) as (pet, server):
        tom = await pet.storage.remember.store(statement("Le frère de Léa est Tom", said_by="Léa"))
        await pet.storage.indexer.settle()
        concluded = {"conclusion": "Il s'appelle Tom.", "sources": [tom.id.hex[:8]]}
        server.will(
            says("Je cherche.", call("recall_deeply", {"question": "Qui est le frère de Léa ?"})),
            says(call("search_memories", {"query": "frère Léa"}, "toolu_b1")),
            says(call("search_history", {"query": "frère Léa"}, "toolu_b2")),
            says(call("conclude", concluded, "toolu_b3")),
            reply("C'est Tom, Léa l'a dit."),
        )
        await pet.hears("qui est le frère de Léa ?", DAVID)
        assert await pet.answers() == ["C'est Tom, Léa l'a dit."]
        (told,) = results(server)
        assert told.startswith("Il s'appelle Tom.\nIt rests on:\n- [id ")
        assert told.endswith("said by Léa) Le frère de Léa est Tom")
        tools = [{tool["name"] for tool in body["tools"]} for body in server.bodies]
        assert [("store_memory" in one, "conclude" in one) for one in tools] == [
            (True, False),
            *[(False, True)] * 3,
            (True, False),
        ]


async def test_a_branch_that_its_service_fails_costs_only_the_branch(tmp_path: Path) -> None:
    """The turn goes on with the sentence it was told."""
    async with thinking(tmp_path) as (pet, server):
        server.will(
            says(call("recall_deeply", {"question": "Qui est le frère de Léa ?"})),
            fails(529, "overloaded_error"),
            reply("Je ne sais plus."),
        )
        await pet.hears("qui est le frère de Léa ?", DAVID)
        assert await pet.answers() == ["Je ne sais plus."]
        (told,) = results(server)
        assert told.startswith("Deep recall came to nothing: ")


async def test_a_branch_whose_model_hangs_ends_the_answer(tmp_path: Path) -> None:
    """Who asked has waited for as long as one call may take, and does not wait so long again."""
    async with thinking(tmp_path, timeout_s=2.0) as (pet, server):
        deep = call("recall_deeply", {"question": "Qui est le frère de Léa ?"})
        server.will(says(deep), Answer(never=True))
        await pet.hears("qui est le frère de Léa ?", DAVID)
        (apology,) = await pet.answers()
        assert "réfléchir" in apology
        assert len(server.bodies) == 2


async def test_after_five_rounds_the_reply_is_forced(tmp_path: Path) -> None:
    """The fifth request allows nothing else, and the fourth only what closes, in a group."""
    async with thinking(tmp_path) as (pet, server):
        searches = (call("search_memories", {"query": "x"}, f"toolu_{n}") for n in range(4))
        server.will(*(says(search) for search in searches), reply("Bon, d'accord."))
        await pet.hears("cherche sans fin, tu veux ?", DAVID)
        assert await pet.answers() == ["Bon, d'accord."]
        choices = [body.get("tool_choice") for body in server.bodies]
        assert choices == [None] * 3 + [{"type": "any"}, {"type": "tool", "name": "respond"}]


async def test_a_model_that_never_closes_makes_a_human_sentence(tmp_path: Path) -> None:
    """It searches even where it is forced to answer; no further round is paid for."""
    async with thinking(tmp_path) as (pet, server):
        searches = (call("search_memories", {"query": "x"}, f"toolu_{n}") for n in range(5))
        server.will(*(says(search) for search in searches), reply("Me revoilà."))
        await pet.hears("tu es là, dis ?", DAVID)
        (apology,) = await pet.answers()
        assert apology
        assert len(server.bodies) == 5
        await pet.hears("et maintenant ?", DAVID)
        assert (await pet.answers())[-1] == "Me revoilà."


async def test_a_model_that_answers_in_chinese_is_asked_once_more(tmp_path: Path) -> None:
    """And passed on word for word where it stays so; the next request shows what it said."""
    chinese = "你好！里昂的天气很好。"
    async with thinking(tmp_path) as (pet, server):
        server.will(reply(chinese), reply("Il fait beau."), *[reply(chinese)] * 2, reply("Oui."))
        told = []
        for asked in ("quel temps fait-il ?", "et demain alors ?", "tu es sûr de toi ?"):
            await pet.hears(asked, DAVID)
            told = await pet.answers()
        assert told == ["Il fait beau.", chinese, "Oui."]
        assert chinese in str(server.bodies[-1]["messages"])


async def test_a_model_without_words_is_asked_again_in_requests_the_service_takes(
    tmp_path: Path,
) -> None:
    """Two empty answers in a row, then a reply: no id stands twice in a request."""
    async with thinking(tmp_path) as (pet, server):
        server.will(says(), says(), reply("Pardon, me voilà."))
        await pet.hears("tu es là, dis ?", DAVID)
        assert await pet.answers() == ["Pardon, me voilà."]


@pytest.mark.parametrize(
    "answer",
    [
        fails(429, "rate_limit_error"),
        fails(529, "overloaded_error"),
        fails(500, "api_error"),
        fails(400, "invalid_request_error"),
        fails(401, "authentication_error"),
        Answer(body=b'{"type": "message"', cut=True),
        Answer(body=b"<html>502</html>"),
        Answer(never=True),
    ],
)
async def test_a_service_that_fails_makes_a_human_sentence_and_the_next_turn_works(
    tmp_path: Path, answer: Answer
) -> None:
    """Nobody reads a status or a stack; the message counts as answered."""
    async with thinking(tmp_path, timeout_s=2.0) as (pet, server):
        server.will(answer, reply("Me revoilà."))
        await pet.hears("tu es là, dis ?", DAVID)
        (apology,) = await pet.answers()
        assert "réfléchir" in apology
        assert await pet.storage.count("messages", "handling = 'pending'") == 0
        await pet.hears("et maintenant, alors ?", DAVID)
        assert (await pet.answers())[-1] == "Me revoilà."


async def test_a_failure_between_two_rounds_keeps_what_was_stored(tmp_path: Path) -> None:
    """The statement stays, once, though the reply was never made."""
    async with thinking(tmp_path) as (pet, server):
        keep = {"content": "David part en Grèce"}
        server.will(says(call("store_memory", keep)), fails(529, "overloaded_error"))
        await pet.hears("je pars en Grèce", DAVID)
        await pet.answers()
        server.will(says(call("store_memory", keep)), reply("C'est noté."))
        await pet.hears("je te dis que je pars en Grèce", DAVID)
        assert (await pet.answers())[-1] == "C'est noté."
        assert await pet.storage.count("memories") == 1
