"""How much of a text asks something, French and English, as it is typed in chat."""

import re
from functools import lru_cache

from memory.language.detection import nothing_to_look_up
from memory.language.text import fold, words
from memory.language.word_lists import STOP_WORDS

_SENTENCE = re.compile(r"[^.!?。！？؟\n]+[.!?。！？؟]*")
_ASKING_MARKS = frozenset("?？؟")

_OPENING = (
    r"(?:(?:so|and|but|or|ok|okay|hey|hi|oh|well|wait|also|btw|et|mais|alors|dis|donc|bon|ben"
    r"|du coup|au fait|sinon|by the way|please|stp|svp) )*"
)

_VERB = (
    r"(?:is|are|was|were|am|s|re|do|does|did|has|have|had|can|could|will|would|should|to|d|ll|ve)"
)
_ENGLISH = (
    rf"(?:what|whats|when|where|wheres|why|how|hows|which|whose|who|whos|whom)"
    rf"(?: (?!(?:i|you|we|they|he|she|it|the|a|this|that)\b)\w+){{0,2}} {_VERB}"
    r"|(?:whats|wheres|hows|whos|whose|which(?! is\b)|who(?! (?:cares|knows)\b)"
    r"|how (?:many|much|old|long|often|far))"
    r"|(?:did|does|is|are|was|were|has)(?= \w)"
    r"|(?:do|have|had|can|could|would|will|should)"
    r" (?:you|u|i|we|they|he|she|it|there|the|this|that|these|those|any\w*|some\w*|my|your|ya)"
    r"|remind (?:me|us)|tell (?:me|us)|list|summari[sz]e|any(?:one|body) (?:know|here|have|got)"
    r"|(?:suggest|recommend|show|explain|describe|compare|give (?:me|us)|help (?:me|us)|look up)\b"
)
"""An English question that has no mark begins with the word that asks and a verb, in this order:
"when i was" begins no question."""

_FRENCH = (
    r"qui|quoi|qu est ce|que (?:fait|font|dit|veut|pense|devient|faire)"
    r"|quand (?:est|c est|part|vient)|ou (?:est|sont|en|tu|il|elle|on|c est|va|vas|part|habite)"
    r"|rappelle|dis (?:moi|nous)|raconte|liste|resume|est ce|c est (?:qui|quoi|quand|ou)"
    r"|(?:propose|suggere|recommande|conseille|montre|explique|compare|donne|aide|cherche)s?"
    r" (?:moi|nous)"
    r"|tu (?:sais|connais|te souviens|te rappelles)|vous (?:savez|connaissez)"
)
_BEGINS = re.compile(rf"{_OPENING}(?:{_ENGLISH}|{_FRENCH})\b")

_ANYWHERE = re.compile(
    r"\b(?:quoi|quel|quels|quelle|quelles|combien|comment|pourquoi|lequel|laquelle|lesquels"
    r"|lesquelles|pk|pkoi|pourkoi|koi|kel|kelle|est ce qu|est ce que|c est qui|c est quand"
    r"|c est ou|(?:y a|il y a) qui|qui c est|qui est ce|depuis quand|(?:chez|avec|pour|de|a) qui"
    r"|une idee de)\b"
    r"|\bquand$"
)
"""In French the word that asks may stand last: "il habite dans quelle ville"."""

_NOT_ASKED = re.compile(
    r"\b(?:n importe (?:quoi|quel|quelle|ou|comment|lequel)|pas de quoi|de quoi (?=\w+er\b)"
    r"|quoi que|quoi qu il|ou quoi|je sais (?:pas|plus) (?:quoi|quel|quelle|comment|pourquoi)"
    r"|quel (?:dommage|bonheur|plaisir|con|idiot)|quelle (?:horreur|chance|honte|idee))\b"
)

_WHERE = re.compile(r"(?<!l[àa] )(?<!cas )(?<!jour )(?<!moment )(?<!endroit )\bo[ùÙ]\b")
"""Only its accent tells "where" from "or"; "the day where" asks nothing."""

_SHORT = 14
"""Words: in a longer sentence such a word mostly joins two parts."""

_WORDS = re.compile(r"[^\W_]+")

_CACHED = 256
_READ = 4_000
"""Characters that are looked at: a pasted page asks what its beginning asks."""


_NAMING = re.compile(r"(?:[^\W_][\w.'’+#&/-]*+(?:\s++|$))++(?<![.])")
"""Words with nothing between them."""

_KEYWORDS = 5
"""Words of what names a thing and says nothing of it."""


@lru_cache(maxsize=_CACHED)
def share_that_asks(text: str) -> float:
    """What part of a text, by its length, are sentences that ask something; in 0..1."""
    sentences = [(len(one), _asks(one)) for one in _SENTENCE.findall(text[:_READ]) if one.strip()]
    whole = sum(size for size, _ in sentences)
    return sum(size for size, asks in sentences if asks) / whole if whole else 0.0


def are_keywords(text: str) -> bool:
    """Whether a text names things and says nothing of them, as is typed into a search box.

    "mongod", "GHA secrets config": no word of it is without content, and nothing stands there that
    ends a sentence, greets or is a face.
    """
    if len(text) >= _READ or not _NAMING.fullmatch(text.strip()) or nothing_to_look_up(text):
        return False
    said = words(text)
    return 0 < len(said) <= _KEYWORDS and STOP_WORDS.isdisjoint(said)


def _asks(sentence: str) -> bool:
    if not _ASKING_MARKS.isdisjoint(sentence):
        return True
    said = _WORDS.findall(fold(sentence))
    if not said or sentence.endswith("!"):
        return False
    plain = " ".join(said)
    if _BEGINS.match(plain):
        return True
    if len(said) > _SHORT:
        return False
    asks = _ANYWHERE.search(_NOT_ASKED.sub(" ", plain)) or _WHERE.search(sentence)
    return asks is not None
