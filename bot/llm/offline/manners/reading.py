"""Says what a text is besides a question about what was told: a greeting, sadness, a joke; pure."""

import re
import tomllib
from collections.abc import Collection
from enum import StrEnum
from functools import cache
from importlib.resources import files

from memory.language.chat_spelling import spelt_out


class SpeechAct(StrEnum):
    """What a text is; the first that fits decides."""

    CODE = "code"
    TEASE = "tease"
    HUSH = "hush"
    APOLOGY = "apology"
    CRISIS = "crisis"
    INSULT = "insult"
    HEARTBREAK = "heartbreak"
    MOURNING = "mourning"
    LONELY = "lonely"
    TIRED = "tired"
    SADNESS = "sadness"
    KNOCK = "knock"
    JOKE_WANTED = "joke_wanted"
    JOKE_TOLD = "joke_told"
    MACHINE = "machine"
    PERSON_OR_BOT = "person_or_bot"
    MAKER = "maker"
    GENDER = "gender"
    AGE = "age"
    LIFE = "life"
    WATCHING = "watching"
    WISH = "wish"
    IDENTITY = "identity"
    HOW_ARE_YOU = "how_are_you"
    FONDNESS = "fondness"
    WEEKEND = "weekend"
    COUNTDOWN = "countdown"
    CLOCK = "clock"
    DATE = "date"
    FORGET_HOW = "forget_how"
    PICTURES = "pictures"
    CAN_DO = "can_do"
    BEYOND = "beyond"
    LOBBY = "lobby"
    SUM_UP = "sum_up"
    OPINION = "opinion"
    ADVICE = "advice"
    MUSING = "musing"
    WORLD = "world"
    THANKS = "thanks"
    GOOD_NIGHT = "good_night"
    FAREWELL = "farewell"
    BACK = "back"
    GREETING = "greeting"
    LOVE = "love"
    BORED = "bored"
    WEATHER = "weather"
    LAUGHTER = "laughter"
    SIGNS = "signs"
    MASH = "mash"
    AGREEMENT = "agreement"


_LANGUAGES = ("en", "fr")


@cache
def _patterns(languages: tuple[str, ...]) -> tuple[tuple[SpeechAct, re.Pattern[str]], ...]:
    """What each manner is told by in these languages, in the order in which they decide."""
    tables = [
        tomllib.loads((files("bot.llm.offline.manners") / f"{language}.toml").read_text("utf-8"))
        for language in languages
    ]
    said = {
        manner: [one for table in tables for one in table.get(manner, ())] for manner in SpeechAct
    }
    return tuple((manner, re.compile("|".join(found))) for manner, found in said.items() if found)


_GREETS = re.compile(
    r"^(?:(?:oh|ah|well|eh|et|tiens|allo tout le monde) )*(?:hello+|hi+|hi+ya|hey+|heya|yo+|hola"
    r"|howdy|morning|afternoon|evening|good (?:morning|afternoon|evening|day)|greetings|ello"
    r"|salut\w*|slt|coucou+|cc|bonjour|bjr|bonsoir|bsr|wesh|wsh|hello|allo|hey|yo|saluuut|kikou|re"
    r"|hallo|ciao|alright)\b"
)
_GREETS_ALL = re.compile(
    r"\b(?:good (?:morning|afternoon|evening|day)|bonjour|bonsoir|hello|salut|coucou)"
    r" (?:to (?:you|all|everyone)|a (?:tous|toutes|toi|vous)|everyone|all|tout le monde|les amis)\b"
)
_OWN = re.compile(r"\b(?:i|my|me|we|our|je|j|mon|ma|mes|moi|on|nous|notre)\b")
_LAUGHS = re.compile(
    r"^(?:(?:a*(?:h+[aeiou]+){2,}h*|l+o+l+|lmf?ao+|rofl|m+d+r+|ptdr+|xp?tdr+|x+d+|haha\w*|hihi\w*"
    r"|hehe\w*|kek|jaja\w*)\b ?)+"
)
_CODE = re.compile(
    r"(?m:^(?>.*?\b(?:print|console\.log|def|import|return|function|select \* from|for \w+ in|while"
    r"|echo|sudo|printf|SELECT)\b).*[(){};=*])"
    r"|[{};]\s*$|^\s*<\w[^>]*>|=>|\w\(\)|</\w+>|```"
)
_AGREES = re.compile(
    r"^(?:ok+|okay|k|kk|yes|yep|yeah|yup|sure|fine|right|cool|nice|great|alright|no|nope|nah|maybe"
    r"|idk|dunno|hm+|mm+|oh|ah|wow|oui|ouais|ouaip|non|nan|d accord|dac|dacc"
    r"|bof|mouais|ah bon|super|top|parfait|nickel|genial|voila|bien|exact|peut etre|je sais pas"
    r"|jsp|si|si si|euh|hein|trop bien|c est bon|no worries|ok ok|whatever|tkt|tant pis)"
    r"(?: (?:ok|eko|then|alors|lol|merci|cool|bien|oui|non|yes|no|sure|fine|quand meme|tant pis))*$"
)
_LETTER = re.compile(r"[^\W\d_]")
_VOWELLESS = re.compile(
    r"^[bcdfghjklmnpqrstvwxz]{5,}$|^(?:[asdfghjkl;]{6,}|[qwertyuiop]{7,}|[zxcvbnm]{6,}"
    r"|[azertyuiop]{8,}|[qsdfghjklm]{6,})$"
)
_QUOTED = re.compile(r"[\"“«]\s*+([^\"“«”»]{6,})[\"”»]")
_STEMS_OF_STATEMENT = 9
"""Words: a greeting with more of them says something else as well."""


