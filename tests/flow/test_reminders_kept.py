"""Reminders as rows: listed, cancelled, forgotten and given back, exported, joined and split."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.model.commands import Answer, Authority, Caller, Command
from bot.model.events import AuthorRef, RoomRef
from bot.topics.reminders.command import reminders_command
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR, Scope, scope_of
from memory.model.authority import Actor
from memory.model.export import End, ExportSelection, Header, ReminderEntry, Row, written
from memory.model.forgetting import Kind
from memory.model.linking import Moved
from memory.model.people import Person, Signature
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.linking.splitting import Accounts
from memory.storage.transfer.exports import Exports
from memory.storage.transfer.imports import Imports
from memory.transfer.importer import Imported, Importer
from tests.cast import CORNER, DAVID, LEA, direct, room_of
from tests.flow.calling import answered
from tests.forgotten import forgetting_on
from tests.linked import DAV, MAIL, joined, person_behind
from tests.reminding import TEXTS, asked, reminders_on
from tests.storage import StorageParts, open_truth

MONDAY = datetime(2026, 11, 23, 14, tzinfo=UTC)
"""15:00 in Paris."""

UNSEEING = Scope(frozenset())


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Tables on a Monday afternoon."""
    async with open_truth(tmp_path, clock=FrozenClock(MONDAY)) as opened:
        yield opened


async def calling(
    storage: StorageParts,
    who: AuthorRef = DAVID,
    where: RoomRef | None = None,
    *,
    authority: Authority = Authority.NONE,
) -> Caller:
    """Somebody who calls the command, alone with the pet if nothing else is said."""
    room = room_of(where or direct(who))
    return Caller(
        person=Person(id=await person_behind(storage, who), name=who.name),
        room=room,
        account=who.account,
        authority=authority,
        locale="fr",
        private=where is None,
    )


async def says(storage: StorageParts, line: str, by: Caller) -> str:
    """What the command answers to a typed line."""
    command = reminders_command(reminders_on(storage), TEXTS, storage.clock)
    table: dict[str, Command] = {command.name: command}
    answer: Answer = await answered(table, line, by)
    return answer.text


async def test_ones_own_are_listed_soonest_first(storage: StorageParts) -> None:
    """And no one else's."""
    await asked(storage, "lire", when="demain à 9h")
    await asked(storage, "partir")
    await asked(storage, "dormir", LEA)
    assert await says(storage, "/reminders", await calling(storage)) == (
        "2. 16:00 : partir\n1. mardi 24 novembre à 09:00 : lire\n/rappels annuler 2 en annule un."
    )


@pytest.mark.parametrize(
    "line", ["/reminders cancel 1", "/rappels annuler 1", "/rappels annule #1"]
)
async def test_one_is_cancelled_in_either_language(storage: StorageParts, line: str) -> None:
    """It is not told, its words are gone, and who did it is written down."""
    await asked(storage)
    by = await calling(storage)
    assert await says(storage, line, by) == "Annulé : 1. 16:00 : partir"
    assert await storage.reminders.next_due(()) is None
    assert await storage.count("reminders", "state = 'cancelled' AND text = ''") == 1
    row = await storage.database.one(
        "SELECT actor, target, detail FROM audit_log WHERE action = 'reminder.cancelled'"
    )
    assert row is not None
    assert tuple(row) == (f"person:{by.person.id}", "1", "2026-11-23T15:00:00+00:00")


@pytest.mark.parametrize("number", ["1", "99", "x", "1" * 40, "-1"])
async def test_what_is_none_of_ones_own_is_not_cancelled(
    storage: StorageParts, number: str
) -> None:
    """Nor told from what there never was."""
    await asked(storage)
    said = await says(storage, f"/reminders cancel {number}", await calling(storage, LEA))
    assert said.startswith("Tu n'as pas de rappel")
    assert await storage.count("reminders", "state = 'open'") == 1


async def test_a_manager_cancels_none_and_the_operator_any_without_seeing_it(
    storage: StorageParts,
) -> None:
    """Only the person or the operator may."""
    await asked(storage)
    keeper = await calling(storage, LEA, CORNER, authority=Authority.SPACE)
    assert (await says(storage, "/reminders cancel 1", keeper)).startswith("Tu n'as pas de rappel")
    operator = await calling(storage, LEA, CORNER, authority=Authority.PET)
    assert await says(storage, "/reminders cancel 1", operator) == "Le rappel 1 est annulé."


