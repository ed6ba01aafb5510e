"""What a reply rests on, in the words of the command line."""

from typing import Any

import pytest

from bot.topics.answers.reasons import (
    SIGNALS,
    because,
    found_by,
    origin,
    print_answer,
    reason,
    sentence,
)
from bot.topics.answers.why import hyphenated
from memory.model.retrieval import Company
from memory.retrieval.query import Query
from memory.retrieval.scoring import scored
from memory.retrieval.weights import Weights

ROW: dict[str, Any] = {
    "state": "known",
    "content": "Mickael habite à Athènes",
    "said_by": "Mickael",
    "where": "in lobby",
    "at": "2026-01-14T12:00:00+00:00",
    "age": "3 days ago",
    "kind": "fact",
    "source": "digest",
    "edited": False,
    "section": "memory",
    "ref": "memory:1@1",
    "why": "words",
    "confidence": 0.83,
    "score": 1.02,
    "worth": 1.1,
    "proven": False,
    "duplicate": False,
    "signals": {"meaning": 0.12, "words": 0.62},
    "words": ["habite", "mickael"],
    "sources": {"memory_vector": 3, "memory_text": 1},
    "told": [],
}
GONE = {**ROW, "content": "", "said_by": None, "where": "", "at": None, "age": None}


def test_a_row_is_told_with_its_source() -> None:
    """The sentence; who said it, where, when and what it was learnt from."""
    assert sentence(ROW) == "Mickael habite à Athènes"
    assert origin(ROW) == "said by Mickael, in lobby, 3 days ago, 2026-01-14T12:00, digest"
    talk = {**ROW, "kind": "exchange", "where": "", "source": "chat"}
    assert origin(talk) == "between Mickael and the pet, 3 days ago, 2026-01-14T12:00, chat"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"considered": 0, "reason": "nothing to look up"}, "nothing to look up."),
        ({"considered": 0}, "nothing was found."),
        ({"considered": 4, "standing": []}, "none of 4 that were judged fits; see eko why --all."),
        ({"considered": 4, "standing": [ROW]}, "what fits is before the model already."),
    ],
)
def test_a_silence_says_why(
    fields: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Looked up or not: that alone would not tell whether anything was there."""
    recall = {"lines": [], "standing": [], "reason": "looked up", **fields}
    print_answer({"expression": "happy", "reply": "Oui.", "recall": recall})
    assert capsys.readouterr().err == f"Nothing injected: {said}\n"


def test_signals_come_in_plain_words_the_strongest_first() -> None:
    """With the words that matched, and what each added."""
    assert because(ROW) == "words: habite, mickael (+0.62); close in meaning (+0.12)"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"words": []}, "words (+0.62); close in meaning (+0.12)"),
        (
            {"signals": {"period": 0.3}, "duplicate": True},
            "said in the time that is named (+0.30); another says the same",
        ),
        ({"signals": {}, "duplicate": True}, "another says the same"),
        ({"signals": {"told": 0.5}}, "speaks for what it was learnt from (+0.50)"),
        ({"signals": {"moonlight": 0.5}}, "moonlight (+0.50)"),
        ({"signals": {}, "proven": True}, "needs no evidence"),
        ({"signals": {}}, "nothing"),
    ],
)
def test_every_signal_has_words(fields: dict[str, Any], said: str) -> None:
    """One that recall gains later is called by its name."""
    assert because({**ROW, **fields}) == said


def test_every_signal_of_recall_has_words_of_its_own() -> None:
    """The names in the code are for those who read the code."""
    found = scored([], Query(text=""), None, Company(), Weights())
    assert set(found.signals) <= set(SIGNALS)


def test_the_rank_in_each_source_is_told() -> None:
    """The best first; a neighbour of something found has none."""
    assert found_by(ROW) == "words of statements #1; meaning of statements #3"
    assert found_by({**ROW, "sources": {"tea_leaves": 2}}) == "tea_leaves #2"
    assert found_by({**ROW, "sources": {}}) == "beside others that were found"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("forgotten", "(forgotten since)"),
        ("replaced", "(replaced by another statement since)"),
        ("expired", "(expired since)"),
        ("withdrawn", "(taken back since)"),
    ],
)
def test_of_what_is_gone_only_the_fate_is_told(state: str, said: str) -> None:
    """And the name it has in the ledger."""
    assert sentence({**GONE, "state": state}) == said
    assert origin({**GONE, "state": state}) == "memory:1@1"


def test_what_was_reworded_since_says_so() -> None:
    """It was another sentence that stood before the model."""
    assert sentence({**ROW, "edited": True}) == "Mickael habite à Athènes (edited since)"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("c1", "c1"),
        (" C109FA7C ", "c109fa7c"),
        ("c109fa7cdfaf4", "c109fa7c-dfaf-4"),
        ("c109fa7c-dfaf-4", "c109fa7c-dfaf-4"),
        ("c109fa7cdfaf454c84e079af1a465723", "c109fa7c-dfaf-454c-84e0-79af1a465723"),
        ("c109fa7c-dfaf-454c-84e0-79af1a465723", "c109fa7c-dfaf-454c-84e0-79af1a465723"),
        ("-", ""),
    ],
)
def test_the_beginning_of_an_id_is_read_however_it_is_written(written: str, kept: str) -> None:
    """With hyphens or without, in either case."""
    assert hyphenated(written) == kept


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("proper", "says a name of the question"),
        ("open_lobby", "lobby talk of the time asked about"),
        ("no evidence", "no evidence"),
    ],
)
def test_a_reason_is_told_in_plain_words(why: str, words: str) -> None:
    """A signal and a source by what they say; any other reason is words already."""
    assert reason(why) == words
