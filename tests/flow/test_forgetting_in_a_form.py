"""Forgetting by the commands that a platform has of its own: forms, seen by one person."""

from pathlib import Path

from tests.flow.owning import owned


async def test_where_nobody_else_reads_the_answer_it_says_what_would_go(tmp_path: Path) -> None:
    """In a lobby too: what counts is who sees the answer and not who sees the room."""
    async with owned(tmp_path) as owner:
        await owner.hears("j'adore le levain")
        preview = await owner.uses("forget", topic="levain")
        assert "• j'adore le levain" in preview.text


async def test_a_word_that_is_a_flag_is_one_in_a_form_as_well(tmp_path: Path) -> None:
    """The explanation says /oublier undo, and a form takes that for a topic."""
    async with owned(tmp_path) as owner:
        told = await owner.uses("forget", topic="undo")
        assert told.text.startswith("Il n'y a rien à annuler")
