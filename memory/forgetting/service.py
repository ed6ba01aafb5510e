"""Forgetting: looked at first, confirmed, undone for a day."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Self

from memory.forgetting.elsewhere import ForgettingReach, holds_everywhere
from memory.model.elsewhere import NOWHERE, Elsewhere, added
from memory.model.messages import MessageId
from memory.model.rooms import SpaceId
from memory.rules.forgetting.narrowing import (
    Narrowing,
    only_these,
    picked,
    with_these,
    without_these,
)
from memory.rules.forgetting.receipt import (
    NothingChosen,
    NothingToConfirm,
    Preview,
    Receipt,
    Undone,
)
from memory.rules.forgetting.selector import ErasureRequest, Requester, Selector
from memory.rules.forgetting.topic import TopicSaysNothing, topic_of
from memory.storage.conversations.reminders import Reminders
from memory.storage.forgetting.requests import Along, Forgettings, nothing_along
from memory.storage.people.aliases import Aliases
from memory.storage.people.people import People
from memory.storage.sqlite.database import Check, Transaction, no_check


class Forgetting:
    """What people and the operator can have forgotten, over every store at once."""

    def __init__(
        self,
        forgettings: Forgettings,
        aliases: Aliases,
        people: People,
        reach: ForgettingReach,
        reminders: Reminders,
    ) -> None:
        self._forgettings = forgettings
        self._aliases = aliases
        self._people = people
        self._finder, self._elsewhere = reach.finder, reach.elsewhere
        self._reminders = reminders

    @property
    def here_alone(self) -> Self:
        """The same, of this process alone: what is done by it is asked of no other."""
        reach = ForgettingReach(finder=self._finder)
        return type(self)(self._forgettings, self._aliases, self._people, reach, self._reminders)

    async def preview(self, selector: Selector, asker: Requester) -> Preview:
        """What would be forgotten, and what would stay and why; nothing is changed.

        Raises:
            NothingChosen: the selector chooses by nothing.
            TopicSaysNothing: its topic has no word to look for.

        """
        return await self._forgettings.preview(await self._meant(selector, asker))

    async def ask(
        self,
        selector: Selector,
        asker: Requester,
        asking: Iterable[MessageId] = (),
        *,
        shows: bool = False,
    ) -> Preview:
        """The same, to be confirmed within ten minutes by its token; but for what `asking` says.

        Where it `shows` its lines, it can be narrowed to some of them. What other processes of the
        pet would forget with it is counted.

        Raises:
            NothingChosen: see `preview`.
            TopicSaysNothing: see `preview`.

        """
        selector = _asked_everywhere(selector)
        request = await self._meant(selector, asker, frozenset(asking))
        elsewhere = await self._would_go_elsewhere(request.selector, asker)
        waits = bool(elsewhere.counts or elsewhere.missing)
        preview = await self._forgettings.ask(request, shows=shows, elsewhere=waits)
        if elsewhere:
            counts = added((preview.counts, elsewhere.counts))
            preview = replace(preview, counts=counts, elsewhere=elsewhere)
        if preview.is_empty and not preview.kept and selector.topic:
            return replace(preview, kept=await self._finder.of_others(selector.topic, asker))
        return preview

    async def narrow(
        self,
        narrowing: Narrowing,
        asker: Requester,
        asking: Sequence[MessageId] = (),
        *,
        shows: bool = False,
    ) -> Preview:
        """A new preview of other lines of what was shown last, to be confirmed as any.

        `asking` are the messages that ask, later ones than that which asked for the first.

        Raises:
            NothingToConfirm: see `confirm`.
            NotShown: one of the lines was not shown.

        """
        later = asking[-1] if asking else None
        forgetting, selector, asked = await self._forgettings.waiting(asker, "", later)
        shown = await self._forgettings.shown(forgetting)
        only, also, without = (
            picked(numbers, shown.every)
            for numbers in (narrowing.only, narrowing.also, narrowing.without)
        )
        if narrowing.only_numbered and shown.were_offered(narrowing.only):
            selector = with_these(selector, only)
        elif narrowing.only:
            selector = only_these(selector, only)
        else:
            kept = await self._forgettings.kept_with(without)
            selector = without_these(with_these(selector, also), kept)
        messages = (*selector.asking, *asking)
        request = await self._request(replace(selector, asking=messages), asked)
        preview = await self._forgettings.ask(
            replace(request, asking=frozenset(messages)), shows=shows
        )
        elsewhere = await self._would_go_elsewhere(selector, asked)
        counts = added((preview.counts, elsewhere.counts)) if elsewhere else preview.counts
        return replace(preview, counts=counts, elsewhere=elsewhere)

    async def confirm(
        self, asker: Requester, token: str = "", *, message: MessageId | None = None
    ) -> Receipt:
        """Forget what was asked for last, or by this token; what came in between goes too.

        `message` is the one that confirms: it must be a later one than that which asked.

        Raises:
            NothingToConfirm: there is nothing, or it is too old, or was not shown before.

        """
        forgetting, selector, asked = await self._forgettings.waiting(asker, token, message)
        request = await self._request(selector, asked)
        elsewhere = self._elsewhere if holds_everywhere(selector, asked) else None

        async def along(transaction: Transaction) -> None:
            if elsewhere is not None:
                await elsewhere.confirmed(transaction, selector, asked, forgetting)

        receipt = await self._forgettings.confirm(forgetting, request, along)
        self._people.refresh()
        if elsewhere is None:
            return receipt
        return replace(receipt, elsewhere=await elsewhere.outcome(forgetting))

    async def drop(self, asker: Requester) -> bool:
        """Let go of what the asker was shown and has not confirmed; whether there was anything."""
        try:
            await self._forgettings.waiting(asker, "", None)
        except NothingToConfirm:
            return False
        await self._forgettings.drop_previews(asker)
        return True

    async def at_once(
        self,
        selector: Selector,
        asker: Requester,
        check: Check = no_check,
        along: Along = nothing_along,
    ) -> Receipt:
        """Forget without a preview, here alone, if `check` lets it; it can be undone as well.

        Raises:
            NothingChosen: see `preview`.
            TopicSaysNothing: see `preview`.

        """
        receipt = await self._forgettings.forget(await self._meant(selector, asker), check, along)
        self._people.refresh()
        return receipt

    async def undo(self, asker: Requester, forgetting: int | None = None) -> Undone:
        """Give back what was forgotten, by its number or the last time; others' by the operator.

        Raises:
            NothingToUndo: there is no such thing, or it is older than a day.

        """
        anybody = asker.actor.is_operator and forgetting is not None
        number = await self._forgettings.undoable(forgetting, asker, anybody=anybody)
        # What was forgotten since, of the same words, stays forgotten.
        later = [
            (other, await self._request(selector, whose))
            for other, selector, whose in await self._forgettings.after(number)
        ]

        elsewhere = self._elsewhere

        async def along(transaction: Transaction) -> None:
            if elsewhere is not None:
                await elsewhere.undone(transaction, number)

        undone = await self._forgettings.undo(number, asker, later, along)
        self._people.refresh()
        self._reminders.changed.set()  # what is back may be due
        if elsewhere is None:
            return undone
        return replace(undone, elsewhere=await elsewhere.outcome(number, undone=True))

    async def receipt(self, forgetting: int) -> Receipt | None:
        """What is known of one forgetting, None where there is none."""
        return await self._forgettings.receipt(forgetting)

    async def receipts(
        self, limit: int = 50, *, before: int | None = None, manages: SpaceId | None = None
    ) -> list[Receipt]:
        """The latest forgettings, or those before one, newest first; see `Forgettings.receipts`."""
        return await self._forgettings.receipts(limit, before=before, manages=manages)

    async def _would_go_elsewhere(self, selector: Selector, asker: Requester) -> Elsewhere:
        if self._elsewhere is None or not holds_everywhere(selector, asker):
            return NOWHERE
        return await self._elsewhere.preview(selector, asker)

    async def _meant(
        self, selector: Selector, asker: Requester, asking: frozenset[MessageId] = frozenset()
    ) -> ErasureRequest:
        """The request with what its topic means: all that says its words, or what is named by them.

        A topic and nothing else means all that speaks of it; where nothing says all of its words,
        or where it is a whole sentence, the rows are meant that it names.
        """
        selector = replace(selector, asking=tuple(asking))
        words = self._finder.by_words(selector.topic) if selector.topic else selector.topic
        if words is not None:
            spoken = await self._spoken_of(replace(selector, topic=words), asker, asking)
            if spoken is not None:
                return spoken
        found = await self._finder.found(selector, asker, asking)
        if not found.is_near:
            if found.requests.messages:
                kept = await self._forgettings.kept_with(found.requests)
                selector = without_these(selector, kept)
            return replace(await self._request(selector, asker), asking=asking)
        request = await self._request(found.selector, asker)
        return replace(request, asking=asking, offered=found.offered)

    async def _spoken_of(
        self, selector: Selector, asker: Requester, asking: frozenset[MessageId]
    ) -> ErasureRequest | None:
        """The request for all that says every word of a topic; None where nothing does."""
        try:
            request = replace(await self._request(selector, asker), asking=asking)
        except TopicSaysNothing:
            return None
        if selector.topic and (await self._forgettings.preview(request)).is_empty:
            return None
        return request

    async def _request(self, selector: Selector, asker: Requester) -> ErasureRequest:
        if not selector.kinds:
            raise NothingChosen("Say what is to be forgotten: a topic, a person, a room, a time.")
        topic = None
        if selector.topic:
            named = await self._aliases.named_in(selector.topic, asker.scope)
            topic = topic_of(selector.topic, named)
        return ErasureRequest(selector=selector, asker=asker, topic=topic)


def _asked_everywhere(selector: Selector) -> Selector:
    """The selector with its topic as it was asked for, where it chooses by nothing else."""
    only = {*selector.kinds} == {"topic"}
    return replace(selector, asked=selector.topic) if only else selector
