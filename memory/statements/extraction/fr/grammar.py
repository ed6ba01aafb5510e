"""Turns French clauses about the speaker or named people into the third person; pure."""

import re

from memory.language.expressions import SentencePattern
from memory.language.text import fold
from memory.model.statements import MemoryType
from memory.statements.extraction.fr.rules import OPENERS, RULES, TEMPLATES
from memory.statements.extraction.fr.vocabulary import FAMILY
from memory.statements.extraction.model import Draft, Rule, Speech, core_of

_CLAUSE = SentencePattern(
    r"(?P<ne>ne\s+|n')?(?P<se>(?:me|se)\s+|[ms]')?(?P<verb>[a-zà-ÿœ]+)"
    r"(?:\s+(?P<deny>pas|plus|jamais|rien))?"
    r"(?:\s+(?P<adverb>bien|vraiment|toujours|encore|aussi|trop|beaucoup|souvent|juste|déjà|surtout"
    r"|tellement|actuellement|maintenant|officiellement|enfin|du tout))?(?:\s+(?P<rest>.+))?",
    re.IGNORECASE,
)
_SPEAKER = SentencePattern(r"(?:je\s+|j'\s*)(?=\S)", re.IGNORECASE)
_RELATIVE = SentencePattern(rf"(?P<mine>mon|ma|mes)\s+(?P<noun>{FAMILY})\s+(?=\S)", re.IGNORECASE)
_LEAVES_OPEN = SentencePattern(
    r"\b(?:tu|te|toi|ton|ta|tes|(?<!rendez-)vous|votre|vos|t'|ça|ca|cela|ceci|celui|celle|ceux"
    r"|il(?! y a)|elle|ils|elles|lui|leur|eux|là|ici|ce truc|ces trucs|cette chose)\b|-(?:là|ci)\b"
    r"|\bce (?:que|qui)\b",
    re.IGNORECASE,
)
"""Words whose meaning lies outside the sentence: a later reader cannot know it."""
_SOMEBODYS = SentencePattern(r"\b(?:son|sa|ses|leurs?)\b", re.IGNORECASE)
"""Beside "je", a possessive points at a person named elsewhere."""
_GROUP = SentencePattern(r"\b(?:nous|notre|nos|on|je|me|moi)\b|\b[jm]'", re.IGNORECASE)
_MY = SentencePattern(r"\b(?:mon|ma|mes)\b", re.IGNORECASE)
_MINE = {"mon": "son", "ma": "sa", "mes": "ses"}
_VOWEL = SentencePattern(r"[aeiouyhâàéèêëîïôûœ]", re.IGNORECASE)
_ASPIRATED = frozenset({"hait", "hais"})
_MOST_WORDS = 24
"""A longer rest is a story, not a fact."""


def draft(clause: str, speech: Speech) -> Draft | None:
    """The statement a clause makes, or None."""
    for pattern, template, kind in TEMPLATES:
        found = pattern.fullmatch(clause)
        if found:
            return _from_template(found, template, kind, speech)
    for pattern, kind in OPENERS:
        if pattern.match(clause) and not _LEAVES_OPEN.search(clause):
            return Draft(content=quote(clause, speech), memory_type=kind, language="fr")
    return _about_speaker(clause, speech) or _about_relative(clause, speech)


def draft_about(name: str, clause: str, *, known: bool) -> Draft | None:
    """The statement `clause` (what follows the name) makes about a named person, or None.

    Of a name that is not `known` only what holds of people alone is believed.
    """
    return _predicate(clause, (name, name), first=False, human_only=not known)


def quote(clause: str, speech: Speech) -> str:
    """The clause word for word, with who said it."""
    return f"{speech.speaker} : « {clause[:1].upper()}{clause[1:]} »"


def of(name: str) -> str:
    """`de Paul`, `d'Anna`."""
    return f"d'{name}" if fold(name[:1]) in "aeiouy" else f"de {name}"


def _from_template(
    found: re.Match[str], template: str, kind: MemoryType, speech: Speech
) -> Draft | None:
    groups = {key: value or "" for key, value in found.groupdict().items()}
    rest = groups.get("rest", "")
    if _LEAVES_OPEN.search(rest):
        return None
    groups["rest"] = _MY.sub(lambda mine: _MINE[mine[0].lower()], rest)
    if "mine" in groups:
        groups["article"] = _article(groups["mine"], groups["noun"])
    content = template.format(who=speech.speaker, of_who=of(speech.speaker), **groups)
    return Draft(
        content=" ".join(content.split()),
        memory_type=kind,
        language="fr",
        about=(speech.speaker,),
        core=core_of(found),
        dated="birthday" not in groups,
    )


def _about_speaker(clause: str, speech: Speech) -> Draft | None:
    found = _SPEAKER.match(clause)
    if found is None or _SOMEBODYS.search(clause):
        return None
    subject = (speech.speaker, speech.speaker)
    rest = clause[found.end() :]
    made = _predicate(rest, subject, first=True)
    if made is not None and _GROUP.search(made.content.removeprefix(speech.speaker)):
        return Draft(
            content=quote(clause, speech),
            memory_type=made.memory_type,
            language="fr",
            about=made.about,
        )
    return made


def _about_relative(clause: str, speech: Speech) -> Draft | None:
    found = _RELATIVE.match(clause)
    if found is None:
        return None
    subject = f"{_article(found['mine'], found['noun'])}{found['noun']} {of(speech.speaker)}"
    made = _predicate(clause[found.end() :], (subject, speech.speaker), first=False)
    if made is None or _GROUP.search(made.content.removeprefix(subject)):
        return None
    return Draft(
        content=made.content, memory_type=made.memory_type, language="fr", about=made.about
    )


def _article(mine: str, noun: str) -> str:
    if mine.lower() == "mes":
        return "Les "
    if _VOWEL.match(noun):
        return "L'"
    return "Le " if mine.lower() == "mon" else "La "


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
        language="fr",
        about=(subject[1],),
        core=None if found["deny"] or not first else core_of(match),
    )


def _rule(
    found: re.Match[str], rest: str, *, first: bool
) -> tuple[Rule | None, re.Match[str] | None]:
    verb = ("se " if found["se"] else "") + found["verb"].lower()
    tested = f"pas {rest}".strip() if found["deny"] else rest
    for rule in RULES:
        if (rule.first if first else rule.third) == verb:
            match = rule.rest.match(tested) or (rule.rest.match(rest) if found["deny"] else None)
            if match:
                return rule, match
    return None, None


def _third(found: re.Match[str], rule: Rule, rest: str) -> str:
    verb = rule.third.removeprefix("se ")
    if found["se"]:
        verb = f"s'{verb}" if _VOWEL.match(verb) else f"se {verb}"
    if found["deny"] or found["ne"]:
        elided = _VOWEL.match(verb) and verb not in _ASPIRATED
        verb = f"n'{verb}" if elided else f"ne {verb}"
    own = _MY.sub(lambda mine: _MINE[mine[0].lower()], rest)
    return " ".join(part for part in (verb, found["deny"], found["adverb"], own) if part)
