"""What the command line can ask of the pet, in the daemon or in a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from pydantic import ValidationError

from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.ports import Changed, Reacted, Shown, TakenBack
from bot.conversation.placement import addressed
from bot.conversation.wording import clean
from bot.errors import BotError
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.operations import requests
from bot.operations.access import AccessOperations
from bot.operations.caller import COMMAND_LINE, OperationCaller
from bot.operations.forget import ForgetOperations
from bot.operations.history import HistoryOperations
from bot.operations.json import (
    Event,
    candidate_json,
    core_fact_json,
    event_json,
    finding_json,
    memory_json,
)
from bot.operations.labelling import LabelOperations
from bot.operations.notes import NoteOperations
from bot.operations.people import PeopleOperations
from bot.operations.recovery import RecoveryOperations
from bot.operations.rooms import RoomOperations
from bot.operations.settings import SettingsOperations
from bot.operations.statements.tidy import DuplicateOperations
from bot.operations.summaries import SummaryOperations
from bot.operations.upkeep.backup import BackupOperations
from bot.operations.upkeep.indexes import IndexOperations
from bot.operations.upkeep.models import ModelOperations
from bot.operations.upkeep.transfer import TransferOperations
from bot.operations.usage import UsageOperations
from bot.operations.why import ExplainOperations
from bot.transfer.recordings import Unreadable, lines_in, read_recording
from bot.transfer.seeds import plant, read_seed
from bot.wiring.app import App
from bot.wiring.settings import names_of
from memory.errors import EkoMemoryError, EmbeddingFailed, VectorStoreUnavailable
from memory.model.audience import Origin
from memory.model.conversations import Turn
from memory.model.messages import AuthorKind, TurnId
from memory.model.rooms import Visibility
from memory.model.settings import Tuning
from memory.model.statements import MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.model.ttl import parse_ttl
from observers.errors import ObserverError

log = structlog.get_logger()

AT_ONCE = 64
"""Messages of a recording in one transaction."""


class Operations:
    """The operations by name; each yields events and ends with its result."""

    def __init__(self, app: App, caller: OperationCaller = COMMAND_LINE) -> None:
        self.app = app
        self._caller = caller
        labelling, lifetimes = LabelOperations(app, caller), HistoryOperations(app, caller)
        checking = IndexOperations(app)
        people = PeopleOperations(app, caller)
        tuned, upkeep, vault = (
            SettingsOperations(app, caller),
            DuplicateOperations(app, caller),
            NoteOperations(app, caller),
        )
        portability, forgotten, rooms = (
            TransferOperations(app, caller),
            ForgetOperations(app, caller),
            RoomOperations(app, caller),
        )
        self._table: Mapping[str, tuple[type[requests.OperationRequest], Callable[..., Any]]] = {
            "ask": (requests.AskRequest, self._ask),
            "say": (requests.SayRequest, self._say),
            "listen": (requests.ListenRequest, self._listen),
            "accounts": (requests.AccountsRequest, self._accounts),
            **AccessOperations(app, caller).table,
            "recovery_link": (requests.RecoveryLinkRequest, RecoveryOperations(app, caller).link),
            "replay": (requests.ReplayRequest, self._replay),
            "digest": (requests.DigestNowRequest, self._digest),
            "seed": (requests.SeedRequest, self._seed),
            "remember": (requests.RememberRequest, self._remember),
            "search": (requests.SearchRequest, self._search),
            "memories": (requests.ListMemoriesRequest, lifetimes.memories),
            "self_and_goals": (requests.SelfAndGoalsRequest, lifetimes.self_and_goals),
            "facts": (requests.ListFactsRequest, self._facts),
            "find": (requests.FindRequest, self._find),
            "summaries": (requests.ListSummariesRequest, SummaryOperations(app, caller).listed),
            "verify": (requests.VerifyRequest, checking.verify),
            "reindex": (requests.ReindexRequest, checking.reindex),
            "identity": (requests.IdentityRequest, checking.identity),
            "doctor": (requests.NoArguments, self._doctor),
            "model_check": (requests.NoArguments, ModelOperations(app).check),
            "backup": (requests.BackupRequest, BackupOperations(app).make),
            "export": (requests.ExportRequest, portability.export),
            "import": (requests.ImportRequest, portability.take_in),
            "settings": (requests.NoArguments, tuned.settings),
            "setting": (requests.OneSettingRequest, tuned.setting),
            "set": (requests.SetSettingRequest, tuned.set),
            "reset": (requests.OneSettingRequest, tuned.reset),
            "audit": (requests.AuditRequest, tuned.audit),
            "archived": (requests.ListMemoriesRequest, upkeep.archived),
            "restore": (requests.RestoreRequest, upkeep.restore),
            "proposals": (requests.ListProposalsRequest, upkeep.proposals),
            "tidy": (requests.NoArguments, upkeep.run),
            "accept": (requests.DecideRequest, upkeep.accept),
            "dismiss": (requests.DismissRequest, upkeep.dismiss),
            "rooms": (requests.NoArguments, rooms.rooms),
            "room_role": (requests.ChooseRoleRequest, rooms.role),
            "room_mark": (requests.MarkRoomRequest, rooms.mark),
            "pause": (requests.OfSpaceRequest, rooms.pause),
            "resume": (requests.OfSpaceRequest, rooms.resume),
            "people": (requests.NoArguments, people.listed),
            "split_account": (requests.SplitAccountRequest, people.split),
            "join_accounts": (requests.JoinAccountsRequest, people.join),
            "usage": (requests.NoArguments, UsageOperations(app).usage),
            "why": (requests.WhyRequest, ExplainOperations(app, caller).why),
            "notes": (requests.NoArguments, vault.listed),
            "notes_sync": (requests.SyncNotesRequest, vault.sync),
            "forget": (requests.ForgetRequest, forgotten.forget),
            "forget_undo": (requests.OneForgettingRequest, forgotten.undo),
            "forget_purge": (requests.OneForgettingRequest, forgotten.purge),
            "forget_list": (requests.ReceiptsRequest, forgotten.receipts),
            "forget_show": (requests.OneForgettingRequest, forgotten.receipt),
            "eval_questions": (requests.ToLabelRequest, labelling.questions),
            "eval_label": (requests.LabelLineRequest, labelling.label),
            "eval_keep": (requests.LabelledRequest, labelling.keep),
            "eval_history": (requests.NoArguments, labelling.history),
        }

    async def result(self, name: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """The result of one operation, without its progress.

        Raises:
            ValidationError: the arguments are not what it takes.
            BotError, EkoMemoryError, ObserverError: what went wrong, in a sentence.

        """
        request, operation = self._table[name]
        last: Event = {}
        async for event in operation(request.model_validate(arguments or {})):
            last = event
        return last["result"]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> AsyncIterator[Event]:
        """Run one operation; what goes wrong comes as a last event with one sentence."""
        if name not in self._table:
            yield {"error": f'There is no operation "{name}".'}
            return
        request, operation = self._table[name]
        try:
            async for event in operation(request.model_validate(arguments)):
                yield event
        except ValidationError as error:
            yield {"error": requests.refusal(error)}
        except (BotError, EkoMemoryError, ObserverError, OSError) as error:
            yield {"error": str(error)}

    async def _ask(self, ask: requests.AskRequest) -> AsyncIterator[Event]:
        author, room = _seat(ask.name, ask.room)
        talk = self.app.hub.talk(author, room)
        text = self._called(ask.text) if room is LOBBY else ask.text
        if not clean(ask.text):
            raise NothingSaid("There is nothing to say: the text is empty.")
        if self._is_away(room) and not self.app.commands.knows(text):
            raise NoAnswer("It is paused, and would neither hear nor answer: see eko resume.")
        async with talk.events() as events:
            await talk.say(text)
            yield {"progress": {"state": "thinking"}}
            try:
                async with asyncio.timeout(ask.timeout_s):
                    turn = await self._answer(events, author)
            except TimeoutError:
                raise NoAnswer(f"No answer came within {ask.timeout_s:g} seconds.") from None
        yield {"result": await self._told(turn)}

    def _is_away(self, room: RoomRef) -> bool:
        return self.app.pausing.of(self.app.register.room(room).space) is not None

    def _called(self, text: str) -> str:
        """The words with the pet's name first, unless they call it themselves."""
        settings = self.app.settings
        if addressed(text, names_of(settings)):
            return text
        return f"@{settings.pet.name} {text}"

    async def _answer(self, events: AsyncIterator[object], author: AuthorRef) -> Turn | str:
        """The turn that answers this author, or the words that answer a command."""
        person = await self.app.register.person(author)
        async for event in events:
            if not isinstance(event, Shown) or event.kind is not AuthorKind.PET:
                continue
            with suppress(ValueError):
                turn = await self.app.storage.turns.by_id(
                    TurnId(UUID(event.key.split(":")[0])), self._caller.scope
                )
                if turn is not None and turn.person == person.id:
                    return turn
            if event.key.startswith("command:"):
                return event.text
        raise NoAnswer("The room was closed before an answer came.")

    async def _told(self, turn: Turn | str) -> Event:
        if isinstance(turn, str):
            return {"reply": turn, "expression": "neutral", "turn": None, "recall": None}
        return await ExplainOperations(self.app, self._caller).told(turn)

    async def _say(self, say: requests.SayRequest) -> AsyncIterator[Event]:
        author, room = _seat(say.name, say.room)
        await self.app.hub.talk(author, room).say(say.text)
        yield {"result": {}}

    async def _listen(self, listen: requests.ListenRequest) -> AsyncIterator[Event]:
        author, room = _seat(listen.name, listen.room)
        async with self.app.hub.talk(author, room).events() as events:
            yield {"progress": {"listening": room.name, "pet": self.app.settings.pet.name}}
            async for event in events:
                if not isinstance(
                    event, Changed | TakenBack | Reacted
                ):  # what is printed stays printed
                    yield {"progress": event_json(event)}

    async def _accounts(self, asked: requests.AccountsRequest) -> AsyncIterator[Event]:
        author, _ = _seat(asked.name, None)
        person = await self.app.register.known(author)
        accounts = [] if person is None else await self.app.storage.person_views.accounts(person)
        yield {"result": {"accounts": [[one.platform, one.name] for one in accounts]}}

    async def _replay(self, replay: requests.ReplayRequest) -> AsyncIterator[Event]:
        path, at_once = Path(replay.path), AT_ONCE if replay.speed is None else 1
        total = await asyncio.to_thread(lines_in, path)
        items = read_recording(path, replay.format, LOBBY)
        bad: list[Event] = []
        lines = stored = known = forgotten = 0
        last: Inbound | None = None
        while some := await asyncio.to_thread(list, islice(items, at_once)):
            for item in some:
                if isinstance(item, Unreadable):
                    bad.append({"line": item.line, "reason": item.reason})
                    yield {"progress": {"warning": f"Line {item.line}: {item.reason}."}}
            inbounds = [item for item in some if isinstance(item, Inbound)]
            if not inbounds:
                continue
            if replay.speed is not None and last is not None:
                await _pause(last, inbounds[0], replay.speed)
            last = inbounds[-1]
            received = await self.app.inbox.receive_all(inbounds, recorded=True)
            stored, known = stored + received.stored, known + received.known
            lines, forgotten = lines + len(inbounds), forgotten + received.forgotten
            yield {"progress": {"done": lines, "total": total}}
        yield {
            "result": {
                "unindexed": await self._unindexed(),
                "lines": lines,
                "stored": stored,
                "known": known,
                "forgotten": forgotten,
                "unreadable": bad,
            }
        }

    async def _digest(self, request: requests.DigestNowRequest) -> AsyncIterator[Event]:
        if request.retry:
            await self.app.storage.digests.release()
            if await self.app.storage.extractions.release():
                self.app.services.conversation_facts.wake()
        live = await self.app.storage.digests.live()
        yield {"progress": {"state": "reading", "messages": live.waiting - live.quarantined}}
        report = await self.app.services.digest.run()
        yield {
            "result": {
                "unindexed": await self._unindexed(),
                "messages": report.messages,
                "facts": report.facts,
                "quarantined": report.quarantined,
                "interrupted": report.interrupted,
            }
        }

    async def _unindexed(self) -> int:
        """How many changes wait for the vector store after applying what it takes."""
        with suppress(EmbeddingFailed, VectorStoreUnavailable):
            await self.app.services.indexer.settle()
        return await self.app.storage.outbox.waiting()

    async def _seed(self, seed: requests.SeedRequest) -> AsyncIterator[Event]:
        path = seed.path or self.app.settings.seed.file
        planned = read_seed(None if path is None else Path(path))
        stored = (
            []
            if seed.dry_run
            else await plant(self.app.services.remember, planned, self._caller.actor)
        )
        yield {
            "result": {
                "read": len(planned),
                "new": sum(one.is_new for one in stored),
                "closed": [memory_json(old) for one in stored for old in one.closed],
                "dry_run": seed.dry_run,
                "statements": [
                    {"store": one.store, "category": one.category, "content": one.content}
                    for one in planned
                ],
            }
        }

    async def _remember(self, request: requests.RememberRequest) -> AsyncIterator[Event]:
        stored = await self.app.services.remember.store(
            _statement(request, self.app.live_settings.current()), self._caller.actor
        )
        yield {
            "result": {
                "id": str(stored.id),
                "new": stored.is_new,
                "replaced": [memory_json(old) for old in stored.replaced],
                "closed": [memory_json(old) for old in stored.closed],
            }
        }

    async def _search(self, search: requests.SearchRequest) -> AsyncIterator[Event]:
        stores = [Store(search.store)] if search.store else list(Store)
        found = await self.app.services.recall.search(
            search.query, stores, self._caller.scope, search.limit
        )
        result: Event = {"memories": [candidate_json(one) for one in found]}
        if search.store is None:
            history = await self.app.services.recall.search_history(
                search.query, self._caller.scope, search.limit
            )
            result["history"] = [candidate_json(one) for one in history]
        yield {"result": result}

    async def _facts(self, request: requests.ListFactsRequest) -> AsyncIterator[Event]:
        facts = await self.app.storage.core_facts.listed(
            self._caller.scope, name=request.person, history=request.history
        )
        yield {"result": {"facts": [core_fact_json(one) for one in facts]}}

    async def _find(self, find: requests.FindRequest) -> AsyncIterator[Event]:
        found = await self.app.services.texts.find(find.query, self._caller.scope, find.limit)
        yield {"result": {"rows": [candidate_json(one) for one in found]}}

    async def _doctor(self, _request: requests.NoArguments) -> AsyncIterator[Event]:
        checks = [finding_json(one) for one in await self.app.doctor.diagnose()]
        yield {"result": {"checks": checks, "healthy": all(c["status"] != "fail" for c in checks)}}


