"""What the command line can ask of the pet, in the daemon or in a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from pydantic import ValidationError

from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.ports import Shown
from bot.conversation.addressing import addressed
from bot.errors import BotError
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.operations import requests
from bot.operations.forget import Forgotten
from bot.operations.history import Lifetimes
from bot.operations.json import (
    Event,
    candidate_json,
    core_fact_json,
    event_json,
    finding_json,
    memory_json,
)
from bot.operations.labelling import Labelling
from bot.operations.notes import Vault
from bot.operations.rooms import Keeping
from bot.operations.settings import Tuned
from bot.operations.summaries import Checkpoints
from bot.operations.tidy import Upkeep
from bot.operations.transfer import Portability
from bot.operations.why import Reasons
from bot.transfer.recordings import Unreadable, read_recording
from bot.transfer.seeds import plant, read_seed
from bot.wiring.app import App
from bot.wiring.settings import names_of
from memory.errors import EkoMemoryError, EmbeddingFailed, VectorStoreUnavailable
from memory.model.audience import OPERATOR, Origin
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

    def __init__(self, app: App) -> None:
        self.app = app
        labelling, lifetimes = Labelling(app), Lifetimes(app)
        tuned, upkeep, vault = Tuned(app), Upkeep(app), Vault(app)
        portability, forgotten, keeping = Portability(app), Forgotten(app), Keeping(app)
        self._table: Mapping[str, tuple[type[requests.Request], Callable[..., Any]]] = {
            "ask": (requests.Ask, self._ask),
            "say": (requests.Say, self._say),
            "listen": (requests.Listen, self._listen),
            "accounts": (requests.Accounts, self._accounts),
            "replay": (requests.Replay, self._replay),
            "digest": (requests.DigestNow, self._digest),
            "seed": (requests.Seed, self._seed),
            "remember": (requests.Remember, self._remember),
            "search": (requests.Search, self._search),
            "memories": (requests.ListMemories, lifetimes.memories),
            "nature": (requests.Nature, lifetimes.nature),
            "facts": (requests.ListFacts, self._facts),
            "find": (requests.Find, self._find),
            "summaries": (requests.ListSummaries, Checkpoints(app).listed),
            "verify": (requests.Verify, self._verify),
            "reindex": (requests.Reindex, self._reindex),
            "doctor": (requests.Nothing, self._doctor),
            "export": (requests.Export, portability.export),
            "import": (requests.Import, portability.take_in),
            "settings": (requests.Nothing, tuned.settings),
            "setting": (requests.OneSetting, tuned.setting),
            "set": (requests.SetSetting, tuned.set),
            "reset": (requests.OneSetting, tuned.reset),
            "audit": (requests.Audit, tuned.audit),
            "archived": (requests.ListMemories, upkeep.archived),
            "restore": (requests.Restore, upkeep.restore),
            "proposals": (requests.ListProposals, upkeep.proposals),
            "tidy": (requests.Nothing, upkeep.run),
            "accept": (requests.Decide, upkeep.accept),
            "dismiss": (requests.Dismiss, upkeep.dismiss),
            "rooms": (requests.Nothing, keeping.rooms),
            "room_role": (requests.ChooseRole, keeping.role),
            "pause": (requests.OfSpace, keeping.pause),
            "resume": (requests.OfSpace, keeping.resume),
            "usage": (requests.Nothing, keeping.usage),
            "why": (requests.Why, Reasons(app).why),
            "notes": (requests.Nothing, vault.listed),
            "notes_sync": (requests.SyncNotes, vault.sync),
            "forget": (requests.Forget, forgotten.forget),
            "forget_undo": (requests.OneForgetting, forgotten.undo),
            "forget_purge": (requests.OneForgetting, forgotten.purge),
            "forget_list": (requests.Receipts, forgotten.receipts),
            "forget_show": (requests.OneForgetting, forgotten.receipt),
            "eval_questions": (requests.ToLabel, labelling.questions),
            "eval_keep": (requests.Labelled, labelling.keep),
            "eval_history": (requests.Nothing, labelling.history),
        }

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

    async def _ask(self, ask: requests.Ask) -> AsyncIterator[Event]:
        author, room = _seat(ask.name, ask.room)
        talk = self.app.hub.talk(author, room)
        text = self._called(ask.text) if room is LOBBY else ask.text
        if not ask.text.strip():
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
                turn = await self.app.truth.turns.by_id(
                    TurnId(UUID(event.key.split(":")[0])), OPERATOR
                )
                if turn is not None and turn.person == person.id:
                    return turn
            if event.key.startswith("command:"):
                return event.text
        raise NoAnswer("The room was closed before an answer came.")

    async def _told(self, turn: Turn | str) -> Event:
        if isinstance(turn, str):
            return {"reply": turn, "expression": "neutral", "turn": None, "recall": None}
        return await Reasons(self.app).told(turn)

    async def _say(self, say: requests.Say) -> AsyncIterator[Event]:
        author, room = _seat(say.name, say.room)
        await self.app.hub.talk(author, room).say(say.text)
        yield {"result": {}}

    async def _listen(self, listen: requests.Listen) -> AsyncIterator[Event]:
        author, room = _seat(listen.name, listen.room)
        async with self.app.hub.talk(author, room).events() as events:
            yield {"progress": {"listening": room.name, "pet": self.app.settings.pet.name}}
            async for event in events:
                yield {"progress": event_json(event)}

    async def _accounts(self, asked: requests.Accounts) -> AsyncIterator[Event]:
        author, _ = _seat(asked.name, None)
        person = await self.app.register.known(author)
        accounts = [] if person is None else await self.app.truth.dossiers.accounts(person)
        yield {"result": {"accounts": [[one.platform, one.name] for one in accounts]}}

    async def _replay(self, replay: requests.Replay) -> AsyncIterator[Event]:
        items = list(read_recording(Path(replay.path), replay.format, LOBBY))
        bad = [item for item in items if isinstance(item, Unreadable)]
        inbounds = [item for item in items if isinstance(item, Inbound)]
        for item in bad:
            yield {"progress": {"warning": f"Line {item.line}: {item.reason}."}}
        stored = known = forgotten = 0
        for start in range(0, len(inbounds), AT_ONCE if replay.speed is None else 1):
            chunk = inbounds[start : start + (AT_ONCE if replay.speed is None else 1)]
            if replay.speed is not None and start:
                await _pause(inbounds[start - 1], chunk[0], replay.speed)
            received = await self.app.inbox.receive_all(chunk, recorded=True)
            stored, known = stored + received.stored, known + received.known
            forgotten += received.forgotten
            yield {"progress": {"done": start + len(chunk), "total": len(inbounds)}}
        yield {
            "result": {
                "unindexed": await self._unindexed(),
                "lines": len(inbounds),
                "stored": stored,
                "known": known,
                "forgotten": forgotten,
                "unreadable": [{"line": item.line, "reason": item.reason} for item in bad],
            }
        }

    async def _digest(self, request: requests.DigestNow) -> AsyncIterator[Event]:
        if request.retry:
            await self.app.truth.digests.release()
            if await self.app.truth.extractions.release():
                self.app.mind.conversation_facts.wake()
        live = await self.app.truth.digests.live()
        yield {"progress": {"state": "reading", "messages": live.waiting - live.quarantined}}
        report = await self.app.mind.digest.run()
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
            await self.app.mind.indexer.settle()
        return await self.app.truth.outbox.waiting()

    async def _seed(self, seed: requests.Seed) -> AsyncIterator[Event]:
        path = seed.path or self.app.settings.seed.file
        planned = read_seed(None if path is None else Path(path))
        stored = [] if seed.dry_run else await plant(self.app.mind.remember, planned)
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

    async def _remember(self, request: requests.Remember) -> AsyncIterator[Event]:
        stored = await self.app.mind.remember.store(_statement(request, self.app.panel.current()))
        yield {
            "result": {
                "id": str(stored.id),
                "new": stored.is_new,
                "replaced": [memory_json(old) for old in stored.replaced],
                "closed": [memory_json(old) for old in stored.closed],
            }
        }

    async def _search(self, search: requests.Search) -> AsyncIterator[Event]:
        stores = [Store(search.store)] if search.store else list(Store)
        found = await self.app.mind.recall.search(search.query, stores, OPERATOR, search.limit)
        result: Event = {"memories": [candidate_json(one) for one in found]}
        if search.store is None:
            history = await self.app.mind.recall.search_history(
                search.query, OPERATOR, search.limit
            )
            result["history"] = [candidate_json(one) for one in history]
        yield {"result": result}

    async def _facts(self, request: requests.ListFacts) -> AsyncIterator[Event]:
        facts = await self.app.truth.core_facts.listed(
            OPERATOR, name=request.person, history=request.history
        )
        yield {"result": {"facts": [core_fact_json(one) for one in facts]}}

    async def _find(self, find: requests.Find) -> AsyncIterator[Event]:
        found = await self.app.mind.texts.find(find.query, OPERATOR, find.limit)
        yield {"result": {"rows": [candidate_json(one) for one in found]}}

    async def _verify(self, request: requests.Verify) -> AsyncIterator[Event]:
        yield {"progress": {"state": "reading the database"}}
        checkup = await self.app.truth.health.checkup()
        yield {"progress": {"state": "comparing the vector store"}}
        if not self.app.embedder.fingerprint.embeds:
            yield {"progress": {"warning": "There is no embedder: nothing is kept as vectors."}}
        await self.app.truth.memories.sweep()  # what has expired since the last sweep is no fault
        differences = await self.app.mind.indexer.differences()
        repaired = 0
        wrong = sum(len(one.missing) + len(one.surplus) for one in differences)
        if request.repair and (wrong or checkup.broken_text):
            yield {"progress": {"state": "repairing"}}
            await self.app.truth.health.rebuild_text(checkup.broken_text)
            repaired = await self.app.mind.indexer.repair(differences)
            checkup = await self.app.truth.health.checkup()
            differences = await self.app.mind.indexer.differences()
            wrong = sum(len(one.missing) + len(one.surplus) for one in differences)
        yield {
            "result": {
                "counts": checkup.counts,
                "problems": list(checkup.problems),
                "vectors": {
                    one.collection.value: {
                        "expected": one.expected,
                        "missing": len(one.missing),
                        "surplus": len(one.surplus),
                    }
                    for one in differences
                },
                "repaired": repaired,
                "sound": not checkup.problems and not wrong,
            }
        }

    async def _reindex(self, _request: requests.Reindex) -> AsyncIterator[Event]:
        await self.app.truth.outbox.announce_all()
        total = left = await self.app.truth.outbox.waiting()
        while left:
            yield {"progress": {"done": total - left, "total": total}}
            await self.app.mind.indexer.settle(at_most=AT_ONCE * 4)
            left = await self.app.truth.outbox.waiting()
        yield {"result": {"indexed": total}}

    async def _doctor(self, _request: requests.Nothing) -> AsyncIterator[Event]:
        checks = [finding_json(one) for one in await self.app.doctor.diagnose()]
        yield {"result": {"checks": checks, "healthy": all(c["status"] != "fail" for c in checks)}}


class NothingSaid(BotError):
    """A text without words."""


class NoAnswer(BotError):
    """The pet did not answer in time."""


def _seat(name: str, room: str | None) -> tuple[AuthorRef, RoomRef]:
    author = AuthorRef(platform="console", external_id=name, name=name)
    return author, LOBBY if room else direct_room(author)


def _statement(request: requests.Remember, tuning: Tuning) -> NewMemory:
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
