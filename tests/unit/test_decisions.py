"""What was decided, and which earlier decision a correction means."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.comparison import Verdict
from memory.rules.supersession import Judged, Settled, completed, judged_by_rules
from memory.statements.readings.decision import choice_of, is_correction, plan_of
from tests.cast import NOON
from tests.storage import statement

ORIGIN = Origin(visibility=Visibility.SPACE)
LATER = NOON + timedelta(days=2)


def new(content: str, *, corrects: bool = False, **fields: object) -> NewMemory:
    """A decision on its way in."""
    given: dict[str, object] = {"memory_type": MemoryType.DECISION, "said_by": "David", **fields}
    return statement(content, corrects=corrects, **given)


def kept(content: str, at: datetime = NOON, by: str = "David", number: int = 1) -> Memory:
    """A decision that is there already."""
    return Memory(
        id=MemoryId(UUID(int=number)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.DECISION,
        category=None,
        subjects=(),
        importance=0.8,
        source=Source.CONVERSATION,
        said_by=by,
        author=None,
        about_person=None,
        origin=ORIGIN,
        created_at=at,
        updated_at=at,
        expires_at=None,
        revision=1,
        said_at=at,
    )


@pytest.mark.parametrize(
    ("content", "thing", "given_up"),
    [
        ("David : « On va utiliser MySQL à la place »", "mysql", ""),
        ("on utilise PostgreSQL pour le projet", "postgresql", ""),
        ("On part sur MySQL finalement", "mysql", ""),
        ("David: “We'll use MySQL instead”", "mysql", ""),
        ("We decided to use PostgreSQL for the project", "postgresql", ""),
        ("The team will use MySQL instead of PostgreSQL", "mysql", "postgresql"),
        ("David a décidé d'utiliser MySQL à la place de PostgreSQL", "mysql", "postgresql"),
        ("We're switching from PostgreSQL to MySQL", "mysql", "postgresql"),
        ("On remplace PostgreSQL par MySQL", "mysql", "postgresql"),
        ("on prend MySQL plutôt que PostgreSQL pour le projet", "mysql", "postgresql"),
    ],
)
def test_a_choice_is_read_whatever_its_verb(content: str, thing: str, given_up: str) -> None:
    """What is taken, and what is left for it."""
    found = choice_of(content)
    assert found is not None
    assert found.thing == {thing}
    assert found.given_up == ({given_up} if given_up else set())


@pytest.mark.parametrize(
    "content", ["David habite à Paris", "David aime le thé", "use", "", "on utilise"]
)
def test_what_settles_on_nothing_is_no_choice(content: str) -> None:
    """A verb alone chooses nothing."""
    assert choice_of(content) is None


@pytest.mark.parametrize(
    "text",
    [
        *("En fait\nj'ai changé d'avis\non prend le train", "finalement non", "à la place"),
        *("plutôt le train", "le train plutôt", "on second thought", "actually it is blue"),
        *("I changed my mind", "scratch that", "je me suis trompé", "changement de plan"),
    ],
)
def test_a_correction_says_so(text: str) -> None:
    """Anywhere in what was said in one go."""
    assert is_correction(text)


@pytest.mark.parametrize("text", ["c'est plutôt bien", "on fait une place", "la factualité", ""])
def test_other_words_are_no_correction(text: str) -> None:
    """To be rather good is nothing of the kind."""
    assert not is_correction(text)


def judged(said: NewMemory, *rivals: Memory, at: datetime = LATER) -> Sequence[Verdict]:
    """What rules say of each."""
    return judged_by_rules(said, rivals, at)


POSTGRES = kept("On va utiliser PostgreSQL pour le projet")
SLACK = kept("On utilise Slack pour discuter", number=2)


@pytest.mark.parametrize(
    ("content", "corrects"),
    [
        ("On va utiliser MySQL", True),
        ("On va utiliser MySQL à la place", False),
        ("On part sur MySQL pour le projet", True),
        ("We're going with MySQL instead", False),
        ("On remplace PostgreSQL par MySQL", False),
    ],
)
def test_a_correction_takes_back_the_decision_that_it_means(
    content: str, *, corrects: bool
) -> None:
    """By a word in it, or beside it; what serves another purpose or is of another kind stays."""
    told = judged(new(content, corrects=corrects), POSTGRES, SLACK)
    assert told == [Verdict.CHANGED, Verdict.UNRELATED]


def test_without_a_correction_nothing_is_taken_back() -> None:
    """A project uses several things."""
    assert judged(new("On utilise MySQL"), POSTGRES) == [Verdict.UNRELATED]


def test_what_cannot_be_told_apart_is_disputed() -> None:
    """Neither is superseded."""
    one, other = kept("On utilise Trello"), kept("On utilise Fedora", number=2)
    assert judged(new("On utilise Gnorp", corrects=True), one, other) == [Verdict.DISPUTED] * 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (kept("On utilise Trello", by="Léa"), kept("On utilise Fedora", number=2)),
        (kept("On utilise Trello"), kept("On utilise Fedora", at=LATER, number=2)),
        (kept("On utilise Trello pour boire"), kept("On utilise Fedora pour coder", number=2)),
    ],
)
def test_who_when_or_what_for_tells_them_apart(one: Memory, other: Memory) -> None:
    """The same person, the same talk, the same purpose."""
    said = new("On utilise Gnorp pour coder", corrects=True)
    assert judged(said, one, other) == [Verdict.UNRELATED, Verdict.CHANGED]


def test_an_old_decision_of_another_kind_is_left_alone() -> None:
    """Nothing but its time spoke for it, and that is long past."""
    said = new("On utilise Gnorp", corrects=True)
    assert judged(said, kept("On utilise Trello")) == [Verdict.CHANGED]
    at = NOON + timedelta(days=200)
    assert judged(said, kept("On utilise Trello"), at=at) == [Verdict.UNRELATED]
    assert judged(new("On utilise MySQL", corrects=True), POSTGRES, at=at) == [Verdict.CHANGED]


def test_a_decision_that_comes_after_its_correction_was_overtaken() -> None:
    """Learnt late, said before."""
    correction = kept("On va utiliser MySQL à la place", at=LATER)
    soon = LATER - timedelta(hours=1)
    assert judged(new("On va utiliser PostgreSQL"), correction, at=soon) == [Verdict.CHANGED]
    assert judged(new("On va utiliser PostgreSQL"), correction, at=NOON) == [Verdict.UNRELATED]
    named = kept("On va utiliser MySQL au lieu de PostgreSQL", at=LATER)
    assert judged(new("On va utiliser PostgreSQL"), named, at=NOON) == [Verdict.CHANGED]


def test_a_denied_choice_contradicts_it_either_way() -> None:
    """No more, and again."""
    denial = "On n'utilise plus PostgreSQL"
    assert judged(new(denial), POSTGRES, SLACK) == [Verdict.CONTRADICTS, Verdict.UNRELATED]
    assert judged(new("On utilise PostgreSQL"), kept(denial)) == [Verdict.CONTRADICTS]


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("David part en Grèce demain", "David part en Italie"),
        ("David is flying to Rome on Friday", "David is flying to Oslo on Friday"),
        ("David a rendez-vous lundi (19/01/2026)", "David a rendez-vous mardi (20/01/2026)"),
        ("David s'est cassé le bras", "David s'est cassé la jambe"),
    ],
)
def test_a_plan_of_one_person_is_corrected(old: str, fresh: str) -> None:
    """Only where somebody says that it is a correction."""
    event = MemoryType.EVENT
    assert judged(new(fresh, corrects=True, memory_type=event), kept(old)) == [Verdict.CHANGED]
    assert judged(new(fresh, memory_type=event), kept(old)) == [Verdict.UNRELATED]
    assert plan_of(new(fresh, memory_type=MemoryType.FACT)) is None


def test_another_persons_plan_is_not_corrected() -> None:
    """Nor is another verb's."""
    said = new("David part en Italie", corrects=True)
    rivals = (kept("Léa part en Grèce"), kept("David court un marathon", number=2))
    assert judged(said, *rivals) == [Verdict.UNRELATED] * 2


