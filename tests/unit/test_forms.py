"""Forms out of what a model answers: calls, JSON among words, and one question more."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.agent.written_json import calls_in, forms_in, objects_in
from bot.errors import ModelUnavailable
from bot.llm.tasks.forms import Form, FormMisread, filled
from bot.model.requests import (
    ModelReply,
    ModelRequest,
    Purpose,
    ToolCall,
    ToolRound,
    ToolSpec,
    Usage,
    UserMessage,
)

SCHEMA = {"type": "object", "properties": {"summary": {"type": "string"}}}
FORM = ToolSpec(name="record_summary", description="Record it.", schema=SCHEMA)
REQUEST = ModelRequest(
    system="Summarise.",
    messages=(UserMessage(text="…", speaker=""),),
    tools=(FORM,),
    purpose=Purpose.COMPACTION,
    max_tokens=300,
    force=FORM.name,
)


class Scripted:
    """A model that answers from a list."""

    name = "scripted"

    def __init__(self, *answers: ModelReply | Exception) -> None:
        self.asked: list[ModelRequest] = []
        self._answers = list(answers)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next one."""
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def says(text: str, stop_reason: Any = "end", **form: Any) -> ModelReply:
    """Words, and a form if there is one."""
    called = (ToolCall(id="c_1", name=FORM.name, arguments=form),) if form else ()
    return ModelReply(text=text, calls=called, usage=Usage(), model="m", stop_reason=stop_reason)


def summary(forms: Sequence[Form]) -> str:
    """The summary of a form."""
    if not isinstance(forms[0].get("summary"), str):
        raise FormMisread("There is no summary.")
    return str(forms[0]["summary"])


@pytest.mark.parametrize(
    "text",
    [
        '{"summary": "They met."}',
        'Here it is:\n```json\n{"summary": "They met."}\n```\nIs that fine?',
        '{"name": "record_summary", "arguments": {"summary": "They met."}}',
        '{"name": "record_summary", "arguments": "{\\"summary\\": \\"They met.\\"}"}',
        '{"function": {"name": "record_summary", "parameters": {"summary": "They met."}}}',
        '{"record_summary": {"summary": "They met."}}',
        '{not json} {"summary": "They met."}',
    ],
)
async def test_a_form_written_as_words_is_read(text: str) -> None:
    """Where tools cannot be forced, in one call."""
    model = Scripted(says(text))
    assert await filled(model, REQUEST, summary) == "They met."


@pytest.mark.parametrize("first", [says("They met."), says("", summary=7), says("", other=1)])
async def test_an_answer_that_is_no_form_is_asked_for_once_more(first: ModelReply) -> None:
    """With what was wrong and the schema, and its own answer before it."""
    model = Scripted(first, says('{"summary": "They met."}'))
    assert await filled(model, REQUEST, summary) == "They met."
    *_, done, asked = model.asked[1].messages
    assert isinstance(done, ToolRound)
    assert isinstance(asked, UserMessage)
    assert '"summary"' in asked.text
    assert len(done.results) == len(first.calls)


async def test_two_answers_that_are_no_form_are_one_failure() -> None:
    """It is not asked for ever."""
    model = Scripted(says("They met."), says("They did meet."))
    with pytest.raises(FormMisread, match="did not fill in"):
        await filled(model, REQUEST, summary)
    assert len(model.asked) == 2


@pytest.mark.parametrize("reason", ["length", "refusal"])
async def test_what_is_cut_or_refused_is_not_asked_for_again(reason: str) -> None:
    """It would be cut or refused again, and is paid for."""
    model = Scripted(says('{"summary": "They', reason))
    with pytest.raises(FormMisread, match="not whole"):
        await filled(model, REQUEST, summary)
    assert len(model.asked) == 1


async def test_a_model_that_goes_away_between_is_away() -> None:
    """The words are not blamed for it."""
    with pytest.raises(ModelUnavailable):
        await filled(Scripted(says("?"), ModelUnavailable("away")), REQUEST, summary)


def test_objects_are_found_wherever_they_stand() -> None:
    """Those inside others are theirs."""
    text = 'a {"b": {"c": 1}} } { [{"d": 2}] {"e": 3'
    assert list(objects_in(text)) == [{"b": {"c": 1}}, {"d": 2}]


@pytest.mark.parametrize("text", ["{" * 20_000, '{"a":' * 20_000, "[" * 20_000, '{"' * 20_000])
def test_hostile_brackets_hold_nothing(text: str) -> None:
    """And are read in a few tries."""
    assert list(objects_in(text)) == []
    assert forms_in(text, "respond") == []
    assert calls_in(text, ["respond"], place=1) == ()


def test_calls_have_ids_of_their_own() -> None:
    """Within an answer and within a request."""
    text = '{"name": "respond", "arguments": {}} {"name": "respond", "arguments": {}}'
    ids = [call.id for place in (1, 3) for call in calls_in(text, ["respond"], place=place)]
    assert len(set(ids)) == 4


def test_a_call_of_what_was_not_offered_is_none() -> None:
    """It is words then."""
    assert calls_in('{"name": "fly", "arguments": {}}', ["respond"], place=1) == ()
