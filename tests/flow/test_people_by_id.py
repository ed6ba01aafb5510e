"""Words are of whom wrote them, by accounts: names change, are shared, and are taken by others."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.clock import FrozenClock
from memory.model.people import AccountId, Signature
from memory.storage.linking.splitting import Accounts
from tests.cast import CORNER, LOBBY, NOON, PLATFORM, direct
from tests.flow.pet import Pet, awake, calls, responds
from tests.flow.ruled import RuledModel
from tests.linked import account_of, joined

MINUTE = timedelta(minutes=1)


def account(number: str, name: str, platform: str = PLATFORM) -> AuthorRef:
    """An account under the name it has now."""
    return AuthorRef(platform=platform, external_id=number, name=name)


TOM, PRIME = account("1002", "Tom"), account("1002", "Thomas Prime")
BOB, ROBERT = account("7", "Bob"), account("7", "Robert")
CARL, BOB_ANEW = account("8", "Carl"), account("8", "Bob")
ZOE = account("9", "Zoé")
LEA_10, LEA_11 = account("10", "Léa"), account("11", "Léa")
MAX = account("max", "Maximus", "mail")
TOM_ALONE, LEA_11_ALONE = direct(TOM), direct(LEA_11)


@dataclass(frozen=True, slots=True)
class Link:
    """The accounts are joined: `one` enters the code that `other` offers."""

    one: AuthorRef
    other: AuthorRef


@dataclass(frozen=True, slots=True)
class Split:
    """The account is taken out of its person again."""

    account: AuthorRef


Said = tuple[AuthorRef, RoomRef, str]
Step = Said | Link | Split


async def after(pet: Pet, steps: Sequence[Step]) -> str:
    """What the pet says last once all of this has happened."""
    await happened(pet, steps)
    return pet.channel.texts[-1]


async def happened(pet: Pet, steps: Sequence[Step]) -> None:
    """Let all of this be said and done."""
    for step in steps:
        pet.storage.clock.advance(MINUTE)
        match step:
            case Link(one=one, other=other):
                await joined(pet.storage, enters=one, offers=other)
            case Split(account=one):
                accounts = Accounts(pet.storage.database, pet.storage.people, pet.storage.clock)
                await accounts.split(AccountId(account_of(one)), Signature("operator"))
            case (who, where, text):
                await pet.hears(text, who, where)
                await pet.answers()


def two_platforms(pet: Pet) -> Pet:
    """The same pet, which listens to mail too."""
    pet.delivery._channels = {**pet.delivery._channels, "mail": pet.channel}
    return pet


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A talk, with what its last answer holds and what it does not."""

    steps: tuple[Step, ...]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


