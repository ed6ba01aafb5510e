"""What a statement itself says about causes, results and wholes, by its connectives. Pure.

Only explicit connectives count (Prasad et al. 2008, the Penn Discourse Treebank, call them explicit
relations), and of those only the ones that seldom mean something else: a missed tie costs little, a
wrong one brings up what has nothing to do with the question.
"""

import re
from dataclasses import dataclass

from memory.language.detection import guess_language, negated
from memory.language.expressions import SentencePattern
from memory.language.text import fold, stems
from memory.model.statements import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalLink:
    """What a statement ties together: `start` has this relation to `end`, both folded text.

    For a cause or a result `start` is what came of it and `end` the reason; for a part, `end` is
    the whole.
    """

    relation: Relation
    start: str
    end: str


_OF = r"(?:\s+(?:de|du|des)\b|\s+d')"
_TO = r"\s+(?:a|au|aux)\b"
_SUBJECT = (
    r"(?=(?:il|elle|ils|elles|on|je|j'|tu|nous|vous|c'|ca|ce|cela|le|la|les|l'|un|une|son|sa|ses|"
    r"leur|leurs|mon|ma|mes|ton|ta|tes|notre|nos|votre|vos|personne|rien)(?:\b|(?<=')))"
)
"""What a French clause begins with, so that "car" is the conjunction and not a coach."""

_CAUSES = SentencePattern(
    r"\bparce qu(?:e\b|')|\bpuisqu(?:e\b|')|\bvu qu(?:e\b|')"
    rf"|\ba cause{_OF}|\ben raison{_OF}|\bgrace{_TO}|\bsuite{_TO}"
    rf"|(?<!\ben )(?<!\ble )(?<!\bun )(?<!\bdu )(?<!\bde )(?<!\bau )\bcar\s+{_SUBJECT}"
    r"|\bbecause(?: of)?\b|\b(?<!is )(?<!are )(?<!was )due to\b|\bowing to\b|\bthanks to\b"
    r"|\bas a result of\b|,\s*since\b"
)
"""What follows is the reason. "Since" tells a time unless a comma sets it apart; "is due to" tells
what a person has to do as often as why."""

_RESULTS = SentencePattern(
    r"\bdu coup\b|\bdonc\b|\bpar consequent\b|\bc'est pourquoi\b"
    r"|\bc'est pour (?:ca|cela) qu(?:e\b|')"
    r"|,\s*alors\b(?!\s+qu[e'])|,\s*(?:and )?so\b(?!\s+(?:that|much|many|far|long|on|to|as)\b)"
    r"|\btherefore\b|\bthat(?: i|')s why\b|\bwhich is why\b|\bas a result\b(?! of)|\bconsequently\b"
)
"""What goes before is the reason."""

_WHOLES = SentencePattern(
    rf"\b(?:fait|font|faisait|faisaient) partie{_OF}|\blors{_OF}|\bdans le cadre{_OF}"
    rf"|\bau cours{_OF}|\bpendant\b(?!\s+(?:qu[e']|ce temps))"
    r"|\b(?:as )?part of\b|\bduring\b"
)
"""What follows is the whole."""

_DURATION = SentencePattern(
    r"\s*(?:environ |pres de |about |over |almost |plus de |more than |(?:le|la|les|l'|the) )?\s*"
    r"(?:\d|une?\b|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quelques|plusieurs|longtemps"
    r"|toute?s?\b|an?\b|two|three|four|five|several|some|many|all)"
)
"""How long it took is no whole: "pendant 3 ans", "during several weeks"."""

_DEFINITE = SentencePattern(
    r"\s*(?:(?:le|la|les|son|sa|ses|leur|leurs|mon|ma|mes|notre|nos|the|his|her|their|our|my)\b|l')"
)
"""Which one is meant: "during workouts" is no certain one, "during her internship" is."""

_SENTENCE = re.compile(r"(?<![.!?;])[.!?;]++(?:\s+|$)|\n+|\s[-–—]\s|[()]")
_LEADING = SentencePattern(r"^\s*(?:et|mais|and|but|or|le|la|les|l'|un|une|son|the|a)\b\s*")
_TURN_OF_THE_TIDE = SentencePattern(r",|\s(?:mais|but|et|and)\s+(?=\S+\s+\S+\s+\S+)")
"""Where a clause goes over into another one."""


def causal_links_in(text: str) -> list[CausalLink]:
    """Every tie a text speaks of, in order; at most one for each of its sentences."""
    links = map(_link, _SENTENCE.split(fold(text)))
    return [link for link in links if link is not None]


def _link(sentence: str) -> CausalLink | None:
    cause, result = _CAUSES.search(sentence), _RESULTS.search(sentence)
    if cause is not None and not _is_english(cause):
        return _cause(sentence, cause)
    if result is not None:
        return _made(
            Relation.RESULT_OF, _clause(sentence[result.end() :]), sentence[: result.start()]
        )
    whole = _WHOLES.search(sentence)
    return None if whole is None or _is_english(whole) else _whole(sentence, whole)


def _is_english(found: re.Match[str]) -> bool:
    """Whether a French connective is an English noun here: a car, or a pendant."""
    is_noun = found[0].startswith(("car", "pendant"))
    return is_noun and guess_language(found.string, "en") != "fr"


def _cause(sentence: str, found: re.Match[str]) -> CausalLink | None:
    effect, reason = _around(sentence, found)
    return _made(Relation.CAUSED_BY, effect, reason)


def _whole(sentence: str, found: re.Match[str]) -> CausalLink | None:
    part, whole = _around(sentence, found)
    if found[0] in {"pendant", "during"} and _DURATION.match(whole):
        return None
    is_certain = found[0].endswith(("du", "des")) or _DEFINITE.match(whole)
    if negated(part) or not (is_certain or len(stems(whole)) > 1):
        return None
    return _made(Relation.PART_OF, part, whole)


def _around(sentence: str, found: re.Match[str]) -> tuple[str, str]:
    """What stands beside a connective and what follows it; what it begins ends at a comma."""
    before, after = sentence[: found.start()], sentence[found.end() :]
    if before.strip():
        return before, _clause(after)
    named, _, rest = after.partition(",")
    return rest, named


def _clause(text: str) -> str:
    first, *_ = _TURN_OF_THE_TIDE.split(text.lstrip(" ,"))
    for connective in (_CAUSES, _RESULTS):
        first = connective.split(first)[0]
    return first


def _made(relation: Relation, start: str, end: str) -> CausalLink | None:
    start, end = (_LEADING.sub("", side).strip(" ,:'\"") for side in (start, end))
    return CausalLink(relation=relation, start=start, end=end) if start and end else None
