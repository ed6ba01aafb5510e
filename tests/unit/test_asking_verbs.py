"""What a question about what was said looks for: its subject and not the saying."""

import pytest

from memory.language.questions.open import without_asking_verbs
from memory.language.text import match_terms


@pytest.mark.parametrize(
    ("asked", "looked_for"),
    [
        ("on avait dit quoi sur le hérisson ?", "hérisson"),
        ("qu'est-ce qu'on a dit à propos du jardin ?", "propos jardin"),
        ("on a parlé de la piscine quand ?", "piscine"),
        ("what did we say about the hedgehog?", "hedgehog"),
        ("what did Léa tell you about the fence?", "Léa fence"),
        ("can you list the order in which I brought up different aspects of my garden?", "garden"),
        ("in what order did we repair the boats across our conversations?", "repair boats"),
        ("do you still remember the name of my boat?", "name boat"),
        ("can we assume, based on the conversation, that she likes hiking?", "likes hiking"),
        ("tu te souviens de mon vélo ?", "vélo"),
        ("vous vous souvenez de la clé du garage ?", "clé garage"),
        ("dans quel ordre j'ai parlé de mes chats au fil de nos conversations ?", "chats"),
    ],
)
def test_the_verb_of_saying_is_not_looked_for(asked: str, looked_for: str) -> None:
    """In either language, wherever the subject follows."""
    assert match_terms(without_asking_verbs(asked)) == match_terms(looked_for)


@pytest.mark.parametrize(
    "said",
    ["Léa a dit sur scène qu'elle arrêtait", "who said goodbye?", "tu parles quelle langue ?"],
)
def test_other_saying_stays(said: str) -> None:
    """A statement, and a question about the saying itself."""
    assert without_asking_verbs(said) == said
