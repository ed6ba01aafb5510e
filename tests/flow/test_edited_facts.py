"""What was said to the pet and then changed: it knows the new words, and the old ones no more."""

from pathlib import Path

from tests.cast import DAVID, direct
from tests.flow.learning import learnt
from tests.flow.pet import Pet, awake

ALONE = direct(DAVID)


def own(city: str) -> str:
    """The fact that David lives there, as it is kept."""
    return f"David: j'habite à {city}"


async def reworded(pet: Pet, old: str, new: str) -> None:
    """Let a person change what they said."""
    row = await pet.storage.database.one(
        "SELECT platform, external_id FROM messages WHERE text = :old", {"old": old}
    )
    assert row is not None
    await pet.storage.messages.edit(row["platform"], row["external_id"], new)


async def test_what_is_reworded_is_learnt_anew(tmp_path: Path) -> None:
    """However often: each time the old fact is gone at once, and the new one there once read."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        for before, after in (("Lyon", "Nantes"), ("Nantes", "Brest"), ("Brest", "Lyon")):
            await reworded(pet, f"j'habite à {before}", f"j'habite à {after}")
            assert await learnt(pet) == []
            assert (await pet.learns()).spans == 1
            assert await learnt(pet) == [own(after)]


async def test_only_the_exchange_that_changed_is_read_again(tmp_path: Path) -> None:
    """In the middle of what was read with it, whose facts stay as they are."""
    async with awake(tmp_path) as pet:
        for said in ("j'adore le rugby", "j'habite à Lyon", "j'adore le thé"):
            await pet.asked(said, where=ALONE)
        await pet.learns()
        before = set(await learnt(pet))
        await reworded(pet, "j'habite à Lyon", "j'habite à Brest")
        report = await pet.learns()
        assert (report.spans, report.facts) == (1, 1)
        assert set(await learnt(pet)) == before - {own("Lyon")} | {own("Brest")}
        assert (await pet.learns()).spans == 0


async def test_what_was_not_read_yet_is_read_once(tmp_path: Path) -> None:
    """In its new words."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await reworded(pet, "j'habite à Lyon", "j'habite à Brest")
        assert (await pet.learns()).spans == 1
        assert await learnt(pet) == [own("Brest")]
