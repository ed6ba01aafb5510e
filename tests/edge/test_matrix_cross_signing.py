"""Signing the pet's device, against servers that ask for more, lie, or answer nonsense."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.channels.matrix.service.account import DeviceSession, DeviceTrust
from bot.channels.matrix.service.cross_signing import (
    FILE,
    CrossSigning,
    CrossSigningKeys,
    SigningRules,
    kept_keys,
)
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.signing import SigningKey
from tests.edge.loopback import Answer, Asked, LoopbackServer

USER, DEVICE, PASSWORD = "@eko:test", "EKO", "a-password-of-the-trial"
SESSION = DeviceSession(user_id=USER, device_id=DEVICE, token="t")


@dataclass
class KeyServer:
    """A homeserver's part that keeps keys; `flows` is how it asks who is there, if it does."""

    device: SigningKey = field(default_factory=SigningKey)
    flows: list[dict[str, Any]] = field(default_factory=list)
    password: str = PASSWORD
    keeps: bool = True
    """Whether it keeps the signatures it is given."""
    odd: Any = None
    """What it answers to a question about keys, instead of them."""
    told: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        public = self.device.public
        body = {"user_id": USER, "device_id": DEVICE, "keys": {f"ed25519:{DEVICE}": public}}
        signed = self.device.signed(body, USER)["signatures"][USER][f"ed25519:{public}"]
        described = {**body, "signatures": {USER: {f"ed25519:{DEVICE}": signed}}}
        self.told["device_keys"] = {USER: {DEVICE: described}}

    async def answer(self, asked: Asked) -> Answer:
        """Answer one request."""
        what = asked.path.rpartition("/keys/")[2]
        self.asked.append(what)
        body = asked.json()
        if what == "query":
            return _json(self.told if self.odd is None else self.odd)
        if what == "device_signing/upload":
            return self._published(body)
        if self.keeps:
            mine = self.told["device_keys"][USER][DEVICE]["signatures"][USER]
            mine.update(body[USER][DEVICE]["signatures"][USER])
        return _json({"failures": {}})

    def _published(self, body: Mapping[str, Any]) -> Answer:
        auth = body.get("auth")
        if auth is not None:
            self.tried.append(auth["password"])
        if self.flows and (auth is None or auth["password"] != self.password):
            said = {"flows": self.flows, "session": "s", "errcode": "M_FORBIDDEN"}
            return _json(said, 401)
        self.told["master_keys"] = {USER: body["master_key"]}
        self.told["self_signing_keys"] = {USER: body["self_signing_key"]}
        return _json({})


def _json(body: object, status: int = 200) -> Answer:
    return Answer(status=status, body=json.dumps(body).encode())


BY_PASSWORD = [{"stages": ["m.login.password"]}]
BY_PAGE = [{"stages": ["m.oauth"]}, {"stages": ["org.matrix.cross_signing_reset"]}]


@dataclass
class Pet:
    """What signs, at one server."""

    server: KeyServer
    homeserver: Homeserver
    folder: Path

    async def settles(
        self, *, password: str | None = PASSWORD, replaces: bool = False
    ) -> DeviceTrust:
        """What came of it in a new connection."""
        rules = SigningRules(folder=self.folder, password=password, replaces=replaces)
        signing = CrossSigning(self.homeserver, SESSION, rules)
        await signing.settle(self.server.device.public)
        return signing.trust


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """One that has no keys yet."""
    server = KeyServer()
    async with LoopbackServer(server.answer) as running:
        homeserver = Homeserver(running.url, "t")
        try:
            yield Pet(server, homeserver, tmp_path)
        finally:
            await homeserver.close()


async def test_the_password_is_shown_only_to_a_server_that_asks(pet: Pet) -> None:
    """And a second start asks for nothing but how it stands."""
    assert await pet.settles() is DeviceTrust.SIGNED
    assert pet.server.tried == []
    pet.server.asked.clear()
    assert await pet.settles() is DeviceTrust.SIGNED
    assert pet.server.asked == ["query"]


