"""What a person wants of the offline pet, read from their words by rules; pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.language.detection import nothing_to_look_up, told_language
from memory.language.text import fold, words
from memory.rules.forgetting.narrowing import Narrowing, restricts
from memory.rules.forgetting.plain_words.reading import PlainRequest, read_request
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.model import Statement
from memory.statements.extraction.sentences import is_joke, own_lines, sentences, without_address


class Intent(StrEnum):
    """What a message asks for; earlier ones win when it asks for several."""

    CONFIRM = "confirm"
    """Agrees to what was about to be forgotten; only what was said before tells."""
    NARROW = "narrow"
    """Means some of the lines of what was about to be forgotten, as above."""
    UNFORGET = "unforget"
    FORGET = "forget"
    WHY = "why"
    WHO = "who"
    ABOUT_ME = "about_me"
    LATELY = "lately"
    GOALS = "goals"
    QUESTION = "question"
    THANKS = "thanks"
    FAREWELL = "farewell"
    HOW_ARE_YOU = "how_are_you"
    GREETING = "greeting"
    LAUGHTER = "laughter"
    AGREEMENT = "agreement"
    TALK = "talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The words of one turn as they came; `said_at` is aware, in the pet's time zone.

    `in_group`: others read the answer too.
    """

    text: str
    speaker: str
    said_at: datetime
    names: Collection[str] = ()
    in_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """One turn's words, understood: the statements in them, and one wish with its topic.

    `needs_no_words`: others are there, and nothing was said but what a sign answers.
    """

    text: str
    speaker: str
    language: str
    wish: Intent
    topic: str = ""
    lines: Narrowing | None = None
    """The lines that are meant of what was shown."""
    otherwise: Intent | None = None
    """The wish, where what sounds like one to forget names nothing that is kept."""
    needs_no_words: bool = False
    statements: tuple[Statement, ...] = ()


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_PLAIN_WORD = re.compile(r"[a-z]+")
_I_ELIDED = re.compile(r"\bj'")

_SHORT = 8
"""Words of an assent: a longer text goes on to something else."""

_UNFORGET = _any(
    r"\b(?:annule[rz]?\s+(?:cet |l'|ton )?oubli|rends[- ]moi ce que tu as oublié"
    r"|n'oublie pas,? finalement)\b",
    r"\bundo (?:the |that |your )?(?:forgetting|forget)\b|\bgive back what you forgot\b"
    r"|^\W*undo(?: that| it)?\W*$",
)

_AGREES = _any(
    r"^\W*(?:oui|ouais|yes|yep|yeah|sure|vas[- ]y|confirme|je confirme|do it|go ahead|ok|d'accord)"
    r"\b(?!.*\?)"
)

_WHY = _any(
    r"\bpourquoi (?:est[- ]ce que )?(?:tu|t')\s?(?:me |m'|nous |le )*"
    r"(?:dis|disais|réponds|racontes|(?:as )?(?:dit|répondu|raconté))\s+(?:ça|ca|cela|que|qu')",
    r"\bpourquoi (?:me |m'|nous |le )*(?:dis|réponds|as)[- ]tu(?: dit)?\s+(?:ça|ca|cela|que|qu')",
    r"\bpourquoi (?:tu (?:me )?(?:dis|réponds)|cette réponse)\W*$",
    r"\b(?:d'où|comment|de qui) (?:est[- ]ce que )?(?:tu|t')\s?(?:le )?(?:sais|tiens|sors|savais"
    r"|as (?:su|appris|entendu))(?: (?:ça|ca|cela|tout ça))?\W*$",
    r"\b(?:d'où|comment|de qui) (?:(?:le )?(?:sais|tiens)[- ]tu|as[- ]tu appris)"
    r"(?: (?:ça|ca|cela|tout ça))?\W*$",
    r"\btu (?:le )?(?:sais|tiens|sors)(?: (?:ça|ca|cela))? (?:d'où|comment|de qui)\W*$",
    r"\bqui (?:t'a (?:dit|raconté|appris) (?:ça|ca|cela)|te l'a (?:dit|raconté|appris))\W*$",
    r"\bqu'est[- ]ce qui te fait dire (?:ça|ca|cela|que|qu')",
    r"\bwhy (?:do|did|would|are) you (?:say(?:ing)?|tell(?:ing)? (?:me|us)) (?:that|this|so|it)\b",
    r"\bhow (?:do|did|would|can) you know(?: (?:about )?(?:that|this|it|all (?:that|this)))?\W*$",
    r"\bwho (?:told|said)(?: you)?(?: (?:that|this|so|it))?(?: to you)?\W*$",
    r"\bwhere (?:did|do) you (?:hear|get|learn|read|know)(?: (?:about )?(?:that|this|it))?"
    r"(?: from)?\W*$",
    r"\bwhat makes you (?:say|think) (?:that|this|so|it)\b",
)