class NothingSaid(BotError):
    """A text without words."""


class NoAnswer(BotError):
    """The pet did not answer in time."""


def _seat(name: str, room: str | None) -> tuple[AuthorRef, RoomRef]:
    author = AuthorRef(platform="console", external_id=name, name=name)
    return author, LOBBY if room else direct_room(author)


def _statement(request: requests.RememberRequest, tuning: Tuning) -> NewMemory:
    store = Store.MEMORY
    if request.self_category is not None:
        store = Store.SELF
    elif request.goal_category is not None:
        store = Store.GOALS
    category = request.self_category or request.goal_category
    kind = category or request.memory_type
    return NewMemory(
        store=store,
        content=request.text,
        origin=Origin(
            visibility=Visibility.SPACE if store is Store.MEMORY else Visibility.EVERYONE
        ),
        source=Source.CHAT,
        memory_type=request.memory_type if store is Store.MEMORY else MemoryType.OBSERVATION,
        category=category,
        subjects=request.about,
        importance=request.importance,
        ttl=tuning.ttl_of(kind) if request.ttl is None else parse_ttl(request.ttl),
    )


async def _pause(before: Inbound, after: Inbound, speed: float) -> None:
    await asyncio.sleep(max(0.0, (after.sent_at - before.sent_at).total_seconds()) / speed)
