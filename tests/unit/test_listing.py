"""A row as a tool lists it: one line with its id, what it is, how old, by whom and where."""

from dataclasses import replace

import pytest

from bot.agent.tools.listing import line
from bot.model.tool_values import EXCHANGE, ListedRow

BARE = ListedRow(id="a1b2c3d4", kind="fact", content="Mickael habite à Athènes")
WHOLE = replace(BARE, age="3 days ago", said_by="Léa", where="in lobby")


@pytest.mark.parametrize(
    ("row", "notes"),
    [
        (BARE, "fact"),
        (WHOLE, "fact, 3 days ago, said by Léa, in lobby"),
        (replace(WHOLE, is_edited=True), "fact, 3 days ago, said by Léa, in lobby, edited since"),
        (
            replace(WHOLE, kind=EXCHANGE, said_by=None, spoke_with="Léa"),
            "exchange, 3 days ago, between Léa and you, in lobby",
        ),
    ],
)
def test_a_row_is_one_line_of_what_is_known(row: ListedRow, notes: str) -> None:
    """What nobody knows is left out."""
    assert line(row) == f"- [id a1b2c3d4] ({notes}) Mickael habite à Athènes"
