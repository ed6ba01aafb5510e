"""Which community is meant by a name or number, and whose a room's name is that changed hands."""

from pathlib import Path

import pytest

from bot.surfaces import operations
from tests.flow.brought import does
from tests.flow.moving import LOBBY, MOVING, STAYING, lived, moved_out

MATRIX = "matrix:!a:server.org"


async def test_a_number_with_a_colon_is_found(tmp_path: Path) -> None:
    """As on Matrix: what its platform calls a community is all behind the platform's name."""
    async with lived(tmp_path / "old") as app:
        await app.storage.database.run(
            "UPDATE rooms SET space = :space WHERE space = :old", {"space": MATRIX, "old": STAYING}
        )
        for name in (MATRIX, "!a:server.org"):
            assert (await does(app, "let_go", space=name))["space"]["id"] == MATRIX


async def test_the_name_of_a_room_that_is_anothers_now_stays_there(tmp_path: Path) -> None:
    """What was said in it while it was this community's moves; what it is called since does not."""
    async with lived(tmp_path / "old") as app:
        await app.storage.database.run(
            "UPDATE rooms SET space = :space, name = 'geheim', community = 'Andere', starter = '7'"
            " WHERE external_id = :room",
            {"space": STAYING, "room": LOBBY.external_id},
        )
        entries = await moved_out(app, tmp_path / "ruche.jsonl", MOVING)
    (room,) = [
        one for one in entries if one["entry"] == "room" and one["external_id"] == LOBBY.external_id
    ]
    assert (room["name"], room["community"], room["starter"]) == ("someone", "", None)


async def test_communities_are_listed_for_links_and_for_moves(tmp_path: Path) -> None:
    """Each list by a name of its own."""
    async with lived(tmp_path / "old") as app:
        assert MOVING in (await does(app, "spaces"))["spaces"]
        kept = (await does(app, "spaces_kept"))["spaces"]
        assert MOVING in {one["id"] for one in kept}


def test_two_operations_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them would be gone without a word."""
    found = list(operations._registered())
    again = [("spaces", dict(found)["let_go"]), *found]
    monkeypatch.setattr(operations, "_registered", lambda: iter(again))
    operations._table.cache_clear()
    with pytest.raises(ValueError, match='called "spaces"'):
        operations._table()
    monkeypatch.undo()
    operations._table.cache_clear()
