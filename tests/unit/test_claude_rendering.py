"""A request is rendered so that the Messages API takes it, whatever happened in the turn."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ModelAccessDenied, ModelRefused, ModelUnavailable
from bot.llm.messages_api.answer import Verbatim, reply_of, thoughts_of
from bot.llm.messages_api.request import PLAIN, body_of, traits_of
from bot.llm.service.options import ServiceOptions
from bot.llm.service.refusals import refusal
from bot.model.requests import (
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    Purpose,
    ToolCall,
    ToolResult,
    ToolRound,
    ToolSpec,
    Usage,
    UserMessage,
)
from tests.edge.messages_rules import violations

HEADERS = {
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
    "authorization": "Bearer key",
}
RESPOND = ToolSpec(name="respond", description="Say it.", schema={"type": "object"})
SEARCH = ToolSpec(name="search_memories", description="Look it up.", schema={"type": "object"})
BLOCK = "[Memory - facts you know]\n• dev = Mickael (3 days ago)  \n"


def asking(*messages: ModelMessage, force: str | None = None, system: str = "Be brief.") -> Any:
    """A request with these messages."""
    return ModelRequest(
        system=system,
        messages=messages,
        tools=(SEARCH, RESPOND),
        purpose=Purpose.TURN,
        max_tokens=300,
        force=force,
    )


def body(*messages: ModelMessage, caching: bool = False, **more: Any) -> dict[str, Any]:
    """The body of a request with these messages."""
    return body_of(asking(*messages, **more), model="any-name", caching=caching)


def said(text: str, injection: str = "") -> UserMessage:
    """Words of david."""
    return UserMessage(text=text, speaker="", injection=injection)


def round_of(*ids: str, text: str = "", results: tuple[ToolResult, ...] | None = None) -> ToolRound:
    """A round of searches with these call ids, all answered unless `results` says otherwise."""
    return ToolRound(
        text=text,
        calls=tuple(ToolCall(id=i, name="search_memories", arguments={"query": i}) for i in ids),
        results=tuple(ToolResult(call_id=i, text=f"found {i}") for i in ids)
        if results is None
        else results,
    )


def marks(rendered: dict[str, Any]) -> list[str]:
    """Where the cache breakpoints stand, as paths."""
    places = {"system": rendered.get("system", []), "tools": rendered.get("tools", [])}
    for at, message in enumerate(rendered["messages"]):
        places[f"messages.{at}"] = message["content"]
    return [
        f"{place}.{at}"
        for place, blocks in places.items()
        for at, block in enumerate(blocks)
        if "cache_control" in block
    ]


def test_the_injection_stands_before_the_words_and_neither_is_changed() -> None:
    """Both are sent byte for byte, each in a block of its own."""
    (message,) = body(said("david: salut  \n", BLOCK))["messages"]
    assert message == {
        "role": "user",
        "content": [{"type": "text", "text": BLOCK}, {"type": "text", "text": "david: salut  \n"}],
    }


def test_words_without_an_injection_are_one_block() -> None:
    """Nothing recalled leaves no trace."""
    (message,) = body(said("hello"))["messages"]
    assert message["content"] == [{"type": "text", "text": "hello"}]


def test_neighbouring_words_become_one_message_of_several_blocks() -> None:
    """Two batches without an answer between them keep the roles alternating."""
    (message,) = body(said("one"), said("two", BLOCK))["messages"]
    assert [block["text"] for block in message["content"]] == ["one", BLOCK, "two"]


def test_a_round_is_the_calls_and_then_one_message_with_every_result() -> None:
    """Calls are answered in their own order, a failure says that it is one."""
    results = (
        ToolResult(call_id="b", text="no such id", failed=True),
        ToolResult(call_id="a", text="ok"),
    )
    _, asked, answered = body(said("hi"), round_of("a", "b", text="Let me see.", results=results))[
        "messages"
    ]
    assert [block["type"] for block in asked["content"]] == ["text", "tool_use", "tool_use"]
    assert asked["role"] == "assistant"
    assert answered == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
            {
                "type": "tool_result",
                "tool_use_id": "b",
                "content": "no such id",
                "is_error": True,
            },
        ],
    }


def test_a_call_without_a_result_is_answered_as_failed() -> None:
    """An open call would make the API refuse the whole conversation."""
    result = body(said("hi"), round_of("a", results=()))["messages"][-1]["content"][0]
    assert result["tool_use_id"] == "a"
    assert result["is_error"] is True
    assert result["content"]


def test_a_result_that_answers_no_call_is_left_out() -> None:
    """The API refuses results that nobody asked for."""
    stray = (ToolResult(call_id="a", text="ok"), ToolResult(call_id="z", text="who?"))
    results = body(said("hi"), round_of("a", results=stray))["messages"][-1]["content"]
    assert [block["tool_use_id"] for block in results] == ["a"]


def test_a_round_without_calls_ends_with_the_user() -> None:
    """A model that only talked can be asked again without putting words in its mouth."""
    roles = [m["role"] for m in body(said("hi"), round_of(text="Hello."))["messages"]]
    assert roles == ["user", "assistant", "user"]


def test_a_name_the_model_invented_is_made_to_fit() -> None:
    """A call of a tool that cannot exist is replayed without being refused."""
    odd = ToolRound(
        text="", calls=(ToolCall(id="a", name="memory.search text!", arguments={}),), results=()
    )
    call = body(said("hi"), odd)["messages"][1]["content"][0]
    assert call["name"] == "memory_search_text_"


def test_a_forced_tool_is_the_tool_choice() -> None:
    """The last round of a turn must answer."""
    assert body(said("hi"), force="respond")["tool_choice"] == {"type": "tool", "name": "respond"}


def test_nothing_is_forced_without_being_asked() -> None:
    """The model chooses by itself."""
    assert "tool_choice" not in body(said("hi"))


def test_no_sampling_parameter_is_sent() -> None:
    """Current models refuse them."""
    assert body(said("hi")).keys() == {"model", "max_tokens", "messages", "system", "tools"}


def test_an_empty_system_text_and_no_tools_are_left_out() -> None:
    """The API refuses blank text and empty lists."""
    request = ModelRequest(
        system=" ", messages=(said("hi"),), tools=(), purpose=Purpose.DIGEST, max_tokens=9
    )
    rendered = body_of(request, model="m", caching=True)
    assert rendered.keys() == {"model", "max_tokens", "messages"}


def test_without_caching_there_is_no_trace_of_it() -> None:
    """Local servers may not know the field."""
    rendered = body(said("one"), AssistantMessage(text="1"), said("two"), round_of("a"))
    assert "cache_control" not in json.dumps(rendered)


def test_with_caching_the_breakpoints_stand_on_what_the_next_turn_repeats() -> None:
    """Tools, system, the end of the window before the words being answered, and the last round."""
    rendered = body(
        said("one", BLOCK), AssistantMessage(text="1"), said("two"), round_of("a"), caching=True
    )
    assert marks(rendered) == ["system.0", "tools.1", "messages.1.0", "messages.4.0"]


def test_the_first_words_of_a_session_have_no_window_to_cache() -> None:
    """They are marked themselves: the next round, and the next turn, begin with them."""
    rendered = body(said("one", BLOCK), caching=True)
    assert marks(rendered) == ["system.0", "tools.1", "messages.0.1"]


def test_what_is_asked_once_is_not_written_to_the_cache() -> None:
    """A stretch of talk that is read for facts begins no other request."""
    words, purpose = (said("one"),), Purpose.EXTRACTION
    request = ModelRequest(system="R", messages=words, tools=(), purpose=purpose, max_tokens=1)
    assert marks(body_of(request, model="m", caching=True)) == ["system.0"]


def test_the_breakpoint_stays_before_the_words_that_were_merged_after_it() -> None:
    """Unanswered words before the current ones are stable, the current ones may not be."""
    rendered = body(said("one"), said("two", BLOCK), caching=True)
    assert marks(rendered)[2:] == ["messages.0.0", "messages.0.2"]


def test_the_next_turn_repeats_the_cached_prefix_byte_for_byte() -> None:
    """What was sent before the new words is what was sent in the turn before."""
    first = body(said("one", BLOCK), AssistantMessage(text="1"), said("two", BLOCK))["messages"]
    second = body(
        said("one", BLOCK),
        AssistantMessage(text="1"),
        said("two", BLOCK),
        AssistantMessage(text="2"),
        said("three"),
    )["messages"]
    assert json.dumps(second[: len(first)]) == json.dumps(first)


@pytest.mark.parametrize(
    ("model", "thinking", "effort", "forced"),
    [
        ("claude-haiku-5-5", "disabled", None, True),
        ("claude-sonnet-5", "disabled", None, True),
        ("claude-sonnet-5-5", "between_tools", None, False),
        ("anthropic/claude-sonnet-5.5", "between_tools", None, False),
        ("claude-opus-5", "disabled", None, True),
        ("claude-opus-5-5", None, "low", False),
        ("claude-fable-5-1", None, "low", False),
        ("claude-haiku-4-5", None, None, True),
        ("claude-opus-4-8", None, None, True),
        ("qwen3:4b", None, None, True),
        ("opus-5-mini-of-someone", None, None, True),
    ],
)
def test_each_model_is_asked_to_think_as_little_as_it_can(
    *, model: str, thinking: str | None, effort: str | None, forced: bool
) -> None:
    """A field that one family needs is refused by another."""
    rendered = body_of(asking(said("hi"), force="respond"), model=model, caching=False)
    assert rendered.get("thinking", {}).get("type") == thinking
    assert rendered.get("output_config", {}).get("effort") == effort
    assert ("tool_choice" in rendered) is forced
    assert violations(HEADERS, rendered) == []


def test_a_model_that_cannot_be_forced_is_told_after_everything_else() -> None:
    """The words before it stay as they were, so that what is cached stays cached."""
    request = asking(said("hi", BLOCK), force="respond")
    free = body_of(asking(said("hi", BLOCK)), model="claude-opus-5-5", caching=False)
    told = body_of(request, model="claude-opus-5-5", caching=False)
    *before, last = told["messages"][0]["content"]
    assert before == free["messages"][0]["content"]
    assert "respond" in last["text"]


def test_thoughts_do_not_eat_the_room_of_the_answer() -> None:
    """Thoughts count as output, so the limit is the answer's and theirs."""
    rendered = body_of(asking(said("hi")), model="claude-opus-5-5", caching=False)
    assert rendered["max_tokens"] == 300 + traits_of("claude-opus-5-5").thought_tokens
    assert PLAIN.thought_tokens == 0