RENAMED = {
    "own city": Case(
        steps=(
            (TOM, TOM_ALONE, "My cat is called Mochi and I live in Lyon."),
            (PRIME, TOM_ALONE, "Where do I live?"),
        ),
        says=("Lyon",),
    ),
    "own cat": Case(
        steps=(
            (TOM, TOM_ALONE, "My cat is called Mochi and I live in Lyon."),
            (PRIME, TOM_ALONE, "What is my cat called?"),
        ),
        says=("Mochi",),
    ),
    "own dog in French": Case(
        steps=(
            (TOM, TOM_ALONE, "Mon chien s'appelle Filou et il adore la neige."),
            (PRIME, TOM_ALONE, "Comment s'appelle mon chien ?"),
        ),
        says=("Filou",),
    ),
    "own sister in a group": Case(
        steps=(
            (BOB, CORNER, "Ma sœur travaille à l'hôpital de Brest."),
            (CARL, CORNER, "Ma sœur travaille dans une banque."),
            (ROBERT, CORNER, "Où travaille ma sœur ?"),
        ),
        says=("Brest",),
        never=("banque",),
    ),
    "by the old name": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (ROBERT, CORNER, "Hello everybody."),
            (CARL, CORNER, "Where does Bob live?"),
        ),
        says=("Annecy", "Robert, then called Bob"),
    ),
    "by the new name": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (ROBERT, CORNER, "Hello everybody."),
            (CARL, CORNER, "Where does Robert live?"),
        ),
        says=("Annecy", "Robert, then called Bob"),
    ),
    "by the new name in French": Case(
        steps=(
            (BOB, CORNER, "Je suis allergique aux noix."),
            (ROBERT, CORNER, "Bonjour à tous."),
            (CARL, CORNER, "À quoi Robert est-il allergique ?"),
        ),
        says=("noix", "Robert, qui s'appelait alors Bob"),
    ),
    "by the old name in French": Case(
        steps=(
            (BOB, CORNER, "Mon anniversaire est le 3 mai."),
            (ROBERT, CORNER, "Bonjour à tous."),
            (CARL, CORNER, "C'est quand l'anniversaire de Bob ?"),
        ),
        says=("3 mai", "Robert, qui s'appelait alors Bob"),
    ),
    "what others said of them": Case(
        steps=(
            (BOB, CORNER, "Bonjour."),
            (CARL, CORNER, "Bob a acheté un vélo rouge."),
            (ROBERT, CORNER, "Salut."),
            (ZOE, CORNER, "Robert a acheté quoi ?"),
        ),
        says=("vélo rouge",),
    ),
    "the asker under the third person": Case(
        steps=(
            (BOB, CORNER, "Bonjour."),
            (CARL, CORNER, "Bob joue du violon."),
            (ROBERT, CORNER, "De quel instrument je joue ?"),
        ),
        says=("violon",),
    ),
    "all about them": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (ROBERT, CORNER, "Hello everybody."),
            (CARL, CORNER, "What do you know about Robert?"),
        ),
        says=("Annecy",),
    ),
    "all about me": Case(
        steps=(
            (TOM, TOM_ALONE, "I live in Lyon."),
            (PRIME, TOM_ALONE, "What do you know about me?"),
        ),
        says=("Lyon",),
    ),
    "all about me in French": Case(
        steps=(
            (TOM, TOM_ALONE, "J'habite à Lyon."),
            (PRIME, TOM_ALONE, "Que sais-tu de moi ?"),
        ),
        says=("Lyon",),
    ),
    "a name that somebody else had": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (ROBERT, CORNER, "Hello everybody."),
            (BOB_ANEW, CORNER, "I live in Nice."),
            (BOB_ANEW, CORNER, "Where do I live?"),
        ),
        says=("Nice",),
        never=("Annecy",),
    ),
    "the one who had the name": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (BOB_ANEW, CORNER, "I live in Nice."),
            (ROBERT, CORNER, "Where do I live?"),
        ),
        says=("Annecy",),
        never=("Nice",),
    ),
    "both who had the name": Case(
        steps=(
            (BOB, CORNER, "I live in Annecy."),
            (ROBERT, CORNER, "Hello everybody."),
            (BOB_ANEW, CORNER, "I live in Nice."),
            (ZOE, CORNER, "Where does Bob live?"),
        ),
        says=("Nice", "Annecy", "Robert, then called Bob"),
    ),
}

SHARED = {
    "two of a name": Case(
        steps=(
            (LEA_10, CORNER, "I am allergic to nuts."),
            (LEA_11, CORNER, "I am allergic to shellfish."),
            (BOB, CORNER, "Eko, what is Léa allergic to?"),
        ),
        says=("nuts", "shellfish", "called Léa"),
    ),
    "two of a name in French": Case(
        steps=(
            (LEA_10, CORNER, "Je suis allergique aux noix."),
            (LEA_11, CORNER, "Je suis allergique aux crevettes."),
            (BOB, CORNER, "Eko, à quoi Léa est allergique ?"),
        ),
        says=("noix", "crevettes", "s'appellent Léa"),
    ),
    "two of a name in the lobby": Case(
        steps=(
            (LEA_10, LOBBY, "J'habite à Quimper."),
            (LEA_11, LOBBY, "J'habite à Nancy."),
            (BOB, LOBBY, "Eko, où habite Léa ?"),
        ),
        says=("Quimper", "Nancy"),
    ),
    "one of a name asks": Case(
        steps=(
            (LEA_10, CORNER, "I live in Quimper."),
            (LEA_11, CORNER, "I live in Nancy."),
            (LEA_10, CORNER, "Where do I live?"),
        ),
        says=("Quimper",),
        never=("Nancy",),
    ),
    "one of a name has told nothing": Case(
        steps=(
            (LEA_10, CORNER, "I live in Quimper."),
            (LEA_11, CORNER, "Where do I live?"),
        ),
        says=(),
        never=("Quimper",),
    ),
}

