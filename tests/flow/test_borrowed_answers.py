"""What becomes of answers that rest on lines of another process, and of what repeats them."""

from pathlib import Path

from memory.storage.elsewhere.given import GivenLines
from tests.borrowing import OTHER, answers, borrowed
from tests.storage import open_truth


async def test_what_repeats_a_borrowed_answer_is_borrowed_too(tmp_path: Path) -> None:
    """No search finds it, and it goes with the line; what does not repeat it stays."""
    async with open_truth(tmp_path) as storage:
        await answers(
            storage, "what is the boat called?", "It is Zanzibar.", [borrowed("live:a@1")]
        )
        again = await answers(storage, "say that again", "Its name is Zanzibar, as I said.")
        other = await answers(storage, "how are you today?", "I slept well in the garden.")
        rows = await storage.database.all("SELECT id, search_text AS found FROM turns")
        found = {row["id"]: bool(row["found"]) for row in rows}
        assert not found[str(again.id)]
        assert found[str(other.id)]
        given = GivenLines(storage.database, storage.clock)
        assert await given.taken_back(OTHER, ["live:a@1"]) == 2
        rows = await storage.database.all("SELECT id FROM turns WHERE reply <> ''")
        assert [row["id"] for row in rows] == [str(other.id)]


async def test_an_answer_from_before_goes_with_the_one_that_it_follows(tmp_path: Path) -> None:
    """One whose line is known of the first alone goes all the same: it repeats it."""
    async with open_truth(tmp_path) as storage:
        first = await answers(storage, "the boat?", "It is Zanzibar.", [borrowed("live:a@1")])
        await answers(storage, "say that again", "Zanzibar, as I said.")
        keep = "DELETE FROM given_lines WHERE turn_id <> :turn"
        await storage.database.run(keep, {"turn": str(first.id)})
        await GivenLines(storage.database, storage.clock).taken_back(OTHER, ["live:a@1"])
        assert await storage.count("turns", "reply <> ''") == 0
