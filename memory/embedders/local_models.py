"""The models that the local embedder can have: where they come from, and what they are known by.

Revisions, sizes and checksums are those that several independent projects pin for the same files;
both are served by the Hugging Face hub.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memory.ports import Fingerprint

Pooling = Literal["mean", "first"]
"""How the vectors of a text's tokens become one: their mean, or that of the first token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedFile:
    """One file of a model: its path in the repository, and what it must be."""

    path: str
    size: int
    """In bytes."""
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model at one revision, whose files never change."""

    name: str
    repository: str
    revision: str
    licence: str
    dimension: int
    pooling: Pooling
    pad_token: str
    """What fills the shorter texts of a batch; it is masked, but the tokenizer has to know it."""
    weights: PinnedFile
    tokenizer: PinnedFile

    @property
    def files(self) -> tuple[PinnedFile, PinnedFile]:
        """All that has to be fetched, the smaller one first."""
        return self.tokenizer, self.weights

    @property
    def size(self) -> int:
        """Bytes to fetch in all."""
        return sum(each.size for each in self.files)

    @property
    def fingerprint(self) -> Fingerprint:
        """The model and its revision: another revision makes other vectors."""
        return Fingerprint(
            name=self.name, dimension=self.dimension, version=self.revision[:_SHOWN_REVISION]
        )


_SHOWN_REVISION = 12
"""Hexadecimal digits of a revision that tell it from every other."""

BEKKO = LocalModel(
    name="bekko-v1-a8m",
    repository="hotchpotch/bekko-embedding-v1-a8m",
    revision="c721113d59a1d91b447450324f51c4b3332c924a",
    licence="MIT",
    dimension=384,
    pooling="mean",
    pad_token="<pad>",  # noqa: S106 - a token of a text, and no secret
    weights=PinnedFile(
        path="onnx/model.onnx",
        size=130_099_079,
        sha256="96d8cc6199e96357b21b2fb12f6d7ffd2d4abc7b182fe94b5468fbd6dc819af7",
    ),
    tokenizer=PinnedFile(
        path="tokenizer.json",
        size=34_363_442,
        sha256="8bd47075711f75a143d1b78e01a41cc65c1c591b00d3cfeffc23db07adce1392",
    ),
)
"""Eight million parameters are at work on a text; the rest is a table of tokens, in 8 bits."""

GRANITE = LocalModel(
    name="granite-97m-multilingual-r2",
    repository="ibm-granite/granite-embedding-97m-multilingual-r2",
    revision="835ad14087e140460703cf0fae09f97d469d65c2",
    licence="Apache-2.0",
    dimension=384,
    pooling="first",
    pad_token="<|endoftext|>",  # noqa: S106 - a token of a text, and no secret
    weights=PinnedFile(
        path="onnx/model_quint8_avx2.onnx",
        size=98_247_878,
        sha256="a6022dd8220ea6f6595562a1328ee216f4a94faa55362f2f4747c80f1e78772e",
    ),
    tokenizer=PinnedFile(
        path="tokenizer.json",
        size=25_301_672,
        sha256="4f2842d568e2724370aec203652a42ac783c7937f8347a1a2cc7506d71f1582f",
    ),
)
"""In 8 bits: the 32-bit weights take four times the room for little more."""

LOCAL_MODELS: Mapping[str, LocalModel] = {model.name: model for model in (BEKKO, GRANITE)}
"""By the name they have in the settings."""
