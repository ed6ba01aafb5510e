"""What everybody can ask of the pet, as a platform that lists commands is told of it."""

from pathlib import Path

from bot.channels.discord.interactions.buttons import BUTTONS
from bot.channels.discord.interactions.command_tree import tree_of
from bot.model.commands import Authority
from tests.cast import DAVID, direct
from tests.flow.owning import owned

PERSONAL = {
    "what-do-you-know",
    "why",
    "correct",
    "undo",
    "notify-memories",
    "forget",
    "forget-me",
    "privacy",
    "quiet-about",
    "talk-about",
    "export",
    "link",
}


async def test_the_table_is_fit_for_a_platform_of_its_own(tmp_path: Path) -> None:
    """Everybody may use what is about themselves, under a name in either language."""
    async with owned(tmp_path) as owner:
        table = owner.app.commands.table
        told = {str(one["name"]) for one in tree_of(table)}
    assert told >= PERSONAL
    assert {table[name].needs for name in PERSONAL} == {Authority.NONE}
    assert all(table[name].names.get("fr") for name in PERSONAL)


async def test_what_is_offered_fits_on_buttons(tmp_path: Path) -> None:
    """A button carries a hundred characters: a token or a code, and never words."""
    async with owned(tmp_path) as owner:
        await owner.told("David adore le levain")
        offers = [
            await owner.uses("forget", where=direct(DAVID), topic="levain"),
            await owner.uses("correct", where=direct(DAVID), what="levain"),
        ]
    for answer in offers:
        assert len(answer.actions) == 2
        assert all(BUTTONS.carried_by(action) for action in answer.actions)
