"""The page of histories: a file is handed in, looked at, taken in, and taken back."""

import json
from pathlib import Path

from tests.flow.brought import TALK
from tests.web.served_site import ServedSite, served_site

PAGE = "/dashboard/history"
WRITTEN = "".join(json.dumps(one) + "\n" for one in TALK)
FILE = {"file": ("Famille <b>.jsonl", WRITTEN.encode(), "application/json")}


async def handed_in(served: ServedSite) -> None:
    """The file is in the folder."""
    answer = await served.client.post(f"{PAGE}/upload", files=FILE)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?done=uploaded")


async def test_a_file_is_looked_at_taken_in_and_taken_back(tmp_path: Path) -> None:
    """Each step shows what the next would do, escaped."""
    async with served_site(tmp_path) as served:
        await handed_in(served)
        chosen = {"file": "Famille <b>.jsonl", "without": "Bastien"}
        look = await served.client.post(f"{PAGE}/preview", data=chosen)
        assert "Zoé" in look.text
        assert "you alone, here and by eko search; the pet answers no person from it" in look.text
        assert "Famille <b>" not in look.text
        storage = served.pet.app.storage
        assert await storage.histories.latest(5) == []
        answer = await served.client.post(PAGE, data=chosen)
        assert answer.headers["location"] == f"{PAGE}?done=begun"
        (one,) = await storage.histories.latest(5)
        assert (one.stored, one.state) == (2, "read")
        goes = await served.client.post(f"{PAGE}/undo", data={"number": one.id})
        assert "on se voit samedi ?" in goes.text
        confirmed = {"number": one.id, "confirmed": "true"}
        assert (await served.client.post(f"{PAGE}/undo", data=confirmed)).status_code == 303
        (one,) = await storage.histories.latest(5)
        assert one.state == "undone"
        assert "retiré" in await served.html(PAGE, "fr")


async def test_what_is_asked_wrongly_comes_back_with_a_sentence(tmp_path: Path) -> None:
    """No file of another folder is read, none is written over, and nobody unknown is chosen."""
    async with served_site(tmp_path) as served:
        await handed_in(served)
        again = await served.client.post(f"{PAGE}/upload", files=FILE)
        assert "is there already" in again.text
        lost = await served.client.post(f"{PAGE}/preview", data={"file": "../eko.sqlite3"})
        assert "There is no ../eko.sqlite3 in import/." in lost.text
        chosen = {"file": "Famille <b>.jsonl", "private_of": "Max"}
        nobody = await served.client.post(f"{PAGE}/preview", data=chosen)
        assert "Nobody goes by" in nobody.text


async def test_what_a_file_leaves_open_is_said_in_its_look(tmp_path: Path) -> None:
    """The order of days and months, which was assumed, and who has no name."""
    async with served_site(tmp_path) as served:
        for name, text in (
            ("chat.txt", "03/02/26, 21:06 - Mira: I moved to Bergen\n"),
            ("MEMORY.md", "- Plays the oboe\n"),
        ):
            file = {"file": (name, text.encode(), "text/plain")}
            await served.client.post(f"{PAGE}/upload", files=file)
        asked = await served.client.post(f"{PAGE}/preview", data={"file": "chat.txt"})
        assert "Here days were taken to come first." in asked.text
        nameless = await served.client.post(f"{PAGE}/preview", data={"file": "MEMORY.md"})
        assert "<bdi>without a name</bdi> (1): new" in nameless.text
