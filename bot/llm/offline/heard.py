"""What a pet says to a statement: glad, sorry, what it understood, what was put right; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.llm.offline.choosing import one_of, plain_line
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.second_person import said_back
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts
from memory.language.chat_spelling import spelt_out
from memory.language.expressions import SentencePattern
from memory.language.text import Language
from memory.language.times.absolute import dated
from memory.language.word_lists import STOP_WORDS

_GOOD = re.compile(
    r"\b(?:got (?:in|into|it|the job|engaged|accepted|a place|promoted)|passed|won|official"
    r"|engaged|married"
    r"|pregnant|promot\w+|graduat\w+|accepted|yay+|yess+|woo+p?|hoo+ray|so happy|best day"
    r"|finally got|we won"
    r"|new baby|it is a (?:girl|boy)|first place|aced|nailed it|started my new|new job|got a job"
    r"|(?:ai|as|a) (?:eu|reussi|gagne|decroche|obtenu|trouve)|reussi|recue?|admise?|enceinte"
    r"|fiancee?s?"
    r"|trop (?:content|contente|heureu\w+)|gagne|youpi|you+pi+|ouii+|nouveau (?:taf|boulot|travail"
    r"|job)"
    r"|nouvel appart\w*|diplome\w*|promue?|on se marie|j ai trouve un (?:stage|job|taf"
    r"|appart\w*))\b|🥳|🎉|😍|🎊"
)
_BAD = re.compile(
    r"\b(?:died|dead|hospital|accident|broke (?:my|his|her)|broken|stolen|fired|laid off|sick"
    r"|cancer|failed"
    r"|burgled|crashed|hurts?|lost|flooded|injured|divorc\w+|mort\w*|hopital|cassee?|volee?|viree?"
    r"|licenciee?"
    r"|malade|rate|accident|inonde\w*|blessee?|perdue?|divorce|mal (?:a|au|aux))\b|😭|😢|💔"
)
_BAD_FOR_FUN = re.compile(r"\b(?:dead (?:lol|tired)|i am dead|deaddd*|je suis morte? de rire)\b")
_DISLIKE = re.compile(
    r"\b(?:i (?:really |absolutely |just |so )?(?:hate|can not stand|do not like|detest|loathe)"
    r"|je (?:ne )?(?:deteste|hais|supporte pas|n aime pas|aime pas|kiffe pas))\s+(?:pas )?"
    r"(?P<what>.+?)(?=$| (?:because|cos|it|ca|parce|c est|but|mais|and|et|so|je te jure|so much"
    r"|honestly|with|from)\b)"
)
_LIKING = re.compile(
    r"\b(?:i (?:really |absolutely |just )?(?:love|like|adore|am into|enjoy)|je (?:adore|kiffe"
    r"|aime)"
    r"|j adore|j aime)\s+(?:bien |trop |tellement )?(?P<what>(?!you\b|it\b|that\b|when\b|how\b"
    r"|quand\b|que\b).+?)"
    r"(?=$| (?:because|cos|it|ca|parce|c est|but|mais|and|so|so much|honestly)\b)"
)
_OWN = re.compile(r"\b(?:i|my|we|our|me|mine|je|j|mon|ma|mes|notre|nos|moi)\b")
_OTHERS = re.compile(
    r"^(?:\w+ ){0,2}(?:my|our|mon|ma|mes|notre) (?:\w+ )?(?:son|daughter|sister|brother|mum|mom"
    r"|dad|wife|husband|friend|mate|gf"
    r"|boyfriend|girlfriend|fils|fille|soeur|frere|mere|pere|femme|mari|copine|copain|pote"
    r"|amie?)\b|^(?:he|she|they|il|elle|ils)\b"
)
_LONGEST_ECHO = 140
_MOST_WORDS = 24
_VERY_LONG = 1_500

_CORRECTS = SentencePattern(
    r"^(?:eko )?(?:no|nah|nope|wait|actually|oops|i meant|i mean|i said|make (?:that|it)"
    r"|correction|change|sorry"
    r"|it is \S+ not|not \S+(?: \w+)? but|non|nan|mais non|en fait|pardon|je voulais dire"
    r"|je ai dit|j ai dit"
    r"|changement|rectification|plutot|oups|euh non|nn)\b|\b(?:not|pas) (?:le |la |the |on |at "
    r"|a )?\S+$"
    r"|^(?:it is|c est|its) (?:\S+ ){1,2}(?:not|pas) \S+"
)
_NEW_NOT_OLD = SentencePattern(
    r"(?P<new>[\w:.h]+(?: (?:am|pm|heures))?) (?:not|pas)(?: (?:on|at|in|le|la|les|a|à|en|the|de"
    r"|du))? "
    r"(?P<old>[\w:.h]+)"
)
_OLD_BUT_NEW = SentencePattern(
    r"(?:not|pas)(?: (?:on|at|in|le|la|les|a|à|en|the|de|du))? (?P<old>[\w:.h]+),? (?:but|mais"
    r"|it is|c est)"
    r" (?:on |at |in |le |la |a |en )?(?P<new>[\w:.h]+)"
)
_VALUES = (
    re.compile(
        r"\b(?:(?:mon|tues?|wednes|weds?|thurs?|fri|satur|sun)day|lundi|mardi|mercredi|jeudi"
        r"|vendredi|samedi"
        r"|dimanche)s?\b"
    ),
    re.compile(
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november"
        r"|december|janvier"
        r"|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)\b"
    ),
    re.compile(
        r"\b\d{1,2}(?:[:.h]\d{2}|h|am|pm)\b(?: (?:am|pm))?|\b(?:at|a|à|vers) \d{1,2}\b"
        r"|\b\d{1,2} (?:at night|in the \w+|du (?:soir|matin))"
        r"|\b\d{1,2} (?:am|pm)\b"
    ),
    re.compile(r"\b\d+(?:[.,]\d+)?\b"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is said to be so, and what was wrong; "" where that is not known."""

    new: str
    old: str = ""


