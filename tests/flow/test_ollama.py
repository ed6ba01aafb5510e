"""A model on this machine, behind a server that behaves as Ollama does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.diagnostics.findings import Finding, PartState
from bot.diagnostics.model_check import ModelCheck, NeededWindow
from bot.diagnostics.report import in_chat, on_machine
from bot.llm import local_servers
from bot.llm.local_servers import LoopbackServers, ServerKind, is_local
from bot.llm.service.options import ServiceOptions
from bot.llm.tasks.extraction import ModelExtractor
from bot.llm.tasks.fact_forms import LOBBY_FORM
from bot.model.requests import ModelReply, ModelRequest
from bot.surfaces.operations import Operations
from bot.wiring.app import open_app
from config.sections.model import ModelSettings
from config.settings import Settings
from memory.model.messages import MessageId
from memory.model.rooms import RoomId
from observers.errors import ExtractionFailed
from observers.ports import Chunk, LobbyLine
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.ollama_server import MODEL, Ollama, ollama
from tests.edge.providers import OPENAI, PROVIDERS, ClosingModel, Provider
from tests.flow.pet import ScriptedModel, awake

TOOLS, WINDOW, FORMS = "model tools", "model window", "model forms"
NEEDED = NeededWindow(first=5000, longest=11000)


@asynccontextmanager
async def model_on(server: Ollama, provider: Provider) -> AsyncIterator[ClosingModel]:
    """The adapter of a provider, pointed at the server."""
    path = "/v1" if provider is OPENAI else ""
    options = ServiceOptions(
        api_key="", model=MODEL, base_url=f"{server.url}{path}", retries=0, prompt_caching=False
    )
    model = provider.model(options)
    try:
        yield model
    finally:
        await model.close()


async def checked(server: Ollama, provider: Provider) -> dict[str, Finding]:
    """What the check finds, by part."""
    async with model_on(server, provider) as model:
        found = await ModelCheck(NEEDED, LoopbackServers()).of(model, server.url)
    return {one.part: one for one in found}


@pytest.fixture(params=PROVIDERS, ids=lambda one: one.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    """Each way of asking."""
    chosen: Provider = request.param
    return chosen


async def test_the_check_says_that_the_front_is_lost_and_what_to_change(
    provider: Provider,
) -> None:
    """In one sentence each, with the setting of that server."""
    async with ollama() as server:
        found = await checked(server, provider)
        assert server.truncated
    assert found[TOOLS].state is PartState.OK
    said, todo = on_machine(found[WINDOW])
    assert (found[WINDOW].state, found[WINDOW].said) == (PartState.FAIL, "window_lost")
    assert "about 4096 tokens are kept, and a first answer takes 5000" in said
    assert todo is not None
    assert "OLLAMA_CONTEXT_LENGTH=16384" in todo
    assert "num_ctx 16384" in todo
    assert "num_ctx 16384" in in_chat(found[WINDOW], "fr")
    assert (found[FORMS].state, found[FORMS].said) == (PartState.NOTE, "forms_written")


async def test_a_window_for_first_answers_only_is_found_too(provider: Provider) -> None:
    """It forgets who it is in the middle of a long talk."""
    async with ollama(window=8192) as server:
        found = await checked(server, provider)
    assert (found[WINDOW].state, found[WINDOW].said) == (PartState.FAIL, "window_short")


async def test_with_enough_of_a_window_nothing_is_to_be_done(provider: Provider) -> None:
    """But for the forms, which are a note."""
    async with ollama(window=NEEDED.advised) as server:
        found = await checked(server, provider)
    assert [one.state for one in found.values()] == [PartState.OK, PartState.OK, PartState.NOTE]


async def test_a_model_without_tools_is_told(provider: Provider) -> None:
    """It could neither search nor keep anything."""
    async with ollama(window=NEEDED.advised, tools=False) as server:
        found = await checked(server, provider)
    assert (found[TOOLS].state, found[TOOLS].todo) == (PartState.FAIL, "tools_ollama")


async def test_a_model_that_writes_no_form_either_is_told(provider: Provider) -> None:
    """Asked twice."""
    async with ollama(window=NEEDED.advised) as server:
        server.says.extend(
            [
                '{"name": "look_up_weather", "arguments": {"city": "Athens"}}',
                "cerfeuil-4127",
                "cerfeuil-4127",
                "How lovely.",
                "How very lovely.",
            ]
        )
        found = await checked(server, provider)
    assert found[TOOLS].state is PartState.FAIL
    assert (found[FORMS].state, found[FORMS].said) == (PartState.FAIL, "forms_unread")


async def test_a_server_that_is_gone_is_one_finding() -> None:
    """Nothing else is asked of it."""
    async with ollama() as server:
        pass
    found = await checked(server, OPENAI)
    assert [(one.state, one.said) for one in found.values()] == [
        (PartState.FAIL, "model_unanswered")
    ]


LINES = (
    LobbyLine(
        message=MessageId(1),
        author="david",
        said_at=datetime(2026, 1, 17, tzinfo=UTC),
        text="je pars en Grèce demain",
    ),
)
FACTS = (
    '{"facts": [{"content": "David part en Grèce", "memory_type": "event", "speaker": "david",'
    ' "lines": [1], "subjects": ["David"]}]}'
)


async def extracted(server: Ollama, provider: Provider) -> list[str]:
    """The facts of one line."""
    chunk = Chunk(room=RoomId("r"), before=(), lines=LINES)
    async with model_on(server, provider) as model:
        extractor = ModelExtractor(model, LOBBY_FORM, prompt="Extract.")
        return [fact.content for fact in await extractor.extract(chunk)]


async def test_facts_are_learnt_from_json_among_words(provider: Provider) -> None:
    """At once, or when it is asked once more."""
    async with ollama() as server:
        server.says.append(f"Here you are:\n```json\n{FACTS}\n```")
        assert await extracted(server, provider) == ["David part en Grèce"]
        server.says.extend(["David goes to Greece.", FACTS])
        assert await extracted(server, provider) == ["David part en Grèce"]
        assert len(server.bodies) == 3
        server.says.extend(["David goes to Greece.", "To Greece!"])
        with pytest.raises(ExtractionFailed):
            await extracted(server, provider)


class Through(ScriptedModel):
    """Passes every request on to an adapter, and keeps it."""

    def __init__(self, model: ClosingModel) -> None:
        super().__init__()
        self._model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What the adapter answers."""
        self.requests.append(request)
        return await self._model.complete(request)


