"""What becomes of a statement when words it rests on go."""

from uuid import UUID

import pytest

from memory.language.names import Named
from memory.model.audience import Audience
from memory.model.authority import BY_OPERATOR, Actor, Ownership
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.rules.forgetting.erasure import (
    ErasureVerdict,
    KeptBecause,
    Someone,
    SourceMessage,
    Stated,
    Wanted,
    fate_of,
)
from memory.rules.forgetting.quotation import repeats
from memory.rules.forgetting.topic import TopicSaysNothing, topic_of
from tests.cast import NOON

DAVID = Someone(
    id=PersonId("david"), names=frozenset({"David"}), others=frozenset({"Léa", "Mickael"})
)
GOES = ErasureVerdict(goes=True)
STAYS = ErasureVerdict(goes=False)


def ground(person: str, text: str, *, goes: bool = False) -> SourceMessage:
    """A message somebody sent."""
    return SourceMessage(
        message=MessageId(1), person=PersonId(person), author=person, text=text, goes=goes
    )


def stated(
    content: str, *grounds: SourceMessage, about: str | None = None, **fields: object
) -> Stated:
    """A statement in the home space."""
    people = frozenset(one.person for one in grounds if one.person)
    given: dict[str, object] = {
        "id": UUID(int=1),
        "store": "memory",
        "content": content,
        "subjects": (),
        "said_by": None,
        "person": None,
        "about": about and PersonId(about),
        "audience": Audience("space:home"),
        "grounds": grounds,
        "ownership": Ownership(authors=people, about=PersonId(about) if about else None),
        "said_at": NOON,
        **fields,
    }
    return Stated(**given)  # type: ignore[arg-type]


def test_what_rests_only_on_what_goes_goes() -> None:
    """Whatever it says."""
    one = stated("Le piano est faux", ground("david", "il est faux", goes=True))
    assert fate_of(one, Wanted(actor=BY_OPERATOR)) == GOES


def test_others_keep_their_part_only_if_they_said_some_of_it() -> None:
    """A name that both said is no part."""
    mine = ground("david", "Léa joue du piano", goes=True)
    shared = stated("Léa joue du piano", mine, ground("léa", "oui, du piano"), subjects=("Léa",))
    alone = stated("Léa joue du piano", mine, ground("léa", "Léa, c'est moi"), subjects=("Léa",))
    wanted = Wanted(actor=BY_OPERATOR)
    assert fate_of(shared, wanted) == ErasureVerdict(goes=False, why=KeptBecause.SHARED)
    assert fate_of(alone, wanted) == GOES


def test_a_topic_that_the_others_did_not_name_goes_with_it() -> None:
    """What they said speaks of something else."""
    wanted = Wanted(actor=BY_OPERATOR, topic=topic_of("piano"))
    mine = ground("david", "le piano est au salon", goes=True)
    assert fate_of(stated("Le piano est au salon", mine, ground("léa", "au salon")), wanted) == GOES


def test_a_person_has_their_own_forgotten_and_what_is_only_about_them_muted() -> None:
    """Said by them, private to them, about them alone; the reason is told where it stays."""
    wanted = Wanted(actor=Actor(person=DAVID.id), topic=topic_of("piano"), asker=DAVID)
    theirs = stated("un piano", ground("david", "un piano"))
    private = stated("un piano", ownership=Ownership(private_to=DAVID.id))
    about = stated("David a un piano", ground("léa", "il a un piano"), about="david")
    both = stated("David et Léa ont un piano", ground("léa", "un piano"), about="david")
    others = stated("un piano", ground("léa", "un piano"))
    assert [fate_of(one, wanted) for one in (theirs, private)] == [GOES] * 2
    assert fate_of(about, wanted) == ErasureVerdict(goes=False, muted=True)
    assert fate_of(both, wanted).why is KeptBecause.NAMES_OTHERS
    assert fate_of(others, wanted).why is KeptBecause.SAID_BY_OTHERS


def test_what_others_said_about_somebody_goes_only_when_asked() -> None:
    """And only what is about nobody else."""
    one = stated("David est malade", ground("léa", "il est malade"), subjects=("David",))
    assert fate_of(one, Wanted(actor=BY_OPERATOR, person=DAVID)) == STAYS
    assert fate_of(one, Wanted(actor=BY_OPERATOR, person=DAVID, about=True)) == GOES


def test_a_topic_is_all_its_words_under_all_its_names() -> None:
    """In any form and order; a topic without content is none."""
    topic = topic_of("le piano de dev", (Named(said="dev", people=(), others=("Mickael",)),))
    assert topic.is_in("Mickael a vendu ses pianos")
    assert topic.is_in("dev : piano")
    assert not topic.is_in("Léa a vendu son piano")
    with pytest.raises(TopicSaysNothing):
        topic_of("de la")


def test_an_answer_repeats_what_its_words_tell() -> None:
    """A name, half of the words, a word that nobody says any more; none of the question."""
    forgotten = "le vélo de Sandrine est au garage"
    assert repeats("Chez Sandrine.", "où ?", forgotten)
    assert repeats("Le vélo ? Au garage.", "où ?", forgotten)
    assert repeats("Au garage.", "où ?", forgotten, {"garag"})
    assert not repeats("Au garage.", "où ?", forgotten)
    assert not repeats("Un vélo, je ne sais pas.", "où est le vélo ?", forgotten)


def test_an_answer_repeats_what_it_quotes_although_the_question_has_its_words() -> None:
    """The whole of it, or a passage in quotation marks; but not what the question quotes itself."""
    question, forgotten = "Qui a une sœur allergique aux noix ?", "Ma sœur est allergique aux noix"
    assert repeats("Une amie : « Ma sœur est allergique aux noix »", question, forgotten)
    assert repeats("it was: “joris dances”", "who dances, joris?", "joris dances. and sings")
    assert not repeats("Je ne sais pas.", question, forgotten)
    assert not repeats("« Ma sœur est allergique aux noix », dis-tu.", forgotten, forgotten)


def test_an_answer_repeats_what_it_names_the_author_of() -> None:
    """Where the question says the rest; a name for another reason tells nothing of it."""
    question, forgotten = "Qui a une sœur allergique aux noix ?", "Ma sœur est allergique aux noix"
    assert repeats("C'est Zoé.", question, forgotten, by="Zoé")
    assert not repeats("C'est Zoé.", "Qui sait nager ?", forgotten, by="Zoé")
    assert not repeats("Ah, Zoé !", f"Zoé\n{question}", forgotten, by="Zoé")


def test_what_is_muted_already_is_not_meant_again() -> None:
    """Neither by whom it is about, nor shown to others as something that is kept."""
    muted = stated("David a un piano", ground("léa", "il a un piano"), about="david", muted=True)
    for person in (DAVID, Someone(id=PersonId("zoé"))):
        wanted = Wanted(actor=Actor(person=person.id), topic=topic_of("piano"), asker=person)
        assert fate_of(muted, wanted) == STAYS


def test_the_words_of_another_do_not_go_with_the_last_message_behind_them() -> None:
    """Somebody repeated them, and took that back: they are still who said them first."""
    repeated = ground("david", "Léa aime le piano", goes=True)
    one = stated(
        "Léa aime le piano",
        repeated,
        ownership=Ownership(authors=frozenset({DAVID.id, PersonId("léa")})),
    )
    wanted = Wanted(actor=Actor(person=DAVID.id), asker=DAVID)
    assert fate_of(one, wanted) == ErasureVerdict(goes=False, why=KeptBecause.SHARED)
