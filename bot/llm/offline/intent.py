"""What a person wants of the offline pet, read from their words by rules; pure."""

import re
from collections.abc import Collection

from bot.llm.offline.manners.acts import MEMBERS, Family, SpeechAct
from bot.llm.offline.manners.reading import (
    UNRECOGNISED,
    Recognition,
    likely_language,
    manner_of,
)
from bot.llm.offline.questions.asked import AskedKind, asks, kind_of, question_text
from bot.llm.offline.told_or_talk import is_of_told
from bot.llm.offline.understanding import Intent, Spoken, Understanding
from bot.llm.offline.worded import worded_wish
from memory.language.chat_spelling import spelt_out
from memory.language.detection import told_language
from memory.language.parts.reading import others_words
from memory.language.questions.asking import are_keywords
from memory.language.questions.open import OpenQuestion, open_question
from memory.language.questions.patterns import OpenKind
from memory.language.text import fold, words
from memory.rules.forgetting.narrowing import restricts
from memory.rules.forgetting.plain_words.reading import PlainRequest, read_request
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.sentences import own_lines, sentences, without_address

_PLAIN_WORD = re.compile(r"[a-z]+")
_I_ELIDED = re.compile(r"\bj'")

_OF_QUOTATION = " …“”.,!\n"
"""What is left of quotations in the words of who quotes them."""
_OF_CODE = " …`\n"
"""What is left of code in the words of its author."""

_SHORT = 8
"""Words of an assent: a longer text goes on to something else."""

_FORGET_THAT = re.compile(
    r"(?:please,? )?(?:forget that|oublie (?:que |qu['’]))(?=\s*\w)[^?\n]*$", re.IGNORECASE
)
"""An order to forget a statement, which asks nothing: "forget that Lea is allergic"."""

_AGREES = re.compile(
    r"^\W*(?:oui|ouais|yes|yep|yeah|sure|vas[- ]y|confirme|je confirme|do it|go ahead|ok|d'accord)"
    r"\b(?!.*\?)",
    re.IGNORECASE,
)

_DECLINES = re.compile(
    r"\W*(?:(?:no|nope|nah|non|nan|stop|cancel|annule|thanks|thank you|merci|please|rather not"
    r"|better not|leave it|keep it|never ?mind|do not|don['’]t|not (?:now|that|yet)|surtout pas"
    r"|laisse(?: tomber)?|garde[- ]les?|garde[- ]la|pas (?:maintenant|ça|encore)|finalement|plutôt"
    r"|pas)\b\W*){1,5}",
    re.IGNORECASE,
)

_ASKED_OF_IT = frozenset(
    {Intent.WHY, Intent.ABOUT_ME, Intent.ABOUT_SOMEBODY, Intent.MANNER, Intent.QUESTION}
)
"""Questions whose wording leaves no doubt, unless a request to forget does too."""

_RECALLS = re.compile(
    r"\btu te (?:souviens|rappelles)|\b(?:te )?souviens[- ]tu\b|\brappell?es?[- ](?:moi|nous)\b"
    r"|\bremind me\b|\b(?:do|d'you|can|can't) you remember\b|\bi (?:forget|forgot)\b"
    r"|\bj'?ai oubli[ée]\b",
    re.IGNORECASE,
)
"""What asks for something to be remembered; no request to forget it."""
_MAY_ASK = re.compile(
    r"\?|\b(?:what|wh?en|where|who|which|how|why|whose|whats|wots|whos|whens|wheres|hows|remind"
    r"|tell|forg[eo]t|remember|quoi|koi|quand|où|qui|ki|quel|quels|quelles?|kel|combien|comment"
    r"|pourquoi|pk|lequel|laquelle|rappell?e\w*|dis|souvien\w*|oubli\w*)\b",
    re.IGNORECASE,
)
"""What a question has in it at least; a statement about another person is no question."""
_DROPS = re.compile(
    r"\b(?<!i )(?:forget|delete|erase|remove|drop)\b|\b(?:oublie|efface|supprime|retire)[rsz]?\b",
    re.IGNORECASE,
)

