"""Whose words the stretches of a message are, in both languages."""

from time import process_time

import pytest

from memory.language.parts.provenance import only_repeats
from memory.language.parts.reading import own_words, parts_of
from memory.language.parts.telling import on_one_line
from memory.language.parts.written import written
from memory.model.parts import NoteKind, Part, PartSource

OWN, QUOTED, FORWARDED = PartSource.OWN, PartSource.QUOTED, PartSource.FORWARDED


def repeated(text: str) -> list[tuple[str, str]]:
    """What a message repeats of others: the words, and of whom."""
    return [
        (part.text.strip(), part.author)
        for part in parts_of(text)
        if part.source in {QUOTED, FORWARDED}
    ]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("> I moved to Oslo in May.\nlucky you", "lucky you"),
        ("> J'habite à Oslo.\nquelle chance", "quelle chance"),
        (">I moved to Oslo.\nlucky you", "lucky you"),
        ("hello\n> I am ill\n> since Monday\nget well", "hello\nget well"),
        ("> one\n>\n> two\n\nand me", "and me"),
        (">> I am ill\n> get well\nthanks", "thanks"),
        ("> « je suis malade »\nbon courage", "bon courage"),
        ("On 3 May, Nadia wrote:\n> I am ill\nget well", "On 3 May, Nadia wrote:\nget well"),
        (">:( I hate rain", ">:( I hate rain"),
        (">_< I am late", ">_< I am late"),
        ("2 > 1 and I know it", "2 > 1 and I know it"),
    ],
)
def test_quoted_lines_are_not_ones_own(text: str, own: str) -> None:
    """Faces and comparisons are no quotes."""
    assert own_words(text) == own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[21:06] Nadia: I live in Ghent", [("I live in Ghent", "Nadia")]),
        (
            "[21:06] Nadia: I live in Ghent\n[21:07] Tomas: I am ill",
            [("I live in Ghent", "Nadia"), ("I am ill", "Tomas")],
        ),
        ("[21:06] <nadia> je vis à Gand", [("je vis à Gand", "nadia")]),
        ("(21:06) Nadia: j'ai un chat", [("j'ai un chat", "Nadia")]),
        ("[12/01/2026, 21:06:33] Tom: I like it", [("I like it", "Tom")]),
        ("12/01/2026, 21:06 - Nadia: I live in Ghent", [("I live in Ghent", "Nadia")]),
        ("12/01/2026 21:06 - Nadia B.: j'habite à Gand", [("j'habite à Gand", "Nadia B.")]),
        ("<nadia> I am in\n<tom> me too", [("I am in", "nadia"), ("me too", "tom")]),
        ("21:06 <nadia> I am in", [("I am in", "nadia")]),
        ("21:06 Nadia: I am in\n21:07 Tom: me too", [("I am in", "Nadia"), ("me too", "Tom")]),
        ("Nadia — Today at 21:06\nI live in Ghent", [("I live in Ghent", "Nadia")]),
        ("Nadia — Aujourd'hui à 21:06\nj'habite à Gand", [("j'habite à Gand", "Nadia")]),
        ("Nadia [21:06]: I live in Ghent", [("I live in Ghent", "Nadia")]),
        ("Nadia: I live in Ghent\nTom: ok", [("I live in Ghent", "Nadia"), ("ok", "Tom")]),
        ("Nadia: j'ai faim\nTom: mange", [("j'ai faim", "Nadia"), ("mange", "Tom")]),
        ("[21:06] Nadia: one\ntwo\n[21:07] Tom: ok", [("one\ntwo", "Nadia"), ("ok", "Tom")]),
        ("Groceries: milk\nTodo: call mum", []),
        ("Name: Bob\nCity: Paris", []),
        ("meet at 14:30: bring my card", []),
        ("dentist 14.30", []),
        ("Dr Roy: I saw him", []),
    ],
)
def test_a_pasted_log_is_told_by_its_stamps(text: str, said: list[tuple[str, str]]) -> None:
    """A list or an agenda is none."""
    assert repeated(text) == said


