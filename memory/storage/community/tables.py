"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.community.done_once import (
    AnnouncedCommands,
    GreetedSpaces,
    Invocations,
    SessionStarts,
)
from memory.storage.community.member_roles import MemberRoles
from memory.storage.community.pauses import Pauses
from memory.storage.community.room_choices import RoomChoices
from memory.storage.community.settings import MemorySettings
from memory.storage.sqlite.database import Database


class CommunityTables:
    """What holds of rooms and spaces for all who speak in them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.room_choices = RoomChoices(database, clock)
        self.pauses = Pauses(database, clock)
        self.invocations = Invocations(database, clock)
        self.greeted_spaces = GreetedSpaces(database, clock)
        self.announced = AnnouncedCommands(database)
        self.member_roles = MemberRoles(database, clock)
        self.session_starts = SessionStarts(database)
        self.settings = MemorySettings(database, clock)
