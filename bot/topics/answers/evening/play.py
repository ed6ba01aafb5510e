"""Lets a pet of its own live through an evening by the record's clock, and notes what it does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.agent.estimates import tokens_sent
from bot.agent.toolbox import RESPOND
from bot.channels.local.hub import LOBBY, direct_room
from bot.data_folder import MODELS
from bot.errors import BotError
from bot.model.events import AuthorRef, Inbound
from bot.model.requests import (
    ANSWERING,
    AssistantMessage,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolRound,
    Usage,
    UserMessage,
)
from bot.ports import Model
from bot.surfaces.access.caller import COMMAND_LINE
from bot.topics.answers.evening.record import Evening, EveningLine
from bot.wiring.adapters import open_model
from bot.wiring.app import App, open_app
from config.sections.daemon import ShutdownSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.conversations import Turn
from memory.model.ledger import PurposeUsage
from memory.model.people import PersonId
from memory.model.rooms import HOME, RoomId
from memory.model.statements import Memory
from memory.model.stores import Store
from observers.conversation_facts import LONGEST_WAIT
from observers.errors import ExtractorUnavailable
from observers.schedule import slot_of

PLATFORM = "evening"
"""Whose accounts the people have: those of the page would share the cap of new names."""

CHOSEN = (
    "model", "tools", "embedder", "budget", "branch", "digest", "compaction", "ttl", "extraction",
    "coalescing", "sessions", "room_context",
)  # fmt: skip
"""The owner's sections that a trial goes by. With others it would reach what is theirs: rooms,
notes, backups, servers."""

UNHURRIED_MS = 10_000
"""Time limit of a search and an embedding here: a busy machine must not change what is found."""

SETTLING = timedelta(hours=5)
"""After the last word: longer than between two digests."""

ALL = 10_000
"""More statements than an evening brings."""

Said = Callable[[int, int], None]
"""Told how many messages were played, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedLine:
    """A line that was said. `seen` is all that the requests for its answer showed the model.

    `notice` is the sentence that an answer by rules begins with; "" for one by the model.
    """

    line: EveningLine
    seen: str
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEvening:
    """What came of an evening: the lines said, what is kept in the end, and what it took.

    `failed` are model calls and `postponed` are passes of learning that failed, by their reasons.
    """

    lines: Sequence[PlayedLine]
    rows: Sequence[Memory]
    replaced: Sequence[Memory]
    people: Mapping[str, PersonId | None]
    spent: Sequence[PurposeUsage]
    failed: Sequence[str]
    postponed: Sequence[str]
    is_priced: bool
    interrupted: bool


