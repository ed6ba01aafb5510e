"""What people ask to have forgotten in their own words: whether they do, what, and what stays. Pure.

One reader for all ways of asking: the offline pet, `/forget`, the tool of a model, the command line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.language.text import fold, stems
from memory.language.word_lists import NEGATIONS
from memory.rules.forgetting.closeness import kinds_asked
from memory.rules.forgetting.cues import (
    GONE,
    HAVING_DONE,
    IDIOMS,
    KEEPING_NOT,
    KEPT,
    NEGATED,
    NEGATED_AFTER,
    OTHERS,
    PHRASAL,
    PLACES,
    REGRET,
    STRONG,
    TO_THE_PET,
    VAIN,
    WEAK,
)

LONGEST = 600
"""Characters that are read: a longer text tells something, and asks for nothing in one sentence."""

_BEFORE = 48
"""Characters before a verb that say who is to do it."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")

_QUOTED = re.compile(r"[\"“«]([^\"”»]{1,300})[\"”»]")

_LISTED = re.compile(
    r" ?(?:,|;| and | et | as well as | ainsi que | plus | or | ou | & | \+ |\band also\b|/) ?"
)

_CLAUSE = re.compile(
    r"(?:[.!?;:]+ |[.!?]+$|\.\.\.? ?| - | (?:so|because|since|cause|donc|car|parce que|pcq|puisque|before|b4"
    r"|avant qu'|avant que|si|if|in case) |, (?:it|that|they|he|she|i|on|il|ca|c'est|ne|je|tu|jusqu) )"
)
"""Where another clause begins."""

_WHOLE = re.compile(r"\b(?:everything|anything|all|whatever|tout|toute?s?|every|each|les deux|both)\b")