async def test_accounts_that_are_joined_have_the_reminders_of_both(storage: StorageParts) -> None:
    """Each is still told where it was asked for; apart again, each has their own."""
    await asked(storage, "lire", DAV, MAIL)
    await asked(storage)
    await joined(storage)
    both = await says(storage, "/reminders", await calling(storage, DAVID))
    assert "lire" in both
    assert "partir" in both
    storage.clock.advance(timedelta(hours=1))
    due = await storage.reminders.due(())
    assert {one.room.platform: one.name for one in due} == {"mail": "Dav", "chat": "David"}
    accounts = Accounts(storage.database, storage.people, storage.clock)
    split = await accounts.split(DAV.account, Signature("test"))
    assert split.counts[Moved.REMINDERS] == 1
    assert "lire" not in await says(storage, "/reminders", await calling(storage, DAVID))
    assert "lire" in await says(storage, "/reminders", await calling(storage, DAV))


async def test_what_is_asked_for_under_a_merged_id_is_the_heirs(storage: StorageParts) -> None:
    """A turn that began before the accounts were joined ends after it."""
    before = await person_behind(storage, DAV)
    await asked(storage)
    await joined(storage)
    await storage.database.write(
        lambda transaction: transaction.run(
            "INSERT INTO reminders (key, person_id, room_id, audience, text, due_at, zone, locale,"
            " state, created_at) SELECT 'x', :old, room_id, 'person:' || :old, 'lire', due_at,"
            " zone, locale, 'open', created_at FROM reminders",
            {"old": before},
        )
    )
    assert "lire" in await says(storage, "/reminders", await calling(storage, DAVID))


@pytest.mark.parametrize("topic", ["partir", ""])
async def test_it_is_forgotten_with_its_topic_and_its_person_and_given_back(
    storage: StorageParts, topic: str
) -> None:
    """Shown, counted, gone without a word, and back as it was."""
    await asked(storage)
    await asked(storage, "dormir", LEA)
    forgetting = forgetting_on(storage)
    me = await person_behind(storage, DAVID)
    asker = Requester(scope=scope_of(room_of(direct(DAVID)), me), actor=Actor(person=me))
    selector = Selector(topic=topic) if topic else Selector(person=me)
    preview = await forgetting.ask(selector, asker)
    assert preview.counts[Kind.REMINDERS] == 1
    assert "partir" in [one.text for one in preview.samples if one.kind is Kind.REMINDERS]
    receipt = await forgetting.confirm(asker)
    assert receipt.counts[Kind.REMINDERS] == 1
    assert await storage.count("reminders", "text LIKE '%partir%'") == 0
    assert await storage.count("reminders", "state = 'open'") == 1
    storage.reminders.changed.clear()
    await forgetting.undo(asker)
    assert storage.reminders.changed.is_set()
    assert await storage.count("reminders", "state = 'open' AND text = 'partir'") == 1


async def entries(storage: StorageParts, selection: ExportSelection) -> list[Row]:
    """What an export has."""
    return [row async for row in Exports(storage.database).entries(selection, OPERATOR)]


async def test_it_is_exported_and_taken_in_elsewhere_while_it_is_ahead(
    storage: StorageParts, tmp_path: Path
) -> None:
    """One's own alone, of what may be known there; what is past is for then."""
    await asked(storage)
    await asked(storage, "dormir", LEA)
    me = await person_behind(storage, DAVID)
    own = await entries(
        storage, ExportSelection(person=me, within=scope_of(room_of(direct(DAVID)), me))
    )
    assert [one.text for one in own if isinstance(one, ReminderEntry)] == ["partir"]
    hidden = await entries(storage, ExportSelection(person=me, within=UNSEEING))
    assert [one for one in hidden if isinstance(one, ReminderEntry)] == []
    every = await entries(storage, ExportSelection())
    for hours, taken in ((0, 2), (2, 0)):
        folder = tmp_path / str(hours)
        folder.mkdir()
        async with open_truth(folder, clock=FrozenClock(MONDAY + timedelta(hours=hours))) as other:
            done = await taken_in(other, every)
            assert done.new.get("reminder", 0) == taken
            assert await other.count("reminders", "state = 'open'") == taken
            assert len(done.refused) == 2 - taken
            assert (await taken_in(other, every)).new.get("reminder", 0) == 0


async def taken_in(storage: StorageParts, rows: list[Row]) -> Imported:
    """What an import of these rows comes to."""
    lines = [written(Header(at=MONDAY)), *map(written, rows), written(End(entries=len(rows)))]
    refusals = IncomingRefusals(storage.database)
    importer = Importer(Imports(storage.database), refusals, now=storage.clock.now())
    async for _ in importer.run(enumerate(lines, start=1)):
        pass
    return importer.done
