"""The page of rooms: the owner's reach, and a manager's part of it."""

from pathlib import Path

import httpx2

from bot.surfaces.access.principal import manager
from memory.model.rooms import EVERYWHERE, RoomRole, SpaceId
from tests.cast import LOBBY, group, room_of
from tests.web.served_site import ServedSite, served_site

GUILD = SpaceId("guild")
HALL = group("hall", RoomRole.LOBBY, GUILD)
OFFICE = group("office", RoomRole.MENTION, GUILD)
POSTED = httpx2.codes.SEE_OTHER


async def met(site: ServedSite) -> None:
    """Three rooms of two communities; the office is confidential."""
    register = site.pet.app.register
    for room in (room_of(LOBBY), room_of(HALL), room_of(OFFICE, confidential=True)):
        await register.keep(room)


async def roles(site: ServedSite) -> dict[str, RoomRole]:
    """What the pet does in each room."""
    standings = await site.pet.app.register.standings(None)
    return {one.room.name: one.room.role for one in standings}


async def test_rooms_are_shown_with_roles_and_what_stays_in_them(tmp_path: Path) -> None:
    """By community, in the reader's language, hostile names as names."""
    async with served_site(tmp_path) as site:
        await met(site)
        await site.pet.app.register.keep(room_of(group("<script>1</script>")))
        page = await site.html("/dashboard/rooms")
        french = await site.html("/dashboard/rooms", "fr")
    assert "I read along and answer when spoken to" in page
    assert "stays here" in page
    assert "&lt;script&gt;1" in page
    assert "<script>1" not in page
    assert "reste ici" in french


async def test_a_role_is_chosen_and_taken_back(tmp_path: Path) -> None:
    """It holds at once; what platform and settings say comes back with it."""
    async with served_site(tmp_path) as site:
        await met(site)
        form = {"room": "chat:hall", "role": "pet"}
        done = await site.client.post("/dashboard/rooms/role", data=form)
        chosen = await roles(site)
        await site.client.post("/dashboard/rooms/role", data={**form, "role": "default"})
        again = await roles(site)
    assert (done.status_code, done.headers["location"]) == (POSTED, "/dashboard/rooms?done=role")
    assert chosen["hall"] is RoomRole.PET
    assert again["hall"] is RoomRole.LOBBY


async def test_check_ins_are_switched_on_and_off(tmp_path: Path) -> None:
    """The page says where it may write first, in the reader's language."""
    async with served_site(tmp_path) as site:
        await met(site)
        form = {"room": "chat:hall", "on": "true"}
        done = await site.client.post("/dashboard/rooms/checkins", data=form)
        page, french = (
            await site.html("/dashboard/rooms"),
            await site.html("/dashboard/rooms", "fr"),
        )
        listed = await site.client.get("/api/rooms")
        await site.client.post("/dashboard/rooms/checkins", data={**form, "on": "false"})
        again = await site.html("/dashboard/rooms")
    assert done.headers["location"] == "/dashboard/rooms?done=checkins_on"
    assert ">may write first<" in page
    assert ">peut écrire le premier<" in french
    assert listed.json()["checkins"] == ["chat:hall"]
    assert ">may write first<" not in again


async def test_a_room_is_closed_with_its_past(tmp_path: Path) -> None:
    """What was said there before is known there alone from then on."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("the cake is for Saturday", where=HALL)
        form = {"room": "chat:hall", "confidential": "true", "past": "true"}
        await site.client.post("/dashboard/rooms/confidential", data=form)
        known = await site.pet.app.storage.room_choices.known_before(room_of(HALL).id)
        page = await site.html("/dashboard/rooms")
    assert known.messages == 0
    assert "stays here" in page


async def test_pauses_begin_and_end(tmp_path: Path) -> None:
    """Of one community, and of all."""
    async with served_site(tmp_path) as site:
        await met(site)
        await site.client.post("/dashboard/rooms/pause", data={"space": GUILD})
        one = site.pet.app.pausing.current
        await site.client.post("/dashboard/rooms/resume", data={"space": GUILD})
        await site.client.post("/dashboard/rooms/pause")
        every = site.pet.app.pausing.current
        page = await site.html("/dashboard/rooms")
        await site.client.post("/dashboard/rooms/resume")
        none = site.pet.app.pausing.current
    assert [pause.space for pause in one] == [GUILD]
    assert [pause.space for pause in every] == [EVERYWHERE]
    assert "away everywhere" in page
    assert none == ()


async def test_a_manager_sees_and_changes_their_part(tmp_path: Path) -> None:
    """Without the other communities and without the rooms that not all of theirs can see."""
    async with served_site(tmp_path) as site:
        await met(site)
        site.given.principal = manager("session manager", GUILD)
        page = await site.html("/dashboard/rooms")
        form = {"room": "chat:hall", "role": "ignored"}
        done = await site.client.post("/dashboard/rooms/role", data=form)
        await site.client.post("/dashboard/rooms/pause")
        paused = site.pet.app.pausing.current
        chosen = await roles(site)
    assert "hall" in page
    assert "office" not in page
    assert "lobby</bdi>" not in page
    assert "Pause everywhere" not in page
    assert done.status_code == POSTED
    assert chosen["hall"] is RoomRole.IGNORED
    assert [pause.space for pause in paused] == [GUILD]


async def test_a_manager_reaches_no_other_community(tmp_path: Path) -> None:
    """Neither its rooms nor its pauses, nor a confidential room of their own by its id."""
    async with served_site(tmp_path) as site:
        await met(site)
        site.given.principal = manager("session manager", GUILD)
        post = site.client.post
        answers = [
            await post("/dashboard/rooms/role", data={"room": "chat:lobby", "role": "pet"}),
            await post("/dashboard/rooms/role", data={"room": "chat:office", "role": "pet"}),
            await post("/dashboard/rooms/pause", data={"space": "home"}),
            await post("/dashboard/rooms/resume", data={"space": "home"}),
            await post(
                "/dashboard/rooms/confidential", data={"room": "chat:lobby", "confidential": "1"}
            ),
        ]
        unchanged = await roles(site)
    assert {one.status_code for one in answers} == {httpx2.codes.NOT_FOUND}
    assert unchanged["lobby"] is RoomRole.LOBBY
    assert unchanged["office"] is RoomRole.MENTION
    assert site.pet.app.pausing.current == ()


async def test_a_manager_cannot_end_what_the_owner_paused_everywhere(tmp_path: Path) -> None:
    """They are told of it, and their word ends their own pause only."""
    async with served_site(tmp_path) as site:
        await met(site)
        await site.client.post("/dashboard/rooms/pause")
        site.given.principal = manager("session manager", GUILD)
        page = await site.html("/dashboard/rooms")
        await site.client.post("/dashboard/rooms/resume")
        still = site.pet.app.pausing.current
    assert "away everywhere" in page
    assert [pause.space for pause in still] == [EVERYWHERE]
