"""The digest: every live message is read to its end once, whatever fails and whenever."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from memory.model.audience import OPERATOR
from memory.model.digests import DigestRow
from memory.model.errors import StorageFailed
from memory.storage.conversations.digests import Digests
from observers.digest import Digest, DigestReport
from observers.errors import ExtractionFailed, ExtractorUnavailable
from tests.cast import PLATFORM
from tests.flow.lobby import RULES, ListedExtractor, Lobby, reader
from tests.notices import NotedNotices
from tests.storage import arrival, open_truth, overhear, overheard_by_text

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


@pytest.fixture
async def lobby(tmp_path: Path) -> AsyncIterator[Lobby]:
    """A lobby where eight things were said."""
    async with open_truth(tmp_path) as storage:
        await overhear(storage, *WORDS)
        await storage.indexer.settle()
        extractor = ListedExtractor()
        yield Lobby(storage=storage, extractor=extractor, digest=reader(storage, extractor))


async def test_everything_live_is_read_in_chunks_learnt_and_cleared(lobby: Lobby) -> None:
    """In order, with what was said just before for understanding, from the messages it rests on."""
    report = await lobby.digest.run()
    assert report == DigestReport(digests=1, messages=8, facts=8)
    assert lobby.extractor.read == list(WORDS)
    assert [len(chunk.lines) for chunk in lobby.extractor.chunks] == [3, 3, 2]
    assert [line.text for line in lobby.extractor.chunks[1].before] == ["beta", "gamma"]
    assert lobby.extractor.chunks[0].lines[0].said_at.isoformat() == "2026-01-17T13:00:00+01:00"
    assert await lobby.is_read(*WORDS)
    assert await lobby.storage.count("memory_sources") == 8
    assert (
        await lobby.storage.count("memories", "audience = 'space:home' AND source = 'digest'") == 8
    )


async def test_what_was_digested_is_still_found_by_its_words(lobby: Lobby) -> None:
    """The messages stay, only live is cleared."""
    await lobby.digest.run()
    found = await overheard_by_text(lobby.storage, "gamma", OPERATOR)
    assert [one.content for one in found] == ["gamma"]


async def test_an_empty_lobby_costs_no_call(lobby: Lobby) -> None:
    """Nor does one that was just digested."""
    await lobby.digest.run()
    calls = len(lobby.extractor.chunks)
    assert await lobby.digest.run() == DigestReport()
    assert len(lobby.extractor.chunks) == calls
    assert await lobby.storage.count("digests") == 1


async def test_a_slot_that_comes_twice_digests_once(lobby: Lobby) -> None:
    """What was said between the two passes waits for the next slot."""
    await lobby.digest.run("2026-10-25T02")
    await overhear(lobby.storage, "iota")
    assert await lobby.digest.run("2026-10-25T02") == DigestReport()
    assert (await lobby.storage.digests.live()).waiting == 1
    assert (await lobby.digest.run("2026-10-25T06")).messages == 1
    assert await lobby.is_read(*WORDS, "iota")


async def test_what_is_said_meanwhile_stays_live(lobby: Lobby) -> None:
    """A busy room never keeps a digest from ending, and no half-hour is read in crumbs."""
    lobby.extractor.meanwhile = lambda: overhear(lobby.storage, "iota")
    assert (await lobby.digest.run()).messages == 8
    assert "iota" not in lobby.extractor.read
    assert (await lobby.storage.digests.live()).waiting == 1
    assert (await lobby.digest.run()).messages == 1
    assert await lobby.is_read(*WORDS, "iota")


async def test_an_extractor_that_goes_away_stops_it_and_the_next_run_goes_on(lobby: Lobby) -> None:
    """What was read stays read; nothing is quarantined, since nothing is wrong with the text."""
    lobby.extractor.fails["delta"] = ExtractorUnavailable("It is away.")
    report = await lobby.digest.run("slot-a")
    assert report.interrupted == "It is away."
    assert await lobby.facts() == sorted(WORDS[:3])
    assert (await lobby.storage.digests.live()).quarantined == 0
    again = await reader(lobby.storage, lobby.extractor).run("slot-a")
    assert again.interrupted == "It is away."
    lobby.extractor.fails.clear()
    await overhear(lobby.storage, "iota")
    await reader(lobby.storage, lobby.extractor).run("slot-b")
    assert await lobby.is_read(*WORDS, "iota")
    assert lobby.extractor.read.count("alpha") == 1


async def test_a_slot_whose_digest_was_resumed_counts_as_done(lobby: Lobby) -> None:
    """The repeat of an hour finds it digested, also when it first had to finish an older one."""
    lobby.extractor.fails["delta"] = ExtractorUnavailable("It is away.")
    await lobby.digest.run("slot-a")
    lobby.extractor.fails.clear()
    await overhear(lobby.storage, "iota")
    await lobby.digest.run("slot-b")
    await overhear(lobby.storage, "kappa")
    assert await lobby.digest.run("slot-b") == DigestReport()
    assert (await lobby.storage.digests.live()).waiting == 1


async def test_a_slot_that_resumes_its_own_digest_reads_what_came_meanwhile(lobby: Lobby) -> None:
    """In another digest, since a slot has one."""
    lobby.extractor.fails["delta"] = ExtractorUnavailable("It is away.")
    await lobby.digest.run("slot-a")
    lobby.extractor.fails.clear()
    await overhear(lobby.storage, "iota")
    assert (await lobby.digest.run("slot-a")).interrupted is None
    assert await lobby.is_read(*WORDS, "iota")
    assert await lobby.storage.count("digests", "slot = 'slot-a'") == 1


@pytest.mark.parametrize("fault", [ExtractionFailed("nonsense"), ValueError("a fault of ours")])
async def test_a_chunk_that_cannot_be_read_is_set_aside_and_the_rest_goes_on(
    lobby: Lobby, fault: Exception
) -> None:
    """After its attempts; later runs leave it, until it is released and readable."""
    lobby.extractor.fails["delta"] = fault
    report = await lobby.digest.run()
    assert (report.quarantined, report.facts, report.interrupted) == (1, 5, None)
    assert lobby.extractor.read.count("delta") == RULES.attempts
    assert (await lobby.storage.digests.live()).quarantined == 3
    assert await lobby.digest.run() == DigestReport()
    assert lobby.extractor.read.count("delta") == RULES.attempts
    lobby.extractor.fails.clear()
    assert await lobby.storage.digests.release() == 3
    assert (await lobby.digest.run()).facts == 3
    assert await lobby.is_read(*WORDS)


async def test_a_chunk_that_fails_once_is_tried_again(lobby: Lobby) -> None:
    """One bad answer of a model costs nothing but a call."""
    failing = lobby.extractor.fails
    failing["beta"] = ExtractionFailed("nonsense")

    async def mend() -> None:
        lobby.extractor.meanwhile = forget

    async def forget() -> None:
        failing.clear()

    lobby.extractor.meanwhile = mend
    assert (await lobby.digest.run()).quarantined == 0
    assert await lobby.is_read(*WORDS)


STEPS = ("unfinished", "claim", "open_chunks", "lines", "before", "store", "finish")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("occurrence", [1, 2, 3])
@pytest.mark.parametrize("step", STEPS)
async def test_a_failure_at_any_step_loses_nothing_and_doubles_nothing(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch, step: str, occurrence: int, when: str
) -> None:
    """As a crash just before or just after each write: the next run ends at the same place."""
    real: Callable[..., Awaitable[Any]] = getattr(lobby.storage.digests, step)
    calls = 0

    async def failing(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == occurrence and when == "before":
            raise StorageFailed("The disk is full.")
        result = await real(*arguments)
        if calls == occurrence:
            raise StorageFailed("The disk is full.")
        return result

    monkeypatch.setattr(lobby.storage.digests, step, failing)
    try:
        await lobby.digest.run("slot-a")
    except StorageFailed:
        assert calls == occurrence
    monkeypatch.undo()
    await reader(lobby.storage, lobby.extractor).run("slot-b")
    assert await lobby.is_read(*WORDS)


async def test_no_step_is_left_out_of_that_test() -> None:
    """Every step of a digest is among those that were made to fail, or does not write for it."""
    others = {
        "latest",
        "slot_done",
        "last_done",
        "last_finished",
        "oldest_live",
        "live",
        "failed",
        "release",
    }
    methods = {name for name, one in vars(Digests).items() if callable(one) and name[0] != "_"}
    assert methods == {*STEPS, *others}


async def test_what_is_withdrawn_or_changed_before_it_is_read_is_read_as_it_is_then(
    lobby: Lobby,
) -> None:
    """A message that is gone teaches nothing; one that changed waits for the next digest."""

    async def change() -> None:
        await lobby.storage.messages.withdraw(PLATFORM, "m5")
        await lobby.storage.messages.edit(PLATFORM, "m6", "omega")

    lobby.extractor.meanwhile = change
    await lobby.digest.run()
    assert not {"epsilon", "zeta"} & set(lobby.extractor.read)
    await lobby.digest.run()
    assert await lobby.is_read(*(w for w in WORDS if w not in {"epsilon", "zeta"}), "omega")


async def test_a_chunk_whose_messages_are_all_withdrawn_costs_no_call(lobby: Lobby) -> None:
    """There is nothing left to read in it."""
    for number in range(1, 4):
        await lobby.storage.messages.withdraw(PLATFORM, f"m{number}")
    await lobby.digest.run()
    assert len(lobby.extractor.chunks) == 2
    assert await lobby.is_read(*WORDS[3:])


async def test_the_same_fact_from_two_chunks_is_kept_once(lobby: Lobby) -> None:
    """Said again later, it is touched."""
    await overhear(lobby.storage, "alpha")
    report = await lobby.digest.run()
    assert (report.messages, report.facts) == (9, 8)
    assert await lobby.is_read(*WORDS)


async def test_two_digests_at_once_are_one_after_the_other(lobby: Lobby) -> None:
    """The hour strikes while somebody has typed the command."""
    one, other = await asyncio.gather(lobby.digest.run(), lobby.digest.run("slot-a"))
    assert one.messages + other.messages == 8
    assert await lobby.is_read(*WORDS)


async def test_a_database_holds_one_open_digest_at_most(lobby: Lobby) -> None:
    """Two would claim each other's messages."""
    await lobby.storage.messages.accept([arrival("iota", "m9")])
    claimed = await claim(lobby)
    await overhear(lobby.storage, "kappa")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        await claim(lobby)
    assert claimed is not None
    await lobby.storage.digests.finish(claimed.id)
    assert await claim(lobby) is not None


async def claim(lobby: Lobby) -> DigestRow | None:
    """Claim what is live as one chunk."""
    digests = lobby.storage.digests
    return await digests.claim(None, lambda rows: [rows], await digests.latest())


async def test_more_than_one_digest_takes_is_read_by_several_in_one_run(lobby: Lobby) -> None:
    """A claim is bounded for the event loop's sake; what comes in meanwhile still waits."""
    storage = lobby.storage
    digests = Digests(storage.database, storage.clock, most=3)

    lobby.extractor.meanwhile = lambda: overhear(storage, "iota")
    report = await Digest(digests, storage.learning, lobby.extractor, RULES, NotedNotices()).run(
        "slot-a"
    )
    assert (report.digests, report.messages, report.facts) == (3, 8, 8)
    assert await digests.slot_done("slot-a")
    assert sorted(await lobby.facts()) == sorted(WORDS)
    assert (await digests.live()).waiting == 1
