"""What was decided or planned, and which earlier decision a correction means. Pure.

"On va utiliser MySQL à la place" names what holds now and not what it replaces: that must be told
from the earlier decisions themselves, or be left open.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from memory.language.detection import negated
from memory.language.expressions import SentencePattern
from memory.language.synonyms import near
from memory.language.text import stems, words
from memory.language.word_lists import NEGATIONS
from memory.model.statements import Memory, MemoryType, NewMemory, Statement

CHOICE = "choice"
"""The frame of all decisions to use, take or go with something, in whatever verb."""

LATELY = timedelta(days=30)
"""An older decision is corrected only by words that name it, its purpose or a thing of its kind."""

ONE_TALK = timedelta(hours=6)
"""Of several decisions that fit, the one of the same conversation is meant."""

_CACHED = 4_096
"""Statements whose reading is remembered."""

_PLANS = frozenset({MemoryType.EVENT, MemoryType.DECISION, MemoryType.TODO, MemoryType.GOAL})
"""What can be decided otherwise; a fact or a liking beside another one is no correction of it."""

_CORRECTS = re.compile(
    r"\b(?:en fait|finalement|tout compte fait|au final|en réalité|à la place|au lieu d"
    r"|chang(?:é|er|ement|eons|ons) d['e ]\s?(?:avis|idée|plan|programme)"
    r"|je me suis trompée?|je me trompe"
    r"|plutôt (?=que\b|l[ea]s?\b|l'|une?\b|du\b|des?\b|à\b|en\b|sur\b)"
    r"|correction|instead|actually|on second thoughts?|after all|rather than"
    r"|chang(?:ed|ing) (?:my|our|his|her|their) minds?|scratch that|i was wrong|i meant|no longer"
    r"|change of plans?)\b|\bplutôt\W*$",
    re.IGNORECASE | re.MULTILINE,
)

_FRENCH = (
    r"(?:(?:va|vais|vas|allons|vont|veut|veux|préfère|préférons"
    r"|(?:a|ai|avons|ont) (?:décidé|choisi) (?:de |d'))\s?)?"
    r"(?:utilis(?:er|e|ons|era|erons)|prend(?:re|ra|s)?|prenons|part(?:ir|ons)? sur"
    r"|pass(?:er|e|ons) (?:à|sur)|choisi(?:r|t|s|ssons)?|adopt(?:er|e|ons)|gard(?:er|e|ons)"
    r"|rest(?:er|e|ons) sur"
    r"|opt(?:er|e|ons) pour|(?:a|ai|avons|ont) (?:choisi|adopté|opté pour|pris))"
)
_ENGLISH = (
    r"(?:(?:will|'ll|(?:am|is|are|'re|'m) going to|going to"
    r"|(?:have |has )?(?:decided|agreed|chosen) to|chose to|should|plans? to|wants? to)\s)?"
    r"(?:us(?:e|es|ing)|(?:go|goes|going|went) with|switch(?:es|ing|ed)? to|pick(?:s|ed)?"
    r"|cho(?:ose|oses|se|sen)|adopt(?:s|ed|ing)?|(?:decided|settled|agreed) on|settled for"
    r"|opt(?:s|ed)? for|stick(?:s|ing)? with)"
)
_SAYS = SentencePattern(
    rf"(?P<who>.{{0,60}}?)(?:^|[\s,'])(?:ne |n')?(?:{_FRENCH}|{_ENGLISH})\s"
    r"(?:plus |pas |finalement |donc |maintenant |désormais |plutôt |now |instead )*(?P<what>\S.*)",
    re.IGNORECASE,
)
_SWAPS = SentencePattern(
    r".*?\b(?:(?:remplace[rz]?|replac(?:e|es|ing))\s(?P<a>.+?)\s(?:par|with|by)"
    r"|(?:abandonne[rz]?|laisse tomber|drop(?:s|ping)?|abandon(?:s|ing)?)\s(?P<b>.+?)\s(?:pour|for)"
    r"|(?:passe[rz]?|passons|switch(?:es|ing)?|mov(?:e|es|ing))\s(?:de|d'|from)\s?(?P<c>.+?)\s(?:à|to))"
    r"\s(?P<what>.+)",
    re.IGNORECASE,
)
_FRONT = SentencePattern(
    r"(?:pour|dans|for|in|about|concernant)\s(?P<purpose>\S.{0,60}?),?\s(?=(?:on|nous|we)\b)",
    re.IGNORECASE,
)
_SWITCHES = SentencePattern(
    r"\b(?:pass(?:er|e|ons) (?:à|sur)|switch(?:es|ing|ed)? to)\s*$", re.IGNORECASE
)
_INSTEAD_OF = SentencePattern(
    r",?\s*\b(?:(?:au lieu|à la place) (?:d[eu]s?\s|d')|(?:plutôt que(?: de)?|et non|instead of"
    r"|rather than|and not|not|pas)\s)(?P<old>.+)",
    re.IGNORECASE,
)
_PURPOSE = SentencePattern(
    r"\s(?:pour|for|comme|as|dans|in|sur|on)\s(?P<purpose>.+)", re.IGNORECASE
)
_QUOTE = SentencePattern(r"[^«“:]{1,80}?\s?:\s[«“]\s?(?P<said>.+?)\s?[»”]")
_FILLING = frozenset(
    stem
    for word in """
    place lieu plutot instead rather actually finalement fait avis changed mind decide decided
    choisi va vais allons will going maintenant now desormais
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
    for stem in stems(word)
)
_AUXILIARIES = frozenset(
    "a ai ont est suis is am are has have had will va vais veut veux wants want s se".split()  # noqa: SIM905 - see above
)


