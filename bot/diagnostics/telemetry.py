"""Traces of turns by OpenTelemetry: each turn with its steps, for a collector.

Comes with the extra `telemetry`, and is only imported where `[telemetry] endpoint` is set. A span
has kinds, counts, names of tools and of models, and a duration: no words, no ids, no sentence of an
error. Libraries find no tracer of ours: their spans may quote what a model is sent.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import INVALID_SPAN, Span, Status, StatusCode, set_span_in_context

from bot.agent.loop import Tools
from bot.agent.toolbox import Toolbox, ToolContext
from bot.conversation.composer import Recalling
from bot.conversation.scheduler import TurnRunner
from bot.model.requests import ModelReply, ModelRequest, ToolCall, ToolResult
from bot.model.turns import Batch, Effects
from bot.ports import Model
from bot.release import VERSION
from memory.model.conversations import NewTurn
from memory.model.messages import MessageId
from memory.model.retrieval import Question, Retrieval
from memory.tasks import within

log = structlog.get_logger()

PATH = "/v1/traces"
"""Where a collector takes traces, below its address (OTLP 1.5, OTLP/HTTP request)."""

EXPORT_S = 3
"""Seconds a collector has for one batch, its retries included; people do not wait for it."""

NS_A_MS = 1_000_000

_HERE: ContextVar[Context | None] = ContextVar("eko_span", default=None)
"""The span under way in this task; none outside of turns."""


class TurnTraces:
    """Wraps what a turn passes through, so that each step becomes a span of its turn."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("eko", VERSION)

    def path(self, path: TurnRunner) -> TurnRunner:
        """The path of a batch: `turn`, with `coalescing` and `delivery` in it."""
        return _TracedPath(path, self)

    def recall(self, recall: Recalling) -> Recalling:
        """What is recalled: `recall`, with a span for each of its steps."""
        return _TracedRecall(recall, self)

    def model(self, model: Model) -> Model:
        """Each call of a turn: `model`."""
        return _TracedModel(model, self)

    def tools(self, tools: Toolbox) -> Tools:
        """Each call of a tool: `tool`; a name that is none of theirs was made up by a model."""
        return _TracedTools(tools, self)

    def begun(self, batch: Batch) -> Span:
        """The span of a turn, which began when the first of its messages came."""
        since = None if batch.since is None else int(batch.since.timestamp() * 1000) * NS_A_MS
        facts: Mapping[str, str | int] = {
            "eko.channel": batch.room.platform,
            "eko.messages": len(batch.heard),
        }
        turn = self._tracer.start_span("turn", Context(), attributes=facts, start_time=since)
        around = set_span_in_context(turn, Context())
        self._tracer.start_span("coalescing", around, start_time=since).end()
        return turn

    @contextmanager
    def step(self, name: str, facts: Mapping[str, str | int] | None = None) -> Iterator[Span]:
        """A step of the span under way; none where no turn goes on."""
        around = _HERE.get()
        if around is None:
            yield INVALID_SPAN
            return
        span = self._tracer.start_span(name, around, attributes=facts)
        try:
            with inside(span):
                yield span
        finally:
            span.end()

    def took(self, span: Span, steps_ms: Mapping[str, float]) -> None:
        """Add steps of a span that ended, whose durations alone are known, one after another."""
        if not isinstance(span, ReadableSpan) or span.start_time is None:
            return
        at, around = span.start_time, set_span_in_context(span, Context())
        for name, ms in steps_ms.items():
            step = self._tracer.start_span(name, around, start_time=at)
            at += int(ms * NS_A_MS)
            step.end(at)


@contextmanager
def inside(span: Span) -> Iterator[None]:
    """Make it the span under way; of what goes wrong in it the kind is noted."""
    token = _HERE.set(set_span_in_context(span, Context()))
    try:
        yield
    except BaseException as error:
        span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        raise
    finally:
        _HERE.reset(token)


