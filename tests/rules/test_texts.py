"""Every language has every text, and the product says every text and no other."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields as fields_of
from pathlib import Path
from string import Formatter

import pytest
from babel.core import Locale

from bot.agent.budget import Allowance, Cap
from bot.conversation.rooms import RoleSource
from bot.llm.offline.manners.acts import (
    MEMBERS,
    TELLING,
    TELLING_FAMILIES,
    Family,
    SpeechAct,
)
from bot.model.requests import Purpose
from bot.texts.catalogue import FOLDER, Entry, languages, texts_in
from bot.texts.commands import OWN
from bot.texts.log_sentences import UNTOLD
from memory.model.checkins import CheckinRule
from memory.model.forgetting import Kind
from memory.model.linking import Moved
from memory.model.notices import NoticeKind
from memory.model.parts import NoteKind
from memory.model.past_readings import ReadBackState
from memory.model.rooms import RoomRole, Visibility
from memory.model.statements import GoalCategory, MemoryType, SelfCategory, Source
from memory.model.stores import Store
from memory.model.voices import VoiceState
from tests.table import real_table

ENTRIES = texts_in(OWN).entries
CHANNELS = [
    *sorted((FOLDER.parent / "channels").glob("*/texts")),
    FOLDER.parent / "surfaces" / "texts",
]
"""Folders with the texts of one channel alone, and of the dashboard."""

SECTIONS = {key.partition(".")[0] for key in ENTRIES}

COUNTS = range(1000)
"""The numbers that plurals are checked for: what the pet keeps of anything a person names."""

LOGGING = frozenset({"debug", "info", "warning", "error", "exception"})
"""Methods whose first argument is an event, which is written like a key and is none."""

FINDINGS = frozenset({"ok", "note", "fail"})
"""Functions that the doctor's findings are made with, with or without a leading underscore."""

UNSAID = {SpeechAct.JOKE_WANTED, SpeechAct.LOBBY, SpeechAct.SUM_UP, SpeechAct.WEEKEND}
"""Acts whose words have keys of their own."""

BY_VALUE: Mapping[str, Iterable[str]] = {
    "allowance": (Allowance.COMMUNITY, Allowance.DAY, Allowance.NEWCOMERS),
    "checkins.alone": CheckinRule,
    "checkins.in_group": CheckinRule,
    "checkins.rule": CheckinRule,
    "counted": [kind for kind in Kind if kind is not Kind.LIVE],
    "fact_stated": (
        *("age", "any", "birthplace", "city", "country", "employer", "job", "workplace"),
    ),
    "kind": [*MemoryType, *SelfCategory, *GoalCategory],
    "left": [one.name for one in fields_of(Cap)],
    "moved": Moved,
    "voice": set(VoiceState) - {VoiceState.WAITING, VoiceState.HEARD},
    "notice": NoticeKind,
    "past.state": ReadBackState,
    "offline.heard": (
        *("good_news", "good_news_of_other", "bad_news", "ill", "worried", "angry", "low", "high"),
        *("looking_forward", "proud", "birthday", "dislike", "liking", "likes", "dislikes"),
        *("daily", "gossip", "ponder", "to_group", "call_me", "plan", "plain", "anything"),
        *(
            "hello",
            "fact_own",
            "fact_other",
            "plan_unsaid",
            "put_right",
            "kept",
            "corrected",
            "corrected_to",
            "misheard",
            "too_long",
            "joking",
        ),
    ),
    "offline.heard_only": (
        *("plan_unsaid", "fact_other", "fact_own", "dislike", "liking", "plan", "plain"),
        *("anything", "likes", "dislikes", "to_group", "call_me", "kept", "put_right"),
    ),
    "offline.passed_on": (
        *("heard", "of", "you_quoted", "they_quoted", "you_forwarded", "they_forwarded"),
    ),
    "offline.manners": (
        *(set(SpeechAct) - TELLING - MEMBERS[Family.RECALL] - UNSAID),
        *(f"of_{family}" for family in set(Family) - TELLING_FAMILIES - {Family.RECALL}),
        *("identity_known", "no_wish", "weekend_yes", "weekend_no", "countdown_today", "christmas"),
        *("new_year", "halloween", "can_do_in_group", "see_lobby", "see_empty_lobby", "jokes"),
        *("nothing_said", "nothing_between_us", "summed_up", "advice_about", "weather_fine"),
        *("thanks_for_nothing", "back_asking", "greeting_asking", "week_number"),
        "secret_in_group",
    ),
    "purpose": Purpose,
    "role": RoomRole,
    "role_by": RoleSource,
    "source": Source,
    "state": ("holds", "expired", "archived", "replaced"),
    "store": Store,
    "visibility": Visibility,
    "wordless": (*(set(NoteKind) - {NoteKind.OTHER}), "sticker_of", "unread"),
}
"""Sections whose keys are values of the product, each with all of them."""

DOCTOR = ("doctor.parts", "doctor.said", "doctor.todo")
"""Sections whose keys the findings of the doctor name."""


