"""Whose words a fact rests on: the person's, or only the pet's."""

import pytest

from memory.model.messages import MessageId
from memory.model.statements import MemoryType
from observers.own_words import Around, own_facts
from observers.ports import Fact

FIRST, SECOND = MessageId(1), MessageId(2)


def fact(content: str, *messages: MessageId, by: str = "David") -> Fact:
    """A fact that somebody is said to have told."""
    return Fact(
        content=content,
        memory_type=MemoryType.FACT,
        subjects=(by,),
        said_by=by,
        messages=messages or (FIRST,),
    )


def is_own(content: str, said: str, *, before: str = "", after: str = "") -> bool:
    """Whether the fact is kept when this was said, the pet having said that before and after."""
    around = {FIRST: Around(said=said, before=(before,), after=(after,))}
    return own_facts([fact(content)], around) != []


def test_what_somebody_says_is_their_own() -> None:
    """Also when the pet repeats it afterwards."""
    assert is_own("Léa habite à Rome", "Léa habite à Rome")
    assert is_own("Léa habite à Rome", "Léa habite à Rome", after="Léa habite à Rome, noté.")


@pytest.mark.parametrize(
    "before",
    [
        "Léa habite à Rome.",
        "Je crois que Léa habite à Rome depuis longtemps !",
        "• Léa habite à Rome (3 days ago, said by Mickael)",
        "Bonjour. Léa habite à Rome. Et toi ?",
    ],
)
def test_who_repeats_the_pet_says_nothing(before: str) -> None:
    """In an answer, or in a line that was recalled."""
    assert not is_own("Léa habite à Rome", "Léa habite à Rome", before=before)


@pytest.mark.parametrize(
    "before",
    ["Léa habite à Rome ?", "Léa n'habite pas à Rome.", "Léa habite à Nice, Paul à Rome.", ""],
)
def test_questions_denials_and_other_words_are_not_repeated(before: str) -> None:
    """An answer to a question is the person's own, and so is a contradiction."""
    assert is_own("Léa habite à Rome", "Léa habite à Rome", before=before)


def test_what_people_say_of_themselves_is_always_theirs() -> None:
    """Nobody else knows it better, whatever was recalled."""
    assert is_own("David habite à Lyon", "j'habite à Lyon", before="David habite à Lyon.")


def test_a_yes_to_what_the_pet_claims_tells_nothing() -> None:
    """Neither of oneself nor of others."""
    assert not is_own("David habite à Lyon", "oui", before="Tu habites à Lyon.")
    assert not is_own("Léa habite à Lyon", "oui", before="Léa habite à Lyon.")
    assert is_own("David habite à Lyon", "oui", before="Tu habites à Lyon ?")


def test_what_only_the_answer_or_a_tool_says_is_not_the_persons() -> None:
    """The line that is cited does not say it."""
    assert not is_own("Léa joue du piano", "et elle ?", after="Léa joue du piano.")


def test_a_fact_with_one_sound_message_is_kept() -> None:
    """It was said before the pet said it."""
    around = {
        FIRST: Around(said="Léa habite à Rome"),
        SECOND: Around(said="Léa habite à Rome", before=("Léa habite à Rome.",)),
    }
    kept = fact("Léa habite à Rome", FIRST, SECOND)
    assert own_facts([kept, fact("Léa habite à Rome", SECOND)], around) == [kept]


def test_what_is_too_short_to_tell_is_nobodys_echo() -> None:
    """One word stands in many lines."""
    assert is_own("Léa dort", "Léa dort", before="Le chat de Léa dort.") is False
    assert is_own("David dort", "je dors", before="Le chat dort.")