def correction_in(text: str, before: Sequence[TalkLine]) -> Correction | None:
    """What a text puts right of what was said just before; None where it corrects nothing."""
    plain = spelt_out(text)
    if not _CORRECTS.search(plain) or len(plain.split()) > _MOST_WORDS or "?" in text:
        return None
    earlier = [one.plain for one in before]
    for values in (_OLD_BUT_NEW, _NEW_NOT_OLD):
        found = values.search(plain)
        if found and _replaces(found["new"], found["old"], earlier):
            return Correction(new=found["new"], old=found["old"])
    for pattern in _VALUES:
        new = pattern.search(plain)
        if new is None:
            continue
        for said in reversed(earlier):
            old = pattern.search(said)
            if old is not None and old[0] != new[0]:
                return Correction(new=_bare(new[0]), old=_bare(old[0]))
        return Correction(new=_bare(new[0])) if earlier else None
    return Correction(new="") if earlier else None


def _replaces(new: str, old: str, earlier: Sequence[str]) -> bool:
    """Whether one word was said for the other: both are values alike, or the old one was said."""
    if new in _NO_VALUES or old in _NO_VALUES or {new, old} & STOP_WORDS:
        return False
    alike = any(one.search(new) and one.search(old) for one in _VALUES)
    return alike or any(old in said.split() for said in earlier)


_NO_VALUES = frozenset(
    [
        "i",
        "you",
        "it",
        "that",
        "this",
        "no",
        "not",
        "is",
        "are",
        "was",
        "je",
        "tu",
        "c",
        "est",
        "non",
        "pas",
        "do",
        "did",
        "the",
        "a",
        "le",
        "la",
    ]
)


def _bare(value: str) -> str:
    return _AT.sub("", value)


_AT = re.compile(r"^(?:at|a|à|vers) ")


def corrected(found: Correction, texts: Texts, seed: str) -> Reply:
    """The word for a correction."""
    if found.new and found.old:
        choices = texts.choices(
            "offline.heard.corrected", new=_named(found.new), old=_named(found.old)
        )
    elif found.new:
        choices = texts.choices("offline.heard.corrected_to", new=_named(found.new))
    else:
        return Reply(
            text=texts.choices("offline.heard.misheard", what="")[1], expression=Expression.SAD
        )
    return Reply(text=one_of(choices, seed), expression=Expression.HAPPY)


