"""An invented town: people, spaces, rooms and all that is said there, from one seed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.words import (
    CHATTER,
    CITIES,
    FACTS,
    FIRST_NAMES,
    JOBS_EN,
    JOBS_FR,
    QUESTIONS,
    SMALL,
    SYLLABLES,
    THINGS_EN,
    THINGS_FR,
    TIMES_EN,
    TIMES_FR,
    UNRELATED,
)
from bot.model.events import AuthorRef, RoomRef
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole, SpaceId

PLATFORM = "town"

SPACES = tuple(map(SpaceId, ("loire", "mersey", "fjord")))
"""Three communities that must not hear of each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A person of the town and the spaces they are a member of."""

    account: AuthorRef
    spaces: tuple[SpaceId, ...]

    @property
    def name(self) -> str:
        """What people call them."""
        return self.account.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of real chat style; `context` is what the pet asked before, or "" ."""

    text: str
    context: str
    resident: Resident
    room: RoomRef
    follows: bool
    """Whether it comes late in a conversation, with earlier turns in the window."""


RESIDENTS = tuple(
    Resident(
        account=AuthorRef(platform=PLATFORM, external_id=f"p{number}", name=name),
        spaces=tuple(
            space
            for place, space in enumerate(SPACES)
            if number % 3 == place or number % 7 == place
        ),
    )
    for number, name in enumerate(FIRST_NAMES)
)


def group_room(space: SpaceId, role: RoomRole) -> RoomRef:
    """The lobby of a space, or the room there where the pet answers everything."""
    return RoomRef(
        platform=PLATFORM,
        external_id=f"{space}-{role}",
        name=f"{role} of {space}",
        kind=RoomKind.GROUP,
        role=role,
        space=space,
    )


def direct_room(resident: Resident) -> RoomRef:
    """Where a resident and the pet are alone."""
    return RoomRef(
        platform=PLATFORM,
        external_id=f"direct-{resident.account.external_id}",
        name=resident.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def placed(ref: RoomRef) -> Room:
    """The room as the inbox would know it."""
    return Room(
        id=RoomId(f"{ref.platform}:{ref.external_id}"),
        platform=ref.platform,
        external_id=ref.external_id,
        name=ref.name,
        kind=ref.kind,
        role=ref.role,
        space=ref.space,
    )


class Talk:
    """Says things the residents would say; the same seed says the same things."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def resident(self) -> Resident:
        """Whoever speaks next; a few people say most of what is said."""
        return RESIDENTS[int(len(RESIDENTS) * self.random.random() ** 1.7)]

    def fact(self, who: Resident) -> tuple[str, tuple[str, ...]]:
        """A statement about someone, and whom it is about."""
        other = self.resident().name
        template = self.random.choice(FACTS)
        subjects = (who.name, other) if "{other}" in template else (who.name,)
        return self._filled(template, who.name, other), tuple(dict.fromkeys(subjects))

    def line(self) -> str:
        """Something said in a lobby."""
        return self._some(CHATTER)

    def question(self) -> Asked:
        """Something asked of the pet: 7 of 10 are questions that may have an answer."""
        resident = self.resident()
        alone = self.random.random() < 0.4
        space = self.random.choice(resident.spaces or SPACES)
        return Asked(
            text=self._question(),
            context=self._some(CHATTER) if self.random.random() < 0.3 else "",
            resident=resident,
            room=direct_room(resident) if alone else group_room(space, RoomRole.PET),
            follows=self.random.random() < 0.5,
        )

    def _question(self) -> str:
        kind = self.random.random()
        if kind < 0.7:
            return self._some(QUESTIONS)
        if kind < 0.82:
            return self._some(UNRELATED)
        if kind < 0.87:
            return self.random.choice(SMALL)
        length = self.random.randint(4, 25)
        rambling = [self._some(CHATTER + FACTS) for _ in range(length)]
        return "\n".join([*rambling, self._some(QUESTIONS)])

    def _some(self, templates: Sequence[str]) -> str:
        who, other = self.resident().name, self.resident().name
        return self._filled(self.random.choice(templates), who, other)

    def _filled(self, template: str, who: str, other: str) -> str:
        pick = self.random.choice
        return template.format(
            who=who,
            other=other,
            city=pick(CITIES),
            thing_fr=pick(THINGS_FR),
            thing_en=pick(THINGS_EN),
            job_fr=pick(JOBS_FR),
            job_en=pick(JOBS_EN),
            time_fr=pick(TIMES_FR),
            time_en=pick(TIMES_EN),
            number=self.random.randint(10, 9999),
            rare=self._rare_name(),
        )

    def _rare_name(self) -> str:
        return "".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 4))).capitalize()
