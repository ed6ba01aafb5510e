"""A capability closes what it makes void and nothing that merely resembles it."""

from datetime import timedelta
from uuid import UUID

import pytest

from memory.learning.fulfilled_requests import closes, may_close
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from tests.cast import NOON

ORIGIN = Origin(visibility=Visibility.EVERYONE)


def kept(content: str, category: str = "limitation") -> Memory:
    """A limitation, or a request, that is there already."""
    return Memory(
        id=MemoryId(UUID(int=1)),
        store=Store.SELF if category == "limitation" else Store.GOALS,
        content=content,
        memory_type=MemoryType.OBSERVATION,
        category=category,
        subjects=(),
        importance=0.5,
        source=Source.CONVERSATION,
        said_by=None,
        author=None,
        about_person=None,
        origin=ORIGIN,
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
    )


@pytest.mark.parametrize(
    ("capability", "limitation"),
    [
        ("I can now see images", "I cannot see images"),
        ("I can see images", "I can't see images yet"),
        ("I am able to see images since yesterday", "I am not able to see images"),
        ("I have learned to see images", "I'm unable to see images"),
        ("I know how to play music", "I don't know how to play music"),
        ("I can see images thanks to Mickael", "I can no longer see images"),
        ("I can see images but I cannot see videos", "I cannot see images"),
        ("I can see images and videos", "I cannot see videos or images"),
        ("I can look at the internet now", "I only know the lobby; I cannot look at the internet."),
        ("je peux voir les images maintenant", "je ne peux pas voir les images"),
        ("Je sais désormais lire les images", "Je ne sais pas lire les images"),
        ("Je peux voir des images", "je peux pas voir les images"),
        ("Je suis enfin capable de voir les images", "Il m'est impossible de voir les images"),
        ("J'ai accès à internet depuis hier", "Je n'ai pas accès à internet"),
        ("Je parviens à voir les images", "je n'arrive plus à voir les images"),
    ],
)
def test_what_can_be_done_closes_what_could_not(capability: str, limitation: str) -> None:
    """However either is put, in French and in English."""
    assert closes(capability, kept(limitation))


@pytest.mark.parametrize(
    ("capability", "request_"),
    [
        ("I can see images", "I would like to be able to see images"),
        ("I can see images", "I wish I could see images"),
        ("I can see images", "see images"),
        ("I can see images", "I'd like to see images: people post many of them"),
        ("je peux voir les images maintenant", "j'aimerais pouvoir voir des images"),
        ("Je sais jouer de la musique", "apprendre à jouer de la musique"),
        ("Je peux lire les images", "Je voudrais savoir lire les images, maintenant"),
    ],
)
def test_what_can_be_done_closes_the_wish_for_it(capability: str, request_: str) -> None:
    """The wish is granted."""
    assert closes(capability, kept(request_, "capability_request"))


@pytest.mark.parametrize(
    ("capability", "old", "category"),
    [
        ("Je peux lire les fichiers PDF", "I cannot read PDF files", "limitation"),
        ("Je peux supprimer des messages", "I cannot delete messages", "limitation"),
        ("I can read PDF files", "Je ne peux pas lire les fichiers PDF", "limitation"),
        ("I can draw pictures", "J'aimerais pouvoir dessiner des images", "capability_request"),
    ],
)
def test_it_closes_what_is_told_in_the_other_language(
    capability: str, old: str, category: str
) -> None:
    """Word for word: each has its translation on the other side."""
    assert closes(capability, kept(old, category))


@pytest.mark.parametrize(
    ("capability", "old"),
    [
        ("I can look at pictures", "I cannot look at the internet"),
        ("Je peux regarder les images", "I cannot look at the internet"),
        ("I can read PDF files", "Je ne peux pas écrire des fichiers PDF"),
        ("Je peux lire les notes", "I cannot write notes"),
        ("Je peux voir les images", "I cannot draw pictures"),
        ("I can look at pictures", "Je ne peux pas regarder les vidéos"),
        ("I can delete my own messages", "Je ne peux pas supprimer les messages des autres"),
        ("I can write in voice channels", "Je ne peux pas parler dans les salons vocaux"),
        ("Je peux chercher une image sur le web", "I cannot search the web"),
        ("I can see images", "Je ne peux pas voir les images de plus de 5 Mo"),
        ("Je peux écouter la musique", "Je ne peux pas jouer de musique"),
        ("I can read voice messages aloud", "Je ne peux pas lire les messages vocaux"),
    ],
)
def test_what_is_near_in_meaning_stays(capability: str, old: str) -> None:
    """An embedder calls most of these nearer than what is the same in other words."""
    assert not closes(capability, kept(old))


@pytest.mark.parametrize(
    ("capability", "old"),
    [
        ("I can see images", "I cannot play music"),
        ("I can see images", "I cannot send images"),
        ("I can see images", "I cannot see images and videos"),
        ("I can see images", "I cannot see images over 5 MB"),
        ("I can see images", "I cannot see"),
        ("I can see images of cats", "I cannot see images"),
        ("I can only see images", "I cannot see images"),
        ("I can see images", "I cannot see images; I cannot hear voices"),
        ("I can no longer see images", "I cannot see images"),
        ("I am unable to see images", "I cannot see images"),
        ("I can", "I cannot"),
        ("je peux voir les images", "je ne peux pas jouer de musique"),
        ("je peux voir les images", "je ne peux voir que les images"),
        ("je ne peux plus voir les images", "je ne peux pas voir les images"),
        ("je peux voir les images", "je ne peux pas voir les images ni les vidéos"),
        ("", "I cannot see images"),
    ],
)
def test_what_both_may_be_true_stays(capability: str, old: str) -> None:
    """Another ability, a narrower one, or no ability at all closes nothing."""
    assert not closes(capability, kept(old))


@pytest.mark.parametrize(
    "request_",
    ["I would like to hear voices", "I would like to see images. I want to hear voices.", "…"],
)
def test_a_wish_that_is_not_granted_whole_stays(request_: str) -> None:
    """Half of it is still wished for."""
    assert not closes("I can see images", kept(request_, "capability_request"))


def said(category: str = "capability", **fields: object) -> NewMemory:
    """Something new about the pet."""
    given: dict[str, object] = {
        "store": Store.SELF,
        "content": "I can see images",
        "origin": ORIGIN,
        "source": Source.CONVERSATION,
        "category": category,
        **fields,
    }
    return NewMemory(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("new", "may"),
    [(said(), True), (said("preference"), False), (said(ttl=timedelta(hours=1)), False)],
)
def test_only_a_lasting_capability_closes(new: NewMemory, may: bool) -> None:  # noqa: FBT001
    """An hour of sight is no reason to forget blindness."""
    assert may_close(new) is may
