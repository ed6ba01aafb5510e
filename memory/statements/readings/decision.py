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
from memory.language.text import capitalised, fold, stems
from memory.language.word_lists import NEGATIONS
from memory.model.statements import Memory, MemoryType, NewMemory, Statement
from memory.statements.readings.change_patterns import FILLING, WANTED, first_thing, is_past
from memory.statements.readings.subject import SPEAKER, WE, clause_of, key_of, spoken_words
from memory.statements.readings.things import TIMES

_GROUPS = frozenset({WE, "team"})

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
    r".*?\b(?:(?:remplac(?:e[rz]?|é)|replac(?:e|es|ed|ing))\s(?P<a>.+?)\s(?:par|with|by)"
    r"|(?:abandonne[rz]?|laisse tomber|drop(?:s|ping)?|abandon(?:s|ing)?)\s(?P<b>.+?)\s(?:pour|for)"
    r"|(?:pass(?:e[rz]?|ée?s?|ons)|switch(?:es|ed|ing)?|migrat(?:es?|ed|ing)|mov(?:e|es|ing))"
    r"\s(?:de|d'|from)\s?(?P<c>.+?)\s(?:à|to))"
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
_IN_PLACE = (
    r"(?:au lieu|à la place) (?:d[eu]s?\s|d')|plutôt qu(?:e d'|e (?:de )?|')|(?:et non|instead of"
    r"|rather than|and not)\s"
)
_INSTEAD_OF = SentencePattern(rf",?\s*\b(?:{_IN_PLACE}|(?:not|pas)\s)(?P<old>.+)", re.IGNORECASE)
_NOT_BUT = SentencePattern(rf",?\s*\b(?:{_IN_PLACE})(?P<old>.+)", re.IGNORECASE)
_PURPOSE = SentencePattern(
    r"\s(?:pour|for|comme|as|dans|in|sur|on)\s(?P<purpose>.+)", re.IGNORECASE
)
_FILLING = frozenset(
    stem
    for word in """
    place lieu plutot instead rather actually finalement fait avis changed mind decide decided
    choisi va vais allons will going maintenant now desormais
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
    for stem in stems(word)
)
_RESOLVED = SentencePattern(
    r"(?:(?:has|have|a|ai|avons|ont) )?(?:decided|chosen|agreed|chose|decide|choisi) "
    r"(?:(?:to|on|de) |d')?(?P<what>\S.*)"
)
_VERB = SentencePattern(
    r"(?:(?:is|am|are) (?=\w+ing\b)|(?:has|have) (?=\w+(?:ed|en|t|ne)\b)"
    r"|(?:s'est|me suis|se sont|nous sommes|est|suis|sommes|sont|a|ai|avons|ont) "
    r"(?=(?!(?:une?|des)\b)\w+(?:e|i|u|is|it|es)\b)|(?:se|me) |[sm]')?"
    r"(?P<verb>\w+)(?: (?P<what>.*))?"
)
_TO_A_PLACE = SentencePattern(r"(?:to|in|at|for|en|a|au|aux|chez|pour) (?P<where>\w+)")
_HAVING = frozenset(
    """
    have has a ai avons ont aura be is am are est suis sommes sont do does make makes fait fais
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)
"""Verbs that say nothing of what is planned: one may have a party and a visit."""
_WITH_OTHERS = frozenset(("and", "et", "or", "ou", "with", "avec"))
"""Stands where more people are named than are read, and is no verb."""
_CHOOSING = frozenset(stems("choose choisir decide pick opt prefer prefere decider"))


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
    sur", "switch to"). The frame of what is no choice is its verb; `where` is a place it names.
    """

    people: frozenset[str] = frozenset()
    """Who decided: two people's decisions are two."""
    frame: str
    named: str
    thing: frozenset[str]
    purpose: frozenset[str] = frozenset()
    aimed: str = ""
    given_up: frozenset[str] = frozenset()
    is_denied: bool = False
    switches: bool = False
    where: str = ""
    is_past: bool = False

    def is_of_people_of(self, other: "Decision") -> bool:
        """Whether both are of the same people; of a group, however it calls itself."""
        return self.people == other.people or (
            self.frame == CHOICE == other.frame and self.people | other.people <= _GROUPS
        )


def is_correction(text: str) -> bool:
    """Whether words take back something said before: "en fait", "instead", "changed my mind"."""
    return _CORRECTS.search(text.replace("’", "'")) is not None


