"""What is stored in its author's own words is read like what is told of them by name."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.recalled_lines import RememberedLine, to_forget
from memory.model.audience import Origin
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.claims import person_spoken_of
from memory.rules.comparison import Verdict, compare
from memory.rules.profile import core_of
from memory.rules.supersession import RELATIONS, judged_by_rules, slot_of
from memory.statements.readings.attribute import attribute_of, denied_attribute_of
from memory.statements.readings.preference import stance_of
from memory.statements.readings.subject import clause_of
from memory.statements.readings.symptom import symptom_of
from tests.cast import NOON
from tests.storage import statement

LATER = NOON + timedelta(days=2)


def kept(content: str) -> Memory:
    """A statement of David's that is there already."""
    return Memory(
        id=MemoryId(UUID(int=1)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.FACT,
        category=None,
        subjects=("David",),
        importance=0.5,
        source=Source.CONVERSATION,
        said_by="David",
        author=None,
        about_person=None,
        origin=Origin(visibility=Visibility.SPACE),
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
        said_at=NOON,
    )


def new(content: str) -> NewMemory:
    """A statement of David's on its way in."""
    return statement(content, said_by="David", subjects=("David",))


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("David habite à Lyon", "j'habite à Lyon"),
        ("David habite à Lyon", "jhabite à Lyon"),
        ("David habite à Lyon", "oui moi j'habite à Lyon"),
        ("David vit à Lyon", "je vis à Lyon"),
        ("David lives in Lyon", "I live in Lyon"),
        ("David moved to Lyon last month", "so yeah i finally moved to Lyon last month"),
        ("David moved to Lyon", "I've just moved to Lyon"),
        ("David est infirmier", "chui infirmier"),
        ("David est infirmier", "j'suis infirmier"),
        ("David is a nurse", "I'm a nurse"),
        ("David is a nurse", "im a nurse"),
        ("David travaille chez Airbus", "je travaille chez Airbus"),
        ("David works at Airbus", "I work at Airbus"),
        ("David a 34 ans", "j'ai 34 ans"),
        ("David's birthday is May 3", "my birthday's May 3"),
        ("David s'appelle Dédé", "je m'appelle Dédé"),
        ("David is called Dave", "my name's Dave"),
        ("David s'est marié avec Anna", "je me suis marié avec Anna"),
        ("Le film préféré de David est Alien", "mon film préféré est Alien"),
    ],
)
def test_an_attribute_is_the_same_in_either_form(told: str, own: str) -> None:
    """After the name of its author, in quotation marks, or bare with who said it beside it."""
    expected = attribute_of(told)
    assert expected is not None
    for content in (f"David: {own}", f"David: “{own}”", f"David : « {own} »", own):
        found = attribute_of(content, "David")
        assert found is not None
        assert (found.subject, found.key, found.value) == ("david", expected.key, expected.value)
        assert found.arrives == expected.arrives


@pytest.mark.parametrize(
    "content",
    [
        "David: mon frère habite à Lyon",
        "David: I lived in Lyon when I was nine",
        "David: we live in Lyon",
        "David: I'd love to live in Lyon",
        "David: je vais à Lyon",
        "todo: I live in Lyon",
    ],
)
def test_what_is_of_others_or_not_so_is_no_attribute(content: str) -> None:
    """Nor is any word before a colon a name."""
    assert attribute_of(content, "David") is None


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("David n'habite plus à Lyon", "je n'habite plus à Lyon"),
        ("David n'habite plus à Lyon", "j'habite plus à Lyon"),
        ("David no longer lives in Lyon", "I no longer live in Lyon"),
        ("David doesn't live in Lyon", "I don't live in Lyon"),
        ("David doesn't live in Lyon", "I dont live in Lyon anymore"),
        ("David is not a nurse anymore", "I'm not a nurse anymore"),
        ("David ne travaille plus chez Airbus", "je ne travaille plus chez Airbus"),
    ],
)
def test_a_denied_attribute_is_the_same_in_either_form(told: str, own: str) -> None:
    """So that it takes back what was said in the other."""
    assert denied_attribute_of(f"David: {own}", "David") == denied_attribute_of(told)
    assert denied_attribute_of(told) is not None


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("David aime le café", "j'aime le café"),
        ("David n'aime pas le café", "j'aime pas le café"),
        ("David n'aime pas le café", "je n'aime pas le café"),
        ("David déteste le café", "je déteste le café"),
        ("David hait le café", "je hais le café"),
        ("David loves coffee", "I love coffee"),
        ("David doesn't like coffee", "I don't like coffee anymore"),
        ("David can't stand coffee", "i cant stand coffee"),
        ("David boit du thé", "je bois du thé"),
        ("David ne boit plus de thé", "je ne bois plus de thé"),
        ("David stopped drinking coffee", "I've stopped drinking coffee"),
        ("David a arrêté de fumer", "j'ai arrêté de fumer"),
    ],
)
def test_a_liking_is_the_same_in_either_form(told: str, own: str) -> None:
    """Or a habit."""
    assert stance_of(f"David: {own}", "David") == stance_of(told)
    assert stance_of(told) is not None
    assert stance_of(own) is None


def test_to_eat_more_is_not_to_eat_no_more() -> None:
    """Without its "ne", "plus" may be either."""
    stance = stance_of("David: je mange plus de légumes", "David")
    assert stance is None or stance.holds


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("David a mal à l'épaule gauche", "j'ai mal à l'épaule gauche"),
        ("David's left shoulder hurts", "my left shoulder hurts"),
        ("David has a sore knee", "I have a sore knee"),
    ],
)
def test_an_ache_is_the_same_in_either_form(told: str, own: str) -> None:
    """Whoever's words tell of it."""
    assert symptom_of(f"David: {own}", "David") == symptom_of(told)
    assert symptom_of(told) is not None


