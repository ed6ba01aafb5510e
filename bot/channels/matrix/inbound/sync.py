"""What one answer of the server tells of each room. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.channels.matrix.service.json_values import (
    Json,
    as_map,
    map_in,
    maps_in,
    text_in,
    texts_in_list,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomNews:
    """What happened in a room since the last answer.

    `gap` is a place in its history before which events are left out; None where none are.
    """

    state: tuple[Json, ...]
    events: tuple[Json, ...]
    typing: tuple[str, ...]
    gap: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What happened everywhere since the last answer, until `until`.

    `invited` has the state that is shown of rooms to which the pet is invited; `direct` is the list
    of direct rooms where it has changed.
    """

    until: str
    joined: Mapping[str, RoomNews]
    invited: Mapping[str, tuple[Json, ...]]
    left: frozenset[str]
    direct: Json | None = None


def news_in(answer: Json) -> News:
    """The news in an answer of `/sync`."""
    rooms = map_in(answer, "rooms")
    account_data = maps_in(map_in(answer, "account_data"), "events")
    direct = [map_in(one, "content") for one in account_data if text_in(one, "type") == "m.direct"]
    invited = map_in(rooms, "invite")
    return News(
        until=text_in(answer, "next_batch"),
        joined={room: _of(as_map(told)) for room, told in map_in(rooms, "join").items()},
        invited={
            room: tuple(maps_in(map_in(as_map(told), "invite_state"), "events"))
            for room, told in invited.items()
        },
        left=frozenset(map_in(rooms, "leave")),
        direct=direct[-1] if direct else None,
    )


def said_since_invited(events: tuple[Json, ...], pet: str) -> tuple[Json, ...]:
    """What was said in a room that the pet has joined, from the moment it was asked to come.

    What was said before was not said to it.
    """
    for at in reversed(range(len(events))):
        one = events[at]
        is_about_pet = text_in(one, "type") == "m.room.member" and one.get("state_key") == pet
        if is_about_pet and text_in(map_in(one, "content"), "membership") == "invite":
            return events[at + 1 :]
    joins = [at for at, one in enumerate(events) if _joins(one, pet)]
    return events[joins[-1] + 1 :] if joins else ()


def has_joined(news: RoomNews, pet: str) -> bool:
    """Whether the pet came into the room meanwhile."""
    return any(_joins(one, pet) for one in news.events)


def _joins(event: Json, pet: str) -> bool:
    is_member = text_in(event, "type") == "m.room.member" and event.get("state_key") == pet
    was_there = text_in(map_in(event, "unsigned", "prev_content"), "membership") == "join"
    return is_member and text_in(map_in(event, "content"), "membership") == "join" and not was_there


def _of(told: Json) -> RoomNews:
    timeline = map_in(told, "timeline")
    typing = [
        user
        for one in maps_in(map_in(told, "ephemeral"), "events")
        if text_in(one, "type") == "m.typing"
        for user in texts_in_list(map_in(one, "content"), "user_ids")
    ]
    is_cut = timeline.get("limited") is True
    return RoomNews(
        state=tuple(maps_in(map_in(told, "state"), "events")),
        events=tuple(maps_in(timeline, "events")),
        typing=tuple(typing),
        gap=text_in(timeline, "prev_batch") or None if is_cut else None,
    )
