"""Receipts: signed by the pet's key, and known again only byte for byte."""

import json
from pathlib import Path

import pytest

from bot.topics.forgetting.signed_receipt import (
    SECRET,
    ReceiptChanged,
    checked,
    public_key,
    signed,
)

FIELDS = {"document": "receipt", "pet": "Écho", "counts": {"messages": 3}, "unseen": ["a", "b"]}


def test_a_receipt_says_what_was_signed_and_by_which_key(tmp_path: Path) -> None:
    """The key is in it, and is the one that the pet makes known."""
    said = checked(signed(FIELDS, tmp_path).encode())
    assert {name: said[name] for name in FIELDS} == FIELDS
    assert said["public_key"] == public_key(tmp_path)


def test_each_byte_of_a_receipt_counts(tmp_path: Path) -> None:
    """Also those of the signature, of the key, of spaces and of the last line's end."""
    text = signed(FIELDS, tmp_path).encode()
    for place in range(len(text)):
        for other in (text[place] ^ 1, text[place] ^ 0x20):
            with pytest.raises(ReceiptChanged):
                checked(text[:place] + bytes([other]) + text[place + 1 :])
    for changed in (text[:-1], text + b"\n", b" " + text, text.replace(b"\n", b"\r\n")):
        with pytest.raises(ReceiptChanged):
            checked(changed)


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b"null", b'{"signature": 1, "public_key": 2}', b"\xff", b"[" * 100_000],
)
def test_what_is_no_receipt_is_refused(text: bytes) -> None:
    """In the same words."""
    with pytest.raises(ReceiptChanged, match="not as a pet signed it"):
        checked(text)


def test_a_receipt_signed_by_another_key_cannot_bear_the_pets(tmp_path: Path) -> None:
    """The key is among what is signed."""
    (mine, theirs) = (tmp_path / "mine", tmp_path / "theirs")
    mine.mkdir()
    theirs.mkdir()
    forged = json.loads(signed(FIELDS, theirs)) | {"public_key": public_key(mine)}
    with pytest.raises(ReceiptChanged):
        checked(f"{json.dumps(forged, indent=1, ensure_ascii=False)}\n".encode())


def test_the_key_is_made_once_and_kept_for_this_user_alone(tmp_path: Path) -> None:
    """As each secret of the pet."""
    first = public_key(tmp_path)
    assert public_key(tmp_path) == first
    secret = tmp_path / SECRET
    assert secret.stat().st_mode & 0o777 == 0o600
    assert secret.read_text("ascii") not in signed(FIELDS, tmp_path)
