"""Which of several values of one key holds, once two people turn out to be one."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from memory.model.audience import Origin
from memory.model.knowledge import KnowledgeId
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, Relation, Source
from memory.model.stores import Store
from memory.rules.profile import Core, HeldFact, ended_facts, relation_of_one
from tests.cast import NOON


def held(number: int, value: str, *, key: str = "city", days: int = 0) -> HeldFact:
    """A value that was said some days after noon."""
    return HeldFact(
        id=KnowledgeId(UUID(int=number)),
        core=Core(subject="", key=key, value=value),
        since=NOON + timedelta(days=days),
        memory=MemoryId(UUID(int=number)),
    )


def ends(*facts: HeldFact) -> list[tuple[int, int, bool]]:
    """Which fact ends, by which, and whether it only repeats it."""
    return [(one.fact.id.int, one.by.id.int, one.repeats) for one in ended_facts(facts)]


def test_the_later_said_holds() -> None:
    """In whatever order they are given."""
    early, late = held(1, "Lyon"), held(2, "Nantes", days=1)
    assert ends(early, late) == ends(late, early) == [(1, 2, False)]


def test_the_same_value_holds_since_it_was_first_said() -> None:
    """In other signs too; what came between has ended it, and then it is said anew."""
    assert ends(held(1, "Lyon"), held(2, "lyon", days=1)) == [(2, 1, True)]
    lyon, nantes, again = held(1, "Lyon"), held(2, "Nantes", days=1), held(3, "Lyon", days=2)
    assert ends(lyon, nantes, again) == [(1, 2, False), (2, 3, False)]


def test_what_can_be_true_as_well_stays() -> None:
    """Somebody may do a second thing beside their job."""
    job = held(1, "infirmier", key="job")
    assert ends(job, held(2, "musicien", key="job", days=1)) == []
    assert ends(job, held(2, "boulanger", key="job", days=1)) == [(1, 2, False)]
    assert ends(held(1, "Lyon")) == []


def stated(content: str, said_by: str, at: datetime = NOON) -> Memory:
    """A statement of somebody about themselves."""
    return Memory(
        id=MemoryId(UUID(int=1)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.FACT,
        category=None,
        subjects=(),
        importance=0.6,
        source=Source.CONVERSATION,
        said_by=said_by,
        author=None,
        about_person=None,
        origin=Origin(visibility=Visibility.SPACE),
        created_at=at,
        updated_at=at,
        expires_at=None,
        revision=1,
    )


@pytest.mark.parametrize(
    ("later", "earlier", "relation"),
    [
        ("Dav habite à Nantes", "David habite à Lyon", Relation.UPDATES),
        ("j'habite à Nantes", "David habite à Lyon", Relation.UPDATES),
        ("Dav habite à Lyon depuis mars", "David habite à Lyon", Relation.UPDATES),
        ("Dav aime le thé", "David habite à Lyon", None),
        ("le frère de Dav habite à Nantes", "David habite à Lyon", None),
    ],
)
def test_statements_of_two_names_are_compared_as_one_persons(
    later: str, earlier: str, relation: Relation | None
) -> None:
    """The later takes the place where it would have if one name had said both."""
    assert relation_of_one(stated(later, "Dav"), stated(earlier, "David")) is relation
