"""Which lines of a preview people mean by what they answer it."""

from dataclasses import replace

import pytest

from memory.model.messages import MessageId
from memory.rules.forgetting.narrowing import (
    Narrowing,
    NotShown,
    ShownRows,
    names_all,
    picked,
    read_narrowing,
    restricts,
)
from memory.rules.forgetting.selector import NamedRows

ONLY = {
    "only the second": (2,),
    "just the first one": (1,),
    "Only 2.": (2,),
    "yes, but only the 2nd please": (2,),
    "no, just #3": (3,),
    "forget only lines 1 and 3": (1, 3),
    "delete 1, 3 & 4": (1, 3, 4),
    "the second one": (2,),
    "2": (2,),
    "nothing but the last one": (-1,),
    "only 2-4": (2, 3, 4),
    "1 to 3": (1, 2, 3),
    "1 to 3 only": (1, 2, 3),
    "just the first two": (1, 2),
    "the last two": (-2, -1),
    "line two only": (2,),
    "only the first, not the second": (1,),
    "1 and 2 but not 3": (1, 2),
    "forget the first and keep the second": (1,),
    "forget the second, keep the rest": (2,),
    "keep all but 2": (2,),
    "don't keep the third": (3,),
    "seulement le deuxième": (2,),
    "que la 2": (2,),
    "juste le premier stp": (1,),
    "oublie uniquement la 1ère et la 3e": (1, 3),
    "n'oublie que le dernier": (-1,),
    "rien que la 2": (2,),
    "le deuxième seulement, s'il te plaît": (2,),
    "oui mais seulement le 2ème": (2,),
    "efface les deux premiers": (1, 2),
    "les 3 derniers": (-3, -2, -1),
    "la deux": (2,),
    "garde tout sauf le 2": (2,),
    "de 2 à 4": (2, 3, 4),
    "pas le premier, seulement le deuxième": (2,),
    "just that second one": (2,),
    "I want to forget only the 2nd": (2,),
    "only the first and the last": (1, -1),
    "oublie le 2 mais pas le 3": (2,),
    "uniquement les lignes 1 et 2": (1, 2),
}

WITHOUT = {
    "not the third": (3,),
    "all but 2": (2,),
    "all but the first two": (1, 2),
    "everything except the first": (1,),
    "yes but not 3": (3,),
    "without 1 and 4": (1, 4),
    "keep the third": (3,),
    "keep only the second": (2,),
    "forget everything, not the third": (3,),
    "don't forget number 2": (2,),
    "not 1, 3 or 4": (1, 3, 4),
    "leave the last one": (-1,),
    "pas le premier": (1,),
    "oui, mais pas le deuxième": (2,),
    "pas la 2 ni la 3": (2, 3),
    "tout sauf le 2": (2,),
    "tous sauf la dernière": (-1,),
    "garde le troisième": (3,),
    "ne garde que le 2": (2,),
    "n'oublie pas la première": (1,),
    "sans le n°3": (3,),
    "à part le premier": (1,),
    "all except for the second": (2,),
    "everything apart from 2": (2,),
    "leave out the third": (3,),
    "all of them but the last": (-1,),
    "laisse la première": (1,),
    "tout sauf le premier et le dernier": (1, -1),
}

ALSO = {
    "also 3": (3,),
    "3 too": (3,),
    "yes, and the third as well": (3,),
    "add 2 and 4": (2, 4),
    "include the last one": (-1,),
    "2, and also 4": (2, 4),
    "also lines 3-4 please": (3, 4),
    "aussi la 3": (3,),
    "la troisième aussi": (3,),
    "oui, et la 2 également": (2,),
    "ajoute la 4 stp": (4,),
    "plus le dernier": (-1,),
}

BESIDES = {
    "also 3, but not 1": Narrowing(also=(3,), without=(1,)),
    "aussi la 3 mais pas la 1": Narrowing(also=(3,), without=(1,)),
    "keep 1, forget 3 too": Narrowing(also=(3,), without=(1,)),
    "only 1, and also 3": Narrowing(only=(1, 3)),
}

NUMBERED = {
    "the second one",
    "2",
    "1 to 3",
    "the last two",
    "1 and 2 but not 3",
    "les 3 derniers",
    "la deux",
    "de 2 à 4",
}