async def test_a_server_that_asks_is_shown_the_password(pet: Pet) -> None:
    """Once, for the same keys."""
    pet.server.flows = BY_PASSWORD
    assert await pet.settles() is DeviceTrust.SIGNED
    assert pet.server.tried == [PASSWORD]


@pytest.mark.parametrize("password", [None, "wrong"])
async def test_without_the_right_password_it_is_said(
    pet: Pet, password: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tried once, never written; the keys that were made wait for it."""
    pet.server.flows = BY_PASSWORD
    assert await pet.settles(password=password) is DeviceTrust.NEEDS_PASSWORD
    assert pet.server.tried == ([] if password is None else ["wrong"])
    waiting = kept_keys(pet.folder, USER)
    assert await pet.settles() is DeviceTrust.SIGNED
    assert waiting is not None
    (public,) = pet.server.told["master_keys"][USER]["keys"].values()
    assert public == waiting.master.public
    said = capsys.readouterr()
    assert "wrong" not in (said.out + said.err).replace("a wrong", "")


async def test_what_only_a_page_can_allow_is_said(pet: Pet) -> None:
    """The password is not shown there: the server has no use for it."""
    pet.server.flows = BY_PAGE
    assert await pet.settles() is DeviceTrust.NEEDS_APPROVAL
    assert pet.server.tried == []
    pet.server.flows = []  # somebody has allowed it
    assert await pet.settles() is DeviceTrust.SIGNED


async def test_no_other_device_is_signed_in_the_place_of_its_own(pet: Pet) -> None:
    """A server that says the pet's device had other keys gets no signature for them."""
    stranger = KeyServer()
    pet.server.told["device_keys"] = stranger.told["device_keys"]
    assert await pet.settles() is DeviceTrust.POSTPONED
    assert "signatures/upload" not in pet.server.asked


async def test_a_signature_that_is_not_kept_is_no_success(pet: Pet) -> None:
    """What counts is what others will read."""
    pet.server.keeps = False
    assert await pet.settles() is DeviceTrust.POSTPONED
    pet.server.keeps = True
    assert await pet.settles() is DeviceTrust.SIGNED


async def test_a_lost_middle_key_is_published_again(pet: Pet) -> None:
    """The master key alone vouches for no device."""
    assert await pet.settles() is DeviceTrust.SIGNED
    del pet.server.told["self_signing_keys"]
    pet.server.flows = BY_PASSWORD
    assert await pet.settles() is DeviceTrust.SIGNED
    assert pet.server.tried == [PASSWORD]


async def test_other_keys_give_way_only_where_that_is_chosen(pet: Pet) -> None:
    """Then they are replaced by new ones, not by those of before."""
    assert await pet.settles() is DeviceTrust.SIGNED
    before = kept_keys(pet.folder, USER)
    pet.server.told["master_keys"] = {USER: CrossSigningKeys.made().described(USER)["master_key"]}
    assert await pet.settles() is DeviceTrust.OTHER_KEYS
    assert await pet.settles(replaces=True) is DeviceTrust.SIGNED
    after = kept_keys(pet.folder, USER)
    assert before is not None
    assert after is not None
    assert before.master.public != after.master.public


@pytest.mark.parametrize("kept", ["", "{", "[]", "{}", '{"user_id": "@eko:test", "master": "x"}'])
async def test_a_damaged_file_is_no_key(pet: Pet, kept: str) -> None:
    """New ones are made where the server has none."""
    (pet.folder / FILE).write_text(kept)
    assert await pet.settles() is DeviceTrust.SIGNED


@pytest.mark.parametrize(
    "odd",
    [
        {"device_keys": 7, "master_keys": [1], "self_signing_keys": "x"},
        {"device_keys": {USER: {DEVICE: {"keys": None, "signatures": 3}}}},
        {"master_keys": {USER: {"keys": {"a": 1, "b": 2}}}},
        {"device_keys": {USER: {DEVICE: {"x": "\ud800", "signatures": {USER: {}}}}}},
        {},
    ],
)
async def test_nonsense_costs_the_signature_alone(pet: Pet, odd: object) -> None:
    """It is tried again later; nothing is raised."""
    pet.server.odd = odd
    assert await pet.settles() is DeviceTrust.POSTPONED
