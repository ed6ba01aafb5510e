"""Being the nearest is no evidence: a row must fit, and say something that not everybody says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import proper_nouns
from memory.model.retrieval import Candidate, Company
from memory.retrieval.background import Background
from memory.retrieval.gate import DOUBT, confidence, likeliest, shares
from memory.retrieval.query import Query
from memory.retrieval.scoring import scored
from memory.retrieval.weights import Weights
from tests.rows import asking, near, said, score, stated

OPEN = 0.5
"""The confidence from which on a row is injected (`recall.min_score`)."""

SHARES = st.floats(0, 2)

VIOLIN = asking("violoncelle ?")


def sure(row: Candidate, asked: Query) -> float:
    """How sure a row is when it is scored by itself."""
    found = score([row], asked)
    (signals,) = found.of([0])
    judged = replace(row, signals=signals, surprise=float(found.surprise[0]))
    return confidence(judged, asked)[0]


def adding(**signals: float) -> Candidate:
    """A row with what these signals add."""
    return replace(said(1, "oui"), signals=signals)


@given(SHARES, SHARES, SHARES, SHARES)
def test_confidence_is_a_share_that_grows_with_all_that_speaks_for_a_row(
    words: float, more: float, period: float, longer: float
) -> None:
    """Never outside 0..1, and never less for saying more or fitting better."""
    asked = asking("violoncelle ?")
    row = adding(words=words, period=period)
    least, _ = confidence(row, asked)
    assert 0 <= least <= 1
    assert least <= confidence(adding(words=words + more, period=period), asked)[0]
    assert least <= confidence(adding(words=words, period=period + longer), asked)[0]
    assert least <= confidence(replace(row, surprise=more), asked)[0]


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_a_rarer_word_is_surer(seen: int, more: int) -> None:
    """At the same fit."""
    common = asking("violoncelle ?", seen={"violoncel": seen + more})
    rare = asking("violoncelle ?", seen={"violoncel": seen})
    row = said(1, "mon violoncelle")
    assert sure(row, common) <= sure(row, rare)


def test_who_asks_of_a_person_is_told_of_them() -> None:
    """Greeting them is not asking."""
    row = adding(named=0.4)
    assert confidence(row, asking("what does Priya work on?"))[0] > OPEN
    assert confidence(row, asking("thank you Priya, see you tomorrow"))[0] < OPEN


def test_what_only_tells_needs_more_than_what_asks() -> None:
    """The same word of the same row."""
    row = said(1, "my cello is at the shop")
    assert sure(row, asking("where is the cello?")) > OPEN
    assert sure(row, asking("I heard a cello and a flute and a trumpet")) < OPEN


def test_a_long_row_needs_more_than_a_short_one() -> None:
    """A page says a few words of any question."""
    asked = asking("tell me of the cello and the harbour of Lisbon", rows=100_000)
    filler = " ".join(f"word{number}" for number in range(300))
    short = sure(said(1, "a cello by the harbour"), asked)
    assert sure(said(1, f"a cello by the harbour {filler}"), asked) < short


def test_a_long_question_is_no_evidence_for_what_shares_a_few_of_its_words() -> None:
    """However much these are worth together."""
    words = [f"zxq{number}" for number in range(20)]
    asked = asking(" ".join(words))
    assert sure(said(1, words[0]), asked) < OPEN
    assert sure(said(1, " ".join(words[:18])), asked) > OPEN


def test_a_fixed_row_needs_no_evidence() -> None:
    """Its source is the reason."""
    asked = asking("violoncelle")
    proven = replace(said(1, "oui"), proven=True, sources={"speaker": 1})
    assert confidence(proven, asked) == (1.0, "speaker")
    assert confidence(replace(proven, sources={}), asked) == (1.0, "proven")


def test_what_shows_nothing_has_no_confidence() -> None:
    """It was near something in the index and no more."""
    assert confidence(said(1, "oui"), asking("violoncelle")) == (0.0, "nothing")
    assert DOUBT < 0


def test_the_greatest_signal_is_the_reason() -> None:
    """Whatever else it has."""
    asked = asking("violoncelle")
    assert confidence(adding(words=0.4, period=0.6), asked)[1] == "period"
    assert confidence(adding(words=0.7, period=0.6), asked)[1] == "words"


QUESTION = "tu sais dans quelle maison habite Zimmermann ?"
COMMON = {"hab": 300, "maison": 300, "savoir": 300}


def asked_about_zimmermann() -> Query:
    """A question with one rare proper noun among common words, in a store of a thousand rows."""
    return asking(QUESTION, seen=COMMON, proper=frozenset(proper_nouns(QUESTION)))


@pytest.mark.parametrize("text", ["j'habite à Lyon", "une maison bleue", "je ne sais pas"])
def test_a_common_word_of_the_question_is_no_evidence(text: str) -> None:
    """Neither in a message nor in a statement."""
    assert sure(said(1, text), asked_about_zimmermann()) < OPEN
    assert sure(stated(1, text, "Paul"), asked_about_zimmermann()) < OPEN


def test_a_rare_proper_noun_of_the_question_is_evidence() -> None:
    """By itself."""
    assert sure(said(1, "Zimmermann a appelé ce matin"), asked_about_zimmermann()) > OPEN
    assert sure(stated(1, "le gardien est Zimmermann", "Paul"), asked_about_zimmermann()) > OPEN


def test_a_word_that_most_rows_say_is_no_evidence_even_as_the_whole_question() -> None:
    """All of the question is said, and it says nothing."""
    common = asking("maison ?", seen={"maison": 60_000}, rows=100_000)
    assert sure(said(1, "la maison"), common) < OPEN
    assert sure(said(1, "violoncelle"), asking("violoncelle ?", rows=100_000)) > OPEN


@pytest.mark.parametrize(
    ("signal", "most"), [("named", 0.4), ("speaker", 0.4), ("period", 0.4), ("proper", 0.12)]
)
def test_whose_or_of_when_a_row_is_opens_the_gate_for_none(signal: str, most: float) -> None:
    """A name or a day that fits all of a week's talk cannot choose among it."""
    asked = asking("violoncelle Lisbonne")
    assert confidence(adding(**{signal: most}), asked)[0] < OPEN


