"""The sentences that say two names are one person's, French and English, precision first; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.language.expressions import LONGEST_SENTENCE, SentencePattern
from memory.language.names import name_key
from memory.language.times.vocabulary import MONTHS, WEEKDAYS
from memory.language.word_lists import NEGATIONS, SMALL_TALK, STOP_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedAlias:
    """Two names of one person, as they were written; `other` is None for the speaker.

    One that is not `sure` ("dev is Mickael") counts only where `other` is a known person's name.
    """

    name: str
    other: str | None
    sure: bool = True


def stated_aliases(content: str) -> tuple[StatedAlias, ...]:
    """The names that a statement says a person has, each once; nothing for most statements."""
    line = _QUOTED.sub(r" ⟨\g<what>⟩", content[:LONGEST_SENTENCE].replace("’", "'"))
    line = " ".join(line.split())[:LONGEST_SENTENCE]
    once: dict[frozenset[str], StatedAlias] = {}
    for stated in _found(line) if _HINT.search(line) else ():
        once.setdefault(frozenset({name_key(stated.name), name_key(stated.other or "")}), stated)
    return tuple(once.values())


def _found(line: str) -> Iterator[StatedAlias]:
    for pattern, sure in _RULES:
        for found in pattern.finditer(line):
            groups = found.groupdict()
            name, other = _tidy(groups["name"]), groups.get("of")
            if other is None and _is_name(name):
                yield StatedAlias(name=name, other=None)
            elif other is not None and _two_names(name, _tidy(other)):
                yield StatedAlias(name=name, other=_tidy(other), sure=sure)


def _two_names(one: str, two: str) -> bool:
    return _is_name(one) and _is_name(two) and name_key(one) != name_key(two)


def _is_name(name: str) -> bool:
    key = name_key(name)
    is_word = key in _NOT_NAMES or all(word in STOP_WORDS for word in key.split())
    return 2 <= len(key) <= 40 and not is_word and _LETTER.search(key) is not None


def _tidy(name: str) -> str:
    return name.strip(" ⟨⟩@.,")


_LETTER = SentencePattern(r"[^\W\d_]")

_QUOTED = SentencePattern(r"(?:^|(?<=[\s(=:]))[\"“«']\s?(?P<what>[^\"”»']{2,32}?)\s?[\"”»'](?!\w)")

_HINT = SentencePattern(
    r"=|\b(?:alias|aka|a\.k\.a|dite?|surnom\w*|pseudo\w*|nick\w*|handle|username|gamertag|goes by"
    r"|go by|known as|appel\w*|m'?app?el\w*|calls?|called|call|nom|prénom|prenom|name|short for"
    r"|moi)\b|\b(?:est|is|c'est|cest|it's) (?:@|⟨|(?-i:[A-ZÀ-Ý])|\w*[\d_])",
    re.IGNORECASE,
)
"""Most statements are told apart by this alone."""

_NOT_NAMES = (
    STOP_WORDS
    | NEGATIONS
    | SMALL_TALK
    | MONTHS.keys()
    | WEEKDAYS.keys()
    | frozenset(
        """
        demain hier aujourdhui maintenant bientot souvent parfois toujours plutot vite tard
        tomorrow yesterday today tonight now later soon often sometimes always maybe back asap
        bus train car foot bike plane boat subway metro tram taxi air sea fast quickly slowly
        funny cool weird secret unknown cute long short nice silly old new great good bad best
        drole nul nulle ridicule bizarre rigolo marrant inconnu court mignon beau belle vieux
        nouveau super crazy fou folle gentil tired fatigue love amour chat chien dog cat
        quelqu quelqu'un personne someone somebody everybody everyone nobody anyone chacun celui
        celle ca it this that everything nothing rien tout boss winner next first last here ici
        true false null password mot nom name pseudo surnom nickname nick alias handle username
        english french anglais francais francaise allemand italien espagnol
        """.split()  # noqa: SIM905 - a list of words reads as a list of words
    )
)

_CAP = r"(?-i:[A-ZÀ-Ý])[\w'.-]*"

_PROPER = rf"(?:⟨[^⟩]+⟩|{_CAP}(?: {_CAP}){{0,2}}|@?(?=\w*[\d_])(?=\w*[^\W\d_])\w{{2,32}})"
"""Capitals, quotation marks or a sign that only nicknames have."""

_NICK = rf"(?:{_PROPER}|@?[\w][\w.\-]{{1,31}})"

_START = r"(?:^|(?<=[.!?;:] ))"

_END = (
    r"(?= ?(?:$|[.,;:!?)(])| (?:et|and|mais|but|sur|on|in|ici|here|dans|pour|chez|at|since|depuis"
    r"|parce|because|avec)\b)"
)

_LABEL = (
    r"(?:pseudo(?:nyme?)?|surnom|petit nom|diminutif|alias|handle|nick(?: ?name)?|user ?name"
    r"|gamertag|screen name|login)"
)

_TITLE = rf"(?:{_LABEL}|(?:vrai |véritable |full |real |first |true )?(?:pré)?(?:nom|name))"

_WHERE = r"(?: (?:discord|irc|twitch|whatsapp|steam|github|(?:on|sur|in|dans) \w+|ici|here))?"

_BE = r"(?:,? (?:c'est|cest|est|is|was|était)|'s|s| ?[:=])"

_CALLERS = (
    r"(?:tout le monde|les gens|(?:ses|mes|nos|leurs) \w+|(?:sa|ma|la|leur) \w+|on|nous|tous"
    r"|everyone|everybody|people|(?:his|her|their|my|our) \w+|we|they|friends)"
)

_CALL = r"(?:l'|le |la )?(?:surnomm\w+|appel\w+|calls?|nicknames?)"


def _rule(pattern: str, *, sure: bool = True) -> tuple[SentencePattern, bool]:
    return SentencePattern(pattern, re.IGNORECASE), sure


def _pair(before: str, between: str, after: str = _END) -> str:
    """The name of a person, then what they are called."""
    return rf"{before}(?P<of>{_PROPER}){between}(?P<name>{_NICK}){after}"


_RULES: tuple[tuple[SentencePattern, bool], ...] = (
    _rule(rf"^(?P<name>{_NICK}) ?= ?(?P<of>{_PROPER})\.?$"),
    _rule(rf"^(?P<of>{_PROPER}) ?= ?(?P<name>{_NICK})\.?$"),
    _rule(rf"^(?P<name>{_NICK}) ?= ?(?P<of>{_NICK})\.?$", sure=False),
    _rule(_pair(r"\b", r",? \(?(?:alias|aka|a\.k\.a\.?|also known as|better known as) ", r"\b")),
    _rule(rf"{_START}(?P<name>{_NICK}),? \(?(?:alias|aka|a\.k\.a\.?) (?P<of>{_PROPER}){_END}"),
    _rule(rf"\b(?P<of>{_PROPER}), dite? (?P<name>{_PROPER}){_END}"),
    _rule(
        _pair(
            r"\b", r",? (?:(?:est|is|was|était) )?(?:surnommée?|nicknamed|known as|connue? comme) "
        )
    ),
    _rule(_pair(r"\b", r" est connue? sous le (?:nom|pseudo|surnom) (?:de |d')")),
    _rule(_pair(r"\b", r" goes by (?:the )?(?:name |nick(?:name)? |handle |alias )?(?:of )?")),
    _rule(_pair(r"\b", rf"'s? {_TITLE}{_WHERE}{_BE} ")),
    _rule(rf"{_START}(?P<of>{_NICK})'s? {_TITLE}{_WHERE}{_BE} (?P<name>{_PROPER}){_END}"),
    _rule(
        rf"{_START}(?:le |the )?{_TITLE}{_WHERE} (?:de |d'|of )(?P<of>{_NICK}){_BE} "
        rf"(?P<name>{_PROPER}){_END}"
    ),
    _rule(_pair(rf"\b{_TITLE}{_WHERE} (?:de |d'|of )", rf"{_WHERE}{_BE} ")),
    _rule(_pair(r"\b", rf" (?:a pour|utilise le|uses the|has the) {_LABEL} ")),
    _rule(
        rf"{_START}(?P<name>{_NICK}) (?:est|is|c'est) (?:le |la |l'|the |another )?"
        rf"(?:{_TITLE}{_WHERE} (?:de |d'|of |for )|short for )(?P<of>{_PROPER}){_END}"
    ),
    _rule(
        rf"{_START}(?P<name>{_NICK}) (?:est|is) (?P<of>{_PROPER})'s? (?:{_TITLE}|other name){_END}"
    ),
    _rule(rf"\b{_CALLERS} {_CALL} (?P<of>{_CAP}|⟨[^⟩]+⟩) (?P<name>{_CAP}|⟨[^⟩]+⟩){_END}"),
    _rule(rf"{_START}on peut (?:aussi )?appeler (?P<of>{_NICK}) (?P<name>{_PROPER}){_END}"),
    _rule(
        rf"{_START}(?P<of>{_NICK}) (?:is (?:also |really )?called|can be called|se fait appeler"
        rf"|s'appelle(?: aussi| en vrai| en fait| en réalité| vraiment)?"
        rf"|is (?:really |actually )?named) (?P<name>{_PROPER}){_END}"
    ),
    _rule(
        rf"{_START}(?P<of>{_PROPER}) (?:(?:veut|aime|préfère|souhaite|voudrait) (?:bien )?(?:être"
        r" (?:appelée?|surnommée?)|qu'on l'appelle|se faire appeler)"
        rf"|(?:wants|likes|prefers|asked) to be called) (?P<name>{_PROPER}){_END}"
    ),
    _rule(
        rf"{_START}(?:(?:tu peux|vous pouvez|you can|please|just|stp) )?"
        rf"(?:(?:m'|me )appeler|appel(?:le|les|ez)[ -]moi|call me) (?P<name>{_PROPER}){_END}"
    ),
    _rule(rf"\b{_CALLERS} (?:m'|m |me )appel\w+ (?P<name>{_PROPER}){_END}"),
    _rule(rf"\b{_CALLERS} calls? me (?P<name>{_PROPER}){_END}"),
    _rule(
        rf"{_START}(?:je (?:m'|m ?|me )(?:appelle|fais appeler|nomme)|moi,? c'est"
        rf"|I(?:'m| am) (?:called|known as|nicknamed)) (?P<name>{_PROPER}){_END}"
    ),
    _rule(rf"{_START}I go by (?:the (?:name|nick(?:name)?) (?:of )?)?(?P<name>{_PROPER}){_END}"),
    _rule(rf"\b(?:mon|my) {_LABEL}{_WHERE}{_BE} (?P<name>{_NICK}){_END}"),
    _rule(rf"\b(?:mon|my) {_TITLE}{_WHERE}{_BE} (?P<name>{_PROPER}){_END}"),
    _rule(
        rf"{_START}(?P<name>{_NICK}),? (?:c'est|cest|est|is|it's) (?P<of>{_PROPER})\.?$", sure=False
    ),
)
"""Tried all, in order; `of` is missing where the speaker is meant."""