_GENERIC = frozenset(
    stem
    for word in """
    projet project app appli application site base bases donnees database data service equipe team
    travail work chose thing truc nouveau nouvelle new
    """.split()  # noqa: SIM905 - see above
    for stem in stems(word)
)
"""Words that many purposes share: "projet" does not tell one project from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is settled on: the frame it is said in, the thing, what for, and what it is not.

    `named` is the thing and `aimed` what for, as they were written, the rest are stems; `given_up`
    is what it leaves. `switches` when its verb tells that there was another one before ("passe
    sur", "switch to").
    """

    frame: str
    named: str
    thing: frozenset[str]
    purpose: frozenset[str] = frozenset()
    aimed: str = ""
    given_up: frozenset[str] = frozenset()
    is_denied: bool = False
    switches: bool = False


def is_correction(text: str) -> bool:
    """Whether words take back something said before: "en fait", "instead", "changed my mind"."""
    return _CORRECTS.search(text.replace("’", "'")) is not None


def plan_of(statement: Statement) -> Decision | None:
    """What a statement settles on, or None: a choice, or a plan said of a person with a verb."""
    choice = choice_of(statement.content)
    if choice is not None or statement.memory_type not in _PLANS:
        return choice
    return _personal(statement.content)


@lru_cache(maxsize=_CACHED)
def choice_of(content: str) -> Decision | None:
    """The choice of something that a statement tells of, in whatever verb; None for none."""
    front, said = _front_apart(_own_words(content))
    if found := _SWAPS.fullmatch(said):
        old = found["a"] or found["b"] or found["c"]
        return _choice(found["what"], old, denied=False)
    found = _SAYS.fullmatch(said)
    if found is None:
        return None
    what, given_up = _without_given_up(found["what"])
    verb = said[: found.start("what")]
    choice = _choice(what, given_up, denied=negated(verb))
    if choice is None:
        return None
    return replace(
        choice,
        purpose=choice.purpose | _aim(front),
        aimed=choice.aimed or front,
        switches=_SWITCHES.search(verb) is not None,
    )


@lru_cache(maxsize=_CACHED)
def _personal(content: str) -> Decision | None:
    said = words(_own_words(content))
    first = 3 if len(said) > 2 and said[1] in _AUXILIARIES else 2
    rest = " ".join(said[first:])
    thing = frozenset(stems(rest)) - _FILLING
    if not thing or negated(content):
        return None
    return Decision(frame=" ".join(said[:first]), named=rest, thing=thing)


def _own_words(content: str) -> str:
    plain = " ".join(content.replace("’", "'").split()).rstrip(" .!")
    quote = _QUOTE.fullmatch(plain)
    said = quote["said"].rstrip(" .!") if quote else plain
    return said.translate(_UNBRACKETED)


_UNBRACKETED = str.maketrans("", "", "[]")


