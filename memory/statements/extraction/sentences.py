"""Cuts a message into sentences and sets aside those not meant as plain statements; pure."""

import re
from collections.abc import Collection

from memory.language.expressions import SentencePattern, read_part
from memory.language.parts.reading import own_words
from memory.language.text import fold, words

_NOT_SAID = re.compile(r"\s*(?:\[?\d{1,2}:\d{2}|[!/.$#~|]\w|\* )")
"""Lines that begin with a time, commands to a bot and shell prompts."""
_END = re.compile(r"(?<=[.!?…])\s+")
_ADDRESS = SentencePattern(r"\s*@?(?P<who>[\w\[\]{}\\`^|-]{2,32})(?P<sign>[:,>])\s+(?=\S)")
_MENTION = SentencePattern(r"\s*(?:@[\w-]{2,32}|<@!?\d+>)[\s,:]+(?=\S)")
_CODE = SentencePattern(r"[{}$\\;]|==|=>|->|&&|\|\||://|\w\(\)|(?:^|\s)/\w+/")
_QUOTED = SentencePattern(r"[«»“”\"]|(?:^|\s)'\w")
_OPENINGS = SentencePattern(
    r"(?:(?:oui|non|yes|yeah|no|well|so|bon|ben|bah|alors|et|and|also|btw|by the way|en fait"
    r"|au fait"
    r"|actually|d'ailleurs|du coup|sinon|perso|personnellement|personally|fyi|sache que|hey|salut"
    r"|bonjour|bonsoir|coucou|hello|hi|pour info|au passage|ok|okay|oh|ah|moi|you know what"
    r"|you know|tu sais quoi"
    r"|tu sais"
    r"|ça y est|hier soir|voilà|finalement|enfin|apparemment|donc)"
    r"(?:\s*[,:!.…]+\s*|\s+(?=(?:je|j'|i|i'm|my|mon|ma|mes|nous|on|we)\b)))+",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:lo+l|lmao|rofl|kidding|joking|mdr+|ptdr+|xptdr"
    r"|(?<!sans )blague(?! à part)|c'est (?:pas vrai|faux)|not really|ironie|ironique|sarcasm"
    r"|haha\w*|hehe\w*|hihi\w*|xd+)\b"
    r"|(?:^|\s)[;:x]-?[)pPD](?:\s|$)|[😂🤣😜😉🙃😝😏🤪]",
    re.IGNORECASE,
)
_JOKE_MARK = re.compile(
    r"(?:^|\s)/(?:s|j|jk|hj|joke|sarc(?:asm)?)(?=$|[\s.,!?)])|\b(?:jk|j/k|(?<!not )just kidding"
    r"|(?<!not )(?:just )?joking|(?:je |j')?(?<!pas )(?:rigole|blague|plaisante|d[ée]conne)"
    r"|(?:not really|c'est (?:pas vrai|faux))(?=\W*$)|poisson d'avril|april fools?"
    r"|pour rire|pour (?:de )?rigoler)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""What says outright that a message is not meant; laughter may follow what is true."""
_SUPPOSED = SentencePattern(
    r"\b(?:si|if|s'ils?|would|wouldn't|could|might|maybe|perhaps|probably|peut-être|peut être"
    r"|probablement|sans doute|unless|suppose|supposing|supposons|imagine|imaginons|as though"
    r"|genre|wish|whether|à moins|au cas où|i think|i guess|i thought|seems?|je crois|je pense"
    r"|on dirait|presque|almost|somehow|aurais|serais|pourrais|devrais|ferais|irais|theoretically"
    r"|rêvé|dreamt|dreamed)\b",
    re.IGNORECASE,
)
_WISHED = SentencePattern(
    r"^(?:j'aimerais|je voudrais|i would (?:like|love)|i'd (?:like|love))\b", re.IGNORECASE
)
"""A wish in the conditional is a plain statement of what is wanted."""
_REPORTED = SentencePattern(
    r"\b(?:(?:il|elle|ils|elles|on|he|she|they|it|who|qui)\s+(?:m'a |nous a |a |ont |m'ont )?"
    r"(?:dit|disait|prétend|said|says|told|thinks?|claims?|pense)|il paraît|paraît que|parait que"
    r"|comme (?:le )?(?:dit|disait|dirait|disent)|as \w+ (?:says|said|would say)"
    r"|apparently|apparemment|soi-disant|supposedly|selon|according to|i heard|j'ai entendu"
    r"|i've heard|quote|said (?:nobody|no one)(?: ever)?|dit personne)\b",
    re.IGNORECASE,
)
_SAYS = SentencePattern(
    r"^(?!(?:je|j'|i)\b)[\w'’-]+ (?:says?|said|claims?|thinks|dit|a dit|disait|prétend|pense)"
    r" (?:that |que |qu')?(?:i|i'm|my|je|j'|mon|ma|mes)\b",
    re.IGNORECASE,
)
_WITH_SOMEBODY = SentencePattern(
    r"(?:^|[,;:]\s*)(?:my\s+)?(?!I\b)[\w-]+(?:\s+(?!I\b)[\w-]+)?\s+and\s+I\b", re.IGNORECASE
)
"""A subject of two: what holds of both is not what holds of the speaker."""
_LONGEST = 300
"""Characters: a longer sentence tells a story, and its beginning alone may mislead."""


def own_lines(text: str) -> list[str]:
    """The lines a person wrote themselves: no quotes, pasted transcripts, code or commands."""
    plain = read_part(own_words(text)).replace("’", "'").replace("\u00a0", " ")
    return [line.strip() for line in plain.splitlines() if not _NOT_SAID.match(line)]


def sentences(line: str) -> list[str]:
    """The sentences of a line, with the signs they end with."""
    return [sentence.strip() for sentence in _END.split(line) if sentence.strip()]


def without_call(sentence: str, names: Collection[str]) -> str:
    """The sentence without the name of whom it is said to."""
    sentence = _MENTION.sub("", sentence)
    found = _ADDRESS.match(sentence)
    if found and (found["sign"] != "," or _is_name(found["who"], names) or "@" in found[0]):
        return sentence[found.end() :]
    return sentence


def without_address(sentence: str, names: Collection[str]) -> str:
    """The sentence without the name of whom it is said to and without its opening words."""
    sentence = without_call(sentence, names)
    return _OPENINGS.sub("", sentence, count=1) if _OPENINGS.match(sentence) else sentence


def is_joke(text: str) -> bool:
    """Whether the author of a message says of it that it is not meant."""
    return _JOKE.search(read_part(own_words(text))) is not None or is_marked_joke(text)


def is_marked_joke(text: str) -> bool:
    """Whether the author of a message says outright that it is a joke: "/s", "just kidding"."""
    return _JOKE_MARK.search(read_part(own_words(text)).replace("’", "'")) is not None


def is_plain(sentence: str) -> bool:
    """Whether it states something itself: no question, quote, guess, hearsay or code."""
    if "?" in sentence or len(sentence) > _LONGEST:
        return False
    if _CODE.search(sentence) or _QUOTED.search(sentence) or _REPORTED.search(sentence):
        return False
    if _WITH_SOMEBODY.search(sentence):
        return False
    return not _SUPPOSED.search(_WISHED.sub("", sentence))


def is_reported(sentence: str) -> bool:
    """Whether it tells what others say or think: "Paul says I live in Tokyo"."""
    return _REPORTED.search(sentence) is not None or _SAYS.search(sentence) is not None


def _is_name(who: str, names: Collection[str]) -> bool:
    return fold(who) in {fold(name) for name in names} and bool(words(who))
