"""Which statements end each other: those of one matter, and never two that share a person only."""

import json
from datetime import timedelta
from itertools import product
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.comparison import Verdict, within_matter
from memory.rules.supersession import RELATIONS, judged_by_rules
from memory.statements.readings.subject import clause_of
from tests.cast import NOON
from tests.storage import statement

LATER = NOON + timedelta(days=2)

PAIRS = json.loads(
    (Path(__file__).parents[1] / "data" / "statement_changes.json").read_text("utf-8")
)
ALL_ENDS = [pair for part in PAIRS["ends"].values() for pair in part]
ALL_STAY = [pair for part in PAIRS["both_stay"].values() for pair in part]


def kept(content: str, kind: str = "fact", number: int = 1) -> Memory:
    """A statement that is there already."""
    return Memory(
        id=MemoryId(UUID(int=number)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType(kind),
        category=None,
        subjects=(),
        importance=0.5,
        source=Source.CONVERSATION,
        said_by=None,
        author=None,
        about_person=None,
        origin=Origin(visibility=Visibility.SPACE),
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
        said_at=NOON,
    )


def new(content: str, kind: str = "event") -> NewMemory:
    """A statement on its way in."""
    return statement(content, memory_type=MemoryType(kind))


def verdict(old: str, kind: str, fresh: str, fresh_kind: str) -> Verdict:
    """What rules say of two statements, one said after the other."""
    (found,) = judged_by_rules(new(fresh, fresh_kind), [kept(old, kind)], LATER)
    return found


@pytest.mark.parametrize(("old", "kind", "fresh", "fresh_kind"), ALL_ENDS)
def test_what_holds_no_more_is_ended(old: str, kind: str, fresh: str, fresh_kind: str) -> None:
    """Jobs, homes, couples, diets, appointments, pets, searches, decisions; in both languages."""
    assert verdict(old, kind, fresh, fresh_kind) in RELATIONS


@pytest.mark.parametrize(("old", "kind", "fresh", "fresh_kind"), ALL_STAY)
def test_what_is_of_another_matter_stays(old: str, kind: str, fresh: str, fresh_kind: str) -> None:
    """The same person, or the same thing, is not enough."""
    assert verdict(old, kind, fresh, fresh_kind) not in RELATIONS


def test_more_people_than_are_read_are_no_verb() -> None:
    """No visit to a dentist corrects that Kim and others have a party, "after all" or not."""
    people = 'Kim and others ("we") have a'
    party, dentist = f"{people} party on Saturday", f"{people} dentist visit on Monday, after all"
    assert verdict(party, "event", dentist, "event") not in RELATIONS


NAMES = (
    *("Maria", "Maria Lopez", "Luc Moreau", "Anna Maria Lopez", "Jean de la Tour", "O'Neil"),
    *(
        "Anna Maria Della Rosa",
        "Zoé",
        "Li Wei",
        "Marie-Claire Petit",
        "My sister",
        "My best friend",
    ),
    *("Paula's brother", "The team", "My neighbour Bob", "Ben and Lou"),
)
FRENCH_NAMES = (
    *NAMES[:10],
    *("Ma sœur", "Mon père", "Mon meilleur ami", "La sœur de Paula", "L'équipe", "Mon frère Luc"),
)

ENGLISH: dict[str, tuple[str, str]] = {
    "work": ("works at Airbus", "left Airbus and is now at Thales"),
    "home": ("lives in Bristol", "moved to Cardiff"),
    "couple": ("is engaged to Sam", "broke up with Sam"),
    "diet": ("is vegetarian", "eats meat again"),
    "pet": ("has a dog called Rex", "buried the dog Rex"),
    "search": ("is looking for a flat in Ghent", "found a flat in Ghent"),
    "hobby": ("plays in a rugby club", "quit the rugby club"),
    "study": ("is learning Dutch", "gave up Dutch"),
    "car": ("has a Honda Civic", "sold the Honda Civic"),
    "meeting": ("has a dentist appointment on 3 December", "cancelled the dentist appointment"),
    "trip": ("flies to Rome on Friday", "flies to Oslo on Friday"),
    "tool": ("decided to use React for the page", "will use Svelte for the page instead of React"),
    "habit": ("smokes", "stopped smoking"),
    "health": ("has a broken shoulder", "has recovered from the broken shoulder"),
    "allergy": ("is allergic to nuts", "is no longer allergic to nuts"),
    "party": ("has a party on Saturday", "has postponed the party to Sunday"),
    "lesson": ("plans to learn the violin", "decided to learn the cello instead of the violin"),
    "todo": ("must renew the passport", "renewed the passport"),
    "book": ("is writing a novel", "finished the novel"),
    "taste": ("likes jazz", "no longer likes jazz"),
}
FRENCH: dict[str, tuple[str, str]] = {
    "work": ("travaille chez Airbus", "a quitté Airbus"),
    "home": ("habite à Nantes", "a déménagé à Rennes"),
    "couple": ("est en couple avec Sam", "a rompu avec Sam"),
    "diet": ("est végétarien", "remange de la viande"),
    "pet": ("a un chien qui s'appelle Rex", "a perdu son chien Rex"),
    "search": ("cherche un appartement à Lyon", "a trouvé un appartement à Lyon"),
    "hobby": ("fait du judo", "a arrêté le judo"),
    "study": ("apprend le néerlandais", "a laissé tomber le néerlandais"),
    "car": ("a une Clio", "a vendu la Clio"),
    "meeting": ("a rendez-vous chez le dentiste lundi", "a annulé le rendez-vous chez le dentiste"),
    "trip": ("part en Grèce demain", "part en Italie"),
    "tool": ("a choisi Vue pour le site", "utilisera Svelte pour le site au lieu de Vue"),
    "habit": ("fume", "a arrêté de fumer"),
    "health": ("s'est cassé l'épaule", "est remis de son épaule cassée"),
    "allergy": ("est allergique aux noix", "n'est plus allergique aux noix"),
    "party": ("a une fête samedi", "a repoussé la fête à dimanche"),
    "lesson": ("veut apprendre le violon", "apprendra le violoncelle plutôt que le violon"),
    "todo": ("doit réparer le toit", "a réparé le toit"),
    "book": ("écrit un roman", "a terminé le roman"),
    "taste": ("aime le jazz", "n'aime plus le jazz"),
}
OUR = (
    *(("We have a party on Saturday", "We have a dentist visit on Monday"),),
    *(("We live in Porto", "We decided to sell the car"), ("We have a dog", "We found a flat")),
    *(("I have an exam on Monday", "I have a concert on Friday"), ("I smoke", "I gave up sugar")),
    *(("I work at Airbus", "I moved to Cardiff"), ("My car is red", "My dog died")),
    *(("Nous avons une fête samedi", "Nous avons un rendez-vous mardi"),),
    *(
        ("Nous habitons à Metz", "Nous avons vendu la voiture"),
        ("J'ai un chien", "J'ai un vol lundi"),
    ),
    *(("J'apprends le piano", "J'ai quitté Airbus"), ("Je fume", "J'ai arrêté le judo")),
    *(("Mon vélo est rouge", "Mon chat est mort"), ("On a un chat", "On a trouvé un appartement")),
)
SAID_AS = (
    *("{}.", "Actually, {}.", "{} after all.", "{} instead.", "In the end, {}.", "{}, actually."),
    *("Finally {}.", "En fait, {}.", "Finalement, {}.", "{} finalement.", "{} à la place."),
    *(
        "{} au lieu d'un vélo.",
        "{} instead of a bike.",
        "{} plutôt qu'un vélo.",
        "{}, tout compte fait.",
    ),
)
KINDS = st.sampled_from(list(MemoryType))
TOLD = st.sampled_from(SAID_AS)


@st.composite
def _of_two_matters(draw: st.DrawFn) -> tuple[str, str]:
    """What one person is said to do, and what is told of another matter of theirs."""
    names, matters = draw(st.sampled_from([(NAMES, ENGLISH), (FRENCH_NAMES, FRENCH)]))
    who = draw(st.sampled_from(names))
    one, other = draw(st.lists(st.sampled_from(list(matters)), min_size=2, max_size=2, unique=True))
    return f"{who} {matters[one][0]}", f"{who} {draw(st.sampled_from(matters[other]))}"


@st.composite
def _of_two_people(draw: st.DrawFn) -> tuple[str, str]:
    """What one person is said to do, and that another does it no more."""
    names, matters = draw(st.sampled_from([(NAMES, ENGLISH), (FRENCH_NAMES, FRENCH)]))
    one, other = draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    old, fresh = matters[draw(st.sampled_from(list(matters)))]
    return f"{one} {old}", f"{other} {draw(st.sampled_from((old, fresh)))}"


UNRELATED = st.one_of(_of_two_matters(), _of_two_people(), st.sampled_from(OUR))


@given(pair=UNRELATED, kind=KINDS, fresh_kind=KINDS, told=TOLD, corrects=st.booleans())
def test_nothing_of_another_matter_is_ever_ended(
    pair: tuple[str, str], kind: MemoryType, fresh_kind: MemoryType, told: str, *, corrects: bool
) -> None:
    """In whatever type, of any person, and with whatever word of correction."""
    old, fresh = pair
    said = statement(told.format(fresh), memory_type=fresh_kind, corrects=corrects)
    (found,) = judged_by_rules(said, [kept(old, kind)], LATER)
    assert found not in RELATIONS


@given(_of_two_people(), KINDS, KINDS)
def test_a_models_word_ends_nothing_of_another_person(
    pair: tuple[str, str], kind: MemoryType, fresh_kind: MemoryType
) -> None:
    """Whatever it answers, and however alike they are."""
    old, fresh = pair
    said = statement(fresh, memory_type=fresh_kind)
    assert within_matter(Verdict.CHANGED, said, kept(old, kind)) is Verdict.UNRELATED


def test_several_that_fit_a_loose_name_all_stay() -> None:
    """Which meeting was moved cannot be told; where there is one, it can."""
    bank, school = (
        kept("The meeting with the bank is on Tuesday", number=1),
        kept("The meeting with the school is on Friday", number=2),
    )
    said = new("The meeting was moved to Thursday.")
    assert judged_by_rules(said, [bank, school], LATER) == [Verdict.DISPUTED] * 2
    assert judged_by_rules(said, [bank], LATER) == [Verdict.CHANGED]


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("Kofi has a Honda and a boat.", "Kofi sold the boat."),
        ("Ana plays tennis and golf.", "Ana no longer plays tennis."),
        ("Maria has a dentist appointment on Monday.", "The dentist appointment was postponed."),
        ("Léa fait du judo et du piano.", "Léa a arrêté le judo."),
    ],
)
def test_what_may_be_meant_is_tied_and_stays(old: str, fresh: str) -> None:
    """It tells more than what ended, or of whom it is cannot be told."""
    assert judged_by_rules(new(fresh), [kept(old)], LATER) == [Verdict.DISPUTED]


