"""A LoCoMo file is read whole: dates, captions, broken ids, and what cannot be asked."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.evaluation.locomo import (
    Conversation,
    LocomoRefused,
    chosen,
    conversations_in,
    read_locomo,
    schedule,
    turn_ids,
)

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"


@pytest.fixture(scope="module")
def talk() -> Conversation:
    """The one conversation of our own file."""
    (one,) = read_locomo(FILE)
    return one


def test_turns_are_a_minute_apart_from_the_date_of_their_session(talk: Conversation) -> None:
    """The file dates sessions only; one without a word is none."""
    assert [len(sitting.said) for sitting in talk.sittings] == [10, 10]
    first, second = (sitting.said for sitting in talk.sittings)
    assert first[0].at == datetime(2024, 3, 3, 9, 5, tzinfo=UTC)
    assert second[3].at == datetime(2024, 4, 21, 18, 43, tzinfo=UTC)
    assert talk.ends == second[0].at + timedelta(minutes=9)


def test_a_photo_is_told_by_its_caption(talk: Conversation) -> None:
    """Beside the words that came with it."""
    assert talk.sittings[0].said[6].text == (
        "Here. [shares a photo: a spiral staircase full of cardboard boxes]"
    )


def test_questions_have_names_for_their_kinds_and_mended_evidence(talk: Conversation) -> None:
    """Adversarial ones are skipped, those without evidence are counted."""
    found = [(one.category, sorted(one.evidence)) for one in talk.asked]
    assert found == [
        ("single-hop", ["D1:2"]),
        ("temporal", ["D1:5"]),
        ("multi-hop", ["D1:9", "D2:4"]),
        ("single-hop", ["D2:6"]),
        ("single-hop", ["D2:2"]),
        ("multi-hop", ["D2:8", "D2:9"]),
    ]
    assert talk.without_evidence == 1


def test_observations_know_the_turns_they_were_drawn_from(talk: Conversation) -> None:
    """Written as one id, as a list, or as several in one text."""
    observed = [one for sitting in talk.sittings for one in sitting.observed]
    assert [one.evidence for one in observed] == [
        ("D1:2",), ("D1:5",), ("D1:9",), ("D2:6",), ("D2:8", "D2:9"), ("D2:2",),
    ]  # fmt: skip
    assert observed[0].speaker == "Ines"


def small_talk(*questions: Mapping[str, object], **times: str) -> list[dict[str, object]]:
    """A file of two sessions of two turns, some with a time of their own by their id."""
    said = [
        [{"speaker": "Ann", "dia_id": f"D{session}:{turn}", "text": "hm"} for turn in (1, 2)]
        for session in (1, 2)
    ]
    for session in said:
        for turn in session:
            if (at := times.get(turn["dia_id"].replace(":", "_"))) is not None:
                turn["date_time"] = at
    return [
        {
            "qa": [{"question": "?", "answer": "", "category": 4, **one} for one in questions],
            "conversation": {
                "session_1": said[0], "session_1_date_time": "2024-05-01T10:00:00+02:00",
                "session_2": said[1], "session_2_date_time": "9:00 am on 2 May, 2024",
            },
        }
    ]  # fmt: skip


def test_kinds_may_have_names_or_numbers_of_their_own() -> None:
    """Only those of LoCoMo mean what it says, and the adversarial are skipped by either."""
    kinds = ("preference", 2, "3", 6, 5, "adversarial")
    data = small_talk(*({"category": kind, "evidence": ["D1:1"]} for kind in kinds))
    (one,) = conversations_in(data)
    assert [asked.category for asked in one.asked] == [
        "preference", "temporal", "open-domain", "6",
    ]  # fmt: skip


def test_turns_have_their_own_times_where_the_file_gives_them() -> None:
    """In a zone or in UTC; what follows comes after, and nothing goes back."""
    (one,) = conversations_in(small_talk(D1_2="2024-05-01T21:30:00", D2_1="2024-05-01T00:00:00Z"))
    assert [turn.at for turn in one.turns] == [
        datetime(2024, 5, 1, 8, 0, tzinfo=UTC),
        datetime(2024, 5, 1, 21, 30, tzinfo=UTC),
        datetime(2024, 5, 2, 9, 0, tzinfo=UTC),
        datetime(2024, 5, 2, 9, 1, tzinfo=UTC),
    ]


def test_questions_are_asked_where_they_belong() -> None:
    """After the turn they name, or after the session with the last of their evidence."""
    (one,) = conversations_in(
        small_talk(
            {"question": "named", "evidence": ["D1:1"], "after": "D2:1"},
            {"question": "unnamed", "evidence": ["D1:1"]},
            {"question": "both", "evidence": ["D1:2", "D2:1", "D9:9"]},
        )
    )
    due = schedule(one)
    assert {turn: [asked.text for asked in those] for turn, those in due.items()} == {
        "D2:1": ["named"],
        "D1:2": ["unnamed"],
        "D2:2": ["both"],
    }


def test_what_is_said_after_a_question_is_no_evidence_for_it() -> None:
    """It could not be recalled; a question with no other evidence is not asked."""
    (one,) = conversations_in(
        small_talk(
            {"question": "part", "evidence": ["D1:1", "D2:2"], "after": "D1:2"},
            {"question": "none", "evidence": ["D2:2"], "after": "D1:2"},
        )
    )
    ((turn, (asked,)),) = schedule(one).items()
    assert (turn, asked.text, asked.evidence) == ("D1:2", "part", frozenset({"D1:1"}))


def test_a_question_is_asked_by_who_speaks_in_the_talk() -> None:
    """Or by a stranger, where the file does not say."""
    of_ann = {"question": "mine", "evidence": ["D1:1"], "by": "Ann"}
    (one,) = conversations_in(small_talk(of_ann, {"question": "theirs", "evidence": ["D1:1"]}))
    assert [asked.by for asked in one.asked] == ["Ann", ""]
    with pytest.raises(LocomoRefused, match="Zoe asks something, and says nothing in it"):
        conversations_in(small_talk({**of_ann, "by": "Zoe"}))


def test_a_question_after_no_turn_is_refused() -> None:
    """It would never be asked."""
    with pytest.raises(LocomoRefused, match="nothing can be asked after D7:1"):
        conversations_in(small_talk({"evidence": ["D1:1"], "after": "D7:1"}))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("D8:6; D9:17", ("D8:6", "D9:17")),
        ("D:11:26", ("D11:26",)),
        ("D30:05", ("D30:5",)),
        ("D9:1 D4:4 D4:6", ("D9:1", "D4:4", "D4:6")),
        ("D1:10", ("D1:10",)),
        ("D", ()),
        ("", ()),
    ],
)
def test_turn_ids_are_mended(text: str, ids: tuple[str, ...]) -> None:
    """Every way they are broken in the published file."""
    assert turn_ids(text) == ids


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "a list of at least one conversation"),
        ([], "a list of at least one conversation"),
        ([{"qa": []}], "conversation 1 has another form"),
        ([{"qa": [], "conversation": {}}], "conversation 1 has no sessions"),
        ([3], "conversation 1 has another form"),
        ([{"qa": [], "conversation": {"session_1": [{}], "session_1_date_time": "noon"}}],
         "conversation 1 has another form"),
    ],
)  # fmt: skip
def test_what_is_no_locomo_file_is_refused_in_a_sentence(data: object, sentence: str) -> None:
    """With the conversation that is wrong."""
    with pytest.raises(LocomoRefused, match=sentence):
        conversations_in(data)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not valid JSON"),
        (b"[{", "is not valid JSON"),
        (b"\xff\xfe\xfa", "is not valid JSON"),
        (json.dumps({"a": 1}).encode(), "is not a LoCoMo file"),
        (b"[" * 100_000, "is not a LoCoMo file: it is nested too deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, sentence: str) -> None:
    """Empty, cut, in another encoding, or something else."""
    path = tmp_path / "some.json"
    path.write_bytes(content)
    with pytest.raises(LocomoRefused, match=f"some.json {sentence}"):
        read_locomo(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With the system's reason."""
    with pytest.raises(LocomoRefused, match="No such file"):
        read_locomo(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("numbers", "found"), [(None, [1, 2, 3]), ("2", [2]), ("1-2", [1, 2]), ("3, 1", [1, 3])]
)
def test_conversations_are_chosen_by_number(
    talk: Conversation, numbers: str | None, found: list[int]
) -> None:
    """One, several, or all of them, in the order of the file."""
    three = _three(talk)
    assert [one.number for one in chosen(three, numbers)] == found


@pytest.mark.parametrize("numbers", ["", "0", "4", "2-9", "x", "1;2", "3-1"])
def test_conversations_that_are_not_there_are_refused(talk: Conversation, numbers: str) -> None:
    """With what could have been written."""
    with pytest.raises(LocomoRefused, match='write "3" or "1-5"'):
        chosen(_three(talk), numbers)


def _three(talk: Conversation) -> list[Conversation]:
    return [
        Conversation(number=number, sittings=talk.sittings, asked=talk.asked, without_evidence=0)
        for number in (1, 2, 3)
    ]
