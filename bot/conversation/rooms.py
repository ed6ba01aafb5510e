"""The register: whose an account is, and what a room is to the pet, as things stand."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from bot.conversation.pauses import Pausing
from bot.model.authority import authority_of
from bot.model.commands import Authority, Caller
from bot.model.events import AuthorRef, Inbound, Invoked, ReactionsChanged, RoomRef
from bot.texts.choice import nearest_locale
from bot.texts.lookalikes import NAMESAKE_SIGNS, looks_like, reads_as_namesake
from bot.texts.sanitizing import plain
from memory.model.messages import MessageId, ReactionChange
from memory.model.people import AccountId, Person, PersonId, Signature, account_parts
from memory.model.rooms import Room, RoomChoice, RoomId, RoomKind, RoomRole, RoomWish, SpaceId
from memory.model.shown import Shown
from memory.storage.community.room_choices import RoomChoices
from memory.storage.people.people import People
from memory.storage.sqlite.database import Check, no_check

LONGEST_NAME = 60
"""Characters of a name: longer ones are jokes or attacks."""

_MARKUP = "*_~`|#>- "
"""What platforms draw as no sign of a name: "**Eko**" is read as the pet's."""

LONGEST_EMOJI = 40
"""Characters of a reaction: an emoji of a platform's own is written `:name:`."""

_MARKS = re.compile(rf"[():•<>‹›{NAMESAKE_SIGNS}]|\s")
"""What sets speakers, lines and namesakes apart in a recalled block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRule:
    """What the settings say of one room, against what its platform proposes."""

    platform: str
    external_id: str
    role: RoomRole | None = None
    space: SpaceId | None = None
    confidential: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRegistryRules:
    """What the settings say: the pet's names, the rooms, its admins, its language.

    `managers` says by platform and language who manages a community there.
    """

    names: tuple[str, ...]
    rooms: tuple[RoomRule, ...] = ()
    admins: tuple[str, ...] = ()
    locale: str = "en"
    managers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class RoleSource(StrEnum):
    """What a room has its role from."""

    CHOSEN = "chosen"
    """Chosen for it while the pet ran."""
    SETTINGS = "settings"
    ABOVE = "above"
    """Chosen or set for the room that it hangs under."""
    PLATFORM = "platform"
    """Neither chosen nor set: the platform's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomStanding:
    """A room as it is wanted now, and what its role comes from."""

    room: Room
    source: Shown[RoleSource]

    @property
    def id(self) -> Shown[RoomId]:
        """Its id."""
        return self.room.id

    @property
    def name(self) -> Shown[str]:
        """What it is called."""
        return self.room.name

    @property
    def space(self) -> Shown[SpaceId]:
        """The community that it belongs to."""
        return self.room.space

    @property
    def role(self) -> Shown[RoomRole]:
        """What the pet does there."""
        return self.room.role

    @property
    def confidential(self) -> Shown[bool]:
        """Whether what is said there stays there."""
        return self.room.confidential

    @property
    def parent(self) -> Shown[RoomId | None]:
        """The room that it hangs under, as a thread does."""
        return self.room.parent


