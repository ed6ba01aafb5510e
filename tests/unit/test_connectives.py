"""Only words that say so tie a reason to its outcome or a part to its whole."""

import pytest

from memory.model.statements import Relation
from memory.statements.readings.causality import causal_links_in


@pytest.mark.parametrize(
    ("text", "effect", "reason"),
    [
        (
            "Léa a vendu sa voiture parce qu'elle déménage à Lyon",
            "lea a vendu sa voiture",
            "elle demenage a lyon",
        ),
        (
            "Mickael ne joue plus à cause de son épaule cassée.",
            "mickael ne joue plus",
            "epaule cassee",
        ),
        (
            "Mickael ne joue plus car il s'est cassé l'épaule",
            "mickael ne joue plus",
            "il s'est casse l'epaule",
        ),
        (
            "Parce que David déménage, il vend son canapé",
            "il vend son canape",
            "david demenage",
        ),
        ("Léa a un appartement grâce à Mickael", "lea a un appartement", "mickael"),
        ("Because David is moving, he sells his sofa", "he sells his sofa", "david is moving"),
        ("David bought a car because he moved", "david bought a car", "he moved"),
        ("David stays home, since his leg is broken", "david stays home", "his leg is broken"),
        ("He was late due to the strike", "he was late", "strike"),
        (
            "Zoé sold her boat because of the storm, and then she left town",
            "zoe sold her boat",
            "storm",
        ),
    ],
)
def test_a_cause_follows_its_connective(text: str, effect: str, reason: str) -> None:
    """In both languages, behind what it brings about or before it with a comma."""
    (link,) = causal_links_in(text)
    assert (link.relation, link.start, link.end) == (Relation.CAUSED_BY, effect, reason)


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        (
            "Léa est malade, donc elle ne vient pas samedi",
            "elle ne vient pas samedi",
            "lea est malade",
        ),
        ("Léa est malade, alors elle reste au lit", "elle reste au lit", "lea est malade"),
        ("Le train est annulé du coup Paul prend le bus", "paul prend le bus", "train est annule"),
        ("His car broke down, so David takes the bus", "david takes the bus", "his car broke down"),
        (
            "David quit his job, that's why he moved to Spain",
            "he moved to spain",
            "david quit his job",
        ),
        ("David worked hard and therefore got a raise", "got a raise", "david worked hard and"),
    ],
)
def test_a_result_follows_its_connective(text: str, outcome: str, reason: str) -> None:
    """The reason is what goes before it."""
    (link,) = causal_links_in(text)
    assert (link.relation, link.start, link.end) == (Relation.RESULT_OF, outcome, reason)


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        (
            "Zoé a perdu son passeport pendant le voyage en Grèce",
            "zoe a perdu son passeport",
            "voyage en grece",
        ),
        (
            "Paul fait partie de l'équipe de handball de Lyon",
            "paul",
            "equipe de handball de lyon",
        ),
        ("David a gagné lors du tournoi de poker", "david a gagne", "tournoi de poker"),
        (
            "Paul code dans le cadre d'un projet européen",
            "paul code",
            "projet europeen",
        ),
        (
            "During the trip to Greece, Zoé lost her passport",
            "zoe lost her passport",
            "trip to greece",
        ),
        ("Zoé is part of the Tuesday choir", "zoe is", "tuesday choir"),
    ],
)
def test_a_whole_follows_its_connective(text: str, part: str, whole: str) -> None:
    """It ends where the clause does."""
    (link,) = causal_links_in(text)
    assert (link.relation, link.start, link.end) == (Relation.PART_OF, part, whole)


@pytest.mark.parametrize(
    "text",
    [
        "Mickael prend le car à 8h",
        "His car, he says, is fast",
        "David loves his car so much",
        "David came so that Léa could rest",
        "David lives in Paris since 2019",
        "Léa dort alors que David travaille",
        "The train is due to arrive at 8",
        "Zoé a habité à Lyon pendant 3 ans",
        "Zoé a habité à Lyon pendant toute son enfance",
        "Zoé lived there during several years",
        "Léa lit pendant que David cuisine",
        "Du coup David a déménagé",
        "That's why David moved",
        "Jolene has a pendant that reminds her of her mother",
        "Tim is not part of the chess club",
        "John stretches during workouts",
        "parce que",
        "",
    ],
)
def test_words_that_mean_something_else_tie_nothing(text: str) -> None:
    """A coach, a time, an aim, a duration, or a reason that is not in the text."""
    assert causal_links_in(text) == []


def test_each_sentence_speaks_for_itself() -> None:
    """A connective does not reach over a full stop, and a version number is none."""
    found = causal_links_in("Paul a Python 3.12. Léa rit. Zoé part car elle a froid ! Paul reste.")
    assert [(link.start, link.end) for link in found] == [("zoe part", "elle a froid")]
