"""Turns English clauses about the speaker or named people into the third person; pure."""

import re

from memory.language.expressions import SentencePattern
from memory.model.statements import MemoryType
from memory.statements.extraction.en.rules import OPENERS, RULES, TEMPLATES, third_person
from memory.statements.extraction.en.vocabulary import FAMILY
from memory.statements.extraction.model import Draft, Rule, Speech, core_of

_FULL = (
    (SentencePattern(r"\bI\s?'?m\b", re.IGNORECASE), "I am"),
    (SentencePattern(r"\bI've\b", re.IGNORECASE), "I have"),
    (SentencePattern(r"\bI'll\b", re.IGNORECASE), "I will"),
    (SentencePattern(r"\bI'd (?=like|love)", re.IGNORECASE), "I would "),
    (SentencePattern(r"\bgonna\b", re.IGNORECASE), "going to"),
    (SentencePattern(r"\bwanna\b", re.IGNORECASE), "want to"),
    (SentencePattern(r"\b(?:gotta|have got to)\b", re.IGNORECASE), "have to"),
)
_CLAUSE = SentencePattern(
    r"(?:(?P<adverb>also|really|still|always|usually|often|absolutely|actually|currently|now|only"
    r"|just|never|no longer|personally|finally)\s+)?"
    r"(?:(?P<aux>do not|does not|don't|doesn't|cannot|can not|can't|did not|didn't)\s+)?"
    r"(?:(?P<second>really|even|also|just)\s+)?"
    r"(?P<verb>[a-z]+)(?:\s+(?P<deny>not|no longer|n't))?"
    r"(?:\s+(?P<after>also|still|currently|now|actually|really|finally|very|never|always|just))?"
    r"(?:\s+(?P<rest>.+))?",
    re.IGNORECASE,
)
_SPEAKER = SentencePattern(r"I\s+(?=\S)", re.IGNORECASE)
_RELATIVE = SentencePattern(rf"my\s+(?P<noun>{FAMILY})(?P<is>'s)?\s+(?=\S)", re.IGNORECASE)
_LEAVES_OPEN = SentencePattern(
    r"\b(?:you|your|yours|u|ur|this|that|these|those|it|its|it's|here|there|she|he|him|they|them"
    r"|something|anything|stuff|things?|same)\b(?! (?:week|weekend|month|year|morning|afternoon"
    r"|evening"
    r"|summer|winter|spring|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)",
    re.IGNORECASE,
)
"""Words whose meaning lies outside the sentence: a later reader cannot know it."""
_SOMEBODYS = SentencePattern(r"\b(?:their|his|her)\b", re.IGNORECASE)
"""Beside "I", a possessive points at a person named elsewhere."""
_GROUP = SentencePattern(r"\b(?:we|our|ours|us|i|me|mine|myself)\b", re.IGNORECASE)
_MY = SentencePattern(r"\bmy\b", re.IGNORECASE)
_NAMED = SentencePattern(r"(?P<name>(?-i:[A-ZÀ-Ý])[\w'-]+)\s*$")
_CALLED = SentencePattern(
    r"(?P<verb>is|'s|is called|is named|is name is)\s+(?P<name>(?-i:[A-ZÀ-Ý])[\w'-]+)",
    re.IGNORECASE,
)
_AND_VERB = SentencePattern(r"\band (live|work|love|like|hate|play|speak|study|teach|have|own)\b")
_MOST_WORDS = 24
"""A longer rest is a story, not a fact."""


def draft(clause: str, speech: Speech) -> Draft | None:
    """The statement a clause makes, or None."""
    for pattern, plain in _FULL:
        clause = pattern.sub(plain, clause)
    for pattern, template, kind in TEMPLATES:
        found = pattern.fullmatch(clause)
        if found:
            return _from_template(found, template, kind, speech)
    for pattern, kind in OPENERS:
        if pattern.match(clause) and not _LEAVES_OPEN.search(clause):
            return Draft(content=quote(clause, speech), memory_type=kind, language="en")
    return _about_speaker(clause, speech) or _about_relative(clause, speech)


def draft_about(name: str, clause: str, *, known: bool) -> Draft | None:
    """The statement `clause` (what follows the name) makes about a named person, or None.

    Of a name that is not `known` only what holds of people alone is believed.
    """
    return _predicate(clause, (name, name), first=False, human_only=not known)


def quote(clause: str, speech: Speech) -> str:
    """The clause word for word, with who said it."""
    return f"{speech.speaker}: “{clause[:1].upper()}{clause[1:]}”"


