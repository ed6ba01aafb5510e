"""Who may change a row: its author; by command a manager in their community, the operator."""

import pytest

from memory.model.authority import Actor, Mandate, Ownership, RowChange, Ruling, ruling
from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.model.stores import Store

LEA, EVE = PersonId("lea"), PersonId("eve")
HERE, ELSEWHERE = SpaceId("here"), SpaceId("elsewhere")
OF_LEA = Ownership(authors=frozenset({LEA}), about=LEA, space=HERE)


@pytest.mark.parametrize("change", RowChange)
@pytest.mark.parametrize(
    ("actor", "row", "expected"),
    [
        (Actor(person=LEA), OF_LEA, Ruling.ALLOWED),
        (Actor(person=EVE), OF_LEA, Ruling.REFUSED),
        (Actor(), OF_LEA, Ruling.REFUSED),
        (Actor(person=EVE, mandate=Mandate.PET), OF_LEA, Ruling.ALLOWED),
        (Actor(person=EVE, mandate=Mandate.SPACE, space=HERE), OF_LEA, Ruling.ALLOWED),
        (Actor(person=EVE, mandate=Mandate.SPACE, space=ELSEWHERE), OF_LEA, Ruling.REFUSED),
        (
            Actor(person=EVE, mandate=Mandate.SPACE, space=HERE),
            Ownership(authors=frozenset({LEA}), visibility=Visibility.PRIVATE, space=HERE),
            Ruling.REFUSED,
        ),
        (Actor(person=LEA), Ownership(authors=frozenset({LEA, EVE})), Ruling.REFUSED),
        (Actor(person=LEA), Ownership(), Ruling.REFUSED),
        (
            Actor(person=LEA),
            Ownership(store=Store.SELF, authors=frozenset({LEA}), visibility=Visibility.EVERYONE),
            Ruling.REFUSED,
        ),
    ],
)
def test_a_row_is_changed_by_whose_it_is_or_by_command(
    actor: Actor, row: Ownership, expected: Ruling, change: RowChange
) -> None:
    """Talk reaches one's own words; a manager's command their community; the operator's all."""
    assert ruling(actor, row, change) is expected


def test_what_others_say_of_a_person_is_muted_for_them_and_not_deleted() -> None:
    """Whom it is about may have it recalled no more; correcting it is adding their own word."""
    claim = Ownership(authors=frozenset({EVE}), about=LEA)
    assert ruling(Actor(person=LEA), claim, RowChange.DELETE) is Ruling.MUTED
    assert ruling(Actor(person=LEA), claim, RowChange.CORRECT) is Ruling.REFUSED
    assert ruling(Actor(person=LEA), claim, RowChange.SUPERSEDE) is Ruling.REFUSED