FRAME = frozenset(
    stems(
        """
        please pls plz stp svp kindly eko thing things stuff info information part bit story detail
        details said told tell say shared mentioned wrote gave message line sentence phrase word
        histoire truc chose choses infos partie passage dit raconte confie ecrit parle donne phrase
        message propos sujet about regarding concerning memory memoire record remember forget know
        merci bonjour bonsoir salut hello hey dear cher regards bien good morning afternoon evening
        just now anymore ever never again forever immediately asap quickly old once quick last
        maintenant tout suite jamais plus vite definitivement desormais ancien vieux ancienne
        should would could want need prefer rather like happy love better mind ok okay sorry
        voudrais aimerais prefere mieux veux faut sorry omg lol mdr ptdr hm euh hey oh ah actually
        finally enfin finalement reflexion faite petit peu instant bit while earlier today yesterday
        tout-a-l'heure tantot hier rest reste other others autres autre both deux everything
        anything whatever nothing one ones here there wrong outdated longer idea please thanks thank
        confirm confirme mistake erreur place public secret private prive confidential between us
        entre nous see sees saw read lu vu hear entendu ask asks demande ask's asked mean stored
        existence fait fact issue matter affaire topic someone somebody anyone quelqu gens people
        nobody make made trouble scare scared peur dur hard cringe regret ashamed honte genant gene
        embarrass embarrassed embarrassing serre coeur capiche deal understood really vraiment very
        discute way pls cant can't bear supporte think penser feel feeling makes me grateful gre
        u ur r b4 pr jveux jai jte abt re who when much name named
        keep keeping kept store stored stores saved save retain know known knew hold held record recorded
        memorise memorize recall log bring mention mentioned repeat remain stay stick remembering
        garde garder gardes retiens retenir retienne souviens souvenir souvienne saches savoir sache
        memorise stocke conserve enregistre connaitre ressorte detenir rappelle reste repete evoque
        mentionne traine stop quit avoid no need copy trace arrete arreter evite eviter cesse go gone
        disappear vanish forgotten deleted erased removed wiped doit disparaitre effacer oublier
        supprimer faire voir shouldn shouldnt wish regret take took taken back retract withdraw pretend
        act imagine never happen happened hear heard saw fais genre comme semblant prefere taire aurais
        du regarde regardent concerne titre droit oubli right request have get want see make sure
        deleting erasing removing forgetting deletion removal erasure suppression effacement put leave
        pull mind consider appreciate needs wants worth trait oubliettes sortir sors sort obligeance
        kind kindness gentillesse veuillez priere possible plait plai tombe tomber envie besoin veille
 youd youll youve id ill youre
        te le la les en gardee embarrasses business regards sincerely yours cordialement bien vous
        jolly lets speak talk parle parler better had donc alors then even can could
        """
    )
)
"""Stems of the frame of a request: what is said to have something forgotten, not what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRequest:
    """A request as it was read: what is named, part by part, and what is to stay.

    `topics` is empty where nothing is named. One that is not `sure` uses a verb of many senses, and
    asks for something only where what it names is kept.
    """

    topics: tuple[str, ...] = ()
    context: str = ""
    """What else is said in the message, which may tell what is meant."""
    keep: tuple[str, ...] = ()
    sure: bool = True
    whole: bool = False
    """All of what is named is meant, and not what fits it best."""


def read_request(text: str) -> PlainRequest | None:
    """The request in a message, None where it asks to forget nothing."""
    if len(text) > LONGEST:
        return None
    said = _plain(text)
    spans, sure = _cues(said)
    if not spans:
        return None
    return _request(said, spans, sure=sure)


def read_topic(text: str) -> PlainRequest:
    """What is named by a text that is known to ask for it: a topic, or the whole request."""
    said = _plain(text)
    spans, _ = _cues(said)
    return _request(said, spans, sure=True)


def content_stems(text: str) -> list[str]:
    """The stems that name something, without the frame of a request."""
    return [stem for stem in stems(text) if stem not in FRAME and stem not in NEGATIONS]


def names_something(text: str) -> bool:
    """Whether a part of a request says what is meant, by a word or by what kind of thing it is."""
    return bool(content_stems(text) or kinds_asked(text))


def _plain(text: str) -> str:
    return " ".join(fold(text[:LONGEST]).replace("’", "'").split())


def _cues(said: str) -> tuple[list[tuple[int, int]], bool]:
    """Where it is asked for, and whether one of these places leaves no doubt."""
    if VAIN.match(said):
        return [], False
    open_ = _blanked(_blanked(said, _QUOTED), IDIOMS)
    surely = [
        match.span()
        for pattern in (KEEPING_NOT, GONE, HAVING_DONE, REGRET)
        for match in pattern.finditer(open_)
        if not _is_of_others(open_, match) and not _asks_how(open_)
    ]
    doubtful = []
    for start, end, strong in _verbs(open_):
        if _is_asked(open_, start, end):
            (surely if strong else doubtful).append((start, end))
    spans = sorted([*surely, *doubtful])
    if spans:
        spans += [match.span() for match in PLACES.finditer(open_)]
    sure = bool(surely) or (bool(doubtful) and PLACES.search(open_) is not None)
    return spans, sure


def _verbs(said: str) -> Iterator[tuple[int, int, bool]]:
    for match in _WORD.finditer(said):
        word = match.group().rpartition("'")[2] if "'" in match.group() else match.group()
        if word in STRONG or word in WEAK:
            yield match.end() - len(word), match.end(), word in STRONG
    for match in PHRASAL.finditer(said):
        yield match.start(), match.end(), False


def _is_asked(said: str, start: int, end: int) -> bool:
    """Whether a verb is said to the pet, and not denied."""
    before, after = said[max(0, start - _BEFORE) : start], said[end : end + _BEFORE]
    if NEGATED.search(before) or NEGATED_AFTER.match(after):
        return False
    if TO_THE_PET.search(before):
        return True
    return not OTHERS.search(before)


def _is_of_others(said: str, match: re.Match[str]) -> bool:
    """Whether it tells of what a person keeps, and not of what the pet is to."""
    before = said[max(0, match.start() - _BEFORE) : match.start()]
    return _SUBJECT.search(before) is not None and _WISH.search(match.group()) is None


def _asks_how(said: str) -> bool:
    return "?" in said and _HOW.match(said) is not None


_SUBJECT = re.compile(r"\b(?:i|she|he|they|we|who|je|j'|il|elle|ils|elles|on)(?: \w+)? ?$")
_WISH = re.compile(
    r"\b(?:you|u|want|like|need|prefer|tu|te|t'|vous|veux|voudrais|tiens|souhaite|prefere|aimerais"
    r"|never|didn't|regret|take|took|shouldn't|should|wish|rien|your|ur|ta|ton|tes)\b"
)
_HOW = re.compile(r"^(?:why|how|what|when|who|pourquoi|comment|qu'est|quand|qui)\b")


def _request(said: str, spans: Sequence[tuple[int, int]], *, sure: bool) -> PlainRequest:
    kept = [
        (match.span(), found.strip())
        for match in KEPT.finditer(said)
        for found in match.groups()
        if found and content_stems(found)
    ]
    erased = [*(span for span, _ in kept), *(span for span in spans if _is_verb(said, span))]
    clauses = list(_clauses(said, erased))
    named = _named(clauses, spans)
    whole = _WHOLE.search(said) is not None
    parts = [part for clause in named for part in _parts(clause)]
    rest = [clause for _, _, clause in clauses if clause not in named and content_stems(clause)]
    return PlainRequest(
        topics=tuple(parts),
        context=" ".join(rest),
        keep=tuple(found for _, found in kept),
        sure=sure,
        whole=whole,
    )


def _parts(clause: str) -> list[str]:
    parts = [part.strip(" .!?:;-()<>=") for part in _LISTED.split(clause)]
    return [part for part in parts if names_something(part)]


def _named(clauses: Sequence[tuple[int, int, str]], spans: Sequence[tuple[int, int]]) -> list[str]:
    """The clauses that ask; where these name nothing, what was said before them or after them."""
    asking = [
        place
        for place, (begin, end, _) in enumerate(clauses)
        if any(begin <= start < end for start, _ in spans)
    ]
    telling = [place for place in asking if names_something(clauses[place][2])]
    if not telling:
        before = [place for place in range(len(clauses)) if names_something(clauses[place][2])]
        first = min(asking, default=0)
        earlier = [place for place in before if place < first]
        telling = earlier or before
    return [clauses[place][2] for place in telling]


def _clauses(said: str, erased: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """The clauses with their places, without what is erased of them."""
    bare = list(said)
    for start, end in erased:
        bare[start:end] = " " * (end - start)
    text, start = "".join(bare), 0
    for match in _CLAUSE.finditer(said):
        yield start, match.start(), text[start : match.start()]
        start = match.end()
    yield start, len(said), text[start:]


def _is_verb(said: str, span: tuple[int, int]) -> bool:
    found = said[span[0] : span[1]]
    return found in STRONG or found in WEAK or PHRASAL.fullmatch(found) is not None or PLACES.fullmatch(found) is not None


def _blanked(said: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: " " * len(match.group()), said)
