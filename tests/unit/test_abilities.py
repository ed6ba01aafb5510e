"""What is asked for runs into a limitation when it needs what the limitation denies."""

import pytest

from memory.statements.readings.capability import calls_on, runs_into

BLIND, DEAF = "je ne peux pas voir les images", "Je ne peux pas jouer de musique"
OFFLINE = "I only know what was said to me or in the lobby; I cannot look at the internet."


@pytest.mark.parametrize(
    ("asked", "limitation"),
    [
        ("tu peux regarder cette image ?", BLIND),
        ("Eko, tu peux me dire ce qu'il y a sur l'image que David a postée hier ?", BLIND),
        ("peux-tu décrire l'image ?", BLIND),
        ("Eko, regarde cette image", BLIND),
        ("stp décris-moi cette image, elle est de Léa", BLIND),
        ("can you look at this image David posted?", BLIND),
        ("could you please look something up on the internet", OFFLINE),
        ("hey, check the internet for me", OFFLINE),
        ("joue-nous un peu de musique !", DEAF),
        ("tu sais jouer de la musique ?", DEAF),
        ("are you able to see images?", "I'm unable to see images"),
        ("tu peux effacer mes messages ?", "I cannot delete messages"),
        ("can you read my PDF files?", "je ne peux pas ouvrir les fichiers"),
    ],
)
def test_the_impossible_is_recognised(asked: str, limitation: str) -> None:
    """With another verb, in a long question, as a bidding, and in the other language."""
    assert runs_into(asked, limitation)


@pytest.mark.parametrize(
    ("asked", "limitation"),
    [
        ("j'ai posté une image hier", BLIND),
        ("tu sais si David aime la musique ?", DEAF),
        ("do you know who likes music?", "I cannot play music"),
        ("tu peux chanter une chanson ?", BLIND),
        ("can you look at this?", OFFLINE),
        ("can you tell me who is in the lobby?", OFFLINE),
        ("can you see images?", "I like images"),
        ("", BLIND),
        ("tu peux ?", "je ne peux pas"),
    ],
)
def test_what_is_possible_or_only_told_is_not(asked: str, limitation: str) -> None:
    """A word in common is not a wish, and a verb in common is not what it is about."""
    assert not runs_into(asked, limitation)


@pytest.mark.parametrize(
    ("asked", "is_meant"),
    [
        ("tu peux regarder cette image ?", True),
        ("can you look at this picture?", True),
        ("tu peux chanter une chanson ?", False),
        ("j'ai posté une image hier", False),
    ],
)
def test_what_can_be_done_is_recognised_in_what_is_asked(asked: str, is_meant: bool) -> None:  # noqa: FBT001
    """In either language, and never what the same sentence denies."""
    assert calls_on(asked, "Je peux voir les images") is is_meant
    assert not calls_on(asked, "Je ne peux pas voir les images")