def texts_of(entry: Entry) -> list[str]:
    """The sentences of an entry."""
    if isinstance(entry, str):
        return [entry]
    return list(entry.values() if isinstance(entry, Mapping) else entry)


def fields(entry: Entry) -> set[str]:
    """What an entry leaves to be filled in."""
    texts = texts_of(entry)
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def forms_of(language: str) -> set[str]:
    """The forms that numbers take in a language."""
    return {Locale.parse(language).plural_form(count) for count in COUNTS} | {"other"}


def faults(language: str, entries: Mapping[str, Entry], wanted: Mapping[str, Entry]) -> list[str]:
    """What the texts of a language lack, or have beside those that are wanted."""
    found = [f"{key}: missing" for key in wanted if key not in entries]
    for key, entry in entries.items():
        if key not in wanted or type(entry) is not type(wanted[key]):
            found.append(f"{key}: there is no such text")
        elif fields(entry) != fields(wanted[key]):
            found.append(f"{key}: fills in {sorted(fields(entry))}")
        elif isinstance(entry, Mapping) and entry.keys() != forms_of(language):
            found.append(f"{key}: {language} needs the forms {sorted(forms_of(language))}")
        elif not all(texts_of(entry)):
            found.append(f"{key}: empty")
    return found


@pytest.fixture(scope="module")
def modules(sources: dict[str, ast.Module]) -> dict[str, ast.Module]:
    """The modules that can say something to people."""
    return {
        path: tree
        for path, tree in sources.items()
        if path.startswith("bot/")
        and not path.startswith("bot/web/")
        and not path.endswith("page.py")
    }


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_text(language: str) -> None:
    """The same keys, with the same values to fill in and the forms that its numbers need."""
    assert faults(language, texts_in(language).entries, ENTRIES) == []


@pytest.mark.parametrize("language", languages())
def test_the_files_have_one_order(language: str) -> None:
    """So that a translator reads two files side by side."""
    assert list(texts_in(language).entries) == list(ENTRIES)


@pytest.mark.parametrize("folder", CHANNELS, ids=lambda folder: folder.parent.name)
def test_the_texts_of_a_channel_are_there_in_its_languages(folder: Path) -> None:
    """In the same order, with the same values to fill in."""
    wanted = texts_in(OWN, folder).entries
    for file in folder.glob("*.toml"):
        entries = texts_in(file.stem, folder).entries
        assert faults(file.stem, entries, wanted) == []
        assert list(entries) == list(wanted)


_COUNTED = re.compile(r"\{count\} (\w+)")


def nouns_of(entries: Mapping[str, Entry]) -> set[str]:
    """The plural nouns that have a singular somewhere: they go with other figures too."""
    plurals = [entry for entry in entries.values() if isinstance(entry, Mapping) and "one" in entry]
    return {
        noun
        for plural in plurals
        for noun in _COUNTED.findall(plural["other"])
        if noun not in _COUNTED.findall(plural["one"])
    }


def numberless(entries: Mapping[str, Entry]) -> list[str]:
    """Texts with a figure and a plural noun behind it that stands there for one as well."""
    nouns = nouns_of(entries)
    return [
        f"{key}: {found[0]}"
        for key, entry in entries.items()
        for text in texts_of(entry)
        for found in re.finditer(r"(?<!of )\{(\w+)\} (\w+)", text)
        if found[2] in nouns and not (isinstance(entry, Mapping) and found[1] == "count")
    ]