def standing(rows: list[Candidate], asked: Query) -> list[Candidate]:
    """The rows as they are judged, with what speaks for each."""
    found = score(rows, asked)
    return [
        replace(row, signals=signals, worth=sum(signals.values()))
        for row, signals in zip(rows, found.of(range(len(rows))), strict=True)
    ]


def test_what_tells_something_is_likelier_than_what_asks_or_says_little() -> None:
    """Of whomever it is, and however near."""

    def share(text: str) -> float:
        row = replace(said(1, text), signals={"named": 0.4}, worth=0.4)
        return shares([row], 1.0)[row.id]

    tells = share("troisième étage sans ascenseur, 640 charges comprises")
    assert tells > share("ok")
    assert tells > share("c'est au troisième étage sans ascenseur, ton appartement ?")


def test_what_needs_no_evidence_is_judged_however_many_are_likelier() -> None:
    """An open question is answered by rows that say none of its words."""
    proven = replace(said(9, "oui"), proven=True)
    rows = [*standing([said(1, "mon violoncelle"), said(2, "ton violoncelle")], VIOLIN), proven]
    assert [one.id.int for one in likeliest(rows, 1.0, 1)][-1] == 9
    assert len(likeliest(rows, 1.0, 1)) == 2


def test_an_answer_stands_out_by_what_it_answers() -> None:
    """By itself "640" is near to nothing; behind "how much is the rent?" it is near to the rent."""
    about, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    rows = [said(1, "c'est combien le loyer ?"), said(2, "640"), said(3, "640")]
    meanings = {rows[0].id: about, rows[1].id: other, rows[2].id: other}
    asked = replace(asking("le prix de l'appart ?"), vector=about)
    company = Company(near=(near(1, 2, 1),))
    found = scored(rows, asked, Background(0.0, 0.1), company, Weights(), meanings=meanings)
    assert found.in_context[1] > found.in_context[2] == 0
    assert found.stands_out[1] == 0