@dataclass
class WatchedModel:
    """A model whose requests and failures are kept."""

    model: Model
    asked: list[ModelRequest] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What the model answers; raises what it raises."""
        self.asked.append(request)
        try:
            return await self.model.complete(request)
        except BotError as error:
            self.failed.append(f"{request.purpose}: {error}")
            raise

    def take_seen(self) -> str:
        """What the requests for answers showed since this was asked last."""
        asked, self.asked = self.asked, []
        return "\n".join(seen_in(one) for one in asked if one.purpose in ANSWERING)


@dataclass(frozen=True, slots=True)
class SilentModel:
    """A model that costs nothing: it looks up once, says "...", learns nothing, counts tokens."""

    name: str

    async def complete(self, request: ModelRequest) -> ModelReply:
        """A call as a model would make it, for the estimate."""
        arguments: dict[str, object] = {"facts": [], "verdicts": [], "summary": "..."}
        name = request.force or RESPOND
        if name == RESPOND:
            is_first = isinstance(request.messages[-1], UserMessage)
            looks_up = is_first and any(tool.name == _LOOK_UP for tool in request.tools)
            name = _LOOK_UP if looks_up else RESPOND
            arguments = {"query": "..."} if looks_up else {"message": "..."}
        return ModelReply(
            text="",
            calls=(ToolCall(id=f"call_{len(request.messages)}", name=name, arguments=arguments),),
            usage=Usage(input=tokens_sent(request), output=_OUTPUT),
            model=self.name,
            stop_reason="tools",
        )


_LOOK_UP = "search_memories"
"""In both sets of tools."""

_OUTPUT = 150
"""Tokens of a short answer, or of two facts."""


async def play(
    settings: Settings, evening: Evening, limit: int | None, said: Said, model: Model | None = None
) -> PlayedEvening:
    """What comes of the first `limit` messages, talked to the model of the settings or `model`.

    Where it is cancelled meanwhile it gives what there is by then.
    """
    lines = evening.lines[:limit]
    async with _pet(settings, evening, model) as player:
        interrupted = False
        try:
            for batch in batches(lines, timedelta(seconds=settings.coalescing.debounce_s)):
                await player.hears(batch)
                said(len(player.lines), len(lines))
            await player.settles()
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is None or task.uncancel():
                raise
            interrupted = True
        return await player.came_of_it(interrupted=interrupted)


async def estimate(settings: Settings, evening: Evening, limit: int | None) -> PlayedEvening:
    """About what it will take: the same with a model that says nothing, and without embeddings."""
    cheap = settings.model_copy(update={"embedder": EmbedderSettings(kind="none")})
    return await play(cheap, evening, limit, lambda *_: None, SilentModel(settings.model.name))


def batches(lines: Sequence[EveningLine], quiet: timedelta) -> Iterator[Sequence[EveningLine]]:
    """Lines of one person in one room that come so fast that one answer is waited for."""
    batch: list[EveningLine] = []
    for line in lines:
        last = batch[-1] if batch else line
        is_next = (last.who, last.where) == (line.who, line.where) and line.at - last.at < quiet
        if batch and not is_next:
            yield batch
            batch = []
        batch.append(line)
    yield batch


def seen_in(request: ModelRequest) -> str:
    """What a request shows that was said or kept: all but the rules and the model's own calls."""
    texts = [request.system_of_session]
    for message in request.messages:
        match message:
            case UserMessage():
                texts += [message.surroundings, message.injection, message.text]
            case AssistantMessage():
                texts.append(message.text)
            case ToolRound():
                texts += [result.text for result in message.results]
    return "\n".join(texts)


