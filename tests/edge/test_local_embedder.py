"""The local embedder runs a model of this machine: bounded, lazy, off the event loop."""

import asyncio
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("fastembed", reason="the extra `local` is not installed")
pytest.importorskip("onnx", reason="the tiny model is made with it")

from memory.embedders.local import BATCH, LocalEmbedder
from memory.model.errors import EmbeddingFailed
from memory.ports import Vectors
from memory.vectors import direction_of
from tests.tiny_model import DIMENSION, tiny_model


async def test_long_texts_are_cut_at_512_tokens(tmp_path: Path) -> None:
    """The model would fail on one more; what stands behind the cut says nothing."""
    embedder = LocalEmbedder(tiny_model(["word"]).installed(tmp_path))
    begin = "word " * 511  # and the token that each text begins with
    cut, longer = await embedder.embed([begin, begin + "z " * 400], "document")
    assert cut == pytest.approx(longer, abs=1e-6)
    within, other = await embedder.embed(["word " * 100, "word " * 100 + "z " * 400], "document")
    assert within != pytest.approx(other, abs=1e-2)


@pytest.mark.parametrize("most_texts", [BATCH, BATCH - 1])
async def test_four_texts_are_computed_at_a_time(tmp_path: Path, most_texts: int) -> None:
    """A model that takes four takes any number; one that takes three says that four came."""
    embedder = LocalEmbedder(tiny_model(most_texts=most_texts).installed(tmp_path))
    texts = [f"text {n}" for n in range(11)]
    if most_texts < BATCH:
        with pytest.raises(EmbeddingFailed, match=r"tiny failed on a text"):
            await embedder.embed(texts, "document")
    else:
        assert (await embedder.embed(texts, "document")).shape == (11, DIMENSION)


async def test_the_first_token_stands_for_the_text_where_a_model_says_so(tmp_path: Path) -> None:
    """As pinned with the model: here it is the same for every text."""
    embedder = LocalEmbedder(tiny_model(pooling="first").installed(tmp_path))
    for row in await embedder.embed(["one", "another text"], "query"):
        assert row == pytest.approx(direction_of("[CLS]", DIMENSION), abs=1e-5)


async def test_what_fills_a_batch_says_nothing(tmp_path: Path) -> None:
    """A short text beside a long one has the vector it has alone."""
    embedder = LocalEmbedder(tiny_model().installed(tmp_path))
    short, _ = await embedder.embed(["ab", "a b c d e f g h"], "document")
    (alone,) = await embedder.embed(["ab"], "document")
    assert short == pytest.approx(alone, abs=1e-6)


async def test_a_model_that_is_not_there_is_found_once_it_comes(tmp_path: Path) -> None:
    """Making one asks for nothing; the sentence names the command; no restart is needed."""
    model = tiny_model()
    embedder = LocalEmbedder(model.folder(tmp_path))
    assert embedder.fingerprint.dimension == DIMENSION
    with pytest.raises(EmbeddingFailed, match=r"eko embedder download"):
        await embedder.embed(["hello"], "query")
    model.installed(tmp_path)
    assert (await embedder.embed(["hello"], "query")).shape == (1, DIMENSION)


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
async def test_a_damaged_model_is_told(tmp_path: Path, file: str) -> None:
    """A file of the right size that holds something else."""
    folder = tiny_model().installed(tmp_path)
    path = folder.path / file
    path.write_bytes(b"\0" * path.stat().st_size)
    with pytest.raises(EmbeddingFailed, match=r"cannot be loaded: eko embedder download"):
        await LocalEmbedder(folder).embed(["hello"], "query")


async def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the pet runs without it."""
    monkeypatch.setitem(sys.modules, "fastembed", None)
    embedder = LocalEmbedder(tiny_model().installed(tmp_path))
    with pytest.raises(EmbeddingFailed, match=r"pip install .*\[local\]"):
        await embedder.embed(["hello"], "query")


async def test_it_loads_and_computes_in_other_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop has nothing to do with it."""
    embedder = LocalEmbedder(tiny_model().installed(tmp_path))
    mine = threading.get_ident()
    asked: list[int] = []
    compute = embedder._embedded

    def computed(texts: list[str]) -> Vectors:
        asked.append(threading.get_ident())
        return compute(texts)

    monkeypatch.setattr(embedder, "_embedded", computed)
    await embedder.embed(["hello"], "query")
    assert asked
    assert mine not in asked


async def test_a_question_does_not_wait_for_all_documents(tmp_path: Path) -> None:
    """Each kind has its turn: a thousand texts are under way, and the question is through."""
    embedder = LocalEmbedder(tiny_model().installed(tmp_path))
    await embedder.embed(["hello"], "query")
    many = asyncio.create_task(embedder.embed([f"text {n}" for n in range(2000)], "document"))
    await asyncio.sleep(0)
    rows = await embedder.embed(["a question"], "query")
    assert np.isfinite(rows).all()
    assert not many.done()
    await many
