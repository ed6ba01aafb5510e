"""What becomes of answers that rest on lines of another process, and of what repeats them."""

from pathlib import Path

from memory.rules.forgetting.selector import Selector
from memory.storage.elsewhere.given import GivenLines
from tests.borrowing import OTHER, answers, borrowed
from tests.forgotten import RUNNER, forgetting_on, forgettings_on
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


async def test_what_an_answer_rested_on_goes_after_it(tmp_path: Path) -> None:
    """Of one that was forgotten only once no undoing brings it back: it would rest on nothing."""
    async with open_truth(tmp_path) as storage:
        given, forgetting = GivenLines(storage.database, storage.clock), forgetting_on(storage)
        told = await answers(storage, "the boat?", "It is Zanzibar.", [borrowed("live:a@1")])
        await answers(storage, "the cat?", "It is Muscade.", [borrowed("live:b@1")])
        chosen = Selector(turns=(told.id,))
        receipt = await forgetting.at_once(chosen, RUNNER)
        assert await _asked_about(given) == {"live:b@1"}
        await given.taken_back(OTHER, ["live:a@1"])
        await forgetting.undo(RUNNER, receipt.id)
        assert await _asked_about(given) == {"live:a@1", "live:b@1"}
        receipt = await forgetting.at_once(chosen, RUNNER)
        await forgettings_on(storage).begin_purge(receipt.id)
        assert await _asked_about(given) == {"live:b@1"}
        assert await storage.count("given_lines") == 1


async def _asked_about(given: GivenLines) -> set[str]:
    """The rows of others that a look asks about."""
    _, rows = await given.after(0)
    return {ref for asked in rows.values() for ref, _ in asked}