THOUGHT = {"type": "thinking", "thinking": "", "signature": "signed"}


def test_a_round_with_thoughts_is_sent_back_as_it_came() -> None:
    """They are signed: leaving them out or moving them is refused."""
    content = [
        THOUGHT,
        {"type": "text", "text": "Let me see. "},
        {"type": "tool_use", "id": "a", "name": "search_memories", "input": {"query": "x"}},
    ]
    came = json.dumps({"content": content}).encode()
    reply = reply_of(came, model="m")
    messages = (said("hi"), ToolRound(text=reply.text, calls=reply.calls, results=()))
    rendered = body_of(
        asking(*messages), model="m", caching=True, verbatim=thoughts_of(came, reply)
    )
    assert rendered["messages"][1]["content"] == content
    assert violations(HEADERS, rendered) == []


def test_thoughts_of_an_earlier_turn_are_not_sent_back() -> None:
    """They are bound to what stood before them, and an injection may have gone since."""
    kept: Verbatim = {("a",): [THOUGHT, tool_use({}, id="a")]}
    rendered = body_of(
        asking(said("hi"), round_of("a"), said("and?")), model="m", caching=False, verbatim=kept
    )
    assert "signed" not in json.dumps(rendered)


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "tool_use", "id": "a", "name": "respond", "input": {}}],
        [THOUGHT, {"type": "text", "text": "Hello."}],
        [THOUGHT, {"type": "tool_use", "id": "not an id", "name": "respond", "input": {}}],
    ],
)
def test_only_thoughts_of_calls_that_can_be_answered_are_kept(content: list[Any]) -> None:
    """Nothing else needs to come back as it came."""
    came = json.dumps({"content": content}).encode()
    assert thoughts_of(came, reply_of(came, model="m")) == {}