@pytest.mark.parametrize(
    ("content", "people"),
    [
        ("David: j'habite à Lyon", {"david"}),
        ("David: mon frère habite à Lyon", {"david's frere"}),
        ("David: on habite à Lyon", {"we"}),
        ("Ben: I live in Lyon", {"ben"}),
        ("David: Demain (18/01/2026), je pars à Lyon", {"david"}),
        ("David: Sam habite à Oslo", {"sam"}),
    ],
)
def test_whom_own_words_are_about(content: str, people: set[str]) -> None:
    """The name before them is not among what is said."""
    clause = clause_of(content, content.partition(":")[0])
    assert clause.people == people
    assert ":" not in clause.said


def test_what_own_words_say_of_another_is_of_them() -> None:
    """Where they are known, and else of no one in particular."""
    known = {"sam": [PersonId("s")], "david": [PersonId("d")]}
    for content, whose in (
        ("David: Sam habite à Oslo", "s"),
        ("David: Max habite à Oslo", None),
        ("David: mon frère habite à Oslo", "d"),
        ("David: finally got the keys to my place in Leeds", "d"),
        ("David: on habite à Oslo", "d"),
    ):
        told = replace(new(content), author=PersonId("d"))
        assert person_spoken_of(told, known) == whose


SAME = [
    ("David habite à Lyon", "David: j'habite à Lyon"),
    ("David: j'habite à Lyon", "David habite à Lyon"),
    ("David lives in Lyon", "David: I live in Lyon"),
    ("David adore le rugby", "David: j'adore le rugby"),
    ("David: “I live in Lyon”", "David: I live in Lyon"),
    ("David a mal à l'épaule", "David: j'ai mal à l'épaule"),
]
CHANGED = [
    ("David habite à Lyon", "David: j'habite à Nantes"),
    ("David: j'habite à Nantes", "David habite à Lyon"),
    ("David lives in Lyon", "David: I moved to Oslo"),
    ("David lives in Lyon", "David: I no longer live in Lyon"),
    ("David habite à Lyon", "David: je n'habite plus à Lyon"),
    ("David travaille chez Airbus", "David: j'ai quitté Airbus"),
    ("David works at Airbus", "David: I quit Airbus last week"),
    ("David aime le café", "David: j'aime pas le café"),
    ("David drinks coffee every day", "David: I've stopped drinking coffee"),
    ("David is vegetarian", "David: I'm eating meat again"),
    ("David is engaged to Sam", "David: I broke up with Sam"),
    ("David: I have a dog called Rex", "David: I buried the dog Rex"),
    ("David: je cherche un appart", "David: j'ai trouvé un appart"),
    ("David: I play in a rugby club", "David: I quit the rugby club"),
]
BOTH_STAY = [
    ("David habite à Lyon", "David: mon frère habite à Nantes"),
    ("David lives in Lyon", "Ben: I live in Oslo"),
    ("David adore le rugby", "David: j'adore le judo"),
    ("David travaille chez Airbus", "David: j'ai quitté Lyon"),
]


@pytest.mark.parametrize(("old", "fresh"), SAME)
def test_the_same_in_another_form_is_a_repetition(old: str, fresh: str) -> None:
    """A folder may hold what earlier versions put into the third person."""
    assert compare(new(fresh), kept(old)) is Verdict.SAME


@pytest.mark.parametrize(("old", "fresh"), CHANGED)
def test_a_change_ends_what_was_kept_in_another_form(old: str, fresh: str) -> None:
    """Homes, jobs, likings, habits, couples, pets and searches, in both languages."""
    (verdict,) = judged_by_rules(new(fresh), [kept(old)], LATER)
    assert verdict in RELATIONS


@pytest.mark.parametrize(("old", "fresh"), BOTH_STAY)
def test_what_is_of_another_person_or_thing_stays(old: str, fresh: str) -> None:
    """In whatever form."""
    author = fresh.partition(":")[0]
    given = statement(fresh, said_by=author, subjects=(author,))
    (verdict,) = judged_by_rules(given, [kept(old)], LATER)
    assert verdict not in RELATIONS


def test_both_forms_are_looked_up_in_one_slot() -> None:
    """And give one core fact."""
    forms = ("David: j'habite à Lyon", "David habite à Lyon", "David: I live in Lyon")
    assert len({slot_of(new(one)) for one in forms}) == 1
    assert len({core_of(new(one)) for one in forms}) == 1
    assert core_of(new(forms[0])) is not None


@pytest.mark.parametrize(
    ("topic", "content"),
    [
        ("j'habite à Lyon", "David habite à Lyon"),
        ("j'habite à Lyon", "David: j'habite à Lyon"),
        ("I live in Lyon", "David lives in Lyon"),
        ("I live in Lyon", "David: I live in Lyon"),
        ("je pars à Rome", "David part à Rome (18/01/2026)"),
        ("je pars à Rome", "David: je pars à Rome demain (18/01/2026)"),
        ("I work at Airbus", "David works at Airbus"),
        ("je suis allergique aux noix", "David est allergique aux noix"),
    ],
)
def test_what_is_to_be_forgotten_is_found_in_either_form(topic: str, content: str) -> None:
    """By its words, whoever's person they are in."""
    asker = Asker(name="David")
    lines = [
        RememberedLine(content=content, said_by="David", id="1"),
        RememberedLine(content="David: j'adore le rugby", said_by="David", id="2"),
    ]
    assert [one.id for one in to_forget(topic, asker, lines, own=True)] == ["1"]
