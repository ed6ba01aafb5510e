"""A note as Obsidian writes it: its properties, its tags, and its words without the signs."""

from datetime import UTC, datetime
from time import perf_counter

import pytest

from memory.rules.notes.markdown import Passage, frontmatter_of, is_tagged, passages_of, tags_of


def plain(text: str) -> list[str]:
    """The paragraphs of a note, whatever heading they are under."""
    return [one for passage in passages_of(text) for one in passage.paragraphs]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("**bold** and *thin* and ~~gone~~ and ==lit==", "bold and thin and gone and lit"),
        ("__bold__ and _thin_, not snake_case_name", "bold and thin, not snake_case_name"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("[[Apples]] and [[Apples|red ones]]", "Apples and red ones"),
        ("[[Apples#Red]] and [[#Below]]", "Apples and Below"),
        ("[a link](https://example.org/x?y=1)", "a link"),
        ("![a picture](pie.png) of ![[pie.png]]pie", "a picture of pie"),
        ("- [ ] buy flour\n- [x] sugar\n1. peel", "buy flour\nsugar\npeel"),
        ("> [!note] Mind\n> the step", "Mind\nthe step"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
        ("run `make` twice", "run make twice"),
        ("seen %%by nobody%% here <!-- nor this -->", "seen here"),
        ("100%% sure", "100%% sure"),
        ("a block ^id-1", "a block"),
        ("tu\u202ern\x1b[31m a\u200bround\x00", "turn[31m around"),
        ("l'été à la plage, œuf", "l'été à la plage, œuf"),
    ],
)
def test_signs_fall_away_and_words_stay(written: str, words: str) -> None:
    """What is laid out is read as it is read aloud."""
    assert plain(written) == [words]


def test_paragraphs_stand_under_their_trail_of_headings() -> None:
    """A heading of the same rank or above ends those below it."""
    text = "top\n# A\none\n## B ##\ntwo\n\nthree\n# C\n### D\nfour"
    assert passages_of(text) == [
        Passage(trail=(), paragraphs=("top",)),
        Passage(trail=("A",), paragraphs=("one",)),
        Passage(trail=("A", "B"), paragraphs=("two", "three")),
        Passage(trail=("C", "D"), paragraphs=("four",)),
    ]


def test_code_is_kept_as_it_is() -> None:
    """With its empty lines and what would be a heading or a tag elsewhere."""
    text = "before\n```python\n# no heading #notag\n\nx = **y**\n```\nafter"
    assert plain(text) == ["before", "# no heading #notag\n\nx = **y**", "after"]
    assert tags_of(text) == frozenset()


def test_a_fence_is_closed_by_its_own_kind_only() -> None:
    """And one that is never closed goes on to the end."""
    assert plain("````\n```\nx\n~~~\n````\nafter") == ["```\nx\n~~~", "after"]
    assert plain("~~~\n# x") == ["# x"]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("---\ntags: [Eko, a/b]\n---\n", {"eko", "a/b"}),
        ("---\ntags: eko, other\n---\n", {"eko", "other"}),
        ("---\ntags: eko other\n---\n", {"eko", "other"}),
        ("---\ntags:\n  - '#eko'\n---\n", {"eko"}),
        ("---\r\ntags: [eko]\r\n---\r\n", {"eko"}),
        ("\ufeff---\ntags: [eko]\n---\n", {"eko"}),
        ("---\ntags: 7\n---\n", {"7"}),
        ("---\ntags: {a: b}\n---\n", set()),
        ("---\ntags: [[a], eko]\n---\n", {"eko"}),
        ("---\n---\n#eko", {"eko"}),
        ("said #Éko/Recettes and #eko-2", {"éko/recettes", "eko-2"}),
        ("# Heading\nissue #12, a#b, http://x/#c, ##d", set()),
        ("`#code` and %%#hidden%%", set()),
        (" ---\ntags: [eko]\n---\n", set()),
    ],
)
def test_tags_are_found_where_obsidian_finds_them(text: str, tags: set[str]) -> None:
    """In the properties and in the text, not in code, comments, links or numbers."""
    assert tags_of(text) == tags


@pytest.mark.parametrize(
    "front",
    ["tags: [", "- a\n- b", "tags: *nothing", "a: " + "[" * 20_000, "x" * 20_000, "!!python/x y"],
)
def test_properties_that_cannot_be_read_are_none(front: str) -> None:
    """The note is still a note, and its text has none of them."""
    text = f"---\n{front}\n---\nApples."
    assert frontmatter_of(text).tags == ()
    assert plain(text) == ["Apples."]


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-01-02T03:04:05+00:00", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-13-45", None),
        ("[2026]", None),
        ("someday", None),
    ],
)
def test_a_date_is_read_where_it_is_one(date: str, moment: datetime | None) -> None:
    """Anything else leaves the time of the file."""
    assert frontmatter_of(f"---\ndate: {date}\n---\n").date == moment


@pytest.mark.parametrize(
    ("tags", "wanted", "is_one"),
    [
        ({"eko"}, "Eko", True),
        ({"eko/recipes"}, "#eko", True),
        ({"ekonomy"}, "eko", False),
        ({"eko"}, "eko/recipes", False),
        ({"eko"}, "", False),
    ],
)
def test_a_tag_has_those_below_it(tags: set[str], wanted: str, *, is_one: bool) -> None:
    """In either case, and no tag is wanted by none."""
    assert is_tagged(frozenset(tags), wanted) is is_one


@pytest.mark.parametrize(
    "sign",
    ["[[", "![[", "[x](", "**a", "__a ", "- ", "> ", "|-", "%%x", "<!--", "`", "\n---", "#a "],
)
def test_no_note_takes_long_to_read(sign: str) -> None:
    """Signs that open and never close are walked through once."""
    started = perf_counter()
    passages_of(sign * 60_000)
    tags_of(sign * 60_000)
    assert perf_counter() - started < 5
