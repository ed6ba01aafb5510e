"""`/unlink`: the account it is typed from is a person of its own again."""

from typing import Protocol

from bot.commands.syntax import YES
from bot.model.commands import Action, Answer, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.provenance import accounts_named
from bot.topics.people.link_command import moved_counts
from bot.wiring.app import App
from memory.model.errors import AccountRefused
from memory.model.linking import Splitting
from memory.model.people import AccountId, Signature


class SplitCommands(Protocol):
    """Takes an account out of its person, with all that came from it."""

    async def preview(self, account: AccountId) -> Splitting:
        """What splitting an account off would move.

        Raises:
            AccountRefused: it is the only account of its person, or unknown.

        """
        ...

    async def split(self, account: AccountId, by: Signature) -> Splitting:
        """Let an account be a person of its own, with all that came from it.

        Raises:
            AccountRefused: it is the only account of its person, or unknown.

        """
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (unlink_command(app.storage.accounts),)


def unlink_command(accounts: SplitCommands) -> Command:
    """`/unlink`, and then its confirmation; accounts are named to their person alone."""

    async def run(call: Call) -> Answer:
        if not call.caller.private:
            return Answer(text=say("unlink.in_private", call.locale))
        try:
            return await _answer(accounts, call)
        except AccountRefused:
            return Answer(text=say("unlink.alone", call.locale))

    return Command(
        name="unlink",
        **described("commands.unlink"),
        run=run,
        options=(Option(name="confirm", kind=OptionKind.FLAG, shown=False),),
    )


async def _answer(accounts: SplitCommands, call: Call) -> Answer:
    account = call.caller.account
    if call.has("confirm"):
        return _told("unlink.done", await accounts.split(account, Signature(account)), call.locale)
    confirm = Action(
        label=say("unlink.it", call.locale),
        command="unlink",
        arguments={"confirm": YES},
        typed="/unlink --confirm",
    )
    preview = _told("unlink.preview", await accounts.preview(account), call.locale)
    return Answer(text=preview.text, actions=(confirm,))


def _told(key: str, splitting: Splitting, locale: str) -> Answer:
    text = say(
        key,
        locale,
        leaving=accounts_named((splitting.leaving,)),
        staying=accounts_named(splitting.staying),
        counts=moved_counts(splitting.counts, locale),
    )
    return Answer(text=text)
