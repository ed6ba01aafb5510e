"""Ties are drawn where words, names and nearness say so, and rather too few than too many."""

from collections import Counter
from uuid import UUID

import pytest

from memory.language.term_weights import Rarity
from memory.language.text import stems
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Relation, Source
from memory.model.stores import Store
from memory.rules.association import MOST_LINKS, MOST_RELATED, Neighbour, Tie, ties
from tests.cast import NOON

ORIGIN = Origin(visibility=Visibility.SPACE)


def new(content: str, *subjects: str) -> NewMemory:
    """A statement on its way in."""
    return NewMemory(
        store=Store.MEMORY,
        content=content,
        origin=ORIGIN,
        source=Source.CONVERSATION,
        subjects=subjects,
    )


def kept(number: int, content: str, *subjects: str) -> Memory:
    """A statement that is there already, with this number as its id."""
    return Memory(
        id=MemoryId(UUID(int=number)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.FACT,
        category=None,
        subjects=subjects,
        importance=0.5,
        source=Source.CONVERSATION,
        said_by=None,
        author=None,
        about_person=None,
        origin=ORIGIN,
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
    )


TOWN = (
    "David aime le café",
    "Léa aime le vélo",
    "Zoé habite une maison",
    "Paul habite un bateau",
    "David works in an office",
    "Léa works in a school",
)
"""What else is kept, so that some words are common."""


def found(fresh: str, *others: str, near: float = 0.0) -> set[tuple[str, Relation, bool]]:
    """What a statement is tied to: the other's content, how, and whether from the new one."""
    rows = [kept(number, other) for number, other in enumerate(others, start=1)]
    contents = {row.id: row.content for row in rows}
    drawn = ties(new(fresh), [Neighbour(memory=r, nearness=near) for r in rows], rarity(*others))
    return {(contents[tie.other], tie.relation, tie.is_outward) for tie in drawn}


def rarity(*contents: str) -> Rarity:
    """How rare words are among these and the town's, each four times over."""
    everything = [*contents, *(TOWN * 4)]
    seen = Counter(stem for one in everything for stem in set(stems(one)))
    return Rarity(seen, len(everything), prior=0)


@pytest.mark.parametrize(
    ("fresh", "reason"),
    [
        ("Léa a vendu sa voiture parce qu'elle déménage à Lyon", "Léa déménage à Lyon en mars"),
        ("Mickael ne joue plus à cause de son épaule cassée", "Mickael s'est cassé l'épaule"),
        ("David sold his sofa because he is moving to Spain", "David is moving to Spain"),
        ("Léa dort mal à cause de son divorce", "Léa a divorcé"),
    ],
)
def test_a_statement_that_gives_a_reason_is_tied_to_it(fresh: str, reason: str) -> None:
    """And to nothing else that is said of the same person; the other way round it is the same."""
    name = fresh.split(maxsplit=1)[0]
    other = f"{name} collectionne des timbres"
    assert found(fresh, reason, other) == {(reason, Relation.CAUSED_BY, True)}
    assert found(reason, fresh, other) == {(fresh, Relation.CAUSED_BY, False)}


def test_what_a_statement_explains_is_tied_to_it() -> None:
    """The effect alone was kept; now its cause is known."""
    effect, fresh = "Léa a vendu sa voiture", "Léa a vendu sa voiture parce qu'elle déménage à Lyon"
    assert found(fresh, effect) == {(effect, Relation.CAUSED_BY, False)}


@pytest.mark.parametrize(
    ("fresh", "reason", "outcome"),
    [
        (
            "Zoé est allergique aux chats, donc elle adopte un lapin",
            "Zoé est allergique aux chats",
            "Zoé adopte un lapin nain",
        ),
        (
            "David broke his ankle, so he cancelled the marathon",
            "David broke his ankle yesterday",
            "David cancelled the marathon",
        ),
    ],
)
def test_a_result_follows_from_its_reason(fresh: str, reason: str, outcome: str) -> None:
    """The whole follows from the reason, and the outcome alone from the whole."""
    assert found(fresh, reason, outcome) == {
        (reason, Relation.RESULT_OF, True),
        (outcome, Relation.RESULT_OF, False),
    }


@pytest.mark.parametrize(
    ("fresh", "whole"),
    [
        (
            "Zoé a perdu son passeport pendant le voyage en Grèce",
            "Léa organise un voyage en Grèce cet été",
        ),
        ("David won a bike during the village raffle", "The village raffle is in June"),
        ("Paul fait partie du club d'échecs", "Le club d'échecs se réunit le mardi"),
    ],
)
def test_a_part_is_tied_to_what_names_its_whole(fresh: str, whole: str) -> None:
    """Whoever it is about, and whichever came first."""
    assert found(fresh, whole) == {(whole, Relation.PART_OF, True)}
    assert found(whole, fresh) == {(fresh, Relation.PART_OF, False)}


@pytest.mark.parametrize(
    ("fresh", "other"),
    [
        ("Léa pleure parce qu'elle a perdu son emploi", "Mickael a trouvé un emploi"),
        ("Léa rit parce qu'elle a un emploi", "Léa n'a plus d'emploi"),
        ("Léa est heureuse grâce à David", "David répare des montres anciennes"),
        ("Zoé est venue pendant le voyage en Grèce", "Paul prépare un voyage au Japon"),
        ("Zoé dort mal pendant cette période difficile", "Zoé a une période difficile"),
        ("Joanna gave her dog away due to allergies", "Joanna has no cat due to allergies"),
        ("Zoé boit du thé pendant son stage", "Paul mange seul pendant son stage"),
        ("Léa rit parce que David travaille", "Léa travaille"),
        ("Melanie is there during tough times", "Melanie remembers tough times"),
    ],
)
def test_a_clause_that_names_something_else_ties_nothing(fresh: str, other: str) -> None:
    """Another person's, the opposite, a bare name, or only half of the whole."""
    assert not {tie for tie in found(fresh, other) if tie[1] is not Relation.RELATED_TO}


def test_what_shares_rare_words_is_related() -> None:
    """And what shares a common one only is not."""
    fresh = "Zoé joue de la harpe celtique"
    others = ("Paul répare une harpe celtique", "Zoé habite une maison", "David aime le café")
    assert found(fresh, *others) == {(others[0], Relation.RELATED_TO, True)}


def test_nearness_needs_a_name_or_a_rare_word_beside_it() -> None:
    """A similarity alone has been wrong about every small embedder."""
    assert found("Zoé adore nager", "Zoé passe ses dimanches au lac", near=0.9) != set()
    assert found("Zoé adore nager", "Paul passe ses dimanches au lac", near=0.9) == set()
    assert found("Zoé adore nager", "Zoé passe ses dimanches au lac", near=0.2) == set()


def test_a_statement_has_few_ties_the_closest() -> None:
    """However many neighbours there are."""
    rows = [kept(number, f"Paul range la harpe celtique {number}") for number in range(1, 9)]
    reasons = [kept(number, "Zoé vend sa harpe celtique") for number in range(11, 19)]
    neighbours = [Neighbour(memory=row, nearness=row.id.int / 20) for row in (*rows, *reasons)]
    fresh = new("Zoé pleure parce qu'elle vend sa harpe celtique")
    drawn = ties(fresh, neighbours, rarity(fresh.content))
    related = [tie for tie in drawn if tie.relation is Relation.RELATED_TO]
    assert len(related) == MOST_RELATED
    assert {tie.other.int for tie in related} == {16, 17, 18}
    assert 0 < len(drawn) - len(related) <= MOST_LINKS


def test_a_tie_becomes_an_association_in_its_direction() -> None:
    """Once the new statement has its id."""
    own, other = MemoryId(UUID(int=1)), MemoryId(UUID(int=2))
    outward = Tie(other=other, relation=Relation.CAUSED_BY, weight=0.7)
    inward = Tie(other=other, relation=Relation.CAUSED_BY, weight=0.7, is_outward=False)
    assert (outward.of(own).start, outward.of(own).end) == (own, other)
    assert (inward.of(own).start, inward.of(own).end) == (other, own)
