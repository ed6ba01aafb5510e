"""Says what a message is besides a question about what was told: a greeting, news, a joke; pure."""

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bot.llm.offline.manners.acts import MEMBERS, TELLING, TELLING_FAMILIES, Family, SpeechAct
from bot.llm.offline.manners.classifier import guess
from memory.language.chat_spelling import spelt_out
from memory.language.detection import in_other_letters
from memory.language.text import Language

_TELLS_LANGUAGE = 2.0
"""The logarithm of the odds from which words tell their language: seven to one."""
_IN_DANGER, _SURE, _LIKELY, _FAMILY = 0.85, 0.55, 0.3, 0.5
"""Chances from which despair is, from which an act is sure or taken, and its family is: on
messages by authors who are left out (`python -m benchmarks.fit_manners FOLDER --check`) an act is
right nine times in ten, seven in ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """What a message is; no act, or no family either, where its words do not tell."""

    act: SpeechAct | None = None
    family: Family | None = None
    sure: bool = False

    @property
    def tells(self) -> bool:
        """Whether the message tells something; so does one of which nothing is known."""
        if self.act is not None:
            return self.act in TELLING
        return self.family is None or self.family in TELLING_FAMILIES


UNRECOGNISED = Recognition()


def manner_of(
    text: str,
    own_words: Collection[str] = (),
    called: Collection[str] = (),
    *,
    asks: bool = True,
) -> Recognition:
    """What a message is. `own_words` are what the pet has said, `called` its names, folded.

    `asks`: whether it may ask for what was told.
    """
    act = _evident(text, own_words, called)
    if act is not None:
        return Recognition(act=act, sure=True)
    found = guess(text, called, without=() if asks else MEMBERS[Family.RECALL])
    # A number to call would be out of place beside any other trouble.
    taken = found.chance >= (_IN_DANGER if found.act is SpeechAct.CRISIS else _LIKELY)
    return Recognition(
        act=found.act if taken else None,
        family=found.family if found.family_chance >= _FAMILY else None,
        sure=found.chance >= _SURE,
    )


def likely_language(text: str) -> Language | None:
    """The language of words that are too few, or too oddly spelt, for the words of each to tell."""
    french = guess(text, ()).french if _LETTER.search(text) else 0.0
    if abs(french) < _TELLS_LANGUAGE:
        return None
    return "fr" if french > 0 else "en"


def _evident(text: str, own_words: Collection[str], called: Collection[str]) -> SpeechAct | None:
    """What is told by signs, not by words, or must not be missed."""
    if not _LETTER.search(text):
        return _signs_in(text)
    if in_other_letters(text):
        return SpeechAct.FOREIGN
    bare = " ".join(word for word in spelt_out(text).split() if word not in called)
    return _signs_in(text) if len(bare) == 1 else _struck(text, bare, own_words)


def _struck(text: str, bare: str, own_words: Collection[str]) -> SpeechAct | None:
    """What is told by how it was typed: struck keys, code, or what the pet said before."""
    if _is_mash(_HELD.sub(r"\1", bare).split()):
        return SpeechAct.MASH
    if _CODE.search(text):
        return SpeechAct.CODE
    if any(_quotes(quoted, own_words) for quoted in _QUOTED.findall(text)):
        return SpeechAct.TEASE
    return SpeechAct.TEASE if _repeats(text, own_words) else _worded(bare)


def _worded(bare: str) -> SpeechAct | None:
    """What is told by words without the pet's names, written out."""
    if not bare:
        return SpeechAct.GREETING
    if _patterns("crisis.toml").search(bare):
        return SpeechAct.CRISIS
    if _BLAMES.search(bare):
        return SpeechAct.INSULT
    if _DOUBTS.search(bare):
        return SpeechAct.DOUBT
    return SpeechAct.KNOCK if _KNOCKS.search(bare) else None


def _is_mash(words: list[str]) -> bool:
    """Whether words are struck keys; a held letter counts once: "mdrrrr" laughs."""
    return any(map(_STRUCK.match, words)) and all(
        _STRUCK.match(word) or _VOWELLESS.match(word) for word in words
    )


def _signs_in(text: str) -> SpeechAct:
    if not text.strip():
        return SpeechAct.AGREEMENT
    if "?" in text:
        return SpeechAct.WRONG
    return SpeechAct.SADNESS if _SAD_SIGNS.search(text) else SpeechAct.SIGNS


@cache
def _patterns(file: str) -> re.Pattern[str]:
    """What is looked for in every language, whatever else a message says."""
    table = tomllib.loads((files(__package__) / file).read_text("utf-8"))
    return re.compile("|".join(one for patterns in table.values() for one in patterns))


def _quotes(quoted: str, own_words: Collection[str]) -> bool:
    said = spelt_out(quoted)
    return any(said in spelt_out(one) for one in own_words)


def _repeats(text: str, own_words: Collection[str]) -> bool:
    """Whether a text is all of what the pet said before, or a line of it, without any marks."""
    said = spelt_out(text)
    lines = (line for one in own_words for line in (one, *one.splitlines()))
    return len(said.split()) >= _LINE and any(said == spelt_out(line) for line in lines)


_LINE = 4
"""Words of a line that is said back; fewer may be said by anyone: "good night"."""
_SAD_SIGNS = re.compile("[😭😢💔😞😔☹😿🥀]")
_LETTER = re.compile(r"[^\W\d_]")
_DOUBTS = re.compile(
    r"^(?:(?:but|and|wait|really|mais|et|attends) )?(?:(?:are |r )?(?:you|u) (?:really |quite "
    r"|absolutely )?(?:sure|certain)(?: (?:about|of) (?:that|this|it))?|(?:tu es(?: es)?|es tu) "
    r"(?:vraiment |bien )?(?:sure?|certaine?)(?: de (?:ca|toi|cela))?)$"
)
"""Asks whether what the pet said is so."""
_BLAMES = re.compile(
    r"\b(?:you (?:really |just )?(?:know|remember|understand) (?:absolutely )?nothing"
    r"|you (?:do not|don t|never) (?:know|remember|understand) anything"
    r"|(?:tu|t) (?:ne |n )?(?:sais|sers a|comprends|retiens) (?:vraiment |absolument )?rien"
    r"(?: du tout)?)$"
)
"""Blames the pet for what it does not know."""
_KNOCKS = re.compile(r"^(?:\w+ )?(?:knock knock|toc toc)\b")
_QUOTED = re.compile(r"[\"“«]\s*+([^\"“«”»]{6,})[\"”»]")
_CODE = re.compile(
    r"(?m:^(?>.*?\b(?:print|console\.log|def|import|return|function|select \* from|for \w+ in|while"
    r"|echo|sudo|printf|SELECT)\b).*[(){};=*])"
    r"|[{};]\s*$|\$[({]|^\s*[{\[]\s*\"|^\s*<\w[^>]*>|=>|\w\(\)|</\w+>|```"
)
_HELD = re.compile(r"(.)\1+")
_STRUCK = re.compile(
    r"^(?:[bcdfghjklmnpqrstvwxz]{6,}|[asdfghjkl;]{6,}|[qwertyuiop]{7,}|[zxcvbnm]{6,}"
    r"|[azertyuiop]{8,}|[qsdfghjklm]{6,})$"
)
_VOWELLESS = re.compile(r"^[^aeiouy]+$")
