"""One other process of the pet, over HTTP: how much is read of it, and for how long."""

import json
from pathlib import Path

import pytest

from bot.errors import DeliveryFailed
from bot.siblings.circle import Siblings
from bot.siblings.client import LONGEST_ANSWER, Sibling
from bot.siblings.values import KnownGiven, SiblingAccount, WhoAsks
from bot.siblings.vouching import VouchedElsewhere
from memory.model.people import AccountId
from memory.storage.elsewhere.given import GivenLines
from tests.borrowing import answers, borrowed
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.patience import PATIENCE_S
from tests.storage import open_truth

ADA = WhoAsks(who=SiblingAccount(account="discord:1"))
STANDING = json.dumps({"bot": "eko", "shards": "1/2", "process": "a"}).encode()


async def test_only_an_export_may_be_long() -> None:
    """Any other answer is read while others wait: a long one is no answer."""

    async def take(asked: Asked) -> Answer:
        if asked.path.endswith("/standing"):
            return Answer(body=STANDING)
        return Answer(body=json.dumps({"lines": ["a" * 1000] * (LONGEST_ANSWER // 1000)}).encode())

    async with LoopbackServer(take) as server:
        sibling = Sibling(server.url, "key")
        with pytest.raises(DeliveryFailed):
            await sibling.asked(KnownGiven, "/known", ADA, limit_s=PATIENCE_S)
        assert len(await sibling.told("/export", ADA, limit_s=PATIENCE_S)) > LONGEST_ANSWER
        await sibling.close()


async def test_a_process_that_is_slow_with_one_account_is_asked_about_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One long look-up hid it from everybody for half a minute."""
    monkeypatch.setattr("bot.siblings.vouching.VOUCH_S", 1.0)
    asked_of: list[str] = []

    async def take(asked: Asked) -> Answer:
        if asked.path.endswith("/standing"):
            return Answer(body=STANDING)
        asked_of.append(json.loads(asked.body)["who"]["account"])
        if asked_of[-1] == "discord:1":
            return Answer(never=True)
        return Answer(body=json.dumps({"spaces": ["discord:7"]}).encode())

    async with LoopbackServer(take) as server, open_truth(tmp_path) as storage:
        sibling = Sibling(server.url, "key")
        given = GivenLines(storage.database, storage.clock)
        vouching = VouchedElsewhere(Siblings([sibling]), given)
        one, other = AccountId("discord:1"), AccountId("discord:2")
        assert not await vouching.spaces_of(one)
        assert await vouching.spaces_of(other) == {"discord:7"}
        assert not await vouching.spaces_of(one)
        assert asked_of == [one, other]
        await sibling.close()


async def test_one_look_goes_through_all_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part each five minutes would not keep up with what is given meanwhile."""
    monkeypatch.setattr("memory.storage.elsewhere.given.MOST_ASKED", 2)
    told: list[str] = []

    async def take(asked: Asked) -> Answer:
        if asked.path.endswith("/standing"):
            return Answer(body=STANDING)
        told.extend(ref for ref, _ in json.loads(asked.body)["given"])
        return Answer(body=b"{}")

    async with LoopbackServer(take) as server, open_truth(tmp_path) as storage:
        sibling = Sibling(server.url, "key")
        lines = [borrowed(f"live:{number}@1", server.url) for number in range(5)]
        await answers(storage, "the boat?", "It is Zanzibar.", lines)
        given = GivenLines(storage.database, storage.clock)
        await VouchedElsewhere(Siblings([sibling]), given).look()
        assert told == [f"live:{number}@1" for number in range(5)]
        await sibling.close()
