"""Finds the statements in one message; pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta

from memory.language.detection import guess_language
from memory.language.expressions import LONGEST_SENTENCE, SentencePattern, read_part
from memory.language.names import names_in
from memory.language.text import Language, fold
from memory.language.times.absolute import date_at_start, dated, time_left
from memory.language.word_lists import STOP_WORDS
from memory.model.statements import MemoryType
from memory.statements.extraction.claimed import claimed_clauses, drafts_in_own_words
from memory.statements.extraction.en import grammar as english
from memory.statements.extraction.fr import grammar as french
from memory.statements.extraction.model import Draft, Speech, Statement
from memory.statements.extraction.sentences import (
    clauses,
    is_joke,
    is_marked_joke,
    is_plain,
    own_lines,
    sentences,
    without_address,
)

_ASKED_TO_KEEP = SentencePattern(
    r"(?:(?:hey|ok|eko|stp|s'il te plaît|please|et|and|aussi|also|alors|so)[\s,:!]+)*"
    r"(?:(?P<fr>(?:souviens|rappelle)[ -]toi (?:bien )?(?:que\s|qu'|de ceci ?:)|(?:retiens"
    r"|n'oublie pas|oublie pas"
    r"|mémorise|garde en mémoire|enregistre)(?: bien)?(?:\s+(?:que\s|qu')| ?:))"
    r"|(?P<en>(?:remember|don't forget|keep in mind|memori[sz]e)(?: that\b"
    r"(?! (?:time|guy|one|day|night|thing|movie|song|game|was|is)\b)| ?:|(?= (?:I|my|I'm) )))"
    r")\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)

_ALIAS = SentencePattern(
    r"(?P<left>@?[\w-]{2,24})\s*(?:,?\s*c'est|=|est le pseudo de|is the nick of|aka|is)\s*"
    r"(?P<right>@?[\w-]{2,24})",
    re.IGNORECASE,
)

_LEADING_NAME = SentencePattern(r"(?P<name>(?-i:[A-ZÀ-Ý])[\w-]{2,24})\s+(?=\S)")

_PROPER = SentencePattern(
    r"(?<![.!?:“«]\s)(?<![“«])(?<!^)\b(?-i:[A-ZÀ-Ý])[\w-]*\w(?:[ -](?-i:[A-ZÀ-Ý])\w+)*"
)

_NOT_NAMES = frozenset(
    """
    true false none null yes no lundi mardi mercredi jeudi vendredi samedi dimanche monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august
    september october november december quelqu quelqu'un personne someone everybody everyone nobody
    anyone somebody chacun google ubuntu linux windows debian everything nothing
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)

_MOST_SUBJECTS = 6
"""A statement with more names than this is about no one in particular."""

_NEAR = 10
"""Words after which a date at the end reads as if it belonged to something else."""

_LONGEST = 300
"""Characters of a statement kept word for word."""


def find_statements(
    text: str, speaker: str, said_at: datetime, names_known: Collection[str] = ()
) -> list[Statement]:
    """The plain statements of a message, in order, each once.

    `said_at` is aware, in the time zone its dates are meant in. `names_known` are the people and
    aliases of the room, which lets more be believed about them. What the speaker asks to be
    remembered always gives one.
    """
    speech = Speech(speaker=speaker, said_at=said_at, names=names_known)
    drafts = list(_drafts(text, speech))
    if not is_marked_joke(text):
        drafts += drafts_in_own_words(claimed_clauses(text), drafts, speech)
    found = (_statement(draft, speech) for draft in drafts)
    return list({statement.content: statement for statement in found}.values())


def _drafts(text: str, speech: Speech) -> Iterator[Draft]:
    if is_marked_joke(text):
        return
    joking = is_joke(text)
    for line in own_lines(text):
        for sentence in sentences(line):
            begun = read_part(sentence, LONGEST_SENTENCE)
            asked = _ASKED_TO_KEEP.match(without_address(begun, speech.names))
            if asked and not sentence.endswith("?"):
                yield from _kept(asked, speech)
            elif not joking and is_plain(sentence):
                yield from _plain(without_address(sentence, speech.names), speech)


def _kept(asked: re.Match[str], speech: Speech) -> Iterator[Draft]:
    """What the speaker asked to remember: as statements where possible, else word for word."""
    what = asked["what"].strip(" .!…")
    drafts = list(_plain(what, speech)) if is_plain(what) else []
    if drafts or not what:
        yield from drafts
        return
    language: Language = "fr" if asked["fr"] else "en"
    words = what[:_LONGEST]
    said = french.quote(words, speech) if language == "fr" else english.quote(words, speech)
    yield Draft(content=said, memory_type=MemoryType.FACT, language=language)