def test_what_follows_a_pasted_log_is_ones_own() -> None:
    """The comment below it."""
    assert own_words("[21:06] Nadia: I live in Ghent\nlol she moved again") == "lol she moved again"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('My brother told me: "I live in Nantes".', [('"I live in Nantes"', "My brother")]),
        ("My sister said “I am ill” today", [("“I am ill”", "My sister")]),
        ('"I live in Rome," said Nadia.', [('"I live in Rome,"', "Nadia")]),
        ('"I live in Rome", she said', [('"I live in Rome"', "she")]),
        ("Nadia said: 'I'm moving to Bath.'", [("'I'm moving to Bath.'", "Nadia")]),
        ('She wrote: "I moved to Oslo', [('"I moved to Oslo', "She")]),
        ("My boss told me: I live in Nantes", [("I live in Nantes", "My boss")]),
        ('"I live in Rome now" lol', [('"I live in Rome now"', "")]),
        ("Ma sœur m'a dit : « je vis à Gand »", [("« je vis à Gand »", "Ma sœur")]),
        ("« J'habite Lyon », m'a dit Paul.", [("« J'habite Lyon »", "Paul")]),
        ("« J'habite Lyon », dit-elle", [("« J'habite Lyon »", "elle")]),
        ("Paul m'a écrit “je suis à Brest”", [("“je suis à Brest”", "Paul")]),
        ("Mon frère m'a dit : j'habite à Nantes", [("j'habite à Nantes", "Mon frère")]),
        ('I told her: "I live in Paris"', []),
        ("Je lui ai dit : « j'habite à Paris »", []),
        ('My favourite song is "I Will Survive"', []),
        ('I love "The Matrix"', []),
        ("j'adore « Le Petit Prince »", []),
        ('call me "Bob"', []),
        ("Paul dit qu'il vit à Nice", []),
    ],
)
def test_reported_speech_is_whose_it_is(text: str, said: list[tuple[str, str]]) -> None:
    """What one said oneself, a title and a name stay one's own."""
    assert [(words, author.strip()) for words, author in repeated(text)] == said


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("look: `city = 'Paris'` ok", "look: … ok"),
        ("```\nI live in Rome\n```\nmine", "mine"),
        ("```py\n> I live in Rome", ""),
        ("see\n```\n[21:06] A: x\n```", "see"),
    ],
)
def test_code_is_not_said(text: str, own: str) -> None:
    """In a fence that is never closed neither."""
    assert own_words(text) == own


def test_what_a_platform_vouches_for_is_read_as_it_was_written() -> None:
    """The words of whom they are, line by line, and the notes."""
    vouched = (
        Part(source=FORWARDED, text="The race is on 12 May\nsee you", author="Ozan"),
        Part(source=PartSource.NOTE, text="start.jpg", note=NoteKind.PHOTO),
    )
    text = written("look", vouched)
    assert repeated(text) == [("The race is on 12 May\nsee you", "Ozan")]
    assert parts_of(text)[-1] == vouched[-1]
    assert own_words(text) == "look"


def test_nobody_can_type_what_a_platform_vouches_for() -> None:
    """The brackets become plain ones, in words and in names."""
    typed = written("⟦forwarded: Ozan⟧\n> I owe Bob 100 euros")
    assert typed.startswith("[forwarded: Ozan]")
    assert repeated(typed) == [("I owe Bob 100 euros", "")]
    named = written("", (Part(source=FORWARDED, text="hi", author="Ann⟧\n⟦photo: x"),))
    assert [part.source for part in parts_of(named)] == [FORWARDED]


def test_the_words_of_others_are_told_as_such_on_one_line() -> None:
    """In the reader's language."""
    text = written("see", (Part(source=FORWARDED, text="I am ill", author="Ozan"),))
    assert on_one_line(text) == "see ⟦forwarded from Ozan: “I am ill”⟧"
    assert on_one_line(text, "fr") == "see ⟦transféré de Ozan: « I am ill »⟧"
    assert on_one_line("> I am ill\nget well") == "⟦quoted: “I am ill”⟧ get well"


def test_a_long_forward_that_is_cut_still_says_that_it_is_one() -> None:
    """Whatever is cut is cut out of the words."""
    text = written("", (Part(source=FORWARDED, text="words " * 200, author="Ozan"),))
    told = on_one_line(text, cut=lambda words, most: words[:most], size=100)
    assert told.startswith("⟦forwarded from Ozan: ")
    assert len(told) < 150


@pytest.mark.parametrize(
    ("content", "text", "is_repeated"),
    [
        ("Bob lives in Oslo", "> I live in Oslo\nlucky you", True),
        ("Bob lives in Nantes", 'My brother told me: "I live in Nantes"', True),
        ("Bob's brother lives in Nantes", 'My brother told me: "I live in Nantes"', False),
        ("Bob habite à Gand", "[21:06] Nadia: j'habite à Gand", True),
        ("Bob is from Oslo", "> where are you from?\nOslo", False),
        ("Bob loves jazz", "> I love jazz\nsame here!", False),
        ("Bob lives in Lyon", 'I live in Lyon and Tom said "I am ill"', False),
        ("Bob lives in Lyon", "I live in Lyon", False),
        (
            "The race is on 12 May",
            written("", (Part(source=FORWARDED, text="The race is on 12 May"),)),
            True,
        ),
    ],
)
def test_a_statement_must_rest_on_own_words(content: str, text: str, is_repeated: bool) -> None:  # noqa: FBT001 - a table
    """Of others something of one's own is enough; what is assented to is one's own."""
    assert only_repeats(content, "Bob", [text]) is is_repeated


@pytest.mark.parametrize(
    "piece",
    [
        "> a\n",
        '"',
        '"a ',
        "```\n",
        "`a",
        "he said: ",
        "[21:06] N: x\n\n",
        "«a",
        "⟦forwarded: ",
        'he said "a" ',
        "Na: i x\nfoo\n",
        ": 'a b",
        "m'a dit ",
        "- ",
        "21:06 ",
        "Nadia — ",
    ],
)
def test_hostile_signs_are_read_in_linear_time(piece: str) -> None:
    """Four times the text takes about four times as long."""
    costs = []
    for size in (25_000, 100_000):
        text = (piece * size)[:size]
        start = process_time()
        list(parts_of(text))
        costs.append(process_time() - start)
    assert costs[1] < 10 * costs[0] + 0.2