class _TracedPath:
    """The TurnRunner port; a turn's span is open between its two halves."""

    def __init__(self, path: TurnRunner, traces: TurnTraces) -> None:
        self._path = path
        self._traces = traces
        self._open: dict[tuple[MessageId, ...], Span] = {}

    async def think(self, batch: Batch, effects: Effects) -> NewTurn:
        turn = self._traces.begun(batch)
        try:
            with inside(turn):
                thought = await self._path.think(batch, effects)
        except BaseException:  # one that was given up too, for what was said meanwhile
            turn.end()
            raise
        turn.set_attributes(
            {"eko.failed": thought.error is not None, "eko.tools": len(thought.tools)}
        )
        self._open[thought.messages] = turn
        return thought

    async def answer(self, turn: NewTurn) -> None:
        span = self._open.pop(turn.messages, INVALID_SPAN)
        try:
            with inside(span), self._traces.step("delivery"):
                await self._path.answer(turn)
        finally:
            span.end()

    async def apologise(self, batch: Batch) -> None:
        await self._path.apologise(batch)


class _TracedRecall:
    """The Recalling port."""

    def __init__(self, recall: Recalling, traces: TurnTraces) -> None:
        self._recall = recall
        self._traces = traces

    async def before(self, question: Question) -> Retrieval:
        with self._traces.step("recall") as span:
            found = await self._recall.before(question)
            span.set_attributes(
                {
                    "eko.recall.reason": found.reason,
                    "eko.recall.considered": len(found.items),
                    "eko.recall.injected": len(found.lines),
                    "eko.recall.late": found.late,
                }
            )
        self._traces.took(span, found.steps_ms)
        return found


class _TracedModel:
    """The Model port."""

    def __init__(self, model: Model, traces: TurnTraces) -> None:
        self._model = model
        self._traces = traces

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        facts = {"gen_ai.request.model": self.name, "eko.purpose": request.purpose.value}
        with self._traces.step("model", facts) as span:
            reply = await self._model.complete(request)
            used = reply.usage
            span.set_attributes(
                {
                    "gen_ai.usage.input_tokens": used.input + used.cache_read + used.cache_write,
                    "gen_ai.usage.output_tokens": used.output,
                    "eko.cached_tokens": used.cache_read,
                    "eko.stop_reason": reply.stop_reason,
                    "eko.calls": len(reply.calls),
                }
            )
        return reply


class _TracedTools:
    """The Tools port."""

    def __init__(self, tools: Toolbox, traces: TurnTraces) -> None:
        self._tools = tools
        self._traces = traces

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        name = call.name if call.name in self._tools.names else "unknown"
        with self._traces.step("tool", {"gen_ai.tool.name": name}) as span:
            result = await self._tools.run(call, context)
            span.set_attribute("eko.failed", result.failed)
        return result


class QuietExporter(SpanExporter):
    """Exports, and says once that a collector went away and once that it is back."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._is_away = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Hand spans over; those that a collector does not take are lost."""
        result = self._exporter.export(spans)
        is_away = result is not SpanExportResult.SUCCESS
        if is_away != self._is_away:
            self._is_away = is_away
            if is_away:
                log.warning("traces.lost")
            else:
                log.info("traces.resumed")
        return result

    def shutdown(self) -> None:
        """End the connection."""
        self._exporter.shutdown()


@asynccontextmanager
async def collected(endpoint: str) -> AsyncIterator[TurnTraces]:
    """Traces that go to a collector from a thread of their own, until the body ends."""
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # it says each try, by address
    address = endpoint if endpoint.endswith(PATH) else endpoint.rstrip("/") + PATH
    exporter = QuietExporter(OTLPSpanExporter(endpoint=address, timeout=EXPORT_S))
    named = Resource.create({"service.name": "eko", "service.version": VERSION})
    provider = TracerProvider(resource=named, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield TurnTraces(provider)
    finally:
        await within(2 * EXPORT_S, asyncio.to_thread(provider.shutdown))
