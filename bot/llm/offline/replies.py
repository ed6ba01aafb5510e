"""What the offline pet answers once its tools have spoken; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from bot.llm.offline.forgetting import FORGET_SAID, forgetting_reply, found_nothing
from bot.llm.offline.intent import (
    Intent,
    Understanding,
    is_first_person,
)
from bot.llm.offline.recalled_lines import (
    MOST_LINES,
    AnsweringLines,
    RememberedLine,
    answering,
    concerning,
    listed_lines,
    to_forget,
)
from bot.model.requests import ToolCall, ToolResult
from bot.model.tool_values import (
    AnswerExplained,
    ForgettingCounted,
    Listed,
    ListedRow,
    StatementRefused,
    StatementStored,
)
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts, texts_in
from memory.language.text import words
from memory.model.forgetting import Kind
from memory.rules.forgetting.plain_words.reading import hints_at_request

_LONGEST_QUOTE = 240
"""Characters of one quoted memory: four of them still fit one message of any channel."""

_MOST_LISTED = 6
"""Lines of a list: enough to feel known, short enough to read."""

_MARKUP = re.compile(r"[*`~|]+|__+|^[#>\-\s]+")

EXPLAIN = "explain_last_answer"
"""The tool that lists what stood behind the previous reply."""

_YIELDING = frozenset(Intent) - frozenset(
    {
        Intent.CONFIRM,
        Intent.NARROW,
        Intent.UNFORGET,
        Intent.FORGET,
        Intent.WHY,
        Intent.WHO,
        Intent.ABOUT_ME,
        Intent.LATELY,
        Intent.GOALS,
        Intent.QUESTION,
    }
)
"""Wishes that a confirmation already answers."""

_SAD = re.compile(
    r"\b(?:mort|morte|décédée?|cassé|cassée|blessée?|perdu|accident|hospitalisée?|licenciée?|malade"
    r"|cancer|died|passed away|broke|lost|accident|fired|laid off|divorced?|sick)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSoFar:
    """What came of the turn so far: the lines recalled, and each call with its result.

    `fresh` are those recalled for the last words, `recalled` also the earlier ones of the window,
    and `said` what the speaker stated in it.
    """

    recalled: Sequence[RememberedLine]
    fresh: Sequence[RememberedLine] = ()
    said: Sequence[RememberedLine] = ()
    done: Sequence[tuple[ToolCall, ToolResult]] = ()

    @property
    def known(self) -> list[RememberedLine]:
        """What was recalled, then what the speaker said in the talk at hand."""
        return [*self.recalled, *self.said]

    def results(self, tool: str) -> Iterator[tuple[ToolCall, ToolResult]]:
        """The calls of one tool, with what they came to."""
        return ((call, result) for call, result in self.done if call.name == tool)

    def listed(self, tool: str) -> list[RememberedLine]:
        """The lines that a tool listed."""
        return [line for _, result in self.results(tool) for line in listed_lines(_rows(result))]

    def failed(self, tool: str) -> bool:
        """Whether the tool was called and gave nothing usable."""
        results = [result for _, result in self.results(tool)]
        return bool(results) and all(result.failed for result in results)


def reply_to(reading: Understanding, heard: TurnSoFar) -> Reply:
    """The reply that ends the turn: what was stored, then what was asked."""
    texts = texts_in(reading.language)
    confirmed = list(_confirmations(heard, texts))
    if confirmed and reading.wish in _YIELDING:
        return Reply(text=" ".join(confirmed), expression=_mood(confirmed))
    answer = _answer(reading, heard, texts)
    text = "\n".join((*confirmed, answer.text))
    return Reply(text=text, expression=answer.expression)


def acknowledge(reading: Understanding) -> Reply:
    """A word for something the platform said of itself."""
    texts = texts_in(reading.language)
    text = _one_of("offline.noticed", texts, reading.text, name="")
    return Reply(text=text, expression=Expression.NEUTRAL)


def _answer(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    answers = {
        Intent.CONFIRM: _forgetting_said,
        Intent.NARROW: _forgetting_said,
        Intent.UNFORGET: _forgetting_said,
        Intent.FORGET: _forgetting,
        Intent.WHY: _explanation,
        Intent.WHO: _introduction,
        Intent.ABOUT_ME: _about_speaker,
        Intent.LATELY: _lately,
        Intent.GOALS: _goals,
        Intent.QUESTION: _question,
    }
    answer = answers.get(reading.wish)
    return answer(reading, heard, texts) if answer else _courtesy(reading, texts)


def _courtesy(reading: Understanding, texts: Texts) -> Reply:
    choices, expression = {
        Intent.THANKS: ("offline.thanks", Expression.LOVE),
        Intent.FAREWELL: ("offline.farewells", Expression.SLEEPY),
        Intent.GREETING: ("offline.greetings", Expression.HAPPY),
        Intent.HOW_ARE_YOU: ("offline.fine", Expression.HAPPY),
        Intent.LAUGHTER: ("offline.laughs", Expression.HAPPY),
        Intent.AGREEMENT: ("offline.agreed", Expression.NEUTRAL),
    }.get(reading.wish, ("offline.listening", Expression.CURIOUS))
    if reading.needs_no_words:
        return Reply(text=sign_for(reading.wish, reading.text), expression=expression)
    text = _one_of(choices, texts, reading.text, name=reading.speaker)
    return Reply(text=text, expression=expression)


def _one_of(choices: str, texts: Texts, seed: str, *, name: str) -> str:
    """One of the texts to choose from, without the marks around a name that is not known."""
    chosen = one_of(texts.choices(choices, name=name), seed)
    return chosen if name else chosen.replace(" !", "!").replace(", .", ".").replace(" ,", "")


def _question(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    lines = [*heard.recalled, *heard.listed("search_memories")]
    answer = answering(reading.topic, [*lines, *heard.said])
    if not answer.lines and is_first_person(reading.topic):
        near = concerning(reading.speaker, lines)[:2]
        answer = AnsweringLines(lines=tuple(near), sure=False)
    if answer.lines:
        quotes = [_quoted(line, reading, texts) for line in answer.lines]
        doubt = [] if answer.sure else [texts.say("offline.unsure")]
        mood = Expression.HAPPY if answer.sure else Expression.THINKING
        return Reply(text="\n".join((*doubt, *quotes)), expression=mood)
    failed = heard.failed("search_memories")
    unknown = "offline.which_words" if hints_at_request(reading.text) else "offline.unknown"
    text = texts.say("offline.search_failed" if failed else unknown)
    return Reply(text=text, expression=Expression.SAD if failed else Expression.CURIOUS)


def _about_speaker(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    lines = concerning(reading.speaker, [*heard.recalled, *heard.listed("search_memories")])
    if lines:
        return _list("offline.about_you", lines, Expression.LOVE, texts)
    if heard.failed("search_memories"):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    text = texts.say("offline.nothing_about_you", name=reading.speaker)
    return Reply(text=text, expression=Expression.CURIOUS)


def _lately(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    # What was recalled for these words keeps to the time they name; the tool's list does not.
    lines = heard.fresh or [*heard.listed("get_recent_memories"), *heard.recalled]
    if lines:
        distinct = list({line.content: line for line in lines}.values())
        quotes = [_quoted(line, reading, texts) for line in distinct[:_MOST_LISTED]]
        return Reply(
            text="\n".join((texts.say("offline.lately"), *quotes)), expression=Expression.THINKING
        )
    failed = heard.failed("get_recent_memories")
    text = texts.say("offline.search_failed" if failed else "offline.nothing_lately")
    return Reply(text=text, expression=Expression.SAD if failed else Expression.CURIOUS)


def _explanation(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    if heard.failed(EXPLAIN):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    if lines := heard.listed(EXPLAIN)[:_MOST_LISTED]:
        quotes = [_sourced(line, reading, texts) for line in lines]
        title = [texts.say("offline.came_back")] if len(lines) > 1 else []
        return Reply(text="\n".join((*title, *quotes)), expression=Expression.THINKING)
    values = (result.value for _, result in heard.results(EXPLAIN))
    explained = next((one for one in values if isinstance(one, AnswerExplained)), None)
    if explained is None:
        return Reply(text=texts.say("offline.no_answer_yet"), expression=Expression.CURIOUS)
    text = "offline.forgotten_since" if explained.gone else "offline.nothing_came_back"
    return Reply(text=texts.say(text), expression=Expression.CURIOUS)


def _rows(result: ToolResult) -> tuple[ListedRow, ...]:
    match result.value:
        case Listed(rows=rows) | AnswerExplained(rows=rows):
            return rows
        case _:
            return ()


def _sourced(line: RememberedLine, reading: Understanding, texts: Texts) -> str:
    """A line with its source: who said it, where and when."""
    if line.is_exchange:
        text = "offline.exchanged"
    elif not line.said_by:
        text = "offline.remembered"
    else:
        is_own = line.said_by == reading.speaker
        text = "offline.told_me_there" if is_own else "offline.said_there"
    return texts.say(
        text,
        who=plain(line.said_by or ""),
        where=f" {_place(line.where, texts)}" if line.where else "",
        age=f" {line.age}" if line.age else "",
        when=f" ({line.age})" if line.age else "",
        what=plain(line.content),
    )


def _place(where: str, texts: Texts) -> str:
    known = {"private": "offline.in_private", "lobby": "offline.in_lobby"}
    return texts.say(known.get(where, "offline.in_room"), room=plain(where))


def _goals(_: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    lines = heard.listed("search_goals")
    if lines:
        return _list("offline.my_goals", lines, Expression.CURIOUS, texts)
    return Reply(text=texts.say("offline.no_goals"), expression=Expression.THINKING)


def _introduction(_: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    lines = heard.listed("search_self")[:2]
    learned = _list("offline.who_learned", lines, Expression.CURIOUS, texts).text if lines else ""
    text = "\n".join(part for part in (texts.say("offline.who"), learned) if part)
    return Reply(text=text, expression=Expression.CURIOUS)


def _forgetting_said(_: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    return forgetting_reply(heard.results(FORGET_SAID), texts)


def _forgetting(reading: Understanding, heard: TurnSoFar, texts: Texts) -> Reply:
    for call, result in heard.results("delete_memory"):
        return _deletion(call, result, heard, texts)
    if not reading.topic:
        return Reply(text=texts.say("offline.what_to_forget"), expression=Expression.THINKING)
    if heard.failed("search_memories"):
        return Reply(text=texts.say("offline.search_failed"), expression=Expression.SAD)
    if found_nothing(heard.results(FORGET_SAID)):
        if reading.otherwise is not None:
            meant = replace(reading, wish=reading.otherwise, topic=reading.text)
            reply = reply_to(meant, heard)
            if reply.text != texts.say("offline.unknown"):
                return reply
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
            shown = texts.say(text, what=plain(content))
            asked = f"{shown} {texts.say('offline.go_on')}"
            return Reply(text=asked, expression=Expression.THINKING)
        case StatementRefused(is_about_others=True):
            return Reply(text=texts.say("offline.about_others"), expression=Expression.THINKING)
        case StatementRefused(said_by=str(who)):
            text = texts.say("offline.not_yours", who=plain(who))
            return Reply(text=text, expression=Expression.THINKING)
        case StatementRefused():
            return Reply(text=texts.say("offline.nobodys"), expression=Expression.THINKING)
        case _:
            text = texts.say("offline.not_forgotten", what=plain(content))
            return Reply(text=text, expression=Expression.SAD)


def matching(reading: Understanding, heard: TurnSoFar) -> list[RememberedLine]:
    """The found memories that say what the speaker wants forgotten."""
    listed = heard.listed("search_memories")
    own = is_first_person(reading.topic)
    return to_forget(reading.topic, reading.speaker, listed, own=own)


def _confirmations(heard: TurnSoFar, texts: Texts) -> Iterator[str]:
    """One sentence per kind of outcome, made only from what the tool said."""
    outcomes: dict[str, list[str]] = {}
    for call, result in heard.results("store_memory"):
        content = str(call.arguments.get("content", ""))
        template = _outcome(result)
        outcomes.setdefault(template, []).append(plain(content))
    for template, contents in outcomes.items():
        yield texts.say(template, what=" ; ".join(contents))


def _outcome(result: ToolResult) -> str:
    match result.value:
        case StatementStored(is_new=is_new):
            return "offline.stored" if is_new else "offline.known_already"
        case _:
            return "offline.not_stored"


def _mood(confirmed: Sequence[str]) -> Expression:
    return Expression.SAD if any(_SAD.search(text) for text in confirmed) else Expression.HAPPY


def _list(
    title: str, lines: Sequence[RememberedLine], expression: Expression, texts: Texts
) -> Reply:
    rows = [_dated(line, texts) for line in lines[:_MOST_LISTED]]
    return Reply(text="\n".join((texts.say(title), *rows)), expression=expression)


def _dated(line: RememberedLine, texts: Texts) -> str:
    age = f" ({line.age})" if line.age else ""
    said = plain(line.content)
    if line.reported:
        said = texts.say("provenance.says", name=plain(line.said_by or ""), content=said)
    return f"{said}{age}"


def _quoted(line: RememberedLine, reading: Understanding, texts: Texts) -> str:
    text = "offline.remembered"
    if line.live:
        text = "offline.read_in_lobby"
    elif line.said_by == reading.speaker:
        text = "offline.told_me"
    elif line.said_by:
        text = "offline.said"
    return texts.say(
        text,
        who=plain(line.said_by or ""),
        age=f" {line.age}" if line.age else "",
        when=f" ({line.age})" if line.age else "",
        what=plain(line.content),
    )


def plain(text: str) -> str:
    """The text on one line, without markup, at most 240 characters."""
    bare = _MARKUP.sub("", " ".join(text.split())).strip()
    return bare if len(bare) <= _LONGEST_QUOTE else f"{bare[: _LONGEST_QUOTE - 1].rstrip()}…"


_AT_NIGHT = frozenset(words("nuit night dors dodo"))


def sign_for(wish: Intent, text: str) -> str:
    """One emoji, always the same for the same words."""
    if wish is Intent.FAREWELL:
        return "🌙" if _AT_NIGHT.intersection(words(text)) else "👋"
    return one_of(("💛", "🤗") if wish is Intent.THANKS else ("😄", "😂"), text)


def one_of(choices: tuple[str, ...], seed: str) -> str:
    """One of the choices, always the same for the same words."""
    return choices[crc32(seed.encode()) % len(choices)]