_NEVER_TOLD = frozenset(
    {
        *MEMBERS[Family.HELLO] - {SpeechAct.GREETING},
        *MEMBERS[Family.CROSS],
        *MEMBERS[Family.ITSELF] - {SpeechAct.MAKER, SpeechAct.TASTE, SpeechAct.AGE, SpeechAct.LIFE},
        *MEMBERS[Family.KEEPING],
        *(SpeechAct.CAN_DO, SpeechAct.PICTURES, SpeechAct.LANGUAGES, SpeechAct.FLIRT),
        *(SpeechAct.CLOCK, SpeechAct.DATE, SpeechAct.WEEKEND, SpeechAct.COUNTDOWN),
        *(SpeechAct.SUM_UP, SpeechAct.JOKE_WANTED, SpeechAct.JOKE_TOLD, SpeechAct.KNOCK),
        *(SpeechAct.PLAY, SpeechAct.CREATIVE, SpeechAct.PROBING, SpeechAct.CRISIS),
        *(SpeechAct.CODE, SpeechAct.SIGNS, SpeechAct.MASH, SpeechAct.DOUBT),
    }
)
"""What no told line answers, whatever stands in it."""


def read(said: Spoken, *, called: Collection[str], locale: str) -> Understanding:
    """The words of one turn, several messages together.

    `called` are the names the pet answers to, `locale` the language when the words do not tell.
    """
    lines = [_own(line, said.speaker) for line in own_lines(said.text)]
    own = "\n".join(line for line in lines if line)
    names = (*said.names, *called)
    others = others_words(said.text)
    if others and not own.strip(_OF_QUOTATION):
        shown = told_language(" ".join(part.text for part in others))
        language = _language_of("", said, UNRECOGNISED) or shown or locale
        return Understanding(
            text="", speaker=said.speaker, language=language, wish=Intent.PASSED_ON
        )
    whole = own if without_address(own, called).strip(_OF_CODE) else said.text
    wish, manner, about = _wish_of(whole, said, called)
    topic = _asked_in(whole, names, called) if wish in _LOOKED_UP else ""
    otherwise = None
    asked = None if wish is Intent.UNFORGET else read_request(own, [fold(name) for name in called])
    if asked is not None and (
        _asks_of_keeping(manner)
        or _is_data(own, manner)
        or (not asked.certain and (_is_other(own, manner) or _asks_back(own, wish)))
    ):
        asked = None
    if asked is not None and (asked.topics or _orders(own, asked)):
        ordered = _FORGET_THAT.match(without_address(own, names).strip()) is not None
        meant_so = asked.certain or ordered or (asked.sure and wish not in _ASKED_OF_IT)
        otherwise = None if meant_so else wish
        wish, topic = Intent.FORGET, ", ".join(asked.topics)
    return Understanding(
        text=whole,
        speaker=said.speaker,
        language=_language_of(whole, said, manner) or locale,
        wish=wish,
        topic=topic,
        otherwise=otherwise,
        manner=manner,
        about=about,
        called=tuple(called),
        in_group=said.in_group,
        statements=tuple(find_statements(own, said.speaker, said.said_at, names)),
    )


def _language_of(text: str, said: Spoken, manner: Recognition) -> str | None:
    """The language of a text, in haste too; else that of the last words that tell theirs."""
    if manner.act is not SpeechAct.CODE:
        told = told_language(text) or told_language(spelt_out(text)) or likely_language(text)
        if told is not None:
            return told
    return next((one for words in said.before if (one := told_language(words))), None)


def _asked_in(text: str, names: Collection[str], called: Collection[str]) -> str:
    """The sentences of a text that ask, or all of it where none does by itself."""
    return " ".join(_questions_in(text, names, called)) or _without_call(text, names)


def _questions_in(text: str, names: Collection[str], called: Collection[str]) -> list[str]:
    return [
        bare
        for line in text.splitlines()
        for sentence in sentences(line)
        if (bare := without_address(sentence, names).strip()) and asks(_without_pet(bare, called))
    ]


def _without_pet(text: str, names: Collection[str]) -> str:
    """A text without the pet's names: "hey eko who is in?"."""
    called = {fold(name) for name in names}
    return " ".join(word for word in text.split() if fold(word).strip("@,:!") not in called)


def _without_call(text: str, names: Collection[str]) -> str:
    return " ".join(
        without_address(sentence, names).strip()
        for line in text.splitlines()
        for sentence in sentences(line)
    )


def _is_other(text: str, manner: Recognition) -> bool:
    """Whether a text without an order to forget is surely something else."""
    is_sure = manner.sure and not manner.tells and manner.act not in _OF_FORGETTING
    return is_sure and not _DROPS.search(text)


def _asks_of_keeping(manner: Recognition) -> bool:
    """Whether a text surely asks how the pet remembers or forgets."""
    return manner.sure and manner.act is SpeechAct.MEMORY_HOW


def _is_data(text: str, manner: Recognition) -> bool:
    """Whether a text is something for programs, such as a call of a tool; it orders nothing."""
    return manner.act is SpeechAct.CODE and text.startswith(("{", "["))


_LOOKED_UP = frozenset({Intent.QUESTION, Intent.KEYWORDS})

