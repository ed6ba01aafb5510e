"""Whether a text asks to be reminded, of what and when, in French and English; pure.

"Remind me what I said" and "rappelle-moi où il habite" ask for what is known, and are no reminders.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from memory.language.text import fold
from memory.language.times.due_times import WhenSaid, said_in
from memory.language.times.named_times import NamedDay, TimePiece
from memory.language.times.time_words import READ, aligned, time_pieces
from memory.language.times.zones import zone_in


class ReminderKind(StrEnum):
    """What a text wants of reminders."""

    SET = "set"
    SHOW = "show"
    """To see one's own, or to have one cancelled."""
    FOR_OTHERS = "for_others"
    """Another person is to be reminded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderWish:
    """What is to be reminded of, and the words of time beside it; "" where they are not said."""

    kind: ReminderKind
    about: str = ""
    when: str = ""


def read_wish(text: str, called: Collection[str] = ()) -> ReminderWish | None:
    """What a text wants of reminders; None where it wants something else.

    `called` are the names of the pet, which may stand before it.
    """
    lines = text[:READ].splitlines()
    return next((wish for one in lines if (wish := _wish_of(one, called))), None)


def rings(text: str) -> bool:
    """Whether a text asks for an alarm, which is for the next time the clock shows that hour."""
    return _RINGS.search(aligned(text[:READ])) is not None


def _wish_of(text: str, called: Collection[str]) -> ReminderWish | None:
    """What one line wants of reminders."""
    line = aligned(text)
    if _RINGS.search(line):
        text = _HOUR_OF_ALARM.sub("at ", text)
    elif _RUNS.search(line):
        text = _SPAN_OF_TIMER.sub("in ", text)
    line = aligned(text)
    if _SHOWS.search(line):
        return ReminderWish(kind=ReminderKind.SHOW)
    if _OTHERS.match(_without_names(line, called)):
        return ReminderWish(kind=ReminderKind.FOR_OTHERS)
    if told := _OF_THAT.search(line):
        return _of_that(text[: told.start()])
    pieces = _with_zone(text, line, time_pieces(text))
    found = _ASKS.search(line) or _asks_with_time(line, pieces)
    if found is None or _NOT.search(line[: found.start()]):
        return None
    if not _leads(line[: found.start()], pieces, called):
        return None
    chosen = _chosen(_clusters(line, pieces), line, found)
    about = _about(text, line, found, chosen)
    return _wish(line, found, about, chosen, text)


def _asks_with_time(line: str, pieces: Sequence[TimePiece]) -> re.Match[str] | None:
    """What asks for a reminder only beside a time to come: "tell me at 5 to leave"."""
    found = _ASKS_WITH_TIME.search(line)
    if found is None:
        return None
    is_timed = any(
        0 <= one.start - found.end() <= _NEAR or 0 <= found.start() - one.end <= _NEAR
        for one in pieces
        if not (isinstance(one.value, NamedDay) and one.value.past)
    )
    return found if is_timed else None


def _of_that(text: str) -> ReminderWish:
    """The wish to be reminded of what these words tell, at the time that they say."""
    pieces = time_pieces(text)
    about = " ".join(text.split()).strip(_EDGES)
    return ReminderWish(kind=ReminderKind.SET, about=about, when=_words(text, pieces))


def joined(wish: ReminderWish, answer: str) -> ReminderWish:
    """The wish with what was answered to the question when; what the answer says comes first."""
    pieces = _with_zone(answer, aligned(answer), time_pieces(answer))
    if wish.about or not pieces:
        about = wish.about or answer.strip(_EDGES)
        when = " ".join(filter(None, (_words(answer, pieces), wish.when)))
        return replace(wish, about=about, when=when)
    return replace(wish, when=" ".join((_words(answer, pieces), wish.when)))


def says_when(text: str) -> WhenSaid:
    """What a text says of when."""
    return said_in(time_pieces(text))


_ASKS = re.compile(
    r"\b(?:"
    r"(?:(?:can|could|will|would) (?:you|u) (?:please |pls )?)?remind (?:me|us)\b"
    r"|(?:set|make|create|add|put)(?: me)?(?: up)? an? (?:reminder|alarm)\b"
    r"|(?:do not|don t|dont) let me forget\b|reminder(?= ?:| (?:at|for|in|on|to)\b)"
    r"|(?:tu (?:peux|pourrais|veux bien|peu|voudrais)|(?:peux|pourrais|peut) tu|faut que tu"
    r"|pense a|vous (?:pouvez|pourriez)|(?:pouvez|pourriez) vous|n oublie pas de)"
    r" (?:me|nous) rapp?el+er?s?\b|tu (?:me|nous) rapp?el+es?\b"
    r"|rapp?el+e[sz]? (?:moi|nous)\b|fais moi penser\b"
    r"|(?:mets|met|cree|ajoute|note|programme|fais)(?: moi)? un rappel\b"
    r"|rappel(?= ?:| (?:a|pour|dans|demain|de|d)\b)"
    r")(?: (?:please|pls|plz|stp|svp|s il te plait))?"
)
"""What asks for one."""
_ASKS_WITH_TIME = re.compile(
    r"\b(?:(?:lmk|let me know|(?:tell|text|message|dm|ping|poke|nudge|buzz|alert|notify|warn) me"
    r"|wake (?:me|us)(?: up)?|(?:(?:set|start|put|make)(?: me)? an? )?timer"
    r"|(?:previens|dis|avertis|alerte|ping|bipe|notifie|reveille|secoue) (?:moi|nous)"
    r"|(?:tu (?:peux|pourrais) )?(?:me|nous) (?:prevenir|avertir|reveiller|alerter)"
    r"|(?:(?:mets|met|programme|lance|regle)(?: moi)? une? )?(?:reveil|alarme|minuteur|minuterie)"
    r"))(?: (?:please|pls|plz|stp|svp))?\b"
)
"""What asks for one beside a time, and for something else without: "tell me in French"."""
_RINGS = re.compile(r"\b(?:alarm|reveil|alarme)\b")
_HOUR_OF_ALARM = re.compile(r"\b(?:for|pour) (?=[0-9])", re.IGNORECASE)
_RUNS = re.compile(r"\b(?:timer|minuteur|minuterie)\b")
_SPAN_OF_TIMER = re.compile(r"\b(?:for|of|de|pour) (?=[0-9])", re.IGNORECASE)
_OF_THAT = re.compile(
    r"(?:^|[,.;:!?] ?)(?:tu (?:peux |pourrais )?(?:me|nous) le rapp?el+(?:es?|er)"
    r"|rapp?el+e[sz]? le (?:moi|nous)"
    r"|tu (?:me|nous) le (?:diras|rappelleras)|remind me of (?:it|that|this))"
    r"(?: (?:please|pls|stp|svp|s il te plait))?[ ?.!]*$"
)
"""What asks to be reminded of the words before it."""
_THE_THING: Mapping[str, str] = {
    "wake": "wake up",
    "reveil": "réveil",
    "alarme": "alarme",
    "alarm": "alarm",
    "timer": "timer",
    "minut": "minuteur",
}
"""What a request is about that names nothing besides, by a part of its words."""
_SHOWS = re.compile(
    r"^(?:\S+[,:]? )?(?:what (?:are )?(?:my )?reminders\b|my reminders\b"
    r"|(?:show|list|see)(?: me)?(?: all)? my reminders|do i have (?:any )?reminders"
    r"|(?:cancel|delete|remove|stop) (?:my|the|that|all(?: my)?) reminders?\b"
    r"|(?:mes|quels sont mes|montre(?: moi)? mes|liste(?: moi)? mes|j ai des|j ai quels"
    r"|c est quoi mes) rappels\b"
    r"|(?:annule|supprime|enleve|efface|oublie)r? (?:le|mon|ce|mes|les|tous mes) rappels?\b)"
)
_OTHERS = re.compile(
    r"(?:(?:can|could|will|would) you |please |pls )?remind (?!me\b|us\b|you\b|your\b|myself\b|of\b"
    r"|that\b)(?:my |the )?[^\W\d_]+ (?:to|at|in|on|about|that|tomorrow)\b"
    r"|(?:tu peux |peux tu )?rapp?el+er? a [^\W\d_]+ (?:de|d|que|qu|demain|dans|a)\b"
    r"|rapp?el+e[sz]? a [^\W\d_]+ (?:de|d|que|qu|demain|dans|a)\b"
)
_NOT = re.compile(r"\b(?:do not|don t|dont|never|stop|ne|arrete de|jamais|no need to|did you)\b")


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEAD = _split(
    """
    hey hi hello yo ok okay oh ah so and also please pls plz then well thanks good morning evening
    just actually btw sorry oops hmm um can could will would you u i need want d like to have it ll
    be great if my dear friend remember don t forget
    salut coucou bonjour bonsoir dis donc moi euh hum alors et aussi stp svp s il te plait merci
    est ce que tu peux pourrais j aimerais je voudrais veux bon au fait tiens oui non faut faudrait
    faudra pense n oublie pas de a
    """
)
"""Words that may stand before the request."""
_BETWEEN = re.compile(r"(?: |,|and|et|the|le|on|a|at|then|puis|;|-)*")
"""What may stand between two words of time that belong together."""
_OPENING = re.compile(
    r"[ :,;–-]*(?:(?:please|pls|stp|svp) )?(?:to|that|about|of|pour|de|d|que|qu|a)?(?: |$)[ :,]*"
)
_KNOWS = re.compile(
    r"[ :,]*(?:what|who|whom|whose|where|when|which|how|why|if|whether|ce|c|qui|quoi|ou|quand"
    r"|comment|combien|pourquoi|quel|quels|quelle|quelles|si)\b"
    r"|[ :,]*(?:de|d|about|of)(?: ce| quoi| qui| what| who| how| where)\b"
)
"""What follows where something known is asked for."""
_ASKS_INSIDE = re.compile(
    r"\b(?:quel|quels|quelle|quelles|quoi|qui|combien|comment|what|who|where|when|which|how)\b"
)
_NAMES_IT = re.compile(r"[ :,]*(?:to|that|pour|de|d|que|qu|a|i)\b|[ :,]*:")
"""What follows where something is to be done, with or without a time."""
_CLOSING = (
    *("please", "pls", "plz", "thanks", "thank you", "thx", "ok"),
    *("stp", "svp", "s il te plait", "s il vous plait", "merci", "merci d avance"),
)
"""Courtesies that may stand at the end."""
_SENTENCE_END = re.compile(r"[.!?]")
_EDGES = " \t\n,;:.!?-–—\"'«»“”"


def _wish(
    line: str, found: re.Match[str], about: str, chosen: Sequence[TimePiece], text: str
) -> ReminderWish | None:
    """The wish, unless these words ask for what is known."""
    after = line[found.end() :]
    for piece in chosen:
        if piece.start <= found.end() + 1:
            after = line[max(piece.end, found.end()) :]
    is_past = any(isinstance(one.value, NamedDay) and one.value.past for one in chosen)
    if _KNOWS.match(after):
        return None
    if not _NAMES_IT.match(after) and _ASKS_INSIDE.search(after):
        return None
    if not _NAMES_IT.match(after) and (not chosen or is_past) and not _sets(found):
        return None
    thing = next((thing for part, thing in _THE_THING.items() if part in found[0]), "")
    return ReminderWish(kind=ReminderKind.SET, about=about or thing, when=_words(text, chosen))


def _sets(found: re.Match[str]) -> bool:
    """Whether the words are of a reminder itself: "set a reminder"."""
    return any(word in found[0] for word in ("reminder", "alarm")) or "rappel" in found[0].split()


def _words(text: str, pieces: Sequence[TimePiece]) -> str:
    return " ".join(text[one.start : one.end].strip() for one in pieces)


def _without_names(line: str, called: Collection[str]) -> str:
    """The line after the names of the pet and what greets."""
    words = line.split(" ")
    names = {fold(name) for name in called} | _LEAD
    while words and words[0].strip(",.!:;@") in names | {""}:
        words.pop(0)
    return " ".join(words)


def _leads(before: str, pieces: Sequence[TimePiece], called: Collection[str]) -> bool:
    """Whether nothing stands before the request but names, courtesies and times."""
    rest = list(before)
    for piece in pieces:
        if piece.end <= len(before) + 1:
            rest[piece.start : piece.end] = " " * (min(piece.end, len(before)) - piece.start)
    names = {word for name in called for word in aligned(name).split()}
    last = _SENTENCE_END.split("".join(rest))[-1]
    return all(word.strip(",:;@()") in _LEAD | names | {""} for word in last.split())


def _with_zone(text: str, line: str, pieces: Sequence[TimePiece]) -> list[TimePiece]:
    """The pieces, the one before a zone that is named reaching to its end."""
    named = zone_in(text, line) if pieces else None
    if named is None:
        return list(pieces)
    return [
        replace(one, end=named.end) if 0 <= named.start - one.end <= 1 else one for one in pieces
    ]


def _clusters(line: str, pieces: Sequence[TimePiece]) -> list[list[TimePiece]]:
    """Words of time that stand together, each kind once."""
    if not pieces:
        return []
    clusters = [[pieces[0]]]
    for before, piece in pairwise(pieces):
        kinds = {type(one.value) for one in clusters[-1]}
        if type(piece.value) not in kinds and _BETWEEN.fullmatch(line[before.end : piece.start]):
            clusters[-1].append(piece)
        else:
            clusters.append([piece])
    return clusters


def _chosen(
    clusters: Sequence[list[TimePiece]], line: str, found: re.Match[str]
) -> list[TimePiece]:
    """The words of time of the request, not those of what it is about.

    They stand before it, right after it, or at the end; what one place leaves out another may say,
    unless a sentence of its own follows ("that I have a call at 5").
    """
    if not clusters:
        return []
    beside = [
        one
        for one in clusters
        if one[-1].end <= found.start() + 1 or one[0].start - found.end() <= _NEAR
    ]
    first, last = (beside or clusters[-1:])[0], clusters[-1]
    kinds = {type(one.value) for one in first}
    is_clause = _CLAUSE.match(line, max(first[-1].end, found.end()))
    is_open = not kinds & {type(one.value) for one in last} and not is_clause
    chosen = [*first, *(last if is_open else [])]
    return sorted(chosen, key=lambda one: one.start)


_CLAUSE = re.compile(r"[ ,:]*(?:that|que|qu)\b")

_NEAR = 3
"""Signs between the request and a time that belongs to it."""


def _about(text: str, line: str, found: re.Match[str], chosen: Sequence[TimePiece]) -> str:
    """What follows the request, as it was typed, without its times and courtesies."""
    parts: list[str] = []
    at = found.end()
    said = () if _CLAUSE.match(line, at) else chosen
    for piece in (one for one in said if one.end > at):
        parts.append(text[at : max(at, piece.start)])
        at = max(at, piece.end)
    parts.append(text[at:])
    kept = " ".join(part.strip(" ,") for part in parts if part.strip(_EDGES))
    folded = aligned(kept)
    opening = _OPENING.match(folded)
    start = opening.end() if opening else 0
    return " ".join(_without_courtesies(kept[start:]).split()).strip(_EDGES)


def _without_courtesies(text: str) -> str:
    """The text without what thanks at its end."""
    text = text.rstrip(_EDGES)
    while ended := next((one for one in _CLOSING if aligned(text).endswith(f" {one}")), None):
        text = text[: -len(ended)].rstrip(_EDGES)
    return text
