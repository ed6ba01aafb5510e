"""What Discord is sent, with the real library and a server on loopback."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
import pytest

from bot.channels.discord.outbound.sender import Sender, SendingRules, nonce_of, picture_of
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.turns import Expression, Outgoing
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from tests.edge.discord_rest import DiscordRest, channel, discord_rest, limited, refusal
from tests.edge.loopback import Answer
from tests.patience import PATIENCE_S

ROOM = Room(
    id=RoomId("discord:42"),
    platform="discord",
    external_id="42",
    name="lobby",
    kind=RoomKind.GROUP,
    role=RoomRole.LOBBY,
)
MESSAGES = "POST /api/v10/channels/42/messages"
REACTION = "PUT /api/v10/channels/42/messages/5/reactions/%F0%9F%91%8D/@me"
MOON = Outgoing(room=ROOM, text="La lune.", nonce="turn:0", answers="5")
THUMB = Outgoing(room=ROOM, text="👍", nonce="turn:0", answers="5")


@dataclass(frozen=True)
class Place:
    """A logged-in client and what its server heard."""

    rest: DiscordRest
    client: discord.Client

    def sender(self, **rules: object) -> Sender:
        """A sender by these rules."""
        return Sender(self.client, SendingRules(**rules))  # type: ignore[arg-type]


@pytest.fixture
async def place(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    """A client that has seen no channel and no gateway."""
    async with discord_rest(monkeypatch) as (rest, client):
        yield Place(rest, client)


async def test_an_answer_is_a_reply_that_calls_nobody_else(place: Place) -> None:
    """In a channel that no cache knows, under a nonce that Discord enforces."""
    sent = await place.sender().send(MOON)
    (post,) = place.rest.posts
    assert sent == "1001"
    assert post["content"] == "La lune."
    assert post["message_reference"] == {
        "message_id": 5,
        "channel_id": 42,
        "fail_if_not_exists": False,
        "type": 0,
    }
    assert post["allowed_mentions"] == {"parse": [], "replied_user": True}
    assert (post["nonce"], post["enforce_nonce"]) == (nonce_of("turn:0"), True)
    assert "flags" not in post


async def test_what_answers_nothing_is_a_plain_message(place: Place) -> None:
    """The second part of a reply, or a greeting."""
    await place.sender().send(Outgoing(room=ROOM, text="…et puis.", nonce="turn:1"))
    assert "message_reference" not in place.rest.posts[0]


async def test_links_are_not_unfurled(place: Place) -> None:
    """A remembered link is not what the answer is about."""
    await place.sender().send(Outgoing(room=ROOM, text="Voici https://a.example/b", nonce="n"))
    assert place.rest.posts[0]["flags"] == 4


async def test_a_face_is_an_emoji_behind_the_words(place: Place) -> None:
    """As the settings have it unless they say otherwise."""
    happy = Outgoing(room=ROOM, text="Oui !", nonce="n", expression=Expression.HAPPY)
    await place.sender().send(happy)
    await place.sender(face="none").send(happy)
    assert [post["content"] for post in place.rest.posts] == ["Oui ! 😊", "Oui !"]


async def test_a_face_is_a_small_picture_beside_the_words(place: Place) -> None:
    """Its bytes arrive as they are in the package."""
    sad = Outgoing(room=ROOM, text="Oh.", nonce="n", expression=Expression.SAD)
    await place.sender(face="picture").send(sad)
    (asked,) = place.rest.asked
    assert place.rest.posts[0]["content"] == "Oh."
    assert picture_of(Expression.SAD) in asked.body
    assert b'filename="sad.png"' in asked.body


async def test_without_the_right_to_attach_the_words_go_alone(place: Place) -> None:
    """The face is not worth the answer."""
    place.rest.will(refusal(403, 50013))
    sad = Outgoing(room=ROOM, text="Oh.", nonce="n", expression=Expression.SAD, answers="5")
    await place.sender(face="picture").send(sad)
    assert "attachments" not in place.rest.posts[1]
    assert "message_reference" in place.rest.posts[1]


@pytest.mark.parametrize("code", [160002, 50035, 10008, 50068])
async def test_what_cannot_be_replied_to_is_answered_plainly(place: Place, code: int) -> None:
    """No right to read what was said before, or a message that has no replies."""
    place.rest.will(refusal(400, code))
    assert await place.sender().send(MOON) == "1002"
    first, second = place.rest.posts
    assert "message_reference" not in second
    assert first["nonce"] == second["nonce"]


async def test_one_emoji_becomes_a_reaction(place: Place) -> None:
    """Put on the message it answers; there is no message of its own."""
    assert await place.sender().send(THUMB) is None
    assert place.rest.routes == [REACTION]


async def test_a_refused_reaction_is_said(place: Place) -> None:
    """As a reply: reactions may be forbidden where words are not."""
    place.rest.will(refusal(403, 50013))
    assert await place.sender().send(THUMB) == "1002"
    assert place.rest.routes == [REACTION, MESSAGES]
    assert place.rest.posts[0]["content"] == "👍"


async def test_an_emoji_that_answers_nothing_is_said(place: Place) -> None:
    """There is nothing to put it on."""
    await place.sender().send(Outgoing(room=ROOM, text="👍", nonce="n"))
    assert place.rest.routes == [MESSAGES]


@pytest.mark.parametrize(
    ("status", "code"), [(403, 50001), (403, 50007), (403, 50013), (404, 10003), (400, 50006)]
)
async def test_a_room_that_is_closed_or_gone_is_a_refusal(
    place: Place, status: int, code: int
) -> None:
    """No right, no such channel, somebody who takes no direct messages: never tried again."""
    place.rest.will(refusal(status, code))
    with pytest.raises(DeliveryRefused, match=f"{status}, code {code}"):
        await place.sender().send(MOON)
    assert place.rest.routes == [MESSAGES]


@pytest.mark.parametrize(
    "answer",
    [
        refusal(503, 0),
        refusal(401, 0),
        Answer(status=403, body=b"blocked", headers={"content-type": "text/html"}),
        Answer(status=200, body=b"<html>", headers={"content-type": "text/html"}),
        Answer(status=200, body=b'{"id": "1"}'),
        Answer(body=b'{"id": "1"}', cut=True),
        limited(3600),
    ],
)
async def test_what_may_pass_is_tried_again_later(place: Place, answer: Answer) -> None:
    """Overloaded, cut off, a proxy in between: the reply is kept."""
    place.rest.will(answer)
    with pytest.raises(DeliveryFailed) as failed:
        await place.sender().send(MOON)
    assert not isinstance(failed.value, DeliveryRefused)


async def test_a_short_wait_is_waited_out(place: Place) -> None:
    """The library does that."""
    place.rest.will(limited(0.01))
    assert await place.sender().send(MOON) == "1002"


async def test_no_answer_ends_at_the_limit(place: Place) -> None:
    """A connection into nowhere must not hold the conversation."""
    place.rest.will(Answer(never=True))
    with pytest.raises(DeliveryFailed, match=r"within 0\.05 seconds"):
        await place.sender(limit_s=0.05).send(MOON)


async def test_giving_up_during_a_wait_of_the_whole_bot_stops_nothing_else(place: Place) -> None:
    """Cancelled in that wait, the library would hold back every later request for ever."""
    place.rest.will(limited(0.2, everywhere=True))
    await place.sender(typing_limit_s=0.05).show_typing(ROOM)
    async with asyncio.timeout(PATIENCE_S):
        assert await place.sender().send(MOON)


async def test_an_archived_thread_is_opened_again(place: Place) -> None:
    """If it is not locked, and the pet may."""
    place.rest.will(refusal(400, 50083), channel(), channel(archived=False))
    assert await place.sender().send(MOON) == "1004"
    assert place.rest.routes == [
        MESSAGES,
        "GET /api/v10/channels/42",
        "PATCH /api/v10/channels/42",
        MESSAGES,
    ]


@pytest.mark.parametrize(
    "answers",
    [
        [channel(locked=True)],
        [channel(), refusal(403, 50013)],
        [refusal(404, 10003)],
        [channel(archived=False)],
    ],
)
async def test_a_thread_that_stays_shut_is_a_refusal(place: Place, answers: list[Answer]) -> None:
    """Locked by a moderator, not the pet's to open, gone, or refused for another reason."""
    place.rest.will(refusal(400, 50083), *answers)
    with pytest.raises(DeliveryRefused):
        await place.sender().send(MOON)
    assert place.rest.routes.count(MESSAGES) == 1


