"""Asks a copy of the database, upgraded, the last questions that its people asked."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.conversation.inbox import heard_again
from bot.data_folder import MODELS
from bot.model.turns import Batch, Effects
from bot.surfaces.access.caller import COMMAND_LINE
from bot.topics.answers.conversations import admissions
from bot.topics.upgrades.verdicts import RehearsedQuestion, counted
from bot.transfer.upgrading import (
    copied,
    copies_folder,
    refuse_without_room,
    upgrade_state,
)
from bot.wiring.adapters import embeds_locally, embeds_offline, thinks_offline
from bot.wiring.app import App, open_still
from bot.wiring.settings import backup_rules
from config.settings import Settings
from memory.clock import FrozenClock, SystemClock
from memory.model.conversations import Turn
from memory.model.stores import Collection
from memory.storage.backups.rewinding import Changed, Rewinding
from memory.upkeep.filling import IndexFiller

_PATIENCE_MS = 5_000
"""For each step of a look-up: a busy machine must not look like what a version does."""

_AT_ONCE = 500
"""Entries put into the index of the copy together."""

_ALWAYS = timedelta(days=365_000)


async def rehearsed(settings: Settings, count: int) -> dict[str, Any]:
    """Upgrade a copy of the data folder, ask it its last questions, and say what differs.

    The folder is only read, and may be in use by the version before; beside it there is a backup
    afterwards, where the schema changes.

    Raises:
        NoRoom: the disk has no room for it.
        DatabaseRefused: it cannot be copied, or not upgraded.
        AlreadyRunning: another upgrade is under way.

    """
    rules, now = backup_rules(settings), SystemClock().now()
    state = upgrade_state(rules)
    refuse_without_room(settings.data_dir)
    with copies_folder(settings.data_dir, now) as folder:
        backup = await copied(rules, folder, now)
        clock = FrozenClock(now)
        async with open_still(settings_of_copy(settings, folder), clock) as app:
            rehearsal = Rehearsal(app, clock, Rewinding(app.storage.database))
            unembedded = await rehearsal.fill()
            questions = [one async for one in rehearsal.asked(count)]
    return {
        "schema": state.schema,
        "latest": state.latest,
        "backup": None if backup is None else str(backup),
        "replies_compared": thinks_offline(settings),
        "unembedded": unembedded,
        "counts": counted(questions),
        "questions": [one.shown for one in questions],
    }


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Asks an app over a copy, which `rewinding` takes back to each question, the latest first."""

    app: App
    clock: FrozenClock
    rewinding: Rewinding

    async def asked(self, count: int) -> AsyncIterator[RehearsedQuestion]:
        """The last `count` questions with what is recalled for them now."""
        for turn in await self._last(count):
            await self._index(await self.rewinding.to(turn.id))
            self.clock.at = turn.at  # when its reply was there, which tells ages by then
            batch = await self._batch()
            if batch is not None:
                yield await self._asked(turn, batch)

    async def fill(self) -> int:
        """Give the copy an index of the embeddings that are kept; how many entries have none.

        Nothing is embedded: that may cost money, and the pet does it after an upgrade.
        """
        outbox, missing = self.app.storage.outbox, 0
        if not self.app.embedder.fingerprint.embeds:
            return missing
        for collection in Collection:
            wanted = await outbox.expected(collection)
            there = list(await outbox.embedded_among(collection, wanted))
            missing += len(wanted) - len(there)
            for start in range(0, len(there), _AT_ONCE):
                await self._filler.bring(collection, there[start : start + _AT_ONCE])
        return missing

    @property
    def _filler(self) -> IndexFiller:
        return IndexFiller(self.app.storage.outbox, self.app.embedder, self.app.index)

    async def _last(self, count: int) -> Sequence[Turn]:
        """The turns of the last questions, as they were kept, the latest first."""
        scope = COMMAND_LINE.scope
        past = await self.app.storage.evaluations.past_questions(scope, count)
        found = [await self.app.storage.turns.by_id(one.turn, scope) for one in past]
        return [turn for turn in found if turn is not None]

    async def _index(self, changed: Changed) -> None:
        """Bring what changed into the index; a few vectors are made anew where that is for free."""
        is_free = embeds_offline(self.app.settings) or embeds_locally(self.app.settings)
        for collection, ids in changed.items():
            embedded = await self.app.storage.embeddings.of(collection, ids)
            await self._filler.bring(collection, ids if is_free else list(embedded))

    async def _batch(self) -> Batch | None:
        """The messages that wait now; None if they were taken back, or their room is no more."""
        waiting = await self.app.storage.messages.unanswered(_ALWAYS)
        if not waiting:
            return None
        room = await self.app.storage.people.room(waiting[-1].message.room)
        return (
            None
            if room is None
            else Batch(heard=tuple(heard_again(one, room, listens=False) for one in waiting))
        )

    async def _asked(self, turn: Turn, batch: Batch) -> RehearsedQuestion:
        if thinks_offline(self.app.settings):
            thought = await self.app.answer_turn.think(batch, Effects())
            lines, reply = thought.recalled, thought.reply
        else:
            lines, reply = (await self.app.answer_turn.recalled(batch)).lines, None
        return RehearsedQuestion(then=turn, lines=lines, reply=reply, admissions=admissions())


def settings_of_copy(settings: Settings, folder: Path) -> Settings:
    """The settings for a copy: its index is its own, whatever server the pet's is on.

    What a local embedder fetched is used where it is.
    """
    models = settings.data_dir / MODELS
    if models.exists():
        (folder / MODELS).symlink_to(models.absolute())
    patient = {"deadline_ms": _PATIENCE_MS, "embed_timeout_ms": _PATIENCE_MS}
    return settings.model_copy(
        update={
            "data_dir": folder,
            "vectors": settings.vectors.model_copy(update={"kind": "edge", "url": None}),
            "recall": settings.recall.model_copy(update=patient),
        }
    )
