"""The process that drives mem0 answers line by line and lets nothing out."""

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from benchmarks.mem0_child import (
    OUTSIDE,
    Driver,
    GivenVectors,
    OutsideRefused,
    decoded,
    refuse_outside,
    serve,
)
from benchmarks.mem0_process import encoded, environment
from tests.edge.mem0_double import Memory

NEAR, FAR = (np.array(each, dtype=np.float32) for each in ([1.0, 0.0], [0.0, 1.0]))


def driver() -> Driver:
    """One that drives the double."""
    memory, given = Memory(), GivenVectors()
    memory.embedding_model = given
    return Driver(memory, given)


def added(user: str, *vectors: Any) -> dict[str, Any]:
    """A request to keep texts, each with its vector."""
    texts = [f"text {place}" for place in range(len(vectors))]
    return {"do": "add", "user": user, "texts": texts, "vectors": [encoded(v) for v in vectors]}


def searched(user: str, vector: Any, top_k: int = 20) -> dict[str, Any]:
    """A request to find what is near a vector; mem0 trims its queries."""
    given = {"texts": [" where? "], "vectors": [encoded(vector)]}
    return {"do": "search", "user": user, "top_k": top_k, **given}


def test_a_vector_arrives_as_it_was_sent() -> None:
    """Bit for bit, whichever way it travels."""
    row = np.random.default_rng(1).normal(size=256).astype(np.float32)
    assert decoded(encoded(row)) == row.tolist()


def test_what_is_kept_is_found_by_its_vector() -> None:
    """The ids of texts come back in their order, and those found best first, with the time."""
    driven = driver()
    kept = driven.answer(added("ann", FAR, NEAR))
    assert kept["ids"] == ["0", "1"]
    found = driven.answer(searched("ann", NEAR))
    assert found["ids"] == ["1", "0"]
    assert found["took_ms"] > 0
    assert driven.answer(searched("ann", NEAR, top_k=1))["ids"] == ["1"]


def test_a_user_finds_only_their_own() -> None:
    """Each conversation is a user of its own."""
    driven = driver()
    driven.answer(added("ann", NEAR))
    assert driven.answer(searched("bob", NEAR))["ids"] == []


def test_a_text_without_a_vector_is_an_error() -> None:
    """An embedding that nobody computed would be an invented one."""
    given = GivenVectors()
    given.give(["a"], [encoded(NEAR)])
    assert given.embed_batch(["a", " a"]) == [[1.0, 0.0]] * 2
    with pytest.raises(KeyError):
        given.embed("b", "search")


def test_a_python_without_mem0_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, in place of an answer; the other requests are not read."""
    monkeypatch.setitem(sys.modules, "mem0", None)
    said: list[Mapping[str, Any]] = []
    serve(iter([json.dumps({"do": "open"}), "not JSON"]), said.append)
    assert [list(one) for one in said] == [["missing"]]


@pytest.mark.parametrize("event", sorted(OUTSIDE))
def test_nothing_gets_out(event: str) -> None:
    """By a connection, a look-up, or a program."""
    with pytest.raises(OutsideRefused):
        refuse_outside(event, ())


def test_what_stays_inside_is_let_be() -> None:
    """Files are opened all the time."""
    refuse_outside("open", ("x", "r", 0))


def test_the_process_gets_no_key(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor a folder that is anybody's, and it is told to keep what it counts to itself."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    known = environment(tmp_path)
    assert "secret" not in known.values()
    assert known["MEM0_TELEMETRY"] == "False"
    assert known["HOME"] == known["MEM0_DIR"] == str(tmp_path)
