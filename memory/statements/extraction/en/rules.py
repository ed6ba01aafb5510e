"""The English verbs and phrases that make a statement."""

import re

from memory.language.expressions import SentencePattern
from memory.model.statements import MemoryType
from memory.statements.extraction.en.vocabulary import (
    AMBITION,
    BIRTHDAY,
    BODY,
    CAPITAL,
    CHORE,
    DATE,
    ILLNESS,
    JOB,
    LANGUAGES,
    LOST,
    MEETING,
    MONTHS,
    NAME,
    OWNED,
    PEOPLE_OF,
    PLAYED,
    POSSESSOR,
    SOON,
    STATE,
    THINGS,
    TRAVEL_PLACE,
    TRIP,
    WHERE,
)
from memory.statements.extraction.model import Rule

FACT, EVENT, TODO = MemoryType.FACT, MemoryType.EVENT, MemoryType.TODO
GOAL, PREFERENCE, IDENTITY = MemoryType.GOAL, MemoryType.PREFERENCE, MemoryType.IDENTITY
DECISION = MemoryType.DECISION


def _rule(forms: str, kind: MemoryType, rest: str, *, human: bool = False) -> Rule:
    """`forms` is "first third", or one form: the third is then inflected (not a past, "=")."""
    first, _, third = forms.partition(" ")
    past = first.startswith("=")
    first = first.removeprefix("=")
    return Rule(
        first=first,
        third=third or (first if past else third_person(first)),
        memory_type=kind,
        rest=SentencePattern(rest, re.IGNORECASE),
        human=human,
    )