async def test_a_talk_with_a_local_model(tmp_path: Path, provider: Provider) -> None:
    """A search that it writes as words, an answer as a call, then one as words."""
    async with (
        ollama(window=NEEDED.advised) as server,
        model_on(server, provider) as model,
        awake(tmp_path, model=Through(model)) as pet,
    ):
        server.says.append('{"name": "search_memories", "arguments": {"query": "Grèce"}}')
        await pet.asked("bonjour, tu te souviens de la Grèce ?")
        server.says.append("Oui, très bien.")
        await pet.asked("tu vas bien, dis ?")
        assert pet.channel.texts == ["Bonjour, me voilà.", "Oui, très bien."]


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({"/api/version": '{"version": "1"}'}, ServerKind.OLLAMA),
        ({"/props": '{"default_generation_settings": {}}'}, ServerKind.LLAMA_CPP),
        ({"/api/v0/models": '{"data": []}'}, ServerKind.LM_STUDIO),
        ({"/v1/models": '{"data": [{"id": "m", "owned_by": "vllm"}]}'}, ServerKind.VLLM),
        ({}, ServerKind.OTHER),
        ({"/props": "<html>", "/api/version": "[1]"}, ServerKind.OTHER),
        ({"/v1/models": "<html>"}, None),
        ({"/v1/models": '{"data": 1}'}, None),
    ],
)
async def test_a_server_is_known_by_what_it_answers(
    answers: dict[str, str], kind: ServerKind | None
) -> None:
    """Whatever else listens on those ports is none."""
    known = {"/v1/models": '{"data": [{"id": "m"}, {}]}', **answers}

    async def answer(asked: Asked) -> Answer:
        body = known.get(asked.path)
        return Answer(status=404) if body is None else Answer(body=body.encode())

    async with LoopbackServer(answer) as server:
        url = server.url
        found = await LoopbackServers().at(f"{url}/v1/")
    assert (found.kind if found else None) is kind
    if found is not None:
        assert (found.models, found.url) == (("m",), url)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8000", True),
        ("http://localhost:1234/v1", True),
        ("http://192.168.1.7:11434", True),
        ("http://ollama:11434/v1", True),
        ("http://host.docker.internal:11434", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_an_address_is_local_where_tokens_cost_nothing(url: str, *, local: bool) -> None:
    """It is this machine, or one beside it."""
    assert is_local(url) is local


async def operated(settings: Settings, name: str) -> dict[str, object]:
    """What an operation comes to."""
    async with open_app(settings) as app:
        events = [event async for event in Operations(app).call(name, {})]
    result: dict[str, object] = events[-1]["result"]
    return result


async def test_the_doctor_tries_a_local_model(tmp_path: Path) -> None:
    """And says of each part what there is to do."""
    async with ollama() as server:
        chosen = ModelSettings(provider="openai", name=MODEL, base_url=f"{server.url}/v1")
        settings = Settings(data_dir=tmp_path, model=chosen)
        told = await operated(settings, "doctor")
    checks = {one["name"]: one for one in told["checks"]}  # type: ignore[attr-defined]
    assert checks["model tools"]["status"] == "ok"
    assert checks["model window"]["status"] == "fail"
    assert "num_ctx" in checks["model window"]["todo"]
    assert checks["model forms"]["status"] == "note"


async def test_the_model_check_finds_servers_and_says_how_to_choose_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a setting; what it took is written down for its own purpose."""
    async with ollama(window=65536) as server:
        port = int(server.url.rpartition(":")[2])
        monkeypatch.setattr(local_servers, "USUAL_PORTS", {"Ollama": port, "nothing": 9})
        settings = Settings(data_dir=tmp_path)
        async with open_app(settings) as app:
            events = [event async for event in Operations(app).call("model_check", {})]
            usage = await app.storage.ledger.spent(datetime(2020, 1, 1, tzinfo=UTC))
    told = events[-1]["result"]
    assert told["servers"] == [{"kind": "ollama", "url": server.url, "models": [MODEL]}]
    (tried,) = told["tried"]
    assert tried["choose"] == [
        "EKO_MODEL__PROVIDER=openai",
        f"EKO_MODEL__NAME={MODEL}",
        f"OPENAI_BASE_URL={server.url}/v1",
    ]
    assert told["able"]
    assert [row.purpose for row in usage] == ["check"]


async def test_the_model_check_without_any_model_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing answers and nothing is chosen."""
    monkeypatch.setattr(local_servers, "USUAL_PORTS", {"nothing": 9})
    told = await operated(Settings(data_dir=tmp_path), "model_check")
    assert told == {"servers": [], "tried": [], "able": False}