texts = st.sampled_from(["", " ", "\n", "hi", "• dev = Mickael\n", "é\u200b"])
saids = st.builds(said, texts, texts)
rounds = st.builds(
    lambda text, names, kept: (text, names, kept), texts, st.lists(texts, max_size=3), st.booleans()
)
histories = st.lists(
    st.one_of(saids, texts.map(lambda t: AssistantMessage(text=t)), rounds), max_size=7
)


def placed(history: list[Any]) -> list[ModelMessage]:
    """The history with every drawn round made whole: ids of its own, results kept or lost."""
    made: list[ModelMessage] = []
    for at, item in enumerate(history):
        if isinstance(item, tuple):
            text, names, kept = item
            calls = tuple(
                ToolCall(id=f"t{at}_{n}", name=name, arguments={}) for n, name in enumerate(names)
            )
            results = tuple(ToolResult(call_id=c.id, text=text) for c in calls if kept)
            made.append(ToolRound(text=text, calls=calls, results=results))
        else:
            made.append(item)
    return made


@given(
    first=saids,
    history=histories,
    last=saids,
    after=st.lists(rounds, max_size=3),
    caching=st.booleans(),
)
def test_any_turn_obeys_every_rule_of_the_api(
    *, first: UserMessage, history: list[Any], last: UserMessage, after: list[Any], caching: bool
) -> None:
    """Whatever is blank, missing or repeated, the request is one the API takes."""
    messages = [first, *placed([*history, last, *after])]
    assert violations(HEADERS, body(*messages, caching=caching)) == []


