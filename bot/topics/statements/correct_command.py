"""`/correct`: what the pet knows wrong of the caller is put right, or forgotten."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from bot.model.commands import Answer, Call, Caller, Choice, Command, Option
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.provenance import shown_id
from bot.texts.sanitizing import extract
from bot.topics.forgetting.command import asking, own_asker, previewed
from bot.wiring.app import App
from memory.forgetting.service import Forgetting
from memory.language.text import fold, match_terms
from memory.learning.correction import Corrections
from memory.learning.store import one_line
from memory.model.errors import ForgottenBefore
from memory.model.rooms import Visibility
from memory.model.statements import Memory, NewMemory, Source
from memory.ports import Clock
from memory.rules.comparison import says_the_same
from memory.rules.forgetting.selector import Selector
from memory.statements.extraction.finder import find_statements
from memory.storage.linking.person_view import PersonViews

LONGEST_STATEMENT = 500
"""Characters of what is put in the place of a statement: it is one, and no story."""

_LOOKED_AT = 200
"""Statements that share a word with what was typed and are compared with it."""

_ALL = 5_000
"""More statements than anybody has of themselves."""

_PROPOSED = 25
"""Statements that are proposed before anything was typed."""

_MOST_CHOICES = 8
"""Statements that are listed for the caller to choose from."""

_LONGEST_CHOICE = 90
"""Characters of a proposal: a label of a platform's own list has at most 100."""

_NEAR = 0.5
"""The part of the words that a statement must say to be what may have been meant."""

_ID = re.compile(r"#?([0-9a-f]{8,32})")


class CorrectableStatements:
    """Finds what a caller may mean among the statements that are theirs to correct."""

    def __init__(self, person_views: PersonViews) -> None:
        self._person_views = person_views

    async def proposed(self, caller: Caller, typed: str) -> Sequence[Choice]:
        """Statements that say what was typed so far, or the first ones there are."""
        rows = await self._read(caller, typed, any_of=True) if typed.strip() else []
        rows = _nearest(typed, rows) or await self._read(caller, "", most=_PROPOSED)
        return [
            Choice(
                label=f"{extract(row.content, _LONGEST_CHOICE - 10)} {shown_id(row)}",
                value=shown_id(row),
            )
            for row in rows
        ]

    async def meant(self, caller: Caller, what: str) -> list[Memory]:
        """The statements that are meant: one by its id or its very words, else all that fit.

        Where none says all of the words, those that say most of them.
        """
        if found := _ID.fullmatch(what.strip().lower()):
            rows = await self._read(caller, "", most=_ALL)
            return [row for row in rows if row.id.hex.startswith(found[1])]
        rows = await self._read(caller, what, any_of=True)
        same = [row for row in rows if fold(row.content) == fold(one_line(what))]
        return same if len(same) == 1 else _nearest(what, rows)

    def is_certain(self, what: str, rows: Sequence[Memory]) -> bool:
        """Whether one statement is meant and no other: it says all that was said of it."""
        if len(rows) != 1:
            return False
        return bool(_ID.fullmatch(what.strip().lower())) or _share(what, rows[0]) == 1

    async def _read(
        self, caller: Caller, words: str, *, most: int = _LOOKED_AT, any_of: bool = False
    ) -> list[Memory]:
        person, scope = caller.person.id, caller.scope
        if words.strip() and not match_terms(words):
            return []
        rows = await self._person_views.statements(person, scope, most, words=words, any_of=any_of)
        # What is for everybody is the operator's to say: no other person's words go so far.
        own = [row for row in rows if row.origin.visibility is not Visibility.EVERYONE]
        return await self._person_views.correctable(own, person, scope)