NEITHER = [
    "",
    "yes",
    "oui",
    "no",
    "non, pas du tout",
    "all of it",
    "tout",
    "both",
    "les deux",
    "forget the two",
    "only the one about Bob",
    "not the one with my address",
    "not only the second",
    "the second world war",
    "2 minutes",
    "4471",
    "only 4471",
    "just kidding",
    "only if it can be undone",
    "the second to last",
    "l'avant-dernier",
    "the first and foremost reason",
    "all 3",
    "first second",
    "only the first, not the first",
    "que sais-tu de moi ?",
    "1 " * 150,
    "only 1-99",
]


@pytest.mark.parametrize(("said", "lines"), ONLY.items())
def test_lines_that_alone_are_to_go_are_read(said: str, lines: tuple[int, ...]) -> None:
    """By their numbers, in figures and words, of two languages."""
    found = read_narrowing(said)
    assert found is not None
    assert replace(found, only_numbered=False) == Narrowing(only=lines)


@pytest.mark.parametrize("said", ONLY)
def test_a_number_alone_does_not_say_that_the_others_stay(said: str) -> None:
    """Words like "only" and "forget" do."""
    found = read_narrowing(said)
    assert found is not None
    assert found.only_numbered == (said in NUMBERED)


@pytest.mark.parametrize(("said", "lines"), ALSO.items())
def test_lines_that_are_to_go_as_well_are_read(said: str, lines: tuple[int, ...]) -> None:
    """Beside those that were to go already."""
    assert read_narrowing(said) == Narrowing(also=lines)


@pytest.mark.parametrize(("said", "narrowing"), BESIDES.items())
def test_some_may_go_and_others_stay(said: str, narrowing: Narrowing) -> None:
    """In one message."""
    assert read_narrowing(said) == narrowing


@pytest.mark.parametrize("said", ["all of them", "yes, both", "oui, toutes", "les deux", "tout"])
def test_all_lines_can_be_meant(said: str) -> None:
    """Where that is all that is said."""
    assert names_all(said)


@pytest.mark.parametrize("said", ["", "yes", "all but 2", "all about Bob", "tout sauf ça", "2"])
def test_what_leaves_something_out_does_not_mean_all(said: str) -> None:
    """Nor what says anything besides."""
    assert not names_all(said)


@pytest.mark.parametrize(("said", "lines"), WITHOUT.items())
def test_lines_that_are_to_stay_are_read(said: str, lines: tuple[int, ...]) -> None:
    """Whatever else was shown goes."""
    assert read_narrowing(said) == Narrowing(without=lines)


@pytest.mark.parametrize("said", NEITHER)
def test_what_says_anything_else_names_no_lines(said: str) -> None:
    """Nor what could mean either."""
    assert read_narrowing(said) is None


def line(number: int) -> NamedRows:
    """A line that is one message."""
    return NamedRows(messages=frozenset({MessageId(number)}))


def test_only_lines_that_were_shown_are_picked() -> None:
    """From either end."""
    shown = [line(11), line(12), line(13)]
    assert picked([2, -1], shown) == line(12) | line(13)
    for number, lines in ((4, shown), (0, shown), (-4, shown), (1, [])):
        with pytest.raises(NotShown):
            picked([number], lines)


def test_what_was_only_offered_comes_after_what_goes() -> None:
    """So a line is one of either by its number, from either end."""
    shown = ShownRows(goes=(line(11), line(12)), offered=(line(13),))
    assert picked([3], shown.every) == line(13)
    assert shown.were_offered([3])
    assert shown.were_offered([-1])
    assert not shown.were_offered([2, 3])
    assert not ShownRows(goes=(line(11),)).were_offered([-1])


@pytest.mark.parametrize("said", ["yes, but not the one about Bob", "oui, sauf mon adresse"])
def test_an_assent_that_leaves_something_out_is_none_to_all(said: str) -> None:
    """However it puts it."""
    assert restricts(said)


@pytest.mark.parametrize("said", ["yes", "oui, vas-y", "ok, just do it", "oui, pas de souci"])
def test_a_plain_assent_leaves_nothing_out(said: str) -> None:
    """It may be put kindly."""
    assert not restricts(said)
