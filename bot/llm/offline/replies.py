"""What the offline pet answers once its tools have spoken; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.llm.offline.about_speaker import known_of
from bot.llm.offline.acquaintances import Asker, acquaintances_of
from bot.llm.offline.choosing import name_line, one_of, plain_line
from bot.llm.offline.corrections import Correction, corrected, correction_in, puts_right
from bot.llm.offline.forgetting import FORGET_SAID, forgetting_reply, found_nothing
from bot.llm.offline.heard import StatedBy
from bot.llm.offline.heard import heard as word_for
from bot.llm.offline.intent import is_first_person
from bot.llm.offline.manners.acts import MEMBERS, Family, SpeechAct
from bot.llm.offline.manners.reading import Recognition
from bot.llm.offline.manners.replies import TalkScene, reply_to_manner
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.subjects import folded_names, names_in_words
from bot.llm.offline.questions.talk import passed_on, talk_of
from bot.llm.offline.questions.telling import (
    answer_among,
    answer_or_plan_among,
    answered,
    author_told,
    learnt_line,
    plan_told,
    told_as,
)
from bot.llm.offline.recalled_lines import (
    MOST_LINES,
    RememberedLine,
    to_forget,
)
from bot.llm.offline.summing_up import telling
from bot.llm.offline.turn_so_far import Moment, TurnSoFar
from bot.llm.offline.understanding import Intent, Understanding
from bot.model.requests import ToolCall, ToolResult
from bot.model.tool_values import (
    AnswerExplained,
    ForgettingCounted,
    StatementForgotten,
    StatementRefused,
    StatementStored,
)
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts, texts_in
from memory.language.chat_spelling import spelt_out
from memory.language.text import fold, words
from memory.model.forgetting import Kind
from memory.rules.forgetting.plain_words.reading import hints_at_request
from memory.statements.extraction.sentences import is_marked_joke, without_address

_MOST_LISTED = 6
"""Lines of a list: enough to feel known, short enough to read."""

EXPLAIN = "explain_last_answer"
"""The tool that lists what stood behind the previous reply."""


def reply_to(reading: Understanding, heard: TurnSoFar, moment: Moment) -> Reply:
    """The reply that ends the turn: what was asked, or what was stored."""
    texts = texts_in(reading.language)
    answers = {
        Intent.CONFIRM: _forgetting_said,
        Intent.DECLINE: _nothing_forgotten,
        Intent.NARROW: _forgetting_said,
        Intent.UNFORGET: _forgetting_said,
        Intent.FORGET: _forgetting,
        Intent.WHY: _explanation,
        Intent.ABOUT_ME: _about_speaker,
        Intent.ABOUT_SOMEBODY: _about_somebody,
        Intent.QUESTION: _question,
        Intent.KEYWORDS: _keywords,
        Intent.PASSED_ON: _passed_on,
        Intent.MANNER: _manner,
    }
    answer = answers.get(reading.wish, _statement)
    return answer(reading, heard, texts, moment)


def acknowledge(reading: Understanding) -> Reply:
    """A word for something the platform said of itself."""
    texts = texts_in(reading.language)
    text = one_of(texts.choices("offline.noticed"), reading.text)
    return Reply(text=text, expression=Expression.NEUTRAL)


def _statement(reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    manner = reading.manner
    if manner.act is SpeechAct.CORRECTION and not puts_right(reading.text):
        manner = replace(manner, act=SpeechAct.FACT_OWN)
    found = _misheard(reading, heard)
    if found and (manner.act in _PUTS_RIGHT or (found.old and _DENIES.match(fold(reading.text)))):
        return corrected(found, texts, reading.text)
    if is_marked_joke(reading.text):
        text = one_of(texts.choices("offline.heard.joking"), reading.text)
        return Reply(text=text, expression=Expression.HAPPY)
    outcomes = list(_outcomes(heard))
    failed = next((one for one in outcomes if one), "")
    kept = bool(outcomes) and not failed
    if (manner.act is SpeechAct.TO_GROUP and not reading.in_group) or (
        manner.act is SpeechAct.DAILY and kept
    ):
        # Alone with the pet there is no group; of what is kept it is said that it is.
        manner = replace(manner, act=None)
    by = StatedBy(name=reading.speaker, at=moment.now.astimezone(moment.zone))
    said = without_address(reading.text, reading.called)
    return word_for(said, by, texts, failed, manner, kept=kept)


def _passed_on(_: Understanding, _heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    """A word for what others said elsewhere: it is found again as theirs."""
    text = one_of(texts.choices("offline.passed_on.heard"), moment.now.isoformat())
    return Reply(text=text, expression=Expression.CURIOUS)


_DENIES = re.compile(r"(?:no|nope|nah|non|nan|wait|actually|sorry|pardon|en fait)\b")
"""Begins what puts a value right: "no, saturday at 10"."""
_PUTS_RIGHT = frozenset({SpeechAct.CORRECTION, SpeechAct.WRONG})
"""What may hold the right value of what was misheard."""


def _outcomes(heard: TurnSoFar) -> Iterator[str]:
    """What is said of each statement beside that it was heard; "" where it is kept."""
    for _, result in heard.results("store_memory"):
        match result.value:
            case StatementStored(is_new=is_new):
                yield "" if is_new else "offline.known_already"
            case StatementForgotten():
                yield "offline.forgotten_before"
            case _:
                yield "offline.not_stored"


def _manner(reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    manner = reading.manner
    if manner.tells:
        return _statement(reading, heard, texts, moment)
    if manner.act is SpeechAct.INSULT and (found := _misheard(reading, heard)):
        return corrected(found, texts, reading.text)
    lines = talk_of(heard.read_back)
    people = acquaintances_of(heard.names, ((one.person, one.author) for one in lines))
    known = folded_names([one.author for one in lines if not one.by_pet]) | people.bearers.keys()
    named = names_in_words(spelt_out(reading.text), known - folded_names([reading.speaker]), {})
    scene = TalkScene(
        text=reading.text,
        name=reading.speaker,
        now=moment.now,
        zone=moment.zone,
        texts=texts,
        in_group=reading.in_group,
        called=reading.called,
        talk=[one for one in lines if one.text],
        here=[
            one
            for one, said in zip(lines, heard.read_back, strict=True)
            if said.is_here and one.text
        ],
        own=[
            line.content for tool in ("search_self", "search_goals") for line in heard.listed(tool)
        ],
        people=people.behind(named),
        asker=heard.asker(reading.speaker),
    )
    return reply_to_manner(manner, scene)


def _misheard(reading: Understanding, heard: TurnSoFar) -> Correction | None:
    """What a text puts right of what was said here lately, with the value that is right."""
    lines = talk_of(heard.read_back)
    here = [one for one, said in zip(lines, heard.read_back, strict=True) if said.is_here]
    return correction_in(reading.text, here[-_LATELY_SAID:])


_LATELY_SAID = 6
"""Lines among which what is corrected was said."""


def _question(reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    found, planned = answer_or_plan_among(reading, heard, moment)
    manner = reading.manner
    is_beside = _is_beside(manner)
    if planned is not None and not is_beside:
        return plan_told(planned, reading, heard, texts, moment)
    may_be = manner.act in _ANSWERED or not (manner.sure or manner.act is SpeechAct.WORLD)
    if found is not None and (found.is_sure or may_be):
        return answered(found, reading, heard, texts, moment)
    if is_beside:
        return _manner(reading, heard, texts, moment)
    if heard.failed("search_memories") and not heard.read_back:
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    if _OF_FORGETTING.search(fold(reading.text)) and hints_at_request(reading.text):
        return Reply(text=texts.say("offline.which_words"), expression=Expression.CURIOUS)
    return _unknown(reading, texts)


def _unknown(reading: Understanding, texts: Texts) -> Reply:
    """That nothing answers it; among others only what was heard there: more may be private."""
    key = "offline.unknown_in_group" if reading.in_group else "offline.unknown"
    return Reply(text=one_of(texts.choices(key), reading.text), expression=Expression.CURIOUS)


def _keywords(reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    """What was told of it, where that is sure; else what is said to such words."""
    found = answer_among(reading, heard, moment)
    if found is not None and found.is_sure:
        return answered(found, reading, heard, texts, moment)
    return _manner(reading, heard, texts, moment)


_RECALLS = MEMBERS[Family.RECALL]

_ANSWERED = _RECALLS | {SpeechAct.FOREIGN}
"""What is answered by a line that is not sure, too: in another alphabet words are all there is."""


def _is_beside(manner: Recognition) -> bool:
    """Whether a question is one that nothing told would answer."""
    if manner.tells:
        return manner.act in {SpeechAct.TO_GROUP, SpeechAct.WRONG}
    return manner.act not in _RECALLS and manner.family is not Family.RECALL


_OF_FORGETTING = re.compile(r"\b(?:forg[eo]t|oubli|delet|efface|supprim|erase|remove)")


def _about_somebody(
    reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment
) -> Reply:
    said_by = [(one.person, one.author) for one in talk_of(heard.read_back)]
    people = acquaintances_of(heard.names, said_by)
    keys = people.behind(folded_names(reading.about))
    names = people.names_of(keys)
    lines = [
        one
        for one in (*talk_of(heard.read_back), *passed_on(heard.read_back))
        if one.text
        and not one.by_pet
        and not one.is_question
        and (one.speaker in keys or names & set(one.plain.split()))
    ]
    learnt = [
        one
        for line in [*heard.recalled, *heard.listed("search_memories")]
        if names & set(words(f"{line.content} {line.said_by or ''}"))
        and (one := learnt_line(line, moment)).text
    ]
    said = telling(lines, MOST_LINES) or learnt[:MOST_LINES]
    asker = heard.asker(reading.speaker)
    answerer = Answerer([*learnt, *lines], asker, reading.called, heard.names)
    alias = answerer.who_is(reading.text)
    if alias is not None:
        return Reply(text=told_as(alias.line, asker, texts, moment.here))
    if not said:
        return _unknown(reading, texts)
    rows = [told_as(one, asker, texts, moment.here) for one in said]
    return Reply(text="\n".join(rows), expression=Expression.HAPPY)


def _about_speaker(
    reading: Understanding, heard: TurnSoFar, texts: Texts, _moment: Moment
) -> Reply:
    asker = heard.asker(reading.speaker)
    if lines := known_of(asker, heard):
        reply = _list("offline.about_you", lines, Expression.LOVE, texts)
        more = texts.say("offline.more_about_you") if len(lines) > _MOST_LISTED else ""
        return replace(reply, text=f"{reply.text}\n{more}".strip())
    if heard.failed("search_memories"):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    text = texts.say("offline.nothing_about_you", name=reading.speaker)
    return Reply(text=text, expression=Expression.CURIOUS)


def _explanation(reading: Understanding, heard: TurnSoFar, texts: Texts, _moment: Moment) -> Reply:
    if heard.failed(EXPLAIN):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    if lines := heard.listed(EXPLAIN)[:_MOST_LISTED]:
        asker = heard.asker(reading.speaker)
        quotes = [_sourced(line, asker, texts) for line in lines]
        title = [texts.say("offline.came_back")] if len(lines) > 1 else []
        return Reply(text="\n".join((*title, *quotes)), expression=Expression.THINKING)
    values = (result.value for _, result in heard.results(EXPLAIN))
    explained = next((one for one in values if isinstance(one, AnswerExplained)), None)
    if explained is None:
        return Reply(text=texts.say("offline.no_answer_yet"), expression=Expression.CURIOUS)
    text = "offline.forgotten_since" if explained.gone else "offline.nothing_came_back"
    return Reply(text=texts.say(text), expression=Expression.CURIOUS)


def _sourced(line: RememberedLine, asker: Asker, texts: Texts) -> str:
    """A line with its source: who said it, where and when."""
    if line.is_exchange:
        text = "offline.exchanged"
    elif not line.said_by:
        text = "offline.remembered"
    else:
        is_own = asker.is_author(line.person, line.said_by)
        text = "offline.told_me_there" if is_own else "offline.said_there"
    return texts.say(
        text,
        who=author_told(line.said_by or "", line.then, texts),
        where=f" {_place(line.where, texts)}" if line.where else "",
        age=f" {line.age}" if line.age else "",
        when=f" ({line.age})" if line.age else "",
        what=plain_line(line.content),
    )


def _place(where: str, texts: Texts) -> str:
    known = {"private": "offline.in_private", "lobby": "offline.in_lobby"}
    return texts.say(known.get(where, "offline.in_room"), room=plain_line(where))


def _forgetting_said(_: Understanding, heard: TurnSoFar, texts: Texts, _moment: Moment) -> Reply:
    return forgetting_reply(heard.results(FORGET_SAID), texts)


def _nothing_forgotten(_: Understanding, _heard: TurnSoFar, texts: Texts, _moment: Moment) -> Reply:
    return Reply(text=texts.say("offline.declined"), expression=Expression.NEUTRAL)


def _forgetting(reading: Understanding, heard: TurnSoFar, texts: Texts, moment: Moment) -> Reply:
    for call, result in heard.results("delete_memory"):
        return _deletion(call, result, heard, texts)
    if not reading.topic:
        return Reply(text=texts.say("offline.what_to_forget"), expression=Expression.THINKING)
    if heard.failed("search_memories"):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    if found_nothing(heard.results(FORGET_SAID)):
        if reading.otherwise is not None:
            meant = replace(reading, wish=reading.otherwise, topic=reading.text)
            is_other = not hints_at_request(reading.text) or meant.wish is not Intent.QUESTION
            if is_other or answer_among(meant, heard, moment):
                return reply_to(meant, heard, moment)
        if len(alike := matching(reading, heard)) > 1:
            return _list("offline.which_to_forget", alike[:MOST_LINES], Expression.THINKING, texts)
    return forgetting_reply(heard.results(FORGET_SAID), texts)


def _deletion(call: ToolCall, result: ToolResult, heard: TurnSoFar, texts: Texts) -> Reply:
    """What came of asking for one memory: shown first, or why it stays."""
    found = heard.listed("search_memories")
    content = next((line.content for line in found if line.id == call.arguments.get("id")), "")
    match result.value:
        case ForgettingCounted(counts=counts):
            text = "offline.would_mute" if Kind.MUTED in counts else "offline.would_forget"
            shown = texts.say(text, what=plain_line(content))
            asked = f"{shown} {texts.say('offline.go_on')}"
            return Reply(text=asked, expression=Expression.THINKING)
        case StatementRefused(is_about_others=True):
            return Reply(text=texts.say("offline.about_others"), expression=Expression.THINKING)
        case StatementRefused(said_by=str(who)):
            text = texts.say("offline.not_yours", who=name_line(who))
            return Reply(text=text, expression=Expression.THINKING)
        case StatementRefused():
            return Reply(text=texts.say("offline.nobodys"), expression=Expression.THINKING)
        case _:
            text = texts.say("offline.not_forgotten", what=plain_line(content))
            return Reply(text=text, expression=Expression.SAD)


def matching(reading: Understanding, heard: TurnSoFar) -> list[RememberedLine]:
    """The found memories that say what the speaker wants forgotten."""
    listed = heard.listed("search_memories")
    own = is_first_person(reading.topic)
    return to_forget(reading.topic, heard.asker(reading.speaker), listed, own=own)


def _list(
    title: str, lines: Sequence[RememberedLine], expression: Expression, texts: Texts
) -> Reply:
    rows = [_dated(line, texts) for line in lines[:_MOST_LISTED]]
    return Reply(text="\n".join((texts.say(title), *rows)), expression=expression)


def _dated(line: RememberedLine, texts: Texts) -> str:
    age = f" ({line.age})" if line.age else ""
    said = plain_line(line.content)
    if line.reported:
        name = author_told(line.said_by or "", line.then, texts)
        said = texts.say("provenance.says", name=name, content=said)
    return f"{said}{age}"
