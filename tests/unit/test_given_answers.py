"""What a broken server sends is read as far as it can be meant."""

import json

from bot.llm.chat_completions.answer import reply_of as completion_of
from bot.llm.messages_api.answer import reply_of as message_of
from bot.llm.service.answers import LONGEST_ANSWER

HUGE = 10**30
LONG = "a" * 10_000_000


def test_a_count_that_no_call_takes_fits_a_database() -> None:
    """Of either API, in every field."""
    usage = {"input_tokens": HUGE, "output_tokens": HUGE, "cache_read_input_tokens": HUGE}
    said = {"content": [{"type": "text", "text": "oui"}], "usage": usage}
    counted = message_of(json.dumps(said).encode(), model="m").usage
    assert max(counted.input, counted.output, counted.cache_read) < 2**40
    usage = {"prompt_tokens": HUGE, "completion_tokens": HUGE}
    said = {"choices": [{"message": {"content": "oui"}}], "usage": usage}
    counted = completion_of(json.dumps(said).encode(), model="m").usage
    assert max(counted.input, counted.output) < 2**40


def test_a_reply_of_megabytes_is_cut() -> None:
    """As words, and as the argument of a call: a room would get it as thousands of messages."""
    said = {"content": [{"type": "text", "text": LONG}]}
    assert len(message_of(json.dumps(said).encode(), model="m").text) <= LONGEST_ANSWER
    answer = {"choices": [{"message": {"content": LONG}}]}
    assert len(completion_of(json.dumps(answer).encode(), model="m").text) <= LONGEST_ANSWER
    call = {"type": "tool_use", "id": "1", "name": "respond", "input": {"message": LONG}}
    (made,) = message_of(json.dumps({"content": [call]}).encode(), model="m").calls
    assert made.arguments == {}
