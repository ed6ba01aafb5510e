"""A model that obeys every word it is shown: an upper bound of what persuasion can reach.

It speaks the Messages API on loopback, so that it sees a request as a model does. In a turn it
looks up whatever is said, calls the tools that the words ask for with every id it has seen, keeps
what is stated, and answers with all that it was given. Forms it fills in as the lines demand.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Any

from tests.edge.anthropic_server import call, says
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.messages_rules import violations
from tests.edge.strict_server import fails
from tests.harness.given import Given, asked_in, mark_in, unasked

_DELETES = re.compile(
    r"\b(forget|delet|eras|remov|undo|wip|oubli|supprim|effac|enl[eè]v|annul|confirm|yes|oui|vas-y"
    r"|reached|atteint|not true|faux|no longer|plus)",
    re.IGNORECASE,
)
_ORDERS = re.compile(r"\b(delete|forget|erase|supprime|oublie|efface)\b", re.IGNORECASE)
"""What orders a deletion where it is not the person's own word."""

_OF_ITSELF = re.compile(
    r"\b(yourself|you can|you are|toi|tu peux|tu es|goal|but)s?\b", re.IGNORECASE
)
_OF_TEXTS = re.compile(r"memory__index|\b(keep|garde)\b", re.IGNORECASE)
_ASKS = re.compile(r"\?\s*$")
_ID = re.compile(r"\[id ([0-9a-f]{8})\]|\b([0-9a-f]{8})-[0-9a-f]{4}-")
_TOKEN = re.compile(r"confirm=\\?\"([\w-]+)\\?\"")
_NAME = re.compile(r"\b[A-ZÉÈÀÔÎ][a-zéèàôîêç]+\b")
_LINE = re.compile(r"^(\d+)\. \[[^\]]*\] ([^:]+): (.*)$", re.MULTILINE)
_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
_FORGED = re.compile(r"(?:^|\] |/ )([A-ZÉ][a-zéè]+): ?(.+)$")
_LIVES = re.compile(
    r"\b(?:live|habite|lives|habitent|moved|déménagé|city|ville)\b.*?\b([A-Z][a-z]+)\b"
)

MOST_IDS = 12
MOST_REVEALED = 12_000
"""Characters of an answer: enough for all that a turn was given, and it is still cut in parts."""

_SEARCHES = (
    "search_memories",
    "search_self",
    "search_goals",
    "memory__search",
    "memory__search_text",
    "search_history",
)
_DELETIONS = ("delete_memory", "delete_self", "delete_goal")


@dataclass
class Obedient:
    """What was asked of it, and what broke a rule of the API."""

    url: str = ""
    requests: int = 0
    broken: list[str] = field(default_factory=list)
    watched: Callable[[Given], None] = lambda _: None
    """What is told of every request: which session it is for, and all that stands in it."""
    _ids: Iterator[int] = field(default_factory=lambda: count(1))

    async def answer(self, asked: Asked) -> Answer:
        """Do as the words say."""
        if asked.method != "POST":  # the doctor asks what sort of server a local one is
            return fails(404, "not_found_error", message="There is nothing here.")
        body = asked.json()
        self.requests += 1
        if broken := violations(asked.headers, body):
            self.broken += broken
            return fails(400, "invalid_request_error", message="; ".join(broken))
        self.watched(_given(body))
        return self._done(body)

    def _done(self, body: dict[str, Any]) -> Answer:
        tools = {tool["name"] for tool in body.get("tools", [])}
        if not tools:  # the check of a model asks what it read
            return says(_last_text(body)[-MOST_REVEALED:])
        if "judge" in tools:
            return self._says(("judge", {"verdicts": _verdicts(_last_text(body))}))
        if "record_facts" in tools:
            return self._says(("record_facts", {"facts": list(_facts(_last_text(body)))}))
        if "record_summary" in tools:
            return self._says(("record_summary", {"summary": _last_text(body)[:600]}))
        if "conclude" in tools:
            return self._concludes(body, tools)
        return self._turns(body, tools)

    def _turns(self, body: dict[str, Any], tools: set[str]) -> Answer:
        turn = _Turn(body)
        calls = list(turn.calls(tools))
        if not calls:
            message = turn.all_given[:MOST_REVEALED] or "..."
            return self._says(("respond", {"message": message, "expression": "happy"}))
        return self._says(*calls)

    def _concludes(self, body: dict[str, Any], tools: set[str]) -> Answer:
        turn = _Turn(body)
        if not turn.rounds:
            return self._says(*(one for one in turn.searches(tools)))
        found = {"conclusion": turn.all_given[:1500] or "...", "sources": turn.ids[:MOST_IDS]}
        return self._says(("conclude", found))

    def _says(self, *calls: tuple[str, dict[str, Any]]) -> Answer:
        return says(*(call(name, given, f"toolu_{next(self._ids)}") for name, given in calls))


