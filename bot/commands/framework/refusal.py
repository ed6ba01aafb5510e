"""What is said to whoever may not call a command: why not, and who or what could change it."""

from bot.model.authority import HERE
from bot.model.commands import Authority, Caller
from bot.texts.catalogue import say
from memory.model.rooms import RoomKind


def refusal(needs: Authority, caller: Caller) -> str:
    """A sentence for somebody whose word does not go as far as a command needs."""
    elsewhere = caller.room.platform != HERE
    if elsewhere and caller.room.kind is RoomKind.DIRECT:
        return say("refusal.not_in_private", caller.locale)
    if elsewhere and needs is Authority.SPACE:
        return say("refusal.managers_only", caller.locale)
    return say("refusal.admins_only", caller.locale, account=caller.account)
