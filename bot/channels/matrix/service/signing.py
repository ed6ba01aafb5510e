"""JSON signed as Matrix signs it, and the ed25519 keys that sign: the only user of vodozemac.

https://spec.matrix.org/v1.16/appendices/#signing-json
"""

import json
from typing import Self

from vodozemac import Account, Ed25519PublicKey, Ed25519Signature

from bot.channels.matrix.service.json_values import Json, map_in, text_in

_UNSIGNED = frozenset({"signatures", "unsigned"})
"""What of an object no signature covers."""


class SigningKey:
    """An ed25519 key pair.

    The library has none by itself, so it is that of an account whose other keys are never used:
    accounts can be kept under a lock, as the keys of the device are.
    """

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    @classmethod
    def unlocked(cls, locked: str, lock: bytes) -> Self | None:
        """The key that was locked with these 32 bytes; None where it is damaged, or of another."""
        try:
            return cls(Account.from_pickle(locked, lock))
        except ValueError:
            return None

    def locked(self, lock: bytes) -> str:
        """The key as it may be kept; `lock` is 32 bytes."""
        return str(self._account.pickle(lock))

    @property
    def public(self) -> str:
        """The public half, in base64 without padding."""
        return str(self._account.ed25519_key.to_base64())

    def signed(self, body: Json, user: str) -> Json:
        """An object with the signature of this account's key, and no other."""
        signature = self._account.sign(canonical(body)).to_base64()
        covered = {key: value for key, value in body.items() if key not in _UNSIGNED}
        return {**covered, "signatures": {user: {f"ed25519:{self.public}": signature}}}


def is_signed(body: Json, user: str, key_id: str, public: str) -> bool:
    """Whether an object bears a right signature of an account's key; a device's id is its key's."""
    signature = text_in(map_in(body, "signatures", user), f"ed25519:{key_id}")
    try:
        key = Ed25519PublicKey.from_base64(public)
        key.verify_signature(canonical(body), Ed25519Signature.from_base64(signature))
    except ValueError:
        return False
    return True


def canonical(body: Json) -> bytes:
    """What is signed of an object: one way to write it, without what signatures do not cover.

    Raises:
        ValueError: it cannot be written, as with half a character.

    """
    covered = {key: value for key, value in body.items() if key not in _UNSIGNED}
    text = json.dumps(
        covered, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
    )
    return text.encode("utf-8")