_WHO = _any(
    r"\b(?:qui es[- ]tu|tu es qui|t'es qui|c'est quoi ton nom|comment (?:tu t'appelles"
    r"|t'appelles[- ]tu)"
    r"|tu es (?:un|une) (?:robot|bot|ia|humain)|es[- ]tu (?:un|une)|que sais[- ]tu faire"
    r"|tu sais faire quoi|qu'est[- ]ce que tu (?:es|sais faire)|présente[- ]toi)\b",
    r"\b(?:who are you|what are you\b(?! \w+ing)|what(?:'s| is) your name"
    r"|are you (?:an? )?(?:\w+ )?(?:bot"
    r"|robot|ai|human|real)|what can you do|introduce yourself)\b",
)

_ABOUT_ME = _any(
    r"\b(?:(?:que sais[- ]tu|tu sais quoi|qu'est[- ]ce que tu sais|sais[- ]tu quelque chose"
    r"|dis[- ]moi ce que"
    r" tu sais|ce que tu sais)\s+(?:de|sur|à propos de) moi|tu te souviens de moi"
    r"|te souviens[- ]tu de moi"
    r"|qui suis[- ]je|je suis qui|tu me connais|me connais[- ]tu)\b",
    r"\b(?:what (?:do|can) you (?:know|remember|tell me) about me|what you know about me"
    r"|do you (?:remember"
    r"|know) me\b|who am i|tell me about (?:me|myself))\b",
)

_LATELY = _any(
    r"\b(?:(?:de quoi|sur quoi) (?:on a|a[- ]t[- ]on|avons[- ]nous|vous avez|avez[- ]vous) parlé"
    r"|on a parlé de quoi|vous avez parlé de quoi|quoi de neuf|j'ai (?:raté|manqué|loupé) quoi"
    r"|qu'est[- ]ce que j'ai (?:raté|manqué|loupé)|qu'est[- ]ce qu(?:'on s'est dit"
    r"|i s'est (?:dit|passé))"
    r"|de quoi tu te souviens|tu te souviens de quoi)\b|^\W*(?:tu te souviens"
    r"|te souviens[- ]tu)\W*$",
    r"\b(?:what (?:did|have) (?:we|you all|they|people) (?:talk|say|discuss)\w*|what's new"
    r"|what is new"
    r"|what did i miss|what have i missed|what happened(?= (?:here|today|yesterday|lately|while))"
    r"|what(?:'s| is) been (?:said|going on|happening)|what do you remember)\W|what happened\W*$",
    r"^\W*(?:do you remember)\W*$|\b(?:what did i miss|what's new|what do you remember)\b\W*$",
)

_GOALS = _any(
    r"\b(?:tes (?:buts|objectifs|envies|rêves|projets)|que (?:veux|voudrais|désires)[- ]tu"
    r"|tu veux quoi)\b",
    r"\b(?:your (?:goals?|wishes|dreams|plans)|what do you want)\b",
)

_ASKS = _any(
    r"^\W*(?:qui|que|qu'|quoi|quel(?:le)?s?|où|quand|comment|combien|pourquoi|est[- ]ce|c'est quoi"
    r"|c'est qui|c'est quand|c'est où|sais[- ]tu|tu sais|connais[- ]tu|tu connais|tu te souviens"
    r"|te souviens[- ]tu|dis[- ]moi|rappelle[- ]moi (?:où|quand|qui|ce|quel|comment|pourquoi|le"
    r"|la|les|l'))",
    r"^\W*(?:who|what|where|when|why|how|which|whose|do|does|did|is|are|was|were|can|could|has"
    r"|have|tell"
    r" me)\b(?!\s+(?:a|an|the)\s+\w+\s*!)",
)

_HOW_ARE_YOU = _any(
    r"\bca va$",
    r"\bca va (?:bien|et toi)",
    r"\bhow (?:are you|is it going"
    r"|it going)",
)

_GREETS = frozenset(
    words("salut bonjour bonsoir coucou hello hi hey yo hola slt bjr bsr wesh lu morning")
)

