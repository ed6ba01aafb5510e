"""What a pet says to a statement: glad, sorry, what it understood, what was put right; pure."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import datetime

from bot.llm.offline.choosing import one_of, plain_line
from bot.llm.offline.manners.acts import Family, SpeechAct
from bot.llm.offline.manners.reading import Recognition
from bot.llm.offline.second_person import said_back
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts
from memory.language.chat_spelling import spelt_out
from memory.language.expressions import SentencePattern
from memory.language.parts.reading import QUOTATION
from memory.language.text import Language, as_typed
from memory.language.times.absolute import dated
from memory.language.times.tenses import is_past

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
_GREETS = re.compile(
    r"^(?:hello|hi|hiya|hey|good (?:morning|evening|afternoon)|bonjour|salut|coucou|bonsoir|hola)\b"
)
_REACTS = re.compile(
    r"(?:no|nah|nope|non|nan|haha|lol|mdr|bof|oups|oops|ah|oh|euh|yes|oui|ok"
    r"|gonna|going)\b"
)
_LONGEST_ECHO = 140
_MOST_WORDS = 24
_VERY_LONG = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBy:
    """The author of a statement, and when it was said: aware, in the zone its dates mean."""

    name: str
    at: datetime


def heard(
    text: str,
    by: StatedBy,
    texts: Texts,
    outcome: str,
    manner: Recognition,
    *,
    kept: bool = True,
) -> Reply:
    """The word for a statement; `outcome` is the key of what became of it, "" for nothing.

    Only where something of it was `kept` does it say that it will be remembered.
    """
    texts_of = _Words(texts, by.name, kept=kept)
    plain = spelt_out(text)
    language: Language = "fr" if texts.language == "fr" else "en"
    if len(text) > _VERY_LONG:
        return Reply(
            text=texts.choices("offline.heard.too_long")[0], expression=Expression.SURPRISED
        )
    if taste := _taste(plain, text, texts_of, manner):
        return Reply(text=taste, expression=Expression.HAPPY)
    key, expression = _mood(plain, text, manner)
    echo = (
        ""
        if expression is Expression.SAD
        else _echo(text, by.at, language, is_plan=manner.act is SpeechAct.PLAN)
    )
    echo = echo if _is_told(echo, manner) else ""
    words = [texts.say("offline.heard.hello")] if _GREETS.match(plain) else []
    if not echo:
        words.append(texts_of.one_of(key or "anything", text))
    elif outcome:
        words.append(texts.say(outcome, what=echo))
    else:
        is_plan = _DATED.search(echo) is not None
        words.append(texts_of.one_of("plan" if is_plan else "plain", text, echo))
    return Reply(text=" ".join(words), expression=expression)


@dataclass(frozen=True, slots=True)
class _Words:
    """What is said to a person; `kept`: something of their words was."""

    texts: Texts
    name: str
    _: KW_ONLY
    kept: bool

    def one_of(self, key: str, seed: str, what: str = "") -> str:
        """One of the texts of a key, of those that promise nothing where nothing was kept."""
        if self.kept or key not in _PROMISING:
            choices = self.texts.choices(f"offline.heard.{key}", name=self.name, what=what)
        else:
            choices = self.texts.choices(f"offline.heard_only.{key}", name=self.name, what=what)
        return one_of(choices, seed)


_PROMISING = frozenset(
    {
        *("plan_unsaid", "fact_other", "fact_own", "dislike", "liking", "plan", "plain"),
        *("anything", "likes", "dislikes", "to_group", "call_me", "kept", "put_right"),
    }
)
"""Keys whose texts say that something will be remembered."""


def _taste(plain: str, text: str, texts_of: _Words, manner: Recognition) -> str:
    """The word for what a person likes or not, by its name; "" where it has none."""
    wanted = {SpeechAct.DISLIKE: (_DISLIKE, "dislike"), SpeechAct.LIKING: (_LIKING, "liking")}
    if manner.act not in wanted:
        return ""
    pattern, key = wanted[manner.act]
    found = pattern.search(plain)
    if found is None or len(found["what"].split()) > _SHORT:
        return ""
    is_bare = texts_of.texts.language == "en" or key == "dislike"
    what = _ARTICLE.sub("", found["what"]) if is_bare else found["what"]
    return texts_of.one_of(key, text, next(as_typed(what.split(), text), what))


_SHORT = 4
"""Words of a thing that is named back."""
_ARTICLE = re.compile(r"^(?:les|la|le|l|des|du|the) (?=\w)")
_DATED = SentencePattern(r"\(\S*\d\S*\)|\(\d{1,2} \w+|\(\w+ \d")


def _mood(plain: str, text: str, manner: Recognition) -> tuple[str, Expression]:
    """The key of what is said to a statement beside its echo, "" for nothing, and the face."""
    key = _WORDS.get(manner.act) if manner.act else _FAMILY_WORDS.get(manner.family)
    if key == "looking_forward" and is_past(text, text):
        key = "high"
    if key == "good_news" and _OTHERS.search(plain):
        key = "good_news_of_other"
    return key or "", _FACES.get(key or "", Expression.HAPPY)


_WORDS: Mapping[SpeechAct, str] = {
    SpeechAct.GOOD_NEWS: "good_news",
    SpeechAct.LOOKING_FORWARD: "looking_forward",
    SpeechAct.PROUD: "proud",
    SpeechAct.BIRTHDAY: "birthday",
    SpeechAct.BAD_NEWS: "bad_news",
    SpeechAct.ILL: "ill",
    SpeechAct.WORRIED: "worried",
    SpeechAct.ANGRY: "angry",
    SpeechAct.LIKING: "likes",
    SpeechAct.DISLIKE: "dislikes",
    SpeechAct.FACT_OWN: "fact_own",
    SpeechAct.FACT_OTHER: "fact_other",
    SpeechAct.PLAN: "plan_unsaid",
    SpeechAct.REMEMBER: "kept",
    SpeechAct.DAILY: "daily",
    SpeechAct.GOSSIP: "gossip",
    SpeechAct.PONDER: "ponder",
    SpeechAct.TO_GROUP: "to_group",
    SpeechAct.CALL_ME: "call_me",
    SpeechAct.WRONG: "misheard",
    SpeechAct.CORRECTION: "put_right",
}
_FAMILY_WORDS: Mapping[Family | None, str] = {Family.LOW: "low", Family.HIGH: "high"}
_FACES: Mapping[str, Expression] = {
    "good_news": Expression.LOVE,
    "good_news_of_other": Expression.LOVE,
    "birthday": Expression.LOVE,
    "bad_news": Expression.SAD,
    "ill": Expression.SAD,
    "worried": Expression.SAD,
    "angry": Expression.SAD,
    "low": Expression.SAD,
    "misheard": Expression.SAD,
    "ponder": Expression.THINKING,
    "gossip": Expression.CURIOUS,
}
_SAID_BACK = frozenset({SpeechAct.PLAN, SpeechAct.REMEMBER, SpeechAct.FACT_OWN, None})
_AT_LENGTH = frozenset({SpeechAct.PLAN, SpeechAct.REMEMBER})
_LONGEST_FACT = 9
"""Words of a fact that is said back: a longer one sounds like a form that is read out."""
_BEGINNING = 3
"""Words of a statement among which its speaker is: of other sentences only a half turns round."""


def _is_told(echo: str, manner: Recognition) -> bool:
    """Whether a statement is said back: a plan, what is to be kept, a short fact."""
    if not echo or manner.act not in _SAID_BACK or manner.family in {Family.LOW, Family.HIGH}:
        return False
    is_plain = _DATED.search(echo) is not None or len(echo.split()) <= _LONGEST_FACT
    return is_plain or manner.act in _AT_LENGTH


_TO_KEEP = re.compile(
    r"^(?:just )?(?:so you know|fyi|for your information|pour info|pour ton info|sache que)[, ]+|"
    r"^(?:please |stp |hey )?(?:remember|note|keep in mind|(?:don't|don’t|dont) forget|retiens"
    r"|rappelle-toi|rappelle toi|souviens-toi|souviens toi|n'oublie pas|n’oublie pas|oublie pas)"
    r" (?:that |que |qu'|qu’)",
    re.IGNORECASE,
)
"""The request to keep something, before it."""


def _echo(text: str, at: datetime, language: Language, *, is_plan: bool) -> str:
    """A statement about the speaker, said back with its dates worked out; "" for others."""
    line = _TO_KEEP.sub("", plain_line(text))
    said = spelt_out(line).split()
    begins = " ".join(said[:_BEGINNING])
    if (
        QUOTATION in line
        or len(line) > _LONGEST_ECHO
        or len(said) > _MOST_WORDS
        or _REACTS.match(begins)
    ):
        return ""
    is_brief = len(said) <= _LONGEST_FACT and not _OWN.search(" ".join(said))
    if not _OWN.search(begins) and not (is_brief and is_plan):
        return ""
    back = said_back(line)
    return "" if back is None else dated(back.strip(" .!…"), at, language).text
