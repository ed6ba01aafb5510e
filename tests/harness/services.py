"""The services a pet may use, on loopback: each is a function that answers one request.

They keep no request: a harness that looks for memory that grows must not grow itself.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.edge.anthropic_server import call, says
from tests.edge.loopback import Answer, Asked
from tests.edge.messages_rules import violations
from tests.edge.strict_server import fails
from tests.embedder import HashingEmbedder

WORD = re.compile(r"\bk[a-z]{9}k\b")
"""A word that a harness made up: each is said once and stands for one fact."""

_LINE = re.compile(r"^(\d+)\. \[[^\]]*\] ([^:]+): ")

REPLY = "J'ai bien entendu."
"""What the model says in every turn."""

CHARACTERS = 4
"""Of a request or an answer, for each token that is counted."""


@dataclass
class MessagesService:
    """A Messages API that learns a fact from every made-up word.

    It counts calls and tokens by the form that it was asked to fill in.
    """

    calls: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    received: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    async def answer(self, asked: Asked) -> Answer:
        """A filled form, or words in a turn; what breaks a rule of the API is refused."""
        body = asked.json()
        if broken := violations(asked.headers, body):
            self.broken += broken
            return fails(400, "invalid_request_error", message="; ".join(broken))
        form = _form(body)
        given = _filled(form, body)
        sent, received = len(asked.body) // CHARACTERS, len(json.dumps(given)) // CHARACTERS
        self.calls[form] += 1
        self.sent[form] += sent
        self.received[form] += received
        return says(call(form, given), usage={"input_tokens": sent, "output_tokens": received})


def _form(body: dict[str, Any]) -> str:
    """The form that a request wants filled in."""
    names = {tool["name"] for tool in body["tools"]}
    forms = ("judge", "record_facts", "record_summary")
    return next((one for one in forms if one in names), "respond")


def _filled(form: str, body: dict[str, Any]) -> dict[str, Any]:
    match form:
        case "judge":
            return {"verdicts": []}
        case "record_facts":
            return {"facts": list(_facts(body["messages"][-1]["content"][-1]["text"]))}
        case "record_summary":
            return {"summary": "On a parlé de mots."}
    return {"message": REPLY, "expression": "happy"}


def _facts(text: str) -> Iterator[dict[str, Any]]:
    """A fact for each made-up word, of the line it stands in or goes on from."""
    number, speaker = 0, ""
    for line in text.splitlines():
        if begins := _LINE.match(line):
            number, speaker = int(begins[1]), begins[2]
        if not number:
            continue
        for word in WORD.findall(line):
            yield {
                "content": f"{speaker} aime {word}",
                "memory_type": "preference",
                "speaker": speaker,
                "lines": [number],
                "subjects": [speaker],
            }


@dataclass
class EmbeddingService:
    """An embedding service in the shape of Voyage's, by hashes of words."""

    dimension: int = 64
    asked: int = 0

    def __post_init__(self) -> None:
        self._embedder = HashingEmbedder(self.dimension)

    async def answer(self, asked: Asked) -> Answer:
        """A vector for every text."""
        texts = asked.json()["input"]
        self.asked += 1
        vectors = await self._embedder.embed(texts, "document")
        rows = [{"object": "embedding", "embedding": row.tolist(), "index": at}
                for at, row in enumerate(vectors)]  # fmt: skip
        used = {"total_tokens": sum(len(text) // CHARACTERS for text in texts)}
        return _ok({"object": "list", "data": rows, "model": "voyage-3.5", "usage": used})


def _ok(body: object) -> Answer:
    return Answer(body=json.dumps(body).encode())
