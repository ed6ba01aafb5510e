"""Where a history goes and who of it is who, as its owner chose it or as is safest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.channels.local.hub import LOBBY
from bot.conversation.rooms import name_in_text, room_id
from bot.errors import BotError
from bot.model.events import AuthorRef, RoomRef
from bot.surfaces.names import CalledNames, NotOne
from bot.topics.histories.requests import HistoryAuthor, HistoryRequest
from bot.transfer.history.inbounds import (
    AuthorKey,
    HistoryPlace,
    KnownAuthor,
    account_beside,
    account_of,
    file_account,
)
from bot.transfer.history.model import Recognised
from bot.transfer.history.scanning import HistoryScan
from bot.wiring.app import App
from bot.wiring.settings import names_of
from memory.model.audience import Audience, Origin, audience_of, person_audience, space_audience
from memory.model.histories import HISTORY
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomKind, RoomRole, SpaceId


class HistoryMisplaced(BotError):
    """What was asked of a history does not go together, or names nothing that there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedHistory:
    """Where a file goes; `is_` says in a word what that is.

    `known_to` names who may know it; `members` are those that are let into its own space, `person`
    the one who alone may know it.
    """

    place: HistoryPlace
    is_: str
    known_to: tuple[str, ...] = ()
    members: frozenset[PersonId] = frozenset()
    person: PersonId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPeople:
    """Who the authors of a file are: those that are known, and whose lines stay out."""

    known: Mapping[AuthorKey, KnownAuthor]
    without: frozenset[AuthorKey]
    authors: tuple[HistoryAuthor, ...]


