"""Which sentences say that somebody goes by another name."""

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.names import name_key
from memory.statements.readings.alias import StatedAlias, stated_aliases

ENOUGH_S = 2.0
"""Seconds of the processor: a rule that runs away takes hours."""


def _pairs(content: str) -> list[tuple[str, str | None]]:
    return [(one.name, one.other) for one in stated_aliases(content)]


@pytest.mark.parametrize(
    ("content", "name", "other"),
    [
        ("dev = Mickael", "dev", "Mickael"),
        ("dev=Mickael", "dev", "Mickael"),
        ("@dev = Mickaël", "dev", "Mickaël"),
        ("Mickael, alias dev", "dev", "Mickael"),
        ("Mickael alias dev est développeur à Lyon", "dev", "Mickael"),
        ("dev alias Mickael", "dev", "Mickael"),
        ("Mickael (alias dev) habite à Lyon", "dev", "Mickael"),
        ("Mickael aka dev", "dev", "Mickael"),
        ("Mickael, also known as dev, lives in Lyon", "dev", "Mickael"),
        ("Jean Dupont, dit Jeannot", "Jeannot", "Jean Dupont"),
        ("tout le monde appelle Mickael Micka", "Micka", "Mickael"),
        ("ses potes surnomment Mickael Micka", "Micka", "Mickael"),
        ("on appelle Mickael « le chef » ici", "le chef", "Mickael"),
        ("everyone calls Michael Mike", "Mike", "Michael"),
        ("people call Michael Mike.", "Mike", "Michael"),
        ("Mickael goes by dev", "dev", "Mickael"),
        ("Mickael goes by the nickname of dev", "dev", "Mickael"),
        ("Mickael's nickname is dev", "dev", "Mickael"),
        ("Mickael’s handle on IRC is dev_42", "dev_42", "Mickael"),
        ("the nickname of Mickael is dev", "dev", "Mickael"),
        ("Le pseudo de Mickael est dev", "dev", "Mickael"),
        ("le pseudo discord de Mickael c'est dev", "dev", "Mickael"),
        ("le surnom d'Alex c'est Lex", "Lex", "Alex"),
        ("dev est le pseudo de Mickael", "dev", "Mickael"),
        ("dev is Mickael's nickname", "dev", "Mickael"),
        ("dev is short for Mickael", "dev", "Mickael"),
        ('David est surnommé "le boss"', "le boss", "David"),
        ("David est connu sous le nom de dd", "dd", "David"),
        ("On peut appeler David Dav", "Dav", "David"),
        ("David can be called Dav", "Dav", "David"),
        ("dev s'appelle Mickael", "Mickael", "dev"),
        ("David s'appelle en vrai David Martin", "David Martin", "David"),
        ("dev's real name is Mickael", "Mickael", "dev"),
        ("le vrai nom de dev est Mickael", "Mickael", "dev"),
        ("David prefers to be called Dav", "Dav", "David"),
        ("David aime être appelé Dav", "Dav", "David"),
    ],
)  # fmt: skip
def test_a_statement_gives_two_names(content: str, name: str, other: str) -> None:
    """Whichever way round it says so, in French or in English."""
    assert stated_aliases(content) == (StatedAlias(name=name, other=other),)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("on m'appelle Dédé", "Dédé"),
        ("on m appelle Dédé", "Dédé"),
        ("tout le monde m'appelle Dédé", "Dédé"),
        ("mes potes m’appellent Dédé", "Dédé"),
        ("appelle-moi Zoé", "Zoé"),
        ("appelle moi Zoé stp", None),
        ("appelez-moi Zoé", "Zoé"),
        ("tu peux m'appeler Zed", "Zed"),
        ("je m'appelle Robert", "Robert"),
        ("je mappelle Robert", "Robert"),
        ("moi c'est Robert", "Robert"),
        ("mon pseudo c'est zed", "zed"),
        ("mon pseudo est zed_42 sur IRC", "zed_42"),
        ("mon surnom c'est Zed et j'habite à Lyon", "Zed"),
        ("call me Zed", "Zed"),
        ('please call me "zed"', "zed"),
        ("you can call me Zed.", "Zed"),
        ("my friends call me Zed", "Zed"),
        ("I go by Zed", "Zed"),
        ("my nickname is zed", "zed"),
        ("my name is Robert", "Robert"),
        ("my handle on discord is zed", "zed"),
    ],
)  # fmt: skip
def test_people_say_what_they_are_called(content: str, name: str | None) -> None:
    """The other name is then the speaker's; what does not end there may be anything."""
    assert _pairs(content) == ([] if name is None else [(name, None)])


