"""What keepers are told is there in both languages, for whatever can be told."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from bot.conversation.rooms import RoleSource
from bot.diagnostics import report as doctor_words
from bot.diagnostics.findings import Finding, State
from bot.diagnostics.report import Words, in_chat, on_machine
from bot.model.requests import Purpose
from bot.texts.catalogue import number
from bot.texts.operator import KEEPER_TEXTS
from memory.model.rooms import RoomRole, Visibility
from memory.model.statements import GoalCategory, MemoryType, SelfCategory, Source
from memory.model.stores import Store

ROOT = Path(__file__).parents[2]


def fields(sentence: str) -> set[str]:
    """What a sentence leaves to be filled in."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", KEEPER_TEXTS)
def test_both_languages_fill_in_the_same_things(key: str) -> None:
    """And neither is empty."""
    text = KEEPER_TEXTS[key]
    assert set(text) == {"en", "fr"}
    assert all(text.values())
    assert fields(text["en"]) == fields(text["fr"])


def test_keys_are_sorted() -> None:
    """So that two people who add one do not add it twice."""
    assert list(KEEPER_TEXTS) == sorted(KEEPER_TEXTS)


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("kind", [*MemoryType, *SelfCategory, *GoalCategory]),
        ("store", list(Store)),
        ("source", list(Source)),
        ("visibility", list(Visibility)),
        ("purpose", list(Purpose)),
        ("role", list(RoomRole)),
        ("role_by", list(RoleSource)),
    ],
)
def test_whatever_there_is_has_a_name(prefix: str, values: list[str]) -> None:
    """A value that is added needs its words."""
    assert [value for value in values if f"{prefix}_{value}" not in KEEPER_TEXTS] == []


def test_the_doctor_has_words_for_all_that_it_finds() -> None:
    """The keys in its code are those of its words, one for one."""
    tree = ast.parse((ROOT / "bot" / "diagnostics" / "doctor.py").read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [
        (call, [one.value for one in call.args if isinstance(one, ast.Constant)])
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in {"_ok", "_note", "_fail"}
    ]
    words = {word for _, values in named for word in values}
    assert words == doctor_words._PARTS.keys() | doctor_words._SAID.keys() | set(_todo())


def _todo() -> set[str]:
    return set(doctor_words._TODO)


@pytest.mark.parametrize("words", [*doctor_words._SAID.values(), *doctor_words._TODO.values()])
def test_a_chat_is_told_no_more_than_the_machine(words: Words) -> None:
    """Both languages alike, and nothing that the command line does not say."""
    assert fields(words.en) == fields(words.fr)
    assert fields(words.en) <= fields(words.for_machine()) | {"free", "number", "since"}
    hidden = {"folder", "address", "page", "vault", "pid", "error", "spaces"}
    assert not fields(words.en) & hidden


def test_a_finding_is_told_with_what_there_is_to_do() -> None:
    """In a chat on a line of its own; on the machine apart."""
    finding = Finding(
        part="data folder",
        state=State.FAIL,
        said="folder",
        todo="free_disk",
        values={"folder": "/home/eko", "free": 12},
    )
    assert on_machine(finding) == ("/home/eko, 12 MB free", "Free some disk space.")
    chat = "✗ dossier des données : 12 Mo libres\n  Libère de la place sur le disque."
    assert in_chat(finding, "fr") == chat


def test_numbers_are_written_as_people_read_them() -> None:
    """Without the thin spaces that are no spaces to a search."""
    assert (number(1234567, "en"), number(1234567, "fr")) == ("1,234,567", "1 234 567")
