from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from bot.commands.syntax import name_in
from bot.conversation.emoji import ends_with_emoji, is_one_emoji
from bot.conversation.splitting import cut, quiet_mentions
from bot.conversation.wording import clean
from bot.llm.offline import intent
from bot.llm.offline.understanding import Spoken
from bot.texts.sanitizing import extract, name_of
from config.redaction import masked
from memory.language.detection import negated, nothing_to_look_up, told_language
from memory.language.expressions import LONGEST_READ, LONGEST_SENTENCE, SentencePattern, read_part
from memory.language.names import name_keys, names_in, names_speaker
from memory.language.questions.open import asks_the_past, open_question
from memory.language.text import proper_nouns, stems
from memory.language.times.absolute import dated
from memory.language.times.parser import read_times
from memory.learning.kept_texts import pieces
from memory.retrieval.rendering import without_fences
from memory.rules.notes.markdown import passages_of
from memory.statements.extraction.finder import find_statements
from memory.statements.readings.alias import stated_aliases
from memory.statements.readings.attribute import attribute_of, denied_attribute_of
from memory.statements.readings.capability import gained, runs_into
from memory.statements.readings.causality import causal_links_in
from memory.statements.readings.decision import choice_of, is_correction
from memory.statements.readings.symptom import symptom_of
from tests.adversary import PUMPS
from tests.processor_limit import processor_s

NOW = datetime(2026, 2, 3, 12, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Paris")
NAMES = ("Léa", "Will", "Me", "David Dupont")
LENGTH = 20_000

MOST_S = 1.0
"""Processor seconds for one text: ten times the slowest here; the fault took five."""

SAID = (
    *("I live in Paris. ", "J'aime le thé. ", "because ", "le 3 mai ", "hier ", "@Bob, ", "# h\n"),
    *("Eko forget that ", "we will use Foo instead ", '"a b" ', "Me Will ", "[a](b) ", "| a |\n"),
)
TEXTS = (
    f"I live in Paris{' ' * (LENGTH - 100)}x",
    *(pump * (LENGTH // len(pump)) + "\0" for pump in (*PUMPS, *SAID)),
)

READERS: dict[str, Callable[[str], object]] = {
    "statements": lambda text: find_statements(text, "Léa", NOW, NAMES),
    "intent": lambda text: intent.read(
        Spoken(text=text, speaker="Léa", said_at=NOW), called=["Eko"], locale="en"
    ),
    "dates": lambda text: dated(text, NOW, "fr"),
    "times": lambda text: read_times(text, NOW, ZONE),
    "questions": lambda text: open_question(text, NOW, ZONE, people=NAMES, pet=["Eko"]),
    "names": lambda text: (names_in(text, NAMES), names_speaker(text), name_keys(text)),
    "words": lambda text: (stems(text), proper_nouns(text), told_language(text), negated(text)),
    "small talk": nothing_to_look_up,
    "the past": asks_the_past,
    "attributes": lambda text: (attribute_of(text), denied_attribute_of(text)),
    "aliases": stated_aliases,
    "decisions": lambda text: (is_correction(text), choice_of(text)),
    "causes": causal_links_in,
    "abilities": lambda text: (gained(text), runs_into(text, "I cannot see pictures")),
    "symptoms": symptom_of,
    "notes": passages_of,
    "kept texts": pieces,
    "parts of a reply": lambda text: (cut(text, 2000), quiet_mentions(text)),
    "emoji": lambda text: (is_one_emoji(text), ends_with_emoji(text)),
    "commands": name_in,
    "what is shown": lambda text: (extract(text), name_of(text), without_fences(text)),
    "what comes in": clean,
    "secrets": masked,
}


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_is_held_by_a_hostile_text(reader: str) -> None:
    """Whatever a stranger writes, in one message of the longest kind."""
    read = READERS[reader]
    read("hello")  # what is read from files once is no text's fault
    slow = [text[:20] for text in TEXTS if processor_s(partial(read, text), MOST_S) >= MOST_S]
    assert slow == []


def test_rules_read_a_text_up_to_a_word() -> None:
    """What does not fit is left out whole; one endless word is cut."""
    assert read_part("one two three", 8) == "one two"
    assert read_part("one two three", 7) == "one two"
    assert read_part("one two three", 13) == "one two three"
    assert read_part("a" * 20, 8) == "a" * 8
    assert len(read_part("word " * LONGEST_READ)) <= LONGEST_READ


def test_a_rule_of_grammar_declines_what_is_no_sentence() -> None:
    """It finds nothing, and changes nothing."""
    rule = SentencePattern(r"\s*x")
    sentence, longer = (" " * (size - 1) + "x" for size in (LONGEST_SENTENCE, LONGEST_SENTENCE + 1))
    for find in (rule.match, rule.fullmatch, rule.search):
        assert find(sentence) is not None
        assert find(longer) is None
    assert (rule.sub("", sentence), rule.sub("", longer)) == ("", longer)
    assert (rule.findall(longer), list(rule.finditer(longer)), rule.split(longer)) == (
        [],
        [],
        [longer],
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"I live in Paris{' ' * 19_900}x", f"I live in Paris{' ' * 32}x"),
        (f"a{chr(0xA0) * 900}b", f"a{chr(0xA0) * 32}b"),
        (f"a{' ' * 900}\n{' ' * 900}b", f"a{' ' * 32}b".replace(" " * 32, "\n")),
        ("def f():\n        return 1\n\n\ndone", "def f():\n        return 1\n\n\ndone"),
    ],
)
def test_long_runs_of_blanks_are_cut_on_arrival(said: str, kept: str) -> None:
    """A line still breaks where it broke, and code keeps its indentation."""
    assert clean(said) == kept
