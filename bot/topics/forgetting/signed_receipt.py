"""A receipt of a forgetting that is signed, and the check that not a byte of it was changed.

It is JSON whose last field is the signature, by ed25519 (RFC 8032, the library `cryptography`), of
everything before it, with the public key in it. The key is a secret of the data folder, made when
it is first used; no backup holds it.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import BotError
from bot.secret_file import secret_in

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SECRET = "receipts.secret"  # noqa: S105 - the name of a file
"""Where the private key is, in the data folder."""

_ALGORITHM = "ed25519:"
_SIGNATURE, _KEY = "signature", "public_key"

Fields = Mapping[str, Any]


class ReceiptChanged(BotError):
    """A file is no receipt as a pet signed it; the sentence says so."""


def public_key(data_dir: Path) -> str:
    """The key by which receipts of this pet are known, as they hold it.

    Raises:
        FolderRefused: the secret can neither be read nor made.

    """
    return _public(_private(data_dir))


def signed(fields: Fields, data_dir: Path) -> str:
    """A receipt with the public key and the signature, as it is handed out.

    Raises:
        FolderRefused: the secret can neither be read nor made.

    """
    private = _private(data_dir)
    covered = {**fields, _KEY: _public(private)}
    signature = private.sign(_written(covered)).hex()
    return _written({**covered, _SIGNATURE: signature}).decode()


def checked(text: bytes) -> Fields:
    """What a receipt says, once its signature was found to be of exactly these bytes.

    Whose key it is stands in it: that has to be compared with the one the pet's owner makes known.

    Raises:
        ReceiptChanged: it was changed, or is no receipt.

    """
    try:
        fields = json.loads(text)
        covered = dict(fields)
        signature, key = covered.pop(_SIGNATURE), covered[_KEY]
        is_whole = _written({**covered, _SIGNATURE: bytes.fromhex(signature).hex()}) == text
        is_genuine = is_whole and _verifies(key, signature, _written(covered))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_genuine = False
    if not is_genuine:
        raise ReceiptChanged(
            "This is not as a pet signed it: it was changed, if only by a byte, or is no receipt."
        )
    return dict(fields)


def _written(fields: Fields) -> bytes:
    """The one way in which fields are written: it is signed, and compared with what is checked."""
    return f"{json.dumps(fields, indent=1, ensure_ascii=False)}\n".encode()


def _private(data_dir: Path) -> "Ed25519PrivateKey":
    """The key of the pet: ed25519 begins with 32 random bytes, which are made of the secret."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secret = secret_in(data_dir / SECRET)
    return Ed25519PrivateKey.from_private_bytes(sha256(secret.encode()).digest())


def _public(private: "Ed25519PrivateKey") -> str:
    return f"{_ALGORITHM}{private.public_key().public_bytes_raw().hex()}"


def _verifies(key: str, signature: str, covered: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.removeprefix(_ALGORITHM)))
    try:
        public.verify(bytes.fromhex(signature), covered)
    except InvalidSignature:
        return False
    return True