def answer(*content: dict[str, Any], **fields: Any) -> bytes:
    """An answer of the service."""
    usage = {"input_tokens": 7, "output_tokens": 2}
    whole = {"content": list(content), "model": "m-1", "stop_reason": "end_turn", "usage": usage}
    return json.dumps({**whole, **fields}).encode()


def tool_use(arguments: Any, **fields: Any) -> dict[str, Any]:
    """A call in an answer."""
    return {"type": "tool_use", "id": "toolu_1", "name": "respond", "input": arguments, **fields}


def test_texts_are_joined_and_thinking_is_not_said() -> None:
    """Only what is meant for people is text."""
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    one, two = {"type": "text", "text": "One."}, {"type": "text", "text": "Two."}
    assert reply_of(answer(thinking, one, two), model="asked").text == "One.\nTwo."


@pytest.mark.parametrize(
    ("given_arguments", "read"),
    [
        ({"message": "hi"}, {"message": "hi"}),
        ('{"message": "hi"}', {"message": "hi"}),
        ("{broken", {}),
        ('["a"]', {}),
        (["a"], {}),
        (None, {}),
        (5, {}),
        ({"message": float("nan")}, {}),
        ('{"message": "\\ud83d"}', {}),
    ],
)
def test_arguments_are_an_object_or_none_at_all(given_arguments: Any, read: Any) -> None:
    """Malformed arguments never crash and can always be sent back."""
    (call,) = reply_of(answer(tool_use(given_arguments)), model="m").calls
    assert call.arguments == read