_MAX_SAYS = (MAX, direct(MAX), "I live in Toulouse and I play the harp.")
LINKED = {
    "told by the one that enters": Case(
        steps=(
            (TOM, TOM_ALONE, "Hello."),
            _MAX_SAYS,
            Link(MAX, TOM),
            (TOM, TOM_ALONE, "Where do I live?"),
        ),
        says=("Toulouse",),
    ),
    "told by the one that offers": Case(
        steps=(
            (TOM, TOM_ALONE, "Hello."),
            _MAX_SAYS,
            Link(TOM, MAX),
            (TOM, TOM_ALONE, "Where do I live?"),
        ),
        says=("Toulouse",),
    ),
    "in French": Case(
        steps=(
            (TOM, TOM_ALONE, "Je travaille à la mairie de Vannes."),
            (MAX, direct(MAX), "Bonjour."),
            Link(TOM, MAX),
            (MAX, direct(MAX), "Où est-ce que je travaille ?"),
        ),
        says=("Vannes",),
    ),
    "all about me": Case(
        steps=(
            (TOM, TOM_ALONE, "Hello."),
            _MAX_SAYS,
            Link(MAX, TOM),
            (TOM, TOM_ALONE, "What do you know about me?"),
        ),
        says=("Toulouse",),
    ),
    "split again": Case(
        steps=(
            (TOM, TOM_ALONE, "Hello."),
            _MAX_SAYS,
            Link(MAX, TOM),
            (TOM, TOM_ALONE, "Hello again."),
            Split(MAX),
            (TOM, TOM_ALONE, "Where do I live?"),
        ),
        says=(),
        never=("Toulouse",),
    ),
}

CASES = {
    f"{kind}: {name}": case
    for kind, cases in {"renamed": RENAMED, "shared": SHARED, "linked": LINKED}.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_the_pet_without_a_model_tells_people_by_their_accounts(
    tmp_path: Path, case: Case
) -> None:
    """Whatever they are called, and by whom else."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        answer = await after(two_platforms(pet), case.steps)
    assert [one for one in case.says if one not in answer] == [], answer
    assert [one for one in case.never if one in answer] == [], answer


async def told(tmp_path: Path, *steps: Said) -> str:
    """What stands before a scripted model for the last question, its tools' answers included."""
    async with awake(tmp_path) as pet:
        *before, (who, where, question) = steps
        await happened(two_platforms(pet), before)
        pet.model.will(calls(("search_memories", {"query": "Annecy"})), responds("Voilà."))
        await pet.asked(question, who, where)
        return f"{pet.model.told}\n{pet.model.results}"


async def test_a_model_is_told_who_robert_was(tmp_path: Path) -> None:
    """In what the room said."""
    before = await told(
        tmp_path,
        (BOB, CORNER, "I live in Annecy."),
        (ROBERT, CORNER, "Hello everybody."),
        (CARL, CORNER, "Where does Robert live?"),
    )
    (line,) = [one for one in before.splitlines() if "I live in Annecy" in one][:1]
    assert "Robert, then called Bob" in line


async def test_a_model_is_told_that_bob_in_the_words_of_others_is_robert(tmp_path: Path) -> None:
    """Also where they do not say so themselves."""
    before = await told(
        tmp_path,
        (BOB, LOBBY, "Bonjour à tous les amis."),
        (CARL, LOBBY, "Bob a un chalet rouge près d'Annecy."),
        (ROBERT, LOBBY, "Je reviens demain soir."),
        (ZOE, direct(ZOE), "Où est le chalet de Robert ?"),
    )
    assert ", Bob is Robert now): Bob a un chalet rouge près d'Annecy." in before


async def test_nobody_is_told_apart_by_a_name_that_another_has_now(tmp_path: Path) -> None:
    """Bob is not said to be Robert where somebody else is Bob."""
    before = await told(
        tmp_path,
        (BOB, LOBBY, "Bonjour à tous les amis."),
        (ROBERT, LOBBY, "Je reviens demain soir."),
        (BOB_ANEW, LOBBY, "Je suis nouveau ici, bonjour."),
        (CARL, LOBBY, "Bob a un chalet rouge près d'Annecy."),
        (ZOE, direct(ZOE), "Qui a un chalet rouge ?"),
    )
    assert "chalet rouge" in before
    assert "Bob is Robert now" not in before


@pytest.mark.parametrize("name", ["Eko", "**Eko**", "Еко", "~~Eko~~"])
async def test_who_goes_by_the_pets_name_is_marked_where_they_are_quoted(
    tmp_path: Path, name: str
) -> None:
    """As before a model."""
    clock = FrozenClock(NOON)
    impostor = account("66", name)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        answer = await after(
            pet,
            [
                (impostor, CORNER, "I play the harp in Quimper."),
                (ZOE, CORNER, "Who plays the harp?"),
            ],
        )
    assert answer.startswith("~")
    assert "harp in Quimper" in answer
