"""What the doctor says of Matrix."""

from dataclasses import replace

import pytest

from bot.channels.matrix.findings import (
    TEXTS,
    MatrixLook,
    MatrixSight,
    MatrixStanding,
    finding_of,
)
from bot.channels.matrix.service.account import DeviceTrust
from bot.diagnostics.findings import PartState
from bot.diagnostics.report import in_chat, on_machine
from bot.platforms.plugin import PlatformState
from bot.texts.catalogue import texts_in

HERE, AWAY = PlatformState(connected=True), PlatformState(connected=False)
WELL = MatrixLook(
    sight=MatrixSight.WORKS, account="@eko:test", device="EKO", is_signed=True, rooms=2
)


def told_of(look: MatrixLook) -> str:
    """What is said and what there is to do."""
    said, todo = on_machine(finding_of(look, HERE))
    return f"{said} {todo}"


@pytest.mark.parametrize(
    ("trust", "todo"),
    [
        (DeviceTrust.NEEDS_PASSWORD, "Set MATRIX_PASSWORD"),
        (DeviceTrust.NEEDS_APPROVAL, "on the account's own page"),
        (DeviceTrust.OTHER_KEYS, "or verify the device EKO in that client"),
        (DeviceTrust.POSTPONED, "tried again"),
    ],
)
def test_an_unsigned_device_is_said_before_all_else(trust: DeviceTrust, todo: str) -> None:
    """With what there is to do for it; it is what spoils the first evening."""
    standing = MatrixStanding(trust=trust, limited=99, postponed=3)
    told = told_of(replace(WELL, is_signed=False, ignored=4, standing=standing))
    assert "device EKO is not verified" in told
    assert todo in told


def test_a_throttled_pet_names_who_can_help() -> None:
    """Once it was often; a refusal now and then is nobody's matter."""
    limited = MatrixStanding(trust=DeviceTrust.SIGNED, limited=5)
    assert "override_ratelimit for @eko:test" in told_of(replace(WELL, standing=limited))
    seldom = replace(limited, limited=4)
    assert "encryption ready, device verified" in told_of(replace(WELL, standing=seldom))


def test_invitations_that_wait_are_counted() -> None:
    """They are tried again by themselves."""
    standing = MatrixStanding(trust=DeviceTrust.SIGNED, postponed=3)
    told = told_of(replace(WELL, standing=standing))
    assert "could not be accepted yet: 3" in told


def test_no_word_is_left_over_and_each_is_said_in_both_languages() -> None:
    """Whatever was seen, connected or not."""
    trusts = [MatrixStanding(trust=trust) for trust in DeviceTrust]
    looks = [
        *(MatrixLook(sight=sight) for sight in MatrixSight),
        WELL,
        replace(WELL, rooms=0),
        replace(WELL, ignored=1),
        replace(WELL, standing=MatrixStanding(limited=5)),
        replace(WELL, standing=MatrixStanding(postponed=1)),
        *(replace(WELL, is_signed=False, standing=one) for one in trusts),
    ]
    found = [finding_of(look, here) for look in looks for here in (HERE, AWAY)]
    keys = {key for key in texts_in("en", TEXTS).entries if key.startswith("doctor.")}
    assert keys == {
        "doctor.parts.matrix",
        *(f"doctor.said.{one.said}" for one in found),
        *(f"doctor.todo.{one.todo}" for one in found if one.todo),
    }
    for one in found:
        assert in_chat(one, "fr") != in_chat(one, "en")
        assert "{" not in in_chat(one, "fr")
    assert finding_of(WELL, HERE).state is PartState.OK