def _from_template(
    found: re.Match[str], template: str, kind: MemoryType, speech: Speech
) -> Draft | None:
    groups = {key: value or "" for key, value in found.groupdict().items()}
    if _LEAVES_OPEN.search(groups.get("rest", "")):
        return None
    groups["rest"] = _MY.sub("their", groups.get("rest", ""))
    return Draft(
        content=" ".join(template.format(who=speech.speaker, **groups).split()),
        memory_type=kind,
        language="en",
        about=(speech.speaker,),
        core=core_of(found),
        dated="birthday" not in groups,
    )


def _about_speaker(clause: str, speech: Speech) -> Draft | None:
    found = _SPEAKER.match(clause)
    if found is None or _SOMEBODYS.search(clause):
        return None
    made = _predicate(clause[found.end() :], (speech.speaker, speech.speaker), first=True)
    if made is not None and _GROUP.search(made.content.removeprefix(speech.speaker)):
        return Draft(
            content=quote(clause, speech),
            memory_type=made.memory_type,
            language="en",
            about=made.about,
        )
    return made


def _about_relative(clause: str, speech: Speech) -> Draft | None:
    found = _RELATIVE.match(clause)
    if found is None:
        return None
    subject = f"{speech.speaker}'s {found['noun']}"
    text = ("is " if found["is"] else "") + clause[found.end() :]
    made = _called(text, (subject, speech.speaker)) or _predicate(
        text, (subject, speech.speaker), first=False
    )
    if made is None or _GROUP.search(made.content.removeprefix(subject)):
        return None
    return Draft(
        content=made.content, memory_type=made.memory_type, language="en", about=made.about
    )


def _called(text: str, subject: tuple[str, str]) -> Draft | None:
    found = _CALLED.fullmatch(text)
    if found is None or _PEOPLE.match(found["name"]):
        return None
    # "my sister's name is Nora": what follows "sister" was read as "is".
    verb = "is called" if found["verb"].lower() == "is name is" else found["verb"]
    return Draft(
        content=f"{subject[0]} {verb} {found['name']}",
        memory_type=MemoryType.FACT,
        language="en",
        about=(subject[1], found["name"]),
    )


_PEOPLE = SentencePattern(r"\w+(?:ish|an|ese|ing)$", re.IGNORECASE)
"""An adjective of origin or a participle, not a name; a Susan missed this way does no harm."""


def _predicate(
    text: str, subject: tuple[str, str], *, first: bool, human_only: bool = False
) -> Draft | None:
    """`subject` is how the content begins and whom it is about."""
    found = _CLAUSE.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"] or ""
    if _LEAVES_OPEN.search(rest) or len(rest.split()) > _MOST_WORDS:
        return None
    rule, match = _rule(found, rest, first=first)
    if rule is None or match is None or (human_only and not rule.human):
        return None
    return Draft(
        content=f"{subject[0]} {_third(found, rule, rest)}",
        memory_type=rule.memory_type,
        language="en",
        about=(subject[1],),
        core=None if _denied(found) or not first else core_of(match),
    )


def _denied(found: re.Match[str]) -> bool:
    adverb = (found["adverb"] or "").lower()
    return bool(found["aux"] or found["deny"]) or adverb in {"never", "no longer"}


def _rule(
    found: re.Match[str], rest: str, *, first: bool
) -> tuple[Rule | None, re.Match[str] | None]:
    verb, denied = found["verb"].lower(), _denied(found)
    for rule in RULES:
        form = rule.first if first or found["aux"] else rule.third
        if form == verb:
            match = rule.rest.match(f"not {rest}".strip()) if denied else None
            match = match or rule.rest.match(rest)
            if match:
                return rule, match
    return None, None


def _third(found: re.Match[str], rule: Rule, rest: str) -> str:
    aux = (found["aux"] or "").lower().replace("don't", "doesn't").replace("do not", "does not")
    verb = rule.first if aux else rule.third
    own = _MY.sub("their", _second_verb(rest, rule))
    parts = (found["adverb"], aux, found["second"], verb, found["deny"], found["after"], own)
    return " ".join(part for part in parts if part)


def _second_verb(rest: str, rule: Rule) -> str:
    """`and work in Lyon` becomes `and works in Lyon` where the first verb is in the present."""
    if rule.first == rule.third:
        return rest
    return _AND_VERB.sub(
        lambda verb: f"and {'has' if verb[1] == 'have' else third_person(verb[1])}",
        rest,
    )