def manner_of(
    text: str, own_words: Collection[str], called: Collection[str] = ()
) -> SpeechAct | None:
    """What a text is, and None where it is none of these. `own_words` are what the pet has said.

    `called` are the pet's names, folded.
    """
    if not _LETTER.search(text):
        return _signs_in(text)
    if _CODE.search(text):
        return SpeechAct.CODE
    if any(_quotes(quoted, own_words) for quoted in _QUOTED.findall(text)):
        return SpeechAct.TEASE
    names = set(called)
    said = spelt_out(text)
    for plain in dict.fromkeys(map(_familiar, (said, _DRAWN_OUT.sub(r"\1", said)))):
        bare = " ".join(word for word in plain.split() if word not in names)
        if (manner := _said_in(bare, plain)) is not None:
            return manner
    return None


def _signs_in(text: str) -> SpeechAct:
    if not text.strip():
        return SpeechAct.AGREEMENT
    return SpeechAct.SADNESS if _SAD_SIGNS.search(text) else SpeechAct.SIGNS


def _familiar(plain: str) -> str:
    """A written-out text with the polite French "vous" to the pet as "tu", as patterns have it."""
    for polite, familiar in _POLITE:
        plain = polite.sub(familiar, plain)
    return plain


_SAD_SIGNS = re.compile("[😭😢💔😞😔☹😿🥀]")
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
"""A letter that is held: "boreddddd"."""
_POLITE = tuple(
    (re.compile(rf"\b{polite}\b"), familiar)
    for polite, familiar in (
        ("etes vous", "es tu"),
        ("vous etes", "tu es"),
        ("avez vous", "as tu"),
        ("vous avez", "tu as"),
        ("allez vous", "vas tu"),
        ("vous allez", "tu vas"),
        ("pouvez vous", "peux tu"),
        ("vous pouvez", "tu peux"),
        ("pourriez vous", "pourrais tu"),
        ("savez vous", "sais tu"),
        ("vous savez", "tu sais"),
        ("voulez vous", "veux tu"),
        ("faites vous", "fais tu"),
        ("dormez vous", "dors tu"),
        ("vous appelez vous", "t appelles tu"),
        ("pensez vous", "penses tu"),
        ("lisez vous", "lis tu"),
        ("votre", "ton"),
        ("vos", "tes"),
    )
)


def _said_in(bare: str, plain: str) -> SpeechAct | None:
    """What the words are, written out, without and with the pet's names."""
    count = len(bare.split())
    if not bare or (count == 1 and _GREETS.match(bare)):
        return SpeechAct.GREETING
    if _AGREES.match(bare):
        return SpeechAct.AGREEMENT
    found = (manner for manner, pattern in _patterns(_LANGUAGES) if pattern.search(bare))
    if (manner := next(found, None)) is not None:
        return manner
    if _OF_IT.search(plain):
        return SpeechAct.HOW_ARE_YOU
    is_courtesy = _GREETS_ALL.search(bare) is not None and not _OWN.search(bare)
    if _GREETS.match(bare) and (count <= _STEMS_OF_STATEMENT or is_courtesy):
        return SpeechAct.GREETING
    return _noise_in(bare)


def _noise_in(bare: str) -> SpeechAct | None:
    if _LAUGHS.match(bare) and len(bare.split()) <= _LAUGHED:
        return SpeechAct.LAUGHTER
    return SpeechAct.MASH if all(_VOWELLESS.match(word) for word in bare.split()) else None


_OF_IT = re.compile(r"\bhow(?: is| s) (?:our |my |the )?(?:\w+ )?eko\b")
_LAUGHED = 4
"""Words of laughter: "lol my cat fell in the bath" tells something."""


def _quotes(quoted: str, own_words: Collection[str]) -> bool:
    said = spelt_out(quoted)
    return any(said in spelt_out(one) for one in own_words)