@pytest.mark.parametrize(
    "fresh",
    [
        "Marc will leave Airbus.",
        "Marc has not left Airbus.",
        "Marc might have left Airbus.",
        "Marc left Airbus in 2010.",
        "Marc n'a pas quitté Airbus.",
        "Marc a failli quitter Airbus.",
        "He left Airbus.",
        "Bob says Marc left Airbus.",
    ],
)
def test_what_did_not_happen_or_not_since_ends_nothing(fresh: str) -> None:
    """A denial, a guess, a plan, and what was so before."""
    assert verdict("Marc works at Airbus.", "fact", fresh, "event") not in RELATIONS


def test_what_is_learnt_late_was_ended_since() -> None:
    """By when it was said, and not by when it was stored."""
    left = kept("Marc left Airbus and is now at Thales.", "event")
    said = new("Marc works at Airbus.", "fact")
    assert judged_by_rules(said, [left], NOON - timedelta(days=9)) == [Verdict.CHANGED]
    assert judged_by_rules(said, [left], LATER) == [Verdict.UNRELATED]


def test_a_statement_is_of_whom_it_begins_with() -> None:
    """And what it says of them is the rest."""
    told = [
        (who, clause_of(f"{who} {said}")) for who, (said, _) in product(NAMES, ENGLISH.values())
    ]
    assert all(len(clause.people) == 1 + (" and " in who) for who, clause in told)
