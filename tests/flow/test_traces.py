"""Traces of turns: which spans there are, what is in them and what is not, and a lost collector."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from bot.diagnostics.telemetry import QuietExporter, TurnTraces
from bot.errors import ModelUnavailable
from bot.model.requests import ModelReply, Usage
from bot.wiring import tracing
from bot.wiring.app import open_app
from bot.wiring.tracing import Tracing, open_tracing
from config.sections.conversation import CoalescingSettings
from config.sections.daemon import TelemetrySettings
from config.sections.model import ModelSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.cast import DAVID, LOBBY, NOON
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.flow.owning import Owner
from tests.flow.pet import ScriptedModel, Step, calls, responds
from tests.patience import PATIENCE_S

SECRET = "la clé est sous le pot bleu"
NOBODY = "http://127.0.0.1:9"
"""The port of a service that discards, which nothing listens on."""


def answered(reply: ModelReply, sent: int) -> ModelReply:
    """The reply with tokens."""
    return ModelReply(
        text=reply.text,
        calls=reply.calls,
        usage=Usage(input=sent, output=7, cache_read=5),
        model=reply.model,
        stop_reason=reply.stop_reason,
    )


@asynccontextmanager
async def pet_with(
    folder: Path, steps: Sequence[Step], endpoint: str | None = None
) -> AsyncIterator[Owner]:
    """A pet whose model answers from a script."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        model=ModelSettings(api_key="test", retries=0),
        recall=RecallSettings(deadline_ms=10_000, embed_timeout_ms=30_000),
        telemetry=TelemetrySettings(endpoint=endpoint),
    )
    clock, model = FrozenClock(NOON), ScriptedModel()
    model.will(*steps)
    async with open_app(settings, clock, model=model) as app:
        yield Owner(app=app, clock=clock)


async def told(pet: Owner, text: str) -> None:
    """Say something to the pet, and let it answer."""
    await pet.hears(f"eko, {text}", DAVID, LOBBY)
    async with asyncio.timeout(PATIENCE_S):
        await pet.app.conversations.quiet()


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What a collector gets, in memory."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    traces = TurnTraces(provider)

    @asynccontextmanager
    async def opened(_endpoint: str | None) -> AsyncIterator[Tracing]:
        yield Tracing(
            path=traces.path, recall=traces.recall, model=traces.model, tools=traces.tools
        )

    monkeypatch.setattr("bot.wiring.app.open_tracing", opened)
    return exporter


def tree(found: Sequence[ReadableSpan]) -> dict[str, list[str]]:
    """The names of spans below each name, without what recall looked up."""
    names = {one.context.span_id: one.name for one in found if one.context}
    below: dict[str, list[str]] = {}
    for one in sorted(found, key=lambda span: span.start_time or 0):
        parent = "" if one.parent is None else names[one.parent.span_id]
        below.setdefault(parent, []).append(one.name)
    return below


def facts(found: Sequence[ReadableSpan], name: str) -> list[dict[str, Any]]:
    """The attributes of spans of a name, in order."""
    ordered = sorted(found, key=lambda span: span.start_time or 0)
    return [dict(one.attributes or {}) for one in ordered if one.name == name]


