"""What each operation of the API and the dashboard needs: one table, by method and path.

An operation that is not in it is refused to everybody. The control socket and the command line are
the operator's own and need no right: an account that reaches them can read the files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.surfaces.access.principal import Principal
from memory.model.access import Right

_READ, _WRITE, _ERASE, _ADMIN = Right.READ, Right.WRITE, Right.ERASE, Right.ADMIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The rights that an operation asks for, all of them.

    With `community` the managers of a community may have it too, with `personal` the keys of one
    person: both within the scope and the authority of their caller.
    """

    rights: frozenset[Right]
    community: bool = False
    personal: bool = False

    def may_have(self, principal: Principal) -> bool:
        """Whether the operation is for such a principal at all, whatever their rights."""
        if principal.person is not None:
            return self.personal
        return self.community or principal.is_owner

    @property
    def is_about_what_is_kept(self) -> bool:
        """Whether its answer may tell what the pet remembers, which is for readers alone."""
        return Right.ADMIN not in self.rights


_OWNER: Mapping[tuple[Right, ...], str] = {
    (_READ,): """
        GET /api/audit
        GET /api/digests
        GET /api/digests/{digest}
        GET /api/memory/facts
        GET /api/memory/facts/{key}
        GET /api/memory/retrievals
        GET /api/memory/retrievals/{turn}
        GET /api/memory/settings
        GET /api/memory/stats
        GET /api/notes
        GET /api/people
        GET /api/people/{person}
        GET /api/proposals
        GET /api/usage
        GET /metrics
        GET /dashboard
        GET /dashboard/ask
        GET /dashboard/brain
        GET /dashboard/brain/graph/{memory}
        GET /dashboard/charts/{name}.svg
        GET /dashboard/conversations
        GET /dashboard/conversations/{turn}
        GET /dashboard/costs
        GET /dashboard/digests
        GET /dashboard/digests/events
        GET /dashboard/digests/{digest}
        GET /dashboard/facts
        GET /dashboard/health
        GET /dashboard/memory/proposals
        GET /dashboard/memory/proposals/all
        GET /dashboard/history
        GET /dashboard/notes
        GET /dashboard/notes/preview
        GET /dashboard/people
        GET /dashboard/people/lines/{message}
        GET /dashboard/people/{person}
        GET /dashboard/recall
        GET /dashboard/system
    """,
    (_WRITE,): """
        POST /api/memory/facts
        PATCH /api/memory/facts/{key}
        PATCH /api/memory/settings
        POST /api/notes/sync
        POST /api/proposals/{number}/accept
        POST /api/proposals/{number}/dismiss
    """,
    (_READ, _WRITE): """
        POST /dashboard/conversations/{turn}/lines
        POST /dashboard/facts
        POST /dashboard/facts/edit
        POST /dashboard/memory
        POST /dashboard/memory/{memory}
        POST /dashboard/memory/proposals/all
        POST /dashboard/memory/proposals/{number}/{decision}
        POST /dashboard/notes
        POST /dashboard/notes/sync
        POST /dashboard/recall
        POST /dashboard/recall/reset
    """,
    (_READ, _WRITE, _ADMIN): """
        POST /dashboard/history
        POST /dashboard/history/preview
        POST /dashboard/history/upload
    """,
    (_READ, _ERASE, _ADMIN): """
        POST /dashboard/history/undo
    """,
    (_ERASE,): """
        DELETE /api/memory/facts/{key}
    """,
    (_READ, _ERASE): """
        GET /dashboard/people/{person}/forget
        POST /dashboard/people/{person}/forget
        POST /dashboard/people/{person}/undo
    """,
    (_ADMIN,): """
        POST /admin/digest
        GET /api/access/keys
        POST /api/access/keys
        DELETE /api/access/keys/{number}
        GET /api/access/sessions
        DELETE /api/access/sessions/{number}
    """,
    (_READ, _ADMIN): """
        GET /dashboard/access
        POST /dashboard/access/keys
        POST /dashboard/access/keys/{number}/revoke
        POST /dashboard/access/sessions/end-others
        POST /dashboard/access/sessions/{number}/end
        POST /dashboard/digests
        GET /dashboard/people/{person}/export
        POST /dashboard/people/{person}/link
        GET /dashboard/people/{person}/join
        POST /dashboard/people/{person}/join
        GET /dashboard/people/{person}/split
        POST /dashboard/people/{person}/split
        POST /dashboard/system/backup
    """,
    (_READ, _WRITE, _ERASE, _ADMIN): """
        POST /dashboard/access/links
    """,
}
"""For the owner's sessions and keys alone. A page of the dashboard is for reading, whatever it does
besides; of the API a change is answered to those who may not read by its id alone."""

_COMMUNITY: Mapping[tuple[Right, ...], str] = {
    (_READ,): """
        GET /api/forgettings
        POST /api/forgettings/preview
        GET /api/forgettings/{number}
        GET /api/forgettings/{number}/receipt
        GET /api/live
        GET /api/memories
        GET /api/memories/{memory}
        GET /api/memories/{memory}/dependents
        GET /api/memories/{memory}/history
        GET /api/memory/search
        GET /api/openapi.json
        GET /api/rooms
        GET /api/rooms/{room}
        GET /dashboard/memory
        GET /dashboard/memory/forgettings
        POST /dashboard/memory/forgettings/preview
        GET /dashboard/memory/{memory}
        GET /dashboard/rooms
    """,
    (_WRITE,): """
        POST /api/memories
        PATCH /api/memories/{memory}
        PATCH /api/rooms/{room}
        POST /api/spaces/{space}/{what}
    """,
    (_READ, _WRITE): """
        POST /dashboard/rooms/checkins
        POST /dashboard/rooms/confidential
        POST /dashboard/rooms/pause
        POST /dashboard/rooms/resume
        POST /dashboard/rooms/role
    """,
    (_ERASE,): """
        POST /api/forgettings
        POST /api/forgettings/confirm
        POST /api/forgettings/{number}/undo
        DELETE /api/memories/{memory}
    """,
    (_READ, _ERASE): """
        POST /api/forgettings/ask
        POST /dashboard/memory/forgettings
        POST /dashboard/memory/forgettings/{number}/undo
    """,
}
"""For managers of a community too."""

_PERSONAL = frozenset(
    {
        "GET /api/memories",
        "POST /api/memories",
        "GET /api/memories/{memory}",
        "PATCH /api/memories/{memory}",
        "GET /api/memory/search",
        "GET /api/people/{person}",
        "POST /api/forgettings/ask",
        "POST /api/forgettings/confirm",
    }
)
"""For keys of one person too, who ask for themselves."""


def _entries(
    table: Mapping[tuple[Right, ...], str], *, community: bool
) -> Iterator[tuple[str, Need]]:
    for rights, operations in table.items():
        for line in operations.strip().splitlines():
            operation = line.strip()
            is_personal = operation in _PERSONAL
            yield (
                operation,
                Need(rights=frozenset(rights), community=community, personal=is_personal),
            )


NEEDS: Mapping[str, Need] = {
    **dict(_entries(_OWNER, community=False)),
    **dict(_entries(_COMMUNITY, community=True)),
}
"""The need of each operation, such as `GET /api/memories/{memory}`."""