@asynccontextmanager
async def _pet(
    settings: Settings, evening: Evening, model: Model | None
) -> AsyncIterator["EveningPlayer"]:
    """A pet that knows nothing, in a folder that is thrown away, and its clock."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="eko-evening-")))
        if (models := settings.data_dir / MODELS).exists():
            (folder / MODELS).symlink_to(models.resolve())
        inside = _inside(settings, evening, folder)
        clock = FrozenClock(evening.moment(evening.lines[0]))
        if model is None:
            model = await stack.enter_async_context(open_model(inside, clock))
        watched = WatchedModel(model)
        app = await stack.enter_async_context(open_app(inside, clock, model=watched))
        yield EveningPlayer(app, clock, evening, watched)


def _inside(settings: Settings, evening: Evening, folder: Path) -> Settings:
    """What the owner chose of how it thinks and learns; all else as it comes."""
    recall = {"deadline_ms": UNHURRIED_MS, "embed_timeout_ms": UNHURRIED_MS}
    made = Settings(data_dir=folder, locale=evening.language, timezone=evening.zone)
    chosen = {name: getattr(settings, name) for name in CHOSEN}
    return made.model_copy(
        update=chosen
        | {
            "vectors": VectorSettings(kind="edge"),
            "recall": settings.recall.model_copy(update=recall),
            "shutdown": ShutdownSettings(turns_s=1, posthooks_s=1),  # after a Ctrl-C
            # The player says when it is time: two that read one stretch would pay for it twice.
            "extraction": settings.extraction.model_copy(update={"enabled": False}),
        }
    )


class EveningPlayer:
    """Says an evening's lines to a pet, and lets time pass between them as a daemon would."""

    def __init__(self, app: App, clock: FrozenClock, evening: Evening, model: WatchedModel) -> None:
        self.lines: list[PlayedLine] = []
        self._app, self._clock, self._evening, self._model = app, clock, evening, model
        self._numbers = count()
        self._turns: list[Turn] = []
        self._postponed: list[str] = []
        app.replied.append(self._turns.append)

    async def hears(self, batch: Sequence[EveningLine]) -> None:
        """Say a batch at its time; done when it is answered and indexed."""
        app, settings = self._app, self._app.settings
        await self._passes_until(batch[0])
        for line in batch:
            self._clock.at = max(self._clock.at, self._evening.moment(line))
            await app.inbox.receive(self._inbound(line))
        self._clock.advance(timedelta(seconds=settings.coalescing.max_wait_s))
        app.conversations.typing(PersonId(""), RoomId(""))  # wakes them: the clock stands still
        await app.conversations.quiet()
        await app.services.after_reply.quiet()
        await app.services.indexer.settle()
        seen, notices = self._model.take_seen(), [turn.notice for turn in self._turns]
        self._turns.clear()
        said = (PlayedLine(line=line, seen=seen, notice="") for line in batch[:-1])
        last = PlayedLine(line=batch[-1], seen=seen, notice=" ".join(filter(None, notices)))
        self.lines += (*said, last)

    async def settles(self) -> None:
        """Let the night pass: everything that was said is read."""
        await self._passes_until(self.lines[-1].line, SETTLING)
        for _ in range(self._app.settings.extraction.attempts):  # what failed is tried again
            self._clock.advance(LONGEST_WAIT)
            await self._looks_after()

    async def came_of_it(self, *, interrupted: bool) -> PlayedEvening:
        """What is kept by now, and what it took."""
        storage, scope = self._app.storage, COMMAND_LINE.scope
        kept = await storage.lifetimes.replaced(Store.MEMORY, scope, ALL)
        prices, model = self._app.services.budget.caps.prices, self._model
        return PlayedEvening(
            lines=tuple(self.lines),
            rows=await storage.memories.latest(None, scope, ALL),
            replaced=[one.memory for one in kept],
            people={
                name: await storage.people.known(PLATFORM, name) for name in self._evening.people
            },
            spent=await storage.ledger.usage(self._evening.moment(self._evening.lines[0])),
            failed=tuple(model.failed),
            postponed=tuple(self._postponed),
            is_priced=prices.of(model.name) is not None,
            interrupted=interrupted,
        )

    async def _passes_until(self, line: EveningLine, later: timedelta = timedelta()) -> None:
        """Do what is due on the way: ended talks are read, then what the room said is digested."""
        settings, before = self._app.settings, self._clock.now()
        moment = max(before, self._evening.moment(line) + later)
        idle = timedelta(seconds=settings.extraction.idle_s)
        ended = timedelta(minutes=settings.sessions.idle_minutes)
        for wait in sorted((idle, ended)):
            if self.lines and before + wait < moment:
                self._clock.at = before + wait + timedelta(seconds=1)
                await self._looks_after()
        self._clock.at = max(moment, self._clock.at)
        hours, zone = settings.digest.planned_hours, settings.digest_zone
        if hours and slot_of(before, hours, zone) != (slot := slot_of(moment, hours, zone)):
            report = await self._app.services.digest.run(slot)
            self._postponed += [f"digest: {report.interrupted}"] if report.interrupted else []
        await self._app.services.indexer.settle()

    async def _looks_after(self) -> None:
        """End talks that fell silent, and read what is due of them."""
        services = self._app.services
        await self._app.contexts.end_idle()
        services.after_reply.look_around()
        await services.after_reply.quiet()
        try:
            await services.conversation_facts.read_due()
        except ExtractorUnavailable as error:
            self._postponed.append(f"extraction: {error}")
        await services.indexer.settle()

    def _inbound(self, line: EveningLine) -> Inbound:
        author = AuthorRef(platform=PLATFORM, external_id=line.who, name=line.who)
        return Inbound(
            external_id=str(next(self._numbers)),
            room=LOBBY if line.where == "group" else direct_room(author),
            author=author,
            text=line.text,
            sent_at=self._clock.now(),
            spaces=frozenset({HOME}),
        )
