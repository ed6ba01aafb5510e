import pytest

from bot.model.authority import authority_of
from bot.model.commands import Authority
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole

ADMINS = ("console:*", "discord:1")


def room(platform: str, kind: RoomKind) -> Room:
    """A room of a platform."""
    return Room(
        id=RoomId(f"{platform}:r"),
        platform=platform,
        external_id="r",
        name="r",
        kind=kind,
        role=RoomRole.LOBBY,
    )


@pytest.mark.parametrize(
    ("account", "platform", "kind", "manages", "authority"),
    [
        ("discord:1", "discord", RoomKind.GROUP, False, Authority.PET),
        ("discord:1", "discord", RoomKind.DIRECT, False, Authority.NONE),
        ("discord:1", "discord", RoomKind.DIRECT, True, Authority.NONE),
        ("discord:2", "discord", RoomKind.GROUP, True, Authority.SPACE),
        ("discord:2", "discord", RoomKind.GROUP, False, Authority.NONE),
        ("discord:11", "discord", RoomKind.GROUP, False, Authority.NONE),
        ("console:me", "local", RoomKind.DIRECT, False, Authority.PET),
        ("console:me", "local", RoomKind.GROUP, False, Authority.PET),
        ("web:me", "local", RoomKind.DIRECT, False, Authority.NONE),
    ],
)
def test_whose_word_counts_and_where(
    account: str, platform: str, kind: RoomKind, *, manages: bool, authority: Authority
) -> None:
    """By the settings for the pet, by the platform for its community, in private only at home."""
    found = authority_of(account, room(platform, kind), ADMINS, manages_space=manages)
    assert found is authority