async def test_writing_is_shown_with_one_request(place: Place) -> None:
    """It lasts for ten seconds there."""
    await place.sender().show_typing(ROOM)
    assert place.rest.routes == ["POST /api/v10/channels/42/typing"]


@pytest.mark.parametrize("answer", [refusal(503, 0), refusal(403, 50001), Answer(never=True)])
async def test_writing_that_cannot_be_shown_is_no_matter(place: Place, answer: Answer) -> None:
    """Nothing is raised, and the reply follows."""
    place.rest.will(answer)
    sender = place.sender(typing_limit_s=0.05)
    await sender.show_typing(ROOM)
    assert await sender.send(MOON) == "1002"


async def test_without_a_connection_a_reply_is_kept(place: Place) -> None:
    """Before the log-in and after the end."""
    with pytest.raises(DeliveryFailed, match="no connection"):
        await Sender(discord.Client(intents=discord.Intents.none()), SendingRules()).send(MOON)
    await place.client.close()
    with pytest.raises(DeliveryFailed, match="no connection"):
        await place.sender().send(MOON)
    await place.sender().show_typing(ROOM)


def test_a_nonce_fits_and_tells_parts_apart() -> None:
    """At most 25 characters, the same each time."""
    assert len(nonce_of("x" * 40)) == 24
    assert nonce_of("turn:0") == nonce_of("turn:0") != nonce_of("turn:1")
