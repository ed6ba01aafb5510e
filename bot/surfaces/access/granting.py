"""What one who is let in may grant to others: never more than they may themselves."""

from bot.surfaces.access.dependencies import NotAllowed
from bot.surfaces.access.principal import Principal
from memory.model.access import EVERY_RIGHT, Right, in_order


def may_grant(principal: Principal, rights: frozenset[Right]) -> None:
    """Let a key with these rights be made.

    Raises:
        NotAllowed: some of them are more than the one who asks has.

    """
    lacking = in_order(rights - principal.rights)
    if lacking:
        raise NotAllowed(f"This session or key lacks the right to {lacking[0].value}.")


def may_invite(principal: Principal) -> None:
    """Let a link be made, which begins a session with every right.

    Raises:
        NotAllowed: the one who asks has fewer.

    """
    may_grant(principal, EVERY_RIGHT)