_ANSWERED_BY_SIGN = frozenset({Intent.THANKS, Intent.FAREWELL, Intent.LAUGHTER})
"""In a group words for these are noise to everybody else."""

_THANKS = frozenset(words("merci thanks thank thx ty tnx thnx mercii"))

_ASKED_OF_IT = frozenset({Intent.WHY, Intent.WHO, Intent.ABOUT_ME, Intent.LATELY, Intent.GOALS})
"""Questions whose wording leaves no doubt, unless a request to forget does too."""

_LEAVES = frozenset(
    words("bye ciao tchao adieu goodbye cya nuit night bientot see plus demain dors")
)


def read(said: Spoken, *, called: Collection[str], locale: str) -> Understanding:
    """The words of one turn, several messages together.

    `called` are the names the pet answers to, `locale` the language when the words do not tell.
    """
    lines = [_own(line, said.speaker) for line in own_lines(said.text)]
    own = "\n".join(line for line in lines if line)
    names = (*said.names, *called)
    wishes = _wishes(lines, names, called)
    wish, topic = _foremost(wishes)
    otherwise = None
    asked = None if wish is Intent.UNFORGET else read_request(own, [fold(name) for name in called])
    if asked is not None and (asked.topics or _orders(own, asked)):
        meant_so = asked.certain or (asked.sure and wish not in _ASKED_OF_IT)
        otherwise = None if meant_so else wish
        wish, topic = Intent.FORGET, ", ".join(asked.topics)
    return Understanding(
        text=own,
        speaker=said.speaker,
        language=told_language(own) or locale,
        wish=wish,
        topic=topic,
        otherwise=otherwise,
        needs_no_words=said.in_group
        and "?" not in own
        and _ANSWERED_BY_SIGN.issuperset(one for one, _ in wishes),
        statements=tuple(find_statements(own, said.speaker, said.said_at, names)),
    )


def _orders(text: str, asked: PlainRequest) -> bool:
    """Whether a request that names nothing is one: "forget it", and no "can you keep a secret?"."""
    return asked.certain or (asked.sure and "?" not in text)


def agrees(text: str) -> bool:
    """Whether the words agree to all of what was just asked."""
    is_short = len(words(text)) <= _SHORT
    return _AGREES.match(text) is not None and is_short and not restricts(text)


def is_first_person(text: str) -> bool:
    """Whether the text speaks of its author."""
    return not {"je", "moi", "mon", "ma", "mes", "i", "my", "me", "mine"}.isdisjoint(
        _PLAIN_WORD.findall(_I_ELIDED.sub("je ", text.lower()))
    )


def _own(line: str, speaker: str) -> str:
    return line.removeprefix(f"{speaker}:").strip() if speaker else line


def _wishes(
    lines: Sequence[str], names: Collection[str], called: Collection[str]
) -> list[tuple[Intent, str]]:
    return [
        _wish_of(without_address(sentence, names).strip(), called)
        for line in lines
        for sentence in sentences(line)
    ]


def _foremost(wishes: Sequence[tuple[Intent, str]]) -> tuple[Intent, str]:
    """The foremost wish of the sentences; the questions among them are asked together."""
    if not wishes:
        return Intent.AGREEMENT, ""
    order = list(Intent)
    first = min((wish for wish, _ in wishes), key=order.index)
    return first, " ".join(topic for wish, topic in wishes if wish is first)


def _wish_of(sentence: str, called: Collection[str]) -> tuple[Intent, str]:
    if _UNFORGET.search(sentence):
        return Intent.UNFORGET, ""
    for wish, pattern in (
        (Intent.WHY, _WHY),
        (Intent.WHO, _WHO),
        (Intent.ABOUT_ME, _ABOUT_ME),
        (Intent.LATELY, _LATELY),
        (Intent.GOALS, _GOALS),
    ):
        if pattern.search(sentence):
            return wish, sentence
    if nothing_to_look_up(sentence, ignoring=called):
        return _courtesy(sentence), ""
    asks = sentence.endswith("?") or _ASKS.match(sentence)
    return (Intent.QUESTION if asks else Intent.TALK), sentence


def _courtesy(sentence: str) -> Intent:
    said = set(words(sentence))
    if said & _THANKS:
        return Intent.THANKS
    if said & _LEAVES:
        return Intent.FAREWELL
    if _HOW_ARE_YOU.search(" ".join(words(sentence))):
        return Intent.HOW_ARE_YOU
    if said & _GREETS:
        return Intent.GREETING
    return Intent.LAUGHTER if is_joke(sentence) else Intent.AGREEMENT