def _plain(sentence: str, speech: Speech) -> Iterator[Draft]:
    alias = _alias(sentence.strip(" .!"), speech)
    if alias is not None:
        yield alias
        return
    for clause in clauses(_date_joined(sentence)):
        draft = _draft(clause, speech)
        if draft is not None:
            yield draft


def _draft(clause: str, speech: Speech) -> Draft | None:
    for language in _languages(clause):
        start = date_at_start(clause, language)
        moved = _date_last(clause, start)
        said = french.draft if language == "fr" else english.draft
        draft = said(moved, speech) or _about_named(moved, language, speech)
        if draft is not None:
            return _date_first(draft, start) if start else draft
    return None


def _languages(clause: str) -> tuple[Language, Language]:
    return ("fr", "en") if guess_language(clause, "fr") == "fr" else ("en", "fr")


def _date_joined(sentence: str) -> str:
    """`Demain, je pars` as `Demain je pars`, so that the date stays with its verb."""
    start = date_at_start(sentence, guess_language(sentence, "fr"))
    return f"{start} {sentence[len(start) :].lstrip(' ,')}" if start else sentence


def _date_last(clause: str, start: str) -> str:
    """`demain je pars` as `je pars demain`."""
    rest = clause[len(start) :].lstrip(" ,")
    return f"{rest} {start[:1].lower()}{start[1:]}" if start and rest else clause


def _date_first(draft: Draft, start: str) -> Draft:
    """The date back in front where the end of the sentence is too far from its verb."""
    body = draft.content[: -len(start)].rstrip()
    if len(body.split()) <= _NEAR and "," not in body:
        return draft
    if not draft.content.lower().endswith(start.lower()):
        return draft
    return replace(draft, content=f"{start[:1].upper()}{start[1:]}, {body}")


def _about_named(clause: str, language: Language, speech: Speech) -> Draft | None:
    about = french.draft_about if language == "fr" else english.draft_about
    for name in sorted(names_in(clause, speech.names), key=len, reverse=True):
        called = clause.removeprefix("@")
        if called[: len(name)].lower() == name.lower() and called[len(name) :][:1].isspace():
            return about(name, called[len(name) :].lstrip(), known=True)
    leading = _LEADING_NAME.match(clause)
    if leading is None or not _could_be_a_person(leading["name"]):
        return None
    return about(leading["name"], clause[leading.end() :], known=False)


def _alias(sentence: str, speech: Speech) -> Draft | None:
    """`dev = Mickael`: one side must be a known name, or the right one look like one."""
    found = _ALIAS.fullmatch(sentence)
    if found is None:
        return None
    left, right = found["left"].lstrip("@"), found["right"].lstrip("@")
    known = {fold(name) for name in speech.names}
    sure = fold(right) in known or (fold(left) in known and _could_be_a_person(right))
    shown = "=" in sentence or "c'est" in sentence.lower()
    if not (sure or (shown and _could_be_a_person(right))) or not _could_be_a_nick(left):
        return None
    return Draft(
        content=f"{left} = {right}",
        memory_type=MemoryType.IDENTITY,
        language=guess_language(sentence, "fr"),
        about=(left, right),
        dated=False,
    )


def _could_be_a_person(word: str) -> bool:
    plain = fold(word)
    return word[:1].isupper() and word[1:].islower() and word.isalpha() and _free(plain)


def _could_be_a_nick(word: str) -> bool:
    return not word.isdigit() and _free(fold(word))


def _free(plain: str) -> bool:
    return len(plain) > 1 and plain not in STOP_WORDS and plain not in _NOT_NAMES


def _statement(draft: Draft, speech: Speech) -> Statement:
    content, ttl = draft.content, None
    if draft.dated:
        resolved = dated(content, speech.said_at, draft.language)
        content, ttl = resolved.text, _ttl(draft.memory_type, speech, resolved.last)
    return Statement(
        content=content,
        memory_type=draft.memory_type,
        subjects=_subjects(draft, speech),
        ttl=ttl,
        core=draft.core,
    )


def _ttl(kind: MemoryType, speech: Speech, last: date | None) -> timedelta | None:
    """Only what happens on a day passes with it."""
    passing = kind in {MemoryType.EVENT, MemoryType.TODO}
    return time_left(speech.said_at, last) if passing else None


def _subjects(draft: Draft, speech: Speech) -> tuple[str, ...]:
    named = sorted(names_in(draft.content, speech.names))
    proper = [found[0] for found in _PROPER.finditer(draft.content) if _free(fold(found[0]))]
    every = (*(draft.about or (speech.speaker,)), *named, *proper)
    once: dict[str, str] = {}
    for subject in every:
        once.setdefault(fold(subject), subject)
    return tuple(once.values())[:_MOST_SUBJECTS]