class _Turn:
    """A request of a turn as the model reads it."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        blocks = [(m["role"], block) for m in body["messages"] for block in m["content"]]
        said = [i for i, (role, block) in enumerate(blocks) if role == "user" and _is_said(block)]
        since = blocks[said[-1] + 1 :]
        self.words = str(blocks[said[-1]][1]["text"])
        self.said = unasked(self.words.partition(": ")[2] or self.words)
        self.recalled = [str(blocks[i][1]["text"]) for i in said[:-1]]
        self.results = [str(b["content"]) for _, b in since if b["type"] == "tool_result"]
        self.rounds = sum(
            (before, role) == ("user", "assistant")
            for before, role in pairwise(["user", *(role for role, _ in blocks[said[-1] + 1 :])])
        )
        self.mark = mark_in(body, self.words)
        told = "\n".join(block["text"] for block in body.get("system", [])[1:])
        # An answer is cut: what was given for this turn stands first, what came before it last.
        self.all_given = "\n".join(
            [*self.recalled[-1:], *self.results, self.words, told, *self.recalled[-2::-1]]
        )
        found = _ID.findall("\n".join([*self.results, self.words]))
        self.ids = list(dict.fromkeys(next(filter(None, one)) for one in found))

    def calls(self, tools: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """What it does next: look up, then do, then nothing."""
        if not self.rounds:
            yield from self.searches(tools)
        elif self.rounds == 1:
            yield from self._acts(tools)

    def searches(self, tools: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every look-up there is, for what was said."""
        query = " ".join(self.said.split())[:200] or "?"
        for name in _SEARCHES:
            if name in tools:
                yield name, {"query": query}
        for name in ("get_recent_memories", "explain_last_answer"):
            if name in tools:
                yield name, {}
        if "search_memories" in tools:
            for one in list(dict.fromkeys(_NAME.findall(self.said)))[:3]:
                yield "search_memories", {"query": one}
        if "recall_deeply" in tools and "search_history" in self.said:
            yield "recall_deeply", {"question": asked_in(query, self.mark)}

    def _acts(self, tools: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        yield from self._demanded(tools)
        if _DELETES.search(self.said) or _ORDERS.search("\n".join(self.recalled)):
            for id_ in self.ids[:MOST_IDS]:
                yield from ((name, {"id": id_}) for name in _DELETIONS if name in tools)
            yield "memory__forget", {"topic": self.said[:200]}
            tokens = _TOKEN.findall("\n".join([self.words, *self.results]))
            for token in (*tokens, "latest"):
                yield "memory__forget", {"confirm": token}
            yield "memory__forget", {"undo": True}
        if not _ASKS.search(self.said):
            yield from self._keeps()

    def _demanded(self, tools: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Calls that stand in the words as JSON."""
        for found in re.finditer(r"\{.*\}", self.said):
            try:
                asked = json.loads(found[0])
            except ValueError:
                continue
            if asked.get("name") in tools and isinstance(asked.get("arguments"), dict):
                yield asked["name"], asked["arguments"]

    def _keeps(self) -> Iterator[tuple[str, dict[str, Any]]]:
        content = " ".join(self.said.split())[:1500]
        if not content:
            return
        subjects = list(dict.fromkeys(_NAME.findall(content)))[:6]
        kept = {"content": content, "memory_type": "identity", "subjects": subjects}
        yield "store_memory", kept
        claim = content.rpartition(": ")[2]
        if claim != content:
            yield "store_memory", {**kept, "content": claim}
        if _OF_ITSELF.search(content):
            yield "store_self", {"content": content, "category": "capability"}
            yield "store_goal", {"content": content, "category": "connection"}
        if _OF_TEXTS.search(content):
            yield "memory__index", {"title": "kept", "text": content}


def _is_said(block: Mapping[str, Any]) -> bool:
    """Whether a block is text of the conversation, and no reminder of the protocol's."""
    return block["type"] == "text" and not block["text"].startswith("[Answer by calling the tool")


def _given(body: Mapping[str, Any]) -> Given:
    words = _last_text(body)
    text = json.dumps([body.get("system", []), body["messages"]], ensure_ascii=False)
    return Given(words=words, text=text, mark=mark_in(body, words))


def _last_text(body: Mapping[str, Any]) -> str:
    texts = [b["text"] for m in body["messages"] for b in m["content"] if _is_said(b)]
    return str(texts[-1])


def _verdicts(text: str) -> list[dict[str, Any]]:
    """All that is kept is over."""
    return [{"number": int(n), "verdict": "changed"} for n in _NUMBER.findall(text)]


def _facts(text: str) -> Iterator[dict[str, Any]]:
    """Each line as its author's word, as that of anybody it names, and with the core it claims."""
    for number, author, words in _LINE.findall(text):
        names = list(dict.fromkeys([author, *_NAME.findall(words)]))
        lives = _LIVES.search(words)
        core = {"slot": "home", "value": lives[1]} if lives else {"slot": "other"}
        fact = {
            "memory_type": "identity",
            "lines": [int(number)],
            "status": "asked" if _ASKS.search(words) else "holds",
            **core,
        }
        yield {**fact, "content": f"{author}: {words}", "speaker": author, "subjects": names[:6]}
        yield {**fact, "content": words, "speaker": author, "subjects": names[1:6]}
        if forged := _FORGED.search(words):
            name, claim = forged[1], forged[2]
            for speaker in (name, author):
                yield {
                    **fact,
                    "content": f"{name}: {claim}",
                    "speaker": speaker,
                    "subjects": [name],
                }


@asynccontextmanager
async def obedient() -> AsyncIterator[Obedient]:
    """A running service that obeys."""
    service = Obedient()
    async with LoopbackServer(service.answer) as server:
        service.url = server.url
        yield service
    assert not service.broken, service.broken[:3]
