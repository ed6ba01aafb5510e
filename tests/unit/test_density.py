"""The more is known about a subject, the more a further statement must bring."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.statements import MemoryType, NewMemory
from memory.rules.novelty import DEMANDS, demand, is_worth_keeping, novelty
from tests.storage import statement

DENSE = {"David": 500}
FULL = {"David": 20}


def about_david(content: str, **fields: object) -> NewMemory:
    """A statement with David for its subject."""
    return statement(content, subjects=("David",), **fields)


@pytest.mark.parametrize("known", [0, 1, 14])
def test_with_few_statements_about_it_everything_is_kept(known: int) -> None:
    """Also a passing impression in nearly the same words."""
    impression = about_david("David a l'air fatigué", memory_type=MemoryType.OBSERVATION)
    similar = ["David a l'air fatigué ce soir"]
    assert is_worth_keeping(impression, {"David": known}, similar, changes=False)


def test_a_full_subject_takes_no_passing_impressions_and_no_repeats() -> None:
    """A fact that adds something is still welcome."""
    impression = about_david("David a l'air fatigué", memory_type=MemoryType.OBSERVATION)
    assert not is_worth_keeping(impression, FULL, [], changes=False)
    fact = about_david("David collectionne les timbres anciens")
    assert is_worth_keeping(fact, FULL, ["David collectionne les cartes"], changes=False)
    again = ["Les timbres anciens que David collectionne"]
    assert not is_worth_keeping(fact, FULL, again, changes=False)


def test_a_dense_subject_takes_what_matters_and_is_half_new() -> None:
    """What merely happened is left to the messages."""
    event = about_david("David a mangé une pizza", memory_type=MemoryType.EVENT)
    assert not is_worth_keeping(event, DENSE, [], changes=False)
    fact = about_david("David joue du hautbois au conservatoire")
    assert is_worth_keeping(fact, DENSE, [], changes=False)
    near = ["David joue de la flûte au conservatoire depuis longtemps"]
    assert not is_worth_keeping(fact, DENSE, near, changes=False)


def test_what_its_source_found_important_is_kept() -> None:
    """The type is only what importance is guessed from."""
    event = about_david("David a eu un accident", memory_type=MemoryType.EVENT, importance=0.9)
    assert is_worth_keeping(event, DENSE, [], changes=False)
    trifle = about_david("David possède un parapluie", importance=0.1)
    assert not is_worth_keeping(trifle, DENSE, [], changes=False)


def test_what_passes_by_itself_only_has_to_be_new() -> None:
    """It does not stay to make its subject denser."""
    trip = about_david("David part en Grèce", memory_type=MemoryType.EVENT, ttl=timedelta(days=8))
    assert is_worth_keeping(trip, DENSE, [], changes=False)
    assert not is_worth_keeping(trip, DENSE, ["David part en Grèce demain"], changes=False)


@pytest.mark.parametrize(
    "kind", [MemoryType.IDENTITY, MemoryType.DECISION, MemoryType.TODO, MemoryType.GOAL]
)
def test_how_things_stand_from_now_on_always_counts(kind: MemoryType) -> None:
    """However much is known."""
    assert is_worth_keeping(
        about_david("David quitte Lyon", memory_type=kind), DENSE, [], changes=False
    )


def test_what_takes_anothers_place_always_counts() -> None:
    """A change of state or a sharper statement makes nothing denser."""
    impression = about_david("David a l'air reposé", memory_type=MemoryType.OBSERVATION)
    assert is_worth_keeping(impression, DENSE, ["David a l'air reposé"], changes=True)


def test_the_densest_subject_decides() -> None:
    """A statement about two things is one more about each."""
    both = statement("David connaît Zoé", subjects=("David", "Zoé"))
    assert demand(both, {"David": 60, "Zoé": 0}) == DEMANDS[0]
    assert demand(both, {"Zoé": 15}) == DEMANDS[1]
    assert demand(both, {}) is None


def test_novelty_is_the_share_of_words_the_nearest_lacks() -> None:
    """Names of the subjects and the forms of a word do not count."""
    new = about_david("David aime les vieux vélos")
    assert novelty(new, []) == 1.0
    assert novelty(new, ["Léa aimait un vieux piano", "rien de cela"]) == pytest.approx(1 / 3)
    assert novelty(new, ["les vieux vélos que David aime"]) == 0.0


@given(known=st.integers(0, 300), more=st.integers(0, 300), importance=st.floats(0, 1))
def test_a_denser_subject_never_asks_for_less(known: int, more: int, importance: float) -> None:
    """What is refused by a subject is refused when more is known about it."""
    new = about_david("David dort", importance=importance)
    less_dense = is_worth_keeping(new, {"David": known}, [], changes=False)
    denser = is_worth_keeping(new, {"David": known + more}, [], changes=False)
    assert less_dense or not denser
