"""`/quiet-about` and `/talk-about`: what the pet does not bring up with a person."""

from collections.abc import Sequence
from typing import Protocol

from bot.model.commands import Answer, Call, Command, Option
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.audience import Audience, Origin, audience_of
from memory.model.people import PersonId
from memory.model.quiet_topics import LONGEST_TOPIC, QuietTopic
from memory.rules.forgetting.topic import TopicSaysNothing, topic_of

MOST_TOPICS = 50
"""Topics of one person: each is compared with what is recalled for them."""


class TopicsLeftAlone(Protocol):
    """Knows what people asked the pet to leave alone."""

    async def of(self, person: PersonId) -> Sequence[QuietTopic]:
        """What a person asked to be left alone, the oldest first."""
        ...

    async def add(self, person: PersonId, topic: str, audience: Audience) -> None:
        """Leave a topic alone from now on; `audience` may read that it is."""
        ...

    async def remove(self, person: PersonId, topic: str) -> bool:
        """Bring a topic up again where it fits; whether it was left alone."""
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return quiet_commands(app.storage.quiet_topics)


def quiet_commands(topics: TopicsLeftAlone) -> tuple[Command, ...]:
    """`/quiet-about TOPIC`, alone a list of them, and `/talk-about TOPIC`, which takes one back."""

    async def quiet(call: Call) -> Answer:
        topic = call.arguments.get("topic", "").strip()
        known = await topics.of(call.caller.person.id)
        if not topic:
            return Answer(text=_list(known, call))
        if len(topic) > LONGEST_TOPIC or not _says_something(topic):
            return Answer(text=say("quiet.not_a_topic", call.locale))
        if len(known) >= MOST_TOPICS:
            return Answer(text=say("quiet.too_many", call.locale))
        await topics.add(call.caller.person.id, topic, _audience(call))
        return Answer(text=say("quiet.done", call.locale, topic=topic))

    async def talk(call: Call) -> Answer:
        topic = call.arguments["topic"].strip()
        was_quiet = await topics.remove(call.caller.person.id, topic)
        return Answer(text=say("quiet.over" if was_quiet else "quiet.unknown", call.locale))

    back = Option(name="topic", **described("commands.talk-about.topic"), required=True)
    return (
        Command(
            name="quiet-about",
            **described("commands.quiet-about"),
            run=quiet,
            options=(Option(name="topic", **described("commands.quiet-about.topic")),),
        ),
        Command(
            name="talk-about",
            **described("commands.talk-about"),
            run=talk,
            options=(back,),
        ),
    )


def _list(known: Sequence[QuietTopic], call: Call) -> str:
    """Those that may be named where it is asked; alone with the pet, or unseen by others, all."""
    told = [one for one in known if call.caller.private or call.caller.scope.allows(one.audience)]
    if not told:
        return say("quiet.none", call.locale)
    head = say("quiet.list", call.locale)
    return "\n".join((head, *(f"• {one.topic}" for one in told)))


def _says_something(topic: str) -> bool:
    try:
        topic_of(topic)
    except TopicSaysNothing:
        return False
    return True


def _audience(call: Call) -> Audience:
    """Who saw that it was asked: what is typed in a group is known there."""
    caller = call.caller
    room = caller.room
    origin = Origin(
        visibility=room.visibility, person=caller.person.id, room=room.id, space=room.space
    )
    return audience_of(origin)
