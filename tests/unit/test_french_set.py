"""The French question set can be trusted: whole, fair, and in the proportions its README says."""

from collections import Counter, defaultdict
from itertools import permutations
from uuid import uuid4

import pytest

from benchmarks.french_set import FOLDER, KINDS, SPLITS, Asked, Statement, questions, statements
from memory.language.text import words
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, NewMemory, Source
from memory.model.stores import Store
from memory.rules.comparison import Verdict, compare

SAID = statements()
ASKED = questions()
BY_ID = {statement.id: statement for statement in SAID}
ORIGIN = Origin(visibility=Visibility.SPACE)


def test_there_is_enough_of_it() -> None:
    """Few questions over few memories would say little."""
    assert len(SAID) >= 420
    assert len(ASKED) >= 150
    assert sum(one.cross_lingual for one in ASKED) >= 50


def test_every_id_names_one_thing() -> None:
    """Statements and questions are spoken of by their ids."""
    ids = [one.id for one in SAID] + [one.id for one in ASKED]
    assert [id_ for id_, times in Counter(ids).items() if times > 1] == []


def test_no_text_is_there_twice() -> None:
    """In any dress: case, accents and punctuation make no new statement or question."""
    for texts in ([one.content for one in SAID], [one.text for one in ASKED]):
        dressed_down = Counter(" ".join(words(text)) or text for text in texts)
        assert [text for text, times in dressed_down.items() if times > 1] == []


def test_every_question_has_one_to_three_answers_that_exist() -> None:
    """More would be a list and not an answer."""
    for asked in ASKED:
        assert 1 <= len(set(asked.answers)) == len(asked.answers) <= 3, asked.id
        assert set(asked.answers) <= BY_ID.keys(), asked.id


def test_everything_was_said_before_anything_is_asked() -> None:
    """Otherwise a question would be about what nobody knows yet."""
    assert max(one.at for one in SAID) < min(one.at for one in ASKED)


def test_everyone_who_asks_is_of_the_community() -> None:
    """A stranger would have another scope."""
    assert {one.asked_by for one in ASKED} <= {one.said_by for one in SAID}


def test_most_of_what_is_said_is_french() -> None:
    """A fifth or so is English, as in a community with friends from elsewhere."""
    assert 0.70 <= sum(one.language == "fr" for one in SAID) / len(SAID) <= 0.85


def test_a_question_is_cross_lingual_when_no_answer_is_in_its_language() -> None:
    """The mark says what the languages say."""
    for asked in ASKED:
        languages = {BY_ID[id_].language for id_ in asked.answers}
        assert asked.cross_lingual == (asked.language not in languages), asked.id


@pytest.mark.parametrize(("split", "share"), [("tune", 0.4), ("report", 0.6)])
def test_each_half_is_like_the_whole(split: str, share: float) -> None:
    """What is learned on the one should hold on the other."""
    half = [one for one in ASKED if one.split == split]
    assert abs(len(half) / len(ASKED) - share) < 0.05
    assert abs(_cross_lingual(half) - 1 / 3) < 0.02
    assert {one.kind for one in half} == set(KINDS)


def test_a_half_can_be_asked_alone() -> None:
    """So that nobody learns from the other by accident."""
    halves = [{one.id for one in questions([split])} for split in SPLITS]
    assert set.union(*halves) == {one.id for one in ASKED}
    assert set.intersection(*halves) == set()


def _cross_lingual(asked: list[Asked]) -> float:
    return sum(one.cross_lingual for one in asked) / len(asked)


def test_remembering_keeps_every_statement_beside_the_others() -> None:
    """None repeats, sharpens or reverses another: a right answer must not be merged away."""
    alike = defaultdict(list)
    for statement in SAID:
        alike[words(statement.content)[0]].append(statement)
    merged = [
        (one.id, other.id)
        for group in alike.values()
        for one, other in permutations(group, 2)
        if compare(_new(one), _kept(other)) is not Verdict.UNRELATED
    ]
    assert merged == []


def _new(statement: Statement) -> NewMemory:
    return NewMemory(
        store=Store.MEMORY, content=statement.content, origin=ORIGIN, source=Source.DIGEST
    )


def _kept(statement: Statement) -> Memory:
    return Memory(
        id=MemoryId(uuid4()),
        store=Store.MEMORY,
        content=statement.content,
        memory_type=statement.memory_type,
        category=None,
        subjects=statement.subjects,
        importance=0.5,
        source=Source.DIGEST,
        said_by=statement.said_by,
        author=None,
        about_person=None,
        origin=ORIGIN,
        created_at=statement.at,
        updated_at=statement.at,
        expires_at=None,
        revision=1,
    )


def test_its_readme_counts_what_is_there() -> None:
    """The table at the top is what people quote."""
    text = (FOLDER / "README.md").read_text("utf-8")
    french = sum(one.language == "fr" for one in SAID)
    halves = Counter(one.split for one in ASKED)
    assert f"| {len(SAID)} ({french} French, {len(SAID) - french} English) |" in text
    assert f"| {len(ASKED)}, of which {sum(o.cross_lingual for o in ASKED)} cross-ling" in text
    assert f"| {halves['tune']} / {halves['report']}, " in text