WORDS = ["on", "utilise", "MySQL", "Slack", "pour", "à la place de", "plus", "n'", "instead of"]
TEXTS = st.lists(st.sampled_from(WORDS)).map(" ".join)


@given(TEXTS, TEXTS)
def test_no_words_break_it(one: str, other: str) -> None:
    """Each rival has a verdict."""
    assert len(judged(new(one, corrects=True), kept(other))) == 1


ATLAS = kept("On utilise PostgreSQL pour le projet Atlas", number=11)
HERMES = kept("On utilise MongoDB pour le projet Hermès", at=NOON + timedelta(hours=1), number=12)


def test_one_project_is_not_another() -> None:
    """That both are called a project tells nothing."""
    said = new("On passe sur MySQL pour le projet Atlas", corrects=True)
    assert judged(said, ATLAS, HERMES) == [Verdict.CHANGED, Verdict.UNRELATED]


def test_what_was_said_beside_a_correction_tells_which_decision_it_means() -> None:
    """In another message of the same person."""
    beside = "en fait pour le projet Atlas\nj'ai changé d'avis\nOn va utiliser MySQL à la place"
    said = new("On va utiliser MySQL à la place", corrects=True, beside=beside)
    assert judged(said, ATLAS, HERMES) == [Verdict.CHANGED, Verdict.UNRELATED]


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (
            "David : « On va utiliser MySQL à la place »",
            "David : « On va utiliser MySQL à la place [pour le projet Atlas] »",
        ),
        ("We'll use MySQL instead.", "We'll use MySQL instead [pour le projet Atlas]."),
    ],
)
def test_a_correction_keeps_the_purpose_of_what_it_replaces(content: str, left: str) -> None:
    """Or nobody who asks about the project finds it, and the next decision not what it replaces."""
    said = new(content, corrects=True)
    told = completed(said, Settled(replaces=(Judged(rival=ATLAS, verdict=Verdict.CHANGED),)))
    assert told.content == left
    read = choice_of(told.content)
    assert read is not None
    assert read.thing == {"mysql"}
    assert read.purpose == {"atlas"}


def test_a_purpose_that_every_decision_has_is_not_repeated() -> None:
    """What people call "le projet" is whatever they talk about."""
    said = new("On va utiliser MySQL à la place", corrects=True)
    plain = kept("On utilise PostgreSQL pour le projet")
    assert (
        completed(said, Settled(replaces=(Judged(rival=plain, verdict=Verdict.CHANGED),))) is said
    )
