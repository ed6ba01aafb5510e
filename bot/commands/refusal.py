"""What is said to a caller who may not use a command: why not, and what could change it."""

from bot.model.authority import HERE
from bot.model.commands import Authority, Caller
from bot.texts.catalogue import say
from memory.model.rooms import RoomKind


def refusal(needs: Authority, caller: Caller) -> str:
    """A sentence for a caller whose authority is less than a command needs."""
    elsewhere = caller.room.platform != HERE
    if elsewhere and caller.room.kind is RoomKind.DIRECT:
        return say("refusal.not_in_private", caller.locale)
    if elsewhere and needs is Authority.SPACE:
        text = "refusal.managers_there_only" if caller.managers else "refusal.managers_only"
        return say(text, caller.locale, managers=caller.managers)
    return say("refusal.admins_only", caller.locale, account=caller.account)