@pytest.mark.parametrize("ids", [("", ""), ("same", "same"), (None, "a b"), ("x" * 65, "é")])
def test_calls_get_ids_of_their_own_when_the_server_gave_none(ids: tuple[Any, Any]) -> None:
    """A result must be able to name its call."""
    calls = reply_of(answer(*(tool_use({}, id=i) for i in ids)), model="m").calls
    assert len({call.id for call in calls}) == 2
    replayed = body(said("hi"), ToolRound(text="", calls=calls, results=()))
    assert violations(HEADERS, replayed) == []


@pytest.mark.parametrize(
    ("reason", "content", "meant"),
    [
        ("end_turn", {"type": "text", "text": "hi"}, "end"),
        ("stop_sequence", {"type": "text", "text": "hi"}, "end"),
        ("pause_turn", {"type": "text", "text": "hi"}, "end"),
        (None, {"type": "text", "text": "hi"}, "end"),
        ("a reason of next year", {"type": "text", "text": "hi"}, "end"),
        ("tool_use", tool_use({}), "tools"),
        ("end_turn", tool_use({}), "tools"),
        ("tool_use", {"type": "text", "text": "hi"}, "end"),
        ("max_tokens", tool_use({}), "length"),
        ("model_context_window_exceeded", {"type": "text", "text": "hi"}, "length"),
        ("refusal", {"type": "text", "text": "hi"}, "refusal"),
    ],
)
def test_a_stop_reason_says_what_to_do_next(
    reason: str | None, content: dict[str, Any], meant: str
) -> None:
    """Reasons of servers and years to come are read by what came with them."""
    assert reply_of(answer(content, stop_reason=reason), model="m").stop_reason == meant


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({}, Usage()),
        ("much", Usage()),
        ({"input_tokens": None, "output_tokens": -4}, Usage()),
        (
            {
                "input_tokens": 5,
                "output_tokens": 6,
                "cache_read_input_tokens": 70,
                "cache_creation_input_tokens": 8,
            },
            Usage(input=5, output=6, cache_read=70, cache_write=8),
        ),
    ],
)
def test_usage_is_counted_or_zero(usage: Any, counted: Usage) -> None:
    """A server that does not count costs nothing."""
    assert reply_of(answer(usage=usage), model="m").usage == counted


def test_the_model_is_the_one_that_answered_or_the_one_that_was_asked() -> None:
    """The ledger always has a name."""
    assert reply_of(answer(), model="asked").model == "m-1"
    assert reply_of(answer(model=None), model="asked").model == "asked"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ModelRefused),
        (401, ModelAccessDenied),
        (402, ModelAccessDenied),
        (403, ModelAccessDenied),
        (404, ModelAccessDenied),
        (408, ModelUnavailable),
        (409, ModelUnavailable),
        (413, ModelRefused),
        (422, ModelRefused),
        (429, ModelUnavailable),
        (500, ModelUnavailable),
        (503, ModelUnavailable),
        (529, ModelUnavailable),
    ],
)
def test_a_status_means_one_error(status: int, error: type[Exception]) -> None:
    """What passes is unavailable, what will not help is refused."""
    assert type(refusal(status, "some_error")) is error


def test_the_sentence_of_a_refusal_quotes_no_free_text() -> None:
    """An error type that is none could be anything, a key included."""
    assert "sk-ant" not in str(refusal(401, "bad key sk-ant-1"))


def test_the_key_is_not_printed_with_the_options() -> None:
    """Options end up in logs and tracebacks."""
    assert "sk-ant-secret" not in repr(ServiceOptions(api_key="sk-ant-secret", model="m"))


def test_the_speaker_is_named_before_the_words() -> None:
    """The injection stays as it was made; the words say whose they are."""
    asked = body(UserMessage(text="salut\nça va ?", speaker="David", injection="[Memory]"))
    blocks = asked["messages"][0]["content"]
    assert [block["text"] for block in blocks] == ["[Memory]", "David: salut\n  ça va ?"]
