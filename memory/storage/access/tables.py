"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.access.keys import ApiKeys
from memory.storage.access.sessions import LoginLinks, WebSessions
from memory.storage.sqlite.database import Database


class AccessTables:
    """Who may look in: links, sessions and keys."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.login_links = LoginLinks(database, clock)
        self.web_sessions = WebSessions(database, clock)
        self.api_keys = ApiKeys(database, clock)