def _named(value: str) -> str:
    """English days and months have a capital."""
    return value.capitalize() if _ENGLISH_DATE.fullmatch(value) else value


_ENGLISH_DATE = re.compile(
    r"(?:\w+days?|january|february|march|april|june|july|august|september|october|november"
    r"|december)"
)


def heard(text: str, name: str, at: datetime, texts: Texts, outcome: str) -> Reply:
    """The word for a statement; `outcome` is the key of what became of it, "" for nothing.

    `at` is aware, in the time zone its dates are meant in.
    """
    plain = spelt_out(text)
    language: Language = "fr" if texts.language == "fr" else "en"
    if len(text) > _VERY_LONG:
        return Reply(
            text=texts.choices("offline.heard.too_long")[0], expression=Expression.SURPRISED
        )
    for pattern, key in ((_DISLIKE, "dislike"), (_LIKING, "liking")):
        if (found := pattern.search(plain)) and len(found["what"].split()) <= 4:
            is_bare = language == "en" or key == "dislike"
            what = _ARTICLE.sub("", found["what"]) if is_bare else found["what"]
            said = one_of(texts.choices(f"offline.heard.{key}", what=what), text)
            return Reply(text=said, expression=Expression.HAPPY)
    mood, expression = _mood(plain, text)
    words = [one_of(texts.choices(f"offline.heard.{mood}", name=name), text)] if mood else []
    echo = "" if _CORRECTS.search(plain) else _echo(text, plain, at, language, ahead=bool(mood))
    if echo:
        key = outcome or ("plan" if _DATED.search(echo) else "plain")
        if key in {"plan", "plain"}:
            words.append(one_of(texts.choices(f"offline.heard.{key}", what=echo), text))
        else:
            words.append(texts.say(key, what=echo))
    if not words:
        words = [one_of(texts.choices("offline.heard.anything", name=name), text)]
    return Reply(text=" ".join(words), expression=expression)


_ARTICLE = re.compile(r"^(?:les|la|le|l|des|du|the) (?=\w)")
_DATED = SentencePattern(r"\(\S*\d\S*\)|\(\d{1,2} \w+|\(\w+ \d")


def _mood(plain: str, text: str) -> tuple[str, Expression]:
    said = f"{plain} {' '.join(sign for sign in text if ord(sign) > _EMOJI)}"
    if _GOOD.search(said):
        of_other = _OTHERS.search(plain)
        return ("good_news_of_other" if of_other else "good_news"), Expression.LOVE
    if _BAD.search(said) and not _BAD_FOR_FUN.search(said):
        return "bad_news", Expression.SAD
    return "", Expression.HAPPY


_EMOJI = 0x2500

_TO_KEEP = re.compile(
    r"^(?:just )?(?:so you know|fyi|for your information|pour info|pour ton info|sache que)[, ]+|"
    r"^(?:please |stp |hey )?(?:remember|note|keep in mind|(?:don't|don’t|dont) forget|retiens"
    r"|rappelle-toi|rappelle toi|souviens-toi|souviens toi|n'oublie pas|n’oublie pas|oublie pas)"
    r" (?:that |que |qu'|qu’)",
    re.IGNORECASE,
)
"""The request to keep something, before it."""


def _echo(text: str, plain: str, at: datetime, language: Language, *, ahead: bool) -> str:
    """A short statement about the speaker, said back with its dates worked out; "" for others.

    `ahead`: only what names a day that is still to come.
    """
    line = _TO_KEEP.sub("", plain_line(text))
    if len(line) > _LONGEST_ECHO or len(plain.split()) > _MOST_WORDS or not _OWN.search(plain):
        return ""
    back = said_back(line)
    if back is None:
        return ""
    told = dated(back.strip(" .!…"), at, language)
    if ahead and (told.last is None or told.last < at.date()):
        return ""
    return told.text
