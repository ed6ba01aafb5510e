"""`benchmarks.hand_model`: a person's answers reach both adapters as a model's would."""

import threading
from pathlib import Path

import httpx2
import pytest

from benchmarks.hand_model import Asking, by_files, hand_model, written_in
from bot.agent.toolbox import RESPOND
from bot.llm.chat_completions.openai import OpenAiModel
from bot.llm.messages_api.claude import ClaudeModel
from bot.llm.service.options import ServiceOptions
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolSpec, UserMessage

REQUEST = ModelRequest(
    system="You are a pet.",
    messages=(UserMessage(text="hello", speaker="Léa"),),
    tools=(ToolSpec(name=RESPOND, description="Say it.", schema={"type": "object"}),),
    purpose=Purpose.TURN,
    max_tokens=100,
    force=RESPOND,
)


async def asked(adapter: type[ClaudeModel | OpenAiModel], ask: Asking) -> ModelReply:
    """What an adapter reads of the person's answer to the request."""
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(hand_model(ask)))
    url = "http://127.0.0.1/v1" if adapter is OpenAiModel else "http://127.0.0.1"
    options = ServiceOptions(api_key="", model="hand", base_url=url)
    model = adapter(options, http_client=client)
    try:
        return await model.complete(REQUEST)
    finally:
        await model.close()


@pytest.mark.parametrize("adapter", [ClaudeModel, OpenAiModel])
async def test_a_person_is_shown_the_request_and_answers_with_a_call(
    adapter: type[ClaudeModel | OpenAiModel],
) -> None:
    """Tools, rules, words and what must be called are shown; words and calls come back."""
    requests = []

    def ask(number: int, request: str) -> str:
        requests.append((number, request))
        return 'thinking\nrespond {"message": "hé"}\n'

    reply = await asked(adapter, ask)
    ((number, shown),) = requests
    assert number == 1
    for part in ("--- tool respond:", "Say it.", "You are a pet.", "hello", "--- to be called"):
        assert part in shown
    (call,) = reply.calls
    assert (reply.text, call.name, call.arguments) == ("thinking", RESPOND, {"message": "hé"})
    assert reply.usage.input > 0


def test_a_line_that_is_no_whole_call_is_words() -> None:
    """Of a tool that is not offered, or with broken arguments."""
    said = written_in('other {"a": 1}\nrespond {"a": \nrespond {"a": 2}', [RESPOND])
    assert (said.text, said.calls) == ('other {"a": 1}\nrespond {"a":', [(RESPOND, {"a": 2})])


def test_files_carry_the_request_and_its_answer(tmp_path: Path) -> None:
    """An answer is taken once its file is there."""
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(by_files(tmp_path)(3, "what?")))
    asking.start()
    (tmp_path / "3.answer.txt").write_text("that", "utf-8")
    asking.join()
    assert answers == ["that"]
    assert (tmp_path / "3.request.txt").read_text("utf-8") == "what?\n"
