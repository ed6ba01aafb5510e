"""An ache that is told again more precisely is one ache; another part or side is another."""

import pytest

from memory.statements.readings.symptom import Symptom, symptom_of


def symptom(text: str) -> Symptom:
    """The ache of a text that has one."""
    found = symptom_of(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Léa a mal à l'épaule", "Léa a mal à l'épaule gauche depuis 3 mois à cause du tennis"),
        ("Léa a mal au dos", "Léa a très mal au dos depuis lundi"),
        ("Léa's shoulder hurts", "Léa's left shoulder hurts because of tennis"),
        ("Léa has a sore shoulder", "Léa's left shoulder has been hurting for months"),
        ("Léa's knee aches", "Léa has a pain in their right knee"),
    ],
)
def test_more_words_about_one_ache_say_all_of_it(before: str, after: str) -> None:
    """So the longer takes the place of the shorter, and not the other way round."""
    assert symptom(after).is_same(symptom(before))
    assert symptom(after).says_all_of(symptom(before))
    assert not symptom(before).says_all_of(symptom(after))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Léa a mal à l'épaule gauche", "Léa a mal à l'épaule droite"),
        ("Léa a mal à l'épaule", "Léa a mal au genou"),
        ("Léa a mal à l'épaule", "David a mal à l'épaule"),
        ("Léa's left knee hurts", "Léa's right knee hurts"),
    ],
)
def test_another_part_side_or_person_is_another_ache(one: str, other: str) -> None:
    """Both stay."""
    assert not symptom(one).is_same(symptom(other))


def test_what_each_says_alone_would_be_lost() -> None:
    """One knows since when and the other why: neither says all of the other."""
    since, why = (
        symptom("Léa a mal au dos depuis lundi"),
        symptom("Léa a mal au dos à cause du tennis"),
    )
    assert since.is_same(why)
    assert not since.says_all_of(why)
    assert not why.says_all_of(since)


@pytest.mark.parametrize("text", ["Léa a du mal à dormir", "Léa a mal dormi", "Léa hurts Bob", ""])
def test_what_is_no_ache_is_none(text: str) -> None:
    """Words are not enough."""
    assert symptom_of(text) is None
