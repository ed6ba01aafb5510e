"""Words that only look alike lead nowhere: neither across two languages, nor by a short stem."""

import pytest

from memory.language.synonyms import near
from memory.language.text import stems

COLLISIONS = (
    ("a romantic dinner", "Italian"),
    ("we met at a bar", "fish"),
    ("there are four of them", "appliance"),
    ("there are four of them", "oven"),
    ("le bar est fermé ce soir", "poisson"),
    ("the Vegas trip was fun", "légume"),
    ("the coffee was bitter", "abeille"),
    ("the capital of Peru is Lima", "chapeau"),
    ("I have a copy of the book", "policier"),
    ("her hair is curly", "guérir"),
    ("we ate at the diner with him", "soupe"),
    ("the dubbing of that film was bad", "émirat"),
    ("please fill this in for me", "fichier"),
    ("we flew a kite on the beach", "chaton"),
    ("he had a latte this morning", "retard"),
    ("a liter of milk is in there", "griffe"),
    ("he has good manners", "crinière"),
    ("he put me on mute", "chien"),
    ("it cost a penny then", "crayon"),
    ("the potter made a vase for us", "casserole"),
    ("we went to the rally with them", "grumble"),
    ("they played rummy all night", "rhum"),
    ("I am sorry for that", "courbature"),
    ("she was tense before the exam", "dizaine"),
    ("the tide was high", "ménage"),
    ("I worked till ten", "carrelage"),
    ("she was the winner of the race", "alcool"),
    ("we spent all the winnings", "alcool"),
    ("the moped was stolen", "serpillière"),
    ("a Dane came with us", "dance"),
    ("he was dubbed king by them", "émirat"),
    ("the bus is late", "occuper"),
    ("la salle est grande et belle", "salt"),
    ("il dit toujours la vérité", "poème"),
    ("le ferry est dans le port", "iron"),
    ("une serre pour les tomates", "épisode"),
    ("la série est finie", "greenhouse"),
    ("c'est super pour nous", "souper"),
    ("Jupiter est dans le ciel", "skirt"),
    ("une valse avec elle", "suitcase"),
    ("il faut une pile pour la lampe", "aspirine"),
    ("le curry est pour toi", "priest"),
    ("la gelée est pour lui", "frost"),
    ("une collision dans le virage", "collar"),
    ("la vallée est belle en été", "danse"),
    ("le juge a pris une décision", "death"),
)
"""A text, and what was near a word of it."""


@pytest.mark.parametrize(("text", "other"), COLLISIONS)
def test_what_only_looks_alike_is_not_near(text: str, other: str) -> None:
    """Each of these was found for the word that looks like another one."""
    found = {term for terms in near(text).values() for term, _ in terms}
    assert " ".join(stems(other)) not in found


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("je suis allé au bar avec eux", "pub"),
        ("il faut nettoyer le four de la cuisine", "oven"),
        ("le chat dort sur le lit", "matou"),
        ("Rome est belle en été", "Italie"),
        ("she is healthy again", "santé"),
        ("the weather is sunny today", "soleil"),
        ("my parents are here with me", "mère"),
        ("we watched the match with them", "football"),
        ("they are dangerous for us", "danger"),
        ("ils mangeaient des crevettes", "seafood"),
    ],
)
def test_what_was_near_stays_near(text: str, other: str) -> None:
    """The word itself, its forms, and what is made of it."""
    found = {term for terms in near(text).values() for term, _ in terms} | set(stems(text))
    assert " ".join(stems(other)) in found
