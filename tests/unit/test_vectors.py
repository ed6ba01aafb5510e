"""Names and checks of vectors, and the frames they travel in: pure functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.errors import VectorRefused
from memory.model.stores import Collection
from memory.ports import Fingerprint
from memory.vectors import checked, collection_name, direction_of, unit
from memory.vectorstores.edge.frames import FrameBuffer, encoded


def named(name: str, version: str = "1") -> str:
    """The collection name for an embedder of this name."""
    fingerprint = Fingerprint(name=name, dimension=256, version=version)
    return collection_name("eko_", Collection.MEMORY, fingerprint)


def test_a_collection_name_can_be_read() -> None:
    """A person who browses the store sees what it is."""
    assert named("voyage-3.5").startswith("eko_memory-voyage-3.5-256-1-")


@given(st.text(max_size=200), st.text(max_size=20))
def test_a_collection_name_is_safe_everywhere(name: str, version: str) -> None:
    """It is a folder and a path segment of a URL, whatever the embedder is called."""
    assert set(named(name, version)) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert len(named(name, version)) < 100


def test_embedders_that_look_alike_have_different_names() -> None:
    """What the readable part drops still tells them apart."""
    assert len({named("org/model"), named("org model"), named("org/model", "2")}) == 3


@given(st.text())
def test_a_direction_is_a_unit_vector_that_never_changes(text: str) -> None:
    """The same text has the same direction, for ever and in any process."""
    direction = direction_of(text, 256)
    assert np.linalg.norm(direction) == pytest.approx(1, abs=1e-5)
    assert (direction == direction_of(text, 256)).all()


def test_the_direction_of_a_word_is_fixed() -> None:
    """A stored vector stays comparable after an upgrade."""
    assert direction_of("cat", 4) == pytest.approx(
        [0.06608226, -0.31649923, 0.8729814, -0.36519143], abs=1e-6
    )


def test_unit_keeps_a_row_of_zeros() -> None:
    """There is no direction to invent."""
    assert unit(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


def test_a_checked_vector_is_contiguous_float32() -> None:
    """Stores may take its bytes as they are."""
    vector = checked(np.arange(8, dtype=np.float64)[::2].astype(np.float32), 4)
    assert vector.dtype == np.float32
    assert vector.flags.c_contiguous


def test_a_row_of_several_vectors_is_refused() -> None:
    """A batch is not one vector, even when its size would fit."""
    with pytest.raises(VectorRefused):
        checked(np.ones((2, 2), dtype=np.float32), 4)


@given(
    st.lists(st.tuples(st.integers(), st.binary(max_size=300), st.text(max_size=50)), max_size=5),
    st.integers(min_value=1, max_value=97),
)
def test_frames_survive_any_cutting(messages: list[tuple[int, bytes, str]], piece: int) -> None:
    """However a pipe cuts the stream, the same messages come out in order."""
    stream = b"".join(encoded(message) for message in messages)
    frames = FrameBuffer()
    received = [
        message
        for start in range(0, len(stream), piece)
        for message in frames.feed(stream[start : start + piece])
    ]
    assert received == messages
