"""Voice notes: which wait for their words, and what becomes of a message that was listened to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.language.parts.spoken import with_spoken
from memory.language.text import search_text
from memory.model.audience import Audience
from memory.model.messages import Handling, MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId
from memory.model.voices import SpeechTranscript, VoiceFile, VoiceState
from memory.rules.forgetting.tombstones import IncomingText
from memory.storage.conversations.edits import take_back
from memory.storage.conversations.messages import learn_anew, observe, told_zone
from memory.storage.forgotten.tombstones import refused
from memory.storage.forgotten.value_marks import SaidText, unmarked
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis, moment, queries, row_as

_SQL = queries("conversations/voices")

UNHEARD = SpeechTranscript(words="")


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingVoice:
    """A voice note whose words are still to be written down, with its message as it is now.

    `begun` counts how often that was begun: a process that ended may have done so, too.
    """

    message: MessageId
    platform: str
    external_id: str
    room: RoomId
    space: SpaceId
    person: PersonId
    observed: bool
    text: str
    begun: int
    file: VoiceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledVoice:
    """What a message says and waits for, once its voice note was listened to or given up.

    `was_overheard`: it was said in a lobby, and nothing was made of it before.
    """

    text: str
    handling: Handling
    was_overheard: bool


class VoiceNotes(TimedTable):
    """The voice_notes table."""

    async def waiting(
        self, younger_than: timedelta, platforms: Iterable[str]
    ) -> list[tuple[MessageId, PersonId]]:
        """The messages of platforms that wait for ears, oldest first; too old ones are given up."""
        before = millis(self._clock.now() - younger_than)

        async def work(transaction: Transaction) -> list[Row]:
            await transaction.run(_SQL["give_up"], {"before": before})
            return await transaction.all(_SQL["waiting"], {"platforms": json_list(platforms)})

        rows = await self._database.write(work)
        return [(MessageId(row["message"]), PersonId(row["person"])) for row in rows]

    async def begin(self, message: MessageId) -> WaitingVoice | None:
        """Note that a voice note is listened to now; None where it waits no more."""

        async def work(transaction: Transaction) -> Row | None:
            await transaction.run(_SQL["begin"], {"message": message})
            return await transaction.one(_SQL["find"], {"message": message})

        row = await self._database.write(work)
        return None if row is None else row_as(WaitingVoice, row, file=row_as(VoiceFile, row))

    async def settle(
        self,
        message: MessageId,
        state: VoiceState,
        said: SpeechTranscript = UNHEARD,
        overheard: Handling = Handling.OBSERVED,
    ) -> SettledVoice | None:
        """Put the words of a voice note into its message; None if the message is gone meanwhile.

        `overheard` is what becomes of it in a lobby. Words that were forgotten since they were said
        are not taken; forgotten values are masked in them.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> SettledVoice | None:
            found = await transaction.one(_SQL["standing"], {"message": message})
            if found is None:
                return None
            if await _is_forgotten(transaction, found, said.words):
                await take_back(transaction, message, found["turn_id"], now)
                return None
            was_left = found["handling"] == Handling.KEPT and not found["observed"]  # opted out
            text = with_spoken(found["text"], "" if was_left else said.words)
            if text != found["text"]:
                await _reword(transaction, found, text, now)
            told = {"language": said.language, "seconds": said.seconds or found["seconds"]}
            await transaction.run(_SQL["settle"], {"message": message, "state": state, **told})
            return await _placed(transaction, found, text, overheard)

        return await self._database.write(work)

    async def leave(self, message: MessageId) -> None:
        """Leave a message unanswered: its author was told lately why."""
        await self._database.run(_SQL["leave"], {"message": message})


async def _is_forgotten(transaction: Transaction, found: Row, words: str) -> bool:
    audience, at = Audience(found["audience"]), moment(found["sent_at"])
    said = IncomingText(text=words, audience=audience, at=at)
    return bool(words) and (await refused(transaction, [said]))[0]


async def _reword(transaction: Transaction, found: Row, text: str, now: datetime) -> None:
    audience, person = Audience(found["audience"]), PersonId(found["person_id"])
    said = SaidText(text=text, audience=audience, person=person, at=moment(found["sent_at"]))
    (kept,) = await unmarked(transaction, [said])
    values = {"text": kept, "search_text": search_text(kept), "zone": told_zone(kept)}
    await transaction.run(_SQL["reword"], {"message": found["id"], **values})
    if found["turn_id"] is not None:
        await learn_anew(transaction, found, now)


async def _placed(
    transaction: Transaction, found: Row, text: str, overheard: Handling
) -> SettledVoice:
    """What becomes of a message now; one that was overheard was stored only, until then."""
    handling = Handling(found["handling"])
    was_overheard = handling is Handling.KEPT
    if was_overheard and found["observed"]:
        handling = overheard
        await transaction.run(_SQL["place"], {"message": found["id"], "handling": handling})
        if handling is Handling.OBSERVED:
            await observe(transaction, [MessageId(found["id"])])
    return SettledVoice(text=text, handling=handling, was_overheard=was_overheard)
