"""The line that answers a question, looked for in a turn and told to who asks; pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.choosing import name_line, one_of, plain_line
from bot.llm.offline.plans.answering import PlanAnswer
from bot.llm.offline.questions.answering import Answerer, FoundAnswer
from bot.llm.offline.questions.asked import AskedKind
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.dates_told import with_its_days, without_days_past
from bot.llm.offline.questions.talk import TalkLine, passed_on, talk_of, without_echoes
from bot.llm.offline.recalled_lines import RememberedLine
from bot.llm.offline.second_person import said_back
from bot.llm.offline.turn_so_far import Moment, TurnSoFar
from bot.llm.offline.understanding import Understanding
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts
from memory.language.dates_in_words import age as age_of
from memory.language.text import fold
from memory.model.namesakes import unmarked
from memory.model.recalled import REPLIED


def answer_among(reading: Understanding, heard: TurnSoFar, moment: Moment) -> FoundAnswer | None:
    """The line that answers, among what was learnt and what was said."""
    return _answerer(reading, heard, moment).answer(reading.topic or reading.text)


def answer_or_plan_among(
    reading: Understanding, heard: TurnSoFar, moment: Moment
) -> tuple[FoundAnswer | None, PlanAnswer | None]:
    """The line that answers, and what a plan tells where no line is sure to.

    Who comes is told of the plan all the same: one line tells of one person.
    """
    question, answerer = reading.topic or reading.text, _answerer(reading, heard, moment)
    found = answerer.answer(question)
    is_sure = found is not None and found.is_sure
    if is_sure and answerer.read(question).kind is not AskedKind.PERSON:
        return found, None
    planned = answerer.planned(question)
    return found, None if is_sure and planned and not planned.coming else planned


def plan_told(
    found: PlanAnswer, reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment
) -> Reply:
    """What is told of a plan: its lines as what is remembered, who comes in a sentence."""
    asker = heard.asker(reading.speaker)
    ends = [found.called_off] if found.called_off and found.called_off not in found.lines else []
    rows = [told_as(one, asker, texts, moment.here) for one in (*found.lines, *ends)]
    if found.coming:
        rows.append(texts.say("offline.plan.coming", who=_joined(found.coming, asker, texts)))
    if found.away:
        rows.append(texts.say("offline.plan.away", who=_joined(found.away, asker, texts)))
    if found.lines:
        rows[0] = one_of(texts.choices("offline.unsure", line=rows[0]), reading.text)
    return Reply(text="\n".join(rows), expression=Expression.THINKING)


def _name_told(line: TalkLine, asker: Asker, texts: Texts) -> str:
    if asker.is_author(line.person, line.author):
        return texts.say("offline.plan.you")
    return author_told(line.author, line.then, texts)


def _joined(lines: Sequence[TalkLine], asker: Asker, texts: Texts) -> str:
    """The names of who said these."""
    *others, last = (_name_told(one, asker, texts) for one in lines)
    return texts.say("offline.plan.and", others=", ".join(others), last=last) if others else last


def _answerer(reading: Understanding, heard: TurnSoFar, moment: Moment) -> Answerer:
    """Who looks for answers among what was learnt and what was said."""
    learnt = [*heard.recalled, *heard.listed("search_memories")]
    said = talk_of(heard.read_back)
    repeated = passed_on(heard.read_back)
    lines = [
        *without_echoes([learnt_line(line, moment) for line in learnt], said),
        *(_own(line, moment) for line in heard.listed("search_self")),
        *sorted((*said, *repeated), key=lambda line: line.at),
    ]
    lines = without_days_past(lines, reading.topic or reading.text, moment.here)
    return Answerer(lines, heard.asker(reading.speaker), reading.called, heard.names)


def learnt_line(line: RememberedLine, moment: Moment) -> TalkLine:
    """A remembered line among what was said: before it, since the words themselves tell more."""
    text = _BRACKETED.sub("", line.content.partition(REPLIED)[0]).strip()
    return TalkLine(
        text=text,
        claims=claims_in(text),
        author=line.said_by or "",
        at=moment.now - _LONG_AGO,
        stated=True,
        age=line.age,
        against=line.against,
        person=line.person,
        then=line.then,
    )


def _own(line: RememberedLine, moment: Moment) -> TalkLine:
    return TalkLine(
        text=line.content, author="", at=moment.now - _LONG_AGO, stated=True, by_pet=True
    )


_BRACKETED = re.compile(r"⟦[^⟦⟧]*⟧")
"""What a recalled message quotes or forwards: it is read back with whose words it is."""

_LONG_AGO = timedelta(days=3650)


def told_as(line: TalkLine, asker: Asker, texts: Texts, now: datetime) -> str:
    """A line as it is told to who asks: their own words in the second person, others' quoted."""
    age = line.age or age_of(line.at, now, texts.language)
    said = plain_line(with_its_days(line, now, texts))
    if line.teller:
        return _told_on(line, asker, texts, age)
    if line.by_pet:
        return said if line.stated else texts.say("offline.told_you", age=f" {age}", what=said)
    if not line.author:
        return texts.say("offline.remembered", when=f" ({age})", what=said)
    if not asker.is_author(line.person, line.author):
        who = author_told(line.author, line.then, texts)
        return texts.say("offline.said", who=who, age=f" {age}", what=said)
    back = None if line.stated else said_back(said)
    if back is not None:
        return texts.say("offline.told_me_that", age=f" {age}", what=back)
    return texts.say("offline.told_me", age=f" {age}", what=said)


def author_told(name: str, then: str, texts: Texts) -> str:
    """What an author is called, and was called then if otherwise, as people read it."""
    now = name_line(name)
    return texts.say("provenance.then_called", name=now, then=name_line(then)) if then else now


def _told_on(line: TalkLine, asker: Asker, texts: Texts, age: str) -> str:
    """A line that was quoted or forwarded: of whom, by whom, and word for word."""
    by = "you" if asker.is_author(line.told_by, line.teller) else "they"
    whose = texts.say("offline.passed_on.of", who=plain_line(line.author)) if line.author else ""
    return texts.say(
        f"offline.passed_on.{by}_{line.source}",
        who=name_line(line.teller),
        whose=f" {whose}" if whose else "",
        age=f" {age}",
        what=plain_line(line.text),
    )


def answered(
    found: FoundAnswer, reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment
) -> Reply:
    """The line that answers, with who says otherwise; hedged where it may be another matter."""
    told = [found.line, *([found.against] if found.against else []), *found.namesakes]
    rows = [told_as(one, heard.asker(reading.speaker), texts, moment.here) for one in told]
    names = [unmarked(one.author) for one in (found.line, *found.namesakes)]
    if len(names) > len({fold(name) for name in names}):
        rows.insert(0, texts.say("offline.namesakes", name=name_line(names[0])))
    if found.is_sure:
        return Reply(text="\n".join(rows), expression=Expression.HAPPY)
    unsure = one_of(texts.choices("offline.unsure", line=rows[0]), reading.text)
    return Reply(text="\n".join((unsure, *rows[1:])), expression=Expression.THINKING)
