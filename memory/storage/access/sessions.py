"""Browsers that are logged in: one-time links begin sessions; owner, log-out or time end them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from memory.model.access import (
    LINK_OPEN_FOR,
    SESSION_IDLE,
    SESSION_LONGEST,
    USE_KEPT_EVERY,
    Visit,
    WebSession,
    new_token,
    session_label,
    token_hash,
)
from memory.model.errors import UnknownCode
from memory.model.people import AuditedChange, Signature
from memory.model.rooms import SpaceId
from memory.storage.sqlite.audit import came_by, record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, columns_of, millis, queries, row_as

_SQL = queries("access/sessions")

_BEYOND = (1 << 63) - 1
"""Greater than every number of a session: a list that goes down begins before it."""


class LoginLinks(TimedTable):
    """The login_links table; a link can be followed once, within `LINK_OPEN_FOR`."""

    async def make(self, space: SpaceId | None, *, by: Signature) -> str:
        """Make a link for the owner, or for a manager of a community; returns its token."""
        token, now = new_token(), self._clock.now()
        values = {"token": token_hash(token), "space": space, "now": millis(now)}
        change = AuditedChange(actor=by, action="login_link.made", target=space or "owner")

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["drop_old_links"], {"since": millis(now - LINK_OPEN_FOR)})
            await transaction.run(_SQL["add_link"], values)
            await record(transaction, change, now)

        await self._database.write(work)
        return token


class WebSessions(TimedTable):
    """The web_sessions table."""

    async def begin(
        self, link: str, visit: Visit, former: str | None = None
    ) -> tuple[WebSession, str]:
        """Begin the session of a browser that followed a link; returns it with its new token.

        The link cannot be used again. `former` is the token that the browser had before; its
        session ends.

        Raises:
            UnknownCode: the link was never made, was used, or is too old.

        """
        token, now, seen = new_token(), self._clock.now(), visit.shortened
        values = {
            "link": token_hash(link),
            "since": millis(now - LINK_OPEN_FOR),
            "former": None if former is None else token_hash(former),
            "token": token_hash(token),
            "now": millis(now),
            **columns_of(seen),
            **_limits(now),
        }

        async def work(transaction: Transaction) -> WebSession | None:
            redeemed = await transaction.one(_SQL["redeem"], values)
            if redeemed is None:
                return None
            ended = await transaction.all(_SQL["end_former"], values)
            await transaction.run(_SQL["drop_ended"], values)
            begun = await transaction.one(_SQL["begin"], {**values, "space": redeemed["space"]})
            assert begun is not None  # noqa: S101 - an insert returns its row
            session = WebSession(
                id=begun["id"],
                space=None if redeemed["space"] is None else SpaceId(redeemed["space"]),
                visit=seen,
                created_at=now,
                last_used_at=now,
            )
            by = came_by(session.space, f"{session.label} from {seen.address}")
            await _log_ended(transaction, ended, by, now)
            change = AuditedChange(actor=by, action="session.begun", target=session.label)
            await record(transaction, change, now)
            return session

        session = await self._database.write(work)
        if session is None:
            raise UnknownCode("This link is not known, was used already, or is too old.")
        return session, token

    async def used(self, token: str, visit: Visit) -> WebSession | None:
        """The session of a token, which counts as used now; None if the token is of no session."""
        now = self._clock.now()
        row = await self._database.one(
            _SQL["by_token"], {"token": token_hash(token), **_limits(now)}
        )
        if row is None:
            return None
        session = row_as(WebSession, row, visit=row_as(Visit, row))
        if now - session.last_used_at >= USE_KEPT_EVERY:
            await self._keep_use(session.id, visit.shortened, now)
        return session

    async def listed(self, limit: int, before: int | None = None) -> Sequence[WebSession]:
        """The latest open sessions, newest first; `before` is the last number of the last page."""
        values = {"limit": limit, "before": before or _BEYOND, **_limits(self._clock.now())}
        rows = await self._database.all(_SQL["listed"], values)
        return [row_as(WebSession, row, visit=row_as(Visit, row)) for row in rows]

    async def end(self, number: int, *, by: Signature) -> bool:
        """End a session; returns whether there was one of this number."""
        return bool(await self._ended("end", {"id": number}, by))

    async def end_others(self, kept: int | None, *, by: Signature) -> int:
        """End every session but the one that is `kept`; returns how many ended."""
        return len(await self._ended("end_others", {"kept": kept}, by))

    async def ever(self) -> bool:
        """Whether any browser has ever logged in."""
        return await self._database.one(_SQL["ever"]) is not None

    async def _keep_use(self, number: int, visit: Visit, now: datetime) -> None:
        values = {**columns_of(visit), "id": number, "now": millis(now)}
        await self._database.run(_SQL["use"], values)

    async def _ended(
        self, query: str, values: Mapping[str, int | None], by: Signature
    ) -> list[Row]:
        now = self._clock.now()

        async def work(transaction: Transaction) -> list[Row]:
            rows = await transaction.all(_SQL[query], values)
            await _log_ended(transaction, rows, by, now)
            return rows

        return await self._database.write(work)


async def _log_ended(
    transaction: Transaction, rows: Sequence[Row], by: Signature, now: datetime
) -> None:
    for row in rows:
        label = session_label(row["id"])
        change = AuditedChange(actor=by, action="session.ended", target=label)
        await record(transaction, change, now)


def _limits(now: datetime) -> Mapping[str, int]:
    """The moments since which a session must have begun (`oldest`) and been used (`idle`)."""
    return {"oldest": millis(now - SESSION_LONGEST), "idle": millis(now - SESSION_IDLE)}