def tells_apart(plan: Decision) -> bool:
    """Whether it says what for in words that tell this from other purposes."""
    return bool(plan.aimed) and not plan.purpose <= _GENERIC


def with_aim(content: str, aimed: str) -> str:
    """A decision with what it is for, in the brackets of what an editor puts into a quotation.

    "On va utiliser MySQL à la place [pour le projet Atlas]": what it took the place of said so.
    """
    end = len(content.rstrip(" .!»”"))
    return f"{content[:end]} [{aimed}]{content[end:]}"


def _front_apart(said: str) -> tuple[str, str]:
    """What a decision is for where that stands in front, and the rest."""
    found = _FRONT.match(said)
    return (found[0].rstrip(" ,"), said[found.end() :]) if found else ("", said)


def _without_given_up(what: str) -> tuple[str, str]:
    found = _INSTEAD_OF.search(what)
    if found is None:
        return what, ""
    purpose = _PURPOSE.search(found["old"])
    old = found["old"][: purpose.start()] if purpose else found["old"]
    return what[: found.start()] + (purpose[0] if purpose else ""), old


def _choice(what: str, given_up: str, *, denied: bool) -> Decision | None:
    purpose = _PURPOSE.search(what)
    named = what[: purpose.start()] if purpose else what
    thing = _content(named)
    if not thing:
        return None
    return Decision(
        frame=CHOICE,
        named=named,
        thing=thing,
        purpose=_aim(purpose["purpose"]) if purpose else frozenset(),
        aimed=purpose[0].strip() if purpose else "",
        given_up=_content(given_up),
        is_denied=denied,
    )


def _aim(text: str) -> frozenset[str]:
    """What tells a purpose from others."""
    said = _content(text) - frozenset(stems("pour for dans in about concernant"))
    return said - _GENERIC or said


def _content(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - NEGATIONS - _FILLING


Earlier = tuple[Memory, Decision]
"""A kept statement with what it settled on."""


def meant_by(
    new: NewMemory, plan: Decision, kept: Sequence[Earlier], said_at: datetime
) -> Sequence[Memory]:
    """Which of several earlier decisions a correction takes back; several when it is not clear.

    What it says to give up names them. Otherwise those of another purpose are out, and then, as
    long as several are left, the ones count that serve the same purpose (or one that was named
    beside it), are of its kind, were said by the same person, or in the same talk. One that nothing
    but its time speaks for must be fresh.
    """
    rivals = [one for one in kept if _could_be(plan, one[1])]
    if plan.given_up:
        return [memory for memory, other in rivals if other.thing & plan.given_up]
    rivals = [one for one in rivals if not _of_other_purpose(plan, one[1])]
    for speaks_for in _signs(new, plan, said_at):
        rivals = [one for one in rivals if speaks_for(one)] or rivals
        if len(rivals) == 1:
            break
    return [one[0] for one in rivals if _is_near(plan, one, said_at)]


def _signs(
    new: NewMemory, plan: Decision, said_at: datetime
) -> Sequence[Callable[[Earlier], bool]]:
    aim = plan.purpose or _content(new.beside)
    return (
        lambda one: bool(aim & one[1].purpose),
        lambda one: of_one_kind(plan, one[1]),
        lambda one: new.said_by is not None and one[0].said_by == new.said_by,
        lambda one: said_at - one[0].held_from <= ONE_TALK,
    )


def _could_be(plan: Decision, other: Decision) -> bool:
    return other.frame == plan.frame and not other.is_denied and not plan.thing <= other.thing


def _of_other_purpose(plan: Decision, other: Decision) -> bool:
    return bool(plan.purpose and other.purpose) and not plan.purpose & other.purpose


def _is_near(plan: Decision, one: Earlier, said_at: datetime) -> bool:
    memory, other = one
    is_named = bool(plan.purpose & other.purpose) or bool(plan.thing & other.thing)
    return is_named or said_at - memory.held_from <= LATELY or of_one_kind(plan, other)


def of_one_kind(one: Decision, other: Decision) -> bool:
    """Whether two things have a word near both in the lexicon: MySQL and Postgres, tea, coffee."""
    return not _kinds(one.named).isdisjoint(_kinds(other.named))


@lru_cache(maxsize=_CACHED)
def _kinds(named: str) -> frozenset[str]:
    return frozenset(term for terms in near(named).values() for term, _ in terms)
