"""A liking or a habit is taken back by a word about the same thing, and by no other."""

import pytest

from memory.statements.readings.preference import stance_of

TAKEN_BACK = [
    ("Léa aime le café", "Léa n'aime plus le café"),
    ("Léa adore le café", "Léa déteste le café"),
    ("Léa kiffe le jazz", "Léa ne supporte plus le jazz"),
    ("Léa aime beaucoup les huîtres", "Léa n'aime pas du tout les huîtres"),
    ("Léa likes coffee", "Léa hates coffee"),
    ("Léa really loves scuba diving", "Léa doesn't like scuba diving anymore"),
    ("Léa enjoys chess", "Léa can't stand chess"),
    ("Léa boit du thé tous les jours", "Léa a arrêté de boire du thé"),
    ("Léa boit beaucoup de café", "Léa ne boit plus de café"),
    ("Léa drinks coffee every day", "Léa stopped drinking coffee"),
    ("Léa drinks coffee every day", "Léa doesn't drink coffee anymore"),
    ("Léa fume un paquet par jour", "Léa ne fume plus"),
    ("Léa smokes a pack a day", "Léa quit smoking"),
    ("Léa mange de la viande", "Léa ne mange pas de viande"),
]
BOTH_STAY = [
    ("Léa aime le café", "Léa déteste le thé"),
    ("Léa aime le café", "Léa adore le café"),
    ("Léa aime le café", "David déteste le café"),
    ("Léa aime le café", "Léa n'aime pas le café froid"),
    ("Léa drinks coffee every day", "Léa doesn't drink beer"),
    ("Léa boit du thé tous les jours", "Léa a arrêté de fumer"),
    ("Léa smokes a pack a day", "Léa quit drinking"),
    ("Léa likes coffee", "Léa lives in Brest"),
]


@pytest.mark.parametrize(("before", "after"), TAKEN_BACK)
def test_the_same_thing_is_taken_back(before: str, after: str) -> None:
    """And taken up again."""
    one, other = stance_of(before), stance_of(after)
    assert one is not None
    assert other is not None
    assert one.holds
    assert other.denies(one)
    assert one.denies(other)
    assert one.slot == other.slot


@pytest.mark.parametrize(("before", "after"), BOTH_STAY)
def test_another_thing_or_person_is_not(before: str, after: str) -> None:
    """Whoever likes tea may hate coffee."""
    one, other = stance_of(before), stance_of(after)
    assert one is not None
    assert other is None or not other.denies(one)


@pytest.mark.parametrize(
    "text", ["le frère de Léa aime le café", "Léa habite à Brest", "on aime le café", "", "aime"]
)
def test_what_takes_no_stance_is_none(text: str) -> None:
    """A relative's liking is not one's own."""
    found = stance_of(text)
    assert found is None or found.subject != "lea"