_OF_FORGETTING = frozenset({SpeechAct.FORGET, SpeechAct.FORGET_HOW, SpeechAct.CORRECTION})


def _orders(text: str, asked: PlainRequest) -> bool:
    """Whether a request that names nothing is one: "forget it", and no "can you keep a secret?"."""
    return asked.certain or (asked.sure and "?" not in text)


def _asks_back(text: str, wish: Intent) -> bool:
    """Whether a text asks for what was told, and has no order to forget in it."""
    kind = kind_of(question_text(text))
    asks_what = wish is Intent.QUESTION and kind not in {AskedKind.YES_NO, AskedKind.REASON}
    return (asks_what or _RECALLS.search(text) is not None) and not _DROPS.search(text)


def agrees(text: str) -> bool:
    """Whether the words agree to all of what was just asked."""
    is_short = len(words(text)) <= _SHORT
    return _AGREES.match(text) is not None and is_short and not restricts(text)


def declines(text: str) -> bool:
    """Whether the words refuse what was just asked, and say nothing else."""
    return _DECLINES.fullmatch(text) is not None


def is_first_person(text: str) -> bool:
    """Whether the text speaks of its author."""
    return not {"je", "moi", "mon", "ma", "mes", "i", "my", "me", "mine"}.isdisjoint(
        _PLAIN_WORD.findall(_I_ELIDED.sub("je ", text.lower()))
    )


def _own(line: str, speaker: str) -> str:
    return line.removeprefix(f"{speaker}:").strip() if speaker else line


def _wish_of(
    text: str, said: Spoken, called: Collection[str]
) -> tuple[Intent, Recognition, tuple[str, ...]]:
    """The wish of a text, what it is besides, and whom it is about as a whole."""
    names = (*said.names, *called)
    plain = _without_call(text, names)
    worded = worded_wish(plain)
    if worded is not None:
        return worded, UNRECOGNISED, (said.speaker,) if worded is Intent.ABOUT_SOMEBODY else ()
    bare = _without_pet(plain, called)
    whole = _open(bare, said, called)
    manner = _manner_of(text, said, called, whole)
    if asks(plain) and (
        is_of_told(plain, said.names, manner) or _is_for_pet(text, said, manner, called)
    ):
        manner = UNRECOGNISED
    if whole is not None and whole.kind is OpenKind.PERSON:
        return Intent.ABOUT_SOMEBODY, manner, whole.names
    if manner.sure and manner.act in _NEVER_TOLD:
        return Intent.MANNER, manner, ()
    recalls = manner.family is Family.RECALL or manner.act in MEMBERS[Family.RECALL]
    if recalls or asks(bare):
        return Intent.QUESTION, manner, ()
    if asked := _questions_in(text, names, called):
        of_question = manner_of(" ".join(asked), said.own_words)
        return Intent.QUESTION, of_question if manner.act is None else manner, ()
    names_something = not manner.sure and are_keywords(bare)
    told = Intent.TALK if manner.tells else Intent.MANNER
    return Intent.KEYWORDS if names_something else told, manner, ()


def _is_for_pet(text: str, said: Spoken, manner: Recognition, called: Collection[str]) -> bool:
    """Whether what sounds as if it were asked of everybody in a room is asked of the pet."""
    if manner.act is not SpeechAct.TO_GROUP:
        return False
    return not said.in_group or without_address(text, called).strip() != text.strip()


def _open(plain: str, said: Spoken, called: Collection[str]) -> OpenQuestion | None:
    """What a text asks as a whole, where it names no topic."""
    zone = said.said_at.tzinfo
    if zone is None:
        return None
    return open_question(plain, said.said_at, zone, people=said.names, pet=called)


def _manner_of(
    text: str, said: Spoken, called: Collection[str], whole: OpenQuestion | None
) -> Recognition:
    """What a text is, also an order to another bot, or a question for all that was said."""
    if _OTHERS_COMMAND.match(text.strip()):
        return Recognition(act=SpeechAct.SIGNS, sure=True)
    may_ask = _MAY_ASK.search(text) is not None or asks(_without_pet(text, called))
    manner = manner_of(text, said.own_words, [fold(name) for name in called], asks=may_ask)
    asks_news = whole is not None and whole.kind is OpenKind.TALK
    if asks_news and (not manner.sure or manner.act is SpeechAct.HOW_ARE_YOU):
        return Recognition(act=SpeechAct.SUM_UP, sure=True)
    return manner


_OTHERS_COMMAND = re.compile(r"![a-z]\S*|[/\\]\w+$", re.IGNORECASE)
"""What rooms say to other bots: "!play rain", "/roll"."""
