"""A person's own words said back to them: "my dentist" becomes "your dentist"; pure."""

import re
from collections.abc import Iterator, Mapping

from memory.language.chat_spelling import is_french
from memory.language.parts.reading import blocks_of, own_words, parts_of
from memory.language.text import fold
from memory.model.parts import Part, PartSource

_ENGLISH: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"\b(?:i am|i'm|i’m|im)\b", "you're"),
        (r"\bi have\b", "you have"),
        (r"\b(?:i've|i’ve|ive)\b", "you've"),
        (r"\b(?:i will|i'll|i’ll)\b", "you'll"),
        (r"\b(?:i would|i'd|i’d)\b", "you'd"),
        (r"\bi was\b", "you were"),
        (r"\b(?:we are|we're|we’re)\b", "you're"),
        (r"\b(?:we have|we've|we’ve)\b", "you've"),
        (r"\bam i\b", "are you"),
        (r"\bi\b", "you"),
        (r"\bmyself\b", "yourself"),
        (r"\bmy\b", "your"),
        (r"\bmine\b", "yours"),
        (r"\bme\b", "you"),
        (r"\bours\b", "yours"),
        (r"\bour\b", "your"),
        (r"\bus\b", "you"),
        (r"\bwe\b", "you"),
    )
)

_VERBS: Mapping[str, str] = {
    "suis": "es",
    "ai": "as",
    "vais": "vas",
    "aurai": "auras",
    "serai": "seras",
    "ferai": "feras",
    "irai": "iras",
}
"""First persons whose second person is not spelt alike."""

_JE = re.compile(
    r"\b(?:je |j'|j’|(?:(?-i:j)|(?<!\w )(?<!\w['’])j)"
    r"(?=[bcdfghklmnpqrstvwxz]\w|(?:ai|av|aim|arr|ete|hab|hes|oub|esp|ado|att|app|ach|ecr|écr|ent"
    r"|env)))((?:ne |n'|n’|me |m'|m’|te |lui |leur |le |la |les |l'|l’|y |en "
    r"|nous )*)(\w+)",
    re.IGNORECASE,
)
"""A capital within a sentence begins a name: "s'appelle Jvari" holds no "je"."""

_JE_APART = re.compile(r"\b(?:je |j['’]\w)", re.IGNORECASE)
_WORN = re.compile(r"\b(?:chui|chuis|jsuis|j suis)\b", re.IGNORECASE)
_FRENCH: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"\bmon\b", "ton"),
        (r"\bma\b", "ta"),
        (r"\bmes\b", "tes"),
        (r"\bmoi\b", "toi"),
        (r"\bmien\b", "tien"),
        (r"\bmienne\b", "tienne"),
        (r"\bme\b", "te"),
        (r"\bm['’](?=\w)", "t'"),
        (r"\bnotre\b", "votre"),
        (r"\bnos\b", "vos"),
    )
)
_ADDRESSES = re.compile(
    r"\b(?:you|your|u|ur|yours|ya|tu|te|toi|ton|ta|tes|t['’]\w+|eko)\b", re.IGNORECASE
)


def said_back(text: str) -> str | None:
    """The words as they are said to who said them; what they repeat of others' stays as it is.

    None where they speak to the pet, or are in two languages: half of them would turn.
    """
    own = own_words(text)
    if _ADDRESSES.search(own):
        return None
    french = is_french(fold(own).replace("'", " ").replace("’", " "))
    if not french and _JE_APART.search(own):
        return None
    turned = _in_french if french else _in_english
    return "".join(
        turned(one.text) if one.source is PartSource.OWN else one.text
        for part in blocks_of(text)
        for one in (_around_quotations(part) if part.source is PartSource.OWN else (part,))
    )


def _around_quotations(part: Part) -> Iterator[Part]:
    """The author's words, and apart from them all that stands between quotation marks."""
    for inside in parts_of(part.text):
        if inside.source is not PartSource.OWN:
            yield inside
            continue
        for place, words in enumerate(_QUOTATION.split(inside.text)):
            source = PartSource.QUOTED if place % 2 else PartSource.OWN
            yield Part(source=source, text=words)


_QUOTATION = re.compile(r"(“[^“”]*”|«[^«»]*»|\"[^\"]*\")")


def _in_english(text: str) -> str:
    for pattern, said in _ENGLISH:
        text = pattern.sub(said, text)
    return text


def _in_french(text: str) -> str:
    text = _JE.sub(_second, _WORN.sub("je suis", text))
    for pattern, said in _FRENCH:
        text = pattern.sub(said, text)
    return text


def _second(found: re.Match[str]) -> str:
    verb = found[2]
    lower = verb.lower()
    if lower in _VERBS:
        verb = _VERBS[lower]
    elif lower.endswith("e"):
        verb = f"{verb}s"
    elif lower.endswith("rai"):
        verb = f"{verb[:-1]}s"
    before = _ELIDED_ME.sub("t'", found[1]) if verb[0].lower() in _VOWELS else found[1]
    return f"tu {before}{verb}"


_ELIDED_ME = re.compile(r"me $", re.IGNORECASE)
_VOWELS = frozenset("aeiouyhéèêà")
