"""A file that somebody changed lets nobody into a community, and silences none."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memory.model.people import Signature
from memory.model.rooms import RoomRole, RoomWish
from tests.flow.brought import does, ends
from tests.flow.lived_in import LEA
from tests.flow.moving import (
    CLOSED,
    LOBBY,
    MOVING,
    STAYING,
    beside,
    lived,
    moved_in,
    moved_out,
    text_of,
)
from tests.processes import eko

_KEY = "0123456789abcdef" * 4
_CHOSEN = {
    "entry": "space_setting",
    "kind": "pause",
    "room": None,
    "person": None,
    "value": "",
    "confidential": False,
    "at": "2026-01-01T00:00:00Z",
    "until": None,
}
_MARKED = {
    "entry": "tombstone",
    "forgetting": "0123456789abcdef:7",
    "kind": "message",
    "content": 5,
    "stems": [1],
    "telling": [],
    "forgotten_at": "2026-01-01T00:00:00Z",
}


def _with(file: Path, *, of_space: bool, **line: Any) -> None:
    """The file with one line more; as one of everything where it is not `of_space`."""
    head, *lines, end = map(json.loads, text_of(file).splitlines())
    head |= {} if of_space else {"space": None, "community": ""}
    lines = [one for one in lines if one["entry"] in {"person", "room"}]
    people = [one["id"] for one in lines if one["entry"] == "person"]
    rooms = {one["external_id"]: one["id"] for one in lines if one["entry"] == "room"}
    written = json.dumps(line).replace("PERSON", people[0]).replace("ROOM", rooms["9001"])
    lines.append(json.loads(written))
    end["entries"] = len(lines)
    file.write_text("".join(f"{json.dumps(one)}\n" for one in (head, *lines, end)), "utf-8")


@pytest.mark.parametrize(
    ("of_space", "line"),
    [
        (True, {**_CHOSEN, "kind": "member", "space": STAYING, "person": "PERSON"}),
        (False, {**_CHOSEN, "kind": "member", "space": MOVING, "person": "PERSON"}),
        (True, {**_CHOSEN, "space": "*"}),
        (True, {**_CHOSEN, "kind": "room", "space": MOVING, "room": "ROOM", "value": "boss"}),
        (True, {"entry": "marks_key", "key": _KEY[:33]}),
        (False, {"entry": "marks_key", "key": _KEY}),
        (True, {**_MARKED, "audience": f"space:{STAYING}"}),
        (True, {**_MARKED, "audience": "person:PERSON"}),
        (False, {**_MARKED, "audience": f"space:{MOVING}"}),
    ],
)
async def test_only_its_own_community_is_spoken_of(
    tmp_path: Path, *, of_space: bool, line: Mapping[str, Any]
) -> None:
    """What is chosen for another one, stands in a file of none or is damaged is refused alone."""
    file = tmp_path / "ruche.jsonl"
    async with lived(tmp_path / "old") as app:
        await does(app, "export", path=str(file), space=MOVING)
    _with(file, of_space=of_space, **line)
    async with beside(tmp_path / "new") as app:
        done = await does(app, "import", path=str(file))
        assert len(done["refused"]) == 1
        assert line["entry"] not in done["new"]


async def test_a_room_that_is_another_communitys_here_is_not_chosen_for(tmp_path: Path) -> None:
    """Whatever the file says whose it is."""
    file = tmp_path / "ruche.jsonl"
    async with lived(tmp_path / "old") as app:
        await does(app, "export", path=str(file), space=MOVING)
    _with(file, of_space=True, **_CHOSEN | {"kind": "room", "space": MOVING, "room": "ROOM"})
    async with lived(tmp_path / "old") as app:
        await app.storage.database.run(
            "UPDATE rooms SET space = :space WHERE external_id = '9001'", {"space": STAYING}
        )
        done = await does(app, "import", path=str(file))
        assert [one["reason"] for one in done["refused"]] == [
            "room: it is none of this community's"
        ]
        assert done["new"] == {}


async def test_an_opt_out_holds_even_if_the_import_breaks_off(tmp_path: Path) -> None:
    """From the next message on, in the daemon that took the file in."""
    file = tmp_path / "ruche.jsonl"
    async with lived(tmp_path / "old") as app:
        await app.storage.people.observe((await app.register.person(LEA)).id, observed=False)
        await does(app, "export", path=str(file), space=MOVING)
    file.write_text("\n".join(text_of(file).splitlines()[:-1]), "utf-8")
    async with beside(tmp_path / "new") as app:
        assert (await app.register.person(LEA)).observed
        assert "cut off" in (await ends(app, "import", path=str(file)))["error"]
        assert not (await app.register.person(LEA)).observed


async def test_a_room_that_was_closed_since_is_closed_by_the_next_export(tmp_path: Path) -> None:
    """Whichever was there first; one that is closed here alone stays so."""
    file, manager = tmp_path / "ruche.jsonl", Signature("person:somebody")
    async with lived(tmp_path / "old") as app:
        room, other = app.register.room(LOBBY).id, app.register.room(CLOSED).id
        choices = app.storage.room_choices
        for one in (room, other):
            await choices.change(one, RoomWish(role=RoomRole.PET), by=manager)
        await moved_out(app, file)
        await choices.change(room, RoomWish(confidential=True), by=manager)
        await moved_out(app, tmp_path / "later.jsonl")
    async with beside(tmp_path / "new") as app:
        await moved_in(app, file)
        await app.storage.room_choices.change(other, RoomWish(confidential=True), by=manager)
        await app.storage.database.run(
            "UPDATE rooms SET confidential = 0, name = 'someone', community = ''"
        )
        assert (await moved_in(app, tmp_path / "later.jsonl"))["new"] == {"space_setting": 1}
        chosen = await app.storage.room_choices.chosen()
        rows = await app.storage.database.all("SELECT name, confidential FROM rooms ORDER BY id")
    assert [chosen[one].confidential for one in (room, other)] == [True, True]
    assert [tuple(row) for row in rows] == [("salon", 0), ("bureau", 1)]


async def test_a_file_that_begins_with_a_list_is_no_communitys(tmp_path: Path) -> None:
    """It is said so by the import, in a sentence."""
    file = tmp_path / "list.jsonl"
    file.write_text('["eko-export"]\n', "utf-8")
    done = await asyncio.to_thread(lambda: eko(tmp_path / "new", "import", str(file)))
    assert "does not begin as an export" in " ".join(done.stderr.split())