class RoomRegistry:
    """Knows everybody and every room; what was chosen for a room wins over the settings."""

    def __init__(
        self, people: People, choices: RoomChoices, pausing: Pausing, rules: RoomRegistryRules
    ) -> None:
        self._people = people
        self._choices = choices
        self._pausing = pausing
        self._rules = rules
        self._room_rules = {_id(rule.platform, rule.external_id): rule for rule in rules.rooms}
        self._chosen: Mapping[RoomId, RoomChoice] = {}

    async def load(self) -> None:
        """Take up what was chosen before."""
        self._chosen = await self._choices.chosen()
        await self._pausing.load()

    async def person(self, author: AuthorRef, *, renames: bool = True) -> Person:
        """Who an account belongs to, under a name that forges nothing."""
        name = name_in_text(author.name, self._rules.names) or author.external_id
        return await self._people.person(author.platform, author.external_id, name, renames=renames)

    async def author(self, inbound: Inbound, *, renames: bool = True) -> Person:
        """Who says a message: whose account it is, or who was chosen where it comes by a file."""
        brought = inbound.brought
        if brought is None or brought.person is None:
            return await self.person(inbound.author, renames=renames)
        return await self.author_in_file(brought.person, inbound.author, brought.account)

    async def author_in_file(
        self, person: PersonId, author: AuthorRef, account: AccountId | None
    ) -> Person:
        """A known person as a file calls them.

        `account`, which files alone tell of, becomes theirs, so that it can be split off again.
        """
        name = name_in_text(author.name, self._rules.names) or author.external_id
        own = None if account is None else account_parts(account)
        return await self._people.again(person, name, own)

    async def spaces_of(self, person: PersonId, vouched: frozenset[SpaceId]) -> frozenset[SpaceId]:
        """What a platform vouches for, and the spaces that the owner let a person know."""
        return vouched | await self._people.spaces_of(person)

    def reaction(self, changed: ReactionsChanged) -> ReactionChange:
        """What is kept of a reaction, under a name that forges nothing."""
        author = changed.author
        return ReactionChange(
            platform=changed.platform,
            external_id=changed.external_id,
            account=author.account,
            name=name_in_text(author.name, self._rules.names) or author.external_id,
            emoji=tuple(one for one in map(plain, changed.emoji) if 0 < len(one) <= LONGEST_EMOJI),
        )

    async def known(self, author: AuthorRef) -> PersonId | None:
        """Who an account belongs to, if anybody has spoken from it yet."""
        return await self._people.known(author.platform, author.external_id)

    def room(self, ref: RoomRef) -> Room:
        """A room as the settings, and what was chosen since, want it."""
        return self._ruled(
            Room(
                id=room_id(ref),
                platform=ref.platform,
                external_id=ref.external_id,
                name=" ".join(plain(ref.name).split())[:LONGEST_NAME] or ref.external_id,
                kind=ref.kind,
                role=ref.role,
                space=ref.space,
                confidential=ref.confidential,
                public=ref.public,
                parent=None if ref.parent is None else _id(ref.platform, ref.parent),
                starter=ref.starter,
                community=" ".join(plain(ref.community).split())[:LONGEST_NAME],
            )
        )

    async def keep(self, room: Room) -> None:
        """Remember a room as it is now."""
        await self._people.keep_room(room)

    async def room_again(self, id_: RoomId) -> Room | None:
        """A stored room as it is wanted now; None when nothing is answered there."""
        kept = await self._people.room(id_)
        if kept is None or (room := self._ruled(kept)).role is RoomRole.IGNORED:
            return None
        if self._pausing.of(room.space) is not None:
            return None
        await self.keep(room)
        return room

    def is_away(self, room: Room, at: datetime, *, live: bool) -> bool:
        """Whether the pet is to know nothing of what was said in a room at a moment.

        `live` is what comes in as it is said: the pause that lasts counts, whatever a platform's
        clock says.
        """
        is_paused_now = live and self._pausing.of(room.space) is not None
        return is_paused_now or self._pausing.covers(room.space, at)

    async def standings(self, space: SpaceId | None) -> list[RoomStanding]:
        """The rooms of several people that were met in a space (or anywhere), as they are now."""
        standings = [self._standing(kept) for kept in await self._people.groups(space)]
        return [one for one in standings if space is None or one.room.space == space]

    async def choose(self, room: RoomId, role: RoomRole | None, *, by: Signature) -> None:
        """Let a room have this role from now on; None is what settings and platform say."""
        await self.change(room, RoomWish(role=role, default_role=role is None), by=by)

    async def mark(self, room: RoomId, *, confidential: bool, by: Signature) -> None:
        """Let nothing that is said in a room leave it from now on; or take that choice back."""
        await self.change(room, RoomWish(confidential=confidential), by=by)

    async def change(
        self, room: RoomId, wish: RoomWish, *, by: Signature, check: Check = no_check
    ) -> None:
        """Choose for a room what is wished, all of it or nothing, if `check` lets it."""
        await self._choices.change(room, wish, by=by, check=check)
        self._chosen = await self._choices.chosen()

    def unchanged(self, room: Room) -> Check:
        """Lets a change be made while what was chosen for a room, or above it, is what it is now.

        Raises:
            HoldsNoMore: it is another by then.

        """
        above = () if room.parent is None else (room.parent,)
        return self._choices.unchanged((room.id, *above), self._chosen)

    def typed_by(self, inbound: Inbound, person: Person, room: Room, message: MessageId) -> Caller:
        """Who typed a command, and how far their word goes."""
        account = inbound.author.account
        return Caller(
            person=person,
            room=room,
            account=account,
            authority=self._authority(account, room, inbound),
            locale=self._rules.locale,
            spaces=inbound.spaces,
            message=message,
            private=room.kind is RoomKind.DIRECT,
            managers=self._managers(room, self._rules.locale),
        )

    async def invoked_by(self, invoked: Invoked) -> Caller:
        """Who used a command of the platform's own, and how far their word goes."""
        room = self.room(invoked.room)
        await self.keep(room)
        person = await self.person(invoked.author)
        spaces = await self.spaces_of(person.id, invoked.spaces)
        return self._caller(replace(invoked, spaces=spaces), person, room)

    async def about_to_invoke(self, invoked: Invoked) -> Caller:
        """The same of a person who is still typing it: nothing is kept of that."""
        author = invoked.author
        person = await self._people.looked_up(author.platform, author.external_id, author.name)
        return self._caller(invoked, person, self.room(invoked.room))

    def _caller(self, invoked: Invoked, person: Person, room: Room) -> Caller:
        account = invoked.author.account
        locale = nearest_locale(invoked.locale, self._rules.locale)
        return Caller(
            person=person,
            room=room,
            account=account,
            authority=self._authority(account, room, invoked),
            locale=locale,
            spaces=invoked.spaces,
            private=invoked.private,
            takes_files=invoked.takes_files,
            managers=self._managers(room, locale),
        )

    def _managers(self, room: Room, locale: str) -> str:
        """Who manages a community on the platform of a room; "" where there is no such person."""
        return self._rules.managers.get(room.platform, {}).get(locale, "")

    def _authority(self, account: str, room: Room, said: Inbound | Invoked) -> Authority:
        """What a platform says of who manages its community holds for that community alone.

        Settings can put a room into another one, which its platform knows nothing of.
        """
        manages = said.manages_space and room.space == said.room.space
        return authority_of(account, room, self._rules.admins, manages_space=manages)

    def _ruled(self, room: Room) -> Room:
        return self._standing(room).room

    def _standing(self, room: Room) -> RoomStanding:
        """The room by its own rule, and where that is silent by that of the room above it.

        What is confidential above is so below, whatever else is said of the room itself.
        """
        own = self._room_rules.get(room.id)
        above = None if room.parent is None else self._room_rules.get(room.parent)
        rules = [one for one in (own, above) if one is not None]
        proposed = room.proposed or room.role
        role, source = self._role_of(room, own, above) or (proposed, RoleSource.PLATFORM)
        ruled = replace(
            room,
            role=role,
            proposed=None if role is proposed else proposed,
            space=next((one.space for one in rules if one.space), room.space),
            confidential=room.confidential
            or any(one.confidential for one in rules)
            or any(one.confidential for one in self._choices_for(room)),
        )
        return RoomStanding(room=ruled, source=source)

    def _choices_for(self, room: Room) -> list[RoomChoice]:
        """What was chosen for a room itself, and for the one above it."""
        ids = (room.id, room.parent)
        return [self._chosen[one] for one in ids if one is not None and one in self._chosen]

    def _role_of(
        self, room: Room, own: RoomRule | None, above: RoomRule | None
    ) -> tuple[RoomRole, RoleSource] | None:
        """What was chosen or set for itself, then for the room above; None where nothing was."""
        chosen = self._chosen.get(room.id)
        chosen_above = self._chosen.get(room.parent) if room.parent else None
        wishes = (
            (chosen and chosen.role, RoleSource.CHOSEN),
            (own and own.role, RoleSource.SETTINGS),
            (chosen_above and chosen_above.role, RoleSource.ABOVE),
            (above and above.role, RoleSource.ABOVE),
        )
        return next(((role, source) for role, source in wishes if role), None)


def name_in_text(name: str, pet_names: Sequence[str]) -> str:
    """A name as it may stand before its owner's words: it forges no speaker, heading or line.

    Only the pet goes by the pet's names, or by what looks like one, and no one by what it calls one
    of several people; a person who does is marked with a tilde.
    """
    bare = " ".join(_MARKS.sub(" ", plain(name)).split())[:LONGEST_NAME].strip()
    read = bare.strip(_MARKUP)
    if reads_as_namesake(name) or any(looks_like(read, one) for one in pet_names):
        return f"~{read}"
    return bare


def room_id(ref: RoomRef) -> RoomId:
    """The id under which a room is kept."""
    return _id(ref.platform, ref.external_id)


def _id(platform: str, external_id: str) -> RoomId:
    return RoomId(f"{platform}:{external_id}")
