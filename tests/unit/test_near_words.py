"""What is near in meaning to the words of a text."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language import dictionary, synonyms
from memory.language.synonyms import MOST_NEAR, NEAR, TRANSLATED, TURNED, Group, groups, load, near
from memory.language.text import stems
from memory.language.word_lists import NEGATIONS, STOP_WORDS


def _stem(text: str) -> str:
    """The term that a word or an expression of the lexicon stands as."""
    return " ".join(stems(text))


def _words(group: Group) -> list[str]:
    columns = [group.names["fr"], group.names["en"], group.kinds["fr"], group.kinds["en"]]
    return [word for column in columns for word in column]


def _shares(text: str) -> dict[str, float]:
    """Every term near the text, with its largest share."""
    found = [one for terms in near(text).values() for one in terms]
    return dict(sorted(found, key=lambda one: one[1]))


@pytest.fixture
def unread() -> None:
    """The lexicons, as if nobody had looked anything up yet."""
    for read in (synonyms._near, synonyms._dictionaries, dictionary.entry, dictionary.term):
        read.cache_clear()


_WORDS = sorted({word for group in groups() for word in _words(group)})


def test_the_groups_are_many_enough_for_everyday_talk() -> None:
    """Their number is what makes them worth having."""
    assert len(groups()) >= 1_200


def test_every_word_is_written_as_it_is_looked_up() -> None:
    """A slip in the file is found here and not in a look-up that finds nothing."""
    assert [word for word in _WORDS if word != word.strip() or set("\t,;=#|") & set(word)] == []
    assert [word for word in _WORDS if not stems(word)] == []


def test_every_group_has_names_and_says_something() -> None:
    """One word alone is near nothing."""
    assert [group for group in groups() if not any(group.names.values())] == []
    assert [group for group in groups() if len(_words(group)) < 2] == []


def test_no_word_stands_twice_in_a_group() -> None:
    """Two that share a stem meet already."""
    spelt = [list(map(_stem, _words(group))) for group in groups()]
    assert [group for group in spelt if len(set(group)) < len(group)] == []


def test_no_group_stands_twice() -> None:
    """The second would change nothing."""
    assert len({tuple(_words(group)) for group in groups()}) == len(groups())


def test_no_word_of_a_group_is_a_function_word() -> None:
    """Those are in every text, so they say nothing about what it is about."""
    assert set(_WORDS) & (STOP_WORDS | NEGATIONS) == set()


def test_no_expression_of_a_group_is_too_long_to_be_found() -> None:
    """What stands in the file and is never matched would be there for nothing."""
    assert max(len(stems(word)) for word in _WORDS) <= dictionary.LONGEST


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("le matou dort", "chat"),
        ("sa bagnole est rouge", "voiture"),
        ("elle bosse où ?", "travailler"),
        ("il est crevé", "fatigué"),
        ("combien de fric", "thune"),
        ("her kid is ill", "sick"),
        ("the dude over there", "guy"),
        ("he got sacked", "fired"),
    ],
)
def test_another_word_of_the_same_language_is_near(text: str, other: str) -> None:
    """People have several words for what they often talk about."""
    assert _shares(text)[_stem(other)] <= TURNED


@pytest.mark.parametrize(
    ("text", "broader"),
    [
        ("des crevettes", "crustacé"),
        ("does he eat shrimp?", "shellfish"),
        ("elle a un labrador", "chien"),
        ("je vais à Naxos", "Cyclades"),
        ("a trip to Gdansk", "Poland"),
        ("il apprend Rust", "langage de programmation"),
        ("she plays the cello", "instrument"),
    ],
)
def test_what_belongs_to_a_thing_leads_to_it(text: str, broader: str) -> None:
    """Who asks about shrimps may mean what was said about shellfish."""
    assert 0 < _shares(text)[_stem(broader)] <= NEAR


@pytest.mark.parametrize(
    ("text", "narrower"),
    [
        ("allergique aux crustacés", "crevette"),
        ("who has a pet?", "dog"),
        ("les Cyclades", "Naxos"),
        ("who lives in Poland?", "Krakow"),
        ("qui sait souder ?", "métallo"),
        ("une base de données", "Postgres"),
    ],
)
def test_a_thing_leads_to_what_belongs_to_it(text: str, narrower: str) -> None:
    """Who asks where in Poland is answered with Kraków."""
    assert 0 < _shares(text)[_stem(narrower)] <= NEAR


@pytest.mark.parametrize(
    ("text", "beside"),
    [("un voyage à Gdansk", "Varsovie"), ("des crevettes", "huître"), ("il a un hamster", "chien")],
)
def test_two_things_of_one_kind_are_not_near(text: str, beside: str) -> None:
    """A question about Gdańsk is not answered with Warsaw."""
    assert _stem(beside) not in _shares(text)


@pytest.mark.parametrize(
    ("text", "near_it", "far"),
    [
        ("le pain est bon", "baguette", "hurt"),
        ("what a terrible pain", "hurt", "baguette"),
        ("la mer est belle", "océan", "daronne"),
        ("la mère de Léa", "daronne", "océan"),
    ],
)
def test_a_word_of_both_languages_is_read_in_the_one_of_the_text(
    text: str, near_it: str, far: str
) -> None:
    """`pain` is baked in French and felt in English."""
    shares = _shares(text)
    assert _stem(near_it) in shares
    assert _stem(far) not in shares


def test_an_expression_is_near_others_as_a_whole() -> None:
    """Seafood is neither fruit nor the sea."""
    found = near("un plateau de fruits de mer")
    assert _stem("coquillage") in dict(found[_stem("fruits de mer")])
    assert {_stem("fruit"), _stem("mer")} & set(found) == set()


def test_a_translation_counts_more_than_what_is_only_near() -> None:
    """What says the same is better evidence than what resembles it."""
    shares = dict(near("le matou dort")["matou"])
    assert shares[_stem("cat")] == pytest.approx(TRANSLATED)
    assert shares[_stem("chat")] == pytest.approx(TURNED)
    assert shares[_stem("chaton")] <= NEAR


def test_what_may_be_many_things_says_less_of_each() -> None:
    """A fruit is one of twenty, a shellfish one of few."""
    few, many = dict(near("des Cyclades")["cyclad"]), dict(near("a fruit")["fruit"])
    assert few[_stem("Naxos")] > many[_stem("strawberry")]


def test_words_without_anything_near_get_nothing() -> None:
    """Names and signs are looked for as they are."""
    assert near("ok") == near("") == near("👍") == near("42") == near("Zorglub") == {}


@given(st.lists(st.sampled_from(_WORDS) | st.text(max_size=12), max_size=12).map(" ".join))
def test_what_is_near_is_bounded_ordered_and_new(text: str) -> None:
    """At most twelve terms each, the best first, none of them in the text."""
    present, line = set(stems(text)), f" {_stem(text)} "
    for of, terms in near(text).items():
        shares = [share for _, share in terms]
        assert f" {of} " in line
        assert 0 < len(terms) <= MOST_NEAR
        assert len(dict(terms)) == len(terms)
        assert not (present | {of}) & dict(terms).keys()
        assert shares == sorted(shares, reverse=True)
        assert 0 < shares[-1] <= shares[0] <= TRANSLATED


def test_a_pasted_page_is_read_from_its_beginning_only() -> None:
    """However much is pasted, few words are looked up."""
    assert len(near(" ".join(_WORDS))) <= 64


@pytest.mark.usefixtures("unread")
def test_once_loaded_nothing_is_left_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """No look-up waits for a file any more."""
    load()
    monkeypatch.delattr(synonyms, "files")
    assert near("le matou dort") != {}


@pytest.mark.usefixtures("unread")
def test_several_readers_may_be_the_first() -> None:
    """Each finds the same, whoever reads the lexicons."""
    readers = 4
    together = Barrier(readers)

    def first(text: str) -> object:
        together.wait()
        return near(text)

    with ThreadPoolExecutor(readers) as threads:
        found = list(threads.map(first, ["le matou mange un crustacé"] * readers))
    assert found == [near("le matou mange un crustacé")] * readers