class HistoryPlacing:
    """Finds rooms and people that an import names, among those that its caller may know of."""

    def __init__(self, app: App, names: CalledNames) -> None:
        self._app = app
        self._names = names

    async def placed(
        self, request: HistoryRequest, recognised: Recognised, scan: HistoryScan, title: str
    ) -> PlacedHistory:
        """Where a file goes: a chosen room or person, or a new room that only its owner reads.

        Raises:
            HistoryMisplaced: what was chosen does not go together.
            NotOne: a name is no one's, or several people's or rooms'.

        """
        own = request.known_to or request.speakers
        if request.private_of is not None:
            if request.room is not None or own:
                raise HistoryMisplaced("Choose one: a room, one person alone, or a new room.")
            return await self._private(request.private_of, recognised, scan, title)
        found = await self._existing(request.room) if request.room else None
        if found is None:
            return await self._new(request, recognised, scan, request.room or title)
        if own and found.platform != HISTORY:
            raise HistoryMisplaced("Who reads that room along is for its platform to say.")
        if own:
            return await self._new(request, recognised, scan, found.name)
        return await self._in_room(found, recognised, scan)

    async def people(
        self, request: HistoryRequest, placed: PlacedHistory, scan: HistoryScan
    ) -> HistoryPeople:
        """Who the authors are: as chosen, by their account, or by a name that only one bears.

        Raises:
            HistoryMisplaced: an author that is named does not speak in the file.
            NotOne: see `placed`.

        """
        speak = {name for name, _ in scan.authors}
        if lost := sorted({*request.people, *request.without} - speak):
            raise HistoryMisplaced(f'Nobody called "{lost[0]}" speaks in the file.')
        chosen = {name: await self._names.person(who) for name, who in request.people.items()}
        counted = scan.authors.most_common()
        found = await self._known([key for key, _ in counted], chosen, placed.place)
        known = {key: one for key, one in found.items() if key[0] not in request.without}
        shown = [
            await self._shown(key, lines, known.get(key), is_out=key[0] in request.without)
            for key, lines in counted
        ]
        without = frozenset(key for key in scan.authors if key[0] in request.without)
        return HistoryPeople(known=known, without=without, authors=tuple(shown))

    async def _known(
        self, keys: Sequence[AuthorKey], chosen: Mapping[str, PersonId], place: HistoryPlace
    ) -> dict[AuthorKey, KnownAuthor]:
        """The authors who are known; one account is one person's under all its names."""
        owners: dict[AuthorRef, KnownAuthor] = {}
        for key in sorted(keys, key=lambda one: one[0] not in chosen):  # what was chosen is first
            account = _nameless(key, place)
            if account not in owners and (found := await self._matched(key, chosen, place)):
                owners[account] = found
        return {key: owners[one] for key in keys if (one := _nameless(key, place)) in owners}

    async def _matched(
        self, key: AuthorKey, chosen: Mapping[str, PersonId], place: HistoryPlace
    ) -> KnownAuthor | None:
        own, of_file = account_of(key, place), file_account(key, place)
        owner, owner_in_files = [await self._app.register.known(one) for one in (own, of_file)]
        person = chosen.get(key[0]) or owner or owner_in_files or await self._named(key[0])
        if person is None:
            return None
        if person == owner and own.platform != HISTORY:
            return KnownAuthor(person=person)
        if owner_in_files not in (None, person):  # who is chosen takes no other person's account
            of_file = account_beside(of_file, person)
        return KnownAuthor(person=person, account=of_file.account)

    async def _named(self, name: str) -> PersonId | None:
        """The one person who bears a name."""
        if name_in_text(name, names_of(self._app.settings)).startswith("~"):
            return None  # what is called like the pet is some person, and never the pet
        named = await self._app.storage.people.named(name) if name else []
        return named[0] if len(named) == 1 else None

    async def _shown(
        self, key: AuthorKey, lines: int, known: KnownAuthor | None, *, is_out: bool
    ) -> HistoryAuthor:
        is_ = "left out" if is_out else "new" if known is None else "known"
        listed = None if known is None else await self._app.storage.directory.one(known.person)
        name = listed.name if listed else None
        return HistoryAuthor(name=key[0], lines=lines, is_=is_, person=name)

    async def _private(
        self, name: str, recognised: Recognised, scan: HistoryScan, title: str
    ) -> PlacedHistory:
        person = await self._names.person(name)
        ref = RoomRef(
            platform=HISTORY,
            external_id=_hashed("private", person, recognised.platform, title),
            name=title,
            kind=RoomKind.DIRECT,
            role=RoomRole.LOBBY,
        )
        place = _place(ref, person_audience(person), recognised, scan)
        return PlacedHistory(place=place, is_="private", known_to=(name,), person=person)

    async def _existing(self, name: str) -> Room | None:
        """The room of several people that is called this."""
        storage = self._app.storage.people
        rooms = [await storage.room(one) for one in await storage.rooms_named(name)]
        groups = [one for one in rooms if one is not None and one.kind is RoomKind.GROUP]
        if len(groups) > 1:
            ids = ", ".join(one.id for one in groups)
            raise NotOne(f'Several rooms are called "{name}": name one by its id ({ids}).')
        if not rooms and name.casefold() == LOBBY.name:  # it is known from its first message on
            return self._app.register.room(LOBBY)
        return groups[0] if groups else None

    async def _in_room(
        self, room: Room, recognised: Recognised, scan: HistoryScan
    ) -> PlacedHistory:
        if room.role is RoomRole.IGNORED:
            raise HistoryMisplaced(f"{room.name} is ignored: choose another room.")
        origin = Origin(visibility=room.visibility, room=room.id, space=room.space)
        place = _place(_ref(room), audience_of(origin), recognised, scan)
        prefix = await self._app.storage.histories.id_prefix(room.id, room.external_id)
        knows = room.name if room.confidential or room.public else room.space
        return PlacedHistory(
            place=replace(place, id_prefix=prefix),
            is_="room",
            known_to=(knows,),
        )

    async def _new(
        self, request: HistoryRequest, recognised: Recognised, scan: HistoryScan, title: str
    ) -> PlacedHistory:
        """A room of its own: in a space that is named, or one that chosen people alone know."""
        groups = await self._app.storage.people.groups(None)
        spaces = {name: one.space for one in groups for name in (one.space, one.community) if name}
        named = spaces.get(title) if request.room else None
        key = _hashed("room", recognised.platform, title)
        space = named or SpaceId(f"{HISTORY}:{key}")
        ref = RoomRef(
            platform=HISTORY,
            external_id=key,
            name=title,
            kind=RoomKind.GROUP,
            role=RoomRole.LOBBY,
            space=space,
        )
        place = _place(ref, space_audience(space), recognised, scan)
        if named is not None:
            return PlacedHistory(place=place, is_="space", known_to=(named,))
        members = {await self._names.person(one): one for one in request.known_to}
        if request.speakers:
            spoken = await self.people(request, PlacedHistory(place=place, is_="new"), scan)
            members |= {one.person: key[0] for key, one in spoken.known.items()}
        known = await self._app.storage.people.room(room_id(ref))
        return PlacedHistory(
            place=place,
            is_="new" if known is None or known.name != title else "room",
            known_to=tuple(
                ({**await self._app.storage.histories.members(space), **members}).values()
            ),
            members=frozenset(members),
        )


def _place(
    ref: RoomRef, audience: Audience, recognised: Recognised, scan: HistoryScan
) -> HistoryPlace:
    return HistoryPlace(
        room=ref,
        audience=audience,
        platform=recognised.platform,
        zone=scan.zone,
        has_ids=ref.platform == recognised.platform,
    )


def _nameless(key: AuthorKey, place: HistoryPlace) -> AuthorRef:
    """The account of an author under whatever name."""
    return replace(account_of(key, place), name="")


def _ref(room: Room) -> RoomRef:
    """A room that is known, as its platform names it."""
    parent = None if room.parent is None else room.parent.removeprefix(f"{room.platform}:")
    return RoomRef(
        platform=room.platform,
        external_id=room.external_id,
        name=room.name,
        kind=room.kind,
        role=room.proposed or room.role,
        space=room.space,
        confidential=room.confidential,
        public=room.public,
        parent=parent,
        starter=room.starter,
        community=room.community,
    )


def _hashed(*parts: str) -> str:
    """A key of these that tells no name."""
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]
