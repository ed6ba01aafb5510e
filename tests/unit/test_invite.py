"""The invitation asks for what the pet does on Discord, and for nothing else."""

from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.channels.discord.probe import NEEDED, client_id_in, invite_url, permissions


def test_the_link_asks_for_exactly_what_is_needed() -> None:
    """Discord reads the permissions as one number; each has its reason in the code."""
    url = urlsplit(invite_url(123456789012345678))
    asked = parse_qs(url.query)
    assert (url.scheme, url.netloc, url.path) == ("https", "discord.com", "/oauth2/authorize")
    assert asked["client_id"] == ["123456789012345678"]
    assert asked["scope"] == ["bot applications.commands"]
    (number,) = asked["permissions"]
    granted = {name for name, is_granted in discord.Permissions(int(number)) if is_granted}
    assert granted == {
        "read_messages",
        "send_messages",
        "send_messages_in_threads",
        "read_message_history",
        "add_reactions",
        "attach_files",
    }
    assert all(NEEDED.values())


def test_nothing_that_governs_others_is_asked_for() -> None:
    """A stolen token must not be able to ban, delete or call everybody."""
    asked = permissions()
    assert not asked.administrator
    assert not asked.mention_everyone
    assert not asked.manage_messages


@pytest.mark.parametrize(
    ("token", "client_id"),
    [
        ("MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.secret", 123456789012345678),
        (" MTIzNDU2Nzg5MDEyMzQ1Njc4 ", 123456789012345678),
        ("", None),
        ("no token", None),
        ("é", None),
        ("aGVsbG8.x.y", None),
        ("A", None),
    ],
)
def test_a_token_begins_with_the_id_of_its_account(token: str, client_id: int | None) -> None:
    """In base64 without padding; what is no token names nobody."""
    assert client_id_in(token) == client_id