async def test_a_turn_is_a_trace_with_its_steps(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """Rounds of the model and the tools between them, in order, with tokens and names."""
    search = calls(("search_memories", {"query": SECRET}), ("no_such_tool", {}))
    async with pet_with(tmp_path, [answered(search, 30), answered(responds(SECRET), 50)]) as pet:
        await told(pet, SECRET)
    found = spans.get_finished_spans()
    assert len({one.context.trace_id for one in found if one.context}) == 1
    below = tree(found)
    assert below[""] == ["turn"]
    assert sorted(below["turn"]) == sorted(
        ["coalescing", "recall", "model", "tool", "tool", "model", "delivery"]
    )
    assert facts(found, "turn") == [
        {"eko.channel": "chat", "eko.messages": 1, "eko.failed": False, "eko.tools": 2}
    ]
    assert [one["gen_ai.usage.input_tokens"] for one in facts(found, "model")] == [35, 55]
    assert facts(found, "model")[0]["eko.calls"] == 2
    named = [(one["gen_ai.tool.name"], one["eko.failed"]) for one in facts(found, "tool")]
    assert named == [("search_memories", False), ("unknown", True)]


async def test_steps_of_recall_stand_one_after_another_in_it() -> None:
    """Their durations are known, and their order; a step outside of a turn makes no span."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    traces = TurnTraces(provider)
    with traces.step("model"):
        pass
    assert exporter.get_finished_spans() == ()
    recall = provider.get_tracer("t").start_span("recall", start_time=1_000_000)
    recall.end(9_000_000)
    traces.took(recall, {"embedding": 2.0, "reading": 1.0})
    steps = [one for one in exporter.get_finished_spans() if one.parent is not None]
    assert [(one.name, one.start_time, one.end_time) for one in steps] == [
        ("embedding", 1_000_000, 3_000_000),
        ("reading", 3_000_000, 4_000_000),
    ]


async def test_no_span_holds_words_names_or_ids(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """Neither of what was said, nor of what was answered, nor of an error that quotes it."""
    steps: list[Step] = [ModelUnavailable(f"no: {SECRET}"), responds(SECRET)]
    async with pet_with(tmp_path, steps) as pet:
        await told(pet, SECRET)
        await told(pet, SECRET)
        person = await pet.person(DAVID)
    found = spans.get_finished_spans()
    failed = [one.status.description for one in found if not one.status.is_ok and one.events == ()]
    assert "ModelUnavailable" in failed
    written = "".join(one.to_json() for one in found)
    for word in ("pot bleu", "David", DAVID.external_id, str(person), "lobby", "made"):
        assert word not in written


async def test_background_calls_of_the_model_make_no_trace(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """A digest is no turn."""
    async with pet_with(tmp_path, []) as pet:
        await pet.hears("la fanfare joue samedi", DAVID)
        with suppress(Exception):
            await pet.app.services.digest.run()
    assert spans.get_finished_spans() == ()


async def test_a_collector_gets_the_spans(tmp_path: Path) -> None:
    """Over OTLP by HTTP, below its address, with the name of the service."""
    came: list[Asked] = []

    async def answer(asked: Asked) -> Answer:
        came.append(asked)
        return Answer(headers={"content-type": "application/x-protobuf"})

    async with (
        LoopbackServer(answer) as server,
        pet_with(tmp_path, [responds("d'accord")], server.url) as pet,
    ):
        await told(pet, "bonjour, qui joue du violoncelle ?")
    assert {(one.method, one.path) for one in came} == {("POST", "/v1/traces")}
    names, services = set(), set()
    for one in came:
        for resource in ExportTraceServiceRequest.FromString(one.body).resource_spans:
            named = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            services.add(named["service.name"])
            names |= {span.name for scope in resource.scope_spans for span in scope.spans}
    assert services == {"eko"}
    assert {"turn", "coalescing", "recall", "model", "delivery"} <= names


async def test_a_lost_collector_delays_no_reply_and_is_told_once(tmp_path: Path) -> None:
    """Nothing listens there: replies go on, and so does the end."""
    with capture_logs() as events:
        async with pet_with(tmp_path, [responds("oui")] * 3, NOBODY) as pet:
            for _ in range(3):
                await told(pet, "bonjour, ça va ?")
            turns = await pet.app.storage.statistics.turn_latencies_ms()
    assert len(turns) == 3
    assert [one["event"] for one in events].count("traces.lost") == 1


class Wavering(SpanExporter):
    """A collector that is there, `+`, or not."""

    def __init__(self, there: str) -> None:
        self._there = iter(there)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Taken, or not."""
        del spans
        there = next(self._there) == "+"
        return SpanExportResult.SUCCESS if there else SpanExportResult.FAILURE


def test_each_change_of_a_collector_is_told_once() -> None:
    """Whether it went away or came back."""
    exporter = QuietExporter(Wavering("+--++-"))
    with capture_logs() as events:
        for _ in range(6):
            exporter.export(())
    assert [one["event"] for one in events] == ["traces.lost", "traces.resumed", "traces.lost"]


async def test_without_a_collector_nothing_is_loaded_or_wrapped(tmp_path: Path) -> None:
    """Each part is the one that it is without traces."""
    async with pet_with(tmp_path, []) as pet:
        assert pet.app.conversations._path is pet.app.answer_turn
    async with open_tracing(None) as found:
        assert found == Tracing()


async def test_without_the_extra_it_is_told_once_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A collector was chosen, and what speaks to it is not installed."""
    monkeypatch.setitem(sys.modules, "bot.diagnostics.telemetry", None)
    with capture_logs() as events:
        async with open_tracing(NOBODY) as found:
            assert found == tracing.Tracing()
    assert [one["event"] for one in events] == ["traces.missed"]