class Corrector:
    """Puts one statement right, or shows what forgetting it would take."""

    def __init__(
        self, correcting: Corrections, forgetting: Forgetting, clock: Clock, zone: tzinfo
    ) -> None:
        self._correcting = correcting
        self._forgetting = forgetting
        self._clock = clock
        self._zone = zone

    async def put_right(self, wrong: Memory, words: str, caller: Caller) -> Answer:
        """Let what the caller says take the place of a statement, for the audience of that one.

        What others said of them stays theirs: the caller's word is noted, and the other is muted.
        """
        right = self._right(wrong, one_line(words)[:LONGEST_STATEMENT], caller)
        if says_the_same(right, wrong):
            return Answer(text=say("correct.same", caller.locale, content=extract(wrong.content)))
        try:
            stored = await self._correcting.correct(wrong, right, caller.commander)
        except ForgottenBefore:
            return Answer(text=say("correct.forgotten_before", caller.locale))
        is_theirs = any(one.id == wrong.id for one in stored.replaced)
        if not is_theirs:
            await self._forgetting.at_once(Selector(memories=(wrong.id,)), own_asker(caller))
        old, new = extract(wrong.content), extract(right.content)
        text = "correct.corrected" if is_theirs else "correct.noted_beside"
        done = say(text, caller.locale, old=old, new=new)
        heard = [say("correct.corrected_openly", caller.locale)] if _is_heard(wrong, caller) else []
        return Answer(text="\n".join((done, *heard)))

    async def take_back(self, wrong: Memory, call: Call) -> Answer:
        """Show what goes with a statement that is wrong and has nothing to take its place."""
        caller = call.caller
        selector = Selector(memories=(wrong.id,))
        preview = await self._forgetting.ask(
            selector, own_asker(caller), asking(caller), shows=caller.private
        )
        return previewed(preview, call, "forget", "forget.how")

    def _right(self, wrong: Memory, words: str, caller: Caller) -> NewMemory:
        """The statement in the words of this person, for exactly whom the wrong one was for."""
        name = caller.person.name
        said_at = self._clock.now().astimezone(self._zone)
        found = find_statements(words, name, said_at, [name, *wrong.subjects])
        told = found[0] if len(found) == 1 else None
        return NewMemory(
            store=wrong.store,
            content=told.content
            if told
            else say("correct.quoted", caller.locale, name=name, words=words),
            origin=replace(wrong.origin, person=caller.person.id, account=caller.account),
            source=Source.CHAT,
            memory_type=told.memory_type if told else wrong.memory_type,
            subjects=told.subjects if told else wrong.subjects,
            importance=wrong.importance,
            ttl=told.ttl if told else None,
            said_by=name,
            author=caller.person.id,
            corrects=True,
            messages=asking(caller),
        )


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    corrector = Corrector(app.services.correcting, app.services.forgetting, app.clock, app.zone)
    return (correct_command(CorrectableStatements(app.storage.person_views), corrector),)


def correct_command(statements: CorrectableStatements, corrector: Corrector) -> Command:
    """`/correct WHAT -> TO`, or `/correct WHAT` for what is merely wrong."""

    async def run(call: Call) -> Answer:
        what = call.arguments.get("what", "")
        if not what.strip():
            return Answer(text=say("correct.explained", call.locale))
        rows = await statements.meant(call.caller, what)
        if not statements.is_certain(what, rows):
            return asked_which(rows, call)
        words = call.arguments.get("to", "").strip()
        if not words:
            return await corrector.take_back(rows[0], call)
        return await corrector.put_right(rows[0], words, call.caller)

    return Command(
        name="correct",
        **described("commands.correct"),
        run=run,
        options=(
            Option(
                name="what",
                **described("commands.correct.what"),
                complete=statements.proposed,
            ),
            Option(
                name="to",
                **described("commands.correct.to"),
                mark="->",
            ),
        ),
    )


def _is_heard(wrong: Memory, caller: Caller) -> bool:
    """Whether others learn of the correction who do not read it where it is made."""
    match wrong.origin.visibility:
        case Visibility.PRIVATE:
            return False
        case Visibility.ROOM:
            return caller.private
        case _:
            return caller.private or caller.room.confidential


def asked_which(rows: Sequence[Memory], call: Call) -> Answer:
    """Which of these is meant; nothing is changed before that is clear."""
    if not rows:
        return Answer(text=say("correct.unknown", call.locale))
    choices = [
        say("correct.choice", call.locale, id=shown_id(row), content=extract(row.content))
        for row in rows[:_MOST_CHOICES]
    ]
    return Answer(text="\n".join((say("correct.which", call.locale), *choices)))


def _nearest(what: str, rows: Sequence[Memory]) -> list[Memory]:
    """Those that say all of the words, or else the most of them, the best first."""
    shares = [(_share(what, row), row) for row in rows]
    whole = [row for share, row in shares if share == 1]
    if whole:
        return whole
    near = sorted(
        ((share, place) for place, (share, _) in enumerate(shares) if share >= _NEAR),
        key=lambda one: (-one[0], one[1]),
    )
    return [rows[place] for _, place in near]


def _share(what: str, row: Memory) -> float:
    """Which part of the words a statement says, in 0..1."""
    asked = set(match_terms(what))
    return len(asked & set(row.words.split())) / len(asked) if asked else 0
