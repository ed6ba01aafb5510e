"""`/link`: a one-time code on one account, entered on another, joins them; `/unlink` parts them."""

from collections.abc import Mapping
from typing import Protocol

from bot.commands.syntax import YES
from bot.model.commands import Action, Answer, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.forgetting import told_elsewhere
from bot.texts.provenance import accounts_named
from bot.wiring.app import App
from memory.model.errors import AccountRefused, LinkRefused, OwnCode, TooManyTries, UnknownCode
from memory.model.linking import Joined, Joining, Moved, Splitting, bare, shown
from memory.model.people import AccountId, PersonId, Signature


class LinkCommands(Protocol):
    """Gives one-time codes and joins the person who enters one to the one who offered it."""

    async def offer(self, person: PersonId, account: str) -> str:
        """A new code for ten minutes, in the place of an earlier one of this person."""
        ...

    async def void(self, code: str) -> None:
        """Let a code that others may have seen join nothing."""
        ...

    async def preview(self, code: str, person: PersonId, account: str) -> Joining:
        """What entering a code would join.

        Raises:
            LinkRefused: it joins nothing; the kind of error says why.

        """
        ...

    async def join(self, code: str, person: PersonId, account: str) -> Joined:
        """Merge the person who enters a code into the one who offered it.

        Raises:
            LinkRefused: it joins nothing; the kind of error says why.

        """
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    has_direct = not app.siblings.circle.every or app.settings.shared_out.has_direct
    return (
        link_command(app.siblings.linking, has_direct=has_direct),
        unlink_command(app.siblings.accounts),
    )


def link_command(linking: LinkCommands, *, has_direct: bool = True) -> Command:
    """`/link`, `/link CODE`, and then its confirmation; codes are with who `has_direct` rooms."""

    async def run(call: Call) -> Answer:
        if not has_direct:
            return Answer(text=say("siblings.link_alone", call.locale))
        code = call.arguments.get("code", "")
        if not call.caller.private:
            return await _in_public(linking, code, call.locale)
        try:
            return await _answer(linking, code, call)
        except LinkRefused as error:
            return Answer(text=say(_REFUSALS[type(error)], call.locale))

    return Command(
        name="link",
        **described("commands.link"),
        run=run,
        options=(
            Option(name="code", **described("commands.link.code"), kind=OptionKind.WORD),
            Option(name="confirm", kind=OptionKind.FLAG, shown=False),
        ),
    )


async def _in_public(linking: LinkCommands, code: str, locale: str) -> Answer:
    """Codes are neither given nor taken before others; one that they have seen is void."""
    if not code:
        return Answer(text=say("link.in_private", locale))
    await linking.void(code)
    return Answer(text=say("link.shown", locale))


async def _answer(linking: LinkCommands, code: str, call: Call) -> Answer:
    caller = call.caller
    if not code:
        code = await linking.offer(caller.person.id, caller.account)
        return Answer(text=say("link.code", call.locale, code=code))
    if not call.has("confirm"):
        joining = await linking.preview(code, caller.person.id, caller.account)
        return _previewed(joining, shown(bare(code)), call.locale)
    joined = await linking.join(code, caller.person.id, caller.account)
    text = say("link.linked", call.locale, accounts=accounts_named(joined.accounts))
    return Answer(text=" ".join((text, *told_elsewhere(joined.elsewhere, call.locale))))


def _previewed(joining: Joining, code: str, locale: str) -> Answer:
    """What would be joined, and the only way to have it done; the code is all that it carries."""
    text = say(
        "link.preview",
        locale,
        joining=accounts_named(joining.joining),
        staying=accounts_named(joining.staying),
        counts=moved_counts(joining.counts, locale),
    )
    confirm = Action(
        label=say("link.it", locale),
        command="link",
        arguments={"code": code, "confirm": YES},
        typed=f"/link --confirm {code}",
    )
    return Answer(text=text, actions=(confirm,))


def moved_counts(counts: Mapping[Moved, int], locale: str) -> str:
    """How much goes from one person to another, in words."""
    told = (say(f"moved.{kind}", locale, count=count) for kind, count in counts.items())
    return ", ".join(told) or say("link.nothing", locale)


_REFUSALS: dict[type[LinkRefused], str] = {
    UnknownCode: "link.unknown",
    OwnCode: "link.own",
    TooManyTries: "link.too_many",
}


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


def unlink_command(accounts: SplitCommands) -> Command:
    """`/unlink`, and then its confirmation; accounts are named to their person alone."""

    async def run(call: Call) -> Answer:
        if not call.caller.private:
            return Answer(text=say("unlink.in_private", call.locale))
        try:
            return await _unlinked(accounts, call)
        except AccountRefused:
            return Answer(text=say("unlink.alone", call.locale))

    return Command(
        name="unlink",
        **described("commands.unlink"),
        run=run,
        options=(Option(name="confirm", kind=OptionKind.FLAG, shown=False),),
    )


async def _unlinked(accounts: SplitCommands, call: Call) -> Answer:
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
    return Answer(text=" ".join((text, *told_elsewhere(splitting.elsewhere, locale))))
