"""What lines claim of what a question wants to know; pure."""

from collections.abc import Mapping
from functools import lru_cache

from bot.llm.offline.questions.asked import AskedQuestion
from bot.llm.offline.questions.relations import relations_in, subject_relation
from bot.llm.offline.questions.talk import SaidClaim, TalkLine, said_claims
from memory.claims.reader import read_claims, wanted_slots
from memory.language.chat_spelling import spelt_out
from memory.model.claims import Slot, Status

_NEAR_SLOTS = (
    {Slot.WORK, Slot.EMPLOYER, Slot.STUDY},
    {Slot.HOME, Slot.ORIGIN, Slot.PLAN},
    {Slot.LIKE, Slot.DISLIKE, Slot.HOBBY, Slot.DIET, Slot.HABIT},
    {Slot.BIRTHDAY, Slot.AGE, Slot.PLAN},
    {Slot.FAMILY, Slot.PARTNER, Slot.NAME, Slot.NICKNAME, Slot.PET},
    {Slot.HEALTH, Slot.DIET, Slot.LOSS, Slot.HABIT},
    {Slot.POSSESSION, Slot.LOSS, Slot.PET},
    {Slot.LANGUAGE, Slot.STUDY, Slot.ORIGIN},
)
"""Slots that are easily taken for each other."""

_SAME_SLOT, _NEAR_SLOT, _OTHER_SLOT = 1.0, 0.5, 0.15

_OF_CIRCLE = frozenset(
    (Slot.PET, Slot.FAMILY, Slot.PARTNER, Slot.LOSS, Slot.PLAN, Slot.NAME, Slot.POSSESSION)
)
"""Slots whose claims are as often about others than who says them."""

_OF_RELATIVES = frozenset((Slot.FAMILY, Slot.PARTNER))

_OF_ANOTHER = 0.05
"""What a claim about another counts where its author is asked about, and the reverse."""

_OF_THE_PAST = 0.1
"""What a claim of what was once so counts."""


@lru_cache(maxsize=512)
def wanted_in(question: str) -> Mapping[Slot, float]:
    """What a question wants to know of people; empty where it wants nothing."""
    return {one.slot: one.chance for one in wanted_slots(question)}


@lru_cache(maxsize=2048)
def claims_in(text: str) -> tuple[SaidClaim, ...]:
    """The claims of a text that was kept without its message."""
    (claims,) = read_claims([text])
    return said_claims(text, claims)


def tells(line: TalkLine, asked: AskedQuestion) -> float:
    """How surely a line states what is wanted, in 0..1."""
    stated = (one for one in line.claims if one.read.status.is_stated)
    return max((_tells(one, asked) for one in stated), default=0.0)


def _tells(claim: SaidClaim, asked: AskedQuestion) -> float:
    wanted = max(
        (chance * _likeness(slot, claim, asked) for slot, chance in asked.wanted.items()),
        default=0.0,
    )
    whose = 1.0 if _is_of_asked(claim, asked) else _OF_ANOTHER
    when = _OF_THE_PAST if claim.read.status is Status.PAST else 1.0
    return wanted * claim.read.certainty * whose * when


def _likeness(wanted: Slot, claim: SaidClaim, asked: AskedQuestion) -> float:
    """How near what is claimed is to what is wanted; of a relative much is claimed as of family."""
    slot = claim.read.slot
    if slot is wanted:
        return _SAME_SLOT
    is_of_relative = bool(asked.subject.relations) and slot in _OF_RELATIVES
    is_near = any(wanted in group and slot in group for group in _NEAR_SLOTS)
    return _NEAR_SLOT if is_near or is_of_relative else _OTHER_SLOT


def _is_of_asked(claim: SaidClaim, asked: AskedQuestion) -> bool:
    """Whether a claim is about whom the question is about, as far as its words tell."""
    relations = asked.subject.relations
    if relations:
        return not relations.isdisjoint(relations_in(spelt_out(claim.words)))
    if claim.read.slot in _OF_CIRCLE:
        return True
    return claim.read.of_author and not subject_relation(spelt_out(claim.words))