def third_person(verb: str) -> str:
    """The present of a regular verb for he, she or a name."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


RULES: tuple[Rule, ...] = (
    _rule("live", FACT, WHERE, human=True),
    _rule(
        "work",
        FACT,
        r"(?:at|for|in|as|from home|nights|part[- ]time|full[- ]time)\b(?!\s+(?:me|us|all|least"
        r"|it))",
    ),
    _rule("am is", FACT, STATE, human=True),
    _rule("am is", FACT, rf"(?:{JOB}|{PEOPLE_OF})", human=True),
    _rule(
        "am is",
        FACT,
        rf"(?:learning|studying)\s+(?:{LANGUAGES}|(?:to (?:cook|drive|swim|sing|dance|ski|surf"
        rf"|play))\b|{PLAYED}|law\b|medicine\b)",
    ),
    _rule("am is", FACT, r"(?:living in|working (?:at|as))\b"),
    _rule(
        "am is",
        EVENT,
        rf"(?:moving|leaving|flying|travell?ing|going|heading|driving)\s+(?:back\s+)?{TRIP}",
    ),
    _rule(
        "am is",
        EVENT,
        rf"(?:(?:moving|leaving|flying)|(?:starting|getting|having|seeing|visiting|meeting"
        rf"|taking)\s+(?!{DATE})\w+)\b.*\b{DATE}",
    ),
    _rule("am is", EVENT, rf"going to\s+(?:be\s+)?(?:{SOON}|a (?:father|mother|dad|mom|mum)\b)"),
    _rule(
        "am is",
        EVENT,
        r"getting (?:married|divorced)\b|on (?:holiday|vacation) (?:in|until)"
        r"|expecting (?:a baby|twins)",
    ),
    _rule("am is", GOAL, rf"(?:planning|hoping)\s+{AMBITION}"),
    _rule("=was", FACT, r"born (?:in|on)\b", human=True),
    _rule("=was", FACT, JOB),
    _rule("have has", FACT, OWNED),
    _rule("have has", FACT, ILLNESS, human=True),
    _rule(
        "have has",
        FACT,
        rf"(?:an? |some |bad )*(?:(?:sore|stiff|painful|bad) (?:left |right )?{BODY}|pains? in)\b",
        human=True,
    ),
    _rule("=stopped", EVENT, r"(?:drinking|eating|smoking|working (?:at|for))\b"),
    _rule("have has", EVENT, MEETING),
    _rule(
        "have has",
        EVENT,
        r"(?:just )?(?:moved (?:to|in)|adopted|quit my|retired|got married|broken (?:my|his|her"
        r"|their) "
        rf"{BODY})",
    ),
    _rule("have has", FACT, r"(?:lived|worked) (?:in|at|for)\b"),
    _rule("have has", FACT, r"been (?:living in|working (?:at|for|as)|married|vegan|vegetarian)\b"),
    _rule("have has", DECISION, r"decided to \w{3,}"),
    _rule("have has", TODO, rf"to\s+{CHORE}"),
    _rule("need", TODO, rf"to\s+{CHORE}"),
    _rule("=must", TODO, CHORE),
    _rule("love", PREFERENCE, THINGS),
    _rule("like", PREFERENCE, THINGS),
    _rule("hate", PREFERENCE, THINGS),
    _rule("prefer", PREFERENCE, THINGS),
    _rule("enjoy", PREFERENCE, THINGS),
    _rule("adore", PREFERENCE, THINGS),
    _rule("dislike", PREFERENCE, THINGS),
    _rule("stand", PREFERENCE, rf"not {THINGS}"),
    _rule("eat", PREFERENCE, r"(?:not |only |vegan|vegetarian|halal|kosher|gluten|meat|fish)"),
    _rule("drink", PREFERENCE, r"(?:not |only |coffee|tea|a lot of)"),
    _rule("smoke", FACT, r"(?:not$|not anymore|a pack|\d)"),
    _rule("drive", FACT, r"(?:not$|an? \w+)"),
    _rule("speak", FACT, LANGUAGES),
    _rule("play", FACT, PLAYED),
    _rule(
        "teach",
        FACT,
        r"(?:\w+ (?:at|in)|math|maths|french|english|music|history|science|physics|yoga)\b",
    ),
    _rule(
        "study",
        FACT,
        r"(?:\w+ (?:at|in)|at|law|medicine|physics|history|biology|computer science)\b",
    ),
    _rule("own", FACT, OWNED),
    _rule("collect", FACT, r"\w+(?: \w+)?$"),
    _rule("=grew", FACT, r"up (?:in|on|with)\b", human=True),
    _rule("=used", FACT, r"to (?:live|work (?:at|as|for|in)|play (?:the )?\w+|smoke|teach)\b"),
    _rule("=studied", FACT, r"(?:\w+ )?(?:at|in) (?-i:[A-Z])"),
    _rule("=moved", EVENT, rf"(?:to|from)\s+{TRAVEL_PLACE}", human=True),
    _rule(
        "=got",
        EVENT,
        r"(?:married|engaged|divorced|promoted|fired|laid off|an? (?:new )?(?:job|dog|cat|puppy"
        r"|kitten|raise|promotion|baby))\b",
    ),
    _rule("=broke", EVENT, rf"{POSSESSOR}\s+{BODY}", human=True),
    _rule("=sprained", EVENT, rf"{POSSESSOR}\s+{BODY}", human=True),
    _rule("=quit", EVENT, r"(?:(?:my|his|her|their) job|smoking|drinking)\b"),
    _rule("=lost", EVENT, rf"{POSSESSOR}\s+{LOST}"),
    _rule(
        "=bought",
        EVENT,
        r"(?:an?|my|our|his|her)\s+(?:first |new |old |electric )?(?:house|flat|apartment|car"
        r"|boat|motorbike|bike|piano|guitar|farm)\b",
    ),
    _rule(
        "=adopted",
        EVENT,
        r"(?:an?|two|three)\s+(?:\w+ )?(?:dog|cat|puppy|kitten|child|girl|boy|dogs|cats|kittens)\b",
    ),
    _rule("=graduated", EVENT, r"(?:from|in)\b", human=True),
    _rule("=retired", EVENT, r"(?:in|from|last|yesterday)\b", human=True),
    _rule(
        "=had",
        EVENT,
        r"(?:an? (?:baby|son|daughter|accident|surgery|heart attack|stroke))\b",
        human=True,
    ),
    _rule("=died", EVENT, r"", human=True),
    _rule("=passed", EVENT, r"(?:away|my (?:driving test|exam|exams))\b", human=True),
    _rule("=decided", DECISION, r"(?:to (?!try|use my)\w{3,})"),
    _rule("=will", EVENT, SOON),
    _rule("leave", EVENT, TRIP),
    _rule("fly", EVENT, TRIP),
    _rule("start", EVENT, rf"(?:my|a|an|at|school|university|work)\b.*\b{DATE}"),
    _rule("want", GOAL, AMBITION),
    _rule("plan", GOAL, AMBITION),
    _rule("hope", GOAL, AMBITION),
    _rule("=would", GOAL, rf"(?:like|love)\s+{AMBITION}"),
)
"""Tried in order: the first whose form and rest fit decides."""


def _template(
    pattern: str, content: str, kind: MemoryType
) -> tuple[SentencePattern, str, MemoryType]:
    return SentencePattern(pattern, re.IGNORECASE), content, kind


TEMPLATES: tuple[tuple[SentencePattern, str, MemoryType], ...] = (
    _template(rf"my name(?: is|'s)\s+{NAME}", "{who} is called {name}", IDENTITY),
    _template(r"my name(?: is|'s)\s+(?P<name>[a-z]{3,20})", "{who} is called {name}", IDENTITY),
    _template(
        rf"(?:please )?(?:you can |people |everyone )?calls? me\s+{NAME}",
        "{who} can be called {name}",
        IDENTITY,
    ),
    _template(rf"I go by\s+{NAME}", "{who} can be called {name}", IDENTITY),
    _template(rf"my birthday(?: is|'s)\s+{BIRTHDAY}", "{who}'s birthday is {birthday}", FACT),
    _template(
        rf"I was born\s+(?P<birthday>on (?:the )?(?:{MONTHS} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd"
        rf"|th)? (?:of )?{MONTHS})(?:\w\w)?,? \d{{4}})",
        "{who} was born {birthday}",
        FACT,
    ),
    _template(
        rf"(?:it's|it is) my birthday\s+(?P<rest>{DATE}.*)", "It is {who}'s birthday {rest}", EVENT
    ),
    _template(
        r"my (?P<favourite>favou?rite)\s+(?P<noun>(?!(?:thing|part|one|way|bit|moment"
        r"|time)\b)\w+(?: \w+)?)(?: is| are)\s+(?P<rest>\w.{0,60})",
        "{who}'s {favourite} {noun} is {rest}",
        PREFERENCE,
    ),
    _template(
        rf"my (?P<noun>(?:left |right )?{BODY})(?: (?:really|still))?"
        r" (?P<verb>hurts?|aches?|is sore|has been (?:hurting|aching|sore))"
        r"(?: a lot)?(?: (?P<rest>.{1,80}))?",
        "{who}'s {noun} {verb} {rest}",
        FACT,
    ),
    _template(
        r"(?:please )?remind me\s+(?P<link>to|about|that)\s+(?P<rest>.+)",
        "Remind {who} {link} {rest}",
        TODO,
    ),
)
"""Whole clauses with a form of their own."""

OPENERS: tuple[tuple[SentencePattern, MemoryType], ...] = tuple(
    (SentencePattern(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"we(?: have|'ve)?\s+(?:decided|chose|chosen|agreed|settled)\s+(?:to|on|for)\b", DECISION),
        (r"we(?:'re| are)\s+(?:going with|switching to|moving to)\s+\w+", DECISION),
        (r"we(?:'re| are)\s+replacing\s+\w+.*\b(?:with|by)\s+\w+", DECISION),
        (r"we(?:'ll| will)\s+use\s+\w+.*\binstead\b", DECISION),
        (rf"we(?:'ll| will)\s+(?:use|go with|switch to)\s+{CAPITAL}", DECISION),
        (
            (
                rf"we\s+(?:now |no longer |don't |do not )?use\s+{CAPITAL}"
                r"(?=$|\s+(?:for|as|now|instead|any ?more)\b)"
            ),
            DECISION,
        ),
        (
            (
                rf"we(?:'re| are)\s+(?:moving|leaving|flying|travell?ing|going"
                rf"|getting married)\b\s*(?:{TRIP}|.*\b{DATE})"
            ),
            EVENT,
        ),
    )
)
"""Beginnings after which the clause is kept word for word."""