@pytest.mark.parametrize("folder", [FOLDER, *CHANNELS], ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("language", languages())
def test_a_figure_has_its_noun_in_both_numbers(language: str, folder: Path) -> None:
    """Never "1 messages": a form for each, or the noun before the figure."""
    own = texts_in(language).entries
    entries = texts_in(language, None if folder == FOLDER else folder).entries
    assert numberless({**own, **entries}) == []


def test_the_rule_sees_a_figure_without_a_singular() -> None:
    """Of nouns that have one elsewhere; a part of several may be one."""
    plural: Entry = {"one": "{count} message", "other": "{count} messages"}
    texts: Mapping[str, Entry] = {
        "a": plural,
        "b": "{read} messages",
        "c": "messages: {read}",
        "d": "1 of {all} messages",
    }
    assert numberless(texts) == ["b: {read} messages"]
    two: Entry = {"one": "{count} message", "other": "{count} messages, {x} messages"}
    assert numberless({"a": plural, "b": two}) == ["b: {x} messages"]


def test_the_rule_sees_what_a_language_lacks() -> None:
    """Keys, values, forms, and words at all."""
    wanted: Mapping[str, Entry] = {
        "a": "x {name}",
        "b": "x",
        "c": {"one": "x", "other": "y"},
        "d": "x",
        "e": ("x", "y"),
    }
    given: Mapping[str, Entry] = {"a": "x", "b": "", "c": {"other": "y"}, "e": "x", "f": "x"}
    assert faults("en", given, wanted) == [
        "d: missing",
        "a: fills in []",
        "b: empty",
        "c: en needs the forms ['one', 'other']",
        "e: there is no such text",
        "f: there is no such text",
    ]


def keys_in(tree: ast.Module) -> Iterator[str]:
    """What looks like the key of a text: `digest.done`, or `kind.*` where a value completes it."""
    events = {
        id(call.args[0])
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and call.args
        if getattr(call.func, "attr", "") in LOGGING or ast.unparse(call.func) == "Boundary"
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in events and is_key(text):
                yield text
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if is_key(f"{text}x"):
                yield f"{text}*"


def is_key(text: str) -> bool:
    """Whether a string is written like the key of a section, and is no file's name."""
    section, _, rest = text.partition(".")
    is_dotted = section in SECTIONS and re.fullmatch(r"[a-z_-]+(\.[a-z_-]+)*", rest)
    return bool(is_dotted) and not text.endswith((".css", ".md", ".toml"))


def said_by(modules: Mapping[str, ast.Module]) -> set[str]:
    """The keys in the source; a command or an option stands for all that it has."""
    keys = {key for tree in modules.values() for key in keys_in(tree)}
    parts = {f"{key}.{part}" for key in keys for part in ("name", "summary")}
    return {key for key in keys if not key.startswith("commands.")} | (parts & ENTRIES.keys())


def test_what_the_product_says_there_is_and_nothing_else(modules: dict[str, ast.Module]) -> None:
    """Every key in the source is in the files, and every key of the files in the source."""
    said = said_by(modules)
    whole = {key for key in said if key.endswith("*")}
    assert {key.removesuffix(".*") for key in whole} == {*BY_VALUE, *DOCTOR}
    assert sorted(said - whole - ENTRIES.keys() - UNTOLD) == []
    by_value = tuple(key.removesuffix("*") for key in whole)
    assert [key for key in ENTRIES if key not in said and not key.startswith(by_value)] == []


@pytest.mark.parametrize("section", BY_VALUE)
def test_every_value_has_its_text(section: str) -> None:
    """A value that is added needs words, and words need a value."""
    assert under(section) == set(BY_VALUE[section])


def under(section: str) -> set[str]:
    """The last parts of the keys of a section."""
    return {key.removeprefix(f"{section}.") for key in ENTRIES if key.startswith(f"{section}.")}


def test_the_doctor_has_words_for_all_that_it_finds(modules: dict[str, ast.Module]) -> None:
    """The keys in what makes its findings are those of its texts, one for one."""
    calls = [node for tree in modules.values() for node in ast.walk(tree)]
    named = {
        one.value
        for call in calls
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id.lstrip("_") in FINDINGS
        if isinstance(call.args[0], ast.Constant) and call.args[0].value in under("doctor.parts")
        for one in call.args
        if isinstance(one, ast.Constant)
    }
    named |= {
        one.value
        for table in calls
        if isinstance(table, ast.Dict) and table.keys and all(map(_is_server, table.keys))
        for one in table.values
        if isinstance(one, ast.Constant)
    }
    assert named == {key for section in DOCTOR for key in under(section)}


def _is_server(key: ast.expr | None) -> bool:
    """Whether a key of a table is a kind of server, each of which has a text of its own."""
    match key:
        case ast.Attribute(value=ast.Name(id="ServerKind")):
            return True
    return False


def test_every_value_that_a_text_wants_is_given(modules: dict[str, ast.Module]) -> None:
    """Where it is said by its key: what the words leave to be filled in stands beside it."""
    lacking = [
        f"{path}:{call.lineno} {key}"
        for path, tree in modules.items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _says(call)
        if all(keyword.arg for keyword in call.keywords)
        for key in _keys_of(call.args[0])
        if not _wanted(key) <= {keyword.arg for keyword in call.keywords}
    ]
    assert lacking == []


def _says(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    name = call.func.id if isinstance(call.func, ast.Name) else name
    return name in {"say", "choices", "translations"} and bool(call.args)


def _keys_of(argument: ast.expr) -> list[str]:
    constants = (one.value for one in ast.walk(argument) if isinstance(one, ast.Constant))
    return [one for one in constants if isinstance(one, str) and one in ENTRIES]


def _wanted(key: str) -> set[str]:
    entry = ENTRIES[key]
    return fields(entry) | ({"count"} if isinstance(entry, Mapping) else set())


def test_the_names_of_commands_in_the_code_are_those_of_its_language() -> None:
    """What is typed without regard to a language is what the files of that language say."""
    for command in real_table().values():
        path = f"commands.{command.name.replace(' ', '.')}"
        named = {path: command.name} if " " not in command.name else {}
        named |= {f"{path}.{one.name}": one.name for one in command.options if one.shown}
        assert {key: ENTRIES[f"{key}.name"] for key in named} == named


def test_the_rule_sees_keys() -> None:
    """Not events of the log, nor other words with a point."""
    code = (
        'say("digest.done", x)\nlog.info("digest.finished")\nf"kind.{x}"\n"a.b"\ntell("digest.no")'
    )
    assert set(keys_in(ast.parse(code))) == {"digest.done", "kind.*", "digest.no"}