def plan_of(statement: Statement) -> Decision | None:
    """What a statement settles on, or None: a choice, or a plan said of a person with a verb."""
    choice = choice_of(statement.content)
    if choice is not None:
        return replace(choice, people=_deciding(statement))
    if statement.memory_type not in _PLANS:
        return None
    return _planned(statement.content, statement.said_by)


def _deciding(statement: Statement) -> frozenset[str]:
    """Who decides; a speaker may speak for all."""
    people = clause_of(statement.content, statement.said_by).people
    own = {SPEAKER, key_of(statement.said_by or "")}
    return people if people - own else frozenset({WE})


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
def _planned(content: str, said_by: str | None) -> Decision | None:
    """A plan of a person: whom it is of is apart from what it is about.

    Where no one is read its first word would pass for the verb.
    """
    plain = " ".join(content.replace("’", "'").split())
    given = _NOT_BUT.search(plain)
    clause = clause_of(plain[: given.start()] if given else plain, said_by)
    said = " ".join(FILLING.sub("", clause.said).split())
    resolved = _RESOLVED.fullmatch(said)
    meant = resolved["what"] if resolved else first_thing(WANTED, said) or said
    found = _VERB.fullmatch(meant)
    if found is None or not (clause.is_told and clause.people) or negated(content):
        return None
    if found["verb"] in _WITH_OTHERS:
        return None
    named = found["what"] or ""
    place = _TO_A_PLACE.match(named)
    is_named = place is not None and place["where"] in map(fold, capitalised(plain))
    return Decision(
        people=clause.people,
        frame=next(iter(stems(found["verb"])), found["verb"]),
        named=named,
        thing=frozenset(stems(named)) - _FILLING - TIMES,
        given_up=(_content(_thing_of(given["old"])) - TIMES) if given else frozenset(),
        where=found["what"].split()[0] if is_named else "",
        is_past=resolved is None and is_past(said),
    )


def _thing_of(old: str) -> str:
    """What is given up, without when and what for."""
    purpose = _PURPOSE.search(old)
    return old[: purpose.start()] if purpose else old


def _own_words(content: str) -> str:
    return spoken_words(content).words.translate(_UNBRACKETED)


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
    old = _thing_of(found["old"])
    return what[: found.start()] + found["old"][len(old) :], old


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
    rivals = [one for one in kept if _could_be(plan, one[1], corrects=new.corrects)]
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
        lambda one: of_one_kind(plan.named, one[1].named),
        lambda one: new.said_by is not None and one[0].said_by == new.said_by,
        lambda one: said_at - one[0].valid_from <= ONE_TALK,
    )


def _could_be(plan: Decision, other: Decision, *, corrects: bool) -> bool:
    """Whether a correction may mean it: of the same people, and of the same matter."""
    if not plan.is_of_people_of(other) or other.is_denied or plan.thing <= other.thing:
        return False
    if plan.given_up and CHOICE not in {plan.frame, other.frame}:
        is_told = plan.given_up <= other.thing
        return is_told and (plan.frame == other.frame or other.frame in _CHOOSING)
    if plan.frame != other.frame:
        return False
    return plan.frame == CHOICE or could_replace(plan, other, corrects=corrects)


def could_replace(plan: Decision, other: Decision, *, corrects: bool = False) -> bool:
    """Whether a plan in the same verb is another answer to the same question."""
    if other.is_past and not corrects:
        return False
    if plan.where and plan.where == other.where:
        return True
    return plan.frame not in _HAVING and of_one_kind(plan.named, other.named)


def _of_other_purpose(plan: Decision, other: Decision) -> bool:
    return bool(plan.purpose and other.purpose) and not plan.purpose & other.purpose


def _is_near(plan: Decision, one: Earlier, said_at: datetime) -> bool:
    memory, other = one
    is_named = bool(plan.purpose & other.purpose) or bool(plan.thing & other.thing)
    return is_named or said_at - memory.valid_from <= LATELY or of_one_kind(plan.named, other.named)


def of_one_kind(one: str, other: str) -> bool:
    """Whether two things have a word near both in the lexicon: MySQL and Postgres, tea, coffee."""
    return not _kinds(one).isdisjoint(_kinds(other))


@lru_cache(maxsize=_CACHED)
def _kinds(named: str) -> frozenset[str]:
    return frozenset(term for terms in near(named).values() for term, _ in terms)