@pytest.mark.parametrize("content", ["dev is Mickael", "dev c'est Mickael", "dev est Mickael"])
def test_to_be_somebody_is_believed_of_known_people_only(content: str) -> None:
    """The form is that of "Rust is Mozilla"."""
    assert stated_aliases(content) == (StatedAlias(name="dev", other="Mickael", sure=False),)


@pytest.mark.parametrize(
    "content",
    [
        "Paris is great",
        "dev is hard",
        "le dev c'est dur",
        "c'est Mickael qui l'a dit",
        "dev c'est Mickael qui l'a fait",
        "C'est Mickael",
        "It is Mickael",
        "he is Mickael",
        "David is French",
        "David est fatigué",
        "David is the best",
        "David is called the best",
        "on appelle David demain",
        "on appelle David Lundi",
        "appelle Mickael demain",
        "tout le monde appelle David quand ça plante",
        "everyone calls David crazy",
        "David called Léa",
        "David appelle Léa",
        "I call David Mondays",
        "call me tomorrow",
        "call me back",
        "call me Monday",
        "call me Maybe",
        "call me when Zed is there",
        "appelle-moi demain",
        "appelle-moi quand tu peux",
        "je m'appelle pas David",
        "David goes by train",
        "David goes by bike to work",
        "David's nickname is funny",
        "David's nickname is a secret",
        "le surnom de David est ridicule",
        "mon pseudo est nul",
        "my nickname is secret",
        "my name is on the list",
        "mon nom est sur la liste",
        "David's name is on the list",
        "le nom du chat est Rex",
        "Mon chat s'appelle Rex",
        "mon frère s'appelle Paul",
        "my friend's name is Léa",
        "Elle s'appelle Léa",
        "Ça s'appelle Python",
        "This is called Python",
        "Le projet s'appelle Eko",
        "La soeur de David s'appelle Léa",
        "le nom de la mère de David est Anne",
        "the name of David's dog is Rex",
        "Rex est le nom du chat de David",
        "David's cat is called Rex",
        "x = 5",
        "2 + 2 = 4",
        "a == b",
        "David dit bonjour",
        "David, dit bonjour",
        "l'alias de git est g",
        "alias ls='ls -la'",
        "David = David",
        "Mickael aka mickaël",
        "David aime Lyon",
        "",
        "= = =",
        "'s nickname is",
        "😀 = 😀",
    ],
)
def test_other_sentences_give_none(content: str) -> None:
    """A wrong alias would fetch somebody else's memories for years."""
    assert stated_aliases(content) == ()


@given(st.text(max_size=200))
def test_any_text_is_read(content: str) -> None:
    """What comes out are two different names."""
    for one in stated_aliases(content):
        assert name_key(one.name)
        assert name_key(one.name) != name_key(one.other or "")


@pytest.mark.parametrize(
    "content", ["1" * 400, "A_" * 200, "David " * 60 + "is", "is = " * 80, "A B C is " * 45]
)
def test_hostile_texts_take_no_time(content: str) -> None:
    """The rules run while the database is being written, so none may run away."""
    started = thread_time()
    stated_aliases(content)
    assert thread_time() - started < ENOUGH_S


def test_a_name_is_looked_up_by_its_folded_words() -> None:
    """Accents, case, signs and hyphens are no part of it; a whole sentence is no name."""
    assert name_key("✨Jean-Luc É.✨") == "jean luc e"
    assert not name_key("✨")
    assert not name_key("one two three four")
