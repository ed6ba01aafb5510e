"""A model of a few kilobytes for the local embedder, and a hub on loopback that serves it."""

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from memory.embedders.local_models import LocalModel, PinnedFile, Pooling
from memory.embedders.model_folder import MOST_TOKENS, ModelFolder
from memory.vectors import direction_of

DIMENSION = 64

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TinyModel:
    """The model as it is pinned, and the bytes of its files by their paths at the hub."""

    pinned: LocalModel
    contents: dict[str, bytes]

    def folder(self, root: Path) -> ModelFolder:
        """Where it is below a data folder."""
        return ModelFolder(root / "models", self.pinned)

    def write(self, folder: Path) -> Path:
        """Write its files as the hub has them."""
        for path, content in self.contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        return folder

    def installed(self, root: Path) -> ModelFolder:
        """Its folder below a data folder, with all files in place."""
        folder = self.folder(root)
        folder.copy_from(self.write(root / "hub"), lambda _: None)
        return folder


def tiny_model(
    words: Iterable[str] = (),
    *,
    name: str = "tiny",
    pooling: Pooling = "mean",
    padding: int = 0,
    most_texts: int = 4,
) -> TinyModel:
    """A model whose texts are near when they share these words, and letters otherwise.

    It fails on more than `most_texts` texts at once, or on more tokens of one than the embedder
    promises to read. `padding` bytes make its weights larger.
    """
    tokenizer, vocabulary = _tokenizer(words)
    weights = _weights(vocabulary, most_texts, padding)
    contents = {"tokenizer.json": tokenizer, "onnx/model.onnx": weights}
    files = {
        path: PinnedFile(path=path, size=len(one), sha256=hashlib.sha256(one).hexdigest())
        for path, one in contents.items()
    }
    pinned = LocalModel(
        name=name,
        repository=f"someone/{name}",
        revision=hashlib.sha1(tokenizer + weights + pooling.encode()).hexdigest(),  # noqa: S324 - as git has them
        licence="MIT",
        dimension=DIMENSION,
        pooling=pooling,
        pad_token="[PAD]",
        weights=files["onnx/model.onnx"],
        tokenizer=files["tokenizer.json"],
    )
    return TinyModel(pinned=pinned, contents=contents)


def _tokenizer(words: Iterable[str]) -> tuple[bytes, list[str]]:
    letters = [chr(code) for code in range(33, 127)]
    pieces = [*letters, *(f"##{one}" for one in letters)]
    vocabulary = list(dict.fromkeys([*_SPECIAL, *pieces, *words]))
    ids = {token: n for n, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=64))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", ids["[CLS]"])]
    )
    return tokenizer.to_str().encode(), vocabulary


def _weights(vocabulary: list[str], most_texts: int, padding: int) -> bytes:
    """Each token has a direction of its own: single letters weigh little, the padding is absurd."""
    rows = [direction_of(token, DIMENSION) * _weight(token) for token in vocabulary]
    unused = np.zeros((padding // (4 * DIMENSION), DIMENSION))
    constants: dict[str, NDArray[Any]] = {
        "table": np.concatenate([rows, unused]).astype(np.float32),
        # A look-up beyond its end fails, which is how the model refuses what is too much.
        "positions": np.zeros((MOST_TOKENS, 1, DIMENSION), dtype=np.float32),
        "places": np.zeros((most_texts, 1, 1), dtype=np.float32),
        "zero": np.array(0, dtype=np.int64),
        "one": np.array(1, dtype=np.int64),
        "squeezed": np.array([1], dtype=np.int64),
    }
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "input_ids"], ["tokens"]),
        node("Shape", ["input_ids"], ["shape"]),
        node("Gather", ["shape", "zero"], ["texts"]),
        node("Gather", ["shape", "one"], ["length"]),
        node("Range", ["zero", "texts", "one"], ["rows"]),
        node("Range", ["zero", "length", "one"], ["columns"]),
        node("Gather", ["places", "rows"], ["row_zeros"]),
        node("Gather", ["positions", "columns"], ["column_zeros"]),
        node("Squeeze", ["column_zeros", "squeezed"], ["flat_zeros"]),
        node("Add", ["tokens", "row_zeros"], ["within_rows"]),
        node("Add", ["within_rows", "flat_zeros"], ["last_hidden_state"]),
    ]
    shape = ["batch", "sequence"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info(each, TensorProto.INT64, shape)
            for each in ("input_ids", "attention_mask")
        ],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, [*shape, DIMENSION]
            )
        ],
        [numpy_helper.from_array(value, each) for each, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _weight(token: str) -> float:
    if token == "[PAD]":
        return 1000.0
    return 0.3 if len(token.removeprefix("##")) == 1 else 1.0


@dataclass
class Hub:
    """What a hub on loopback serves, how it misbehaves, and what was asked of it."""

    model: TinyModel
    cut_after: int | None = None
    """Bytes of an answer after which the connection ends, for the next `cuts` answers."""
    cuts: int = 0
    gone_after: int | None = None
    """Bytes of large files after which no connection is answered any more."""
    ranges: bool = True
    status: int = 200
    replaced: dict[str, bytes] = field(default_factory=dict)
    """Other files than those that are pinned, by path."""
    astray: bool = False
    """Send each request on to itself."""
    elsewhere: bool = False
    """Send on to another address first, as the real one does for large files."""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """The path and the range of each request."""
    sent: int = 0
    url: str = ""


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve until the body ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            _answer(self, hub)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, hub: Hub) -> None:
    asked_range = handler.headers.get("Range")
    hub.asked.append((handler.path, asked_range))
    if hub.gone_after is not None and hub.sent >= hub.gone_after:
        handler.close_connection = True
        return
    pinned = hub.model.pinned
    begin = f"/{pinned.repository}/resolve/{pinned.revision}/"
    path = handler.path.removeprefix("/elsewhere").removeprefix(begin)
    if hub.astray or (hub.elsewhere and not handler.path.startswith("/elsewhere")):
        handler.send_response(302)
        handler.send_header("Location", handler.path if hub.astray else f"/elsewhere{handler.path}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return
    content = (hub.model.contents | hub.replaced).get(path)
    if hub.status != 200 or content is None:
        handler.send_response(hub.status if hub.status != 200 else 404)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return
    _send(handler, hub, content, asked_range)


def _send(
    handler: BaseHTTPRequestHandler, hub: Hub, content: bytes, asked_range: str | None
) -> None:
    start = 0
    if hub.ranges and asked_range and (found := re.fullmatch(r"bytes=(\d+)-", asked_range)):
        start = int(found[1])
        if start >= len(content):
            handler.send_response(416)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
    else:
        handler.send_response(200)
    body = content[start:]
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if hub.cuts and hub.cut_after is not None and len(body) > hub.cut_after:
        hub.cuts -= 1
        body = body[: hub.cut_after]
        handler.close_connection = True
    hub.sent += len(body)
    handler.wfile.write(body)
